/* SPDX-License-Identifier: MIT
 *
 * The table of opcodes, for those who ask about every instruction.
 */
#ifndef AG_DXBC_OPCODE_H
#define AG_DXBC_OPCODE_H

#include <stddef.h>

#include "aerogpu/dxbc.h"

extern const struct agpu_opcode_info ag_opcode_infos[AGPU_OPCODE_LIMIT];

/* What agpu_opcode_info() says. */
static inline const struct agpu_opcode_info *ag_opcode_info(uint32_t opcode)
{
    return opcode < AGPU_OPCODE_LIMIT && ag_opcode_infos[opcode].mnemonic != NULL ? &ag_opcode_infos[opcode]
                                                                                  : NULL;
}

#endif
