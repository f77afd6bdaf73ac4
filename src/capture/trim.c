/* SPDX-License-Identifier: MIT
 *
 * Cuts a capture. Submissions are not removed but made smaller: packets that nothing needs become NOPs of the
 * same size in the guest memory that the device reads, so that ring, descriptors and fences stay valid.
 */
#include <stdlib.h>
#include <string.h>

#include "aerogpu/abi/cmd.h"
#include "base/bytes.h"
#include "base/diag.h"
#include "capture/capture.h"
#include "capture/dependencies.h"
#include "capture/writer.h"

struct trimmer {
    const struct ag_capture *capture;
    uint32_t from, to;
    const struct agpu_diag_sink *sink;
    struct ag_capture_summary summary;
    struct ag_dependencies dependencies;
    struct ag_capture_writer writer;
    uint32_t submitted; /* how many submissions have been written */
    bool *kept;         /* by record: written, and if it is a result, expected */
    size_t end;         /* records from this index on are removed */
};

static bool is_inside(const struct trimmer *trimmer, size_t submission)
{
    return submission >= trimmer->from && submission <= trimmer->to;
}

static bool is_verbatim(const struct trimmer *trimmer, size_t submission)
{
    return submission < trimmer->dependencies.verbatim.count &&
           trimmer->dependencies.verbatim.data[submission];
}

/* ---- Streams ------------------------------------------------------------------------------------------- */

/* Changes a packet in the summary's copy of its stream. */
static void patch_packet(uint8_t *packet, const struct ag_dependency *dependency)
{
    const uint32_t size = ag_load_u32(packet + sizeof(uint32_t));
    if (!dependency->needed) {
        ag_store_u32(packet, AEROGPU_CMD_NOP);
        memset(packet + sizeof(struct aerogpu_cmd_hdr), 0, size - sizeof(struct aerogpu_cmd_hdr));
        return;
    }
    /* The packet no longer asks for a write-back, because nothing compares the result. */
    if (dependency->quiet != 0)
        ag_store_u32(packet + dependency->quiet,
                     ag_load_u32(packet + dependency->quiet) & dependency->quiet_mask);
}

static void patch_streams(struct trimmer *trimmer)
{
    for (size_t i = 0; i < trimmer->dependencies.packets.count; i++) {
        const struct ag_dependency *dependency = &trimmer->dependencies.packets.data[i];
        if (!is_inside(trimmer, dependency->submission) && (!dependency->verbatim || !dependency->needed))
            patch_packet(trimmer->summary.submissions.data[dependency->submission].stream +
                             dependency->offset,
                         dependency);
    }
}

/* The patched bytes for a read that is part of the next submission's stream; null for any other read. */
static const uint8_t *patched_bytes(const struct trimmer *trimmer, const struct ag_capture_record *record)
{
    if (trimmer->submitted >= trimmer->summary.submissions.count ||
        (record->access.flags & AG_CAPTURE_ACCESS_EXECUTOR) != 0)
        return record->bytes;
    const struct ag_capture_submission_info *info = &trimmer->summary.submissions.data[trimmer->submitted];
    const bool is_rest = info->stream != NULL &&
                         record->access.gpa == info->head.stream_gpa + AG_CAPTURE_STREAM_HEADER_BYTES &&
                         record->access.size == info->head.stream_size - AG_CAPTURE_STREAM_HEADER_BYTES;
    return is_rest ? info->stream + AG_CAPTURE_STREAM_HEADER_BYTES : record->bytes;
}

/* ---- Results ------------------------------------------------------------------------------------------- */

/* Drops presents and write-backs of submissions outside the range, and finds where the last submission of the
 * range is done. Write-backs precede the record that their submission was executed. */
static void choose_records(struct trimmer *trimmer)
{
    const struct ag_capture *capture = trimmer->capture;
    size_t submitted = 0, since = 0;
    trimmer->end = capture->records.count;
    for (size_t i = 0; i < capture->records.count; i++) {
        const struct ag_capture_record *record = &capture->records.data[i];
        trimmer->kept[i] = true;
        submitted += record->fourcc == AG_CAPTURE_SUBM;
        if (record->fourcc == AG_CAPTURE_DONE) {
            const size_t at = ag_capture_find_submission(&trimmer->summary, submitted,
                                                         AG_CAPTURE_AS(record, done)->submission);
            for (; since <= i; since++) {
                const uint32_t fourcc = capture->records.data[since].fourcc;
                if (fourcc == AG_CAPTURE_PRES)
                    trimmer->kept[since] = is_inside(trimmer, at);
                if (fourcc == AG_CAPTURE_WRIT && capture->records.data[since].bytes != NULL)
                    trimmer->kept[since] = is_inside(trimmer, at) || is_verbatim(trimmer, at);
            }
        }
        if (record->fourcc == AG_CAPTURE_FENC &&
            ag_capture_find_submission(&trimmer->summary, submitted,
                                       AG_CAPTURE_AS(record, fence)->submission) == trimmer->to) {
            trimmer->end = i + 1;
            return;
        }
    }
}

static void write_fence(struct trimmer *trimmer, const struct ag_capture_record *record)
{
    struct ag_capture_fence fence = *AG_CAPTURE_AS(record, fence);
    if (!is_inside(trimmer,
                   ag_capture_find_submission(&trimmer->summary, trimmer->submitted, fence.submission)))
        fence.error = AG_CAPTURE_ANY_ERROR;
    ag_capture_write_chunk(&trimmer->writer, AG_CAPTURE_FENC, &fence, sizeof fence);
}

static void write_record(struct trimmer *trimmer, const struct ag_capture_record *record)
{
    struct ag_capture_access access = record->access;
    switch ((enum ag_capture_fourcc)record->fourcc) {
    case AG_CAPTURE_PAGE:
        ag_capture_write_access(&trimmer->writer, AG_CAPTURE_PAGE, &access, patched_bytes(trimmer, record));
        break;
    case AG_CAPTURE_WRIT:
        ag_capture_write_access(&trimmer->writer, AG_CAPTURE_WRIT, &access, record->bytes);
        break;
    case AG_CAPTURE_PRES:
        ag_capture_write_present(&trimmer->writer, AG_CAPTURE_AS(record, present), record->bytes);
        break;
    case AG_CAPTURE_FENC:
        write_fence(trimmer, record);
        break;
    case AG_CAPTURE_SUBM:
        trimmer->submitted++;
        ag_capture_write_chunk(&trimmer->writer, record->fourcc, record->payload, record->size);
        break;
    case AG_CAPTURE_INFO:
    case AG_CAPTURE_CONF:
    case AG_CAPTURE_MMIO:
    case AG_CAPTURE_BELL:
    case AG_CAPTURE_VRAM:
    case AG_CAPTURE_TIME:
    case AG_CAPTURE_DONE:
    case AG_CAPTURE_END:
        ag_capture_write_chunk(&trimmer->writer, record->fourcc, record->payload, record->size);
        break;
    }
}

/* ---- Trimming ------------------------------------------------------------------------------------------ */

static enum agpu_status prepare(struct trimmer *trimmer)
{
    const struct ag_capture *capture = trimmer->capture;
    trimmer->kept = calloc(capture->records.count + 1, sizeof *trimmer->kept);
    if (trimmer->kept == NULL)
        return ag_report_no_memory(trimmer->sink);
    const enum agpu_status status = ag_capture_summarise(capture, trimmer->sink, &trimmer->summary);
    if (status != AGPU_OK)
        return status;
    const size_t count = trimmer->summary.submissions.count;
    if (trimmer->from > trimmer->to || trimmer->from >= count) {
        ag_report(trimmer->sink, AGPU_DIAG_CAPTURE_RANGE, AGPU_ERROR, ag_place_none(),
                  "there are no submissions %u to %u: the capture has %zu", trimmer->from, trimmer->to,
                  count);
        return AGPU_REFUSED;
    }
    if (trimmer->to >= count)
        trimmer->to = (uint32_t)count - 1;
    /* Submissions behind the range may have begun before the last one of the range was done, so they are
     * examined, too. */
    if (!ag_dependencies_list(capture, &trimmer->summary, UINT32_MAX - 1, &trimmer->dependencies) ||
        !ag_dependencies_mark(&trimmer->dependencies, trimmer->from, trimmer->to))
        return ag_report_no_memory(trimmer->sink);
    return AGPU_OK;
}

enum agpu_status ag_capture_trim(const struct ag_capture *capture, uint32_t from, uint32_t to,
                                 bool (*write)(void *user, const void *data, size_t size), void *user,
                                 const struct agpu_diag_sink *sink)
{
    struct trimmer trimmer = {.capture = capture, .from = from, .to = to, .sink = sink};
    enum agpu_status status = prepare(&trimmer);
    if (status == AGPU_OK) {
        patch_streams(&trimmer);
        choose_records(&trimmer);
        ag_capture_writer_init(&trimmer.writer, write, user);
        for (size_t i = 0; i < trimmer.end; i++) {
            if (trimmer.kept[i])
                write_record(&trimmer, &capture->records.data[i]);
        }
        status = ag_capture_writer_finish(&trimmer.writer, sink);
        ag_capture_writer_fini(&trimmer.writer);
    }
    ag_dependencies_fini(&trimmer.dependencies);
    ag_capture_summary_fini(&trimmer.summary);
    free(trimmer.kept);
    return status;
}
