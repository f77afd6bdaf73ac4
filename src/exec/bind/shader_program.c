/* SPDX-License-Identifier: MIT */
#include "exec/bind/shader_program.h"

#include <stdlib.h>
#include <string.h>

#include "aerogpu/diag.h"
#include "aerogpu/dxbc.h"
#include "aerogpu/translate.h"
#include "base/map.h"
#include "exec/bind/binder.h"
#include "exec/bind/compute_pipeline.h"
#include "exec/bind/kept_pipelines.h"
#include "exec/bind/pipeline.h"
#include "exec/bind/shader.h"
#include "exec/bind/shader_source.h"
#include "exec/bind/storage_texture.h"
#include "exec/host/host.h"
#include "exec/host/host_memory.h"
#include "exec/host/outcome.h"
#include "exec/host/report.h"
#include "exec/object/stream_output_declaration.h"
#include "exec/state/slots.h"
#include "kernel/stream_output.h"
#include "wgsl/options.h"

#define MAX_IDLE_PROGRAMS 1024

static void destroy_program(struct ag_binder *binder, struct ag_shader_program *program)
{
    struct ag_shader_variant *variant = program->variants;
    ag_kept_pipelines_forget(binder, program);
    if (variant) {
        ag_pipelines_forget_program(binder, program);
        ag_compute_pipelines_forget_program(binder, program);
    }
    while (variant) {
        struct ag_shader_variant *next = variant->next;
        ag_shader_variant_destroy(binder, variant);
        variant = next;
    }
    ag_host_memory_give(binder->host, program->account, program->host_bytes);
    ag_map_fini(&program->variants_by_key);
    agpu_shader_destroy(program->shader);
    free(program->sharings);
    free(program->bytes);
    free(program);
}

/* ---- Idle programs ------------------------------------------------------------------------------------ */

/* Programs without a handle are kept for guests that make them again, those that were let go last. */

static void wake(struct ag_binder *binder, struct ag_shader_program *program)
{
    ag_shared_cache_remove(&binder->host->accounts, &binder->idle, &program->idle);
}

static void destroy_idle(struct ag_binder *binder, struct ag_shader_program *program)
{
    wake(binder, program);
    ag_map_remove(&binder->programs, program->hash);
    destroy_program(binder, program);
}

/* Drops idle programs until the context at work may have so many bytes more: its own, then those of contexts
 * that have more memory than it has. */
static void make_room(struct ag_binder *binder, uint64_t bytes)
{
    while (!ag_host_memory_has(binder->host, bytes)) {
        struct ag_shader_program *spare =
            ag_shared_cache_spare(&binder->idle, binder->host->accounts.current, AG_MEMORY_OF_HOST);
        if (!spare)
            return;
        destroy_idle(binder, spare);
    }
}

/* ---- Programs ----------------------------------------------------------------------------------------- */

/* Translates once with default options, so that a shader that cannot be translated is refused when it is
 * created. */
static enum ag_outcome check_program(struct ag_binder *binder, struct ag_shader_program *program)
{
    if (program->passes_through)
        return AG_DONE;
    const enum ag_outcome outcome = ag_shader_translate_once(binder, program);
    program->refused = outcome == AG_SKIPPED;
    return program->refused ? AG_DONE : outcome;
}

static uint8_t count_bits(uint64_t bits)
{
    uint8_t count = 0;
    for (; bits; bits &= bits - 1)
        count++;
    return count;
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

/* The slots of a declared range; *last is below *first when there are none. */
static void declared_range(const struct agpu_instruction *dcl, uint64_t slot_count, uint64_t *first,
                           uint64_t *last)
{
    /* Shader model 5.1: number of the range, first and last slot. */
    const struct agpu_operand *operand = &dcl->operands[0];
    const uint32_t count = dcl->operand_count ? operand->index_count : 0;
    *first = count == 3 ? operand->index[1].immediate : count ? operand->index[0].immediate : slot_count;
    *last = count == 3 ? operand->index[2].immediate : *first;
    if (*first >= slot_count)
        *last = 0, *first = 1;
    else if (*last >= slot_count)
        *last = slot_count - 1;
}

static void note_cbuffers(struct ag_shader_program *shader)
{
    const struct agpu_program *program = &shader->shader->program;
    for (uint32_t i = 0; i < program->instruction_count; i++) {
        const struct agpu_instruction *dcl = &program->instructions[i];
        if (dcl->opcode != AGPU_OP_DCL_CONSTANTBUFFER || dcl->operand_count == 0)
            continue;
        uint64_t first, last, registers = 0;
        declared_range(dcl, AG_CBUFFER_SLOTS, &first, &last);
        for (uint64_t slot = first; slot <= last; slot++)
            shader->cbuffer_slots |= (uint16_t)(1u << slot);
        if (!(dcl->controls & 1))
            continue;
        /* In shader model 5.1, the registers follow the range. */
        const struct agpu_operand *operand = &dcl->operands[0];
        if (operand->index_count == 3)
            registers = dcl->data_count ? dcl->data[0] : 0;
        else if (operand->index_count == 2)
            registers = operand->index[1].immediate;
        shader->has_indexed_registers = true;
        for (uint64_t slot = first; slot <= last; slot++)
            shader->indexed_registers[slot] =
                (uint16_t)(registers < AG_CONSTANT_REGISTERS ? registers : AG_CONSTANT_REGISTERS);
    }
}

static uint16_t declared_samplers(const struct agpu_program *program)
{
    uint16_t slots = 0;
    for (uint32_t i = 0; i < program->instruction_count; i++) {
        const struct agpu_instruction *dcl = &program->instructions[i];
        uint64_t first, last;
        if (dcl->opcode != AGPU_OP_DCL_SAMPLER)
            continue;
        declared_range(dcl, 16, &first, &last);
        for (uint64_t slot = first; slot <= last; slot++)
            slots |= (uint16_t)(1u << slot);
    }
    return slots;
}

static uint8_t declared_class(const struct agpu_instruction *dcl)
{
    switch (dcl->data_count ? dcl->data[0] & 15 : 0) {
    case AGPU_RETURN_SINT:
        return AG_TEXTURE_SINT;
    case AGPU_RETURN_UINT:
        return AG_TEXTURE_UINT;
    default:
        return AG_TEXTURE_FLOAT;
    }
}

static bool is_comparison(const struct agpu_instruction *instruction)
{
    switch ((int)instruction->opcode) {
    case AGPU_OP_SAMPLE_C:
    case AGPU_OP_SAMPLE_C_LZ:
    case AGPU_OP_SAMPLE_C_LZ_S:
    case AGPU_OP_SAMPLE_C_CL_S:
    case AGPU_OP_GATHER4_C:
    case AGPU_OP_GATHER4_PO_C:
    case AGPU_OP_GATHER4_C_S:
    case AGPU_OP_GATHER4_PO_C_S:
        return true;
    default:
        return false;
    }
}

static bool has_sampler(const struct agpu_instruction *instruction)
{
    for (uint32_t i = 0; i < instruction->operand_count; i++)
        if (instruction->operands[i].type == AGPU_OPERAND_SAMPLER)
            return instruction->opcode != AGPU_OP_DCL_SAMPLER;
    return false;
}

/* Whether an instruction may read the textures of a declaration: also where it chooses one at run time. */
static bool may_read(const struct agpu_instruction *instruction, const struct agpu_instruction *dcl)
{
    for (uint32_t i = 0; i < instruction->operand_count; i++) {
        const struct agpu_operand *operand = &instruction->operands[i];
        const struct agpu_operand_index *index = operand->index;
        if (operand->type == AGPU_OPERAND_THIS_POINTER)
            return true;
        if (operand->type == AGPU_OPERAND_RESOURCE && operand->index_count > 0 &&
            (index->relative || index->immediate == dcl->operands[0].index[0].immediate))
            return true;
    }
    return false;
}

static void note_textures(struct ag_shader_program *shader)
{
    const struct agpu_program *program = &shader->shader->program;
    for (uint32_t i = 0; i < program->instruction_count; i++) {
        const struct agpu_instruction *dcl = &program->instructions[i];
        uint64_t first, last;
        shader->buffer_count +=
            dcl->opcode == AGPU_OP_DCL_RESOURCE_RAW || dcl->opcode == AGPU_OP_DCL_RESOURCE_STRUCTURED ||
            (dcl->opcode == AGPU_OP_DCL_RESOURCE && agpu_dcl_dimension(dcl) == AGPU_DIMENSION_BUFFER);
        if (dcl->opcode != AGPU_OP_DCL_RESOURCE || agpu_dcl_dimension(dcl) == AGPU_DIMENSION_BUFFER)
            continue;
        declared_range(dcl, AG_MAX_TEXTURES, &first, &last);
        if (first > last || shader->texture_count == AG_MAX_TEXTURES)
            continue;
        struct ag_declared_texture texture = {.class = declared_class(dcl)};
        texture.has_samples = agpu_dcl_dimension(dcl) == AGPU_DIMENSION_TEXTURE2DMS ||
                              agpu_dcl_dimension(dcl) == AGPU_DIMENSION_TEXTURE2DMSARRAY;
        texture.is_plain = agpu_dcl_dimension(dcl) == AGPU_DIMENSION_TEXTURE1D ||
                           agpu_dcl_dimension(dcl) == AGPU_DIMENSION_TEXTURE2D;
        for (uint32_t j = 0; j < program->instruction_count; j++) {
            const struct agpu_instruction *instruction = &program->instructions[j];
            if (!has_sampler(instruction) || !may_read(instruction, dcl))
                continue;
            texture.compared |= is_comparison(instruction);
            texture.sampled |= !is_comparison(instruction);
        }
        for (uint64_t slot = first; slot <= last && shader->texture_count < AG_MAX_TEXTURES; slot++) {
            texture.slot = (uint8_t)slot;
            shader->textures[shader->texture_count++] = texture;
            shader->texture_bindings += texture.compared && texture.sampled ? 2 : 1;
        }
    }
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
        uint64_t first, last;
        declared_range(dcl, AG_UAV_SLOTS, &first, &last);
        for (uint64_t slot = first; slot <= last; slot++)
            shader->uav_slots |= UINT64_C(1) << slot;
    }
    shader->uav_count = count_bits(shader->uav_slots);
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
                                                const struct ag_shader_source *source, uint64_t hash,
                                                enum agpu_status *status)
{
    struct ag_shader_program *program = calloc(1, sizeof *program);
    if (!program) {
        *status = ag_host_no_memory(binder->host);
        return NULL;
    }
    program->id = ag_host_id(binder->host);
    program->hash = hash;
    program->size = source->size;
    program->bytes = malloc(source->size ? source->size : 1);
    if (!program->bytes) {
        *status = ag_host_no_memory(binder->host);
        free(program);
        return NULL;
    }
    memcpy(program->bytes, source->bytes, source->size);
    *status = ag_shader_source_parse(source, &binder->host->reports.sink, &program->shader);
    if (*status != AGPU_OK) {
        free(program->bytes);
        free(program);
        return NULL;
    }
    const struct ag_shader_source kept = {program->bytes, program->size};
    program->stream_output = ag_shader_source_stream_output(&kept);
    program->passes_through = ag_shader_source_passes_through(&kept);
    check_stream_output(binder, program);
    program->inputs = declared_inputs(&program->shader->program);
    program->input_count = count_bits(program->inputs);
    program->sampler_slots = declared_samplers(&program->shader->program);
    agpu_shader_facts(program->shader, &program->facts);
    note_uavs(program);
    ag_storage_textures_note(program);
    note_textures(program);
    note_cbuffers(program);
    return program;
}

/* The program of this source, found or new. Null when the source is no shader or when memory is exhausted
 * (reported; *status says which). */
static struct ag_shader_program *get_program(struct ag_binder *binder, const struct ag_shader_source *source,
                                             enum agpu_status *status)
{
    uint64_t hash = ag_hash_bytes(source->bytes, source->size);
    struct ag_shader_program *program = ag_map_get(&binder->programs, hash);
    if (program && program->size == source->size &&
        memcmp(program->bytes, source->bytes, source->size) == 0) {
        if (program->references == 0)
            wake(binder, program);
        if (program->refused)
            ag_host_skip_refused(binder->host, program->refusal.code, "%s", program->refusal.message);
        return program;
    }
    const uint64_t bytes = AG_HOST_OBJECT_BYTES + source->size * (uint64_t)AG_HOST_SHADER_FACTOR;
    make_room(binder, bytes);
    *status = ag_host_memory_charge(binder->host, bytes);
    if (*status != AGPU_OK)
        return NULL;
    const bool clash = ag_map_get(&binder->programs, hash) != NULL; /* of a program with another source */
    program = create_program(binder, source, hash, status);
    if (!program) {
        ag_host_memory_give(binder->host, binder->host->accounts.current, bytes);
        return NULL;
    }
    program->host_bytes = bytes;
    program->account = binder->host->accounts.current;
    if (!clash && !ag_map_put(&binder->programs, hash, program)) {
        destroy_program(binder, program);
        *status = ag_host_no_memory(binder->host);
        return NULL;
    }
    if (check_program(binder, program) == AG_DONE) {
        ag_kept_pipelines_expect(binder, program);
        return program;
    }
    if (!clash)
        ag_map_remove(&binder->programs, hash);
    destroy_program(binder, program);
    *status = AGPU_NO_MEMORY;
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
    if (binder->idle.recent.count >= MAX_IDLE_PROGRAMS)
        destroy_idle(binder, ag_shared_cache_victim(&binder->idle, program->account, MAX_IDLE_PROGRAMS));
    ag_shared_cache_add(&binder->host->accounts, &binder->idle, &program->idle, program, program->account);
}

enum agpu_status ag_shader_create(struct ag_binder *binder, uint32_t handle, enum agpu_stage stage,
                                  const struct ag_shader_source *source)
{
    if (handle == 0)
        return ag_host_malformed(binder->host, AGPU_DIAG_EXEC_HANDLE, "handle 0 cannot name a shader");
    enum agpu_status status = AGPU_OK;
    struct ag_shader_program *program = get_program(binder, source, &status);
    if (!program)
        return status;
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
    binder->recent_shaders[handle % AG_RECENT_SHADERS] = (struct ag_recent_shader){handle, program};
    if (old)
        drop_reference(binder, old);
    return AGPU_OK;
}

void ag_shader_release(struct ag_binder *binder, uint32_t handle)
{
    struct ag_shader_program *program = ag_map_remove(&binder->shaders, handle);
    struct ag_recent_shader *recent = &binder->recent_shaders[handle % AG_RECENT_SHADERS];
    if (recent->handle == handle)
        *recent = (struct ag_recent_shader){0};
    if (program)
        drop_reference(binder, program);
}

void ag_shaders_clear(struct ag_binder *binder)
{
    size_t cursor = 0;
    uint64_t key;
    void *value;
    while (ag_map_next(&binder->shaders, &cursor, &key, &value)) {
        ag_shader_release(binder, (uint32_t)key);
        cursor--; /* removing may have moved another entry to this place */
    }
    while (binder->idle.recent.count)
        destroy_idle(binder, binder->idle.recent.oldest->member);
    ag_map_fini(&binder->shaders);
    ag_map_fini(&binder->programs);
}
