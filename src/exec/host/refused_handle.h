/* SPDX-License-Identifier: MIT
 *
 * Refused handles: handles whose object could not be made, in all namespaces. The guest's program was told
 * that its object exists long before the host read the packet, so that a refused handle stays taken until the
 * guest destroys it or creates it anew. The creation reported an error; uses report nothing. Bound, a refused
 * object is null; packets that need it do nothing, and draws that need it are skipped.
 *
 * A look-up that finds no live object asks here whether the handle is refused or names nothing.
 */
#ifndef AG_EXEC_HOST_REFUSED_HANDLE_H
#define AG_EXEC_HOST_REFUSED_HANDLE_H

#include <stdbool.h>
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

/* Notes a refused handle. Not noted where memory is exhausted. packet/refused_creation.h calls this. */
void ag_refused_handle_add(struct ag_host *host, enum ag_handle_space space, uint32_t handle);

/* Forgets a handle that was created or destroyed since. */
void ag_refused_handle_forget(struct ag_host *host, enum ag_handle_space space, uint32_t handle);
/* Forgets some of them, from *cursor on, which begins as 0. True when there are more. */
bool ag_refused_handles_clear_part(struct ag_host *host, size_t *cursor);

bool ag_handle_is_refused(const struct ag_host *host, enum ag_handle_space space, uint32_t handle);

/* ---- For a handle that names no live object of the kind that a packet or a draw needs ---------------- */

/* A refused handle makes the packet do nothing, as ag_host_drop() does, but without a warning. A handle that
 * names nothing is an error: ag_host_fail() with exec.handle. Always returns AGPU_REFUSED. */
enum agpu_status ag_host_fail_handle(struct ag_host *host, enum ag_handle_space space, uint32_t handle,
                                     const char *format, ...) AG_PRINTF(4, 5);
/* The same for a call that Direct3D's runtime drops: ag_host_drop() with exec.handle, whose warning a refused
 * handle does without. Always returns AGPU_REFUSED. */
enum agpu_status ag_host_drop_handle(struct ag_host *host, enum ag_handle_space space, uint32_t handle,
                                     const char *format, ...) AG_PRINTF(4, 5);
/* The caller goes on as if the handle were 0. ag_host_warn() with exec.handle unless the handle is refused.
 */
void ag_host_warn_handle(struct ag_host *host, enum ag_handle_space space, uint32_t handle,
                         const char *format, ...) AG_PRINTF(4, 5);

#endif
