/* SPDX-License-Identifier: MIT
 *
 * Text and writers when an allocation fails, each in turn: reported, nothing leaked, nothing half done.
 */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "aerogpu/stream_writer.h"
#include "aerogpu/text.h"
#include "support/failing_memory.h"

static unsigned reports;

static void report(void *user, const struct agpu_diag *diag)
{
    (void)user;
    assert_int_equal(diag->code, AGPU_DIAG_OUT_OF_MEMORY);
    reports++;
}

static const struct agpu_diag_sink sink = {.report = report};

static bool blob(void *user, const char *name, const uint8_t **data, size_t *size)
{
    (void)user;
    (void)name;
    *data = (const uint8_t *)"blob";
    *size = 4;
    return true;
}

static bool assembles(void)
{
    static const char text[] =
        "CREATE_BUFFER buffer_handle=$a size_bytes=16 tail=hex01\n"
        "UPLOAD_RESOURCE resource_handle=$b : f32 1 2 3 ; UPLOAD_RESOURCE resource_handle=$3 : @x\n"
        "SET_VERTEX_BUFFERS bindings=[{buffer=$a stride_bytes=8} {buffer=$c}]\n"
        "CREATE_INPUT_LAYOUT input_layout_handle=$d : layout POSITION0 R32G32_FLOAT COLOR0 2\n"
        "DEBUG_MARKER text=\"text\" ; packet 0x7F0 : hex 0102 ; raw : u8 1 2 3 4 ; trailing : noise "
        "bytes=300\n";
    static const struct agpu_text_sources sources = {.blob = blob};
    uint8_t *data;
    size_t size;
    reports = 0;
    const enum agpu_status status = agpu_text_assemble(text, sizeof text - 1, &sources, &sink, &data, &size);
    const bool failed = failing_memory_disarm();
    assert_int_equal(status, failed ? AGPU_NO_MEMORY : AGPU_OK);
    assert_true(failed == (reports != 0));
    assert_true(failed == (data == NULL));
    agpu_free(data);
    return failed;
}

/* A stream of 700 bytes, so that text and writers grow. */
static void write_packets(struct agpu_writer *writer)
{
    static const uint8_t layout[] = {'I', 'L', 'A', 'Y', 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    agpu_write_create_input_layout(writer, 1, layout, sizeof layout);
    for (int i = 0; i < 25; i++)
        agpu_write_draw(writer, 3, 1, 0, 0);
}

static bool writes(void)
{
    struct agpu_writer writer;
    reports = 0;
    agpu_writer_init_growing(&writer, &sink);
    write_packets(&writer);
    const enum agpu_status status = agpu_writer_finish(&writer);
    const bool failed = failing_memory_disarm();
    assert_int_equal(status, failed ? AGPU_NO_MEMORY : AGPU_OK);
    assert_int_equal(reports, failed);
    agpu_writer_reset(&writer);
    write_packets(&writer);
    assert_int_equal(agpu_writer_finish(&writer), AGPU_OK);
    assert_int_equal(writer.size, 24 + 20 + 16 + 25 * 24);
    agpu_writer_fini(&writer);
    return failed;
}

static bool dumps(void)
{
    static _Alignas(8) uint8_t stream[1024];
    struct agpu_writer writer;
    char *text;
    size_t length;
    reports = 0;
    agpu_writer_init_span(&writer, stream, sizeof stream, NULL);
    write_packets(&writer);
    assert_int_equal(agpu_writer_finish(&writer), AGPU_OK);
    const enum agpu_status status = agpu_text_dump(stream, writer.size, NULL, &sink, &text, &length);
    const bool failed = failing_memory_disarm();
    assert_int_equal(status, failed ? AGPU_NO_MEMORY : AGPU_OK);
    assert_int_equal(reports, failed);
    assert_true(failed == (text == NULL));
    agpu_free(text);
    return failed;
}

static void texts_may_fail_to_assemble(void **state)
{
    (void)state;
    assert_true(failing_memory_each(assembles) > 10);
}

static void writers_may_fail_to_grow(void **state)
{
    (void)state;
    assert_true(failing_memory_each(writes) > 4);
}

static void dumps_may_fail(void **state)
{
    (void)state;
    assert_true(failing_memory_each(dumps) > 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_may_fail_to_assemble),
        cmocka_unit_test(writers_may_fail_to_grow),
        cmocka_unit_test(dumps_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
