/* SPDX-License-Identifier: MIT
 *
 * From decoded instructions back to tokens: the inverse of dxbc/program.h.
 */
#ifndef AGPU_DXBC_ENCODE_H
#define AGPU_DXBC_ENCODE_H

#include "aerogpu/dxbc.h"
#include "base/vec.h"

struct agpu_token_writer {
    AGPU_VEC(uint32_t) tokens;
    bool failed;   /* out of memory */
    bool too_long; /* an instruction does not fit its length field */
};

/* A zeroed writer is an empty one. */
void agpu_token_writer_fini(struct agpu_token_writer *writer);

void agpu_token_put(struct agpu_token_writer *writer, uint32_t token);

/* Writes the token, its extension, its immediates and its indices. */
void agpu_operand_encode(struct agpu_token_writer *writer, const struct agpu_operand *operand);

/* Encodes what decoding filled in: `controls` and `extended` decide, not the fields decoded from them. Offset
 * and length are computed. */
void agpu_instruction_encode(struct agpu_token_writer *writer, const struct agpu_instruction *instruction);

/* The version token, and a length that agpu_program_encode_end fills in. */
void agpu_program_encode_begin(struct agpu_token_writer *writer, const struct agpu_program *program);
void agpu_program_encode_end(struct agpu_token_writer *writer);

/* A whole program. */
void agpu_program_encode(struct agpu_token_writer *writer, const struct agpu_program *program);

/* The extended operand token for a modifier, a minimum precision and non-uniformity. */
uint32_t agpu_operand_modifier_token(const struct agpu_operand *operand);

#endif
