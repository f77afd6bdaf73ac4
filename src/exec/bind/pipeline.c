/* SPDX-License-Identifier: MIT */
#include "exec/bind/pipeline.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "aerogpu/abi/cmd.h"
#include "aerogpu/abi/ext.h"
#include "aerogpu/diag.h"
#include "aerogpu/dxbc.h"
#include "aerogpu/translate.h"
#include "base/bytes.h"
#include "base/map.h"
#include "exec/bind/binder.h"
#include "exec/bind/context.h"
#include "exec/bind/draw_call.h"
#include "exec/bind/group_recipe.h"
#include "exec/bind/kept_pipelines.h"
#include "exec/bind/pipeline_memo.h"
#include "exec/bind/pipeline_wait.h"
#include "exec/bind/sampler_binding.h"
#include "exec/bind/shader.h"
#include "exec/bind/storage_texture.h"
#include "exec/bind/uav.h"
#include "exec/bind/vertex_state.h"
#include "exec/host/host.h"
#include "exec/host/outcome.h"
#include "exec/host/refused_handle.h"
#include "exec/host/report.h"
#include "exec/object/sample_count.h"
#include "exec/object/view.h"
#include "exec/record/bind_group_layout.h"
#include "exec/record/recorder.h"
#include "exec/state/state.h"
#include "format/format.h"
#include "gpu/compilation.h"
#include "gpu/feature.h"
#include "gpu/gpu.h"
#include "gpu/label.h"
#include "gpu/webgpu.h"
#include "wgsl/linkage.h"
#include "wgsl/options.h"

/* ---- Shaders of a draw -------------------------------------------------------------------------------- */

enum ag_outcome ag_bound_program(struct ag_binder *binder, const struct ag_context *context,
                                 enum agpu_stage stage, struct ag_shader_program **program)
{
    uint32_t handle = context->shaders[stage];
    struct ag_shader_program *bound = ag_shader_in_slot(binder, context, stage);
    *program = NULL;
    if (handle && !bound) {
        ag_host_warn_handle(binder->host, AG_SPACE_SHADERS, handle,
                            "the bound %s, handle %" PRIu32 ", does not exist; draws are skipped",
                            agpu_stage_name(stage), handle);
        return AG_SKIPPED;
    }
    if (bound && bound->shader->program.stage != stage) {
        ag_host_warn(binder->host, AGPU_DIAG_EXEC_ARGUMENT,
                     "the bound %s, handle %" PRIu32 ", is a shader of another stage and taken for 0",
                     agpu_stage_name(stage), handle);
        return AG_DONE;
    }
    if (bound && bound->refused)
        return ag_host_skip_refused(binder->host, AGPU_DIAG_EXEC_REFUSED_OBJECT,
                                    "the bound %s cannot be expressed: %s", agpu_stage_name(stage),
                                    bound->refusal.message);
    *program = bound;
    return AG_DONE;
}

enum ag_outcome ag_draw_needs_vertex_shader(struct ag_binder *binder)
{
    return ag_host_skip_undefined(binder->host, "a draw without a vertex shader is skipped");
}

/* ---- Keys --------------------------------------------------------------------------------------------- */

/* Whether the primitives are triangles, filled or as edges. Points and lines have no depth bias. */
static bool has_faces(uint32_t topology)
{
    return topology == AG_TOPOLOGY_TRIANGLE_LIST || topology == AG_TOPOLOGY_TRIANGLE_STRIP ||
           topology == AG_TOPOLOGY_TRIANGLE_FAN || topology == AEROGPU_TOPOLOGY_TRIANGLELIST_ADJ ||
           topology == AEROGPU_TOPOLOGY_TRIANGLESTRIP_ADJ;
}

void ag_depth_stencil_drawn(const struct ag_context *context, const struct ag_attachments *attachments,
                            struct ag_depth_stencil_desc *desc)
{
    memset(desc, 0, sizeof *desc);
    if (!attachments->depth)
        return;
    *desc = context->depth_stencil;
    if (attachments->depth->flags & AEROGPU_EXT_VIEW_FLAG_READ_ONLY_DEPTH)
        desc->depth_write = 0;
    if (attachments->depth->flags & AEROGPU_EXT_VIEW_FLAG_READ_ONLY_STENCIL)
        desc->write_mask = 0;
}

static void fill_fixed_function(const struct ag_context *context, const struct ag_attachments *attachments,
                                struct ag_pipeline_key *key)
{
    key->rasterizer = context->rasterizer;
    key->rasterizer.scissor = 0; /* dynamic state in WebGPU */
    key->sample_count = attachments->sample_count ? (uint8_t)attachments->sample_count : 1;
    key->sample_mask = ag_samples_host_mask(key->sample_count, context->sample_mask);
    key->alpha_to_coverage = context->blend.alpha_to_coverage;
    key->target_count = (uint8_t)attachments->color_count;
    key->early = attachments->early;
    for (uint32_t i = 0; i < attachments->color_count; i++) {
        if (!attachments->colors[i])
            continue;
        key->formats[i] = (uint8_t)attachments->colors[i]->dxgi;
        key->blend[i] = ag_blend_drawn(&context->blend, i, attachments->colors[i]->format);
    }
    if (attachments->depth) {
        key->depth_format = (uint8_t)attachments->depth->dxgi;
        ag_depth_stencil_drawn(context, attachments, &key->depth_stencil);
        const struct ag_host_format *format = attachments->depth->format;
        const uint32_t samples = ag_samples_host(key->sample_count);
        key->depth_rounded = ag_depth_is_rounded(&key->depth_stencil, format, samples);
        key->depth_bias = (uint8_t)ag_depth_bias_place(
            &context->rasterizer, format, (enum ag_drawn_faces)key->faces, samples, key->depth_rounded != 0);
    }
}

/* ---- Creation ----------------------------------------------------------------------------------------- */

static enum ag_outcome link(struct ag_binder *binder, struct ag_pipeline *pipeline,
                            struct ag_linkage *linkage)
{
    const struct agpu_shader *producer = pipeline->vertex_program->shader;
    const struct agpu_shader *pixel = pipeline->pixel_program ? pipeline->pixel_program->shader : NULL;
    uint32_t limit = binder->host->limits.maxInterStageShaderVariables;
    struct ag_refusal_catcher catcher;
    ag_refusal_catcher_init(&catcher, &binder->host->reports.sink, &pipeline->refusal);
    memset(linkage, 0, sizeof *linkage);
    enum agpu_status status =
        pipeline->key.expanded.vertices
            ? ag_link_expanded(producer, pipeline->key.expanded.stream, pixel, limit, &catcher.sink, linkage)
            : ag_link(producer, pixel, limit, &catcher.sink, linkage);
    if (status == AGPU_OK && !ag_host_has(binder->host, AG_GPU_FEATURE_CLIP_DISTANCES))
        status = ag_link_clip_distances(producer, limit, &catcher.sink, linkage);
    return ag_refusal_catcher_outcome(&catcher, status);
}

static void fill_vertex_variant(const struct ag_pipeline_key *key, struct ag_variant_key *variant)
{
    variant->depth_bias = key->depth_bias == AG_DEPTH_BIAS_OF_VERTEX  ? AG_DEPTH_BIAS_CONSTANT
                          : key->depth_bias == AG_DEPTH_BIAS_OF_EDGES ? AG_DEPTH_BIAS_EDGES
                                                                      : AG_DEPTH_BIAS_NONE;
    if (key->expanded.vertices) {
        variant->drawn_vertices = key->expanded.vertices;
        variant->drawn_edges = key->expanded.edges;
        variant->drawn_culled = key->expanded.culled;
        variant->input_registers = key->expanded.record_registers;
        variant->drawn_layers = key->expanded.layers;
        variant->selects_viewport = key->expanded.selects_viewport;
        variant->drawn_pieces = key->expanded.pieces;
        variant->inlined = key->inlined;
        return;
    }
    variant->sampling = key->vertex_sampling;
    variant->has_attributes = 1;
    memcpy(variant->attribute_classes, key->attribute_classes, sizeof variant->attribute_classes);
}

/* What the pixel shader does to depth: bits of enum ag_pixel_depth. */
static uint8_t pixel_depth_of(const struct ag_pipeline_key *key)
{
    return (uint8_t)((key->depth_rounded ? AG_PIXEL_DEPTH_ROUND : 0) |
                     (key->depth_bias == AG_DEPTH_BIAS_OF_PIXEL ? AG_PIXEL_DEPTH_BIAS : 0));
}

/* The tests that a pixel shader which stores makes by itself, since drivers test behind such a shader. */
static struct ag_early_test early_test_of(const struct ag_pipeline_key *key,
                                          const struct ag_shader_program *pixel)
{
    struct ag_early_test test = {0};
    if (key->early != AG_EARLY_SHADES || !pixel->has_uavs || !key->depth_format)
        return test;
    const struct ag_host_format *format = ag_host_format(key->depth_format);
    const struct ag_depth_stencil_desc *desc = &key->depth_stencil;
    if (desc->depth_enable && desc->depth_comparison != AEROGPU_EXT_COMPARISON_ALWAYS)
        test.depth = desc->depth_comparison;
    test.depth_bits = format->texture == WGPUTextureFormat_Depth16Unorm ? 16 : 0;
    if (desc->stencil_enable && ag_host_format_has(format, AG_FORMAT_STENCIL)) {
        test.stencil_front = desc->front.comparison;
        test.stencil_back = desc->back.comparison;
        test.stencil_mask = desc->read_mask;
    }
    return test;
}

/* Without a pixel shader, clip distances and depth that is made of the rasterizer's need one that does
 * nothing else: a variant of the stage in front. Colour targets that are not written need one, too. */
static enum ag_outcome make_pixel(struct ag_binder *binder, struct ag_pipeline *pipeline,
                                  const struct ag_linkage *linkage)
{
    struct ag_variant_key variant;
    const uint8_t pixel_depth = pixel_depth_of(&pipeline->key);
    const bool counts_pixels = pipeline->key.early == AG_EARLY_TESTS && pipeline->key.target_count > 0;
    if (linkage->clip_count == 0 && pixel_depth == 0 && !counts_pixels)
        return AG_DONE;
    memset(&variant, 0, sizeof variant);
    memcpy(&variant.linkage, linkage, sizeof *linkage);
    variant.has_linkage = 1;
    variant.flavour = AGPU_FLAVOUR_PIXEL;
    variant.pixel_depth = pixel_depth;
    const enum ag_outcome outcome =
        ag_shader_variant(binder, pipeline->vertex_program, &variant, &pipeline->pixel, &pipeline->refusal);
    if (outcome == AG_DONE)
        pipeline->uses_draw_block |= pipeline->pixel->module->uses_draw_block;
    return outcome;
}

/* The logic operation, which all targets that have one share. */
static uint8_t logic_of(const struct ag_pipeline_key *key)
{
    for (uint32_t i = 0; i < key->target_count; i++)
        if (key->formats[i] && key->blend[i].logic_enable)
            return ag_blend_logic(&key->blend[i]);
    return 0;
}

/* In how many planes the samples of a target are; 0: in none. */
static uint8_t planes_of(const struct ag_pipeline_key *key, uint32_t target)
{
    return key->formats[target] && key->sample_count > 1
               ? ag_format_sample_planes(ag_host_format(key->formats[target])).count
               : 0;
}

/* Whether both blend sources are those of one WebGPU target. For planes the shader multiplies. */
static bool is_dual_source(const struct ag_pipeline_key *key)
{
    return ag_blend_uses_source1(&key->blend[0]) && planes_of(key, 0) == 0;
}

/* The variant in front of the pixel shader. */
static enum ag_outcome make_vertex(struct ag_binder *binder, struct ag_pipeline *pipeline,
                                   struct ag_variant_key *variant)
{
    const struct ag_inlined_parts *parts = &pipeline->parts;
    fill_vertex_variant(&pipeline->key, variant);
    if (!parts->vertex)
        return ag_shader_variant(binder, pipeline->vertex_program, variant, &pipeline->vertex,
                                 &pipeline->refusal);
    variant->view_base = parts->geometry->module->view_base;
    variant->inlined.vertex = ag_hash_bytes(parts->vertex->module->wgsl, parts->vertex->module->wgsl_length);
    variant->inlined.geometry =
        ag_hash_bytes(parts->geometry->module->wgsl, parts->geometry->module->wgsl_length);
    return ag_shader_variant_of_parts(binder, pipeline->vertex_program, variant, parts, &pipeline->vertex,
                                      &pipeline->refusal);
}

static enum ag_outcome make_variants(struct ag_binder *binder, struct ag_pipeline *pipeline)
{
    const struct ag_pipeline_key *key = &pipeline->key;
    struct ag_variant_key variant;
    struct ag_linkage linkage;
    const struct agpu_shader *pixel = pipeline->pixel_program ? pipeline->pixel_program->shader : NULL;
    enum ag_outcome outcome = link(binder, pipeline, &linkage);
    if (outcome != AG_DONE)
        return outcome;
    memset(&variant, 0, sizeof variant);
    memcpy(&variant.linkage, &linkage, sizeof linkage);
    variant.has_linkage = 1;
    outcome = make_vertex(binder, pipeline, &variant);
    if (outcome != AG_DONE)
        return outcome;
    pipeline->uses_draw_block = pipeline->vertex->module->uses_draw_block || key->expanded.vertices;
    if (!pixel)
        return make_pixel(binder, pipeline, &linkage);
    memset(&variant, 0, sizeof variant);
    memcpy(&variant.linkage, &linkage, sizeof linkage);
    variant.has_linkage = 1;
    variant.view_base = (uint8_t)(pipeline->vertex->module->view_base + pipeline->vertex->module->view_count);
    for (uint32_t i = 0; i < key->target_count; i++) {
        if (!key->formats[i])
            continue;
        const struct ag_host_format *format = ag_host_format(key->formats[i]);
        const struct ag_components components = ag_host_format_components(format);
        variant.target_mask |= (uint8_t)(1u << i);
        variant.target_classes[i] = format->class == AG_CLASS_UINT   ? AGPU_TARGET_UINT
                                    : format->class == AG_CLASS_SINT ? AGPU_TARGET_SINT
                                                                     : AGPU_TARGET_FLOAT;
        if (format->conversion == AG_CONVERT_FLOATS) {
            /* A blended target is only clamped here; its floats are rounded when they are read back. */
            variant.target_bits[i] = key->blend[i].enable ? 24 : format->component_bits;
            variant.target_snorm |= (uint8_t)((format->number == AG_NUMBER_SNORM) << i);
        } else if (variant.target_classes[i] != AGPU_TARGET_FLOAT && components.bits[0] < 32) {
            variant.target_bits[i] =
                components.bits[0]; /* the shader clamps integers to the target's width */
            if (components.bits[3] != components.bits[0])
                variant.target_alpha_bits[i] = components.bits[3];
        }
        if (ag_format_rounds(format) && !key->blend[i].enable) {
            variant.target_bits[i] = components.bits[0];
            variant.target_green_bits[i] = components.bits[1];
            variant.target_alpha_bits[i] = components.bits[3];
        }
        if (format->conversion == AG_CONVERT_HALVES && !key->blend[i].enable)
            variant.target_packed |= (uint8_t)(1u << i);
        variant.target_planes[i] = planes_of(key, i);
        if (variant.target_planes[i])
            variant.target_factors[i] = ag_blend_factors(&key->blend[i], format);
    }
    variant.pixel_depth = pixel_depth_of(key);
    variant.early_test = early_test_of(key, pipeline->pixel_program);
    variant.alpha_to_coverage = key->alpha_to_coverage;
    variant.logic = logic_of(key);
    variant.dual_source = is_dual_source(key);
    if (variant.dual_source) { /* the second source has the range of the target (D3D11.3 17.5) */
        variant.target_bits[1] = variant.target_bits[0];
        variant.target_snorm |= (uint8_t)((variant.target_snorm & 1) << 1);
    }
    variant.no_depth_target = pipeline->pixel_program->writes_depth && !key->depth_format;
    variant.aliases = key->aliases;
    variant.sampling = key->pixel_sampling;
    outcome =
        ag_shader_variant(binder, pipeline->pixel_program, &variant, &pipeline->pixel, &pipeline->refusal);
    if (outcome == AG_DONE)
        pipeline->uses_draw_block |= pipeline->pixel->module->uses_draw_block;
    return outcome;
}

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
        planes[i] = planes_of(key, i);
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
        if (planes_of(key, i) == 4 && ag_blend_crosses_planes(&key->blend[i], format))
            missing = "a blend factor of the target's alpha, with several samples of that format";
    }
    if (bytes > binder->host->limits.maxColorAttachmentBytesPerSample)
        missing = "that many bytes in colour targets";
    if (locate_targets(key, first) > binder->host->limits.maxColorAttachments)
        missing = "that many colour targets";
    if (is_dual_source(key) && !ag_host_has(binder->host, AG_GPU_FEATURE_DUAL_SOURCE_BLENDING))
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
        for (uint32_t plane = 0; plane < planes_of(key, i); plane++)
            fill_plane(key, i, plane, &state[plane], &blends[first[i] + plane]);
        if (planes_of(key, i))
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

/* "pipeline vs 2 ps 4": the last stage in front of pixels, and the pixel shader. */
static void label_pipeline(const struct ag_pipeline *pipeline, struct ag_label *label)
{
    const struct ag_shader_program *producer = pipeline->vertex_program, *pixel = pipeline->pixel_program;
    const char *stage = agpu_stage_name(producer->shader->program.stage);
    if (pixel)
        ag_label_format(label, "pipeline %s %" PRIu32 " ps %" PRIu32, stage, producer->handle, pixel->handle);
    else
        ag_label_format(label, "pipeline %s %" PRIu32, stage, producer->handle);
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
    label_pipeline(pipeline, &label);
    WGPUPipelineLayout layout =
        ag_pipeline_layout_create(binder->recorder, layouts, pipeline->uses_draw_block ? 4 : 2, label.text);
    struct vertex_arrays arrays;
    WGPUColorTargetState targets[AGPU_MAX_RENDER_TARGETS];
    WGPUBlendState blends[AGPU_MAX_RENDER_TARGETS];
    WGPUFragmentState fragment = {0};
    WGPUDepthStencilState depth_stencil;
    WGPURenderPipelineDescriptor descriptor = {.label = ag_webgpu_string(label.text), .layout = layout};
    fill_vertex(pipeline, &arrays, &descriptor.vertex);
    ag_topology_to_webgpu(key->topology, &descriptor.primitive.topology);
    descriptor.primitive.stripIndexFormat = (WGPUIndexFormat)key->strip_format;
    descriptor.primitive.frontFace =
        key->rasterizer.front_counter_clockwise ? WGPUFrontFace_CCW : WGPUFrontFace_CW;
    descriptor.primitive.cullMode = key->rasterizer.cull == AEROGPU_EXT_CULL_FRONT  ? WGPUCullMode_Front
                                    : key->rasterizer.cull == AEROGPU_EXT_CULL_BACK ? WGPUCullMode_Back
                                                                                    : WGPUCullMode_None;
    descriptor.primitive.unclippedDepth = !key->rasterizer.depth_clip;
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
        outcome = make_variants(binder, pipeline);
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
    label_pipeline(pipeline, &label);
    for (size_t i = 0; i < AG_COUNT_OF(variants); i++)
        if (variants[i] && !ag_shader_variant_begin_gpu(binder, variants[i]))
            return AG_OUT_OF_MEMORY;
    for (size_t i = 0; i < AG_COUNT_OF(variants) && outcome == AG_DONE; i++)
        if (variants[i])
            outcome = ag_shader_variant_await_gpu(binder, variants[i], label.text, &pipeline->refusal);
    return outcome;
}

static void destroy_pipeline(struct ag_binder *binder, struct ag_pipeline *pipeline)
{
    ag_shared_cache_remove(&binder->host->accounts, &binder->recent_pipelines, &pipeline->recent);
    ag_pipeline_memo_clear(binder);
    binder->host->released_objects = true;
    if (pipeline->gpu)
        wgpuRenderPipelineRelease(pipeline->gpu);
    ag_compilation_release(pipeline->compilation);
    free(pipeline);
}

/* Notes what of the blend constant targets use, and the range that they clamp it to (D3D11.3 17.5). WebGPU
 * clamps but where a target's UNORM or SNORM components are floats; a constant that other floats share with
 * them stays. */
static void note_blend_constants(struct ag_pipeline *pipeline)
{
    const struct ag_pipeline_key *key = &pipeline->key;
    bool has_floats = false, unorm = false, snorm = false;
    for (uint32_t i = 0; i < key->target_count; i++) {
        const uint8_t parts = planes_of(key, i) ? 0 : ag_blend_constants(&key->blend[i]);
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

/* A refused pipeline is made all the same and keeps its refusal. A shortage makes no pipeline, nor does what
 * is not translated yet. */
static enum ag_outcome create_pipeline(struct ag_binder *binder, const struct ag_pipeline_key *key,
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

/* ---- The cache ---------------------------------------------------------------------------------------- */

/* Makes room for another pipeline. Recorded commands keep WebGPU's part of the pipeline that is dropped. */
static void drop_one(struct ag_binder *binder)
{
    struct ag_pipeline *dropped = ag_shared_cache_victim(
        &binder->recent_pipelines, binder->host->accounts.current, binder->pipeline_count);
    ag_map_remove(&binder->pipelines, dropped->hash);
    destroy_pipeline(binder, dropped);
}

static enum ag_outcome look_up(struct ag_binder *binder, const struct ag_pipeline_key *key,
                               struct ag_shader_program *vertex, struct ag_shader_program *pixel,
                               const struct ag_inlined_parts *parts, struct ag_pipeline **found)
{
    uint64_t hash = ag_hash_bytes(key, sizeof *key);
    struct ag_pipeline *pipeline = ag_map_get(&binder->pipelines, hash);
    if (pipeline && memcmp(&pipeline->key, key, sizeof *key) == 0) {
        if (pipeline->is_ahead)
            binder->host->counts.pipelines++;
        else
            binder->host->counts.pipeline_hits += !pipeline->compilation;
        pipeline->is_ahead = false;
        ag_shared_cache_use(&binder->recent_pipelines, &pipeline->recent);
        *found = pipeline;
        return AG_DONE;
    }
    if (pipeline) /* a pipeline with the same hash and another key, which the new pipeline replaces */
        destroy_pipeline(binder, ag_map_remove(&binder->pipelines, hash));
    while (binder->recent_pipelines.recent.count >= binder->pipeline_count)
        drop_one(binder);
    enum ag_outcome outcome = ag_pipeline_wait_admits(binder, "render pipeline");
    if (outcome == AG_DONE)
        outcome = create_pipeline(binder, key, vertex, pixel, parts, &pipeline);
    if (outcome != AG_DONE)
        return outcome;
    pipeline->hash = hash;
    ag_shared_cache_add(&binder->host->accounts, &binder->recent_pipelines, &pipeline->recent, pipeline,
                        binder->host->accounts.current);
    if (!ag_map_put(&binder->pipelines, hash, pipeline)) {
        destroy_pipeline(binder, pipeline);
        ag_host_no_memory(binder->host);
        return AG_OUT_OF_MEMORY;
    }
    *found = pipeline;
    return AG_DONE;
}

/* The most of all pipelines that are kept may be ahead of draws, in halves. */
bool ag_pipeline_begin_ahead(struct ag_binder *binder, const struct ag_pipeline_key *key,
                             struct ag_shader_program *vertex, struct ag_shader_program *pixel)
{
    const uint64_t hash = ag_hash_bytes(key, sizeof *key);
    struct ag_pipeline *pipeline;
    if (ag_map_get(&binder->pipelines, hash) ||
        binder->recent_pipelines.recent.count >= binder->pipeline_count / 2)
        return true;
    ag_pipeline_wait_begin_packet(binder);
    const enum ag_outcome outcome = create_pipeline(binder, key, vertex, pixel, NULL, &pipeline);
    ag_pipeline_wait_end_packet(binder);
    if (outcome != AG_DONE)
        return outcome != AG_PENDING;
    binder->host->counts.pipelines -= pipeline->compilation != NULL;
    pipeline->hash = hash;
    pipeline->is_ahead = true;
    ag_shared_cache_add(&binder->host->accounts, &binder->recent_pipelines, &pipeline->recent, pipeline,
                        vertex->account);
    if (pipeline->refused || !ag_map_put(&binder->pipelines, hash, pipeline))
        destroy_pipeline(binder, pipeline);
    else
        binder->host->counts.pipelines_ahead++;
    return true;
}

static uint64_t compile_ms_of(const struct ag_shader_variant *variant)
{
    return variant ? variant->module->compile_ms : 0;
}

/* Takes what was compiled. */
static enum ag_outcome settle(struct ag_binder *binder, struct ag_pipeline *pipeline)
{
    if (!pipeline->compilation)
        return AG_DONE;
    struct ag_label label;
    label_pipeline(pipeline, &label);
    const enum ag_outcome outcome =
        ag_pipeline_wait(binder, pipeline->compilation, label.text, &pipeline->refusal);
    if (outcome != AG_DONE)
        return outcome;
    pipeline->gpu = ag_compilation_take_render(pipeline->compilation);
    ag_compilation_release(pipeline->compilation);
    pipeline->compilation = NULL;
    pipeline->refused = pipeline->refusal.code != 0;
    if (!pipeline->refused && !pipeline->parts.vertex)
        ag_kept_pipelines_note(binder, pipeline);
    ag_pipeline_wait_taken(binder, compile_ms_of(pipeline->vertex) + compile_ms_of(pipeline->pixel));
    return AG_DONE;
}

/* Null where nothing but depth is drawn. */
static enum ag_outcome find_pixel_shader(struct ag_binder *binder, struct ag_context *context,
                                         const struct ag_attachments *attachments,
                                         struct ag_shader_program **pixel)
{
    *pixel = NULL;
    if (context->shaders[AGPU_STAGE_PIXEL] != 0 && attachments->early != AG_EARLY_TESTS)
        return ag_bound_program(binder, context, AGPU_STAGE_PIXEL, pixel);
    return AG_DONE;
}

static enum ag_outcome finish(struct ag_binder *binder, struct ag_context *context,
                              const struct ag_attachments *attachments, struct ag_pipeline_key *key,
                              struct ag_shader_program *vertex, struct ag_shader_program *pixel,
                              const struct ag_inlined_parts *parts, struct ag_pipeline **pipeline)
{
    struct ag_pipeline *found;
    key->vertex_id = vertex->id;
    key->pixel_id = pixel ? pixel->id : 0;
    fill_fixed_function(context, attachments, key);
    if (pixel)
        ag_uavs_alias(context, AGPU_STAGE_PIXEL, pixel, &key->aliases);
    /* Stages that share a view have it in one form. */
    if (pixel && pixel->has_uavs && !ag_uavs_used_early(binder, context))
        ag_storage_textures_choose(binder, context, AGPU_STAGE_PIXEL, pixel, &key->aliases);
    if (!key->expanded.vertices)
        key->vertex_sampling = ag_sampling_of(binder, context, AGPU_STAGE_VERTEX, vertex);
    key->pixel_sampling = ag_sampling_of(binder, context, AGPU_STAGE_PIXEL, pixel);
    enum ag_outcome outcome = look_up(binder, key, vertex, pixel, parts, &found);
    if (outcome == AG_DONE)
        outcome = settle(binder, found);
    if (outcome != AG_DONE)
        return outcome;
    if (found->refused)
        return ag_host_skip_refused(binder->host, found->refusal.code, "%s", found->refusal.message);
    *pipeline = found;
    return AG_DONE;
}

enum ag_outcome ag_pipeline_get(struct ag_binder *binder, struct ag_context *context,
                                const struct ag_draw *draw, const struct ag_attachments *attachments,
                                uint32_t topology, WGPUIndexFormat indexed_strip,
                                struct ag_pipeline **pipeline)
{
    struct ag_pipeline_key key;
    struct ag_shader_program *vertex = NULL, *pixel = NULL;
    enum ag_outcome outcome = ag_bound_program(binder, context, AGPU_STAGE_VERTEX, &vertex);
    if (outcome == AG_DONE && !vertex)
        outcome = ag_draw_needs_vertex_shader(binder);
    if (outcome == AG_DONE)
        outcome = find_pixel_shader(binder, context, attachments, &pixel);
    if (outcome != AG_DONE)
        return outcome;
    memset(&key, 0, sizeof key);
    key.topology = topology;
    key.strip_format = (uint32_t)indexed_strip;
    outcome = ag_vertex_state_init(binder, context, draw, vertex, &key.vertex, key.attribute_classes);
    if (outcome != AG_DONE)
        return outcome;
    key.faces = has_faces(context->topology) ? AG_FACES_FILLED : AG_FACES_NONE;
    return finish(binder, context, attachments, &key, vertex, pixel, NULL, pipeline);
}

static enum ag_outcome get_expanded(struct ag_binder *binder, struct ag_context *context,
                                    const struct ag_attachments *attachments,
                                    struct ag_shader_program *producer,
                                    const struct ag_expanded_key *expanded,
                                    const struct ag_inlined_parts *parts,
                                    const struct ag_inlined_key *inlined, struct ag_pipeline **pipeline)
{
    static const uint32_t topologies[] = {0, AG_TOPOLOGY_POINT_LIST, AG_TOPOLOGY_LINE_LIST,
                                          AG_TOPOLOGY_TRIANGLE_LIST};
    struct ag_pipeline_key key;
    struct ag_shader_program *pixel;
    const enum ag_outcome outcome = find_pixel_shader(binder, context, attachments, &pixel);
    if (outcome != AG_DONE)
        return outcome;
    memset(&key, 0, sizeof key);
    key.expanded = *expanded;
    if (inlined)
        key.inlined = *inlined;
    key.topology = expanded->edges ? AG_TOPOLOGY_LINE_LIST : topologies[expanded->vertices];
    key.faces = expanded->edges ? AG_FACES_EDGES : expanded->vertices == 3 ? AG_FACES_FILLED : AG_FACES_NONE;
    return finish(binder, context, attachments, &key, producer, pixel, parts, pipeline);
}

enum ag_outcome ag_expanded_pipeline_get(struct ag_binder *binder, struct ag_context *context,
                                         const struct ag_attachments *attachments,
                                         struct ag_shader_program *producer,
                                         const struct ag_expanded_key *expanded,
                                         struct ag_pipeline **pipeline)
{
    return get_expanded(binder, context, attachments, producer, expanded, NULL, NULL, pipeline);
}

enum ag_outcome ag_inlined_pipeline_get(struct ag_binder *binder, struct ag_context *context,
                                        const struct ag_attachments *attachments,
                                        const struct ag_inlined_parts *parts,
                                        const struct ag_expanded_key *expanded,
                                        const struct ag_inlined_key *inlined, struct ag_pipeline **pipeline)
{
    struct ag_shader_program *producer = ag_shader_at(binder, context, AGPU_STAGE_GEOMETRY);
    struct ag_inlined_key key = *inlined;
    key.vertex = parts->vertex->id;
    key.geometry = parts->geometry->id;
    return get_expanded(binder, context, attachments, producer, expanded, parts, &key, pipeline);
}

/* ---- Forgetting --------------------------------------------------------------------------------------- */

void ag_pipelines_forget_program(struct ag_binder *binder, const struct ag_shader_program *program)
{
    size_t cursor = 0;
    uint64_t key;
    void *value;
    while (ag_map_next(&binder->pipelines, &cursor, &key, &value)) {
        struct ag_pipeline *pipeline = value;
        if (pipeline->vertex_program != program && pipeline->pixel_program != program &&
            !(pipeline->parts.vertex && pipeline->parts.vertex->program == program))
            continue;
        ag_map_remove(&binder->pipelines, key);
        destroy_pipeline(binder, pipeline);
        cursor--; /* removing may have moved another entry to this place */
    }
}

void ag_pipelines_clear(struct ag_binder *binder)
{
    size_t cursor = 0;
    uint64_t key;
    void *value;
    while (ag_map_next(&binder->pipelines, &cursor, &key, &value))
        destroy_pipeline(binder, value);
    ag_map_fini(&binder->pipelines);
}
