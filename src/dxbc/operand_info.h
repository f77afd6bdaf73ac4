/* SPDX-License-Identifier: MIT
 *
 * The table of operand types: text, indices and component counts (dxbc-format 4.5). Decoder, disassembler and
 * assembler use the same table.
 */
#ifndef AG_DXBC_OPERAND_INFO_H
#define AG_DXBC_OPERAND_INFO_H

#include <stddef.h>

#include "aerogpu/dxbc.h"

enum ag_operand_index_style {
    AG_INDEX_STYLE_NONE,     /* oDepth */
    AG_INDEX_STYLE_NUMBERED, /* r0, cb0[4], x0[r1.x + 2], v[2][1] when it has a relative first index */
    AG_INDEX_STYLE_ARRAY,    /* v[2][1] whenever the operand has two indices, v1 with one */
    AG_INDEX_STYLE_BRACKETS, /* icb[r0.x + 0] */
};

struct ag_operand_info {
    const char *text;    /* null: the type has no text */
    uint8_t index_style; /* enum ag_operand_index_style */
    uint8_t min_indices, max_indices;
    bool by_id;             /* the operand has one more index in shader model 5.1, the declaration's id */
    uint8_t used_count;     /* component count when an instruction reads or writes it: 0, 1 or 4 */
    uint8_t declared_count; /* component count in a declaration */
};

extern const struct ag_operand_info ag_operand_infos[AGPU_OPERAND_TYPE_COUNT];

/* Null for a number beyond the table. */
static inline const struct ag_operand_info *ag_operand_info(uint32_t type)
{
    return type < AGPU_OPERAND_TYPE_COUNT ? &ag_operand_infos[type] : NULL;
}

#endif
