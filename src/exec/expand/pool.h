/* SPDX-License-Identifier: MIT
 *
 * The pool: the buffers and kernels of expanded draws. A set has a buffer for each purpose, which grows when
 * a draw needs more. One set would do for all draws, since passes run one after another. With several sets,
 * small draws share a render pass: the compute passes of each draw go ahead of the open pass, and their
 * primitives wait in a set of their own.
 */
#ifndef AG_EXEC_EXPAND_POOL_H
#define AG_EXEC_EXPAND_POOL_H

#include <stdbool.h>

#include "exec/host/outcome.h"
#include "exec/record/bind_group.h"
#include "kernel/kernel.h"
#include "kernel/plan.h"
#include "kernel/tessellator.h"

struct ag_expander;

/* Begins to make the tessellator, as far as a mode needs it, on its first use. False when memory is exhausted
 * (reported). */
bool ag_expand_pool_begin_tessellator(struct ag_expander *expander, enum ag_tessellator_mode mode);

/* Makes room for the plan's buffers, and makes the other kernels on their first use. The open pass is ended
 * when it reads the buffers that are to be written, or when the draw is `alone`. When the sets behind the
 * first have as much together as may be in flight, they are let go then. */
enum ag_outcome ag_expand_pool_reserve(struct ag_expander *expander, const struct ag_expand_plan *plan,
                                       bool alone);

/* The most bytes that a draw which needs so many could have without the open pass being ended for more. */
uint64_t ag_expand_pool_room(const struct ag_expander *expander, uint64_t bytes);

/* The lists of the current set are not as good as new ones any more. */
void ag_expand_pool_forget_lists(struct ag_expander *expander);

void ag_expand_pool_fini(struct ag_expander *expander);

/* A buffer of the current set as a whole, as the binding of a kernel and as an item of a bind group. */
struct ag_buffer_range ag_expand_pool_range(const struct ag_expander *expander, enum ag_expand_buffer buffer);
struct ag_bind_item ag_expand_pool_item(const struct ag_expander *expander, enum ag_expand_buffer buffer);

#endif
