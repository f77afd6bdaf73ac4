/* SPDX-License-Identifier: MIT
 *
 * Traces of the reference project: steps, refusals by name, and shaders in their encoding.
 */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "aerogpu/dxbc.h"
#include "aerogpu/stream_writer.h"
#include "base/bytes.h"
#include "base/strbuf.h"
#include "scene/model.h"
#include "scene/trace.h"
#include "support/notes.h"

#define MEMORY_GPA UINT64_C(0x1000)

/* ---- Traces made by hand ------------------------------------------------------------------------------- */

static void put_u32(struct ag_strbuf *out, uint32_t value)
{
    ag_strbuf_append_bytes(out, &value, sizeof value);
}

static void put_u64(struct ag_strbuf *out, uint64_t value)
{
    ag_strbuf_append_bytes(out, &value, sizeof value);
}

static void put_record(struct ag_strbuf *out, uint32_t type, const void *payload, size_t size)
{
    put_u32(out, type);
    put_u32(out, (uint32_t)size);
    ag_strbuf_append_bytes(out, payload, size);
}

static void put_blob(struct ag_strbuf *out, uint64_t id, uint32_t kind, const void *data, size_t size)
{
    struct ag_strbuf blob = {0};
    put_u64(&blob, id);
    put_u32(&blob, kind);
    put_u32(&blob, 0);
    ag_strbuf_append_bytes(&blob, data, size);
    put_record(out, 4, blob.data, blob.length);
    ag_strbuf_fini(&blob);
}

static void put_header(struct ag_strbuf *out, uint32_t version, uint32_t abi)
{
    static const char json[] = "{\"emulator_version\":\"1\"}";
    ag_strbuf_append(out, "AEROGPUT");
    put_u32(out, 32);
    put_u32(out, version);
    put_u32(out, abi);
    put_u32(out, 0);
    put_u32(out, sizeof json - 1);
    put_u32(out, 0);
    ag_strbuf_append(out, json);
}

static void put_end(struct ag_strbuf *out)
{
    ag_strbuf_append_bytes(out, "AEROTOC\0", 8);
    put_u32(out, 1);
    put_u32(out, 0);
}

/* A submission of stream blob 1 that reads 16 bytes of blob 2. */
static void put_submission(struct ag_strbuf *out, uint64_t fence)
{
    struct ag_strbuf record = {0};
    const uint32_t head[] = {1, 56, AEROGPU_SUBMIT_FLAG_PRESENT, 9, 0, 0};
    ag_strbuf_append_bytes(&record, head, sizeof head);
    put_u64(&record, fence);
    put_u64(&record, 1);
    put_u64(&record, 3);
    put_u32(&record, 1);
    put_u32(&record, 0);
    put_u32(&record, 7);
    put_u32(&record, 1); /* read-only */
    put_u64(&record, MEMORY_GPA);
    put_u64(&record, 16);
    put_u64(&record, 2);
    put_record(out, 5, record.data, record.length);
    ag_strbuf_fini(&record);
}

enum packets {
    HAS_TARGET = 1,
    HAS_SHADERS = 2,
};

static void write_stream(struct agpu_writer *writer, uint32_t packets, const void *shader,
                         uint32_t shader_size)
{
    const aerogpu_handle_t target = 3;
    agpu_writer_init_growing(writer, NULL);
    if (shader != NULL)
        agpu_write_create_shader_dxbc(writer, 10, AGPU_STREAM_STAGE_VERTEX, shader, shader_size);
    if ((packets & HAS_TARGET) != 0)
        agpu_write_set_render_targets(writer, 1, &target, 0);
    agpu_write_clear(writer, AEROGPU_CLEAR_COLOR, NULL, 1, 0);
    if ((packets & HAS_SHADERS) != 0)
        agpu_write_bind_shaders(writer, 10, 11, 0, 0);
    agpu_write_draw(writer, 3, 1, 0, 0);
    agpu_write_present(writer, 0, 0);
    assert_int_equal(agpu_writer_finish(writer), AGPU_OK);
}

static void make_trace(struct ag_strbuf *out, uint32_t abi, uint32_t packets)
{
    static const uint8_t memory[16] = {1, 2, 3, 4};
    struct agpu_writer writer;
    write_stream(&writer, packets, NULL, 0);
    put_header(out, 2, abi);
    put_record(out, 1, "\0\0\0\0", 4);
    put_blob(out, 1, 0x100, writer.data, writer.size);
    put_blob(out, 2, 0x102, memory, sizeof memory);
    put_submission(out, 5);
    put_submission(out, 6);
    put_record(out, 2, "\0\0\0\0", 4);
    put_end(out);
    agpu_writer_fini(&writer);
}

static enum agpu_status load(const void *data, size_t size, uint32_t flags, struct ag_scene **scene,
                             struct notes *notes)
{
    const struct agpu_diag_sink sink = {note, notes};
    *notes = (struct notes){.code = AGPU_DIAG_NONE};
    return ag_scene_load("x.aerogputrace", data, size, flags, &sink, scene);
}

static void becomes_steps(void **state)
{
    (void)state;
    static const enum scene_step_kind kinds[] = {SCENE_STEP_MEMORY, SCENE_STEP_STORE,   SCENE_STEP_ALLOC,
                                                 SCENE_STEP_SUBMIT, SCENE_STEP_UNALLOC, SCENE_STEP_STORE,
                                                 SCENE_STEP_ALLOC,  SCENE_STEP_SUBMIT,  SCENE_STEP_UNALLOC};
    struct ag_strbuf trace = {0};
    struct ag_scene *scene;
    struct notes notes;
    make_trace(&trace, 0x10004, HAS_TARGET | HAS_SHADERS);
    assert_int_equal(load(trace.data, trace.length, 0, &scene, &notes), AGPU_OK);
    assert_int_equal(scene->steps.count, AG_COUNT_OF(kinds));
    for (size_t i = 0; i < AG_COUNT_OF(kinds); i++)
        assert_int_equal(scene->steps.data[i].kind, kinds[i]);
    assert_int_equal(scene->steps.data[0].as.object->gpa, MEMORY_GPA);
    assert_int_equal(scene->steps.data[0].as.object->memory_size, 16);
    assert_int_equal(scene->steps.data[1].as.store.bytes.data[3], 4);
    assert_int_equal(scene->steps.data[2].as.allocation.id, 7);
    assert_true(scene->steps.data[2].as.allocation.readonly);
    const struct scene_submit *submit = &scene->steps.data[3].as.submit;
    assert_int_equal(submit->context_id, 9);
    assert_int_equal(submit->fence, 5);
    assert_false(submit->no_allocations);
    ag_scene_destroy(scene);
    ag_strbuf_fini(&trace);
}

static enum agpu_diag_code code_of(uint32_t abi, uint32_t packets)
{
    struct ag_strbuf trace = {0};
    struct ag_scene *scene;
    struct notes notes;
    make_trace(&trace, abi, packets);
    assert_int_equal(load(trace.data, trace.length, 0, &scene, &notes), AGPU_REFUSED);
    ag_strbuf_fini(&trace);
    return notes.code;
}

static void what_the_replayer_supplied_is_refused_by_name(void **state)
{
    (void)state;
    assert_int_equal(code_of(1, HAS_TARGET | HAS_SHADERS), AGPU_DIAG_SCENE_TRACE_ABI);
    assert_int_equal(code_of(0x10004, HAS_SHADERS), AGPU_DIAG_SCENE_TRACE_NO_TARGET);
    assert_int_equal(code_of(0x10004, HAS_TARGET), AGPU_DIAG_SCENE_TRACE_NO_SHADERS);
}

static void a_cut_trace_is_refused(void **state)
{
    (void)state;
    struct ag_strbuf trace = {0};
    struct ag_scene *scene;
    struct notes notes;
    make_trace(&trace, 0x10004, HAS_TARGET | HAS_SHADERS);
    /* The table of contents behind the records is not needed. */
    for (size_t size = 8; size < trace.length - 8; size++) {
        uint8_t *copy = malloc(size); /* of just that size, for sanitizers */
        assert_non_null(copy);
        memcpy(copy, trace.data, size);
        assert_int_equal(load(copy, size, 0, &scene, &notes), AGPU_REFUSED);
        assert_int_equal(notes.code, AGPU_DIAG_SCENE_TRACE);
        free(copy);
    }
    ag_strbuf_fini(&trace);
}

/* ---- Shaders ------------------------------------------------------------------------------------------- */

#define TEMP 0u
#define INPUT 1u
#define OUTPUT 2u
#define SWIZZLE(type, swizzle) (2u | 1u << 2 | (type) << 4 | (swizzle) << 12 | 1u << 20)
#define MASK(type, mask) (2u | (type) << 4 | (mask) << 12 | 1u << 20)
#define XYZW 0xe4u
#define OPCODE(number, length) ((number) | (length) << 11)

/* v0 squared, added to its own x, saturated; the declaration says nothing of use. */
/* clang-format off */
static const uint32_t program[] = {
    0x00010040, 26,
    OPCODE(256u, 3u), MASK(INPUT, 15u), 0,
    OPCODE(5u, 7u), MASK(TEMP, 15u), 0, SWIZZLE(INPUT, XYZW), 0, SWIZZLE(INPUT, XYZW), 0,
    OPCODE(2u, 8u) | 1u << 31, 1u << 13, MASK(OUTPUT, 15u), 0, SWIZZLE(TEMP, XYZW), 0, SWIZZLE(TEMP, 0u), 0,
    OPCODE(1u, 5u), MASK(OUTPUT, 1u), 0, SWIZZLE(TEMP, XYZW), 0,
    OPCODE(62u, 1u),
};
/* clang-format on */

static void put_signature(struct ag_strbuf *out, const char *fourcc, const char *name, uint32_t mask)
{
    const uint32_t element[] = {32, 0, 0, 0, 0, mask};
    const size_t length = strlen(name) + 1;
    ag_strbuf_append(out, fourcc);
    put_u32(out, (uint32_t)(32 + length));
    put_u32(out, 1);
    put_u32(out, 8);
    ag_strbuf_append_bytes(out, element, sizeof element);
    ag_strbuf_append_bytes(out, name, length);
}

/* A container as the traces have it: no checksum, chunks at any offset. */
static void make_shader(struct ag_strbuf *out, const uint32_t *tokens, size_t count)
{
    struct ag_strbuf chunks = {0};
    uint32_t offsets[3] = {44};
    put_signature(&chunks, "ISGN", "POSITION", 7);
    offsets[1] = 44 + (uint32_t)chunks.length;
    put_signature(&chunks, "OSGN", "SV_Position", 15);
    offsets[2] = 44 + (uint32_t)chunks.length;
    ag_strbuf_append(&chunks, "SHDR");
    put_u32(&chunks, (uint32_t)(count * 4));
    ag_strbuf_append_bytes(&chunks, tokens, count * 4);
    ag_strbuf_append(out, "DXBC");
    put_u64(out, 0);
    put_u64(out, 0);
    put_u32(out, 1);
    put_u32(out, 44 + (uint32_t)chunks.length);
    put_u32(out, 3);
    ag_strbuf_append_bytes(out, offsets, sizeof offsets);
    ag_strbuf_append_bytes(out, chunks.data, chunks.length);
    ag_strbuf_fini(&chunks);
}

static void check_listing(const void *bytes, size_t size)
{
    struct agpu_shader *shader;
    char *listing;
    size_t length;
    assert_int_equal(agpu_shader_parse(bytes, size, 0, NULL, &shader), AGPU_OK);
    assert_int_equal(agpu_validate(shader, NULL), AGPU_OK);
    assert_int_equal(agpu_disassemble(shader, 0, NULL, &listing, &length), AGPU_OK);
    assert_non_null(strstr(listing, "vs_4_0"));
    /* A vertex shader may read what the layout lacks. */
    assert_non_null(strstr(listing, "dcl_input v0.xyzw"));
    assert_non_null(strstr(listing, "dcl_output_siv o0.xyzw, position"));
    assert_non_null(strstr(listing, "dcl_temps 1"));
    assert_non_null(strstr(listing, "mul r0.xyzw, v0.xyzw, v0.xyzw"));
    assert_non_null(strstr(listing, "add_sat o0.xyzw, r0.xyzw, r0.xxxx"));
    assert_non_null(strstr(listing, "mov o0.x, r0.xyzw"));
    agpu_free(listing);
    agpu_shader_destroy(shader);
}

static void shaders_are_transcoded(void **state)
{
    (void)state;
    struct ag_strbuf shader = {0};
    uint8_t *bytes;
    size_t size;
    make_shader(&shader, program, AG_COUNT_OF(program));
    assert_int_equal(scene_transcode_shader(shader.data, shader.length, NULL, &bytes, &size), AGPU_OK);
    check_listing(bytes, size);
    agpu_free(bytes);
    ag_strbuf_fini(&shader);
}

static void streams_are_transcoded(void **state)
{
    (void)state;
    struct ag_strbuf shader = {0};
    struct agpu_writer writer;
    struct ag_scene *scene;
    struct notes notes;
    struct agpu_stream_reader reader;
    struct agpu_packet packet;
    make_shader(&shader, program, AG_COUNT_OF(program));
    write_stream(&writer, HAS_TARGET | HAS_SHADERS, shader.data, (uint32_t)shader.length);
    assert_int_equal(load(writer.data, writer.size, AG_SCENE_LOAD_AERO_DIALECT, &scene, &notes), AGPU_OK);
    const struct scene_bytes *stream = &scene->steps.data[0].as.submit.stream;
    assert_int_equal(agpu_stream_reader_init(&reader, stream->data, stream->size, NULL), AGPU_OK);
    assert_true(agpu_stream_next(&reader, &packet));
    assert_int_equal(packet.opcode, AEROGPU_CMD_CREATE_SHADER_DXBC);
    check_listing(packet.payload, packet.payload_size);
    uint32_t more = 0;
    while (agpu_stream_next(&reader, &packet))
        more++;
    assert_int_equal(more, 5);
    ag_scene_destroy(scene);
    agpu_writer_fini(&writer);
    ag_strbuf_fini(&shader);
}

/* Whatever the tokens are, they become a shader or a refusal. */
static void other_tokens_are_refused(void **state)
{
    (void)state;
    uint32_t tokens[AG_COUNT_OF(program)];
    uint32_t refused = 0;
    for (size_t i = 0; i < AG_COUNT_OF(program); i++) {
        for (uint32_t bit = 0; bit < 32; bit++) {
            struct ag_strbuf shader = {0};
            uint8_t *bytes = NULL;
            size_t size;
            struct notes notes = {0};
            const struct agpu_diag_sink sink = {note, &notes};
            memcpy(tokens, program, sizeof tokens);
            tokens[i] ^= 1u << bit;
            make_shader(&shader, tokens, AG_COUNT_OF(program));
            const enum agpu_status status =
                scene_transcode_shader(shader.data, shader.length, &sink, &bytes, &size);
            assert_true(status == AGPU_OK || (status == AGPU_REFUSED && notes.count != 0));
            refused += status == AGPU_REFUSED;
            agpu_free(bytes);
            ag_strbuf_fini(&shader);
        }
    }
    assert_true(refused > 300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(becomes_steps),
        cmocka_unit_test(what_the_replayer_supplied_is_refused_by_name),
        cmocka_unit_test(a_cut_trace_is_refused),
        cmocka_unit_test(shaders_are_transcoded),
        cmocka_unit_test(streams_are_transcoded),
        cmocka_unit_test(other_tokens_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
