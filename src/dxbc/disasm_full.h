/* SPDX-License-Identifier: MIT
 *
 * What a listing needs beyond the familiar text to rebuild a container byte for byte:
 *
 *     .digest 00112233445566778899aabbccddeeff    a digest that is not the content's
 *     .chunk SPDB 120                             chunks in their order; with a size, their bytes follow
 *     .hex 04000000 ...
 *     .chunk ISGN                                 without one, the listing itself says what they hold
 *     .rdef ...                                   reflection data as text, when it rebuilds the chunk exactly
 *     .linkage ...                                class linkage, likewise
 *     .stat ...                                   statistics
 *     .features ...                               feature bits
 *     .tokens 0x0200003e                          an instruction whose tokens its text would not give
 */
#ifndef AG_DXBC_DISASM_FULL_H
#define AG_DXBC_DISASM_FULL_H

#include "dxbc/disasm.h"

/* The chunk directives of a shader; nothing for a bare token stream. */
void ag_list_chunks(struct ag_strbuf *out, const struct agpu_shader *shader);

/* Whether assembling the instruction's text gives its tokens. Without memory to find out, `out` has failed.
 */
bool ag_list_is_exact(struct ag_strbuf *out, const struct agpu_program *program,
                      const struct agpu_instruction *instruction);

/* Lists an instruction as `.tokens`, with its text as a comment. */
void ag_list_tokens(struct ag_strbuf *out, const struct agpu_program *program,
                    const struct agpu_instruction *instruction);

#endif
