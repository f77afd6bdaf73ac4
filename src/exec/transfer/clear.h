/* SPDX-License-Identifier: MIT
 *
 * Clears of render target and depth-stencil views, whole or by rectangles. Packet handlers call these
 * functions. A clear of a whole view becomes a pending clear (record/pass.h); rectangles are drawn
 * (clear_rects.h).
 */
#ifndef AG_EXEC_TRANSFER_CLEAR_H
#define AG_EXEC_TRANSFER_CLEAR_H

#include <stdbool.h>
#include <stdint.h>

#include "aerogpu/diag.h"

struct aerogpu_ext_rect;
struct ag_copier;
struct ag_progress;
struct ag_texture_view;

/* Clears all layers of a view: the rectangles, or everything when `count` is 0. `bits` are four floats,
 * also for integer formats. Reported when not AGPU_OK. */
enum agpu_status ag_clear_color(struct ag_copier *copier, struct ag_texture_view *view,
                                const uint32_t bits[4], const struct aerogpu_ext_rect *rects, uint32_t count,
                                struct ag_progress *progress);

struct ag_depth_clear {
    bool depth, stencil;    /* what is cleared */
    uint32_t depth_bits;    /* a float, which is clamped to [0, 1] */
    uint32_t stencil_value; /* the lowest eight bits count */
};

/* Clears depth and stencil in all layers of a view: the rectangles, or everything when `count` is 0.
 * Reported when not AGPU_OK. */
enum agpu_status ag_clear_depth_stencil(struct ag_copier *copier, struct ag_texture_view *view,
                                        const struct ag_depth_clear *clear,
                                        const struct aerogpu_ext_rect *rects, uint32_t count,
                                        struct ag_progress *progress);

#endif
