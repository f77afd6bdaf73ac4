/* SPDX-License-Identifier: MIT */
#include "exec/fill.h"

#include <string.h>

#include "base/bytes.h"
#include "exec/exec.h"
#include "exec/own_draw.h"

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

static const char mean_wgsl[] =
    WGSL("texture_multisampled_2d<f32>",
         "@fragment fn pixel(@builtin(position) p: vec4<f32>) -> @location(0) vec4<f32> {\n"
         "    let q = vec2<u32>(p.xy);\n"
         "    return 0.25 * (textureLoad(source, q, 0u) + textureLoad(source, q, 1u) +\n"
         "                   textureLoad(source, q, 2u) + textureLoad(source, q, 3u));\n"
         "}\n");

/* What kinds read: floats where nothing else is said. */
static const struct {
    const char *wgsl;
    WGPUTextureSampleType type;
    bool volume, multisampled;
} kinds[AG_FILL_COUNT] = {
    [AG_FILL_MIP] = {.wgsl = mip_wgsl                  },
    [AG_FILL_MIP_OF_VOLUME] = { .wgsl = mip_of_volume_wgsl,                    .volume = true},
    [AG_FILL_SAMPLE_FLOAT] = { .wgsl = ONE_SAMPLE("f32"),              .multisampled = true},
    [AG_FILL_SAMPLE_UINT] = { .wgsl = ONE_SAMPLE("u32"),
                     .type = WGPUTextureSampleType_Uint,
                     .multisampled = true},
    [AG_FILL_SAMPLE_SINT] = {                 .wgsl = ONE_SAMPLE("i32"),
                     .type = WGPUTextureSampleType_Sint,
                     .multisampled = true},
    [AG_FILL_MEAN_OF_SAMPLES] = {   .wgsl = mean_wgsl,                                  .multisampled = true},
};

static WGPUBindGroupLayout get_layout(struct ag_exec *exec, enum ag_fill_kind kind)
{
    WGPUBindGroupLayout *layout = &exec->filler.layouts[kind];
    const WGPUBindGroupLayoutEntry entries[] = {
        {.binding = 0,
         .visibility = WGPUShaderStage_Fragment,
         .texture = {.sampleType =
                         kinds[kind].type ? kinds[kind].type : WGPUTextureSampleType_UnfilterableFloat,
                     .viewDimension =
                         kinds[kind].volume ? WGPUTextureViewDimension_3D : WGPUTextureViewDimension_2D,
                     .multisampled = kinds[kind].multisampled}                               },
        {.binding = 1,
         .visibility = WGPUShaderStage_Fragment,
         .buffer = {.type = WGPUBufferBindingType_Uniform, .minBindingSize = PARAMETER_BYTES}},
    };
    const WGPUBindGroupLayoutDescriptor descriptor = {.entryCount = 2, .entries = entries};
    if (!*layout)
        *layout = wgpuDeviceCreateBindGroupLayout(exec->device, &descriptor);
    return *layout;
}

static WGPURenderPipeline create_pipeline(struct ag_exec *exec, WGPUTextureFormat format,
                                          enum ag_fill_kind kind)
{
    const WGPUBindGroupLayout layout = get_layout(exec, kind);
    const WGPUPipelineLayoutDescriptor pipeline_layout = {.bindGroupLayoutCount = 1,
                                                          .bindGroupLayouts = &layout};
    WGPUPipelineLayout own = wgpuDeviceCreatePipelineLayout(exec->device, &pipeline_layout);
    WGPUShaderModule module =
        ag_gpu_create_shader(exec->gpu, kinds[kind].wgsl, strlen(kinds[kind].wgsl), "fill");
    const WGPUColorTargetState target = {.format = format, .writeMask = WGPUColorWriteMask_All};
    const WGPUFragmentState fragment = {
        .module = module, .entryPoint = ag_webgpu_string("pixel"), .targetCount = 1, .targets = &target};
    const WGPURenderPipelineDescriptor descriptor = {
        .layout = own,
        .vertex = {.module = module,                               .entryPoint = ag_webgpu_string("vertex")},
        .primitive = {.topology = WGPUPrimitiveTopology_TriangleList},
        .multisample = {.count = 1,                            .mask = UINT32_MAX                                        },
        .fragment = &fragment,
    };
    WGPURenderPipeline pipeline = wgpuDeviceCreateRenderPipeline(exec->device, &descriptor);
    wgpuShaderModuleRelease(module);
    wgpuPipelineLayoutRelease(own);
    return pipeline;
}

static WGPURenderPipeline get_pipeline(struct ag_exec *exec, WGPUTextureFormat format, enum ag_fill_kind kind)
{
    const uint64_t key = (uint64_t)format * AG_FILL_COUNT + kind;
    WGPURenderPipeline pipeline = ag_map_get(&exec->filler.pipelines, key);
    if (pipeline)
        return pipeline;
    return ag_own_pipeline_keep(exec, &exec->filler.pipelines, key, create_pipeline(exec, format, kind));
}

static void draw(struct ag_exec *exec, WGPURenderPipeline pipeline, enum ag_fill_kind kind,
                 WGPUTextureView to, WGPUTextureView from, const struct ag_ring_slice *parameters)
{
    const WGPUBindGroupEntry entries[] = {
        {.binding = 0,                  .textureView = from    },
        { .binding = 1, .buffer = parameters->gpu, .offset = parameters->offset, .size = PARAMETER_BYTES},
    };
    const WGPUBindGroupDescriptor descriptor = {
        .layout = get_layout(exec, kind), .entryCount = 2, .entries = entries};
    const WGPURenderPassColorAttachment target = {
        .view = to,
        .depthSlice = kinds[kind].volume ? ag_load_u32(parameters->bytes) : WGPU_DEPTH_SLICE_UNDEFINED,
        .loadOp = WGPULoadOp_Clear,
        .storeOp = WGPUStoreOp_Store,
    };
    const WGPURenderPassDescriptor pass_descriptor = {.colorAttachmentCount = 1, .colorAttachments = &target};
    WGPUBindGroup group = ag_bind_group_create(exec, &descriptor);
    WGPURenderPassEncoder pass = wgpuCommandEncoderBeginRenderPass(ag_exec_encoder(exec), &pass_descriptor);
    wgpuRenderPassEncoderSetPipeline(pass, pipeline);
    wgpuRenderPassEncoderSetBindGroup(pass, 0, group, 0, NULL);
    wgpuRenderPassEncoderDraw(pass, 3, 1, 0, 0);
    wgpuRenderPassEncoderEnd(pass);
    wgpuRenderPassEncoderRelease(pass);
    wgpuBindGroupRelease(group);
    exec->counts.render_passes++;
}

bool ag_fill(struct ag_exec *exec, enum ag_fill_kind kind, WGPUTextureView to,
             const struct ag_host_format *format, WGPUTextureView from, uint32_t parameter)
{
    WGPURenderPipeline pipeline = get_pipeline(exec, format->texture, kind);
    struct ag_ring_slice parameters;
    const bool done = pipeline && ag_ring_alloc(exec, PARAMETER_BYTES, &parameters);
    if (done) {
        ag_store_u32(parameters.bytes, parameter);
        draw(exec, pipeline, kind, to, from, &parameters);
    }
    wgpuTextureViewRelease(from);
    wgpuTextureViewRelease(to);
    return done;
}

void ag_filler_fini(struct ag_filler *filler)
{
    ag_own_pipelines_fini(&filler->pipelines);
    for (uint32_t i = 0; i < AG_FILL_COUNT; i++)
        if (filler->layouts[i])
            wgpuBindGroupLayoutRelease(filler->layouts[i]);
    memset(filler, 0, sizeof *filler);
}
