/* SPDX-License-Identifier: MIT
 *
 * A WGSL module with its entry points, of this layer and of those above: all take one bind group, whose
 * binding 0 is a uniform block and whose others are storage buffers.
 */
#ifndef AGPU_EXPAND_KERNEL_H
#define AGPU_EXPAND_KERNEL_H

#include "gpu/gpu.h"

#define AGPU_KERNEL_BINDINGS 8
#define AGPU_KERNEL_ENTRIES 4

struct agpu_buffer_range {
    WGPUBuffer buffer;
    uint64_t offset, size; /* the offset a multiple of the device's alignment of such bindings */
    uint64_t id;           /* of the buffer, for whoever keeps bind groups; 0: used once, not worth keeping */
};

struct agpu_kernel_desc {
    const char *label, *wgsl;
    size_t wgsl_length;
    uint32_t binding_count;
    uint32_t written; /* bit n: binding n is written */
    uint32_t block_bytes;
    const char *entries[AGPU_KERNEL_ENTRIES];
};

struct agpu_kernel;

/* Whoever keeps the bind groups of kernels. */
struct agpu_kernel_groups {
    /* A reference to the group of these ranges, whose block begins at 0. Null: there is none. */
    WGPUBindGroup (*get)(void *user, const struct agpu_kernel *kernel,
                         const struct agpu_buffer_range ranges[AGPU_KERNEL_BINDINGS]);
    void *user;
};

/* For one device. */
struct agpu_kernel {
    WGPUDevice device;
    WGPUBindGroupLayout layout;
    WGPUComputePipeline pipelines[AGPU_KERNEL_ENTRIES];
    uint32_t binding_count;
    uint32_t row_limit; /* workgroups in a row of a dispatch */
    struct agpu_kernel_groups
        groups; /* null: nobody; each binding makes a group of its own. Set after init */
};

/* Compiles it. `gpu` is borrowed. */
void agpu_kernel_init(struct agpu_kernel *kernel, struct agpu_gpu *gpu, const struct agpu_kernel_desc *desc);
/* Accepts what is all zeros. Work in flight keeps what it uses. */
void agpu_kernel_fini(struct agpu_kernel *kernel);

/* A new group of these ranges. */
WGPUBindGroup agpu_kernel_create_group(const struct agpu_kernel *kernel,
                                       const struct agpu_buffer_range ranges[AGPU_KERNEL_BINDINGS]);
/* Sets group 0 for the dispatches that follow. False: there is no group, and nothing may be dispatched. */
bool agpu_kernel_bind(const struct agpu_kernel *kernel, WGPUComputePassEncoder pass,
                      const struct agpu_buffer_range ranges[AGPU_KERNEL_BINDINGS]);
/* Records one workgroup, or one invocation at least for each of a count in workgroups of
 * AGPU_EXPAND_WORKGROUP. Changes the pass's pipeline. */
void agpu_kernel_dispatch_one(const struct agpu_kernel *kernel, WGPUComputePassEncoder pass, uint32_t entry);
void agpu_kernel_dispatch(const struct agpu_kernel *kernel, WGPUComputePassEncoder pass, uint32_t entry,
                          uint64_t invocations);

/* Workgroups of AGPU_EXPAND_WORKGROUP for that many invocations, in rows of at most `row_limit`. */
void agpu_expand_workgroups(uint64_t invocations, uint32_t row_limit, uint32_t groups[2]);

#endif
