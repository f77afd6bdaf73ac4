/* SPDX-License-Identifier: MIT */
#include "exec/host/refused_handle.h"

#include <stdarg.h>

#include "aerogpu/diag.h"
#include "base/diag.h"
#include "base/map.h"
#include "exec/host/host.h"
#include "exec/host/host_memory.h"
#include "exec/host/outcome.h"

/* With the account of a context that has nothing else. */
#define REFUSED_HANDLE_BYTES 512u
#define CLEARED_AT_ONCE 256u

static uint64_t key_of(enum ag_handle_space space, uint32_t handle)
{
    return (uint64_t)space << 32 | handle;
}

void ag_refused_handle_add(struct ag_host *host, enum ag_handle_space space, uint32_t handle)
{
    struct ag_account *account = host->accounts.current;
    if (ag_map_get(&host->refused_handles, key_of(space, handle)) ||
        !ag_host_memory_take(host, account, REFUSED_HANDLE_BYTES))
        return;
    if (!ag_map_put(&host->refused_handles, key_of(space, handle), account ? (void *)account : (void *)host))
        ag_host_memory_give(host, account, REFUSED_HANDLE_BYTES);
}

/* `value` is that of the map: the account of the handle, or the host where it has none. */
static void give(struct ag_host *host, void *value)
{
    ag_host_memory_give(host, value == host ? NULL : value, REFUSED_HANDLE_BYTES);
}

void ag_refused_handle_forget(struct ag_host *host, enum ag_handle_space space, uint32_t handle)
{
    void *value = ag_map_remove(&host->refused_handles, key_of(space, handle));
    if (value)
        give(host, value);
}

bool ag_refused_handles_clear_part(struct ag_host *host, size_t *cursor)
{
    uint64_t key;
    void *value;
    for (uint32_t i = 0; i < CLEARED_AT_ONCE; i++) {
        if (!ag_map_next(&host->refused_handles, cursor, &key, &value)) {
            ag_map_fini(&host->refused_handles);
            return false;
        }
        give(host, value);
    }
    return true;
}

bool ag_handle_is_refused(const struct ag_host *host, enum ag_handle_space space, uint32_t handle)
{
    return host->refused_handles.count != 0 &&
           ag_map_get(&host->refused_handles, key_of(space, handle)) != NULL;
}

enum agpu_status ag_host_fail_handle(struct ag_host *host, enum ag_handle_space space, uint32_t handle,
                                     const char *format, ...)
{
    va_list arguments;
    if (ag_handle_is_refused(host, space, handle)) {
        host->reports.dropped = true;
        return AGPU_REFUSED;
    }
    va_start(arguments, format);
    ag_report_va(&host->reports.sink, AGPU_DIAG_EXEC_HANDLE, AGPU_ERROR, host->reports.place, format,
                 arguments);
    va_end(arguments);
    return AGPU_REFUSED;
}

enum agpu_status ag_host_drop_handle(struct ag_host *host, enum ag_handle_space space, uint32_t handle,
                                     const char *format, ...)
{
    va_list arguments;
    if (!ag_handle_is_refused(host, space, handle)) {
        va_start(arguments, format);
        ag_host_warn_va(host, AGPU_DIAG_EXEC_HANDLE, format, arguments);
        va_end(arguments);
    }
    host->reports.dropped = true;
    return AGPU_REFUSED;
}

void ag_host_warn_handle(struct ag_host *host, enum ag_handle_space space, uint32_t handle,
                         const char *format, ...)
{
    va_list arguments;
    if (ag_handle_is_refused(host, space, handle))
        return;
    va_start(arguments, format);
    ag_host_warn_va(host, AGPU_DIAG_EXEC_HANDLE, format, arguments);
    va_end(arguments);
}
