/* SPDX-License-Identifier: MIT
 *
 * agpu_validate(): walks the program and calls the checks of the other validate_*.c files.
 */
#include "dxbc/validate.h"

#include "dxbc/container.h"
#include "dxbc/declaration.h"
#include "dxbc/operand_info.h"

void ag_invalid(struct ag_validator *validator, const struct agpu_instruction *instruction,
                enum agpu_diag_code code, const char *format, ...)
{
    if (validator->errors++ >= AGPU_VALIDATE_MOST_ERRORS)
        return;
    const uint64_t offset = validator->base + (instruction == NULL ? 0 : (uint64_t)instruction->offset * 4);
    va_list arguments;
    va_start(arguments, format);
    ag_report_va(validator->sink, code, AGPU_ERROR, ag_place_offset(offset), format, arguments);
    va_end(arguments);
}

enum ag_register_file ag_validate_file(uint8_t type)
{
    switch (type) {
    case AGPU_OPERAND_INPUT:
        return AG_FILE_INPUT;
    case AGPU_OPERAND_OUTPUT:
        return AG_FILE_OUTPUT;
    case AGPU_OPERAND_INPUT_CONTROL_POINT:
        return AG_FILE_CONTROL_POINT;
    case AGPU_OPERAND_OUTPUT_CONTROL_POINT:
        return AG_FILE_OUTPUT_POINT;
    case AGPU_OPERAND_INPUT_PATCH_CONSTANT:
        return AG_FILE_PATCH;
    default:
        return AG_FILE_COUNT;
    }
}

/* ---- Stages ------------------------------------------------------------------------------------------- */

#define VERTEX_STAGES (AGPU_STAGES_ALL & ~AGPU_STAGES_CS)

/* The stages that have an operand type; a type that is not listed exists in all. */
static const uint8_t operand_stages[AGPU_OPERAND_TYPE_COUNT] = {
    [AGPU_OPERAND_INPUT] = AGPU_STAGES_VS | AGPU_STAGES_PS | AGPU_STAGES_GS | AGPU_STAGES_HS,
    [AGPU_OPERAND_OUTPUT] = VERTEX_STAGES,
    [AGPU_OPERAND_INPUT_PRIMITIVE_ID] = AGPU_STAGES_GS | AGPU_STAGES_HS | AGPU_STAGES_DS,
    [AGPU_OPERAND_OUTPUT_DEPTH] = AGPU_STAGES_PS,
    [AGPU_OPERAND_OUTPUT_DEPTH_GREATER_EQUAL] = AGPU_STAGES_PS,
    [AGPU_OPERAND_OUTPUT_DEPTH_LESS_EQUAL] = AGPU_STAGES_PS,
    [AGPU_OPERAND_OUTPUT_COVERAGE_MASK] = AGPU_STAGES_PS,
    [AGPU_OPERAND_OUTPUT_STENCIL_REF] = AGPU_STAGES_PS,
    [AGPU_OPERAND_RASTERIZER] = AGPU_STAGES_PS,
    [AGPU_OPERAND_STREAM] = AGPU_STAGES_GS,
    [AGPU_OPERAND_OUTPUT_CONTROL_POINT_ID] = AGPU_STAGES_HS,
    [AGPU_OPERAND_INPUT_FORK_INSTANCE_ID] = AGPU_STAGES_HS,
    [AGPU_OPERAND_INPUT_JOIN_INSTANCE_ID] = AGPU_STAGES_HS,
    [AGPU_OPERAND_INPUT_CONTROL_POINT] = AGPU_STAGES_HS | AGPU_STAGES_DS,
    [AGPU_OPERAND_OUTPUT_CONTROL_POINT] = AGPU_STAGES_HS,
    [AGPU_OPERAND_INPUT_PATCH_CONSTANT] = AGPU_STAGES_HS | AGPU_STAGES_DS,
    [AGPU_OPERAND_INPUT_DOMAIN_POINT] = AGPU_STAGES_DS,
    [AGPU_OPERAND_THREAD_GROUP_SHARED_MEMORY] = AGPU_STAGES_CS,
    [AGPU_OPERAND_INPUT_THREAD_ID] = AGPU_STAGES_CS,
    [AGPU_OPERAND_INPUT_THREAD_GROUP_ID] = AGPU_STAGES_CS,
    [AGPU_OPERAND_INPUT_THREAD_ID_IN_GROUP] = AGPU_STAGES_CS,
    [AGPU_OPERAND_INPUT_THREAD_ID_IN_GROUP_FLATTENED] = AGPU_STAGES_CS,
    [AGPU_OPERAND_INPUT_COVERAGE_MASK] = AGPU_STAGES_PS,
    [AGPU_OPERAND_INPUT_INNER_COVERAGE] = AGPU_STAGES_PS,
    [AGPU_OPERAND_INPUT_GS_INSTANCE_ID] = AGPU_STAGES_GS,
};

/* The phases of a hull shader that have an operand type, as bits; 0 means all. */
#define PHASE(name) (1u << AG_PHASE_##name)
static const uint8_t operand_phases[AGPU_OPERAND_TYPE_COUNT] = {
    [AGPU_OPERAND_INPUT] = PHASE(CONTROL_POINT),
    [AGPU_OPERAND_OUTPUT_CONTROL_POINT_ID] = PHASE(CONTROL_POINT),
    [AGPU_OPERAND_INPUT_FORK_INSTANCE_ID] = PHASE(FORK),
    [AGPU_OPERAND_INPUT_JOIN_INSTANCE_ID] = PHASE(JOIN),
    [AGPU_OPERAND_INPUT_CONTROL_POINT] = PHASE(FORK) | PHASE(JOIN),
    [AGPU_OPERAND_OUTPUT_CONTROL_POINT] = PHASE(FORK) | PHASE(JOIN),
    [AGPU_OPERAND_INPUT_PATCH_CONSTANT] = PHASE(JOIN),
};

bool ag_validate_operand_stage(struct ag_validator *validator, const struct agpu_instruction *instruction,
                               uint8_t type)
{
    const enum agpu_stage stage = validator->program->stage;
    const char *text = ag_operand_info(type)->text;
    if (operand_stages[type] != 0 && (operand_stages[type] >> stage & 1) == 0) {
        ag_invalid(validator, instruction, AGPU_DIAG_DXBC_STAGE, "there is no %s register in %s", text,
                   agpu_stage_name(stage));
        return false;
    }
    if (stage == AGPU_STAGE_HULL && operand_phases[type] != 0 &&
        (operand_phases[type] >> validator->phase & 1) == 0) {
        ag_invalid(validator, instruction, AGPU_DIAG_DXBC_STAGE,
                   "there is no %s register in this phase of a hull shader", text);
        return false;
    }
    return true;
}

/* ---- Labels, before the walk -------------------------------------------------------------------------- */

static void put(struct ag_validator *validator, struct ag_map *map, uint64_t number,
                const struct agpu_instruction *instruction, const char *what)
{
    if (ag_map_get(map, number + 1) != NULL)
        ag_invalid(validator, instruction, AGPU_DIAG_DXBC_LABEL, "there is a %s of this number already",
                   what);
    else if (!ag_map_put(map, number + 1, (void *)(uintptr_t)instruction))
        validator->out_of_memory = true;
}

/* Collects labels first, because a call may precede its subroutine. */
static void collect_labels(struct ag_validator *validator)
{
    for (uint32_t i = 0; i < validator->program->instruction_count; i++) {
        const struct agpu_instruction *instruction = &validator->program->instructions[i];
        switch (instruction->opcode) {
        case AGPU_OP_LABEL:
            put(validator, &validator->labels,
                ag_validate_key(instruction->operands[0].type, instruction->operands[0].index[0].immediate),
                instruction, "label");
            break;
        case AGPU_OP_DCL_FUNCTION_BODY:
            put(validator, &validator->bodies, instruction->data[0], instruction, "function body");
            break;
        case AGPU_OP_DCL_FUNCTION_TABLE:
            put(validator, &validator->tables, instruction->data[0], instruction, "function table");
            break;
        case AGPU_OP_DCL_INTERFACE:
            put(validator, &validator->interfaces, instruction->data[0], instruction, "interface");
            break;
        default: /* the walk checks everything else */
            break;
        }
    }
}

/* ---- The walk ----------------------------------------------------------------------------------------- */

static uint64_t program_offset(const struct agpu_shader *shader)
{
    /* The program is in the first SHEX chunk, or without one in the first SHDR chunk. */
    static const uint32_t kinds[] = {AG_CHUNK_SHEX, AG_CHUNK_SHDR};
    for (size_t kind = 0; kind < 2; kind++)
        for (uint32_t i = 0; i < shader->chunk_count; i++)
            if (shader->chunks[i].fourcc == kinds[kind])
                return shader->chunks[i].offset;
    return 0;
}

static void check_instruction(struct ag_validator *validator, const struct agpu_instruction *instruction)
{
    const struct agpu_opcode_info *info = agpu_opcode_info(instruction->opcode);
    ag_validate_flow(validator, instruction);
    ag_validate_features(validator, instruction);
    if (info->flags & AGPU_OPF_DECLARATION) {
        ag_validate_declaration(validator, instruction);
    } else {
        ag_validate_operands(validator, instruction);
        ag_validate_resources(validator, instruction);
        validator->seen_code = true;
    }
    if (instruction->opcode != AGPU_OP_CUSTOMDATA)
        validator->previous = instruction;
}

static void walk(struct ag_validator *validator)
{
    const struct agpu_program *program = validator->program;
    collect_labels(validator);
    for (uint32_t i = 0; i < program->instruction_count && validator->errors < AGPU_VALIDATE_MOST_ERRORS &&
                         !validator->out_of_memory;
         i++)
        check_instruction(validator, &program->instructions[i]);
    if (validator->out_of_memory) /* what was not seen says nothing */
        return;
    const uint32_t count = program->instruction_count;
    ag_validate_flow_end(validator, count == 0 ? NULL : &program->instructions[count - 1]);
    ag_validate_required(validator);
    ag_validate_signatures(validator);
}

enum agpu_status agpu_validate(const struct agpu_shader *shader, const struct agpu_diag_sink *sink)
{
    struct ag_validator validator = {
        .shader = shader, .program = &shader->program, .sink = sink, .base = program_offset(shader)};
    walk(&validator);
    ag_map_fini(&validator.arrays);
    ag_map_fini(&validator.resources);
    ag_map_fini(&validator.labels);
    ag_map_fini(&validator.bodies);
    ag_map_fini(&validator.tables);
    ag_map_fini(&validator.interfaces);
    ag_vec_fini(&validator.flow);
    ag_map_fini(&validator.cases);
    if (validator.out_of_memory)
        return ag_report_no_memory(sink);
    return validator.errors == 0 ? AGPU_OK : AGPU_REFUSED;
}
