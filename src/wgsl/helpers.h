/* SPDX-License-Identifier: MIT
 *
 * Functions that give D3D's meaning where WGSL's own is another: one table, written out on demand.
 */
#ifndef AGPU_WGSL_HELPERS_H
#define AGPU_WGSL_HELPERS_H

#include <stdbool.h>
#include <stdint.h>

enum agpu_wgsl_helper {
    AGPU_WGSL_NO_HELPER,
    AGPU_WGSL_IS_NAN,
    AGPU_WGSL_NUMBER,
    AGPU_WGSL_HALF_RANGE,
    AGPU_WGSL_OPAQUE,
    AGPU_WGSL_EXACT,
    AGPU_WGSL_KEEP,
    AGPU_WGSL_LT,
    AGPU_WGSL_GE,
    AGPU_WGSL_EQ,
    AGPU_WGSL_NE,
    AGPU_WGSL_MIN,
    AGPU_WGSL_MAX,
    AGPU_WGSL_SATURATE,
    AGPU_WGSL_FRC,
    AGPU_WGSL_ROUND_NI,
    AGPU_WGSL_ROUND_PI,
    AGPU_WGSL_RCP,
    AGPU_WGSL_RSQ,
    AGPU_WGSL_SQRT,
    AGPU_WGSL_EXP,
    AGPU_WGSL_LOG,
    AGPU_WGSL_REDUCE,
    AGPU_WGSL_SIN,
    AGPU_WGSL_COS,
    AGPU_WGSL_DOT2,
    AGPU_WGSL_DOT3,
    AGPU_WGSL_DOT4,
    AGPU_WGSL_FTOI,
    AGPU_WGSL_FTOU,
    AGPU_WGSL_F32TOF16,
    AGPU_WGSL_F16TOF32,
    AGPU_WGSL_UDIV,
    AGPU_WGSL_UMOD,
    AGPU_WGSL_UMULHI,
    AGPU_WGSL_IMULHI,
    AGPU_WGSL_CARRY,
    AGPU_WGSL_BORROW,
    AGPU_WGSL_FIRSTBIT_HI,
    AGPU_WGSL_FIRSTBIT_SHI,
    AGPU_WGSL_UBFE,
    AGPU_WGSL_IBFE,
    AGPU_WGSL_BFI,
    AGPU_WGSL_MSAD,
    AGPU_WGSL_SLICE,
    AGPU_WGSL_REFERENCE,
    AGPU_WGSL_TEXEL_ADDRESS,
    AGPU_WGSL_BORDER,
    AGPU_WGSL_COMPARED,
    AGPU_WGSL_SAMPLE_POSITION,
    AGPU_WGSL_HOST_SAMPLE,
    AGPU_WGSL_GUEST_SAMPLE,
    AGPU_WGSL_GUEST_MASK,
    AGPU_WGSL_HOST_MASK,
    AGPU_WGSL_CENTROID,
    AGPU_WGSL_SHARED_DECISION,
    AGPU_WGSL_SPEND,
    AGPU_WGSL_FIRST_DOUBLE, /* doubles.c */
    AGPU_WGSL_WIDE = AGPU_WGSL_FIRST_DOUBLE,
    AGPU_WGSL_WIDE_SHIFT_LEFT,
    AGPU_WGSL_WIDE_SHIFT_RIGHT,
    AGPU_WGSL_WIDE_ADD,
    AGPU_WGSL_WIDE_NORMAL,
    AGPU_WGSL_WIDE_FROM,
    AGPU_WGSL_WIDE_ROUND,
    AGPU_WGSL_WIDE_LESS,
    AGPU_WGSL_WIDE_SUM,
    AGPU_WGSL_WIDE_PRODUCT,
    AGPU_WGSL_DNAN,
    AGPU_WGSL_DINF,
    AGPU_WGSL_DZERO,
    AGPU_WGSL_DBEFORE,
    AGPU_WGSL_DADD,
    AGPU_WGSL_DMUL,
    AGPU_WGSL_DFMA,
    AGPU_WGSL_DDIV,
    AGPU_WGSL_DRCP,
    AGPU_WGSL_DMIN,
    AGPU_WGSL_DMAX,
    AGPU_WGSL_DSATURATE,
    AGPU_WGSL_DLT,
    AGPU_WGSL_DGE,
    AGPU_WGSL_DEQ,
    AGPU_WGSL_DNE,
    AGPU_WGSL_DTOF,
    AGPU_WGSL_FTOD,
    AGPU_WGSL_DTOI,
    AGPU_WGSL_DTOU,
    AGPU_WGSL_ITOD,
    AGPU_WGSL_UTOD,
    AGPU_WGSL_HELPER_COUNT
};

struct agpu_wgsl_helper_row {
    const char *name;
    const char *text;
    uint8_t needs[6]; /* enum agpu_wgsl_helper */
    bool one_width;   /* no $n: written once */
};

/* By helper, from AGPU_WGSL_FIRST_DOUBLE. */
extern const struct agpu_wgsl_helper_row agpu_wgsl_double_helpers[];

struct agpu_wgsl_emitter;

/* Makes sure the function exists for vectors of `width` (1 is scalars), and appends its name to the body. */
void agpu_wgsl_call(struct agpu_wgsl_emitter *emitter, enum agpu_wgsl_helper helper, uint32_t width);
/* Only makes sure. */
void agpu_wgsl_require(struct agpu_wgsl_emitter *emitter, enum agpu_wgsl_helper helper, uint32_t width);

#endif
