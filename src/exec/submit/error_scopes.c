/* SPDX-License-Identifier: MIT */
#include "exec/submit/error_scopes.h"

#include <stdlib.h>

#include "aerogpu/diag.h"
#include "base/bytes.h"
#include "exec/bind/binder.h"
#include "exec/bind/context.h"
#include "exec/bind/context_set.h"
#include "exec/host/host.h"
#include "exec/host/report.h"
#include "exec/submit/exec.h"
#include "exec/submit/submission.h"
#include "gpu/gpu.h"
#include "gpu/webgpu.h"

static const WGPUErrorFilter filters[] = {WGPUErrorFilter_Validation, WGPUErrorFilter_OutOfMemory,
                                          WGPUErrorFilter_Internal};

/* The scopes that were popped at one place. */
struct scopes {
    struct ag_submission *submission;
    struct agpu_place place;
    const char *packet_name;
    uint32_t unanswered;
};

/* The GPU ran out of memory for some object, which is missing from now on, so that the context ends. */
static void run_out(struct ag_exec *exec, const struct ag_submission *submission)
{
    struct ag_context *context = ag_context_get(&exec->binder, submission->context_id);
    exec->host.starved = exec->is_short = true;
    if (context)
        context->ended = true;
}

static void report(struct ag_exec *exec, const struct scopes *scopes, WGPUErrorType type, const char *message)
{
    enum agpu_diag_code code = ag_diag_code_of_error(type);
    exec->recorder.buffers_lost++;
    if (type == WGPUErrorType_OutOfMemory)
        run_out(exec, scopes->submission);
    /* A validation error then follows from an object for which memory had run out. */
    if (exec->host.starved && code == AGPU_DIAG_GPU_VALIDATION)
        code = AGPU_DIAG_GPU_OUT_OF_MEMORY;
    const struct agpu_diag diag = {code, AGPU_ERROR, scopes->place, message, scopes->packet_name};
    ag_host_report_late(&exec->host, &scopes->submission->errors, &diag);
}

static void forget(struct scopes *scopes)
{
    if (--scopes->unanswered == 0)
        free(scopes);
}

static void answered(void *user, WGPUErrorType type, const char *message)
{
    struct scopes *scopes = user;
    struct ag_submission *submission = scopes->submission;
    submission->scopes--;
    if (submission->orphaned) {
        if (submission->scopes == 0)
            free(submission);
    } else if (type != WGPUErrorType_NoError && !ag_gpu_is_lost(submission->exec->host.gpu)) {
        report(submission->exec, scopes, type, message);
    }
    forget(scopes);
}

void ag_error_scopes_push(struct ag_exec *exec)
{
    for (size_t i = 0; i < AG_COUNT_OF(filters); i++)
        ag_gpu_push_error_scope(exec->host.gpu, filters[i]);
}

static void ignore(void *user, WGPUErrorType type, const char *message)
{
    (void)user;
    (void)type;
    (void)message;
}

void ag_error_scopes_pop(struct ag_exec *exec, struct ag_submission *submission)
{
    struct scopes *scopes = malloc(sizeof *scopes);
    if (scopes)
        *scopes = (struct scopes){submission, exec->host.reports.place, exec->host.reports.packet_name,
                                  AG_COUNT_OF(filters)};
    else
        ag_host_no_memory(&exec->host);
    for (size_t i = 0; i < AG_COUNT_OF(filters); i++) {
        if (!scopes) {
            ag_gpu_pop_error_scope(exec->host.gpu, ignore, NULL);
            continue;
        }
        submission->scopes++;
        if (ag_gpu_pop_error_scope(exec->host.gpu, answered, scopes))
            continue;
        submission->scopes--;
        ag_host_no_memory(&exec->host);
        forget(scopes);
    }
}
