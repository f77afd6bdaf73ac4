/* SPDX-License-Identifier: MIT
 *
 * Diagnostics of work on another thread, kept until the executor reports them at the packet that waits for
 * the work.
 */
#ifndef AG_EXEC_HOST_RECORDED_REPORTS_H
#define AG_EXEC_HOST_RECORDED_REPORTS_H

#include <stdbool.h>

#include "aerogpu/diag.h"
#include "base/arena.h"

struct ag_recorded_report;

struct ag_recorded_reports {
    struct agpu_diag_sink sink; /* of the work */
    struct ag_arena arena;
    struct ag_recorded_report *first, **last;
    /* The last error behind those, that there was no more room for; message: null, or the text. */
    struct agpu_diag error;
    char text[256];
};

/* The struct stays where it is. */
void ag_recorded_reports_init(struct ag_recorded_reports *reports);
void ag_recorded_reports_fini(struct ag_recorded_reports *reports);

/* Reports what was recorded, in its order. False when there was no memory to record all. */
bool ag_recorded_reports_send(const struct ag_recorded_reports *reports, const struct agpu_diag_sink *sink);

#endif
