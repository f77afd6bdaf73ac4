/* SPDX-License-Identifier: MIT
 *
 * Refused handles: handles that name no object because the packet that was to create the object failed. The
 * first error about such a handle has the reason of that failure.
 */
#ifndef AG_EXEC_HOST_REFUSED_HANDLE_H
#define AG_EXEC_HOST_REFUSED_HANDLE_H

#include <stdint.h>

#include "aerogpu/diag.h"
#include "base/diag.h"
#include "exec/host/outcome.h"

struct ag_host;

/* The namespaces of handles. */
enum ag_handle_space {
    AG_SPACE_RESOURCES, /* buffers, textures and views */
    AG_SPACE_SHADERS,
    AG_SPACE_INPUT_LAYOUTS,
    AG_SPACE_SAMPLERS,
    AG_SPACE_EXT_OBJECTS, /* from signatures to command lists */
};

/* How many refused handles the host remembers. */
#define AG_MAX_REFUSED_HANDLES 65536

/* The packet being executed was to create the object and failed with the last error that it reported. Not
 * remembered where memory is exhausted. */
void ag_refused_handle_add(struct ag_host *host, enum ag_handle_space space, uint32_t handle);

/* Forgets a handle that was created or destroyed since. */
void ag_refused_handle_forget(struct ag_host *host, enum ag_handle_space space, uint32_t handle);
void ag_refused_handles_clear(struct ag_host *host);

/* ag_host_fail() with exec.handle, for a handle that does not name the object that a packet or a draw
 * needs. */
enum agpu_status ag_host_fail_handle(struct ag_host *host, enum ag_handle_space space, uint32_t handle,
                                     const char *format, ...) AG_PRINTF(4, 5);
/* The same for draws and dispatches: returns AG_STOPPED. */
enum ag_outcome ag_host_stop_handle(struct ag_host *host, enum ag_handle_space space, uint32_t handle,
                                    const char *format, ...) AG_PRINTF(4, 5);

#endif
