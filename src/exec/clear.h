/* SPDX-License-Identifier: MIT */
#ifndef AG_EXEC_CLEAR_H
#define AG_EXEC_CLEAR_H

#include <stdbool.h>

#include "aerogpu/abi/cmd.h"
#include "aerogpu/diag.h"

struct aerogpu_ext_rect;
struct ag_exec;
struct ag_texture_view;

/* Clears the bound targets as a whole, whatever viewport and scissor say (spec: ABI 12.7 F8). */
enum agpu_status ag_clear(struct ag_exec *exec, const struct aerogpu_cmd_clear *clear);

/* All layers of a view, whole or those rectangles of it. */
enum agpu_status ag_clear_color(struct ag_exec *exec, struct ag_texture_view *view, const uint32_t bits[4],
                                const struct aerogpu_ext_rect *rects, uint32_t count);

struct ag_depth_clear {
    bool depth, stencil;
    uint32_t depth_bits, stencil_value;
};
enum agpu_status ag_clear_depth_stencil(struct ag_exec *exec, struct ag_texture_view *view,
                                        const struct ag_depth_clear *clear,
                                        const struct aerogpu_ext_rect *rects, uint32_t count);

#endif
