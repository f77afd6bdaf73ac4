/* SPDX-License-Identifier: MIT */
#include "support.h"

#include "base/bytes.h"
#include "dxbc/container.h"
#include "dxbc/feature_bits.h"

/* MD5 of messages whose last block is the format's own: the container's own digest is the right value. */
static void checksum_matches_the_compilers(void **state)
{
    (void)state;
    static const char *const names[] = {
        "vs_palette.vs_4_0.dxbc",         "ps_min16.ps_5_0.dxbc",           "hs_quad_pow2_point.hs_5_0.dxbc",
        "ds_tri_plain.ds_5_0.dxbc",       "gs_streams4_points.gs_5_0.dxbc", "cs_gsm_struct_scan.cs_5_0.dxbc",
        "ps_feedback_sample.ps_5_0.dxbc",
    };
    for (size_t i = 0; i < AG_COUNT_OF(names); i++) {
        size_t size;
        uint8_t *data = load(names[i], &size);
        uint8_t digest[16];
        agpu_dxbc_checksum(data, size, digest);
        assert_memory_equal(digest, data + 4, 16);
        free(data);
    }
}

/* Messages of 52 to 64 bytes end on both sides of the place where the last block becomes two. Right values:
 * the rule of the format written as one padded message and hashed by an independent MD5. */
static void checksum_has_a_two_block_path(void **state)
{
    (void)state;
    static const struct {
        size_t message;
        uint8_t digest[16];
    } cases[] = {
        {12,
         {0x77, 0xa9, 0x99, 0x47, 0x1d, 0xb5, 0xfb, 0xd0, 0x93, 0xc8, 0x24, 0x71, 0xa7, 0xe7, 0x68, 0x38}},
        {52,
         {0xe9, 0x9c, 0x85, 0x42, 0x89, 0xcb, 0xe3, 0x14, 0x5f, 0xf6, 0xdc, 0x94, 0xd4, 0xee, 0x64, 0x75}},
        {55,
         {0x09, 0x00, 0x16, 0x77, 0xd2, 0x47, 0x75, 0x9f, 0xd5, 0xbc, 0xb9, 0xf2, 0xac, 0xb2, 0xf3, 0x02}},
        {56,
         {0x4b, 0xf7, 0x97, 0x86, 0x54, 0xc4, 0x07, 0x87, 0x40, 0x19, 0xac, 0x1b, 0xe2, 0xd7, 0x0c, 0xac}},
        {60,
         {0x9c, 0x5a, 0x90, 0x01, 0xc8, 0x99, 0x55, 0x5c, 0x88, 0x8c, 0x5f, 0xf5, 0xa1, 0x50, 0x30, 0x81}},
        {63,
         {0x82, 0x43, 0x97, 0xfe, 0xab, 0x15, 0x30, 0x2a, 0xdb, 0xc5, 0xb5, 0xdb, 0x2e, 0xe5, 0x34, 0xba}},
        {64,
         {0xa3, 0x96, 0x03, 0xf6, 0xdb, 0x83, 0x59, 0xfc, 0xb0, 0x37, 0x69, 0x87, 0x3a, 0x11, 0xb9, 0x29}},
        {119,
         {0x51, 0xfb, 0x9f, 0x7b, 0xc2, 0x9e, 0x6e, 0x29, 0x38, 0x67, 0xf5, 0xa7, 0x64, 0xb9, 0x06, 0x56}},
        {120,
         {0x93, 0x2b, 0xed, 0xe4, 0x02, 0x42, 0x9b, 0x39, 0x19, 0xff, 0x27, 0xd8, 0x8b, 0xf0, 0x44, 0x6b}},
    };
    for (size_t i = 0; i < AG_COUNT_OF(cases); i++) {
        uint8_t container[20 + 128];
        for (size_t k = 0; k < sizeof container; k++)
            container[k] = (uint8_t)(k * 7);
        uint8_t digest[16];
        agpu_dxbc_checksum(container, 20 + cases[i].message, digest);
        assert_memory_equal(digest, cases[i].digest, 16);
    }
}

static void chunks_are_listed_in_order(void **state)
{
    (void)state;
    struct agpu_shader *shader = parse_file("ds_tri_plain.ds_5_0.dxbc");
    static const uint32_t expected[] = {AG_CHUNK_RDEF, AG_CHUNK_ISGN, AG_CHUNK_PCSG,
                                        AG_CHUNK_OSGN, AG_CHUNK_SHEX, AG_CHUNK_STAT};
    assert_int_equal(shader->chunk_count, AG_COUNT_OF(expected));
    for (uint32_t i = 0; i < shader->chunk_count; i++) {
        assert_int_equal(shader->chunks[i].fourcc, expected[i]);
        if (i > 0) /* packed without gaps */
            assert_int_equal(shader->chunks[i].offset,
                             shader->chunks[i - 1].offset + shader->chunks[i - 1].size + 8);
    }
    agpu_shader_destroy(shader);
}

static enum agpu_status parse_changed(const uint8_t *data, size_t size, size_t at, uint32_t value,
                                      uint32_t flags, struct last_diag *last)
{
    const struct agpu_diag_sink sink = sink_of(last);
    uint8_t *copy = malloc(size);
    assert_non_null(copy);
    memcpy(copy, data, size);
    ag_store_u32(copy + at, value);
    struct agpu_shader *shader;
    const enum agpu_status status = agpu_shader_parse(copy, size, flags, &sink, &shader);
    assert_true((status == AGPU_OK) == (shader != NULL));
    agpu_shader_destroy(shader);
    free(copy);
    return status;
}

static void header_fields_are_checked(void **state)
{
    (void)state;
    size_t size;
    uint8_t *data = load("vs_palette.vs_4_0.dxbc", &size);
    struct last_diag last;
    const uint32_t ignore = AGPU_PARSE_IGNORE_CHECKSUM;

    assert_int_equal(parse_changed(data, size, 0, 0x12345678, ignore, &last), AGPU_REFUSED);
    assert_string_equal(agpu_diag_slug(last.diag.code), "dxbc.container");
    assert_int_equal(parse_changed(data, size, 20, 2, ignore, &last), AGPU_REFUSED);
    assert_int_equal(last.diag.place.offset, 20);
    assert_int_equal(parse_changed(data, size, 24, (uint32_t)size + 1, ignore, &last), AGPU_REFUSED);
    assert_int_equal(last.diag.place.offset, 24);
    assert_int_equal(parse_changed(data, size, 28, 0xffffffff, ignore, &last), AGPU_REFUSED);
    assert_int_equal(last.diag.place.offset, 28);
    assert_int_equal(parse_changed(data, size, 32, (uint32_t)size - 4, ignore, &last), AGPU_REFUSED);
    assert_string_equal(agpu_diag_slug(last.diag.code), "dxbc.chunk");
    assert_int_equal(last.diag.place.offset, 32);
    const uint32_t first = ag_load_u32(data + 32);
    assert_int_equal(parse_changed(data, size, first + 4, 0xfffffff0, ignore, &last), AGPU_REFUSED);
    assert_int_equal(last.diag.place.offset, first + 4);
    free(data);
}

static void wrong_digests_are_refused_unless_ignored(void **state)
{
    (void)state;
    size_t size;
    uint8_t *data = load("vs_palette.vs_4_0.dxbc", &size);
    struct last_diag last;
    assert_int_equal(parse_changed(data, size, 4, ag_load_u32(data + 4), 0, &last), AGPU_OK);
    assert_int_equal(last.warnings + last.errors, 0);
    assert_int_equal(parse_changed(data, size, 4, 0, 0, &last), AGPU_REFUSED);
    assert_string_equal(agpu_diag_slug(last.diag.code), "dxbc.checksum");
    assert_int_equal(last.diag.place.offset, 4);
    assert_int_equal(parse_changed(data, size, 4, 0, AGPU_PARSE_IGNORE_CHECKSUM, &last), AGPU_OK);
    assert_int_equal(last.warnings, 1);
    memset(data + 4, 0, 16);
    assert_int_equal(parse_changed(data, size, 4, 0, 0, &last), AGPU_REFUSED);
    assert_non_null(strstr(last.message, "never signed"));
    free(data);
}

static void message_programs_need_no_digest(void **state)
{
    (void)state;
    size_t size;
    uint8_t *data = load("ps_message.ps_5_0.dxbc", &size);
    struct last_diag last;
    const struct agpu_diag_sink sink = sink_of(&last);
    struct agpu_shader *shader;
    assert_int_equal(agpu_shader_parse(data, size, AGPU_PARSE_DEFAULT, &sink, &shader), AGPU_OK);
    assert_int_equal(last.warnings, 1);
    assert_string_equal(agpu_diag_slug(last.diag.code), "dxbc.checksum");
    agpu_shader_destroy(shader);
    free(data);
}

/* A container of one chunk. */
static enum agpu_status parse_one_chunk(uint32_t fourcc, const void *content, uint32_t size,
                                        struct last_diag *last)
{
    uint8_t bytes[256] = {0};
    ag_store_u32(bytes, AG_DXBC_MAGIC);
    ag_store_u32(bytes + 20, 1);
    ag_store_u32(bytes + 24, 44 + size);
    ag_store_u32(bytes + 28, 1);
    ag_store_u32(bytes + 32, 36);
    ag_store_u32(bytes + 36, fourcc);
    ag_store_u32(bytes + 40, size);
    memcpy(bytes + 44, content, size);
    agpu_dxbc_checksum(bytes, 44 + size, bytes + 4);
    const struct agpu_diag_sink sink = sink_of(last);
    struct agpu_shader *shader;
    const enum agpu_status status = agpu_shader_parse(bytes, 44 + size, 0, &sink, &shader);
    agpu_shader_destroy(shader);
    return status;
}

static void other_models_are_named(void **state)
{
    (void)state;
    struct last_diag last;
    static const uint32_t d3d9[] = {0xffff0200, 0x0000ffff};
    static const uint32_t good[] = {VS_4_0, 3, 0x0100003e};
    static const uint32_t hull_4[] = {0x00030040, 2};
    static const uint32_t model_3[] = {0x00010030, 2};
    assert_int_equal(parse_one_chunk(AG_CHUNK_SHDR, good, sizeof good, &last), AGPU_OK);
    assert_int_equal(last.errors + last.warnings, 0);
    assert_int_equal(parse_one_chunk(AG_CHUNK_DXIL, good, sizeof good, &last), AGPU_REFUSED);
    assert_string_equal(agpu_diag_slug(last.diag.code), "dxbc.model");
    assert_int_equal(parse_one_chunk(AG_CHUNK_AON9, good, sizeof good, &last), AGPU_REFUSED);
    assert_string_equal(agpu_diag_slug(last.diag.code), "dxbc.model");
    assert_int_equal(parse_one_chunk(AG_CHUNK_STAT, good, sizeof good, &last), AGPU_REFUSED);
    assert_string_equal(agpu_diag_slug(last.diag.code), "dxbc.no-program");
    assert_int_equal(parse_one_chunk(AG_CHUNK_SHDR, d3d9, sizeof d3d9, &last), AGPU_REFUSED);
    assert_string_equal(agpu_diag_slug(last.diag.code), "dxbc.model");
    assert_int_equal(last.diag.place.offset, 44);
    assert_int_equal(parse_one_chunk(AG_CHUNK_SHEX, hull_4, sizeof hull_4, &last), AGPU_REFUSED);
    assert_string_equal(last.message, "there is no hs_4_0");
    assert_int_equal(parse_one_chunk(AG_CHUNK_SHDR, model_3, sizeof model_3, &last), AGPU_REFUSED);
    assert_string_equal(agpu_diag_slug(last.diag.code), "dxbc.model");
}

/* What the compiler wrote into SFI0 follows from the program. */
static void feature_bits_match_the_compilers(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint64_t bits;
    } cases[] = {
        {"vs_palette.vs_4_0.dxbc",         0     },
        {"ps_min16.ps_5_0.dxbc",           1 << 4},
        {"ps_feedback_sample.ps_5_0.dxbc", 1 << 8},
    };
    for (size_t i = 0; i < AG_COUNT_OF(cases); i++) {
        struct agpu_shader *shader = parse_file(cases[i].name);
        assert_int_equal(shader->feature_bits, cases[i].bits);
        assert_int_equal(ag_program_feature_bits(&shader->program), cases[i].bits);
        agpu_shader_destroy(shader);
    }
}

static void the_first_of_equal_chunks_counts(void **state)
{
    (void)state;
    static const char text[] = "vs_4_0\n.chunk ISGN\n.chunk SHDR\n.chunk ISGN 8\n.hex 00000000 08000000\n"
                               ".in A0 v0.x float\nret\n";
    uint8_t *bytes;
    size_t size;
    assert_int_equal(agpu_assemble(text, strlen(text), NULL, &bytes, &size), AGPU_OK);
    struct agpu_shader *shader;
    assert_int_equal(agpu_shader_parse(bytes, size, 0, NULL, &shader), AGPU_OK);
    assert_int_equal(shader->chunk_count, 3);
    assert_int_equal(shader->input.count, 1);
    agpu_shader_destroy(shader);
    agpu_free(bytes);
}

/* Nothing may depend on where the input lies or on chunks being aligned. */
static void inputs_may_be_unaligned(void **state)
{
    (void)state;
    size_t size;
    uint8_t *data = load("ps_min16.ps_5_0.dxbc", &size);
    uint8_t *shifted = malloc(size + 3);
    assert_non_null(shifted);
    for (size_t shift = 1; shift < 4; shift++) {
        memcpy(shifted + shift, data, size);
        struct agpu_shader *shader;
        assert_int_equal(agpu_shader_parse(shifted + shift, size, 0, NULL, &shader), AGPU_OK);
        agpu_shader_destroy(shader);
    }
    free(shifted);
    free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(checksum_matches_the_compilers),
        cmocka_unit_test(checksum_has_a_two_block_path),
        cmocka_unit_test(chunks_are_listed_in_order),
        cmocka_unit_test(header_fields_are_checked),
        cmocka_unit_test(wrong_digests_are_refused_unless_ignored),
        cmocka_unit_test(message_programs_need_no_digest),
        cmocka_unit_test(other_models_are_named),
        cmocka_unit_test(feature_bits_match_the_compilers),
        cmocka_unit_test(the_first_of_equal_chunks_counts),
        cmocka_unit_test(inputs_may_be_unaligned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
