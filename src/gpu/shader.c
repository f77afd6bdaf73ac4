/* SPDX-License-Identifier: MIT
 *
 * Creates shader modules.
 */
#include "gpu/gpu.h"

WGPUShaderModule ag_gpu_create_shader(struct agpu_gpu *gpu, const char *wgsl, size_t length,
                                      const char *label)
{
    const WGPUStringView code = {wgsl, length};
    WGPUShaderSourceWGSL source = {.chain = {.sType = WGPUSType_ShaderSourceWGSL}, .code = code};
    const WGPUShaderModuleDescriptor descriptor = {
        .nextInChain = &source.chain,
        .label = ag_webgpu_string(label),
    };
    return wgpuDeviceCreateShaderModule(ag_gpu_device(gpu), &descriptor);
}
