/* SPDX-License-Identifier: MIT */
#include "support.h"

#include "base/bytes.h"
#include "dxbc/container.h"
#include "dxbc/rdef.h"

/* vs_palette: cbuffer B : register(b3) { float4x3 bones[80]; }; cbuffer C { float4x4 vp; }; */
static void constant_buffers_of_4_0(void **state)
{
    (void)state;
    struct agpu_shader *shader = parse_file("vs_palette.vs_4_0.dxbc");
    const struct agpu_rdef *rdef = shader->rdef;
    assert_non_null(rdef);
    assert_string_equal(rdef->creator, "Microsoft (R) HLSL Shader Compiler 6.3.9600.16384");
    assert_int_equal(rdef->binding_count, 2);
    assert_int_equal(rdef->cbuffer_count, 2);
    for (uint32_t i = 0; i < 2; i++) {
        const struct agpu_rdef_binding *binding = &rdef->bindings[i];
        assert_int_equal(binding->input_type, 0);
        assert_int_equal(binding->bind_point, strcmp(binding->name, "B") == 0 ? 3 : 0);
        assert_int_equal(binding->bind_count, 1);
    }
    const struct agpu_rdef_cbuffer *b = &rdef->cbuffers[strcmp(rdef->cbuffers[0].name, "B") == 0 ? 0 : 1];
    assert_string_equal(b->name, "B");
    assert_int_equal(b->size, 80 * 3 * 16); /* column major: three registers a matrix */
    assert_int_equal(b->variable_count, 1);
    assert_string_equal(b->variables[0].name, "bones");
    assert_int_equal(b->variables[0].offset, 0);
    assert_int_equal(b->variables[0].flags & 2, 2);
    const struct agpu_rdef_type *type = b->variables[0].type;
    assert_int_equal(type->type_class, 3);
    assert_int_equal(type->base_type, 3);
    assert_int_equal(type->rows, 4);
    assert_int_equal(type->columns, 3);
    assert_int_equal(type->element_count, 80);
    assert_null(type->name);
    agpu_shader_destroy(shader);
}

/* ps_interface_lights: cbuffer C { Dir dd; Pt pp[2]; Lambert la; Wrap wr; float3 ld; int n; };
 * Pt has pos, r, c. */
static void structures_of_5_0(void **state)
{
    (void)state;
    struct agpu_shader *shader = parse_file("ps_interface_lights.ps_5_0.dxbc");
    const struct agpu_rdef *rdef = shader->rdef;
    assert_non_null(rdef);
    const struct agpu_rdef_cbuffer *c = NULL;
    for (uint32_t i = 0; i < rdef->cbuffer_count; i++)
        if (strcmp(rdef->cbuffers[i].name, "C") == 0)
            c = &rdef->cbuffers[i];
    assert_non_null(c);
    assert_int_equal(c->variable_count, 6);
    assert_string_equal(c->variables[0].name, "dd");
    assert_string_equal(c->variables[1].name, "pp");
    assert_int_equal(c->variables[1].offset, 32);
    const struct agpu_rdef_type *pt = c->variables[1].type;
    assert_string_equal(pt->name, "Pt");
    assert_int_equal(pt->element_count, 2);
    assert_int_equal(pt->member_count, 3);
    assert_string_equal(pt->members[0].name, "pos");
    assert_string_equal(pt->members[1].name, "r");
    assert_int_equal(pt->members[1].offset, 12);
    assert_int_equal(pt->members[1].type->base_type, 3);
    assert_string_equal(pt->members[2].name, "c");
    assert_int_equal(pt->members[2].offset, 16);
    assert_string_equal(c->variables[5].name, "n");
    assert_int_equal(c->variables[5].type->base_type, 2);
    agpu_shader_destroy(shader);
}

/* A 4.x chunk with one constant buffer of one variable whose structure type is at 76 and has one member. */
static void make_chunk(uint8_t bytes[128], uint32_t member_type)
{
    static const uint32_t words[] = {
        1,          28,         0,          28,  0xfffe0400, 0, 120, /* header */
        120,        1,          52,         16,  0,          0,      /* constant buffer at 28 */
        120,        0,          16,         2,   76,         0,      /* variable at 52 */
        5,          0x00040001, 0x00010000, 104,                     /* structure type at 76 */
        0x00030000, 0x00010001, 0,                                   /* scalar type at 92 */
        120,        92,         0,                                   /* member at 104 */
    };
    memset(bytes, 0, 128);
    memcpy(bytes, words, sizeof words);
    ag_store_u32(bytes + 108, member_type);
    memcpy(bytes + 120, "name", 5);
}

static const struct agpu_rdef *read_chunk(struct ag_arena *arena, const uint8_t *bytes, uint32_t size,
                                          struct last_diag *last)
{
    const struct agpu_diag_sink sink = sink_of(last);
    const struct agpu_dxbc_chunk chunk = {AG_CHUNK_RDEF, size, 1000, bytes};
    ag_arena_reset(arena);
    const struct agpu_rdef *rdef;
    assert_int_equal(ag_rdef_read(arena, &chunk, &sink, &rdef), AGPU_OK);
    return rdef;
}

static void types_that_contain_themselves_are_refused(void **state)
{
    (void)state;
    uint8_t bytes[128];
    struct last_diag last;
    struct ag_arena arena = {0};
    make_chunk(bytes, 92);
    const struct agpu_rdef *rdef = read_chunk(&arena, bytes, sizeof bytes, &last);
    assert_non_null(rdef);
    assert_int_equal(rdef->cbuffers[0].variables[0].type->members[0].type->base_type, 3);
    make_chunk(bytes, 76);
    assert_null(read_chunk(&arena, bytes, sizeof bytes, &last));
    assert_int_equal(last.warnings, 1);
    assert_string_equal(agpu_diag_slug(last.diag.code), "dxbc.reflection");
    assert_int_equal(last.diag.place.offset, 1000 + 108);
    ag_arena_fini(&arena);
}

static void every_cut_is_refused_or_read(void **state)
{
    (void)state;
    uint8_t bytes[128];
    struct last_diag last;
    struct ag_arena arena = {0};
    make_chunk(bytes, 92);
    for (uint32_t size = 0; size < 125; size++) {
        /* A copy of its own, so that reading past its end is seen by the sanitizer. */
        uint8_t *cut = malloc(size + 1);
        assert_non_null(cut);
        uint8_t *exact = realloc(cut, size == 0 ? 1 : size);
        assert_non_null(exact);
        memcpy(exact, bytes, size);
        assert_null(read_chunk(&arena, exact, size, &last));
        assert_int_equal(last.warnings, 1);
        free(exact);
    }
    ag_arena_fini(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constant_buffers_of_4_0),
        cmocka_unit_test(structures_of_5_0),
        cmocka_unit_test(types_that_contain_themselves_are_refused),
        cmocka_unit_test(every_cut_is_refused_or_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
