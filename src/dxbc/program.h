/* SPDX-License-Identifier: MIT
 *
 * Decoding of SM4 and SM5 tokens (dxbc-format 4 and 5).
 */
#ifndef AG_DXBC_PROGRAM_H
#define AG_DXBC_PROGRAM_H

#include "aerogpu/dxbc.h"
#include "base/arena.h"

#define AG_PROGRAM_HEADER_DWORDS 2
#define AG_MAX_RELATIVE_DEPTH 4

/* Fields of tokens, for encoder and decoder. */
#define AG_TOKEN_EXTENDED (1u << 31)
#define AG_OPCODE_NUMBER_MASK 0x7ffu
#define AG_OPCODE_CONTROLS_SHIFT 11
#define AG_OPCODE_CONTROLS_MASK 0x1fffu
#define AG_OPCODE_LENGTH_SHIFT 24
#define AG_OPCODE_LENGTH_MASK 0x7fu

/* Bits of agpu_instruction.controls. */
#define AG_CONTROL_SATURATE (1u << 2)
#define AG_CONTROL_TEST_NONZERO (1u << 7)
#define AG_CONTROL_PRECISE_SHIFT 8

enum ag_extended_opcode {
    AG_EXTENDED_OPCODE_EMPTY = 0,
    AG_EXTENDED_OPCODE_SAMPLE_CONTROLS = 1,
    AG_EXTENDED_OPCODE_DIMENSION = 2,
    AG_EXTENDED_OPCODE_RETURN_TYPE = 3,
};
#define AG_EXTENDED_TYPE_MASK 0x3fu

enum ag_index_representation {
    AG_INDEX_IMMEDIATE32 = 0,
    AG_INDEX_IMMEDIATE64 = 1,
    AG_INDEX_RELATIVE = 2,
    AG_INDEX_IMMEDIATE32_RELATIVE = 3,
    AG_INDEX_IMMEDIATE64_RELATIVE = 4,
    AG_INDEX_REPRESENTATION_COUNT
};

#define AG_EXTENDED_OPERAND_MODIFIER 1u

/* The state of decoding. `end` is the end of the current instruction, beyond which nothing is read. */
struct ag_token_reader {
    const uint32_t *tokens;
    uint32_t position, end; /* dwords from the version token */
    uint64_t base;          /* byte offset of the version token in the input, for diagnostics */
    const struct agpu_diag_sink *sink;
    struct ag_arena *arena;
};

struct agpu_place ag_token_place(const struct ag_token_reader *reader, uint32_t position);

/* Reads one operand and the operands nested in its indices. */
enum agpu_status ag_operand_read(struct ag_token_reader *reader, struct agpu_operand *operand);

/* Decodes `count` dwords, of which the first is the version token. The program points to `tokens`, which must
 * live as long as the arena. `base` is the byte offset of the tokens in the input. */
enum agpu_status ag_program_read(struct ag_arena *arena, const uint32_t *tokens, uint32_t count,
                                 uint64_t base, const struct agpu_diag_sink *sink,
                                 struct agpu_program *program);

/* Whether a dword is a version token of shader model 4.0 to 5.1. */
bool ag_is_version_token(uint32_t token);

/* Whether the program's stage and shader model have the opcode. Opcodes for UAVs exist in every stage on
 * devices with that feature, whatever their row says. */
bool ag_opcode_is_available(const struct agpu_opcode_info *info, const struct agpu_program *program);

/* Whether the program has shader messages, whose containers have a different digest (dxbc-format 8). */
bool ag_program_has_messages(const struct agpu_program *program);

#endif
