/* SPDX-License-Identifier: MIT */
#include "exec/expand_pool.h"

#include <inttypes.h>

#include "exec/exec.h"

#define LEAST_BYTES 1024
#define MOST_SHARING_BYTES (UINT64_C(512) << 10) /* of a draw in a set behind the first */

static uint64_t round_up(uint64_t bytes, uint64_t most)
{
    uint64_t size = LEAST_BYTES;
    while (size < bytes)
        size *= 2;
    return size < most ? size : most;
}

static bool grow(struct agpu_exec *exec, enum agpu_expand_buffer buffer, uint64_t bytes)
{
    struct agpu_expand_pool *pool = &exec->expand_pool;
    const WGPULimits *limits = &exec->limits;
    uint64_t most = limits->maxStorageBufferBindingSize < limits->maxBufferSize
                        ? limits->maxStorageBufferBindingSize
                        : limits->maxBufferSize;
    uint64_t size = round_up(bytes, most & ~UINT64_C(3));
    if (pool->sets[pool->set][buffer].gpu && pool->sets[pool->set][buffer].size >= bytes)
        return true;
    WGPUBuffer gpu = agpu_exec_create_buffer(
        exec, size, WGPUBufferUsage_Storage | WGPUBufferUsage_Indirect | WGPUBufferUsage_CopySrc);
    if (!gpu) {
        agpu_exec_report(exec, AGPU_DIAG_GPU_OUT_OF_MEMORY, AGPU_ERROR,
                         "no %" PRIu64 " bytes for the primitives of a draw", size);
        return false;
    }
    if (pool->sets[pool->set][buffer].gpu) {
        agpu_bind_forget(exec, pool->sets[pool->set][buffer].id);
        agpu_load_add_bytes(exec, pool->sets[pool->set][buffer].size);
        wgpuBufferRelease(pool->sets[pool->set][buffer].gpu); /* commands that use it keep it */
    }
    pool->sets[pool->set][buffer].gpu = gpu;
    pool->sets[pool->set][buffer].size = size;
    pool->sets[pool->set][buffer].id = agpu_exec_id(exec);
    return true;
}

static void make_kernels(struct agpu_exec *exec)
{
    struct agpu_expand_pool *pool = &exec->expand_pool;
    if (pool->has_kernels)
        return;
    agpu_assembly_kernels_init(&pool->assembly, exec->gpu);
    agpu_emission_kernels_init(&pool->emission, exec->gpu);
    agpu_list_kernels_init(&pool->lists, exec->gpu);
    pool->assembly.kernel.groups = pool->emission.kernel.groups = pool->lists.kernel.groups =
        agpu_bind_kernel_groups(exec);
    pool->has_kernels = true;
}

const struct agpu_assembly_kernels *agpu_expand_pool_assembly(struct agpu_exec *exec)
{
    make_kernels(exec);
    return &exec->expand_pool.assembly;
}

static void choose_set(struct agpu_exec *exec, const struct agpu_expand_plan *plan, bool alone)
{
    struct agpu_expand_pool *pool = &exec->expand_pool;
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < AGPU_EXPAND_BUFFER_COUNT; i++)
        bytes += plan->bytes[i];
    if (exec->pass.encoder && !alone && bytes <= MOST_SHARING_BYTES && pool->set + 1 < AGPU_EXPAND_SETS) {
        pool->set++;
        return;
    }
    agpu_pass_end(exec);
    pool->set = 0;
}

bool agpu_expand_pool_reserve(struct agpu_exec *exec, const struct agpu_expand_plan *plan, bool tessellates,
                              bool alone)
{
    struct agpu_expand_pool *pool = &exec->expand_pool;
    make_kernels(exec);
    choose_set(exec, plan, alone);
    if (tessellates && !pool->has_tessellator) {
        agpu_tessellator_init(&pool->tessellator, exec->gpu);
        pool->tessellator.kernel.groups = agpu_bind_kernel_groups(exec);
        pool->has_tessellator = true;
    }
    for (uint32_t i = 0; i < AGPU_EXPAND_BUFFER_COUNT; i++)
        if (!grow(exec, (enum agpu_expand_buffer)i, plan->bytes[i]))
            return false;
    return true;
}

void agpu_expand_pool_fini(struct agpu_exec *exec)
{
    struct agpu_expand_pool *pool = &exec->expand_pool;
    for (uint32_t set = 0; set < AGPU_EXPAND_SETS; set++)
        for (uint32_t i = 0; i < AGPU_EXPAND_BUFFER_COUNT; i++)
            if (pool->sets[set][i].gpu)
                wgpuBufferRelease(pool->sets[set][i].gpu);
    agpu_assembly_kernels_fini(&pool->assembly);
    agpu_emission_kernels_fini(&pool->emission);
    agpu_list_kernels_fini(&pool->lists);
    agpu_tessellator_fini(&pool->tessellator);
    *pool = (struct agpu_expand_pool){0};
}

struct agpu_buffer_range agpu_expand_pool_range(const struct agpu_exec *exec, enum agpu_expand_buffer buffer)
{
    const struct agpu_expand_pool *pool = &exec->expand_pool;
    return (struct agpu_buffer_range){
        .buffer = pool->sets[pool->set][buffer].gpu,
        .size = pool->sets[pool->set][buffer].size,
        .id = pool->sets[pool->set][buffer].id,
    };
}

struct agpu_bind_item agpu_expand_pool_item(const struct agpu_exec *exec, enum agpu_expand_buffer buffer)
{
    const struct agpu_expand_pool *pool = &exec->expand_pool;
    return (struct agpu_bind_item){
        .id = pool->sets[pool->set][buffer].id,
        .buffer = pool->sets[pool->set][buffer].gpu,
        .size = pool->sets[pool->set][buffer].size,
    };
}
