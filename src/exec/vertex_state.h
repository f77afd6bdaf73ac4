/* SPDX-License-Identifier: MIT
 *
 * Vertex fetch: which attributes of which buffers feed a vertex shader.
 */
#ifndef AG_EXEC_VERTEX_STATE_H
#define AG_EXEC_VERTEX_STATE_H

#include "exec/draw.h"
#include "exec/pipeline.h"

/* Attributes for what the shader reads in this draw; `location` is the input register until
 * ag_vertex_state_place(). `classes` is what the translator wants to know of each register. False when the
 * draw cannot go on: reported; *failed: the stream stops. */
bool ag_vertex_state_init(struct ag_exec *exec, struct ag_context *context, const struct ag_draw *draw,
                          const struct ag_shader_program *program, struct ag_vertex_state *state,
                          uint8_t classes[AGPU_MAX_REGISTERS], bool *failed);

/* Moves attributes to the module's locations and drops those that it does not have. */
void ag_vertex_state_place(struct ag_vertex_state *state, const struct agpu_module *module);

#endif
