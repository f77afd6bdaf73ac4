/* SPDX-License-Identifier: MIT
 *
 * Reflection data, statistics and feature bits as text.
 */
#include "support.h"

#include "base/bytes.h"
#include "dxbc/container.h"

/* Without a warning. */
static struct agpu_shader *assemble(const char *text)
{
    struct last_diag last;
    struct agpu_shader *shader = shader_of(text, &last);
    assert_int_equal(last.warnings, 0);
    return shader;
}

static const struct agpu_dxbc_chunk *find(const struct agpu_shader *shader, uint32_t fourcc)
{
    for (uint32_t i = 0; i < shader->chunk_count; i++)
        if (shader->chunks[i].fourcc == fourcc)
            return &shader->chunks[i];
    return NULL;
}

static char *list(const struct agpu_shader *shader, uint32_t flags)
{
    char *text;
    size_t length;
    assert_int_equal(agpu_disassemble(shader, flags, NULL, &text, &length), AGPU_OK);
    return text;
}

static void refuses(const char *text, const char *slug, uint32_t line)
{
    struct last_diag last;
    const struct agpu_diag_sink sink = sink_of(&last);
    uint8_t *bytes;
    size_t size;
    assert_int_equal(agpu_assemble(text, strlen(text), &sink, &bytes, &size), AGPU_REFUSED);
    assert_null(bytes);
    assert_string_equal(agpu_diag_slug(last.diag.code), slug);
    assert_int_equal(last.diag.place.line, line);
}

/* The layout of dxbc-format 3.4, byte by byte. */
static void text_makes_the_chunk(void **state)
{
    (void)state;
    static const uint32_t expected[] = {
        1,          64,         1,  28, 0xfffe0400, 0x100, 140,    /* header */
        60,         0,          0,  0,  0,          3,     1,   0, /* binding at 28 */
        0xabab0042,                                                /* "B" at 60 */
        60,         1,          88, 16, 0,          0,             /* buffer at 64 */
        112,        0,          8,  2,  116,        132,           /* variable at 88 */
        0xabab0076,                                                /* "v" at 112 */
        0x00030001, 0x00020001, 0,  0,                             /* type at 116 */
        0x3f800000, 0x40000000,                                    /* default value at 132 */
        0xabab0063,                                                /* "c" at 140 */
    };
    struct agpu_shader *shader = assemble("vs_4_0\n"
                                          ".rdef \"c\" flags=0x100\n"
                                          ".binding cbuffer \"B\" cb3\n"
                                          ".buffer cbuffer \"B\" size=16\n"
                                          ".type 0 vector float 1x2\n"
                                          ".variable \"v\" type=0 offset=0 size=8 used default 1.0, 2.0\n"
                                          "ret\n");
    const struct agpu_dxbc_chunk *chunk = find(shader, AG_CHUNK_RDEF);
    assert_non_null(chunk);
    assert_int_equal(chunk->size, sizeof expected);
    assert_memory_equal(chunk->data, expected, sizeof expected);
    assert_ptr_equal(chunk, &shader->chunks[0]);
    agpu_shader_destroy(shader);
}

static const char structures[] = "ps_5_0\n"
                                 ".rdef \"compiler\" flags=0x100 slots=1\n"
                                 ".binding sampler \"shadow\" s1 comparison\n"
                                 ".binding texture \"albedo\" t0 float4 2d\n"
                                 ".binding texture \"samples\" t2 float4 2dms samples=4\n"
                                 ".binding structured \"lights\" t4 mixed buffer count=2 stride=32\n"
                                 ".binding rw_typed \"target\" u1 uint2 2darray\n"
                                 ".binding cbuffer \"C\" cb0 user_packed\n"
                                 ".buffer cbuffer \"C\" size=96\n"
                                 ".type 0 vector float 1x3 \"float3\"\n"
                                 ".type 1 struct void 1x3 \"Light\"\n"
                                 ".member \"colour\" type=0 offset=0\n"
                                 ".variable \"one\" type=1 offset=0 size=12\n"
                                 ".type 2 struct void 1x3 \"Light\" elements=2 members=1\n"
                                 ".variable \"two\" type=2 offset=16 size=28 used\n"
                                 ".type 3 vector float 1x3 \"float3\"\n"
                                 ".variable \"other\" type=3 offset=48 size=12 used texture=1 textures=2\n"
                                 ".type 4 matrix_rows float 4x4 \"float4x4\"\n"
                                 ".variable \"world\" type=4 offset=64 size=64 flags=0x10\n"
                                 "ret\n";

static void types_keep_their_identity(void **state)
{
    (void)state;
    struct agpu_shader *shader = assemble(structures);
    const struct agpu_rdef *rdef = shader->rdef;
    assert_non_null(rdef);
    assert_int_equal(rdef->interface_slots, 1);
    const struct agpu_rdef_variable *variables = rdef->cbuffers[0].variables;
    assert_ptr_equal(variables[0].type->members, variables[1].type->members);
    assert_ptr_not_equal(variables[0].type, variables[1].type);
    assert_int_equal(variables[1].type->element_count, 2);
    assert_ptr_not_equal(variables[2].type, variables[0].type->members[0].type);
    assert_string_equal(variables[2].type->name, "float3");
    assert_ptr_equal(variables[2].type->name, variables[0].type->members[0].type->name); /* pooled */
    assert_int_equal(variables[2].first_texture, 1);
    assert_int_equal(variables[2].texture_count, 2);
    assert_int_equal(variables[2].first_sampler, AGPU_REGISTER_NONE);
    assert_int_equal(variables[3].flags, 0x10);
    agpu_shader_destroy(shader);
}

static void bindings_keep_their_fields(void **state)
{
    (void)state;
    static const struct agpu_rdef_binding expected[] = {
        {"shadow",  3, 0, 0, 0,          1, 1, 2,      0, 0},
        {"albedo",  2, 5, 4, UINT32_MAX, 0, 1, 3 << 2, 0, 0},
        {"samples", 2, 5, 6, 4,          2, 1, 3 << 2, 0, 0},
        {"lights",  5, 6, 1, 32,         4, 2, 0,      0, 0},
        {"target",  4, 4, 5, UINT32_MAX, 1, 1, 1 << 2, 0, 0},
        {"C",       0, 0, 0, 0,          0, 1, 1,      0, 0},
    };
    struct agpu_shader *shader = assemble(structures);
    assert_int_equal(shader->rdef->binding_count, AG_COUNT_OF(expected));
    for (size_t i = 0; i < AG_COUNT_OF(expected); i++) {
        const struct agpu_rdef_binding *binding = &shader->rdef->bindings[i];
        assert_string_equal(binding->name, expected[i].name);
        assert_int_equal(binding->input_type, expected[i].input_type);
        assert_int_equal(binding->return_type, expected[i].return_type);
        assert_int_equal(binding->dimension, expected[i].dimension);
        assert_int_equal(binding->sample_count, expected[i].sample_count);
        assert_int_equal(binding->bind_point, expected[i].bind_point);
        assert_int_equal(binding->bind_count, expected[i].bind_count);
        assert_int_equal(binding->flags, expected[i].flags);
    }
    agpu_shader_destroy(shader);
}

/* Everything from ".rdef" to the line in front of `end`. */
static void full_listings_have_the_text(void **state)
{
    (void)state;
    struct agpu_shader *shader = assemble(structures);
    char *text = list(shader, AGPU_DISASM_FULL);
    const char *source = strstr(structures, ".rdef");
    const size_t length = strlen(source) - strlen("ret\n");
    const char *found = strstr(text, ".rdef");
    assert_non_null(found);
    assert_memory_equal(found, source, length);
    assert_null(strstr(text, ".hex"));
    agpu_free(text);
    agpu_shader_destroy(shader);

    shader = parse_file("ps_interface_lights.ps_5_0.dxbc");
    text = list(shader, AGPU_DISASM_FULL);
    assert_non_null(strstr(text, "\n.chunk RDEF\n.rdef \"Microsoft (R) HLSL Shader Compiler"));
    assert_non_null(strstr(text, "\n.chunk STAT\n.stat 37 instructions="));
    assert_non_null(strstr(text, "\"Lambert\"\n.implements "));
    agpu_free(text);
    agpu_shader_destroy(shader);
}

static void tables_are_those_of_the_compiler(void **state)
{
    (void)state;
    struct agpu_shader *shader = assemble(structures);
    char *text = list(shader, AGPU_DISASM_DEFAULT);
    static const char expected[] =
        "//\n"
        "// Generated by compiler\n"
        "//\n"
        "//\n"
        "// Buffer Definitions: \n"
        "//\n"
        "// cbuffer C\n"
        "// {\n"
        "//\n"
        "//   struct Light\n"
        "//   {\n"
        "//       \n"
        "//       float3 colour;                 // Offset:    0\n"
        "//\n"
        "//   } one;                             // Offset:    0 Size:    12 [unused]\n"
        "//   struct Light\n"
        "//   {\n"
        "//       \n"
        "//       float3 colour;                 // Offset:   16\n"
        "//\n"
        "//   } two[2];                          // Offset:   16 Size:    28\n"
        "//   float3 other;                      // Offset:   48 Size:    12\n"
        "//   row_major float4x4 world;          // Offset:   64 Size:    64 [unused]\n"
        "//\n"
        "// }\n"
        "//\n"
        "//\n"
        "// Resource Bindings:\n"
        "//\n"
        "// Name                                 Type  Format         Dim      HLSL Bind  Count\n"
        "// ------------------------------ ---------- ------- ----------- -------------- ------\n"
        "// shadow                          sampler_c      NA          NA             s1      1 \n"
        "// albedo                            texture  float4          2d             t0      1 \n"
        "// samples                           texture  float4        2dMS             t2      1 \n"
        "// lights                            texture  struct         r/o             t4      2 \n"
        "// target                                UAV   uint2     2darray             u1      1 \n"
        "// C                                 cbuffer      NA          NA            cb0      1 \n"
        "//\n";
    assert_memory_equal(text, expected, strlen(expected));
    agpu_free(text);
    agpu_shader_destroy(shader);
}

/* A chunk that the text would not rebuild is listed as bytes: here a filler byte differs. */
static void other_chunks_fall_back_to_bytes(void **state)
{
    (void)state;
    uint8_t *bytes, *again;
    size_t size, again_size;
    assert_int_equal(agpu_assemble(structures, strlen(structures), NULL, &bytes, &size), AGPU_OK);
    uint8_t *filler = bytes + size - 1;
    while (*filler != 0xab)
        filler--;
    struct agpu_shader *shader;
    *filler = 0;
    agpu_dxbc_checksum(bytes, size, bytes + 4);
    assert_int_equal(agpu_shader_parse(bytes, size, AGPU_PARSE_DEFAULT, NULL, &shader), AGPU_OK);
    char *text = list(shader, AGPU_DISASM_FULL);
    assert_null(strstr(text, ".rdef"));
    assert_non_null(strstr(text, ".hex"));
    assert_int_equal(agpu_assemble(text, strlen(text), NULL, &again, &again_size), AGPU_OK);
    assert_int_equal(again_size, size);
    assert_memory_equal(again, bytes, size);
    agpu_free(text);
    agpu_free(bytes);
    agpu_free(again);
    agpu_shader_destroy(shader);
}

static void statistics_and_features(void **state)
{
    (void)state;
    struct agpu_shader *shader = assemble("ps_5_0\n"
                                          ".features doubles tiled_resources 0x800000000\n"
                                          ".stat 37 instructions=1 sample=2 stores=7\n"
                                          "ret\n");
    const struct agpu_dxbc_chunk *features = find(shader, AG_CHUNK_SFI0);
    const struct agpu_dxbc_chunk *statistics = find(shader, AG_CHUNK_STAT);
    assert_non_null(features);
    assert_non_null(statistics);
    assert_true(shader->feature_bits == ((uint64_t)1 << 35 | 1 << 8 | 1));
    assert_int_equal(statistics->size, 37 * 4);
    for (uint32_t i = 0; i < 37; i++)
        assert_int_equal(ag_load_u32(statistics->data + (size_t)i * 4), i == 0    ? 1
                                                                        : i == 14 ? 2
                                                                        : i == 36 ? 7
                                                                                  : 0);
    char *text = list(shader, AGPU_DISASM_FULL);
    assert_non_null(strstr(text, "\n.features doubles tiled_resources 0x800000000\n"));
    assert_non_null(strstr(text, "\n.stat 37 instructions=1 sample=2 stores=7\n"));
    agpu_free(text);
    agpu_shader_destroy(shader);
}

/* A chunk that shares one long name a thousand times is small, its text would not be. */
static void text_stays_in_proportion(void **state)
{
    (void)state;
    enum { BINDINGS = 1000, NAME = 4000 };
    const size_t room = (size_t)BINDINGS * (NAME + 64) + 64;
    char *text = malloc(room), name[NAME + 1];
    assert_non_null(text);
    memset(name, 'n', NAME);
    name[NAME] = '\0';
    size_t used = (size_t)snprintf(text, room, "ps_4_0\n.rdef \"c\"\n");
    for (int i = 0; i < BINDINGS; i++)
        used += (size_t)snprintf(text + used, room - used, ".binding sampler \"%s\" s0\n", name);
    snprintf(text + used, room - used, "ret\n");
    struct agpu_shader *shader = assemble(text);
    free(text);
    assert_true(shader->container_size < 50000);
    char *listing = list(shader, AGPU_DISASM_FULL);
    assert_true(strlen(listing) < 1000000);
    assert_null(strstr(listing, "\n.rdef"));
    assert_non_null(strstr(listing, "\n.chunk RDEF "));
    agpu_free(listing);
    agpu_shader_destroy(shader);
}

static void chunks_may_be_empty(void **state)
{
    (void)state;
    struct agpu_shader *shader = assemble("ps_5_0\n.stat 0\nret\n");
    assert_int_equal(find(shader, AG_CHUNK_STAT)->size, 0);
    char *text = list(shader, AGPU_DISASM_FULL);
    assert_non_null(strstr(text, "\n.chunk STAT\n.stat 0\n"));
    agpu_free(text);
    agpu_shader_destroy(shader);
}

static void mistakes_are_named(void **state)
{
    (void)state;
    refuses("ps_5_0\n.binding texture \"t\" t0 float4 2d\nret\n", "dxbc.syntax", 2);
    refuses("ps_5_0\n.rdef \"c\"\n.rdef \"c\"\nret\n", "dxbc.syntax", 3);
    refuses("ps_5_0\n.rdef \"c\"\n.binding texture \"t\" u0 float4 2d\nret\n", "dxbc.syntax", 3);
    refuses("ps_5_0\n.rdef \"c\"\n.binding picture \"t\" t0 float4 2d\nret\n", "dxbc.syntax", 3);
    refuses("ps_5_0\n.rdef \"c\"\n.member \"m\" type=0 offset=0\nret\n", "dxbc.syntax", 3);
    refuses("ps_5_0\n.rdef \"c\"\n.type 0 struct void 1x1\n.member \"m\" type=0 offset=0\nret\n", "dxbc.name",
            4);
    refuses("ps_5_0\n.rdef \"c\"\n.type 0 scalar int 1x1\n.type 0 scalar int 1x1\nret\n", "dxbc.name", 4);
    refuses(
        "ps_5_0\n.rdef \"c\"\n.buffer cbuffer \"B\" size=16\n.variable \"v\" type=9 offset=0 size=4\nret\n",
        "dxbc.name", 4);
    refuses("ps_5_0\n.rdef \"c\"\n.type 0 scalar int 1x1\n.buffer cbuffer \"B\" size=16\n"
            ".variable \"v\" type=0 offset=0 size=4 default 1, 2\nret\n",
            "dxbc.value", 5);
    refuses("ps_5_0\n.rdef \"c\"\n.variable \"v\" type=0 offset=0 size=4\nret\n", "dxbc.syntax", 3);
    refuses("ps_5_0\n.chunk STAT\n.chunk SHEX\nret\n", "dxbc.chunk", 5);
    refuses("ps_5_0\n.stat 37 sandwiches=4\nret\n", "dxbc.syntax", 2);
    refuses("ps_5_0\n.features everything\nret\n", "dxbc.syntax", 2);
}

/* Recursive work on types is bounded: the reader of chunks has the same limit. */
static void deep_types_are_refused(void **state)
{
    (void)state;
    char text[8192] = "ps_5_0\n.rdef \"c\"\n.type 0 scalar int 1x1 \"int\"\n";
    size_t used = strlen(text);
    for (int i = 1; i <= 70; i++)
        used +=
            (size_t)snprintf(text + used, sizeof text - used,
                             ".type %d struct void 1x1 \"S\"\n.member \"m\" type=%d offset=0\n", i, i - 1);
    snprintf(text + used, sizeof text - used, "ret\n");
    refuses(text, "dxbc.limit", 3 + 2 * 64);
}

/* ---- Class linkage ------------------------------------------------------------------------------------ */

/* The layout of dxbc-format 3.8, byte by byte: slots at 36, classes at 68, an instance at 92, choices from
 * 108. */
static void text_makes_class_linkage(void **state)
{
    (void)state;
    static const uint32_t expected[] = {
        1,          2,          2,          4,          92, 68, 36, 7, 0xffffffff, /* header; 1 + 3 slots */
        1,          1,          108,        112,                                   /* slots at 36 */
        3,          2,          116,        120,                                   /* slots at 52 */
        132,        0x00020000, 0x00040003,             /* class at 68: name behind the instance's */
        136,        0x00010009, 0,                      /* class at 80 */
        128,        0x00020001, 0x00050000, 0xffff0006, /* instance at 92 */
        0xabab0001, 10,                                 /* one class, one table */
        0x00010000, 20,         21,                     /* two classes, two tables */
        0xabab0069, 0xab006141, 0x00424242,             /* "i" at 128, "Aa" at 132, "BBB" at 136 */
    };
    struct agpu_shader *shader = assemble("ps_5_0\n"
                                          ".linkage stray0=7 stray1=4294967295\n"
                                          ".slots 1 1:ft10\n"
                                          ".slots 3 0:ft20, 1:ft21\n"
                                          ".class \"Aa\" stride=2 textures=3 samplers=4\n"
                                          ".class \"BBB\" stride=1 unknown=9\n"
                                          ".instance \"i\" class=1 elements=2 offset=5 texture=6\n"
                                          "ret\n");
    const struct agpu_dxbc_chunk *chunk = find(shader, AG_CHUNK_IFCE);
    assert_non_null(chunk);
    assert_int_equal(chunk->size, sizeof expected);
    assert_memory_equal(chunk->data, expected, sizeof expected);
    assert_int_equal(shader->chunks[2].fourcc, AG_CHUNK_IFCE); /* behind the signatures */
    char *text = list(shader, AGPU_DISASM_FULL);
    assert_non_null(strstr(text, ".chunk IFCE\n.linkage stray0=7 stray1=4294967295\n.slots 1 1:ft10\n"));
    assert_non_null(strstr(text, ".instance \"i\" class=1 elements=2 offset=5 texture=6\n"));
    agpu_free(text);
    agpu_shader_destroy(shader);
}

static void class_linkage_is_checked(void **state)
{
    (void)state;
    refuses("ps_5_0\n.slots 1 0:ft0\nret\n", "dxbc.syntax", 2);
    refuses("ps_5_0\n.linkage\n.linkage\nret\n", "dxbc.syntax", 3);
    refuses("ps_5_0\n.linkage\n.slots 1 65536:ft0\nret\n", "dxbc.value", 3);
    refuses("ps_5_0\n.linkage\n.slots 1 0 ft0\nret\n", "dxbc.syntax", 3);
    refuses("ps_5_0\n.linkage\n.class \"a\" stride=65536\nret\n", "dxbc.value", 3);
    refuses("ps_5_0\n.chunk IFCE\nret\n", "dxbc.chunk", 4);
}

/* Tables that overlap or lie outside have no text, so the chunk stays bytes; it is still the same chunk. */
static void odd_class_linkage_stays_bytes(void **state)
{
    (void)state;
    static const char *const chunks[] = {
        "00000000 00000000 01000000 01000000 34000000 34000000 24000000 00000000 00000000 "
        "01000000 01000000 ffffffff 34000000", /* classes outside */
        "00000000 00000000 01000000 02000000 34000000 34000000 24000000 00000000 00000000 "
        "01000000 00000000 34000000 34000000", /* another number of slots than the sum */
        "00000000 01000000 00000000 00000000 30000000 24000000 24000000 00000000 00000000 "
        "ff000000 00000000 00000000", /* a name outside */
        "ffffffff 00000000 00000000 00000000 24000000 24000000 24000000 00000000 00000000",
        "00000000",
    };
    for (size_t i = 0; i < AG_COUNT_OF(chunks); i++) {
        char source[512], size[32];
        size_t digits = 0;
        for (const char *c = chunks[i]; *c != '\0'; c++)
            digits += *c != ' ';
        snprintf(size, sizeof size, "%zu", digits / 2);
        snprintf(source, sizeof source,
                 "ps_5_0\n.chunk ISGN\n.chunk OSGN\n.chunk IFCE %s\n.hex %s\n.chunk SHEX\nret\n", size,
                 chunks[i]);
        struct agpu_shader *shader = assemble(source);
        char *text = list(shader, AGPU_DISASM_FULL);
        assert_null(strstr(text, ".linkage"));
        assert_non_null(strstr(text, ".chunk IFCE "));
        agpu_free(text);
        agpu_shader_destroy(shader);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_makes_the_chunk),
        cmocka_unit_test(types_keep_their_identity),
        cmocka_unit_test(bindings_keep_their_fields),
        cmocka_unit_test(full_listings_have_the_text),
        cmocka_unit_test(tables_are_those_of_the_compiler),
        cmocka_unit_test(other_chunks_fall_back_to_bytes),
        cmocka_unit_test(statistics_and_features),
        cmocka_unit_test(text_stays_in_proportion),
        cmocka_unit_test(chunks_may_be_empty),
        cmocka_unit_test(mistakes_are_named),
        cmocka_unit_test(deep_types_are_refused),
        cmocka_unit_test(text_makes_class_linkage),
        cmocka_unit_test(class_linkage_is_checked),
        cmocka_unit_test(odd_class_linkage_stays_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
