/* SPDX-License-Identifier: MIT
 *
 * The table of WGSL helper functions that give D3D's results where WGSL's own operations differ. A helper is
 * written into the module when the text first calls it.
 */
#ifndef AG_WGSL_HELPERS_H
#define AG_WGSL_HELPERS_H

#include <stdbool.h>
#include <stdint.h>

/* What stands for a w of 0 (AG_WGSL_NONZERO_W): the normal number next to 0 on the other side of the eye. */
#define AG_WGSL_LEAST_W "-0x1p-126f"

enum ag_wgsl_helper {
    AG_WGSL_NO_HELPER,
    AG_WGSL_IS_NAN,
    AG_WGSL_NUMBER,
    AG_WGSL_HALF_RANGE,
    AG_WGSL_OPAQUE,
    AG_WGSL_EXACT,
    AG_WGSL_KEEP,
    AG_WGSL_LT,
    AG_WGSL_GE,
    AG_WGSL_EQ,
    AG_WGSL_NE,
    AG_WGSL_MIN,
    AG_WGSL_MAX,
    AG_WGSL_SATURATE,
    AG_WGSL_FRC,
    AG_WGSL_ROUND_NI,
    AG_WGSL_ROUND_PI,
    AG_WGSL_RCP,
    AG_WGSL_RSQ,
    AG_WGSL_SQRT,
    AG_WGSL_EXP,
    AG_WGSL_LOG,
    AG_WGSL_REDUCE,
    AG_WGSL_SIN,
    AG_WGSL_COS,
    AG_WGSL_DOT2,
    AG_WGSL_DOT3,
    AG_WGSL_DOT4,
    AG_WGSL_FTOI,
    AG_WGSL_FTOU,
    AG_WGSL_F32TOF16,
    AG_WGSL_F16TOF32,
    AG_WGSL_UDIV,
    AG_WGSL_UMOD,
    AG_WGSL_UMULHI,
    AG_WGSL_IMULHI,
    AG_WGSL_CARRY,
    AG_WGSL_BORROW,
    AG_WGSL_FIRSTBIT_HI,
    AG_WGSL_FIRSTBIT_SHI,
    AG_WGSL_UBFE,
    AG_WGSL_IBFE,
    AG_WGSL_BFI,
    AG_WGSL_MSAD,
    AG_WGSL_SLICE,
    AG_WGSL_MIP_LEVEL,
    AG_WGSL_REFERENCE,
    AG_WGSL_TEXEL_ADDRESS,
    AG_WGSL_BORDER,
    AG_WGSL_COMPARED,
    AG_WGSL_CUBE_FACE,
    AG_WGSL_CUBE_TEXEL,
    AG_WGSL_ARENA_TEXEL, /* textures of the overflow block: see arena.c */
    AG_WGSL_ARENA_TAP,
    AG_WGSL_ARENA_PLACE,
    AG_WGSL_ARENA_AT,
    AG_WGSL_ARENA_SAMPLED,
    AG_WGSL_ARENA_GATHERED,
    AG_WGSL_NONZERO_W,
    AG_WGSL_SAMPLE_POSITION,
    AG_WGSL_HOST_SAMPLE,
    AG_WGSL_GUEST_SAMPLE,
    AG_WGSL_GUEST_MASK,
    AG_WGSL_HOST_MASK,
    AG_WGSL_CENTROID,
    AG_WGSL_SHARED_DECISION,
    AG_WGSL_SPEND,
    AG_WGSL_FIRST_DOUBLE, /* doubles.c */
    AG_WGSL_LEADING_ZEROS64 = AG_WGSL_FIRST_DOUBLE,
    AG_WGSL_SHIFT_LEFT64,
    AG_WGSL_SHIFT_RIGHT64,
    AG_WGSL_SHIFT_LEFT128,
    AG_WGSL_SHIFT_RIGHT128,
    AG_WGSL_LESS128,
    AG_WGSL_ADD128,
    AG_WGSL_PRODUCT128,
    AG_WGSL_UNPACKED,
    AG_WGSL_UNPACK_DOUBLE,
    AG_WGSL_PACK_DOUBLE,
    AG_WGSL_ROUND_DOUBLE,
    AG_WGSL_DNAN,
    AG_WGSL_DZERO,
    AG_WGSL_DSPECIAL,
    AG_WGSL_DBEFORE,
    AG_WGSL_DADD,
    AG_WGSL_DMUL,
    AG_WGSL_DFMA,
    AG_WGSL_DDIV,
    AG_WGSL_DRCP,
    AG_WGSL_DMIN,
    AG_WGSL_DMAX,
    AG_WGSL_DSATURATE,
    AG_WGSL_DLT,
    AG_WGSL_DGE,
    AG_WGSL_DEQ,
    AG_WGSL_DNE,
    AG_WGSL_DTOF,
    AG_WGSL_DWHOLE,
    AG_WGSL_FTOD,
    AG_WGSL_DTOI,
    AG_WGSL_DTOU,
    AG_WGSL_ITOD,
    AG_WGSL_UTOD,
    AG_WGSL_HELPER_COUNT
};

struct ag_wgsl_helper_row {
    const char *name;
    const char *text;
    uint8_t needs[10]; /* enum ag_wgsl_helper */
    bool one_width;    /* not a template: the function exists for one width */
};

/* Indexed by helper minus AG_WGSL_FIRST_DOUBLE. */
extern const struct ag_wgsl_helper_row ag_wgsl_double_helpers[];

struct ag_wgsl_emitter;

/* Appends the name of a helper for vectors of `width` lanes (1: scalar) to the body, and writes the helper if
 * the module lacks it. */
void ag_wgsl_call(struct ag_wgsl_emitter *emitter, enum ag_wgsl_helper helper, uint32_t width);
/* Writes a helper if the module lacks it. */
void ag_wgsl_require(struct ag_wgsl_emitter *emitter, enum ag_wgsl_helper helper, uint32_t width);

#endif
