/* SPDX-License-Identifier: MIT
 *
 * Plain draws: draws with the stages that WebGPU has, a vertex shader and perhaps a pixel shader.
 * expand/draw.h calls ag_plain_draw().
 */
#ifndef AG_EXEC_DRAW_PLAIN_DRAW_H
#define AG_EXEC_DRAW_PLAIN_DRAW_H

#include "exec/host/outcome.h"

struct ag_attachments;
struct ag_context;
struct ag_draw;
struct ag_drawer;

/* Records a plain draw. AG_DONE also when the draw has no effect. */
enum ag_outcome ag_plain_draw(struct ag_drawer *drawer, struct ag_context *context,
                              const struct ag_draw *draw, const struct ag_attachments *attachments);

#endif
