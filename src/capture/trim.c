/* SPDX-License-Identifier: MIT
 *
 * Cutting. The guest's memory is rewritten, not its history: packets that nothing needs become NOPs of the
 * same size where the device reads them, so that ring, descriptors and fences stay as they were.
 */
#include <stdlib.h>
#include <string.h>

#include "aerogpu/abi/cmd.h"
#include "base/bytes.h"
#include "base/diag.h"
#include "capture/capture.h"
#include "capture/work.h"
#include "capture/writer.h"

struct trimmer {
    const struct agpu_capture *capture;
    uint32_t from, to;
    const struct agpu_diag_sink *sink;
    struct capture_summary summary;
    struct capture_work_list work;
    struct capture_writer writer;
    uint32_t submitted; /* submissions so far, while writing */
    bool *kept;         /* by record: results that are still expected, and everything else */
    size_t end;         /* records from here on go */
};

static bool is_inside(const struct trimmer *trimmer, size_t submission)
{
    return submission >= trimmer->from && submission <= trimmer->to;
}

static bool is_verbatim(const struct trimmer *trimmer, size_t submission)
{
    return submission < trimmer->work.verbatim.count && trimmer->work.verbatim.data[submission];
}

/* ---- Streams ------------------------------------------------------------------------------------------- */

/* The summary's copy of a stream, changed in place. */
static void patch_packet(uint8_t *packet, const struct capture_work *work)
{
    const uint32_t size = agpu_load_u32(packet + sizeof(uint32_t));
    if (!work->needed) {
        agpu_store_u32(packet, AEROGPU_CMD_NOP);
        memset(packet + sizeof(struct aerogpu_cmd_hdr), 0, size - sizeof(struct aerogpu_cmd_hdr));
        return;
    }
    /* What it writes back nobody compares. */
    if (work->quiet != 0)
        agpu_store_u32(packet + work->quiet, agpu_load_u32(packet + work->quiet) & work->quiet_mask);
}

static void patch_streams(struct trimmer *trimmer)
{
    for (size_t i = 0; i < trimmer->work.work.count; i++) {
        const struct capture_work *work = &trimmer->work.work.data[i];
        if (!is_inside(trimmer, work->submission) && (!work->verbatim || !work->needed))
            patch_packet(trimmer->summary.submissions.data[work->submission].stream + work->offset, work);
    }
}

/* The bytes of a read that are part of the stream of the submission to come. */
static const uint8_t *patched_bytes(const struct trimmer *trimmer, const struct capture_record *record)
{
    if (trimmer->submitted >= trimmer->summary.submissions.count ||
        (record->access.flags & CAPTURE_ACCESS_EXECUTOR) != 0)
        return record->bytes;
    const struct capture_submission_info *info = &trimmer->summary.submissions.data[trimmer->submitted];
    const bool is_rest = info->stream != NULL &&
                         record->access.gpa == info->head.stream_gpa + CAPTURE_STREAM_HEADER_BYTES &&
                         record->access.size == info->head.stream_size - CAPTURE_STREAM_HEADER_BYTES;
    return is_rest ? info->stream + CAPTURE_STREAM_HEADER_BYTES : record->bytes;
}

/* ---- Results ------------------------------------------------------------------------------------------- */

/* Drops presents and write-backs of other submissions, and finds where the last one of the range is done.
 * Write-backs come before the note that their submission was executed. */
static void choose_records(struct trimmer *trimmer)
{
    const struct agpu_capture *capture = trimmer->capture;
    size_t submitted = 0, since = 0;
    trimmer->end = capture->records.count;
    for (size_t i = 0; i < capture->records.count; i++) {
        const struct capture_record *record = &capture->records.data[i];
        trimmer->kept[i] = true;
        submitted += record->fourcc == CAPTURE_SUBM;
        if (record->fourcc == CAPTURE_DONE) {
            const size_t at =
                capture_find_submission(&trimmer->summary, submitted, CAPTURE_AS(record, done)->submission);
            for (; since <= i; since++) {
                const uint32_t fourcc = capture->records.data[since].fourcc;
                if (fourcc == CAPTURE_PRES)
                    trimmer->kept[since] = is_inside(trimmer, at);
                if (fourcc == CAPTURE_WRIT && capture->records.data[since].bytes != NULL)
                    trimmer->kept[since] = is_inside(trimmer, at) || is_verbatim(trimmer, at);
            }
        }
        if (record->fourcc == CAPTURE_FENC &&
            capture_find_submission(&trimmer->summary, submitted, CAPTURE_AS(record, fence)->submission) ==
                trimmer->to) {
            trimmer->end = i + 1;
            return;
        }
    }
}

static void write_fence(struct trimmer *trimmer, const struct capture_record *record)
{
    struct capture_fence fence = *CAPTURE_AS(record, fence);
    if (!is_inside(trimmer, capture_find_submission(&trimmer->summary, trimmer->submitted, fence.submission)))
        fence.error = CAPTURE_ANY_ERROR;
    capture_write_chunk(&trimmer->writer, CAPTURE_FENC, &fence, sizeof fence);
}

static void write_record(struct trimmer *trimmer, const struct capture_record *record)
{
    struct capture_access access = record->access;
    switch ((enum capture_fourcc)record->fourcc) {
    case CAPTURE_PAGE:
        capture_write_access(&trimmer->writer, CAPTURE_PAGE, &access, patched_bytes(trimmer, record));
        break;
    case CAPTURE_WRIT:
        capture_write_access(&trimmer->writer, CAPTURE_WRIT, &access, record->bytes);
        break;
    case CAPTURE_PRES:
        capture_write_present(&trimmer->writer, CAPTURE_AS(record, present), record->bytes);
        break;
    case CAPTURE_FENC:
        write_fence(trimmer, record);
        break;
    case CAPTURE_SUBM:
        trimmer->submitted++;
        capture_write_chunk(&trimmer->writer, record->fourcc, record->payload, record->size);
        break;
    case CAPTURE_INFO:
    case CAPTURE_CONF:
    case CAPTURE_MMIO:
    case CAPTURE_BELL:
    case CAPTURE_VRAM:
    case CAPTURE_TIME:
    case CAPTURE_DONE:
    case CAPTURE_END:
        capture_write_chunk(&trimmer->writer, record->fourcc, record->payload, record->size);
        break;
    }
}

/* ---- Trimming ------------------------------------------------------------------------------------------ */

static enum agpu_status prepare(struct trimmer *trimmer)
{
    const struct agpu_capture *capture = trimmer->capture;
    trimmer->kept = calloc(capture->records.count + 1, sizeof *trimmer->kept);
    if (trimmer->kept == NULL)
        return agpu_report_no_memory(trimmer->sink);
    const enum agpu_status status = agpu_capture_summarise(capture, trimmer->sink, &trimmer->summary);
    if (status != AGPU_OK)
        return status;
    const size_t count = trimmer->summary.submissions.count;
    if (trimmer->from > trimmer->to || trimmer->from >= count) {
        agpu_report(trimmer->sink, AGPU_DIAG_CAPTURE_RANGE, AGPU_ERROR, agpu_place_none(),
                    "there are no submissions %u to %u: the capture has %zu", trimmer->from, trimmer->to,
                    count);
        return AGPU_REFUSED;
    }
    if (trimmer->to >= count)
        trimmer->to = (uint32_t)count - 1;
    /* Submissions behind the range may have begun before its last one was done: they are looked at, too. */
    if (!capture_list_work(capture, &trimmer->summary, UINT32_MAX - 1, &trimmer->work) ||
        !capture_mark_needed(&trimmer->work, trimmer->from, trimmer->to))
        return agpu_report_no_memory(trimmer->sink);
    return AGPU_OK;
}

enum agpu_status agpu_capture_trim(const struct agpu_capture *capture, uint32_t from, uint32_t to,
                                   bool (*write)(void *user, const void *data, size_t size), void *user,
                                   const struct agpu_diag_sink *sink)
{
    struct trimmer trimmer = {.capture = capture, .from = from, .to = to, .sink = sink};
    enum agpu_status status = prepare(&trimmer);
    if (status == AGPU_OK) {
        patch_streams(&trimmer);
        choose_records(&trimmer);
        capture_writer_init(&trimmer.writer, write, user);
        for (size_t i = 0; i < trimmer.end; i++) {
            if (trimmer.kept[i])
                write_record(&trimmer, &capture->records.data[i]);
        }
        status = capture_writer_finish(&trimmer.writer, sink);
        capture_writer_fini(&trimmer.writer);
    }
    capture_work_fini(&trimmer.work);
    agpu_capture_summary_fini(&trimmer.summary);
    free(trimmer.kept);
    return status;
}
