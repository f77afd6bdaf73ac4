/* SPDX-License-Identifier: MIT
 *
 * Random compute programs that give the same bits whatever the order of evaluation, many in one module: the
 * group's y chooses the program, a case of one switch; what comes before and after is common to all.
 *
 * r0-r3 hold any bits; r4-r7 "tame" floats: multiples of 1/4 from -8 up to 8, never -0. A float statement
 * computes something exact on tame floats in r16 and folds it back into that range. What steep functions give
 * is rounded to the nearest quarter, on arguments whose results are nowhere near the middle of two. Doubles
 * are r18 and r19. Memory is a thread's own, or shared by commutative atomics, or read between barriers.
 *
 *     t0 raw, t2 typed: bits    t1 structured: tame floats     cb0: bits    cb1, icb: tame floats
 *     x0[5]: bits           x1[5]: tame floats             g0 raw, g1 structured: bits, 16 bytes a thread
 *     u0 raw: 64 bytes a thread, then 16 of what its registers end with, mixed       g2 raw: atomics
 *     u1 structured, counted: 4 tame structures a thread                  u2 typed: an element a thread
 *     u3 raw: atomics, 64 bytes a program                                 textures: see generate_texture.c
 *
 *     r14: own byte in u0, own byte in g0, thread among all, thread of the program
 *     r13: own byte of the program in u3, own structure in u1
 */
#ifndef AG_TESTS_ORACLE_GENERATE_H
#define AG_TESTS_ORACLE_GENERATE_H

#include "base/bytes.h"
#include "base/vec.h"
#include "oracle.h"

#define GENERATED_SLOTS 5u
#define MODULE_PROGRAMS 16u
#define GENERATED_THREADS 16u /* of a group */
#define GENERATED_GROUPS 2u   /* of a program */
#define PROGRAM_THREADS (GENERATED_THREADS * GENERATED_GROUPS)
#define GENERATED_ALL (PROGRAM_THREADS * MODULE_PROGRAMS)
#define U0_BYTES (GENERATED_ALL * (64 + 16))
#define U1_BYTES (GENERATED_ALL * 64)
#define U2_BYTES (GENERATED_ALL * 16)
#define U3_BYTES (64 * MODULE_PROGRAMS)
#define U4_BYTES (GENERATED_ALL * 4)

#define FRAME_LINE 0xffu /* common to all programs of a module */

/* A line of a listing and the program of the module that it belongs to. Lines of one unit, which is not 0, go
 * together when a program shrinks: an address and the store there, so that threads keep apart. Lines of
 * FIXED_UNIT, where subroutines begin and end, stay. */
#define FIXED_UNIT UINT32_MAX
struct line {
    char *text;
    uint8_t program;
    uint32_t unit;
};

/* A listing, line by line. Shrinking leaves the first `fixed` lines, the declarations, alone. */
struct listing {
    AG_VEC(struct line) lines;
    size_t fixed;
    uint8_t most_nesting;      /* as the translator takes it */
    uint32_t most_invocations; /* of a workgroup, as the translator takes it */
};
void listing_fini(struct listing *listing);

/* Ways of flow and memory that no single opcode shows. */
enum form {
    FORM_UNIFORM_IF,
    FORM_UNIFORM_LOOP,
    FORM_BOUND_FROM_REGISTER,
    FORM_FALL_THROUGH,
    FORM_SHARED_LABEL,
    FORM_DEFAULT_FIRST,
    FORM_CONTINUE_IN_SWITCH,
    FORM_NESTED_LOOP,
    FORM_EARLY_RETURN,
    FORM_BARRIER_IN_FLOW,
    FORM_NESTED_CALL,
    FORM_ALIASED,
    FORM_PRECISE,
    FORM_STRICT,
    FORM_MIN_PRECISION,
    FORM_DOUBLES,
    FORM_TYPED_BUFFER,
    FORM_TEXTURE,
    FORM_COUNT
};
extern const char *const form_names[FORM_COUNT];

struct generator {
    struct oracle_random random;
    struct listing *listing;
    uint64_t forms[FORM_COUNT];
    uint32_t cursor, atomic_cursor[2]; /* opcodes whose turn it is, so that few programs have them all */
    uint32_t budget;                   /* statements left */
    uint32_t loop_depth;               /* loops whose break and continue may be used */
    uint32_t counters;                 /* loop counters in use: r10, r11, r12 */
    uint32_t depth;                    /* of all flow */
    uint32_t index_lane;               /* of r8, the next to be used for an index */
    uint32_t program;                  /* of the module, or FRAME_LINE */
    uint32_t unit, units;              /* of the lines being made, or 0; units so far */
    bool uniform;                      /* all threads are here together */
    bool returns;                      /* threads may end early: then there are no barriers */
    bool in_subroutine;
    bool doubles, min_precision; /* the module has them */
    bool textures;               /* so it does these, which the caller decides */
    bool failed;
};

/* The programs from MODULE_PROGRAMS * `module` on. */
void generate_module(struct generator *generator, uint64_t module, struct listing *listing);

/* ---- Between the generator's parts -------------------------------------------------------------------- */

/* What comes until the end is one unit; units may be within others. */
uint32_t generate_unit(struct generator *g);
void generate_unit_end(struct generator *g, uint32_t before);
void generate_line(struct generator *g, const char *format, ...) AG_PRINTF(2, 3);
uint32_t generate_pick(struct generator *g, uint32_t limit);
bool generate_chance(struct generator *g, uint32_t percent);

#define OPERAND_TEXT 96
/* A source of any bits, or of tame floats. `modifiers`: 0 none, 'i' minus, 'f' minus and absolute. Emits what
 * its index needs first. */
void generate_bits(struct generator *g, char modifiers, char text[OPERAND_TEXT]);
void generate_tame(struct generator *g, bool modifiers, char text[OPERAND_TEXT]);
/* One component of r0-r3. */
const char *generate_scalar(struct generator *g, char text[OPERAND_TEXT]);
const char *generate_mask(struct generator *g);

/* An instruction that computes. */
void generate_alu(struct generator *g);
/* One with doubles. */
void generate_double(struct generator *g);
/* One that loads from textures, samples or asks them. */
void generate_texture(struct generator *g);
void generate_texture_declarations(struct generator *g);
/* A load, a store, an atomic, a barrier, a query. */
void generate_memory(struct generator *g);
/* Statements until the budget is used up, or at most `most`. */
void generate_block(struct generator *g, uint32_t most);

#endif
