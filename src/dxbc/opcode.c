/* SPDX-License-Identifier: MIT
 *
 * The table of opcodes, from the list in aerogpu/dxbc_opcodes.h.
 */
#include "dxbc/opcode.h"

#include <assert.h>

/* An operand list consists of pairs of letters with one blank between them. The counts of operands and
 * destinations therefore follow from the length, and from the letters at 0, 3, 6 and so on. */
#define AT(i) ((size_t)3 * (i))
#define LETTER(text, i) (sizeof(text) > AT(i) + 1 ? (text)[AT(i) < sizeof(text) ? AT(i) : 0] : '\0')
#define IS_DESTINATION(text, i) (LETTER(text, i) == 'D' ? 1 : 0)
#define OPERAND_COUNT(text) ((uint8_t)(sizeof(text) / 3))
#define DESTINATION_COUNT(text)                                                                              \
    ((uint8_t)(IS_DESTINATION(text, 0) + (IS_DESTINATION(text, 0) && IS_DESTINATION(text, 1) ? 1 : 0)))

const struct agpu_opcode_info ag_opcode_infos[AGPU_OPCODE_LIMIT] = {
#define ROW(number, name, text, first_model, operand_kinds, flag_bits, stage_bits)                           \
    [number] = {                                                                                             \
        .mnemonic = (text),                                                                                  \
        .operands = (operand_kinds),                                                                         \
        .flags = (uint16_t)(flag_bits),                                                                      \
        .model = (first_model),                                                                              \
        .stages = (uint8_t)(stage_bits),                                                                     \
        .operand_count = OPERAND_COUNT(operand_kinds),                                                       \
        .destination_count = DESTINATION_COUNT(operand_kinds),                                               \
    },
    AGPU_OPCODES(ROW)
#undef ROW
};

/* Every opcode number except for four reserved ones has a row. */
#define ROW_COUNT(number, name, text, first_model, operand_kinds, flag_bits, stage_bits) +1
#define RESERVED_NUMBERS 4 /* 107, 112, 209, 218 */
static_assert((0 AGPU_OPCODES(ROW_COUNT)) + RESERVED_NUMBERS == AGPU_OPCODE_LIMIT,
              "the opcode table has a hole that is not one of the reserved numbers");

#define ROW_OPERANDS_FIT(number, name, text, first_model, operand_kinds, flag_bits, stage_bits)              \
    &&sizeof(operand_kinds) / 3 <= AGPU_MAX_OPERANDS
static_assert(1 AGPU_OPCODES(ROW_OPERANDS_FIT), "an opcode has more operands than an instruction can hold");

const struct agpu_opcode_info *agpu_opcode_info(uint32_t opcode)
{
    return ag_opcode_info(opcode);
}

static const char *const stage_names[AGPU_STAGE_COUNT] = {
    [AGPU_STAGE_PIXEL] = "ps", [AGPU_STAGE_VERTEX] = "vs", [AGPU_STAGE_GEOMETRY] = "gs",
    [AGPU_STAGE_HULL] = "hs",  [AGPU_STAGE_DOMAIN] = "ds", [AGPU_STAGE_COMPUTE] = "cs",
};

const char *agpu_stage_name(enum agpu_stage stage)
{
    return stage_names[stage];
}
