/* SPDX-License-Identifier: MIT
 *
 * Traces of the reference project (".aerogputrace"): frames of command streams with the guest memory that
 * they read. docs/captures.md describes the format.
 */
#ifndef AG_SCENE_TRACE_H
#define AG_SCENE_TRACE_H

#include "scene/model.h"

/* Makes the steps of a scene from a trace. With `dialect` the shaders in it are transcoded. Refused with
 * scene.trace, or by name when the host of the trace supplied what the trace lacks: scene.trace-abi,
 * scene.trace-no-target, scene.trace-no-shaders. */
enum agpu_status scene_load_trace(struct ag_scene *scene, const void *data, size_t size, bool dialect,
                                  const struct agpu_diag_sink *sink);

/* A command stream in the scene's arena whose shaders are in the published encoding, from one whose shaders
 * have the traces' own. */
enum agpu_status scene_transcode_stream(struct ag_scene *scene, struct scene_bytes *stream,
                                        const struct agpu_diag_sink *sink);

/* One shader container from the traces' encoding into the published one. Refused with scene.trace-shader. The
 * caller frees *bytes with agpu_free(). Vertex and pixel shaders of models 4.0 to 5.0, with the instructions
 * that occur in such traces. */
enum agpu_status scene_transcode_shader(const void *data, size_t size, const struct agpu_diag_sink *sink,
                                        uint8_t **bytes, size_t *byte_count);

#endif
