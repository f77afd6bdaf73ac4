/* SPDX-License-Identifier: MIT
 *
 * Encodes instructions as tokens.
 */
#include "dxbc/encode.h"

#include "dxbc/program.h"

void ag_token_writer_fini(struct ag_token_writer *writer)
{
    ag_vec_fini(&writer->tokens);
}

void ag_token_put(struct ag_token_writer *writer, uint32_t token)
{
    if (!ag_vec_push(&writer->tokens, token))
        writer->failed = true;
}

static void put_all(struct ag_token_writer *writer, const uint32_t *tokens, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        ag_token_put(writer, tokens[i]);
}

/* ---- Operands ----------------------------------------------------------------------------------------- */

static uint32_t component_bits(const struct agpu_operand *operand)
{
    if (operand->component_count < 4)
        return operand->component_count;
    const uint32_t bits = 2 | (uint32_t)operand->selection << 2;
    const uint8_t *swizzle = operand->swizzle;
    switch ((enum agpu_selection)operand->selection) {
    case AGPU_SELECT_MASK:
        return bits | (uint32_t)operand->mask << 4;
    case AGPU_SELECT_SWIZZLE:
        return bits | (uint32_t)(swizzle[0] | swizzle[1] << 2 | swizzle[2] << 4 | swizzle[3] << 6) << 4;
    case AGPU_SELECT_ONE:
        return bits | (uint32_t)swizzle[0] << 4;
    }
    return bits;
}

static void encode_index(struct ag_token_writer *writer, uint8_t representation,
                         const struct agpu_operand_index *index)
{
    if (representation == AG_INDEX_IMMEDIATE64 || representation == AG_INDEX_IMMEDIATE64_RELATIVE)
        ag_token_put(writer, (uint32_t)(index->immediate >> 32));
    if (representation != AG_INDEX_RELATIVE)
        ag_token_put(writer, (uint32_t)index->immediate);
    if (index->relative != NULL)
        ag_operand_encode(writer, index->relative);
}

static uint32_t immediate_dwords(const struct agpu_operand *operand)
{
    if (operand->type == AGPU_OPERAND_IMMEDIATE32)
        return operand->component_count;
    if (operand->type == AGPU_OPERAND_IMMEDIATE64)
        return operand->component_count == 1 ? 2 : operand->component_count;
    return 0;
}

void ag_operand_encode(struct ag_token_writer *writer, const struct agpu_operand *operand)
{
    uint32_t token =
        component_bits(operand) | (uint32_t)operand->type << 12 | (uint32_t)operand->index_count << 20;
    for (uint32_t i = 0; i < operand->index_count; i++)
        token |= (uint32_t)operand->index_representation[i] << (22 + 3 * i);
    ag_token_put(writer, operand->has_extended ? token | AG_TOKEN_EXTENDED : token);
    if (operand->has_extended)
        ag_token_put(writer, operand->extended);
    put_all(writer, operand->immediate, immediate_dwords(operand));
    for (uint32_t i = 0; i < operand->index_count; i++)
        encode_index(writer, operand->index_representation[i], &operand->index[i]);
}

uint32_t ag_operand_modifier_token(const struct agpu_operand *operand)
{
    return AG_EXTENDED_OPERAND_MODIFIER | (uint32_t)operand->modifier << 6 |
           (uint32_t)operand->min_precision << 14 | (operand->non_uniform ? 1u << 17 : 0);
}

/* ---- Instructions ------------------------------------------------------------------------------------- */

static void encode_custom_data(struct ag_token_writer *writer, const struct agpu_instruction *instruction)
{
    ag_token_put(writer, AGPU_OP_CUSTOMDATA | instruction->controls << AG_OPCODE_CONTROLS_SHIFT);
    ag_token_put(writer, instruction->data_count + 2);
    put_all(writer, instruction->data, instruction->data_count);
}

static bool is_linkage(uint16_t opcode)
{
    return opcode == AGPU_OP_DCL_FUNCTION_TABLE || opcode == AGPU_OP_DCL_INTERFACE;
}

/* Stores the length of the instruction that begins at `start`: in its opcode token, or in the next dword if
 * the declaration has the long form. */
static void finish_length(struct ag_token_writer *writer, const struct agpu_instruction *instruction,
                          size_t start)
{
    if (writer->failed)
        return;
    const size_t length = writer->tokens.count - start;
    uint32_t *token = &writer->tokens.data[start];
    if (is_linkage(instruction->opcode) && instruction->extended_count != 0)
        token[1] = (uint32_t)length; /* cppcheck-suppress objectIndex ; looks at copied bytes instead */
    else if (length <= AG_OPCODE_LENGTH_MASK)
        *token |= (uint32_t)length << AG_OPCODE_LENGTH_SHIFT;
    else
        writer->too_long = true;
}

void ag_instruction_encode(struct ag_token_writer *writer, const struct agpu_instruction *instruction)
{
    if (instruction->opcode == AGPU_OP_CUSTOMDATA) {
        encode_custom_data(writer, instruction);
        return;
    }
    const size_t start = writer->tokens.count;
    ag_token_put(writer, instruction->opcode | instruction->controls << AG_OPCODE_CONTROLS_SHIFT |
                             (instruction->extended_count != 0 ? AG_TOKEN_EXTENDED : 0));
    put_all(writer, instruction->extended, instruction->extended_count);
    const bool data_first = instruction->opcode == AGPU_OP_FCALL;
    if (data_first)
        put_all(writer, instruction->data, instruction->data_count);
    for (uint32_t i = 0; i < instruction->operand_count; i++)
        ag_operand_encode(writer, &instruction->operands[i]);
    if (!data_first)
        put_all(writer, instruction->data, instruction->data_count);
    put_all(writer, instruction->stray, instruction->stray_count);
    finish_length(writer, instruction, start);
}

/* ---- Programs ----------------------------------------------------------------------------------------- */

void ag_program_encode_begin(struct ag_token_writer *writer, const struct agpu_program *program)
{
    ag_token_put(writer, (uint32_t)program->stage << 16 | (uint32_t)program->major << 4 | program->minor);
    ag_token_put(writer, 0);
}

void ag_program_encode_end(struct ag_token_writer *writer)
{
    if (!writer->failed)
        writer->tokens.data[1] = (uint32_t)writer->tokens.count;
}

void ag_program_encode(struct ag_token_writer *writer, const struct agpu_program *program)
{
    ag_program_encode_begin(writer, program);
    for (uint32_t i = 0; i < program->instruction_count; i++)
        ag_instruction_encode(writer, &program->instructions[i]);
    ag_program_encode_end(writer);
}
