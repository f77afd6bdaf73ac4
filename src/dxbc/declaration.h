/* SPDX-License-Identifier: MIT
 *
 * The table of declarations: which dwords follow the operand, and how a listing writes them (dxbc-format 5.3,
 * 6.6). Decoder, disassembler and assembler use the same table.
 */
#ifndef AG_DXBC_DECLARATION_H
#define AG_DXBC_DECLARATION_H

#include "aerogpu/dxbc.h"
#include "dxbc/names.h"
#include "dxbc/operand_info.h"

/* What is attached to the mnemonic of a declaration. */
enum ag_declaration_suffix {
    AG_SUFFIX_NONE,
    AG_SUFFIX_DIMENSION,     /* dcl_resource_texture2d */
    AG_SUFFIX_DIMENSION_UAV, /* dcl_uav_typed_texture2d_glc */
    AG_SUFFIX_UAV,           /* dcl_uav_structured_opc */
    AG_SUFFIX_DYNAMIC,       /* dcl_interface_dynamicindexed */
};

/* `syntax` describes what follows mnemonic and suffix. Characters stand for themselves except
 *     %o        the operand
 *     %0 %1 %2  that dword, decimal
 *     %n        dword 0 as a system value name
 *     %f        dword 0 as a float literal
 *     %r        dword 0 as four return types
 *     %s        in 5.1 the register space, which is the last dword
 *     %L        the listed function bodies or tables
 *     %h        the upper half of dword 2
 *     %g        the global flags
 *     %N        the control bits as a number
 *     other     a word for control bits, see ag_control_field() */
struct ag_declaration_info {
    uint8_t dwords;       /* dwords behind the operand, up to shader model 5.0 */
    uint8_t extra_dwords; /* additional dwords in 5.1 */
    bool open_ended;      /* any number of dwords may follow */
    uint8_t suffix;       /* enum ag_declaration_suffix */
    const char *syntax;   /* null: no text */
};

/* All zeros for an opcode without dwords. `opcode` must be in the opcode table. */
struct ag_declaration_info ag_declaration_info(uint32_t opcode);

/* The words for the control bits that a letter of `syntax` names; null for any other letter. */
const struct ag_name_list *ag_control_field(char letter);

/* Whether the declaration has a system value (`*_siv`, `*_sgv`), so that dword 0 is an enum
 * agpu_name_token. */
bool ag_declares_system_value(uint32_t opcode);

static inline bool ag_program_is_5_1(const struct agpu_program *program)
{
    return program->major == 5 && program->minor == 1;
}

/* How many indices an operand of this type must have: at least and at most. */
static inline void ag_operand_index_range(const struct agpu_program *program, bool declaration, uint8_t type,
                                          uint32_t *least, uint32_t *most)
{
    const struct ag_operand_info *info = ag_operand_info(type);
    *least = info->min_indices;
    *most = info->max_indices;
    if (info->by_id && ag_program_is_5_1(program)) {
        *least = declaration ? 3 : info->min_indices + 1u;
        *most = *least;
    }
}

/* Bits of agpu_instruction.controls in UAV declarations. */
#define AG_CONTROL_GLOBALLY_COHERENT (1u << 5)
#define AG_CONTROL_RASTERIZER_ORDERED (1u << 6)
#define AG_CONTROL_HAS_COUNTER (1u << 12)

#endif
