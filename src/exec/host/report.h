/* SPDX-License-Identifier: MIT
 *
 * Diagnostics of the executor. Each goes to the embedder with the place of the packet that is being executed.
 * The first error of a submission becomes the error code that the guest sees.
 */
#ifndef AG_EXEC_HOST_REPORT_H
#define AG_EXEC_HOST_REPORT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>

#include "aerogpu/diag.h"
#include "base/diag.h"
#include "exec/host/outcome.h"

struct ag_host;

/* Why an object cannot be expressed in WebGPU. The object keeps the refusal, and a draw that needs the object
 * reports the refusal again. */
struct ag_refusal {
    enum agpu_diag_code code;
    char message[256];
};

void ag_refusal_set(struct ag_refusal *refusal, enum agpu_diag_code code, const char *format, ...)
    AG_PRINTF(3, 4);

/* A sink for a layer below that may refuse an object. The sink forwards diagnostics and keeps the last
 * error as the refusal of the object. */
struct ag_refusal_catcher {
    struct agpu_diag_sink sink;
    const struct agpu_diag_sink *next; /* the sink that diagnostics are forwarded to */
    struct ag_refusal *refusal;
    bool shortage; /* memory was exhausted, which is no refusal */
};

void ag_refusal_catcher_init(struct ag_refusal_catcher *catcher, const struct agpu_diag_sink *next,
                             struct ag_refusal *refusal);

/* The outcome of a call that returned `status`. AG_SKIPPED: the object is refused, and *refusal has the
 * reason. */
enum ag_outcome ag_refusal_catcher_outcome(const struct ag_refusal_catcher *catcher, enum agpu_status status);

/* How many causes of warnings a submission tells apart. Warnings of further causes are repeated. */
#define AG_WARNED_CAUSES 64

/* The errors and warnings of one submission, which owns the struct. */
struct ag_submission_errors {
    uint32_t error;        /* enum aerogpu_error_code of the first error */
    bool refusal_reported; /* a skipped draw was reported; later skipped draws are not */
    /* The causes of ag_host_warn() that were reported. */
    const char *causes[AG_WARNED_CAUSES];
    uint32_t cause_count;
};

/* Approximations, each with one warning for the life of a device instead of a warning for every draw. */
enum ag_warning {
    AG_WARNING_LINES = 1 << 0,
    AG_WARNING_SAMPLES = 1 << 1,
    AG_WARNING_VIEWPORTS = 1 << 2,
};

struct ag_reporter {
    /* The embedder's sink, which every diagnostic reaches in the end. */
    struct agpu_diag_sink embedder;
    /* The sink for the layers below the executor: adds the place of the packet and forwards to `embedder`. */
    struct agpu_diag_sink sink;
    /* The packet being executed, its name (null between two packets), and whether ag_host_malformed() was
     * called for the packet. */
    struct agpu_place place;
    const char *packet_name;
    bool malformed;
    /* The errors of the submission being executed; null between two submissions. */
    struct ag_submission_errors *errors;
    /* The warnings given so far: enum ag_warning. */
    uint32_t warned;
    /* Direct3D's runtime drops the call of the packet being executed (ag_host_drop()). */
    bool dropped;
};

/* Makes `sink`. `embedder` is set by the caller. */
void ag_reporter_init(struct ag_host *host);

/* Between enter and leave, diagnostics belong to `submission`, at first to none of its packets, and the
 * first error is stored in `errors`. */
void ag_reporter_enter(struct ag_host *host, uint32_t submission, struct ag_submission_errors *errors);
void ag_reporter_leave(struct ag_host *host);

/* From now on, diagnostics belong to this packet of the submission. */
void ag_reporter_at(struct ag_host *host, struct agpu_place place, const char *packet_name);

/* Reports a diagnostic at the packet being executed. */
void ag_host_report(struct ag_host *host, enum agpu_diag_code code, enum agpu_severity severity,
                    const char *format, ...) AG_PRINTF(4, 5);

/* Reports an error that WebGPU reported later than the packet at fault was executed, for the submission
 * that owns `errors`. `diag` has that packet's place. */
void ag_host_report_late(struct ag_host *host, struct ag_submission_errors *errors,
                         const struct agpu_diag *diag);

/* Reports an error of a packet. Always returns AGPU_REFUSED, which handlers return in turn. A packet that
 * creates an object is refused then, and the stream goes on (packet/refused_creation.h); any other packet
 * stops the stream. */
enum agpu_status ag_host_fail(struct ag_host *host, enum agpu_diag_code code, const char *format, ...)
    AG_PRINTF(3, 4);

/* Reports an error that stops the stream whatever the packet does: no guest can send such bytes or such a
 * handle in good faith. Always returns AGPU_REFUSED. */
enum agpu_status ag_host_malformed(struct ag_host *host, enum agpu_diag_code code, const char *format, ...)
    AG_PRINTF(3, 4);
/* The same for bytes whose error a layer below has reported. */
enum agpu_status ag_host_packet_is_malformed(struct ag_host *host);

/* Warns, once for each cause in a submission: programs make the same odd call in every frame. A cause is
 * a `format`, which is a string literal. */
void ag_host_warn(struct ag_host *host, enum agpu_diag_code code, const char *format, ...) AG_PRINTF(3, 4);

void ag_host_warn_va(struct ag_host *host, enum agpu_diag_code code, const char *format, va_list arguments)
    AG_PRINTF(3, 0);

/* ag_host_warn() of a call that Direct3D's runtime drops before a driver sees the call. The packet then
 * changes nothing and the stream goes on: always returns AGPU_REFUSED, which handlers return in turn. */
enum agpu_status ag_host_drop(struct ag_host *host, enum agpu_diag_code code, const char *format, ...)
    AG_PRINTF(3, 4);

/* Reports that what a packet asks for cannot be expressed: only the first such packet or draw of a submission
 * is reported. The packet changes nothing and the stream goes on: always returns AGPU_REFUSED. */
enum agpu_status ag_host_drop_refused(struct ag_host *host, enum agpu_diag_code code, const char *format, ...)
    AG_PRINTF(3, 4);

/* Reports an error, once for each cause in a submission (ag_host_warn()), of a call that is left out: the
 * packet changes nothing and the stream goes on. Always returns AGPU_REFUSED, which handlers return in turn.
 */
enum agpu_status ag_host_leave_out(struct ag_host *host, enum agpu_diag_code code, const char *format, ...)
    AG_PRINTF(3, 4);

/* Warns with exec.unsupported, the first time only. */
void ag_host_warn_once(struct ag_host *host, enum ag_warning warning, const char *text);

/* Reports that a draw or dispatch is skipped because WebGPU cannot express what the call needs. Only the
 * first one of a submission is reported; the stream goes on. Always returns AG_SKIPPED. */
enum ag_outcome ag_host_skip_refused(struct ag_host *host, enum agpu_diag_code code, const char *format, ...)
    AG_PRINTF(3, 4);

/* Like ag_host_skip_refused(), for an object that is refused for good: *refusal keeps the reason.
 * `refusal` may be null. */
enum ag_outcome ag_host_refuse(struct ag_host *host, struct ag_refusal *refusal, enum agpu_diag_code code,
                               const char *format, ...) AG_PRINTF(4, 5);

/* ag_host_skip_refused() for a draw or dispatch that needs more memory than the budget has (exec.memory). */
enum ag_outcome ag_host_skip_memory(struct ag_host *host, uint64_t bytes);

/* ag_host_warn() of a draw or dispatch that Direct3D leaves undefined, or that does nothing there. Always
 * returns AG_SKIPPED. */
enum ag_outcome ag_host_skip_undefined(struct ag_host *host, const char *format, ...) AG_PRINTF(2, 3);

/* The host is out of memory: reports and returns AGPU_NO_MEMORY. */
enum agpu_status ag_host_no_memory(struct ag_host *host);

#endif
