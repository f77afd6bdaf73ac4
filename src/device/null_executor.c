/* SPDX-License-Identifier: MIT
 *
 * An executor that completes every submission without doing anything.
 */
#include "aerogpu/executor.h"

#include <stdlib.h>

#include "base/table.h"

struct null_executor {
    struct agpu_executor base; /* the first member, so that a pointer to the executor is one to the object */
    struct agpu_executor_events events;
    uint64_t submissions;
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
    };
    return &null->base;
}
