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

struct scope {
    struct ag_submission *submission;
    struct agpu_place place;
    const char *packet_name;
};

/* The GPU ran out of memory for some object, which is missing from now on, so that the context ends. */
static void run_out(struct ag_exec *exec, const struct ag_submission *submission)
{
    struct ag_context *context = ag_context_get(&exec->binder, submission->context_id);
    exec->host.starved = true;
    if (context)
        context->ended = true;
}

static void report(struct ag_exec *exec, const struct scope *scope, WGPUErrorType type, const char *message)
{
    enum agpu_diag_code code = ag_diag_code_of_error(type);
    if (type == WGPUErrorType_OutOfMemory)
        run_out(exec, scope->submission);
    /* A validation error then follows from an object for which memory had run out. */
    if (exec->host.starved && code == AGPU_DIAG_GPU_VALIDATION)
        code = AGPU_DIAG_GPU_OUT_OF_MEMORY;
    const struct agpu_diag diag = {code, AGPU_ERROR, scope->place, message, scope->packet_name};
    ag_host_report_late(&exec->host, &scope->submission->errors, &diag);
}

static void answered(void *user, WGPUErrorType type, const char *message)
{
    struct scope *scope = user;
    struct ag_submission *submission = scope->submission;
    submission->scopes--;
    if (submission->orphaned) {
        if (submission->scopes == 0)
            free(submission);
    } else if (type != WGPUErrorType_NoError && !ag_gpu_is_lost(submission->exec->host.gpu)) {
        report(submission->exec, scope, type, message);
    }
    free(scope);
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
    for (size_t i = 0; i < AG_COUNT_OF(filters); i++) {
        struct scope *scope = malloc(sizeof *scope);
        if (scope)
            *scope = (struct scope){submission, exec->host.reports.place, exec->host.reports.packet_name};
        if (scope && ag_gpu_pop_error_scope(exec->host.gpu, answered, scope)) {
            submission->scopes++;
            continue;
        }
        if (!scope)
            ag_gpu_pop_error_scope(exec->host.gpu, ignore, NULL);
        free(scope);
        ag_host_no_memory(&exec->host);
    }
}
