/* SPDX-License-Identifier: MIT
 *
 * The optional features a program needs: the SFI0 chunk (dxbc-format 3.7).
 */
#ifndef AGPU_DXBC_FEATURE_BITS_H
#define AGPU_DXBC_FEATURE_BITS_H

#include "aerogpu/dxbc.h"

/* Bit numbers. */
enum agpu_feature_bit {
    AGPU_FEATURE_DOUBLES = 0,
    AGPU_FEATURE_RAW_BUFFERS_4 = 1,
    AGPU_FEATURE_UAV_EVERY_STAGE = 2,
    AGPU_FEATURE_64_UAVS = 3,
    AGPU_FEATURE_MIN_PRECISION = 4,
    AGPU_FEATURE_DOUBLE_11_1 = 5,
    AGPU_FEATURE_SHADER_11_1 = 6,
    AGPU_FEATURE_TILED_RESOURCES = 8,
    AGPU_FEATURE_STENCIL_REF = 9,
    AGPU_FEATURE_INNER_COVERAGE = 10,
    AGPU_FEATURE_RASTERIZER_ORDERED = 12,
    AGPU_FEATURE_ARRAY_INDEX_EVERY_STAGE = 13,
};

/* What flags, declarations and instructions imply. Typed loads of several components (bit 11) are not to be
 * told from the program. */
uint64_t agpu_program_feature_bits(const struct agpu_program *program);

#endif
