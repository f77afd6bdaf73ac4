/* SPDX-License-Identifier: MIT
 *
 * Copies of render targets for logic operations. WebGPU has no logic operations, so that the pixel shader
 * computes them and reads the old contents of the target from a copy (docs/decisions.md, X25). Every
 * primitive is then a render pass of its own, behind an update of the copy.
 */
#ifndef AG_EXEC_BIND_TARGET_COPY_H
#define AG_EXEC_BIND_TARGET_COPY_H

#include <stdbool.h>
#include <stdint.h>

#include "exec/host/outcome.h"
#include "gpu/webgpu.h"

struct ag_attachments;
struct ag_binder;
struct ag_context;

/* The view of the copy of target `index`. Null when no copy was reserved for the target. */
WGPUTextureView ag_target_copy_view(const struct ag_binder *binder, uint32_t index, uint64_t *id);

/* Releases all copies. */
void ag_target_copies_clear(struct ag_binder *binder);

/* Whether a logic operation of the context reads a target that is bound. */
bool ag_target_copies_needed(const struct ag_context *context, const struct ag_attachments *attachments);

/* Reserve makes the copies that a draw needs, before its bind groups are made. Record updates a rectangle
 * (x, y, width, height) of the copies, outside a pass. */
enum ag_outcome ag_target_copies_reserve(struct ag_binder *binder, const struct ag_attachments *attachments);
void ag_target_copies_record(struct ag_binder *binder, const struct ag_attachments *attachments,
                             const uint32_t rectangle[4]);

#endif
