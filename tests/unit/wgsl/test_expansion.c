/* SPDX-License-Identifier: MIT
 *
 * What vertex, geometry, hull and domain shaders write as compute passes, on a driver. Usage: test_expansion
 * driver
 *
 * A record has as many registers as the shader declares; every expected word follows from the listing and
 * from the layouts that aerogpu/translate.h promises. What nobody writes keeps its old value, UNTOUCHED.
 */
#include "module_text.h"

#include "base/bytes.h"
#include "compute_run.h"
#include "wgsl/binding.h"
#include "wgsl/expansion.h"
#include "wgsl/options.h"

#define UNTOUCHED 0xaaaaaaaau
#define ONE 0x3f800000u
#define TWO 0x40000000u
#define HALF 0x3f000000u

static struct agpu_gpu *gpu;
static struct diag_log gpu_log;

struct words {
    const uint32_t *at;
    size_t count;
};
#define WORDS(array)                                                                                         \
    {                                                                                                        \
        array, AG_COUNT_OF(array)                                                                            \
    }

struct expand_case {
    const char *text;
    struct ag_translate_options options;
    struct words list; /* of primitives, vertices or points: header and entries */
    struct words inputs;
    struct words points;  /* hull: what the control points are already */
    struct words patches; /* domain: the patch constants */
};

struct expand_result {
    uint32_t outputs[256], emits[64], patches[64], factors[32];
};

static void fill(uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        words[i] = UNTOUCHED;
}

/* What a module only reads; four words where a case has nothing. */
static struct compute_buffer given(uint32_t binding, struct words in)
{
    return (struct compute_buffer){
        .group = AG_GROUP_INTERNAL, .binding = binding, .in = in.at, .words = in.at == NULL ? 4 : in.count};
}

static struct compute_buffer written(uint32_t binding, uint32_t *words, size_t count)
{
    return (struct compute_buffer){
        .group = AG_GROUP_INTERNAL, .binding = binding, .in = words, .out = words, .words = count};
}

static void run(const struct expand_case *c, struct expand_result *result)
{
    struct agpu_module *module = translate(c->text, &c->options);
    fill(result->outputs, AG_COUNT_OF(result->outputs));
    fill(result->emits, AG_COUNT_OF(result->emits));
    fill(result->patches, AG_COUNT_OF(result->patches));
    fill(result->factors, AG_COUNT_OF(result->factors));
    const bool is_patch = module->flavour == AGPU_FLAVOUR_HULL_PATCH;
    const bool is_domain = module->flavour == AGPU_FLAVOUR_DOMAIN;
    const uint32_t list = module->flavour == AGPU_FLAVOUR_VERTEX_AS_COMPUTE ? AG_EXPAND_VERTICES
                          : is_domain                                       ? AG_EXPAND_POINTS
                                                                            : AG_EXPAND_PRIMITIVES;
    const struct compute_buffer buffers[] = {
        given(list, c->list),
        given(AG_EXPAND_INPUTS, c->inputs),
        is_patch ? given(AG_EXPAND_OUTPUTS, c->points)
                 : written(AG_EXPAND_OUTPUTS, result->outputs, AG_COUNT_OF(result->outputs)),
        written(AG_EXPAND_EMITS, result->emits, AG_COUNT_OF(result->emits)),
        is_domain ? given(AG_EXPAND_PATCHES, c->patches)
                  : written(AG_EXPAND_PATCHES, result->patches, AG_COUNT_OF(result->patches)),
        written(AG_EXPAND_FACTORS, result->factors, AG_COUNT_OF(result->factors)),
    };
    compute_dispatch(gpu, module, buffers, AG_COUNT_OF(buffers), 1);
    agpu_module_destroy(module);
}

/* As many words as are expected, and nothing behind them. */
static void assert_words(const uint32_t *words, const uint32_t *expected, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (words[i] != expected[i])
            print_error("word %zu is 0x%08x, not 0x%08x\n", i, words[i], expected[i]);
    assert_memory_equal(words, expected, count * sizeof words[0]);
    assert_int_equal(words[count], UNTOUCHED);
}

#define EXPECT(words, ...)                                                                                   \
    do {                                                                                                     \
        static const uint32_t expected[] = {__VA_ARGS__};                                                    \
        assert_words(words, expected, AG_COUNT_OF(expected));                                                \
    } while (0)

/* ---- Vertex ------------------------------------------------------------------------------------------- */

static void vertices_become_records(void **state)
{
    static const uint32_t list[] = {2, 0, 0, 0, 7, 3, 9, 4, 11, 5};
    static const uint32_t inputs[] = {1, 2, 3, 4, 0, 0, 0, 0, 0x7fa00001, 6, 7, 8, 0, 0, 0, 0};
    const struct expand_case c = {
        .text = "vs_4_0\n.in POSITION0 v0.xyzw float\n.in ID0 v1.x uint vertex_id\n.in ID1 v1.y uint "
                "instance_id\n"
                ".out SV_Position0 o0.xyzw float position\n.out A0 o2.xz uint\n"
                "dcl_input v0.xyzw\ndcl_input_sgv v1.x, vertex_id\ndcl_input_sgv v1.y, instance_id\n"
                "dcl_output_siv o0.xyzw, position\ndcl_output o2.xz\n"
                "mov o0.xyzw, v0.wzyx\nmov o2.x, v1.x\nmov o2.z, v1.y\nret\n",
        .options = {.flavour = AGPU_FLAVOUR_VERTEX_AS_COMPUTE},
        .list = WORDS(list),
        .inputs = WORDS(inputs),
    };
    struct expand_result result;
    (void)state;
    run(&c, &result);
    EXPECT(result.outputs, 4, 3, 2, 1, 0, 0, 0, 0, 7, 0, 3, 0, /* record 0: o0, o1, o2 */
           8, 7, 6, 0x7fa00001, 0, 0, 0, 0, 9, 0, 4, 0);
}

static void inputs_past_the_record_read_0(void **state)
{
    static const uint32_t list[] = {1, 0, 0, 0, 7, 3};
    static const uint32_t inputs[] = {1, 2, 3, 4};
    const struct expand_case c = {
        .text = "vs_4_0\n.in A0 v0.xyzw float\n.in B0 v1.xyzw float\n.out A0 o0.xyzw float\n.out B0 o1.xyzw "
                "float\n"
                "dcl_input v0.xyzw\ndcl_input v1.xyzw\ndcl_output o0.xyzw\ndcl_output o1.xyzw\n"
                "mov o0.xyzw, v1.xyzw\nmov o1.xyzw, v0.xyzw\nret\n",
        .options = {.flavour = AGPU_FLAVOUR_VERTEX_AS_COMPUTE, .input_registers = 1},
        .list = WORDS(list),
        .inputs = WORDS(inputs),
    };
    struct expand_result result;
    (void)state;
    run(&c, &result);
    EXPECT(result.outputs, 0, 0, 0, 0, 1, 2, 3, 4);
}

/* ---- Geometry ----------------------------------------------------------------------------------------- */

/* Two primitives of two vertices, whose records are 2, 0 and 1, 2; ids 10 and 11. */
static const uint32_t lines[] = {2, 0, 0, 0, 10, 2, 0, 11, 1, 2};
static const uint32_t line_inputs[] = {100, 101, 102, 103, 110, 111, 112, 113, 120, 121, 122, 123};

#define LINE_GS                                                                                              \
    "gs_5_0\n.in A0 v0.xyzw uint\n.out A0 o0.xyzw uint\ndcl_input v[2][0].xyzw\ndcl_input vPrim\n"           \
    "dcl_input vGSInstanceID\ndcl_temps 2\n"

/* The first vertex; then one with only z new: the others keep what they had (decision D13). */
static void emits_keep_outputs_and_cuts_begin_strips(void **state)
{
    const struct expand_case c = {
        .text =
            LINE_GS "dcl_gsinstances 2\ndcl_inputprimitive line\ndcl_stream m0\n"
                    "dcl_outputtopology linestrip\ndcl_output o0.xyzw\ndcl_maxout 4\n"
                    "mov o0.x, vPrim\nmov o0.y, vGSInstanceID.x\nmov o0.zw, v[0][0].xxxy\nemit_stream m0\n"
                    "mov o0.z, v[1][0].z\nemit_then_cut_stream m0\nmov o0.z, l(5)\nemit_stream m0\nret\n",
        .list = WORDS(lines),
        .inputs = WORDS(line_inputs),
    };
    struct expand_result result;
    (void)state;
    run(&c, &result);
    EXPECT(result.emits, 3, 1, 3, 0, 3, 1, 3, 0, 3, 1, 3, 0, 3, 1, 3, 0);
    EXPECT(result.outputs, 10, 0, 120, 121, 10, 0, 102, 121, 10, 0, 5, 121, UNTOUCHED, UNTOUCHED, UNTOUCHED,
           UNTOUCHED, 10, 1, 120, 121, 10, 1, 102, 121, 10, 1, 5, 121, UNTOUCHED, UNTOUCHED, UNTOUCHED,
           UNTOUCHED, 11, 0, 110, 111, 11, 0, 122, 111, 11, 0, 5, 111, UNTOUCHED, UNTOUCHED, UNTOUCHED,
           UNTOUCHED, 11, 1, 110, 111, 11, 1, 122, 111, 11, 1, 5, 111);
}

/* A loop that emits for ever ends with the invocation; the loop reads vertices by a computed index. */
static void the_declared_number_of_vertices_is_the_last(void **state)
{
    const struct expand_case c = {
        .text = LINE_GS "dcl_inputprimitive line\ndcl_stream m0\ndcl_outputtopology pointlist\n"
                        "dcl_output o0.xyzw\ndcl_maxout 3\n"
                        "mov r0.x, l(0)\nloop\nmov o0.xyzw, v[r0.x + 0][0].xyzw\nemit_stream m0\n"
                        "iadd r0.x, r0.x, l(1)\nendloop\nret\n",
        .list = WORDS(lines),
        .inputs = WORDS(line_inputs),
    };
    struct expand_result result;
    (void)state;
    run(&c, &result);
    EXPECT(result.emits, 3, 1, 1, 3, 1, 1);
    EXPECT(result.outputs, 120, 121, 122, 123, 100, 101, 102, 103, 0, 0, 0, 0, /* there is no vertex 2 */
           110, 111, 112, 113, 120, 121, 122, 123, 0, 0, 0, 0);
}

/* A subroutine emits, under a condition that differs between the primitives, and one leaves early. */
static void subroutines_emit_where_control_goes(void **state)
{
    const struct expand_case c = {
        .text = LINE_GS
        "dcl_inputprimitive line\ndcl_stream m0\ndcl_outputtopology pointlist\n"
        "dcl_output o0.xyzw\ndcl_maxout 3\n"
        "ieq r0.x, vPrim, l(11)\nmov o0.xyzw, l(1, 2, 3, 4)\nmov r0.y, l(7)\nif_nz r0.x\ncall l1\nret\n"
        "endif\nmov r0.y, l(8)\ncall l1\ncallc_z r0.x, l1\nret\n"
        "label l1\nmov o0.x, r0.y\nemit_stream m0\niadd r0.y, r0.y, l(10)\nret\n",
        .list = WORDS(lines),
        .inputs = WORDS(line_inputs),
    };
    struct expand_result result;
    (void)state;
    run(&c, &result);
    EXPECT(result.emits, 3, 1, 0, 3, 0);
    EXPECT(result.outputs, 8, 2, 3, 4, 18, 2, 3, 4, UNTOUCHED, UNTOUCHED, UNTOUCHED, UNTOUCHED, 7, 2, 3, 4);
}

/* Streams share o0; a record is as long as the longest, and a stream's strips are its own. */
static void streams_have_components_of_their_own(void **state)
{
    static const uint32_t list[] = {1, 0, 0, 0, 10, 0, 0};
    const struct expand_case c = {
        .text = LINE_GS
        "dcl_inputprimitive line\ndcl_stream m0\ndcl_outputtopology pointlist\ndcl_output o0.xyzw\n"
        "dcl_stream m3\ndcl_outputtopology pointlist\ndcl_output o0.y\ndcl_output o1.x\ndcl_maxout 4\n"
        "mov o0.xyzw, l(1, 2, 3, 4)\nmov o1.x, l(5)\nemit_stream m3\nemit_stream m0\n"
        "cut_stream m3\nemit_stream m0\nemit_stream m3\nret\n",
        .list = WORDS(list),
    };
    struct expand_result result;
    (void)state;
    run(&c, &result);
    EXPECT(result.emits, 15, 3, 1, 15);
    EXPECT(result.outputs, 0, 2, 0, 0, 5, 0, 0, 0, 1, 2, 3, 4, 0, 0, 0, 0, 1, 2, 3, 4, 0, 0, 0, 0, 0, 2, 0, 0,
           5, 0, 0, 0);
}

/* Patches are primitives too, and v[n][r] takes two computed indices. */
static void geometry_shaders_read_patches(void **state)
{
    static const uint32_t list[] = {1, 0, 0, 0, 4, 0, 1, 2, 0, 1, 2, 1};
    static const uint32_t inputs[] = {10, 0, 0, 0, 11, 0, 0, 0, 20, 0, 0, 0,
                                      21, 0, 0, 0, 30, 0, 0, 0, 31, 0, 0, 0};
    const struct expand_case c = {
        .text = "gs_5_0\n.in A0 v0.xyzw uint\n.in B0 v1.xyzw uint\n.out A0 o0.xyzw uint\n"
                "dcl_input v[7][0].xyzw\ndcl_input v[7][1].xyzw\ndcl_input vPrim\ndcl_temps 1\n"
                "dcl_indexrange v[7][0].xyzw 2\ndcl_inputprimitive patch7\ndcl_stream m0\n"
                "dcl_outputtopology pointlist\ndcl_output o0.xyzw\ndcl_maxout 1\n"
                "mov r0.x, vPrim\nmov r0.y, l(1)\nmov o0.x, v[6][0].x\nmov o0.y, v[r0.x + 1][r0.y + 0].x\n"
                "mov o0.z, v[2][r0.y + 1].x\nmov o0.w, v[r0.x + 0][1].x\nemit_stream m0\nret\n",
        .list = WORDS(list),
        .inputs = WORDS(inputs),
    };
    struct expand_result result;
    (void)state;
    run(&c, &result);
    EXPECT(result.emits, 3);
    EXPECT(result.outputs, 20, 31, 0, 21);
}

/* ---- Hull --------------------------------------------------------------------------------------------- */

/* Two patches of three points: records 0, 1, 2 and 2, 2, 1; ids 20 and 21. */
static const uint32_t patches[] = {2, 0, 0, 0, 20, 0, 1, 2, 21, 2, 2, 1};

#define TRIANGLE_HS(points)                                                                                  \
    "hs_5_0\n.in A0 v0.xyzw uint\n.out A0 o0.xyzw uint\n"                                                    \
    ".patch SV_TessFactor0 o0.x float tri_edge_tess_factor\n.patch SV_TessFactor1 o1.x float "               \
    "tri_edge_tess_factor\n.patch SV_TessFactor2 o2.x float tri_edge_tess_factor\n.patch "                   \
    "SV_InsideTessFactor0 o3.x float tri_inside_tess_factor\n.patch K0 o4.y uint\n"                          \
    "hs_decls\ndcl_input_control_point_count 3\ndcl_output_control_point_count " points "\n"                 \
    "dcl_tessellator_domain domain_tri\ndcl_tessellator_partitioning partitioning_integer\n"                 \
    "dcl_tessellator_output_primitive output_triangle_cw\n"

#define CONTROL_POINT_PHASE                                                                                  \
    "hs_control_point_phase\ndcl_input v[3][0].xyzw\ndcl_input vOutputControlPointID\ndcl_input vPrim\n"     \
    "dcl_output o0.xyzw\ndcl_temps 1\nmov r0.x, vOutputControlPointID\nmov o0.x, vPrim\nmov o0.y, r0.x\n"    \
    "mov o0.z, v[r0.x + 1][0].x\nmov o0.w, v[0][0].y\nret\n"

/* Edges from two instances and a plain phase, the inside from a join that reads them. */
#define OTHER_PHASES                                                                                         \
    "hs_fork_phase\ndcl_hs_fork_phase_instance_count 2\ndcl_input vForkInstanceID\n"                         \
    "dcl_output_siv o0.x, finalTriUeq0EdgeTessFactor\ndcl_output_siv o1.x, finalTriVeq0EdgeTessFactor\n"     \
    "dcl_temps 1\ndcl_indexrange o0.x 2\nmov r0.x, vForkInstanceID.x\niadd r0.y, r0.x, l(1)\n"               \
    "utof o[r0.x + 0].x, r0.y\nret\n"                                                                        \
    "hs_fork_phase\ndcl_input vocp[3][0].xyzw\ndcl_input vicp[3][0].xyzw\n"                                  \
    "dcl_output_siv o2.x, finalTriWeq0EdgeTessFactor\ndcl_output o4.y\ndcl_temps 1\n"                        \
    "mov r0.x, l(2)\nmov o2.x, l(0.5)\niadd o4.y, vocp[r0.x + 0][0].y, vicp[1][0].x\nret\n"                  \
    "hs_join_phase\ndcl_input vpc1.x\ndcl_input vpc2.x\ndcl_input vPrim\n"                                   \
    "dcl_output_siv o3.x, finalTriInsideTessFactor\ndcl_temps 1\nieq r0.x, vPrim, l(21)\n"                   \
    "if_nz r0.x\nmov o3.x, l(2.0)\nret\nendif\nmul o3.x, vpc1.x, vpc2.x\nret\n"

static void control_points_are_made_one_by_one(void **state)
{
    const struct expand_case c = {
        .text = TRIANGLE_HS("2") CONTROL_POINT_PHASE OTHER_PHASES,
        .options = {.flavour = AGPU_FLAVOUR_HULL_POINTS},
        .list = WORDS(patches),
        .inputs = WORDS(line_inputs),
    };
    struct expand_result result;
    (void)state;
    run(&c, &result);
    EXPECT(result.outputs, 20, 0, 110, 101, 20, 1, 120, 101, 21, 0, 120, 121, 21, 1, 110, 121);
}

static void control_points_without_a_phase_are_copies(void **state)
{
    const struct expand_case c = {
        .text = TRIANGLE_HS("3") OTHER_PHASES,
        .options = {.flavour = AGPU_FLAVOUR_HULL_POINTS},
        .list = WORDS(patches),
        .inputs = WORDS(line_inputs),
    };
    struct expand_result result;
    (void)state;
    run(&c, &result);
    EXPECT(result.outputs, 100, 101, 102, 103, 110, 111, 112, 113, 120, 121, 122, 123, 120, 121, 122, 123,
           120, 121, 122, 123, 110, 111, 112, 113);
}

static void phases_make_constants_and_factors(void **state)
{
    static const uint32_t points[] = {0, 1, 0, 0, 0, 2, 0, 0, 0, 1000, 0, 0,
                                      0, 3, 0, 0, 0, 4, 0, 0, 0, 2000, 0, 0};
    const struct expand_case c = {
        .text = TRIANGLE_HS("3") OTHER_PHASES,
        .options = {.flavour = AGPU_FLAVOUR_HULL_PATCH},
        .list = WORDS(patches),
        .inputs = WORDS(line_inputs),
        .points = WORDS(points),
    };
    struct expand_result result;
    (void)state;
    run(&c, &result);
    EXPECT(result.factors, ONE, TWO, HALF, 0, ONE, 0, 0, 0, ONE, TWO, HALF, 0, TWO, 0, 0, 0);
    EXPECT(result.patches, ONE, 0, 0, 0, TWO, 0, 0, 0, HALF, 0, 0, 0, ONE, 0, 0, 0, 0, 1110, 0,
           0, /* patch 0 */
           ONE, 0, 0, 0, TWO, 0, 0, 0, HALF, 0, 0, 0, TWO, 0, 0, 0, 0, 2120, 0, 0);
}

/* D3D's order for lines is density, then detail; for quads inside factors follow four edges. */
static void factors_are_in_order(void **state)
{
    const struct expand_case line = {
        .text = "hs_5_0\n.in A0 v0.xyzw uint\n.out A0 o0.xyzw uint\n"
                ".patch SV_TessFactor0 o0.x float line_density_tess_factor\n"
                ".patch SV_TessFactor1 o1.x float line_detail_tess_factor\n"
                "hs_decls\ndcl_input_control_point_count 3\ndcl_output_control_point_count 3\n"
                "dcl_tessellator_domain domain_isoline\ndcl_tessellator_partitioning partitioning_integer\n"
                "dcl_tessellator_output_primitive output_line\nhs_fork_phase\n"
                "dcl_output_siv o0.x, finalLineDensityTessFactor\nmov o0.x, l(1.0)\nret\nhs_fork_phase\n"
                "dcl_output_siv o1.x, finalLineDetailTessFactor\nmov o1.x, l(2.0)\nret\n",
        .list = WORDS(patches),
    };
    const struct expand_case quad = {
        .text = "hs_5_0\n.in A0 v0.xyzw uint\n.out A0 o0.xyzw uint\n"
                "hs_decls\ndcl_input_control_point_count 3\ndcl_output_control_point_count 3\n"
                "dcl_tessellator_domain domain_quad\ndcl_tessellator_partitioning partitioning_integer\n"
                "dcl_tessellator_output_primitive output_triangle_cw\nhs_fork_phase\n"
                "dcl_output_siv o0.x, finalQuadUeq0EdgeTessFactor\ndcl_output_siv o1.x, "
                "finalQuadVeq0EdgeTessFactor\n"
                "dcl_output_siv o2.x, finalQuadUeq1EdgeTessFactor\ndcl_output_siv o3.x, "
                "finalQuadVeq1EdgeTessFactor\n"
                "dcl_output_siv o4.x, finalQuadUInsideTessFactor\ndcl_output_siv o5.x, "
                "finalQuadVInsideTessFactor\n"
                "mov o0.x, l(1)\nmov o1.x, l(2)\nmov o2.x, l(3)\nmov o3.x, l(4)\nmov o4.x, l(5)\nmov o5.x, "
                "l(6)\nret\n",
        .list = WORDS(patches),
    };
    struct expand_result result;
    (void)state;
    run(&line, &result);
    EXPECT(result.factors, ONE, TWO, 0, 0, 0, 0, 0, 0, ONE, TWO, 0, 0, 0, 0, 0, 0);
    run(&quad, &result);
    EXPECT(result.factors, 1, 2, 3, 4, 5, 6, 0, 0, 1, 2, 3, 4, 5, 6, 0, 0);
}

/* ---- Domain ------------------------------------------------------------------------------------------- */

static void domain_points_become_records(void **state)
{
    static const uint32_t list[] = {2, 0, 0, 0, HALF, 0x3e800000, 1, 31, 0, ONE, 0, 30};
    static const uint32_t inputs[] = {10, 0, 0, 0, 20, 0, 0, 0, 30, 0, 0, 0, 40, 0, 0, 0};
    static const uint32_t constants[] = {1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0};
    const struct expand_case c = {
        .text =
            "ds_5_0\n.in A0 v0.xyzw uint\n.out SV_Position0 o0.xyzw float position\n.out B0 o1.xyzw uint\n"
            ".patch K0 vpc0.x uint\n.patch K1 vpc1.x uint\n"
            "dcl_input_control_point_count 2\ndcl_tessellator_domain domain_tri\n"
            "dcl_input vDomain.xyz\ndcl_input vPrim\ndcl_input vicp[2][0].xyzw\ndcl_input vpc0.x\n"
            "dcl_input vpc1.x\ndcl_output_siv o0.xyzw, position\ndcl_output o1.xyzw\ndcl_temps 1\n"
            "dcl_indexrange vpc0.x 2\n"
            "mov o0.xyzw, vDomain.xyzx\nmov r0.x, l(1)\nmov o1.x, vPrim\nmov o1.y, vicp[r0.x + 0][0].x\n"
            "mov o1.z, vpc[r0.x + 0].x\niadd o1.w, vpc0.x, vicp[0][0].x\nret\n",
        .list = WORDS(list),
        .inputs = WORDS(inputs),
        .patches = WORDS(constants),
    };
    struct expand_result result;
    (void)state;
    run(&c, &result);
    EXPECT(result.outputs, HALF, 0x3e800000, 0x3e800000, HALF, 31, 40, 4, 33, 0, ONE, 0, 0, 30, 20, 2, 11);
}

int main(int argc, char **argv)
{
    const int opened = compute_open(argc, argv, &gpu_log, &gpu);
    if (opened != 0)
        return opened;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vertices_become_records),
        cmocka_unit_test(inputs_past_the_record_read_0),
        cmocka_unit_test(emits_keep_outputs_and_cuts_begin_strips),
        cmocka_unit_test(the_declared_number_of_vertices_is_the_last),
        cmocka_unit_test(subroutines_emit_where_control_goes),
        cmocka_unit_test(streams_have_components_of_their_own),
        cmocka_unit_test(geometry_shaders_read_patches),
        cmocka_unit_test(control_points_are_made_one_by_one),
        cmocka_unit_test(control_points_without_a_phase_are_copies),
        cmocka_unit_test(phases_make_constants_and_factors),
        cmocka_unit_test(factors_are_in_order),
        cmocka_unit_test(domain_points_become_records),
    };
    const int failed = cmocka_run_group_tests_name("wgsl/expansion", tests, NULL, NULL);
    agpu_gpu_destroy(gpu);
    return failed;
}
