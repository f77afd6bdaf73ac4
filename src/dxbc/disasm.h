/* SPDX-License-Identifier: MIT
 *
 * The listing (dxbc-format 6). What it writes, the assembler reads back to the same tokens.
 */
#ifndef AGPU_DXBC_DISASM_H
#define AGPU_DXBC_DISASM_H

#include "aerogpu/dxbc.h"
#include "base/strbuf.h"
#include "dxbc/names.h"

/* One instruction without indentation and line end. An immediate constant buffer spans several lines. */
void agpu_list_instruction(struct agpu_strbuf *out, const struct agpu_program *program,
                           const struct agpu_instruction *instruction);

/* The operand of an instruction. `kind` is the second letter of its entry in the opcode table;
 * `destination_precision` is the minimum precision of the instruction's destination, or -1 for operands that
 * are destinations themselves. */
void agpu_list_operand(struct agpu_strbuf *out, const struct agpu_program *program,
                       const struct agpu_operand *operand, char kind, int destination_precision);

/* The operand of a declaration, with array bounds where the model has them. */
void agpu_list_declared_operand(struct agpu_strbuf *out, const struct agpu_program *program,
                                const struct agpu_instruction *declaration);

/* Everything after the mnemonic of a declaration, suffix included. */
void agpu_list_declaration(struct agpu_strbuf *out, const struct agpu_program *program,
                           const struct agpu_instruction *declaration);

/* Immediate constant buffers as rows of numbers, other classes as a directive with their dwords. */
void agpu_list_custom_data(struct agpu_strbuf *out, const struct agpu_instruction *instruction);

/* 32 bits as an operand of this kind would show them. */
void agpu_list_number(struct agpu_strbuf *out, uint32_t bits, char kind);

/* The letters of a component mask. */
void agpu_list_mask(struct agpu_strbuf *out, uint32_t mask);

/* The word for a value, or the number itself where there is none. */
void agpu_list_name(struct agpu_strbuf *out, const struct agpu_name_list *names, uint32_t value);

/* The names of feature bits, each after a blank. */
void agpu_list_features(struct agpu_strbuf *out, uint64_t bits);

/* Text in quotes, with escapes for what is not printable. */
void agpu_list_quoted(struct agpu_strbuf *out, const char *text);

/* "(float,float,float,float)". */
void agpu_list_return_types(struct agpu_strbuf *out, const uint8_t types[4]);

/* Reflection data as directives (dxbc/rdef_text.h), and as the familiar comments. The directives are given
 * up, which is false, when they need more than `limit` bytes or memory is short. */
bool agpu_list_rdef(struct agpu_strbuf *out, const struct agpu_program *program, const struct agpu_rdef *rdef,
                    size_t limit);
/* "float4x4", "row_major float3x3", the name of a structure; without array size. */
void agpu_list_rdef_type(struct agpu_strbuf *out, const struct agpu_rdef_type *type);
void agpu_list_rdef_tables(struct agpu_strbuf *out, const struct agpu_rdef *rdef);

/* Signature tables as comments, and signatures as directives. */
void agpu_list_signature_tables(struct agpu_strbuf *out, const struct agpu_shader *shader);
void agpu_list_signature_directives(struct agpu_strbuf *out, const struct agpu_shader *shader);

#endif
