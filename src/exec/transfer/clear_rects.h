/* SPDX-License-Identifier: MIT
 *
 * Clears of rectangles, as draws: WebGPU clears attachments as a whole.
 */
#ifndef AG_EXEC_TRANSFER_CLEAR_RECTS_H
#define AG_EXEC_TRANSFER_CLEAR_RECTS_H

#include <stdbool.h>
#include <stdint.h>

#include "aerogpu/diag.h"

struct aerogpu_ext_rect;
struct ag_copier;
struct ag_pending_clear;
struct ag_rect_clearer;
struct ag_scissor;
struct ag_texture_view;

/* The rectangles of all layers of the view, as far as they are inside of it. `value` tells aspects and what
 * they become. */
enum agpu_status ag_clear_rects(struct ag_copier *copier, struct ag_texture_view *view,
                                const struct ag_pending_clear *value, const struct aerogpu_ext_rect *rects,
                                uint32_t count);
/* The part of a rectangle inside of `width` by `height`; false when it is empty. */
bool ag_clear_window(const struct aerogpu_ext_rect *rect, uint32_t width, uint32_t height,
                     struct ag_scissor *window);
void ag_rect_clearer_fini(struct ag_rect_clearer *clearer);

#endif
