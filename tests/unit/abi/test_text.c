/* SPDX-License-Identifier: MIT
 *
 * The text form of packets: what lines mean, what is refused, and that printing loses nothing.
 */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/packet.h"
#include "abi/text_value.h"
#include "aerogpu/abi/cmd.h"
#include "aerogpu/abi/pci.h"
#include "aerogpu/text.h"
#include "base/bytes.h"
#include "format/formats.h"
#include "support/notes.h"
#include "support/stream_generator.h"

struct assembled {
    uint8_t *data;
    size_t size;
    enum agpu_status status;
    struct notes notes;
};

static struct assembled assemble_with(const char *text, const struct agpu_text_sources *sources)
{
    struct assembled result = {0};
    const struct agpu_diag_sink sink = {note, &result.notes};
    result.status = agpu_text_assemble(text, strlen(text), sources, &sink, &result.data, &result.size);
    return result;
}

/* The packets of a text that is expected to be good; the caller frees data. */
static struct assembled assemble(const char *text)
{
    struct assembled result = assemble_with(text, NULL);
    if (result.status != AGPU_OK)
        print_error("%u:%u %s\n", result.notes.line, result.notes.column, result.notes.message);
    assert_int_equal(result.status, AGPU_OK);
    assert_int_equal(result.notes.count, 0);
    return result;
}

#define FIRST_PACKET(result, name) ((const struct aerogpu_cmd_##name *)(const void *)((result).data + 24))

static void empty_text_is_an_empty_stream(void **state)
{
    (void)state;
    struct assembled result = assemble(" # nothing\n\n ; ;\n");
    const struct aerogpu_cmd_stream_header *header = (const void *)result.data;
    assert_int_equal(result.size, 24);
    assert_int_equal(header->magic, AEROGPU_CMD_STREAM_MAGIC);
    assert_int_equal(header->abi_version, 0x00010004);
    assert_int_equal(header->size_bytes, 24);
    assert_int_equal(header->flags, 0);
    free(result.data);
}

static void fields_and_flags(void **state)
{
    (void)state;
    struct assembled result = assemble(
        "CREATE_BUFFER usage_flags=VERTEX_BUFFER|STORAGE buffer_handle=$7 size_bytes=0x10 # comment\n"
        "SET_VIEWPORT x_f32=-1.5 width_f32=64 height_f32=f32:7FC00001");
    const struct aerogpu_cmd_create_buffer *buffer = FIRST_PACKET(result, create_buffer);
    assert_int_equal(buffer->hdr.opcode, AEROGPU_CMD_CREATE_BUFFER);
    assert_int_equal(buffer->hdr.size_bytes, 40);
    assert_int_equal(buffer->buffer_handle, 7);
    assert_int_equal(buffer->usage_flags, 0x81);
    assert_int_equal(buffer->size_bytes, 16);
    assert_int_equal(buffer->backing_alloc_id, 0);
    const struct aerogpu_cmd_set_viewport *viewport = (const void *)(result.data + 24 + 40);
    assert_int_equal(viewport->x_f32, 0xBFC00000);
    assert_int_equal(viewport->width_f32, 0x42800000);
    assert_int_equal(viewport->height_f32, 0x7FC00001);
    free(result.data);
}

static void names_of_handles_are_numbered_at_first_mention(void **state)
{
    (void)state;
    struct assembled result =
        assemble("BIND_SHADERS vs=$b ps=$a cs=$b ; SET_INPUT_LAYOUT input_layout_handle=$c");
    const struct aerogpu_cmd_bind_shaders *shaders = FIRST_PACKET(result, bind_shaders);
    assert_int_equal(shaders->hdr.size_bytes, 24);
    assert_int_equal(shaders->vs, 1);
    assert_int_equal(shaders->ps, 2);
    assert_int_equal(shaders->cs, 1);
    const struct aerogpu_cmd_set_input_layout *layout = (const void *)(result.data + 48);
    assert_int_equal(layout->input_layout_handle, 3);
    free(result.data);
    result = assemble_with("BIND_SHADERS vs=$a ps=$1", NULL);
    assert_int_equal(result.status, AGPU_REFUSED);
    assert_int_equal(result.notes.column, 23);
}

static void longer_form_of_bind_shaders(void **state)
{
    (void)state;
    struct assembled result = assemble("BIND_SHADERS vs=1 ps=2 hs=4");
    const struct aerogpu_cmd_bind_shaders_ex *shaders = FIRST_PACKET(result, bind_shaders_ex);
    assert_int_equal(result.size, 24 + 36);
    assert_int_equal(ag_load_u32(result.data + 28), 36);
    assert_int_equal(shaders->gs, 0);
    assert_int_equal(shaders->hs, 4);
    assert_int_equal(shaders->ds, 0);
    free(result.data);
}

static void arrays_and_counts(void **state)
{
    (void)state;
    struct assembled result = assemble("SET_VERTEX_BUFFERS start_slot=1 bindings=[{buffer=$5 "
                                       "stride_bytes=8}, {buffer=$6 stride_bytes=12 offset_bytes=4}]");
    const struct aerogpu_cmd_set_vertex_buffers *buffers = FIRST_PACKET(result, set_vertex_buffers);
    const struct aerogpu_vertex_buffer_binding *bindings = (const void *)(result.data + 24 + 16);
    assert_int_equal(buffers->hdr.size_bytes, 48);
    assert_int_equal(buffers->buffer_count, 2);
    assert_int_equal(bindings[1].buffer, 6);
    assert_int_equal(bindings[1].stride_bytes, 12);
    assert_int_equal(bindings[1].offset_bytes, 4);
    free(result.data);

    result = assemble("SET_RENDER_TARGETS colors=[$4 0 $5]");
    const struct aerogpu_cmd_set_render_targets *targets = FIRST_PACKET(result, set_render_targets);
    assert_int_equal(targets->color_count, 3);
    assert_int_equal(targets->colors[2], 5);
    free(result.data);

    result = assemble("SET_SHADER_CONSTANTS_F stage=PIXEL data=[1 2 3 4 -0.5 0 0 0]");
    const struct aerogpu_cmd_set_shader_constants_f *constants = FIRST_PACKET(result, set_shader_constants_f);
    assert_int_equal(constants->vec4_count, 2);
    assert_int_equal(constants->stage, 1);
    assert_int_equal(ag_load_u32(result.data + 24 + 24 + 16), 0xBF000000);
    free(result.data);

    result = assemble("SET_SAMPLERS shader_stage=COMPUTE reserved0=HULL samplers=[$9 0]");
    const struct aerogpu_cmd_set_samplers *samplers = FIRST_PACKET(result, set_samplers);
    assert_int_equal(samplers->sampler_count, 2);
    assert_int_equal(samplers->reserved0, 3);
    free(result.data);
}

static char *dump(const uint8_t *data, size_t size)
{
    char *text;
    size_t length;
    assert_int_equal(agpu_text_dump(data, size, NULL, NULL, &text, &length), AGPU_OK);
    assert_int_equal(strlen(text), length);
    return text;
}

/* Input elements of the extension hold DXGI's own numbers, or extension formats. */
static void formats_of_input_elements_have_names(void **state)
{
    (void)state;
    static const char text[] =
        "EXT_CREATE_INPUT_LAYOUT input_layout_handle=$1 elements=[{format=R32G32B32A32_FLOAT} "
        "{format=DXGI_R8_UNORM} {format=999} {}]\n";
    struct assembled result = assemble(text);
    const struct aerogpu_ext_input_element *elements =
        (const struct aerogpu_ext_input_element
             *)(const void *)(result.data + 24 + sizeof(struct aerogpu_cmd_ext_create_input_layout));
    assert_int_equal(elements[0].format, 2);
    assert_int_equal(elements[1].format, AEROGPU_EXT_FORMAT(61));
    assert_int_equal(elements[2].format, 999);
    char *printed = dump(result.data, result.size);
    assert_string_equal(printed, text);
    free(printed);
    free(result.data);
}

/* A stage that takes two words has one name, from the version on that knows it. */
static void stages_of_two_words_have_names(void **state)
{
    (void)state;
    static const char text[] = "CREATE_SHADER_DXBC shader_handle=$1 stage=HULL : hex 01020304\n"
                               "SET_TEXTURE shader_stage=DOMAIN texture=$2\n"
                               "SET_TEXTURE shader_stage=GEOMETRY texture=$2\n"
                               "SET_TEXTURE shader_stage=COMPUTE texture=$2 reserved0=GEOMETRY\n";
    struct assembled result = assemble(text);
    const struct aerogpu_cmd_create_shader_dxbc *create = FIRST_PACKET(result, create_shader_dxbc);
    assert_int_equal(create->stage, AEROGPU_SHADER_STAGE_COMPUTE);
    assert_int_equal(create->reserved0, AEROGPU_SHADER_STAGE_EX_HULL);
    char *printed = dump(result.data, result.size);
    assert_string_equal(printed, text);
    free(printed);
    free(result.data);
    /* Before, the second word means nothing. */
    static const char old[] = "stream abi_version=0x10002\n"
                              "SET_TEXTURE shader_stage=COMPUTE texture=$2 reserved0=DOMAIN\n";
    result = assemble(old);
    printed = dump(result.data, result.size);
    assert_string_equal(printed, old);
    free(printed);
    free(result.data);
}

static void given_counts_win(void **state)
{
    (void)state;
    struct assembled result = assemble("UPLOAD_RESOURCE resource_handle=$1 size_bytes=100 : u8 1 2 3");
    const struct aerogpu_cmd_upload_resource *upload = FIRST_PACKET(result, upload_resource);
    assert_int_equal(upload->size_bytes, 100);
    assert_int_equal(upload->hdr.size_bytes, 36);
    free(result.data);
    result = assemble("packet 0x600 size_bytes=6 : hex 01");
    assert_int_equal(ag_load_u32(result.data + 24), 0x600);
    assert_int_equal(ag_load_u32(result.data + 28), 6);
    assert_int_equal(result.size, 24 + 12);
    free(result.data);
}

static void check_data(const char *text, const void *bytes, size_t size)
{
    char line[512];
    snprintf(line, sizeof line, "UPLOAD_RESOURCE : %s", text);
    struct assembled result = assemble(line);
    assert_int_equal(FIRST_PACKET(result, upload_resource)->size_bytes, size);
    assert_int_equal(result.size, 24 + 32 + (size + 3) / 4 * 4);
    assert_memory_equal(result.data + 56, bytes, size);
    free(result.data);
}

static void forms_of_data(void **state)
{
    (void)state;
    check_data("u8 0 255 0x7F", "\x00\xff\x7f", 3);
    check_data("u16 65535 1", "\xff\xff\x01\x00", 4);
    check_data("u32 0xDEADBEEF", "\xef\xbe\xad\xde", 4);
    check_data("i32 -1 -2147483648 0xFFFFFFFE", "\xff\xff\xff\xff\x00\x00\x00\x80\xfe\xff\xff\xff", 12);
    /* 1 = 3C00, -2 = C000, 65504 = 7BFF, 2^-24 = 0001, 2^-25 ties to 0, 65520 rounds to infinity. */
    check_data("f16 1 -2 65504 5.9604644775390625e-8 2.98023223876953125e-8 65520",
               "\x00\x3c\x00\xc0\xff\x7b\x01\x00\x00\x00\x00\x7c", 12);
    check_data("f32 1 f32:80000000 1e-45", "\x00\x00\x80\x3f\x00\x00\x00\x80\x01\x00\x00\x00", 12);
    check_data("hex 0102 FFfe03 1E400000", "\x01\x02\xff\xfe\x03\x1e\x40\x00\x00", 9);
    check_data("checker width=2 height=1 cell=1 color1=[1 2 3 4]", "\x00\x00\x00\xff\x01\x02\x03\x04", 8);
    check_data("checker width=2 height=1 cell=1 color1=[1 2 3 4] format=B8G8R8A8_UNORM",
               "\x00\x00\x00\xff\x03\x02\x01\x04", 8);
    check_data("gradient width=2 height=2 blue=9",
               "\x00\x00\x09\xff\xff\x00\x09\xff\x00\xff\x09\xff\xff\xff\x09\xff", 16);
    /* The first two numbers of SplitMix64 from 0, as published with the generator. */
    check_data("noise bytes=16 seed=0", "\xaf\xcd\x1d\x7b\x39\xa8\x20\xe2\xf4\x65\xb9\xa1\x6a\x9e\x78\x6e",
               16);
}

static void input_layouts(void **state)
{
    (void)state;
    struct assembled result =
        assemble("CREATE_INPUT_LAYOUT input_layout_handle=$3 : layout POSITION R32G32B32_FLOAT "
                 "slot=0 offset=0 texcoord1 16 slot=2 offset=append slot_class=1 step_rate=3");
    const struct aerogpu_cmd_create_input_layout *create = FIRST_PACKET(result, create_input_layout);
    const struct aerogpu_input_layout_element_dxgi *elements = (const void *)(result.data + 24 + 20 + 16);
    assert_int_equal(create->blob_size_bytes, 16 + 2 * 28);
    assert_int_equal(ag_load_u32(result.data + 44), AEROGPU_INPUT_LAYOUT_BLOB_MAGIC);
    assert_int_equal(elements[0].semantic_name_hash, 0x7808E88A);
    assert_int_equal(elements[0].dxgi_format, AG_DXGI_R32G32B32_FLOAT);
    assert_int_equal(elements[1].semantic_name_hash, 0x0BC45413);
    assert_int_equal(elements[1].semantic_index, 1);
    assert_int_equal(elements[1].dxgi_format, AG_DXGI_R32G32_FLOAT);
    assert_int_equal(elements[1].input_slot, 2);
    assert_int_equal(elements[1].aligned_byte_offset, 0xFFFFFFFF);
    assert_int_equal(elements[1].input_slot_class, 1);
    assert_int_equal(elements[1].instance_data_step_rate, 3);
    free(result.data);
}

static bool blob_source(void *user, const char *name, const uint8_t **data, size_t *size)
{
    *data = user;
    *size = 5;
    return strcmp(name, "five") == 0;
}

static bool address_source(void *user, const char *name, uint64_t *address)
{
    (void)user;
    *address = 0x100000000;
    return strcmp(name, "memory") == 0;
}

static void blobs_and_addresses(void **state)
{
    (void)state;
    char bytes[] = "abcde";
    const struct agpu_text_sources sources = {.blob = blob_source, .address = address_source, .user = bytes};
    struct assembled result = assemble_with("UPLOAD_RESOURCE offset_bytes=@memory+0x10 : @five+2", &sources);
    assert_int_equal(result.status, AGPU_OK);
    const struct aerogpu_cmd_upload_resource *upload = FIRST_PACKET(result, upload_resource);
    assert_int_equal(upload->size_bytes, 3);
    assert_true(upload->offset_bytes == 0x100000010);
    assert_memory_equal(result.data + 56, "cde\0", 4);
    free(result.data);
    result = assemble_with("UPLOAD_RESOURCE : @six", &sources);
    assert_int_equal(result.status, AGPU_REFUSED);
    assert_int_equal(result.notes.code, AGPU_DIAG_ABI_TEXT_NAME);
    assert_int_equal(result.notes.column, 19);
    result = assemble_with("UPLOAD_RESOURCE offset_bytes=@memory+0xFFFFFFFF00000000", &sources);
    assert_int_equal(result.status, AGPU_REFUSED);
    assert_int_equal(result.notes.code, AGPU_DIAG_ABI_TEXT_VALUE);
    assert_int_equal(result.notes.column, 30);
}

/* A line of strings is read once, not once for each of them: this one would have taken gigabytes. */
static void many_strings_share_a_line(void **state)
{
    enum { STRINGS = 70000 };
    static char text[16 + 3 * STRINGS];
    (void)state;
    memcpy(text, "raw : hex", 9);
    for (size_t i = 0; i < STRINGS; i++)
        memcpy(text + 9 + 3 * i, " \"\"", 4);
    struct assembled result = assemble_with(text, NULL);
    assert_int_equal(result.status, AGPU_REFUSED);
    assert_int_equal(result.notes.code, AGPU_DIAG_ABI_TEXT_VALUE);
    assert_int_equal(result.notes.column, 11);
    result = assemble("DEBUG_MARKER text=\"a \\\" b\" # \"\n");
    assert_memory_equal(result.data + 32, "a \" b", 5);
    free(result.data);
}

static void markers(void **state)
{
    (void)state;
    struct assembled result = assemble("DEBUG_MARKER text=\"a\\\"\\x00\\\\\\n#;\"");
    assert_int_equal(ag_load_u32(result.data + 28), 16);
    assert_memory_equal(result.data + 32, "a\"\0\\\n#;\0", 8);
    free(result.data);
}

struct bad_text {
    const char *text;
    enum agpu_diag_code code;
    uint32_t line, column;
};

static void errors_have_places(void **state)
{
    (void)state;
    static const struct bad_text texts[] = {
        {"DRAW\nDRAWN vertex_count=1",                             AGPU_DIAG_ABI_TEXT_NAME,   2, 1 },
        {"  DRAW vertices=3",                                      AGPU_DIAG_ABI_TEXT_NAME,   1, 8 },
        {"DRAW vertex_count=x",                                    AGPU_DIAG_ABI_TEXT_VALUE,  1, 19},
        {"DRAW vertex_count=-1",                                   AGPU_DIAG_ABI_TEXT_VALUE,  1, 19},
        {"DRAW vertex_count=4294967296",                           AGPU_DIAG_ABI_TEXT_VALUE,  1, 19},
        {"DRAW vertex_count=1 vertex_count=1",                     AGPU_DIAG_ABI_TEXT_NAME,   1, 21},
        {"DRAW 3",                                                 AGPU_DIAG_ABI_TEXT_SYNTAX, 1, 6 },
        {"DRAW : u8 1",                                            AGPU_DIAG_ABI_TEXT_SYNTAX, 1, 1 },
        {"DRAW {\n}",                                              AGPU_DIAG_ABI_TEXT_SYNTAX, 1, 1 },
        {"}",                                                      AGPU_DIAG_ABI_TEXT_SYNTAX, 1, 1 },
        {"CLEAR flags=COLOUR",                                     AGPU_DIAG_ABI_TEXT_VALUE,  1, 13},
        {"CLEAR color_rgba_f32=[1 2 3 4 5]",                       AGPU_DIAG_ABI_TEXT_VALUE,  1, 22},
        {"CLEAR color_rgba_f32=[1 2",                              AGPU_DIAG_ABI_TEXT_SYNTAX, 1, 26},
        {"CLEAR depth_f32=1e99",                                   AGPU_DIAG_ABI_TEXT_VALUE,  1, 17},
        {"CLEAR depth_f32=nan",                                    AGPU_DIAG_ABI_TEXT_VALUE,  1, 17},
        {"SET_BLEND_STATE state={enabled=1}",                      AGPU_DIAG_ABI_TEXT_NAME,   1, 24},
        {"SET_BLEND_STATE state=1",                                AGPU_DIAG_ABI_TEXT_VALUE,  1, 23},
        {"SET_TEXTURE shader_stage=PIXEL|VERTEX",                  AGPU_DIAG_ABI_TEXT_VALUE,  1, 26},
        {"SET_TEXTURE shader_stage=NONE",                          AGPU_DIAG_ABI_TEXT_VALUE,  1, 26},
        {"SET_SAMPLER_STATE shader_stage=HULL",                    AGPU_DIAG_ABI_TEXT_VALUE,  1, 32},
        {"SET_TEXTURE shader_stage=HULL reserved0=3",              AGPU_DIAG_ABI_TEXT_NAME,   1, 31},
        {"stream abi_version=1.2 ; SET_TEXTURE shader_stage=HULL", AGPU_DIAG_ABI_TEXT_VALUE,  1, 51},
        {"UPLOAD_RESOURCE : u8 256",                               AGPU_DIAG_ABI_TEXT_VALUE,  1, 22},
        {"UPLOAD_RESOURCE : u9 1",                                 AGPU_DIAG_ABI_TEXT_NAME,   1, 19},
        {"UPLOAD_RESOURCE : hex 012",                              AGPU_DIAG_ABI_TEXT_VALUE,  1, 23},
        {"UPLOAD_RESOURCE : file \"x\"",                           AGPU_DIAG_ABI_TEXT_SOURCE, 1, 24},
        {"UPLOAD_RESOURCE : noise",                                AGPU_DIAG_ABI_TEXT_VALUE,  1, 19},
        {"SET_SHADER_CONSTANTS_F data=[1 2 3]",                    AGPU_DIAG_ABI_TEXT_VALUE,  1, 1 },
        {"DEBUG_MARKER text=\"a",                                  AGPU_DIAG_ABI_TEXT_SYNTAX, 1, 21},
        {"DEBUG_MARKER text=\"\\q\"",                              AGPU_DIAG_ABI_TEXT_SYNTAX, 1, 22},
        {"packet",                                                 AGPU_DIAG_ABI_TEXT_VALUE,  1, 1 },
        {"DRAW vertex_count=[[[[[[[[[[1]]]]]]]]]]",                AGPU_DIAG_ABI_TEXT_SYNTAX, 1, 27},
        {"DRAW \x01",                                              AGPU_DIAG_ABI_TEXT_SYNTAX, 1, 6 },
        {"DRAW $",                                                 AGPU_DIAG_ABI_TEXT_SYNTAX, 1, 7 },
        {"DRAW first_vertex=$1[",                                  AGPU_DIAG_ABI_TEXT_SYNTAX, 1, 22},
    };
    for (size_t i = 0; i < AG_COUNT_OF(texts); i++) {
        struct assembled result = assemble_with(texts[i].text, NULL);
        if (result.status != AGPU_REFUSED || result.notes.code != texts[i].code ||
            result.notes.line != texts[i].line || result.notes.column != texts[i].column)
            print_error("%s: %u:%u %s %s\n", texts[i].text, result.notes.line, result.notes.column,
                        agpu_diag_slug(result.notes.code), result.notes.message);
        assert_int_equal(result.status, AGPU_REFUSED);
        assert_int_equal(result.notes.code, texts[i].code);
        assert_int_equal(result.notes.line, texts[i].line);
        assert_int_equal(result.notes.column, texts[i].column);
        assert_null(result.data);
    }
}

static void several_errors_are_reported_in_one_run(void **state)
{
    (void)state;
    struct assembled result = assemble_with("DRAWN\nDRAW a=1\nDRAW vertex_count=q", NULL);
    assert_int_equal(result.notes.count, 3);
}

static void printed_form(void **state)
{
    (void)state;
    static const char text[] =
        "stream abi_version=0x10003\n"
        "CREATE_BUFFER buffer_handle=$7 usage_flags=VERTEX_BUFFER|STORAGE size_bytes=24\n"
        "CREATE_TEXTURE2D texture_handle=$8 usage_flags=512 format=999 width=4 reserved0=1\n"
        "UPLOAD_RESOURCE resource_handle=$7 padding=hexEE : hex 010203\n"
        "BIND_SHADERS vs=$1 gs=0 hs=0 ds=$2\n"
        "SET_SHADER_CONSTANTS_F stage=DOMAIN data=[0 -0.0 f32:7F800000 0.1]\n"
        "CREATE_INPUT_LAYOUT input_layout_handle=$3 : layout POSITION0 R32G32_FLOAT slot=0 offset=append\n"
        "SET_BLEND_STATE state={enable=1 src_factor=SRC_ALPHA color_write_mask=15 sample_mask=0xFFFFFFFF}\n"
        "SET_RENDER_TARGETS color_count=1 colors=[$8]\n"
        "DEBUG_MARKER text=\"frame \\\"1\\\"\"\n"
        "DRAW vertex_count=3 tail=hex01020304\n"
        "DRAW_INDEXED index_count=3 base_vertex=-1\n"
        "packet 0x7F0 : hex 01020304\n"
        "packet 0x600 : hex 01000000\n"
        "PRESENT flags=VSYNC\n"
        "trailing : hex 05\n";
    struct assembled result = assemble(text);
    char *printed = dump(result.data, result.size);
    assert_string_equal(printed, text);
    free(printed);
    free(result.data);
}

static void ranges_and_offsets(void **state)
{
    (void)state;
    struct assembled result = assemble("NOP\nFLUSH\nPRESENT\ntrailing : hex 00");
    const struct agpu_text_dump_options options = {.first_packet = 1, .packet_count = 1, .offsets = true};
    char *text;
    size_t length;
    assert_int_equal(agpu_text_dump(result.data, result.size, &options, NULL, &text, &length), AGPU_OK);
    assert_string_equal(text, "FLUSH  # 1 +0x20\n");
    free(text);
    free(result.data);
}

static void dump_refuses_bad_headers(void **state)
{
    (void)state;
    char *text;
    size_t length;
    uint8_t header[24] = {0};
    assert_int_equal(agpu_text_dump(header, 23, NULL, NULL, &text, &length), AGPU_REFUSED);
    assert_int_equal(agpu_text_dump(header, 24, NULL, NULL, &text, &length), AGPU_REFUSED);
    ag_store_u32(header, AEROGPU_CMD_STREAM_MAGIC);
    ag_store_u32(header + 8, 23);
    assert_int_equal(agpu_text_dump(header, 24, NULL, NULL, &text, &length), AGPU_REFUSED);
    ag_store_u32(header + 8, 28);
    assert_int_equal(agpu_text_dump(header, 24, NULL, NULL, &text, &length), AGPU_REFUSED);
}

static void check_round_trip(const uint8_t *data, size_t size, uint64_t seed)
{
    char *text = dump(data, size);
    struct notes notes = {0};
    const struct agpu_diag_sink sink = {note, &notes};
    uint8_t *back;
    size_t back_size;
    const enum agpu_status status = agpu_text_assemble(text, strlen(text), NULL, &sink, &back, &back_size);
    if (status != AGPU_OK || back_size != size || memcmp(back, data, size) != 0)
        print_error("seed %llu: %u:%u %s\n%s\n", (unsigned long long)seed, notes.line, notes.column,
                    notes.message, text);
    assert_int_equal(status, AGPU_OK);
    assert_int_equal(back_size, size);
    assert_memory_equal(back, data, size);
    free(back);
    free(text);
}

static void every_stream_round_trips(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 5000; seed++) {
        size_t size;
        uint8_t *data = generate_stream(seed, NULL, &size);
        assert_non_null(data);
        check_round_trip(data, size, seed);
        free(data);
    }
}

/* Damage behind the header makes malformed packets, which must survive as well. */
static void damaged_streams_round_trip(void **state)
{
    (void)state;
    struct random_source random = {1};
    for (uint64_t seed = 0; seed < 3000; seed++) {
        size_t size;
        uint8_t *data = generate_stream(seed, NULL, &size);
        assert_non_null(data);
        for (unsigned i = 0; size > 24 && i < 4; i++)
            data[24 + random_below(&random, (uint32_t)size - 24)] = (uint8_t)random_bits(&random);
        check_round_trip(data, size, seed);
        free(data);
    }
}

/* Texts cut and damaged anywhere give an answer, and never more than that. */
static void damaged_texts_are_survived(void **state)
{
    (void)state;
    struct random_source random = {2};
    for (uint64_t seed = 0; seed < 1500; seed++) {
        size_t size;
        uint8_t *data = generate_stream(seed, NULL, &size), *back;
        char *text = dump(data, size);
        const size_t length = random_below(&random, (uint32_t)strlen(text) + 1);
        for (unsigned i = 0; length > 0 && i < 3; i++)
            text[random_below(&random, (uint32_t)length)] = (char)(unsigned char)random_bits(&random);
        if (agpu_text_assemble(text, length, NULL, NULL, &back, &size) == AGPU_OK)
            free(back);
        free(text);
        free(data);
    }
}

static void every_packet_of_the_table_is_generated(void **state)
{
    (void)state;
    size_t rows;
    const struct agpu_packet_info *table = ag_packet_table(&rows);
    for (size_t i = 0; i < rows; i++) {
        struct assembled result = assemble(table[i].name);
        assert_int_equal(ag_load_u32(result.data + 24), table[i].opcode);
        assert_int_equal(ag_load_u32(result.data + 28), table[i].fixed.size);
        assert_int_equal(result.size, 24u + table[i].fixed.size);
        free(result.data);
    }
}

/* A format of the extension has its DXGI name wherever a format stands; numbers without one stay numbers. */
static void extension_formats_have_names(void **state)
{
    (void)state;
    struct assembled result = assemble("EXT_CREATE_TEXTURE texture_handle=7 dimension=TEXTURE3D "
                                       "format=DXGI_R16G16_FLOAT depth=5 misc_flags=0x84\n"
                                       "CREATE_TEXTURE2D texture_handle=8 format=0x800000FF\n");
    assert_int_equal(ag_load_u32(result.data + 24), 0x80000101);
    assert_int_equal(ag_load_u32(result.data + 24 + 12), 4);
    assert_int_equal(ag_load_u32(result.data + 24 + 16), 0x80000022);
    assert_int_equal(ag_load_u32(result.data + 24 + 28), 5);
    char *text = dump(result.data, result.size);
    assert_non_null(strstr(text, "format=DXGI_R16G16_FLOAT"));
    assert_non_null(strstr(text, "misc_flags=TEXTURECUBE|RESOURCE_CLAMP"));
    assert_non_null(strstr(text, "format=0x800000FF"));
    free(text);
    free(result.data);
}

/* Packets inside of a packet are a block; the text reads back to the same bytes. What is no sound packet
 * stays data. */
static void packets_in_packets_are_blocks(void **state)
{
    (void)state;
    const char *text = "EXT_CREATE_COMMAND_LIST object_handle=$1 {\n"
                       "  DRAW vertex_count=3 instance_count=1\n"
                       "  EXT_CREATE_COMMAND_LIST object_handle=$2 {\n"
                       "    NOP\n"
                       "  }\n"
                       "}\n";
    struct assembled result = assemble(text);
    assert_int_equal(ag_load_u32(result.data + 24 + 4), 16 + 24 + 16 + 8); /* the packet's bytes */
    assert_int_equal(ag_load_u32(result.data + 24 + 12), 24 + 16 + 8);     /* those inside */
    assert_int_equal(ag_load_u32(result.data + 24 + 16), 0x601);
    char *printed = dump(result.data, result.size);
    assert_non_null(strstr(printed, "\n  DRAW vertex_count=3"));
    struct assembled again = assemble(printed);
    assert_int_equal(again.size, result.size);
    assert_memory_equal(again.data, result.data, result.size);
    free(printed);
    free(again.data);
    ag_store_u32(result.data + 24 + 20, 0xffff); /* the size of the inner DRAW */
    printed = dump(result.data, result.size);
    assert_non_null(strstr(printed, " : hex"));
    again = assemble(printed);
    assert_memory_equal(again.data, result.data, result.size);
    free(printed);
    free(again.data);
    free(result.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_text_is_an_empty_stream),
        cmocka_unit_test(fields_and_flags),
        cmocka_unit_test(names_of_handles_are_numbered_at_first_mention),
        cmocka_unit_test(longer_form_of_bind_shaders),
        cmocka_unit_test(arrays_and_counts),
        cmocka_unit_test(formats_of_input_elements_have_names),
        cmocka_unit_test(stages_of_two_words_have_names),
        cmocka_unit_test(given_counts_win),
        cmocka_unit_test(forms_of_data),
        cmocka_unit_test(input_layouts),
        cmocka_unit_test(blobs_and_addresses),
        cmocka_unit_test(many_strings_share_a_line),
        cmocka_unit_test(markers),
        cmocka_unit_test(errors_have_places),
        cmocka_unit_test(several_errors_are_reported_in_one_run),
        cmocka_unit_test(printed_form),
        cmocka_unit_test(ranges_and_offsets),
        cmocka_unit_test(dump_refuses_bad_headers),
        cmocka_unit_test(every_stream_round_trips),
        cmocka_unit_test(damaged_streams_round_trip),
        cmocka_unit_test(damaged_texts_are_survived),
        cmocka_unit_test(every_packet_of_the_table_is_generated),
        cmocka_unit_test(extension_formats_have_names),
        cmocka_unit_test(packets_in_packets_are_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
