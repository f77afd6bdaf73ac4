/* SPDX-License-Identifier: MIT
 *
 * Clears of rectangles. WebGPU's load operations clear whole attachments, so that rectangles are drawn.
 */
#ifndef AG_EXEC_TRANSFER_CLEAR_RECTS_H
#define AG_EXEC_TRANSFER_CLEAR_RECTS_H

#include <stdbool.h>
#include <stdint.h>

#include "aerogpu/diag.h"

struct aerogpu_ext_rect;
struct ag_copier;
struct ag_pending_clear;
struct ag_progress;
struct ag_rect_clearer;
struct ag_scissor;
struct ag_texture_view;

/* Records draws that clear the rectangles, clipped to the view, in all layers of the view. `value` has the
 * aspects and their values; its view, mip and layer are not used. May flush. Reported when not AGPU_OK. */
enum agpu_status ag_clear_rects(struct ag_copier *copier, struct ag_texture_view *view,
                                const struct ag_pending_clear *value, const struct aerogpu_ext_rect *rects,
                                uint32_t count, struct ag_progress *progress);

/* Clips a rectangle to `width` x `height` texels. False when nothing remains. */
bool ag_clear_window(const struct aerogpu_ext_rect *rect, uint32_t width, uint32_t height,
                     struct ag_scissor *window);

/* Releases the shader module, layout and pipelines. */
void ag_rect_clearer_fini(struct ag_rect_clearer *clearer);

#endif
