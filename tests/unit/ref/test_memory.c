/* SPDX-License-Identifier: MIT
 *
 * Constant buffers, indexable temporaries, buffers, atomics, shared memory, groups.
 */
#include <stdio.h>

#include "harness.h"

/* ---- Constants and registers -------------------------------------------------------------------------- */

static uint32_t run_vertex(const char *declarations, const char *body, const struct ag_ref_bindings *bindings,
                           uint32_t output[4])
{
    char listing[4096];
    struct harness harness;
    struct ag_ref_invocation vertex = {0};
    snprintf(listing, sizeof listing, "vs_5_0\n%s\ndcl_output o0.xyzw\ndcl_temps 4\n%s\nret\n", declarations,
             body);
    harness_open(&harness, listing);
    assert_int_equal(ag_ref_run_vertex(harness.program, bindings, NULL, &harness.sink, &vertex), AGPU_OK);
    harness_close(&harness);
    memcpy(output, vertex.output[0], sizeof vertex.output[0]);
    return output[0];
}

static void assert_vector(const uint32_t found[4], uint32_t x, uint32_t y, uint32_t z, uint32_t w)
{
    const uint32_t expected[4] = {x, y, z, w};
    assert_memory_equal(found, expected, sizeof expected);
}

/* What lies beyond the bound range reads 0, component by component. */
static void test_constant_buffers(void **state)
{
    (void)state;
    uint32_t words[6] = {10, 11, 12, 13, 14, 15}, output[4];
    const struct ag_ref_constant_buffer buffers[2] = {
        {.data = NULL         },
        { .data = words, .size = sizeof words}
    };
    const struct ag_ref_bindings bindings = {.constant_buffers = buffers, .constant_buffer_count = 2};
    const char *declarations = "dcl_constantbuffer CB0[4], immediateIndexed\ndcl_constantbuffer CB1[4], "
                               "dynamicIndexed\ndcl_constantbuffer CB2[4], immediateIndexed";
    run_vertex(declarations, "mov o0.xyzw, cb1[0].wzyx", &bindings, output);
    assert_vector(output, 13, 12, 11, 10);
    run_vertex(declarations, "mov o0.xyzw, cb1[1].xyzw", &bindings, output);
    assert_vector(output, 14, 15, 0, 0);
    run_vertex(declarations, "mov r0.x, l(-1)\nmov o0.xyzw, cb1[r0.x + 1].xyzw", &bindings, output);
    assert_vector(output, 10, 11, 12, 13);
    run_vertex(declarations, "mov r0.x, l(0x10000000)\nmov o0.xyzw, cb1[r0.x + 0].xyzw", &bindings, output);
    assert_vector(output, 0, 0, 0, 0);
    run_vertex(declarations, "mov o0.xy, cb0[0].xyxx\nmov o0.zw, cb2[0].xxxy", &bindings, output);
    assert_vector(output, 0, 0, 0, 0);
}

static void test_immediate_constant_buffer(void **state)
{
    (void)state;
    uint32_t output[4];
    const char *declarations = "dcl_immediateConstantBuffer { {1, 2, 3, 4}, {5, 6, 7, 0x7fa00000} }";
    run_vertex(declarations, "mov r0.x, l(1)\nmov o0.xyzw, icb[r0.x + 0].xyzw", NULL, output);
    assert_vector(output, 5, 6, 7, 0x7fa00000);
    run_vertex(declarations, "mov r0.x, l(2)\nmov o0.xyzw, icb[r0.x + 0].xyzw", NULL, output);
    assert_vector(output, 0, 0, 0, 0);
}

/* D5: out of range reads give 0, writes vanish; never-written registers are 0. */
static void test_indexable_temps(void **state)
{
    (void)state;
    uint32_t output[4];
    const char *declarations = "dcl_indexableTemp x0[4], 4\ndcl_indexableTemp x1[2], 4";
    static const uint32_t outside[] = {4, 7, 0xffffffff};
    for (size_t i = 0; i < 3; i++) {
        char body[256];
        snprintf(body, sizeof body,
                 "mov x0[3].xyzw, l(1, 2, 3, 4)\nmov x1[0].xyzw, l(9, 9, 9, 9)\nmov r0.x, l(0x%x)\n"
                 "mov o0.xyzw, x0[r0.x + 0].xyzw",
                 outside[i]);
        run_vertex(declarations, body, NULL, output);
        assert_vector(output, 0, 0, 0, 0);
    }
    run_vertex(declarations,
               "mov x0[3].xyzw, l(1, 2, 3, 4)\nmov r0.x, l(9)\nmov x0[r0.x + 0].xyzw, l(7, 7, 7, 7)\n"
               "mov r2.x, l(-1)\nmov x0[r2.x + 4].y, l(0)\nmov r1.x, l(2)\niadd o0.xyzw, x0[r1.x + 1].xyzw, "
               "x0[0].xyzw",
               NULL, output);
    assert_vector(output, 1, 0, 3, 4);
    run_vertex(declarations, "mov r0.x, l(4)\nmov x0[r0.x + 0].xyzw, l(5, 5, 5, 5)\nmov o0.xyzw, x1[0].xyzw",
               NULL, output);
    assert_vector(output, 0, 0, 0, 0);
}

/* ---- Buffers ------------------------------------------------------------------------------------------ */

static void test_raw_loads(void **state)
{
    (void)state;
    uint32_t words[3] = {100, 101, 102}, output[4];
    const struct ag_ref_view views[1] = {
        {.dimension = AGPU_DIMENSION_RAW_BUFFER, .data = words, .size = sizeof words}
    };
    const struct ag_ref_bindings bindings = {.resources = views, .resource_count = 1};
    run_vertex("dcl_resource_raw t0", "ld_raw o0.xyzw, l(4), t0.xyzw", &bindings, output);
    assert_vector(output, 101, 102, 0, 0);
    run_vertex("dcl_resource_raw t0", "ld_raw o0.xyzw, l(7), t0.yxwz", &bindings, output);
    assert_vector(output, 102, 101, 0, 0);
    run_vertex("dcl_resource_raw t0", "ld_raw o0.xyzw, l(-4), t0.xyzw", &bindings, output);
    assert_vector(output, 0, 0, 0, 0);
    run_vertex("dcl_resource_raw t1", "ld_raw o0.xyzw, l(0), t1.xyzw", &bindings, output);
    assert_vector(output, 0, 0, 0, 0);
    run_vertex("dcl_resource_raw t0", "bufinfo o0.xyzw, t0.xyzw", &bindings, output);
    assert_vector(output, 12, 12, 12, 12);
}

static void test_structured_loads(void **state)
{
    (void)state;
    uint32_t words[6] = {0, 1, 2, 3, 4, 5}, output[4];
    const struct ag_ref_view views[1] = {
        {.dimension = AGPU_DIMENSION_STRUCTURED_BUFFER, .data = words, .size = sizeof words, .stride = 12}
    };
    const struct ag_ref_bindings bindings = {.resources = views, .resource_count = 1};
    const char *declarations = "dcl_resource_structured t0, 12";
    run_vertex(declarations, "ld_structured o0.xyzw, l(1), l(4), t0.xyzw", &bindings, output);
    assert_vector(output, 4, 5, 0, 0);
    run_vertex(declarations, "ld_structured o0.xyzw, l(2), l(0), t0.xyzw", &bindings, output);
    assert_vector(output, 0, 0, 0, 0);
    run_vertex(declarations, "bufinfo o0.xyzw, t0.xyzw", &bindings, output);
    assert_vector(output, 2, 2, 2, 2);
}

static void test_typed_loads(void **state)
{
    (void)state;
    const uint8_t texels[8] = {0, 255, 51, 1, 2, 3, 4, 5};
    uint32_t output[4];
    struct ag_ref_view views[1] = {
        {.dimension = AGPU_DIMENSION_BUFFER,
         .data = (void *)(uintptr_t)texels,
         .size = sizeof texels,
         .format = ag_ref_format_make(AG_REF_UNORM, 8, 2)}
    };
    const struct ag_ref_bindings bindings = {.resources = views, .resource_count = 1};
    const char *declarations = "dcl_resource_buffer (float,float,float,float) t0";
    run_vertex(declarations, "ld o0.xyzw, l(0, 0, 0, 0), t0.xyzw", &bindings, output);
    assert_vector(output, 0, bits(1.0f), 0, bits(1.0f));
    run_vertex(declarations, "ld o0.xyzw, l(1, 0, 0, 0), t0.wyzx", &bindings, output);
    assert_vector(output, bits(1.0f), bits(1.0f / 255.0f), 0, bits(0.2f));
    run_vertex(declarations, "ld o0.xyzw, l(4, 0, 0, 0), t0.xyzw", &bindings, output);
    assert_vector(output, 0, 0, 0, bits(1.0f));
    run_vertex(declarations, "bufinfo o0.xyzw, t0.xyzw", &bindings, output);
    assert_vector(output, 4, 4, 4, 4);
}

static void test_stores(void **state)
{
    (void)state;
    struct harness harness;
    uint32_t memory[4] = {1, 2, 3, 4};
    /* The part of the window that is inside is written. */
    assert_int_equal(
        harness_compute(&harness, "", "store_raw u0.xyz, l(8), l(7, 8, 9, 0)", 1, NULL, memory, 4), AGPU_OK);
    assert_vector(memory, 1, 2, 7, 8);
    harness_close(&harness);
    assert_int_equal(harness_compute(&harness, "", "store_raw u0.x, l(16), l(5)\nstore_raw u0.x, l(-4), l(6)",
                                     1, NULL, memory, 4),
                     AGPU_OK);
    assert_vector(memory, 1, 2, 7, 8);
    harness_close(&harness);
}

/* store_uav_typed converts: floats to R8G8B8A8_UNORM, integers clamp. */
static void test_typed_stores(void **state)
{
    (void)state;
    struct harness harness;
    uint32_t memory[1] = {0};
    uint8_t bytes[8] = {0xaa, 0xaa, 0xaa, 0xaa, 0xbb, 0xbb, 0xbb, 0xbb};
    struct ag_ref_view views[2] = {
        [1] = {.dimension = AGPU_DIMENSION_BUFFER,
               .data = bytes,
               .size = sizeof bytes,
               .format = ag_ref_format_make(AG_REF_UNORM, 8, 4)}
    };
    struct ag_ref_bindings bindings = {.unordered = views, .unordered_count = 2};
    assert_int_equal(harness_compute(&harness, "dcl_uav_typed_buffer (unorm,unorm,unorm,unorm) u1",
                                     "store_uav_typed u1.xyzw, l(1, 0, 0, 0), l(0.5, 2.0, -1.0, 0x7fc00000)\n"
                                     "store_uav_typed u1.xyzw, l(2, 0, 0, 0), l(1.0, 1.0, 1.0, 1.0)",
                                     1, &bindings, memory, 1),
                     AGPU_OK);
    const uint8_t expected[8] = {0xaa, 0xaa, 0xaa, 0xaa, 128, 255, 0, 0};
    assert_memory_equal(bytes, expected, sizeof bytes);
    harness_close(&harness);
    views[1].format = ag_ref_format_make(AG_REF_SINT, 8, 4);
    assert_int_equal(harness_compute(&harness, "dcl_uav_typed_buffer (sint,sint,sint,sint) u1",
                                     "store_uav_typed u1.xyzw, l(0, 0, 0, 0), l(-1, 1000, -1000, 5)", 1,
                                     &bindings, memory, 1),
                     AGPU_OK);
    const uint8_t clamped[4] = {255, 127, 128, 5};
    assert_memory_equal(bytes, clamped, sizeof clamped);
    harness_close(&harness);
}

/* ---- Atomics ------------------------------------------------------------------------------------------ */

static const struct atomic_row {
    const char *name;
    uint32_t old, value, expected;
} atomic_rows[] = {
    {"and",  0xff00,     0x0ff0, 0x0f00    },
    {"or",   0xff00,     0x0ff0, 0xfff0    },
    {"xor",  0xff00,     0x0ff0, 0xf0f0    },
    {"iadd", 0xffffffff, 3,      2         },
    {"imax", 0xffffffff, 3,      3         },
    {"imin", 0xffffffff, 3,      0xffffffff},
    {"umax", 0xffffffff, 3,      0xffffffff},
    {"umin", 0xffffffff, 3,      3         },
};

static void test_atomics(void **state)
{
    (void)state;
    struct harness harness;
    for (size_t i = 0; i < sizeof atomic_rows / sizeof *atomic_rows; i++) {
        const struct atomic_row *row = &atomic_rows[i];
        uint32_t memory[4] = {row->old, row->old, 0xdead, 0xdead};
        char body[512];
        snprintf(
            body, sizeof body,
            "atomic_%s u0, l(0), l(0x%x)\nimm_atomic_%s r0.y, u0, l(6), l(0x%x)\nstore_raw u0.x, l(8), r0.y\n"
            "imm_atomic_%s r1.x, u0, l(400), l(1)\nstore_raw u0.x, l(12), r1.x",
            row->name, row->value, row->name, row->value, row->name);
        assert_int_equal(harness_compute(&harness, "", body, 1, NULL, memory, 4), AGPU_OK);
        assert_vector(memory, row->expected, row->expected, row->old, 0);
        harness_close(&harness);
    }
}

static void test_exchanges(void **state)
{
    (void)state;
    struct harness harness;
    uint32_t memory[8] = {5, 5, 5, 5};
    const char *body =
        "atomic_cmp_store u0, l(0), l(5), l(6)\natomic_cmp_store u0, l(4), l(4), l(6)\n"
        "imm_atomic_cmp_exch r0.x, u0, l(8), l(5), l(7)\nimm_atomic_exch r0.y, u0, l(12), l(8)\n"
        "imm_atomic_cmp_exch r0.z, u0, l(8), l(5), l(9)\nstore_raw u0.xyz, l(16), r0.xyzx";
    assert_int_equal(harness_compute(&harness, "", body, 1, NULL, memory, 8), AGPU_OK);
    assert_vector(memory, 6, 5, 7, 8);
    assert_vector(memory + 4, 5, 5, 7, 0);
    harness_close(&harness);
}

static void test_counters(void **state)
{
    (void)state;
    struct harness harness;
    uint32_t memory[4] = {0}, elements[4] = {0};
    struct ag_ref_view views[2] = {
        [1] = {.dimension = AGPU_DIMENSION_STRUCTURED_BUFFER,
               .data = elements,
               .size = sizeof elements,
               .stride = 4,
               .counter = 2}
    };
    struct ag_ref_bindings bindings = {.unordered = views, .unordered_count = 2};
    /* alloc gives the count before, consume the count after. */
    assert_int_equal(harness_compute(&harness, "dcl_uav_structured_opc u1, 4",
                                     "imm_atomic_alloc r0.x, u1\nimm_atomic_alloc r0.y, u1\n"
                                     "imm_atomic_consume r0.z, u1\nstore_raw u0.xyz, l(0), r0.xyzx\n"
                                     "store_structured u1.x, r0.x, l(0), l(77)",
                                     1, &bindings, memory, 4),
                     AGPU_OK);
    assert_vector(memory, 2, 3, 3, 0);
    assert_int_equal(views[1].counter, 3);
    assert_int_equal(elements[2], 77);
    harness_close(&harness);
}

/* A 2D view of R32_UINT, mip 0 alone: atomics, loads, stores and sizes by coordinates. */
static void test_texture_views(void **state)
{
    (void)state;
    struct harness harness;
    uint32_t memory[8] = {0}, texels[6] = {0, 1, 2, 3, 4, 5};
    struct ag_ref_view views[2] = {
        [1] = {.dimension = AGPU_DIMENSION_TEXTURE2D,
               .data = texels,
               .size = sizeof texels,
               .format = ag_ref_format_make(AG_REF_UINT, 32, 1),
               .width = 3,
               .height = 2,
               .depth = 1,
               .layers = 1,
               .mips = 1,
               .samples = 1}
    };
    struct ag_ref_bindings bindings = {.unordered = views, .unordered_count = 2};
    const char *body = "mov r0.xy, l(2, 1, 0, 0)\nimm_atomic_umax r1.x, u1, r0.xyxx, l(50)\n"
                       "ld_uav_typed r1.yz, l(2, 1, 9, 9), u1.wxyz\n"
                       "imm_atomic_umax r1.w, u1, r0.xxxx, l(50)\nstore_raw u0.xyzw, l(0), r1.xyzw\n"
                       "store_uav_typed u1.xyzw, l(0, 1, 0, 0), l(77, 0, 0, 0)\n"
                       "store_uav_typed u1.xyzw, l(3, 0, 0, 0), l(99, 0, 0, 0)\n"
                       "resinfo_uint r2.xyzw, l(0), u1.xyzw\nstore_raw u0.xyzw, l(16), r2.xyzw";
    assert_int_equal(harness_compute(&harness, "dcl_uav_typed_texture2d (uint,uint,uint,uint) u1", body, 1,
                                     &bindings, memory, 8),
                     AGPU_OK);
    assert_vector(memory, 5, 50, 0, 0);
    assert_vector(memory + 4, 3, 2, 0, 1);
    assert_vector(texels, 0, 1, 2, 77);
    assert_int_equal(texels[5], 50);
    harness_close(&harness);
}

/* Shader model 5.1 names registers by id; the binding is the absolute register. */
static void test_register_ranges(void **state)
{
    (void)state;
    struct harness harness;
    struct ag_ref_invocation vertex = {0};
    uint32_t first[4] = {1, 2, 3, 4}, second[4] = {5, 6, 7, 8};
    const struct ag_ref_constant_buffer buffers[3] = {
        [2] = {first, sizeof first}
    };
    const struct ag_ref_view views[5] = {
        [4] = {.dimension = AGPU_DIMENSION_RAW_BUFFER, .data = second, .size = sizeof second}
    };
    const struct ag_ref_bindings bindings = {
        .constant_buffers = buffers, .constant_buffer_count = 3, .resources = views, .resource_count = 5};
    harness_open(&harness,
                 "vs_5_1\ndcl_constantbuffer CB0[2:2][1], immediateIndexed, space=0\n"
                 "dcl_resource_raw T7[3:5], space=0\ndcl_output o0.xyzw\ndcl_temps 1\n"
                 "mov o0.x, CB0[2][0].y\nmov r0.x, l(1)\nld_raw o0.yz, l(4), T7[r0.x + 3].xxyz\nret\n");
    assert_int_equal(ag_ref_run_vertex(harness.program, &bindings, NULL, &harness.sink, &vertex), AGPU_OK);
    assert_vector(vertex.output[0], 2, 6, 7, 0);
    harness_close(&harness);
}

/* ---- Shared memory and groups ------------------------------------------------------------------------- */

/* A tree reduction: right only if every barrier holds back every thread. */
static void test_reduction(void **state)
{
    (void)state;
    struct harness harness;
    uint32_t memory[1] = {0};
    const char *declarations = "dcl_tgsm_structured g0, 4, 64";
    const char *body =
        "iadd r0.x, vThreadIDInGroupFlattened.x, l(1)\n"
        "store_structured g0.x, vThreadIDInGroupFlattened.x, l(0), r0.x\nsync_g_t\n"
        "mov r0.y, l(32)\nloop\nbreakc_z r0.y\nult r0.z, vThreadIDInGroupFlattened.x, r0.y\n"
        "if_nz r0.z\niadd r0.w, vThreadIDInGroupFlattened.x, r0.y\n"
        "ld_structured r1.x, r0.w, l(0), g0.xxxx\n"
        "ld_structured r1.y, vThreadIDInGroupFlattened.x, l(0), g0.xxxx\niadd r1.x, r1.x, r1.y\n"
        "store_structured g0.x, vThreadIDInGroupFlattened.x, l(0), r1.x\nendif\nsync_g_t\n"
        "ushr r0.y, r0.y, l(1)\nendloop\nif_z vThreadIDInGroupFlattened.x\n"
        "ld_structured r1.x, l(0), l(0), g0.xxxx\nstore_raw u0.x, l(0), r1.x\nendif";
    assert_int_equal(harness_compute(&harness, declarations, body, 64, NULL, memory, 1), AGPU_OK);
    assert_int_equal(memory[0], 64 * 65 / 2);
    assert_int_equal(harness.warnings, 0);
    harness_close(&harness);
}

/* D7, and bounds are those of one g#: x of the next one stays. */
static void test_shared_bounds(void **state)
{
    (void)state;
    struct harness harness;
    uint32_t memory[4] = {9, 9, 9, 9};
    const char *declarations = "dcl_tgsm_raw g0, 8\ndcl_tgsm_raw g1, 8";
    const char *body = "store_raw g1.x, l(0), l(5)\nstore_raw g0.xyz, l(4), l(1, 2, 3, 0)\n"
                       "ld_raw r0.x, l(0), g1.xxxx\nld_raw r0.y, l(8), g0.xxxx\nld_raw r0.z, l(4), g0.xxxx\n"
                       "imm_atomic_iadd r0.w, g0, l(8), l(4)\nstore_raw u0.xyzw, l(0), r0.xyzw";
    assert_int_equal(harness_compute(&harness, declarations, body, 1, NULL, memory, 4), AGPU_OK);
    assert_vector(memory, 5, 0, 1, 0);
    harness_close(&harness);
}

static void test_shared_atomics(void **state)
{
    (void)state;
    struct harness harness;
    uint32_t memory[2] = {0};
    const char *declarations = "dcl_tgsm_structured g0, 8, 4";
    const char *body =
        "mov r0.xy, l(2, 4, 0, 0)\natomic_iadd g0, r0.xyxx, vThreadIDInGroupFlattened.x\nsync_g_t\n"
        "ld_structured r1.x, l(2), l(4), g0.xxxx\nstore_raw u0.x, l(0), r1.x";
    assert_int_equal(harness_compute(&harness, declarations, body, 10, NULL, memory, 2), AGPU_OK);
    assert_int_equal(memory[0], 45);
    harness_close(&harness);
}

static void test_divergent_barrier(void **state)
{
    (void)state;
    struct harness harness;
    uint32_t memory[1] = {0};
    assert_int_equal(harness_compute(&harness, "", "if_nz vThreadIDInGroupFlattened.x\nsync_g_t\nendif", 4,
                                     NULL, memory, 1),
                     AGPU_OK);
    assert_int_equal(harness.last_code, AGPU_DIAG_REF_BARRIER);
    assert_int_equal(harness.warnings, 1);
    harness_close(&harness);
}

/* Ids of a 2x1x3 dispatch of 2x3x1 threads, each written to a place of its own. */
static void test_dispatch(void **state)
{
    (void)state;
    struct harness harness;
    static uint32_t memory[36][4];
    static const uint32_t groups[3] = {2, 1, 3}, none[3] = {2, 0, 3};
    struct ag_ref_view view = {
        .dimension = AGPU_DIMENSION_STRUCTURED_BUFFER, .data = memory, .size = sizeof memory, .stride = 16};
    const struct ag_ref_bindings bindings = {.unordered = &view, .unordered_count = 1};
    harness_open(&harness,
                 "cs_5_0\ndcl_uav_structured u0, 16\ndcl_input vThreadIDInGroupFlattened\n"
                 "dcl_input vThreadID.xyz\ndcl_input vThreadGroupID.xyz\ndcl_input vThreadIDInGroup.xyz\n"
                 "dcl_temps 1\ndcl_thread_group 2, 3, 1\n"
                 "imad r0.x, vThreadGroupID.z, l(2), vThreadGroupID.x\n"
                 "imad r0.x, r0.x, l(6), vThreadIDInGroupFlattened.x\nmov r0.yz, vThreadID.xxyx\n"
                 "imad r0.w, vThreadIDInGroup.y, l(10), vThreadIDInGroup.x\n"
                 "store_structured u0.xyzw, r0.x, l(0), r0.yzwx\nret\n");
    assert_int_equal(ag_ref_dispatch(harness.program, &bindings, NULL, &harness.sink, none), AGPU_OK);
    assert_vector(memory[35], 0, 0, 0, 0);
    assert_int_equal(ag_ref_dispatch(harness.program, &bindings, NULL, &harness.sink, groups), AGPU_OK);
    /* Group (1, 0, 2), the last, thread (1, 2, 0), the last. */
    assert_vector(memory[35], 3, 2, 21, 35);
    assert_vector(memory[7], 3, 0, 1, 7);
    uint32_t size[3];
    ag_ref_program_thread_group(harness.program, size);
    assert_int_equal(size[1], 3);
    harness_close(&harness);
}

/* Never written temporaries and shared memory are 0 in every group. */
static void test_zero_in_every_group(void **state)
{
    (void)state;
    struct harness harness;
    uint32_t memory[4] = {0};
    static const uint32_t groups[3] = {2, 1, 1};
    struct ag_ref_view view = {.dimension = AGPU_DIMENSION_RAW_BUFFER, .data = memory, .size = sizeof memory};
    const struct ag_ref_bindings bindings = {.unordered = &view, .unordered_count = 1};
    harness_open(&harness,
                 "cs_5_0\ndcl_uav_raw u0\ndcl_input vThreadGroupID.xyz\ndcl_temps 2\ndcl_tgsm_raw g0, 4\n"
                 "dcl_thread_group 1, 1, 1\nld_raw r1.x, l(0), g0.xxxx\niadd r0.x, r0.x, r1.x\n"
                 "iadd r0.x, r0.x, l(1)\nstore_raw g0.x, l(0), r0.x\n"
                 "ishl r1.y, vThreadGroupID.x, l(2)\nstore_raw u0.x, r1.y, r0.x\nret\n");
    assert_int_equal(ag_ref_dispatch(harness.program, &bindings, NULL, &harness.sink, groups), AGPU_OK);
    assert_vector(memory, 1, 1, 0, 0);
    harness_close(&harness);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_constant_buffers),
        cmocka_unit_test(test_immediate_constant_buffer),
        cmocka_unit_test(test_indexable_temps),
        cmocka_unit_test(test_raw_loads),
        cmocka_unit_test(test_structured_loads),
        cmocka_unit_test(test_typed_loads),
        cmocka_unit_test(test_stores),
        cmocka_unit_test(test_typed_stores),
        cmocka_unit_test(test_atomics),
        cmocka_unit_test(test_exchanges),
        cmocka_unit_test(test_counters),
        cmocka_unit_test(test_texture_views),
        cmocka_unit_test(test_register_ranges),
        cmocka_unit_test(test_reduction),
        cmocka_unit_test(test_shared_bounds),
        cmocka_unit_test(test_shared_atomics),
        cmocka_unit_test(test_divergent_barrier),
        cmocka_unit_test(test_dispatch),
        cmocka_unit_test(test_zero_in_every_group),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
