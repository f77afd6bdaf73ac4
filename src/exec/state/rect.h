/* SPDX-License-Identifier: MIT
 *
 * Viewports and scissor rectangles, in texels of the render target.
 */
#ifndef AG_EXEC_STATE_RECT_H
#define AG_EXEC_STATE_RECT_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

struct ag_viewport {
    float x, y, width, height, min_depth, max_depth;
};

/* Whether a guest driver switches the viewport off: Direct3D's driver interface writes NaN into viewports
 * that the program does not set. */
static inline bool ag_viewport_is_off(const struct ag_viewport *viewport)
{
    return isnan(viewport->x) || isnan(viewport->y) || isnan(viewport->width) || isnan(viewport->height) ||
           isnan(viewport->min_depth) || isnan(viewport->max_depth);
}

/* `right` and `bottom` are exclusive. The rectangle may be empty. */
struct ag_scissor {
    int64_t left, top, right, bottom;
};

#endif
