/* SPDX-License-Identifier: MIT
 *
 * The packed layout of texture bytes in guest memory (spec: ABI 8.1).
 */
#ifndef AG_ABI_TEXTURE_LAYOUT_H
#define AG_ABI_TEXTURE_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#define AG_MAX_MIPS 32u

/* What a layout is computed from; extension formats included. */
struct ag_texture_shape {
    uint32_t width, height; /* pixels */
    uint32_t mip_levels, array_layers;
    uint32_t row_pitch_bytes; /* of mip 0; 0: tight. A backed texture needs one: the caller's check */
    uint32_t bytes_per_unit;
    uint32_t block_width, block_height; /* of a unit, in pixels */
    uint32_t depth;                     /* slices of a volume, which has one layer; 0: it is none */
    uint32_t depth_pitch_bytes;         /* of mip 0 of a volume; 0: the rows follow each other */
};

/* A slice is what has rows: a layer of an array, or one of the slices of a volume. */
struct ag_mip_layout {
    uint32_t width, height; /* pixels */
    uint32_t row_bytes;     /* a row of units, without padding */
    uint32_t pitch_bytes;   /* from row to row */
    uint32_t rows;          /* of units */
    uint32_t slices;        /* 1, or of the volume */
    uint64_t slice_bytes;   /* pitch_bytes * rows, and what lies between slices */
    uint64_t offset;        /* from the start of its layer */
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

/* Lays a texture out: layers outside, mips inside, no padding between subresources. The layout is only valid
 * with AG_LAYOUT_OK; every sum and product in it is then known to fit. */
enum ag_layout_problem ag_texture_layout_init(struct ag_texture_layout *layout,
                                              const struct ag_texture_shape *shape);

/* Levels down to one texel; `depth` is 0 or 1 where there are no slices. */
uint32_t ag_full_mip_count(uint32_t width, uint32_t height, uint32_t depth);

/* A phrase for a diagnostic: "the row pitch is below the bytes of a row". */
const char *ag_layout_problem_text(enum ag_layout_problem problem);

/* First byte of a slice of a mip, which must exist. The number of a subresource in D3D11 is
 * mip + layer * mip_levels. */
uint64_t ag_texture_layout_offset(const struct ag_texture_layout *layout, uint32_t mip, uint32_t slice);

/* The slice that holds a byte of the texture, and the byte's offset in it; false past the end. */
bool ag_texture_layout_locate(const struct ag_texture_layout *layout, uint64_t offset, uint32_t *mip,
                              uint32_t *slice, uint64_t *offset_in_slice);

#endif
