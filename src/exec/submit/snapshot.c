/* SPDX-License-Identifier: MIT */
#include "exec/submit/snapshot.h"

#include <inttypes.h>
#include <stdlib.h>

#include "aerogpu/abi/ring.h"
#include "aerogpu/diag.h"
#include "aerogpu/executor.h"
#include "aerogpu/snapshot.h"
#include "aerogpu/stream.h"
#include "base/archive.h"
#include "base/bytes.h"
#include "base/diag.h"
#include "exec/host/host.h"
#include "exec/host/report.h"
#include "exec/packet/execution.h"
#include "exec/snapshot/sections.h"
#include "exec/snapshot/snapshot.h"
#include "exec/submit/clearing.h"
#include "exec/submit/exec.h"
#include "exec/submit/slice.h"
#include "exec/submit/submission.h"
#include "gpu/gpu.h"

#define MOST_SUBMISSIONS 1024u

struct ag_exec_save {
    struct ag_archive archive;
    struct ag_execution rooms;
    struct ag_snapshot_save objects;
    bool is_lost; /* the objects are gone */
};

/* ---- Submissions that have not begun ----------------------------------------------------------------- */

static const struct ag_field submission_fields[] = {
    AG_FIELD(struct agpu_submission, number, UINT32_MAX),
    AG_FIELD(struct agpu_submission, context_id, UINT32_MAX),
    AG_FIELD(struct agpu_submission, has_allocation_table, 1),
};

static void archive_submission(struct ag_archive *archive, struct agpu_submission *submission,
                               uint8_t **stream, uint8_t **table)
{
    uint64_t stream_bytes = submission->stream ? submission->stream_size : 0;
    uint64_t table_bytes = submission->allocation_count * (uint64_t)sizeof *submission->allocations;
    ag_archive_begin(archive, AG_SECTION_SUBMISSION, 1);
    ag_archive_fields(archive, submission_fields, AG_COUNT_OF(submission_fields), submission);
    ag_archive_block(archive, stream, &stream_bytes);
    ag_archive_block(archive, table, &table_bytes);
    ag_archive_end(archive);
    if (!archive->loads)
        return;
    if (stream_bytes > AGPU_STREAM_MAX_BYTES || table_bytes % sizeof *submission->allocations != 0)
        ag_archive_refuse(archive, AGPU_DIAG_SNAPSHOT_FORMAT, "submission %" PRIu32 " has impossible sizes",
                          submission->number);
    submission->stream = *stream;
    submission->stream_size = (uint32_t)stream_bytes;
    submission->allocations = (const struct aerogpu_alloc_entry *)(const void *)*table;
    submission->allocation_count = (uint32_t)(table_bytes / sizeof *submission->allocations);
}

static bool save_submissions(const struct ag_exec *exec, struct ag_archive *archive)
{
    for (const struct ag_submission *from = exec->submissions; from && ag_archive_is_ok(archive);
         from = from->next) {
        uint8_t *stream = from->stream, *table = (uint8_t *)from->allocations.entries;
        struct agpu_submission submission = {
            .number = from->number,
            .context_id = from->context_id,
            .has_allocation_table = from->allocations.has_table,
            .stream = from->stream,
            .stream_size = from->stream_size,
            .allocations = from->allocations.entries,
            .allocation_count = from->allocations.count,
        };
        archive_submission(archive, &submission, &stream, &table);
    }
    return ag_archive_is_ok(archive);
}

static int compare_ids(const void *a, const void *b)
{
    const uint32_t x = ag_load_u32(a), y = ag_load_u32(b);
    return (x > y) - (x < y);
}

/* What a device has checked of a submission that it hands over (aerogpu/executor.h). */
static bool is_checked(struct ag_archive *archive, const struct agpu_submission *submission)
{
    struct agpu_stream_reader reader;
    bool sound = true;
    if (submission->stream)
        sound = agpu_stream_reader_init(&reader, submission->stream, submission->stream_size,
                                        &archive->sink) == AGPU_OK &&
                reader.header.size_bytes == submission->stream_size;
    uint32_t *ids = calloc(submission->allocation_count + 1, sizeof *ids);
    if (!ids)
        return ag_archive_no_memory(archive);
    for (uint32_t i = 0; i < submission->allocation_count; i++) {
        const struct aerogpu_alloc_entry *entry = &submission->allocations[i];
        uint64_t end;
        ids[i] = entry->alloc_id;
        sound = sound && entry->alloc_id != 0 && entry->size_bytes != 0 &&
                ag_add_u64(entry->gpa, entry->size_bytes, &end);
    }
    qsort(ids, submission->allocation_count, sizeof *ids, compare_ids);
    for (uint32_t i = 1; i < submission->allocation_count; i++)
        sound = sound && ids[i] != ids[i - 1];
    free(ids);
    return sound || ag_archive_refuse(archive, AGPU_DIAG_SNAPSHOT_FORMAT,
                                      "submission %" PRIu32 " is impossible", submission->number);
}

static bool load_submission(struct ag_exec *exec, struct ag_archive *archive)
{
    struct agpu_submission submission = {0};
    uint8_t *stream = NULL, *table = NULL;
    archive_submission(archive, &submission, &stream, &table);
    bool done = ag_archive_is_ok(archive) && is_checked(archive, &submission);
    if (done) {
        struct ag_submission *made;
        const enum agpu_status status = ag_submission_create(exec, &submission, &made);
        done = made ? true : ag_archive_fail(archive, status);
        if (made)
            ag_submission_enqueue(exec, made);
    }
    free(stream);
    free(table);
    return done;
}

static bool load_submissions(struct ag_exec *exec, struct ag_archive *archive)
{
    for (uint32_t count = 0; ag_archive_next_is(archive, AG_SECTION_SUBMISSION); count++) {
        if (count == MOST_SUBMISSIONS)
            return ag_archive_refuse(archive, AGPU_DIAG_SNAPSHOT_LIMIT, "more than %u submissions wait",
                                     MOST_SUBMISSIONS);
        if (!load_submission(exec, archive))
            return false;
    }
    return ag_archive_is_ok(archive);
}

/* ---- Begin and end ----------------------------------------------------------------------------------- */

static bool archive_mark(struct ag_archive *archive, uint32_t tag)
{
    ag_archive_begin(archive, tag, 1);
    return ag_archive_end(archive);
}

/* ---- Saving ------------------------------------------------------------------------------------------ */

/* What the save keeps of objects goes before the objects do. */
static void abandon(struct ag_exec *exec)
{
    ag_snapshot_save_fini(&exec->save->objects);
    exec->save->is_lost = true;
}

static void end_save(struct ag_exec *exec)
{
    if (!exec->save)
        return;
    ag_snapshot_save_fini(&exec->save->objects);
    ag_archive_fini(&exec->save->archive);
    free(exec->save);
    exec->save = NULL;
    exec->abandon_save = NULL;
}

static enum agpu_status refuse(const struct ag_exec *exec, const char *text)
{
    ag_report(&exec->events.diagnostics, AGPU_DIAG_SNAPSHOT_STATE, AGPU_ERROR, ag_place_none(), "%s", text);
    return AGPU_REFUSED;
}

static enum agpu_status save_begin(struct agpu_executor *executor, const struct agpu_snapshot_writer *writer)
{
    struct ag_exec *exec = ag_exec_of(executor);
    end_save(exec); /* of a save that nobody has asked about since the device was lost */
    if (exec->host.lost || exec->bare)
        return refuse(exec, "the GPU device is lost");
    if (exec->host.starved)
        return refuse(exec, "the GPU ran out of memory, and objects may lack theirs");
    exec->save = calloc(1, sizeof *exec->save);
    if (!exec->save)
        return ag_report_no_memory(&exec->events.diagnostics);
    exec->save->rooms = ag_exec_rooms(exec);
    exec->abandon_save = abandon;
    ag_archive_init_writer(&exec->save->archive, writer, &exec->events.diagnostics);
    if (archive_mark(&exec->save->archive, AG_SECTION_EXECUTOR))
        return AGPU_OK;
    const enum agpu_status status = exec->save->archive.status;
    end_save(exec);
    return status;
}

static bool save_all(struct ag_exec *exec)
{
    struct ag_exec_save *save = exec->save;
    struct ag_submission_errors errors = {0};
    ag_reporter_enter(&exec->host, AGPU_DIAG_NO_INDEX, &errors);
    const bool done = ag_snapshot_save(&save->objects, &save->rooms, &save->archive);
    ag_reporter_leave(&exec->host);
    if (done && ag_archive_is_ok(&save->archive) && save_submissions(exec, &save->archive))
        archive_mark(&save->archive, AG_SECTION_END);
    return done;
}

/* A reset is to be over before what there is is saved. */
static bool still_clears(struct ag_exec *exec)
{
    if (!exec->clearing.goes_on)
        return false;
    ag_slice_begin(&exec->slice);
    ag_clearing_continue(exec);
    return exec->clearing.goes_on;
}

static enum agpu_save_state save_poll(struct agpu_executor *executor)
{
    struct ag_exec *exec = ag_exec_of(executor);
    if (!exec->save) {
        refuse(exec, "no snapshot is being saved");
        return AGPU_SAVE_FAILED;
    }
    ag_gpu_poll(exec->host.gpu);
    if (exec->save->is_lost || exec->host.lost || exec->host.starved)
        ag_archive_refuse(&exec->save->archive, AGPU_DIAG_SNAPSHOT_STATE,
                          "the GPU device was lost or ran out of memory while it was saved");
    else if (still_clears(exec) || (exec->submissions && exec->submissions->started) || !save_all(exec))
        return AGPU_SAVE_BUSY;
    const bool saved = ag_archive_is_ok(&exec->save->archive);
    end_save(exec);
    return saved ? AGPU_SAVE_DONE : AGPU_SAVE_FAILED;
}

static void save_cancel(struct agpu_executor *executor)
{
    end_save(ag_exec_of(executor));
}

/* ---- Loading ----------------------------------------------------------------------------------------- */

/* Objects report when they are made what they reported when the guest made them: only what ends the loading
 * is passed on. */
static void keep_error(void *user, const struct agpu_diag *diag)
{
    if (diag->severity == AGPU_ERROR)
        ag_refusal_set(user, diag->code, "%s", diag->message);
}

static bool is_fresh(const struct ag_exec *exec)
{
    return !exec->submissions && !exec->save && exec->objects.handles.count == 0 &&
           exec->objects.ext_objects.count == 0 && exec->binder.shaders.count == 0 &&
           exec->binder.contexts.live.count == 0 && !exec->host.lost && !exec->bare;
}

static bool load_all(struct ag_exec *exec, struct ag_archive *archive)
{
    struct ag_execution rooms = ag_exec_rooms(exec);
    struct ag_submission_errors errors = {0};
    if (!archive_mark(archive, AG_SECTION_EXECUTOR))
        return false;
    exec->host.loading = true;
    ag_reporter_enter(&exec->host, AGPU_DIAG_NO_INDEX, &errors);
    const bool loaded = ag_snapshot_load(&rooms, archive);
    ag_reporter_leave(&exec->host);
    exec->host.loading = false;
    return loaded && load_submissions(exec, archive) && archive_mark(archive, AG_SECTION_END);
}

static enum agpu_status load(struct agpu_executor *executor, const struct agpu_snapshot_reader *reader)
{
    struct ag_exec *exec = ag_exec_of(executor);
    const struct agpu_diag_sink embedder = exec->host.reports.embedder;
    struct ag_refusal problem = {0};
    struct ag_archive archive;
    ag_clearing_finish(exec);
    if (!is_fresh(exec))
        return refuse(exec, "a snapshot is loaded into an executor that has executed nothing");
    ag_archive_init_reader(&archive, reader, &(struct agpu_diag_sink){keep_error, &problem});
    exec->host.reports.embedder = archive.sink;
    exec->host.accounts.is_loading = true;
    const enum agpu_status status = load_all(exec, &archive) ? AGPU_OK : archive.status;
    exec->host.accounts.is_loading = false;
    exec->host.reports.embedder = embedder;
    ag_archive_fini(&archive);
    if (status != AGPU_OK && problem.code)
        ag_report(&embedder, problem.code, AGPU_ERROR, ag_place_none(), "%s", problem.message);
    return status;
}

void ag_snapshot_offer(struct agpu_executor *table)
{
    table->save_begin = save_begin;
    table->save_poll = save_poll;
    table->save_cancel = save_cancel;
    table->load = load;
}
