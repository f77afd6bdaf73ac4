/* SPDX-License-Identifier: MIT */
#include "exec/bind/uniform_binding.h"

#include <inttypes.h>

#include "abi/packet_effect.h"
#include "aerogpu/abi/ext.h"
#include "aerogpu/diag.h"
#include "aerogpu/dxbc.h"
#include "aerogpu/translate.h"
#include "exec/bind/binder.h"
#include "exec/bind/constant_buffer.h"
#include "exec/bind/context.h"
#include "exec/bind/group_builder.h"
#include "exec/bind/sampler_binding.h"
#include "exec/host/outcome.h"
#include "exec/host/report.h"
#include "exec/object/sampler.h"
#include "exec/record/bind_group.h"
#include "wgsl/binding.h"
#include "wgsl/draw_block.h"

/* The declaration of the program's immediate constant buffer, or null. */
static const struct agpu_instruction *find_icb(const struct agpu_shader *shader)
{
    for (uint32_t i = 0; i < shader->program.instruction_count; i++) {
        const struct agpu_instruction *instruction = &shader->program.instructions[i];
        if (instruction->opcode == AGPU_OP_CUSTOMDATA && instruction->data_count > 1 &&
            instruction->controls == AGPU_CUSTOM_IMMEDIATE_CONSTANT_BUFFER)
            return instruction;
    }
    return NULL;
}

/* Binds the class instances in the interface slots (aerogpu/translate.h). A call through an empty slot is
 * undefined in Direct3D, so that the draw is skipped when a slot that the shader uses is empty. */
static enum ag_outcome bind_instances(struct ag_group_builder *builder, const struct agpu_binding *binding,
                                      struct ag_bound_range *range)
{
    const struct ag_class_instances *instances = builder->context->stages[builder->stage].instances;
    const uint32_t slots = (uint32_t)(binding->bytes / AG_CLASS_INSTANCE_BYTES);
    uint32_t words[AG_MAX_CLASS_INSTANCES][AG_CLASS_INSTANCE_BYTES / 4] = {{0}};
    for (uint32_t i = 0; i < slots; i++) {
        if (i >= AG_MAX_CLASS_INSTANCES || !instances || i >= instances->count ||
            instances->slots[i].function_table == AEROGPU_EXT_ALL)
            return ag_host_skip_undefined(builder->binder->host,
                                          "interface slot %" PRIu32 " of the %s holds no class instance", i,
                                          agpu_stage_name(builder->stage));
        const struct aerogpu_ext_class_instance *instance = &instances->slots[i];
        words[i][0] = instance->constant_buffer;
        words[i][1] = instance->constant_offset_bytes / 16;
        words[i][2] = instance->texture;
        words[i][3] = instance->sampler;
        words[i][4] = instance->function_table;
    }
    return ag_bind_bytes(builder->binder, words, (uint64_t)slots * AG_CLASS_INSTANCE_BYTES, binding->bytes,
                         range);
}

/* Samplers that the shader emulates have no bindings. */
static enum ag_outcome bind_sampler_states(struct ag_group_builder *builder,
                                           const struct agpu_binding *binding, struct ag_bound_range *range)
{
    const struct ag_sampler_slot *slots = builder->context->stages[builder->stage].samplers;
    uint8_t states[AG_SAMPLER_STATES_BYTES];
    for (uint32_t i = 0; i < AG_SAMPLER_SLOTS; i++)
        if (builder->program->sampler_slots >> i & 1 && slots[i].sampler && !slots[i].sampler->gpu)
            return ag_host_skip_refused(builder->binder->host, AGPU_DIAG_EXEC_REFUSED_OBJECT,
                                        "s%" PRIu32 " of the %s is a sampler that cannot be expressed", i,
                                        agpu_stage_name(builder->stage));
    ag_samplers_states(builder->context, builder->stage, states);
    return ag_bind_bytes(builder->binder, states, sizeof states, binding->bytes, range);
}

enum ag_outcome ag_bind_uniform(struct ag_group_builder *builder, const struct agpu_binding *binding,
                                struct ag_bind_item *item)
{
    struct ag_bound_range range = {0};
    enum ag_outcome outcome;
    if (binding->binding == AG_BINDING_SAMPLER_STATES) {
        outcome = bind_sampler_states(builder, binding, &range);
    } else if (binding->space == AGPU_SPACE_INTERNAL && binding->binding == AG_BINDING_CLASS_INSTANCES) {
        outcome = bind_instances(builder, binding, &range);
    } else if (binding->space == AGPU_SPACE_INTERNAL) {
        const struct agpu_instruction *icb = find_icb(builder->program->shader);
        const uint32_t nothing = 0;
        outcome = ag_bind_bytes(builder->binder, icb ? icb->data : &nothing,
                                icb ? icb->data_count * UINT64_C(4) : 4, binding->bytes, &range);
    } else {
        outcome = ag_bind_constants(builder->binder, builder->context, builder->stage, binding, &range);
    }
    if (outcome != AG_DONE)
        return outcome;
    ag_group_set_range(item, &range);
    ag_group_set_view(builder, binding, 0, (uint32_t)range.bound, (uint32_t)(range.bound / 16));
    return AG_DONE;
}
