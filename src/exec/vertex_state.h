/* SPDX-License-Identifier: MIT
 *
 * Vertex fetch: which attributes of which buffers feed a vertex shader.
 */
#ifndef AGPU_EXEC_VERTEX_STATE_H
#define AGPU_EXEC_VERTEX_STATE_H

#include "exec/draw.h"
#include "exec/pipeline.h"

/* Attributes for what the shader reads in this draw; `location` is the input register until
 * agpu_vertex_state_place(). `classes` is what the translator wants to know of each register. False when the
 * draw cannot go on: reported; *failed: the stream stops. */
bool agpu_vertex_state_init(struct agpu_exec *exec, struct agpu_context *context,
                            const struct agpu_draw *draw, const struct agpu_shader_program *program,
                            struct agpu_vertex_state *state, uint8_t classes[AGPU_MAX_REGISTERS],
                            bool *failed);

/* Moves attributes to the module's locations and drops those that it does not have. */
void agpu_vertex_state_place(struct agpu_vertex_state *state, const struct agpu_module *module);

#endif
