/* SPDX-License-Identifier: MIT
 *
 * The optional features that a program needs, as the SFI0 chunk lists them (dxbc-format 3.7).
 */
#ifndef AG_DXBC_FEATURE_BITS_H
#define AG_DXBC_FEATURE_BITS_H

#include "aerogpu/dxbc.h"

/* Bit numbers. */
enum ag_feature_bit {
    AG_FEATURE_DOUBLES = 0,
    AG_FEATURE_RAW_BUFFERS_4 = 1,
    AG_FEATURE_UAV_EVERY_STAGE = 2,
    AG_FEATURE_64_UAVS = 3,
    AG_FEATURE_MIN_PRECISION = 4,
    AG_FEATURE_DOUBLE_11_1 = 5,
    AG_FEATURE_SHADER_11_1 = 6,
    AG_FEATURE_TILED_RESOURCES = 8,
    AG_FEATURE_STENCIL_REF = 9,
    AG_FEATURE_INNER_COVERAGE = 10,
    AG_FEATURE_RASTERIZER_ORDERED = 12,
    AG_FEATURE_ARRAY_INDEX_EVERY_STAGE = 13,
};

/* The bits that flags, declarations and instructions imply. Bit 11, typed loads of several components, cannot
 * be derived from the program. */
uint64_t ag_program_feature_bits(const struct agpu_program *program);

#endif
