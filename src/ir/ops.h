/* SPDX-License-Identifier: MIT
 *
 * The one table of IR operations: X(NAME, "signature", flags).
 *
 * signature  result, ':', arguments; one letter each: f float32, i int32, u uint32, n either integer type
 *            (the reader's wish decides), b truth value, a any type (bits pass unchanged), t the element
 *            type of the resource.
 *
 * flags      LANES: works lane by lane, so lanes may be dropped and operands are as wide as the result.
 *            EFFECT: does more than give a value. RESOURCE: `access` names what it works on.
 */
#ifndef AGPU_IR_OPS_H
#define AGPU_IR_OPS_H

enum agpu_ir_op_flag {
    AGPU_IR_NO_FLAGS = 0,
    AGPU_IR_LANES = 1 << 0,
    AGPU_IR_EFFECT = 1 << 1,
    AGPU_IR_RESOURCE = 1 << 2,
};

/* clang-format off */
#define AGPU_IR_OPS(X)                                                                                       \
    /* leaves and shapes */                                                                                  \
    X(CONST, "a:", AGPU_IR_LANES)      /* bits[] */                                                          \
    X(READ, "a:", AGPU_IR_LANES)       /* one register or variable component for each lane */                \
    X(SWIZZLE, "a:a", AGPU_IR_NO_FLAGS) /* component[] of the argument */                                    \
    X(JOIN, "a:aaaa", AGPU_IR_NO_FLAGS) /* a vector of one-lane arguments */                                 \
    X(ARRAY, "u:u", AGPU_IR_NO_FLAGS)  /* components of an element of program->arrays[id[0]] */              \
    X(RECORD, "u:uu", AGPU_IR_NO_FLAGS) /* components of a register of a record: vertex, register; id[0] says  \
                                           which, enum agpu_ir_record */                                     \
    X(CBUFFER, "u:u", AGPU_IR_RESOURCE) /* components of register access->index + argument (may lack) */     \
    X(ICB, "u:u", AGPU_IR_NO_FLAGS)    /* components of an immediate constant buffer row */                  \
    X(INSTANCE, "u:u", AGPU_IR_NO_FLAGS) /* components of what an interface slot points at */                \
    X(INSTANCE_TABLE, "u:u", AGPU_IR_NO_FLAGS) /* one lane: the function table of an interface slot */       \
    /* float32 */                                                                                            \
    X(ADD, "f:ff", AGPU_IR_LANES)                                                                            \
    X(MUL, "f:ff", AGPU_IR_LANES)                                                                            \
    X(MAD, "f:fff", AGPU_IR_LANES)                                                                           \
    X(DIV, "f:ff", AGPU_IR_LANES)                                                                            \
    X(MIN, "f:ff", AGPU_IR_LANES)                                                                            \
    X(MAX, "f:ff", AGPU_IR_LANES)                                                                            \
    X(NEG, "f:f", AGPU_IR_LANES)                                                                             \
    X(ABS, "f:f", AGPU_IR_LANES)                                                                             \
    X(SATURATE, "f:f", AGPU_IR_LANES)                                                                        \
    X(FRC, "f:f", AGPU_IR_LANES)                                                                             \
    X(ROUND_NE, "f:f", AGPU_IR_LANES)                                                                        \
    X(ROUND_NI, "f:f", AGPU_IR_LANES)                                                                        \
    X(ROUND_PI, "f:f", AGPU_IR_LANES)                                                                        \
    X(ROUND_Z, "f:f", AGPU_IR_LANES)                                                                         \
    X(RCP, "f:f", AGPU_IR_LANES)                                                                             \
    X(RSQ, "f:f", AGPU_IR_LANES)                                                                             \
    X(SQRT, "f:f", AGPU_IR_LANES)                                                                            \
    X(EXP, "f:f", AGPU_IR_LANES)                                                                             \
    X(LOG, "f:f", AGPU_IR_LANES)                                                                             \
    X(SIN, "f:f", AGPU_IR_LANES)                                                                             \
    X(COS, "f:f", AGPU_IR_LANES)                                                                             \
    X(DDX, "f:f", AGPU_IR_LANES)                                                                             \
    X(DDY, "f:f", AGPU_IR_LANES)                                                                             \
    X(DDX_COARSE, "f:f", AGPU_IR_LANES)                                                                      \
    X(DDY_COARSE, "f:f", AGPU_IR_LANES)                                                                      \
    X(DDX_FINE, "f:f", AGPU_IR_LANES)                                                                        \
    X(DDY_FINE, "f:f", AGPU_IR_LANES)                                                                        \
    X(KEEP, "f:f", AGPU_IR_LANES)      /* no compiler may see through it: order of float operations */       \
    X(DOT, "f:ff", AGPU_IR_NO_FLAGS)   /* one lane */                                                        \
    X(LT, "b:ff", AGPU_IR_LANES)                                                                             \
    X(GE, "b:ff", AGPU_IR_LANES)                                                                             \
    X(EQ, "b:ff", AGPU_IR_LANES)                                                                             \
    X(NE, "b:ff", AGPU_IR_LANES)                                                                             \
    /* integers */                                                                                           \
    X(IADD, "n:nn", AGPU_IR_LANES)                                                                           \
    X(ISUB, "n:nn", AGPU_IR_LANES)                                                                           \
    X(IMUL, "n:nn", AGPU_IR_LANES)                                                                           \
    X(IMAD, "n:nnn", AGPU_IR_LANES)                                                                          \
    X(INEG, "n:n", AGPU_IR_LANES)                                                                            \
    X(NOT, "n:n", AGPU_IR_LANES)                                                                             \
    X(AND, "n:nn", AGPU_IR_LANES)                                                                            \
    X(OR, "n:nn", AGPU_IR_LANES)                                                                             \
    X(XOR, "n:nn", AGPU_IR_LANES)                                                                            \
    X(SHL, "n:nu", AGPU_IR_LANES)                                                                            \
    X(ISHR, "i:iu", AGPU_IR_LANES)                                                                           \
    X(USHR, "u:uu", AGPU_IR_LANES)                                                                           \
    X(IMIN, "i:ii", AGPU_IR_LANES)                                                                           \
    X(IMAX, "i:ii", AGPU_IR_LANES)                                                                           \
    X(UMIN, "u:uu", AGPU_IR_LANES)                                                                           \
    X(UMAX, "u:uu", AGPU_IR_LANES)                                                                           \
    X(UDIV, "u:uu", AGPU_IR_LANES)                                                                           \
    X(UMOD, "u:uu", AGPU_IR_LANES)                                                                           \
    X(UMULHI, "u:uu", AGPU_IR_LANES)                                                                         \
    X(IMULHI, "i:ii", AGPU_IR_LANES)                                                                         \
    X(CARRY, "u:uu", AGPU_IR_LANES)                                                                          \
    X(BORROW, "u:uu", AGPU_IR_LANES)                                                                         \
    X(IEQ, "b:nn", AGPU_IR_LANES)                                                                            \
    X(INE, "b:nn", AGPU_IR_LANES)                                                                            \
    X(ILT, "b:ii", AGPU_IR_LANES)                                                                            \
    X(IGE, "b:ii", AGPU_IR_LANES)                                                                            \
    X(ULT, "b:uu", AGPU_IR_LANES)                                                                            \
    X(UGE, "b:uu", AGPU_IR_LANES)                                                                            \
    X(COUNTBITS, "u:u", AGPU_IR_LANES)                                                                       \
    X(FIRSTBIT_HI, "u:u", AGPU_IR_LANES)                                                                     \
    X(FIRSTBIT_LO, "u:u", AGPU_IR_LANES)                                                                     \
    X(FIRSTBIT_SHI, "u:i", AGPU_IR_LANES)                                                                    \
    X(UBFE, "u:uuu", AGPU_IR_LANES)                                                                          \
    X(IBFE, "i:uui", AGPU_IR_LANES)                                                                          \
    X(BFI, "u:uuuu", AGPU_IR_LANES)                                                                          \
    X(BFREV, "u:u", AGPU_IR_LANES)                                                                           \
    X(MSAD, "u:uuu", AGPU_IR_LANES)                                                                          \
    /* conversions */                                                                                        \
    X(FTOI, "i:f", AGPU_IR_LANES)                                                                            \
    X(FTOU, "u:f", AGPU_IR_LANES)                                                                            \
    X(ITOF, "f:i", AGPU_IR_LANES)                                                                            \
    X(UTOF, "f:u", AGPU_IR_LANES)                                                                            \
    X(F32TOF16, "u:f", AGPU_IR_LANES)                                                                        \
    X(F16TOF32, "f:u", AGPU_IR_LANES)                                                                        \
    /* doubles: pairs of lanes, low word first; comparisons and conversions give one lane */                 \
    X(DADD, "u:uu", AGPU_IR_NO_FLAGS)                                                                        \
    X(DMUL, "u:uu", AGPU_IR_NO_FLAGS)                                                                        \
    X(DFMA, "u:uuu", AGPU_IR_NO_FLAGS)                                                                       \
    X(DDIV, "u:uu", AGPU_IR_NO_FLAGS)                                                                        \
    X(DRCP, "u:u", AGPU_IR_NO_FLAGS)                                                                         \
    X(DMIN, "u:uu", AGPU_IR_NO_FLAGS)                                                                        \
    X(DMAX, "u:uu", AGPU_IR_NO_FLAGS)                                                                        \
    X(DSATURATE, "u:u", AGPU_IR_NO_FLAGS)                                                                    \
    X(DLT, "b:uu", AGPU_IR_NO_FLAGS)                                                                         \
    X(DGE, "b:uu", AGPU_IR_NO_FLAGS)                                                                         \
    X(DEQ, "b:uu", AGPU_IR_NO_FLAGS)                                                                         \
    X(DNE, "b:uu", AGPU_IR_NO_FLAGS)                                                                         \
    X(DTOF, "f:u", AGPU_IR_NO_FLAGS)                                                                         \
    X(FTOD, "u:f", AGPU_IR_NO_FLAGS)                                                                         \
    X(DTOI, "i:u", AGPU_IR_NO_FLAGS)                                                                         \
    X(DTOU, "u:u", AGPU_IR_NO_FLAGS)                                                                         \
    X(ITOD, "u:i", AGPU_IR_NO_FLAGS)                                                                         \
    X(UTOD, "u:u", AGPU_IR_NO_FLAGS)                                                                         \
    /* choice and truth */                                                                                   \
    X(SPEND, "b:", AGPU_IR_EFFECT)     /* takes bits[0] from the loops' budget; true when it is spent */      \
    X(SELECT, "a:baa", AGPU_IR_LANES)  /* condition, if true, if false */                                    \
    X(BOOL_NOT, "b:b", AGPU_IR_LANES)                                                                        \
    X(BOOL_AND, "b:bb", AGPU_IR_LANES)                                                                       \
    X(BOOL_OR, "b:bb", AGPU_IR_LANES)                                                                        \
    /* textures: four lanes, except where noted */                                                           \
    X(SAMPLE, "t:f", AGPU_IR_RESOURCE)                                                                       \
    X(SAMPLE_BIAS, "t:ff", AGPU_IR_RESOURCE)                                                                 \
    X(SAMPLE_LEVEL, "t:ff", AGPU_IR_RESOURCE)                                                                \
    X(SAMPLE_GRAD, "t:fff", AGPU_IR_RESOURCE)                                                                \
    X(SAMPLE_CMP, "f:ff", AGPU_IR_RESOURCE)      /* one lane */                                              \
    X(SAMPLE_CMP_LEVEL, "f:ff", AGPU_IR_RESOURCE) /* one lane */                                             \
    X(GATHER, "t:f", AGPU_IR_RESOURCE)                                                                       \
    X(GATHER_CMP, "f:ff", AGPU_IR_RESOURCE)                                                                  \
    X(GATHER_PO, "t:fi", AGPU_IR_RESOURCE)                                                                   \
    X(GATHER_PO_CMP, "f:fif", AGPU_IR_RESOURCE)                                                              \
    X(LOD, "f:fff", AGPU_IR_RESOURCE)            /* two lanes; coordinates, gradients (may lack) */          \
    X(WITHIN, "f:ff", AGPU_IR_RESOURCE)          /* a sample, or nothing where its clamp is past all levels */ \
    X(TEXEL, "t:uu", AGPU_IR_RESOURCE)           /* coordinates, level or sample */                          \
    X(RESINFO, "u:u", AGPU_IR_RESOURCE)          /* sizes and mip count as integers */                       \
    X(SAMPLE_COUNT, "u:", AGPU_IR_RESOURCE)      /* one lane; without a resource the render target's */      \
    X(SAMPLE_POSITION, "f:u", AGPU_IR_RESOURCE)  /* two lanes */                                             \
    X(CENTROID, "f:u", AGPU_IR_RESOURCE)         /* two lanes: from the centre; coverage */                  \
    /* buffers, unordered access views, group shared memory */                                               \
    X(LOAD, "u:uu", AGPU_IR_RESOURCE)            /* one to four words; see struct agpu_ir_access */          \
    X(LOAD_TEXEL, "t:u", AGPU_IR_RESOURCE)       /* from a storage texture */                                \
    X(BUFFER_INFO, "u:", AGPU_IR_RESOURCE)       /* one lane: elements, bytes or structures */               \
    X(STORE, "u:uua", AGPU_IR_RESOURCE | AGPU_IR_EFFECT)       /* as LOAD, then the words */                 \
    X(STORE_TEXEL, "u:ut", AGPU_IR_RESOURCE | AGPU_IR_EFFECT)  /* coordinates, four lanes */                 \
    X(ATOMIC, "u:uuuu", AGPU_IR_RESOURCE | AGPU_IR_EFFECT)     /* as LOAD, then one or two operands */       \
    X(COUNTER, "u:", AGPU_IR_RESOURCE | AGPU_IR_EFFECT)        /* hidden counter up or down, its slot */
/* clang-format on */

#endif
