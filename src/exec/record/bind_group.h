/* SPDX-License-Identifier: MIT
 *
 * Bind group layouts made from a module's reflection, and bind groups made from a context's bindings, cached
 * by their contents.
 */
#ifndef AG_EXEC_RECORD_BIND_GROUP_H
#define AG_EXEC_RECORD_BIND_GROUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gpu/webgpu.h"
#include "kernel/kernel.h"

struct ag_recorder;
struct ag_stage_layout;

#define AG_MAX_DYNAMIC_OFFSETS 8

/* What one binding of a group is. */
struct ag_bind_item {
    uint32_t binding;
    uint32_t padding;
    uint64_t id; /* of the object */
    uint64_t offset, size;
    WGPUBuffer buffer;
    WGPUTextureView view;
    WGPUSampler sampler;
};

struct ag_bound_group {
    WGPUBindGroup gpu; /* owned by the cache; alive until the next one is looked up */
    uint32_t offsets[AG_MAX_DYNAMIC_OFFSETS];
    uint32_t offset_count;
};

WGPUBindGroup ag_bind_empty(struct ag_recorder *recorder);
/* The cached or new bind group of these items. */
WGPUBindGroup ag_bind_group_get(struct ag_recorder *recorder, const struct ag_stage_layout *layout,
                                const struct ag_bind_item *items, uint32_t count);
/* A group that is used once: the caller releases it when it is recorded. */
WGPUBindGroup ag_bind_group_create(struct ag_recorder *recorder, const WGPUBindGroupDescriptor *descriptor);
/* Makes a kernel when it is first needed. Its groups come from the cache. */
const struct ag_kernel *ag_bind_kernel_make(struct ag_recorder *recorder, struct ag_kernel *kernel,
                                            const struct ag_kernel_desc *desc);

/* Runs it once, in a pass of its own, for that many invocations. The block is copied; `ranges` are those of
 * the other bindings; ranges[0] is filled in. False when it was reported and nothing runs. */
struct ag_kernel_run {
    const struct ag_kernel *kernel;
    uint32_t entry;
    const void *block;
    size_t block_bytes;
    struct ag_buffer_range ranges[AG_KERNEL_BINDINGS];
    uint64_t invocations;
};

bool ag_bind_kernel_run(struct ag_recorder *recorder, WGPUCommandEncoder encoder, struct ag_kernel_run *run);
/* The cache for kernels that others made. */
struct ag_kernel_groups ag_bind_kernel_groups(struct ag_recorder *recorder);
/* Drops the groups that hold a dying object. */
void ag_bind_forget(struct ag_recorder *recorder, uint64_t id);
/* Drops groups that have not been used for a while when there are many. */
void ag_bind_groups_trim(struct ag_recorder *recorder);
void ag_bind_groups_clear(struct ag_recorder *recorder);

#endif
