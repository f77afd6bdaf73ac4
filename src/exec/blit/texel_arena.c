/* SPDX-License-Identifier: MIT */
#include "exec/blit/texel_arena.h"

#include <inttypes.h>
#include <string.h>

#include "base/bytes.h"
#include "base/format.h"
#include "exec/blit/blitter.h"
#include "exec/host/host.h"
#include "exec/object/texture.h"
#include "exec/object/view.h"
#include "exec/record/bind_group.h"
#include "exec/record/encoder.h"
#include "exec/record/upload_ring.h"
#include "format/format.h"
#include "gpu/compilation.h"
#include "gpu/gpu.h"
#include "gpu/label.h"

#define SIDE 8 /* of a workgroup, which is a square */
#define BLOCK_BYTES 32

/* The texture's kind and scalar type, the coordinates of a load, and what one texel becomes. */
static const char kernel_wgsl[] =
    "@group(0) @binding(0) var source: texture_%s<%s>;\n"
    "@group(0) @binding(1) var<uniform> block: array<vec4<u32>, 2>;\n"
    "@group(0) @binding(2) var<storage, read_write> arena: array<u32>;\n"
    "@compute @workgroup_size(8, 8) fn store(@builtin(global_invocation_id) p: vec3<u32>) {\n"
    "    let size = block[1].xy;\n"
    "    let level = block[0].x;\n"
    "    if (any(p.xy >= size)) {\n"
    "        return;\n"
    "    }\n"
    "    let texel = textureLoad(source, %s, level);\n"
    "    let bits = bitcast<vec4<u32>>(texel);\n"
    "    let at = (p.z * size.y + p.y) * size.x + p.x;\n"
    "    let first = block[0].y;\n"
    "    switch block[0].z {\n"
    "%s"
    "        case 3u, 4u: {\n"
    "            arena[first + at] = bits.x;\n"
    "        }\n"
    "        default: {\n"
    "            for (var c = 0u; c < 4u; c++) {\n"
    "                arena[first + 4u * at + c] = bits[c];\n"
    "            }\n"
    "        }\n"
    "    }\n"
    "}\n";

static const char packed_wgsl[] = "        case 1u: {\n"
                                  "            arena[first + at] = pack4x8unorm(texel);\n"
                                  "        }\n"
                                  "        case 2u: {\n"
                                  "            arena[first + 2u * at] = pack2x16float(texel.xy);\n"
                                  "            arena[first + 2u * at + 1u] = pack2x16float(texel.zw);\n"
                                  "        }\n";

/* ---- Levels ------------------------------------------------------------------------------------------- */

static bool has_eight_bits(const struct ag_host_format *format)
{
    const struct ag_components components = ag_host_format_components(format);
    bool some = false;
    for (uint32_t c = 0; c < 4; c++) {
        if (components.bits[c] != 0 && components.bits[c] != 8)
            return false;
        some |= components.bits[c] != 0;
    }
    return some;
}

static bool is_red(const struct ag_host_format *format)
{
    const struct ag_components components = ag_host_format_components(format);
    return components.bits[0] != 0 && components.bits[1] == 0 && components.bits[2] == 0 &&
           components.bits[3] == 0;
}

/* The smallest encoding that keeps every value. Blocks and sRGB texels are within [0, 1], and halves are
 * finer than they. */
static enum ag_overflow_encoding encoding_of(const struct ag_host_format *format)
{
    const bool unorm = format->number == AG_NUMBER_UNORM;
    const bool blocks = format->block_width > 1;
    if (format->class != AG_CLASS_FLOAT)
        return is_red(format) && !ag_host_format_has(format, AG_FORMAT_STENCIL) ? AG_OVERFLOW_INTEGER
                                                                                : AG_OVERFLOW_FOUR_WORDS;
    if (unorm && (blocks || ag_host_format_has(format, AG_FORMAT_SRGB)))
        return AG_OVERFLOW_HALVES;
    if (unorm && has_eight_bits(format))
        return AG_OVERFLOW_UNORM8;
    return !blocks && is_red(format) ? AG_OVERFLOW_FLOAT : AG_OVERFLOW_FOUR_WORDS;
}

static uint32_t words_of(enum ag_overflow_encoding encoding)
{
    return encoding == AG_OVERFLOW_FOUR_WORDS ? 4 : encoding == AG_OVERFLOW_HALVES ? 2 : 1;
}

bool ag_texel_levels_init(struct ag_texel_levels *levels, const struct ag_texture_view *view)
{
    const WGPUExtent3D extent = ag_view_extent(view);
    const bool volume = view->texture->dimension == AG_TEXTURE_3D;
    *levels = (struct ag_texel_levels){
        .width = extent.width,
        .height = extent.height,
        .slices = volume ? ag_mip_size(view->texture->depth, view->base_mip) : view->layer_count,
        .count = view->mip_count < AG_OVERFLOW_MAX_LEVELS ? view->mip_count : AG_OVERFLOW_MAX_LEVELS,
        .volume = volume,
        .encoding = encoding_of(view->format),
    };
    for (uint32_t i = 0; i < levels->count; i++) {
        if (levels->words > UINT32_MAX)
            return false;
        levels->first[i] = (uint32_t)levels->words;
        levels->words += (uint64_t)ag_mip_size(levels->width, i) * ag_mip_size(levels->height, i) *
                         (volume ? ag_mip_size(levels->slices, i) : levels->slices) *
                         words_of(levels->encoding);
    }
    return levels->words <= UINT32_MAX;
}

/* ---- Storing ------------------------------------------------------------------------------------------ */

static uint32_t kind_of(const struct ag_texture_view *view, bool volume)
{
    const uint32_t type = view->format->class == AG_CLASS_UINT   ? 1
                          : view->format->class == AG_CLASS_SINT ? 2
                                                                 : 0;
    return type * 2 + volume;
}

static void create_pipeline(struct ag_blitter *blitter, uint32_t kind)
{
    static const WGPUTextureSampleType types[] = {WGPUTextureSampleType_UnfilterableFloat,
                                                  WGPUTextureSampleType_Uint, WGPUTextureSampleType_Sint};
    static const char *const names[] = {"f32", "u32", "i32"};
    struct ag_texel_arena *arena = &blitter->texel_arena;
    const bool volume = kind & 1;
    char text[sizeof kernel_wgsl + sizeof packed_wgsl + 64];
    const size_t length =
        ag_text_format(text, sizeof text, kernel_wgsl, volume ? "3d" : "2d_array", names[kind / 2],
                       volume ? "p" : "p.xy, p.z", kind / 2 == 0 ? packed_wgsl : "");
    const WGPUBindGroupLayoutEntry entries[] = {
        {.binding = 0,
         .visibility = WGPUShaderStage_Compute,
         .texture = {.sampleType = types[kind / 2],
                     .viewDimension =
                         volume ? WGPUTextureViewDimension_3D : WGPUTextureViewDimension_2DArray}},
        {.binding = 1,
         .visibility = WGPUShaderStage_Compute,
         .buffer = {.type = WGPUBufferBindingType_Uniform, .minBindingSize = BLOCK_BYTES}        },
        {.binding = 2,
         .visibility = WGPUShaderStage_Compute,
         .buffer = {.type = WGPUBufferBindingType_Storage, .minBindingSize = 4}                  },
    };
    const WGPUStringView label = ag_webgpu_string("texels of an arena");
    const WGPUBindGroupLayoutDescriptor layout = {.label = label, .entryCount = 3, .entries = entries};
    arena->layouts[kind] = wgpuDeviceCreateBindGroupLayout(blitter->host->device, &layout);
    const WGPUPipelineLayoutDescriptor layouts = {
        .label = label, .bindGroupLayoutCount = 1, .bindGroupLayouts = &arena->layouts[kind]};
    WGPUPipelineLayout pipeline_layout = wgpuDeviceCreatePipelineLayout(blitter->host->device, &layouts);
    WGPUShaderModule module = ag_gpu_create_shader(blitter->host->gpu, text, length, "texels of an arena");
    const WGPUComputePipelineDescriptor descriptor = {
        .label = label,
        .layout = pipeline_layout,
        .compute = {.module = module, .entryPoint = ag_webgpu_string("store")},
    };
    arena->pipelines[kind] = ag_gpu_create_compute_pipeline(blitter->host->gpu, &descriptor);
    wgpuShaderModuleRelease(module);
    wgpuPipelineLayoutRelease(pipeline_layout);
}

/* The bind group of one level, which the caller releases. Null when memory is exhausted (reported). */
static WGPUBindGroup create_group(struct ag_blitter *blitter, const struct ag_texel_levels *levels,
                                  WGPUTextureView view, uint32_t kind, const struct ag_buffer_range *to,
                                  uint32_t word, uint32_t level)
{
    struct ag_upload_slice slice;
    if (!ag_upload_ring_alloc(blitter->recorder, BLOCK_BYTES, &slice))
        return NULL;
    ag_store_u32(slice.bytes, level);
    ag_store_u32(slice.bytes + 4, word + levels->first[level]);
    ag_store_u32(slice.bytes + 8, levels->encoding);
    ag_store_u32(slice.bytes + 16, ag_mip_size(levels->width, level));
    ag_store_u32(slice.bytes + 20, ag_mip_size(levels->height, level));
    const WGPUBindGroupEntry entries[] = {
        {.binding = 0,            .textureView = view},
        { .binding = 1, .buffer = slice.gpu, .offset = slice.offset, .size = BLOCK_BYTES},
        { .binding = 2, .buffer = to->buffer,      .offset = to->offset, .size = to->size},
    };
    const WGPUBindGroupDescriptor descriptor = {.label = ag_webgpu_string("texels of an arena"),
                                                .layout = blitter->texel_arena.layouts[kind],
                                                .entryCount = 3,
                                                .entries = entries};
    return ag_bind_group_create(blitter->recorder, &descriptor);
}

bool ag_texel_levels_store(struct ag_blitter *blitter, const struct ag_texel_levels *levels,
                           struct ag_texture_view *view, const struct ag_buffer_range *to, uint32_t word)
{
    const uint32_t kind = kind_of(view, levels->volume);
    WGPUTextureView gpu = ag_view_of_dimension(
        blitter->objects, view, levels->volume ? AG_VIEW_DIMENSION_3D : AG_VIEW_DIMENSION_2D_ARRAY, NULL);
    if (!blitter->texel_arena.pipelines[kind])
        create_pipeline(blitter, kind);
    WGPUComputePassEncoder pass =
        ag_compute_pass_begin(ag_recorder_encoder(blitter->recorder), "texels of an arena");
    wgpuComputePassEncoderSetPipeline(pass, blitter->texel_arena.pipelines[kind]);
    bool done = gpu != NULL;
    for (uint32_t i = 0; i < levels->count && done; i++) {
        WGPUBindGroup group = create_group(blitter, levels, gpu, kind, to, word, i);
        done = group != NULL;
        if (!done)
            break;
        wgpuComputePassEncoderSetBindGroup(pass, 0, group, 0, NULL);
        wgpuComputePassEncoderDispatchWorkgroups(pass, (ag_mip_size(levels->width, i) + SIDE - 1) / SIDE,
                                                 (ag_mip_size(levels->height, i) + SIDE - 1) / SIDE,
                                                 levels->volume ? ag_mip_size(levels->slices, i)
                                                                : levels->slices);
        wgpuBindGroupRelease(group);
    }
    wgpuComputePassEncoderEnd(pass);
    wgpuComputePassEncoderRelease(pass);
    return done;
}

void ag_texel_arena_fini(struct ag_texel_arena *arena)
{
    for (uint32_t i = 0; i < AG_TEXEL_ARENA_KINDS; i++) {
        if (arena->layouts[i])
            wgpuBindGroupLayoutRelease(arena->layouts[i]);
        if (arena->pipelines[i])
            wgpuComputePipelineRelease(arena->pipelines[i]);
    }
    memset(arena, 0, sizeof *arena);
}
