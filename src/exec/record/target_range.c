/* SPDX-License-Identifier: MIT */
#include "exec/record/target_range.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "base/bytes.h"
#include "exec/host/host.h"
#include "exec/object/sample_count.h"
#include "exec/object/texture.h"
#include "exec/object/texture_desc.h"
#include "exec/object/view.h"
#include "exec/record/encoder.h"
#include "exec/record/recorder.h"
#include "exec/record/throttle.h"
#include "format/format.h"
#include "gpu/compilation.h"
#include "gpu/gpu.h"
#include "gpu/webgpu.h"

static const char wgsl[] = "@vertex fn vertex(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {\n"
                           "    return vec4f(f32(i & 1u) * 4.0 - 1.0, f32(i >> 1u) * 4.0 - 1.0, 0.0, 1.0);\n"
                           "}\n"
                           "@fragment fn one() -> @location(0) vec4f { return vec4f(1.0); }\n"
                           "@fragment fn zero() -> @location(0) vec4f { return vec4f(); }\n"
                           "@fragment fn minus_one() -> @location(0) vec4f { return vec4f(-1.0); }\n";

enum bound {
    BOUND_MOST,
    BOUND_LEAST_UNORM,
    BOUND_LEAST_SNORM,
};

static const char *const entries[] = {"one", "zero", "minus_one"};

static const WGPUTextureFormat textures[] = {
    WGPUTextureFormat_R32Float,
    WGPUTextureFormat_RG32Float,
    WGPUTextureFormat_RGBA32Float,
};

static WGPURenderPipeline create_pipeline(struct ag_recorder *recorder, enum bound bound, size_t texture,
                                          uint32_t samples)
{
    struct ag_host *host = recorder->host;
    const WGPUBlendComponent component = {
        .operation = bound == BOUND_MOST ? WGPUBlendOperation_Min : WGPUBlendOperation_Max,
        .srcFactor = WGPUBlendFactor_One,
        .dstFactor = WGPUBlendFactor_One,
    };
    const WGPUBlendState blend = {.color = component, .alpha = component};
    const WGPUColorTargetState target = {
        .format = textures[texture], .blend = &blend, .writeMask = WGPUColorWriteMask_All};
    if (!recorder->ranges.module)
        recorder->ranges.module = ag_gpu_create_shader(host->gpu, wgsl, sizeof wgsl - 1, "range");
    const WGPUFragmentState fragment = {
        .module = recorder->ranges.module,
        .entryPoint = ag_webgpu_string(entries[bound]),
        .targetCount = 1,
        .targets = &target,
    };
    const WGPURenderPipelineDescriptor descriptor = {
        .label = ag_webgpu_string("range"),
        .vertex = {.module = recorder->ranges.module,              .entryPoint = ag_webgpu_string("vertex")},
        .primitive = {.topology = WGPUPrimitiveTopology_TriangleList},
        .multisample = {.count = samples,                            .mask = UINT32_MAX                                        },
        .fragment = &fragment,
    };
    host->counts.pipelines++;
    return ag_gpu_create_render_pipeline(host->gpu, &descriptor);
}

static WGPURenderPipeline get_pipeline(struct ag_recorder *recorder, enum bound bound,
                                       WGPUTextureFormat format, uint32_t samples)
{
    size_t texture = 0;
    while (texture < AG_COUNT_OF(textures) && textures[texture] != format)
        texture++;
    assert(texture < AG_COUNT_OF(textures)); /* what components that are floats are kept as */
    WGPURenderPipeline *pipeline = &recorder->ranges.pipelines[bound][texture][samples > 1];
    if (!*pipeline)
        *pipeline = create_pipeline(recorder, bound, texture, samples);
    return *pipeline;
}

static void draw(struct ag_recorder *recorder, WGPURenderPassEncoder pass, enum bound bound,
                 const struct ag_texture_view *view)
{
    const WGPUTextureFormat format =
        view->texture->planes.count ? view->texture->planes.texture : view->format->texture;
    WGPURenderPipeline pipeline =
        get_pipeline(recorder, bound, format, ag_samples_host(view->texture->sample_count));
    if (!pipeline)
        return;
    wgpuRenderPassEncoderSetPipeline(pass, pipeline);
    wgpuRenderPassEncoderDraw(pass, 3, 1, 0, 0);
}

static void clamp_plane(struct ag_recorder *recorder, struct ag_texture_view *view, uint32_t plane, bool most,
                        bool least)
{
    const bool is_volume = view->texture->dimension == AG_TEXTURE_3D;
    const WGPURenderPassColorAttachment color = {
        .view = ag_view_of_plane(recorder->objects, view, plane),
        .depthSlice = is_volume ? view->base_layer : WGPU_DEPTH_SLICE_UNDEFINED,
        .loadOp = WGPULoadOp_Load,
        .storeOp = WGPUStoreOp_Store,
    };
    const WGPURenderPassDescriptor descriptor = {
        .label = ag_webgpu_string("range"), .colorAttachmentCount = 1, .colorAttachments = &color};
    WGPURenderPassEncoder pass =
        wgpuCommandEncoderBeginRenderPass(ag_recorder_encoder(recorder), &descriptor);
    if (most)
        draw(recorder, pass, BOUND_MOST, view);
    if (least)
        draw(recorder, pass, view->format->number == AG_NUMBER_SNORM ? BOUND_LEAST_SNORM : BOUND_LEAST_UNORM,
             view);
    wgpuRenderPassEncoderEnd(pass);
    wgpuRenderPassEncoderRelease(pass);
    recorder->host->counts.render_passes++;
    ag_throttle_add_pass(recorder, ag_texture_subresources(view->texture));
}

void ag_target_ranges_clamp(struct ag_recorder *recorder, const struct ag_attachments *attachments)
{
    for (uint32_t i = 0; i < attachments->color_count; i++) {
        struct ag_texture_view *view = attachments->colors[i];
        const bool most = attachments->exceeds_most >> i & 1, least = attachments->exceeds_least >> i & 1;
        if (!view || (!most && !least))
            continue;
        for (uint32_t plane = 0; plane < ag_texture_plane_count(view->texture); plane++)
            clamp_plane(recorder, view, plane, most, least);
        ag_recorder_mark_used(recorder, &view->texture->resource);
    }
}

void ag_target_ranges_clear(struct ag_recorder *recorder)
{
    struct ag_target_ranges *ranges = &recorder->ranges;
    WGPURenderPipeline *pipelines = &ranges->pipelines[0][0][0];
    for (size_t i = 0; i < sizeof ranges->pipelines / sizeof *pipelines; i++)
        if (pipelines[i])
            wgpuRenderPipelineRelease(pipelines[i]);
    if (ranges->module)
        wgpuShaderModuleRelease(ranges->module);
    memset(ranges, 0, sizeof *ranges);
}
