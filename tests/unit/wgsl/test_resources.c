/* SPDX-License-Identifier: MIT
 *
 * What programs read and write on a driver through bindings that WebGPU knows only in another shape: class
 * instances, atomics on texture views, resources chosen at run time, counters. Usage:
 * test_resources driver
 */
#include "../../support/shader_text.h"

#include "base/bytes.h"
#include "compute_run.h"
#include "module_text.h"
#include "wgsl/binding.h"
#include "wgsl/draw_block.h"

#define OUT_WORDS 64

static struct agpu_gpu *gpu;
static struct diag_log gpu_log;

static uint32_t block[AG_DRAW_BLOCK_BYTES / 4];
static uint32_t out[OUT_WORDS];

static const struct compute_buffer u0 = {
    .group = AG_GROUP_COMPUTE,
    .binding = AG_BINDING_UAV,
    .out = out,
    .words = OUT_WORDS,
};

/* The entry of a binding in the draw block. */
static uint32_t *view_of(const struct agpu_module *module, uint32_t binding)
{
    for (uint32_t i = 0; i < module->view_count; i++)
        if (module->views[i] == binding)
            return block + AG_DRAW_BLOCK_VIEWS / 4 + 4 * (module->view_base + i);
    fail();
    return block;
}

static void run(struct agpu_module *module, const struct compute_buffer *buffers, size_t count)
{
    memset(out, 0, sizeof out);
    compute_dispatch(gpu, module, buffers, count, 1);
    if (gpu_log.count != 0)
        print_error("%s\n", gpu_log.message);
    assert_int_equal(gpu_log.count, 0);
    agpu_module_destroy(module);
}

/* ---- Class linkage (D3D11.3 22.18) --------------------------------------------------------------------- */

static const char class_text[] = "cs_5_0\n"
                                 "dcl_globalFlags refactoringAllowed\n"
                                 "dcl_constantbuffer cb0[4], immediateIndexed\n"
                                 "dcl_constantbuffer cb1[4], immediateIndexed\n"
                                 "dcl_uav_raw u0\n"
                                 "dcl_function_body fb0\n"
                                 "dcl_function_body fb1\n"
                                 "dcl_function_table ft3 = {fb0}\n"
                                 "dcl_function_table ft5 = {fb1}\n"
                                 "dcl_interface fp2[1][1] = {ft3, ft5}\n"
                                 "dcl_temps 3\n"
                                 "dcl_thread_group 1, 1, 1\n"
                                 "mov r0.xyzw, l(7, 0, 0, 0)\n"
                                 "fcall fp2[0][0]\n"
                                 "store_raw u0.xyzw, l(0), r0.xyzw\n"
                                 "ret\n"
                                 "label fb0\n"
                                 "mov r0.x, l(100)\n"
                                 "ret\n"
                                 "label fb1\n"
                                 "mov r1.xyzw, this[2].xyzw\n"
                                 "mov r0.yzw, r1.yyzw\n"
                                 "mov r0.x, cb[r1.x + 0][r1.y + 1].z\n"
                                 "ret\n";

/* `this` is {constant buffer, first register, first texture, first sampler} of the instance in the slot. */
static void calls_go_to_the_instance(void **state)
{
    static const struct {
        uint32_t instance[4], table, result[4];
    } cases[] = {
        {{0, 0, 0, 0}, 3,  {100, 0, 0, 0}      },
        {{1, 1, 4, 9}, 5,  {1000 + 10, 1, 4, 9}}, /* cb1[1 + 1].z */
        {{0, 2, 0, 1}, 5,  {14, 2, 0, 1}       }, /* cb0[2 + 1].z */
        {{0, 0, 0, 0}, 77, {7, 0, 0, 0}        }, /* a class that the interface does not list */
    };
    uint32_t instances[3 * AG_CLASS_INSTANCE_BYTES / 4] = {0}, constants[2][16];
    (void)state;
    for (uint32_t i = 0; i < 16; i++) {
        constants[0][i] = i;
        constants[1][i] = 1000 + i;
    }
    for (size_t i = 0; i < AG_COUNT_OF(cases); i++) {
        struct agpu_module *module = translate(class_text, NULL);
        memcpy(instances + 16, cases[i].instance, sizeof cases[i].instance);
        instances[20] = cases[i].table;
        memset(block, 0, sizeof block);
        view_of(module, AG_BINDING_UAV)[1] = sizeof out;
        for (uint32_t b = 0; b < 2; b++)
            view_of(module, AG_BINDING_CBUFFER + b)[1] = sizeof constants[b];
        const struct compute_buffer this_buffer = {
            .group = AG_GROUP_COMPUTE,
            .binding = AG_BINDING_CLASS_INSTANCES,
            .in = instances,
            .words = AG_COUNT_OF(instances),
            .is_uniform = true,
        };
        const struct compute_buffer buffers[] = {
            compute_draw_block(block),
            u0,
            {.group = AG_GROUP_COMPUTE, .binding = 0, .in = constants[0], .words = 16},
            {.group = AG_GROUP_COMPUTE, .binding = 1, .in = constants[1], .words = 16},
            this_buffer,
        };
        run(module, buffers, AG_COUNT_OF(buffers));
        for (uint32_t c = 0; c < 4; c++)
            assert_int_equal(out[c], cases[i].result[c]);
    }
}

/* ---- Texel atomics (D3D11.3 22.17) --------------------------------------------------------------------- */

#define TEXEL_HEAD                                                                                           \
    "cs_5_0\ndcl_globalFlags refactoringAllowed\n%s\ndcl_uav_raw u1\ndcl_temps 4\ndcl_thread_group 1, 1, "   \
    "1\n"

static void run_texels(const char *declaration, const char *code, const uint32_t view[4],
                       uint32_t results[16])
{
    char text[2048];
    const int head = snprintf(text, sizeof text, TEXEL_HEAD, declaration);
    snprintf(text + head, sizeof text - (size_t)head, "%sret\n", code);
    struct agpu_module *module = translate(text, NULL);
    memset(block, 0, sizeof block);
    memcpy(view_of(module, AG_BINDING_UAV), view, 4 * sizeof view[0]);
    view_of(module, AG_BINDING_UAV + 1)[1] = 64;
    const struct compute_buffer buffers[] = {
        compute_draw_block(block),
        u0,
        {.group = AG_GROUP_COMPUTE, .binding = AG_BINDING_UAV + 1, .out = results, .words = 16},
    };
    memset(results, 0, 16 * sizeof results[0]);
    run(module, buffers, AG_COUNT_OF(buffers));
}

static void atomics_reach_the_texel(void **state)
{
    static const uint32_t view[4] = {4, 3, 1, 48}, slices[4] = {4, 2, 3, 96}, line[4] = {5, 1, 2, 40};
    uint32_t results[16];
    (void)state;
    run_texels("dcl_uav_typed_texture2d (uint,uint,uint,uint) u0",
               "mov r0.xyzw, l(1, 2, 0, 0)\natomic_iadd u0, r0.xyxx, l(5)\natomic_iadd u0, r0.xyxx, l(6)\n"
               "imm_atomic_exch r1.x, u0, r0.xyxx, l(40)\nimm_atomic_umax r1.y, u0, r0.xyxx, l(50)\n"
               "imm_atomic_cmp_exch r1.z, u0, r0.xyxx, l(50), l(60)\nimm_atomic_xor r1.w, u0, r0.xyxx, l(1)\n"
               "store_raw u1.xyzw, l(0), r1.xyzw\n",
               view, results);
    assert_int_equal(out[2 * 4 + 1], 61);
    assert_int_equal(results[0], 11);
    assert_int_equal(results[1], 40);
    assert_int_equal(results[2], 50);
    assert_int_equal(results[3], 60);
    /* outside of the view: 0, and no effect (D8) */
    run_texels(
        "dcl_uav_typed_texture2d (sint,sint,sint,sint) u0",
        "imm_atomic_iadd r1.x, u0, l(4, 0, 0, 0), l(9)\nimm_atomic_imin r1.y, u0, l(0, 3, 0, 0), l(-9)\n"
        "imm_atomic_imin r1.z, u0, l(3, 0, 0, 0), l(-7)\nimm_atomic_imax r1.w, u0, l(3, 0, 0, 0), l(-8)\n"
        "store_raw u1.xyzw, l(0), r1.xyzw\n",
        view, results);
    for (uint32_t i = 0; i < 12; i++)
        assert_int_equal(out[i], i == 3 ? (uint32_t)-7 : 0);
    assert_int_equal(results[0], 0);
    assert_int_equal(results[1], 0);
    assert_int_equal(results[2], 0);
    assert_int_equal(results[3], (uint32_t)-7);
    run_texels("dcl_uav_typed_texture2darray (uint,uint,uint,uint) u0",
               "atomic_or u0, l(3, 1, 2, 0), l(6)\natomic_or u0, l(0, 0, 3, 0), l(1)\natomic_and u0, l(3, 1, "
               "2, 0), l(3)\n"
               "store_raw u1.x, l(0), l(0)\n",
               slices, results);
    for (uint32_t i = 0; i < 24; i++)
        assert_int_equal(out[i], i == (2 * 2 + 1) * 4 + 3 ? 2 : 0);
    run_texels("dcl_uav_typed_texture1darray (uint,uint,uint,uint) u0",
               "atomic_umin u0, l(4, 1, 0, 0), l(6)\natomic_iadd u0, l(4, 1, 0, 0), l(6)\natomic_iadd u0, "
               "l(4, 2, 0, 0), l(1)\n"
               "store_raw u1.x, l(0), l(0)\n",
               line, results);
    for (uint32_t i = 0; i < 10; i++)
        assert_int_equal(out[i], i == 9 ? 6 : 0);
}

/* ---- Chosen at run time, counters ---------------------------------------------------------------------- */

static void resources_are_chosen_at_run_time(void **state)
{
    static const uint32_t first[4] = {10, 11, 12, 13}, second[4] = {20, 21, 22, 23};
    (void)state;
    struct agpu_module *module =
        translate("cs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_resource_raw t1\ndcl_resource_raw "
                  "t3\ndcl_uav_raw u0\n"
                  "dcl_input vThreadIDInGroupFlattened\ndcl_temps 3\ndcl_thread_group 4, 1, 1\n"
                  "mov r0.x, vThreadIDInGroupFlattened.x\nld_raw r1.xyzw, l(4), t[r0.x + 1].yxzw\n"
                  "ishl r0.y, r0.x, l(4)\nstore_raw u0.xyzw, r0.y, r1.xyzw\nret\n",
                  NULL);
    memset(block, 0, sizeof block);
    view_of(module, AG_BINDING_UAV)[1] = sizeof out;
    view_of(module, AG_BINDING_TEXTURE + 1)[1] = sizeof first;
    view_of(module, AG_BINDING_TEXTURE + 3)[1] = sizeof second;
    const struct compute_buffer buffers[] = {
        compute_draw_block(block),
        u0,
        {.group = AG_GROUP_COMPUTE, .binding = AG_BINDING_TEXTURE + 1, .in = first,  .words = 4},
        {.group = AG_GROUP_COMPUTE, .binding = AG_BINDING_TEXTURE + 3, .in = second, .words = 4},
    };
    run(module, buffers, AG_COUNT_OF(buffers));
    static const uint32_t expected[16] = {12, 11, 13, 0, 0, 0, 0, 0,
                                          22, 21, 23, 0, 0, 0, 0, 0}; /* t1, none, t3, none */
    for (uint32_t i = 0; i < 16; i++)
        assert_int_equal(out[i], expected[i]);
}

/* Append and consume give each thread its own number; the counter wraps as an unsigned number does. */
static void counters_count(void **state)
{
    uint32_t counters[AG_BINDING_STAGE_INTERNAL - AG_BINDING_UAV] = {0}, structures[8];
    (void)state;
    counters[1] = 5;
    struct agpu_module *module =
        translate("cs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_uav_raw u0\ndcl_uav_structured_opc u1, 4\n"
                  "dcl_temps 3\ndcl_thread_group 1, 1, 1\n"
                  "imm_atomic_alloc r0.x, u1\nimm_atomic_alloc r0.y, u1\n"
                  "store_structured u1.x, r0.x, l(0), l(77)\nstore_raw u0.xy, l(0), r0.xyxx\nret\n",
                  NULL);
    memset(block, 0, sizeof block);
    view_of(module, AG_BINDING_UAV)[1] = sizeof out;
    view_of(module, AG_BINDING_UAV + 1)[1] = sizeof structures;
    view_of(module, AG_BINDING_UAV + 1)[2] = AG_COUNT_OF(structures);
    const struct compute_buffer buffers[] = {
        compute_draw_block(block),
        u0,
        {.group = AG_GROUP_COMPUTE,          .binding = AG_BINDING_UAV + 1, .out = structures, .words = 8},
        { .group = AG_GROUP_COMPUTE,
          .binding = AG_BINDING_UAV_COUNTERS,
          .in = counters,
          .out = counters,
          .words = AG_COUNT_OF(counters)},
    };
    run(module, buffers, AG_COUNT_OF(buffers));
    assert_int_equal(out[0], 5);
    assert_int_equal(out[1], 6);
    assert_int_equal(counters[1], 7);
    assert_int_equal(structures[5], 77);
}

int main(int argc, char **argv)
{
    const int opened = compute_open(argc, argv, &gpu_log, &gpu);
    if (opened != 0)
        return opened;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_go_to_the_instance),
        cmocka_unit_test(atomics_reach_the_texel),
        cmocka_unit_test(resources_are_chosen_at_run_time),
        cmocka_unit_test(counters_count),
    };
    const int failed = cmocka_run_group_tests_name("wgsl/resources", tests, NULL, NULL);
    agpu_gpu_destroy(gpu);
    return failed;
}
