/* SPDX-License-Identifier: MIT */
#include "bench/shapes.h"

#include <string.h>

#include "base/bytes.h"
#include "base/strbuf.h"

/* clang-format off */
const struct bench_shape bench_shapes[] = {
    {.name = "straight line", .what = "instructions", .count = 4000,
     .unit = "mad r@.xyzw, r0.xyzw, v0.xyzw, r@.wzyx\n"},
    {.name = "constants", .what = "instructions with literals", .count = 4000,
     .unit = "mad r@.xyzw, r0.xyzw, l(1.5, 0.333333, #.25, 7.0), v0.wzyx\n"},
    {.name = "temporaries", .what = "registers", .count = 1000,
     .declarations = "dcl_temps 4096\n",
     .unit = "mul r#.xyzw, v0.xyzw, v0.xyzw\n", .unit_end = "add r0.xyzw, r0.xyzw, r#.xyzw\n"},
    {.name = "webs", .what = "values of one register", .count = 4000,
     .unit = "mul r1.xyzw, v0.xyzw, v0.xyzw\nadd r0.xyzw, r0.xyzw, r1.xyzw\n"},
    {.name = "copies", .what = "moves in a chain", .count = 4000, .unit = "mov r1.xyzw, r2.yzwx\nmov r2.xyzw, r1.yzwx\n"},
    {.name = "masks", .what = "truth values in a chain", .count = 2000,
     .start = "lt r1.xyzw, v0.xyzw, v0.wzyx\n", .unit = "lt r2.x, v0.x, r0.x\nand r1.xyzw, r1.wxyz, r2.xxxx\n",
     .end = "and r0.xyzw, r1.xyzw, l(1.0, 1.0, 1.0, 1.0)\n"},
    {.name = "conditions", .what = "if in a row", .count = 2000,
     .unit = "if_nz r0.x\nadd r@.x, r@.x, l(1.0)\nelse\nadd r@.y, r0.y, l(1.0)\nendif\n"},
    {.name = "nests", .what = "nests of if", .count = 200,
     .unit = "if_nz r0.x\nif_nz r0.y\nif_nz r0.z\nif_nz r0.w\nif_nz r0.x\nif_nz r0.y\nif_nz r0.z\nif_nz r0.w\nadd r0.x, r0.y, l(1.0)\n"
             "endif\nendif\nendif\nendif\nendif\nendif\nendif\nendif\n"},
    {.name = "loops", .what = "loops in a row", .count = 1000,
     .unit = "loop\nige r1.x, r2.x, l(#)\nbreakc_nz r1.x\nadd r0.x, r0.x, l(1.0)\niadd r2.x, r2.x, l(1)\nendloop\n"},
    {.name = "breaks", .what = "breakc in one loop", .count = 2000,
     .start = "loop\n", .unit = "breakc_nz r0.x\nadd r@.xyzw, r0.yzwx, v0.xyzw\n", .end = "endloop\n"},
    {.name = "continues", .what = "continuec in one loop", .count = 2000,
     .start = "loop\nbreakc_nz r0.y\n", .unit = "continuec_nz r0.x\nadd r@.xyzw, r0.yzwx, v0.xyzw\n", .end = "endloop\n"},
    {.name = "wide breaks", .what = "breakc in one loop that writes as many registers", .count = 500,
     .declarations = "dcl_temps 4096\n", .start = "loop\n", .unit = "breakc_nz r0.x\nadd r#.xyzw, r0.yzwx, v0.xyzw\n",
     .end = "endloop\n", .unit_end = "add r0.xyzw, r0.xyzw, r#.xyzw\n"},
    {.name = "wide continues", .what = "continuec in one loop that writes as many registers", .count = 500,
     .declarations = "dcl_temps 4096\n", .start = "loop\nbreakc_nz r0.y\n",
     .unit = "continuec_nz r0.x\nadd r#.xyzw, r#.yzwx, v0.xyzw\n", .end = "endloop\n"},
    {.name = "returns", .what = "retc", .count = 2000, .unit = "add r0.xyzw, r0.wxyz, v0.xyzw\nretc_nz r0.x\n"},
    {.name = "switch", .what = "cases", .count = 240, .start = "switch r0.x\n",
     .unit = "case l(#)\nadd r@.x, r@.x, l(1.0)\nbreak\n", .end = "default\nbreak\nendswitch\n"},
    {.name = "fall through", .what = "cases that fall through", .count = 200, .start = "switch r0.x\n",
     .unit = "case l(#)\nadd r@.x, r@.x, l(1.0)\n", .end = "break\ndefault\nbreak\nendswitch\n"},
    {.name = "switches", .what = "switches in a row", .count = 500,
     .unit = "switch r0.x\ncase l(1)\nadd r@.x, r@.x, l(1.0)\nbreak\ncase l(2)\nadd r@.y, r0.x, l(1.0)\nbreak\ndefault\nbreak\nendswitch\n"},
    {.name = "calls", .what = "calls of one subroutine", .count = 1000, .unit = "call l0\n",
     .unit_end = "", .end = "mov o0.xyzw, r0.xyzw\nret\nlabel l0\nadd r0.xyzw, r0.wxyz, v0.xyzw\nretc_nz r0.x\nadd r0.x, r0.y, r0.z\n"},
    {.name = "subroutines", .what = "subroutines", .count = 500, .unit = "call l#\n",
     .end = "mov o0.xyzw, r0.xyzw\nret\n", .unit_end = "label l#\nadd r0.xyzw, r0.wxyz, v0.xyzw\nret\n"},
    {.name = "immediate constants", .what = "rows of the constant buffer", .count = 1000,
     .declarations = "dcl_immediateConstantBuffer { { 1, 2, 3, 4}", .unit_declaration = ",\n{ #, 0, 1.5, 0.25}",
     .unit = "", .start = " }\n", .end = "mov r0.xyzw, icb[r0.x + 0].xyzw\n"},
    {.name = "arrays", .what = "stores to indexable temporaries", .count = 2000,
     .declarations = "dcl_indexableTemp x0[64], 4\n", .unit = "mov x0[r0.x + @].xyzw, r@.xyzw\nadd r0.xyzw, r0.xyzw, x0[@].xyzw\n"},
    {.name = "textures", .what = "samples of 16 textures", .count = 2000,
     .declarations = "dcl_sampler s0, mode_default\n"
         "dcl_resource_texture2d (float,float,float,float) t0\ndcl_resource_texture2d (float,float,float,float) t1\n"
         "dcl_resource_texture2d (float,float,float,float) t2\ndcl_resource_texture2d (float,float,float,float) t3\n"
         "dcl_resource_texture2d (float,float,float,float) t4\ndcl_resource_texture2d (float,float,float,float) t5\n"
         "dcl_resource_texture2d (float,float,float,float) t6\ndcl_resource_texture2d (float,float,float,float) t7\n"
         "dcl_resource_texture2d (float,float,float,float) t8\ndcl_resource_texture2d (float,float,float,float) t9\n"
         "dcl_resource_texture2d (float,float,float,float) t10\ndcl_resource_texture2d (float,float,float,float) t11\n"
         "dcl_resource_texture2d (float,float,float,float) t12\ndcl_resource_texture2d (float,float,float,float) t13\n"
         "dcl_resource_texture2d (float,float,float,float) t14\ndcl_resource_texture2d (float,float,float,float) t15\n",
     .unit = "sample r1.xyzw, r0.xyxx, t@.xyzw, s0\nadd r0.xyzw, r0.xyzw, r1.xyzw\n"},
    {.name = "barriers", .what = "conditions around barriers", .count = 500, .profile = "cs_5_0",
     .unit = "if_nz r0.x\nsync_g_t\nadd r@.x, r@.x, l(1.0)\nendif\n"},
    {.name = "shared memory", .what = "atomics in loops", .count = 500, .profile = "cs_5_0",
     .unit = "loop\natomic_iadd g0, r0.x, r1.x\nsync_g_t\nld_raw r1.x, r0.x, g0.x\nbreakc_nz r1.x\nendloop\n"},
};
/* clang-format on */

const size_t bench_shape_count = AG_COUNT_OF(bench_shapes);

static void append_unit(struct ag_strbuf *text, const char *unit, unsigned number)
{
    for (const char *c = unit; c != NULL && *c != '\0'; c++) {
        if (*c == '#')
            ag_strbuf_printf(text, "%u", number);
        else if (*c == '@')
            ag_strbuf_printf(text, "%u", number % 16);
        else
            ag_strbuf_append_char(text, *c);
    }
}

static void append_units(struct ag_strbuf *text, const char *unit, unsigned units)
{
    for (unsigned i = 0; unit != NULL && i < units; i++)
        append_unit(text, unit, i);
}

static void append_maybe(struct ag_strbuf *text, const char *part)
{
    if (part != NULL)
        ag_strbuf_append(text, part);
}

static void append_program(struct ag_strbuf *text, const struct bench_shape *shape, unsigned units)
{
    const bool compute = shape->profile != NULL;
    const bool temps = shape->declarations != NULL && strstr(shape->declarations, "dcl_temps") != NULL;
    const bool returns = shape->end != NULL && strstr(shape->end, "ret\n") != NULL;
    ag_strbuf_append(text, compute ? "cs_5_0\n"
                                   : "ps_5_0\n.in TEXCOORD0 v0.xyzw float\n.out SV_Target0 o0.xyzw float\n");
    ag_strbuf_append(text, "dcl_globalFlags refactoringAllowed\n");
    if (compute)
        ag_strbuf_append(
            text, "dcl_uav_raw u0\ndcl_input vThreadID.x\ndcl_tgsm_raw g0, 256\ndcl_thread_group 8, 1, 1\n");
    else
        ag_strbuf_append(text, "dcl_input_ps linear v0.xyzw\ndcl_output o0.xyzw\n");
    if (!temps)
        ag_strbuf_append(text, "dcl_temps 16\n");
    append_maybe(text, shape->declarations);
    append_units(text, shape->unit_declaration, units);
    append_maybe(text, shape->unit_declaration != NULL ? shape->start : NULL);
    ag_strbuf_append(text, compute ? "mov r0.xyzw, vThreadID.xxxx\n" : "mov r0.xyzw, v0.xyzw\n");
    append_maybe(text, shape->unit_declaration == NULL ? shape->start : NULL);
    append_units(text, shape->unit, units);
    append_maybe(text, shape->end);
    append_units(text, shape->unit_end, units);
    if (returns)
        append_maybe(text, shape->unit_end != NULL && shape->unit_end[0] != '\0' ? NULL : "ret\n");
    else
        ag_strbuf_append(text,
                         compute ? "store_raw u0.xyzw, l(0), r0.xyzw\nret\n" : "mov o0.xyzw, r0.xyzw\nret\n");
}

struct agpu_shader *bench_shape_shader(const struct bench_shape *shape, unsigned units)
{
    struct ag_strbuf text = {0};
    struct agpu_shader *shader = NULL;
    uint8_t *bytes = NULL;
    size_t size = 0;
    append_program(&text, shape, units);
    if (!text.failed && agpu_assemble(text.data, text.length, NULL, &bytes, &size) == AGPU_OK &&
        agpu_shader_parse(bytes, size, AGPU_PARSE_DEFAULT, NULL, &shader) != AGPU_OK)
        shader = NULL;
    agpu_free(bytes);
    ag_strbuf_fini(&text);
    return shader;
}
