/* SPDX-License-Identifier: MIT
 *
 * Expanded draws: compute passes make the primitives, and an indirect draw draws them. stages.h decides which
 * draws are expanded; draw.c calls ag_expanded_draw().
 */
#ifndef AG_EXEC_EXPAND_EXPANDED_DRAW_H
#define AG_EXEC_EXPAND_EXPANDED_DRAW_H

#include <stdbool.h>

#include "exec/host/outcome.h"

struct ag_attachments;
struct ag_context;
struct ag_draw;
struct ag_expander;

/* Records an expanded draw. AG_DONE also when the draw has no effect. `tests` is null, or the attachments of
 * the second pass that every primitive then has behind its first one (early_tests.h). */
enum ag_outcome ag_expanded_draw(struct ag_expander *expander, struct ag_context *context,
                                 const struct ag_draw *draw, const struct ag_attachments *attachments,
                                 const struct ag_attachments *tests);

/* Records an expanded draw, or opens a batch with it if that is possible (expansion_batch.h). */
enum ag_outcome ag_joining_draw(struct ag_expander *expander, struct ag_context *context,
                                const struct ag_draw *draw, const struct ag_attachments *attachments);

/* Draws, expanded or not, without a second pass. */
enum ag_outcome ag_draw_once(struct ag_expander *expander, struct ag_context *context,
                             const struct ag_draw *draw, bool expanded,
                             const struct ag_attachments *attachments);

#endif
