/* SPDX-License-Identifier: MIT
 *
 * Frames of modules: what is declared, what registers and memory start with, the switch over the programs,
 * what becomes of the registers.
 */
#include "generate.h"

#include <stdio.h>

/* Neither 1 nor 4, as literals: generate_tame(). */
#define CONSTANTS                                                                                            \
    "dcl_immediateConstantBuffer { { 1.5, -0.25, 7.75, 2.5}, { -8.0, 0.5, 3.0, -1.75}, "                     \
    "{ 4.5, 0.25, -2.0, 6.0}, { 0.75, 5.5, -3.25, 1.25} }"

static const char *const declarations[] = {
    CONSTANTS, /* NOLINT(bugprone-suspicious-missing-comma) */
    "dcl_constantbuffer CB0[8], dynamicIndexed",
    "dcl_constantbuffer CB1[8], dynamicIndexed",
    "dcl_resource_raw t0",
    "dcl_resource_structured t1, 16",
    "dcl_resource_buffer (uint,uint,uint,uint) t2",
    "dcl_uav_raw u0",
    "dcl_uav_structured_opc u1, 16",
    "dcl_uav_typed_buffer (uint,uint,uint,uint) u2",
    "dcl_uav_raw u3",
    "dcl_input vThreadID.xyz",
    "dcl_input vThreadIDInGroup.xyz",
    "dcl_input vThreadGroupID.xyz",
    "dcl_input vThreadIDInGroupFlattened",
    "dcl_temps 20",
    "dcl_indexableTemp x0[5], 4",
    "dcl_indexableTemp x1[5], 4",
    "dcl_tgsm_raw g0, 256",
    "dcl_tgsm_structured g1, 16, 16",
    "dcl_tgsm_raw g2, 64",
    "dcl_thread_group 16, 1, 1",
    "imad r14.w, vThreadGroupID.x, l(16), vThreadIDInGroupFlattened.x",
    "imad r14.z, vThreadGroupID.y, l(32), r14.w",
    "ishl r14.x, r14.z, l(6)",
    "ishl r14.y, vThreadIDInGroupFlattened.x, l(4)",
    "ishl r13.x, vThreadGroupID.y, l(6)",
    "ishl r13.y, r14.z, l(2)",
};

#define RAW "ld_raw_indexable(raw_buffer)(mixed,mixed,mixed,mixed)"
#define STRUCTURED "ld_structured_indexable(structured_buffer, stride=16)(mixed,mixed,mixed,mixed)"

static void prologue(struct generator *g)
{
    generate_line(g, "imad r15.xy, r14.wwww, l(32, 32, 0, 0), l(0, 16, 0, 0)");
    generate_line(g, RAW " r0.xyzw, r15.x, t0.xyzw");
    generate_line(g, RAW " r1.xyzw, r15.y, t0.xyzw");
    generate_line(g, "xor r2.xyzw, r0.wzyx, l(0xdeadbeef, 0x80000000, 0x7fffff, 0x55555555)");
    generate_line(g, "iadd r3.xyzw, r1.yzwx, r0.xyzw");
    generate_line(g, "iadd r15.x, r14.w, l(32)");
    generate_line(g, STRUCTURED " r4.xyzw, r14.w, l(0), t1.xyzw");
    generate_line(g, STRUCTURED " r5.xyzw, r15.x, l(0), t1.xyzw");
    /* An eighth: not 0, whose sign is lost where a driver turns -(-a - b) into a + b (D26). */
    generate_line(g, "add r6.xyzw, -r4.yzwx, l(-0.125, -0.125, -0.125, -0.125)");
    generate_line(g, "mov r7.xyzw, r5.wzyx");
    for (uint32_t i = 0; i < 5; i++) {
        generate_line(g, "mov x0[%u].xyzw, r%u.yzwx", i, i & 3);
        generate_line(g, "mov x1[%u].xyzw, r%u.wzyx", i, 4 + (i & 3));
    }
    generate_line(g, "store_raw g0.xyzw, r14.y, r0.xyzw");
    generate_line(g, "store_structured g1.xyzw, vThreadIDInGroupFlattened.x, l(0), r1.xyzw");
}

/* What the registers hold and each thread's word of g2, as one number of four components: times a prime, plus
 * the next. */
static void epilogue(struct generator *g)
{
    static const char next[] = "imad r15.xyzw, r15.xyzw, l(0x1000193, 0x1000193, 0x1000193, 0x1000193), ";
    generate_line(g, "mov r15.xyzw, r0.xyzw");
    for (uint32_t i = 1; i < 8; i++)
        generate_line(g, "%sr%u.xyzw", next, i);
    for (uint32_t i = 0; i < 5; i++) {
        generate_line(g, "%sx0[%u].xyzw", next, i);
        generate_line(g, "%sx1[%u].xyzw", next, i);
    }
    if (!g->returns) {
        generate_line(g, "sync_g_t");
        generate_line(g, "ishl r16.x, vThreadIDInGroupFlattened.x, l(2)");
        generate_line(g, "ld_raw r16.x, r16.x, g2.xxxx");
        generate_line(g, "%sr16.xxxx", next);
    }
    const uint32_t before = generate_unit(g);
    generate_line(g, "imad r16.x, r14.z, l(16), l(%u)", GENERATED_ALL * 64);
    generate_line(g, "store_raw u0.xyzw, r16.x, r15.xyzw");
    generate_unit_end(g, before);
}

static void fixed_line(struct generator *g, const char *text)
{
    g->unit = FIXED_UNIT;
    generate_line(g, "%s", text);
    g->unit = 0;
}

static void subroutines(struct generator *g)
{
    char scalar[OPERAND_TEXT], label[OPERAND_TEXT];
    g->in_subroutine = true;
    g->uniform = false;
    for (uint32_t i = 0; i < 2; i++) {
        snprintf(label, sizeof label, "label l%u", 2 * g->program + i);
        fixed_line(g, label);
        g->budget = 1;
        generate_block(g, 1);
        generate_line(g, "retc_%s %s", generate_chance(g, 50) ? "nz" : "z", generate_scalar(g, scalar));
        generate_alu(g);
        if (i == 0 && generate_chance(g, 50)) {
            generate_line(g, "call l%u", 2 * g->program + 1);
            g->forms[FORM_NESTED_CALL]++;
        }
        fixed_line(g, "ret");
    }
    g->in_subroutine = false;
}

static void declare(struct generator *g)
{
    const bool strict = generate_chance(g, 30);
    g->min_precision = generate_chance(g, 30);
    g->forms[FORM_STRICT] += strict;
    generate_line(g, "cs_5_0");
    generate_line(g, "dcl_globalFlags %senable11_1ShaderExtensions%s%s",
                  strict ? "" : "refactoringAllowed | ",
                  g->doubles ? " | enableDoublePrecisionFloatOps | enable11_1DoubleExtensions" : "",
                  g->min_precision ? " | enableMinimumPrecision" : "");
    if (g->textures)
        generate_texture_declarations(g);
    for (uint32_t i = 0; i < AG_COUNT_OF(declarations); i++)
        generate_line(g, "%s", declarations[i]);
}

/* A program's stream of random numbers depends on its own number alone. */
static void start_program(struct generator *g, uint64_t number)
{
    g->random.state = number;
    g->cursor = (uint32_t)(number * 67 % AGPU_OPCODE_LIMIT);
    g->atomic_cursor[0] = g->atomic_cursor[1] = (uint32_t)(number * 7 % AGPU_OPCODE_LIMIT);
    g->program = (uint32_t)(number % MODULE_PROGRAMS);
    g->uniform = !g->returns;
    g->loop_depth = g->counters = g->depth = 0;
}

void generate_module(struct generator *g, uint64_t module, struct listing *listing)
{
    g->listing = listing;
    g->random.state = ~module;
    g->program = FRAME_LINE;
    g->returns = generate_chance(g, 40);
    g->doubles = !g->textures && generate_chance(g, 15);
    declare(g);
    listing->fixed = listing->lines.count;
    prologue(g);
    generate_line(g, "switch vThreadGroupID.y");
    for (uint32_t i = 0; i < MODULE_PROGRAMS; i++) {
        start_program(g, module * MODULE_PROGRAMS + i);
        generate_line(g, "case l(%u)", i);
        g->budget = 4 + generate_pick(g, 10);
        generate_block(g, UINT32_MAX);
        generate_line(g, "break");
    }
    g->program = FRAME_LINE;
    generate_line(g, "endswitch");
    epilogue(g);
    fixed_line(g, "ret");
    for (uint32_t i = 0; i < MODULE_PROGRAMS; i++) {
        start_program(g, (module * MODULE_PROGRAMS + i) ^ UINT64_C(1) << 63);
        subroutines(g);
    }
}
