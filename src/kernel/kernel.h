/* SPDX-License-Identifier: MIT
 *
 * Compute kernels of this layer and of layers above: a WGSL module whose entry points share one bind group.
 * Binding 0 of the group is a uniform block; all others are storage buffers.
 */
#ifndef AG_KERNEL_KERNEL_H
#define AG_KERNEL_KERNEL_H

#include "gpu/gpu.h"
#include "wgsl/expansion.h"

#define AG_KERNEL_BINDINGS 8
#define AG_KERNEL_ENTRIES 6

struct ag_buffer_range {
    WGPUBuffer buffer;
    uint64_t offset, size; /* `offset` is a multiple of the device's alignment for such bindings */
    /* Identifies the buffer in caches of bind groups; 0: the buffer is used once, so that caching is not
     * worthwhile. */
    uint64_t id;
};

struct ag_kernel_desc {
    const char *label, *wgsl; /* static */
    size_t wgsl_length;
    uint32_t binding_count;
    uint32_t written; /* bit n: the kernels write binding n */
    uint32_t block_bytes;
    const char *entries[AG_KERNEL_ENTRIES];
};

struct ag_compilation;
struct ag_kernel;

/* A cache of bind groups, provided by the caller. */
struct ag_kernel_groups {
    /* Returns a reference to the group of these ranges, whose block is at offset 0; null when there is
     * none. */
    WGPUBindGroup (*get)(void *user, const struct ag_kernel *kernel,
                         const struct ag_buffer_range ranges[AG_KERNEL_BINDINGS]);
    void *user;
};

/* For one device. */
struct ag_kernel {
    const char *label; /* static */
    struct agpu_gpu *gpu;
    WGPUBindGroupLayout layout;
    WGPUPipelineLayout pipeline_layout;
    WGPUShaderModule module;
    struct {
        const char *name;                   /* static */
        WGPUComputePipeline pipeline;       /* made before the first dispatch */
        struct ag_compilation *compilation; /* while the pipeline is being made */
    } entries[AG_KERNEL_ENTRIES];
    uint32_t binding_count;
    uint32_t row_limit; /* the most workgroups in one row of a dispatch */
    /* Set after ag_kernel_init(). If `get` is null, each binding creates a group. */
    struct ag_kernel_groups groups;
};

/* Makes the module. `gpu` is borrowed for the kernel's life. */
void ag_kernel_init(struct ag_kernel *kernel, struct agpu_gpu *gpu, const struct ag_kernel_desc *desc);
/* Accepts a zeroed kernel. Work in flight keeps the objects that it uses. */
void ag_kernel_fini(struct ag_kernel *kernel);

/* Begins to make the pipeline of an entry, so that the first dispatch need not wait for the driver's
 * compiler. False when memory is exhausted (not reported). */
bool ag_kernel_begin(struct ag_kernel *kernel, uint32_t entry);
/* Whether a dispatch would not wait for the pipeline of an entry. */
bool ag_kernel_is_ready(const struct ag_kernel *kernel, uint32_t entry);
/* What is being made for the entry; null when nothing is. The kernel owns the compilation. */
struct ag_compilation *ag_kernel_compilation(const struct ag_kernel *kernel, uint32_t entry);

/* Creates a bind group of these ranges. */
WGPUBindGroup ag_kernel_create_group(const struct ag_kernel *kernel,
                                     const struct ag_buffer_range ranges[AG_KERNEL_BINDINGS]);
/* Returns a reference to the bind group of these ranges, whose block's offset is dynamic. Null when there is
 * none. */
WGPUBindGroup ag_kernel_group(const struct ag_kernel *kernel,
                              const struct ag_buffer_range ranges[AG_KERNEL_BINDINGS]);
/* Sets group 0 for the dispatches that follow. False when there is no group; nothing may then be
 * dispatched. */
bool ag_kernel_bind(const struct ag_kernel *kernel, WGPUComputePassEncoder pass,
                    const struct ag_buffer_range ranges[AG_KERNEL_BINDINGS]);
/* ag_kernel_dispatch_one() records one workgroup. ag_kernel_dispatch() records enough workgroups of
 * AG_EXPAND_WORKGROUP for `count` invocations. Both change the pass's pipeline, and wait for it where it is
 * not made yet. */
void ag_kernel_dispatch_one(struct ag_kernel *kernel, WGPUComputePassEncoder pass, uint32_t entry);
void ag_kernel_dispatch(struct ag_kernel *kernel, WGPUComputePassEncoder pass, uint32_t entry,
                        uint64_t invocations);

/* How many workgroups of AG_EXPAND_WORKGROUP a number of invocations needs, in rows of at most
 * `row_limit`. */
void ag_expand_workgroups(uint64_t invocations, uint32_t row_limit, uint32_t groups[2]);

#endif
