/* SPDX-License-Identifier: MIT
 *
 * What the dimensions of a texture mean for coordinates.
 */
#ifndef AGPU_WGSL_SHAPE_H
#define AGPU_WGSL_SHAPE_H

#include "ir/ir.h"

struct agpu_wgsl_shape {
    uint8_t coordinates; /* of D3D, without the slice */
    bool is_array, is_1d, is_cube, is_3d;
};

const struct agpu_wgsl_shape *agpu_wgsl_shape(const struct agpu_ir_resource *texture);

#endif
