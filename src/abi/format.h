/* SPDX-License-Identifier: MIT
 *
 * The table of the ABI's texture formats, and where texels are in guest memory (packed, without padding
 * between subresources).
 */
#ifndef AG_ABI_FORMAT_H
#define AG_ABI_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "aerogpu/abi/pci.h"

/* The order of the channels in memory. */
enum ag_channel_order {
    AG_CHANNELS_NONE,     /* depth formats */
    AG_CHANNELS_RGBA8,    /* bytes R, G, B, A */
    AG_CHANNELS_BGRA8,    /* bytes B, G, R, A */
    AG_CHANNELS_B5G6R5,   /* u16, blue in the low bits */
    AG_CHANNELS_B5G5R5A1, /* u16, blue in the low bits */
    AG_CHANNELS_BLOCK,    /* compressed */
};

struct ag_format_info {
    uint32_t format;        /* enum aerogpu_format */
    uint8_t bytes_per_unit; /* a unit is a pixel, or a block of 4x4 */
    uint8_t block_size;     /* width and height of a unit in pixels: 1 or 4 */
    uint8_t order;          /* enum ag_channel_order */
    uint8_t dxgi;           /* DXGI_FORMAT number; 0 where DXGI has none (R8G8B8X8) */
    bool is_depth;
    bool has_stencil;
    bool is_x8;   /* the fourth byte has no meaning: it reads as 0xFF and is stored as 0xFF */
    bool is_srgb; /* decoded when sampled, encoded when rendered to */
};

/* The row of a format; null for AEROGPU_FORMAT_INVALID and for unknown numbers. It is also null for extension
 * formats (aerogpu/abi/ext.h), which only the executor knows. */
const struct ag_format_info *ag_format_info(uint32_t format);

/* All rows, ascending by number. */
const struct ag_format_info *ag_format_table(size_t *count);

/* Converts one pixel of an uncompressed colour format to RGBA8: 5- and 6-bit channels by bit replication, X8
 * alpha as 255, without sRGB conversion. (Spec: ABI 3.) */
void ag_format_unpack_rgba8(const struct ag_format_info *format, const void *from, uint8_t rgba[4]);

/* Converts RGBA8 to one pixel: 5- and 6-bit channels by truncation, 1-bit alpha is 1 from 0x80 on, X8 is
 * 0xFF. */
void ag_format_pack_rgba8(const struct ag_format_info *format, const uint8_t rgba[4], void *to);

/* ---- Packed texture layout (spec: ABI 8.1) ------------------------------------------------------------- */

#define AG_MAX_MIPS 32u

/* The dimensions that determine where texels are. Extension formats are allowed. */
struct ag_texture_shape {
    uint32_t width, height; /* pixels */
    uint32_t mip_levels, array_layers;
    /* The row pitch of mip 0; 0 means without padding. A texture with guest backing needs a pitch, which the
     * caller checks. */
    uint32_t row_pitch_bytes;
    uint32_t bytes_per_unit;
    uint32_t block_width, block_height; /* of a unit, in pixels */
    /* Slices of a volume, which has one array layer; 0: the texture is no volume. */
    uint32_t depth;
    /* Slice pitch of mip 0 of a volume; 0: slices follow without padding. */
    uint32_t depth_pitch_bytes;
};

/* Where one mip is. Its slices are array layers, or the depth slices of a volume. */
struct ag_mip_layout {
    uint32_t width, height; /* pixels */
    uint32_t row_bytes;     /* a row of units, without padding */
    uint32_t pitch_bytes;   /* from row to row */
    uint32_t rows;          /* of units */
    uint32_t slices;        /* 1, or the depth of a volume */
    uint64_t slice_bytes;   /* pitch_bytes * rows, and any padding between slices */
    uint64_t offset;        /* from the start of the array layer */
    uint64_t size_bytes;    /* of all slices */
};

struct ag_texture_layout {
    struct ag_mip_layout mips[AG_MAX_MIPS];
    uint32_t mip_levels, array_layers;
    bool is_volume;
    uint64_t layer_size_bytes;
    uint64_t size_bytes; /* all layers */
};

enum ag_layout_problem {
    AG_LAYOUT_OK,
    AG_LAYOUT_EMPTY,         /* width, height, mip_levels or array_layers is 0 */
    AG_LAYOUT_MIP_COUNT,     /* more mips than down to 1x1 */
    AG_LAYOUT_PITCH,         /* row_pitch_bytes is below a row's bytes */
    AG_LAYOUT_DEPTH_PITCH,   /* depth_pitch_bytes is below the bytes of a slice */
    AG_LAYOUT_VOLUME_LAYERS, /* a volume with layers */
    AG_LAYOUT_OVERFLOW,      /* a row does not fit 32 bits, or the whole does not fit 64 */
};

/* Computes where the subresources of a texture are: array layers outside, mips inside, without padding
 * between them. Only with AG_LAYOUT_OK is *layout valid; all sums and products in it then fit their types. */
enum ag_layout_problem ag_texture_layout_init(struct ag_texture_layout *layout,
                                              const struct ag_texture_shape *shape);

/* The number of mips down to 1x1x1; `depth` is 0 or 1 for a texture that is no volume. */
uint32_t ag_full_mip_count(uint32_t width, uint32_t height, uint32_t depth);

/* A phrase for a diagnostic: "the row pitch is below the bytes of a row". */
const char *ag_layout_problem_text(enum ag_layout_problem problem);

/* The offset of a slice of a mip, which must exist. A subresource's number in D3D11 is mip + layer *
 * mip_levels. */
uint64_t ag_texture_layout_offset(const struct ag_texture_layout *layout, uint32_t mip, uint32_t slice);

/* Finds the slice that contains a byte of the texture, and the byte's offset in the slice; false beyond the
 * end. */
bool ag_texture_layout_locate(const struct ag_texture_layout *layout, uint64_t offset, uint32_t *mip,
                              uint32_t *slice, uint64_t *offset_in_slice);

#endif
