/* SPDX-License-Identifier: MIT
 *
 * UNORM and SNORM of up to 24 bits.
 */
#ifndef AG_FORMAT_NORM_H
#define AG_FORMAT_NORM_H

#include <stdbool.h>
#include <stdint.h>

/* D3D11.3 3.2.3.2, 3.2.3.4: clamped, to the nearest; NaN is 0. */
uint32_t ag_norm_from_float(uint32_t bits, float value, bool is_signed);

/* The same for depth of 24 bits, whose values floats do not compute exactly. */
float ag_float_from_depth24(uint32_t value);
uint32_t ag_depth24_from_float(float depth);

#endif
