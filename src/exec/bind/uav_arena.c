/* SPDX-License-Identifier: MIT */
#include "exec/bind/uav_arena.h"

#include "aerogpu/diag.h"
#include "aerogpu/translate.h"
#include "base/bytes.h"
#include "exec/bind/binder.h"
#include "exec/bind/context.h"
#include "exec/bind/overflow_choice.h"
#include "exec/bind/shader.h"
#include "exec/bind/uav.h"
#include "exec/blit/texels.h"
#include "exec/host/host.h"
#include "exec/host/outcome.h"
#include "exec/host/report.h"
#include "exec/object/buffer.h"
#include "exec/object/view.h"
#include "exec/record/bind_group.h"
#include "exec/record/encoder.h"
#include "gpu/webgpu.h"
#include "wgsl/binding.h"

bool ag_uav_arena_needed(const struct agpu_module *module)
{
    for (uint32_t i = 0; i < module->binding_count; i++)
        if (module->bindings[i].binding == AG_BINDING_UAV_ARENA && ag_overflow_owns(&module->bindings[i]))
            return true;
    return false;
}

void ag_uav_arena_begin(struct ag_binder *binder)
{
    binder->uav_arena.count = 0;
    binder->uav_arena.filled = AG_UAV_PART_ALIGNMENT;
}

static uint64_t slot_bytes(const struct ag_buffer_slot *slot)
{
    if (slot->bound && ag_texels_needed(slot->bound)) {
        const WGPUExtent3D extent = ag_texels_extent(slot->bound);
        return (uint64_t)extent.width * extent.height * extent.depthOrArrayLayers * 16;
    }
    return slot->buffer ? slot->buffer->size : 0;
}

uint64_t ag_uav_arena_bound(const struct ag_binder *binder, const struct ag_context *context,
                            enum agpu_stage stage)
{
    const struct ag_buffer_slot *slots = context->stages[ag_uav_stage(stage)].uavs;
    uint64_t used = 0, bytes = AG_UAV_PART_ALIGNMENT;
    for (uint32_t i = 0; i < AGPU_STAGE_COUNT; i++) {
        const struct ag_shader_program *program = ag_shader_at(binder, context, (enum agpu_stage)i);
        if (program && (i == AGPU_STAGE_COMPUTE) == (stage == AGPU_STAGE_COMPUTE))
            used |= program->uav_slots;
    }
    for (uint32_t i = 0; i < AG_UAV_SLOTS; i++)
        if (used >> i & 1)
            bytes += ag_align_up(slot_bytes(&slots[i]), AG_UAV_PART_ALIGNMENT);
    return bytes;
}

static void copy_uavs(struct ag_binder *binder, bool back)
{
    const struct ag_uav_arena *arena = &binder->uav_arena;
    for (uint32_t i = 0; i < arena->count; i++) {
        WGPUCommandEncoder encoder = ag_recorder_encoder(binder->recorder);
        if (back)
            wgpuCommandEncoderCopyBufferToBuffer(encoder, arena->gpu, arena->parts[i].first,
                                                 arena->parts[i].gpu, arena->parts[i].offset,
                                                 arena->parts[i].bytes);
        else
            wgpuCommandEncoderCopyBufferToBuffer(encoder, arena->parts[i].gpu, arena->parts[i].offset,
                                                 arena->gpu, arena->parts[i].first, arena->parts[i].bytes);
        binder->host->counts.arena_bytes += arena->parts[i].bytes;
    }
}

static bool is_part(const struct ag_uav_arena *arena, uint64_t id)
{
    for (uint32_t i = 0; i < arena->count; i++)
        if (arena->parts[i].id == id)
            return true;
    return false;
}

/* Whether the module has a binding of what is in the arena for another module. */
static bool binds_part(const struct ag_binder *binder, const struct ag_context *context,
                       enum agpu_stage stage, const struct agpu_module *module)
{
    for (uint32_t i = 0; i < module->binding_count; i++) {
        const struct agpu_binding *binding = &module->bindings[i];
        if (binding->space != AGPU_SPACE_UAV)
            continue;
        const struct ag_buffer_slot *slot = &context->stages[stage].uavs[binding->slot];
        if ((slot->buffer && is_part(&binder->uav_arena, slot->buffer->id)) ||
            (slot->bound && ag_texels_needed(slot->bound) &&
             is_part(&binder->uav_arena, slot->bound->texels.id)))
            return true;
    }
    return false;
}

enum ag_outcome ag_uav_arena_load(struct ag_binder *binder, const struct ag_context *context,
                                  enum agpu_stage stage, const struct agpu_module *const *modules,
                                  uint32_t count)
{
    bool mixed = false;
    if (!binder->uav_arena.count)
        return AG_DONE;
    for (uint32_t i = 0; count > 1 && i < count; i++)
        mixed |= binds_part(binder, context, stage, modules[i]);
    if (mixed)
        return ag_host_skip_refused(binder->host, AGPU_DIAG_GPU_LIMIT,
                                    "two stages store to a view, which has a binding in one of them alone");
    copy_uavs(binder, false);
    return AG_DONE;
}

void ag_uav_arena_store(struct ag_binder *binder)
{
    copy_uavs(binder, true);
}

void ag_uav_arena_fini(struct ag_binder *binder)
{
    struct ag_uav_arena *arena = &binder->uav_arena;
    if (arena->gpu) {
        ag_bind_groups_forget(binder->recorder, arena->id);
        wgpuBufferRelease(arena->gpu);
    }
    *arena = (struct ag_uav_arena){0};
}
