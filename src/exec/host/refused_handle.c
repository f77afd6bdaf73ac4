/* SPDX-License-Identifier: MIT */
#include "exec/host/refused_handle.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "aerogpu/diag.h"
#include "base/map.h"
#include "exec/host/host.h"
#include "exec/host/outcome.h"
#include "exec/host/report.h"

struct refused_handle {
    uint32_t submission, packet;
    const char *packet_name;
    enum agpu_diag_code code;
    bool told;
};

static uint64_t key_of(enum ag_handle_space space, uint32_t handle)
{
    return (uint64_t)space << 32 | handle;
}

void ag_refused_handle_add(struct ag_host *host, enum ag_handle_space space, uint32_t handle)
{
    const struct ag_reporter *reports = &host->reports;
    struct refused_handle *refused = ag_map_get(&host->refused_handles, key_of(space, handle));
    if (!refused) {
        if (host->refused_handles.count >= AG_MAX_REFUSED_HANDLES)
            return;
        refused = malloc(sizeof *refused);
        if (!refused || !ag_map_put(&host->refused_handles, key_of(space, handle), refused)) {
            free(refused);
            return;
        }
    }
    *refused = (struct refused_handle){
        .submission = reports->place.submission,
        .packet = reports->place.packet,
        .packet_name = reports->packet_name ? reports->packet_name : "",
        .code = reports->packet_error,
    };
}

void ag_refused_handle_forget(struct ag_host *host, enum ag_handle_space space, uint32_t handle)
{
    free(ag_map_remove(&host->refused_handles, key_of(space, handle)));
}

void ag_refused_handles_clear(struct ag_host *host)
{
    size_t cursor = 0;
    uint64_t key;
    void *value;
    while (ag_map_next(&host->refused_handles, &cursor, &key, &value))
        free(value);
    ag_map_fini(&host->refused_handles);
}

static AG_PRINTF(4, 0) void report_handle(struct ag_host *host, enum ag_handle_space space, uint32_t handle,
                                          const char *format, va_list arguments)
{
    char message[512];
    vsnprintf(message, sizeof message, format, arguments);
    struct refused_handle *refused = ag_map_get(&host->refused_handles, key_of(space, handle));
    if (!refused || refused->told) {
        ag_host_fail(host, AGPU_DIAG_EXEC_HANDLE, "%s", message);
        return;
    }
    refused->told = true;
    ag_host_fail(host, AGPU_DIAG_EXEC_HANDLE,
                 "%s, since its creation was refused (packet %" PRIu32 " %s of submission %" PRIu32 ": %s)",
                 message, refused->packet, refused->packet_name, refused->submission,
                 agpu_diag_slug(refused->code));
}

enum agpu_status ag_host_fail_handle(struct ag_host *host, enum ag_handle_space space, uint32_t handle,
                                     const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    report_handle(host, space, handle, format, arguments);
    va_end(arguments);
    return AGPU_REFUSED;
}

enum ag_outcome ag_host_stop_handle(struct ag_host *host, enum ag_handle_space space, uint32_t handle,
                                    const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    report_handle(host, space, handle, format, arguments);
    va_end(arguments);
    return AG_STOPPED;
}
