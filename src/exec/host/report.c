/* SPDX-License-Identifier: MIT */
#include "exec/host/report.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>

#include "aerogpu/abi/pci.h"
#include "aerogpu/diag.h"
#include "base/diag.h"
#include "base/format.h"
#include "exec/host/gpu_memory.h"
#include "exec/host/host.h"
#include "exec/host/outcome.h"

/* ---- Refusals ----------------------------------------------------------------------------------------- */

void ag_refusal_set(struct ag_refusal *refusal, enum agpu_diag_code code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    refusal->code = code;
    ag_format(refusal->message, sizeof refusal->message, format, arguments);
    va_end(arguments);
}

static void catch_error(void *user, const struct agpu_diag *diag)
{
    struct ag_refusal_catcher *catcher = user;
    catcher->shortage |= diag->code == AGPU_DIAG_OUT_OF_MEMORY || diag->code == AGPU_DIAG_GPU_OUT_OF_MEMORY;
    if (diag->severity == AGPU_ERROR)
        ag_refusal_set(catcher->refusal, diag->code, "%s", diag->message);
    catcher->next->report(catcher->next->user, diag);
}

void ag_refusal_catcher_init(struct ag_refusal_catcher *catcher, const struct agpu_diag_sink *next,
                             struct ag_refusal *refusal)
{
    *catcher = (struct ag_refusal_catcher){
        .sink = {.report = catch_error, .user = catcher},
        .next = next,
        .refusal = refusal,
    };
    *refusal = (struct ag_refusal){0};
}

enum ag_outcome ag_refusal_catcher_outcome(const struct ag_refusal_catcher *catcher, enum agpu_status status)
{
    if (status == AGPU_OK)
        return AG_DONE;
    if (status == AGPU_NO_MEMORY || catcher->shortage)
        return AG_OUT_OF_MEMORY;
    assert(catcher->refusal->message[0] != 0); /* every layer says why it refuses */
    return AG_SKIPPED;
}

/* ---- Reports ------------------------------------------------------------------------------------------ */

static void note_error(struct ag_submission_errors *errors, enum agpu_diag_code code,
                       enum agpu_severity severity)
{
    if (severity == AGPU_ERROR && errors && errors->error == AEROGPU_ERROR_NONE)
        errors->error = agpu_diag_error_register(code);
}

static void send(struct ag_reporter *reports, const struct agpu_diag *diag)
{
    if (reports->embedder.report)
        reports->embedder.report(reports->embedder.user, diag);
}

/* The sink of the layers below the executor. They know the place inside a shader or a stream; the
 * submission and the packet are added here. */
static void forward(void *user, const struct agpu_diag *diag)
{
    struct ag_reporter *reports = user;
    struct agpu_diag copy = *diag;
    copy.place.submission = reports->place.submission;
    if (copy.place.packet == AGPU_DIAG_NO_INDEX)
        copy.place.packet = reports->place.packet;
    if (!copy.packet_name && copy.place.packet == reports->place.packet)
        copy.packet_name = reports->packet_name;
    note_error(reports->errors, diag->code, diag->severity);
    send(reports, &copy);
}

void ag_reporter_init(struct ag_host *host)
{
    host->reports.sink = (struct agpu_diag_sink){.report = forward, .user = &host->reports};
    host->reports.place = ag_place_none();
}

void ag_reporter_enter(struct ag_host *host, uint32_t submission, struct ag_submission_errors *errors)
{
    struct agpu_place place = ag_place_none();
    place.submission = submission;
    host->reports.errors = errors;
    ag_reporter_at(host, place, NULL);
}

void ag_reporter_leave(struct ag_host *host)
{
    host->reports.errors = NULL;
    ag_reporter_at(host, ag_place_none(), NULL);
}

void ag_reporter_at(struct ag_host *host, struct agpu_place place, const char *packet_name)
{
    host->reports.place = place;
    host->reports.packet_name = packet_name;
}

void ag_host_report(struct ag_host *host, enum agpu_diag_code code, enum agpu_severity severity,
                    const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    ag_report_va(&host->reports.sink, code, severity, host->reports.place, format, arguments);
    va_end(arguments);
}

void ag_host_report_late(struct ag_host *host, struct ag_submission_errors *errors,
                         const struct agpu_diag *diag)
{
    note_error(errors, diag->code, diag->severity);
    send(&host->reports, diag);
}

enum agpu_status ag_host_fail(struct ag_host *host, enum agpu_diag_code code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    ag_report_va(&host->reports.sink, code, AGPU_ERROR, host->reports.place, format, arguments);
    va_end(arguments);
    return AGPU_REFUSED;
}

enum agpu_status ag_host_malformed(struct ag_host *host, enum agpu_diag_code code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    ag_report_va(&host->reports.sink, code, AGPU_ERROR, host->reports.place, format, arguments);
    va_end(arguments);
    return ag_host_packet_is_malformed(host);
}

enum agpu_status ag_host_packet_is_malformed(struct ag_host *host)
{
    host->reports.malformed = true;
    return AGPU_REFUSED;
}

/* Notes a cause. Whether the submission was not told about the cause before. */
static bool is_new_cause(struct ag_submission_errors *errors, const char *format)
{
    for (uint32_t i = 0; errors && i < errors->cause_count; i++)
        if (errors->causes[i] == format)
            return false;
    if (errors && errors->cause_count < AG_WARNED_CAUSES)
        errors->causes[errors->cause_count++] = format;
    return true;
}

void ag_host_warn_va(struct ag_host *host, enum agpu_diag_code code, const char *format, va_list arguments)
{
    if (is_new_cause(host->reports.errors, format))
        ag_report_va(&host->reports.sink, code, AGPU_WARNING, host->reports.place, format, arguments);
}

void ag_host_warn(struct ag_host *host, enum agpu_diag_code code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    ag_host_warn_va(host, code, format, arguments);
    va_end(arguments);
}

enum agpu_status ag_host_drop(struct ag_host *host, enum agpu_diag_code code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    ag_host_warn_va(host, code, format, arguments);
    va_end(arguments);
    host->reports.dropped = true;
    return AGPU_REFUSED;
}

enum agpu_status ag_host_leave_out(struct ag_host *host, enum agpu_diag_code code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (is_new_cause(host->reports.errors, format))
        ag_report_va(&host->reports.sink, code, AGPU_ERROR, host->reports.place, format, arguments);
    va_end(arguments);
    host->reports.dropped = true;
    return AGPU_REFUSED;
}

/* Once per submission. */
static AG_PRINTF(3, 0) void report_refused(struct ag_reporter *reports, enum agpu_diag_code code,
                                           const char *format, va_list arguments)
{
    if (!reports->errors || reports->errors->refusal_reported)
        return;
    ag_report_va(&reports->sink, code, AGPU_ERROR, reports->place, format, arguments);
    reports->errors->refusal_reported = true;
}

enum agpu_status ag_host_drop_refused(struct ag_host *host, enum agpu_diag_code code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    report_refused(&host->reports, code, format, arguments);
    va_end(arguments);
    host->reports.dropped = true;
    return AGPU_REFUSED;
}

enum ag_outcome ag_host_skip_refused(struct ag_host *host, enum agpu_diag_code code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    report_refused(&host->reports, code, format, arguments);
    va_end(arguments);
    return AG_SKIPPED;
}

enum ag_outcome ag_host_skip_memory(struct ag_host *host, uint64_t bytes)
{
    struct ag_budget_text text;
    return ag_host_skip_refused(host, AGPU_DIAG_EXEC_MEMORY, "%s",
                                ag_budget_refusal(&host->accounts, &host->gpu_memory.budget, AG_MEMORY_OF_GPU,
                                                  host->accounts.current, bytes, &text));
}

enum ag_outcome ag_host_refuse(struct ag_host *host, struct ag_refusal *refusal, enum agpu_diag_code code,
                               const char *format, ...)
{
    va_list arguments;
    if (refusal) {
        refusal->code = code;
        va_start(arguments, format);
        ag_format(refusal->message, sizeof refusal->message, format, arguments);
        va_end(arguments);
    }
    va_start(arguments, format);
    report_refused(&host->reports, code, format, arguments);
    va_end(arguments);
    return AG_SKIPPED;
}

enum ag_outcome ag_host_skip_undefined(struct ag_host *host, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    ag_host_warn_va(host, AGPU_DIAG_EXEC_UNDEFINED_DRAW, format, arguments);
    va_end(arguments);
    return AG_SKIPPED;
}

void ag_host_warn_once(struct ag_host *host, enum ag_warning warning, const char *text)
{
    if (host->reports.warned & (uint32_t)warning)
        return;
    host->reports.warned |= (uint32_t)warning;
    ag_host_report(host, AGPU_DIAG_EXEC_UNSUPPORTED, AGPU_WARNING, "%s", text);
}

enum agpu_status ag_host_no_memory(struct ag_host *host)
{
    ag_host_report(host, AGPU_DIAG_OUT_OF_MEMORY, AGPU_ERROR, "the host is out of memory");
    return AGPU_NO_MEMORY;
}
