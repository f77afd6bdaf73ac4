/* SPDX-License-Identifier: MIT
 *
 * Lists the submissions of a capture, with the streams that the device read for them.
 */
#include <inttypes.h>
#include <string.h>

#include "abi/packet_walk.h"
#include "aerogpu/abi/pci.h"
#include "base/bytes.h"
#include "base/diag.h"
#include "capture/capture.h"

#define MAX_OUTSTANDING 4096u /* above the limit of outstanding submissions that devices have */

/* The two reads of a stream; null if the capture lacks them, or if the stream has no more than its header. */
struct stream_reads {
    const struct ag_capture_record *header, *rest;
};

static bool is_read_of(const struct ag_capture_record *record, uint64_t gpa, uint64_t size)
{
    return record->fourcc == AG_CAPTURE_PAGE && (record->access.flags & AG_CAPTURE_ACCESS_EXECUTOR) == 0 &&
           record->access.gpa == gpa && record->access.size >= size && record->bytes != NULL;
}

/* Finds a read before record `before`: the device reads a stream's header and then the rest directly before
 * it reports the submission. */
static const struct ag_capture_record *find_read(const struct ag_capture *capture, size_t before,
                                                 uint64_t gpa, uint64_t size)
{
    while (before > 0) {
        const struct ag_capture_record *record = &capture->records.data[--before];
        if (record->fourcc == AG_CAPTURE_SUBM)
            return NULL;
        if (is_read_of(record, gpa, size))
            return record;
    }
    return NULL;
}

/* Finds the two reads of a stream; false when the stream is empty or not in the capture. */
static bool find_stream(const struct ag_capture *capture, size_t at, struct stream_reads *reads)
{
    const struct ag_capture_submission *head = AG_CAPTURE_AS(&capture->records.data[at], submission);
    *reads = (struct stream_reads){0};
    if (head->stream_gpa == 0 || head->stream_size < AG_CAPTURE_STREAM_HEADER_BYTES)
        return false;
    const uint32_t rest_size = head->stream_size - AG_CAPTURE_STREAM_HEADER_BYTES;
    reads->header = find_read(capture, at, head->stream_gpa, AG_CAPTURE_STREAM_HEADER_BYTES);
    reads->rest = find_read(capture, at, head->stream_gpa + AG_CAPTURE_STREAM_HEADER_BYTES, rest_size);
    return reads->header != NULL && (reads->rest != NULL || rest_size == 0);
}

static bool copy_stream(struct ag_capture_summary *summary, const struct stream_reads *reads,
                        struct ag_capture_submission_info *info)
{
    info->stream = ag_arena_alloc(&summary->arena, info->head.stream_size, 16);
    if (info->stream == NULL)
        return false;
    memcpy(info->stream, reads->header->bytes, AG_CAPTURE_STREAM_HEADER_BYTES);
    if (reads->rest != NULL)
        memcpy(info->stream + AG_CAPTURE_STREAM_HEADER_BYTES, reads->rest->bytes,
               info->head.stream_size - AG_CAPTURE_STREAM_HEADER_BYTES);
    return true;
}

static void count_packets(struct ag_capture_submission_info *info)
{
    struct agpu_stream_reader reader;
    struct agpu_packet packet;
    if (info->stream == NULL ||
        agpu_stream_reader_init(&reader, info->stream, info->head.stream_size, NULL) != AGPU_OK)
        return;
    while (agpu_stream_next(&reader, &packet)) {
        info->counts.packets++;
        info->counts.draws += ag_packet_does(&packet, AG_EFFECT_DRAWS);
        info->counts.dispatches += ag_packet_does(&packet, AG_EFFECT_DISPATCHES);
        info->counts.presents += ag_packet_does(&packet, AG_EFFECT_PRESENTS);
    }
}

static bool add_submission(const struct ag_capture *capture, size_t at, struct ag_capture_summary *summary)
{
    struct ag_capture_submission_info info = {.head = *AG_CAPTURE_AS(&capture->records.data[at], submission),
                                              .record = at};
    struct stream_reads reads;
    if (find_stream(capture, at, &reads) && !copy_stream(summary, &reads, &info))
        return false;
    count_packets(&info);
    return ag_vec_push(&summary->submissions, info);
}

size_t ag_capture_find_submission(const struct ag_capture_summary *summary, size_t count, uint32_t number)
{
    for (size_t i = count; i-- > 0 && count - i <= MAX_OUTSTANDING;) {
        if (summary->submissions.data[i].head.number == number)
            return i;
    }
    return SIZE_MAX;
}

static void note_completion(struct ag_capture_summary *summary, const struct ag_capture_fence *fence)
{
    const size_t at = ag_capture_find_submission(summary, summary->submissions.count, fence->submission);
    if (at == SIZE_MAX || summary->submissions.data[at].head.fence != fence->fence)
        return;
    summary->submissions.data[at].completed = true;
    summary->submissions.data[at].error = fence->error;
}

static bool add_record(const struct ag_capture *capture, size_t at, struct ag_capture_summary *summary)
{
    const struct ag_capture_record *record = &capture->records.data[at];
    if (record->fourcc == AG_CAPTURE_SUBM && !add_submission(capture, at, summary))
        return false;
    if (record->fourcc == AG_CAPTURE_FENC)
        note_completion(summary, AG_CAPTURE_AS(record, fence));
    summary->presents += record->fourcc == AG_CAPTURE_PRES;
    summary->writebacks += record->fourcc == AG_CAPTURE_WRIT && record->bytes != NULL;
    if (record->fourcc == AG_CAPTURE_PAGE && (record->access.flags & AG_CAPTURE_ACCESS_STORED) != 0)
        summary->memory_bytes += record->access.size;
    return true;
}

/* Checks the sum of stream sizes: a capture stores equal streams once, but every submission gets a copy. */
static bool check_limit(const struct ag_capture *capture, const struct agpu_diag_sink *sink)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < capture->records.count; i++) {
        const struct ag_capture_record *record = &capture->records.data[i];
        struct stream_reads reads;
        if (record->fourcc != AG_CAPTURE_SUBM || !find_stream(capture, i, &reads))
            continue;
        bytes += AG_CAPTURE_AS(record, submission)->stream_size;
        if (bytes > AG_CAPTURE_STREAMS_LIMIT_BYTES) {
            ag_report(sink, AGPU_DIAG_CAPTURE_LIMIT, AGPU_ERROR, ag_place_offset(record->offset),
                      "the command streams are more than %" PRIu64 " bytes", AG_CAPTURE_STREAMS_LIMIT_BYTES);
            return false;
        }
    }
    return true;
}

enum agpu_status ag_capture_summarise(const struct ag_capture *capture, const struct agpu_diag_sink *sink,
                                      struct ag_capture_summary *summary)
{
    *summary = (struct ag_capture_summary){0};
    if (!check_limit(capture, sink))
        return AGPU_REFUSED;
    for (size_t i = 0; i < capture->records.count; i++) {
        if (!add_record(capture, i, summary))
            return ag_report_no_memory(sink);
    }
    return AGPU_OK;
}

/* Checks the register's lowest byte, which writes of several sizes and alignments may contain. */
bool ag_capture_is_reset(const struct ag_capture_record *record)
{
    if (record->fourcc != AG_CAPTURE_MMIO)
        return false;
    const struct ag_capture_mmio *mmio = AG_CAPTURE_AS(record, mmio);
    if (mmio->size != 1 && mmio->size != 2 && mmio->size != 4 && mmio->size != 8)
        return false; /* devices accept no other size */
    if (mmio->offset > AEROGPU_MMIO_REG_RING_CONTROL)
        return false;
    const uint64_t at = AEROGPU_MMIO_REG_RING_CONTROL - mmio->offset;
    return at < mmio->size && (mmio->value >> (at * 8) & AEROGPU_RING_CONTROL_RESET) != 0;
}

void ag_capture_summary_fini(struct ag_capture_summary *summary)
{
    ag_vec_fini(&summary->submissions);
    ag_arena_fini(&summary->arena);
}
