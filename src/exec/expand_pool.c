/* SPDX-License-Identifier: MIT */
#include "exec/expand_pool.h"

#include <inttypes.h>

#include "exec/exec.h"
#include "wgsl/expansion.h"

#define LEAST_BYTES 1024
#define MOST_SHARING_BYTES (UINT64_C(512) << 10) /* of a draw in a set behind the first */

static uint64_t round_up(uint64_t bytes, uint64_t most)
{
    uint64_t size = LEAST_BYTES;
    while (size < bytes)
        size *= 2;
    return size < most ? size : most;
}

static bool grow(struct ag_exec *exec, enum ag_expand_buffer buffer, uint64_t bytes)
{
    struct ag_expand_pool *pool = &exec->expand_pool;
    const WGPULimits *limits = &exec->limits;
    uint64_t most = limits->maxStorageBufferBindingSize < limits->maxBufferSize
                        ? limits->maxStorageBufferBindingSize
                        : limits->maxBufferSize;
    uint64_t size = round_up(bytes, most & ~UINT64_C(3));
    if (pool->sets[pool->set][buffer].gpu && pool->sets[pool->set][buffer].size >= bytes)
        return true;
    WGPUBuffer gpu = ag_exec_create_buffer(
        exec, size, WGPUBufferUsage_Storage | WGPUBufferUsage_Indirect | WGPUBufferUsage_CopySrc);
    if (!gpu) {
        ag_exec_report(exec, AGPU_DIAG_GPU_OUT_OF_MEMORY, AGPU_ERROR,
                       "no %" PRIu64 " bytes for the primitives of a draw", size);
        return false;
    }
    if (pool->sets[pool->set][buffer].gpu) {
        ag_bind_forget(exec, pool->sets[pool->set][buffer].id);
        ag_load_add_bytes(exec, pool->sets[pool->set][buffer].size);
        wgpuBufferRelease(pool->sets[pool->set][buffer].gpu); /* commands that use it keep it */
    }
    pool->sets[pool->set][buffer].gpu = gpu;
    pool->sets[pool->set][buffer].size = size;
    pool->sets[pool->set][buffer].id = ag_exec_id(exec);
    return true;
}

static void make_kernels(struct ag_exec *exec)
{
    struct ag_expand_pool *pool = &exec->expand_pool;
    if (pool->has_kernels)
        return;
    ag_assembly_kernels_init(&pool->assembly, exec->gpu);
    ag_emission_kernels_init(&pool->emission, exec->gpu);
    ag_list_kernels_init(&pool->lists, exec->gpu);
    pool->assembly.kernel.groups = pool->emission.kernel.groups = pool->lists.kernel.groups =
        ag_bind_kernel_groups(exec);
    pool->has_kernels = true;
}

const struct ag_assembly_kernels *ag_expand_pool_assembly(struct ag_exec *exec)
{
    make_kernels(exec);
    return &exec->expand_pool.assembly;
}

static void choose_set(struct ag_exec *exec, const struct ag_expand_plan *plan, bool alone)
{
    struct ag_expand_pool *pool = &exec->expand_pool;
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < AG_EXPAND_BUFFER_COUNT; i++)
        bytes += plan->bytes[i];
    if (exec->pass.encoder && !alone && bytes <= MOST_SHARING_BYTES && pool->set + 1 < AG_EXPAND_SETS) {
        pool->set++;
        return;
    }
    ag_pass_end(exec);
    pool->set = 0;
}

bool ag_expand_pool_reserve(struct ag_exec *exec, const struct ag_expand_plan *plan, bool tessellates,
                            bool alone)
{
    struct ag_expand_pool *pool = &exec->expand_pool;
    make_kernels(exec);
    choose_set(exec, plan, alone);
    if (tessellates && !pool->has_tessellator) {
        ag_tessellator_init(&pool->tessellator, exec->gpu);
        pool->tessellator.kernel.groups = ag_bind_kernel_groups(exec);
        pool->has_tessellator = true;
    }
    for (uint32_t i = 0; i < AG_EXPAND_BUFFER_COUNT; i++)
        if (!grow(exec, (enum ag_expand_buffer)i, plan->bytes[i]))
            return false;
    return true;
}

void ag_expand_pool_fini(struct ag_exec *exec)
{
    struct ag_expand_pool *pool = &exec->expand_pool;
    for (uint32_t set = 0; set < AG_EXPAND_SETS; set++)
        for (uint32_t i = 0; i < AG_EXPAND_BUFFER_COUNT; i++)
            if (pool->sets[set][i].gpu)
                wgpuBufferRelease(pool->sets[set][i].gpu);
    ag_assembly_kernels_fini(&pool->assembly);
    ag_emission_kernels_fini(&pool->emission);
    ag_list_kernels_fini(&pool->lists);
    ag_tessellator_fini(&pool->tessellator);
    *pool = (struct ag_expand_pool){0};
}

struct ag_buffer_range ag_expand_pool_range(const struct ag_exec *exec, enum ag_expand_buffer buffer)
{
    const struct ag_expand_pool *pool = &exec->expand_pool;
    return (struct ag_buffer_range){
        .buffer = pool->sets[pool->set][buffer].gpu,
        .size = pool->sets[pool->set][buffer].size,
        .id = pool->sets[pool->set][buffer].id,
    };
}

struct ag_bind_item ag_expand_pool_item(const struct ag_exec *exec, enum ag_expand_buffer buffer)
{
    const struct ag_expand_pool *pool = &exec->expand_pool;
    return (struct ag_bind_item){
        .id = pool->sets[pool->set][buffer].id,
        .buffer = pool->sets[pool->set][buffer].gpu,
        .size = pool->sets[pool->set][buffer].size,
    };
}
