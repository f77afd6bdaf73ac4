/* SPDX-License-Identifier: MIT */
#include "gpu_bind.h"

#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "wgsl/binding.h"
#include "wgsl/draw_block.h"
#include "wgsl/expansion.h"

WGPUBuffer gpu_buffer(struct agpu_gpu *gpu, WGPUBufferUsage usage, uint64_t least, const void *data,
                      uint64_t size)
{
    const WGPUBufferDescriptor descriptor = {
        .usage = usage | WGPUBufferUsage_CopyDst | WGPUBufferUsage_CopySrc,
        .size = ag_align_up(least > size ? least : size, 16),
    };
    const WGPUBuffer buffer = wgpuDeviceCreateBuffer(ag_gpu_device(gpu), &descriptor);
    if (size != 0)
        wgpuQueueWriteBuffer(ag_gpu_queue(gpu), buffer, 0, data, (size_t)size);
    return buffer;
}

/* The D3D view behind a binding number of the module, or null for the host's own. */
static const struct ag_ref_view *find_view(const struct oracle_job *job, uint32_t binding)
{
    const struct ag_ref_bindings *bindings = job->bindings;
    if (binding >= AG_BINDING_TEXTURE && binding - AG_BINDING_TEXTURE < bindings->resource_count)
        return &bindings->resources[binding - AG_BINDING_TEXTURE];
    if (binding >= AG_BINDING_UAV && binding - AG_BINDING_UAV < bindings->unordered_count)
        return &bindings->unordered[binding - AG_BINDING_UAV];
    return NULL;
}

/* The sampler behind a binding number, or null. */
static const struct ag_ref_sampler *find_sampler(const struct oracle_job *job, uint32_t binding)
{
    return binding >= AG_BINDING_SAMPLER && binding - AG_BINDING_SAMPLER < job->bindings->sampler_count
               ? &job->bindings->samplers[binding - AG_BINDING_SAMPLER]
               : NULL;
}

static bool is_buffer(const struct ag_ref_view *view)
{
    return view->dimension == AGPU_DIMENSION_BUFFER || view->dimension == AGPU_DIMENSION_RAW_BUFFER ||
           view->dimension == AGPU_DIMENSION_STRUCTURED_BUFFER;
}

/* ---- The draw block ----------------------------------------------------------------------------------- */

static void describe_buffer(const struct ag_ref_view *view, uint8_t entry[16])
{
    const uint32_t stride = view->dimension == AGPU_DIMENSION_STRUCTURED_BUFFER ? view->stride
                            : view->dimension == AGPU_DIMENSION_BUFFER          ? view->format.bytes
                                                                                : 4;
    ag_store_u32(entry + 4, (uint32_t)view->size);
    ag_store_u32(entry + 8, (uint32_t)(view->size / stride));
    ag_store_u32(entry + 12, view->dimension == AGPU_DIMENSION_BUFFER && view->format.channel[3].bits == 0);
}

/* What a border colour is clipped to. */
static uint32_t border_of(const struct ag_ref_format *format)
{
    uint32_t border = format->kind == AG_REF_UNORM   ? AG_VIEW_BORDER_UNORM
                      : format->kind == AG_REF_SNORM ? AG_VIEW_BORDER_SNORM
                                                     : 0;
    for (uint32_t i = 0; i < 4; i++)
        border |= format->channel[i].bits != 0 ? 1u << i : 0;
    return border;
}

/* Textures that have atomics are buffers of words. */
static void describe_texture(const struct ag_ref_view *view, const struct agpu_binding *binding,
                             uint8_t entry[16])
{
    if (binding->kind == AGPU_BIND_STORAGE_BUFFER_READ_WRITE) {
        ag_store_u32(entry, view->width);
        ag_store_u32(entry + 4, view->height);
        ag_store_u32(entry + 8, view->dimension == AGPU_DIMENSION_TEXTURE3D ? view->depth : view->layers);
        ag_store_u32(entry + 12, (uint32_t)view->size);
        return;
    }
    ag_store_u32(entry, view->mips);
    ag_store_u32(entry + 4, view->layers);
    ag_store_u32(entry + 8, view->format.channel[3].bits == 0 ? AG_VIEW_OPAQUE : 0);
    ag_store_u32(entry + 12, view->samples > 1 ? view->samples : border_of(&view->format));
}

static const struct agpu_binding *find_in(const struct agpu_binding *bindings, uint32_t count,
                                          uint32_t number)
{
    for (uint32_t i = 0; i < count; i++)
        if (bindings[i].binding == number && bindings[i].space != AGPU_SPACE_INTERNAL)
            return &bindings[i];
    return NULL;
}

static const struct agpu_binding *find_binding(const struct agpu_module *module, uint32_t number)
{
    const struct agpu_binding *bound = find_in(module->bindings, module->binding_count, number);
    return bound ? bound : find_in(module->unbound, module->unbound_count, number);
}

static void store_float(uint8_t *to, float value)
{
    ag_store_u32(to, ag_bits_from_float(value));
}

static void describe_sampler(const struct ag_ref_sampler *sampler, uint8_t *entry)
{
    store_float(entry, sampler->mip_lod_bias);
    store_float(entry + 4, sampler->min_lod);
    store_float(entry + 8, sampler->max_lod);
}

static void fill_draw_block(const struct oracle_job *job, uint8_t block[AG_DRAW_BLOCK_BYTES])
{
    const struct agpu_module *module = job->module;
    memset(block, 0, AG_DRAW_BLOCK_BYTES);
    ag_store_u32(block + AG_DRAW_BLOCK_SAMPLE_MASK, UINT32_MAX);
    ag_store_u32(block + AG_DRAW_BLOCK_DEPTH_RANGE + 4, ag_bits_from_float(1.0f));
    ag_store_u32(block + AG_DRAW_BLOCK_SAMPLE_COUNT,
                 job->bindings->rasterizer_samples != 0 ? job->bindings->rasterizer_samples : 1);
    for (uint32_t i = 0; i < module->view_count; i++) {
        uint8_t *entry = block + AG_DRAW_BLOCK_VIEWS + (size_t)16 * (module->view_base + i);
        const struct ag_ref_view *view = find_view(job, module->views[i]);
        const struct agpu_binding *binding = find_binding(module, module->views[i]);
        const struct ag_ref_sampler *sampler = find_sampler(job, module->views[i]);
        if (view != NULL && is_buffer(view))
            describe_buffer(view, entry);
        else if (view != NULL && binding != NULL)
            describe_texture(view, binding, entry);
        else if (sampler != NULL)
            describe_sampler(sampler, entry);
        else if (module->views[i] < job->bindings->constant_buffer_count)
            ag_store_u32(entry + 4, (uint32_t)job->bindings->constant_buffers[module->views[i]].size);
    }
}

/* ---- Bindings ----------------------------------------------------------------------------------------- */

static WGPUBuffer bind_records(struct agpu_gpu *gpu, const struct oracle_job *job,
                               const struct agpu_binding *binding)
{
    const struct oracle_records *records = job->records;
    if (binding->binding == AG_EXPAND_VERTICES)
        return gpu_buffer(gpu, WGPUBufferUsage_Storage, binding->bytes, records->vertices,
                          (AG_LIST_HEADER_WORDS + (uint64_t)2 * records->vertex_count) * 4);
    if (binding->binding == AG_EXPAND_INPUTS)
        return gpu_buffer(gpu, WGPUBufferUsage_Storage, binding->bytes, records->inputs,
                          records->input_bytes);
    return gpu_buffer(gpu, WGPUBufferUsage_Storage,
                      (uint64_t)records->vertex_count * job->module->expansion.record_registers * 16, NULL,
                      0);
}

static WGPUBuffer bind_sampler_states(struct agpu_gpu *gpu, const struct ag_ref_bindings *bindings)
{
    uint8_t states[AG_SAMPLER_STATES_BYTES] = {0};
    for (uint32_t i = 0; i < bindings->sampler_count && i < AG_SAMPLER_STATES_BYTES / 32; i++) {
        const struct ag_ref_sampler *sampler = &bindings->samplers[i];
        uint8_t *state = states + (size_t)32 * i;
        for (uint32_t c = 0; c < 4; c++)
            store_float(state + (size_t)4 * c, sampler->border_color[c]);
        ag_store_u32(state + 16, sampler->filter | sampler->address[0] << 12 | sampler->address[1] << 15 |
                                     sampler->address[2] << 18 | sampler->comparison << 24);
        store_float(state + 20, sampler->mip_lod_bias);
        store_float(state + 24, sampler->min_lod);
        store_float(state + 28, sampler->max_lod);
    }
    return gpu_buffer(gpu, WGPUBufferUsage_Uniform, 0, states, sizeof states);
}

static WGPUBuffer bind_internal(struct agpu_gpu *gpu, const struct oracle_job *job,
                                const struct agpu_binding *binding)
{
    uint8_t block[AG_DRAW_BLOCK_BYTES];
    uint32_t counters[GPU_COUNTER_BYTES / 4] = {0};
    if (binding->binding == AG_BINDING_DRAW_BLOCK) {
        fill_draw_block(job, block);
        return gpu_buffer(gpu, WGPUBufferUsage_Uniform, binding->bytes, block, sizeof block);
    }
    if (binding->binding == AG_BINDING_SAMPLER_STATES)
        return bind_sampler_states(gpu, job->bindings);
    if (binding->binding >= AG_BINDING_INTERNAL && job->records != NULL)
        return bind_records(gpu, job, binding);
    const struct ag_ref_view *views = job->bindings->unordered;
    for (uint32_t i = 0; views != NULL && i < job->bindings->unordered_count; i++)
        counters[i] = views[i].counter;
    return gpu_buffer(gpu, WGPUBufferUsage_Storage | WGPUBufferUsage_Uniform, binding->bytes, counters,
                      sizeof counters);
}

bool gpu_bind(struct agpu_gpu *gpu, const struct oracle_job *job, const struct agpu_binding *binding,
              struct gpu_bound *bound)
{
    const struct ag_ref_bindings *bindings = job->bindings;
    const struct ag_ref_view *view =
        binding->space == AGPU_SPACE_INTERNAL ? NULL : find_view(job, binding->binding);
    if (binding->space == AGPU_SPACE_CBUFFER && binding->slot < bindings->constant_buffer_count) {
        const struct ag_ref_constant_buffer *constants = &bindings->constant_buffers[binding->slot];
        bound->buffer = gpu_buffer(gpu, WGPUBufferUsage_Uniform | WGPUBufferUsage_Storage, binding->bytes,
                                   constants->data, constants->size);
    } else if (binding->space == AGPU_SPACE_SAMPLER) {
        bound->sampler = gpu_sampler(gpu, binding, &bindings->samplers[binding->slot]);
    } else if (view != NULL && (is_buffer(view) || binding->kind == AGPU_BIND_STORAGE_BUFFER_READ_WRITE)) {
        bound->buffer = gpu_buffer(gpu, WGPUBufferUsage_Storage, binding->bytes, view->data, view->size);
    } else if (view != NULL) {
        return gpu_texture(gpu, binding, view, bound);
    } else {
        bound->buffer = bind_internal(gpu, job, binding);
    }
    return true;
}

void gpu_bound_fini(struct gpu_bound *bound)
{
    if (bound->buffer != NULL)
        wgpuBufferRelease(bound->buffer);
    if (bound->view != NULL)
        wgpuTextureViewRelease(bound->view);
    if (bound->texture != NULL)
        wgpuTextureRelease(bound->texture);
    if (bound->sampler != NULL)
        wgpuSamplerRelease(bound->sampler);
    *bound = (struct gpu_bound){0};
}

WGPUBindGroup gpu_bind_group(struct agpu_gpu *gpu, WGPUBindGroupLayout layout,
                             const struct agpu_module *module, const struct gpu_bound *bound, uint32_t group)
{
    WGPUBindGroupEntry entries[GPU_MAX_BINDINGS];
    size_t count = 0;
    for (uint32_t i = 0; i < module->binding_count; i++) {
        if (module->bindings[i].group != group)
            continue;
        entries[count++] =
            (WGPUBindGroupEntry){.binding = module->bindings[i].binding,
                                 .buffer = bound[i].buffer,
                                 .size = bound[i].buffer != NULL ? wgpuBufferGetSize(bound[i].buffer) : 0,
                                 .textureView = bound[i].view,
                                 .sampler = bound[i].sampler};
    }
    const WGPUBindGroupDescriptor descriptor = {.layout = layout, .entryCount = count, .entries = entries};
    return wgpuDeviceCreateBindGroup(ag_gpu_device(gpu), &descriptor);
}

/* ---- Layouts ------------------------------------------------------------------------------------------ */

static WGPUStorageTextureAccess access_of(const struct agpu_binding *binding)
{
    return binding->storage_access == AGPU_STORAGE_READ_WRITE ? WGPUStorageTextureAccess_ReadWrite
           : binding->storage_access == AGPU_STORAGE_READ     ? WGPUStorageTextureAccess_ReadOnly
                                                              : WGPUStorageTextureAccess_WriteOnly;
}

static void describe_entry(const struct agpu_binding *binding, WGPUBindGroupLayoutEntry *entry)
{
    static const WGPUTextureSampleType sample_types[] = {
        [AGPU_SAMPLE_FLOAT] = WGPUTextureSampleType_Float,
        [AGPU_SAMPLE_UNFILTERABLE_FLOAT] = WGPUTextureSampleType_UnfilterableFloat,
        [AGPU_SAMPLE_DEPTH] = WGPUTextureSampleType_Depth,
        [AGPU_SAMPLE_SINT] = WGPUTextureSampleType_Sint,
        [AGPU_SAMPLE_UINT] = WGPUTextureSampleType_Uint,
    };
    const enum agpu_resource_dimension dimension = (enum agpu_resource_dimension)binding->dimension;
    const struct ag_ref_format stored = gpu_storage_format(binding->storage_format);
    switch ((enum agpu_binding_kind)binding->kind) {
    case AGPU_BIND_UNIFORM_BUFFER:
        entry->buffer.type = WGPUBufferBindingType_Uniform;
        break;
    case AGPU_BIND_STORAGE_BUFFER_READ:
        entry->buffer.type = WGPUBufferBindingType_ReadOnlyStorage;
        break;
    case AGPU_BIND_STORAGE_BUFFER_READ_WRITE:
        entry->buffer.type = WGPUBufferBindingType_Storage;
        break;
    case AGPU_BIND_SAMPLED_TEXTURE:
        entry->texture.sampleType = sample_types[binding->sample_type];
        entry->texture.viewDimension = gpu_view_dimension(dimension);
        entry->texture.multisampled = binding->multisampled;
        break;
    case AGPU_BIND_SAMPLER:
        entry->sampler.type =
            binding->filtered ? WGPUSamplerBindingType_Filtering : WGPUSamplerBindingType_NonFiltering;
        break;
    case AGPU_BIND_COMPARISON_SAMPLER:
        entry->sampler.type = WGPUSamplerBindingType_Comparison;
        break;
    case AGPU_BIND_STORAGE_TEXTURE:
        entry->storageTexture.access = access_of(binding);
        entry->storageTexture.format = stored.bytes != 0 ? gpu_format(&stored) : WGPUTextureFormat_Undefined;
        entry->storageTexture.viewDimension = gpu_view_dimension(dimension);
        break;
    }
}

static WGPUBindGroupLayout group_layout(struct agpu_gpu *gpu, const struct agpu_module *module,
                                        uint32_t group)
{
    WGPUBindGroupLayoutEntry entries[GPU_MAX_BINDINGS];
    size_t count = 0;
    for (uint32_t i = 0; i < module->binding_count && count < GPU_MAX_BINDINGS; i++) {
        if (module->bindings[i].group != group)
            continue;
        entries[count] = (WGPUBindGroupLayoutEntry){
            .binding = module->bindings[i].binding,
            .visibility =
                module->flavour == AGPU_FLAVOUR_PIXEL ? WGPUShaderStage_Fragment : WGPUShaderStage_Compute,
        };
        describe_entry(&module->bindings[i], &entries[count++]);
    }
    const WGPUBindGroupLayoutDescriptor descriptor = {.entryCount = count, .entries = entries};
    return wgpuDeviceCreateBindGroupLayout(ag_gpu_device(gpu), &descriptor);
}

WGPUPipelineLayout gpu_pipeline_layout(struct agpu_gpu *gpu, const struct agpu_module *module)
{
    WGPUBindGroupLayout groups[4];
    for (uint32_t i = 0; i < 4; i++)
        groups[i] = group_layout(gpu, module, i);
    const WGPUPipelineLayoutDescriptor descriptor = {.bindGroupLayoutCount = 4, .bindGroupLayouts = groups};
    const WGPUPipelineLayout layout = wgpuDeviceCreatePipelineLayout(ag_gpu_device(gpu), &descriptor);
    for (uint32_t i = 0; i < 4; i++)
        wgpuBindGroupLayoutRelease(groups[i]);
    return layout;
}
