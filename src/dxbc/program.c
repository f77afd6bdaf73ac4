/* SPDX-License-Identifier: MIT
 *
 * Decodes tokens to instructions.
 */
#include "dxbc/program.h"

#include <inttypes.h>

#include "base/bytes.h"
#include "dxbc/declaration.h"
#include "dxbc/opcode.h"
#include "dxbc/operand_info.h"

static enum agpu_status refuse_at(const struct ag_token_reader *reader, enum agpu_diag_code code,
                                  uint32_t position, const char *problem)
{
    ag_report(reader->sink, code, AGPU_ERROR, ag_token_place(reader, position), "%s", problem);
    return AGPU_REFUSED;
}

bool ag_is_version_token(uint32_t token)
{
    const uint32_t model = token & 0xff;
    return (token & 0xff00) == 0 && token >> 16 < AGPU_STAGE_COUNT &&
           (model == 0x40 || model == 0x41 || model == 0x50 || model == 0x51);
}

static enum agpu_status read_version(const struct ag_token_reader *reader, struct agpu_program *program)
{
    const uint32_t token = reader->tokens[0];
    if (!ag_is_version_token(token)) {
        const bool level_9 = token >> 16 >= 0xfffe && (token & 0xff00) <= 0x0300;
        ag_report(reader->sink, AGPU_DIAG_DXBC_MODEL, AGPU_ERROR, ag_token_place(reader, 0),
                  "version token 0x%08" PRIx32 " is %s", token,
                  level_9 ? "a Direct3D 9 shader's" : "not one of shader models 4.0 to 5.1");
        return AGPU_REFUSED;
    }
    program->stage = (enum agpu_stage)(token >> 16);
    program->major = token >> 4 & 0xf;
    program->minor = token & 0xf;
    if (program->major < 5 && (program->stage == AGPU_STAGE_HULL || program->stage == AGPU_STAGE_DOMAIN)) {
        ag_report(reader->sink, AGPU_DIAG_DXBC_MODEL, AGPU_ERROR, ag_token_place(reader, 0),
                  "there is no %s_%u_%u", agpu_stage_name(program->stage), program->major, program->minor);
        return AGPU_REFUSED;
    }
    return AGPU_OK;
}

/* ---- Instruction boundaries --------------------------------------------------------------------------- */

static bool may_be_long(uint32_t opcode)
{
    return opcode == AGPU_OP_DCL_FUNCTION_TABLE || opcode == AGPU_OP_DCL_INTERFACE;
}

/* Whether an instruction has the long form, in which the second dword is the length. */
static bool has_long_length(uint32_t token)
{
    const uint32_t opcode = token & AG_OPCODE_NUMBER_MASK;
    return opcode == AGPU_OP_CUSTOMDATA || (may_be_long(opcode) && (token & AG_TOKEN_EXTENDED) != 0);
}

/* Reads the length of the instruction at the reader's position, and checks that it lies inside the
 * program. */
static enum agpu_status read_length(const struct ag_token_reader *reader, uint32_t *length)
{
    const uint32_t left = reader->end - reader->position;
    const uint32_t token = reader->tokens[reader->position];
    const uint32_t opcode = token & AG_OPCODE_NUMBER_MASK;
    if (ag_opcode_info(opcode) == NULL) {
        ag_report(reader->sink, AGPU_DIAG_DXBC_OPCODE, AGPU_ERROR, ag_token_place(reader, reader->position),
                  "there is no opcode %" PRIu32, opcode);
        return AGPU_REFUSED;
    }
    uint32_t least = 1;
    *length = token >> AG_OPCODE_LENGTH_SHIFT & AG_OPCODE_LENGTH_MASK;
    if (has_long_length(token)) {
        least = 2;
        *length = left >= 2 ? reader->tokens[reader->position + 1] : UINT32_MAX;
    }
    if (*length < least) {
        ag_report(reader->sink, AGPU_DIAG_DXBC_OPCODE, AGPU_ERROR, ag_token_place(reader, reader->position),
                  "%s has a length of %" PRIu32 " dwords", agpu_opcode_info(opcode)->mnemonic, *length);
        return AGPU_REFUSED;
    }
    if (*length > left) {
        ag_report(reader->sink, AGPU_DIAG_DXBC_TRUNCATED, AGPU_ERROR,
                  ag_token_place(reader, reader->position), "%s continues past the end of the program",
                  agpu_opcode_info(opcode)->mnemonic);
        return AGPU_REFUSED;
    }
    return AGPU_OK;
}

/* How many instructions there are, up to one whose length cannot be. */
static uint32_t count_instructions(const struct ag_token_reader *reader)
{
    uint32_t count = 0;
    for (uint32_t position = reader->position, left; position < reader->end; count++) {
        const uint32_t token = reader->tokens[position];
        left = reader->end - position;
        uint32_t length = token >> AG_OPCODE_LENGTH_SHIFT & AG_OPCODE_LENGTH_MASK;
        if (has_long_length(token))
            length = left >= 2 ? reader->tokens[position + 1] : 0;
        position += length == 0 || length > left ? left : length;
    }
    return count;
}

/* ---- One instruction ---------------------------------------------------------------------------------- */

static int8_t texel_offset(uint32_t token, uint32_t shift)
{
    const uint32_t nibble = token >> shift & 0xf;
    return (int8_t)(nibble < 8 ? (int)nibble : (int)nibble - 16);
}

static void decode_extended(struct agpu_instruction *instruction, uint32_t token)
{
    switch (token & AG_EXTENDED_TYPE_MASK) {
    case AG_EXTENDED_OPCODE_SAMPLE_CONTROLS:
        instruction->has_offsets = true;
        for (uint32_t i = 0; i < 3; i++)
            instruction->offsets[i] = texel_offset(token, 9 + 4 * i);
        break;
    case AG_EXTENDED_OPCODE_DIMENSION:
        instruction->has_dimension = true;
        instruction->dimension = token >> 6 & 0x1f;
        instruction->structure_stride = token >> 11 & 0xfff;
        break;
    case AG_EXTENDED_OPCODE_RETURN_TYPE:
        for (uint32_t i = 0; i < 4; i++)
            instruction->return_type[i] = token >> (6 + 4 * i) & 0xf;
        break;
    default: /* unknown extended tokens are skipped, as the format demands */
        break;
    }
}

static enum agpu_status read_extended(struct ag_token_reader *reader, uint32_t token,
                                      struct agpu_instruction *instruction)
{
    if (has_long_length(token)) {
        instruction->extended[instruction->extended_count++] = reader->tokens[reader->position++];
        return AGPU_OK;
    }
    while (token & AG_TOKEN_EXTENDED) {
        if (reader->position >= reader->end)
            return refuse_at(reader, AGPU_DIAG_DXBC_TRUNCATED, reader->position,
                             "an extended opcode token is missing");
        if (instruction->extended_count == AG_COUNT_OF(instruction->extended))
            return refuse_at(reader, AGPU_DIAG_DXBC_OPCODE, reader->position,
                             "an instruction has more than four extended opcode tokens");
        token = reader->tokens[reader->position++];
        instruction->extended[instruction->extended_count++] = token;
        decode_extended(instruction, token);
    }
    return AGPU_OK;
}

#define BIT(type) (UINT64_C(1) << (type))

/* Some kinds of operands accept only certain register files; all other kinds accept any. */
static bool kind_accepts(char kind, uint8_t type)
{
    static const uint64_t types[128] = {
        ['R'] = BIT(AGPU_OPERAND_RESOURCE) | BIT(AGPU_OPERAND_UNORDERED_ACCESS_VIEW) |
                BIT(AGPU_OPERAND_THREAD_GROUP_SHARED_MEMORY) | BIT(AGPU_OPERAND_RASTERIZER) |
                BIT(AGPU_OPERAND_CONSTANT_BUFFER),
        ['P'] = BIT(AGPU_OPERAND_SAMPLER),
        ['L'] = BIT(AGPU_OPERAND_LABEL) | BIT(AGPU_OPERAND_FUNCTION_BODY),
        ['M'] = BIT(AGPU_OPERAND_STREAM),
        ['I'] = BIT(AGPU_OPERAND_INTERFACE),
    };
    const uint64_t accepted = types[kind & 127];
    return accepted == 0 || (accepted & BIT(type)) != 0;
}

static enum agpu_status check_operand(const struct ag_token_reader *reader,
                                      const struct agpu_program *program, const struct agpu_opcode_info *info,
                                      uint32_t number, uint32_t position, const struct agpu_operand *operand)
{
    const bool declaration = (info->flags & AGPU_OPF_DECLARATION) != 0;
    if (!kind_accepts(info->operands[3 * number + 1], operand->type)) {
        ag_report(reader->sink, AGPU_DIAG_DXBC_OPERAND, AGPU_ERROR, ag_token_place(reader, position),
                  "operand %" PRIu32 " of %s cannot be a %s register", number, info->mnemonic,
                  ag_operand_info(operand->type)->text);
        return AGPU_REFUSED;
    }
    uint32_t least, most;
    ag_operand_index_range(program, declaration, operand->type, &least, &most);
    if (operand->index_count < least || operand->index_count > most) {
        ag_report(reader->sink, AGPU_DIAG_DXBC_OPERAND, AGPU_ERROR, ag_token_place(reader, position),
                  "operand %" PRIu32 " of %s, a %s register, has %u indices", number, info->mnemonic,
                  ag_operand_info(operand->type)->text, operand->index_count);
        return AGPU_REFUSED;
    }
    if (number < info->destination_count && !declaration && operand->component_count == 4 &&
        operand->selection != AGPU_SELECT_MASK) {
        ag_report(reader->sink, AGPU_DIAG_DXBC_OPERAND, AGPU_ERROR, ag_token_place(reader, position),
                  "destination %" PRIu32 " of %s has no component mask", number, info->mnemonic);
        return AGPU_REFUSED;
    }
    return AGPU_OK;
}

static bool has_relative(const struct agpu_operand *operand)
{
    return operand->index[0].relative != NULL || operand->index[1].relative != NULL ||
           operand->index[2].relative != NULL;
}

/* Registers inside an index obey the rules of the operand around them. */
static enum agpu_status check_relative(const struct ag_token_reader *reader,
                                       const struct agpu_program *program, const struct agpu_operand *operand,
                                       uint32_t position)
{
    for (uint32_t i = 0; i < operand->index_count; i++) {
        const struct agpu_operand *relative = operand->index[i].relative;
        if (relative == NULL)
            continue;
        uint32_t least, most;
        ag_operand_index_range(program, false, relative->type, &least, &most);
        if (relative->index_count < least || relative->index_count > most || relative->component_count == 0 ||
            (relative->component_count == 4 && relative->selection == AGPU_SELECT_MASK))
            return refuse_at(reader, AGPU_DIAG_DXBC_OPERAND, position,
                             "a relative index does not name one component of a register");
        const enum agpu_status status = check_relative(reader, program, relative, position);
        if (status != AGPU_OK)
            return status;
    }
    return AGPU_OK;
}

static enum agpu_status read_operands(struct ag_token_reader *reader, const struct agpu_program *program,
                                      const struct agpu_opcode_info *info,
                                      struct agpu_instruction *instruction)
{
    struct agpu_operand *operands = ag_arena_alloc_raw(reader->arena, info->operand_count * sizeof *operands,
                                                       alignof(struct agpu_operand));
    if (operands == NULL)
        return ag_report_no_memory(reader->sink);
    instruction->operands = operands;
    instruction->operand_count = info->operand_count;
    for (uint32_t i = 0; i < info->operand_count; i++) {
        const uint32_t position = reader->position;
        enum agpu_status status = ag_operand_read(reader, &operands[i]);
        if (status == AGPU_OK)
            status = check_operand(reader, program, info, i, position, &operands[i]);
        if (status == AGPU_OK && has_relative(&operands[i]))
            status = check_relative(reader, program, &operands[i], position);
        if (status != AGPU_OK)
            return status;
    }
    return AGPU_OK;
}

/* Reads `count` dwords that follow the operands. */
static enum agpu_status read_data(struct ag_token_reader *reader, uint32_t count,
                                  const struct agpu_opcode_info *info, struct agpu_instruction *instruction)
{
    if (count > reader->end - reader->position) {
        ag_report(reader->sink, AGPU_DIAG_DXBC_TRUNCATED, AGPU_ERROR,
                  ag_token_place(reader, reader->position),
                  "%s needs %" PRIu32 " more dwords, its length leaves %" PRIu32, info->mnemonic, count,
                  reader->end - reader->position);
        return AGPU_REFUSED;
    }
    instruction->data = reader->tokens + reader->position;
    instruction->data_count = count;
    reader->position += count;
    return AGPU_OK;
}

static enum agpu_status read_declaration_data(struct ag_token_reader *reader,
                                              const struct agpu_program *program,
                                              const struct agpu_opcode_info *info,
                                              struct agpu_instruction *instruction)
{
    const struct ag_declaration_info layout = ag_declaration_info(instruction->opcode);
    uint32_t count = layout.dwords;
    if (ag_program_is_5_1(program))
        count += layout.extra_dwords;
    if (layout.open_ended && count < reader->end - reader->position)
        count = reader->end - reader->position;
    const enum agpu_status status = read_data(reader, count, info, instruction);
    if (status != AGPU_OK || !layout.open_ended)
        return status;
    const uint32_t listed =
        instruction->opcode == AGPU_OP_DCL_INTERFACE ? instruction->data[2] & 0xffff : instruction->data[1];
    if (listed != count - layout.dwords)
        return refuse_at(reader, AGPU_DIAG_DXBC_OPCODE, instruction->offset,
                         "a class linkage declaration does not list as many entries as it states");
    return AGPU_OK;
}

static enum agpu_status read_body(struct ag_token_reader *reader, const struct agpu_program *program,
                                  const struct agpu_opcode_info *info, uint32_t token,
                                  struct agpu_instruction *instruction)
{
    if (instruction->opcode == AGPU_OP_CUSTOMDATA) {
        reader->position++;
        return read_data(reader, reader->end - reader->position, info, instruction);
    }
    instruction->controls = token >> AG_OPCODE_CONTROLS_SHIFT & AG_OPCODE_CONTROLS_MASK;
    instruction->saturate =
        (info->flags & AGPU_OPF_SATURATE) && (instruction->controls & AG_CONTROL_SATURATE);
    instruction->test_nonzero =
        (info->flags & AGPU_OPF_TEST) && (instruction->controls & AG_CONTROL_TEST_NONZERO);
    if (info->destination_count != 0 && !(info->flags & AGPU_OPF_DECLARATION))
        instruction->precise = instruction->controls >> AG_CONTROL_PRECISE_SHIFT & 0xf;

    enum agpu_status status = read_extended(reader, token, instruction);
    if (status == AGPU_OK && instruction->opcode == AGPU_OP_FCALL)
        status = read_data(reader, 1, info, instruction);
    if (status == AGPU_OK)
        status = read_operands(reader, program, info, instruction);
    if (status == AGPU_OK && (info->flags & AGPU_OPF_DECLARATION))
        status = read_declaration_data(reader, program, info, instruction);
    if (status == AGPU_OK && reader->position < reader->end) {
        instruction->stray = reader->tokens + reader->position;
        instruction->stray_count = reader->end - reader->position;
    }
    return status;
}

bool ag_opcode_is_available(const struct agpu_opcode_info *info, const struct agpu_program *program)
{
    const bool any_stage = info->stages == (AGPU_STAGES_PS | AGPU_STAGES_CS);
    const bool stage = any_stage || (info->stages >> program->stage & 1) != 0;
    return stage && info->model <= program->major * 10 + program->minor;
}

static enum agpu_status check_availability(const struct ag_token_reader *reader,
                                           const struct agpu_program *program,
                                           const struct agpu_opcode_info *info,
                                           const struct agpu_instruction *instruction)
{
    if (ag_opcode_is_available(info, program))
        return AGPU_OK;
    ag_report(reader->sink, AGPU_DIAG_DXBC_MODEL, AGPU_ERROR, ag_token_place(reader, instruction->offset),
              "there is no %s in %s_%u_%u", info->mnemonic, agpu_stage_name(program->stage), program->major,
              program->minor);
    return AGPU_REFUSED;
}

static enum agpu_status read_instruction(struct ag_token_reader *program_reader,
                                         const struct agpu_program *program,
                                         struct agpu_instruction *instruction)
{
    uint32_t length;
    *instruction = (struct agpu_instruction){0};
    enum agpu_status status = read_length(program_reader, &length);
    if (status != AGPU_OK)
        return status;
    struct ag_token_reader reader = *program_reader;
    reader.end = reader.position + length;
    program_reader->position += length;

    const uint32_t token = reader.tokens[reader.position++];
    const struct agpu_opcode_info *const info = &ag_opcode_infos[token & AG_OPCODE_NUMBER_MASK];
    instruction->opcode = token & AG_OPCODE_NUMBER_MASK;
    instruction->offset = reader.position - 1;
    instruction->length = length;
    if (instruction->opcode == AGPU_OP_CUSTOMDATA)
        instruction->controls = token >> AG_OPCODE_CONTROLS_SHIFT;
    status = check_availability(&reader, program, info, instruction);
    if (status != AGPU_OK)
        return status;
    return read_body(&reader, program, info, token, instruction);
}

/* ---- Whole programs ----------------------------------------------------------------------------------- */

enum agpu_status ag_program_read(struct ag_arena *arena, const uint32_t *tokens, uint32_t count,
                                 uint64_t base, const struct agpu_diag_sink *sink,
                                 struct agpu_program *program)
{
    struct ag_token_reader reader = {
        .tokens = tokens, .position = 0, .end = count, .base = base, .sink = sink, .arena = arena};
    *program = (struct agpu_program){.tokens = tokens};
    if (count < AG_PROGRAM_HEADER_DWORDS)
        return refuse_at(&reader, AGPU_DIAG_DXBC_TRUNCATED, 0, "the program has no room for its header");
    enum agpu_status status = read_version(&reader, program);
    if (status != AGPU_OK)
        return status;
    if (tokens[1] < AG_PROGRAM_HEADER_DWORDS || tokens[1] > count) {
        ag_report(sink, AGPU_DIAG_DXBC_TRUNCATED, AGPU_ERROR, ag_token_place(&reader, 1),
                  "the program states a length of %" PRIu32 " dwords, there are %" PRIu32, tokens[1], count);
        return AGPU_REFUSED;
    }
    program->token_count = tokens[1];
    reader.position = AG_PROGRAM_HEADER_DWORDS;
    reader.end = program->token_count;
    program->instruction_count = count_instructions(&reader);
    struct agpu_instruction *instructions = ag_arena_alloc_raw(
        arena, (size_t)program->instruction_count * sizeof *instructions, alignof(struct agpu_instruction));
    if (instructions == NULL)
        return ag_report_no_memory(sink);
    program->instructions = instructions;
    for (uint32_t i = 0; i < program->instruction_count && status == AGPU_OK; i++) {
        status = read_instruction(&reader, program, &instructions[i]);
        if (instructions[i].opcode == AGPU_OP_DCL_GLOBALFLAGS)
            program->global_flags |= instructions[i].controls;
    }
    return status;
}

bool ag_program_has_messages(const struct agpu_program *program)
{
    for (uint32_t i = 0; i < program->instruction_count; i++) {
        const struct agpu_instruction *instruction = &program->instructions[i];
        if (instruction->opcode == AGPU_OP_ABORT || (instruction->opcode == AGPU_OP_CUSTOMDATA &&
                                                     instruction->controls == AGPU_CUSTOM_SHADER_MESSAGE))
            return true;
    }
    return false;
}
