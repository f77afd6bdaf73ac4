/* SPDX-License-Identifier: MIT
 *
 * The vertex shader that draws what an expansion made, and how it meets the pixel shader.
 */
#include "module_text.h"
#include "wgsl/binding.h"
#include "wgsl/expansion.h"
#include "wgsl/linkage.h"
#include "wgsl/options.h"

/* Stream 1 has a o1 of its own, which nobody draws. */
static const char geometry[] =
    "gs_5_0\n.in SV_Position0 v0.xyzw float position\n"
    ".out SV_Position0 o0.xyzw float position\n.out SV_PrimitiveID0 o2.y uint primitive_id\n"
    ".out L0 o3.z uint rendertarget_array_index\n.out B0 o1.xyzw float stream=1\n"
    "dcl_input_siv v[1][0].xyzw, position\ndcl_inputprimitive point\n"
    "dcl_stream m0\ndcl_outputtopology pointlist\ndcl_output_siv o0.xyzw, position\n"
    "dcl_output_sgv o2.y, primitive_id\ndcl_output_siv o3.z, rendertarget_array_index\n"
    "dcl_stream m1\ndcl_outputtopology pointlist\ndcl_output o1.xyzw\ndcl_maxout 1\n"
    "mov o0.xyzw, v[0][0].xyzw\nmov o2.y, l(7)\nmov o3.z, l(1)\nemit_stream m0\nret\n";

static const char vertex[] =
    "vs_5_0\n.in A0 v0.xyzw float\n.out A0 o1.xyzw float\n"
    ".out SV_Position0 o2.xyzw float position\n.out SV_CullDistance0 o3.xy float cull_distance\n"
    ".out SV_ClipDistance0 o3.z float clip_distance\n"
    ".out V0 o4.x uint viewport_array_index\n"
    "dcl_input v0.xyzw\ndcl_output o1.xyzw\ndcl_output_siv o2.xyzw, position\n"
    "dcl_output_siv o3.xy, cull_distance\ndcl_output_siv o3.z, clip_distance\n"
    "dcl_output_siv o4.x, viewport_array_index\n"
    "mov o1.xyzw, v0.xyzw\nmov o2.xyzw, v0.xyzw\nmov o3.xyz, v0.xyzx\nmov o4.x, l(0)\nret\n";

static const char pixel[] = "ps_5_0\n.in A0 v1.xyzw float\n.in SV_PrimitiveID0 v2.y uint primitive_id\n"
                            ".out SV_Target0 o0.xyzw float\n"
                            "dcl_input_ps linear v1.xyzw\ndcl_input_ps_sgv constant v2.y, primitive_id\n"
                            "dcl_output o0.xyzw\ndcl_temps 1\n"
                            "utof r0.x, v2.y\nadd o0.xyzw, v1.xyzw, r0.xxxx\nret\n";

static struct agpu_module *expanded(const char *producer, const struct ag_expanded_options *options)
{
    struct agpu_shader *shader = shader_from_text(producer);
    struct agpu_module *module;
    assert_int_equal(ag_translate_expanded_vertex(shader, options, NULL, &module), AGPU_OK);
    agpu_shader_destroy(shader);
    return module;
}

static void link_expanded(const char *producer, struct ag_linkage *linkage)
{
    struct agpu_shader *shader = shader_from_text(producer), *ps = shader_from_text(pixel);
    assert_int_equal(ag_link_expanded(shader, 0, ps, 16, NULL, linkage), AGPU_OK);
    agpu_shader_destroy(shader);
    agpu_shader_destroy(ps);
}

static void the_id_of_a_primitive_crosses(void **state)
{
    struct ag_linkage linkage;
    (void)state;
    link_expanded(vertex, &linkage);
    assert_true(linkage.expanded);
    assert_int_equal(linkage.location_count, 2);
    assert_int_equal(linkage.registers[1].primitive_id, 0);
    assert_int_equal(linkage.registers[2].primitive_id, 2);
    assert_true(linkage.registers[2].flat_uint);
    const struct ag_expanded_options options = {.linkage = &linkage, .vertices = 3, .record_registers = 5};
    struct agpu_module *module = expanded(vertex, &options);
    assert_has(module, "@location(1) @interpolate(flat) o2: vec2u");
    assert_has(module, ", primitives[entry])");
    agpu_module_destroy(module);
    const struct ag_translate_options pixel_options = {.linkage = &linkage};
    module = translate(pixel, &pixel_options);
    assert_has(module, "@location(1) @interpolate(flat) v2_SV_PrimitiveID0: vec2u");
    assert_lacks(module, "primitive_index");
    assert_int_equal(module->needs, 0);
    agpu_module_destroy(module);
}

/* Drawn directly, the same pair uses the builtin. */
static void without_expansion_the_id_is_a_builtin(void **state)
{
    struct agpu_shader *vs = shader_from_text(vertex), *ps = shader_from_text(pixel);
    struct ag_linkage linkage;
    (void)state;
    assert_int_equal(ag_link(vs, ps, 16, NULL, &linkage), AGPU_OK);
    assert_false(linkage.expanded);
    assert_int_equal(linkage.location_count, 1);
    const struct ag_translate_options options = {.linkage = &linkage};
    struct agpu_module *module = translate(pixel, &options);
    assert_true(module->needs & AGPU_NEED_PRIMITIVE_INDEX);
    agpu_module_destroy(module);
    agpu_shader_destroy(vs);
    agpu_shader_destroy(ps);
}

static void a_geometry_shader_hands_on_its_own_id(void **state)
{
    struct ag_linkage linkage;
    (void)state;
    link_expanded(geometry, &linkage);
    assert_int_equal(linkage.location_count, 1); /* o1 is another stream's */
    assert_int_equal(linkage.registers[2].mask, 2);
    assert_int_equal(linkage.registers[2].primitive_id, 0);
    const struct ag_expanded_options options = {.linkage = &linkage, .vertices = 1, .record_registers = 4};
    struct agpu_module *module = expanded(geometry, &options);
    assert_has(module, "inputs[record + 2u].xy");
    assert_lacks(module, "primitives[entry],");
    assert_true(module->expansion.writes_layer);
    assert_false(module->expansion.writes_viewport);
    agpu_module_destroy(module);
}

static void layers_and_viewports_are_chosen_by_instance(void **state)
{
    (void)state;
    const struct ag_expanded_options plain = {.vertices = 1, .record_registers = 4};
    struct agpu_module *module = expanded(geometry, &plain);
    assert_lacks(module, "instance_index");
    agpu_module_destroy(module);
    const struct ag_expanded_options layers = {.vertices = 1, .record_registers = 4, .layers = 6};
    module = expanded(geometry, &layers);
    assert_has(module, "let layer = inputs[leading + 3u].z;");
    assert_has(module, "if (select(layer, 0u, layer >= 6u) != (instance_index & 0xffffu))");
    agpu_module_destroy(module);
    const struct ag_expanded_options both = {
        .vertices = 2, .record_registers = 5, .layers = 6, .selects_viewport = true};
    module = expanded(vertex, &both);
    assert_has(module, "let layer = 0u;"); /* it writes none */
    assert_has(module, "let viewport = inputs[leading + 4u].x;");
    assert_has(module, "if (((viewports >> select(viewport, 0u, viewport >= 16u)) & 1u) == 0u)");
    agpu_module_destroy(module);
}

static void distances_clip_and_cull(void **state)
{
    (void)state;
    const struct ag_expanded_options options = {.vertices = 2, .record_registers = 5};
    struct agpu_module *module = expanded(vertex, &options);
    assert_int_equal(module->needs, AGPU_NEED_CLIP_DISTANCES);
    assert_has(module, "clip_distances: array<f32, 1>");
    assert_has(module, "array<f32, 1>(bitcast<f32>(inputs[record + 3u].z))");
    assert_has(module, "if (!(is_kept(inputs[record0 + 3u].x) || is_kept(inputs[record1 + 3u].x)))");
    assert_has(module, "if (!(is_kept(inputs[record0 + 3u].y) || is_kept(inputs[record1 + 3u].y)))");
    assert_int_equal(module->output_count, 1); /* no linkage: the position alone has a register */
    assert_non_null(binding_at(module, AG_GROUP_INTERNAL, AG_EXPAND_PRIMITIVES));
    assert_non_null(binding_at(module, AG_GROUP_INTERNAL, AG_EXPAND_INPUTS));
    assert_false(module->uses_draw_block);
    agpu_module_destroy(module);
}

/* Resources of these stages are in the internal group, records and lists behind them. */
static void passes_say_what_they_bind(void **state)
{
    static const char text[] =
        "hs_5_0\n.in A0 v0.xyzw float\n.out A0 o0.xyzw float\n.patch SV_TessFactor0 o0.x float "
        "tri_edge_tess_factor\n"
        ".patch SV_InsideTessFactor0 o1.x float tri_inside_tess_factor\n"
        "hs_decls\ndcl_input_control_point_count 3\ndcl_output_control_point_count 3\n"
        "dcl_tessellator_domain domain_tri\ndcl_tessellator_partitioning partitioning_integer\n"
        "dcl_tessellator_output_primitive output_triangle_cw\ndcl_constantbuffer cb2[3], immediateIndexed\n"
        "hs_fork_phase\ndcl_input vicp[3][0].xyzw\ndcl_output_siv o0.x, finalTriUeq0EdgeTessFactor\n"
        "dcl_output_siv o1.x, finalTriInsideTessFactor\nmov o0.x, vicp[2][0].y\nmov o1.x, cb2[1].x\nret\n";
    static const struct {
        uint16_t binding;
        uint8_t kind;
    } expected[] = {
        {AG_BINDING_CBUFFER + 2, AGPU_BIND_UNIFORM_BUFFER           },
        {AG_EXPAND_PRIMITIVES,   AGPU_BIND_STORAGE_BUFFER_READ      },
        {AG_EXPAND_INPUTS,       AGPU_BIND_STORAGE_BUFFER_READ      },
        {AG_EXPAND_PATCHES,      AGPU_BIND_STORAGE_BUFFER_READ_WRITE},
        {AG_EXPAND_FACTORS,      AGPU_BIND_STORAGE_BUFFER_READ_WRITE},
    };
    struct agpu_module *module = translate(text, NULL);
    (void)state;
    assert_int_equal(module->flavour, AGPU_FLAVOUR_HULL_PATCH);
    assert_int_equal(module->binding_count, sizeof expected / sizeof expected[0]);
    for (uint32_t i = 0; i < module->binding_count; i++) {
        assert_int_equal(module->bindings[i].group, AG_GROUP_INTERNAL);
        assert_int_equal(module->bindings[i].binding, expected[i].binding);
        assert_int_equal(module->bindings[i].kind, expected[i].kind);
    }
    assert_int_equal(module->output_count, 2);
    assert_int_equal(module->outputs[0].system_value, AGPU_SV_TRI_EDGE_TESS_FACTOR);
    assert_int_equal(module->outputs[1].system_value, AGPU_SV_TRI_INSIDE_TESS_FACTOR);
    assert_int_equal(module->workgroup_size[0], AG_EXPAND_WORKGROUP);
    assert_false(module->uses_draw_block);
    agpu_module_destroy(module);
}

static void refuses_what_cannot_be_drawn(void **state)
{
    struct agpu_shader *ps = shader_from_text(pixel), *vs = shader_from_text(vertex);
    struct agpu_module *module;
    const struct ag_expanded_options good = {.vertices = 3, .record_registers = 4};
    const struct ag_expanded_options four = {.vertices = 4, .record_registers = 4};
    const struct ag_expanded_options long_records = {.vertices = 3, .record_registers = 33};
    (void)state;
    assert_int_equal(ag_translate_expanded_vertex(ps, &good, NULL, &module), AGPU_REFUSED);
    assert_null(module);
    assert_int_equal(ag_translate_expanded_vertex(vs, &four, NULL, &module), AGPU_REFUSED);
    assert_int_equal(ag_translate_expanded_vertex(vs, &long_records, NULL, &module), AGPU_REFUSED);
    agpu_shader_destroy(ps);
    agpu_shader_destroy(vs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_id_of_a_primitive_crosses),
        cmocka_unit_test(without_expansion_the_id_is_a_builtin),
        cmocka_unit_test(a_geometry_shader_hands_on_its_own_id),
        cmocka_unit_test(layers_and_viewports_are_chosen_by_instance),
        cmocka_unit_test(distances_clip_and_cull),
        cmocka_unit_test(passes_say_what_they_bind),
        cmocka_unit_test(refuses_what_cannot_be_drawn),
    };
    return cmocka_run_group_tests_name("wgsl/expanded", tests, NULL, NULL);
}
