/* SPDX-License-Identifier: MIT
 *
 * Creates and dispatches compute kernels.
 */
#include "kernel/kernel.h"

#include <string.h>

#include "aerogpu/translate.h"
#include "gpu/compilation.h"
#include "gpu/gpu.h"
#include "gpu/label.h"
#include "wgsl/expansion.h"

static WGPUBindGroupLayout create_layout(WGPUDevice device, const struct ag_kernel_desc *desc)
{
    WGPUBindGroupLayoutEntry entries[AG_KERNEL_BINDINGS];
    memset(entries, 0, sizeof entries);
    for (uint32_t i = 0; i < desc->binding_count; i++) {
        entries[i].binding = i;
        entries[i].visibility = WGPUShaderStage_Compute;
        entries[i].buffer.type = i == 0                   ? WGPUBufferBindingType_Uniform
                                 : desc->written >> i & 1 ? WGPUBufferBindingType_Storage
                                                          : WGPUBufferBindingType_ReadOnlyStorage;
    }
    entries[0].buffer.hasDynamicOffset = true;
    entries[0].buffer.minBindingSize = desc->block_bytes;
    const WGPUBindGroupLayoutDescriptor descriptor = {
        .label = ag_webgpu_string(desc->label), .entryCount = desc->binding_count, .entries = entries};
    return wgpuDeviceCreateBindGroupLayout(device, &descriptor);
}

void ag_kernel_init(struct ag_kernel *kernel, struct agpu_gpu *gpu, const struct ag_kernel_desc *desc)
{
    WGPUDevice device = ag_gpu_device(gpu);
    *kernel = (struct ag_kernel){
        .label = desc->label,
        .gpu = gpu,
        .layout = create_layout(device, desc),
        .module = ag_gpu_create_shader(gpu, desc->wgsl, desc->wgsl_length, desc->label),
        .binding_count = desc->binding_count,
        .row_limit = ag_gpu_limits(gpu)->maxComputeWorkgroupsPerDimension,
    };
    const WGPUPipelineLayoutDescriptor layout_descriptor = {.label = ag_webgpu_string(desc->label),
                                                            .bindGroupLayoutCount = 1,
                                                            .bindGroupLayouts = &kernel->layout};
    kernel->pipeline_layout = wgpuDeviceCreatePipelineLayout(device, &layout_descriptor);
    for (uint32_t i = 0; i < AG_KERNEL_ENTRIES; i++)
        kernel->entries[i].name = desc->entries[i];
}

void ag_kernel_fini(struct ag_kernel *kernel)
{
    for (uint32_t i = 0; i < AG_KERNEL_ENTRIES; i++) {
        if (kernel->entries[i].pipeline)
            wgpuComputePipelineRelease(kernel->entries[i].pipeline);
        ag_compilation_release(kernel->entries[i].compilation);
    }
    if (kernel->layout) {
        wgpuShaderModuleRelease(kernel->module);
        wgpuPipelineLayoutRelease(kernel->pipeline_layout);
        wgpuBindGroupLayoutRelease(kernel->layout);
    }
    *kernel = (struct ag_kernel){0};
}

/* ---- Pipelines ---------------------------------------------------------------------------------------- */

/* Makes the pipeline, or begins to. */
static void make_pipeline(struct ag_kernel *kernel, uint32_t entry, bool ahead)
{
    const char *name = kernel->entries[entry].name;
    struct ag_label label;
    const WGPUComputePipelineDescriptor descriptor = {
        .label = ag_webgpu_string(ag_label_format(&label, "%s: %s", kernel->label, name)),
        .layout = kernel->pipeline_layout,
        .compute = {.module = kernel->module, .entryPoint = ag_webgpu_string(name)},
    };
    if (ahead)
        kernel->entries[entry].compilation = ag_compile_compute_pipeline(kernel->gpu, &descriptor);
    else
        kernel->entries[entry].pipeline = ag_gpu_create_compute_pipeline(kernel->gpu, &descriptor);
}

bool ag_kernel_begin(struct ag_kernel *kernel, uint32_t entry)
{
    if (!kernel->entries[entry].pipeline && !kernel->entries[entry].compilation)
        make_pipeline(kernel, entry, true);
    return kernel->entries[entry].pipeline || kernel->entries[entry].compilation;
}

struct ag_compilation *ag_kernel_compilation(const struct ag_kernel *kernel, uint32_t entry)
{
    return kernel->entries[entry].compilation;
}

bool ag_kernel_is_ready(const struct ag_kernel *kernel, uint32_t entry)
{
    struct ag_compilation *compilation = kernel->entries[entry].compilation;
    return kernel->entries[entry].pipeline ||
           (compilation && ag_compilation_state(compilation) != AG_COMPILATION_PENDING);
}

static void set_pipeline(struct ag_kernel *kernel, WGPUComputePassEncoder pass, uint32_t entry)
{
    struct ag_compilation **compilation = &kernel->entries[entry].compilation;
    WGPUComputePipeline *pipeline = &kernel->entries[entry].pipeline;
    if (*compilation) {
        ag_compilation_wait(*compilation, UINT64_MAX);
        *pipeline = ag_compilation_take_compute(*compilation);
        ag_compilation_release(*compilation);
        *compilation = NULL;
    }
    if (!*pipeline)
        make_pipeline(kernel, entry, false);
    wgpuComputePassEncoderSetPipeline(pass, *pipeline);
}

/* ---- Dispatches --------------------------------------------------------------------------------------- */

WGPUBindGroup ag_kernel_create_group(const struct ag_kernel *kernel,
                                     const struct ag_buffer_range ranges[AG_KERNEL_BINDINGS])
{
    WGPUBindGroupEntry entries[AG_KERNEL_BINDINGS];
    memset(entries, 0, sizeof entries);
    for (uint32_t i = 0; i < kernel->binding_count; i++) {
        entries[i].binding = i;
        entries[i].buffer = ranges[i].buffer;
        entries[i].offset = ranges[i].offset;
        entries[i].size = ranges[i].size;
    }
    const WGPUBindGroupDescriptor descriptor = {
        .label = ag_webgpu_string(kernel->label),
        .layout = kernel->layout,
        .entryCount = kernel->binding_count,
        .entries = entries,
    };
    return wgpuDeviceCreateBindGroup(ag_gpu_maker(kernel->gpu), &descriptor);
}

WGPUBindGroup ag_kernel_group(const struct ag_kernel *kernel,
                              const struct ag_buffer_range ranges[AG_KERNEL_BINDINGS])
{
    struct ag_buffer_range at_zero[AG_KERNEL_BINDINGS];
    memcpy(at_zero, ranges, sizeof at_zero);
    at_zero[0].offset = 0;
    return kernel->groups.get ? kernel->groups.get(kernel->groups.user, kernel, at_zero)
                              : ag_kernel_create_group(kernel, at_zero);
}

bool ag_kernel_bind(const struct ag_kernel *kernel, WGPUComputePassEncoder pass,
                    const struct ag_buffer_range ranges[AG_KERNEL_BINDINGS])
{
    const uint32_t offset = (uint32_t)ranges[0].offset;
    WGPUBindGroup group = ag_kernel_group(kernel, ranges);
    if (!group)
        return false;
    wgpuComputePassEncoderSetBindGroup(pass, 0, group, 1, &offset);
    wgpuBindGroupRelease(group);
    return true;
}

void ag_kernel_dispatch_one(struct ag_kernel *kernel, WGPUComputePassEncoder pass, uint32_t entry)
{
    set_pipeline(kernel, pass, entry);
    wgpuComputePassEncoderDispatchWorkgroups(pass, 1, 1, 1);
}

void ag_kernel_dispatch(struct ag_kernel *kernel, WGPUComputePassEncoder pass, uint32_t entry,
                        uint64_t invocations)
{
    uint32_t groups[2];
    ag_expand_workgroups(invocations, kernel->row_limit, groups);
    set_pipeline(kernel, pass, entry);
    wgpuComputePassEncoderDispatchWorkgroups(pass, groups[0], groups[1], 1);
}

void ag_expand_workgroups(uint64_t invocations, uint32_t row_limit, uint32_t groups[2])
{
    uint64_t count = invocations ? (invocations + AG_EXPAND_WORKGROUP - 1) / AG_EXPAND_WORKGROUP : 1;
    uint64_t row = count < row_limit ? count : row_limit;
    groups[0] = (uint32_t)row;
    groups[1] = (uint32_t)((count + row - 1) / row);
}
