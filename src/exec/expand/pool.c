/* SPDX-License-Identifier: MIT */
#include "exec/expand/pool.h"

#include <inttypes.h>

#include "aerogpu/diag.h"
#include "base/bytes.h"
#include "exec/expand/expander.h"
#include "exec/host/host.h"
#include "exec/host/outcome.h"
#include "exec/host/report.h"
#include "exec/record/bind_group.h"
#include "exec/record/pass.h"
#include "exec/record/recorder.h"
#include "exec/record/throttle.h"
#include "gpu/webgpu.h"
#include "kernel/emission.h"
#include "kernel/kernel.h"
#include "kernel/lists.h"
#include "kernel/pieces.h"
#include "kernel/plan.h"
#include "kernel/tessellator.h"

#define LEAST_BYTES 1024
/* Smaller buffers double when they grow; larger ones have an eighth at most that no draw asked for. */
#define MOST_DOUBLED_BYTES (UINT64_C(1) << 20)
/* The most bytes of the first set, where one draw does not need more: what a draw may ask for, and that
 * eighth. Draws of different shapes need different buffers, which together would be several times as much. */
#define MOST_KEPT_BYTES (2 * AG_TESSELLATION_BUDGET / 8 * 9)
/* The most bytes of a draw that shares a render pass: each set has half as many as the set before, or
 * LEAST_BYTES. Both are less where less may be in flight. */
#define MOST_SHARING_BYTES (UINT64_C(64) << 20)
#define LEAST_SHARING_BYTES (UINT64_C(4) << 20)
#define SHARING_PARTS 8 /* of what may be in flight */

static const char *const labels[AG_EXPAND_BUFFER_COUNT] = {
    [AG_EXPAND_BUFFER_RUNS] = "runs of indices",
    [AG_EXPAND_BUFFER_VERTICES] = "vertices",
    [AG_EXPAND_BUFFER_PRIMITIVES] = "primitives",
    [AG_EXPAND_BUFFER_INPUTS] = "vertex inputs",
    [AG_EXPAND_BUFFER_VERTEX_RECORDS] = "vertex records",
    [AG_EXPAND_BUFFER_CONTROL_POINTS] = "control points",
    [AG_EXPAND_BUFFER_PATCHES] = "patches",
    [AG_EXPAND_BUFFER_FACTORS] = "tessellation factors",
    [AG_EXPAND_BUFFER_STARTS] = "starts of patches",
    [AG_EXPAND_BUFFER_POINTS] = "tessellated points",
    [AG_EXPAND_BUFFER_TESSELLATED] = "tessellated primitives",
    [AG_EXPAND_BUFFER_DOMAIN_RECORDS] = "domain records",
    [AG_EXPAND_BUFFER_GEOMETRY_INPUTS] = "geometry inputs",
    [AG_EXPAND_BUFFER_GEOMETRY_RECORDS] = "geometry records",
    [AG_EXPAND_BUFFER_EMITS] = "emits",
    [AG_EXPAND_BUFFER_COUNTS] = "counts of primitives",
    [AG_EXPAND_BUFFER_EMITTED] = "emitted primitives",
    [AG_EXPAND_BUFFER_ARGUMENTS] = "arguments of a draw",
};

/* The size of a buffer for so many bytes. */
static uint64_t size_for(const struct ag_expander *expander, uint64_t bytes)
{
    const WGPULimits *limits = &expander->host->limits;
    const uint64_t binding = limits->maxStorageBufferBindingSize;
    const uint64_t most = (binding < limits->maxBufferSize ? binding : limits->maxBufferSize) & ~UINT64_C(3);
    uint64_t size = LEAST_BYTES;
    while (size < bytes)
        size *= 2;
    if (size > MOST_DOUBLED_BYTES)
        size = ag_align_up(bytes, size / 16);
    return size < most ? size : most;
}

static void drop(struct ag_expander *expander, uint32_t set, enum ag_expand_buffer buffer)
{
    struct ag_expand_pool *pool = &expander->expand_pool;
    if (!pool->sets[set][buffer].gpu)
        return;
    ag_bind_groups_forget(expander->recorder, pool->sets[set][buffer].id);
    ag_throttle_add_bytes(expander->recorder, pool->sets[set][buffer].size);
    wgpuBufferRelease(pool->sets[set][buffer].gpu); /* recorded commands have their own reference */
    if (set > 0)
        pool->shared_bytes -= pool->sets[set][buffer].size;
    pool->sets[set][buffer].gpu = NULL;
    pool->sets[set][buffer].size = 0;
}

/* Whether the sets of draws that share passes have as much as may be in flight. */
static bool is_full(const struct ag_expander *expander)
{
    return expander->expand_pool.shared_bytes >= expander->recorder->throttle.most_in_flight.bytes;
}

/* Lets go of all sets but the first, which is as large as one draw needs. No open pass may read them. */
static void drop_shared(struct ag_expander *expander)
{
    for (uint32_t set = 1; set < AG_EXPAND_SETS; set++)
        for (uint32_t i = 0; i < AG_EXPAND_BUFFER_COUNT; i++)
            drop(expander, set, (enum ag_expand_buffer)i);
}

static bool grow(struct ag_expander *expander, enum ag_expand_buffer buffer, uint64_t bytes)
{
    struct ag_expand_pool *pool = &expander->expand_pool;
    const uint64_t size = size_for(expander, bytes);
    if (pool->sets[pool->set][buffer].gpu && pool->sets[pool->set][buffer].size >= bytes)
        return true;
    WGPUBuffer gpu = ag_host_create_buffer(expander->host, size,
                                           WGPUBufferUsage_Storage | WGPUBufferUsage_Indirect |
                                               WGPUBufferUsage_CopySrc | WGPUBufferUsage_CopyDst,
                                           labels[buffer]);
    if (!gpu) {
        ag_host_report(expander->host, AGPU_DIAG_GPU_OUT_OF_MEMORY, AGPU_ERROR,
                       "no %" PRIu64 " bytes for the primitives of a draw", size);
        return false;
    }
    drop(expander, pool->set, buffer);
    if (pool->set > 0)
        pool->shared_bytes += size;
    pool->sets[pool->set][buffer].gpu = gpu;
    pool->sets[pool->set][buffer].size = size;
    pool->sets[pool->set][buffer].id = ag_host_id(expander->host);
    return true;
}

/* Lets go of what the draw needs less of, when the first set would keep too much with it. No open pass may
 * read that set. */
static void drop_oversized(struct ag_expander *expander, const struct ag_expand_plan *plan)
{
    const struct ag_expand_pool *pool = &expander->expand_pool;
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < AG_EXPAND_BUFFER_COUNT; i++) {
        const uint64_t needed = size_for(expander, plan->bytes[i]);
        bytes += needed > pool->sets[0][i].size ? needed : pool->sets[0][i].size;
    }
    for (uint32_t i = 0; bytes > MOST_KEPT_BYTES && i < AG_EXPAND_BUFFER_COUNT; i++)
        if (pool->sets[0][i].size > size_for(expander, plan->bytes[i]))
            drop(expander, 0, (enum ag_expand_buffer)i);
}

static void make_kernels(struct ag_expander *expander)
{
    struct ag_expand_pool *pool = &expander->expand_pool;
    if (pool->has_kernels)
        return;
    ag_emission_kernels_init(&pool->emission, expander->host->gpu);
    ag_list_kernels_init(&pool->lists, expander->host->gpu);
    pool->emission.kernel.groups = pool->lists.kernel.groups = ag_bind_kernel_groups(expander->recorder);
    pool->has_kernels = true;
}

static uint64_t room_of(const struct ag_expander *expander, uint32_t set)
{
    const uint64_t most = expander->recorder->throttle.most_in_flight.bytes / SHARING_PARTS;
    const uint64_t bytes = MOST_SHARING_BYTES >> set;
    const uint64_t room = bytes > LEAST_SHARING_BYTES ? bytes : LEAST_SHARING_BYTES;
    return room < most ? room : most;
}

/* Whether a draw of so many bytes may share the open pass. */
static bool can_share(const struct ag_expander *expander, uint64_t bytes)
{
    const uint32_t next = expander->expand_pool.set + 1;
    return expander->recorder->pass.encoder && next < AG_EXPAND_SETS && bytes <= room_of(expander, next) &&
           !is_full(expander);
}

uint64_t ag_expand_pool_room(const struct ag_expander *expander, uint64_t bytes)
{
    return room_of(expander, can_share(expander, bytes) ? expander->expand_pool.set + 1 : 0);
}

static void choose_set(struct ag_expander *expander, const struct ag_expand_plan *plan, bool alone)
{
    struct ag_expand_pool *pool = &expander->expand_pool;
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < AG_EXPAND_BUFFER_COUNT; i++)
        bytes += plan->bytes[i];
    if (!alone && can_share(expander, bytes)) {
        pool->set++;
        return;
    }
    ag_pass_end(expander->recorder);
    pool->set = 0;
    drop_oversized(expander, plan);
    if (is_full(expander))
        drop_shared(expander);
}

bool ag_expand_pool_begin_tessellator(struct ag_expander *expander, enum ag_tessellator_mode mode)
{
    struct ag_expand_pool *pool = &expander->expand_pool;
    if (!pool->has_tessellator) {
        ag_tessellator_init(&pool->tessellator, expander->host->gpu);
        ag_piece_kernels_init(&pool->pieces, expander->host->gpu);
        pool->tessellator.kernel.groups = pool->pieces.kernel.groups =
            ag_bind_kernel_groups(expander->recorder);
        pool->has_tessellator = true;
    }
    if (ag_tessellator_begin(&pool->tessellator, mode) && ag_piece_kernels_begin(&pool->pieces))
        return true;
    ag_host_no_memory(expander->host);
    return false;
}

enum ag_outcome ag_expand_pool_reserve(struct ag_expander *expander, const struct ag_expand_plan *plan,
                                       bool alone)
{
    make_kernels(expander);
    choose_set(expander, plan, alone);
    for (uint32_t i = 0; i < AG_EXPAND_BUFFER_COUNT; i++)
        if (!grow(expander, (enum ag_expand_buffer)i, plan->bytes[i]))
            return AG_OUT_OF_MEMORY;
    return AG_DONE;
}

void ag_expand_pool_forget_lists(struct ag_expander *expander)
{
    struct ag_expand_pool *pool = &expander->expand_pool;
    pool->lists_of[pool->set] = (struct ag_expand_lists){0};
}

void ag_expand_pool_fini(struct ag_expander *expander)
{
    struct ag_expand_pool *pool = &expander->expand_pool;
    for (uint32_t set = 0; set < AG_EXPAND_SETS; set++)
        for (uint32_t i = 0; i < AG_EXPAND_BUFFER_COUNT; i++)
            if (pool->sets[set][i].gpu)
                wgpuBufferRelease(pool->sets[set][i].gpu);
    ag_emission_kernels_fini(&pool->emission);
    ag_list_kernels_fini(&pool->lists);
    ag_tessellator_fini(&pool->tessellator);
    ag_piece_kernels_fini(&pool->pieces);
    *pool = (struct ag_expand_pool){0};
}

struct ag_buffer_range ag_expand_pool_range(const struct ag_expander *expander, enum ag_expand_buffer buffer)
{
    const struct ag_expand_pool *pool = &expander->expand_pool;
    return (struct ag_buffer_range){
        .buffer = pool->sets[pool->set][buffer].gpu,
        .size = pool->sets[pool->set][buffer].size,
        .id = pool->sets[pool->set][buffer].id,
    };
}

struct ag_bind_item ag_expand_pool_item(const struct ag_expander *expander, enum ag_expand_buffer buffer)
{
    const struct ag_expand_pool *pool = &expander->expand_pool;
    return (struct ag_bind_item){
        .id = pool->sets[pool->set][buffer].id,
        .buffer = pool->sets[pool->set][buffer].gpu,
        .size = pool->sets[pool->set][buffer].size,
    };
}
