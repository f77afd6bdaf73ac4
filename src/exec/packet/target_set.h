/* SPDX-License-Identifier: MIT
 *
 * Sets of targets: which ones OMSetRenderTargets takes, and how they are bound.
 */
#ifndef AG_EXEC_PACKET_TARGET_SET_H
#define AG_EXEC_PACKET_TARGET_SET_H

#include <stdint.h>

#include "aerogpu/diag.h"

struct ag_context;
struct ag_execution;
struct ag_target_slot;

/* Drops the call (ag_host_drop()) when one subresource is in two slots, or when array sizes, view dimensions,
 * sample counts or sizes differ. A depth target may be larger. Slots whose views are not known are not looked
 * at. */
enum agpu_status ag_target_set_check(struct ag_execution *execution, const struct ag_target_slot *colors,
                                     uint32_t count, const struct ag_target_slot *depth);

/* Binds the targets in place of those that the context has. Older bindings of theirs end. */
void ag_target_set_bind(struct ag_context *context, const struct ag_target_slot *colors, uint32_t count,
                        const struct ag_target_slot *depth);

#endif
