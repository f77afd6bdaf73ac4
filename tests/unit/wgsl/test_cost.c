/* SPDX-License-Identifier: MIT
 *
 * The bounds of what a module costs compilers: a program is refused by what is above them alone.
 */
#include "module_text.h"

#include <stdlib.h>

#define HEAD                                                                                                 \
    "cs_5_0\ndcl_globalFlags refactoringAllowed | enableDoublePrecisionFloatOps | "                          \
    "enable11_1DoubleExtensions\ndcl_uav_raw u0\ndcl_temps 4\n"

/* A program of `repeated` many times. */
static char *program_of(const char *declarations, const char *repeated, unsigned times)
{
    const size_t size = 1024 + strlen(repeated) * times;
    char *const text = malloc(size);
    assert_non_null(text);
    size_t length = (size_t)snprintf(
        text, size, HEAD "%sld_raw r0.xyzw, l(0), u0.xyzw\nmov r1.xyzw, r0.wzyx\n", declarations);
    for (unsigned i = 0; i < times; i++)
        length += (size_t)snprintf(text + length, size - length, "%s", repeated);
    snprintf(text + length, size - length, "store_raw u0.xyzw, l(16), r0.xyzw\nret\n");
    return text;
}

static enum agpu_status status_of(const char *text, uint32_t most_compile_ms, uint32_t most_private_bytes)
{
    struct first_error error = {0};
    const struct agpu_diag_sink sink = {keep_first_error, &error};
    const struct agpu_translate_options options = {
        .size = sizeof options, .most_compile_ms = most_compile_ms, .most_private_bytes = most_private_bytes};
    struct agpu_shader *shader = shader_from_text(text);
    struct agpu_module *module;
    const enum agpu_status status = agpu_translate(shader, &options, &sink, &module);
    if (status == AGPU_REFUSED)
        assert_string_equal(agpu_diag_slug(error.code), "translate.cost");
    assert_true((status == AGPU_OK) == (module != NULL));
    agpu_module_destroy(module);
    agpu_shader_destroy(shader);
    return status;
}

static const char group[] = "dcl_thread_group 16, 4, 1\n";

static const struct {
    const char *code;
    uint32_t least; /* milliseconds of a hundred of them, at least, as this was measured on lavapipe */
} costly[] = {
    {"sincos r0.xyzw, r1.xyzw, r0.xyzw\nsync_g_t\n",           1000},
    {"sincos r0.xyzw, r1.xyzw, r0.xyzw\n",                     100 },
    {"store_raw u0.xyzw, r0.x, r1.xyzw\n",                     1500},
    {"imm_atomic_iadd r0.x, u0, r0.x, r1.x\n",                 1000},
    {"if_nz r0.x\nadd r0.yzw, r0.xxyz, r1.xyzw\nendif\n",      100 },
    {"loop\nbreakc_nz r0.x\niadd r0.x, r0.x, r1.x\nendloop\n", 1000},
 /* copies of them where threads have to meet, else states */
    {"ddiv r0.xy, r0.xyxy, r1.xyxy\nsync_g_t\n",               2000},
    {"ddiv r0.xy, r0.xyxy, r1.xyxy\n",                         500 },
};

static void time_has_a_bound(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof costly / sizeof costly[0]; i++) {
        char *const text = program_of(group, costly[i].code, 100);
        struct agpu_module *module = translate(text, NULL);
        const uint32_t ms = module->compile_ms;
        assert_true(ms >= costly[i].least);
        assert_int_equal(status_of(text, ms, 0), AGPU_OK);
        assert_int_equal(status_of(text, ms - 1, 0), AGPU_REFUSED);
        agpu_module_destroy(module);
        free(text);
    }
}

/* 64 threads of 20 elements. */
static void memory_of_threads_has_a_bound(void **state)
{
    (void)state;
    char *const text =
        program_of("dcl_thread_group 16, 4, 1\ndcl_indexableTemp x0[8], 4\ndcl_indexableTemp x1[12], 4\n",
                   "mov x0[r0.x + 0].xyzw, r1.xyzw\nmov x1[r0.y + 0].xyzw, r1.xyzw\n"
                   "mov r0.xyzw, x0[r0.z + 0].xyzw\nmov r1.xyzw, x1[r0.z + 0].xyzw\n",
                   1);
    struct agpu_module *module = translate(text, NULL);
    assert_int_equal(module->private_bytes, 64 * 20 * 16);
    assert_int_equal(status_of(text, 0, 64 * 20 * 16), AGPU_OK);
    assert_int_equal(status_of(text, 0, 64 * 20 * 16 - 1), AGPU_REFUSED);
    agpu_module_destroy(module);
    free(text);
}

/* 80 sines of four lanes are too many for copies, and come back from one state to one behind each. */
static void states_have_a_bound(void **state)
{
    (void)state;
    const struct agpu_diag_sink sink = {0};
    char *const text = program_of(group, "sincos r0.xyzw, null, r0.yzwx\n", 80);
    struct agpu_shader *shader = shader_from_text(text);
    struct ag_translate_options options = {.most_states = 80};
    struct agpu_module *module;
    assert_int_equal(ag_translate(shader, &options, &sink, &module), AGPU_REFUSED);
    options.most_states = 100;
    assert_int_equal(ag_translate(shader, &options, &sink, &module), AGPU_OK);
    agpu_module_destroy(module);
    agpu_shader_destroy(shader);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(time_has_a_bound),
        cmocka_unit_test(memory_of_threads_has_a_bound),
        cmocka_unit_test(states_have_a_bound),
    };
    return cmocka_run_group_tests_name("wgsl/cost", tests, NULL, NULL);
}
