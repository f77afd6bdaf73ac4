/* SPDX-License-Identifier: MIT
 *
 * The pack of a stage: constant buffers of the guest that are copied side by side into one slice of the
 * upload ring, behind one dynamic offset (wgsl/constant_pack.c). What changes between draws is uploaded anew,
 * with all that is in the pack.
 */
#ifndef AG_EXEC_BIND_CONSTANT_PACK_H
#define AG_EXEC_BIND_CONSTANT_PACK_H

#include <stdbool.h>
#include <stdint.h>

#include "aerogpu/dxbc.h"
#include "exec/host/outcome.h"

struct ag_binder;
struct ag_bound_range;
struct ag_constant_pack;
struct ag_context;
struct agpu_module;

/* The range that has the contents of the stage's constant buffers: the last one, while nothing has changed,
 * or a new one. Where only the GPU knows contents, this ends the open pass. */
enum ag_outcome ag_constant_pack_bind(struct ag_binder *binder, struct ag_context *context,
                                      enum agpu_stage stage, const struct agpu_module *module,
                                      struct ag_constant_pack *pack, struct ag_bound_range *range);

/* The same where the pack was bound last with the same ranges of the same buffers, of which none was
 * destroyed; the range is valid until the next call. Null where the pack has to be bound: the processor does
 * not know all contents, or memory is exhausted (reported). */
const struct ag_bound_range *ag_constant_pack_follow(struct ag_binder *binder, struct ag_constant_pack *pack);

/* Of a pack that has sets of constants: adds the stage's constants as they are now to the range that was
 * bound last, for what is numbered from `number` on, if they have changed. The range has not been submitted
 * yet. False when there is no room, or only the GPU knows contents. */
bool ag_constant_pack_add(struct ag_binder *binder, struct ag_context *context, enum agpu_stage stage,
                          const struct agpu_module *module, struct ag_constant_pack *pack, uint32_t number);

#endif
