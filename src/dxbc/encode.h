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
    bool too_long; /* an instruction is too long for its length field */
};

/* A zeroed writer is valid and empty. */
void ag_token_writer_fini(struct ag_token_writer *writer);

void ag_token_put(struct ag_token_writer *writer, uint32_t token);

/* Writes an operand: its token, extension, immediates and indices. */
void ag_operand_encode(struct ag_token_writer *writer, const struct agpu_operand *operand);

/* Encodes an instruction from `controls` and `extended`, not from the fields that decoding derives from them.
 * Offset and length are computed. */
void ag_instruction_encode(struct ag_token_writer *writer, const struct agpu_instruction *instruction);

/* Writes the version token and a length, which ag_program_encode_end() fills in. */
void ag_program_encode_begin(struct ag_token_writer *writer, const struct agpu_program *program);
void ag_program_encode_end(struct ag_token_writer *writer);

/* A whole program. */
void ag_program_encode(struct ag_token_writer *writer, const struct agpu_program *program);

/* The extended operand token that holds modifier, minimum precision and non-uniformity. */
uint32_t ag_operand_modifier_token(const struct agpu_operand *operand);

#endif
