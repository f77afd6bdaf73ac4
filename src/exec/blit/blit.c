/* SPDX-License-Identifier: MIT */
#include "exec/blit/blit.h"

#include <string.h>

#include "base/bytes.h"
#include "base/map.h"
#include "exec/blit/blitter.h"
#include "exec/blit/pipeline_map.h"
#include "exec/host/host.h"
#include "exec/record/bind_group.h"
#include "exec/record/encoder.h"
#include "exec/record/upload_ring.h"
#include "format/format.h"
#include "gpu/compilation.h"
#include "gpu/gpu.h"
#include "gpu/webgpu.h"

#define PARAMETER_BYTES 16
#define WGSL(texture, pixel)                                                                                 \
    "@group(0) @binding(0) var source: " texture ";\n"                                                       \
    "@group(0) @binding(1) var<uniform> which: vec4<u32>;\n"                                                 \
    "@vertex fn vertex(@builtin(vertex_index) i: u32) -> @builtin(position) vec4<f32> {\n"                   \
    "    return vec4<f32>(f32(i & 1u) * 4.0 - 1.0, f32(i >> 1u) * 4.0 - 1.0, 0.0, 1.0);\n"                   \
    "}\n" pixel
#define ONE_SAMPLE(type)                                                                                     \
    WGSL("texture_multisampled_2d<" type ">",                                                                \
         "@fragment fn pixel(@builtin(position) p: vec4<f32>) -> @location(0) vec4<" type "> {\n"            \
         "    return textureLoad(source, vec2<u32>(p.xy), which.x);\n"                                       \
         "}\n")

/* A plane of samples (struct ag_sample_planes): what it has is in all of the components that it may be. */
#define ONE_PLANE(type, text)                                                                                \
    WGSL("texture_multisampled_2d<" type ">", "fn load(p: vec2<u32>, sample: u32) -> vec4<" type "> {\n"     \
                                              "    return textureLoad(source, p, sample);\n"                 \
                                              "}\n" text)
#define HALVES(type)                                                                                         \
    ONE_PLANE("u32",                                                                                         \
              "@fragment fn pixel(@builtin(position) p: vec4<f32>) -> @location(0) vec4<" type "> {\n"       \
              "    let t = load(vec2<u32>(p.xy), which.x);\n"                                                \
              "    let words = vec2<u32>(t.x | (t.y << 16u), t.z | (t.w << 16u));\n"                         \
              "    return bitcast<vec4<" type ">>(words.xyxy);\n"                                            \
              "}\n")

static const char mip_wgsl[] =
    WGSL("texture_2d<f32>",
         "@fragment fn pixel(@builtin(position) p: vec4<f32>) -> @location(0) vec4<f32> {\n"
         "    let last = textureDimensions(source) - 1u;\n"
         "    let a = min(vec2<u32>(p.xy) * 2u, last);\n"
         "    let b = min(a + 1u, last);\n"
         "    return 0.25 * (textureLoad(source, a, 0) + textureLoad(source, vec2<u32>(b.x, a.y), 0) +\n"
         "                   textureLoad(source, vec2<u32>(a.x, b.y), 0) + textureLoad(source, b, 0));\n"
         "}\n");

static const char mip_of_volume_wgsl[] =
    WGSL("texture_3d<f32>",
         "fn load(x: u32, y: u32, z: u32) -> vec4<f32> {\n"
         "    return textureLoad(source, vec3<u32>(x, y, z), 0);\n"
         "}\n"
         "fn of_slice(a: vec2<u32>, b: vec2<u32>, z: u32) -> vec4<f32> {\n"
         "    return load(a.x, a.y, z) + load(b.x, a.y, z) + load(a.x, b.y, z) + load(b.x, b.y, z);\n"
         "}\n"
         "@fragment fn pixel(@builtin(position) p: vec4<f32>) -> @location(0) vec4<f32> {\n"
         "    let last = textureDimensions(source) - 1u;\n"
         "    let a = min(vec3<u32>(vec2<u32>(p.xy), which.x) * 2u, last);\n"
         "    let b = min(a + 1u, last);\n"
         "    return 0.125 * (of_slice(a.xy, b.xy, a.z) + of_slice(a.xy, b.xy, b.z));\n"
         "}\n");

static const char texel_wgsl[] = WGSL(
    "texture_2d<f32>", "@fragment fn pixel(@builtin(position) p: vec4<f32>) -> @location(0) vec4<f32> {\n"
                       "    return textureLoad(source, vec2<u32>(p.xy), 0);\n"
                       "}\n");

static const char mean_wgsl[] =
    WGSL("texture_multisampled_2d<f32>",
         "@fragment fn pixel(@builtin(position) p: vec4<f32>) -> @location(0) vec4<f32> {\n"
         "    let q = vec2<u32>(p.xy);\n"
         "    return 0.25 * (textureLoad(source, q, 0u) + textureLoad(source, q, 1u) +\n"
         "                   textureLoad(source, q, 2u) + textureLoad(source, q, 3u));\n"
         "}\n");

static const char blocks_wgsl[] =
    WGSL("texture_2d_array<f32>", "@fragment fn pixel() -> @location(0) vec4<f32> {\n"
                                  "    return textureLoad(source, vec2<u32>(which.xy), 0, 0);\n"
                                  "}\n");

static const char plane_wgsl[] =
    ONE_PLANE("f32", "@fragment fn pixel(@builtin(position) p: vec4<f32>) -> @location(0) vec4<f32> {\n"
                     "    return vec4<f32>(load(vec2<u32>(p.xy), which.x).x);\n"
                     "}\n");

static const char mean_of_plane_wgsl[] =
    ONE_PLANE("f32", "@fragment fn pixel(@builtin(position) p: vec4<f32>) -> @location(0) vec4<f32> {\n"
                     "    let q = vec2<u32>(p.xy);\n"
                     "    return vec4<f32>(0.25 * (load(q, 0u).x + load(q, 1u).x + load(q, 2u).x +\n"
                     "                             load(q, 3u).x));\n"
                     "}\n");

/* The shader of each kind and the texture that the shader reads. `type` 0: unfilterable floats. */
static const struct {
    const char *label, *wgsl;
    WGPUTextureSampleType type;
    bool volume, array, multisampled;
} kinds[AG_BLIT_COUNT] = {
    [AG_BLIT_MIP] = {.label = "mip",                     .wgsl = mip_wgsl                          },
    [AG_BLIT_MIP_OF_VOLUME] = {.label = "mip of a volume",         .wgsl = mip_of_volume_wgsl,                 .volume = true},
    [AG_BLIT_SAMPLE_FLOAT] = {.label = "sample",                                  .wgsl = ONE_SAMPLE("f32"),                                                            .multisampled = true},
    [AG_BLIT_SAMPLE_UINT] = {.label = "sample of UINT",
                     .wgsl = ONE_SAMPLE("u32"),
                     .type = WGPUTextureSampleType_Uint,
                     .multisampled = true},
    [AG_BLIT_SAMPLE_SINT] = {.label = "sample of SINT",
                     .wgsl = ONE_SAMPLE("i32"),
                     .type = WGPUTextureSampleType_Sint,
                     .multisampled = true},
    [AG_BLIT_MEAN_OF_SAMPLES] = {.label = "mean of samples",                                  .wgsl = mean_wgsl,                                                    .multisampled = true},
    [AG_BLIT_PLANE_FLOAT] = {.label = "plane of samples", .wgsl = plane_wgsl,                                                           .multisampled = true},
    [AG_BLIT_PLANE_UINT] = {.label = "plane of UINT samples",
                     .wgsl = HALVES("u32"),
                     .type = WGPUTextureSampleType_Uint,
                     .multisampled = true},
    [AG_BLIT_PLANE_SINT] = {.label = "plane of SINT samples",
                     .wgsl = HALVES("i32"),
                     .type = WGPUTextureSampleType_Uint,
                     .multisampled = true},
    [AG_BLIT_MEAN_OF_PLANE] = {.label = "mean of a plane",              .wgsl = mean_of_plane_wgsl,.multisampled = true},
    [AG_BLIT_BLOCKS] = {.label = "blocks decoded",              .wgsl = blocks_wgsl,                                             .array = true},
    [AG_BLIT_DEPTH] = {.label = "depth",                                  .wgsl = texel_wgsl                                            },
};

static WGPUBindGroupLayout get_layout(struct ag_blitter *blitter, enum ag_blit_kind kind)
{
    WGPUBindGroupLayout *layout = &blitter->blits.layouts[kind];
    const WGPUBindGroupLayoutEntry entries[] = {
        {.binding = 0,
         .visibility = WGPUShaderStage_Fragment,
         .texture = {.sampleType =
                         kinds[kind].type ? kinds[kind].type : WGPUTextureSampleType_UnfilterableFloat,
                     .viewDimension = kinds[kind].volume  ? WGPUTextureViewDimension_3D
                                      : kinds[kind].array ? WGPUTextureViewDimension_2DArray
                                                          : WGPUTextureViewDimension_2D,
                     .multisampled = kinds[kind].multisampled}                               },
        {.binding = 1,
         .visibility = WGPUShaderStage_Fragment,
         .buffer = {.type = WGPUBufferBindingType_Uniform, .minBindingSize = PARAMETER_BYTES}},
    };
    const WGPUBindGroupLayoutDescriptor descriptor = {
        .label = ag_webgpu_string(kinds[kind].label), .entryCount = 2, .entries = entries};
    if (!*layout)
        *layout = wgpuDeviceCreateBindGroupLayout(blitter->host->device, &descriptor);
    return *layout;
}

static WGPURenderPipeline create_pipeline(struct ag_blitter *blitter, WGPUTextureFormat format,
                                          enum ag_blit_kind kind, WGPUColorWriteMask components)
{
    const WGPUBindGroupLayout layout = get_layout(blitter, kind);
    const WGPUPipelineLayoutDescriptor pipeline_layout = {
        .label = ag_webgpu_string(kinds[kind].label), .bindGroupLayoutCount = 1, .bindGroupLayouts = &layout};
    WGPUPipelineLayout own = wgpuDeviceCreatePipelineLayout(blitter->host->device, &pipeline_layout);
    WGPUShaderModule module = ag_gpu_create_shader(blitter->host->gpu, kinds[kind].wgsl,
                                                   strlen(kinds[kind].wgsl), kinds[kind].label);
    const WGPUColorTargetState target = {.format = format, .writeMask = components};
    const WGPUFragmentState fragment = {
        .module = module, .entryPoint = ag_webgpu_string("pixel"), .targetCount = 1, .targets = &target};
    const WGPURenderPipelineDescriptor descriptor = {
        .label = ag_webgpu_string(kinds[kind].label),
        .layout = own,
        .vertex = {.module = module,                               .entryPoint = ag_webgpu_string("vertex")},
        .primitive = {.topology = WGPUPrimitiveTopology_TriangleList},
        .multisample = {.count = 1,                            .mask = UINT32_MAX                                        },
        .fragment = &fragment,
    };
    WGPURenderPipeline pipeline = ag_gpu_create_render_pipeline(blitter->host->gpu, &descriptor);
    wgpuShaderModuleRelease(module);
    wgpuPipelineLayoutRelease(own);
    return pipeline;
}

static WGPURenderPipeline get_pipeline(struct ag_blitter *blitter, WGPUTextureFormat format,
                                       enum ag_blit_kind kind, WGPUColorWriteMask components)
{
    const uint64_t key = ((uint64_t)format * AG_BLIT_COUNT + kind) << 4 | components;
    WGPURenderPipeline pipeline = ag_map_get(&blitter->blits.pipelines, key);
    if (pipeline)
        return pipeline;
    return ag_pipeline_map_keep(blitter, &blitter->blits.pipelines, key,
                                create_pipeline(blitter, format, kind, components));
}

static void draw(struct ag_blitter *blitter, WGPURenderPipeline pipeline, enum ag_blit_kind kind,
                 WGPUTextureView to, bool clears, WGPUTextureView from,
                 const struct ag_upload_slice *parameters)
{
    const WGPUBindGroupEntry entries[] = {
        {.binding = 0,                  .textureView = from    },
        { .binding = 1, .buffer = parameters->gpu, .offset = parameters->offset, .size = PARAMETER_BYTES},
    };
    const WGPUBindGroupDescriptor descriptor = {
        .label = ag_webgpu_string(kinds[kind].label),
        .layout = get_layout(blitter, kind),
        .entryCount = 2,
        .entries = entries,
    };
    const WGPURenderPassColorAttachment target = {
        .view = to,
        .depthSlice = kinds[kind].volume ? ag_load_u32(parameters->bytes) : WGPU_DEPTH_SLICE_UNDEFINED,
        .loadOp = clears ? WGPULoadOp_Clear : WGPULoadOp_Load,
        .storeOp = WGPUStoreOp_Store,
    };
    const WGPURenderPassDescriptor pass_descriptor = {
        .label = ag_webgpu_string(kinds[kind].label), .colorAttachmentCount = 1, .colorAttachments = &target};
    WGPUBindGroup group = ag_bind_group_create(blitter->recorder, &descriptor);
    WGPURenderPassEncoder pass =
        wgpuCommandEncoderBeginRenderPass(ag_recorder_encoder(blitter->recorder), &pass_descriptor);
    wgpuRenderPassEncoderSetPipeline(pass, pipeline);
    wgpuRenderPassEncoderSetBindGroup(pass, 0, group, 0, NULL);
    wgpuRenderPassEncoderDraw(pass, 3, 1, 0, 0);
    wgpuRenderPassEncoderEnd(pass);
    wgpuRenderPassEncoderRelease(pass);
    wgpuBindGroupRelease(group);
    blitter->host->counts.render_passes++;
}

bool ag_blit(struct ag_blitter *blitter, enum ag_blit_kind kind, WGPUTextureView to,
             const struct ag_host_format *format, WGPUTextureView from, uint32_t parameter)
{
    return ag_blit_components(blitter, kind, to, format, WGPUColorWriteMask_All, from, parameter);
}

bool ag_blit_components(struct ag_blitter *blitter, enum ag_blit_kind kind, WGPUTextureView to,
                        const struct ag_host_format *format, WGPUColorWriteMask components,
                        WGPUTextureView from, uint32_t parameter)
{
    WGPURenderPipeline pipeline = get_pipeline(blitter, format->texture, kind, components);
    struct ag_upload_slice parameters;
    const bool done = pipeline && ag_upload_ring_alloc(blitter->recorder, PARAMETER_BYTES, &parameters);
    if (done) {
        ag_store_u32(parameters.bytes, parameter);
        draw(blitter, pipeline, kind, to, components == WGPUColorWriteMask_All, from, &parameters);
    }
    wgpuTextureViewRelease(from);
    wgpuTextureViewRelease(to);
    return done;
}

void ag_blits_fini(struct ag_blits *blits)
{
    ag_pipeline_map_fini(&blits->pipelines);
    for (uint32_t i = 0; i < AG_BLIT_COUNT; i++)
        if (blits->layouts[i])
            wgpuBindGroupLayoutRelease(blits->layouts[i]);
    if (blits->nowhere)
        wgpuTextureRelease(blits->nowhere);
    memset(blits, 0, sizeof *blits);
}
