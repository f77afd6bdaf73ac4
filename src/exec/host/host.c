/* SPDX-License-Identifier: MIT */
#include "exec/host/host.h"

#include "base/bytes.h"
#include "format/format.h"
#include "gpu/gpu.h"
#include "gpu/webgpu.h"

WGPUTextureFormat ag_host_texture_format(const struct ag_host *host, const struct ag_host_format *format)
{
    if (format->texture == WGPUTextureFormat_Depth32FloatStencil8 &&
        !ag_host_has(host, AG_GPU_FEATURE_DEPTH32FLOAT_STENCIL8))
        return WGPUTextureFormat_Depth24PlusStencil8;
    return format->texture;
}

bool ag_host_renders(const struct ag_host *host, const struct ag_host_format *format)
{
    return ag_host_format_has(format, AG_FORMAT_RENDERABLE) &&
           (format->texture != WGPUTextureFormat_RG11B10Ufloat ||
            ag_host_has(host, AG_GPU_FEATURE_RG11B10UFLOAT_RENDERABLE));
}

uint32_t ag_host_rendered(const struct ag_host *host, uint32_t dxgi)
{
    return dxgi == AG_DXGI_R11G11B10_FLOAT && !ag_host_renders(host, ag_host_format(dxgi))
               ? (uint32_t)AG_DXGI_R11G11B10_HALVES
               : dxgi;
}

WGPUBuffer ag_host_create_buffer(struct ag_host *host, uint64_t size, WGPUBufferUsage usage,
                                 const char *label)
{
    const WGPUBufferDescriptor descriptor = {
        .label = ag_webgpu_string(label), .usage = usage, .size = ag_align_up(size, 4)};
    WGPUBuffer buffer = wgpuDeviceCreateBuffer(ag_gpu_maker(host->gpu), &descriptor);
    if (usage & WGPUBufferUsage_CopyDst)
        ag_gpu_clear_new_buffer(host->gpu, buffer, descriptor.size);
    return buffer;
}

void ag_host_release_view(struct ag_host *host, WGPUTextureView view)
{
    host->released_objects = true;
    wgpuTextureViewRelease(view);
}
