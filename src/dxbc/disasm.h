/* SPDX-License-Identifier: MIT
 *
 * What the disassembler's files share. The listing (dxbc-format 6) can be assembled back to the same tokens.
 */
#ifndef AG_DXBC_DISASM_H
#define AG_DXBC_DISASM_H

#include "aerogpu/dxbc.h"
#include "base/strbuf.h"
#include "dxbc/names.h"

/* Lists one instruction without indentation and end of line. An immediate constant buffer takes several
 * lines. */
void ag_list_instruction(struct ag_strbuf *out, const struct agpu_program *program,
                         const struct agpu_instruction *instruction);

/* Lists an operand of an instruction. `kind` is the second letter of its entry in the opcode table.
 * `destination_precision` is the minimum precision of the instruction's destination, or -1 for a destination
 * itself. */
void ag_list_operand(struct ag_strbuf *out, const struct agpu_program *program,
                     const struct agpu_operand *operand, char kind, int destination_precision);

/* Lists the operand of a declaration, with array bounds in the shader models that have them. */
void ag_list_declared_operand(struct ag_strbuf *out, const struct agpu_program *program,
                              const struct agpu_instruction *declaration);

/* Lists everything behind the mnemonic of a declaration, suffix included. */
void ag_list_declaration(struct ag_strbuf *out, const struct agpu_program *program,
                         const struct agpu_instruction *declaration);

/* Lists 32 bits in the form that an operand of this kind has. */
void ag_list_number(struct ag_strbuf *out, uint32_t bits, char kind);

/* Lists the letters of a component mask. */
void ag_list_mask(struct ag_strbuf *out, uint32_t mask);

/* Lists the word for a value, or the number if there is no word. */
void ag_list_name(struct ag_strbuf *out, const struct ag_name_list *names, uint32_t value);

/* Lists text in quotes, with escapes for characters that are not printable. */
void ag_list_quoted(struct ag_strbuf *out, const char *text);

/* Lists a name of reflection data, which may have any bytes, where it has to stay in its line. */
void ag_list_text(struct ag_strbuf *out, const char *text);

/* Lists "(float,float,float,float)". */
void ag_list_return_types(struct ag_strbuf *out, const uint8_t types[4]);

/* ag_list_rdef() lists reflection data as directives (dxbc/rdef_text.h); false, and the text is incomplete,
 * when they need more than `limit` bytes or memory runs out. ag_list_rdef_tables() lists the compiler's
 * comments instead. */
bool ag_list_rdef(struct ag_strbuf *out, const struct agpu_program *program, const struct agpu_rdef *rdef,
                  size_t limit);
/* Lists "float4x4", "row_major float3x3" or the name of a structure, without an array size. */
void ag_list_rdef_type(struct ag_strbuf *out, const struct agpu_rdef_type *type);
void ag_list_rdef_tables(struct ag_strbuf *out, const struct agpu_rdef *rdef);

/* Lists signatures as the compiler's tables (comments), and as directives. */
void ag_list_signature_tables(struct ag_strbuf *out, const struct agpu_shader *shader);
void ag_list_signature_directives(struct ag_strbuf *out, const struct agpu_shader *shader);

#endif
