/* SPDX-License-Identifier: MIT
 *
 * Viewports and scissor rectangles, in texels of the render target.
 */
#ifndef AG_EXEC_STATE_RECT_H
#define AG_EXEC_STATE_RECT_H

#include <stdint.h>

struct ag_viewport {
    float x, y, width, height, min_depth, max_depth;
};

/* `right` and `bottom` are exclusive. The rectangle may be empty. */
struct ag_scissor {
    int64_t left, top, right, bottom;
};

#endif
