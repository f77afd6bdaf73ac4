/* SPDX-License-Identifier: MIT
 *
 * An executor that completes every submission without doing anything.
 */
#include "aerogpu/executor.h"

#include <stdlib.h>

#include "base/archive.h"
#include "base/bytes.h"
#include "base/table.h"

struct null_executor {
    struct agpu_executor base; /* the first member, so that a pointer to the executor is one to the object */
    struct agpu_executor_events events;
    uint64_t submissions;
    struct agpu_snapshot_writer writer; /* of the save that is under way */
};

static void null_submit(struct agpu_executor *executor, const struct agpu_submission *submission)
{
    struct null_executor *null = (struct null_executor *)executor;
    null->submissions++;
    if (null->events.completed != NULL)
        null->events.completed(null->events.user, submission->number, AEROGPU_ERROR_NONE);
}

static bool null_poll(struct agpu_executor *executor)
{
    (void)executor;
    return false;
}

static void null_reset(struct agpu_executor *executor)
{
    ((struct null_executor *)executor)->submissions = 0;
}

static void null_destroy(struct agpu_executor *executor)
{
    free(executor);
}

static void null_attach(struct agpu_executor *executor, const struct agpu_executor_events *events,
                        const struct agpu_guest_memory *memory)
{
    (void)memory;
    struct null_executor *null = (struct null_executor *)executor;
    ag_table_read(&null->events, sizeof null->events, AG_MEMBER_END(struct agpu_executor_events, user),
                  events);
}

static void null_counters(struct agpu_executor *executor, struct agpu_counters *counters)
{
    const struct agpu_counters counts = {.submissions = ((struct null_executor *)executor)->submissions};
    ag_table_write(counters, sizeof counts, AG_MEMBER_END(struct agpu_counters, pipeline_ns), &counts);
}

/* ---- Snapshots ----------------------------------------------------------------------------------------- */

static const struct ag_field fields[] = {
    AG_FIELD(struct null_executor, submissions, UINT64_MAX),
};

static enum agpu_status archive_all(struct null_executor *null, struct ag_archive *archive)
{
    ag_archive_begin(archive, AG_ARCHIVE_TAG('N', 'U', 'L', 'L'), 1);
    ag_archive_fields(archive, fields, AG_COUNT_OF(fields), null);
    ag_archive_end(archive);
    const enum agpu_status status = archive->status;
    ag_archive_fini(archive);
    return status;
}

static enum agpu_status null_save_begin(struct agpu_executor *executor,
                                        const struct agpu_snapshot_writer *writer)
{
    ((struct null_executor *)executor)->writer = *writer;
    return AGPU_OK;
}

static enum agpu_save_state null_save_poll(struct agpu_executor *executor)
{
    struct null_executor *null = (struct null_executor *)executor;
    struct ag_archive archive;
    ag_archive_init_writer(&archive, &null->writer, &null->events.diagnostics);
    return archive_all(null, &archive) == AGPU_OK ? AGPU_SAVE_DONE : AGPU_SAVE_FAILED;
}

static void null_save_cancel(struct agpu_executor *executor)
{
    (void)executor;
}

static enum agpu_status null_load(struct agpu_executor *executor, const struct agpu_snapshot_reader *reader)
{
    struct null_executor *null = (struct null_executor *)executor;
    struct ag_archive archive;
    ag_archive_init_reader(&archive, reader, &null->events.diagnostics);
    return archive_all(null, &archive);
}

struct agpu_executor *agpu_null_executor_create(void)
{
    struct null_executor *null = calloc(1, sizeof *null);
    if (null == NULL)
        return NULL;
    null->base = (struct agpu_executor){
        .size = sizeof null->base,
        .submit = null_submit,
        .poll = null_poll,
        .reset = null_reset,
        .destroy = null_destroy,
        .attach = null_attach,
        .counters = null_counters,
        .save_begin = null_save_begin,
        .save_poll = null_save_poll,
        .save_cancel = null_save_cancel,
        .load = null_load,
    };
    return &null->base;
}
