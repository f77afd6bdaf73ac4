/* SPDX-License-Identifier: MIT
 *
 * What the samplers that a stage has bound ask of its shader: biases, emulation, least levels.
 */
#ifndef AG_EXEC_BIND_SAMPLER_BINDING_H
#define AG_EXEC_BIND_SAMPLER_BINDING_H

#include <stdint.h>

#include "aerogpu/dxbc.h"
#include "exec/bind/shader.h"
#include "wgsl/draw_block.h"

struct ag_binder;
struct ag_context;

/* What the samplers that a stage has bound where the program has some ask of it; and the bytes of all of
 * them, in AG_BINDING_SAMPLER_STATES. */
struct ag_sampler_bits ag_samplers_bits(struct ag_binder *binder, struct ag_context *context,
                                        enum agpu_stage stage, const struct ag_shader_program *program);
void ag_samplers_states(const struct ag_context *context, enum agpu_stage stage,
                        uint8_t states[AG_SAMPLER_STATES_BYTES]);

#endif
