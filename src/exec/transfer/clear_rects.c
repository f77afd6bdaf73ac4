/* SPDX-License-Identifier: MIT */
#include "exec/transfer/clear_rects.h"

#include <string.h>

#include "aerogpu/abi/ext.h"
#include "aerogpu/diag.h"
#include "base/bytes.h"
#include "base/map.h"
#include "exec/blit/pipeline_map.h"
#include "exec/host/host.h"
#include "exec/host/progress.h"
#include "exec/object/sample_count.h"
#include "exec/object/texture.h"
#include "exec/object/texture_cast.h"
#include "exec/object/texture_desc.h"
#include "exec/object/view.h"
#include "exec/record/bind_group.h"
#include "exec/record/encoder.h"
#include "exec/record/flush.h"
#include "exec/record/recorder.h"
#include "exec/record/sample_planes.h"
#include "exec/record/throttle.h"
#include "exec/record/upload_ring.h"
#include "exec/state/rect.h"
#include "exec/transfer/copier.h"
#include "exec/transfer/texture_pull.h"
#include "format/format.h"
#include "gpu/compilation.h"
#include "gpu/gpu.h"
#include "gpu/webgpu.h"

#define PARAMETER_BYTES 32 /* of struct Clear of the WGSL */

static const char wgsl[] =
    "struct Clear { color: vec4<u32>, depth: f32 }\n"
    "@group(0) @binding(0) var<uniform> clear: Clear;\n"
    "@vertex fn vertex(@builtin(vertex_index) i: u32) -> @builtin(position) vec4<f32> {\n"
    "    return vec4<f32>(f32(i & 1u) * 2.0 - 1.0, f32(i >> 1u) * 2.0 - 1.0, 0.0, 1.0);\n"
    "}\n"
    "@fragment fn floats() -> @location(0) vec4<f32> { return bitcast<vec4<f32>>(clear.color); }\n"
    "@fragment fn uints() -> @location(0) vec4<u32> { return clear.color; }\n"
    "@fragment fn sints() -> @location(0) vec4<i32> { return bitcast<vec4<i32>>(clear.color); }\n"
    "@fragment fn depth() -> @builtin(frag_depth) f32 { return clear.depth; }\n";

static const char *const entries[] = {
    [AG_CLASS_FLOAT] = "floats",
    [AG_CLASS_UINT] = "uints",
    [AG_CLASS_SINT] = "sints",
    [AG_CLASS_DEPTH] = "depth",
};

/* Planes of integer samples are unsigned. */
static enum ag_host_class class_of(const struct ag_host_format *format, WGPUTextureFormat texture)
{
    return format->class == AG_CLASS_SINT && format->texture != texture ? AG_CLASS_UINT
                                                                        : (enum ag_host_class)format->class;
}

/* ---- Pipelines ---------------------------------------------------------------------------------------- */

static void make_shared(struct ag_copier *copier)
{
    struct ag_rect_clearer *clearer = &copier->rect_clearer;
    const WGPUBindGroupLayoutEntry entry = {
        .binding = 0,
        .visibility = WGPUShaderStage_Fragment,
        .buffer = {.type = WGPUBufferBindingType_Uniform, .minBindingSize = PARAMETER_BYTES},
    };
    const WGPUBindGroupLayoutDescriptor descriptor = {
        .label = ag_webgpu_string("clear"), .entryCount = 1, .entries = &entry};
    if (clearer->module)
        return;
    clearer->module = ag_gpu_create_shader(copier->host->gpu, wgsl, sizeof wgsl - 1, "clear");
    clearer->layout = wgpuDeviceCreateBindGroupLayout(copier->host->device, &descriptor);
}

/* `texture`: of the colour attachment. */
static WGPURenderPipeline create_pipeline(struct ag_copier *copier, const struct ag_host_format *format,
                                          WGPUTextureFormat texture, uint32_t aspects, uint32_t samples)
{
    const struct ag_rect_clearer *clearer = &copier->rect_clearer;
    const bool color = (aspects & AG_CLEAR_ASPECT_COLOR) != 0;
    const WGPUPipelineLayoutDescriptor layout_descriptor = {
        .label = ag_webgpu_string("clear"), .bindGroupLayoutCount = 1, .bindGroupLayouts = &clearer->layout};
    WGPUPipelineLayout layout = wgpuDeviceCreatePipelineLayout(copier->host->device, &layout_descriptor);
    const WGPUColorTargetState target = {.format = texture, .writeMask = WGPUColorWriteMask_All};
    const WGPUDepthStencilState depth =
        ag_overwriting_state(copier->host, format, (aspects & AG_CLEAR_ASPECT_DEPTH) != 0,
                             aspects & AG_CLEAR_ASPECT_STENCIL ? 0xFF : 0);
    const WGPUFragmentState fragment = {
        .module = clearer->module,
        .entryPoint = ag_webgpu_string(entries[class_of(format, texture)]),
        .targetCount = color ? 1 : 0,
        .targets = color ? &target : NULL,
    };
    const WGPURenderPipelineDescriptor descriptor = {
        .label = ag_webgpu_string("clear"),
        .layout = layout,
        .vertex = {.module = clearer->module,                       .entryPoint = ag_webgpu_string("vertex")},
        .primitive = {.topology = WGPUPrimitiveTopology_TriangleStrip},
        .depthStencil = color ? NULL : &depth,
        .multisample = {.count = samples,                             .mask = UINT32_MAX                                        },
        .fragment = &fragment,
    };
    WGPURenderPipeline pipeline = ag_gpu_create_render_pipeline(copier->host->gpu, &descriptor);
    copier->host->counts.pipelines++;
    wgpuPipelineLayoutRelease(layout);
    return pipeline;
}

static WGPURenderPipeline get_pipeline(struct ag_copier *copier, const struct ag_texture_view *view,
                                       uint32_t aspects)
{
    const uint32_t samples = ag_samples_host(view->texture->sample_count);
    const WGPUTextureFormat texture =
        view->texture->planes.count ? view->texture->planes.texture : view->format->texture;
    const uint64_t key =
        (uint64_t)class_of(view->format, texture) << 48 | (uint64_t)texture << 16 | samples << 8 | aspects;
    WGPURenderPipeline pipeline = ag_map_get(&copier->rect_clearer.pipelines, key);
    if (pipeline)
        return pipeline;
    make_shared(copier);
    return ag_pipeline_map_keep(copier->blitter, &copier->rect_clearer.pipelines, key,
                                create_pipeline(copier, view->format, texture, aspects, samples));
}

/* ---- Draws -------------------------------------------------------------------------------------------- */

static uint32_t component_bits(double value, enum ag_host_class class)
{
    return class == AG_CLASS_UINT   ? (uint32_t)value
           : class == AG_CLASS_SINT ? (uint32_t)(int32_t)value
                                    : ag_bits_from_float((float)value);
}

static WGPUBindGroup bind_parameters(struct ag_copier *copier, const struct ag_texture_view *view,
                                     const struct ag_pending_clear *value, uint32_t plane)
{
    const WGPUColor color = ag_plane_color(view, &value->color, plane);
    const double components[4] = {color.r, color.g, color.b, color.a};
    const enum ag_host_class class = class_of(
        view->format, view->texture->planes.count ? view->texture->planes.texture : view->format->texture);
    struct ag_upload_slice slice;
    if (!ag_upload_ring_alloc(copier->recorder, PARAMETER_BYTES, &slice))
        return NULL;
    for (size_t i = 0; i < 4; i++)
        ag_store_u32(slice.bytes + 4 * i, component_bits(components[i], class));
    ag_store_u32(slice.bytes + 16, ag_bits_from_float(value->depth));
    const WGPUBindGroupEntry entry = {
        .binding = 0, .buffer = slice.gpu, .offset = slice.offset, .size = PARAMETER_BYTES};
    const WGPUBindGroupDescriptor descriptor = {.label = ag_webgpu_string("clear"),
                                                .layout = copier->rect_clearer.layout,
                                                .entryCount = 1,
                                                .entries = &entry};
    return ag_bind_group_create(copier->recorder, &descriptor);
}

bool ag_clear_window(const struct aerogpu_ext_rect *rect, uint32_t width, uint32_t height,
                     struct ag_scissor *window)
{
    window->left = rect->left < 0 ? 0 : rect->left;
    window->top = rect->top < 0 ? 0 : rect->top;
    window->right = rect->right > (int64_t)width ? (int64_t)width : rect->right;
    window->bottom = rect->bottom > (int64_t)height ? (int64_t)height : rect->bottom;
    return window->left < window->right && window->top < window->bottom;
}

/* Each rectangle is a viewport and not a scissor: lavapipe's scissors also cut samples of the texels
 * beside them. */
static void draw_rects(WGPURenderPassEncoder pass, const struct ag_texture_view *view,
                       const struct aerogpu_ext_rect *rects, uint64_t first, uint64_t end)
{
    const WGPUExtent3D extent = ag_view_extent(view);
    for (uint64_t i = first; i < end; i++) {
        struct ag_scissor window;
        if (!ag_clear_window(&rects[i], extent.width, extent.height, &window))
            continue;
        wgpuRenderPassEncoderSetViewport(pass, (float)window.left, (float)window.top,
                                         (float)(window.right - window.left),
                                         (float)(window.bottom - window.top), 0, 1);
        wgpuRenderPassEncoderDraw(pass, 4, 1, 0, 0);
    }
}

static WGPURenderPassEncoder begin_pass(struct ag_copier *copier, const struct ag_texture_view *view,
                                        uint32_t aspects, uint32_t layer, WGPUTextureView gpu)
{
    const bool volume = view->texture->dimension == AG_TEXTURE_3D;
    const WGPURenderPassColorAttachment color = {
        .view = gpu,
        .depthSlice = volume ? layer : WGPU_DEPTH_SLICE_UNDEFINED,
        .loadOp = WGPULoadOp_Load,
        .storeOp = WGPUStoreOp_Store,
    };
    const WGPURenderPassDepthStencilAttachment depth = ag_kept_depth(view->format, gpu);
    const WGPURenderPassDescriptor descriptor = {
        .label = ag_webgpu_string("clear"),
        .colorAttachmentCount = aspects & AG_CLEAR_ASPECT_COLOR ? 1 : 0,
        .colorAttachments = &color,
        .depthStencilAttachment = aspects & AG_CLEAR_ASPECT_COLOR ? NULL : &depth,
    };
    copier->host->counts.render_passes++;
    WGPUCommandEncoder encoder = ag_recorder_encoder(copier->recorder);
    ag_recorder_note_colors(copier->recorder, descriptor.colorAttachmentCount);
    return wgpuCommandEncoderBeginRenderPass(encoder, &descriptor);
}

struct layer_rects {
    uint32_t layer; /* of the texture */
    const struct aerogpu_ext_rect *rects;
    uint64_t first, end; /* of the rectangles */
};

/* The clear values, one for each plane of samples; without planes there is one. */
struct clear_groups {
    WGPUBindGroup planes[AG_MAX_SAMPLE_PLANES];
    uint32_t count;
};

static void release_groups(struct clear_groups *groups)
{
    for (uint32_t i = 0; i < groups->count; i++)
        wgpuBindGroupRelease(groups->planes[i]);
}

static bool make_groups(struct ag_copier *copier, const struct ag_texture_view *view,
                        const struct ag_pending_clear *value, struct clear_groups *groups)
{
    groups->count = 0;
    for (uint32_t i = 0; i < ag_texture_plane_count(view->texture); i++) {
        groups->planes[i] = bind_parameters(copier, view, value, i);
        if (!groups->planes[i]) {
            release_groups(groups);
            return false;
        }
        groups->count++;
    }
    return true;
}

static void clear_plane(struct ag_copier *copier, struct ag_texture_view *view,
                        const struct ag_pending_clear *value, WGPURenderPipeline pipeline,
                        WGPUBindGroup group, uint32_t plane, const struct layer_rects *part)
{
    WGPUTextureView gpu = plane ? ag_view_samples_of_plane(view, part->layer, plane)
                                : ag_view_subresource(view, view->base_mip, part->layer);
    WGPURenderPassEncoder pass = begin_pass(copier, view, value->aspects, part->layer, gpu);
    wgpuRenderPassEncoderSetPipeline(pass, pipeline);
    wgpuRenderPassEncoderSetBindGroup(pass, 0, group, 0, NULL);
    if (value->aspects & AG_CLEAR_ASPECT_STENCIL)
        wgpuRenderPassEncoderSetStencilReference(pass, value->stencil);
    draw_rects(pass, view, part->rects, part->first, part->end);
    wgpuRenderPassEncoderEnd(pass);
    wgpuRenderPassEncoderRelease(pass);
    wgpuTextureViewRelease(gpu);
    ag_throttle_add_pass(copier->recorder, ag_texture_subresources(view->texture));
    ag_throttle_add_commands(copier->recorder, part->end - part->first);
}

static void clear_layer(struct ag_copier *copier, struct ag_texture_view *view,
                        const struct ag_pending_clear *value, WGPURenderPipeline pipeline,
                        const struct clear_groups *groups, const struct layer_rects *part)
{
    for (uint32_t i = 0; i < groups->count; i++)
        clear_plane(copier, view, value, pipeline, groups->planes[i], i, part);
    ag_view_written_at(view, view->base_mip, part->layer);
}

enum agpu_status ag_clear_rects(struct ag_copier *copier, struct ag_texture_view *view,
                                const struct ag_pending_clear *value, const struct aerogpu_ext_rect *rects,
                                uint32_t count, struct ag_progress *progress)
{
    const uint64_t all = (uint64_t)view->layer_count * count;
    struct clear_groups groups;
    ag_throttle_limit(copier->recorder);
    if (!ag_view_use(copier, view))
        return AGPU_REFUSED;
    WGPURenderPipeline pipeline = get_pipeline(copier, view, value->aspects);
    if (!pipeline || !make_groups(copier, view, value, &groups))
        return AGPU_NO_MEMORY;
    uint64_t at = progress->done, draws = 0;
    for (uint32_t passes = 0; at < all && passes < AG_PART_PASSES && draws < AG_PART_DRAWS; passes++) {
        const uint64_t first = at % count, room = AG_PART_DRAWS - draws;
        const uint64_t end = count - first < room ? count : first + room;
        const struct layer_rects part = {view->base_layer + (uint32_t)(at / count), rects, first, end};
        clear_layer(copier, view, value, pipeline, &groups, &part);
        at += end - first;
        draws += end - first;
    }
    release_groups(&groups);
    if (at < all)
        ag_progress_pause(progress, at);
    else
        progress->done = 0;
    return AGPU_OK;
}

void ag_rect_clearer_fini(struct ag_rect_clearer *clearer)
{
    ag_pipeline_map_fini(&clearer->pipelines);
    if (clearer->module)
        wgpuShaderModuleRelease(clearer->module);
    if (clearer->layout)
        wgpuBindGroupLayoutRelease(clearer->layout);
    memset(clearer, 0, sizeof *clearer);
}
