/* SPDX-License-Identifier: MIT */
#include "support.h"

#include "base/bytes.h"
#include "base/strbuf.h"
#include "dxbc/container.h"
#include "dxbc/signature_write.h"

/* vs_palette: main(float4 POSITION, float3 NORMAL, uint4 BLENDINDICES, float4 BLENDWEIGHT) */
static void vertex_elements_follow_the_source(void **state)
{
    (void)state;
    struct agpu_shader *shader = parse_file("vs_palette.vs_4_0.dxbc");
    assert_int_equal(shader->input.count, 4);
    const struct agpu_signature_element *normal = &shader->input.elements[1];
    assert_string_equal(normal->semantic_name, "NORMAL");
    assert_int_equal(normal->component_type, AGPU_COMPONENT_FLOAT);
    assert_int_equal(normal->register_index, 1);
    assert_int_equal(normal->mask, 7);
    assert_int_equal(normal->rw_mask, 7);
    const struct agpu_signature_element *indices = agpu_signature_find(&shader->input, "blendIndices", 0);
    assert_non_null(indices);
    assert_int_equal(indices->component_type, AGPU_COMPONENT_UINT);
    assert_int_equal(indices->register_index, 2);
    assert_null(agpu_signature_find(&shader->input, "BLENDINDICES", 1));
    assert_null(agpu_signature_find(&shader->input, "BLEND", 0));
    const struct agpu_signature_element *position = agpu_signature_find(&shader->output, "sv_position", 0);
    assert_int_equal(position->system_value, AGPU_SV_POSITION);
    assert_int_equal(position->rw_mask, 0); /* all of it is written */
    assert_int_equal(shader->patch_constant.count, 0);
    agpu_shader_destroy(shader);
}

/* gs_streams4_points: four PointStreams; SV_PrimitiveID has no register. */
static void streams_and_special_registers(void **state)
{
    (void)state;
    struct agpu_shader *shader = parse_file("gs_streams4_points.gs_5_0.dxbc");
    const struct agpu_signature_element *id = agpu_signature_find(&shader->input, "SV_PrimitiveID", 0);
    assert_int_equal(id->register_index, AGPU_REGISTER_NONE);
    assert_int_equal(id->system_value, AGPU_SV_PRIMITIVE_ID);
    assert_int_equal(shader->output.count, 7);
    assert_int_equal(agpu_signature_find(&shader->output, "W", 0)->stream, 0);
    assert_int_equal(agpu_signature_find(&shader->output, "ID", 0)->stream, 1);
    assert_int_equal(agpu_signature_find(&shader->output, "KEY", 0)->stream, 2);
    assert_int_equal(agpu_signature_find(&shader->output, "KEY", 0)->component_type, AGPU_COMPONENT_SINT);
    assert_int_equal(agpu_signature_find(&shader->output, "Y", 0)->stream, 3);
    agpu_shader_destroy(shader);
}

/* ps_min16: min16float4 COLOR, min16uint IDX, float2 TEXCOORD */
static void minimum_precision_is_read(void **state)
{
    (void)state;
    struct agpu_shader *shader = parse_file("ps_min16.ps_5_0.dxbc");
    assert_int_equal(agpu_signature_find(&shader->input, "COLOR", 0)->min_precision, 1);
    assert_int_equal(agpu_signature_find(&shader->input, "IDX", 0)->min_precision, 5);
    assert_int_equal(agpu_signature_find(&shader->input, "TEXCOORD", 0)->min_precision, 0);
    assert_int_equal(shader->output.elements[0].min_precision, 1);
    agpu_shader_destroy(shader);
}

static void patch_constants_are_read(void **state)
{
    (void)state;
    struct agpu_shader *shader = parse_file("hs_quad_pow2_point.hs_5_0.dxbc");
    assert_int_equal(shader->patch_constant.count, 6);
    const struct agpu_signature_element *edge =
        agpu_signature_find(&shader->patch_constant, "SV_TessFactor", 3);
    assert_int_equal(edge->system_value, AGPU_SV_QUAD_EDGE_TESS_FACTOR);
    assert_int_equal(edge->mask, 1);
    const struct agpu_signature_element *inside =
        agpu_signature_find(&shader->patch_constant, "SV_InsideTessFactor", 1);
    assert_int_equal(inside->system_value, AGPU_SV_QUAD_INSIDE_TESS_FACTOR);
    agpu_shader_destroy(shader);
}

static void written_chunks_equal_the_compilers(void **state)
{
    (void)state;
    static const char *const names[] = {"vs_palette.vs_4_0.dxbc", "gs_streams4_points.gs_5_0.dxbc",
                                        "ps_min16.ps_5_0.dxbc", "hs_quad_pow2_point.hs_5_0.dxbc"};
    for (size_t i = 0; i < AG_COUNT_OF(names); i++) {
        struct agpu_shader *shader = parse_file(names[i]);
        for (uint32_t k = 0; k < shader->chunk_count; k++) {
            const struct agpu_dxbc_chunk *chunk = &shader->chunks[k];
            const bool input = chunk->fourcc == AG_CHUNK_ISGN || chunk->fourcc == AG_CHUNK_ISG1;
            const bool output = chunk->fourcc == AG_CHUNK_OSGN || chunk->fourcc == AG_CHUNK_OSG5 ||
                                chunk->fourcc == AG_CHUNK_OSG1;
            if (!input && !output)
                continue;
            struct ag_strbuf out = {0};
            ag_signature_write(&out, chunk->fourcc, input ? &shader->input : &shader->output);
            assert_int_equal(out.length, chunk->size);
            assert_memory_equal(out.data, chunk->data, chunk->size);
            ag_strbuf_fini(&out);
        }
        agpu_shader_destroy(shader);
    }
}

static void names_that_do_not_end_are_refused(void **state)
{
    (void)state;
    size_t size;
    uint8_t *data = load("vs_palette.vs_4_0.dxbc", &size);
    struct agpu_shader *shader;
    assert_int_equal(agpu_shader_parse(data, size, 0, NULL, &shader), AGPU_OK);
    uint64_t at = 0;
    for (uint32_t i = 0; i < shader->chunk_count; i++)
        if (shader->chunks[i].fourcc == AG_CHUNK_ISGN)
            at = shader->chunks[i].offset;
    agpu_shader_destroy(shader);

    struct last_diag last;
    const struct agpu_diag_sink sink = sink_of(&last);
    ag_store_u32(data + at + 8, 0xfffffff0); /* first element's name */
    assert_int_equal(agpu_shader_parse(data, size, AGPU_PARSE_IGNORE_CHECKSUM, &sink, &shader), AGPU_REFUSED);
    assert_string_equal(agpu_diag_slug(last.diag.code), "dxbc.signature");
    assert_int_equal(last.diag.place.offset, at + 8);
    ag_store_u32(data + at, 0x10000000); /* element count */
    assert_int_equal(agpu_shader_parse(data, size, AGPU_PARSE_IGNORE_CHECKSUM, &sink, &shader), AGPU_REFUSED);
    assert_int_equal(last.diag.place.offset, at);
    free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vertex_elements_follow_the_source),
        cmocka_unit_test(streams_and_special_registers),
        cmocka_unit_test(minimum_precision_is_read),
        cmocka_unit_test(patch_constants_are_read),
        cmocka_unit_test(written_chunks_equal_the_compilers),
        cmocka_unit_test(names_that_do_not_end_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
