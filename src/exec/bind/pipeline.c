/* SPDX-License-Identifier: MIT */
#include "exec/bind/pipeline.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "aerogpu/abi/cmd.h"
#include "aerogpu/abi/ext.h"
#include "aerogpu/dxbc.h"
#include "base/map.h"
#include "exec/bind/binder.h"
#include "exec/bind/context.h"
#include "exec/bind/draw_call.h"
#include "exec/bind/kept_pipelines.h"
#include "exec/bind/pipeline_creation.h"
#include "exec/bind/pipeline_memo.h"
#include "exec/bind/pipeline_wait.h"
#include "exec/bind/sampler_binding.h"
#include "exec/bind/shader.h"
#include "exec/bind/storage_texture.h"
#include "exec/bind/uav.h"
#include "exec/bind/vertex_state.h"
#include "exec/host/outcome.h"
#include "exec/host/refused_handle.h"
#include "exec/host/report.h"
#include "exec/object/sample_count.h"
#include "exec/object/view.h"
#include "exec/state/state.h"
#include "format/format.h"
#include "gpu/compilation.h"
#include "gpu/label.h"
#include "gpu/webgpu.h"

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

/* ---- The cache ---------------------------------------------------------------------------------------- */

void ag_pipeline_destroy(struct ag_binder *binder, struct ag_pipeline *pipeline)
{
    ag_shared_cache_remove(&binder->host->accounts, &binder->recent_pipelines, &pipeline->recent);
    ag_pipeline_memo_clear(binder);
    binder->host->released_objects = true;
    if (pipeline->gpu)
        wgpuRenderPipelineRelease(pipeline->gpu);
    ag_compilation_release(pipeline->compilation);
    free(pipeline);
}

/* Makes room for another pipeline. Recorded commands keep WebGPU's part of the pipeline that is dropped. */
static void drop_one(struct ag_binder *binder)
{
    struct ag_pipeline *dropped = ag_shared_cache_victim(
        &binder->recent_pipelines, binder->host->accounts.current, binder->pipeline_count);
    ag_map_remove(&binder->pipelines, dropped->hash);
    ag_pipeline_destroy(binder, dropped);
}

/* The pipeline that was used last, if it has the key: as a rule, and nothing is hashed. */
static struct ag_pipeline *find_newest(const struct ag_binder *binder, const struct ag_pipeline_key *key)
{
    const struct ag_recency *newest = binder->recent_pipelines.recent.newest;
    struct ag_pipeline *pipeline = newest ? newest->member : NULL;
    return pipeline && memcmp(&pipeline->key, key, sizeof *key) == 0 ? pipeline : NULL;
}

static void note_hit(struct ag_binder *binder, struct ag_pipeline *pipeline)
{
    if (pipeline->is_ahead)
        binder->host->counts.pipelines++;
    else
        binder->host->counts.pipeline_hits += !pipeline->compilation;
    pipeline->is_ahead = false;
    ag_shared_cache_use(&binder->recent_pipelines, &pipeline->recent);
}

static enum ag_outcome look_up(struct ag_binder *binder, const struct ag_pipeline_key *key,
                               struct ag_shader_program *vertex, struct ag_shader_program *pixel,
                               const struct ag_inlined_parts *parts, struct ag_pipeline **found)
{
    *found = find_newest(binder, key);
    if (*found) {
        note_hit(binder, *found);
        return AG_DONE;
    }
    const uint64_t hash = ag_hash_bytes(key, sizeof *key);
    struct ag_pipeline *pipeline = ag_map_get(&binder->pipelines, hash);
    if (pipeline && memcmp(&pipeline->key, key, sizeof *key) == 0) {
        note_hit(binder, pipeline);
        *found = pipeline;
        return AG_DONE;
    }
    if (pipeline) /* a pipeline with the same hash and another key, which the new pipeline replaces */
        ag_pipeline_destroy(binder, ag_map_remove(&binder->pipelines, hash));
    while (binder->recent_pipelines.recent.count >= binder->pipeline_count)
        drop_one(binder);
    enum ag_outcome outcome = ag_pipeline_wait_admits(binder, "render pipeline");
    if (outcome == AG_DONE)
        outcome = ag_pipeline_create(binder, key, vertex, pixel, parts, &pipeline);
    if (outcome != AG_DONE)
        return outcome;
    pipeline->hash = hash;
    ag_shared_cache_add(&binder->host->accounts, &binder->recent_pipelines, &pipeline->recent, pipeline,
                        binder->host->accounts.current);
    if (!ag_map_put(&binder->pipelines, hash, pipeline)) {
        ag_pipeline_destroy(binder, pipeline);
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
    const enum ag_outcome outcome = ag_pipeline_create(binder, key, vertex, pixel, NULL, &pipeline);
    ag_pipeline_wait_end_packet(binder);
    if (outcome != AG_DONE)
        return outcome != AG_PENDING;
    binder->host->counts.pipelines -= pipeline->compilation != NULL;
    pipeline->hash = hash;
    pipeline->is_ahead = true;
    ag_shared_cache_add(&binder->host->accounts, &binder->recent_pipelines, &pipeline->recent, pipeline,
                        vertex->account);
    if (pipeline->refused || !ag_map_put(&binder->pipelines, hash, pipeline))
        ag_pipeline_destroy(binder, pipeline);
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
    ag_pipeline_label(pipeline, &label);
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
    struct ag_shader_program *producer =
        ag_shader_at(binder, context, parts->hull ? AGPU_STAGE_DOMAIN : AGPU_STAGE_GEOMETRY);
    struct ag_inlined_key key = *inlined;
    key.vertex = parts->vertex->id;
    key.hull = parts->hull ? parts->hull->id : 0;
    key.producer = parts->producer->id;
    return get_expanded(binder, context, attachments, producer, expanded, parts, &key, pipeline);
}

/* ---- Forgetting --------------------------------------------------------------------------------------- */

static bool is_made_of(const struct ag_pipeline *pipeline, const struct ag_shader_program *program)
{
    const struct ag_inlined_parts *parts = &pipeline->parts;
    return pipeline->vertex_program == program || pipeline->pixel_program == program ||
           (parts->vertex && parts->vertex->program == program) ||
           (parts->hull && parts->hull->program == program);
}

void ag_pipelines_forget_program(struct ag_binder *binder, const struct ag_shader_program *program)
{
    size_t cursor = 0;
    uint64_t key;
    void *value;
    while (ag_map_next(&binder->pipelines, &cursor, &key, &value)) {
        struct ag_pipeline *pipeline = value;
        if (!is_made_of(pipeline, program))
            continue;
        ag_map_remove(&binder->pipelines, key);
        ag_pipeline_destroy(binder, pipeline);
        cursor--; /* removing may have moved another entry to this place */
    }
}
