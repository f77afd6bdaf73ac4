/* SPDX-License-Identifier: MIT
 *
 * The dimensions of a texture, as far as its coordinates depend on them.
 */
#ifndef AG_WGSL_SHAPE_H
#define AG_WGSL_SHAPE_H

#include "ir/ir.h"

struct ag_wgsl_shape {
    uint8_t coordinates; /* components of a D3D coordinate without the array slice */
    bool is_array, is_1d, is_cube, is_3d;
};

const struct ag_wgsl_shape *ag_wgsl_shape(const struct ag_ir_resource *texture);

/* Of a texel at `p`, coordinates and then the array slice: its place for textureLoad(); the condition that it
 * is outside of `size`, of arrays up to the number of slices, which the caller appends. */
const char *ag_wgsl_texel_place(const struct ag_wgsl_shape *shape);
const char *ag_wgsl_texel_outside(const struct ag_wgsl_shape *shape);

#endif
