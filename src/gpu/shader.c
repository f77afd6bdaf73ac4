/* SPDX-License-Identifier: MIT
 *
 * Creates shader modules.
 */
#include "base/clock.h"
#include "gpu/device.h"

WGPUShaderModule ag_gpu_create_shader(struct agpu_gpu *gpu, const char *wgsl, size_t length,
                                      const char *label)
{
    const WGPUStringView code = {wgsl, length};
    WGPUShaderSourceWGSL source = {.chain = {.sType = WGPUSType_ShaderSourceWGSL}, .code = code};
    const WGPUShaderModuleDescriptor descriptor = {
        .nextInChain = &source.chain,
        .label = ag_webgpu_string(label),
    };
    const uint64_t start_ns = ag_clock_ns();
    const WGPUShaderModule module = wgpuDeviceCreateShaderModule(ag_gpu_device(gpu), &descriptor);
    gpu->compile_ns += ag_clock_ns() - start_ns;
    return module;
}
