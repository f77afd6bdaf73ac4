/* SPDX-License-Identifier: MIT */
#include "exec/host/recorded_reports.h"

#include <stddef.h>
#include <string.h>

/* A guest chooses how much there is to say about a shader. Of what is said beyond that, the last error is
 * heard alone, which is why the shader is refused. */
#define MOST_BYTES ((size_t)1 << 20)

struct ag_recorded_report {
    struct ag_recorded_report *next;
    struct agpu_diag diag;
};

static bool append(struct ag_recorded_reports *reports, const struct agpu_diag *diag)
{
    struct ag_recorded_report *const report = AG_ARENA_NEW(&reports->arena, struct ag_recorded_report);
    if (report == NULL)
        return false;
    report->diag = *diag;
    report->diag.message = ag_arena_strdup(&reports->arena, diag->message);
    if (report->diag.message == NULL)
        return false;
    *reports->last = report;
    reports->last = &report->next;
    return true;
}

static void record(void *user, const struct agpu_diag *diag)
{
    struct ag_recorded_reports *const reports = user;
    if ((reports->error.message == NULL && append(reports, diag)) || diag->severity != AGPU_ERROR)
        return;
    const size_t length = strlen(diag->message), most = sizeof reports->text - 1;
    memcpy(reports->text, diag->message, length < most ? length : most);
    reports->text[length < most ? length : most] = '\0';
    reports->error = *diag;
    reports->error.message = reports->text;
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
    if (reports->error.message != NULL)
        sink->report(sink->user, &reports->error);
    return !reports->arena.failed || reports->arena.reached_limit;
}
