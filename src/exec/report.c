/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "exec/exec.h"

static void note_error(struct ag_exec *exec, enum agpu_diag_code code, enum agpu_severity severity)
{
    uint32_t error = agpu_diag_error_register(code);
    if (severity == AGPU_ERROR && exec->job && exec->job->error == AEROGPU_ERROR_NONE)
        exec->job->error = error;
}

/* What the layers below report: their place is inside a shader or a stream, ours is the packet. */
static void forward(void *user, const struct agpu_diag *diag)
{
    struct ag_exec *exec = user;
    struct agpu_diag copy = *diag;
    copy.place.submission = exec->place.submission;
    if (copy.place.packet == AGPU_DIAG_NO_INDEX)
        copy.place.packet = exec->place.packet;
    note_error(exec, diag->code, diag->severity);
    if (diag->severity == AGPU_ERROR) {
        exec->last_error.code = diag->code;
        snprintf(exec->last_error.message, sizeof exec->last_error.message, "%s", diag->message);
    }
    if (exec->events.diagnostics.report)
        exec->events.diagnostics.report(exec->events.diagnostics.user, &copy);
}

void ag_exec_report_init(struct ag_exec *exec)
{
    exec->sink = (struct agpu_diag_sink){.report = forward, .user = exec};
    exec->place = ag_place_none();
}

void ag_exec_report(struct ag_exec *exec, enum agpu_diag_code code, enum agpu_severity severity,
                    const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    ag_report_va(&exec->sink, code, severity, exec->place, format, arguments);
    va_end(arguments);
}

enum agpu_status ag_exec_fail(struct ag_exec *exec, enum agpu_diag_code code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    ag_report_va(&exec->sink, code, AGPU_ERROR, exec->place, format, arguments);
    va_end(arguments);
    return AGPU_REFUSED;
}

void ag_exec_skip_refused(struct ag_exec *exec, enum agpu_diag_code code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (exec->job && !exec->job->refusal_reported) {
        ag_report_va(&exec->sink, code, AGPU_ERROR, exec->place, format, arguments);
        exec->job->refusal_reported = true;
    } else {
        exec->last_error.code = code;
        vsnprintf(exec->last_error.message, sizeof exec->last_error.message, format, arguments);
    }
    va_end(arguments);
}

void ag_exec_warn_once(struct ag_exec *exec, enum ag_warning warning, const char *text)
{
    if (exec->warned & (uint32_t)warning)
        return;
    exec->warned |= (uint32_t)warning;
    ag_exec_report(exec, AGPU_DIAG_EXEC_UNSUPPORTED, AGPU_WARNING, "%s", text);
}

enum agpu_status ag_exec_no_memory(struct ag_exec *exec)
{
    ag_exec_report(exec, AGPU_DIAG_OUT_OF_MEMORY, AGPU_ERROR, "the host is out of memory");
    return AGPU_NO_MEMORY;
}
