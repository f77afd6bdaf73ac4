/* SPDX-License-Identifier: MIT
 *
 * Translation when an allocation fails: it says so, and otherwise makes the same module as ever.
 *
 *     test_wgsl_no_memory DIRECTORY
 */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "aerogpu/translate.h"
#include "support/corpus.h"
#include "support/failing_memory.h"
#include "support/shader_text.h"
#include "wgsl/expansion.h"
#include "wgsl/linkage.h"
#include "wgsl/options.h"

#define MORE_FAILURES 8 /* for each translation */

static const char *directory;
static unsigned modules, failures;

static unsigned reports;

static void report(void *user, const struct agpu_diag *diag)
{
    (void)user;
    reports += diag->code == AGPU_DIAG_OUT_OF_MEMORY;
}

static const struct agpu_diag_sink sink = {.report = report};

/* The present translation: with `expanded`, of the vertex shader that draws what the shader made; with
 * `clips`, of the pixel shader of draws that have none. */
static const struct agpu_shader *shader;
static struct ag_translate_options options;
static const struct ag_expanded_options *expanded;
static const struct ag_linkage *clips;
static enum agpu_status expected;
static struct agpu_module *wanted;

static enum agpu_status translate(const struct agpu_diag_sink *to, struct agpu_module **module)
{
    return clips != NULL
               ? ag_translate_made_pixel(clips, AG_PIXEL_DEPTH_ROUND | AG_PIXEL_DEPTH_BIAS, to, module)
           : expanded != NULL ? ag_translate_expanded_vertex(shader, expanded, to, module)
                              : ag_translate(shader, &options, to, module);
}

static void check_same(const struct agpu_module *module)
{
    assert_int_equal(module->wgsl_length, wanted->wgsl_length);
    assert_memory_equal(module->wgsl, wanted->wgsl, wanted->wgsl_length);
    assert_int_equal(module->binding_count, wanted->binding_count);
    assert_int_equal(module->unbound_count, wanted->unbound_count);
    assert_int_equal(module->input_count, wanted->input_count);
    assert_int_equal(module->output_count, wanted->output_count);
    assert_int_equal(module->view_count, wanted->view_count);
    assert_int_equal(module->line_count, wanted->line_count);
    assert_int_equal(module->needs, wanted->needs);
}

static bool translates(void)
{
    struct agpu_module *module;
    const enum agpu_status status = translate(&sink, &module);
    const bool failed = failing_memory_disarm();
    /* What is refused may be found before memory runs out or behind. */
    if (!failed || status != expected || expected == AGPU_OK)
        assert_int_equal(status, failed ? AGPU_NO_MEMORY : expected);
    if (status != AGPU_REFUSED)
        assert_true(failed == (reports != 0));
    assert_true((module != NULL) == (status == AGPU_OK));
    if (module != NULL)
        check_same(module);
    agpu_module_destroy(module);
    reports = 0;
    return failed;
}

static void try_translation(void)
{
    expected = translate(NULL, &wanted);
    assert_true(expected == AGPU_OK || expected == AGPU_REFUSED);
    failures += failing_memory_some(translates, MORE_FAILURES);
    agpu_module_destroy(wanted);
    modules++;
}

static void try_flavour(enum agpu_flavour flavour)
{
    static const struct ag_translate_options plain;
    static uint8_t classes[AGPU_MAX_REGISTERS];
    for (unsigned i = 0; i < AGPU_MAX_REGISTERS; i++)
        classes[i] = (uint8_t)(i % (AGPU_ATTRIBUTE_ABSENT + 1));
    options = plain;
    options.flavour = flavour;
    try_translation();
    /* All that has text of its own; whether it goes together is for the translator to say. */
    options.annotate = true;
    options.loop_budget = 100;
    options.most_nesting = 1;
    options.most_operation_cost = 1;
    options.workgroup.invocations = 3;
    options.attribute_classes = classes;
    options.depth_bias = true;
    options.storage_cbuffers = 1;
    options.packing.few_bytes = 4096;
    options.wide_uavs = true;
    options.biased_samplers = 2;
    options.emulated_samplers = 1;
    options.level_floors = true;
    options.input_registers = 3;
    options.patch_registers = 2;
    options.target_classes[0] = AGPU_TARGET_UINT;
    options.target_bits[0] = 8;
    options.logic = AG_LOGIC | 6;
    try_translation();
}

static const char vertex_text[] = "vs_4_0\n"
                                  ".out SV_Position0 o0.xyzw float position\n"
                                  ".out COLOR0 o1.xyzw float\n"
                                  ".out SV_ClipDistance0 o2.xyzw float clip_distance\n"
                                  ".out ID0 o3.x uint\n"
                                  "dcl_output_siv o0.xyzw, position\n"
                                  "dcl_output o1.xyzw\n"
                                  "dcl_output_siv o2.xyzw, clip_distance\n"
                                  "dcl_output o3.x\n"
                                  "mov o0.xyzw, l(0.0, 0.0, 0.0, 1.0)\n"
                                  "mov o1.xyzw, l(1.0, 0.0, 0.0, 1.0)\n"
                                  "mov o2.xyzw, l(0.0, 1.0, 2.0, 3.0)\n"
                                  "mov o3.x, l(1)\n"
                                  "ret\n";

static const char pixel_text[] = "ps_4_0\n"
                                 ".in SV_Position0 v0.xyzw float position\n"
                                 ".in COLOR0 v1.xy float\n"
                                 ".in ID0 v3.x uint\n"
                                 ".out SV_Target0 o0.xyzw float\n"
                                 "dcl_input_ps linear v1.xy\n"
                                 "dcl_input_ps constant v3.x\n"
                                 "dcl_output o0.xyzw\n"
                                 "dcl_temps 1\n"
                                 "utof r0.x, v3.x\n"
                                 "add o0.xyzw, r0.xxxx, v1.xyxy\n"
                                 "ret\n";

/* Both sides of what crosses, with clip distances as such and as floats. */
static void linked_shaders(void **state)
{
    (void)state;
    static const struct ag_translate_options plain;
    struct agpu_shader *vertex = shader_from_text(vertex_text), *pixel = shader_from_text(pixel_text);
    struct ag_linkage linkage;
    assert_int_equal(ag_link(vertex, pixel, 16, NULL, &linkage), AGPU_OK);
    options = plain;
    options.linkage = &linkage;
    for (unsigned i = 0; i < 2; i++) {
        shader = vertex;
        try_translation();
        shader = pixel;
        try_translation();
        assert_int_equal(ag_link_clip_distances(vertex, 16, NULL, &linkage), AGPU_OK);
    }
    clips = &linkage;
    try_translation();
    clips = NULL;
    assert_int_equal(ag_link_expanded(vertex, 0, pixel, 16, NULL, &linkage), AGPU_OK);
    const struct ag_expanded_options triangles = {
        .linkage = &linkage, .vertices = 3, .record_registers = 4, .depth_bias = true};
    shader = vertex;
    expanded = &triangles;
    try_translation();
    expanded = NULL;
    agpu_shader_destroy(vertex);
    agpu_shader_destroy(pixel);
}

static void try_expanded(void)
{
    static const struct ag_expanded_options triangles = {
        .vertices = 3, .edges = true, .culled = AG_CULLED_CLOCKWISE, .record_registers = 4};
    expanded = &triangles;
    try_translation();
    expanded = NULL;
}

static bool visit(void *user, const struct ag_corpus_file *file)
{
    struct agpu_shader *parsed;
    (void)user;
    if (getenv("AGPU_SHOW_FAILURES") != NULL)
        print_message("%s\n", file->path);
    assert_int_equal(agpu_shader_parse(file->data, file->size, AGPU_PARSE_IGNORE_CHECKSUM, NULL, &parsed),
                     AGPU_OK);
    shader = parsed;
    try_flavour(AGPU_FLAVOUR_DEFAULT);
    switch (shader->program.stage) {
    case AGPU_STAGE_VERTEX:
        try_flavour(AGPU_FLAVOUR_VERTEX_AS_COMPUTE);
        try_expanded();
        break;
    case AGPU_STAGE_HULL:
        try_flavour(AGPU_FLAVOUR_HULL_POINTS);
        break;
    case AGPU_STAGE_GEOMETRY:
    case AGPU_STAGE_DOMAIN:
        try_expanded();
        break;
    case AGPU_STAGE_PIXEL:
    case AGPU_STAGE_COMPUTE:
    case AGPU_STAGE_COUNT:
        break;
    }
    agpu_shader_destroy(parsed);
    return true;
}

static void every_shader(void **state)
{
    (void)state;
    assert_true(ag_corpus_walk(directory, ".dxbc", visit, NULL) > 100);
    print_message("%u modules, %u failures\n", modules, failures);
    assert_true(modules > 300);
    assert_true(failures > 4 * modules);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_shader), cmocka_unit_test(linked_shaders)};
    if (argc != 2)
        return 1;
    directory = argv[1];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
