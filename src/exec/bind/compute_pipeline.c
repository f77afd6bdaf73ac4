/* SPDX-License-Identifier: MIT */
#include "exec/bind/compute_pipeline.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "aerogpu/diag.h"
#include "aerogpu/translate.h"
#include "base/map.h"
#include "exec/bind/binder.h"
#include "exec/bind/pipeline_wait.h"
#include "exec/bind/shader.h"
#include "exec/host/host.h"
#include "exec/host/outcome.h"
#include "exec/host/report.h"
#include "exec/record/bind_group_layout.h"
#include "gpu/compilation.h"
#include "gpu/label.h"
#include "gpu/webgpu.h"

void ag_compute_pipeline_destroy(struct ag_binder *binder, struct ag_compute_pipeline *pipeline)
{
    ag_shared_cache_remove(&binder->host->accounts, &binder->recent_compute, &pipeline->recent);
    binder->host->released_objects = true;
    /* The next pipeline may get the same handle, and would not be set in the open pass. */
    if (binder->recorder->compute_pipeline == pipeline->gpu)
        binder->recorder->compute_pipeline = NULL;
    if (pipeline->gpu)
        wgpuComputePipelineRelease(pipeline->gpu);
    ag_compilation_release(pipeline->compilation);
    free(pipeline);
}

static enum ag_outcome check_workgroup(struct ag_binder *binder, const struct agpu_module *module)
{
    const WGPULimits *limits = &binder->host->limits;
    const uint32_t *size = module->workgroup_size;
    uint64_t threads = (uint64_t)size[0] * size[1] * size[2];
    if (threads <= limits->maxComputeInvocationsPerWorkgroup && size[0] <= limits->maxComputeWorkgroupSizeX &&
        size[1] <= limits->maxComputeWorkgroupSizeY && size[2] <= limits->maxComputeWorkgroupSizeZ &&
        module->workgroup_bytes <= limits->maxComputeWorkgroupStorageSize)
        return AG_DONE;
    return ag_host_skip_refused(binder->host, AGPU_DIAG_GPU_LIMIT,
                                "a group of %" PRIu32 "x%" PRIu32 "x%" PRIu32 " threads with %" PRIu32
                                " shared bytes exceeds the device's limits",
                                size[0], size[1], size[2], module->workgroup_bytes);
}

static const char *label_pipeline(const struct ag_shader_program *program, struct ag_label *label)
{
    return ag_label_format(label, "pipeline cs %" PRIu32, program->handle);
}

static enum ag_outcome create_compute(struct ag_binder *binder, struct ag_shader_program *program,
                                      const struct ag_uav_aliases *aliases,
                                      const struct ag_sampling *sampling,
                                      struct ag_compute_pipeline **created)
{
    struct ag_variant_key key;
    memset(&key, 0, sizeof key);
    key.aliases = *aliases;
    key.sampling = *sampling;
    struct ag_shader_variant *variant;
    enum ag_outcome outcome = ag_shader_variant(binder, program, &key, &variant, NULL);
    const struct ag_bind_group_layout *empty = ag_bind_group_layout_empty(binder->recorder);
    const struct ag_bind_group_layout *internal = ag_bind_group_layout_of_draw_block(binder->recorder);
    if (outcome == AG_DONE && (!empty || !internal))
        outcome = AG_OUT_OF_MEMORY;
    if (outcome == AG_DONE)
        outcome = check_workgroup(binder, variant->module);
    if (outcome != AG_DONE)
        return outcome;
    struct ag_compute_pipeline *pipeline = calloc(1, sizeof *pipeline);
    if (!pipeline) {
        ag_host_no_memory(binder->host);
        return AG_OUT_OF_MEMORY;
    }
    struct ag_label label;
    label_pipeline(program, &label);
    outcome = ag_shader_variant_await_gpu(binder, variant, label.text, &pipeline->refusal);
    if (outcome == AG_DONE) {
        const struct ag_bind_group_layout *layouts[4] = {empty, empty, variant->layout, internal};
        pipeline->compilation = ag_shader_variant_compile(
            binder, variant, layouts, variant->module->uses_draw_block ? 4 : 3, label.text);
        outcome = pipeline->compilation ? AG_DONE : AG_OUT_OF_MEMORY;
    }
    if (outcome != AG_DONE && !pipeline->refusal.code) {
        free(pipeline);
        return outcome;
    }
    pipeline->program_id = program->id;
    pipeline->aliases = *aliases;
    pipeline->sampling = *sampling;
    pipeline->program = program;
    pipeline->variant = variant;
    *created = pipeline;
    return AG_DONE;
}

/* Makes room for another pipeline. */
static void drop_one(struct ag_binder *binder)
{
    struct ag_compute_pipeline *dropped = ag_shared_cache_victim(
        &binder->recent_compute, binder->host->accounts.current, binder->pipeline_count);
    ag_map_remove(&binder->compute_pipelines, dropped->hash);
    ag_compute_pipeline_destroy(binder, dropped);
}

/* Takes what was compiled. */
static enum ag_outcome settle(struct ag_binder *binder, struct ag_compute_pipeline *pipeline)
{
    if (pipeline->compilation) {
        struct ag_label label;
        const enum ag_outcome outcome = ag_pipeline_wait(
            binder, pipeline->compilation, label_pipeline(pipeline->program, &label), &pipeline->refusal);
        if (outcome != AG_DONE)
            return outcome;
        pipeline->gpu = ag_compilation_take_compute(pipeline->compilation);
        ag_compilation_release(pipeline->compilation);
        pipeline->compilation = NULL;
        ag_pipeline_wait_taken(binder, pipeline->variant->module->compile_ms);
    }
    if (pipeline->gpu)
        return AG_DONE;
    return ag_host_skip_refused(binder->host, pipeline->refusal.code, "%s", pipeline->refusal.message);
}

static bool is_right(const struct ag_compute_pipeline *pipeline, const struct ag_shader_program *program,
                     const struct ag_uav_aliases *aliases, const struct ag_sampling *sampling)
{
    return pipeline && pipeline->program_id == program->id &&
           memcmp(&pipeline->aliases, aliases, sizeof *aliases) == 0 &&
           memcmp(&pipeline->sampling, sampling, sizeof *sampling) == 0;
}

enum ag_outcome ag_compute_pipeline_get(struct ag_binder *binder, struct ag_shader_program *program,
                                        const struct ag_uav_aliases *aliases,
                                        const struct ag_sampling *sampling,
                                        struct ag_compute_pipeline **pipeline)
{
    const struct ag_recency *newest = binder->recent_compute.recent.newest;
    struct ag_compute_pipeline *found = newest ? newest->member : NULL;
    uint64_t hash = 0;
    if (!is_right(found, program, aliases, sampling)) { /* else no key is hashed */
        hash = ag_hash_combine(ag_hash_combine(program->id, ag_hash_bytes(aliases, sizeof *aliases)),
                               ag_hash_bytes(sampling, sizeof *sampling));
        found = ag_map_get(&binder->compute_pipelines, hash);
    }
    if (is_right(found, program, aliases, sampling)) {
        binder->host->counts.pipeline_hits += !found->compilation;
        ag_shared_cache_use(&binder->recent_compute, &found->recent);
        *pipeline = found;
        return settle(binder, found);
    }
    if (found) /* another key with the same hash: the newer one takes its place */
        ag_compute_pipeline_destroy(binder, ag_map_remove(&binder->compute_pipelines, hash));
    while (binder->recent_compute.recent.count >= binder->pipeline_count)
        drop_one(binder);
    enum ag_outcome outcome = ag_pipeline_wait_admits(binder, "compute pipeline");
    if (outcome == AG_DONE)
        outcome = create_compute(binder, program, aliases, sampling, &found);
    if (outcome != AG_DONE)
        return outcome;
    found->hash = hash;
    ag_shared_cache_add(&binder->host->accounts, &binder->recent_compute, &found->recent, found,
                        binder->host->accounts.current);
    if (!ag_map_put(&binder->compute_pipelines, hash, found)) {
        ag_compute_pipeline_destroy(binder, found);
        ag_host_no_memory(binder->host);
        return AG_OUT_OF_MEMORY;
    }
    *pipeline = found;
    return settle(binder, found);
}

void ag_compute_pipelines_forget_program(struct ag_binder *binder, const struct ag_shader_program *program)
{
    size_t cursor = 0;
    uint64_t key;
    void *value;
    while (ag_map_next(&binder->compute_pipelines, &cursor, &key, &value)) {
        if (((struct ag_compute_pipeline *)value)->program != program)
            continue;
        ag_map_remove(&binder->compute_pipelines, key);
        ag_compute_pipeline_destroy(binder, value);
        cursor--; /* removing may have moved another entry to this place */
    }
}
