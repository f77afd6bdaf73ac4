/* SPDX-License-Identifier: MIT */
#include "exec/bind/shader.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "aerogpu/diag.h"
#include "aerogpu/dxbc.h"
#include "aerogpu/translate.h"
#include "base/map.h"
#include "exec/bind/binder.h"
#include "exec/bind/constant_packing.h"
#include "exec/bind/context.h"
#include "exec/bind/overflow_arena.h"
#include "exec/bind/overflow_choice.h"
#include "exec/bind/pipeline_wait.h"
#include "exec/bind/translation.h"
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
    ag_compilation_release(variant->translation);
    ag_compilation_release(variant->gpu_compilation);
    ag_compilation_release(variant->compilation);
    if (variant->arena)
        ag_overflow_arena_fini(binder, variant->arena);
    free(variant->arena);
    free(variant->pack);
    free(variant->recipe);
    free(variant->key);
    free(variant);
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
    for (;;) {
        const enum ag_outcome outcome =
            ag_translate_program(binder, program, variant->key, &variant->overflow, &variant->translation,
                                 &variant->module, &variant->has_remarks, &variant->refusal);
        if (outcome != AG_DONE)
            return outcome;
        if (!ag_overflow_choose(&binder->host->limits, variant->module, variant->key->has_constant_sets != 0,
                                &variant->overflow))
            break;
        agpu_module_destroy(variant->module);
        variant->module = NULL;
    }
    if (make_memory(binder, variant))
        return AG_DONE;
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
        .producer = parts->producer->module,
        .hull = parts->hull ? parts->hull->module : NULL,
        .sides = key->inlined.sides,
        .is_counter_clockwise = key->inlined.is_counter_clockwise != 0,
        .list_vertices = key->inlined.list_vertices,
        .index_bytes = key->inlined.index_bytes,
        .is_aligned = key->inlined.is_aligned != 0,
    };
    struct ag_expanded_options drawn = ag_expanded_options_of(key);
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

static struct ag_shader_variant *create_variant(struct ag_binder *binder, struct ag_shader_program *program,
                                                const struct ag_variant_key *key, uint64_t hash)
{
    struct ag_shader_variant *variant = calloc(1, sizeof *variant);
    struct ag_variant_key *copy = malloc(sizeof *copy);
    if (!variant || !copy || !ag_map_put(&program->variants_by_key, hash, variant)) {
        free(variant);
        free(copy);
        ag_host_no_memory(binder->host);
        return NULL;
    }
    *copy = *key;
    const uint32_t uavs = key->sampling.arena_uavs ? UINT32_MAX : 0;
    variant->overflow.uavs[0] = variant->overflow.uavs[1] = uavs;
    variant->id = ag_host_id(binder->host);
    variant->program = program;
    variant->key = copy;
    variant->key_hash = hash;
    variant->next = program->variants;
    program->variants = variant;
    return variant;
}

/* Another one with the same hash would be made anew. */
static void remove_variant(struct ag_binder *binder, struct ag_shader_program *program,
                           struct ag_shader_variant *variant)
{
    struct ag_shader_variant **place = &program->variants;
    while (*place != variant)
        place = &(*place)->next;
    *place = variant->next;
    if (ag_map_get(&program->variants_by_key, variant->key_hash) == variant)
        ag_map_remove(&program->variants_by_key, variant->key_hash);
    ag_shader_variant_destroy(binder, variant);
}

static struct ag_shader_variant *find_variant(const struct ag_shader_program *program,
                                              const struct ag_variant_key *key, uint64_t hash)
{
    struct ag_shader_variant *found = ag_map_get(&program->variants_by_key, hash);
    if (found && memcmp(found->key, key, sizeof *key) == 0)
        return found;
    if (!found)
        return NULL;
    found = program->variants; /* another key with the same hash */
    while (found && (found->key_hash != hash || memcmp(found->key, key, sizeof *key) != 0))
        found = found->next;
    return found;
}

/* The variant of a key, made as far as it can be made by now. A refused variant is kept with its refusal.
 * When memory is exhausted, which is no refusal, no variant is kept. */
static enum ag_outcome get_variant(struct ag_binder *binder, struct ag_shader_program *program,
                                   const struct ag_variant_key *key, const struct ag_inlined_parts *parts,
                                   struct ag_shader_variant **got)
{
    struct ag_shader_variant *variant = program->variants; /* the newest is used most */
    if (!variant || memcmp(variant->key, key, sizeof *key) != 0) {
        const uint64_t hash = ag_hash_bytes(key, sizeof *key);
        variant = find_variant(program, key, hash);
        if (!variant)
            variant = create_variant(binder, program, key, hash);
        if (!variant)
            return AG_OUT_OF_MEMORY;
    }
    if (!variant->is_made) {
        const enum ag_outcome outcome = make_module(binder, program, parts, variant);
        if (outcome == AG_OUT_OF_MEMORY)
            remove_variant(binder, program, variant);
        if (outcome == AG_OUT_OF_MEMORY || outcome == AG_PENDING ||
            (outcome == AG_SKIPPED && variant->translation))
            return outcome;
        variant->refused = outcome != AG_DONE;
        variant->is_made = true;
    }
    *got = variant;
    return AG_DONE;
}

enum ag_outcome ag_shader_variant_of_parts(struct ag_binder *binder, struct ag_shader_program *program,
                                           const struct ag_variant_key *key,
                                           const struct ag_inlined_parts *parts,
                                           struct ag_shader_variant **variant, struct ag_refusal *refusal)
{
    struct ag_shader_variant *found;
    const enum ag_outcome outcome = get_variant(binder, program, key, parts, &found);
    if (outcome != AG_DONE)
        return outcome;
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

bool ag_shader_variant_begin_gpu(struct ag_binder *binder, struct ag_shader_variant *variant)
{
    struct ag_label label;
    if (variant->gpu || variant->gpu_compilation)
        return true;
    variant->gpu_compilation =
        ag_compile_module(binder->host->gpu, variant->module->wgsl, variant->module->wgsl_length,
                          ag_program_label(variant->program, &label), binder->translates_in_calls);
    if (!variant->gpu_compilation)
        ag_host_no_memory(binder->host);
    return variant->gpu_compilation != NULL;
}

enum ag_outcome ag_shader_variant_await_gpu(struct ag_binder *binder, struct ag_shader_variant *variant,
                                            const char *what, struct ag_refusal *refusal)
{
    const char *message;
    if (variant->gpu)
        return AG_DONE;
    if (!ag_shader_variant_begin_gpu(binder, variant))
        return AG_OUT_OF_MEMORY;
    const enum ag_outcome outcome = ag_pipeline_wait(binder, variant->gpu_compilation, what, refusal);
    if (outcome != AG_DONE || refusal->code)
        return outcome == AG_DONE ? AG_SKIPPED : outcome;
    variant->gpu = ag_compilation_take_module(binder->host->gpu, variant->gpu_compilation, &message);
    if (message[0] && !ag_gpu_is_lost(binder->host->gpu))
        ag_host_report(binder->host, AGPU_DIAG_GPU_VALIDATION, AGPU_ERROR, "%s", message);
    ag_compilation_release(variant->gpu_compilation);
    variant->gpu_compilation = NULL;
    return AG_DONE;
}

struct ag_compilation *ag_shader_variant_compile(struct ag_binder *binder, struct ag_shader_variant *variant,
                                                 const struct ag_bind_group_layout *const layouts[4],
                                                 uint32_t layout_count, const char *label)
{
    WGPUPipelineLayout layout = ag_pipeline_layout_create(binder->recorder, layouts, layout_count, label);
    const WGPUComputePipelineDescriptor descriptor = {
        .label = ag_webgpu_string(label),
        .layout = layout,
        .compute = {.module = variant->gpu, .entryPoint = ag_webgpu_string(variant->module->entry_point)},
    };
    struct ag_compilation *compilation = ag_compile_compute_pipeline(binder->host->gpu, &descriptor);
    binder->host->counts.pipelines++;
    wgpuPipelineLayoutRelease(layout);
    if (!compilation)
        ag_host_no_memory(binder->host);
    return compilation;
}

/* Whether the module is there, or needs a further call. */
static bool has_gpu(struct ag_shader_variant *variant)
{
    return variant->gpu || (variant->gpu_compilation &&
                            ag_compilation_state(variant->gpu_compilation) != AG_COMPILATION_PENDING);
}

static enum ag_outcome begin_compute(struct ag_binder *binder, struct ag_shader_variant *variant)
{
    struct ag_label label;
    ag_program_label(variant->program, &label);
    const enum ag_outcome outcome =
        ag_shader_variant_await_gpu(binder, variant, label.text, &variant->compute_refusal);
    if (outcome != AG_DONE)
        return variant->compute_refusal.code ? AG_DONE : outcome;
    const struct ag_bind_group_layout *empty = ag_bind_group_layout_empty(binder->recorder);
    if (!empty)
        return AG_OUT_OF_MEMORY;
    const struct ag_bind_group_layout *layouts[4] = {variant->layout, empty, empty, variant->expansion};
    variant->compilation = ag_shader_variant_compile(binder, variant, layouts, 4, label.text);
    return variant->compilation ? AG_DONE : AG_OUT_OF_MEMORY;
}

static bool is_begun(const struct ag_shader_variant *variant)
{
    return variant->compute || variant->compilation || variant->compute_refusal.code;
}

enum ag_outcome ag_shader_variant_begin_compute(struct ag_binder *binder, struct ag_shader_variant *variant)
{
    if (is_begun(variant))
        return AG_DONE;
    if (ag_pipeline_wait_admits(binder, "compute pipeline") != AG_DONE)
        return AG_SKIPPED;
    if (!ag_shader_variant_begin_gpu(binder, variant))
        return AG_OUT_OF_MEMORY;
    return has_gpu(variant) ? begin_compute(binder, variant) : AG_DONE;
}

static enum ag_outcome take_compute(struct ag_binder *binder, struct ag_shader_variant *variant)
{
    struct ag_label shader, pipeline_label;
    ag_label_format(&pipeline_label, "pipeline of %s", ag_program_label(variant->program, &shader));
    const enum ag_outcome outcome =
        ag_pipeline_wait(binder, variant->compilation, pipeline_label.text, &variant->compute_refusal);
    if (outcome != AG_DONE)
        return outcome;
    variant->compute = ag_compilation_take_compute(variant->compilation);
    ag_compilation_release(variant->compilation);
    variant->compilation = NULL;
    ag_pipeline_wait_taken(binder, variant->module->compile_ms);
    return AG_DONE;
}

enum ag_outcome ag_shader_variant_compute(struct ag_binder *binder, struct ag_shader_variant *variant,
                                          WGPUComputePipeline *pipeline)
{
    enum ag_outcome outcome = ag_shader_variant_begin_compute(binder, variant);
    if (outcome == AG_DONE && !is_begun(variant))
        outcome = begin_compute(binder, variant);
    if (outcome == AG_DONE && variant->compilation)
        outcome = take_compute(binder, variant);
    if (outcome != AG_DONE)
        return outcome;
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
        const enum ag_outcome outcome = get_variant(binder, program, &key, NULL, &variant);
        if (outcome != AG_DONE || !variant->refused)
            return outcome;
        program->refusal = variant->refusal;
        return AG_SKIPPED;
    }
    const struct ag_overflow none = {0}; /* whether the device has the bindings is seen later */
    struct agpu_module *module = NULL;
    bool has_remarks = false;
    const enum ag_outcome outcome = ag_translate_program(binder, program, &key, &none, &program->translation,
                                                         &module, &has_remarks, &program->refusal);
    if (outcome == AG_PENDING)
        return outcome;
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
