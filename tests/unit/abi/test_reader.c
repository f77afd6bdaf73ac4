/* SPDX-License-Identifier: MIT */
#include "../../support/test.h"

#include <string.h>

#include "aerogpu/stream.h"
#include "base/bytes.h"
#include "diag_log.h"

/* A stream built word by word, so that it can be wrong in any way. */
struct words {
    uint32_t data[64];
    uint32_t count;
};

static void put(struct words *words, uint32_t value)
{
    assert_true(words->count < AG_COUNT_OF(words->data));
    words->data[words->count++] = value;
}

static struct words begin(uint32_t minor)
{
    struct words words = {.count = 0};
    put(&words, 0x444D4341);
    put(&words, 0x00010000 | minor);
    for (int i = 0; i < 4; i++)
        put(&words, 0);
    return words;
}

static uint32_t finish(struct words *words)
{
    words->data[2] = 4 * words->count;
    return words->data[2];
}

#define PUT(words, ...)                                                                                      \
    do {                                                                                                     \
        const uint32_t values_[] = {__VA_ARGS__};                                                            \
        for (size_t i_ = 0; i_ < AG_COUNT_OF(values_); i_++)                                                 \
            put((words), values_[i_]);                                                                       \
    } while (0)

/* ---- Headers ------------------------------------------------------------------------------------------- */

static void header_refused(const void *data, size_t size, enum agpu_diag_code code, uint64_t offset)
{
    struct diag_log log;
    diag_log_init(&log);
    struct agpu_stream_reader reader;
    assert_int_equal(agpu_stream_reader_init(&reader, data, size, &log.sink), AGPU_REFUSED);
    assert_int_equal(log.count, 1);
    assert_int_equal(log.code, code);
    assert_int_equal(log.place.offset, offset);
    struct agpu_packet packet;
    assert_false(agpu_stream_next(&reader, &packet));
    assert_int_equal(reader.status, AGPU_REFUSED);
}

static void test_malformed_headers(void **state)
{
    (void)state;
    struct words words = begin(4);
    finish(&words);
    header_refused(words.data, 0, AGPU_DIAG_ABI_STREAM_HEADER, 0);
    header_refused(words.data, 23, AGPU_DIAG_ABI_STREAM_HEADER, 0);
    words.data[0] ^= 1;
    header_refused(words.data, 24, AGPU_DIAG_ABI_STREAM_HEADER, 0);
    words.data[0] ^= 1;
    words.data[1] = 0x00020000;
    header_refused(words.data, 24, AGPU_DIAG_ABI_STREAM_HEADER, 4);
    words.data[1] = 0x00000004;
    header_refused(words.data, 24, AGPU_DIAG_ABI_STREAM_HEADER, 4);
    words.data[1] = 0x00010004;
    static const uint32_t bad_sizes[] = {0, 20, 25, 26, 0xffffffff};
    for (size_t i = 0; i < AG_COUNT_OF(bad_sizes); i++) {
        words.data[2] = bad_sizes[i];
        header_refused(words.data, 24, AGPU_DIAG_ABI_STREAM_HEADER, 8);
    }
    words.data[2] = 28;
    header_refused(words.data, 24, AGPU_DIAG_ABI_STREAM_SIZE, 8);
    /* The cap is looked at last: `size` only claims that the bytes are there. */
    words.data[2] = (64u << 20) + 4;
    header_refused(words.data, (size_t)256 << 20, AGPU_DIAG_ABI_STREAM_HEADER, 8);
}

static void test_any_minor_and_any_slack(void **state)
{
    (void)state;
    for (uint32_t minor = 0; minor < 0x10000; minor += 0xfff) {
        struct words words = begin(minor);
        finish(&words);
        struct agpu_stream_reader reader;
        struct agpu_packet packet;
        assert_int_equal(agpu_stream_reader_init(&reader, words.data, sizeof words.data, NULL), AGPU_OK);
        assert_int_equal(reader.minor, minor);
        assert_false(agpu_stream_next(&reader, &packet));
        assert_int_equal(reader.status, AGPU_OK);
    }
}

/* ---- Malformed packets --------------------------------------------------------------------------------- */

/* The stream has `good` packets before one that is refused at `offset`. */
static void packet_refused(struct words *words, uint32_t good, enum agpu_diag_code code, uint64_t offset)
{
    const uint32_t size = finish(words);
    struct diag_log log;
    diag_log_init(&log);
    struct agpu_stream_reader reader;
    struct agpu_packet packet;
    assert_int_equal(agpu_stream_reader_init(&reader, words->data, size, &log.sink), AGPU_OK);
    reader.submission = 9;
    for (uint32_t i = 0; i < good; i++)
        assert_true(agpu_stream_next(&reader, &packet));
    assert_false(agpu_stream_next(&reader, &packet));
    assert_int_equal(reader.status, AGPU_REFUSED);
    assert_int_equal(log.count, 1);
    assert_int_equal(log.code, code);
    assert_int_equal(log.place.offset, offset);
    assert_int_equal(log.place.packet, good);
    assert_int_equal(log.place.submission, 9);
    assert_false(agpu_stream_next(&reader, &packet));
    assert_int_equal(log.count, 1);
}

static void test_framing(void **state)
{
    (void)state;
    static const uint32_t sizes[] = {0, 4, 7, 9, 17, 18, 19, 20, 0xfffffffc, 0xffffffff};
    for (size_t i = 0; i < AG_COUNT_OF(sizes); i++) {
        struct words words = begin(4);
        PUT(&words, 0x720, 16, 0, 0); /* FLUSH */
        PUT(&words, 0x700, sizes[i], 0, 0);
        packet_refused(&words, 1, AGPU_DIAG_ABI_PACKET_SIZE, 40);
    }
    struct words leftover = begin(4);
    PUT(&leftover, 0x720, 16, 0, 0);
    PUT(&leftover, 0x700);
    packet_refused(&leftover, 1, AGPU_DIAG_ABI_PACKET_SIZE, 40);
}

static void test_known_packets_may_not_be_shorter(void **state)
{
    (void)state;
    struct words words = begin(4);
    PUT(&words, 0x601, 20, 3, 1, 0); /* DRAW needs 24 */
    packet_refused(&words, 0, AGPU_DIAG_ABI_PACKET_SIZE, 24);
    words = begin(4);
    PUT(&words, 0x300, 28, 0, 0, 0, 0, 0); /* SET_BLEND_STATE needs 60 */
    packet_refused(&words, 0, AGPU_DIAG_ABI_PACKET_SIZE, 24);
    words = begin(4);
    PUT(&words, 0x202, 20, 1, 2, 3); /* BIND_SHADERS needs 24 */
    packet_refused(&words, 0, AGPU_DIAG_ABI_PACKET_SIZE, 24);
}

static void test_payloads_must_be_whole(void **state)
{
    (void)state;
    struct words words = begin(4);
    PUT(&words, 0x104, 36, 1, 0, 0, 0, 5, 0, 0); /* UPLOAD_RESOURCE: 5 bytes in 4 */
    packet_refused(&words, 0, AGPU_DIAG_ABI_PACKET_PAYLOAD, 24);
    static const uint32_t high[] = {1, 0x7fffffff, 0xffffffff};
    for (size_t i = 0; i < AG_COUNT_OF(high); i++) {
        words = begin(4);
        PUT(&words, 0x104, 36, 1, 0, 0, 0, 0xffffffff, high[i], 0);
        packet_refused(&words, 0, AGPU_DIAG_ABI_PACKET_PAYLOAD, 24);
    }
    words = begin(4);
    PUT(&words, 0x200, 28, 1, 0, 0xffffffff, 0, 0); /* CREATE_SHADER_DXBC */
    packet_refused(&words, 0, AGPU_DIAG_ABI_PACKET_PAYLOAD, 24);
    words = begin(4);
    PUT(&words, 0x500, 28, 0, 1, 0, 0, 0); /* SET_VERTEX_BUFFERS: 12 bytes of a binding */
    packet_refused(&words, 0, AGPU_DIAG_ABI_PACKET_PAYLOAD, 24);
    words = begin(4);
    PUT(&words, 0x500, 32, 0, 0x10000001, 0, 0, 0, 0); /* 2^28 + 1 bindings: 16 when cut to 32 bits */
    packet_refused(&words, 0, AGPU_DIAG_ABI_PACKET_PAYLOAD, 24);
    words = begin(4);
    PUT(&words, 0x208, 28, 0, 0, 1, 0, 1); /* SET_SHADER_CONSTANTS_B: 4 bytes for a register of 16 */
    packet_refused(&words, 0, AGPU_DIAG_ABI_PACKET_PAYLOAD, 24);
    words = begin(4);
    PUT(&words, 0x522, 28, 0, 0, 2, 0, 1); /* SET_SAMPLERS: one handle of two */
    packet_refused(&words, 0, AGPU_DIAG_ABI_PACKET_PAYLOAD, 24);
}

static void test_stage_words_must_name_a_stage(void **state)
{
    (void)state;
    struct words words = begin(4);
    PUT(&words, 0x510, 24, 4, 0, 0, 0); /* SET_TEXTURE, stage 4 */
    packet_refused(&words, 0, AGPU_DIAG_ABI_STAGE, 24);
    words = begin(3);
    PUT(&words, 0x510, 24, 2, 0, 0, 1); /* vertex as stage_ex */
    packet_refused(&words, 0, AGPU_DIAG_ABI_STAGE, 24);
    words = begin(4);
    PUT(&words, 0x603, 24, 1, 1, 1, 6); /* DISPATCH */
    packet_refused(&words, 0, AGPU_DIAG_ABI_STAGE, 24);
    words = begin(4);
    PUT(&words, 0x511, 24, 5, 0, 0, 0); /* SET_SAMPLER_STATE */
    packet_refused(&words, 0, AGPU_DIAG_ABI_STAGE, 24);
}

/* ---- Packets that are fine ----------------------------------------------------------------------------- */

static struct agpu_packet only_packet(struct words *words)
{
    const uint32_t size = finish(words);
    struct diag_log log;
    diag_log_init(&log);
    struct agpu_stream_reader reader;
    struct agpu_packet packet, none;
    assert_int_equal(agpu_stream_reader_init(&reader, words->data, size, &log.sink), AGPU_OK);
    assert_true(agpu_stream_next(&reader, &packet));
    assert_false(agpu_stream_next(&reader, &none));
    assert_int_equal(reader.status, AGPU_OK);
    assert_int_equal(log.count, 0);
    return packet;
}

static void test_unknown_opcodes_are_skipped_by_size(void **state)
{
    (void)state;
    struct words words = begin(4);
    PUT(&words, 0x7fff, 8);
    PUT(&words, 0x80000001, 20, 0xffffffff, 1, 2);
    PUT(&words, 0x601, 24, 3, 1, 7, 0);
    const uint32_t size = finish(&words);
    struct agpu_stream_reader reader;
    struct agpu_packet packet;
    assert_int_equal(agpu_stream_reader_init(&reader, words.data, size, NULL), AGPU_OK);
    assert_true(agpu_stream_next(&reader, &packet));
    assert_null(packet.info);
    assert_int_equal(packet.size, 8);
    assert_true(agpu_stream_next(&reader, &packet));
    assert_null(packet.info);
    assert_int_equal(packet.opcode, 0x80000001);
    assert_int_equal(packet.offset, 32);
    assert_int_equal(packet.payload_size, 0);
    assert_null(agpu_packet_element(&packet, 0));
    assert_true(agpu_stream_next(&reader, &packet));
    assert_non_null(packet.info);
    assert_int_equal(packet.index, 2);
    assert_int_equal(AGPU_PACKET(&packet, draw)->first_vertex, 7);
    assert_int_equal(packet.stage, AGPU_STREAM_STAGE_NONE);
}

static void test_longer_packets_have_a_tail(void **state)
{
    (void)state;
    struct words words = begin(4);
    PUT(&words, 0x601, 32, 3, 1, 0, 0, 0xaaaaaaaa, 0xbbbbbbbb);
    struct agpu_packet packet = only_packet(&words);
    assert_int_equal(packet.tail_size, 8);
    assert_int_equal(ag_load_u32(packet.tail), 0xaaaaaaaa);

    words = begin(4);
    PUT(&words, 0x104, 44, 1, 0, 0, 0, 5, 0, 0x04030201, 0x00000005, 0xcccccccc);
    packet = only_packet(&words);
    assert_int_equal(packet.payload_size, 5);
    assert_int_equal(packet.payload_count, 5);
    assert_memory_equal(packet.payload, "\1\2\3\4\5", 5);
    assert_int_equal(packet.tail_size, 4);
    assert_int_equal(ag_load_u32(packet.tail), 0xcccccccc);
}

static void test_marker_text_has_no_padding(void **state)
{
    (void)state;
    struct words words = begin(4);
    PUT(&words, 0x001, 16, 0x6c6c6568, 0x0000006f);
    const struct agpu_packet packet = only_packet(&words);
    assert_int_equal(packet.payload_size, 5);
    assert_memory_equal(packet.payload, "hello", 5);
    assert_int_equal(packet.tail_size, 0);
    words = begin(4);
    PUT(&words, 0x001, 8);
    assert_int_equal(only_packet(&words).payload_size, 0);
}

static void test_arrays_are_bounded(void **state)
{
    (void)state;
    struct words words = begin(4);
    PUT(&words, 0x500, 48, 1, 2, 11, 16, 0, 0, 12, 20, 4, 0);
    struct agpu_packet packet = only_packet(&words);
    assert_int_equal(packet.payload_count, 2);
    const struct aerogpu_vertex_buffer_binding *binding = agpu_packet_element(&packet, 1);
    assert_int_equal(binding->buffer, 12);
    assert_int_equal(binding->stride_bytes, 20);
    assert_int_equal(binding->offset_bytes, 4);
    assert_null(agpu_packet_element(&packet, 2));
    assert_null(agpu_packet_element(&packet, 0xffffffff));

    words = begin(4);
    PUT(&words, 0x522, 32, 1, 0, 2, 0, 41, 42);
    packet = only_packet(&words);
    assert_int_equal(packet.stage, AGPU_STREAM_STAGE_PIXEL);
    assert_int_equal(agpu_packet_word(&packet, 0), 41);
    assert_int_equal(agpu_packet_word(&packet, 1), 42);
    assert_int_equal(agpu_packet_word(&packet, 2), 0);
    assert_int_equal(agpu_packet_word(&packet, 0xffffffff), 0);
    assert_null(agpu_packet_element(&packet, 0));
}

static void check_shaders(struct words *words, const uint32_t by_stage[6])
{
    const struct agpu_packet packet = only_packet(words);
    aerogpu_handle_t shaders[AGPU_STREAM_STAGE_COUNT];
    agpu_packet_shaders(&packet, shaders);
    for (int i = 0; i < 6; i++)
        assert_int_equal(shaders[i], by_stage[i]);
}

/* Handles vs 1, ps 2, cs 3, reserved0 9, gs 4, hs 5, ds 6; expected in the order PS VS GS HS DS CS. */
static void test_bind_shaders_forms(void **state)
{
    (void)state;
    struct words words = begin(4);
    PUT(&words, 0x202, 24, 1, 2, 3, 9);
    check_shaders(&words, (const uint32_t[]){2, 1, 9, 0, 0, 3});
    words = begin(4);
    PUT(&words, 0x202, 28, 1, 2, 3, 9, 4);
    check_shaders(&words, (const uint32_t[]){2, 1, 0, 0, 0, 3});
    words = begin(4);
    PUT(&words, 0x202, 32, 1, 2, 3, 9, 4, 5);
    check_shaders(&words, (const uint32_t[]){2, 1, 0, 0, 0, 3});
    words = begin(4);
    PUT(&words, 0x202, 36, 1, 2, 3, 9, 4, 5, 6);
    check_shaders(&words, (const uint32_t[]){2, 1, 4, 5, 6, 3});
    words = begin(4);
    PUT(&words, 0x202, 40, 1, 2, 3, 9, 0, 5, 6, 77);
    check_shaders(&words, (const uint32_t[]){2, 1, 0, 5, 6, 3});
}

static void test_stage_ex_follows_the_minor(void **state)
{
    (void)state;
    struct words words = begin(2);
    PUT(&words, 0x603, 24, 1, 1, 1, 3);
    assert_int_equal(only_packet(&words).stage, AGPU_STREAM_STAGE_COMPUTE);
    words = begin(3);
    PUT(&words, 0x603, 24, 1, 1, 1, 3);
    assert_int_equal(only_packet(&words).stage, AGPU_STREAM_STAGE_HULL);
    words = begin(4);
    PUT(&words, 0x511, 24, 3, 0, 1, 2);
    assert_int_equal(only_packet(&words).stage, AGPU_STREAM_STAGE_GEOMETRY);
}

/* Packets may start at any multiple of 4, and the caller's bytes anywhere: sanitizers watch this one. */
static void test_unaligned_streams(void **state)
{
    (void)state;
    struct words words = begin(4);
    PUT(&words, 0x712, 24, 0x55667788, 0x11223344, 0, 0);
    const uint32_t size = finish(&words);
    for (size_t shift = 0; shift < 8; shift++) {
        uint8_t bytes[sizeof words.data + 8];
        memcpy(bytes + shift, words.data, size);
        struct agpu_stream_reader reader;
        struct agpu_packet packet;
        assert_int_equal(agpu_stream_reader_init(&reader, bytes + shift, size, NULL), AGPU_OK);
        assert_true(agpu_stream_next(&reader, &packet));
        assert_true(AGPU_PACKET(&packet, release_shared_surface)->share_token ==
                    UINT64_C(0x1122334455667788));
    }
}

/* No packets may be at no address: sanitizers watch this one. */
static void test_no_packets_at_no_address(void **state)
{
    (void)state;
    struct agpu_stream_reader reader;
    struct agpu_packet packet;
    assert_int_equal(agpu_stream_reader_init_packets(&reader, 4, NULL, 0, NULL), AGPU_OK);
    assert_false(agpu_stream_next(&reader, &packet));
    assert_int_equal(reader.status, AGPU_OK);
}

static void test_lenient_readers_go_on(void **state)
{
    (void)state;
    struct words words = begin(4);
    PUT(&words, 0x601, 12, 3);          /* too short */
    PUT(&words, 0x510, 24, 9, 0, 0, 0); /* no stage */
    PUT(&words, 0x720, 16, 0, 0);
    PUT(&words, 0x700, 4); /* leads nowhere */
    const uint32_t size = finish(&words);
    struct agpu_stream_reader reader;
    struct agpu_packet packet;
    assert_int_equal(agpu_stream_reader_init(&reader, words.data, size, NULL), AGPU_OK);
    reader.lenient = true;
    assert_true(agpu_stream_next(&reader, &packet));
    assert_null(packet.info);
    assert_int_equal(packet.opcode, 0x601);
    assert_true(agpu_stream_next(&reader, &packet));
    assert_null(packet.info);
    assert_int_equal(packet.payload_size, 0);
    assert_true(agpu_stream_next(&reader, &packet));
    assert_non_null(packet.info);
    assert_false(agpu_stream_next(&reader, &packet));
    assert_int_equal(reader.status, AGPU_REFUSED);
}

static void test_names(void **state)
{
    (void)state;
    assert_string_equal(agpu_packet_name(0x000), "NOP");
    assert_string_equal(agpu_packet_name(0x525), "SET_UNORDERED_ACCESS_BUFFERS");
    assert_null(agpu_packet_name(0x80000000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_malformed_headers),
        cmocka_unit_test(test_any_minor_and_any_slack),
        cmocka_unit_test(test_framing),
        cmocka_unit_test(test_known_packets_may_not_be_shorter),
        cmocka_unit_test(test_payloads_must_be_whole),
        cmocka_unit_test(test_stage_words_must_name_a_stage),
        cmocka_unit_test(test_unknown_opcodes_are_skipped_by_size),
        cmocka_unit_test(test_longer_packets_have_a_tail),
        cmocka_unit_test(test_marker_text_has_no_padding),
        cmocka_unit_test(test_arrays_are_bounded),
        cmocka_unit_test(test_bind_shaders_forms),
        cmocka_unit_test(test_stage_ex_follows_the_minor),
        cmocka_unit_test(test_unaligned_streams),
        cmocka_unit_test(test_no_packets_at_no_address),
        cmocka_unit_test(test_lenient_readers_go_on),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
