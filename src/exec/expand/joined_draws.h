/* SPDX-License-Identifier: MIT
 *
 * Joined draws: expanded draws whose vertices follow one another, between which no packet comes, are recorded
 * as one, since an expanded draw costs far more than its primitives if they are few. The first one is
 * recorded at once; it tells whether those that follow may be joined, and has waited for all pipelines. These
 * wait then until another packet comes, or the stream's turn ends. Nobody can tell the difference: shaders
 * that read numbers of primitives or vertices, store, or are counted are not joined. Draws are joined as long
 * as one step expands them, so that limits of steps and passes are those of each draw.
 */
#ifndef AG_EXEC_EXPAND_JOINED_DRAWS_H
#define AG_EXEC_EXPAND_JOINED_DRAWS_H

#include <stdbool.h>

struct ag_context;
struct ag_draw;
struct ag_expander;
struct ag_prepared_expansion;

/* Notes whether the draw that was prepared may be joined with others. */
void ag_joined_draws_note(const struct ag_prepared_expansion *draw);

/* The draw was recorded, whole and in one pass. */
void ag_joined_draws_begin(struct ag_expander *expander, struct ag_context *context,
                           const struct ag_draw *draw);

/* True when the draw waits now, and is not to be recorded. */
bool ag_joined_draws_take(struct ag_expander *expander, const struct ag_context *context,
                          const struct ag_draw *draw);

#endif
