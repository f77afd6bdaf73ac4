/* SPDX-License-Identifier: MIT */
#include "exec/bind/shader_parsing.h"

#include <stdlib.h>
#include <string.h>

#include "aerogpu/diag.h"
#include "aerogpu/dxbc.h"
#include "base/diag.h"
#include "exec/bind/binder.h"
#include "exec/bind/shader.h"
#include "exec/bind/shader_source.h"
#include "exec/bind/storage_texture.h"
#include "exec/bind/translation.h"
#include "exec/host/host.h"
#include "exec/host/recorded_reports.h"
#include "exec/state/slots.h"
#include "gpu/compilation.h"
#include "gpu/worker.h"
#include "wgsl/options.h"

/* ---- What a program declares -------------------------------------------------------------------------- */

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

/* ---- Parsing ------------------------------------------------------------------------------------------ */

/* Owns the program, which nobody else knows yet. */
struct task {
    struct ag_task task; /* first */
    struct ag_shader_program *program;
    struct ag_recorded_reports reports;
    enum agpu_status status;
};

static void note(struct ag_shader_program *program)
{
    program->inputs = declared_inputs(&program->shader->program);
    program->input_count = count_bits(program->inputs);
    program->sampler_slots = declared_samplers(&program->shader->program);
    agpu_shader_facts(program->shader, &program->facts);
    note_uavs(program);
    ag_storage_textures_note(program);
    note_textures(program);
    note_cbuffers(program);
}

static void run(struct ag_task *base)
{
    struct task *const task = (struct task *)base;
    struct ag_shader_program *const program = task->program;
    const struct ag_shader_source source = {program->bytes, program->size};
    task->status = ag_shader_source_parse(&source, &task->reports.sink, &program->text->shader);
    if (task->status != AGPU_OK)
        return;
    program->shader = program->text->shader;
    program->stream_output = ag_shader_source_stream_output(&source);
    program->passes_through = ag_shader_source_passes_through(&source);
    note(program);
}

static void destroy(struct ag_task *base)
{
    struct task *const task = (struct task *)base;
    ag_recorded_reports_fini(&task->reports);
    if (task->program != NULL)
        ag_shader_text_release(task->program->text);
    free(task->program);
    free(task);
}

/* A program with a copy of the source. */
static struct ag_shader_program *create_program(const struct ag_shader_source *source)
{
    struct ag_shader_program *const program = calloc(1, sizeof *program);
    struct ag_shader_text *const text = calloc(1, sizeof *text);
    uint8_t *const bytes = malloc(source->size ? source->size : 1);
    if (program == NULL || text == NULL || bytes == NULL) {
        free(program);
        free(text);
        free(bytes);
        return NULL;
    }
    memcpy(bytes, source->bytes, source->size);
    atomic_init(&text->references, 1);
    program->text = text;
    program->bytes = text->bytes = bytes;
    program->size = source->size;
    return program;
}

struct ag_compilation *ag_shader_parsing_begin(const struct ag_binder *binder,
                                               const struct ag_shader_source *source)
{
    struct task *const task = calloc(1, sizeof *task);
    if (task == NULL)
        return NULL;
    task->task.run = run;
    task->task.destroy = destroy;
    ag_recorded_reports_init(&task->reports);
    task->program = create_program(source);
    if (task->program != NULL)
        return ag_compile_task(binder->host->gpu, &task->task, ag_translates_in_call(binder, source->size));
    destroy(&task->task);
    return NULL;
}

bool ag_shader_parsing_is_of(const struct ag_compilation *parsing, const struct ag_shader_source *source)
{
    const struct task *const task = (const struct task *)ag_compilation_task(parsing);
    const struct ag_shader_source own = {task->program->bytes, task->program->size};
    return ag_shader_sources_are_equal(&own, source);
}

enum agpu_status ag_shader_parsing_end(struct ag_compilation *parsing, const struct agpu_diag_sink *sink,
                                       struct ag_shader_program **program)
{
    struct task *const task = (struct task *)ag_compilation_task(parsing);
    enum agpu_status status = task->status;
    if (!ag_recorded_reports_send(&task->reports, sink))
        status = ag_report_no_memory(sink);
    *program = NULL;
    if (status == AGPU_OK) {
        *program = task->program;
        task->program = NULL;
    }
    ag_compilation_release(parsing);
    return status;
}
