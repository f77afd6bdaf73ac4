/* SPDX-License-Identifier: MIT
 *
 * Lists instructions other than declarations.
 */
#include <inttypes.h>

#include "dxbc/disasm.h"
#include "dxbc/program.h"

#define ROW_DWORDS 4
#define DWORDS_PER_LINE 8
#define ERROR_MESSAGE 0x200103

/* ---- Custom data -------------------------------------------------------------------------------------- */

static void list_immediate_constant_buffer(struct ag_strbuf *out, const struct agpu_instruction *instruction)
{
    ag_strbuf_append(out, "dcl_immediateConstantBuffer { ");
    for (uint32_t i = 0; i < instruction->data_count; i += ROW_DWORDS) {
        if (i != 0) {
            ag_strbuf_append(out, ",\n");
            ag_strbuf_append_repeat(out, ' ', 30);
        }
        for (uint32_t k = 0; k < ROW_DWORDS; k++) {
            ag_strbuf_append(out, k == 0 ? "{ " : ", ");
            ag_list_number(out, instruction->data[i + k], 'b');
        }
        ag_strbuf_append_char(out, '}');
    }
    ag_strbuf_append(out, " }");
}

/* Lists a shader message (printf, errorf) as a comment: id, format, length, two counts, operands, then the
 * text. */
static void list_message(struct ag_strbuf *out, const struct agpu_instruction *instruction)
{
    enum { ID, FORMAT, TEXT_BYTES, OPERAND_COUNT, OPERAND_DWORDS, OPERANDS };
    const uint32_t *data = instruction->data;
    if (instruction->data_count < OPERANDS || data[OPERAND_DWORDS] > instruction->data_count - OPERANDS)
        return;
    const uint32_t first = OPERANDS + data[OPERAND_DWORDS];
    if (data[TEXT_BYTES] > (uint64_t)(instruction->data_count - first) * 4)
        return;
    const char *text = (const char *)(data + first);
    ag_strbuf_append(out, data[ID] == ERROR_MESSAGE ? " // errorf \"" : " // printf \"");
    for (uint32_t i = 0; i < data[TEXT_BYTES]; i++)
        ag_strbuf_append_char(out, text[i] >= ' ' && text[i] <= '~' ? text[i] : '?');
    ag_strbuf_append_char(out, '"');
}

/* Lists an immediate constant buffer as rows of numbers, and other custom data as a directive with dwords. */
static void list_custom_data(struct ag_strbuf *out, const struct agpu_instruction *instruction)
{
    if (instruction->controls == AGPU_CUSTOM_IMMEDIATE_CONSTANT_BUFFER && instruction->data_count != 0 &&
        instruction->data_count % ROW_DWORDS == 0) {
        list_immediate_constant_buffer(out, instruction);
        return;
    }
    ag_strbuf_printf(out, ".customdata %" PRIu32, instruction->controls);
    for (uint32_t i = 0; i < instruction->data_count; i++)
        ag_strbuf_printf(out, "%s0x%08" PRIx32, i != 0 && i % DWORDS_PER_LINE == 0 ? ",\n    " : ", ",
                         instruction->data[i]);
    if (instruction->controls == AGPU_CUSTOM_SHADER_MESSAGE)
        list_message(out, instruction);
}

/* ---- Mnemonics ---------------------------------------------------------------------------------------- */

static void list_sync_flags(struct ag_strbuf *out, uint32_t controls)
{
    for (uint32_t bit = ag_names_sync_flag.count; bit-- > 0;)
        if (controls >> bit & 1)
            ag_strbuf_printf(out, "_%s", ag_name_of(&ag_names_sync_flag, bit));
}

static void list_precise(struct ag_strbuf *out, uint32_t mask)
{
    if (mask == 0)
        return;
    ag_strbuf_append(out, " [precise");
    if (mask != 0xf) {
        ag_strbuf_append_char(out, '(');
        ag_list_mask(out, mask);
        ag_strbuf_append_char(out, ')');
    }
    ag_strbuf_append_char(out, ']');
}

static void list_dimension(struct ag_strbuf *out, const struct agpu_instruction *instruction)
{
    ag_strbuf_append_char(out, '(');
    ag_list_name(out, &ag_names_dimension, instruction->dimension);
    if (instruction->dimension == AGPU_DIMENSION_STRUCTURED_BUFFER)
        ag_strbuf_printf(out, ", stride=%u", instruction->structure_stride);
    ag_strbuf_append_char(out, ')');
    ag_list_return_types(out, instruction->return_type);
}

static void list_mnemonic(struct ag_strbuf *out, const struct agpu_opcode_info *info,
                          const struct agpu_instruction *instruction)
{
    ag_strbuf_append(out, info->mnemonic);
    if (instruction->saturate)
        ag_strbuf_append(out, "_sat");
    if (info->flags & AGPU_OPF_TEST)
        ag_strbuf_append(out, instruction->test_nonzero ? "_nz" : "_z");
    if (instruction->opcode == AGPU_OP_SYNC)
        list_sync_flags(out, instruction->controls);
    if (instruction->has_offsets)
        ag_strbuf_append(out, "_aoffimmi");
    if (instruction->has_dimension)
        ag_strbuf_append(out, "_indexable");
    list_precise(out, instruction->precise);
    if (instruction->has_offsets)
        ag_strbuf_printf(out, "(%d,%d,%d)", instruction->offsets[0], instruction->offsets[1],
                         instruction->offsets[2]);
    if (instruction->has_dimension)
        list_dimension(out, instruction);
    if (instruction->opcode == AGPU_OP_RESINFO && (instruction->controls & 3) != 0) {
        ag_strbuf_append_char(out, '_');
        ag_list_name(out, &ag_names_resinfo_type, instruction->controls & 3);
    }
    if (instruction->opcode == AGPU_OP_SAMPLEINFO && (instruction->controls & 1) != 0)
        ag_strbuf_append(out, "_uint");
}

/* ---- Whole instructions ------------------------------------------------------------------------------- */

/* The precision in relation to which sources are listed: that of the first destination that is not null. */
static int destination_precision(const struct agpu_opcode_info *info,
                                 const struct agpu_instruction *instruction)
{
    for (uint32_t i = 0; i < info->destination_count; i++)
        if (instruction->operands[i].type != AGPU_OPERAND_NULL)
            return instruction->operands[i].min_precision;
    return -1;
}

static void list_operands(struct ag_strbuf *out, const struct agpu_program *program,
                          const struct agpu_opcode_info *info, const struct agpu_instruction *instruction)
{
    const int precision = destination_precision(info, instruction);
    for (uint32_t i = 0; i < instruction->operand_count; i++) {
        ag_strbuf_append(out, i == 0 ? " " : ", ");
        ag_list_operand(out, program, &instruction->operands[i], info->operands[3 * i + 1],
                        i < info->destination_count ? -1 : precision);
    }
    if (instruction->opcode == AGPU_OP_FCALL)
        ag_strbuf_printf(out, "[%" PRIu32 "]", instruction->data[0]);
}

static void list_stray(struct ag_strbuf *out, const struct agpu_instruction *instruction)
{
    for (uint32_t i = 0; i < instruction->stray_count; i++)
        ag_strbuf_printf(out, "%s0x%08" PRIx32, i == 0 ? " [stray " : ", ", instruction->stray[i]);
    if (instruction->stray_count != 0)
        ag_strbuf_append_char(out, ']');
}

void ag_list_instruction(struct ag_strbuf *out, const struct agpu_program *program,
                         const struct agpu_instruction *instruction)
{
    const struct agpu_opcode_info *info = agpu_opcode_info(instruction->opcode);
    if (instruction->opcode == AGPU_OP_CUSTOMDATA) {
        list_custom_data(out, instruction);
        return;
    }
    if (info->flags & AGPU_OPF_DECLARATION) {
        ag_strbuf_append(out, info->mnemonic);
        ag_list_declaration(out, program, instruction);
    } else {
        list_mnemonic(out, info, instruction);
        list_operands(out, program, info, instruction);
    }
    list_stray(out, instruction);
}
