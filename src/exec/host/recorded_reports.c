/* SPDX-License-Identifier: MIT */
#include "exec/host/recorded_reports.h"

#include <stddef.h>

/* A guest chooses how much there is to say about a shader. What is said beyond that is not heard. */
#define MOST_BYTES ((size_t)1 << 20)

struct ag_recorded_report {
    struct ag_recorded_report *next;
    struct agpu_diag diag;
};

static void record(void *user, const struct agpu_diag *diag)
{
    struct ag_recorded_reports *const reports = user;
    struct ag_recorded_report *const report = AG_ARENA_NEW(&reports->arena, struct ag_recorded_report);
    if (report == NULL)
        return;
    report->diag = *diag;
    report->diag.message = ag_arena_strdup(&reports->arena, diag->message);
    if (report->diag.message == NULL)
        return;
    *reports->last = report;
    reports->last = &report->next;
}

void ag_recorded_reports_init(struct ag_recorded_reports *reports)
{
    *reports = (struct ag_recorded_reports){
        .sink = {.report = record, .user = reports},
        .last = &reports->first,
    };
    ag_arena_init(&reports->arena, MOST_BYTES);
}

void ag_recorded_reports_fini(struct ag_recorded_reports *reports)
{
    ag_arena_fini(&reports->arena);
}

bool ag_recorded_reports_send(const struct ag_recorded_reports *reports, const struct agpu_diag_sink *sink)
{
    for (const struct ag_recorded_report *report = reports->first; report != NULL; report = report->next)
        sink->report(sink->user, &report->diag);
    return !reports->arena.failed || reports->arena.reached_limit;
}
