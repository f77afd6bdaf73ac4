/* SPDX-License-Identifier: MIT
 *
 * The table of all IR operations: X(NAME, "signature", flags).
 *
 * signature is the type of the result, ':', and the types of the arguments, one letter each: f float32, i
 * int32, u uint32, n an integer of either signedness (whichever the reader of the result wants), b boolean, a
 * any type (the bits pass unchanged), t the element type of the resource.
 *
 * flags: LANES, the operation works on each lane separately, so that unused lanes may be dropped, and its
 * arguments are as wide as the result. EFFECT, the operation has a side effect. RESOURCE, the operation has
 * an `access`.
 */
#ifndef AG_IR_OPS_H
#define AG_IR_OPS_H

enum ag_ir_op_flag {
    AG_IR_NO_FLAGS = 0,
    AG_IR_LANES = 1 << 0,
    AG_IR_EFFECT = 1 << 1,
    AG_IR_RESOURCE = 1 << 2,
};

/* clang-format off */
#define AG_IR_OPS(X)                                                                                       \
    /* leaves, swizzles and vectors */                                                                     \
    X(CONST, "a:", AG_IR_LANES)      /* u.bits */                                                          \
    X(READ, "a:", AG_IR_LANES)       /* one register or variable component for each lane */                \
    X(SWIZZLE, "a:a", AG_IR_NO_FLAGS) /* component[] selects lanes of the argument */                      \
    X(JOIN, "a:aaaa", AG_IR_NO_FLAGS) /* a vector made of its arguments' lanes */                         \
    X(ARRAY, "u:u", AG_IR_NO_FLAGS)  /* element of program->arrays[id[0]] */                               \
    X(RECORD, "u:uu", AG_IR_NO_FLAGS) /* vertex, register; id[0]: enum ag_ir_record */                     \
    X(CBUFFER, "u:uu", AG_IR_RESOURCE) /* register access->index + argument, of argument 2; both optional */ \
    X(ICB, "u:u", AG_IR_NO_FLAGS)    /* row of the immediate constant buffer */                            \
    X(INSTANCE, "u:u", AG_IR_NO_FLAGS) /* data of the class instance in a slot */                          \
    X(INSTANCE_TABLE, "u:u", AG_IR_NO_FLAGS) /* one lane: function table of a slot */                      \
    /* float32 */                                                                                          \
    X(ADD, "f:ff", AG_IR_LANES)                                                                            \
    X(MUL, "f:ff", AG_IR_LANES)                                                                            \
    X(MAD, "f:fff", AG_IR_LANES)                                                                           \
    X(DIV, "f:ff", AG_IR_LANES)                                                                            \
    X(MIN, "f:ff", AG_IR_LANES)                                                                            \
    X(MAX, "f:ff", AG_IR_LANES)                                                                            \
    X(NEG, "f:f", AG_IR_LANES)                                                                             \
    X(ABS, "f:f", AG_IR_LANES)                                                                             \
    X(SATURATE, "f:f", AG_IR_LANES)                                                                        \
    X(FRC, "f:f", AG_IR_LANES)                                                                             \
    X(ROUND_NE, "f:f", AG_IR_LANES)                                                                        \
    X(ROUND_NI, "f:f", AG_IR_LANES)                                                                        \
    X(ROUND_PI, "f:f", AG_IR_LANES)                                                                        \
    X(ROUND_Z, "f:f", AG_IR_LANES)                                                                         \
    X(RCP, "f:f", AG_IR_LANES)                                                                             \
    X(RSQ, "f:f", AG_IR_LANES)                                                                             \
    X(SQRT, "f:f", AG_IR_LANES)                                                                            \
    X(EXP, "f:f", AG_IR_LANES)                                                                             \
    X(LOG, "f:f", AG_IR_LANES)                                                                             \
    X(SIN, "f:f", AG_IR_LANES)                                                                             \
    X(COS, "f:f", AG_IR_LANES)                                                                             \
    X(DDX, "f:f", AG_IR_LANES)                                                                             \
    X(DDY, "f:f", AG_IR_LANES)                                                                             \
    X(DDX_COARSE, "f:f", AG_IR_LANES)                                                                      \
    X(DDY_COARSE, "f:f", AG_IR_LANES)                                                                      \
    X(DDX_FINE, "f:f", AG_IR_LANES)                                                                        \
    X(DDY_FINE, "f:f", AG_IR_LANES)                                                                        \
    X(KEEP, "f:f", AG_IR_LANES)      /* a copy that hides the value from optimizers */                     \
    X(DOT, "f:ff", AG_IR_NO_FLAGS)   /* one lane */                                                        \
    X(LT, "b:ff", AG_IR_LANES)                                                                             \
    X(GE, "b:ff", AG_IR_LANES)                                                                             \
    X(EQ, "b:ff", AG_IR_LANES)                                                                             \
    X(NE, "b:ff", AG_IR_LANES)                                                                             \
    /* integers */                                                                                         \
    X(IADD, "n:nn", AG_IR_LANES)                                                                           \
    X(ISUB, "n:nn", AG_IR_LANES)                                                                           \
    X(IMUL, "n:nn", AG_IR_LANES)                                                                           \
    X(IMAD, "n:nnn", AG_IR_LANES)                                                                          \
    X(INEG, "n:n", AG_IR_LANES)                                                                            \
    X(NOT, "n:n", AG_IR_LANES)                                                                             \
    X(AND, "n:nn", AG_IR_LANES)                                                                            \
    X(OR, "n:nn", AG_IR_LANES)                                                                             \
    X(XOR, "n:nn", AG_IR_LANES)                                                                            \
    X(SHL, "n:nu", AG_IR_LANES)                                                                            \
    X(ISHR, "i:iu", AG_IR_LANES)                                                                           \
    X(USHR, "u:uu", AG_IR_LANES)                                                                           \
    X(IMIN, "i:ii", AG_IR_LANES)                                                                           \
    X(IMAX, "i:ii", AG_IR_LANES)                                                                           \
    X(UMIN, "u:uu", AG_IR_LANES)                                                                           \
    X(UMAX, "u:uu", AG_IR_LANES)                                                                           \
    X(UDIV, "u:uu", AG_IR_LANES)                                                                           \
    X(UMOD, "u:uu", AG_IR_LANES)                                                                           \
    X(UMULHI, "u:uu", AG_IR_LANES)                                                                         \
    X(IMULHI, "i:ii", AG_IR_LANES)                                                                         \
    X(CARRY, "u:uu", AG_IR_LANES)                                                                          \
    X(BORROW, "u:uu", AG_IR_LANES)                                                                         \
    X(IEQ, "b:nn", AG_IR_LANES)                                                                            \
    X(INE, "b:nn", AG_IR_LANES)                                                                            \
    X(ILT, "b:ii", AG_IR_LANES)                                                                            \
    X(IGE, "b:ii", AG_IR_LANES)                                                                            \
    X(ULT, "b:uu", AG_IR_LANES)                                                                            \
    X(UGE, "b:uu", AG_IR_LANES)                                                                            \
    X(COUNTBITS, "u:u", AG_IR_LANES)                                                                       \
    X(FIRSTBIT_HI, "u:u", AG_IR_LANES)                                                                     \
    X(FIRSTBIT_LO, "u:u", AG_IR_LANES)                                                                     \
    X(FIRSTBIT_SHI, "u:i", AG_IR_LANES)                                                                    \
    X(UBFE, "u:uuu", AG_IR_LANES)                                                                          \
    X(IBFE, "i:uui", AG_IR_LANES)                                                                          \
    X(BFI, "u:uuuu", AG_IR_LANES)                                                                          \
    X(BFREV, "u:u", AG_IR_LANES)                                                                           \
    X(MSAD, "u:uuu", AG_IR_LANES)                                                                          \
    /* conversions */                                                                                      \
    X(FTOI, "i:f", AG_IR_LANES)                                                                            \
    X(FTOU, "u:f", AG_IR_LANES)                                                                            \
    X(ITOF, "f:i", AG_IR_LANES)                                                                            \
    X(UTOF, "f:u", AG_IR_LANES)                                                                            \
    X(F32TOF16, "u:f", AG_IR_LANES)                                                                        \
    X(F16TOF32, "f:u", AG_IR_LANES)                                                                        \
    /* doubles: pairs of lanes, low word first; comparisons and conversions give one lane */               \
    X(DADD, "u:uu", AG_IR_NO_FLAGS)                                                                        \
    X(DMUL, "u:uu", AG_IR_NO_FLAGS)                                                                        \
    X(DFMA, "u:uuu", AG_IR_NO_FLAGS)                                                                       \
    X(DDIV, "u:uu", AG_IR_NO_FLAGS)                                                                        \
    X(DRCP, "u:u", AG_IR_NO_FLAGS)                                                                         \
    X(DMIN, "u:uu", AG_IR_NO_FLAGS)                                                                        \
    X(DMAX, "u:uu", AG_IR_NO_FLAGS)                                                                        \
    X(DSATURATE, "u:u", AG_IR_NO_FLAGS)                                                                    \
    X(DLT, "b:uu", AG_IR_NO_FLAGS)                                                                         \
    X(DGE, "b:uu", AG_IR_NO_FLAGS)                                                                         \
    X(DEQ, "b:uu", AG_IR_NO_FLAGS)                                                                         \
    X(DNE, "b:uu", AG_IR_NO_FLAGS)                                                                         \
    X(DTOF, "f:u", AG_IR_NO_FLAGS)                                                                         \
    X(FTOD, "u:f", AG_IR_NO_FLAGS)                                                                         \
    X(DTOI, "i:u", AG_IR_NO_FLAGS)                                                                         \
    X(DTOU, "u:u", AG_IR_NO_FLAGS)                                                                         \
    X(ITOD, "u:i", AG_IR_NO_FLAGS)                                                                         \
    X(UTOD, "u:u", AG_IR_NO_FLAGS)                                                                         \
    /* selection and booleans */                                                                           \
    X(SPEND, "b:", AG_IR_EFFECT)     /* takes bits[0] from the loop budget; true: spent */                 \
    X(SELECT, "a:baa", AG_IR_LANES)  /* condition, if true, if false */                                    \
    X(BOOL_NOT, "b:b", AG_IR_LANES)                                                                        \
    X(BOOL_AND, "b:bb", AG_IR_LANES)                                                                       \
    X(BOOL_OR, "b:bb", AG_IR_LANES)                                                                        \
    /* textures: four lanes, except where noted */                                                         \
    X(SAMPLE, "t:f", AG_IR_RESOURCE)                                                                       \
    X(SAMPLE_BIAS, "t:ff", AG_IR_RESOURCE)                                                                 \
    X(SAMPLE_LEVEL, "t:ff", AG_IR_RESOURCE)                                                                \
    X(SAMPLE_GRAD, "t:fff", AG_IR_RESOURCE)                                                                \
    X(SAMPLE_CMP, "f:ff", AG_IR_RESOURCE)      /* one lane */                                              \
    X(SAMPLE_CMP_LEVEL, "f:ff", AG_IR_RESOURCE) /* one lane */                                             \
    X(GATHER, "t:f", AG_IR_RESOURCE)                                                                       \
    X(GATHER_CMP, "f:ff", AG_IR_RESOURCE)                                                                  \
    X(GATHER_PO, "t:fi", AG_IR_RESOURCE)                                                                   \
    X(GATHER_PO_CMP, "f:fif", AG_IR_RESOURCE)                                                              \
    X(LOD, "f:fff", AG_IR_RESOURCE)            /* two lanes; coordinates, optional gradients */            \
    X(WITHIN, "f:ff", AG_IR_RESOURCE)          /* sample, or 0 if the minimum level is past all */         \
    X(TEXEL, "t:uu", AG_IR_RESOURCE)           /* coordinates, level or sample */                          \
    X(RECIPROCAL_W, "f:", AG_IR_NO_FLAGS)      /* one lane: 1 / w of the pixel, as it is interpolated */   \
    X(RESINFO, "u:u", AG_IR_RESOURCE)          /* sizes and mip count as integers */                       \
    X(SAMPLE_COUNT, "u:", AG_IR_RESOURCE)      /* one lane; no resource: the render target */              \
    X(SAMPLE_POSITION, "f:u", AG_IR_RESOURCE)  /* two lanes */                                             \
    X(CENTROID, "f:u", AG_IR_RESOURCE)         /* two lanes from the pixel centre; coverage */             \
    /* buffers, unordered access views, group shared memory */                                             \
    X(LOAD, "u:uu", AG_IR_RESOURCE)            /* one to four words; see struct ag_ir_access */            \
    X(LOAD_TEXEL, "t:u", AG_IR_RESOURCE)       /* from a storage texture */                                \
    X(BUFFER_INFO, "u:", AG_IR_RESOURCE)       /* one lane: elements, bytes or structures */               \
    X(STORE, "u:uua", AG_IR_RESOURCE | AG_IR_EFFECT)       /* address, then the words */                   \
    X(STORE_TEXEL, "u:ut", AG_IR_RESOURCE | AG_IR_EFFECT)  /* coordinates, four lanes */                   \
    X(ATOMIC, "u:uuuu", AG_IR_RESOURCE | AG_IR_EFFECT)     /* address, then operands */                    \
    X(COUNTER, "u:", AG_IR_RESOURCE | AG_IR_EFFECT)        /* UAV counter; gives the slot */
/* clang-format on */

#endif
