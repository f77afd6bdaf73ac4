/* SPDX-License-Identifier: MIT
 *
 * The listing (dxbc-format 6). What it writes, the assembler reads back to the same tokens.
 */
#ifndef AG_DXBC_DISASM_H
#define AG_DXBC_DISASM_H

#include "aerogpu/dxbc.h"
#include "base/strbuf.h"
#include "dxbc/names.h"

/* One instruction without indentation and line end. An immediate constant buffer spans several lines. */
void ag_list_instruction(struct ag_strbuf *out, const struct agpu_program *program,
                         const struct agpu_instruction *instruction);

/* The operand of an instruction. `kind` is the second letter of its entry in the opcode table;
 * `destination_precision` is the minimum precision of the instruction's destination, or -1 for operands that
 * are destinations themselves. */
void ag_list_operand(struct ag_strbuf *out, const struct agpu_program *program,
                     const struct agpu_operand *operand, char kind, int destination_precision);

/* The operand of a declaration, with array bounds where the model has them. */
void ag_list_declared_operand(struct ag_strbuf *out, const struct agpu_program *program,
                              const struct agpu_instruction *declaration);

/* Everything after the mnemonic of a declaration, suffix included. */
void ag_list_declaration(struct ag_strbuf *out, const struct agpu_program *program,
                         const struct agpu_instruction *declaration);

/* Immediate constant buffers as rows of numbers, other classes as a directive with their dwords. */
void ag_list_custom_data(struct ag_strbuf *out, const struct agpu_instruction *instruction);

/* 32 bits as an operand of this kind would show them. */
void ag_list_number(struct ag_strbuf *out, uint32_t bits, char kind);

/* The letters of a component mask. */
void ag_list_mask(struct ag_strbuf *out, uint32_t mask);

/* The word for a value, or the number itself where there is none. */
void ag_list_name(struct ag_strbuf *out, const struct ag_name_list *names, uint32_t value);

/* The names of feature bits, each after a blank. */
void ag_list_features(struct ag_strbuf *out, uint64_t bits);

/* Text in quotes, with escapes for what is not printable. */
void ag_list_quoted(struct ag_strbuf *out, const char *text);

/* "(float,float,float,float)". */
void ag_list_return_types(struct ag_strbuf *out, const uint8_t types[4]);

/* Reflection data as directives (dxbc/rdef_text.h), and as the familiar comments. The directives are given
 * up, which is false, when they need more than `limit` bytes or memory is short. */
bool ag_list_rdef(struct ag_strbuf *out, const struct agpu_program *program, const struct agpu_rdef *rdef,
                  size_t limit);
/* "float4x4", "row_major float3x3", the name of a structure; without array size. */
void ag_list_rdef_type(struct ag_strbuf *out, const struct agpu_rdef_type *type);
void ag_list_rdef_tables(struct ag_strbuf *out, const struct agpu_rdef *rdef);

/* Signature tables as comments, and signatures as directives. */
void ag_list_signature_tables(struct ag_strbuf *out, const struct agpu_shader *shader);
void ag_list_signature_directives(struct ag_strbuf *out, const struct agpu_shader *shader);

#endif
