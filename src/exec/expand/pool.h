/* SPDX-License-Identifier: MIT
 *
 * The memory and the kernels of expanded draws: a buffer for each purpose, which grows when a draw wants
 * more. Passes run one after another, so all draws could share one set of buffers. There are more, so that
 * small draws that follow each other share a render pass: the compute passes of each go ahead of it, and what
 * they make waits in a set of its own.
 */
#ifndef AG_EXEC_EXPAND_POOL_H
#define AG_EXEC_EXPAND_POOL_H

#include <stdbool.h>

#include "exec/host/outcome.h"
#include "exec/record/bind_group.h"
#include "kernel/kernel.h"
#include "kernel/plan.h"

struct ag_expander;

/* Makes room for the plan's buffers, and the kernels when they are first needed. Ends the open pass when it
 * reads what is to be written, or when the draw is to be `alone`. */
enum ag_outcome ag_expand_pool_reserve(struct ag_expander *expander, const struct ag_expand_plan *plan,
                                       bool tessellates, bool alone);
void ag_expand_pool_fini(struct ag_expander *expander);
/* A whole buffer, for a kernel and for a shader. */
struct ag_buffer_range ag_expand_pool_range(const struct ag_expander *expander, enum ag_expand_buffer buffer);
struct ag_bind_item ag_expand_pool_item(const struct ag_expander *expander, enum ag_expand_buffer buffer);

#endif
