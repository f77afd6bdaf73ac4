/* SPDX-License-Identifier: MIT
 *
 * The samplers of a stage, as the stage's shader has to know them: biases, emulation, SetResourceMinLOD.
 */
#ifndef AG_EXEC_BIND_SAMPLER_BINDING_H
#define AG_EXEC_BIND_SAMPLER_BINDING_H

#include <stdint.h>

#include "aerogpu/dxbc.h"
#include "exec/bind/shader.h"
#include "exec/host/outcome.h"
#include "wgsl/draw_block.h"

struct ag_bind_item;
struct ag_binder;
struct ag_context;
struct ag_group_builder;
struct agpu_binding;

/* The part of the shader's key that depends on the samplers and textures in the slots that the program
 * declares. */
struct ag_sampling ag_sampling_of(struct ag_binder *binder, struct ag_context *context, enum agpu_stage stage,
                                  struct ag_shader_program *program);

/* The contents of the binding AG_BINDING_SAMPLER_STATES: the states of all samplers of the stage. */
void ag_samplers_states(const struct ag_context *context, enum agpu_stage stage,
                        uint8_t states[AG_SAMPLER_STATES_BYTES]);

/* Binds the sampler of a slot, or a dummy. */
enum ag_outcome ag_bind_sampler(struct ag_group_builder *builder, const struct agpu_binding *binding,
                                struct ag_bind_item *item);

#endif
