/* SPDX-License-Identifier: MIT */
#include "exec/draw/kept_bindings.h"

#include "abi/packet_effect.h"
#include "aerogpu/dxbc.h"
#include "aerogpu/translate.h"
#include "base/bytes.h"
#include "exec/bind/binder.h"
#include "exec/bind/constant_buffer.h"
#include "exec/bind/constant_pack.h"
#include "exec/bind/constant_packing.h"
#include "exec/bind/context.h"
#include "exec/bind/group_recipe.h"
#include "exec/bind/overflow_choice.h"
#include "exec/bind/pipeline.h"
#include "exec/bind/shader.h"
#include "exec/draw/draw_state.h"
#include "exec/draw/drawer.h"
#include "exec/draw/kept_draw.h"
#include "exec/draw/plain_draw.h"
#include "exec/host/outcome.h"
#include "exec/object/buffer.h"
#include "exec/record/bind_group.h"
#include "exec/record/bind_group_layout.h"
#include "exec/record/recorder.h"
#include "wgsl/binding.h"

#define BIT(state) AG_STATE_BIT(AG_STATE_##state)

static const enum agpu_stage group_stages[AG_KEPT_GROUPS] = {
    [AG_GROUP_VERTEX] = AGPU_STAGE_VERTEX,
    [AG_GROUP_PIXEL] = AGPU_STAGE_PIXEL,
};

/* The variant of a stage whose group has bindings. */
static const struct ag_shader_variant *variant_of(const struct ag_pipeline *pipeline, uint32_t group)
{
    if (group == AG_GROUP_VERTEX)
        return pipeline->vertex;
    return pipeline->pixel_program ? pipeline->pixel : NULL;
}

static bool is_constants(const struct agpu_binding *binding)
{
    return binding->space == AGPU_SPACE_CBUFFER || ag_is_constant_pack(binding);
}

bool ag_kept_stage_note(struct ag_drawer *drawer, struct ag_context *context, uint32_t group)
{
    struct ag_kept_draw *kept = drawer->kept;
    struct ag_kept_stage *stage = &kept->kept_stages[group];
    uint32_t uniforms = 0, offsets = 0;
    stage->variant = variant_of(kept->prepared.pipeline, group);
    stage->count = 0;
    stage->has_buffers = false;
    stage->moves_simply = true;
    if (!stage->variant)
        return true;
    const struct agpu_module *module = stage->variant->module;
    if (stage->variant->arena || module->overflow_count)
        return false;
    for (uint32_t i = 0; i < module->binding_count; i++) {
        const struct agpu_binding *binding = &module->bindings[i];
        const bool is_pack = ag_is_constant_pack(binding);
        const bool is_uniform = binding->kind == AGPU_BIND_UNIFORM_BUFFER && !is_pack;
        if (binding->group == AG_GROUP_INTERNAL)
            continue;
        if (ag_overflow_owns(binding))
            return false;
        const bool is_dynamic =
            is_pack || (is_uniform && uniforms++ < stage->variant->layout->dynamic_uniforms);
        const uint8_t offset = (uint8_t)(is_dynamic ? offsets++ : UINT8_MAX);
        if (!is_constants(binding)) {
            stage->has_buffers |= binding->kind == AGPU_BIND_STORAGE_BUFFER_READ ||
                                  binding->kind == AGPU_BIND_STORAGE_BUFFER_READ_WRITE;
            continue;
        }
        if (stage->count == AG_COUNT_OF(stage->constants))
            return false;
        struct ag_group_constants *constants = &stage->constants[stage->count++];
        constants->binding = binding;
        constants->offset = offset;
        stage->moves_simply &= is_dynamic && (!is_pack || stage->variant->pack->epoch);
        if (!is_pack && ag_constants_find(drawer->binder, context, group_stages[group], binding,
                                          &constants->source) != AG_DONE)
            return false;
        stage->moves_simply &= is_pack || !constants->source.buffer || constants->source.bytes;
    }
    return true;
}

static bool rebind(struct ag_drawer *drawer, struct ag_context *context, uint32_t group,
                   struct ag_kept_news *news)
{
    news->rebound = true;
    return ag_prepared_draw_bind(drawer, context, &drawer->kept->prepared, group) == AG_DONE &&
           ag_kept_stage_note(drawer, context, group);
}

/* Whether the group of a stage is one that its shader had with what is bound now. */
static bool recall(struct ag_drawer *drawer, struct ag_context *context, uint32_t group)
{
    struct ag_kept_draw *kept = drawer->kept;
    struct ag_kept_stage *stage = &kept->kept_stages[group];
    const struct ag_shader_variant *variant = variant_of(kept->prepared.pipeline, group);
    if (!variant)
        return false;
    ag_prepared_draw_let_go(&kept->prepared, group);
    if (!ag_group_recall(drawer->binder, context, group_stages[group], variant, stage->variant == variant,
                         stage->constants, &kept->prepared.groups[group]))
        return false;
    if (stage->variant == variant && stage->moves_simply && (!variant->pack || variant->pack->epoch))
        return true;
    stage->variant = variant;
    stage->count = variant->recipe->constants_count;
    stage->has_buffers = false;
    stage->moves_simply = true;
    for (uint32_t i = 0; i < stage->count; i++)
        stage->moves_simply &= !ag_is_constant_pack(stage->constants[i].binding) || variant->pack->epoch;
    return true;
}

/* Uploads the packed constant buffers, if one of them changed, and moves their dynamic offset. */
static bool move_pack(struct ag_drawer *drawer, struct ag_context *context, uint32_t group, uint8_t number,
                      struct ag_kept_news *news)
{
    const struct ag_shader_variant *variant = drawer->kept->kept_stages[group].variant;
    struct ag_bound_group *bound = &drawer->kept->prepared.groups[group];
    struct ag_bound_range range;
    if (ag_constant_pack_bind(drawer->binder, context, group_stages[group], variant->module, variant->pack,
                              &range) != AG_DONE)
        return false;
    if (range.offset == bound->offsets[number] && range.id == bound->buffers[number])
        return true;
    news->groups |= 1u << group;
    bound->offsets[number] = (uint32_t)range.offset;
    return range.id == bound->buffers[number] || rebind(drawer, context, group, news);
}

/* Brings the source of some constants up to date. *same: they have the contents that the group has. */
static enum ag_outcome find_constants(struct ag_drawer *drawer, struct ag_context *context, uint32_t group,
                                      struct ag_group_constants *constants, bool *same)
{
    const enum agpu_stage stage = group_stages[group];
    const struct ag_buffer_slot *slot = &context->stages[stage].cbuffers[constants->binding->slot];
    struct ag_constant_source *known = &constants->source;
    struct ag_constant_source source;
    *same = false;
    if (ag_constants_are_in(slot, known)) {
        *same = known->version == known->buffer->version;
        known->version = known->buffer->version;
        return AG_DONE;
    }
    const enum ag_outcome outcome =
        ag_constants_find(drawer->binder, context, stage, constants->binding, &source);
    if (outcome != AG_DONE)
        return outcome;
    *same = ag_constants_same(&source, known);
    if (source.bound != known->bound) /* the group has to be made anew */
        source.bytes = NULL;
    *known = source;
    return AG_DONE;
}

/* Uploads the constant buffers that changed and moves the group's dynamic offsets. The group is bound anew
 * when the offset is not all that changes. */
static bool move_constants(struct ag_drawer *drawer, struct ag_context *context, uint32_t group,
                           struct ag_kept_news *news)
{
    struct ag_kept_stage *stage = &drawer->kept->kept_stages[group];
    struct ag_bound_group *bound = &drawer->kept->prepared.groups[group];
    for (uint32_t i = 0; i < stage->count; i++) {
        struct ag_group_constants *constants = &stage->constants[i];
        const uint8_t offset = constants->offset;
        bool same;
        if (ag_is_constant_pack(constants->binding)) {
            if (!move_pack(drawer, context, group, offset, news))
                return false;
            continue;
        }
        if (find_constants(drawer, context, group, constants, &same) != AG_DONE)
            return false;
        if (same)
            continue;
        news->groups |= 1u << group;
        if (!constants->source.bytes || offset == UINT8_MAX)
            return rebind(drawer, context, group, news);
        const struct ag_bound_range *range =
            ag_constants_upload(drawer->binder, constants->binding, &constants->source);
        if (!range)
            return false;
        if (range->id != bound->buffers[offset])
            return rebind(drawer, context, group, news);
        bound->offsets[offset] = (uint32_t)range->offset;
    }
    return true;
}

bool ag_kept_constants_follow(struct ag_drawer *drawer, uint32_t group)
{
    struct ag_kept_draw *kept = drawer->kept;
    struct ag_kept_stage *stage = &kept->kept_stages[group];
    struct ag_bound_group *bound = &kept->prepared.groups[group];
    const struct ag_buffer_slot *slots = kept->context->stages[group_stages[group]].cbuffers;
    const struct ag_group_constants *end = stage->constants + stage->count;
    bool moved = false;
    for (struct ag_group_constants *constants = stage->constants; constants < end; constants++) {
        struct ag_constant_source *source = &constants->source;
        const struct ag_bound_range *range;
        if (ag_is_constant_pack(constants->binding)) {
            range = ag_constant_pack_follow(drawer->binder, stage->variant->pack);
        } else {
            if (!source->buffer || source->version == source->buffer->version)
                continue;
            if (!ag_constants_are_in(&slots[constants->binding->slot], source))
                return false;
            source->version = source->buffer->version;
            range = ag_constants_upload(drawer->binder, constants->binding, source);
        }
        const uint8_t number = constants->offset;
        if (!range || range->id != bound->buffers[number])
            return false;
        moved |= bound->offsets[number] != (uint32_t)range->offset;
        bound->offsets[number] = (uint32_t)range->offset;
    }
    if (moved && !ag_kept_draw_is_in_pass(drawer->kept,
                                          drawer->recorder)) /* what was prepared before has ended the pass */
        return false;
    if (moved)
        ag_draw_set_group(drawer, group, bound);
    return true;
}

void ag_kept_group_recall(struct ag_drawer *drawer, struct ag_context *context, uint32_t group,
                          struct ag_kept_news *news)
{
    struct ag_kept_draw *kept = drawer->kept;
    const struct ag_shader_variant *variant = kept->kept_stages[group].variant;
    const uint32_t stage = UINT32_C(1) << group_stages[group];
    if (!(kept->stages & stage) || !variant || !ag_group_decides_variant(drawer->binder, variant))
        return;
    if (kept->changed & (BIT(SHADER_RESOURCES) | BIT(SAMPLERS))) {
        if (!recall(drawer, context, group))
            return;
        news->groups |= 1u << group;
        news->recalled |= 1u << group;
    }
    news->stages &= ~stage;
}

bool ag_kept_group_refresh(struct ag_drawer *drawer, struct ag_context *context, uint32_t group,
                           struct ag_kept_news *news)
{
    struct ag_kept_draw *kept = drawer->kept;
    const struct ag_kept_stage *stage = &kept->kept_stages[group];
    const bool staged = (kept->stages >> group_stages[group] & 1) != 0;
    if (stage->variant != variant_of(kept->prepared.pipeline, group) ||
        (staged && (kept->changed & (BIT(SHADER_RESOURCES) | BIT(SAMPLERS)))) ||
        (stage->has_buffers && (kept->changed & AG_CHANGES_CONTENTS))) {
        news->groups |= 1u << group;
        if (stage->variant == variant_of(kept->prepared.pipeline, group) && (news->recalled >> group & 1))
            return true;
        return recall(drawer, context, group) || rebind(drawer, context, group, news);
    }
    if (stage->moves_simply && !(kept->changed & (BIT(CONSTANT_BUFFERS) | BIT(CONSTANTS))) &&
        !(news->groups >> group & 1))
        return ag_kept_constants_follow(drawer, group);
    if ((staged && (kept->changed & BIT(CONSTANT_BUFFERS))) ||
        (kept->changed & (BIT(CONSTANTS) | AG_CHANGES_CONTENTS)))
        return move_constants(drawer, context, group, news);
    return true;
}

/* Whether a stage's group can be followed: whether other textures and samplers, if there are any, leave the
 * shader's variant as it is. */
static bool can_follow(const struct ag_drawer *drawer, uint32_t group, bool is_bound_anew)
{
    const struct ag_kept_stage *stage = &drawer->kept->kept_stages[group];
    return stage->moves_simply && !stage->has_buffers &&
           (!is_bound_anew || (stage->variant && ag_group_decides_variant(drawer->binder, stage->variant)));
}

bool ag_kept_bindings_follow(struct ag_drawer *drawer, struct ag_context *context, uint32_t bound)
{
    struct ag_kept_draw *kept = drawer->kept;
    uint32_t recalled = 0;
    for (uint32_t group = 0; group < AG_KEPT_GROUPS; group++)
        if (!can_follow(drawer, group, (bound >> group_stages[group] & 1) != 0))
            return false;
    for (uint32_t group = 0; bound && group < AG_KEPT_GROUPS; group++) {
        if (!(bound >> group_stages[group] & 1))
            continue;
        if (!recall(drawer, context, group)) /* refresh() makes the group */
            return false;
        recalled |= 1u << group;
    }
    if (recalled &&
        !ag_kept_draw_is_in_pass(drawer->kept, drawer->recorder)) /* a texture was a target of the pass */
        return false;
    for (uint32_t group = 0; group < AG_KEPT_GROUPS; group++) {
        if (recalled >> group & 1)
            ag_draw_change_group(drawer, group, &kept->prepared.groups[group]);
        if ((recalled >> group & 1) || !kept->kept_stages[group].count ||
            ag_kept_constants_follow(drawer, group))
            continue;
        kept->is_kept = false; /* what was moved is not set */
        return false;
    }
    return true;
}
