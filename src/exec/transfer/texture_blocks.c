/* SPDX-License-Identifier: MIT */
#include "exec/transfer/texture_blocks.h"

#include <string.h>

#include "abi/texture_layout.h"
#include "exec/object/texture.h"
#include "exec/transfer/copier.h"
#include "exec/transfer/texture_upload.h"
#include "format/bc.h"
#include "format/format.h"
#include "gpu/webgpu.h"

/* Decodes a row of blocks to `rows` rows of texels. */
static void decode_row(const struct ag_texture *texture, const uint8_t *blocks, uint32_t width, uint32_t rows,
                       uint8_t *texels, uint64_t pitch)
{
    uint8_t decoded[AG_BC_TEXELS_BYTES];
    const uint32_t across = texture->format->block_width;
    for (uint32_t x = 0; x < width; x += across) {
        const size_t bytes = (width - x < across ? width - x : across) * (size_t)4;
        ag_bc_decode(texture->format, blocks + x / across * (size_t)texture->format->bytes, decoded);
        for (uint32_t y = 0; y < rows; y++)
            memcpy(texels + y * pitch + x * (size_t)4, decoded + 16 * (size_t)y, bytes);
    }
}

/* Decodes and uploads rows [begin, end) of blocks. */
static bool upload_rows(struct ag_copier *copier, struct ag_texture *texture, uint32_t mip, uint32_t slice,
                        uint32_t begin, uint32_t end)
{
    const struct ag_mip_layout *layout = &texture->layout.mips[mip];
    const uint8_t *blocks = texture->blocks + ag_texture_layout_offset(&texture->layout, mip, slice);
    const uint32_t down = texture->format->block_height, first = begin * down;
    const uint32_t last = end * down < layout->height ? end * down : layout->height;
    struct ag_texture_upload upload;
    if (!ag_texture_upload_begin(copier, texture, layout->width * UINT64_C(4), last - first, &upload))
        return false;
    for (uint32_t row = begin; row < end; row++) {
        const uint32_t y = row * down, rows = layout->height - y < down ? layout->height - y : down;
        decode_row(texture, blocks + row * (uint64_t)layout->pitch_bytes, layout->width, rows,
                   upload.bytes + (y - first) * upload.pitch, upload.pitch);
    }
    const WGPUOrigin3D origin = {0, first, slice};
    const WGPUExtent3D extent = {layout->width, last - first, 1};
    ag_texture_upload_end(copier, texture, mip, &origin, &extent, &upload);
    return true;
}

bool ag_texture_write_blocks(struct ag_copier *copier, struct ag_texture *texture, uint64_t offset,
                             const uint8_t *data, uint64_t size)
{
    memcpy(texture->blocks + offset, data, (size_t)size);
    return ag_texture_upload_blocks(copier, texture, offset, size);
}

bool ag_texture_upload_blocks(struct ag_copier *copier, struct ag_texture *texture, uint64_t offset,
                              uint64_t size)
{
    uint64_t at = offset, end = offset + size, begin;
    uint32_t mip, slice;
    while (at < end && ag_texture_layout_locate(&texture->layout, at, &mip, &slice, &begin)) {
        const struct ag_mip_layout *layout = &texture->layout.mips[mip];
        uint64_t rest = layout->slice_bytes - begin, step = rest < end - at ? rest : end - at;
        uint64_t first = begin / layout->pitch_bytes, last = (begin + step - 1) / layout->pitch_bytes + 1;
        if (last > layout->rows) /* the bytes reach into the padding between slices */
            last = layout->rows;
        if (first < last && !upload_rows(copier, texture, mip, slice, (uint32_t)first, (uint32_t)last))
            return false;
        at += step;
    }
    return true;
}
