/* SPDX-License-Identifier: MIT */
#include "exec/blit/texture_convert.h"

#include <assert.h>
#include <string.h>

#include "base/format.h"
#include "exec/blit/blitter.h"
#include "exec/host/host.h"
#include "exec/object/texture.h"
#include "exec/object/texture_desc.h"
#include "exec/object/view.h"
#include "exec/record/bind_group.h"
#include "exec/record/bind_group_layout.h"
#include "exec/record/encoder.h"
#include "exec/record/resident_block.h"
#include "exec/record/throttle.h"
#include "exec/record/upload_ring.h"
#include "format/format.h"
#include "gpu/compilation.h"
#include "gpu/gpu.h"
#include "gpu/webgpu.h"
#include "wgsl/binding.h"

#define LABEL "texel conversion"
#define WORKGROUP 8u /* threads along each side */

/* The bits of a kind: what the texels become, and whether the textures have slices instead of layers. */
enum { KIND_WIDENS = 1, KIND_FROM_VOLUME = 2, KIND_TO_VOLUME = 4 };

/* The uniform block of the kernel. */
struct convert_block {
    uint32_t bits[4]; /* bits of each component in the guest's texel; 0: missing, reads as 1 */
    uint32_t from[3], width;
    uint32_t to[3], height;
};

enum { BINDING_BLOCK, BINDING_SOURCE, BINDING_RESULT, BINDING_COUNT };

/* The dimensions of source and result, the format of the result, what a texel becomes, and the coordinates of
 * a store and a load. The largest value is exact (D3D11.3 3.2.3.5), although drivers divide with a small
 * error. */
static const char kernel_wgsl[] =
    "struct Convert { bits: vec4<u32>, source: vec3<u32>, width: u32, result: vec3<u32>, height: u32 }\n"
    "@group(2) @binding(0) var<uniform> convert: Convert;\n"
    "@group(2) @binding(1) var source: texture_%s<f32>;\n"
    "@group(2) @binding(2) var result: texture_storage_%s<%s, write>;\n"
    "@compute @workgroup_size(8, 8) fn main(@builtin(global_invocation_id) id: vec3<u32>) {\n"
    "    if (id.x >= convert.width || id.y >= convert.height) { return; }\n"
    "    let most = max((vec4<u32>(1u) << convert.bits) - 1u, vec4<u32>(1u));\n"
    "    let texel = textureLoad(source, (convert.source + id)%s, 0);\n"
    "%s"
    "    textureStore(result, (convert.result + id)%s, converted);\n"
    "}\n";
static const char widening_wgsl[] =
    "    let value = (vec4<u32>(texel * 255.0 + 0.5) * most + 127u) / 255u;\n"
    "    let converted = select(vec4<f32>(value) / vec4<f32>(most), vec4<f32>(1.0), value == most);\n";
static const char narrowing_wgsl[] =
    "    let value = vec4<u32>(texel * vec4<f32>(most) + 0.5);\n"
    "    let converted = vec4<f32>((value * 255u + most / 2u) / most) / 255.0;\n";

/* ---- Pipelines ---------------------------------------------------------------------------------------- */

static WGPUShaderModule create_module(struct ag_blitter *blitter, uint32_t kind)
{
    static const char *const dimensions[] = {"2d", "3d"}, *const coordinates[] = {".xy", ""};
    const bool from_volume = kind & KIND_FROM_VOLUME, to_volume = kind & KIND_TO_VOLUME;
    char text[sizeof kernel_wgsl + sizeof widening_wgsl + 64];
    static_assert(sizeof narrowing_wgsl <= sizeof widening_wgsl, "the text has room for either");
    const size_t length =
        ag_text_format(text, sizeof text, kernel_wgsl, dimensions[from_volume], dimensions[to_volume],
                       kind & KIND_WIDENS ? "rgba32float" : "rgba8unorm", coordinates[from_volume],
                       kind & KIND_WIDENS ? widening_wgsl : narrowing_wgsl, coordinates[to_volume]);
    return ag_gpu_create_shader(blitter->host->gpu, text, length, LABEL);
}

static WGPUTextureViewDimension dimension_of(bool is_volume)
{
    return is_volume ? WGPUTextureViewDimension_3D : WGPUTextureViewDimension_2D;
}

static WGPUBindGroupLayout create_layout(struct ag_blitter *blitter, uint32_t kind)
{
    const WGPUBindGroupLayoutEntry entries[BINDING_COUNT] = {
        {.binding = BINDING_BLOCK,
         .visibility = WGPUShaderStage_Compute,
         .buffer = {.type = WGPUBufferBindingType_Uniform,
                    .hasDynamicOffset = true,
                    .minBindingSize = sizeof(struct convert_block)}              },
        {.binding = BINDING_SOURCE,
         .visibility = WGPUShaderStage_Compute,
         .texture = {.sampleType = WGPUTextureSampleType_UnfilterableFloat,
                     .viewDimension = dimension_of(kind & KIND_FROM_VOLUME)}     },
        {.binding = BINDING_RESULT,
         .visibility = WGPUShaderStage_Compute,
         .storageTexture = {.access = WGPUStorageTextureAccess_WriteOnly,
                            .format = kind & KIND_WIDENS ? WGPUTextureFormat_RGBA32Float
                                                         : WGPUTextureFormat_RGBA8Unorm,
                            .viewDimension = dimension_of(kind & KIND_TO_VOLUME)}},
    };
    const WGPUBindGroupLayoutDescriptor descriptor = {
        .label = ag_webgpu_string(LABEL), .entryCount = BINDING_COUNT, .entries = entries};
    return wgpuDeviceCreateBindGroupLayout(blitter->host->device, &descriptor);
}

/* The pipeline of a kind, whose group is where dispatches of the guest have theirs, since they may share a
 * pass. Null when memory is exhausted (reported). */
static struct ag_converter_pipeline *get_pipeline(struct ag_blitter *blitter, uint32_t kind)
{
    struct ag_converter_pipeline *const pipeline = &blitter->texel_converter.pipelines[kind];
    const struct ag_bind_group_layout *const empty = ag_bind_group_layout_empty(blitter->recorder);
    if (pipeline->gpu || !empty)
        return pipeline->gpu ? pipeline : NULL;
    pipeline->layout_id = ag_host_id(blitter->host);
    pipeline->layout = create_layout(blitter, kind);
    const struct ag_bind_group_layout own = {.gpu = pipeline->layout};
    const struct ag_bind_group_layout *const layouts[4] = {empty, empty, &own};
    static_assert(AG_GROUP_COMPUTE == 2, "the third group is the kernel's");
    WGPUPipelineLayout layout = ag_pipeline_layout_create(blitter->recorder, layouts, 3, LABEL);
    WGPUShaderModule module = create_module(blitter, kind);
    const WGPUComputePipelineDescriptor descriptor = {
        .label = ag_webgpu_string(LABEL),
        .layout = layout,
        .compute = {.module = module, .entryPoint = ag_webgpu_string("main")},
    };
    pipeline->gpu = ag_gpu_create_compute_pipeline(blitter->host->gpu, &descriptor);
    wgpuShaderModuleRelease(module);
    wgpuPipelineLayoutRelease(layout);
    return pipeline;
}

void ag_texel_converter_fini(struct ag_texel_converter *converter)
{
    for (uint32_t i = 0; i < AG_TEXEL_CONVERTER_KINDS; i++) {
        if (!converter->pipelines[i].gpu)
            continue;
        wgpuComputePipelineRelease(converter->pipelines[i].gpu);
        wgpuBindGroupLayoutRelease(converter->pipelines[i].layout);
    }
    ag_resident_block_fini(&converter->block);
    *converter = (struct ag_texel_converter){0};
}

/* ---- Copies ------------------------------------------------------------------------------------------- */

static bool is_volume(const struct ag_texel_rect *rect)
{
    return rect->texture->dimension == AG_TEXTURE_3D;
}

/* A view of the rectangle's mip and layer. The id is 0 when the caller releases the view, and else the
 * view is the texture's. */
static WGPUTextureView get_view(struct ag_blitter *blitter, const struct ag_texel_rect *rect, uint64_t *id)
{
    struct ag_texture_view *const whole = &rect->texture->whole;
    *id = 0;
    if (rect->mip == 0 && (rect->layer == 0 || is_volume(rect)))
        return ag_view_of_dimension(blitter->objects, whole, AG_VIEW_DIMENSION_TARGET, id);
    return ag_view_subresource(whole, rect->mip, rect->layer);
}

/* The bind group, which the caller releases. Null when memory is exhausted (reported). */
static WGPUBindGroup get_group(struct ag_blitter *blitter, const struct ag_converter_pipeline *pipeline,
                               const struct ag_bind_item items[BINDING_COUNT])
{
    const struct ag_bind_group_layout layout = {
        .id = pipeline->layout_id, .gpu = pipeline->layout, .label = LABEL};
    if (items[BINDING_SOURCE].id && items[BINDING_RESULT].id) {
        WGPUBindGroup cached = ag_bind_group_get(blitter->recorder, &layout, items, BINDING_COUNT);
        if (cached)
            wgpuBindGroupAddRef(cached);
        return cached;
    }
    const WGPUBindGroupEntry entries[BINDING_COUNT] = {
        {.binding = BINDING_BLOCK, .buffer = items[BINDING_BLOCK].buffer, .size = items[BINDING_BLOCK].size},
        {.binding = BINDING_SOURCE,                        .textureView = items[BINDING_SOURCE].view                                    },
        {.binding = BINDING_RESULT,                        .textureView = items[BINDING_RESULT].view},
    };
    const WGPUBindGroupDescriptor descriptor = {.label = ag_webgpu_string(LABEL),
                                                .layout = pipeline->layout,
                                                .entryCount = BINDING_COUNT,
                                                .entries = entries};
    return ag_bind_group_create(blitter->recorder, &descriptor);
}

static bool record(struct ag_blitter *blitter, const struct ag_converter_pipeline *pipeline,
                   const struct convert_block *block, struct ag_bind_item items[BINDING_COUNT])
{
    struct ag_upload_slice slice;
    if (!ag_resident_block_use(blitter->recorder, &blitter->texel_converter.block, block, sizeof *block,
                               &slice))
        return false;
    items[BINDING_BLOCK].id = slice.id;
    items[BINDING_BLOCK].buffer = slice.gpu;
    items[BINDING_BLOCK].size = sizeof *block;
    const uint32_t offset = (uint32_t)slice.offset;
    ag_throttle_add_binding(blitter->recorder, 1);
    WGPUComputePassEncoder pass = ag_recorder_compute_pass(blitter->recorder, pipeline->gpu);
    WGPUBindGroup group = get_group(blitter, pipeline, items);
    if (!group)
        return false;
    wgpuComputePassEncoderSetBindGroup(pass, AG_GROUP_COMPUTE, group, 1, &offset);
    wgpuComputePassEncoderDispatchWorkgroups(pass, (block->width + WORKGROUP - 1) / WORKGROUP,
                                             (block->height + WORKGROUP - 1) / WORKGROUP, 1);
    wgpuBindGroupRelease(group);
    return true;
}

bool ag_texture_convert(struct ag_blitter *blitter, const struct ag_texel_rect *to,
                        const struct ag_texel_rect *from, uint32_t width, uint32_t height)
{
    const struct ag_components components = ag_host_format_components(from->texture->format);
    const uint32_t kind = (to->texture->widened ? KIND_WIDENS : 0) |
                          (is_volume(from) ? KIND_FROM_VOLUME : 0) | (is_volume(to) ? KIND_TO_VOLUME : 0);
    struct convert_block block = {
        .from = {from->x, from->y, is_volume(from) ? from->layer : 0},
        .width = width,
        .to = {to->x,   to->y,   is_volume(to) ? to->layer : 0    },
        .height = height,
    };
    for (uint32_t c = 0; c < 4; c++)
        block.bits[c] = components.bits[c];
    const struct ag_converter_pipeline *const pipeline = get_pipeline(blitter, kind);
    if (!pipeline)
        return false;
    struct ag_bind_item items[BINDING_COUNT];
    memset(items, 0, sizeof items);
    for (uint32_t i = 0; i < BINDING_COUNT; i++)
        items[i].binding = i;
    items[BINDING_SOURCE].view = get_view(blitter, from, &items[BINDING_SOURCE].id);
    items[BINDING_RESULT].view = get_view(blitter, to, &items[BINDING_RESULT].id);
    const bool done = record(blitter, pipeline, &block, items);
    for (uint32_t i = BINDING_SOURCE; i <= BINDING_RESULT; i++)
        if (!items[i].id)
            wgpuTextureViewRelease(items[i].view);
    return done;
}
