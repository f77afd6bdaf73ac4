/* SPDX-License-Identifier: MIT
 *
 * Draws of the guest. A draw is plain or expanded, and is made in several parts when its colour targets are
 * more than the device has in one pass. Packet handlers call ag_draw().
 */
#ifndef AG_EXEC_EXPAND_DRAW_H
#define AG_EXEC_EXPAND_DRAW_H

#include "exec/host/outcome.h"

struct ag_context;
struct ag_draw;
struct ag_expander;

/* Records a draw. AG_DONE also when the draw has no effect. */
enum ag_outcome ag_draw(struct ag_expander *expander, struct ag_context *context, const struct ag_draw *draw);

#endif
