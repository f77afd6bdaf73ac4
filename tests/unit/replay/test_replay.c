/* SPDX-License-Identifier: MIT
 *
 * Captures without a GPU: recording, replaying, differences, damage, cutting.
 */
#include "support/test.h"

#include <string.h>

#include "aerogpu/capture.h"
#include "base/bytes.h"
#include "base/strbuf.h"
#include "capture/capture.h"
#include "capture/format.h"
#include "capture/hash.h"
#include "capture/writer.h"
#include "replay/replay.h"
#include "support/fake_executor.h"
#include "support/notes.h"

static const uint8_t pixels[16] = {255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 10, 20, 30, 40};
static const uint8_t content[16] = {0, 0, 128, 63, 0, 0, 0, 192, 7, 0, 0, 0, 9, 8, 7, 6};

/* Two frames from one piece of guest memory, a write-back, and a mistake of the guest's. */
static const char text[] = "aerogpu-scene 1\n"
                           "mem @ram at=0x100000 size=4096 : u32 1 2 3\n"
                           "alloc 7 @ram\n"
                           "submit flags=PRESENT {\n"
                           "    CREATE_BUFFER buffer_handle=$b size_bytes=16\n"
                           "    CREATE_BUFFER buffer_handle=$c size_bytes=16 backing_alloc_id=7\n"
                           "    CLEAR flags=COLOR\n"
                           "    PRESENT\n"
                           "}\n"
                           "submit flags=PRESENT {\n"
                           "    COPY_BUFFER dst_buffer=$c src_buffer=$b size_bytes=16 flags=WRITEBACK_DST\n"
                           "    PRESENT\n"
                           "}\n"
                           "submit {\n"
                           "    packet 0x7F0 : u32 2001\n"
                           "}\n"
                           "expect error CMD_DECODE\n"
                           "expect fence 3\n";

struct run_options {
    const uint8_t *pixels;
    const uint8_t *content;
};
static const struct run_options usual = {pixels, content};

static struct agpu_executor *make_executor(const struct run_options *options,
                                           struct fake_executor_options *fake)
{
    *fake = (struct fake_executor_options){
        .polls = 2,
        .width = 2,
        .height = 2,
        .pixels = options->pixels,
        .content = options->content,
        .content_size = sizeof content,
    };
    struct agpu_executor *executor = fake_executor_create(fake);
    assert_non_null(executor);
    return executor;
}

static bool append(void *user, const void *data, size_t size)
{
    ag_strbuf_append_bytes(user, data, size);
    return !((struct ag_strbuf *)user)->failed;
}

static void record(struct ag_strbuf *bytes)
{
    struct ag_scene *scene;
    struct ag_scene_report report;
    struct agpu_capture_recorder *recorder;
    struct fake_executor_options fake;
    const struct agpu_capture_options options = {.write = append, .user = bytes, .text = "a test"};
    assert_int_equal(agpu_capture_recorder_create(&options, NULL, &recorder), AGPU_OK);
    assert_int_equal(ag_scene_load("x.scene", text, sizeof text - 1, 0, NULL, &scene), AGPU_OK);
    struct agpu_executor *executor = make_executor(&usual, &fake);
    const struct ag_scene_options scene_options = {.executor = executor,
                                                   .tap = agpu_capture_recorder_tap(recorder)};
    ag_scene_run(scene, &scene_options, NULL, &report);
    assert_int_equal(agpu_capture_recorder_finish(recorder, NULL), AGPU_OK);
    agpu_capture_recorder_destroy(recorder);
    ag_scene_report_fini(&report);
    agpu_executor_destroy(executor);
    ag_scene_destroy(scene);
}

struct outcome {
    enum ag_scene_result result;
    uint32_t presents, fences, writebacks, failed;
};

static struct outcome replay(const struct ag_capture *capture, const struct run_options *options)
{
    struct fake_executor_options fake;
    struct agpu_executor *executor = make_executor(options, &fake);
    const struct ag_scene_options scene_options = {.executor = executor, .timeout_ms = 5000};
    struct ag_scene_report report;
    struct outcome outcome = {0};
    ag_replay_run(capture, &scene_options, NULL, &report);
    outcome.result = report.result;
    for (size_t i = 0; i < report.checks.count; i++) {
        const struct ag_scene_check *check = &report.checks.data[i];
        outcome.presents += strcmp(check->kind, "present") == 0;
        outcome.fences += strcmp(check->kind, "fence") == 0;
        outcome.writebacks += strcmp(check->kind, "writeback") == 0;
        outcome.failed += check->result == AG_SCENE_FAILED;
    }
    ag_scene_report_fini(&report);
    agpu_executor_destroy(executor);
    return outcome;
}

static enum agpu_status read_bytes(const void *data, size_t size, struct ag_capture **capture,
                                   struct notes *notes)
{
    const struct agpu_diag_sink sink = {note, notes};
    *notes = (struct notes){.code = AGPU_DIAG_NONE};
    return ag_capture_read(data, size, &sink, capture);
}

static int set_up(void **state)
{
    struct ag_strbuf *bytes = calloc(1, sizeof *bytes);
    record(bytes);
    *state = bytes;
    return bytes->failed;
}

static int tear_down(void **state)
{
    ag_strbuf_fini(*state);
    free(*state);
    return 0;
}

static struct ag_capture *read_good(const struct ag_strbuf *bytes)
{
    struct ag_capture *capture;
    struct notes notes;
    assert_int_equal(read_bytes(bytes->data, bytes->length, &capture, &notes), AGPU_OK);
    assert_int_equal(notes.count, 0);
    return capture;
}

static void says_what_is_in_it(void **state)
{
    struct ag_capture *capture = read_good(*state);
    struct ag_capture_summary summary;
    assert_true(capture->complete);
    assert_string_equal(capture->text, "a test");
    assert_int_equal(ag_capture_summarise(capture, NULL, &summary), AGPU_OK);
    assert_int_equal(summary.submissions.count, 3);
    assert_int_equal(summary.presents, 2);
    assert_int_equal(summary.writebacks, 1);
    assert_int_equal(summary.submissions.data[0].counts.packets, 4);
    assert_int_equal(summary.submissions.data[1].counts.presents, 1);
    assert_int_equal(summary.submissions.data[1].error, AEROGPU_ERROR_NONE);
    assert_int_equal(summary.submissions.data[2].error, AEROGPU_ERROR_CMD_DECODE);
    ag_capture_summary_fini(&summary);
    ag_capture_destroy(capture);
}

static void replays_the_same(void **state)
{
    struct ag_capture *capture = read_good(*state);
    const struct outcome outcome = replay(capture, &usual);
    assert_int_equal(outcome.result, AG_SCENE_PASSED);
    assert_int_equal(outcome.presents, 2);
    assert_int_equal(outcome.fences, 3);
    assert_int_equal(outcome.writebacks, 1);
    ag_capture_destroy(capture);
}

static void tells_rounding_from_mistakes(void **state)
{
    struct ag_capture *capture = read_good(*state);
    uint8_t other_pixels[16], other_content[16];
    const struct run_options pictures = {other_pixels, content}, bytes = {pixels, other_content};
    memcpy(other_pixels, pixels, sizeof pixels);
    memcpy(other_content, content, sizeof content);
    other_pixels[4] += 3;
    assert_int_equal(replay(capture, &pictures).result, AG_SCENE_PASSED);
    other_pixels[4] += 1;
    assert_int_equal(replay(capture, &pictures).failed, 2);
    ag_store_u32(other_content, UINT32_C(0x3f800040)); /* 1 and some steps */
    assert_int_equal(replay(capture, &bytes).result, AG_SCENE_PASSED);
    ag_store_u32(other_content, UINT32_C(0x3f900000));
    assert_int_equal(replay(capture, &bytes).failed, 1);
    ag_capture_destroy(capture);
}

static void every_flipped_bit_is_found(void **state)
{
    const struct ag_strbuf *bytes = *state;
    struct ag_capture *capture;
    struct notes notes;
    for (size_t bit = 0; bit < bytes->length * 8; bit++) {
        bytes->data[bit / 8] ^= (char)(1 << bit % 8);
        const enum agpu_status status = read_bytes(bytes->data, bytes->length, &capture, &notes);
        bytes->data[bit / 8] ^= (char)(1 << bit % 8);
        if (status != AGPU_REFUSED || notes.code < AGPU_DIAG_CAPTURE_FORMAT ||
            notes.code > AGPU_DIAG_CAPTURE_LIMIT)
            fail_msg("bit %zu: status %d, code %d", bit, (int)status, (int)notes.code);
        assert_null(capture);
    }
}

static void a_cut_capture_is_read_up_to_the_cut(void **state)
{
    const struct ag_strbuf *bytes = *state;
    size_t most = 0;
    for (size_t size = 0; size < bytes->length; size++) {
        struct ag_capture *capture;
        struct notes notes;
        if (read_bytes(bytes->data, size, &capture, &notes) != AGPU_OK) {
            assert_true(most == 0); /* nothing before the first chunk is a capture */
            continue;
        }
        assert_false(capture->complete);
        assert_true(size < 64 || notes.code == AGPU_DIAG_CAPTURE_TRUNCATED);
        assert_true(capture->records.count >= most);
        most = capture->records.count;
        ag_capture_destroy(capture);
    }
    assert_true(most > 10);
}

/* ---- Chunks made by hand ------------------------------------------------------------------------------- */

static void put_info(struct ag_capture_writer *writer)
{
    const struct ag_capture_info info = {.abi_version = AEROGPU_ABI_VERSION_U32};
    ag_capture_write_chunk(writer, AG_CAPTURE_INFO, &info, sizeof info);
}

static enum agpu_diag_code code_of_chunk(uint32_t fourcc, const void *payload, size_t size)
{
    struct ag_strbuf bytes = {0};
    struct ag_capture_writer writer;
    struct ag_capture *capture;
    struct notes notes;
    ag_capture_writer_init(&writer, append, &bytes);
    put_info(&writer);
    ag_capture_write_chunk(&writer, fourcc, payload, size);
    ag_capture_writer_finish(&writer, NULL);
    ag_capture_writer_fini(&writer);
    read_bytes(bytes.data, bytes.length, &capture, &notes);
    ag_capture_destroy(capture);
    ag_strbuf_fini(&bytes);
    return notes.code;
}

static void chunks_are_checked(void **state)
{
    (void)state;
    static const uint8_t zeros[256] = {0};
    struct ag_capture_access access = {.size = 16, .flags = 0};
    const struct ag_capture_info info = {.text_bytes = 1};
    const struct ag_capture_submission submission = {.allocation_count = 1};
    assert_int_equal(code_of_chunk(AG_CAPTURE_FOURCC('L', 'A', 'T', 'E'), zeros, 17), AGPU_DIAG_NONE);
    assert_int_equal(code_of_chunk(AG_CAPTURE_MMIO, zeros, sizeof(struct ag_capture_mmio)), AGPU_DIAG_NONE);
    assert_int_equal(code_of_chunk(AG_CAPTURE_MMIO, zeros, sizeof(struct ag_capture_mmio) - 1),
                     AGPU_DIAG_CAPTURE_CHUNK);
    assert_int_equal(code_of_chunk(AG_CAPTURE_TIME, zeros, 200), AGPU_DIAG_CAPTURE_CHUNK);
    assert_int_equal(code_of_chunk(AG_CAPTURE_INFO, &info, sizeof info), AGPU_DIAG_CAPTURE_CHUNK);
    assert_int_equal(code_of_chunk(AG_CAPTURE_SUBM, &submission, sizeof submission), AGPU_DIAG_CAPTURE_CHUNK);
    assert_int_equal(code_of_chunk(AG_CAPTURE_PAGE, zeros, 7), AGPU_DIAG_CAPTURE_CHUNK);
    /* Bytes that the capture does not have; bytes that are not whole; bytes with another hash. */
    assert_int_equal(code_of_chunk(AG_CAPTURE_PAGE, &access, sizeof access), AGPU_DIAG_CAPTURE_CHUNK);
    access.flags = AG_CAPTURE_ACCESS_STORED;
    assert_int_equal(code_of_chunk(AG_CAPTURE_PAGE, &access, sizeof access), AGPU_DIAG_CAPTURE_CHUNK);
    /* The bytes of this picture are 0 in 64 bits. */
    struct {
        struct ag_capture_present head;
        struct ag_capture_access access;
    } present = {
        {.width = UINT32_C(1) << 31, .height = UINT32_C(1) << 31},
        {.flags = AG_CAPTURE_ACCESS_STORED                         }
    };
    ag_capture_hash_bytes(&present.access, zeros);
    assert_int_equal(code_of_chunk(AG_CAPTURE_PRES, &present, sizeof present), AGPU_DIAG_CAPTURE_CHUNK);
    present.head.width = 0;
    assert_int_equal(code_of_chunk(AG_CAPTURE_PRES, &present, sizeof present), AGPU_DIAG_NONE);
    uint8_t whole[sizeof access + 16] = {0};
    memcpy(whole, &access, sizeof access);
    assert_int_equal(code_of_chunk(AG_CAPTURE_PAGE, whole, sizeof whole), AGPU_DIAG_CAPTURE_CHECKSUM);
    ag_capture_hash_bytes(&access, whole + sizeof access);
    memcpy(whole, &access, sizeof access);
    assert_int_equal(code_of_chunk(AG_CAPTURE_PAGE, whole, sizeof whole), AGPU_DIAG_NONE);
}

static void equal_bytes_are_stored_once(void **state)
{
    (void)state;
    static const uint8_t page[4096] = {1, 2, 3};
    struct ag_strbuf bytes = {0};
    struct ag_capture_writer writer;
    ag_capture_writer_init(&writer, append, &bytes);
    put_info(&writer);
    for (uint64_t i = 0; i < 10; i++) {
        struct ag_capture_access access = {.gpa = i * 4096, .size = sizeof page};
        ag_capture_write_access(&writer, AG_CAPTURE_PAGE, &access, page);
    }
    assert_int_equal(ag_capture_writer_finish(&writer, NULL), AGPU_OK);
    ag_capture_writer_fini(&writer);
    struct ag_capture *capture = read_good(&bytes);
    uint32_t stored = 0;
    assert_int_equal(capture->records.count, 11);
    for (size_t i = 1; i < 11; i++) {
        stored += (capture->records.data[i].access.flags & AG_CAPTURE_ACCESS_STORED) != 0;
        assert_memory_equal(capture->records.data[i].bytes, page, sizeof page);
    }
    assert_int_equal(stored, 1);
    ag_capture_destroy(capture);
    ag_strbuf_fini(&bytes);
}

/* ---- Cutting ------------------------------------------------------------------------------------------- */

static void trims_to_a_range(void **state)
{
    struct ag_capture *capture = read_good(*state);
    struct ag_strbuf bytes = {0};
    struct ag_capture_summary summary;
    assert_int_equal(ag_capture_trim(capture, 1, 1, append, &bytes, NULL), AGPU_OK);
    ag_capture_destroy(capture);
    capture = read_good(&bytes);
    assert_int_equal(ag_capture_summarise(capture, NULL, &summary), AGPU_OK);
    assert_int_equal(summary.submissions.count, 2);
    assert_int_equal(summary.presents, 1);
    assert_int_equal(summary.submissions.data[0].counts.presents, 0);
    assert_int_equal(summary.submissions.data[0].counts.packets, 4); /* NOPs count */
    assert_int_equal(summary.submissions.data[1].counts.presents, 1);
    ag_capture_summary_fini(&summary);
    const struct outcome outcome = replay(capture, &usual);
    assert_int_equal(outcome.result, AG_SCENE_PASSED);
    assert_int_equal(outcome.presents, 1);
    assert_int_equal(outcome.writebacks, 1);
    ag_capture_destroy(capture);
    ag_strbuf_fini(&bytes);
}

static void trims_only_what_is_there(void **state)
{
    struct ag_capture *capture = read_good(*state);
    struct ag_strbuf bytes = {0};
    struct notes notes = {0};
    const struct agpu_diag_sink sink = {note, &notes};
    assert_int_equal(ag_capture_trim(capture, 3, 9, append, &bytes, &sink), AGPU_REFUSED);
    assert_int_equal(notes.code, AGPU_DIAG_CAPTURE_RANGE);
    assert_int_equal(ag_capture_trim(capture, 2, 1, append, &bytes, &sink), AGPU_REFUSED);
    assert_int_equal(bytes.length, 0);
    ag_capture_destroy(capture);
    ag_strbuf_fini(&bytes);
}

static bool refuse_to_write(void *user, const void *data, size_t size)
{
    (void)data;
    uint32_t *left = user;
    return size != 0 && *left > 0 && (*left)-- > 0;
}

static void says_when_it_cannot_be_written(void **state)
{
    struct ag_capture *capture = read_good(*state);
    struct notes notes = {0};
    const struct agpu_diag_sink sink = {note, &notes};
    for (uint32_t writes = 0; writes < 5; writes++) {
        uint32_t left = writes;
        assert_int_equal(ag_capture_trim(capture, 0, 2, refuse_to_write, &left, &sink), AGPU_REFUSED);
        assert_int_equal(notes.code, AGPU_DIAG_CAPTURE_UNWRITABLE);
    }
    ag_capture_destroy(capture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(says_what_is_in_it),
        cmocka_unit_test(replays_the_same),
        cmocka_unit_test(tells_rounding_from_mistakes),
        cmocka_unit_test(every_flipped_bit_is_found),
        cmocka_unit_test(a_cut_capture_is_read_up_to_the_cut),
        cmocka_unit_test(chunks_are_checked),
        cmocka_unit_test(equal_bytes_are_stored_once),
        cmocka_unit_test(trims_to_a_range),
        cmocka_unit_test(trims_only_what_is_there),
        cmocka_unit_test(says_when_it_cannot_be_written),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
