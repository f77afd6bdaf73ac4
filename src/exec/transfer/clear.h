/* SPDX-License-Identifier: MIT */
#ifndef AG_EXEC_TRANSFER_CLEAR_H
#define AG_EXEC_TRANSFER_CLEAR_H

#include <stdbool.h>
#include <stdint.h>

#include "aerogpu/diag.h"

struct aerogpu_ext_rect;
struct ag_copier;
struct ag_texture_view;

/* All layers of a view, whole or those rectangles of it. */
enum agpu_status ag_clear_color(struct ag_copier *copier, struct ag_texture_view *view,
                                const uint32_t bits[4], const struct aerogpu_ext_rect *rects, uint32_t count);

struct ag_depth_clear {
    bool depth, stencil;
    uint32_t depth_bits, stencil_value;
};

enum agpu_status ag_clear_depth_stencil(struct ag_copier *copier, struct ag_texture_view *view,
                                        const struct ag_depth_clear *clear,
                                        const struct aerogpu_ext_rect *rects, uint32_t count);

#endif
