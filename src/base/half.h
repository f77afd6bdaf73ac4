/* SPDX-License-Identifier: MIT
 *
 * Floats of 16 bits (IEEE binary16).
 */
#ifndef AG_BASE_HALF_H
#define AG_BASE_HALF_H

#include <stdint.h>

/* From single, to nearest even, and back. */
uint16_t ag_half_from_float(float value);
float ag_float_from_half(uint16_t half);

#endif
