/* SPDX-License-Identifier: MIT */
#include "exec/blit/sample_image.h"

#include <string.h>

#include "base/bytes.h"
#include "exec/blit/blit.h"
#include "exec/blit/blitter.h"
#include "exec/blit/pipeline_map.h"
#include "exec/host/host.h"
#include "exec/object/sample_count.h"
#include "exec/object/texture.h"
#include "exec/record/bind_group.h"
#include "exec/record/encoder.h"
#include "exec/record/upload_ring.h"
#include "format/format.h"
#include "gpu/compilation.h"
#include "gpu/gpu.h"
#include "gpu/webgpu.h"

#define STENCIL_BITS 8u
#define PARAMETER_BYTES 16u

/* ---- Images ------------------------------------------------------------------------------------------ */

static bool is_depth(const struct ag_texture *texture)
{
    return ag_host_format_has(texture->format, AG_FORMAT_DEPTH);
}

static bool is_stencil(const struct ag_texture *texture, uint32_t image)
{
    return is_depth(texture) && image == 1;
}

uint32_t ag_sample_image_count(const struct ag_texture *texture)
{
    if (is_depth(texture))
        return ag_host_format_has(texture->format, AG_FORMAT_STENCIL) ? 2 : 1;
    return ag_texture_plane_count(texture);
}

static const struct ag_host_format *format_of_plane(WGPUTextureFormat texture)
{
    return ag_host_format(texture == WGPUTextureFormat_R32Float   ? AG_DXGI_R32_FLOAT
                          : texture == WGPUTextureFormat_RG16Uint ? AG_DXGI_R16G16_UINT
                                                                  : AG_DXGI_R16G16B16A16_UINT);
}

/* Texels of sRGB are bytes here, so that nothing is converted. */
const struct ag_host_format *ag_sample_image_format(const struct ag_texture *texture, uint32_t image)
{
    if (is_depth(texture))
        return ag_host_format(is_stencil(texture, image) ? AG_DXGI_R8_UINT : AG_DXGI_R32_FLOAT);
    if (texture->planes.count)
        return format_of_plane(texture->planes.texture);
    return ag_host_format_has(texture->format, AG_FORMAT_SRGB)
               ? ag_host_format(texture->format->srgb_counterpart)
               : texture->format;
}

static WGPUTexture texture_of(const struct ag_texture *texture, uint32_t slice, uint32_t image)
{
    return ag_texture_plane_place(texture, 0, slice, is_depth(texture) ? 0 : image).texture;
}

/* A view of all samples: of the plane that shaders read, or of all aspects as an attachment. */
static WGPUTextureView view_of(const struct ag_texture *texture, uint32_t slice, uint32_t image,
                               bool attached)
{
    const WGPUTextureViewDescriptor descriptor = {
        .label = ag_webgpu_string("samples"),
        .format =
            is_depth(texture) ? WGPUTextureFormat_Undefined : ag_sample_image_format(texture, image)->texture,
        .dimension = WGPUTextureViewDimension_2D,
        .mipLevelCount = 1,
        .arrayLayerCount = 1,
        .aspect = attached || !is_depth(texture) ? WGPUTextureAspect_All
                  : is_stencil(texture, image)   ? WGPUTextureAspect_StencilOnly
                                                 : WGPUTextureAspect_DepthOnly,
    };
    return wgpuTextureCreateView(texture_of(texture, slice, image), &descriptor);
}

/* ---- Arrays ------------------------------------------------------------------------------------------ */

WGPUTexture ag_sample_image_array(struct ag_blitter *blitter, const struct ag_texture *texture,
                                  uint32_t image)
{
    const WGPUTextureDescriptor descriptor = {
        .label = ag_webgpu_string("samples in layers"),
        .usage = WGPUTextureUsage_CopySrc | WGPUTextureUsage_CopyDst | WGPUTextureUsage_TextureBinding |
                 WGPUTextureUsage_RenderAttachment,
        .dimension = WGPUTextureDimension_2D,
        .size = {texture->width, texture->height, ag_samples_host(texture->sample_count)},
        .format = ag_sample_image_format(texture, image)->texture,
        .mipLevelCount = 1,
        .sampleCount = 1,
    };
    return wgpuDeviceCreateTexture(ag_gpu_maker(blitter->host->gpu), &descriptor);
}

static WGPUTextureView layers_of(WGPUTexture array, uint32_t first, uint32_t count)
{
    const WGPUTextureViewDescriptor descriptor = {
        .label = ag_webgpu_string("samples in layers"),
        .dimension = count == 1 ? WGPUTextureViewDimension_2D : WGPUTextureViewDimension_2DArray,
        .mipLevelCount = 1,
        .baseArrayLayer = first,
        .arrayLayerCount = count,
    };
    return wgpuTextureCreateView(array, &descriptor);
}

/* ---- Reading ----------------------------------------------------------------------------------------- */

bool ag_sample_image_read(struct ag_blitter *blitter, const struct ag_texture *texture, uint32_t slice,
                          uint32_t image, WGPUTexture array)
{
    const struct ag_host_format *format = ag_sample_image_format(texture, image);
    const enum ag_blit_kind kind = format->class == AG_CLASS_UINT   ? AG_BLIT_SAMPLE_UINT
                                   : format->class == AG_CLASS_SINT ? AG_BLIT_SAMPLE_SINT
                                                                    : AG_BLIT_SAMPLE_FLOAT;
    for (uint32_t sample = 0; sample < ag_samples_host(texture->sample_count); sample++)
        if (!ag_blit(blitter, kind, layers_of(array, sample, 1), format,
                     view_of(texture, slice, image, false), sample))
            return false;
    return true;
}

/* ---- Writing ----------------------------------------------------------------------------------------- */

#define WGSL(type, pixel)                                                                                    \
    "@group(0) @binding(0) var source: texture_2d_array<" type ">;\n"                                        \
    "@group(0) @binding(1) var<uniform> bit: vec4<u32>;\n"                                                   \
    "@vertex fn vertex(@builtin(vertex_index) i: u32) -> @builtin(position) vec4<f32> {\n"                   \
    "    return vec4<f32>(f32(i & 1u) * 4.0 - 1.0, f32(i >> 1u) * 4.0 - 1.0, 0.0, 1.0);\n"                   \
    "}\n"                                                                                                    \
    "fn load(p: vec4<f32>, s: u32) -> vec4<" type "> {\n"                                                    \
    "    return textureLoad(source, vec2<u32>(p.xy), s, 0);\n"                                               \
    "}\n" pixel
#define COLOR(type)                                                                                          \
    WGSL(type, "@fragment fn pixel(@builtin(position) p: vec4<f32>, @builtin(sample_index) s: u32)\n"        \
               "    -> @location(0) vec4<" type "> { return load(p, s); }\n")

enum writer { WRITER_FLOAT, WRITER_UINT, WRITER_SINT, WRITER_DEPTH, WRITER_STENCIL, WRITER_COUNT };

static const char depth_wgsl[] =
    WGSL("f32", "@fragment fn pixel(@builtin(position) p: vec4<f32>, @builtin(sample_index) s: u32)\n"
                "    -> @builtin(frag_depth) f32 { return load(p, s).x; }\n");

static const char stencil_wgsl[] =
    WGSL("u32", "@fragment fn pixel(@builtin(position) p: vec4<f32>, @builtin(sample_index) s: u32) {\n"
                "    if (((load(p, s).x >> bit.x) & 1u) == 0u) { discard; }\n"
                "}\n");

static const char *const wgsl_of[WRITER_COUNT] = {
    [WRITER_FLOAT] = COLOR("f32"), [WRITER_UINT] = COLOR("u32"),    [WRITER_SINT] = COLOR("i32"),
    [WRITER_DEPTH] = depth_wgsl,   [WRITER_STENCIL] = stencil_wgsl,
};

static WGPUTextureSampleType sample_type_of(enum writer writer)
{
    return writer == WRITER_UINT || writer == WRITER_STENCIL ? WGPUTextureSampleType_Uint
           : writer == WRITER_SINT                           ? WGPUTextureSampleType_Sint
                                                             : WGPUTextureSampleType_UnfilterableFloat;
}

static enum writer writer_of(const struct ag_texture *texture, uint32_t image)
{
    const struct ag_host_format *format = ag_sample_image_format(texture, image);
    if (is_depth(texture))
        return is_stencil(texture, image) ? WRITER_STENCIL : WRITER_DEPTH;
    return format->class == AG_CLASS_UINT   ? WRITER_UINT
           : format->class == AG_CLASS_SINT ? WRITER_SINT
                                            : WRITER_FLOAT;
}

/* What the draws of one write share. */
struct writing {
    struct ag_blitter *blitter;
    const struct ag_texture *texture;
    uint32_t image;
    enum writer writer;
    WGPUShaderModule module;
    WGPUBindGroupLayout layout;
    WGPUPipelineLayout pipeline_layout;
    WGPUTextureView source;
};

static void begin(struct writing *writing, WGPUTexture array)
{
    const struct ag_host *host = writing->blitter->host;
    const char *wgsl = wgsl_of[writing->writer];
    const WGPUBindGroupLayoutEntry entries[] = {
        {.binding = 0,
         .visibility = WGPUShaderStage_Fragment,
         .texture = {.sampleType = sample_type_of(writing->writer),
                     .viewDimension = WGPUTextureViewDimension_2DArray}                      },
        {.binding = 1,
         .visibility = WGPUShaderStage_Fragment,
         .buffer = {.type = WGPUBufferBindingType_Uniform, .minBindingSize = PARAMETER_BYTES}},
    };
    const WGPUBindGroupLayoutDescriptor descriptor = {
        .label = ag_webgpu_string("samples"), .entryCount = 2, .entries = entries};
    writing->module = ag_gpu_create_shader(host->gpu, wgsl, strlen(wgsl), "samples");
    writing->layout = wgpuDeviceCreateBindGroupLayout(host->device, &descriptor);
    const WGPUPipelineLayoutDescriptor pipeline_layout = {.label = ag_webgpu_string("samples"),
                                                          .bindGroupLayoutCount = 1,
                                                          .bindGroupLayouts = &writing->layout};
    writing->pipeline_layout = wgpuDeviceCreatePipelineLayout(host->device, &pipeline_layout);
    writing->source = layers_of(array, 0, ag_samples_host(writing->texture->sample_count));
}

static void end(struct writing *writing)
{
    wgpuTextureViewRelease(writing->source);
    wgpuPipelineLayoutRelease(writing->pipeline_layout);
    wgpuBindGroupLayoutRelease(writing->layout);
    wgpuShaderModuleRelease(writing->module);
}

/* The pipeline that writes all, or one bit of stencil. */
static WGPURenderPipeline create_pipeline(const struct writing *writing, uint32_t bit)
{
    const struct ag_texture *texture = writing->texture;
    const bool depth = is_depth(texture);
    const WGPUColorTargetState target = {.format = ag_sample_image_format(texture, writing->image)->texture,
                                         .writeMask = WGPUColorWriteMask_All};
    const WGPUDepthStencilState state =
        ag_overwriting_state(writing->blitter->host, texture->format, writing->writer == WRITER_DEPTH,
                             writing->writer == WRITER_STENCIL ? 1u << bit : 0);
    const WGPUFragmentState fragment = {.module = writing->module,
                                        .entryPoint = ag_webgpu_string("pixel"),
                                        .targetCount = depth ? 0 : 1,
                                        .targets = depth ? NULL : &target};
    const WGPURenderPipelineDescriptor descriptor = {
        .label = ag_webgpu_string("samples"),
        .layout = writing->pipeline_layout,
        .vertex = {.module = writing->module,                      .entryPoint = ag_webgpu_string("vertex")},
        .primitive = {.topology = WGPUPrimitiveTopology_TriangleList},
        .depthStencil = depth ? &state : NULL,
        .multisample = {.count = ag_samples_host(texture->sample_count),                            .mask = UINT32_MAX                                        },
        .fragment = &fragment,
    };
    return ag_gpu_create_render_pipeline(writing->blitter->host->gpu, &descriptor);
}

static bool draw(const struct writing *writing, WGPURenderPassEncoder pass, uint32_t bit)
{
    struct ag_upload_slice parameters;
    if (!ag_upload_ring_alloc(writing->blitter->recorder, PARAMETER_BYTES, &parameters))
        return false;
    memset(parameters.bytes, 0, PARAMETER_BYTES);
    ag_store_u32(parameters.bytes, bit);
    const WGPUBindGroupEntry entries[] = {
        {.binding = 0,                 .textureView = writing->source},
        { .binding = 1, .buffer = parameters.gpu,        .offset = parameters.offset, .size = PARAMETER_BYTES},
    };
    const WGPUBindGroupDescriptor descriptor = {
        .label = ag_webgpu_string("samples"), .layout = writing->layout, .entryCount = 2, .entries = entries};
    WGPUBindGroup group = ag_bind_group_create(writing->blitter->recorder, &descriptor);
    WGPURenderPipeline pipeline = create_pipeline(writing, bit);
    wgpuRenderPassEncoderSetPipeline(pass, pipeline);
    wgpuRenderPassEncoderSetBindGroup(pass, 0, group, 0, NULL);
    wgpuRenderPassEncoderSetStencilReference(pass, 0xFF);
    wgpuRenderPassEncoderDraw(pass, 3, 1, 0, 0);
    wgpuRenderPipelineRelease(pipeline);
    wgpuBindGroupRelease(group);
    return true;
}

static WGPURenderPassEncoder begin_pass(const struct writing *writing, WGPUTextureView view)
{
    const struct ag_texture *texture = writing->texture;
    const WGPURenderPassColorAttachment color = {.view = view,
                                                 .depthSlice = WGPU_DEPTH_SLICE_UNDEFINED,
                                                 .loadOp = WGPULoadOp_Clear,
                                                 .storeOp = WGPUStoreOp_Store};
    WGPURenderPassDepthStencilAttachment attachment = ag_kept_depth(texture->format, view);
    if (writing->writer == WRITER_STENCIL)
        attachment.stencilLoadOp = WGPULoadOp_Clear; /* to 0, to which the draws add bits */
    const bool depth = is_depth(texture);
    const WGPURenderPassDescriptor descriptor = {.label = ag_webgpu_string("samples"),
                                                 .colorAttachmentCount = depth ? 0 : 1,
                                                 .colorAttachments = depth ? NULL : &color,
                                                 .depthStencilAttachment = depth ? &attachment : NULL};
    WGPUCommandEncoder encoder = ag_recorder_encoder(writing->blitter->recorder);
    ag_recorder_note_colors(writing->blitter->recorder, descriptor.colorAttachmentCount);
    return wgpuCommandEncoderBeginRenderPass(encoder, &descriptor);
}

bool ag_sample_image_write(struct ag_blitter *blitter, struct ag_texture *texture, uint32_t slice,
                           uint32_t image, WGPUTexture array)
{
    struct writing writing = {
        .blitter = blitter, .texture = texture, .image = image, .writer = writer_of(texture, image)};
    bool drawn = true;
    WGPUTextureView view = view_of(texture, slice, image, true);
    begin(&writing, array);
    WGPURenderPassEncoder pass = begin_pass(&writing, view);
    const uint32_t draws = writing.writer == WRITER_STENCIL ? STENCIL_BITS : 1;
    for (uint32_t bit = 0; bit < draws && drawn; bit++)
        drawn = draw(&writing, pass, bit);
    wgpuRenderPassEncoderEnd(pass);
    wgpuRenderPassEncoderRelease(pass);
    wgpuTextureViewRelease(view);
    end(&writing);
    ag_recorder_mark_used(blitter->recorder, &texture->resource);
    return drawn;
}
