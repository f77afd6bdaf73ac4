/* SPDX-License-Identifier: MIT */
#include "../../support/shader_text.h"

#include "aerogpu/translate.h"
#include "wgsl/linkage.h"
#include "wgsl/options.h"

static const char vertex[] = "vs_4_0\n"
                             ".in POSITION0 v0.xyzw float\n"
                             ".out SV_Position0 o0.xyzw float position\n"
                             ".out COLOR0 o1.xyzw float\n"
                             ".out ID0 o3.x uint\n"
                             ".out UNREAD0 o4.xyz float\n"
                             "dcl_input v0.xyzw\n"
                             "dcl_output_siv o0.xyzw, position\n"
                             "dcl_output o1.xyzw\n"
                             "dcl_output o3.x\n"
                             "dcl_output o4.xyz\n"
                             "mov o0.xyzw, v0.xyzw\n"
                             "mov o1.xyzw, v0.xyzw\n"
                             "mov o3.x, l(0x7fa00000)\n"
                             "mov o4.xyz, v0.xyzx\n"
                             "ret\n";

/* Reads two components of o1, o3, and registers 2 and 5 that nobody writes. */
static const char pixel[] = "ps_4_0\n"
                            ".in SV_Position0 v0.xyzw float position\n"
                            ".in TINT0 v1.xy float\n"
                            ".in MISSING0 v2.xyzw float\n"
                            ".in ID0 v3.x uint\n"
                            ".in MISSING1 v5.x uint\n"
                            ".out SV_Target0 o0.xyzw float\n"
                            "dcl_input_ps_siv linear noperspective v0.xyzw, position\n"
                            "dcl_input_ps linear noperspective v1.xy\n"
                            "dcl_input_ps linear v2.xyzw\n"
                            "dcl_input_ps constant v3.x\n"
                            "dcl_input_ps constant v5.x\n"
                            "dcl_output o0.xyzw\n"
                            "dcl_temps 1\n"
                            "utof r0.x, v3.x\n"
                            "utof r0.y, v5.x\n"
                            "mad r0.xyzw, v1.xyxy, v2.xyzw, r0.xyxy\n"
                            "add o0.xyzw, r0.xyzw, v0.xyzw\n"
                            "ret\n";

static void crosses_by_register(void **state)
{
    (void)state;
    struct agpu_shader *vs = shader_from_text(vertex), *ps = shader_from_text(pixel);
    struct ag_linkage linkage;
    assert_int_equal(ag_link(vs, ps, 16, NULL, &linkage), AGPU_OK);
    assert_int_equal(linkage.location_count, 2);
    assert_int_equal(linkage.registers[0].interpolation, 0);
    assert_int_equal(linkage.registers[1].mask, 3);
    assert_int_equal(linkage.registers[1].location, 0);
    assert_int_equal(linkage.registers[1].interpolation, AGPU_INTERPOLATE_LINEAR_NOPERSPECTIVE);
    assert_false(linkage.registers[1].flat_uint);
    assert_int_equal(linkage.registers[2].interpolation, 0);
    assert_int_equal(linkage.registers[3].location, 1);
    assert_true(linkage.registers[3].flat_uint);
    assert_int_equal(linkage.registers[4].interpolation, 0);
    agpu_shader_destroy(vs);
    agpu_shader_destroy(ps);
}

static void both_sides_agree(void **state)
{
    (void)state;
    struct agpu_shader *vs = shader_from_text(vertex), *ps = shader_from_text(pixel);
    struct ag_linkage linkage;
    assert_int_equal(ag_link(vs, ps, 16, NULL, &linkage), AGPU_OK);
    const struct ag_translate_options options = {.linkage = &linkage};
    struct agpu_module *vertex_module, *pixel_module;
    assert_int_equal(ag_translate(vs, &options, NULL, &vertex_module), AGPU_OK);
    assert_int_equal(ag_translate(ps, &options, NULL, &pixel_module), AGPU_OK);
    assert_non_null(strstr(vertex_module->wgsl, "@location(0) @interpolate(linear) o1_COLOR0: vec2f"));
    assert_non_null(strstr(pixel_module->wgsl, "@location(0) @interpolate(linear) v1_TINT0: vec2f"));
    assert_non_null(strstr(vertex_module->wgsl, "@location(1) @interpolate(flat) o3_ID0: u32"));
    assert_non_null(strstr(pixel_module->wgsl, "@location(1) @interpolate(flat) v3_ID0: u32"));
    assert_null(strstr(vertex_module->wgsl, "UNREAD"));
    assert_null(strstr(pixel_module->wgsl, "MISSING"));
    /* A NaN's bits cross a flat register as they are. */
    assert_non_null(strstr(vertex_module->wgsl, "0x7fa00000u"));
    assert_null(strstr(vertex_module->wgsl, "opaque"));
    agpu_module_destroy(vertex_module);
    agpu_module_destroy(pixel_module);
    agpu_shader_destroy(vs);
    agpu_shader_destroy(ps);
}

static void without_a_reader_only_the_position_leaves(void **state)
{
    (void)state;
    struct agpu_shader *vs = shader_from_text(vertex);
    struct ag_linkage linkage;
    assert_int_equal(ag_link(vs, NULL, 16, NULL, &linkage), AGPU_OK);
    const struct ag_translate_options options = {.linkage = &linkage};
    struct agpu_module *module;
    assert_int_equal(ag_translate(vs, &options, NULL, &module), AGPU_OK);
    assert_int_equal(module->output_count, 1);
    assert_int_equal(module->outputs[0].system_value, AGPU_SV_POSITION);
    agpu_module_destroy(module);
    agpu_shader_destroy(vs);
}

static void says_when_there_is_no_room(void **state)
{
    (void)state;
    struct agpu_shader *vs = shader_from_text(vertex), *ps = shader_from_text(pixel);
    struct first_error error = {0};
    const struct agpu_diag_sink sink = {keep_first_error, &error};
    struct ag_linkage linkage;
    assert_int_equal(ag_link(vs, ps, 1, &sink, &linkage), AGPU_REFUSED);
    assert_int_equal(error.code, AGPU_DIAG_TRANSLATE_LIMIT);
    agpu_shader_destroy(vs);
    agpu_shader_destroy(ps);
}

static const char clipped[] = "vs_4_0\n"
                              ".in POSITION0 v0.xyzw float\n"
                              ".out SV_Position0 o0.xyzw float position\n"
                              ".out COLOR0 o1.x float\n"
                              ".out SV_ClipDistance0 o1.yzw float clip_distance\n"
                              ".out SV_ClipDistance1 o2.xz float clip_distance\n"
                              "dcl_input v0.xyzw\n"
                              "dcl_output_siv o0.xyzw, position\n"
                              "dcl_output o1.x\n"
                              "dcl_output_siv o1.yzw, clip_distance\n"
                              "dcl_output_siv o2.xz, clip_distance\n"
                              "mov o0.xyzw, v0.xyzw\n"
                              "mov o1.xyzw, v0.xyzw\n"
                              "mov o2.xz, v0.xxyx\n"
                              "ret\n";

/* Five distances need two locations behind the two registers that cross. */
static void clip_distances_cross_without_the_feature(void **state)
{
    (void)state;
    struct agpu_shader *vs = shader_from_text(clipped), *ps = shader_from_text(pixel);
    struct ag_linkage linkage;
    assert_int_equal(ag_link(vs, ps, 16, NULL, &linkage), AGPU_OK);
    assert_int_equal(linkage.clip_count, 0);
    assert_int_equal(linkage.location_count, 2);
    assert_int_equal(ag_link_clip_distances(vs, 16, NULL, &linkage), AGPU_OK);
    assert_int_equal(linkage.clip_count, 5);
    assert_int_equal(linkage.clip_location, 2);
    assert_int_equal(linkage.location_count, 4);
    const struct ag_translate_options options = {.linkage = &linkage};
    struct agpu_module *module;
    assert_int_equal(ag_translate(vs, &options, NULL, &module), AGPU_OK);
    assert_int_equal(module->needs & AGPU_NEED_CLIP_DISTANCES, 0);
    assert_null(strstr(module->wgsl, "clip_distances"));
    assert_non_null(strstr(module->wgsl, "@location(2) clip0: vec4f"));
    assert_non_null(strstr(module->wgsl, "@location(3) clip1: f32"));
    assert_int_equal(module->outputs[module->output_count - 1].location, 3);
    assert_int_equal(module->outputs[module->output_count - 1].system_value, AGPU_SV_CLIP_DISTANCE);
    agpu_module_destroy(module);
    assert_int_equal(ag_translate(ps, &options, NULL, &module), AGPU_OK);
    assert_true(module->discards);
    assert_non_null(strstr(module->wgsl, "@location(2) clip0: vec4f, @location(3) clip1: f32)"));
    assert_non_null(strstr(module->wgsl, "is_clipped(vec4f(clip0)) || "
                                         "is_clipped(vec4f(clip1, 0.0, 0.0, 0.0))) { discard; }"));
    assert_int_equal(module->inputs[module->input_count - 1].location, 3);
    assert_int_equal(module->inputs[module->input_count - 1].mask, 1);
    agpu_module_destroy(module);
    agpu_shader_destroy(vs);
    agpu_shader_destroy(ps);
}

/* With the feature, just as many as are declared. */
static void clip_distances_are_counted_by_component(void **state)
{
    (void)state;
    struct agpu_shader *vs = shader_from_text(clipped);
    struct agpu_module *module;
    assert_int_equal(ag_translate(vs, NULL, NULL, &module), AGPU_OK);
    assert_int_equal(module->needs & AGPU_NEED_CLIP_DISTANCES, AGPU_NEED_CLIP_DISTANCES);
    assert_non_null(strstr(module->wgsl, "@builtin(clip_distances) clip_distances: array<f32, 5>"));
    agpu_module_destroy(module);
    agpu_shader_destroy(vs);
}

static void without_a_pixel_shader_one_is_made(void **state)
{
    (void)state;
    struct agpu_shader *vs = shader_from_text(clipped), *plain = shader_from_text(vertex);
    struct ag_linkage linkage;
    struct agpu_module *module = NULL;
    assert_int_equal(ag_link(vs, NULL, 16, NULL, &linkage), AGPU_OK);
    assert_int_equal(ag_link_clip_distances(vs, 2, NULL, &linkage), AGPU_OK);
    assert_int_equal(ag_translate_made_pixel(&linkage, 0, NULL, &module), AGPU_OK);
    assert_int_equal(module->stage, AGPU_STAGE_PIXEL);
    assert_int_equal(module->input_count, 2);
    assert_int_equal(module->output_count, 0);
    assert_int_equal(module->binding_count, 0);
    assert_true(module->discards);
    agpu_module_destroy(module);
    memset(&linkage, 0, sizeof linkage);
    assert_int_equal(ag_link_clip_distances(plain, 0, NULL, &linkage), AGPU_OK);
    assert_int_equal(linkage.clip_count, 0);
    assert_int_equal(ag_translate_made_pixel(&linkage, 0, NULL, &module), AGPU_OK);
    assert_false(module->discards);
    agpu_module_destroy(module);
    linkage.clip_count = 9;
    assert_int_equal(ag_translate_made_pixel(&linkage, 0, NULL, &module), AGPU_REFUSED);
    assert_null(module);
    linkage.clip_count = 0;
    assert_int_equal(ag_translate_made_pixel(&linkage, AG_PIXEL_DEPTH_ROUND, NULL, &module), AGPU_OK);
    assert_false(module->discards);
    assert_false(module->uses_draw_block);
    agpu_module_destroy(module);
    assert_int_equal(ag_translate_made_pixel(&linkage, AG_PIXEL_DEPTH_BIAS, NULL, &module), AGPU_OK);
    assert_true(module->uses_draw_block);
    agpu_module_destroy(module);
    agpu_shader_destroy(vs);
    agpu_shader_destroy(plain);
}

static void clip_distances_need_room(void **state)
{
    (void)state;
    struct agpu_shader *vs = shader_from_text(clipped), *ps = shader_from_text(pixel);
    struct first_error error = {0};
    const struct agpu_diag_sink sink = {keep_first_error, &error};
    struct ag_linkage linkage;
    assert_int_equal(ag_link(vs, ps, 3, &sink, &linkage), AGPU_OK);
    assert_int_equal(ag_link_clip_distances(vs, 3, &sink, &linkage), AGPU_REFUSED);
    assert_int_equal(error.code, AGPU_DIAG_TRANSLATE_LIMIT);
    agpu_shader_destroy(vs);
    agpu_shader_destroy(ps);
}

/* ---- What everybody may use ---------------------------------------------------------------------------- */

/* agpu_translate() with the other shader gives what linking by hand gives. */
static void linked_shaders_agree_with_their_linkage(void **state)
{
    (void)state;
    struct agpu_shader *vs = shader_from_text(vertex), *ps = shader_from_text(pixel);
    struct ag_linkage linkage;
    assert_int_equal(ag_link(vs, ps, 16, NULL, &linkage), AGPU_OK);
    const struct ag_translate_options by_hand = {.linkage = &linkage};
    for (unsigned i = 0; i < 2; i++) {
        const struct agpu_shader *const shader = i == 0 ? vs : ps;
        const struct agpu_translate_options options = {.size = sizeof options, .linked = i == 0 ? ps : vs};
        struct agpu_module *expected, *module, *alone;
        assert_int_equal(ag_translate(shader, &by_hand, NULL, &expected), AGPU_OK);
        assert_int_equal(agpu_translate(shader, &options, NULL, &module), AGPU_OK);
        assert_int_equal(agpu_translate(shader, NULL, NULL, &alone), AGPU_OK);
        assert_string_equal(module->wgsl, expected->wgsl);
        assert_string_not_equal(module->wgsl, alone->wgsl);
        agpu_module_destroy(expected);
        agpu_module_destroy(module);
        agpu_module_destroy(alone);
    }
    agpu_shader_destroy(vs);
    agpu_shader_destroy(ps);
}

static void shaders_that_cannot_be_linked_are_refused(void **state)
{
    (void)state;
    struct agpu_shader *vs = shader_from_text(vertex), *ps = shader_from_text(pixel);
    struct agpu_module *module;
    const struct agpu_translate_options same = {.linked = vs};
    assert_int_equal(agpu_translate(vs, &same, NULL, &module), AGPU_REFUSED);
    assert_null(module);
    const struct agpu_translate_options narrow = {.linked = ps, .max_locations = 1};
    assert_int_equal(agpu_translate(vs, &narrow, NULL, &module), AGPU_REFUSED);
    assert_null(module);
    agpu_shader_destroy(vs);
    agpu_shader_destroy(ps);
}

/* Options of an older program end before `linked`. */
static void options_end_with_their_size(void **state)
{
    (void)state;
    struct agpu_shader *vs = shader_from_text(vertex);
    const struct agpu_translate_options options = {.size = offsetof(struct agpu_translate_options, linked),
                                                   .linked = vs};
    struct agpu_module *module;
    assert_int_equal(agpu_translate(vs, &options, NULL, &module), AGPU_OK);
    agpu_module_destroy(module);
    agpu_shader_destroy(vs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(crosses_by_register),
        cmocka_unit_test(both_sides_agree),
        cmocka_unit_test(without_a_reader_only_the_position_leaves),
        cmocka_unit_test(says_when_there_is_no_room),
        cmocka_unit_test(clip_distances_cross_without_the_feature),
        cmocka_unit_test(clip_distances_are_counted_by_component),
        cmocka_unit_test(without_a_pixel_shader_one_is_made),
        cmocka_unit_test(clip_distances_need_room),
        cmocka_unit_test(linked_shaders_agree_with_their_linkage),
        cmocka_unit_test(shaders_that_cannot_be_linked_are_refused),
        cmocka_unit_test(options_end_with_their_size),
    };
    return cmocka_run_group_tests_name("wgsl/link", tests, NULL, NULL);
}
