/* SPDX-License-Identifier: MIT
 *
 * Resources of a stage that have no binding of their own, because the guest binds more than the device does:
 * the overflow block and the arenas of wgsl/overflow.h. A variant keeps its arena, so that only what changed
 * since its last draw is copied there.
 */
#ifndef AG_EXEC_BIND_OVERFLOW_H
#define AG_EXEC_BIND_OVERFLOW_H

#include "exec/host/outcome.h"

struct ag_bind_item;
struct ag_group_builder;
struct agpu_binding;

/* Binds the overflow block or an arena. The first call for a group makes all of them. May end the open
 * pass. */
enum ag_outcome ag_overflow_bind(struct ag_group_builder *builder, const struct agpu_binding *binding,
                                 struct ag_bind_item *item);

#endif
