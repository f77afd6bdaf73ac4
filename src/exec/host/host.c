/* SPDX-License-Identifier: MIT */
#include "exec/host/host.h"

#include "base/bytes.h"
#include "gpu/gpu.h"
#include "gpu/webgpu.h"

WGPUBuffer ag_host_create_buffer(struct ag_host *host, uint64_t size, WGPUBufferUsage usage,
                                 const char *label)
{
    const WGPUBufferDescriptor descriptor = {
        .label = ag_webgpu_string(label), .usage = usage, .size = ag_align_up(size, 4)};
    return wgpuDeviceCreateBuffer(host->device, &descriptor);
}
