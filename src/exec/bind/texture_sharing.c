/* SPDX-License-Identifier: MIT */
#include "exec/bind/texture_sharing.h"

#include <stdlib.h>
#include <string.h>

#include "exec/bind/binder.h"
#include "exec/bind/context.h"
#include "exec/bind/shader.h"
#include "exec/bind/texture_array.h"
#include "exec/bind/texture_binding.h"
#include "exec/host/host.h"
#include "exec/object/texture.h"
#include "exec/object/view.h"
#include "format/format.h"
#include "gpu/gpu.h"

/* What a slot may share: textures of one kind fit into one array. Zeroed before it is filled, so that bytes
 * can be compared. */
struct slot_kind {
    struct ag_texture_class class; /* zero when nothing is bound */
    uint32_t type;                 /* what the shader reads: AG_TEXTURE_CLASS */
};

struct slot {
    uint8_t number;
    bool may_share, empty, unfilterable;
    struct slot_kind kind;
};

struct slots {
    struct slot all[AG_MAX_TEXTURES];
    uint32_t count;
};

/* SwiftShader decodes blocks for draws alone (blit/decoded_blocks.h), and copies of blocks were never drawn.
 */
static bool may_share(const struct ag_binder *binder, enum agpu_stage stage,
                      const struct ag_texture_view *view)
{
    return view->format->block_height == 1 || stage == AGPU_STAGE_PIXEL ||
           ag_gpu_driver(binder->host->gpu) != AGPU_DRIVER_SWIFTSHADER;
}

static void find_slots(struct ag_binder *binder, const struct ag_context *context, enum agpu_stage stage,
                       const struct ag_shader_program *program, const uint8_t *facts, struct slots *slots)
{
    memset(slots, 0, sizeof *slots);
    for (uint32_t i = 0; i < program->texture_count; i++) {
        const struct ag_declared_texture *declared = &program->textures[i];
        struct slot *slot = &slots->all[slots->count++];
        const struct ag_texture_view *view =
            ag_texture_of_slot(binder, &context->stages[stage].resources[declared->slot]);
        const uint8_t class = facts[declared->slot] & AG_TEXTURE_CLASS;
        slot->number = declared->slot;
        slot->empty = !view;
        slot->unfilterable = view && !ag_texture_filters(binder->host, view->format);
        slot->kind.type = class ? class : declared->class;
        slot->may_share =
            declared->is_plain && !declared->compared &&
            (!view || (may_share(binder, stage, view) && ag_texture_class_of(view, &slot->kind.class)));
    }
}

/* Whether each array would have textures of one kind, apart from empty slots. */
static bool fits(const struct ag_texture_sharing *sharing, const struct slots *slots)
{
    const struct slot *first[AG_TEXTURE_ARRAYS + 1] = {NULL};
    for (uint32_t i = 0; i < slots->count; i++) {
        const struct slot *slot = &slots->all[i];
        const uint32_t array = sharing->arrays[slot->number];
        if (!array)
            continue;
        if (!slot->may_share)
            return false;
        const struct slot *other = first[array];
        if (!other || (other->empty && other->kind.type == slot->kind.type)) {
            first[array] = slot;
            continue;
        }
        if (slot->empty ? slot->kind.type != other->kind.type
                        : memcmp(&slot->kind, &other->kind, sizeof slot->kind) != 0)
            return false;
    }
    return true;
}

/* The kind that most slots without an array have; *count is how many. */
static const struct slot_kind *find_largest(const struct slots *slots,
                                            const struct ag_texture_sharing *sharing, uint32_t *count)
{
    const struct slot_kind *largest = NULL;
    *count = 1;
    for (uint32_t i = 0; i < slots->count; i++) {
        const struct slot *slot = &slots->all[i];
        uint32_t same = 0;
        if (!slot->may_share || sharing->arrays[slot->number])
            continue;
        for (uint32_t j = i; j < slots->count; j++)
            same += slots->all[j].may_share && !sharing->arrays[slots->all[j].number] &&
                    memcmp(&slots->all[j].kind, &slot->kind, sizeof slot->kind) == 0;
        if (same > *count) {
            largest = &slot->kind;
            *count = same;
        }
    }
    return largest;
}

/* Makes arrays of the largest kinds until the rest fits, each of the last slots and no more than needed. */
static void make_sharing(const struct slots *slots, uint32_t bindings, uint32_t limit,
                         struct ag_texture_sharing *sharing)
{
    memset(sharing, 0, sizeof *sharing);
    for (uint8_t array = 1; array <= AG_TEXTURE_ARRAYS && bindings > limit; array++) {
        uint32_t count;
        const struct slot_kind *kind = find_largest(slots, sharing, &count);
        if (!kind)
            break;
        const uint32_t members = count < bindings - limit + 1 ? count : bindings - limit + 1;
        uint32_t left = members;
        for (uint32_t i = slots->count; i-- > 0 && left;)
            if (slots->all[i].may_share && !sharing->arrays[slots->all[i].number] &&
                memcmp(&slots->all[i].kind, kind, sizeof *kind) == 0) {
                sharing->arrays[slots->all[i].number] = array;
                left--;
            }
        bindings -= members - 1;
    }
    sharing->excess = bindings > limit ? bindings - limit : 0;
}

static const struct ag_texture_sharing *find_sharing(struct ag_shader_program *program,
                                                     const struct slots *slots, uint32_t limit)
{
    struct ag_texture_sharing made;
    const struct ag_texture_sharing *best = NULL;
    for (uint32_t i = 0; i < program->sharing_count; i++)
        if ((!best || program->sharings[i].excess < best->excess) && fits(&program->sharings[i], slots))
            best = &program->sharings[i];
    if ((best && !best->excess) || program->sharing_count == AG_MAX_SHARINGS)
        return best;
    make_sharing(slots, program->texture_bindings, limit, &made);
    if (best && best->excess <= made.excess)
        return best;
    if (!program->sharings)
        program->sharings = calloc(AG_MAX_SHARINGS, sizeof *program->sharings);
    if (!program->sharings)
        return best;
    program->sharings[program->sharing_count] = made;
    return &program->sharings[program->sharing_count++];
}

/* Empty slots are filtered, or not, as the textures of their array are, of which the shader may only load. */
static void add_facts(const struct ag_shader_program *program, const struct slots *slots,
                      const struct ag_texture_sharing *sharing, uint8_t facts[AG_MAX_TEXTURES])
{
    uint32_t unfilterable = 0;
    for (uint32_t i = 0; i < slots->count; i++)
        if (slots->all[i].unfilterable)
            unfilterable |= 1u << sharing->arrays[slots->all[i].number];
    for (uint32_t i = 0; i < slots->count; i++) {
        const uint32_t number = slots->all[i].number, array = sharing->arrays[number];
        if (!array)
            continue;
        facts[number] |= (uint8_t)(array << AG_TEXTURE_ARRAY_SHIFT);
        if (unfilterable >> array & 1 && program->textures[i].sampled)
            facts[number] |= AG_TEXTURE_UNFILTERABLE;
    }
}

void ag_textures_share(struct ag_binder *binder, const struct ag_context *context, enum agpu_stage stage,
                       struct ag_shader_program *program, uint8_t facts[AG_MAX_TEXTURES])
{
    const uint32_t limit = binder->host->limits.maxSampledTexturesPerShaderStage;
    struct slots slots;
    if (program->texture_bindings <= limit)
        return;
    find_slots(binder, context, stage, program, facts, &slots);
    const struct ag_texture_sharing *sharing = find_sharing(program, &slots, limit);
    if (sharing)
        add_facts(program, &slots, sharing, facts);
}
