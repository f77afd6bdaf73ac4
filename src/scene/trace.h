/* SPDX-License-Identifier: MIT
 *
 * Traces of the reference project (".aerogputrace"): frames of command streams with the guest memory that
 * they read. docs/captures.md describes the format.
 */
#ifndef AG_SCENE_TRACE_H
#define AG_SCENE_TRACE_H

#include "scene/model.h"

/* Makes the steps of a scene from a trace, and transcodes the shaders in it when `dialect` is set. A damaged
 * trace is refused with scene.trace. A trace that relied on its replayer is refused by what it lacks:
 * scene.trace-abi, scene.trace-no-target, scene.trace-no-shaders. */
enum agpu_status scene_load_trace(struct ag_scene *scene, const void *data, size_t size, bool dialect,
                                  const struct agpu_diag_sink *sink);

/* Replaces a command stream, whose shaders have the encoding of traces, by a copy in the scene's arena whose
 * shaders have the published encoding. */
enum agpu_status scene_transcode_stream(struct ag_scene *scene, struct scene_bytes *stream,
                                        const struct agpu_diag_sink *sink);

/* Transcodes one shader container from the encoding of traces into the published one. The caller frees *bytes
 * with agpu_free(). Vertex and pixel shaders of models 4.0 to 5.0 with the instructions that occur in traces
 * are known; others are refused with scene.trace-shader. */
enum agpu_status scene_transcode_shader(const void *data, size_t size, const struct agpu_diag_sink *sink,
                                        uint8_t **bytes, size_t *byte_count);

#endif
