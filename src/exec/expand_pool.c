/* SPDX-License-Identifier: MIT */
#include "exec/expand_pool.h"

#include <inttypes.h>

#include "exec/exec.h"

#define LEAST_BYTES 1024

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
    if (pool->buffers[buffer].gpu && pool->buffers[buffer].size >= bytes)
        return true;
    WGPUBuffer gpu = agpu_exec_create_buffer(
        exec, size, WGPUBufferUsage_Storage | WGPUBufferUsage_Indirect | WGPUBufferUsage_CopySrc);
    if (!gpu) {
        agpu_exec_report(exec, AGPU_DIAG_GPU_OUT_OF_MEMORY, AGPU_ERROR,
                         "no %" PRIu64 " bytes for the primitives of a draw", size);
        return false;
    }
    if (pool->buffers[buffer].gpu) {
        agpu_bind_forget(exec, pool->buffers[buffer].id);
        wgpuBufferRelease(pool->buffers[buffer].gpu); /* commands that use it keep it */
    }
    pool->buffers[buffer].gpu = gpu;
    pool->buffers[buffer].size = size;
    pool->buffers[buffer].id = agpu_exec_id(exec);
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

bool agpu_expand_pool_reserve(struct agpu_exec *exec, const struct agpu_expand_plan *plan, bool tessellates)
{
    struct agpu_expand_pool *pool = &exec->expand_pool;
    make_kernels(exec);
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
    for (uint32_t i = 0; i < AGPU_EXPAND_BUFFER_COUNT; i++)
        if (pool->buffers[i].gpu)
            wgpuBufferRelease(pool->buffers[i].gpu);
    agpu_assembly_kernels_fini(&pool->assembly);
    agpu_emission_kernels_fini(&pool->emission);
    agpu_list_kernels_fini(&pool->lists);
    agpu_tessellator_fini(&pool->tessellator);
    *pool = (struct agpu_expand_pool){0};
}

struct agpu_buffer_range agpu_expand_pool_range(const struct agpu_exec *exec, enum agpu_expand_buffer buffer)
{
    return (struct agpu_buffer_range){
        .buffer = exec->expand_pool.buffers[buffer].gpu,
        .size = exec->expand_pool.buffers[buffer].size,
        .id = exec->expand_pool.buffers[buffer].id,
    };
}

struct agpu_bind_item agpu_expand_pool_item(const struct agpu_exec *exec, enum agpu_expand_buffer buffer)
{
    return (struct agpu_bind_item){
        .id = exec->expand_pool.buffers[buffer].id,
        .buffer = exec->expand_pool.buffers[buffer].gpu,
        .size = exec->expand_pool.buffers[buffer].size,
    };
}
