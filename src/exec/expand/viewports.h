/* SPDX-License-Identifier: MIT
 *
 * The viewports that an expanded draw is drawn to.
 */
#ifndef AG_EXEC_EXPAND_VIEWPORTS_H
#define AG_EXEC_EXPAND_VIEWPORTS_H

#include <stdbool.h>

struct ag_prepared_expansion;

/* Finds the areas of viewport 0, and of all viewports when the last shader selects one. Those that are the
 * same are drawn as one, in the order of their primitives. */
void ag_expanded_viewports_init(struct ag_prepared_expansion *draw);

/* Whether the order of primitives in different viewports shows. */
bool ag_expanded_viewports_overlap(const struct ag_prepared_expansion *draw);

#endif
