/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "exec/exec.h"

static const WGPUErrorFilter filters[] = {WGPUErrorFilter_Validation, WGPUErrorFilter_OutOfMemory,
                                          WGPUErrorFilter_Internal};
#define FILTER_COUNT (sizeof filters / sizeof filters[0])

struct scope {
    struct agpu_job *job;
    struct agpu_place place;
};

/* What could not be made is missing from here on. */
static void run_out(struct agpu_exec *exec, const struct agpu_job *job)
{
    struct agpu_context *context = agpu_map_get(&exec->contexts, job->context_id);
    exec->starved = true;
    if (context)
        context->ended = true;
}

static void answered(void *user, WGPUErrorType type, const char *message)
{
    struct scope *scope = user;
    struct agpu_job *job = scope->job;
    struct agpu_exec *exec = job->exec;
    job->scopes--;
    if (job->orphaned) {
        if (job->scopes == 0) {
            exec->orphan_count--;
            agpu_job_destroy(job);
        }
    } else if (type != WGPUErrorType_NoError && !agpu_gpu_is_lost(exec->gpu)) {
        struct agpu_job *current = exec->job;
        struct agpu_place place = exec->place;
        exec->job = job;
        exec->place = scope->place;
        if (type == WGPUErrorType_OutOfMemory)
            run_out(exec, job);
        enum agpu_diag_code code = agpu_diag_code_of_error(type);
        if (exec->starved && code == AGPU_DIAG_GPU_VALIDATION)
            code = AGPU_DIAG_GPU_OUT_OF_MEMORY; /* of an object that there was no memory for */
        agpu_exec_report(exec, code, AGPU_ERROR, "%s", message);
        exec->job = current;
        exec->place = place;
    }
    free(scope);
}

void agpu_scopes_push(struct agpu_exec *exec)
{
    for (size_t i = 0; i < FILTER_COUNT; i++)
        agpu_gpu_push_error_scope(exec->gpu, filters[i]);
}

static void ignore(void *user, WGPUErrorType type, const char *message)
{
    (void)user;
    (void)type;
    (void)message;
}

void agpu_scopes_pop(struct agpu_exec *exec)
{
    for (size_t i = 0; i < FILTER_COUNT; i++) {
        struct scope *scope = malloc(sizeof *scope);
        if (scope)
            *scope = (struct scope){exec->job, exec->place};
        if (scope && agpu_gpu_pop_error_scope(exec->gpu, answered, scope)) {
            exec->job->scopes++;
            continue;
        }
        if (!scope)
            agpu_gpu_pop_error_scope(exec->gpu, ignore, NULL);
        free(scope);
        agpu_exec_no_memory(exec);
    }
}
