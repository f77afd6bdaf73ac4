/* SPDX-License-Identifier: MIT */
#include "exec/bind/bind.h"

#include <string.h>

#include "aerogpu/dxbc.h"
#include "aerogpu/translate.h"
#include "exec/bind/binder.h"
#include "exec/bind/buffer_binding.h"
#include "exec/bind/constant_pack.h"
#include "exec/bind/context.h"
#include "exec/bind/group_builder.h"
#include "exec/bind/overflow.h"
#include "exec/bind/overflow_choice.h"
#include "exec/bind/sampler_binding.h"
#include "exec/bind/shader.h"
#include "exec/bind/target_copy.h"
#include "exec/bind/texture_binding.h"
#include "exec/bind/uav_binding.h"
#include "exec/bind/uav_counters.h"
#include "exec/bind/uniform_binding.h"
#include "exec/host/outcome.h"
#include "exec/record/bind_group.h"
#include "exec/record/bind_group_layout.h"
#include "exec/record/recorder.h"
#include "exec/record/resident_block.h"
#include "exec/record/upload_ring.h"
#include "wgsl/binding.h"
#include "wgsl/expansion.h"

static WGPUTextureView internal_texture(const struct ag_binder *binder, uint32_t slot, uint64_t *id)
{
    if (slot < AG_SLOT_EARLY_DEPTH)
        return ag_target_copy_view(binder, slot, id);
    const struct ag_early_texture *early = &binder->early_textures[slot - AG_SLOT_EARLY_DEPTH];
    *id = early->id;
    return early->view;
}

static enum ag_outcome bind_pack(struct ag_group_builder *builder, struct ag_bind_item *item)
{
    struct ag_bound_range range;
    const enum ag_outcome outcome = ag_constant_pack_bind(builder->binder, builder->context, builder->stage,
                                                          builder->module, builder->pack, &range);
    if (outcome == AG_DONE)
        ag_group_set_range(item, &range);
    return outcome;
}

static enum ag_outcome bind_one(struct ag_group_builder *builder, const struct agpu_binding *binding,
                                struct ag_bind_item *item)
{
    if (ag_overflow_owns(binding))
        return ag_overflow_bind(builder, binding, item);
    if (ag_is_constant_pack(binding))
        return bind_pack(builder, item);
    switch ((enum agpu_binding_kind)binding->kind) {
    case AGPU_BIND_UNIFORM_BUFFER:
        return ag_bind_uniform(builder, binding, item);
    case AGPU_BIND_STORAGE_BUFFER_READ:
        if (binding->space == AGPU_SPACE_RESOURCE)
            return ag_bind_srv_buffer(builder, binding, item);
        return ag_bind_uniform(builder, binding, item);
    case AGPU_BIND_STORAGE_BUFFER_READ_WRITE:
    case AGPU_BIND_STORAGE_TEXTURE:
        if (binding->space == AGPU_SPACE_INTERNAL) {
            ag_uav_counters_bind(builder->binder, item);
            return AG_DONE;
        }
        return ag_bind_uav(builder, binding, item);
    case AGPU_BIND_SAMPLED_TEXTURE:
        if (binding->space == AGPU_SPACE_INTERNAL) {
            item->view = internal_texture(builder->binder, binding->slot, &item->id);
            return item->view ? AG_DONE : AG_SKIPPED;
        }
        return ag_bind_texture(builder, binding, item);
    case AGPU_BIND_SAMPLER:
    case AGPU_BIND_COMPARISON_SAMPLER:
        return ag_bind_sampler(builder, binding, item);
    }
    return AG_SKIPPED;
}

/* Fills in the draw block for slots that the module only asks about and does not bind. */
static enum ag_outcome note_unbound(struct ag_group_builder *builder)
{
    uint32_t count = builder->count;
    builder->count = 0; /* items of these slots are not bound, so that they cannot overlap others */
    for (uint32_t i = 0; i < builder->module->unbound_count; i++) {
        struct ag_bind_item item = {0};
        const enum ag_outcome outcome = bind_one(builder, &builder->module->unbound[i], &item);
        if (outcome != AG_DONE)
            return outcome;
    }
    builder->count = count;
    return AG_DONE;
}

static void begin(struct ag_group_builder *builder, struct ag_binder *binder, struct ag_context *context,
                  enum agpu_stage stage, const struct ag_shader_variant *variant,
                  const struct ag_shader_program *program, struct ag_draw_block *block)
{
    builder->binder = binder;
    builder->context = context;
    builder->stage = stage;
    builder->module = variant->module;
    builder->program = program;
    builder->block = block;
    builder->sinks = 0;
    builder->count = builder->dynamic_uniforms = 0;
    builder->arena = variant->arena;
    builder->pack = variant->pack;
    builder->rows = NULL;
    memset(builder->overflow_items, 0, sizeof builder->overflow_items);
}

/* Adds an item. The first `dynamic` uniform buffers of the group, the pack and the overflow block get dynamic
 * offsets. */
static void add_item(struct ag_group_builder *builder, bool uniform, uint32_t dynamic,
                     struct ag_bound_group *group)
{
    struct ag_bind_item *item = &builder->items[builder->count++];
    const bool always = item->binding == AG_BINDING_CONSTANT_PACK || item->binding == AG_BINDING_OVERFLOW;
    uniform = uniform && !always && builder->dynamic_uniforms < dynamic;
    builder->dynamic_uniforms += uniform;
    if (uniform || always) {
        group->buffers[group->offset_count] = item->id;
        group->offsets[group->offset_count++] = (uint32_t)item->offset;
        item->offset = 0;
    }
}

static struct ag_bind_item *next_item(struct ag_group_builder *builder, uint32_t binding)
{
    struct ag_bind_item *item = &builder->items[builder->count];
    memset(item, 0, sizeof *item);
    item->binding = binding;
    return item;
}

/* The cached bind group of what the builder has. */
static enum ag_outcome get_group(struct ag_group_builder *builder, const struct ag_bind_group_layout *layout,
                                 struct ag_bound_group *group)
{
    group->gpu = ag_bind_group_get(builder->binder->recorder, layout, builder->items, builder->count);
    return group->gpu ? AG_DONE : AG_OUT_OF_MEMORY;
}

enum ag_outcome ag_bind_stage(struct ag_binder *binder, struct ag_context *context, enum agpu_stage stage,
                              const struct ag_shader_variant *variant,
                              const struct ag_shader_program *program, struct ag_draw_block *block,
                              struct ag_bound_group *group)
{
    struct ag_group_builder builder;
    const struct agpu_module *module = variant->module;
    begin(&builder, binder, context, stage, variant, program, block);
    group->offset_count = 0;
    for (uint32_t i = 0; i < module->binding_count; i++) {
        const struct agpu_binding *binding = &module->bindings[i];
        if (binding->group == AG_GROUP_INTERNAL)
            continue;
        const enum ag_outcome outcome = bind_one(&builder, binding, next_item(&builder, binding->binding));
        if (outcome != AG_DONE)
            return outcome;
        add_item(&builder, binding->kind == AGPU_BIND_UNIFORM_BUFFER, variant->layout->dynamic_uniforms,
                 group);
    }
    const enum ag_outcome outcome = note_unbound(&builder);
    if (outcome != AG_DONE || !variant->recipe)
        return outcome == AG_DONE ? get_group(&builder, variant->layout, group) : outcome;
    group->gpu =
        ag_bind_group_get_for(binder->recorder, variant->id, variant->layout, builder.items, builder.count);
    return group->gpu ? AG_DONE : AG_OUT_OF_MEMORY;
}

/* Finds or uploads the draw block. */
static enum ag_outcome bind_block(struct ag_binder *binder, const struct ag_draw_block *block,
                                  struct ag_bind_item *item)
{
    struct ag_upload_slice slice;
    if (!ag_resident_block_use(binder->recorder, &binder->last_block, block, sizeof *block, &slice))
        return AG_OUT_OF_MEMORY;
    *item = (struct ag_bind_item){
        .binding = AG_BINDING_DRAW_BLOCK,
        .id = slice.id,
        .buffer = slice.gpu,
        .offset = slice.offset,
        .size = sizeof *block,
    };
    return AG_DONE;
}

enum ag_outcome ag_bind_expansion(struct ag_binder *binder, struct ag_context *context, enum agpu_stage stage,
                                  const struct ag_shader_variant *variant,
                                  const struct ag_shader_program *program,
                                  const struct ag_bind_item lists[AG_EXPAND_BINDING_COUNT],
                                  struct ag_draw_block *block, struct ag_bound_group *group)
{
    struct ag_group_builder builder;
    const struct agpu_module *module = variant->module;
    const struct ag_bind_group_layout *layout = variant->expansion;
    const bool has_block = module->uses_draw_block || module->flavour == AGPU_FLAVOUR_VERTEX;
    const uint32_t dynamic = layout->dynamic_uniforms - has_block; /* the draw block is dynamic, too */
    enum ag_outcome outcome;
    begin(&builder, binder, context, stage, variant, program, block);
    group->offset_count = 0;
    for (uint32_t i = 0; i < module->binding_count; i++) {
        const struct agpu_binding *binding = &module->bindings[i];
        uint32_t list = (uint32_t)binding->binding - AG_BINDING_INTERNAL;
        if (binding->group != AG_GROUP_INTERNAL || binding->binding == AG_BINDING_DRAW_BLOCK)
            continue;
        struct ag_bind_item *item = next_item(&builder, binding->binding);
        if (binding->binding >= AG_BINDING_INTERNAL && list < AG_EXPAND_BINDING_COUNT) {
            *item = lists[list];
            item->binding = binding->binding;
        } else {
            outcome = bind_one(&builder, binding, item);
            if (outcome != AG_DONE)
                return outcome;
        }
        add_item(&builder, binding->kind == AGPU_BIND_UNIFORM_BUFFER, dynamic, group);
    }
    outcome = note_unbound(&builder);
    if (outcome != AG_DONE)
        return outcome;
    if (has_block) {
        outcome = bind_block(binder, block, next_item(&builder, AG_BINDING_DRAW_BLOCK));
        if (outcome != AG_DONE)
            return outcome;
        add_item(&builder, true, layout->dynamic_uniforms, group);
    }
    return get_group(&builder, layout, group);
}

enum ag_outcome ag_bind_draw_block(struct ag_binder *binder, const struct ag_draw_block *block,
                                   struct ag_bound_group *group)
{
    struct ag_bind_group_layout *layout = ag_bind_group_layout_of_draw_block(binder->recorder);
    struct ag_bind_item item;
    if (!layout)
        return AG_OUT_OF_MEMORY;
    const enum ag_outcome outcome = bind_block(binder, block, &item);
    if (outcome != AG_DONE)
        return outcome;
    group->offset_count = 1;
    group->offsets[0] = (uint32_t)item.offset;
    group->buffers[0] = item.id;
    item.offset = 0;
    group->gpu = ag_bind_group_get(binder->recorder, layout, &item, 1);
    return group->gpu ? AG_DONE : AG_OUT_OF_MEMORY;
}
