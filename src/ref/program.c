/* SPDX-License-Identifier: MIT
 *
 * Prepares a program for running: reads declarations and checks operands.
 */
#include "ref/machine.h"

#include <stdlib.h>

#define MAX_TEMPS 4096u
#define MAX_INDEXABLE_REGISTERS 4096u
#define MAX_SHARED_BYTES 32768u
#define MAX_SHARED_BLOCKS 8192u

struct builder {
    struct ag_ref_program *program;
    const struct agpu_diag_sink *sink;
};

static enum agpu_status refuse(const struct builder *builder, const struct agpu_instruction *instruction,
                               enum agpu_diag_code code, const char *problem)
{
    ag_report(builder->sink, code, AGPU_ERROR, ag_place_offset((uint64_t)instruction->offset * 4), "%s %s",
              agpu_opcode_info(instruction->opcode)->mnemonic, problem);
    return AGPU_REFUSED;
}

/* ---- Declarations ------------------------------------------------------------------------------------- */

static enum agpu_status declare_indexable(const struct builder *builder, const struct agpu_instruction *dcl)
{
    struct ag_ref_program *program = builder->program;
    const uint32_t array = dcl->data[0], count = dcl->data[1], components = dcl->data[2];
    if (array >= MAX_INDEXABLE_REGISTERS || components < 1 || components > 4 ||
        count > MAX_INDEXABLE_REGISTERS - program->indexable_registers)
        return refuse(builder, dcl, AGPU_DIAG_REF_LIMIT, "asks for more than 4096 registers");
    program->indexables[array] = (struct ag_ref_indexable){
        .count = count, .components = components, .first = program->indexable_registers};
    program->indexable_registers += count;
    if (program->indexable_count <= array)
        program->indexable_count = array + 1;
    return AGPU_OK;
}

static enum agpu_status declare_shared(const struct builder *builder, const struct agpu_instruction *dcl)
{
    struct ag_ref_program *program = builder->program;
    const bool is_raw = dcl->opcode == AGPU_OP_DCL_TGSM_RAW;
    const uint64_t number = dcl->operands[0].index[0].immediate;
    const uint64_t size = is_raw ? dcl->data[0] : (uint64_t)dcl->data[0] * dcl->data[1];
    if (number >= MAX_SHARED_BLOCKS || size > MAX_SHARED_BYTES - program->shared_size || size % 4 != 0)
        return refuse(builder, dcl, AGPU_DIAG_REF_LIMIT, "asks for more than 32 KiB of shared memory");
    program->shared[number] = (struct ag_ref_shared){
        .size = (uint32_t)size, .stride = is_raw ? 0 : dcl->data[0], .first = program->shared_size};
    program->shared_size += (uint32_t)size;
    if (program->shared_count <= number)
        program->shared_count = (uint32_t)number + 1;
    return AGPU_OK;
}

static enum agpu_status declare_group(const struct builder *builder, const struct agpu_instruction *dcl)
{
    const uint32_t x = dcl->data[0], y = dcl->data[1], z = dcl->data[2];
    if (x == 0 || y == 0 || z == 0 || x > 1024 || y > 1024 || z > 64 || x * y * z > 1024)
        return refuse(builder, dcl, AGPU_DIAG_REF_LIMIT, "is not a group of 1 to 1024 threads");
    memcpy(builder->program->thread_group, dcl->data, 3 * sizeof(uint32_t));
    return AGPU_OK;
}

/* Whether a declaration has all the dwords and operands that are read here. */
static bool is_complete(const struct agpu_instruction *dcl)
{
    switch (dcl->opcode) {
    case AGPU_OP_DCL_TEMPS:
        return dcl->data_count >= 1;
    case AGPU_OP_DCL_INDEXABLETEMP:
    case AGPU_OP_DCL_THREAD_GROUP:
        return dcl->data_count >= 3;
    case AGPU_OP_DCL_TGSM_RAW:
        return dcl->data_count >= 1 && dcl->operand_count >= 1;
    case AGPU_OP_DCL_TGSM_STRUCTURED:
        return dcl->data_count >= 2 && dcl->operand_count >= 1;
    case AGPU_OP_DCL_INPUT_PS:
    case AGPU_OP_DCL_INPUT_PS_SGV:
    case AGPU_OP_DCL_INPUT_PS_SIV:
        return dcl->operand_count >= 1;
    default:
        return true;
    }
}

static enum agpu_status declare(const struct builder *builder, const struct agpu_instruction *dcl)
{
    struct ag_ref_program *program = builder->program;
    if (!is_complete(dcl))
        return refuse(builder, dcl, AGPU_DIAG_REF_OPERAND, "is incomplete");
    switch (dcl->opcode) {
    case AGPU_OP_DCL_TEMPS:
        if (dcl->data[0] > MAX_TEMPS)
            return refuse(builder, dcl, AGPU_DIAG_REF_LIMIT, "asks for more than 4096 registers");
        if (program->temp_count < dcl->data[0])
            program->temp_count = dcl->data[0];
        return AGPU_OK;
    case AGPU_OP_DCL_INDEXABLETEMP:
        return declare_indexable(builder, dcl);
    case AGPU_OP_DCL_TGSM_RAW:
    case AGPU_OP_DCL_TGSM_STRUCTURED:
        return declare_shared(builder, dcl);
    case AGPU_OP_DCL_THREAD_GROUP:
        return declare_group(builder, dcl);
    case AGPU_OP_DCL_INPUT_PS:
    case AGPU_OP_DCL_INPUT_PS_SGV:
    case AGPU_OP_DCL_INPUT_PS_SIV: {
        const uint64_t number = dcl->operands[0].index[0].immediate;
        if (number < AG_REF_REGISTERS)
            program->interpolation[number] = (uint8_t)agpu_dcl_interpolation(dcl);
        return AGPU_OK;
    }
    case AGPU_OP_CUSTOMDATA:
        if (dcl->controls == AGPU_CUSTOM_IMMEDIATE_CONSTANT_BUFFER && program->immediate_buffer == NULL)
            program->immediate_buffer = dcl;
        return AGPU_OK;
    default:
        return AGPU_OK;
    }
}

/* ---- Instructions ------------------------------------------------------------------------------------- */

static bool can_read(enum agpu_operand_type type)
{
    static const bool table[AGPU_OPERAND_TYPE_COUNT] = {
        [AGPU_OPERAND_TEMP] = true,
        [AGPU_OPERAND_INPUT] = true,
        [AGPU_OPERAND_OUTPUT] = true,
        [AGPU_OPERAND_INDEXABLE_TEMP] = true,
        [AGPU_OPERAND_IMMEDIATE32] = true,
        [AGPU_OPERAND_IMMEDIATE64] = true,
        [AGPU_OPERAND_CONSTANT_BUFFER] = true,
        [AGPU_OPERAND_IMMEDIATE_CONSTANT_BUFFER] = true,
        [AGPU_OPERAND_INPUT_PRIMITIVE_ID] = true,
        [AGPU_OPERAND_NULL] = true,
        [AGPU_OPERAND_THIS_POINTER] = true,
        [AGPU_OPERAND_INPUT_THREAD_ID] = true,
        [AGPU_OPERAND_INPUT_THREAD_GROUP_ID] = true,
        [AGPU_OPERAND_INPUT_THREAD_ID_IN_GROUP] = true,
        [AGPU_OPERAND_INPUT_COVERAGE_MASK] = true,
        [AGPU_OPERAND_INPUT_THREAD_ID_IN_GROUP_FLATTENED] = true,
        [AGPU_OPERAND_CYCLE_COUNTER] = true,
        [AGPU_OPERAND_INPUT_INNER_COVERAGE] = true,
    };
    return type < AGPU_OPERAND_TYPE_COUNT && table[type];
}

static bool can_write(enum agpu_operand_type type)
{
    static const bool table[AGPU_OPERAND_TYPE_COUNT] = {
        [AGPU_OPERAND_TEMP] = true,
        [AGPU_OPERAND_OUTPUT] = true,
        [AGPU_OPERAND_INDEXABLE_TEMP] = true,
        [AGPU_OPERAND_OUTPUT_DEPTH] = true,
        [AGPU_OPERAND_NULL] = true,
        [AGPU_OPERAND_OUTPUT_COVERAGE_MASK] = true,
        [AGPU_OPERAND_OUTPUT_DEPTH_GREATER_EQUAL] = true,
        [AGPU_OPERAND_OUTPUT_DEPTH_LESS_EQUAL] = true,
        [AGPU_OPERAND_OUTPUT_STENCIL_REF] = true,
    };
    return type < AGPU_OPERAND_TYPE_COUNT && table[type];
}

/* The operand types that the opcode table allows for the letters R, P, L and I. */
static bool fits_kind(enum agpu_operand_type type, char kind)
{
    switch (kind) {
    case 'R':
        return type == AGPU_OPERAND_RESOURCE || type == AGPU_OPERAND_UNORDERED_ACCESS_VIEW ||
               type == AGPU_OPERAND_THREAD_GROUP_SHARED_MEMORY || type == AGPU_OPERAND_RASTERIZER;
    case 'P':
        return type == AGPU_OPERAND_SAMPLER;
    case 'L':
        return type == AGPU_OPERAND_LABEL || type == AGPU_OPERAND_FUNCTION_BODY;
    case 'I':
        return type == AGPU_OPERAND_INTERFACE;
    default:
        return false;
    }
}

static const uint8_t least_indices[AGPU_OPERAND_TYPE_COUNT] = {
    [AGPU_OPERAND_TEMP] = 1,
    [AGPU_OPERAND_INPUT] = 1,
    [AGPU_OPERAND_OUTPUT] = 1,
    [AGPU_OPERAND_INDEXABLE_TEMP] = 2,
    [AGPU_OPERAND_SAMPLER] = 1,
    [AGPU_OPERAND_RESOURCE] = 1,
    [AGPU_OPERAND_CONSTANT_BUFFER] = 2,
    [AGPU_OPERAND_IMMEDIATE_CONSTANT_BUFFER] = 1,
    [AGPU_OPERAND_LABEL] = 1,
    [AGPU_OPERAND_FUNCTION_BODY] = 1,
    [AGPU_OPERAND_INTERFACE] = 2,
    [AGPU_OPERAND_THIS_POINTER] = 1,
    [AGPU_OPERAND_UNORDERED_ACCESS_VIEW] = 1,
    [AGPU_OPERAND_THREAD_GROUP_SHARED_MEMORY] = 1,
};

static enum agpu_status check_operand(const struct builder *builder,
                                      const struct agpu_instruction *instruction,
                                      const struct agpu_operand *operand, bool is_destination, char kind)
{
    struct ag_ref_program *program = builder->program;
    const enum agpu_operand_type type = (enum agpu_operand_type)operand->type;
    const bool is_number = kind >= 'a' || kind == 'B';
    const bool fits = !is_number ? fits_kind(type, kind) : is_destination ? can_write(type) : can_read(type);
    if (!fits || operand->index_count < least_indices[type])
        return refuse(builder, instruction, AGPU_DIAG_REF_OPERAND, "has an operand that cannot stand there");
    if ((type == AGPU_OPERAND_INPUT || type == AGPU_OPERAND_OUTPUT) && operand->index_count != 1)
        return refuse(builder, instruction, AGPU_DIAG_REF_OPERAND, "reads vertices of a primitive");
    if (type == AGPU_OPERAND_TEMP && operand->index[0].immediate >= MAX_TEMPS)
        return refuse(builder, instruction, AGPU_DIAG_REF_LIMIT, "names a register above 4095");
    if (type == AGPU_OPERAND_TEMP && operand->index[0].immediate >= program->temp_count)
        program->temp_count = (uint32_t)operand->index[0].immediate + 1;
    for (uint32_t i = 0; i < operand->index_count; i++) {
        if (operand->index[i].relative == NULL)
            continue;
        const enum agpu_status status =
            check_operand(builder, instruction, operand->index[i].relative, false, 'u');
        if (status != AGPU_OK)
            return status;
    }
    return AGPU_OK;
}

static ag_ref_run_fn find_run(uint32_t opcode)
{
    static ag_ref_run_fn (*const families[])(uint32_t) = {
        ag_ref_alu_run,  ag_ref_flow_run,   ag_ref_buffer_run, ag_ref_atomic_run,
        ag_ref_load_run, ag_ref_sample_run, ag_ref_query_run,
    };
    for (uint32_t i = 0; i < AG_COUNT_OF(families); i++) {
        const ag_ref_run_fn run = families[i](opcode);
        if (run != NULL)
            return run;
    }
    return NULL;
}

static enum agpu_status prepare(const struct builder *builder, const struct agpu_instruction *instruction)
{
    struct ag_ref_program *program = builder->program;
    const struct agpu_opcode_info *info = agpu_opcode_info(instruction->opcode);
    const ag_ref_run_fn run = find_run(instruction->opcode);
    const bool needs_quad = info->stages == AGPU_STAGES_PS;
    if (run == NULL || (needs_quad && program->shader->program.stage != AGPU_STAGE_PIXEL))
        return refuse(builder, instruction, AGPU_DIAG_REF_OPCODE, "is not an opcode of this stage");
    if (instruction->operand_count != info->operand_count)
        return refuse(builder, instruction, AGPU_DIAG_REF_OPERAND, "has the wrong number of operands");
    for (uint32_t i = 0; i < instruction->operand_count; i++) {
        const enum agpu_status status =
            check_operand(builder, instruction, &instruction->operands[i], i < info->destination_count,
                          ag_ref_operand_kind(info, i));
        if (status != AGPU_OK)
            return status;
    }
    if (instruction->opcode == AGPU_OP_LABEL) {
        const struct agpu_operand *name = &instruction->operands[0];
        program->labels[program->label_count++] = (struct ag_ref_label){
            .type = name->type, .number = (uint32_t)name->index[0].immediate, .target = program->code_count};
    }
    program->code[program->code_count++] =
        (struct ag_ref_code){.instruction = instruction, .info = info, .run = run};
    return AGPU_OK;
}

/* ---- Whole programs ----------------------------------------------------------------------------------- */

static uint32_t count_opcode(const struct agpu_program *decoded, uint32_t opcode)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < decoded->instruction_count; i++)
        count += decoded->instructions[i].opcode == opcode;
    return count;
}

static bool allocate(struct ag_ref_program *program, const struct agpu_program *decoded)
{
    const bool has_indexables = count_opcode(decoded, AGPU_OP_DCL_INDEXABLETEMP) > 0;
    const bool has_shared = count_opcode(decoded, AGPU_OP_DCL_TGSM_RAW) > 0 ||
                            count_opcode(decoded, AGPU_OP_DCL_TGSM_STRUCTURED) > 0;
    struct ag_arena *arena = &program->arena;
    program->code = AG_ARENA_ARRAY(arena, struct ag_ref_code, decoded->instruction_count);
    program->labels = AG_ARENA_ARRAY(arena, struct ag_ref_label, count_opcode(decoded, AGPU_OP_LABEL));
    program->indexables =
        AG_ARENA_ARRAY(arena, struct ag_ref_indexable, has_indexables ? MAX_INDEXABLE_REGISTERS : 0);
    program->shared = AG_ARENA_ARRAY(arena, struct ag_ref_shared, has_shared ? MAX_SHARED_BLOCKS : 0);
    return program->code != NULL && program->labels != NULL && program->indexables != NULL &&
           program->shared != NULL;
}

static enum agpu_status build(const struct builder *builder)
{
    struct ag_ref_program *program = builder->program;
    const struct agpu_program *decoded = &program->shader->program;
    if (!allocate(program, decoded))
        return ag_report_no_memory(builder->sink);
    for (uint32_t i = 0; i < decoded->instruction_count; i++) {
        const struct agpu_instruction *instruction = &decoded->instructions[i];
        const bool is_declaration = agpu_opcode_info(instruction->opcode)->flags & AGPU_OPF_DECLARATION;
        const enum agpu_status status =
            is_declaration ? declare(builder, instruction) : prepare(builder, instruction);
        if (status != AGPU_OK)
            return status;
    }
    if (decoded->stage == AGPU_STAGE_COMPUTE && program->thread_group[0] == 0) {
        ag_report(builder->sink, AGPU_DIAG_REF_LIMIT, AGPU_ERROR, ag_place_none(),
                  "a compute shader does not declare its thread group");
        return AGPU_REFUSED;
    }
    return ag_ref_join_flow(program, builder->sink);
}

enum agpu_status ag_ref_program_create(const struct agpu_shader *shader, const struct agpu_diag_sink *sink,
                                       struct ag_ref_program **program)
{
    const enum agpu_stage stage = shader->program.stage;
    *program = NULL;
    if (stage != AGPU_STAGE_VERTEX && stage != AGPU_STAGE_PIXEL && stage != AGPU_STAGE_COMPUTE) {
        ag_report(sink, AGPU_DIAG_REF_STAGE, AGPU_ERROR, ag_place_none(),
                  "the interpreter runs vertex, pixel and compute shaders, not a %s", agpu_stage_name(stage));
        return AGPU_REFUSED;
    }
    struct ag_ref_program *made = calloc(1, sizeof *made);
    if (made == NULL)
        return ag_report_no_memory(sink);
    made->shader = shader;
    const struct builder builder = {.program = made, .sink = sink};
    const enum agpu_status status = build(&builder);
    if (status != AGPU_OK) {
        ag_ref_program_destroy(made);
        return status;
    }
    *program = made;
    return AGPU_OK;
}

void ag_ref_program_destroy(struct ag_ref_program *program)
{
    if (program == NULL)
        return;
    ag_arena_fini(&program->arena);
    free(program);
}

void ag_ref_program_thread_group(const struct ag_ref_program *program, uint32_t size[3])
{
    memcpy(size, program->thread_group, sizeof program->thread_group);
}
