/* SPDX-License-Identifier: MIT
 *
 * A draw of the guest: what it renders to, whether compute passes make its primitives, and in how many parts
 * the device can draw it.
 */
#ifndef AG_EXEC_EXPAND_DRAW_H
#define AG_EXEC_EXPAND_DRAW_H

#include "exec/host/outcome.h"

struct ag_context;
struct ag_draw;
struct ag_expander;

/* AG_DONE when it was drawn, or drew nothing. */
enum ag_outcome ag_draw(struct ag_expander *expander, struct ag_context *context, const struct ag_draw *draw);

#endif
