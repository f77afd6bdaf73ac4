/* SPDX-License-Identifier: MIT
 *
 * A WGSL module with its entry points, of this layer and of those above: all take one bind group, whose
 * binding 0 is a uniform block and whose others are storage buffers.
 */
#ifndef AG_EXPAND_KERNEL_H
#define AG_EXPAND_KERNEL_H

#include "gpu/gpu.h"
#include "wgsl/expansion.h"

#define AG_KERNEL_BINDINGS 8
#define AG_KERNEL_ENTRIES 4

struct ag_buffer_range {
    WGPUBuffer buffer;
    uint64_t offset, size; /* the offset a multiple of the device's alignment of such bindings */
    uint64_t id;           /* of the buffer, for whoever keeps bind groups; 0: used once, not worth keeping */
};

struct ag_kernel_desc {
    const char *label, *wgsl;
    size_t wgsl_length;
    uint32_t binding_count;
    uint32_t written; /* bit n: binding n is written */
    uint32_t block_bytes;
    const char *entries[AG_KERNEL_ENTRIES];
};

struct ag_kernel;

/* Whoever keeps the bind groups of kernels. */
struct ag_kernel_groups {
    /* A reference to the group of these ranges, whose block begins at 0. Null: there is none. */
    WGPUBindGroup (*get)(void *user, const struct ag_kernel *kernel,
                         const struct ag_buffer_range ranges[AG_KERNEL_BINDINGS]);
    void *user;
};

/* For one device. */
struct ag_kernel {
    WGPUDevice device;
    WGPUBindGroupLayout layout;
    WGPUComputePipeline pipelines[AG_KERNEL_ENTRIES];
    uint32_t binding_count;
    uint32_t row_limit;             /* workgroups in a row of a dispatch */
    struct ag_kernel_groups groups; /* null: nobody; each binding makes a group of its own. Set after init */
};

/* Compiles it. `gpu` is borrowed. */
void ag_kernel_init(struct ag_kernel *kernel, struct agpu_gpu *gpu, const struct ag_kernel_desc *desc);
/* Accepts what is all zeros. Work in flight keeps what it uses. */
void ag_kernel_fini(struct ag_kernel *kernel);

/* A new group of these ranges. */
WGPUBindGroup ag_kernel_create_group(const struct ag_kernel *kernel,
                                     const struct ag_buffer_range ranges[AG_KERNEL_BINDINGS]);
/* Sets group 0 for the dispatches that follow. False: there is no group, and nothing may be dispatched. */
bool ag_kernel_bind(const struct ag_kernel *kernel, WGPUComputePassEncoder pass,
                    const struct ag_buffer_range ranges[AG_KERNEL_BINDINGS]);
/* Records one workgroup, or one invocation at least for each of a count in workgroups of
 * AG_EXPAND_WORKGROUP. Changes the pass's pipeline. */
void ag_kernel_dispatch_one(const struct ag_kernel *kernel, WGPUComputePassEncoder pass, uint32_t entry);
void ag_kernel_dispatch(const struct ag_kernel *kernel, WGPUComputePassEncoder pass, uint32_t entry,
                        uint64_t invocations);

/* Workgroups of AG_EXPAND_WORKGROUP for that many invocations, in rows of at most `row_limit`. */
void ag_expand_workgroups(uint64_t invocations, uint32_t row_limit, uint32_t groups[2]);

#endif
