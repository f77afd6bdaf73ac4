/* SPDX-License-Identifier: MIT */
#include "exec/blit/texture_recode.h"

#include "base/bytes.h"
#include "exec/blit/blitter.h"
#include "exec/blit/texel_codec.h"
#include "exec/host/host.h"
#include "exec/record/encoder.h"
#include "format/format.h"
#include "gpu/gpu.h"
#include "gpu/webgpu.h"

#define STRIP_BYTES (UINT64_C(16) << 20) /* below every device's maxStorageBufferBindingSize */

static bool make_rows(struct ag_blitter *blitter, uint64_t row_bytes, uint32_t rows,
                      struct ag_texel_rows *made)
{
    const uint64_t pitch = ag_align_up(row_bytes, 256), size = pitch * rows;
    *made = (struct ag_texel_rows){
        .buffer = ag_recorder_scratch_buffer(
            blitter->recorder, size,
            WGPUBufferUsage_CopySrc | WGPUBufferUsage_CopyDst | WGPUBufferUsage_Storage, "recoded texels"),
        .size = size,
        .pitch = (uint32_t)pitch,
    };
    return made->buffer != NULL;
}

static WGPUTexelCopyBufferInfo buffer_info(const struct ag_texel_rows *rows, uint32_t count)
{
    return (WGPUTexelCopyBufferInfo){
        .buffer = rows->buffer, .layout = {.bytesPerRow = rows->pitch, .rowsPerImage = count}
    };
}

static WGPUTexelCopyTextureInfo texture_info(const struct ag_recoded_side *side)
{
    return (WGPUTexelCopyTextureInfo){
        .texture = side->gpu, .mipLevel = side->mip, .origin = side->origin, .aspect = WGPUTextureAspect_All};
}

/* Converts *bytes, if the host keeps others than the guest's, and lets *bytes be the result. */
static bool recode(struct ag_blitter *blitter, const struct ag_host_format *format, bool expands,
                   uint32_t width, uint32_t rows, struct ag_texel_rows *bytes)
{
    if (format->conversion != AG_CONVERT_FLOATS && format->conversion != AG_CONVERT_HALVES &&
        format->conversion != AG_CONVERT_THREE)
        return true;
    const struct ag_texel_rows from = *bytes;
    const uint64_t row_bytes = (uint64_t)width * (expands ? format->host_bytes : format->bytes);
    return make_rows(blitter, row_bytes, rows, bytes) &&
           ag_texel_codec_record(blitter, format, expands, &from, bytes, width, rows);
}

static WGPUExtent3D extent_of(const struct ag_host_format *format, uint32_t columns, uint32_t rows)
{
    return (WGPUExtent3D){columns * format->block_width, rows * format->block_height, 1};
}

static bool recode_strip(struct ag_blitter *blitter, const struct ag_recoded_side *to,
                         const struct ag_recoded_side *from, uint32_t columns, uint32_t rows)
{
    const WGPUExtent3D from_extent = extent_of(from->format, columns, rows);
    const WGPUExtent3D to_extent = extent_of(to->format, columns, rows);
    struct ag_texel_rows bytes;
    if (!make_rows(blitter, (uint64_t)columns * from->format->host_bytes, rows, &bytes))
        return false;
    const WGPUTexelCopyTextureInfo source = texture_info(from), destination = texture_info(to);
    const WGPUTexelCopyBufferInfo read = buffer_info(&bytes, rows);
    ag_gpu_copy_to_buffer(blitter->host->gpu, ag_recorder_encoder(blitter->recorder), &source, &read,
                          &from_extent);
    if (!recode(blitter, from->format, false, columns, rows, &bytes) ||
        !recode(blitter, to->format, true, columns, rows, &bytes))
        return false;
    const WGPUTexelCopyBufferInfo written = buffer_info(&bytes, rows);
    ag_gpu_copy_to_texture(blitter->host->gpu, ag_recorder_encoder(blitter->recorder), &written, &destination,
                           &to_extent);
    return true;
}

bool ag_texture_recode(struct ag_blitter *blitter, const struct ag_recoded_side *to,
                       const struct ag_recoded_side *from, uint32_t width, uint32_t height)
{
    const uint32_t across = from->format->block_width, down = from->format->block_height;
    const uint32_t columns = (width + across - 1) / across, rows = (height + down - 1) / down;
    const uint32_t texel =
        from->format->host_bytes > to->format->host_bytes ? from->format->host_bytes : to->format->host_bytes;
    const uint64_t fitting = STRIP_BYTES / ag_align_up((uint64_t)columns * texel, 256);
    const uint32_t step = fitting ? (uint32_t)fitting : 1;
    for (uint32_t row = 0; row < rows; row += step) {
        struct ag_recoded_side source = *from, destination = *to;
        source.origin.y += row * down;
        destination.origin.y += row * to->format->block_height;
        if (!recode_strip(blitter, &destination, &source, columns, rows - row < step ? rows - row : step))
            return false;
    }
    return true;
}
