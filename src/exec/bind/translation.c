/* SPDX-License-Identifier: MIT */
#include "exec/bind/translation.h"

#include <stdlib.h>
#include <string.h>

#include "aerogpu/diag.h"
#include "aerogpu/dxbc.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/diag.h"
#include "exec/bind/binder.h"
#include "exec/bind/constant_packing.h"
#include "exec/bind/pipeline_wait.h"
#include "exec/bind/shader.h"
#include "exec/bind/shader_cache.h"
#include "exec/host/host.h"
#include "exec/host/recorded_reports.h"
#include "gpu/compilation.h"
#include "gpu/gpu.h"
#include "gpu/worker.h"
#include "wgsl/expansion.h"
#include "wgsl/linkage.h"

/* Source that is translated within some 60 us. */
#define SHORT_SOURCE_BYTES 4096

bool ag_translates_in_call(const struct ag_binder *binder, size_t source_bytes)
{
    return source_bytes <= SHORT_SOURCE_BYTES || binder->translates_in_calls;
}

void ag_shader_text_release(struct ag_shader_text *text)
{
    if (text == NULL || atomic_fetch_sub(&text->references, 1) != 1)
        return;
    agpu_shader_destroy(text->shader);
    free(text->bytes);
    free(text);
}

/* ---- Options ------------------------------------------------------------------------------------------ */

static void fill_aliases(const struct ag_uav_aliases *aliases, uint8_t slots[AGPU_MAX_UAVS])
{
    for (uint32_t i = 0; i < AGPU_MAX_UAVS; i++)
        slots[i] = aliases->slots[i] ? (uint8_t)(aliases->slots[i] - 1) : (uint8_t)i;
}

static struct ag_workgroup_limits workgroup_limits(const struct ag_binder *binder)
{
    const WGPULimits *limits = &binder->host->limits;
    const uint32_t most = limits->maxComputeInvocationsPerWorkgroup, wanted = binder->most_invocations;
    return (struct ag_workgroup_limits){
        .invocations = wanted != 0 && wanted < most ? wanted : most,
        .size = {limits->maxComputeWorkgroupSizeX, limits->maxComputeWorkgroupSizeY,
                 limits->maxComputeWorkgroupSizeZ},
        .storage_bytes = limits->maxComputeWorkgroupStorageSize,
    };
}

/* `aliases` and `formats` are where options point to. */
static void fill_options(const struct ag_binder *binder, enum agpu_stage stage,
                         const struct ag_variant_key *key, const struct ag_overflow *overflow,
                         uint8_t aliases[AGPU_MAX_UAVS], uint8_t formats[AGPU_MAX_UAVS],
                         struct ag_translate_options *options)
{
    memset(options, 0, sizeof *options); /* its bytes are compared (shader_cache.h) */
    options->linkage = key->has_linkage ? &key->linkage : NULL;
    options->attribute_classes = key->has_attributes ? key->attribute_classes : NULL;
    options->target_mask = key->target_mask;
    options->target_snorm = key->target_snorm;
    options->target_packed = key->target_packed;
    options->dual_source = key->dual_source != 0;
    options->alpha_to_coverage = key->alpha_to_coverage != 0;
    options->logic = key->logic;
    options->no_depth_target = key->no_depth_target != 0;
    options->loop_budget = binder->loop_budget;
    options->most_compile_ms = binder->compile_cost_ms;
    options->most_private_bytes = binder->private_bytes;
    /* SwiftShader crashes when it compiles two thousand. */
    options->most_states = ag_gpu_driver(binder->host->gpu) == AGPU_DRIVER_SWIFTSHADER ? 1000 : 0;
    options->workgroup = workgroup_limits(binder);
    options->view_base = key->view_base;
    options->storage_cbuffers = key->sampling.long_cbuffers;
    options->packing = ag_constant_packing_of(binder, stage, key->sampling.apart_cbuffers);
    options->overflow = overflow;
    options->uav_aliases = aliases;
    options->uav_formats = formats;
    options->wide_uavs = true;
    options->biased_samplers = key->sampling.biased;
    options->emulated_samplers = key->sampling.emulated;
    options->level_floors = key->sampling.floors != 0;
    options->texture_facts = key->sampling.textures;
    options->depth_bias = key->depth_bias;
    options->pixel_depth = key->pixel_depth;
    options->early_test = key->early_test;
    options->flavour = (enum agpu_flavour)key->flavour;
    options->input_registers = key->input_registers;
    options->patch_registers = key->patch_registers;
    options->is_inlined = key->is_inlined != 0;
    options->has_constant_sets = key->has_constant_sets != 0;
    options->is_terse = true;
    fill_aliases(&key->aliases, aliases);
    memcpy(formats, key->aliases.formats, sizeof key->aliases.formats);
    memcpy(options->target_classes, key->target_classes, sizeof options->target_classes);
    memcpy(options->target_bits, key->target_bits, sizeof options->target_bits);
    memcpy(options->target_planes, key->target_planes, sizeof options->target_planes);
    memcpy(options->target_factors, key->target_factors, sizeof options->target_factors);
    memcpy(options->target_green_bits, key->target_green_bits, sizeof options->target_green_bits);
    memcpy(options->target_alpha_bits, key->target_alpha_bits, sizeof options->target_alpha_bits);
}

struct ag_expanded_options ag_expanded_options_of(const struct ag_variant_key *key)
{
    return (struct ag_expanded_options){
        .linkage = &key->linkage,
        .vertices = key->drawn_vertices,
        .edges = key->drawn_edges != 0,
        .culled = key->drawn_culled,
        .record_registers = key->input_registers,
        .layers = key->drawn_layers,
        .selects_viewport = key->selects_viewport != 0,
        .pieces = key->drawn_pieces != 0,
        .depth_bias = key->depth_bias,
    };
}

/* ---- Tasks -------------------------------------------------------------------------------------------- */

/* Has all that the worker needs, whatever becomes of the program and the executor. The options point into the
 * task. */
struct task {
    struct ag_task task; /* first */
    struct ag_shader_text *text;
    struct ag_arena *arena; /* for work in the caller's thread; null: one of its own */
    struct ag_variant_key key;
    struct ag_overflow overflow;
    uint8_t aliases[AGPU_MAX_UAVS], formats[AGPU_MAX_UAVS];
    struct ag_translate_options options;
    struct ag_shader_cache_entry entry; /* the executor's */
    struct ag_recorded_reports reports;
    enum agpu_status status;
    struct agpu_module *module;
    uint64_t spent_ns;
};

static void run(struct ag_task *base)
{
    struct task *const task = (struct task *)base;
    const struct agpu_shader *const shader = task->text->shader;
    const struct agpu_diag_sink *const sink = &task->reports.sink;
    const struct ag_variant_key *const key = &task->key;
    const uint64_t start_ns = ag_clock_ns();
    if (key->drawn_vertices) {
        const struct ag_expanded_options drawn = ag_expanded_options_of(key);
        task->status = ag_translate_expanded_vertex(shader, &drawn, sink, &task->module);
    } else if (key->flavour == AGPU_FLAVOUR_PIXEL && shader->program.stage != AGPU_STAGE_PIXEL) {
        task->status = ag_translate_made_pixel(&key->linkage, key->pixel_depth, sink, &task->module);
    } else if (task->arena != NULL) {
        task->status = ag_translate_in(task->arena, shader, &task->options, sink, &task->module);
    } else {
        task->status = ag_translate(shader, &task->options, sink, &task->module);
    }
    task->spent_ns = ag_clock_ns() - start_ns;
}

static void destroy(struct ag_task *base)
{
    struct task *const task = (struct task *)base;
    ag_shader_cache_drop(&task->entry);
    ag_recorded_reports_fini(&task->reports);
    agpu_module_destroy(task->module);
    ag_shader_text_release(task->text);
    free(task);
}

static struct task *create_task(struct ag_binder *binder, const struct ag_shader_program *program,
                                const struct ag_variant_key *key, const struct ag_overflow *overflow)
{
    struct task *const task = calloc(1, sizeof *task);
    if (task == NULL)
        return NULL;
    task->task.run = run;
    task->task.destroy = destroy;
    task->text = program->text;
    atomic_fetch_add(&task->text->references, 1);
    memcpy(&task->key, key, sizeof *key);
    task->overflow = *overflow;
    if (ag_translates_in_call(binder, program->size))
        task->arena = &binder->translation;
    fill_options(binder, program->shader->program.stage, &task->key, &task->overflow, task->aliases,
                 task->formats, &task->options);
    ag_recorded_reports_init(&task->reports);
    return task;
}

/* ---- The executor's part ------------------------------------------------------------------------------ */

/* Loads a translation, or begins it. */
static enum ag_outcome begin(struct ag_binder *binder, const struct ag_shader_program *program,
                             const struct ag_variant_key *key, const struct ag_overflow *overflow,
                             struct ag_compilation **translation, struct agpu_module **module)
{
    struct agpu_counters *const counts = &binder->host->counts;
    const uint64_t start_ns = ag_clock_ns();
    struct task *const task = create_task(binder, program, key, overflow);
    if (task == NULL)
        return AG_OUT_OF_MEMORY;
    counts->shaders_translated++;
    if (ag_shader_cache_load(&task->entry, binder, program, &task->key, &task->options, module)) {
        counts->shaders_cached++;
        counts->translate_ns += ag_clock_ns() - start_ns;
        destroy(&task->task);
        return AG_DONE;
    }
    *translation =
        ag_compile_task(binder->host->gpu, &task->task, ag_translates_in_call(binder, program->size));
    return *translation != NULL ? AG_DONE : AG_OUT_OF_MEMORY;
}

/* Reports what the translator has said, and keeps the translation for later runs. */
static enum ag_outcome take(struct ag_binder *binder, struct task *task, struct agpu_module **module,
                            bool *has_remarks, struct ag_refusal *refusal)
{
    struct ag_reporter *const reports = &binder->host->reports;
    struct ag_refusal_catcher catcher;
    ag_refusal_catcher_init(&catcher, &task->entry.sink, refusal);
    enum agpu_status status = task->status;
    if (!ag_recorded_reports_send(&task->reports, &catcher.sink))
        status = ag_report_no_memory(&catcher.sink);
    ag_shader_cache_store(&task->entry, status == AGPU_OK ? task->module : NULL);
    *has_remarks |= task->entry.has_reports;
    binder->host->counts.translate_ns += task->spent_ns;
    if (status == AGPU_REFUSED && reports->errors)
        reports->errors->refusal_reported = true;
    if (status == AGPU_OK) {
        *module = task->module;
        task->module = NULL;
    }
    return ag_refusal_catcher_outcome(&catcher, status);
}

enum ag_outcome ag_translate_program(struct ag_binder *binder, const struct ag_shader_program *program,
                                     const struct ag_variant_key *key, const struct ag_overflow *overflow,
                                     struct ag_compilation **translation, struct agpu_module **module,
                                     bool *has_remarks, struct ag_refusal *refusal)
{
    enum ag_outcome outcome = AG_DONE;
    if (*translation == NULL) {
        outcome = begin(binder, program, key, overflow, translation, module);
        if (outcome == AG_OUT_OF_MEMORY)
            ag_host_no_memory(binder->host);
        if (outcome != AG_DONE || *translation == NULL)
            return outcome;
    }
    *refusal = (struct ag_refusal){0};
    outcome = ag_translation_wait(binder, *translation, agpu_stage_name(program->shader->program.stage));
    if (outcome != AG_DONE)
        return outcome;
    outcome = take(binder, (struct task *)ag_compilation_task(*translation), module, has_remarks, refusal);
    ag_compilation_release(*translation);
    *translation = NULL;
    return outcome;
}
