/* SPDX-License-Identifier: MIT */
#include "abi/texture_layout.h"

#include "base/bytes.h"

static uint32_t mip_extent(uint32_t extent, uint32_t mip)
{
    const uint32_t shifted = extent >> mip;
    return shifted > 0 ? shifted : 1;
}

uint32_t ag_full_mip_count(uint32_t width, uint32_t height, uint32_t depth)
{
    uint32_t count = 0, most = width > height ? width : height;
    for (uint32_t extent = most > depth ? most : depth; extent > 0; extent >>= 1)
        count++;
    return count;
}

static uint64_t units(uint32_t pixels, uint32_t block_size)
{
    return ((uint64_t)pixels + block_size - 1) / block_size;
}

static enum ag_layout_problem init_mip(struct ag_mip_layout *mip, const struct ag_texture_shape *shape,
                                       uint32_t level)
{
    mip->width = mip_extent(shape->width, level);
    mip->height = mip_extent(shape->height, level);
    const uint64_t row_bytes = units(mip->width, shape->block_width) * shape->bytes_per_unit;
    if (row_bytes > UINT32_MAX)
        return AG_LAYOUT_OVERFLOW;
    mip->row_bytes = (uint32_t)row_bytes;
    mip->pitch_bytes = mip->row_bytes;
    mip->rows = (uint32_t)units(mip->height, shape->block_height);
    if (level == 0 && shape->row_pitch_bytes != 0) {
        if (shape->row_pitch_bytes < mip->row_bytes)
            return AG_LAYOUT_PITCH;
        mip->pitch_bytes = shape->row_pitch_bytes;
    }
    mip->slices = shape->depth ? mip_extent(shape->depth, level) : 1;
    mip->slice_bytes = (uint64_t)mip->pitch_bytes * mip->rows;
    if (level == 0 && shape->depth != 0 && shape->depth_pitch_bytes != 0) {
        if (shape->depth_pitch_bytes < mip->slice_bytes)
            return AG_LAYOUT_DEPTH_PITCH;
        mip->slice_bytes = shape->depth_pitch_bytes;
    }
    if (!ag_mul_u64(mip->slice_bytes, mip->slices, &mip->size_bytes))
        return AG_LAYOUT_OVERFLOW;
    return AG_LAYOUT_OK;
}

enum ag_layout_problem ag_texture_layout_init(struct ag_texture_layout *layout,
                                              const struct ag_texture_shape *shape)
{
    if (shape->width == 0 || shape->height == 0 || shape->mip_levels == 0 || shape->array_layers == 0)
        return AG_LAYOUT_EMPTY;
    if (shape->mip_levels > ag_full_mip_count(shape->width, shape->height, shape->depth))
        return AG_LAYOUT_MIP_COUNT;
    if (shape->depth != 0 && shape->array_layers != 1)
        return AG_LAYOUT_VOLUME_LAYERS;
    layout->is_volume = shape->depth != 0;
    layout->mip_levels = shape->mip_levels;
    layout->array_layers = shape->array_layers;
    uint64_t offset = 0;
    for (uint32_t level = 0; level < shape->mip_levels; level++) {
        struct ag_mip_layout *mip = &layout->mips[level];
        const enum ag_layout_problem problem = init_mip(mip, shape, level);
        if (problem != AG_LAYOUT_OK)
            return problem;
        mip->offset = offset;
        if (!ag_add_u64(offset, mip->size_bytes, &offset))
            return AG_LAYOUT_OVERFLOW;
    }
    layout->layer_size_bytes = offset;
    if (!ag_mul_u64(offset, shape->array_layers, &layout->size_bytes))
        return AG_LAYOUT_OVERFLOW;
    return AG_LAYOUT_OK;
}

const char *ag_layout_problem_text(enum ag_layout_problem problem)
{
    switch (problem) {
    case AG_LAYOUT_OK:
        return "the layout is valid";
    case AG_LAYOUT_EMPTY:
        return "width, height, mip levels or array layers are 0";
    case AG_LAYOUT_MIP_COUNT:
        return "there are more mip levels than down to 1x1";
    case AG_LAYOUT_PITCH:
        return "the row pitch is below the bytes of a row";
    case AG_LAYOUT_DEPTH_PITCH:
        return "the depth pitch is below the bytes of a slice";
    case AG_LAYOUT_VOLUME_LAYERS:
        return "a volume has one layer";
    case AG_LAYOUT_OVERFLOW:
        return "the size of the texture overflows";
    }
    return "the layout is invalid";
}

uint64_t ag_texture_layout_offset(const struct ag_texture_layout *layout, uint32_t mip, uint32_t slice)
{
    const struct ag_mip_layout *at = &layout->mips[mip];
    return slice * (layout->is_volume ? at->slice_bytes : layout->layer_size_bytes) + at->offset;
}

bool ag_texture_layout_locate(const struct ag_texture_layout *layout, uint64_t offset, uint32_t *mip,
                              uint32_t *slice, uint64_t *offset_in_slice)
{
    if (offset >= layout->size_bytes)
        return false;
    const uint64_t in_layer = offset % layout->layer_size_bytes;
    uint32_t level = layout->mip_levels - 1;
    while (layout->mips[level].offset > in_layer)
        level--;
    const uint64_t in_mip = in_layer - layout->mips[level].offset;
    *mip = level;
    *slice = (uint32_t)(layout->is_volume ? in_mip / layout->mips[level].slice_bytes
                                          : offset / layout->layer_size_bytes);
    *offset_in_slice = layout->is_volume ? in_mip % layout->mips[level].slice_bytes : in_mip;
    return true;
}
