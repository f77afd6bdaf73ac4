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
#include "exec/bind/context.h"
#include "exec/bind/pipeline.h"
#include "exec/bind/shader_source.h"
#include "exec/host/host.h"
#include "exec/host/outcome.h"
#include "exec/host/report.h"
#include "exec/object/stream_output_declaration.h"
#include "exec/record/bind_group_layout.h"
#include "exec/state/slots.h"
#include "gpu/gpu.h"
#include "gpu/label.h"
#include "gpu/webgpu.h"
#include "wgsl/expansion.h"
#include "wgsl/linkage.h"
#include "wgsl/options.h"

#define MAX_IDLE_PROGRAMS 1024

/* ---- Variants ----------------------------------------------------------------------------------------- */

static void destroy_variant(struct ag_shader_variant *variant)
{
    agpu_module_destroy(variant->module);
    if (variant->gpu)
        wgpuShaderModuleRelease(variant->gpu);
    if (variant->compute)
        wgpuComputePipelineRelease(variant->compute);
    free(variant->key);
    free(variant);
}

static void fill_aliases(const struct ag_uav_aliases *aliases, uint8_t slots[AGPU_MAX_UAVS])
{
    for (uint32_t i = 0; i < AGPU_MAX_UAVS; i++)
        slots[i] = i < AG_WIRE_UAV_SLOTS && aliases->slots[i] ? (uint8_t)(aliases->slots[i] - 1) : (uint8_t)i;
}

static enum ag_outcome translate(struct ag_binder *binder, const struct agpu_shader *shader,
                                 const struct ag_variant_key *key, uint16_t storage_cbuffers,
                                 struct agpu_module **module, struct ag_refusal *refusal)
{
    uint8_t aliases[AGPU_MAX_UAVS];
    struct ag_translate_options options = {
        .linkage = key->has_linkage ? &key->linkage : NULL,
        .attribute_classes = key->has_attributes ? key->attribute_classes : NULL,
        .target_mask = key->target_mask,
        .target_snorm = key->target_snorm,
        .dual_source = key->dual_source != 0,
        .logic = key->logic,
        .no_depth_target = key->no_depth_target != 0,
        .loop_budget = binder->loop_budget,
        .view_base = key->view_base,
        .storage_cbuffers = storage_cbuffers,
        .uav_aliases = aliases,
        .wide_uavs = true,
        .biased_samplers = key->samplers.biased,
        .emulated_samplers = key->samplers.emulated,
        .level_floors = key->samplers.floors != 0,
        .depth_bias = key->depth_bias != 0,
        .flavour = (enum agpu_flavour)key->flavour,
        .input_registers = key->input_registers,
        .patch_registers = key->patch_registers,
    };
    const struct ag_expanded_options drawn = {
        .linkage = &key->linkage,
        .vertices = key->drawn_vertices,
        .edges = key->drawn_edges != 0,
        .culled = key->drawn_culled,
        .record_registers = key->input_registers,
        .layers = key->drawn_layers,
        .selects_viewport = key->selects_viewport != 0,
        .depth_bias = key->depth_bias != 0,
    };
    struct ag_refusal_catcher catcher;
    ag_refusal_catcher_init(&catcher, &binder->host->reports.sink, refusal);
    fill_aliases(&key->aliases, aliases);
    uint64_t start = ag_clock_ns();
    memcpy(options.target_classes, key->target_classes, sizeof options.target_classes);
    memcpy(options.target_bits, key->target_bits, sizeof options.target_bits);
    memcpy(options.target_alpha_bits, key->target_alpha_bits, sizeof options.target_alpha_bits);
    bool only_clips = key->flavour == AGPU_FLAVOUR_PIXEL && shader->program.stage != AGPU_STAGE_PIXEL;
    enum agpu_status status = key->drawn_vertices
                                  ? ag_translate_expanded_vertex(shader, &drawn, &catcher.sink, module)
                              : only_clips ? ag_translate_clip_pixel(&key->linkage, &catcher.sink, module)
                                           : ag_translate(shader, &options, &catcher.sink, module);
    binder->host->counts.translate_ns += ag_clock_ns() - start;
    binder->host->counts.shaders_translated++;
    if (status == AGPU_REFUSED && binder->host->reports.errors)
        binder->host->reports.errors->refusal_reported = true;
    return ag_refusal_catcher_outcome(&catcher, status);
}

/* The module and its layouts. */
static enum ag_outcome make_module(struct ag_binder *binder, const struct ag_shader_program *program,
                                   struct ag_shader_variant *variant)
{
    const struct ag_variant_key *key = variant->key;
    enum ag_outcome outcome = translate(binder, program->shader, key, 0, &variant->module, &variant->refusal);
    uint16_t excess = outcome == AG_DONE ? ag_bind_group_layout_excess(binder->recorder, variant->module) : 0;
    if (excess) {
        agpu_module_destroy(variant->module);
        outcome = translate(binder, program->shader, key, excess, &variant->module, &variant->refusal);
    }
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
    const enum ag_outcome outcome = make_module(binder, program, variant);
    if (outcome == AG_OUT_OF_MEMORY) {
        destroy_variant(variant);
        return outcome;
    }
    variant->refused = outcome != AG_DONE;
    variant->next = program->variants;
    program->variants = variant;
    *created = variant;
    return AG_DONE;
}

enum ag_outcome ag_shader_variant(struct ag_binder *binder, struct ag_shader_program *program,
                                  const struct ag_variant_key *key, struct ag_shader_variant **variant,
                                  struct ag_refusal *refusal)
{
    uint64_t hash = ag_hash_bytes(key, sizeof *key);
    struct ag_shader_variant *found = program->variants;
    while (found && (found->key_hash != hash || memcmp(found->key, key, sizeof *key) != 0))
        found = found->next;
    if (!found) {
        const enum ag_outcome outcome = create_variant(binder, program, key, hash, &found);
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

static WGPUComputePipeline create_compute(struct ag_binder *binder, struct ag_shader_variant *variant)
{
    const struct ag_bind_group_layout *empty = ag_bind_group_layout_empty(binder->recorder);
    if (!empty)
        return NULL;
    struct ag_label label;
    ag_program_label(variant->program, &label);
    const WGPUBindGroupLayout layouts[4] = {variant->layout->gpu, empty->gpu, empty->gpu,
                                            variant->expansion->gpu};
    const WGPUPipelineLayoutDescriptor layout_descriptor = {
        .label = ag_webgpu_string(label.text), .bindGroupLayoutCount = 4, .bindGroupLayouts = layouts};
    WGPUPipelineLayout layout = wgpuDeviceCreatePipelineLayout(binder->host->device, &layout_descriptor);
    const WGPUComputePipelineDescriptor descriptor = {
        .label = ag_webgpu_string(label.text),
        .layout = layout,
        .compute = {.module = ag_shader_variant_gpu(binder, variant),
                    .entryPoint = ag_webgpu_string(variant->module->entry_point)},
    };
    uint64_t start = ag_clock_ns();
    WGPUComputePipeline pipeline = wgpuDeviceCreateComputePipeline(binder->host->device, &descriptor);
    binder->host->counts.pipeline_ns += ag_clock_ns() - start;
    binder->host->counts.pipelines++;
    wgpuPipelineLayoutRelease(layout);
    return pipeline;
}

WGPUComputePipeline ag_shader_variant_compute(struct ag_binder *binder, struct ag_shader_variant *variant)
{
    if (!variant->compute)
        variant->compute = create_compute(binder, variant);
    return variant->compute;
}

/* ---- Programs ----------------------------------------------------------------------------------------- */

static void destroy_program(struct ag_binder *binder, struct ag_shader_program *program)
{
    struct ag_shader_variant *variant = program->variants;
    if (variant)
        ag_pipelines_forget_program(binder, program);
    while (variant) {
        struct ag_shader_variant *next = variant->next;
        destroy_variant(variant);
        variant = next;
    }
    agpu_shader_destroy(program->shader);
    free(program->bytes);
    free(program);
}

/* The translation that a program is judged by. */
static enum ag_outcome translate_once(struct ag_binder *binder, struct ag_shader_program *program)
{
    const struct ag_variant_key key = {0};
    if (program->shader->program.stage == AGPU_STAGE_COMPUTE) {
        struct ag_shader_variant *variant;
        const enum ag_outcome outcome =
            create_variant(binder, program, &key, ag_hash_bytes(&key, sizeof key), &variant);
        if (outcome != AG_DONE || !variant->refused)
            return outcome;
        program->refusal = variant->refusal;
        return AG_SKIPPED;
    }
    struct agpu_module *module = NULL;
    const enum ag_outcome outcome = translate(binder, program->shader, &key, 0, &module, &program->refusal);
    program->writes_depth = module != NULL && module->writes_depth;
    program->needs = module != NULL ? module->needs : 0;
    agpu_module_destroy(module);
    return outcome;
}

/* Translates once with default options, so that a shader that cannot be translated is refused when it is
 * created. */
static enum ag_outcome check_program(struct ag_binder *binder, struct ag_shader_program *program)
{
    if (program->passes_through)
        return AG_DONE;
    const enum ag_outcome outcome = translate_once(binder, program);
    program->refused = outcome == AG_SKIPPED;
    return program->refused ? AG_DONE : outcome;
}

static uint32_t declared_inputs(const struct agpu_program *program)
{
    uint32_t inputs = 0;
    for (uint32_t i = 0; i < program->instruction_count; i++) {
        const struct agpu_instruction *dcl = &program->instructions[i];
        if (dcl->opcode == AGPU_OP_DCL_INPUT && dcl->operand_count > 0 && dcl->operands[0].index_count > 0 &&
            dcl->operands[0].index[0].immediate < AGPU_MAX_REGISTERS)
            inputs |= UINT32_C(1) << dcl->operands[0].index[0].immediate;
    }
    return inputs;
}

static uint16_t declared_samplers(const struct agpu_program *program)
{
    uint16_t slots = 0;
    for (uint32_t i = 0; i < program->instruction_count; i++) {
        const struct agpu_instruction *dcl = &program->instructions[i];
        if (dcl->opcode != AGPU_OP_DCL_SAMPLER || dcl->operand_count == 0)
            continue;
        /* Shader model 5.1: number of the range, first and last slot. */
        const struct agpu_operand *operand = &dcl->operands[0];
        uint32_t count = operand->index_count;
        uint64_t first = count == 3 ? operand->index[1].immediate : count ? operand->index[0].immediate : 16;
        uint64_t last = count == 3 ? operand->index[2].immediate : first;
        for (uint64_t slot = first; slot <= last && slot < 16; slot++)
            slots |= (uint16_t)(1u << slot);
    }
    return slots;
}

static void note_uavs(struct ag_shader_program *shader)
{
    const struct agpu_program *program = &shader->shader->program;
    for (uint32_t i = 0; i < program->instruction_count; i++) {
        const struct agpu_instruction *dcl = &program->instructions[i];
        if (dcl->opcode != AGPU_OP_DCL_UAV_TYPED && dcl->opcode != AGPU_OP_DCL_UAV_RAW &&
            dcl->opcode != AGPU_OP_DCL_UAV_STRUCTURED)
            continue;
        shader->has_uavs = true;
        /* Shader model 5.1: number of the range, first and last slot. */
        const struct agpu_operand *operand = &dcl->operands[0];
        uint32_t count = dcl->operand_count ? operand->index_count : 0;
        uint64_t first = count == 3 ? operand->index[1].immediate : count ? operand->index[0].immediate : 32;
        uint64_t last = count == 3 ? operand->index[2].immediate : first;
        for (uint64_t slot = first; slot <= last && slot < 32; slot++)
            shader->uav_slots |= UINT32_C(1) << slot;
    }
}

static bool writes_place(const struct agpu_signature *output, const struct ag_stream_output_place *place)
{
    for (uint32_t i = 0; i < output->count; i++) {
        const struct agpu_signature_element *element = &output->elements[i];
        if (element->stream == place->stream && element->register_index == place->source / 4u &&
            (element->mask >> (place->source & 3) & 1))
            return true;
    }
    return false;
}

/* Direct3D's runtime looks for names in the signature, the packet has register numbers. */
static void check_stream_output(struct ag_binder *binder, const struct ag_shader_program *program)
{
    const struct ag_stream_output_declaration *declaration = program->stream_output;
    const struct agpu_signature *output = &program->shader->output;
    for (uint32_t i = 0; declaration && output->count && i < declaration->place_count; i++) {
        const struct ag_stream_output_place *place = &declaration->places[i];
        if (writes_place(output, place))
            continue;
        ag_host_report(binder->host, AGPU_DIAG_EXEC_UNDEFINED_DRAW, AGPU_WARNING,
                       "stream output takes o%u.%c of stream %u, which the shader does not write: it is 0",
                       place->source / 4u, "xyzw"[place->source & 3], place -> stream);
    }
}

static struct ag_shader_program *create_program(struct ag_binder *binder,
                                                const struct ag_shader_source *source, uint64_t hash)
{
    struct ag_shader_program *program = calloc(1, sizeof *program);
    if (!program) {
        ag_host_no_memory(binder->host);
        return NULL;
    }
    program->id = ag_host_id(binder->host);
    program->hash = hash;
    program->size = source->size;
    program->bytes = malloc(source->size ? source->size : 1);
    if (!program->bytes) {
        ag_host_no_memory(binder->host);
        free(program);
        return NULL;
    }
    memcpy(program->bytes, source->bytes, source->size);
    if (ag_shader_source_parse(source, &binder->host->reports.sink, &program->shader) != AGPU_OK) {
        free(program->bytes);
        free(program);
        return NULL;
    }
    const struct ag_shader_source kept = {program->bytes, program->size};
    program->stream_output = ag_shader_source_stream_output(&kept);
    program->passes_through = ag_shader_source_passes_through(&kept);
    check_stream_output(binder, program);
    program->inputs = declared_inputs(&program->shader->program);
    program->sampler_slots = declared_samplers(&program->shader->program);
    agpu_shader_facts(program->shader, &program->facts);
    note_uavs(program);
    return program;
}

/* The program of this source, found or new. Null when memory is exhausted (reported). */
static struct ag_shader_program *get_program(struct ag_binder *binder, const struct ag_shader_source *source)
{
    uint64_t hash = ag_hash_bytes(source->bytes, source->size);
    struct ag_shader_program *program = ag_map_get(&binder->programs, hash);
    if (program && program->size == source->size &&
        memcmp(program->bytes, source->bytes, source->size) == 0) {
        if (program->references == 0)
            binder->idle_programs--;
        if (program->refused)
            ag_host_skip_refused(binder->host, program->refusal.code, "%s", program->refusal.message);
        return program;
    }
    bool clash = program != NULL;
    program = create_program(binder, source, hash);
    if (!program)
        return NULL;
    if (!clash && !ag_map_put(&binder->programs, hash, program)) {
        destroy_program(binder, program);
        ag_host_no_memory(binder->host);
        return NULL;
    }
    if (check_program(binder, program) == AG_DONE)
        return program;
    if (!clash)
        ag_map_remove(&binder->programs, hash);
    destroy_program(binder, program);
    return NULL;
}

static void drop_reference(struct ag_binder *binder, struct ag_shader_program *program)
{
    if (--program->references > 0)
        return;
    if (ag_map_get(&binder->programs, program->hash) != program) {
        destroy_program(binder, program);
        return;
    }
    if (++binder->idle_programs > MAX_IDLE_PROGRAMS)
        ag_shader_trim(binder, false);
}

enum agpu_status ag_shader_create(struct ag_binder *binder, uint32_t handle, enum agpu_stage stage,
                                  const struct ag_shader_source *source)
{
    if (handle == 0)
        return ag_host_fail(binder->host, AGPU_DIAG_EXEC_HANDLE, "handle 0 cannot name a shader");
    struct ag_shader_program *program = get_program(binder, source);
    if (!program)
        return AGPU_REFUSED;
    if (program->references++ == 0)
        program->handle = handle;
    enum agpu_stage actual = program->shader->program.stage;
    if (actual != stage) {
        drop_reference(binder, program);
        return ag_host_fail(binder->host, AGPU_DIAG_EXEC_ARGUMENT,
                            "the packet says %s, the bytes are a %s shader", agpu_stage_name(stage),
                            agpu_stage_name(actual));
    }
    struct ag_shader_program *old = ag_map_get(&binder->shaders, handle);
    if (!ag_map_put(&binder->shaders, handle, program)) {
        drop_reference(binder, program);
        return ag_host_no_memory(binder->host);
    }
    if (old)
        drop_reference(binder, old);
    return AGPU_OK;
}

void ag_shader_release(struct ag_binder *binder, uint32_t handle)
{
    struct ag_shader_program *program = ag_map_remove(&binder->shaders, handle);
    if (program)
        drop_reference(binder, program);
}

struct ag_shader_program *ag_shader_at(const struct ag_binder *binder, const struct ag_context *context,
                                       enum agpu_stage stage)
{
    uint32_t handle = context->shaders[stage];
    return handle ? ag_map_get(&binder->shaders, handle) : NULL;
}

void ag_shader_trim(struct ag_binder *binder, bool all)
{
    size_t cursor = 0;
    uint64_t key;
    void *value;
    while (ag_map_next(&binder->programs, &cursor, &key, &value)) {
        struct ag_shader_program *program = value;
        if (program->references > 0 && !all)
            continue;
        ag_map_remove(&binder->programs, key);
        destroy_program(binder, program);
        cursor = 0; /* removing may have moved other entries */
    }
    binder->idle_programs = 0;
}
