/* SPDX-License-Identifier: MIT */
#include "exec/bind/shader.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "aerogpu/diag.h"
#include "aerogpu/dxbc.h"
#include "aerogpu/translate.h"
#include "base/clock.h"
#include "base/map.h"
#include "exec/bind/binder.h"
#include "exec/bind/constant_packing.h"
#include "exec/bind/context.h"
#include "exec/bind/overflow_arena.h"
#include "exec/bind/overflow_choice.h"
#include "exec/bind/pipeline_wait.h"
#include "exec/bind/shader_cache.h"
#include "exec/host/host.h"
#include "exec/host/outcome.h"
#include "exec/host/report.h"
#include "exec/record/bind_group_layout.h"
#include "exec/state/slots.h"
#include "format/format.h"
#include "gpu/compilation.h"
#include "gpu/gpu.h"
#include "gpu/label.h"
#include "gpu/webgpu.h"
#include "wgsl/expansion.h"
#include "wgsl/inlined.h"
#include "wgsl/linkage.h"
#include "wgsl/options.h"

/* ---- Variants ----------------------------------------------------------------------------------------- */

void ag_shader_variant_destroy(struct ag_binder *binder, struct ag_shader_variant *variant)
{
    agpu_module_destroy(variant->module);
    if (variant->gpu)
        wgpuShaderModuleRelease(variant->gpu);
    binder->host->released_objects = true;
    if (variant->compute)
        wgpuComputePipelineRelease(variant->compute);
    ag_compilation_release(variant->compilation);
    if (variant->arena)
        ag_overflow_arena_fini(binder, variant->arena);
    free(variant->arena);
    free(variant->pack);
    free(variant->recipe);
    free(variant->key);
    free(variant);
}

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

static struct ag_expanded_options expanded_options(const struct ag_variant_key *key)
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

static enum ag_outcome translate(struct ag_binder *binder, const struct ag_shader_program *program,
                                 const struct ag_variant_key *key, const struct ag_overflow *overflow,
                                 struct agpu_module **module, bool *has_remarks, struct ag_refusal *refusal)
{
    const struct agpu_shader *const shader = program->shader;
    uint8_t aliases[AGPU_MAX_UAVS], formats[AGPU_MAX_UAVS] = {0};
    struct ag_translate_options options;
    const struct ag_expanded_options drawn = expanded_options(key);
    struct ag_refusal_catcher catcher;
    struct ag_shader_cache_entry entry;
    uint64_t start = ag_clock_ns();
    fill_options(binder, shader->program.stage, key, overflow, aliases, formats, &options);
    binder->host->counts.shaders_translated++;
    if (ag_shader_cache_load(&entry, binder, program, key, &options, module)) {
        binder->host->counts.shaders_cached++;
        binder->host->counts.translate_ns += ag_clock_ns() - start;
        return AG_DONE;
    }
    ag_refusal_catcher_init(&catcher, &entry.sink, refusal);
    bool is_made = key->flavour == AGPU_FLAVOUR_PIXEL && shader->program.stage != AGPU_STAGE_PIXEL;
    enum agpu_status status =
        key->drawn_vertices ? ag_translate_expanded_vertex(shader, &drawn, &catcher.sink, module)
        : is_made           ? ag_translate_made_pixel(&key->linkage, key->pixel_depth, &catcher.sink, module)
                            : ag_translate_in(&binder->translation, shader, &options, &catcher.sink, module);
    ag_shader_cache_store(&entry, status == AGPU_OK ? *module : NULL);
    *has_remarks |= entry.has_reports;
    binder->host->counts.translate_ns += ag_clock_ns() - start;
    if (status == AGPU_REFUSED && binder->host->reports.errors)
        binder->host->reports.errors->refusal_reported = true;
    return ag_refusal_catcher_outcome(&catcher, status);
}

static void note_overflow(struct ag_binder *binder, const struct agpu_module *module)
{
    ag_host_report(binder->host, AGPU_DIAG_GPU_LIMIT, AGPU_NOTE,
                   "the %s uses more resources than the device binds: %" PRIu32
                   " of them share a binding, which is slower",
                   agpu_stage_name(module->stage), module->overflow_count);
}

/* What the variant keeps of constants and resources that share bindings. */
static bool make_memory(struct ag_binder *binder, struct ag_shader_variant *variant)
{
    if (variant->module->packed_count) {
        variant->pack = ag_constant_pack_create(variant->module);
        if (!variant->pack)
            return false;
    }
    if (!variant->module->overflow_count)
        return true;
    note_overflow(binder, variant->module);
    variant->arena = calloc(1, sizeof *variant->arena);
    return variant->arena && ag_overflow_arena_init(variant->arena, variant->module);
}

/* Translates; once more for each time that the module has more bindings than the device, with fewer. */
static enum ag_outcome translate_to_fit(struct ag_binder *binder, const struct ag_shader_program *program,
                                        struct ag_shader_variant *variant)
{
    const uint32_t uavs = variant->key->sampling.arena_uavs ? UINT32_MAX : 0;
    struct ag_overflow overflow = {
        .uavs = {uavs, uavs}
    };
    enum ag_outcome outcome = translate(binder, program, variant->key, &overflow, &variant->module,
                                        &variant->has_remarks, &variant->refusal);
    while (outcome == AG_DONE && ag_overflow_choose(&binder->host->limits, variant->module, &overflow)) {
        agpu_module_destroy(variant->module);
        outcome = translate(binder, program, variant->key, &overflow, &variant->module, &variant->has_remarks,
                            &variant->refusal);
    }
    if (outcome != AG_DONE || make_memory(binder, variant))
        return outcome;
    ag_host_no_memory(binder->host);
    return AG_OUT_OF_MEMORY;
}

/* How elements of a format are fetched. */
static struct ag_inlined_register register_of(uint8_t dxgi, uint8_t stream)
{
    static const uint8_t numbers[] = {
        [AG_NUMBER_FLOAT] = AG_INLINED_HALF,  [AG_NUMBER_UNORM] = AG_INLINED_UNORM,
        [AG_NUMBER_SNORM] = AG_INLINED_SNORM, [AG_NUMBER_UINT] = AG_INLINED_UINT,
        [AG_NUMBER_SINT] = AG_INLINED_SINT,
    };
    struct ag_inlined_register made = {0};
    if (!dxgi)
        return made;
    const struct ag_host_format *format = ag_host_format(dxgi);
    const struct ag_components components = ag_host_format_components(format);
    made = (struct ag_inlined_register){
        .stream = stream,
        .bytes = format->vertex_bytes,
        .number = format->component_bits == 32 ? AG_INLINED_BITS : numbers[format->number],
        .is_float = format->class == AG_CLASS_FLOAT,
    };
    for (uint32_t c = 0; c < 4; c++) {
        made.shift[c] = (uint8_t)components.shift[c];
        made.bits[c] = (uint8_t)components.bits[c];
    }
    return made;
}

static enum ag_outcome join_parts(struct ag_binder *binder, const struct ag_shader_program *program,
                                  const struct ag_inlined_parts *parts, struct ag_shader_variant *variant)
{
    const struct ag_variant_key *key = variant->key;
    struct ag_inlined_options inlined = {
        .vertex = parts->vertex->module,
        .geometry = parts->geometry->module,
        .list_vertices = key->inlined.list_vertices,
        .index_bytes = key->inlined.index_bytes,
        .is_aligned = key->inlined.is_aligned != 0,
    };
    struct ag_expanded_options drawn = expanded_options(key);
    struct ag_refusal_catcher catcher;
    for (uint32_t r = 0; r < AGPU_MAX_REGISTERS; r++)
        inlined.registers[r] = register_of(key->inlined.formats[r], key->inlined.streams[r]);
    drawn.inlined = &inlined;
    ag_refusal_catcher_init(&catcher, &binder->host->reports.sink, &variant->refusal);
    const enum agpu_status status =
        ag_translate_expanded_vertex(program->shader, &drawn, &catcher.sink, &variant->module);
    const enum ag_outcome outcome = ag_refusal_catcher_outcome(&catcher, status);
    if (outcome != AG_DONE || make_memory(binder, variant))
        return outcome;
    ag_host_no_memory(binder->host);
    return AG_OUT_OF_MEMORY;
}

/* The module and its layouts. */
static enum ag_outcome make_module(struct ag_binder *binder, const struct ag_shader_program *program,
                                   const struct ag_inlined_parts *parts, struct ag_shader_variant *variant)
{
    const struct ag_variant_key *key = variant->key;
    enum ag_outcome outcome =
        parts ? join_parts(binder, program, parts, variant) : translate_to_fit(binder, program, variant);
    if (outcome != AG_DONE)
        return outcome;
    outcome =
        ag_bind_group_layout_get(binder->recorder, variant->module, &variant->layout, &variant->refusal);
    bool expands = key->drawn_vertices || ag_flavour_expands((enum agpu_flavour)key->flavour);
    if (outcome != AG_DONE || !expands)
        return outcome;
    return ag_bind_group_layout_of_expansion(binder->recorder, variant->module, &variant->expansion,
                                             &variant->refusal);
}

/* A refused variant is kept with its refusal. When memory is exhausted, which is no refusal, no variant is
 * kept. */
static enum ag_outcome create_variant(struct ag_binder *binder, struct ag_shader_program *program,
                                      const struct ag_variant_key *key, uint64_t hash,
                                      const struct ag_inlined_parts *parts,
                                      struct ag_shader_variant **created)
{
    struct ag_shader_variant *variant = calloc(1, sizeof *variant);
    struct ag_variant_key *copy = malloc(sizeof *copy);
    if (!variant || !copy) {
        free(variant);
        free(copy);
        ag_host_no_memory(binder->host);
        return AG_OUT_OF_MEMORY;
    }
    *copy = *key;
    variant->id = ag_host_id(binder->host);
    variant->program = program;
    variant->key = copy;
    variant->key_hash = hash;
    const enum ag_outcome outcome = make_module(binder, program, parts, variant);
    if (outcome == AG_OUT_OF_MEMORY) {
        ag_shader_variant_destroy(binder, variant);
        return outcome;
    }
    variant->refused = outcome != AG_DONE;
    if (!ag_map_put(&program->variants_by_key, hash, variant)) {
        ag_shader_variant_destroy(binder, variant);
        ag_host_no_memory(binder->host);
        return AG_OUT_OF_MEMORY;
    }
    variant->next = program->variants;
    program->variants = variant;
    *created = variant;
    return AG_DONE;
}

enum ag_outcome ag_shader_variant_of_parts(struct ag_binder *binder, struct ag_shader_program *program,
                                           const struct ag_variant_key *key,
                                           const struct ag_inlined_parts *parts,
                                           struct ag_shader_variant **variant, struct ag_refusal *refusal)
{
    uint64_t hash = ag_hash_bytes(key, sizeof *key);
    struct ag_shader_variant *found = ag_map_get(&program->variants_by_key, hash);
    if (found && memcmp(found->key, key, sizeof *key) != 0) { /* another key with the same hash */
        found = program->variants;
        while (found && (found->key_hash != hash || memcmp(found->key, key, sizeof *key) != 0))
            found = found->next;
    }
    if (!found) {
        const enum ag_outcome outcome = create_variant(binder, program, key, hash, parts, &found);
        if (outcome != AG_DONE)
            return outcome;
    }
    if (found->refused)
        return ag_host_refuse(binder->host, refusal, AGPU_DIAG_EXEC_REFUSED_OBJECT,
                              "a %s cannot be expressed: %s", agpu_stage_name(program->shader->program.stage),
                              found->refusal.message);
    *variant = found;
    return AG_DONE;
}

enum ag_outcome ag_shader_variant(struct ag_binder *binder, struct ag_shader_program *program,
                                  const struct ag_variant_key *key, struct ag_shader_variant **variant,
                                  struct ag_refusal *refusal)
{
    return ag_shader_variant_of_parts(binder, program, key, NULL, variant, refusal);
}

const char *ag_program_label(const struct ag_shader_program *program, struct ag_label *label)
{
    static const char *const stages[AGPU_STAGE_COUNT] = {
        [AGPU_STAGE_PIXEL] = "pixel", [AGPU_STAGE_VERTEX] = "vertex", [AGPU_STAGE_GEOMETRY] = "geometry",
        [AGPU_STAGE_HULL] = "hull",   [AGPU_STAGE_DOMAIN] = "domain", [AGPU_STAGE_COMPUTE] = "compute",
    };
    return ag_label_format(label, "%s shader %" PRIu32, stages[program->shader->program.stage],
                           program->handle);
}

WGPUShaderModule ag_shader_variant_gpu(struct ag_binder *binder, struct ag_shader_variant *variant)
{
    struct ag_label label;
    if (!variant->gpu)
        variant->gpu =
            ag_gpu_create_shader(binder->host->gpu, variant->module->wgsl, variant->module->wgsl_length,
                                 ag_program_label(variant->program, &label));
    return variant->gpu;
}

struct ag_compilation *ag_shader_variant_compile(struct ag_binder *binder, struct ag_shader_variant *variant,
                                                 const struct ag_bind_group_layout *const layouts[4],
                                                 uint32_t layout_count, const char *label)
{
    WGPUPipelineLayout layout = ag_pipeline_layout_create(binder->recorder, layouts, layout_count, label);
    const WGPUComputePipelineDescriptor descriptor = {
        .label = ag_webgpu_string(label),
        .layout = layout,
        .compute = {.module = ag_shader_variant_gpu(binder, variant),
                    .entryPoint = ag_webgpu_string(variant->module->entry_point)},
    };
    struct ag_compilation *compilation = ag_compile_compute_pipeline(binder->host->gpu, &descriptor);
    binder->host->counts.pipelines++;
    wgpuPipelineLayoutRelease(layout);
    if (!compilation)
        ag_host_no_memory(binder->host);
    return compilation;
}

enum ag_outcome ag_shader_variant_begin_compute(struct ag_binder *binder, struct ag_shader_variant *variant)
{
    if (variant->compute || variant->compilation || variant->compute_refusal.code)
        return AG_DONE;
    if (ag_pipeline_wait_admits(binder, "compute pipeline") != AG_DONE)
        return AG_SKIPPED;
    const struct ag_bind_group_layout *empty = ag_bind_group_layout_empty(binder->recorder);
    if (!empty)
        return AG_OUT_OF_MEMORY;
    struct ag_label label;
    const struct ag_bind_group_layout *layouts[4] = {variant->layout, empty, empty, variant->expansion};
    variant->compilation =
        ag_shader_variant_compile(binder, variant, layouts, 4, ag_program_label(variant->program, &label));
    return variant->compilation ? AG_DONE : AG_OUT_OF_MEMORY;
}

enum ag_outcome ag_shader_variant_compute(struct ag_binder *binder, struct ag_shader_variant *variant,
                                          WGPUComputePipeline *pipeline)
{
    enum ag_outcome outcome = ag_shader_variant_begin_compute(binder, variant);
    if (outcome != AG_DONE)
        return outcome;
    if (variant->compilation) {
        struct ag_label shader, pipeline_label;
        ag_label_format(&pipeline_label, "pipeline of %s", ag_program_label(variant->program, &shader));
        outcome =
            ag_pipeline_wait(binder, variant->compilation, pipeline_label.text, &variant->compute_refusal);
        if (outcome != AG_DONE)
            return outcome;
        variant->compute = ag_compilation_take_compute(variant->compilation);
        ag_compilation_release(variant->compilation);
        variant->compilation = NULL;
        ag_pipeline_wait_taken(binder, variant->module->compile_ms);
    }
    *pipeline = variant->compute;
    if (variant->compute)
        return AG_DONE;
    return ag_host_skip_refused(binder->host, variant->compute_refusal.code, "%s",
                                variant->compute_refusal.message);
}

/* ---- Programs ----------------------------------------------------------------------------------------- */

struct ag_shader_program *ag_shader_in_slot(const struct ag_binder *binder, const struct ag_context *context,
                                            enum agpu_stage stage)
{
    const uint32_t handle = context->shaders[stage];
    const struct ag_recent_shader *recent = &binder->recent_shaders[handle % AG_RECENT_SHADERS];
    if (recent->handle == handle) /* 0 has no program */
        return recent->program;
    return handle ? ag_map_get(&binder->shaders, handle) : NULL;
}

struct ag_shader_program *ag_shader_at(const struct ag_binder *binder, const struct ag_context *context,
                                       enum agpu_stage stage)
{
    struct ag_shader_program *program = ag_shader_in_slot(binder, context, stage);
    return program && program->shader->program.stage == stage ? program : NULL;
}

bool ag_stage_is_bound(const struct ag_binder *binder, const struct ag_context *context,
                       enum agpu_stage stage)
{
    const struct ag_shader_program *program = ag_shader_in_slot(binder, context, stage);
    return program ? program->shader->program.stage == stage : context->shaders[stage] != 0;
}

enum ag_outcome ag_shader_translate_once(struct ag_binder *binder, struct ag_shader_program *program)
{
    const bool is_expanded = program->shader->program.stage == AGPU_STAGE_VERTEX && program->has_uavs;
    struct ag_variant_key key;
    memset(&key, 0, sizeof key);
    if (is_expanded)
        key.flavour = AGPU_FLAVOUR_VERTEX_AS_COMPUTE;
    if (program->shader->program.stage == AGPU_STAGE_COMPUTE) {
        struct ag_shader_variant *variant;
        const enum ag_outcome outcome =
            create_variant(binder, program, &key, ag_hash_bytes(&key, sizeof key), NULL, &variant);
        if (outcome != AG_DONE || !variant->refused)
            return outcome;
        program->refusal = variant->refusal;
        return AG_SKIPPED;
    }
    const struct ag_overflow none = {0}; /* whether the device has the bindings is seen later */
    struct agpu_module *module = NULL;
    bool has_remarks = false;
    const enum ag_outcome outcome =
        translate(binder, program, &key, &none, &module, &has_remarks, &program->refusal);
    program->writes_depth = module != NULL && module->writes_depth;
    program->writes_sample_mask = module != NULL && module->writes_sample_mask;
    program->discards = module != NULL && module->discards;
    program->tests_early = module != NULL && module->early_depth_stencil;
    program->needs = module != NULL ? module->needs : 0;
    if (is_expanded)
        program->needs |= AGPU_NEED_DRAW_EXPANSION;
    agpu_module_destroy(module);
    return outcome;
}
