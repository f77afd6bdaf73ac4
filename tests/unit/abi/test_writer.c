/* SPDX-License-Identifier: MIT */
#include "../../support/test.h"

#include <string.h>

#include "abi/packet.h"
#include "aerogpu/stream_writer.h"
#include "aerogpu/text.h"
#include "base/bytes.h"
#include "diag_log.h"
#include "format/formats.h"

/* Reads back what a test wrote, packet by packet. */
struct round_trip {
    struct agpu_writer writer;
    struct agpu_stream_reader reader;
    struct agpu_packet packet;
};

static void setup(struct round_trip *trip)
{
    agpu_writer_init_growing(&trip->writer, NULL);
}

static void read_back(struct round_trip *trip)
{
    assert_int_equal(agpu_writer_finish(&trip->writer), AGPU_OK);
    assert_int_equal(agpu_stream_reader_init(&trip->reader, trip->writer.data, trip->writer.size, NULL),
                     AGPU_OK);
    assert_int_equal(trip->reader.header.size_bytes, trip->writer.size);
    assert_int_equal(trip->reader.header.abi_version, 0x00010004);
}

static const struct agpu_packet *next(struct round_trip *trip, uint32_t opcode, uint32_t size)
{
    assert_true(agpu_stream_next(&trip->reader, &trip->packet));
    assert_int_equal(trip->packet.opcode, opcode);
    assert_int_equal(trip->packet.size, size);
    assert_int_equal(trip->packet.tail_size, 0);
    return &trip->packet;
}

static void end(struct round_trip *trip)
{
    assert_false(agpu_stream_next(&trip->reader, &trip->packet));
    assert_int_equal(trip->reader.status, AGPU_OK);
    agpu_writer_fini(&trip->writer);
}

/* The words after the packet's header are these. */
#define CHECK_WORDS(packet, ...)                                                                             \
    do {                                                                                                     \
        const uint32_t words_[] = {__VA_ARGS__};                                                             \
        check_words((packet), words_, AG_COUNT_OF(words_));                                                  \
    } while (0)

static void check_words(const struct agpu_packet *packet, const uint32_t *words, size_t count)
{
    assert_int_equal(packet->size, 8 + 4 * count);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(ag_load_u32(packet->data + 8 + 4 * i), words[i]);
}

static void test_resources(void **state)
{
    (void)state;
    struct round_trip trip;
    setup(&trip);
    struct agpu_writer *writer = &trip.writer;
    agpu_write_create_buffer(writer, 1, 0x81, UINT64_C(0x100000004), 2, 3);
    const struct aerogpu_cmd_create_texture2d texture = {
        {7, 7},
        1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
    };
    agpu_write_create_texture2d(writer, &texture);
    agpu_write_destroy_resource(writer, 5);
    agpu_write_resource_dirty_range(writer, 6, 7, UINT64_C(0x800000009));
    agpu_write_upload_resource(writer, 6, 16, "abcde", 5);
    agpu_write_copy_buffer(writer, 1, 16, 2, 32, 48, AEROGPU_COPY_FLAG_WRITEBACK_DST);
    const struct aerogpu_cmd_copy_texture2d copy = {
        {7, 7},
        1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 1, 99
    };
    agpu_write_copy_texture2d(writer, &copy);
    const struct aerogpu_cmd_create_texture_view view = {
        {7, 7},
        1, 2, 3, 4, 5, 6, 7, 99
    };
    agpu_write_create_texture_view(writer, &view);
    agpu_write_destroy_texture_view(writer, 8);
    read_back(&trip);
    CHECK_WORDS(next(&trip, 0x100, 40), 1, 0x81, 4, 1, 2, 3, 0, 0);
    CHECK_WORDS(next(&trip, 0x101, 56), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0, 0);
    CHECK_WORDS(next(&trip, 0x102, 16), 5, 0);
    CHECK_WORDS(next(&trip, 0x103, 32), 6, 0, 7, 0, 9, 8);
    const struct agpu_packet *upload = next(&trip, 0x104, 40);
    CHECK_WORDS(upload, 6, 0, 16, 0, 5, 0, 0x64636261, 0x65);
    assert_int_equal(upload->payload_size, 5);
    CHECK_WORDS(next(&trip, 0x105, 48), 1, 2, 16, 0, 32, 0, 48, 0, 1, 0);
    CHECK_WORDS(next(&trip, 0x106, 64), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 1, 0);
    CHECK_WORDS(next(&trip, 0x107, 44), 1, 2, 3, 4, 5, 6, 7, 0, 0);
    CHECK_WORDS(next(&trip, 0x108, 16), 8, 0);
    end(&trip);
}

static void test_shaders_and_constants(void **state)
{
    (void)state;
    struct round_trip trip;
    setup(&trip);
    struct agpu_writer *writer = &trip.writer;
    agpu_write_create_shader_dxbc(writer, 1, AGPU_STREAM_STAGE_HULL, "DXBC!", 5);
    agpu_write_destroy_shader(writer, 2);
    agpu_write_bind_shaders(writer, 1, 2, 3, 4);
    agpu_write_bind_shaders_ex(writer, (const aerogpu_handle_t[]){2, 1, 4, 5, 6, 3});
    const float singles[8] = {1, -1, 0.5f, 0, 0, 0, 0, 2};
    agpu_write_set_shader_constants_f(writer, AGPU_STREAM_STAGE_VERTEX, 3, 2, singles);
    agpu_write_set_shader_constants_i(writer, AGPU_STREAM_STAGE_PIXEL, 4, 1, (const int32_t[]){-1, 2, -3, 4});
    agpu_write_set_shader_constants_b(writer, AGPU_STREAM_STAGE_GEOMETRY, 5, 2, (const bool[]){false, true});
    read_back(&trip);
    const struct agpu_packet *packet = next(&trip, 0x200, 32);
    CHECK_WORDS(packet, 1, 2, 5, 3, 0x43425844, 0x21);
    assert_int_equal(packet->stage, AGPU_STREAM_STAGE_HULL);
    CHECK_WORDS(next(&trip, 0x201, 16), 2, 0);
    CHECK_WORDS(next(&trip, 0x202, 24), 1, 2, 3, 4);
    packet = next(&trip, 0x202, 36);
    CHECK_WORDS(packet, 1, 2, 3, 4, 4, 5, 6);
    aerogpu_handle_t shaders[AGPU_STREAM_STAGE_COUNT];
    agpu_packet_shaders(packet, shaders);
    assert_memory_equal(shaders, ((const aerogpu_handle_t[]){2, 1, 4, 5, 6, 3}), sizeof shaders);
    CHECK_WORDS(next(&trip, 0x203, 56), 0, 3, 2, 0, 0x3f800000, 0xbf800000, 0x3f000000, 0, 0, 0, 0,
                0x40000000);
    CHECK_WORDS(next(&trip, 0x207, 40), 1, 4, 1, 0, 0xffffffff, 2, 0xfffffffd, 4);
    CHECK_WORDS(next(&trip, 0x208, 56), 3, 5, 2, 0, 0, 0, 0, 0, 1, 1, 1, 1);
    end(&trip);
}

static void test_input_assembler(void **state)
{
    (void)state;
    struct round_trip trip;
    setup(&trip);
    struct agpu_writer *writer = &trip.writer;
    agpu_write_create_input_layout(writer, 1, "blob", 3);
    const struct aerogpu_input_layout_element_dxgi element = {
        agpu_semantic_hash("POSITION", 8), 1, AG_DXGI_R32G32B32A32_FLOAT, 3, 4, 0, 6};
    agpu_write_create_input_layout_dxgi(writer, 2, &element, 1);
    agpu_write_destroy_input_layout(writer, 3);
    agpu_write_set_input_layout(writer, 4);
    const struct aerogpu_vertex_buffer_binding bindings[2] = {
        {1, 2, 3, 0},
        {4, 5, 6, 0}
    };
    agpu_write_set_vertex_buffers(writer, 7, 2, bindings);
    agpu_write_set_vertex_buffers(writer, 7, 0, NULL);
    agpu_write_set_index_buffer(writer, 5, AEROGPU_INDEX_FORMAT_UINT32, 12);
    agpu_write_set_primitive_topology(writer, AEROGPU_TOPOLOGY_PATCHLIST_3);
    read_back(&trip);
    CHECK_WORDS(next(&trip, 0x204, 24), 1, 3, 0, 0x006f6c62);
    CHECK_WORDS(next(&trip, 0x204, 64), 2, 44, 0, 0x59414C49, 1, 1, 0, 0x7808E88A, 1, 2, 3, 4, 0, 6);
    CHECK_WORDS(next(&trip, 0x205, 16), 3, 0);
    CHECK_WORDS(next(&trip, 0x206, 16), 4, 0);
    CHECK_WORDS(next(&trip, 0x500, 48), 7, 2, 1, 2, 3, 0, 4, 5, 6, 0);
    CHECK_WORDS(next(&trip, 0x500, 16), 7, 0);
    CHECK_WORDS(next(&trip, 0x501, 24), 5, 1, 12, 0);
    CHECK_WORDS(next(&trip, 0x502, 16), 35, 0);
    end(&trip);
}

static void test_pipeline_state(void **state)
{
    (void)state;
    struct round_trip trip;
    setup(&trip);
    struct agpu_writer *writer = &trip.writer;
    const struct aerogpu_blend_state blend = {
        1, 2, 3, 4, 0xf, {9,   9,  9 },
             5, 6, 7, { 10, 11, 12, 13},
             14
    };
    agpu_write_set_blend_state(writer, &blend);
    const struct aerogpu_depth_stencil_state depth = {
        1, 0, 3, 1, 0x12, 0x34, {9, 9}
    };
    agpu_write_set_depth_stencil_state(writer, &depth);
    const struct aerogpu_rasterizer_state raster = {1, 2, 1, 0, -5, 1};
    agpu_write_set_rasterizer_state(writer, &raster);
    agpu_write_set_render_targets(writer, 3, (const aerogpu_handle_t[]){21, 0, 23}, 24);
    agpu_write_set_viewport(writer, 0, 1, 2, 0.5f, 0, 1);
    agpu_write_set_scissor(writer, -1, 2, 3, -4);
    read_back(&trip);
    CHECK_WORDS(next(&trip, 0x300, 60), 1, 2, 3, 4, 0xf, 5, 6, 7, 10, 11, 12, 13, 14);
    CHECK_WORDS(next(&trip, 0x301, 28), 1, 0, 3, 1, 0x3412);
    CHECK_WORDS(next(&trip, 0x302, 32), 1, 2, 1, 0, 0xfffffffb, 1);
    CHECK_WORDS(next(&trip, 0x400, 48), 3, 24, 21, 0, 23, 0, 0, 0, 0, 0);
    CHECK_WORDS(next(&trip, 0x401, 32), 0, 0x3f800000, 0x40000000, 0x3f000000, 0, 0x3f800000);
    CHECK_WORDS(next(&trip, 0x402, 24), 0xffffffff, 2, 3, 0xfffffffc);
    end(&trip);
}

static void test_binding_tables(void **state)
{
    (void)state;
    struct round_trip trip;
    setup(&trip);
    struct agpu_writer *writer = &trip.writer;
    agpu_write_set_texture(writer, AGPU_STREAM_STAGE_PIXEL, 1, 2);
    agpu_write_create_sampler(writer, 1, 1, 0, 1, 2);
    agpu_write_destroy_sampler(writer, 2);
    agpu_write_set_samplers(writer, AGPU_STREAM_STAGE_DOMAIN, 3, 2, (const aerogpu_handle_t[]){4, 5});
    const struct aerogpu_constant_buffer_binding constant = {1, 2, 3, 0};
    agpu_write_set_constant_buffers(writer, AGPU_STREAM_STAGE_VERTEX, 4, 1, &constant);
    const struct aerogpu_shader_resource_buffer_binding resource = {4, 5, 6, 0};
    agpu_write_set_shader_resource_buffers(writer, AGPU_STREAM_STAGE_HULL, 5, 1, &resource);
    const struct aerogpu_unordered_access_buffer_binding access = {7, 8, 9, 0xffffffff};
    agpu_write_set_unordered_access_buffers(writer, AGPU_STREAM_STAGE_COMPUTE, 6, 1, &access);
    agpu_write_set_sampler_state(writer, AGPU_STREAM_STAGE_PIXEL, 7, 8, 9);
    agpu_write_set_render_state(writer, 10, 11);
    read_back(&trip);
    CHECK_WORDS(next(&trip, 0x510, 24), 1, 1, 2, 0);
    CHECK_WORDS(next(&trip, 0x520, 28), 1, 1, 0, 1, 2);
    CHECK_WORDS(next(&trip, 0x521, 16), 2, 0);
    CHECK_WORDS(next(&trip, 0x522, 32), 2, 3, 2, 4, 4, 5);
    CHECK_WORDS(next(&trip, 0x523, 40), 0, 4, 1, 0, 1, 2, 3, 0);
    CHECK_WORDS(next(&trip, 0x524, 40), 2, 5, 1, 3, 4, 5, 6, 0);
    CHECK_WORDS(next(&trip, 0x525, 40), 2, 6, 1, 0, 7, 8, 9, 0xffffffff);
    CHECK_WORDS(next(&trip, 0x511, 24), 1, 7, 8, 9);
    CHECK_WORDS(next(&trip, 0x512, 16), 10, 11);
    end(&trip);
}

static void test_work_and_presentation(void **state)
{
    (void)state;
    struct round_trip trip;
    setup(&trip);
    struct agpu_writer *writer = &trip.writer;
    agpu_write_clear(writer, 7, (const float[]){1, 0.5f, 0, 2}, 1, 0x80);
    agpu_write_clear(writer, 2, NULL, 0, 0);
    agpu_write_draw(writer, 1, 2, 3, 4);
    agpu_write_draw_indexed(writer, 1, 2, 3, -4, 5);
    agpu_write_dispatch(writer, AGPU_STREAM_STAGE_COMPUTE, 1, 2, 3);
    agpu_write_dispatch(writer, AGPU_STREAM_STAGE_GEOMETRY, 1, 2, 3);
    agpu_write_present(writer, 0, 1);
    agpu_write_present_ex(writer, 0, 1, 0x12345678);
    agpu_write_export_shared_surface(writer, 1, UINT64_C(0x200000003));
    agpu_write_import_shared_surface(writer, 4, UINT64_C(0x500000006));
    agpu_write_release_shared_surface(writer, UINT64_C(0x700000008));
    agpu_write_flush(writer);
    read_back(&trip);
    CHECK_WORDS(next(&trip, 0x600, 36), 7, 0x3f800000, 0x3f000000, 0, 0x40000000, 0x3f800000, 0x80);
    CHECK_WORDS(next(&trip, 0x600, 36), 2, 0, 0, 0, 0, 0, 0);
    CHECK_WORDS(next(&trip, 0x601, 24), 1, 2, 3, 4);
    CHECK_WORDS(next(&trip, 0x602, 28), 1, 2, 3, 0xfffffffc, 5);
    CHECK_WORDS(next(&trip, 0x603, 24), 1, 2, 3, 0);
    const struct agpu_packet *packet = next(&trip, 0x603, 24);
    CHECK_WORDS(packet, 1, 2, 3, 2);
    assert_int_equal(packet->stage, AGPU_STREAM_STAGE_GEOMETRY);
    CHECK_WORDS(next(&trip, 0x700, 16), 0, 1);
    CHECK_WORDS(next(&trip, 0x701, 24), 0, 1, 0x12345678, 0);
    CHECK_WORDS(next(&trip, 0x710, 24), 1, 0, 3, 2);
    CHECK_WORDS(next(&trip, 0x711, 24), 4, 0, 6, 5);
    CHECK_WORDS(next(&trip, 0x712, 24), 8, 7, 0, 0);
    CHECK_WORDS(next(&trip, 0x720, 16), 0, 0);
    end(&trip);
}

static void test_generic_packets(void **state)
{
    (void)state;
    struct round_trip trip;
    setup(&trip);
    struct agpu_writer *writer = &trip.writer;
    agpu_write_nop(writer, 0);
    agpu_write_nop(writer, 5);
    agpu_write_debug_marker(writer, "hello");
    agpu_write_raw(writer, 0x80000003, "abcdef", 6);
    agpu_write_raw(writer, 0x601, (const uint32_t[]){3, 1, 0, 0}, 16);
    read_back(&trip);
    next(&trip, 0x000, 8);
    CHECK_WORDS(next(&trip, 0x000, 16), 0, 0);
    const struct agpu_packet *marker = next(&trip, 0x001, 16);
    assert_int_equal(marker->payload_size, 5);
    assert_memory_equal(marker->payload, "hello", 5);
    CHECK_WORDS(next(&trip, 0x80000003, 16), 0x64636261, 0x6665);
    assert_int_equal(AGPU_PACKET(next(&trip, 0x601, 24), draw)->vertex_count, 3);
    end(&trip);
}

/* Every packet of the table can be written raw at its smallest and is read back as known. */
static void test_smallest_form_of_every_packet(void **state)
{
    (void)state;
    size_t count;
    const struct agpu_packet_info *table = ag_packet_table(&count);
    struct round_trip trip;
    setup(&trip);
    const uint8_t zeros[64] = {0};
    for (size_t i = 0; i < count; i++)
        agpu_write_raw(&trip.writer, table[i].opcode, zeros, table[i].fixed.size - 8u);
    read_back(&trip);
    for (size_t i = 0; i < count; i++)
        assert_ptr_equal(next(&trip, table[i].opcode, table[i].fixed.size)->info, &table[i]);
    end(&trip);
}

static void test_packets_from_structures(void **state)
{
    (void)state;
    struct round_trip trip;
    setup(&trip);
    struct agpu_writer *writer = &trip.writer;
    const struct aerogpu_cmd_ext_set_viewports viewports = {
        {7, 7},
        99, 98
    };
    const struct aerogpu_ext_viewport viewport = {1, 2, 3, 4, 5, 6};
    agpu_write_packet(writer, AEROGPU_CMD_EXT_SET_VIEWPORTS, &viewports, sizeof viewports, &viewport,
                      sizeof viewport);
    const struct aerogpu_cmd_ext_set_shader_resources views = {
        {7, 7},
        2, 5, 99, 3
    };
    agpu_write_packet(writer, AEROGPU_CMD_EXT_SET_SHADER_RESOURCES, &views, sizeof views,
                      (const uint32_t[]){8, 9}, 8);
    const struct aerogpu_cmd_ext_create_shader shader = {
        {7, 7},
        1, 2, 3, 4, 5, 6, 99, 98
    };
    agpu_write_packet(writer, AEROGPU_CMD_EXT_CREATE_SHADER, &shader, sizeof shader, "abcde", 5);
    const struct aerogpu_cmd_upload_resource upload = {
        {7, 7},
        1, 99, 16, UINT64_C(0x600000005)
    };
    agpu_write_packet(writer, AEROGPU_CMD_UPLOAD_RESOURCE, &upload, sizeof upload, "abc", 3);
    const struct aerogpu_cmd_ext_end_query query = {
        {7, 7},
        1, 2, UINT64_C(0x400000003)
    };
    agpu_write_packet(writer, AEROGPU_CMD_EXT_END_QUERY, &query, sizeof query, NULL, 0);
    read_back(&trip);
    CHECK_WORDS(next(&trip, 0x80000307, 40), 1, 0, 1, 2, 3, 4, 5, 6);
    const struct agpu_packet *packet = next(&trip, 0x80000401, 32);
    CHECK_WORDS(packet, 2, 5, 2, 3, 8, 9);
    assert_int_equal(packet->stage, AGPU_STREAM_STAGE_HULL);
    packet = next(&trip, 0x80000202, 48);
    CHECK_WORDS(packet, 1, 2, 3, 4, 5, 6, 5, 0, 0x64636261, 0x65);
    assert_int_equal(packet->payload_size, 5);
    CHECK_WORDS(next(&trip, 0x104, 36), 1, 0, 16, 0, 3, 0, 0x636261);
    CHECK_WORDS(next(&trip, 0x80000702, 24), 1, 2, 3, 4);
    end(&trip);
}

/* Bytes that two units of a packet's payload need. */
static size_t two_units(const struct ag_payload_info *payload)
{
    switch (payload->kind) {
    case AG_PAYLOAD_ARRAY:
        return 2u * payload->element->size;
    case AG_PAYLOAD_WORDS:
        return 8u * payload->words_per_count;
    case AG_PAYLOAD_BYTES:
        return 16; /* two empty packets, or any data */
    default:
        return 0;
    }
}

/* What the writer wrote, the reader reads, the dump prints, and the assembler makes again. */
static void test_every_packet_from_its_structure(void **state)
{
    (void)state;
    const uint8_t payload[512] = {0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 8};
    uint8_t packet[256];
    size_t count;
    const struct agpu_packet_info *table = ag_packet_table(&count);
    struct round_trip trip;
    setup(&trip);
    for (size_t i = 0; i < sizeof packet; i++)
        packet[i] = i % 4 == 0 ? 2 : 0; /* stages are then geometry */
    for (size_t i = 0; i < count; i++)
        agpu_write_packet(&trip.writer, table[i].opcode, packet, table[i].fixed.size, payload,
                          two_units(&table[i].payload));
    read_back(&trip);
    char *text;
    uint8_t *again;
    size_t length, size;
    assert_int_equal(agpu_text_dump(trip.writer.data, trip.writer.size, NULL, NULL, &text, &length), AGPU_OK);
    assert_int_equal(agpu_text_assemble(text, length, NULL, NULL, &again, &size), AGPU_OK);
    assert_int_equal(size, trip.writer.size);
    assert_memory_equal(again, trip.writer.data, size);
    for (size_t i = 0; i < count; i++) {
        const size_t behind = two_units(&table[i].payload);
        const struct agpu_packet *read =
            next(&trip, table[i].opcode, (uint32_t)(table[i].fixed.size + behind));
        assert_int_equal(read->payload_size, behind);
        assert_int_equal(read->payload_count, table[i].payload.kind == AG_PAYLOAD_BYTES ? behind
                                              : behind == 0                             ? 0u
                                                                                        : 2u);
    }
    end(&trip);
    agpu_free(text);
    agpu_free(again);
}

/* ---- Space and errors ---------------------------------------------------------------------------------- */

static void test_span_overflow_sticks(void **state)
{
    (void)state;
    uint8_t memory[24 + 24 + 16 + 1];
    memset(memory, 0xee, sizeof memory);
    struct diag_log log;
    diag_log_init(&log);
    struct agpu_writer writer;
    agpu_writer_init_span(&writer, memory, sizeof memory - 1, &log.sink);
    agpu_write_draw(&writer, 1, 1, 0, 0);
    agpu_write_draw(&writer, 2, 1, 0, 0); /* 24 bytes where 16 are left */
    agpu_write_flush(&writer);            /* would fit, but comes after the error */
    assert_int_equal(agpu_writer_finish(&writer), AGPU_REFUSED);
    assert_int_equal(log.count, 1);
    assert_int_equal(log.code, AGPU_DIAG_ABI_SPACE);
    assert_int_equal(writer.size, 48);
    assert_int_equal(ag_load_u32(memory + 8), 48);
    assert_int_equal(memory[48], 0xee);
    assert_int_equal(memory[sizeof memory - 1], 0xee);
    agpu_writer_reset(&writer);
    agpu_write_flush(&writer);
    assert_int_equal(agpu_writer_finish(&writer), AGPU_OK);
    assert_int_equal(ag_load_u32(memory + 8), 40);
}

static void test_span_filled_to_the_last_byte(void **state)
{
    (void)state;
    uint8_t memory[48];
    struct agpu_writer writer;
    agpu_writer_init_span(&writer, memory, sizeof memory, NULL);
    agpu_write_draw(&writer, 1, 1, 0, 0);
    assert_int_equal(agpu_writer_finish(&writer), AGPU_OK);
    assert_int_equal(writer.size, sizeof memory);
}

static void test_span_without_room_for_the_header(void **state)
{
    (void)state;
    uint8_t memory[23];
    struct agpu_writer writer;
    agpu_writer_init_span(&writer, memory, sizeof memory, NULL);
    agpu_write_flush(&writer);
    assert_int_equal(agpu_writer_finish(&writer), AGPU_REFUSED);
    assert_int_equal(writer.size, 0);
}

static void test_growing_stops_at_64_mib(void **state)
{
    (void)state;
    struct agpu_writer writer;
    struct diag_log log;
    diag_log_init(&log);
    agpu_writer_init_growing(&writer, &log.sink);
    agpu_write_flush(&writer);
    agpu_write_nop(&writer, (size_t)64 << 20);
    agpu_write_nop(&writer, SIZE_MAX);
    agpu_write_set_shader_constants_f(&writer, AGPU_STREAM_STAGE_VERTEX, 0, UINT32_MAX, NULL);
    assert_int_equal(agpu_writer_finish(&writer), AGPU_REFUSED);
    assert_int_equal(log.count, 1);
    assert_int_equal(log.code, AGPU_DIAG_ABI_SPACE);
    assert_int_equal(writer.size, 40);
    agpu_writer_fini(&writer);
    agpu_writer_fini(&writer);
}

static void test_growing_keeps_what_was_written(void **state)
{
    (void)state;
    struct round_trip trip;
    setup(&trip);
    for (uint32_t i = 0; i < 5000; i++)
        agpu_write_draw(&trip.writer, i, 1, 0, 0);
    read_back(&trip);
    for (uint32_t i = 0; i < 5000; i++)
        assert_int_equal(AGPU_PACKET(next(&trip, 0x601, 24), draw)->vertex_count, i);
    end(&trip);
}

static void stage_refused(uint32_t minor, void (*write)(struct agpu_writer *writer))
{
    struct agpu_writer writer;
    struct diag_log log;
    diag_log_init(&log);
    agpu_writer_init_growing(&writer, &log.sink);
    agpu_writer_set_minor(&writer, minor);
    write(&writer);
    assert_int_equal(agpu_writer_finish(&writer), AGPU_REFUSED);
    assert_int_equal(log.code, AGPU_DIAG_ABI_STAGE);
    assert_int_equal(writer.size, 24);
    agpu_writer_fini(&writer);
}

static void packet_refused(uint32_t opcode, size_t size, size_t payload_size, enum agpu_diag_code code)
{
    const uint32_t zeros[32] = {0};
    struct agpu_writer writer;
    struct diag_log log;
    diag_log_init(&log);
    agpu_writer_init_growing(&writer, &log.sink);
    agpu_write_packet(&writer, opcode, zeros, size, zeros, payload_size);
    assert_int_equal(agpu_writer_finish(&writer), AGPU_REFUSED);
    assert_int_equal(log.code, code);
    assert_int_equal(writer.size, 24);
    agpu_writer_fini(&writer);
}

static void test_packets_that_structures_cannot_be(void **state)
{
    (void)state;
    packet_refused(0x800007ff, 16, 0, AGPU_DIAG_ABI_PACKET_SIZE);
    packet_refused(AEROGPU_CMD_EXT_DRAW_AUTO, 12, 0, AGPU_DIAG_ABI_PACKET_SIZE);
    packet_refused(AEROGPU_CMD_EXT_DRAW_AUTO, 20, 0, AGPU_DIAG_ABI_PACKET_SIZE);
    packet_refused(AEROGPU_CMD_EXT_DRAW_AUTO, 16, 4, AGPU_DIAG_ABI_PACKET_PAYLOAD);
    packet_refused(AEROGPU_CMD_EXT_SET_VIEWPORTS, 16, 28, AGPU_DIAG_ABI_PACKET_PAYLOAD);
    packet_refused(AEROGPU_CMD_EXT_SET_SHADER_RESOURCES, 24, 6, AGPU_DIAG_ABI_PACKET_PAYLOAD);
    packet_refused(AEROGPU_CMD_SET_SHADER_CONSTANTS_F, 24, 8, AGPU_DIAG_ABI_PACKET_PAYLOAD);
}

static void write_hull_texture(struct agpu_writer *writer)
{
    agpu_write_set_texture(writer, AGPU_STREAM_STAGE_HULL, 0, 1);
}

static void write_pixel_dispatch(struct agpu_writer *writer)
{
    agpu_write_dispatch(writer, AGPU_STREAM_STAGE_PIXEL, 1, 1, 1);
}

static void write_vertex_dispatch(struct agpu_writer *writer)
{
    agpu_write_dispatch(writer, AGPU_STREAM_STAGE_VERTEX, 1, 1, 1);
}

static void write_domain_dispatch(struct agpu_writer *writer)
{
    agpu_write_dispatch(writer, AGPU_STREAM_STAGE_DOMAIN, 1, 1, 1);
}

static void write_hull_sampler_state(struct agpu_writer *writer)
{
    agpu_write_set_sampler_state(writer, AGPU_STREAM_STAGE_HULL, 0, 1, 2);
}

static void test_stages_that_cannot_be_spelled(void **state)
{
    (void)state;
    stage_refused(2, write_hull_texture);
    stage_refused(2, write_domain_dispatch);
    stage_refused(4, write_pixel_dispatch);
    stage_refused(4, write_vertex_dispatch);
    stage_refused(4, write_hull_sampler_state);
}

static void test_too_many_render_targets(void **state)
{
    (void)state;
    const aerogpu_handle_t colors[9] = {0};
    struct diag_log log;
    diag_log_init(&log);
    struct agpu_writer writer;
    agpu_writer_init_growing(&writer, &log.sink);
    agpu_write_set_render_targets(&writer, 9, colors, 0);
    assert_int_equal(agpu_writer_finish(&writer), AGPU_REFUSED);
    assert_int_equal(log.code, AGPU_DIAG_ABI_PACKET_PAYLOAD);
    agpu_writer_fini(&writer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_resources),
        cmocka_unit_test(test_shaders_and_constants),
        cmocka_unit_test(test_input_assembler),
        cmocka_unit_test(test_pipeline_state),
        cmocka_unit_test(test_binding_tables),
        cmocka_unit_test(test_work_and_presentation),
        cmocka_unit_test(test_generic_packets),
        cmocka_unit_test(test_smallest_form_of_every_packet),
        cmocka_unit_test(test_packets_from_structures),
        cmocka_unit_test(test_every_packet_from_its_structure),
        cmocka_unit_test(test_packets_that_structures_cannot_be),
        cmocka_unit_test(test_span_overflow_sticks),
        cmocka_unit_test(test_span_filled_to_the_last_byte),
        cmocka_unit_test(test_span_without_room_for_the_header),
        cmocka_unit_test(test_growing_stops_at_64_mib),
        cmocka_unit_test(test_growing_keeps_what_was_written),
        cmocka_unit_test(test_stages_that_cannot_be_spelled),
        cmocka_unit_test(test_too_many_render_targets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
