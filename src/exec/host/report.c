/* SPDX-License-Identifier: MIT */
#include "exec/host/report.h"

#include <stdarg.h>
#include <stdio.h>

#include "aerogpu/abi/pci.h"
#include "aerogpu/diag.h"
#include "base/diag.h"
#include "exec/host/host.h"

static void note_error(struct ag_submission_errors *errors, enum agpu_diag_code code,
                       enum agpu_severity severity)
{
    if (severity == AGPU_ERROR && errors && errors->error == AEROGPU_ERROR_NONE)
        errors->error = agpu_diag_error_register(code);
}

static void remember(struct ag_reporter *reports, enum agpu_diag_code code, const char *message)
{
    reports->shortages += code == AGPU_DIAG_OUT_OF_MEMORY || code == AGPU_DIAG_GPU_OUT_OF_MEMORY;
    reports->last_error.code = code;
    snprintf(reports->last_error.message, sizeof reports->last_error.message, "%s", message);
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
    if (diag->severity == AGPU_ERROR)
        remember(reports, diag->code, diag->message);
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
    remember(&host->reports, diag->code, diag->message);
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

void ag_host_skip_refused(struct ag_host *host, enum agpu_diag_code code, const char *format, ...)
{
    struct ag_reporter *reports = &host->reports;
    va_list arguments;
    va_start(arguments, format);
    if (reports->errors && !reports->errors->refusal_reported) {
        ag_report_va(&reports->sink, code, AGPU_ERROR, reports->place, format, arguments);
        reports->errors->refusal_reported = true;
    } else {
        reports->last_error.code = code;
        vsnprintf(reports->last_error.message, sizeof reports->last_error.message, format, arguments);
    }
    va_end(arguments);
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
