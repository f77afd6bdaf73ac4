/* SPDX-License-Identifier: MIT */
#include "exec/bind/uav_arena.h"

#include "aerogpu/diag.h"
#include "aerogpu/translate.h"
#include "exec/bind/binder.h"
#include "exec/bind/overflow_choice.h"
#include "exec/host/host.h"
#include "exec/host/outcome.h"
#include "exec/host/report.h"
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

enum ag_outcome ag_uav_arena_load(struct ag_binder *binder, const struct agpu_module *const *modules,
                                  uint32_t count)
{
    uint32_t writers = 0;
    for (uint32_t i = 0; i < count; i++)
        writers += ag_uav_arena_needed(modules[i]);
    if (writers > 1)
        return ag_host_skip_refused(binder->host, AGPU_DIAG_GPU_LIMIT,
                                    "two stages have more unordered access views than the device binds");
    if (writers)
        copy_uavs(binder, false);
    return AG_DONE;
}

void ag_uav_arena_store(struct ag_binder *binder, const struct agpu_module *const *modules, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (ag_uav_arena_needed(modules[i]))
            copy_uavs(binder, true);
}

void ag_uav_arena_fini(struct ag_uav_arena *arena)
{
    if (arena->gpu)
        wgpuBufferRelease(arena->gpu);
    *arena = (struct ag_uav_arena){0};
}
