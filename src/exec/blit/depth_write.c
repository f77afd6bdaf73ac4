/* SPDX-License-Identifier: MIT */
#include "exec/blit/depth_write.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/map.h"
#include "exec/blit/blitter.h"
#include "exec/blit/pipeline_map.h"
#include "exec/blit/texture_convert.h"
#include "exec/host/host.h"
#include "exec/host/report.h"
#include "exec/object/texture.h"
#include "exec/object/view.h"
#include "exec/record/bind_group.h"
#include "exec/record/encoder.h"
#include "exec/record/upload_ring.h"
#include "format/format.h"
#include "gpu/compilation.h"
#include "gpu/gpu.h"
#include "gpu/webgpu.h"

#define STENCIL_BITS 8
#define STRIP_BYTES (UINT64_C(1) << 20)   /* the most bytes of texels that one draw reads from the guest */
#define COPIED_BYTES (UINT64_C(16) << 20) /* and from a texture */

/* The uniform block: struct Write of the WGSL. */
struct write_block {
    uint32_t x, y;     /* of the rectangle */
    uint32_t width;    /* words in a row */
    uint32_t stencils; /* the index of the first stencil word, behind the depth words */
};

static const char wgsl[] =
    "struct Write { x: u32, y: u32, width: u32, stencils: u32 }\n"
    "@group(0) @binding(0) var<uniform> write: Write;\n"
    "@group(0) @binding(1) var<storage, read> source: array<u32>;\n"
    "struct Corner { @builtin(position) position: vec4<f32>, @location(0) @interpolate(flat) bit: u32 }\n"
    "@vertex fn vertex(@builtin(vertex_index) i: u32, @builtin(instance_index) bit: u32) -> Corner {\n"
    "    return Corner(vec4<f32>(f32(i & 1u) * 2.0 - 1.0, f32(i >> 1u) * 2.0 - 1.0, 0.0, 1.0), bit);\n"
    "}\n"
    "fn texel(p: vec4<f32>) -> u32 { return (u32(p.y) - write.y) * write.width + u32(p.x) - write.x; }\n"
    "@fragment fn depth(corner: Corner) -> @builtin(frag_depth) f32 {\n"
    "    return bitcast<f32>(source[texel(corner.position)]);\n"
    "}\n"
    "@fragment fn stencil(corner: Corner) {\n"
    "    let value = source[write.stencils + texel(corner.position)];\n"
    "    if (((value >> corner.bit) & 1u) == 0u) { discard; }\n"
    "}\n";

/* ---- Pipelines ---------------------------------------------------------------------------------------- */

static void make_shared(struct ag_blitter *blitter)
{
    struct ag_depth_writer *writer = &blitter->depth_writer;
    const WGPUBindGroupLayoutEntry entries[] = {
        {.binding = 0,
         .visibility = WGPUShaderStage_Fragment,
         .buffer = {.type = WGPUBufferBindingType_Uniform, .minBindingSize = sizeof(struct write_block)}},
        {.binding = 1,
         .visibility = WGPUShaderStage_Fragment,
         .buffer = {.type = WGPUBufferBindingType_ReadOnlyStorage, .minBindingSize = 4}                 },
    };
    const WGPUBindGroupLayoutDescriptor descriptor = {
        .label = ag_webgpu_string("depth write"), .entryCount = 2, .entries = entries};
    if (writer->module)
        return;
    writer->module = ag_gpu_create_shader(blitter->host->gpu, wgsl, sizeof wgsl - 1, "depth write");
    writer->layout = wgpuDeviceCreateBindGroupLayout(blitter->host->device, &descriptor);
}

static WGPURenderPipeline create_pipeline(struct ag_blitter *blitter, const struct ag_host_format *format,
                                          bool depth, uint32_t stencil_mask)
{
    const struct ag_depth_writer *writer = &blitter->depth_writer;
    const WGPUPipelineLayoutDescriptor layout_descriptor = {.label = ag_webgpu_string("depth write"),
                                                            .bindGroupLayoutCount = 1,
                                                            .bindGroupLayouts = &writer->layout};
    WGPUPipelineLayout layout = wgpuDeviceCreatePipelineLayout(blitter->host->device, &layout_descriptor);
    const WGPUDepthStencilState state = ag_overwriting_state(blitter->host, format, depth, stencil_mask);
    const WGPUFragmentState fragment = {.module = writer->module,
                                        .entryPoint = ag_webgpu_string(depth ? "depth" : "stencil")};
    const WGPURenderPipelineDescriptor descriptor = {
        .label = ag_webgpu_string(depth ? "depth write" : "stencil write"),
        .layout = layout,
        .vertex = {.module = writer->module,                        .entryPoint = ag_webgpu_string("vertex")},
        .primitive = {.topology = WGPUPrimitiveTopology_TriangleStrip},
        .depthStencil = &state,
        .multisample = {.count = 1,                             .mask = UINT32_MAX                                        },
        .fragment = &fragment,
    };
    WGPURenderPipeline pipeline = ag_gpu_create_render_pipeline(blitter->host->gpu, &descriptor);
    blitter->host->counts.pipelines++;
    wgpuPipelineLayoutRelease(layout);
    return pipeline;
}

/* The pipeline that writes depth, or the bits of stencil in the mask, or both. */
static WGPURenderPipeline get_pipeline(struct ag_blitter *blitter, const struct ag_host_format *format,
                                       bool depth, uint32_t stencil_mask)
{
    const uint64_t key = (uint64_t)format->texture << 16 | (uint64_t)depth << 8 | stencil_mask;
    WGPURenderPipeline pipeline = ag_map_get(&blitter->depth_writer.pipelines, key);
    if (pipeline)
        return pipeline;
    return ag_pipeline_map_keep(blitter, &blitter->depth_writer.pipelines, key,
                                create_pipeline(blitter, format, depth, stencil_mask));
}

/* ---- Draws -------------------------------------------------------------------------------------------- */

/* What is written: rows of the guest's bytes, or rows of floats and of stencil without padding. */
struct depth_rows {
    const uint8_t *guest;
    uint64_t pitch;
    const uint8_t *depth, *stencil; /* when `guest` is null; without a stencil plane `stencil` is null */
};

/* Expands a row to words of depth and stencil; returns the bits that some stencil value has. */
static uint32_t expand_row(const struct ag_host_format *format, const struct depth_rows *rows, uint64_t row,
                           uint32_t width, uint8_t *depth, uint8_t *stencil)
{
    uint32_t bits = 0;
    if (rows->guest)
        return ag_host_format_expand_planes(format, rows->guest + row * rows->pitch, depth, stencil, width);
    memcpy(depth, rows->depth + row * width * 4, (size_t)width * 4);
    for (uint32_t x = 0; x < width; x++) {
        const uint8_t value = rows->stencil ? rows->stencil[row * width + x] : 0;
        ag_store_u32(stencil + (size_t)x * 4, value);
        bits |= value;
    }
    return bits;
}

/* Makes a buffer of words of depth and, behind them, words of stencil, of the rows that a strip of them has.
 * *bits gets the bits that some stencil value has. The buffer is not a slice of the upload ring, whose slices
 * a draw that is being prepared may hold. Null when memory is exhausted (reported). */
static WGPUBuffer make_words(struct ag_blitter *blitter, const struct ag_host_format *format,
                             const struct ag_unit_rect *strip, const struct depth_rows *rows, uint32_t first,
                             uint32_t *bits)
{
    const uint64_t texels = (uint64_t)strip->width * strip->height;
    uint8_t *words = malloc((size_t)(8 * texels));
    if (!words) {
        ag_host_no_memory(blitter->host);
        return NULL;
    }
    for (uint64_t row = 0; row < strip->height; row++)
        *bits |= expand_row(format, rows, first + row, strip->width, words + 4 * row * strip->width,
                            words + 4 * (texels + row * strip->width));
    const uint64_t bytes = ag_host_format_has(format, AG_FORMAT_STENCIL) ? 8 * texels : 4 * texels;
    WGPUBuffer buffer = ag_recorder_scratch_buffer(
        blitter->recorder, bytes, WGPUBufferUsage_Storage | WGPUBufferUsage_CopyDst, "depth and stencil");
    if (buffer)
        wgpuQueueWriteBuffer(ag_gpu_writer(blitter->host->gpu), buffer, 0, words, (size_t)bytes);
    free(words);
    return buffer;
}

/* Binds words in rows of `row_words`, and where they go. */
static WGPUBindGroup bind_words(struct ag_blitter *blitter, const struct ag_unit_rect *strip,
                                uint32_t row_words, WGPUBuffer words)
{
    const struct write_block block = {strip->x, strip->y, row_words, row_words * strip->height};
    struct ag_upload_slice parameters;
    if (!ag_upload_ring_alloc(blitter->recorder, sizeof block, &parameters))
        return NULL;
    memcpy(parameters.bytes, &block, sizeof block);
    const WGPUBindGroupEntry entries[] = {
        {.binding = 0, .buffer = parameters.gpu, .offset = parameters.offset, .size = sizeof block},
        {.binding = 1,            .buffer = words,                         .size = wgpuBufferGetSize(words)                         },
    };
    const WGPUBindGroupDescriptor descriptor = {
        .label = ag_webgpu_string("depth write"),
        .layout = blitter->depth_writer.layout,
        .entryCount = 2,
        .entries = entries,
    };
    return ag_bind_group_create(blitter->recorder, &descriptor);
}

static WGPURenderPassEncoder begin_pass(struct ag_blitter *blitter, const struct ag_host_format *format,
                                        WGPUTextureView view)
{
    const WGPURenderPassDepthStencilAttachment attachment = ag_kept_depth(format, view);
    const WGPURenderPassDescriptor descriptor = {.label = ag_webgpu_string("depth write"),
                                                 .depthStencilAttachment = &attachment};
    blitter->host->counts.render_passes++;
    WGPUCommandEncoder encoder = ag_recorder_encoder(blitter->recorder);
    ag_recorder_note_colors(blitter->recorder, descriptor.colorAttachmentCount);
    return wgpuCommandEncoderBeginRenderPass(encoder, &descriptor);
}

static bool draw(struct ag_blitter *blitter, WGPURenderPassEncoder pass, const struct ag_host_format *format,
                 uint32_t bits)
{
    const bool has_stencil = ag_host_format_has(format, AG_FORMAT_STENCIL);
    WGPURenderPipeline pipeline = get_pipeline(blitter, format, true, has_stencil ? 0xFF : 0);
    if (!pipeline)
        return false;
    wgpuRenderPassEncoderSetPipeline(pass, pipeline);
    wgpuRenderPassEncoderSetStencilReference(pass, 0);
    wgpuRenderPassEncoderDraw(pass, 4, 1, 0, 0);
    wgpuRenderPassEncoderSetStencilReference(pass, 0xFF);
    for (uint32_t bit = 0; has_stencil && bit < STENCIL_BITS; bit++) {
        if (!(bits >> bit & 1))
            continue;
        pipeline = get_pipeline(blitter, format, false, 1u << bit);
        if (!pipeline)
            return false;
        wgpuRenderPassEncoderSetPipeline(pass, pipeline);
        wgpuRenderPassEncoderDraw(pass, 4, 1, 0, bit);
    }
    return true;
}

/* Draws words of depth, in rows of `row_words`, and those of stencil, of which some have the bits. */
static bool draw_words(struct ag_blitter *blitter, WGPURenderPassEncoder pass,
                       const struct ag_host_format *format, const struct ag_unit_rect *strip,
                       uint32_t row_words, WGPUBuffer words, uint32_t bits)
{
    WGPUBindGroup group = bind_words(blitter, strip, row_words, words);
    if (!group)
        return false;
    wgpuRenderPassEncoderSetBindGroup(pass, 0, group, 0, NULL);
    wgpuRenderPassEncoderSetViewport(pass, (float)strip->x, (float)strip->y, (float)strip->width,
                                     (float)strip->height, 0, 1);
    const bool drawn = draw(blitter, pass, format, bits);
    wgpuBindGroupRelease(group);
    return drawn;
}

static bool write_strip(struct ag_blitter *blitter, WGPURenderPassEncoder pass,
                        const struct ag_host_format *format, const struct ag_unit_rect *strip,
                        const struct depth_rows *rows, uint32_t first)
{
    uint32_t bits = 0;
    WGPUBuffer words = make_words(blitter, format, strip, rows, first, &bits);
    return words && draw_words(blitter, pass, format, strip, strip->width, words, bits);
}

/* Nothing may be submitted here, since a draw that is being prepared may need this texture. */
static bool write_rows(struct ag_blitter *blitter, struct ag_texture *texture,
                       const struct ag_unit_rect *rect, const struct depth_rows *from)
{
    const uint64_t fitting = STRIP_BYTES / (8 * (uint64_t)rect->width);
    const uint32_t rows = fitting ? (uint32_t)fitting : 1;
    bool written = true;
    make_shared(blitter);
    WGPUTextureView view = ag_view_subresource(&texture->whole, rect->mip, rect->slice);
    WGPURenderPassEncoder pass = begin_pass(blitter, texture->format, view);
    for (uint32_t row = 0; row < rect->height && written; row += rows) {
        struct ag_unit_rect strip = *rect;
        strip.y += row;
        strip.height = rect->height - row < rows ? rect->height - row : rows;
        written = write_strip(blitter, pass, texture->format, &strip, from, row);
    }
    wgpuRenderPassEncoderEnd(pass);
    wgpuRenderPassEncoderRelease(pass);
    wgpuTextureViewRelease(view);
    ag_recorder_mark_used(blitter->recorder, &texture->resource);
    return written;
}

bool ag_depth_write(struct ag_blitter *blitter, struct ag_texture *texture, const struct ag_unit_rect *rect,
                    const uint8_t *guest, uint64_t pitch)
{
    const struct depth_rows rows = {.guest = guest, .pitch = pitch};
    return write_rows(blitter, texture, rect, &rows);
}

bool ag_depth_write_planes(struct ag_blitter *blitter, struct ag_texture *texture,
                           const struct ag_unit_rect *rect, const uint8_t *depth, const uint8_t *stencil)
{
    const struct depth_rows rows = {.depth = depth, .stencil = stencil};
    return write_rows(blitter, texture, rect, &rows);
}

/* ---- Copies ------------------------------------------------------------------------------------------- */

/* Copies rows of texels into a buffer. *pitch gets the bytes from row to row. Null when memory is exhausted
 * (reported). */
static WGPUBuffer read_rows(struct ag_blitter *blitter, const struct ag_texel_rect *from, uint32_t row,
                            uint32_t width, uint32_t rows, uint32_t *pitch)
{
    *pitch = (uint32_t)ag_align_up(4 * (uint64_t)width, 256);
    WGPUBuffer words = ag_recorder_scratch_buffer(blitter->recorder, *pitch * (uint64_t)rows,
                                                  WGPUBufferUsage_Storage | WGPUBufferUsage_CopyDst,
                                                  "texels that become depth");
    if (!words)
        return NULL;
    WGPUTexelCopyTextureInfo source = ag_texture_place(from->texture, from->mip, from->layer);
    source.origin.y = row;
    const WGPUTexelCopyBufferInfo destination = {
        .buffer = words, .layout = {.bytesPerRow = *pitch, .rowsPerImage = rows}
    };
    const WGPUExtent3D extent = {width, rows, 1};
    ag_gpu_copy_to_buffer(blitter->host->gpu, ag_recorder_encoder(blitter->recorder), &source, &destination,
                          &extent);
    return words;
}

bool ag_depth_copy(struct ag_blitter *blitter, const struct ag_texel_rect *to,
                   const struct ag_texel_rect *from)
{
    const struct ag_mip_layout *mip = &to->texture->layout.mips[to->mip];
    const uint32_t fitting = (uint32_t)(COPIED_BYTES / ag_align_up(4 * (uint64_t)mip->width, 256));
    const uint32_t step = fitting ? fitting : 1;
    bool copied = true;
    make_shared(blitter);
    WGPUTextureView view = ag_view_subresource(&to->texture->whole, to->mip, to->layer);
    for (uint32_t row = 0; row < mip->height && copied; row += step) {
        const uint32_t rows = mip->height - row < step ? mip->height - row : step;
        const struct ag_unit_rect strip = {to->mip, to->layer, 0, row, mip->width, rows};
        uint32_t pitch;
        WGPUBuffer words = read_rows(blitter, from, row, mip->width, rows, &pitch);
        if (!words) {
            copied = false;
            break;
        }
        WGPURenderPassEncoder pass = begin_pass(blitter, to->texture->format, view);
        copied = draw_words(blitter, pass, to->texture->format, &strip, pitch / 4, words, 0);
        wgpuRenderPassEncoderEnd(pass);
        wgpuRenderPassEncoderRelease(pass);
    }
    wgpuTextureViewRelease(view);
    return copied;
}

void ag_depth_writer_fini(struct ag_depth_writer *writer)
{
    ag_pipeline_map_fini(&writer->pipelines);
    if (writer->module)
        wgpuShaderModuleRelease(writer->module);
    if (writer->layout)
        wgpuBindGroupLayoutRelease(writer->layout);
    memset(writer, 0, sizeof *writer);
}
