/* SPDX-License-Identifier: MIT
 *
 * A diagnostics sink that remembers what it was told.
 */
#ifndef AG_TESTS_ABI_DIAG_LOG_H
#define AG_TESTS_ABI_DIAG_LOG_H

#include <stdio.h>

#include "aerogpu/diag.h"

struct diag_log {
    struct agpu_diag_sink sink;
    int count;
    enum agpu_diag_code code; /* of the last one, as are the fields below */
    struct agpu_place place;
    char message[256];
};

static inline void diag_log_report(void *user, const struct agpu_diag *diag)
{
    struct diag_log *log = user;
    log->count++;
    log->code = diag->code;
    log->place = diag->place;
    snprintf(log->message, sizeof log->message, "%s", diag->message);
}

static inline void diag_log_init(struct diag_log *log)
{
    *log = (struct diag_log){.code = AGPU_DIAG_NONE};
    log->sink = (struct agpu_diag_sink){.report = diag_log_report, .user = log};
}

#endif
