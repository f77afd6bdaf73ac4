/* SPDX-License-Identifier: MIT
 *
 * Bare token streams with signatures beside them.
 */
#include "support.h"

#include "base/bytes.h"

/* The tokens of a listing; the caller frees them. */
static uint32_t *tokens_of(const char *text, size_t *size)
{
    uint8_t *bytes;
    size_t bytes_size;
    struct agpu_shader *shader;
    assert_int_equal(agpu_assemble(text, strlen(text), NULL, &bytes, &bytes_size), AGPU_OK);
    assert_int_equal(agpu_shader_parse(bytes, bytes_size, AGPU_PARSE_DEFAULT, NULL, &shader), AGPU_OK);
    *size = (size_t)shader->program.token_count * 4;
    uint32_t *tokens = malloc(*size);
    assert_non_null(tokens);
    memcpy(tokens, shader->program.tokens, *size);
    agpu_shader_destroy(shader);
    agpu_free(bytes);
    return tokens;
}

static void assert_element(const struct agpu_signature_element *element, const char *name, uint32_t index,
                           uint32_t system_value, uint32_t type, uint32_t register_index, uint8_t mask)
{
    assert_string_equal(element->semantic_name, name);
    assert_int_equal(element->semantic_index, index);
    assert_int_equal(element->system_value, system_value);
    assert_int_equal(element->component_type, type);
    assert_int_equal(element->register_index, register_index);
    assert_int_equal(element->mask, mask);
}

/* dxbc-format 7: system value, register, mask and three bytes; in 11.1 component type and precision follow.
 */
static void entries_of_both_sizes(void **state)
{
    (void)state;
    static const uint8_t entries[] = {
        1, 0, 0, 0, 3, 0, 0, 0, 0xf, 0xcc, 0xcc, 0xcc, /* position v3.xyzw */
        0, 0, 0, 0, 9, 0, 0, 0, 0x3, 2,    0xcc, 0xcc, /* v9.xy, stream 2 in 11.1 */
        3, 0, 0, 0, 1, 0, 0, 0,                        /* float, float16 */
    };
    struct agpu_driver_element elements[2];
    assert_true(agpu_driver_elements_read(entries, 2, 12, elements));
    assert_int_equal(elements[0].system_value, 1);
    assert_int_equal(elements[0].register_index, 3);
    assert_int_equal(elements[0].mask, 0xf);
    assert_int_equal(elements[0].stream, 0);
    assert_int_equal(elements[1].register_index, 9);
    assert_int_equal(elements[1].stream, 0);
    assert_true(agpu_driver_elements_read(entries + 12, 1, 20, elements));
    assert_int_equal(elements[0].register_index, 9);
    assert_int_equal(elements[0].stream, 2);
    assert_int_equal(elements[0].component_type, AGPU_COMPONENT_FLOAT);
    assert_int_equal(elements[0].min_precision, 1);
    assert_false(agpu_driver_elements_read(entries, 1, 16, elements));
}

static void names_and_types_are_made_up(void **state)
{
    (void)state;
    static const char text[] = "vs_4_0\n"
                               "dcl_input v0.xyz\n"
                               "dcl_input v1.xy\n"
                               "dcl_input v1.z\n"
                               "dcl_input v2.x\n"
                               "dcl_input_sgv v3.x, vertex_id\n"
                               "dcl_output_siv o0.xyzw, position\n"
                               "dcl_output o1.xyzw\n"
                               "dcl_temps 1\n"
                               "add o0.xyzw, v0.xyzz, v1.xyzz\n"
                               "mov o1.xyzw, v0.xyzx\n"
                               "iadd r0.x, v2.x, v3.x\n"
                               "utof o1.x, r0.x\n"
                               "ret\n";
    static const struct agpu_driver_element inputs[] = {
        {0, 0, 0x7, 0, 0, 0},
        {0, 1, 0x3, 0, 0, 0},
        {0, 1, 0x4, 0, 0, 0},
        {0, 2, 0x1, 0, 0, 0},
        {6, 3, 0x1, 0, 0, 0},
    };
    static const struct agpu_driver_element outputs[] = {
        {1, 0, 0xf, 0, 0, 0},
        {0, 1, 0xf, 0, 1, 0}
    };
    const struct agpu_driver_signatures signatures = {
        .input = inputs, .input_count = 5, .output = outputs, .output_count = 2};
    size_t size;
    uint32_t *tokens = tokens_of(text, &size);
    struct agpu_shader *shader;
    assert_int_equal(agpu_shader_parse_driver(tokens, size, &signatures, NULL, &shader), AGPU_OK);
    free(tokens);
    assert_int_equal(shader->input.count, 5);
    assert_element(&shader->input.elements[0], "ATTRIBUTE", 0, 0, AGPU_COMPONENT_FLOAT, 0, 0x7);
    assert_element(&shader->input.elements[1], "ATTRIBUTE", 1, 0, AGPU_COMPONENT_FLOAT, 1, 0x3);
    assert_element(&shader->input.elements[2], "ATTRIBUTE_Z", 1, 0, AGPU_COMPONENT_FLOAT, 1, 0x4);
    assert_element(&shader->input.elements[3], "ATTRIBUTE", 2, 0, AGPU_COMPONENT_SINT, 2, 0x1);
    assert_element(&shader->input.elements[4], "SV_VertexID", 0, AGPU_SV_VERTEX_ID, AGPU_COMPONENT_UINT, 3,
                   0x1);
    assert_int_equal(shader->output.count, 2);
    assert_element(&shader->output.elements[0], "SV_Position", 0, AGPU_SV_POSITION, AGPU_COMPONENT_FLOAT, 0,
                   0xf);
    assert_element(&shader->output.elements[1], "ATTRIBUTE", 1, 0, AGPU_COMPONENT_UINT, 1, 0xf);
    agpu_shader_destroy(shader);
}

static void pixel_outputs_are_targets(void **state)
{
    (void)state;
    static const char text[] = "ps_5_0\n"
                               "dcl_output o2.xyzw\n"
                               "dcl_output oMask\n"
                               "dcl_output oDepthGE\n"
                               "mov o2.xyzw, l(0,0,0,0)\n"
                               "mov oMask, l(1)\n"
                               "mov oDepthGE, l(0.5)\n"
                               "ret\n";
    static const struct agpu_driver_element outputs[] = {
        {0, 2,          0xf, 0, 0, 0},
        {0, UINT32_MAX, 1,   0, 0, 0},
        {0, UINT32_MAX, 1,   0, 0, 0}
    };
    const struct agpu_driver_signatures signatures = {.output = outputs, .output_count = 3};
    size_t size;
    uint32_t *tokens = tokens_of(text, &size);
    struct agpu_shader *shader;
    assert_int_equal(agpu_shader_parse_driver(tokens, size, &signatures, NULL, &shader), AGPU_OK);
    free(tokens);
    assert_element(&shader->output.elements[0], "SV_Target", 2, 0, AGPU_COMPONENT_FLOAT, 2, 0xf);
    assert_element(&shader->output.elements[1], "SV_Coverage", 0, 0, AGPU_COMPONENT_UINT, UINT32_MAX, 1);
    assert_element(&shader->output.elements[2], "SV_DepthGreaterEqual", 0, 0, AGPU_COMPONENT_FLOAT,
                   UINT32_MAX, 1);
    agpu_shader_destroy(shader);
}

/* Name tokens number each factor; signatures number the kinds (dxbc-format 2.2, 2.3). */
static void tessellation_factors_are_renumbered(void **state)
{
    (void)state;
    static const char text[] = "ds_5_0\n"
                               "dcl_input_control_point_count 4\n"
                               "dcl_tessellator_domain domain_quad\n"
                               "ret\n";
    struct agpu_driver_element factors[6];
    for (uint32_t i = 0; i < 6; i++)
        factors[i] = (struct agpu_driver_element){.system_value = 11 + i, .register_index = i, .mask = 1};
    const struct agpu_driver_signatures signatures = {.patch_constant = factors, .patch_constant_count = 6};
    size_t size;
    uint32_t *tokens = tokens_of(text, &size);
    struct agpu_shader *shader;
    assert_int_equal(agpu_shader_parse_driver(tokens, size, &signatures, NULL, &shader), AGPU_OK);
    free(tokens);
    for (uint32_t i = 0; i < 4; i++)
        assert_element(&shader->patch_constant.elements[i], "SV_TessFactor", i, AGPU_SV_QUAD_EDGE_TESS_FACTOR,
                       AGPU_COMPONENT_FLOAT, i, 1);
    for (uint32_t i = 0; i < 2; i++)
        assert_element(&shader->patch_constant.elements[4 + i], "SV_InsideTessFactor", i,
                       AGPU_SV_QUAD_INSIDE_TESS_FACTOR, AGPU_COMPONENT_FLOAT, 4 + i, 1);
    agpu_shader_destroy(shader);
}

static const char signature_lines[] = ".in POSITION0 v0.xyz float\n"
                                      ".out SV_Position0 o0.xyzw float position\n";

/* Tokens and lines in, the same tokens and lines out. */
static void text_signatures_round_trip(void **state)
{
    (void)state;
    static const char text[] = "vs_4_0\ndcl_input v0.xyz\ndcl_output_siv o0.xyzw, position\n"
                               "mov o0.xyzw, v0.xyzx\nret\n";
    size_t size;
    uint32_t *tokens = tokens_of(text, &size);
    struct agpu_signature_set *set;
    assert_int_equal(
        agpu_signature_set_read(signature_lines, strlen(signature_lines), AGPU_STAGE_VERTEX, NULL, &set),
        AGPU_OK);
    struct agpu_shader *shader;
    assert_int_equal(agpu_shader_parse_tokens(tokens, size, set, NULL, &shader), AGPU_OK);
    agpu_signature_set_destroy(set); /* the shader has copies */
    assert_element(&shader->input.elements[0], "POSITION", 0, 0, AGPU_COMPONENT_FLOAT, 0, 0x7);
    char *written;
    size_t length;
    assert_int_equal(agpu_signatures_write(shader, NULL, &written, &length), AGPU_OK);
    assert_string_equal(written, signature_lines);
    agpu_free(written);
    /* The listing has the lines too, so it assembles to a whole container. */
    assert_int_equal(agpu_disassemble(shader, AGPU_DISASM_FULL, NULL, &written, &length), AGPU_OK);
    assert_non_null(strstr(written, signature_lines));
    uint8_t *bytes;
    size_t bytes_size;
    assert_int_equal(agpu_assemble(written, length, NULL, &bytes, &bytes_size), AGPU_OK);
    struct agpu_shader *container;
    assert_int_equal(agpu_shader_parse(bytes, bytes_size, AGPU_PARSE_DEFAULT, NULL, &container), AGPU_OK);
    assert_int_equal(container->output.count, 1);
    assert_int_equal(container->program.token_count * 4, size);
    assert_memory_equal(container->program.tokens, tokens, size);
    agpu_free(written);
    agpu_free(bytes);
    free(tokens);
    agpu_shader_destroy(container);
    agpu_shader_destroy(shader);
}

static void mistakes_are_named(void **state)
{
    (void)state;
    static const char wrong[] = "// the inputs\n.in POSITION0 v0.xyz float\nmov r0.x, r0.x\n";
    struct last_diag last;
    const struct agpu_diag_sink sink = sink_of(&last);
    struct agpu_signature_set *set;
    assert_int_equal(agpu_signature_set_read(wrong, strlen(wrong), AGPU_STAGE_VERTEX, &sink, &set),
                     AGPU_REFUSED);
    assert_null(set);
    assert_string_equal(agpu_diag_slug(last.diag.code), "dxbc.syntax");
    assert_int_equal(last.diag.place.line, 3);

    static const uint32_t tokens[] = {VS_4_0, 3, 0x0100003e};
    static const struct agpu_driver_element bad_value[] =
        {
            {23, 0, 1, 0, 0, 0}
    },
                                            bad_mask[] = {{0, 0, 0x10, 0, 0, 0}};
    const struct agpu_driver_element *const lists[] = {bad_value, bad_mask};
    for (size_t i = 0; i < AG_COUNT_OF(lists); i++) {
        const struct agpu_driver_signatures signatures = {.output = lists[i], .output_count = 1};
        struct agpu_shader *shader;
        assert_int_equal(agpu_shader_parse_driver(tokens, sizeof tokens, &signatures, &sink, &shader),
                         AGPU_REFUSED);
        assert_null(shader);
        assert_string_equal(agpu_diag_slug(last.diag.code), "dxbc.signature");
    }
    struct agpu_shader *shader;
    assert_int_equal(agpu_shader_parse_tokens(tokens, 2, NULL, &sink, &shader), AGPU_REFUSED);
    assert_int_equal(agpu_shader_parse_tokens(tokens, sizeof tokens, NULL, &sink, &shader), AGPU_OK);
    assert_int_equal(shader->input.count, 0);
    agpu_shader_destroy(shader);
    agpu_signature_set_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_of_both_sizes),      cmocka_unit_test(names_and_types_are_made_up),
        cmocka_unit_test(pixel_outputs_are_targets),  cmocka_unit_test(tessellation_factors_are_renumbered),
        cmocka_unit_test(text_signatures_round_trip), cmocka_unit_test(mistakes_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
