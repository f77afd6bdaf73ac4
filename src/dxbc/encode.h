/* SPDX-License-Identifier: MIT
 *
 * From decoded instructions back to tokens: the inverse of dxbc/program.h.
 */
#ifndef AG_DXBC_ENCODE_H
#define AG_DXBC_ENCODE_H

#include "aerogpu/dxbc.h"
#include "base/vec.h"

struct ag_token_writer {
    AG_VEC(uint32_t) tokens;
    bool failed;   /* out of memory */
    bool too_long; /* an instruction does not fit its length field */
};

/* A zeroed writer is an empty one. */
void ag_token_writer_fini(struct ag_token_writer *writer);

void ag_token_put(struct ag_token_writer *writer, uint32_t token);

/* Writes the token, its extension, its immediates and its indices. */
void ag_operand_encode(struct ag_token_writer *writer, const struct agpu_operand *operand);

/* Encodes what decoding filled in: `controls` and `extended` decide, not the fields decoded from them. Offset
 * and length are computed. */
void ag_instruction_encode(struct ag_token_writer *writer, const struct agpu_instruction *instruction);

/* The version token, and a length that ag_program_encode_end fills in. */
void ag_program_encode_begin(struct ag_token_writer *writer, const struct agpu_program *program);
void ag_program_encode_end(struct ag_token_writer *writer);

/* A whole program. */
void ag_program_encode(struct ag_token_writer *writer, const struct agpu_program *program);

/* The extended operand token for a modifier, a minimum precision and non-uniformity. */
uint32_t ag_operand_modifier_token(const struct agpu_operand *operand);

#endif
