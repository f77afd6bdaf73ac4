/* SPDX-License-Identifier: MIT
 *
 * What the dimensions of a texture mean for coordinates.
 */
#ifndef AG_WGSL_SHAPE_H
#define AG_WGSL_SHAPE_H

#include "ir/ir.h"

struct ag_wgsl_shape {
    uint8_t coordinates; /* of D3D, without the slice */
    bool is_array, is_1d, is_cube, is_3d;
};

const struct ag_wgsl_shape *ag_wgsl_shape(const struct ag_ir_resource *texture);

#endif
