/* SPDX-License-Identifier: MIT
 *
 * How declarations are laid out after their opcode token (dxbc-format 5.3). One table for decoder,
 * disassembler and assembler.
 */
#ifndef AGPU_DXBC_DECLARATION_H
#define AGPU_DXBC_DECLARATION_H

#include "aerogpu/dxbc.h"

struct agpu_declaration_info {
    uint8_t dwords;       /* after the operand, up to shader model 5.0 */
    uint8_t extra_dwords; /* more of them in 5.1 */
    bool open_ended;      /* any number may follow */
};

/* Zeros for an opcode without dwords of its own. `opcode` is one of the table's. */
struct agpu_declaration_info agpu_declaration_info(uint32_t opcode);

/* The number of indices an operand of this type must have, as a range. */
void agpu_operand_index_range(const struct agpu_program *program, bool declaration, uint8_t type,
                              uint32_t *least, uint32_t *most);

#endif
