/* SPDX-License-Identifier: MIT */
#include "gpu/label.h"

#include <stdarg.h>

#include "base/format.h"
#include "gpu/gpu.h"

const char *ag_label_format(struct ag_label *label, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    ag_format(label->text, sizeof label->text, format, arguments);
    va_end(arguments);
    return label->text;
}

WGPUCommandEncoder ag_command_encoder_create(WGPUDevice device, const char *label)
{
    const WGPUCommandEncoderDescriptor descriptor = {.label = ag_webgpu_string(label)};
    return wgpuDeviceCreateCommandEncoder(device, &descriptor);
}

WGPUCommandBuffer ag_command_encoder_finish(WGPUCommandEncoder encoder, const char *label)
{
    const WGPUCommandBufferDescriptor descriptor = {.label = ag_webgpu_string(label)};
    return wgpuCommandEncoderFinish(encoder, &descriptor);
}

WGPUComputePassEncoder ag_compute_pass_begin(WGPUCommandEncoder encoder, const char *label)
{
    const WGPUComputePassDescriptor descriptor = {.label = ag_webgpu_string(label)};
    return wgpuCommandEncoderBeginComputePass(encoder, &descriptor);
}
