/* SPDX-License-Identifier: MIT
 *
 * Whether a draw is inlined (inlined_draw.h), and how: the parts, how vertices are fetched, and what is
 * drawn.
 */
#ifndef AG_EXEC_EXPAND_INLINED_WAY_H
#define AG_EXEC_EXPAND_INLINED_WAY_H

#include <stdbool.h>
#include <stdint.h>

#include "exec/host/outcome.h"

struct ag_attachments;
struct ag_context;
struct ag_draw;
struct ag_expander;

/* Finds out whether the draw can be inlined: expander->inlined has the way then. */
enum ag_outcome ag_inlined_way_find(struct ag_expander *expander, struct ag_context *context,
                                    const struct ag_draw *draw, const struct ag_attachments *attachments,
                                    bool *can);

/* How many vertices WebGPU draws for each instance. False: the draw does not fit one of WebGPU, or would be
 * more work than the guest's draws may be. */
bool ag_inlined_way_vertices(const struct ag_expander *expander, const struct ag_draw *draw, uint32_t *count);

#endif
