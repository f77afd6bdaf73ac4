/* SPDX-License-Identifier: MIT */
#include "exec/generate_mips.h"

#include <string.h>

#include "base/bytes.h"
#include "exec/exec.h"

enum { LAYERS, VOLUMES };

/* The one differs from the other in its coordinates. */
static const char layers_wgsl[] =
    "@group(0) @binding(0) var source: texture_2d<f32>;\n"
    "@vertex fn vertex(@builtin(vertex_index) i: u32) -> @builtin(position) vec4<f32> {\n"
    "    return vec4<f32>(f32(i & 1u) * 4.0 - 1.0, f32(i >> 1u) * 4.0 - 1.0, 0.0, 1.0);\n"
    "}\n"
    "@fragment fn pixel(@builtin(position) p: vec4<f32>) -> @location(0) vec4<f32> {\n"
    "    let last = textureDimensions(source) - 1u;\n"
    "    let a = min(vec2<u32>(p.xy) * 2u, last);\n"
    "    let b = min(a + 1u, last);\n"
    "    return 0.25 * (textureLoad(source, a, 0) + textureLoad(source, vec2<u32>(b.x, a.y), 0) +\n"
    "                   textureLoad(source, vec2<u32>(a.x, b.y), 0) + textureLoad(source, b, 0));\n"
    "}\n";

static const char volumes_wgsl[] =
    "@group(0) @binding(0) var source: texture_3d<f32>;\n"
    "@group(0) @binding(1) var<uniform> slice: vec4<u32>;\n"
    "@vertex fn vertex(@builtin(vertex_index) i: u32) -> @builtin(position) vec4<f32> {\n"
    "    return vec4<f32>(f32(i & 1u) * 4.0 - 1.0, f32(i >> 1u) * 4.0 - 1.0, 0.0, 1.0);\n"
    "}\n"
    "fn of_slice(a: vec2<u32>, b: vec2<u32>, z: u32) -> vec4<f32> {\n"
    "    return textureLoad(source, vec3<u32>(a, z), 0) + textureLoad(source, vec3<u32>(b.x, a.y, z), 0) +\n"
    "           textureLoad(source, vec3<u32>(a.x, b.y, z), 0) + textureLoad(source, vec3<u32>(b, z), 0);\n"
    "}\n"
    "@fragment fn pixel(@builtin(position) p: vec4<f32>) -> @location(0) vec4<f32> {\n"
    "    let last = textureDimensions(source) - 1u;\n"
    "    let a = min(vec3<u32>(vec2<u32>(p.xy), slice.x) * 2u, last);\n"
    "    let b = min(a + 1u, last);\n"
    "    return 0.125 * (of_slice(a.xy, b.xy, a.z) + of_slice(a.xy, b.xy, b.z));\n"
    "}\n";

static WGPUBindGroupLayout get_layout(struct agpu_exec *exec, uint32_t kind)
{
    WGPUBindGroupLayout *layout = &exec->mip_generator.layouts[kind];
    const WGPUBindGroupLayoutEntry entries[] = {
        {.binding = 0,
         .visibility = WGPUShaderStage_Fragment,
         .texture = {.sampleType = WGPUTextureSampleType_UnfilterableFloat,
                     .viewDimension =
                         kind == VOLUMES ? WGPUTextureViewDimension_3D : WGPUTextureViewDimension_2D}},
        {.binding = 1,
         .visibility = WGPUShaderStage_Fragment,
         .buffer = {.type = WGPUBufferBindingType_Uniform, .minBindingSize = 16}                     },
    };
    const WGPUBindGroupLayoutDescriptor descriptor = {.entryCount = kind == VOLUMES ? 2 : 1,
                                                      .entries = entries};
    if (!*layout)
        *layout = wgpuDeviceCreateBindGroupLayout(exec->device, &descriptor);
    return *layout;
}

static WGPURenderPipeline create_pipeline(struct agpu_exec *exec, WGPUTextureFormat format, uint32_t kind)
{
    WGPUBindGroupLayout layout = get_layout(exec, kind);
    const WGPUPipelineLayoutDescriptor pipeline_layout = {.bindGroupLayoutCount = 1,
                                                          .bindGroupLayouts = &layout};
    WGPUPipelineLayout own = wgpuDeviceCreatePipelineLayout(exec->device, &pipeline_layout);
    WGPUShaderModule module =
        kind == VOLUMES ? agpu_gpu_create_shader(exec->gpu, volumes_wgsl, sizeof volumes_wgsl - 1, "mips")
                        : agpu_gpu_create_shader(exec->gpu, layers_wgsl, sizeof layers_wgsl - 1, "mips");
    const WGPUColorTargetState target = {.format = format, .writeMask = WGPUColorWriteMask_All};
    const WGPUFragmentState fragment = {
        .module = module, .entryPoint = agpu_webgpu_string("pixel"), .targetCount = 1, .targets = &target};
    const WGPURenderPipelineDescriptor descriptor = {
        .layout = own,
        .vertex = {.module = module,                               .entryPoint = agpu_webgpu_string("vertex")},
        .primitive = {.topology = WGPUPrimitiveTopology_TriangleList},
        .multisample = {.count = 1,                            .mask = UINT32_MAX                                          },
        .fragment = &fragment,
    };
    WGPURenderPipeline pipeline = wgpuDeviceCreateRenderPipeline(exec->device, &descriptor);
    wgpuShaderModuleRelease(module);
    wgpuPipelineLayoutRelease(own);
    return pipeline;
}

static WGPURenderPipeline get_pipeline(struct agpu_exec *exec, WGPUTextureFormat format, uint32_t kind)
{
    const uint64_t key = (uint64_t)format << 1 | kind;
    WGPURenderPipeline pipeline = agpu_map_get(&exec->mip_generator.pipelines, key);
    if (pipeline)
        return pipeline;
    pipeline = create_pipeline(exec, format, kind);
    if (!agpu_map_put(&exec->mip_generator.pipelines, key, pipeline)) {
        wgpuRenderPipelineRelease(pipeline);
        agpu_exec_no_memory(exec);
        return NULL;
    }
    return pipeline;
}

/* One layer, or slice of a volume, of a mip from the mip before it. */
static bool generate(struct agpu_exec *exec, const struct agpu_texture_view *view, uint32_t mip,
                     uint32_t slice)
{
    const bool volume = view->texture->dimension == AGPU_TEXTURE_3D;
    const uint32_t kind = volume ? VOLUMES : LAYERS;
    WGPURenderPipeline pipeline = get_pipeline(exec, view->format->texture, kind);
    struct agpu_ring_slice parameters;
    if (!pipeline || !agpu_ring_alloc(exec, 16, &parameters))
        return false;
    agpu_store_u32(parameters.bytes, slice);
    WGPUTextureView from = agpu_view_subresource(view, mip - 1, slice),
                    to = agpu_view_subresource(view, mip, slice);
    const WGPUBindGroupEntry entries[] = {
        {.binding = 0,                 .textureView = from},
        { .binding = 1, .buffer = parameters.gpu,          .offset = parameters.offset, .size = 16},
    };
    const WGPUBindGroupDescriptor descriptor = {
        .layout = get_layout(exec, kind), .entryCount = volume ? 2 : 1, .entries = entries};
    const WGPURenderPassColorAttachment target = {
        .view = to,
        .depthSlice = volume ? slice : WGPU_DEPTH_SLICE_UNDEFINED,
        .loadOp = WGPULoadOp_Clear,
        .storeOp = WGPUStoreOp_Store,
    };
    const WGPURenderPassDescriptor pass_descriptor = {.colorAttachmentCount = 1, .colorAttachments = &target};
    WGPUBindGroup group = agpu_bind_group_create(exec, &descriptor);
    WGPURenderPassEncoder pass = wgpuCommandEncoderBeginRenderPass(agpu_exec_encoder(exec), &pass_descriptor);
    wgpuRenderPassEncoderSetPipeline(pass, pipeline);
    wgpuRenderPassEncoderSetBindGroup(pass, 0, group, 0, NULL);
    wgpuRenderPassEncoderDraw(pass, 3, 1, 0, 0);
    wgpuRenderPassEncoderEnd(pass);
    wgpuRenderPassEncoderRelease(pass);
    wgpuBindGroupRelease(group);
    wgpuTextureViewRelease(from);
    wgpuTextureViewRelease(to);
    exec->counts.render_passes++;
    return true;
}

static enum agpu_status check(struct agpu_exec *exec, const struct agpu_texture_view *view)
{
    const struct agpu_texture *texture = view->texture;
    if (!(texture->resource.misc & AEROGPU_EXT_MISC_GENERATE_MIPS))
        return agpu_exec_fail(exec, AGPU_DIAG_EXEC_ARGUMENT,
                              "a texture without GENERATE_MIPS generates no mips");
    if (view->format->class != AGPU_CLASS_FLOAT ||
        !agpu_host_format_has(view->format, AGPU_FORMAT_RENDERABLE))
        return agpu_exec_fail(exec, AGPU_DIAG_EXEC_FORMAT, "no mips are generated of %s", view->format->name);
    return AGPU_OK;
}

enum agpu_status agpu_generate_mips(struct agpu_exec *exec, struct agpu_texture_view *view)
{
    const bool volume = view->texture->dimension == AGPU_TEXTURE_3D;
    enum agpu_status status = check(exec, view);
    if (status != AGPU_OK)
        return status;
    for (uint32_t i = 1; i < view->mip_count; i++) {
        const uint32_t mip = view->base_mip + i;
        const uint32_t count = volume ? agpu_texture_slices(view->texture, mip) : view->layer_count;
        agpu_load_limit(exec); /* may submit, and what comes then has to know the texture */
        if (!agpu_view_use(exec, view))
            return AGPU_REFUSED;
        for (uint32_t slice = 0; slice < count; slice++) {
            if (!generate(exec, view, mip, view->base_layer + slice))
                return AGPU_NO_MEMORY;
            agpu_view_written_at(view, mip, view->base_layer + slice);
        }
    }
    return AGPU_OK;
}

void agpu_mip_generator_fini(struct agpu_mip_generator *generator)
{
    size_t cursor = 0;
    uint64_t key;
    void *value;
    while (agpu_map_next(&generator->pipelines, &cursor, &key, &value))
        wgpuRenderPipelineRelease(value);
    agpu_map_fini(&generator->pipelines);
    for (uint32_t i = 0; i < AGPU_COUNT_OF(generator->layouts); i++)
        if (generator->layouts[i])
            wgpuBindGroupLayoutRelease(generator->layouts[i]);
    memset(generator, 0, sizeof *generator);
}
