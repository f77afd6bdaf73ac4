/* SPDX-License-Identifier: MIT */
#include "exec/bind/pipeline_creation.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "aerogpu/abi/ext.h"
#include "aerogpu/dxbc.h"
#include "aerogpu/translate.h"
#include "base/bytes.h"
#include "exec/bind/binder.h"
#include "exec/bind/group_recipe.h"
#include "exec/bind/pipeline.h"
#include "exec/bind/pipeline_variants.h"
#include "exec/bind/shader.h"
#include "exec/bind/vertex_state.h"
#include "exec/host/host.h"
#include "exec/host/outcome.h"
#include "exec/host/report.h"
#include "exec/object/sample_count.h"
#include "exec/record/bind_group_layout.h"
#include "exec/state/state.h"
#include "format/format.h"
#include "gpu/compilation.h"
#include "gpu/feature.h"
#include "gpu/gpu.h"
#include "gpu/label.h"
#include "gpu/webgpu.h"
#include "wgsl/options.h"

static const struct {
    uint32_t need; /* enum agpu_module_need */
    enum ag_gpu_feature feature;
    const char *what;
} needs[] = {
    {AGPU_NEED_CLIP_DISTANCES,       AG_GPU_FEATURE_CLIP_DISTANCES,       "clip distances"                            },
    {AGPU_NEED_DUAL_SOURCE_BLENDING, AG_GPU_FEATURE_DUAL_SOURCE_BLENDING, "two blend sources"                         },
    {AGPU_NEED_PRIMITIVE_INDEX,      AG_GPU_FEATURE_COUNT,                "the primitive's number in the pixel shader"},
    {AGPU_NEED_DRAW_EXPANSION,       AG_GPU_FEATURE_COUNT,                "the expansion of draws in compute"         },
};

static enum ag_outcome check_needs(struct ag_binder *binder, const struct agpu_module *module,
                                   struct ag_refusal *refusal)
{
    for (size_t i = 0; i < sizeof needs / sizeof needs[0]; i++) {
        if (!(module->needs & needs[i].need))
            continue;
        if (needs[i].feature != AG_GPU_FEATURE_COUNT && ag_host_has(binder->host, needs[i].feature))
            continue;
        return ag_host_refuse(binder->host, refusal, AGPU_DIAG_EXEC_UNSUPPORTED,
                              "a draw needs %s, which is not supported here", needs[i].what);
    }
    return AG_DONE;
}

static bool writes_location(const struct agpu_module *pixel, uint32_t location)
{
    for (uint32_t i = 0; i < pixel->output_count; i++)
        if (pixel->outputs[i].register_index != 0xFF && pixel->outputs[i].location == location)
            return true;
    return false;
}

/* The first location of each target. Returns how many locations there are. */
static uint32_t locate_targets(const struct ag_pipeline_key *key, uint8_t first[AGPU_MAX_RENDER_TARGETS])
{
    uint8_t planes[AGPU_MAX_RENDER_TARGETS] = {0};
    uint32_t mask = 0;
    for (uint32_t i = 0; i < key->target_count; i++) {
        planes[i] = ag_pipeline_key_planes(key, i);
        mask |= key->formats[i] ? 1u << i : 0;
    }
    for (uint32_t i = 0; i < AGPU_MAX_RENDER_TARGETS; i++)
        first[i] = (uint8_t)ag_target_location(planes, mask, i);
    return ag_target_location(planes, mask, key->target_count);
}

/* Checks the state against the features and limits of the device. */
static enum ag_outcome check_state(struct ag_binder *binder, const struct ag_pipeline_key *key,
                                   struct ag_refusal *refusal)
{
    uint8_t first[AGPU_MAX_RENDER_TARGETS];
    uint32_t bytes = 0;
    const char *missing = NULL;
    enum ag_outcome outcome = AG_DONE;
    for (uint32_t i = 0; i < key->target_count; i++) {
        const struct ag_host_format *format = key->formats[i] ? ag_host_format(key->formats[i]) : NULL;
        if (!format)
            continue;
        bytes += format->sample_bytes;
        if (key->blend[i].enable && !ag_host_format_has(format, AG_FORMAT_BLENDABLE) &&
            !ag_host_has(binder->host, AG_GPU_FEATURE_FLOAT32_BLENDABLE))
            missing = "blending into that format";
        if (ag_pipeline_key_planes(key, i) == 4 && ag_blend_crosses_planes(&key->blend[i], format))
            missing = "a blend factor of the target's alpha, with several samples of that format";
    }
    if (bytes > binder->host->limits.maxColorAttachmentBytesPerSample)
        missing = "that many bytes in colour targets";
    if (locate_targets(key, first) > binder->host->limits.maxColorAttachments)
        missing = "that many colour targets";
    if (ag_pipeline_key_is_dual_source(key) &&
        !ag_host_has(binder->host, AG_GPU_FEATURE_DUAL_SOURCE_BLENDING))
        missing = "two blend sources";
    if (key->rasterizer.forced_samples > 1)
        missing = "a forced sample count";
    if (!key->rasterizer.depth_clip && !ag_host_has(binder->host, AG_GPU_FEATURE_DEPTH_CLIP_CONTROL))
        missing = "depth without clipping";
    if (missing)
        outcome = ag_host_refuse(binder->host, refusal, AGPU_DIAG_EXEC_UNSUPPORTED,
                                 "a draw needs %s, which is not supported here", missing);
    if (key->rasterizer.antialiased_line && !key->rasterizer.multisample &&
        (key->topology == AG_TOPOLOGY_LINE_LIST || key->topology == AG_TOPOLOGY_LINE_STRIP))
        ag_host_warn_once(binder->host, AG_WARNING_LINES, "lines are drawn without antialiasing");
    return outcome;
}

struct vertex_arrays {
    WGPUVertexBufferLayout buffers[AG_MAX_VERTEX_BUFFERS];
    WGPUVertexAttribute attributes[AGPU_MAX_REGISTERS];
};

static void fill_vertex(const struct ag_pipeline *pipeline, struct vertex_arrays *arrays,
                        WGPUVertexState *vertex)
{
    const struct ag_vertex_state *state = &pipeline->vertex_state;
    uint32_t used = 0;
    for (uint32_t b = 0; b < state->buffer_count; b++) {
        WGPUVertexBufferLayout *buffer = &arrays->buffers[b];
        *buffer = (WGPUVertexBufferLayout){
            .stepMode =
                state->buffers[b].per_instance ? WGPUVertexStepMode_Instance : WGPUVertexStepMode_Vertex,
            .arrayStride = state->buffers[b].stride,
            .attributes = &arrays->attributes[used],
        };
        for (uint32_t a = 0; a < state->attribute_count; a++) {
            if (state->attributes[a].buffer != b)
                continue;
            arrays->attributes[used++] = (WGPUVertexAttribute){
                .format = (WGPUVertexFormat)state->attributes[a].format,
                .offset = state->attributes[a].offset,
                .shaderLocation = state->attributes[a].location,
            };
            buffer->attributeCount++;
        }
    }
    vertex->module = pipeline->vertex->gpu;
    vertex->entryPoint = ag_webgpu_string(pipeline->vertex->module->entry_point);
    vertex->bufferCount = state->buffer_count;
    vertex->buffers = arrays->buffers;
}

/* One plane of a target's samples. Integers have two components in each. */
static void fill_plane(const struct ag_pipeline_key *key, uint32_t target, uint32_t plane,
                       WGPUColorTargetState *state, WGPUBlendState *blend)
{
    static const uint8_t masks[] = {0, 3, 12, 15};
    const struct ag_host_format *format = ag_host_format(key->formats[target]);
    state->format = ag_format_sample_planes(format).texture;
    if (format->class == AG_CLASS_FLOAT) {
        if (ag_blend_plane_to_webgpu(&key->blend[target], format, plane, blend, &state->writeMask))
            state->blend = blend;
        return;
    }
    ag_blend_to_webgpu(&key->blend[target], format, 0, blend, &state->writeMask);
    state->writeMask = masks[state->writeMask >> (2 * plane) & 3];
}

/* Returns how many targets WebGPU has. */
static uint32_t fill_targets(const struct ag_pipeline *pipeline, WGPUColorTargetState *targets,
                             WGPUBlendState *blends)
{
    const struct ag_pipeline_key *key = &pipeline->key;
    uint8_t first[AGPU_MAX_RENDER_TARGETS];
    const uint32_t count = locate_targets(key, first);
    for (uint32_t i = 0; i < count; i++)
        targets[i] = (WGPUColorTargetState){.format = WGPUTextureFormat_Undefined};
    for (uint32_t i = 0; i < key->target_count; i++) {
        if (!key->formats[i])
            continue;
        const struct ag_host_format *format = ag_host_format(key->formats[i]);
        WGPUColorTargetState *state = &targets[first[i]];
        for (uint32_t plane = 0; plane < ag_pipeline_key_planes(key, i); plane++)
            fill_plane(key, i, plane, &state[plane], &blends[first[i] + plane]);
        if (ag_pipeline_key_planes(key, i))
            continue;
        state->format = format->texture;
        if (ag_blend_to_webgpu(&key->blend[i], format, pipeline->blend_constants, &blends[first[i]],
                               &state->writeMask))
            state->blend = &blends[first[i]];
    }
    for (uint32_t i = 0; i < count; i++) {
        if (writes_location(pipeline->pixel->module, i))
            continue;
        targets[i].writeMask = 0; /* the shader does not write to this target */
        targets[i].blend = NULL;
    }
    return count;
}

void ag_pipeline_label(const struct ag_pipeline *pipeline, struct ag_label *label)
{
    const struct ag_shader_program *producer = pipeline->vertex_program, *pixel = pipeline->pixel_program;
    const char *stage = agpu_stage_name(producer->shader->program.stage);
    if (pixel)
        ag_label_format(label, "pipeline %s %" PRIu32 " ps %" PRIu32, stage, producer->handle, pixel->handle);
    else
        ag_label_format(label, "pipeline %s %" PRIu32, stage, producer->handle);
}

static void fill_primitive(const struct ag_pipeline_key *key, WGPUPrimitiveState *primitive)
{
    ag_topology_to_webgpu(key->topology, &primitive->topology);
    primitive->stripIndexFormat = (WGPUIndexFormat)key->strip_format;
    primitive->frontFace = key->rasterizer.front_counter_clockwise ? WGPUFrontFace_CCW : WGPUFrontFace_CW;
    primitive->cullMode = key->rasterizer.cull == AEROGPU_EXT_CULL_FRONT  ? WGPUCullMode_Front
                          : key->rasterizer.cull == AEROGPU_EXT_CULL_BACK ? WGPUCullMode_Back
                                                                          : WGPUCullMode_None;
    primitive->unclippedDepth = !key->rasterizer.depth_clip;
}

/* Null when memory is exhausted (reported). */
static struct ag_compilation *compile(struct ag_binder *binder, const struct ag_pipeline *pipeline)
{
    const struct ag_pipeline_key *key = &pipeline->key;
    const struct ag_bind_group_layout *layouts[4] = {
        pipeline->parts.vertex ? pipeline->parts.vertex->layout : pipeline->vertex->layout,
        pipeline->pixel_program ? pipeline->pixel->layout : ag_bind_group_layout_empty(binder->recorder),
        ag_bind_group_layout_empty(binder->recorder),
        pipeline->vertex->expansion ? pipeline->vertex->expansion
                                    : ag_bind_group_layout_of_draw_block(binder->recorder)};
    if (!layouts[1] || !layouts[2] || !layouts[3])
        return NULL;
    struct ag_label label;
    ag_pipeline_label(pipeline, &label);
    WGPUPipelineLayout layout =
        ag_pipeline_layout_create(binder->recorder, layouts, pipeline->uses_draw_block ? 4 : 2, label.text);
    struct vertex_arrays arrays;
    WGPUColorTargetState targets[AGPU_MAX_RENDER_TARGETS];
    WGPUBlendState blends[AGPU_MAX_RENDER_TARGETS];
    WGPUFragmentState fragment = {0};
    WGPUDepthStencilState depth_stencil;
    WGPURenderPipelineDescriptor descriptor = {.label = ag_webgpu_string(label.text), .layout = layout};
    fill_vertex(pipeline, &arrays, &descriptor.vertex);
    fill_primitive(key, &descriptor.primitive);
    descriptor.multisample = (WGPUMultisampleState){
        .count = ag_samples_host(key->sample_count),
        .mask = key->sample_mask,
    };
    if (key->depth_format) {
        ag_depth_stencil_to_webgpu(&key->depth_stencil, &key->rasterizer,
                                   (enum ag_depth_bias_place)key->depth_bias,
                                   ag_host_format(key->depth_format), &depth_stencil);
        depth_stencil.format = ag_host_texture_format(binder->host, ag_host_format(key->depth_format));
        descriptor.depthStencil = &depth_stencil;
    }
    if (pipeline->pixel) {
        fragment.targetCount = fill_targets(pipeline, targets, blends);
        fragment.module = pipeline->pixel->gpu;
        fragment.entryPoint = ag_webgpu_string(pipeline->pixel->module->entry_point);
        fragment.targets = targets;
        descriptor.fragment = &fragment;
    }
    struct ag_compilation *compilation = ag_compile_render_pipeline(binder->host->gpu, &descriptor);
    binder->host->counts.pipelines++;
    wgpuPipelineLayoutRelease(layout);
    if (!compilation)
        ag_host_no_memory(binder->host);
    return compilation;
}

/* What the pipeline is made from, and whether it can be made. */
static enum ag_outcome make_parts(struct ag_binder *binder, struct ag_pipeline *pipeline)
{
    enum ag_outcome outcome = check_state(binder, &pipeline->key, &pipeline->refusal);
    if (outcome == AG_DONE)
        outcome = ag_pipeline_make_variants(binder, pipeline);
    if (outcome == AG_DONE)
        outcome = check_needs(binder, pipeline->vertex->module, &pipeline->refusal);
    if (outcome == AG_DONE && pipeline->pixel_program)
        outcome = check_needs(binder, pipeline->pixel->module, &pipeline->refusal);
    if (outcome != AG_DONE)
        return outcome;
    ag_vertex_state_place(&pipeline->vertex_state, pipeline->vertex->module);
    ag_group_recipe_make(binder, pipeline->vertex);
    if (pipeline->pixel_program)
        ag_group_recipe_make(binder, pipeline->pixel);
    return AG_DONE;
}

/* The modules, of which all are begun before the first is waited for. */
static enum ag_outcome await_modules(struct ag_binder *binder, struct ag_pipeline *pipeline)
{
    struct ag_shader_variant *const variants[] = {pipeline->vertex, pipeline->pixel};
    enum ag_outcome outcome = AG_DONE;
    struct ag_label label;
    ag_pipeline_label(pipeline, &label);
    for (size_t i = 0; i < AG_COUNT_OF(variants); i++)
        if (variants[i] && !ag_shader_variant_begin_gpu(binder, variants[i]))
            return AG_OUT_OF_MEMORY;
    for (size_t i = 0; i < AG_COUNT_OF(variants) && outcome == AG_DONE; i++)
        if (variants[i])
            outcome = ag_shader_variant_await_gpu(binder, variants[i], label.text, &pipeline->refusal);
    return outcome;
}

/* Notes what of the blend constant targets use, and the range that they clamp it to (D3D11.3 17.5). WebGPU
 * clamps but where a target's UNORM or SNORM components are floats; a constant that other floats share with
 * them stays. */
static void note_blend_constants(struct ag_pipeline *pipeline)
{
    const struct ag_pipeline_key *key = &pipeline->key;
    bool has_floats = false, unorm = false, snorm = false;
    for (uint32_t i = 0; i < key->target_count; i++) {
        const uint8_t parts = ag_pipeline_key_planes(key, i) ? 0 : ag_blend_constants(&key->blend[i]);
        pipeline->blend_constants |= parts;
        if (!parts || !key->formats[i])
            continue;
        const struct ag_host_format *format = ag_host_format(key->formats[i]);
        has_floats |= format->number == AG_NUMBER_FLOAT;
        snorm |= format->number == AG_NUMBER_SNORM;
        unorm |= format->conversion == AG_CONVERT_FLOATS;
    }
    if (!has_floats)
        pipeline->blend_constants |= (uint8_t)(snorm ? AG_BLEND_SNORM : unorm ? AG_BLEND_UNORM : 0);
}

enum ag_outcome ag_pipeline_create(struct ag_binder *binder, const struct ag_pipeline_key *key,
                                   struct ag_shader_program *vertex, struct ag_shader_program *pixel,
                                   const struct ag_inlined_parts *parts, struct ag_pipeline **created)
{
    struct ag_pipeline *pipeline = calloc(1, sizeof *pipeline);
    if (!pipeline) {
        ag_host_no_memory(binder->host);
        return AG_OUT_OF_MEMORY;
    }
    memcpy(&pipeline->key, key, sizeof *key);
    pipeline->vertex_program = vertex;
    pipeline->pixel_program = pixel;
    if (parts)
        pipeline->parts = *parts;
    pipeline->vertex_state = key->vertex;
    note_blend_constants(pipeline);
    enum ag_outcome outcome = make_parts(binder, pipeline);
    if (outcome == AG_DONE)
        outcome = await_modules(binder, pipeline);
    if (outcome == AG_DONE) {
        pipeline->compilation = compile(binder, pipeline);
        outcome = pipeline->compilation ? AG_DONE : AG_OUT_OF_MEMORY;
    }
    if (outcome != AG_DONE && (outcome != AG_SKIPPED || !pipeline->refusal.code)) {
        free(pipeline);
        return outcome;
    }
    pipeline->refused = outcome != AG_DONE;
    *created = pipeline;
    return AG_DONE;
}
