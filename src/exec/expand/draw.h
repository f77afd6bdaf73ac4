/* SPDX-License-Identifier: MIT
 *
 * A draw of the guest: what it renders to, whether compute passes make its primitives, and in how many parts
 * the device can draw it.
 */
#ifndef AG_EXEC_EXPAND_DRAW_H
#define AG_EXEC_EXPAND_DRAW_H

#include "aerogpu/diag.h"

struct ag_context;
struct ag_draw;
struct ag_expander;

/* Not AGPU_OK stops the stream; a skipped draw is AGPU_OK. */
enum agpu_status ag_draw(struct ag_expander *expander, struct ag_context *context,
                         const struct ag_draw *draw);

#endif
