/* SPDX-License-Identifier: MIT
 *
 * Textures and samplers of jobs. Depth and multisampled textures take no bytes from outside: they are drawn.
 */
#include <stdlib.h>
#include <string.h>

#include "../support/submit.h"
#include "base/bytes.h"
#include "gpu_bind.h"

#define ROW_ALIGNMENT 256

/* ---- Formats ------------------------------------------------------------------------------------------ */

static const struct {
    uint8_t kind, bits, count;
    uint8_t storage; /* enum agpu_storage_format of those that shaders store to */
    bool swapped;    /* blue is first */
    WGPUTextureFormat format;
} formats[] = {
    {AG_REF_FLOAT, 32, 4, AGPU_STORAGE_RGBA32_FLOAT, false, WGPUTextureFormat_RGBA32Float},
    {AG_REF_UINT,  32, 4, AGPU_STORAGE_RGBA32_UINT,  false, WGPUTextureFormat_RGBA32Uint },
    {AG_REF_SINT,  32, 4, AGPU_STORAGE_RGBA32_SINT,  false, WGPUTextureFormat_RGBA32Sint },
    {AG_REF_FLOAT, 16, 4, AGPU_STORAGE_RGBA16_FLOAT, false, WGPUTextureFormat_RGBA16Float},
    {AG_REF_UINT,  16, 4, AGPU_STORAGE_RGBA16_UINT,  false, WGPUTextureFormat_RGBA16Uint },
    {AG_REF_SINT,  16, 4, AGPU_STORAGE_RGBA16_SINT,  false, WGPUTextureFormat_RGBA16Sint },
    {AG_REF_FLOAT, 32, 2, AGPU_STORAGE_RG32_FLOAT,   false, WGPUTextureFormat_RG32Float  },
    {AG_REF_UINT,  32, 2, AGPU_STORAGE_RG32_UINT,    false, WGPUTextureFormat_RG32Uint   },
    {AG_REF_SINT,  32, 2, AGPU_STORAGE_RG32_SINT,    false, WGPUTextureFormat_RG32Sint   },
    {AG_REF_FLOAT, 32, 1, AGPU_STORAGE_R32_FLOAT,    false, WGPUTextureFormat_R32Float   },
    {AG_REF_UINT,  32, 1, AGPU_STORAGE_R32_UINT,     false, WGPUTextureFormat_R32Uint    },
    {AG_REF_SINT,  32, 1, AGPU_STORAGE_R32_SINT,     false, WGPUTextureFormat_R32Sint    },
    {AG_REF_UNORM, 8,  4, AGPU_STORAGE_RGBA8_UNORM,  false, WGPUTextureFormat_RGBA8Unorm },
    {AG_REF_UNORM, 8,  4, AGPU_STORAGE_BGRA8_UNORM,  true,  WGPUTextureFormat_BGRA8Unorm },
    {AG_REF_SNORM, 8,  4, AGPU_STORAGE_RGBA8_SNORM,  false, WGPUTextureFormat_RGBA8Snorm },
    {AG_REF_UINT,  8,  4, AGPU_STORAGE_RGBA8_UINT,   false, WGPUTextureFormat_RGBA8Uint  },
    {AG_REF_SINT,  8,  4, AGPU_STORAGE_RGBA8_SINT,   false, WGPUTextureFormat_RGBA8Sint  },
};
_Static_assert(AG_COUNT_OF(formats) == AGPU_STORAGE_FORMAT_COUNT - 1, "every storage format has a row");

WGPUTextureFormat gpu_format(const struct ag_ref_format *format)
{
    const uint32_t bits = format->channel[0].bits, count = format->bytes * 8u / bits;
    const bool swapped = format->channel[0].offset != 0;
    for (size_t i = 0; i < AG_COUNT_OF(formats); i++)
        if (formats[i].kind == format->kind && formats[i].bits == bits && formats[i].count == count &&
            formats[i].swapped == swapped)
            return formats[i].format;
    return WGPUTextureFormat_Undefined;
}

struct ag_ref_format gpu_storage_format(uint32_t storage_format)
{
    for (size_t i = 0; i < AG_COUNT_OF(formats); i++) {
        if (formats[i].storage != storage_format)
            continue;
        struct ag_ref_format format =
            ag_ref_format_make((enum ag_ref_format_kind)formats[i].kind, formats[i].bits, formats[i].count);
        if (formats[i].swapped) {
            const struct ag_ref_channel first = format.channel[0];
            format.channel[0] = format.channel[2];
            format.channel[2] = first;
        }
        return format;
    }
    return (struct ag_ref_format){0};
}

/* ---- Making ------------------------------------------------------------------------------------------- */

WGPUTextureViewDimension gpu_view_dimension(enum agpu_resource_dimension dimension)
{
    switch (dimension) {
    case AGPU_DIMENSION_TEXTURE3D:
        return WGPUTextureViewDimension_3D;
    case AGPU_DIMENSION_TEXTURECUBE:
        return WGPUTextureViewDimension_Cube;
    case AGPU_DIMENSION_TEXTURECUBEARRAY:
        return WGPUTextureViewDimension_CubeArray;
    case AGPU_DIMENSION_TEXTURE1DARRAY:
    case AGPU_DIMENSION_TEXTURE2DARRAY:
        return WGPUTextureViewDimension_2DArray;
    default:
        return WGPUTextureViewDimension_2D;
    }
}

static uint32_t mip_size(uint32_t size, uint32_t mip)
{
    return size >> mip != 0 ? size >> mip : 1;
}

/* One layer of one mip, as it lies in the view's memory. */
static void write_layer(struct agpu_gpu *gpu, WGPUTexture texture, const struct ag_ref_view *view,
                        uint32_t layer, uint32_t mip)
{
    const WGPUTexelCopyTextureInfo to = {
        .texture = texture, .mipLevel = mip, .origin = {0, 0, layer},
                .aspect = WGPUTextureAspect_All
    };
    const WGPUExtent3D size = {mip_size(view->width, mip), mip_size(view->height, mip),
                               mip_size(view->depth, mip)};
    const WGPUTexelCopyBufferLayout layout = {.bytesPerRow = size.width * view->format.bytes,
                                              .rowsPerImage = size.height};
    const uint8_t *from = (const uint8_t *)view->data + ag_ref_texel_offset(view, layer, mip, 0, 0, 0, 0);
    wgpuQueueWriteTexture(ag_gpu_queue(gpu), &to, from,
                          (size_t)size.width * size.height * size.depthOrArrayLayers * view->format.bytes,
                          &layout, &size);
}

static WGPUTextureView layer_view(WGPUTexture texture, uint32_t layer, uint32_t mip)
{
    const WGPUTextureViewDescriptor descriptor = {
        .dimension = WGPUTextureViewDimension_2D,
        .baseMipLevel = mip,
        .mipLevelCount = 1,
        .baseArrayLayer = layer,
        .arrayLayerCount = 1,
        .aspect = WGPUTextureAspect_All,
    };
    return wgpuTextureCreateView(texture, &descriptor);
}

/* ---- Depth -------------------------------------------------------------------------------------------- */

static const char depth_shader[] =
    "@group(0) @binding(0) var<storage, read> values: array<f32>;\n"
    "@group(0) @binding(1) var<uniform> width: vec4<u32>;\n"
    "@vertex fn corner(@builtin(vertex_index) i: u32) -> @builtin(position) vec4<f32> {\n"
    "    return vec4<f32>(select(-1.0, 3.0, i == 1u), select(-1.0, 3.0, i == 2u), 0.5, 1.0);\n"
    "}\n"
    "@fragment fn depth(@builtin(position) p: vec4<f32>) -> @builtin(frag_depth) f32 {\n"
    "    return values[u32(p.y) * width.x + u32(p.x)];\n"
    "}\n";

static WGPURenderPipeline depth_pipeline(struct agpu_gpu *gpu)
{
    const WGPUShaderModule module = ag_gpu_create_shader(gpu, depth_shader, sizeof depth_shader - 1, NULL);
    const WGPUDepthStencilState depth = {
        .format = WGPUTextureFormat_Depth32Float,
        .depthWriteEnabled = WGPUOptionalBool_True,
        .depthCompare = WGPUCompareFunction_Always,
    };
    const WGPUFragmentState fragment = {.module = module, .entryPoint = ag_webgpu_string("depth")};
    const WGPURenderPipelineDescriptor descriptor = {
        .vertex = {.module = module,                               .entryPoint = ag_webgpu_string("corner")},
        .primitive = {.topology = WGPUPrimitiveTopology_TriangleList},
        .depthStencil = &depth,
        .multisample = {.count = 1,                            .mask = UINT32_MAX                                        },
        .fragment = &fragment,
    };
    const WGPURenderPipeline pipeline = wgpuDeviceCreateRenderPipeline(ag_gpu_device(gpu), &descriptor);
    wgpuShaderModuleRelease(module);
    return pipeline;
}

/* Draws over all of a target with a pipeline of ours. */
static void draw_values(struct agpu_gpu *gpu, WGPURenderPipeline pipeline,
                        const WGPURenderPassDescriptor *pass_descriptor, const void *data, uint64_t bytes,
                        uint32_t row)
{
    const uint32_t width[4] = {row};
    const WGPUBuffer values = gpu_buffer(gpu, WGPUBufferUsage_Storage, 0, data, bytes);
    const WGPUBuffer uniform = gpu_buffer(gpu, WGPUBufferUsage_Uniform, 0, width, sizeof width);
    const WGPUBindGroupLayout layout = wgpuRenderPipelineGetBindGroupLayout(pipeline, 0);
    const WGPUBindGroupEntry entries[] = {
        {.binding = 0, .buffer = values,  .size = wgpuBufferGetSize(values)},
        {.binding = 1, .buffer = uniform, .size = sizeof width             },
    };
    const WGPUBindGroupDescriptor group_descriptor = {.layout = layout, .entryCount = 2, .entries = entries};
    const WGPUBindGroup group = wgpuDeviceCreateBindGroup(ag_gpu_device(gpu), &group_descriptor);
    const WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(ag_gpu_device(gpu), NULL);
    const WGPURenderPassEncoder pass = wgpuCommandEncoderBeginRenderPass(encoder, pass_descriptor);
    wgpuRenderPassEncoderSetPipeline(pass, pipeline);
    wgpuRenderPassEncoderSetBindGroup(pass, 0, group, 0, NULL);
    wgpuRenderPassEncoderDraw(pass, 3, 1, 0, 0);
    wgpuRenderPassEncoderEnd(pass);
    wgpuRenderPassEncoderRelease(pass);
    submit_encoder(gpu, encoder);
    wgpuBindGroupRelease(group);
    wgpuBindGroupLayoutRelease(layout);
    wgpuBufferRelease(uniform);
    wgpuBufferRelease(values);
}

static void draw_depth(struct agpu_gpu *gpu, WGPURenderPipeline pipeline, WGPUTexture texture,
                       const struct ag_ref_view *view, uint32_t layer, uint32_t mip)
{
    const WGPUTextureView target = layer_view(texture, layer, mip);
    const WGPURenderPassDepthStencilAttachment attachment = {
        .view = target, .depthLoadOp = WGPULoadOp_Clear, .depthStoreOp = WGPUStoreOp_Store};
    const WGPURenderPassDescriptor descriptor = {.depthStencilAttachment = &attachment};
    const uint32_t width = mip_size(view->width, mip);
    draw_values(gpu, pipeline, &descriptor,
                (const uint8_t *)view->data + ag_ref_texel_offset(view, layer, mip, 0, 0, 0, 0),
                (uint64_t)width * mip_size(view->height, mip) * 4, width);
    wgpuTextureViewRelease(target);
}

/* ---- Samples ------------------------------------------------------------------------------------------ */

static WGPURenderPipeline sample_pipeline(struct agpu_gpu *gpu, const struct ag_ref_view *view)
{
    const char *type = view->format.kind == AG_REF_SINT   ? "vec4<i32>"
                       : view->format.kind == AG_REF_UINT ? "vec4<u32>"
                                                          : "vec4<f32>";
    struct ag_strbuf text = {0};
    ag_strbuf_printf(
        &text,
        "@group(0) @binding(0) var<storage, read> values: array<%s>;\n"
        "@group(0) @binding(1) var<uniform> width: vec4<u32>;\n"
        "@vertex fn corner(@builtin(vertex_index) i: u32) -> @builtin(position) vec4<f32> {\n"
        "    return vec4<f32>(select(-1.0, 3.0, i == 1u), select(-1.0, 3.0, i == 2u), 0.5, 1.0);\n"
        "}\n"
        "@fragment fn texel(@builtin(position) p: vec4<f32>, @builtin(sample_index) s: u32)\n"
        "    -> @location(0) %s {\n"
        "    return values[(u32(p.y) * width.x + u32(p.x)) * %uu + s];\n"
        "}\n",
        type, type, view->samples);
    const WGPUShaderModule module = ag_gpu_create_shader(gpu, text.data, text.length, NULL);
    const WGPUColorTargetState target = {.format = gpu_format(&view->format),
                                         .writeMask = WGPUColorWriteMask_All};
    const WGPUFragmentState fragment = {
        .module = module, .entryPoint = ag_webgpu_string("texel"), .targetCount = 1, .targets = &target};
    const WGPURenderPipelineDescriptor descriptor = {
        .vertex = {.module = module,                               .entryPoint = ag_webgpu_string("corner")},
        .primitive = {.topology = WGPUPrimitiveTopology_TriangleList},
        .multisample = {.count = view->samples,                            .mask = UINT32_MAX                                        },
        .fragment = &fragment,
    };
    const WGPURenderPipeline pipeline = wgpuDeviceCreateRenderPipeline(ag_gpu_device(gpu), &descriptor);
    wgpuShaderModuleRelease(module);
    ag_strbuf_fini(&text);
    return pipeline;
}

/* Every sample of every texel of a multisampled texture. */
static bool draw_samples(struct agpu_gpu *gpu, WGPUTexture texture, const struct ag_ref_view *view)
{
    const uint64_t count = (uint64_t)view->width * view->height * view->samples;
    uint32_t(*values)[4] = calloc((size_t)count, sizeof *values);
    if (values == NULL)
        return false;
    for (uint64_t i = 0; i < count; i++)
        ag_ref_format_load(&view->format, (const uint8_t *)view->data + i * view->format.bytes, values[i]);
    const WGPURenderPipeline pipeline = sample_pipeline(gpu, view);
    const WGPUTextureView target = layer_view(texture, 0, 0);
    const WGPURenderPassColorAttachment attachment = {
        .view = target,
        .depthSlice = WGPU_DEPTH_SLICE_UNDEFINED,
        .loadOp = WGPULoadOp_Clear,
        .storeOp = WGPUStoreOp_Store,
    };
    const WGPURenderPassDescriptor descriptor = {.colorAttachmentCount = 1, .colorAttachments = &attachment};
    draw_values(gpu, pipeline, &descriptor, values, count * sizeof *values, view->width);
    wgpuTextureViewRelease(target);
    wgpuRenderPipelineRelease(pipeline);
    free(values);
    return true;
}

/* ---- Textures ----------------------------------------------------------------------------------------- */

static bool fill(struct agpu_gpu *gpu, const struct agpu_binding *binding, const struct ag_ref_view *view,
                 WGPUTexture texture)
{
    if (view->samples > 1)
        return draw_samples(gpu, texture, view);
    const bool is_depth =
        binding->sample_type == AGPU_SAMPLE_DEPTH && binding->kind == AGPU_BIND_SAMPLED_TEXTURE;
    const WGPURenderPipeline pipeline = is_depth ? depth_pipeline(gpu) : NULL;
    for (uint32_t layer = 0; layer < view->layers; layer++)
        for (uint32_t mip = 0; mip < view->mips; mip++)
            if (is_depth)
                draw_depth(gpu, pipeline, texture, view, layer, mip);
            else
                write_layer(gpu, texture, view, layer, mip);
    if (pipeline != NULL)
        wgpuRenderPipelineRelease(pipeline);
    return true;
}

bool gpu_texture(struct agpu_gpu *gpu, const struct agpu_binding *binding, const struct ag_ref_view *view,
                 struct gpu_bound *bound)
{
    const bool stored = binding->kind == AGPU_BIND_STORAGE_TEXTURE;
    const bool is_depth = !stored && binding->sample_type == AGPU_SAMPLE_DEPTH;
    const bool is_3d = view->dimension == AGPU_DIMENSION_TEXTURE3D;
    const WGPUTextureFormat format = is_depth ? WGPUTextureFormat_Depth32Float : gpu_format(&view->format);
    const WGPUTextureDescriptor descriptor = {
        .usage =
            (stored ? WGPUTextureUsage_StorageBinding : WGPUTextureUsage_TextureBinding) |
            (is_depth || view->samples > 1 ? WGPUTextureUsage_RenderAttachment : WGPUTextureUsage_CopyDst) |
            (stored ? WGPUTextureUsage_CopySrc : 0),
        .dimension = is_3d ? WGPUTextureDimension_3D : WGPUTextureDimension_2D,
        .size = {view->width, view->height, is_3d ? view->depth : view->layers},
        .format = format,
        .mipLevelCount = view->mips,
        .sampleCount = view->samples,
    };
    if (format == WGPUTextureFormat_Undefined)
        return false;
    const WGPUTextureViewDescriptor view_descriptor = {
        .format = format,
        .dimension = gpu_view_dimension(view->dimension),
        .mipLevelCount = view->mips,
        .arrayLayerCount = view->layers,
        .aspect = WGPUTextureAspect_All,
    };
    bound->texture = wgpuDeviceCreateTexture(ag_gpu_device(gpu), &descriptor);
    bound->view = wgpuTextureCreateView(bound->texture, &view_descriptor);
    return fill(gpu, binding, view, bound->texture);
}

static WGPUFilterMode filter_mode(const struct ag_ref_sampler *sampler, bool filters, uint32_t bit)
{
    return filters && sampler->filter & bit ? WGPUFilterMode_Linear : WGPUFilterMode_Nearest;
}

WGPUSampler gpu_sampler(struct agpu_gpu *gpu, const struct agpu_binding *binding,
                        const struct ag_ref_sampler *sampler)
{
    static const WGPUAddressMode modes[] = {
        [AG_REF_WRAP] = WGPUAddressMode_Repeat,
        [AG_REF_MIRROR] = WGPUAddressMode_MirrorRepeat,
        [AG_REF_CLAMP] = WGPUAddressMode_ClampToEdge,
        [AG_REF_BORDER] = WGPUAddressMode_ClampToEdge, /* emulated, but for cubes, which have no addresses */
        [AG_REF_MIRROR_ONCE] = WGPUAddressMode_ClampToEdge,
    };
    const bool compares = binding->kind == AGPU_BIND_COMPARISON_SAMPLER;
    const bool filters = compares || binding->filtered;
    const WGPUSamplerDescriptor descriptor = {
        .addressModeU = modes[sampler->address[0]],
        .addressModeV = modes[sampler->address[1]],
        .addressModeW = modes[sampler->address[2]],
        .magFilter = filter_mode(sampler, filters, AG_REF_FILTER_MAG_LINEAR),
        .minFilter = filter_mode(sampler, filters, AG_REF_FILTER_MIN_LINEAR),
        .mipmapFilter = filters && sampler->filter & AG_REF_FILTER_MIP_LINEAR ? WGPUMipmapFilterMode_Linear
                                                                              : WGPUMipmapFilterMode_Nearest,
        .lodMinClamp = sampler->min_lod,
        .lodMaxClamp = sampler->max_lod,
        /* both count alike */
        .compare = compares ? (WGPUCompareFunction)sampler->comparison : WGPUCompareFunction_Undefined,
        .maxAnisotropy = 1,
    };
    return wgpuDeviceCreateSampler(ag_gpu_device(gpu), &descriptor);
}

/* ---- Coming back -------------------------------------------------------------------------------------- */

static uint32_t slices_of(const struct ag_ref_view *view)
{
    return view->dimension == AGPU_DIMENSION_TEXTURE3D ? view->depth : view->layers;
}

static bool is_texture(const struct ag_ref_view *view)
{
    return view->width != 0;
}

static uint32_t padded_row(const struct ag_ref_view *view)
{
    return (uint32_t)ag_align_up((uint64_t)view->width * view->format.bytes, ROW_ALIGNMENT);
}

uint64_t gpu_readback_bytes(const struct ag_ref_view *view)
{
    const uint64_t padded =
        is_texture(view) ? (uint64_t)padded_row(view) * view->height * slices_of(view) : view->size;
    return padded > view->size ? padded : view->size;
}

void gpu_copy_view(WGPUCommandEncoder encoder, const struct gpu_bound *bound, const struct ag_ref_view *view,
                   WGPUBuffer to, uint64_t offset)
{
    if (bound->buffer != NULL) {
        wgpuCommandEncoderCopyBufferToBuffer(encoder, bound->buffer, 0, to, offset,
                                             ag_align_up(view->size, 4));
        return;
    }
    const WGPUTexelCopyTextureInfo from = {.texture = bound->texture, .aspect = WGPUTextureAspect_All};
    const WGPUTexelCopyBufferInfo into = {
        .layout = {.offset = offset, .bytesPerRow = padded_row(view), .rowsPerImage = view->height},
        .buffer = to,
    };
    const WGPUExtent3D size = {view->width, view->height, slices_of(view)};
    wgpuCommandEncoderCopyTextureToBuffer(encoder, &from, &into, &size);
}

void gpu_unpack_view(const struct gpu_bound *bound, const struct ag_ref_view *view, const uint8_t *from,
                     uint8_t *to)
{
    if (bound->buffer != NULL) {
        memcpy(to, from, (size_t)view->size);
        return;
    }
    const size_t row = (size_t)view->width * view->format.bytes;
    for (uint64_t i = 0; i < (uint64_t)view->height * slices_of(view); i++)
        memcpy(to + i * row, from + i * padded_row(view), row);
}
