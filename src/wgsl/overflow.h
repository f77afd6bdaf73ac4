/* SPDX-License-Identifier: MIT
 *
 * Resources of a stage that have no binding of their own, because Direct3D 11 binds more of them than the
 * device. They share three storage buffers. The overflow block, an array<vec4u>, has a record for each
 * resource, then the registers of constant buffers. The arena, an array<u32>, has the bytes of buffers and
 * the texels of textures; the second arena, an array<atomic<u32>>, those of unordered access views. Textures
 * of one format and size may instead be layers of an array with a binding (AG_TEXTURE_ARRAY_SHIFT), which the
 * device samples; they have records, too.
 */
#ifndef AG_WGSL_OVERFLOW_H
#define AG_WGSL_OVERFLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "aerogpu/translate.h"

/* Which resources overflow, by slot. Its bytes are hashed: there is nothing between the members. */
struct ag_overflow {
    uint16_t cbuffers;       /* bit n: b# n */
    uint16_t packed;         /* bit n: b# n has no binding either, but is in the pack (constant_pack.c) */
    uint16_t point_samplers; /* bit n: uses of s# n that never filter are emulated, without a binding */
    uint16_t unused;
    uint32_t resources[4]; /* bit n % 32 of word n / 32: t# n */
    uint32_t uavs[2];      /* bit n % 32 of word n / 32: u# n */
};

static inline bool ag_overflow_has(const struct ag_overflow *overflow, enum agpu_binding_space space,
                                   uint32_t slot)
{
    const uint32_t bit = UINT32_C(1) << slot % 32;
    switch (space) {
    case AGPU_SPACE_CBUFFER:
        return slot < 16 && (overflow->cbuffers & bit) != 0;
    case AGPU_SPACE_RESOURCE:
        return slot < 128 && (overflow->resources[slot / 32] & bit) != 0;
    case AGPU_SPACE_UAV:
        return slot < 64 && (overflow->uavs[slot / 32] & bit) != 0;
    case AGPU_SPACE_SAMPLER:
    case AGPU_SPACE_INTERNAL:
        break;
    }
    return false;
}

/* The rows of a record. The first is what the draw block has for a resource with a binding
 * (AG_DRAW_BLOCK_VIEWS), but that the first word of a buffer's is its first byte in the arena, and of a
 * constant buffer's its first byte in the block. */
#define AG_OVERFLOW_ROW_VIEW 0
/* Of a texture in an array the record is the first row, whose second word is the layer. */
/* Textures: {width, height, depth or number of slices, number of levels}, from the view's first level. */
#define AG_OVERFLOW_ROW_SIZE 1
/* Textures: four rows with the first word of each level in the arena. The texels of a level lie row after
 * row and slice after slice. */
#define AG_OVERFLOW_ROW_LEVELS 2
#define AG_OVERFLOW_MAX_LEVELS 16
/* Writable textures: {first byte in the arena, 0, 0, 0}. */
#define AG_OVERFLOW_ROW_TEXELS 1

#define AG_OVERFLOW_BUFFER_ROWS 1
#define AG_OVERFLOW_TEXTURE_ROWS 6
#define AG_OVERFLOW_UAV_TEXTURE_ROWS 2

/* How a texel is stored: bits 4 to 7 of the third word of a texture's first row. */
#define AG_OVERFLOW_ENCODING_SHIFT 4
enum ag_overflow_encoding {
    AG_OVERFLOW_FOUR_WORDS,
    AG_OVERFLOW_UNORM8,  /* one word: four UNORM components of eight bits */
    AG_OVERFLOW_HALVES,  /* two words: four half floats */
    AG_OVERFLOW_FLOAT,   /* one word: x, 0, 0, 1 */
    AG_OVERFLOW_INTEGER, /* one word: x, 0, 0, 1 */
};

#endif
