/* SPDX-License-Identifier: MIT
 *
 * The submissions of a capture, with the streams that the device read for them.
 */
#include <string.h>

#include "aerogpu/stream.h"
#include "base/bytes.h"
#include "capture/capture.h"

#define MAX_OUTSTANDING 4096u /* more than a device lets a guest have */
#define STREAM_HEADER_BYTES ((uint32_t)sizeof(struct aerogpu_cmd_stream_header))

static bool is_read_of(const struct capture_record *record, uint64_t gpa, uint64_t size)
{
    return record->fourcc == CAPTURE_PAGE && (record->access.flags & CAPTURE_ACCESS_EXECUTOR) == 0 &&
           record->access.gpa == gpa && record->access.size >= size && record->bytes != NULL;
}

/* The device reads a stream's header and then the rest, right before it tells of the submission. */
static const struct capture_record *find_read(const struct agpu_capture *capture, size_t before, uint64_t gpa,
                                              uint64_t size)
{
    while (before > 0) {
        const struct capture_record *record = &capture->records.data[--before];
        if (record->fourcc == CAPTURE_SUBM)
            return NULL;
        if (is_read_of(record, gpa, size))
            return record;
    }
    return NULL;
}

static bool find_stream(const struct agpu_capture *capture, struct capture_summary *summary,
                        struct capture_submission_info *info)
{
    const struct capture_submission *head = &info->head;
    if (head->stream_gpa == 0 || head->stream_size < STREAM_HEADER_BYTES)
        return true;
    const uint32_t rest_size = head->stream_size - STREAM_HEADER_BYTES;
    const struct capture_record *start =
        find_read(capture, info->record, head->stream_gpa, STREAM_HEADER_BYTES);
    const struct capture_record *rest =
        find_read(capture, info->record, head->stream_gpa + STREAM_HEADER_BYTES, rest_size);
    if (start == NULL || (rest == NULL && rest_size != 0))
        return true;
    uint8_t *stream = agpu_arena_alloc(&summary->arena, head->stream_size, 16);
    if (stream == NULL)
        return false;
    memcpy(stream, start->bytes, STREAM_HEADER_BYTES);
    if (rest != NULL)
        memcpy(stream + STREAM_HEADER_BYTES, rest->bytes, rest_size);
    info->stream = stream;
    return true;
}

static void count_packets(struct capture_submission_info *info)
{
    struct agpu_stream_reader reader;
    struct agpu_packet packet;
    if (info->stream == NULL ||
        agpu_stream_reader_init(&reader, info->stream, info->head.stream_size, NULL) != AGPU_OK)
        return;
    while (agpu_stream_next(&reader, &packet)) {
        const uint32_t opcode = packet.opcode;
        info->counts.packets++;
        info->counts.draws += opcode == AEROGPU_CMD_DRAW || opcode == AEROGPU_CMD_DRAW_INDEXED;
        info->counts.dispatches += opcode == AEROGPU_CMD_DISPATCH;
        info->counts.presents += opcode == AEROGPU_CMD_PRESENT || opcode == AEROGPU_CMD_PRESENT_EX;
    }
}

static bool add_submission(const struct agpu_capture *capture, size_t at, struct capture_summary *summary)
{
    struct capture_submission_info info = {.head = *CAPTURE_AS(&capture->records.data[at], submission),
                                           .record = at};
    if (!find_stream(capture, summary, &info))
        return false;
    count_packets(&info);
    return agpu_vec_push(&summary->submissions, info);
}

/* Numbers start over when the guest resets the ring: the newest of that number is meant. */
static void note_completion(struct capture_summary *summary, const struct capture_fence *fence)
{
    const size_t count = summary->submissions.count;
    for (size_t i = count; i-- > 0 && count - i <= MAX_OUTSTANDING;) {
        struct capture_submission_info *info = &summary->submissions.data[i];
        if (info->head.number != fence->submission || info->head.fence != fence->fence)
            continue;
        info->completed = true;
        info->error = fence->error;
        return;
    }
}

bool agpu_capture_summarise(const struct agpu_capture *capture, struct capture_summary *summary)
{
    *summary = (struct capture_summary){0};
    for (size_t i = 0; i < capture->records.count; i++) {
        const struct capture_record *record = &capture->records.data[i];
        if (record->fourcc == CAPTURE_SUBM && !add_submission(capture, i, summary))
            return false;
        if (record->fourcc == CAPTURE_FENC)
            note_completion(summary, CAPTURE_AS(record, fence));
        summary->presents += record->fourcc == CAPTURE_PRES;
        summary->writebacks += record->fourcc == CAPTURE_WRIT && record->bytes != NULL;
        if (record->fourcc == CAPTURE_PAGE && (record->access.flags & CAPTURE_ACCESS_STORED) != 0)
            summary->memory_bytes += record->access.size;
    }
    return true;
}

void agpu_capture_summary_fini(struct capture_summary *summary)
{
    agpu_vec_fini(&summary->submissions);
    agpu_arena_fini(&summary->arena);
}
