/* SPDX-License-Identifier: MIT
 *
 * What component-wise opcodes compute: tables indexed by opcode, in each row one C expression beside the
 * name.
 */
#ifndef AG_REF_OPS_H
#define AG_REF_OPS_H

#include <stdbool.h>
#include <stdint.h>

#include "aerogpu/dxbc.h"

/* One component of the sources, with modifiers applied, in the order of the instruction. */
struct ag_ref_lane {
    uint32_t a, b, c, d;
    uint32_t flags; /* enum ag_ref_flag */
};

/* `second` computes the second destination of opcodes that have two. */
struct ag_ref_op {
    uint32_t (*first)(const struct ag_ref_lane *lane);
    uint32_t (*second)(const struct ag_ref_lane *lane);
};

extern const struct ag_ref_op ag_ref_float_ops[AGPU_OPCODE_LIMIT];
extern const struct ag_ref_op ag_ref_compare_ops[AGPU_OPCODE_LIMIT];
extern const struct ag_ref_op ag_ref_integer_ops[AGPU_OPCODE_LIMIT];
extern const struct ag_ref_op ag_ref_bit_ops[AGPU_OPCODE_LIMIT];
extern const struct ag_ref_op ag_ref_convert_ops[AGPU_OPCODE_LIMIT];

/* One component of double opcodes: 64-bit patterns in a, b, c, the 32-bit source in `word`. */
struct ag_ref_double_lane {
    uint64_t a, b, c;
    uint32_t word;
    uint32_t flags; /* enum ag_ref_flag, for the 32-bit side of conversions */
};

/* Exactly one of `wide` and `narrow` is set: the destination is a double, or a 32-bit value. */
struct ag_ref_double_op {
    uint64_t (*wide)(const struct ag_ref_double_lane *lane);
    uint32_t (*narrow)(const struct ag_ref_double_lane *lane);
};

extern const struct ag_ref_double_op ag_ref_double_ops[AGPU_OPCODE_LIMIT];

/* The new value of a memory word after an atomic opcode. `compare` is used by compare-and-exchange only. */
typedef uint32_t (*ag_ref_atomic_op)(uint32_t old, uint32_t compare, uint32_t value);
extern const ag_ref_atomic_op ag_ref_atomic_ops[AGPU_OPCODE_LIMIT];

#endif
