/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "exec/exec.h"

static const WGPUErrorFilter filters[] = {WGPUErrorFilter_Validation, WGPUErrorFilter_OutOfMemory,
                                          WGPUErrorFilter_Internal};
#define FILTER_COUNT (sizeof filters / sizeof filters[0])

struct scope {
    struct ag_job *job;
    struct agpu_place place;
};

/* What could not be made is missing from here on. */
static void run_out(struct ag_exec *exec, const struct ag_job *job)
{
    struct ag_context *context = ag_map_get(&exec->contexts, job->context_id);
    exec->starved = true;
    if (context)
        context->ended = true;
}

static void answered(void *user, WGPUErrorType type, const char *message)
{
    struct scope *scope = user;
    struct ag_job *job = scope->job;
    struct ag_exec *exec = job->exec;
    job->scopes--;
    if (job->orphaned) {
        if (job->scopes == 0) {
            exec->orphan_count--;
            ag_job_destroy(job);
        }
    } else if (type != WGPUErrorType_NoError && !ag_gpu_is_lost(exec->gpu)) {
        struct ag_job *current = exec->job;
        struct agpu_place place = exec->place;
        exec->job = job;
        exec->place = scope->place;
        if (type == WGPUErrorType_OutOfMemory)
            run_out(exec, job);
        enum agpu_diag_code code = ag_diag_code_of_error(type);
        if (exec->starved && code == AGPU_DIAG_GPU_VALIDATION)
            code = AGPU_DIAG_GPU_OUT_OF_MEMORY; /* of an object that there was no memory for */
        ag_exec_report(exec, code, AGPU_ERROR, "%s", message);
        exec->job = current;
        exec->place = place;
    }
    free(scope);
}

void ag_scopes_push(struct ag_exec *exec)
{
    for (size_t i = 0; i < FILTER_COUNT; i++)
        ag_gpu_push_error_scope(exec->gpu, filters[i]);
}

static void ignore(void *user, WGPUErrorType type, const char *message)
{
    (void)user;
    (void)type;
    (void)message;
}

void ag_scopes_pop(struct ag_exec *exec)
{
    for (size_t i = 0; i < FILTER_COUNT; i++) {
        struct scope *scope = malloc(sizeof *scope);
        if (scope)
            *scope = (struct scope){exec->job, exec->place};
        if (scope && ag_gpu_pop_error_scope(exec->gpu, answered, scope)) {
            exec->job->scopes++;
            continue;
        }
        if (!scope)
            ag_gpu_pop_error_scope(exec->gpu, ignore, NULL);
        free(scope);
        ag_exec_no_memory(exec);
    }
}
