/* SPDX-License-Identifier: MIT
 *
 * Bind groups: a cache by contents, for draws, dispatches and compute kernels. The recorder owns the cache.
 * Groups that hold a released WebGPU object, or that were not used for a while, are dropped.
 */
#ifndef AG_EXEC_RECORD_BIND_GROUP_H
#define AG_EXEC_RECORD_BIND_GROUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gpu/webgpu.h"
#include "kernel/kernel.h"

struct ag_recorder;
struct ag_bind_group_layout;

/* The guest's 14 constant buffers and one more uniform buffer, the overflow block and the draw block. */
#define AG_MAX_DYNAMIC_OFFSETS 17

/* One entry of a bind group: a range of a buffer, a texture view or a sampler. */
struct ag_bind_item {
    uint32_t binding;
    uint32_t padding;
    uint64_t id;           /* of the buffer, view or sampler */
    uint64_t offset, size; /* bytes of a buffer */
    WGPUBuffer buffer;
    WGPUTextureView view;
    WGPUSampler sampler;
};

/* A bind group with its dynamic offsets. */
struct ag_bound_group {
    WGPUBindGroup gpu; /* owned by the cache; valid until the next look-up in the cache */
    uint32_t offsets[AG_MAX_DYNAMIC_OFFSETS];
    uint32_t offset_count;
    uint64_t buffers[AG_MAX_DYNAMIC_OFFSETS]; /* the ids of the buffers that the offsets are in */
};

/* ---- Groups ------------------------------------------------------------------------------------------- */

/* The bind group of these items, out of the cache or new. The cache owns the group, which is valid until
 * the next look-up. Null when memory is exhausted (reported). */
WGPUBindGroup ag_bind_group_get(struct ag_recorder *recorder, const struct ag_bind_group_layout *layout,
                                const struct ag_bind_item *items, uint32_t count);

/* The same for a user, such as a shader, whose groups differ in nothing but the ids of their items:
 * ag_bind_group_recall() finds the group again by these. */
WGPUBindGroup ag_bind_group_get_for(struct ag_recorder *recorder, uint64_t user,
                                    const struct ag_bind_group_layout *layout,
                                    const struct ag_bind_item *items, uint32_t count);

/* A group of the user whose items have these ids, out of a small table. Null when the table has none: the
 * cache may have the group all the same. */
WGPUBindGroup ag_bind_group_recall(struct ag_recorder *recorder, uint64_t user, const uint64_t *ids,
                                   uint32_t count);

/* The bind group for a group index that no shader of a pipeline uses. */
WGPUBindGroup ag_bind_group_empty(struct ag_recorder *recorder);

/* Makes a bind group outside the cache, for one use. The caller releases the group once its use is
 * recorded. */
WGPUBindGroup ag_bind_group_create(struct ag_recorder *recorder, const WGPUBindGroupDescriptor *descriptor);

/* ---- Kernels ------------------------------------------------------------------------------------------ */

/* Makes a kernel on the first call, with bind groups out of the cache, and returns the kernel. */
struct ag_kernel *ag_bind_kernel_make(struct ag_recorder *recorder, struct ag_kernel *kernel,
                                      const struct ag_kernel_desc *desc);

/* One dispatch of a kernel. */
struct ag_kernel_run {
    struct ag_kernel *kernel;
    uint32_t entry;    /* of the kernel's entry points */
    const void *block; /* the contents of the uniform block */
    size_t block_bytes;
    struct ag_buffer_range ranges[AG_KERNEL_BINDINGS]; /* [0] is the uniform block, set by the run */
    uint64_t invocations;
};

/* Uploads the uniform block and records the dispatch, in a compute pass of its own. False when memory is
 * exhausted (reported); nothing is dispatched then. */
bool ag_bind_kernel_run(struct ag_recorder *recorder, WGPUCommandEncoder encoder, struct ag_kernel_run *run);

/* Bind groups out of the cache, for kernels of the layer `kernel`. */
struct ag_kernel_groups ag_bind_kernel_groups(struct ag_recorder *recorder);

/* ---- The cache ---------------------------------------------------------------------------------------- */

/* Drops the groups that hold the WebGPU object with this id, which is about to be released. */
void ag_bind_groups_forget(struct ag_recorder *recorder, uint64_t id);

/* Drops groups that have not been used for a while, when the cache has many. */
void ag_bind_groups_trim(struct ag_recorder *recorder);

void ag_bind_groups_clear(struct ag_recorder *recorder);

#endif
