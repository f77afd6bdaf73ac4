/* SPDX-License-Identifier: MIT */
#include "exec/bind/pipeline_variants.h"

#include <string.h>

#include "aerogpu/abi/ext.h"
#include "aerogpu/translate.h"
#include "base/map.h"
#include "exec/bind/binder.h"
#include "exec/bind/pipeline.h"
#include "exec/bind/shader.h"
#include "exec/host/host.h"
#include "exec/host/outcome.h"
#include "exec/host/report.h"
#include "exec/state/state.h"
#include "format/format.h"
#include "gpu/feature.h"
#include "gpu/webgpu.h"
#include "wgsl/linkage.h"
#include "wgsl/options.h"

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
 * nothing else: a variant of the stage in front. Colour targets that are not written, but whose pixels
 * are counted, need one, too. */
static enum ag_outcome make_pixel(struct ag_binder *binder, struct ag_pipeline *pipeline,
                                  const struct ag_linkage *linkage)
{
    struct ag_variant_key variant;
    const uint8_t pixel_depth = pixel_depth_of(&pipeline->key);
    const bool counts_pixels = pipeline->key.target_count > 0;
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

uint8_t ag_pipeline_key_planes(const struct ag_pipeline_key *key, uint32_t target)
{
    return key->formats[target] && key->sample_count > 1
               ? ag_format_sample_planes(ag_host_format(key->formats[target])).count
               : 0;
}

bool ag_pipeline_key_is_dual_source(const struct ag_pipeline_key *key)
{
    return ag_blend_uses_source1(&key->blend[0]) && ag_pipeline_key_planes(key, 0) == 0;
}

static uint64_t hash_of_part(const struct ag_shader_variant *part)
{
    return ag_hash_bytes(part->module->wgsl, part->module->wgsl_length);
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
    variant->view_base = parts->producer->module->view_base;
    variant->inlined.vertex = hash_of_part(parts->vertex);
    variant->inlined.hull = parts->hull ? hash_of_part(parts->hull) : 0;
    variant->inlined.producer = hash_of_part(parts->producer);
    return ag_shader_variant_of_parts(binder, pipeline->vertex_program, variant, parts, &pipeline->vertex,
                                      &pipeline->refusal);
}

/* What the pixel shader's outputs become in the targets. */
static void fill_targets(const struct ag_pipeline_key *key, struct ag_variant_key *variant)
{
    for (uint32_t i = 0; i < key->target_count; i++) {
        if (!key->formats[i])
            continue;
        const struct ag_host_format *format = ag_host_format(key->formats[i]);
        const struct ag_components components = ag_host_format_components(format);
        variant->target_mask |= (uint8_t)(1u << i);
        variant->target_classes[i] = format->class == AG_CLASS_UINT   ? AGPU_TARGET_UINT
                                     : format->class == AG_CLASS_SINT ? AGPU_TARGET_SINT
                                                                      : AGPU_TARGET_FLOAT;
        if (format->conversion == AG_CONVERT_FLOATS) {
            /* A blended target is only clamped here; its floats are rounded when they are read back. To more
             * than 23 bits and a sign, floats are not rounded to the nearest. */
            const bool is_signed = format->number == AG_NUMBER_SNORM;
            variant->target_bits[i] =
                key->blend[i].enable ? (uint8_t)(23 + is_signed) : format->component_bits;
            variant->target_snorm |= (uint8_t)(is_signed << i);
        } else if (variant->target_classes[i] != AGPU_TARGET_FLOAT && components.bits[0] < 32) {
            /* The shader clamps integers to the target's width. */
            variant->target_bits[i] = components.bits[0];
            if (components.bits[3] != components.bits[0])
                variant->target_alpha_bits[i] = components.bits[3];
        }
        if (ag_format_rounds(format) && !key->blend[i].enable) {
            variant->target_bits[i] = components.bits[0];
            variant->target_green_bits[i] = components.bits[1];
            variant->target_alpha_bits[i] = components.bits[3];
        }
        if (format->conversion == AG_CONVERT_HALVES && !key->blend[i].enable)
            variant->target_packed |= (uint8_t)(1u << i);
        variant->target_planes[i] = ag_pipeline_key_planes(key, i);
        if (variant->target_planes[i])
            variant->target_factors[i] = ag_blend_factors(&key->blend[i], format);
    }
}

enum ag_outcome ag_pipeline_make_variants(struct ag_binder *binder, struct ag_pipeline *pipeline)
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
    fill_targets(key, &variant);
    variant.pixel_depth = pixel_depth_of(key);
    variant.early_test = early_test_of(key, pipeline->pixel_program);
    variant.alpha_to_coverage = key->alpha_to_coverage;
    variant.logic = logic_of(key);
    variant.dual_source = ag_pipeline_key_is_dual_source(key);
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
