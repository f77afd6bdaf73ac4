/* SPDX-License-Identifier: MIT
 *
 * What a job's bindings are on a device: buffers, textures, samplers.
 */
#ifndef AG_TESTS_ORACLE_GPU_BIND_H
#define AG_TESTS_ORACLE_GPU_BIND_H

#include "gpu/gpu.h"
#include "oracle.h"

#define GPU_MAX_BINDINGS 96
#define GPU_COUNTER_BYTES 256

/* Behind one binding; what it is not is null. */
struct gpu_bound {
    WGPUBuffer buffer;
    WGPUTexture texture;
    WGPUTextureView view;
    WGPUSampler sampler;
};

/* Makes what the job's bindings have there. False when there is no such format on devices. */
bool gpu_bind(struct agpu_gpu *gpu, const struct oracle_job *job, const struct agpu_binding *binding,
              struct gpu_bound *bound);
void gpu_bound_fini(struct gpu_bound *bound);
/* The group of a pipeline, of all the module's bindings there. */
WGPUBindGroup gpu_bind_group(struct agpu_gpu *gpu, WGPUBindGroupLayout layout,
                             const struct agpu_module *module, const struct gpu_bound *bound, uint32_t group);

/* The layout of a module's pipeline: what samplers may do stands in its reflection data, not in its text. */
WGPUPipelineLayout gpu_pipeline_layout(struct agpu_gpu *gpu, const struct agpu_module *module);

/* A buffer that can be copied to and from. */
WGPUBuffer gpu_buffer(struct agpu_gpu *gpu, WGPUBufferUsage usage, uint64_t least, const void *data,
                      uint64_t size);

/* ---- Textures (gpu_texture.c) ------------------------------------------------------------------------- */

/* The texels of a storage texture that a module was written for. */
struct ag_ref_format gpu_storage_format(uint32_t storage_format);

WGPUTextureViewDimension gpu_view_dimension(enum agpu_resource_dimension dimension);
WGPUTextureFormat gpu_format(const struct ag_ref_format *format);

bool gpu_texture(struct agpu_gpu *gpu, const struct agpu_binding *binding, const struct ag_ref_view *view,
                 struct gpu_bound *bound);
WGPUSampler gpu_sampler(struct agpu_gpu *gpu, const struct agpu_binding *binding,
                        const struct ag_ref_sampler *sampler);

/* The bytes of a view's memory as copied from the device: textures' rows are padded. */
uint64_t gpu_readback_bytes(const struct ag_ref_view *view);
void gpu_copy_view(WGPUCommandEncoder encoder, const struct gpu_bound *bound, const struct ag_ref_view *view,
                   WGPUBuffer to, uint64_t offset);
void gpu_unpack_view(const struct gpu_bound *bound, const struct ag_ref_view *view, const uint8_t *from,
                     uint8_t *to);

#endif
