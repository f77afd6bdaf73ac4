/* SPDX-License-Identifier: MIT */
#include "exec/transfer/copy.h"

#include <inttypes.h>
#include <string.h>

#include "abi/texture_layout.h"
#include "aerogpu/abi/cmd.h"
#include "aerogpu/diag.h"
#include "base/bytes.h"
#include "exec/blit/depth_write.h"
#include "exec/blit/texture_convert.h"
#include "exec/blit/texture_plane.h"
#include "exec/blit/texture_recode.h"
#include "exec/host/guest_memory.h"
#include "exec/host/host.h"
#include "exec/host/progress.h"
#include "exec/host/refused_handle.h"
#include "exec/host/report.h"
#include "exec/object/handle.h"
#include "exec/object/resource.h"
#include "exec/object/texture.h"
#include "exec/object/texture_desc.h"
#include "exec/record/encoder.h"
#include "exec/record/recorder.h"
#include "exec/record/throttle.h"
#include "exec/record/upload_ring.h"
#include "exec/transfer/copier.h"
#include "exec/transfer/copy_formats.h"
#include "exec/transfer/texture_blocks.h"
#include "exec/transfer/texture_pull.h"
#include "exec/transfer/texture_upload.h"
#include "exec/transfer/write_back.h"
#include "format/format.h"
#include "gpu/gpu.h"
#include "gpu/readback.h"
#include "gpu/webgpu.h"

enum agpu_status ag_copy_check_flags(struct ag_copier *copier, uint32_t flags)
{
    if (flags & ~(uint32_t)AEROGPU_COPY_FLAG_WRITEBACK_DST)
        return ag_host_fail(copier->host, AGPU_DIAG_EXEC_ARGUMENT, "unknown copy flags 0x%" PRIx32, flags);
    return AGPU_OK;
}

enum agpu_status ag_copy_check_write_back(struct ag_copier *copier, const struct ag_resource *destination,
                                          uint64_t offset, uint64_t size, uint64_t *gpa)
{
    if (destination->backing.alloc_id == 0)
        return ag_host_fail(copier->host, AGPU_DIAG_EXEC_ALLOCATION,
                            "a write-back needs a destination with guest memory, resource %" PRIu32
                            " has none",
                            destination->handle);
    if (!ag_guest_resolve(copier->host, destination->backing.alloc_id, destination->backing.offset + offset,
                          size, true, gpa))
        return AGPU_REFUSED;
    return AGPU_OK;
}

/* ---- Textures ----------------------------------------------------------------------------------------- */

static enum agpu_status check_side(struct ag_copier *copier, const struct ag_copy_side *side, uint32_t width,
                                   uint32_t height, const char *name)
{
    const struct ag_texture *texture = side->texture;
    const uint32_t block_width = texture->format->block_width, block_height = texture->format->block_height;
    if (side->mip >= texture->mips || side->slice >= ag_texture_slices(texture, side->mip))
        return ag_host_drop(copier->host, AGPU_DIAG_EXEC_RANGE,
                            "the %s has no mip %" PRIu32 " of layer %" PRIu32, name, side->mip, side->slice);
    uint32_t mip_width = ag_mip_size(texture->width, side->mip);
    uint32_t mip_height = ag_mip_size(texture->height, side->mip);
    if (!ag_range_fits(side->x, width, ag_end_of_blocks(mip_width, block_width)) ||
        !ag_range_fits(side->y, height, ag_end_of_blocks(mip_height, block_height)))
        return ag_host_drop(copier->host, AGPU_DIAG_EXEC_RANGE,
                            "%" PRIu32 "x%" PRIu32 " texels at %" PRIu32 ", %" PRIu32
                            " leave the %s's %" PRIu32 "x%" PRIu32,
                            width, height, side->x, side->y, name, mip_width, mip_height);
    if (side->x % block_width || side->y % block_height)
        return ag_host_drop(copier->host, AGPU_DIAG_EXEC_ARGUMENT,
                            "the %s's rectangle cuts through blocks of %" PRIu32 "x%" PRIu32 " texels", name,
                            block_width, block_height);
    return AGPU_OK;
}

/* Whether the rectangle ends at the end of a block or of the subresource. */
static bool ends_blocks(const struct ag_copy_side *side, uint32_t width, uint32_t height)
{
    const struct ag_host_format *format = side->texture->format;
    return (width % format->block_width == 0 ||
            side->x + width == ag_mip_size(side->texture->width, side->mip)) &&
           (height % format->block_height == 0 ||
            side->y + height == ag_mip_size(side->texture->height, side->mip));
}

static enum agpu_status check_texture_copy(struct ag_copier *copier,
                                           const struct aerogpu_cmd_copy_texture2d *copy,
                                           const struct ag_copy_side *destination,
                                           const struct ag_copy_side *source)
{
    if (!destination->texture || !source->texture)
        return ag_host_drop_handle(copier->host, AG_SPACE_RESOURCES,
                                   destination->texture ? copy->src_texture : copy->dst_texture,
                                   "handle %" PRIu32 " names no texture",
                                   destination->texture ? copy->src_texture : copy->dst_texture);
    if (destination->texture->sample_count > 1 || source->texture->sample_count > 1)
        return ag_host_drop(copier->host, AGPU_DIAG_EXEC_ARGUMENT,
                            "the ABI's copies are of textures with one sample");
    if (destination->texture->format->block_width != source->texture->format->block_width)
        return ag_host_drop(copier->host, AGPU_DIAG_EXEC_FORMAT,
                            "the ABI's copies are not between blocks and texels");
    enum agpu_status status = ag_copy_check_formats(copier, destination->texture, source->texture);
    if (status == AGPU_OK)
        status = check_side(copier, destination, copy->width, copy->height, "destination");
    if (status == AGPU_OK)
        status = check_side(copier, source, copy->width, copy->height, "source");
    if (status == AGPU_OK && !ends_blocks(source, copy->width, copy->height) &&
        !ends_blocks(destination, copy->width, copy->height))
        return ag_host_drop(copier->host, AGPU_DIAG_EXEC_ARGUMENT,
                            "the rectangle ends inside blocks of %" PRIu32 "x%" PRIu32 " texels",
                            source->texture->format->block_width, source->texture->format->block_height);
    return status;
}

/* WebGPU copies depth only in whole mips. */
static enum agpu_status check_depth_copy(struct ag_copier *copier,
                                         const struct aerogpu_cmd_copy_texture2d *copy,
                                         const struct ag_copy_side *destination,
                                         const struct ag_copy_side *source)
{
    if (!ag_host_format_has(source->texture->format, AG_FORMAT_DEPTH) &&
        !ag_host_format_has(destination->texture->format, AG_FORMAT_DEPTH))
        return AGPU_OK;
    if (copy->width == ag_mip_size(source->texture->width, source->mip) &&
        copy->height == ag_mip_size(source->texture->height, source->mip) &&
        copy->width == ag_mip_size(destination->texture->width, destination->mip) &&
        copy->height == ag_mip_size(destination->texture->height, destination->mip))
        return AGPU_OK;
    return ag_host_drop(copier->host, AGPU_DIAG_EXEC_ARGUMENT,
                        "a copy of a part of a depth texture is not supported");
}

static uint64_t guest_offset(const struct ag_copy_side *side)
{
    const struct ag_host_format *format = side->texture->format;
    const struct ag_mip_layout *layout = &side->texture->layout.mips[side->mip];
    return ag_texture_layout_offset(&side->texture->layout, side->mip, side->slice) +
           (uint64_t)(side->y / format->block_height) * layout->pitch_bytes +
           (uint64_t)(side->x / format->block_width) * format->bytes;
}

static WGPUTexelCopyTextureInfo copy_info(const struct ag_copy_side *side)
{
    WGPUTexelCopyTextureInfo info = ag_texture_place(side->texture, side->mip, side->slice);
    info.origin.x = side->x;
    info.origin.y = side->y;
    return info;
}

static uint32_t units(uint32_t texels, uint32_t block)
{
    return (texels + block - 1) / block;
}

/* Copies blocks between two textures whose blocks the CPU keeps. */
static void copy_blocks(const struct ag_copy_side *destination, const struct ag_copy_side *source,
                        uint32_t width, uint32_t height)
{
    const struct ag_host_format *format = source->texture->format;
    uint64_t to_pitch = destination->texture->layout.mips[destination->mip].pitch_bytes;
    uint64_t from_pitch = source->texture->layout.mips[source->mip].pitch_bytes;
    uint8_t *to = destination->texture->blocks + guest_offset(destination);
    const uint8_t *from = source->texture->blocks + guest_offset(source);
    size_t bytes = (size_t)units(width, format->block_width) * format->bytes;
    const uint32_t rows = units(height, format->block_height);
    for (uint32_t n = 0; n < rows; n++) {
        const uint32_t row = to > from ? rows - 1 - n : n; /* rectangles of one subresource may overlap */
        memmove(to + row * to_pitch, from + row * from_pitch, bytes);
    }
}

/* The extent of a copy for WebGPU: whole blocks, or texels when the blocks are decoded. */
static WGPUExtent3D copy_extent(const struct ag_texture *texture, uint32_t width, uint32_t height)
{
    const uint32_t block_width = texture->blocks ? 1 : texture->format->block_width;
    const uint32_t block_height = texture->blocks ? 1 : texture->format->block_height;
    return (WGPUExtent3D){units(width, block_width) * block_width, units(height, block_height) * block_height,
                          1};
}

/* The texels of the blocks of a rectangle that are inside the subresource. */
static WGPUExtent3D texels_of_blocks(const struct ag_copy_side *side, uint32_t width, uint32_t height)
{
    const struct ag_host_format *format = side->texture->format;
    const struct ag_mip_layout *mip = &side->texture->layout.mips[side->mip];
    const uint64_t across = ag_end_of_blocks(width, format->block_width),
                   down = ag_end_of_blocks(height, format->block_height);
    return (WGPUExtent3D){
        side->x + across > mip->width ? mip->width - side->x : (uint32_t)across,
        side->y + down > mip->height ? mip->height - side->y : (uint32_t)down,
        1,
    };
}

static void copy_texels(struct ag_copier *copier, const struct ag_copy_side *destination,
                        const struct ag_copy_side *source, uint32_t width, uint32_t height)
{
    const WGPUExtent3D extent = source->texture->blocks ? texels_of_blocks(source, width, height)
                                                        : copy_extent(source->texture, width, height);
    WGPUTexelCopyTextureInfo from = copy_info(source), to = copy_info(destination);
    for (uint32_t i = 0; i < ag_texture_plane_count(source->texture); i++) {
        from.texture = ag_texture_plane_place(source->texture, source->mip, source->slice, i).texture;
        to.texture =
            ag_texture_plane_place(destination->texture, destination->mip, destination->slice, i).texture;
        wgpuCommandEncoderCopyTextureToTexture(ag_recorder_encoder(copier->recorder), &from, &to, &extent);
    }
    if (source->texture->blocks)
        copy_blocks(destination, source, width, height);
}

/* The extent of a copy at the destination, for WebGPU. In a copy between a block-compressed format and
 * another one, a block is one texel of the other format. */
static WGPUExtent3D moved_extent(const struct ag_texture *to, const struct ag_texture *from, uint32_t width,
                                 uint32_t height)
{
    return copy_extent(to, ag_texels_moved(width, to->format->block_width, from->format->block_width),
                       ag_texels_moved(height, to->format->block_height, from->format->block_height));
}

/* Copies blocks and decodes them. */
static bool copy_decoded_blocks(struct ag_copier *copier, const struct ag_copy_side *destination,
                                const struct ag_copy_side *source, uint32_t width, uint32_t height)
{
    const struct ag_host_format *format = source->texture->format;
    const uint64_t pitch = destination->texture->layout.mips[destination->mip].pitch_bytes;
    const uint64_t row_bytes = (uint64_t)units(width, format->block_width) * format->bytes;
    copy_blocks(destination, source, width, height);
    return ag_texture_upload_blocks(copier, destination->texture, guest_offset(destination),
                                    (units(height, format->block_height) - 1) * pitch + row_bytes);
}

/* Uploads blocks that the CPU keeps into a texture whose blocks WebGPU takes. */
static bool upload_blocks(struct ag_copier *copier, const struct ag_copy_side *destination,
                          const struct ag_copy_side *source, uint32_t width, uint32_t height)
{
    const struct ag_host_format *format = source->texture->format;
    uint64_t from_pitch = source->texture->layout.mips[source->mip].pitch_bytes;
    const uint8_t *from = source->texture->blocks + guest_offset(source);
    uint32_t rows = units(height, format->block_height);
    size_t bytes = (size_t)units(width, format->block_width) * format->bytes;
    struct ag_texture_upload upload;
    if (!ag_texture_upload_begin(copier, destination->texture, bytes, rows, &upload))
        return false;
    for (uint32_t row = 0; row < rows; row++)
        memcpy(upload.bytes + row * upload.pitch, from + row * from_pitch, bytes);
    const WGPUOrigin3D origin = {destination->x, destination->y, destination->slice};
    const WGPUExtent3D extent = moved_extent(destination->texture, source->texture, width, height);
    ag_texture_upload_end(copier, destination->texture, destination->mip, &origin, &extent, &upload);
    return true;
}

/* Writes back blocks that the CPU keeps, with their contents at this point of the stream. */
static struct ag_write_back *write_back_blocks(struct ag_copier *copier, const struct ag_copy_side *side,
                                               uint32_t width, uint32_t height)
{
    const struct ag_host_format *format = side->texture->format;
    uint64_t pitch = side->texture->layout.mips[side->mip].pitch_bytes;
    uint32_t columns = units(width, format->block_width), rows = units(height, format->block_height);
    size_t bytes = (size_t)columns * format->bytes;
    struct ag_upload_slice slice;
    if (!ag_upload_ring_alloc(copier->recorder, bytes * rows, &slice))
        return NULL;
    struct ag_write_back *write_back = ag_write_back_add(copier, AG_WRITE_BACK_TEXTURE, bytes * rows);
    if (!write_back)
        return NULL;
    for (uint32_t row = 0; row < rows; row++)
        memcpy(slice.bytes + row * bytes, side->texture->blocks + guest_offset(side) + row * pitch, bytes);
    write_back->width = columns;
    write_back->height = rows;
    write_back->host_pitch = (uint32_t)bytes;
    wgpuCommandEncoderCopyBufferToBuffer(ag_recorder_encoder(copier->recorder), slice.gpu, slice.offset,
                                         ag_readback_buffer(write_back->readback), 0, bytes * rows);
    return write_back;
}

static uint64_t read_pitch(const struct ag_texture *texture, uint32_t columns)
{
    return ag_align_up((uint64_t)columns * texture->format->host_bytes, 256);
}

static struct ag_write_back *write_back_texture(struct ag_copier *copier,
                                                const struct ag_copy_reading *reading)
{
    const struct ag_copy_side *side = &reading->side;
    const struct ag_host_format *format = side->texture->format;
    WGPUExtent3D extent = copy_extent(side->texture, reading->width, reading->height);
    const uint32_t columns = extent.width / format->block_width, rows = extent.height / format->block_height;
    const uint64_t pitch = read_pitch(side->texture, columns);
    extent.depthOrArrayLayers = reading->slices;
    struct ag_write_back *write_back =
        ag_write_back_add(copier, AG_WRITE_BACK_TEXTURE, pitch * rows * reading->slices);
    if (!write_back)
        return NULL;
    write_back->width = columns;
    write_back->height = rows;
    write_back->slices = reading->slices;
    write_back->host_pitch = (uint32_t)pitch;
    const WGPUTexelCopyTextureInfo from = copy_info(side);
    const WGPUTexelCopyBufferInfo to = {
        .buffer = ag_readback_buffer(write_back->readback),
        .layout = {.bytesPerRow = (uint32_t)pitch, .rowsPerImage = rows},
    };
    ag_gpu_copy_to_buffer(copier->host->gpu, ag_recorder_encoder(copier->recorder), &from, &to, &extent);
    return write_back;
}

static bool is_depth(const struct ag_texture *texture)
{
    return ag_host_format_has(texture->format, AG_FORMAT_DEPTH);
}

uint32_t ag_copy_rows_at_once(const struct ag_texture *texture, uint32_t width, uint32_t rows)
{
    const uint64_t pitch = read_pitch(texture, units(width, texture->format->block_width));
    const uint64_t most = pitch < AG_PART_BYTES ? AG_PART_BYTES / pitch : 1;
    return is_depth(texture) || rows < most ? rows : (uint32_t)most;
}

uint32_t ag_copy_slices_at_once(const struct ag_texture *texture, uint32_t width, uint32_t rows)
{
    const uint64_t bytes = read_pitch(texture, units(width, texture->format->block_width)) * rows;
    return is_depth(texture) || texture->blocks || bytes > AG_PART_BYTES ? 1
                                                                         : (uint32_t)(AG_PART_BYTES / bytes);
}

static bool copy_depth(struct ag_copier *copier, struct ag_texture *texture,
                       const WGPUTexelCopyTextureInfo *place, const WGPUTexelCopyBufferInfo *to,
                       const WGPUExtent3D *extent)
{
    WGPUTexelCopyTextureInfo from = *place;
    from.aspect = WGPUTextureAspect_DepthOnly;
    if (!ag_depth_is_copied(copier->host, texture)) {
        const struct ag_texture *depth = ag_texture_depth(copier->blitter, texture);
        if (!depth)
            return false;
        from.texture = depth->gpu;
        from.aspect = WGPUTextureAspect_All;
    }
    ag_gpu_copy_to_buffer(copier->host->gpu, ag_recorder_encoder(copier->recorder), &from, to, extent);
    return true;
}

/* Reads a whole mip back, since WebGPU copies depth only in whole mips, and writes a rectangle of it to
 * the guest. */
static struct ag_write_back *read_depth(struct ag_copier *copier, const struct ag_copy_side *side,
                                        uint32_t width, uint32_t height)
{
    const struct ag_host_format *format = side->texture->format;
    const struct ag_mip_layout *layout = &side->texture->layout.mips[side->mip];
    const WGPUExtent3D whole = {layout->width, layout->height, 1};
    const struct ag_copy_side corner = {side->texture, side->mip, side->slice, 0, 0};
    bool stencil = ag_host_format_has(format, AG_FORMAT_STENCIL);
    uint64_t pitch = ag_align_up((uint64_t)layout->width * format->host_bytes, 256);
    uint64_t planes = pitch * layout->height, stencil_pitch = stencil ? ag_align_up(layout->width, 256) : 0;
    struct ag_write_back *write_back =
        ag_write_back_add(copier, AG_WRITE_BACK_TEXTURE, planes + stencil_pitch * layout->height);
    if (!write_back)
        return NULL;
    write_back->width = width;
    write_back->height = height;
    write_back->host_pitch = (uint32_t)pitch;
    write_back->skipped = side->y * pitch + side->x * (uint64_t)format->host_bytes;
    write_back->stencil_pitch = (uint32_t)stencil_pitch;
    write_back->stencil_offset = planes + side->y * stencil_pitch + side->x;
    WGPUTexelCopyTextureInfo from = copy_info(&corner);
    WGPUTexelCopyBufferInfo to = {
        .buffer = ag_readback_buffer(write_back->readback),
        .layout = {.bytesPerRow = (uint32_t)pitch, .rowsPerImage = layout->height},
    };
    if (!copy_depth(copier, side->texture, &from, &to, &whole))
        return NULL;
    if (!stencil)
        return write_back;
    from.aspect = WGPUTextureAspect_StencilOnly;
    to.layout.offset = planes;
    to.layout.bytesPerRow = (uint32_t)stencil_pitch;
    ag_gpu_copy_to_buffer(copier->host->gpu, ag_recorder_encoder(copier->recorder), &from, &to, &whole);
    return write_back;
}

enum agpu_status ag_copy_check_rect(struct ag_copier *copier, const struct ag_copy_side *side, uint32_t width,
                                    uint32_t height, uint64_t *gpa)
{
    const struct ag_host_format *format = side->texture->format;
    uint64_t rows = units(height, format->block_height),
             row = (uint64_t)units(width, format->block_width) * format->bytes;
    uint64_t size = (rows - 1) * side->texture->layout.mips[side->mip].pitch_bytes + row;
    return ag_copy_check_write_back(copier, &side->texture->resource, guest_offset(side), size, gpa);
}

/* ---- Copies of rectangles ----------------------------------------------------------------------------- */

static bool is_same_slice(const struct ag_copy_side *a, const struct ag_copy_side *b)
{
    return a->texture == b->texture && a->mip == b->mip &&
           (a->texture->dimension == AG_TEXTURE_3D || a->slice == b->slice);
}

/* Whether the copy has to go through a buffer. WebGPU's copies between textures are not within one
 * subresource, and their formats may differ only in sRGB. */
static bool needs_bytes(const struct ag_copy_side *destination, const struct ag_copy_side *source)
{
    const struct ag_host_format *to = destination->texture->format, *from = source->texture->format;
    return is_same_slice(destination, source) ||
           (to->texture != from->texture &&
            (!to->srgb_counterpart || ag_host_format(to->srgb_counterpart)->texture != from->texture));
}

static bool is_decoded(const struct ag_copy_side *side)
{
    return side->texture->blocks != NULL;
}

/* Whether blocks that the CPU keeps are decoded anew: WebGPU copies no texels within one subresource, and the
 * blocks may have more texels on one side than on the other. */
static bool needs_decoding(const struct ag_copy_side *destination, const struct ag_copy_side *source,
                           uint32_t width, uint32_t height)
{
    const WGPUExtent3D to = texels_of_blocks(destination, width, height),
                       from = texels_of_blocks(source, width, height);
    return is_same_slice(destination, source) || to.width != from.width || to.height != from.height;
}

/* Copies through a buffer, when the host keeps the same bytes on both sides. */
static bool copy_bytes(struct ag_copier *copier, const struct ag_copy_side *destination,
                       const struct ag_copy_side *source, uint32_t width, uint32_t height)
{
    const struct ag_host_format *format = source->texture->format;
    const WGPUExtent3D from_extent = copy_extent(source->texture, width, height);
    const WGPUExtent3D to_extent = moved_extent(destination->texture, source->texture, width, height);
    uint32_t rows = units(height, format->block_height);
    uint64_t pitch = ag_align_up((uint64_t)units(width, format->block_width) * format->host_bytes, 256);
    WGPUBuffer buffer = ag_recorder_scratch_buffer(
        copier->recorder, pitch * rows, WGPUBufferUsage_CopySrc | WGPUBufferUsage_CopyDst, "copied blocks");
    if (!buffer)
        return false;
    const WGPUTexelCopyBufferInfo between = {
        .buffer = buffer, .layout = {.bytesPerRow = (uint32_t)pitch, .rowsPerImage = rows}
    };
    const WGPUTexelCopyTextureInfo from = copy_info(source), to = copy_info(destination);
    ag_gpu_copy_to_buffer(copier->host->gpu, ag_recorder_encoder(copier->recorder), &from, &between,
                          &from_extent);
    ag_gpu_copy_to_texture(copier->host->gpu, ag_recorder_encoder(copier->recorder), &between, &to,
                           &to_extent);
    return true;
}

/* Whether bits of colour become depth of 32 bits, into which WebGPU copies nothing. */
static bool becomes_depth(const struct ag_copy_side *destination, const struct ag_copy_side *source)
{
    return ag_host_format_has(destination->texture->format, AG_FORMAT_DEPTH_FLOAT) &&
           !ag_host_format_has(source->texture->format, AG_FORMAT_DEPTH);
}

static bool is_recoded(const struct ag_host_format *format)
{
    return format->conversion == AG_CONVERT_FLOATS || format->conversion == AG_CONVERT_THREE;
}

/* Whether the host keeps other bytes on one side than on the other. */
static bool needs_recoding(const struct ag_copy_side *destination, const struct ag_copy_side *source)
{
    const struct ag_host_format *to = destination->texture->format, *from = source->texture->format;
    return to != from && (is_recoded(to) || is_recoded(from));
}

static bool recode(struct ag_copier *copier, const struct ag_copy_side *destination,
                   const struct ag_copy_side *source, uint32_t width, uint32_t height)
{
    const struct ag_recoded_side to = {
        destination->texture->format,
        destination->texture->gpu,
        destination->mip,
        {destination->x, destination->y, destination->slice}
    };
    const struct ag_recoded_side from = {
        source->texture->format, source->texture->gpu, source->mip, {source->x, source->y, source->slice}
    };
    return ag_texture_recode(copier->blitter, &to, &from, width, height);
}

static enum agpu_status copy_rect(struct ag_copier *copier, const struct ag_copy_side *destination,
                                  const struct ag_copy_side *source, uint32_t width, uint32_t height)
{
    const struct ag_texel_rect to = {destination->texture, destination->mip, destination->slice,
                                     destination->x, destination->y};
    const struct ag_texel_rect from = {source->texture, source->mip, source->slice, source->x, source->y};
    bool done = true;
    ag_throttle_add_commands(copier->recorder, AG_PASS_COMMANDS);
    ag_throttle_add_texels(copier->recorder, (uint64_t)width * height);
    if (is_decoded(source) && !is_decoded(destination))
        done = upload_blocks(copier, destination, source, width, height);
    else if (source->texture->widened != destination->texture->widened)
        done = ag_texture_convert(copier->blitter, &to, &from, width, height);
    else if (is_decoded(source) && needs_decoding(destination, source, width, height))
        done = copy_decoded_blocks(copier, destination, source, width, height);
    else if (becomes_depth(destination, source))
        done = ag_depth_copy(copier->blitter, &to, &from);
    else if (needs_recoding(destination, source))
        done = recode(copier, destination, source, width, height);
    else if (needs_bytes(destination, source) && !is_decoded(source))
        done = copy_bytes(copier, destination, source, width, height);
    else
        copy_texels(copier, destination, source, width, height);
    return done ? AGPU_OK : AGPU_NO_MEMORY;
}

/* Rows of texels in a strip: some parts of what is uploaded at once. */
#define PARTS_OF_STRIP 8

static uint32_t rows_of_strip(const struct ag_copy_side *source, const struct ag_copy_side *destination,
                              uint32_t width, uint32_t height)
{
    const struct ag_host_format *const format = source->texture->format;
    if (!is_decoded(source) && !is_decoded(destination))
        return height;
    const struct ag_texture *const decoded = is_decoded(source) ? source->texture : destination->texture;
    const uint64_t row_bytes = (uint64_t)units(width, format->block_width) * format->bytes;
    const uint64_t rows = PARTS_OF_STRIP * ag_texture_part_bytes(decoded) / row_bytes;
    const uint64_t texels = (rows ? rows : 1) * format->block_height;
    return texels < height ? (uint32_t)texels : height;
}

uint32_t ag_copy_strips(const struct ag_copy_side *source, const struct ag_copy_side *destination,
                        uint32_t width, uint32_t height)
{
    return units(height, rows_of_strip(source, destination, width, height));
}

enum agpu_status ag_copy_strip(struct ag_copier *copier, const struct ag_copy_side *destination,
                               const struct ag_copy_side *source, uint32_t width, uint32_t height,
                               uint32_t number)
{
    const uint32_t rows = rows_of_strip(source, destination, width, height);
    const bool backwards = is_same_slice(destination, source) && destination->y > source->y; /* may overlap */
    const uint32_t y = (backwards ? units(height, rows) - 1 - number : number) * rows;
    struct ag_copy_side to = *destination, from = *source;
    from.y += y;
    to.y += y / source->texture->format->block_height * destination->texture->format->block_height;
    return copy_rect(copier, &to, &from, width, height - y < rows ? height - y : rows);
}

enum agpu_status ag_copy_read_texels(struct ag_copier *copier, const struct ag_copy_reading *reading)
{
    const struct ag_texture *texture = reading->side.texture;
    struct ag_write_back *write_back;
    if (texture->blocks)
        write_back = write_back_blocks(copier, &reading->side, reading->width, reading->height);
    else if (is_depth(texture))
        write_back = read_depth(copier, &reading->side, reading->width, reading->height);
    else
        write_back = write_back_texture(copier, reading);
    if (!write_back)
        return AGPU_NO_MEMORY;
    write_back->format = texture->format;
    write_back->gpa = reading->gpa;
    write_back->guest_pitch = reading->pitch;
    write_back->guest_slice_pitch = reading->slice_pitch;
    return AGPU_OK;
}

enum agpu_status ag_copy_texture(struct ag_copier *copier, const struct aerogpu_cmd_copy_texture2d *copy,
                                 struct ag_progress *progress)
{
    const struct ag_copy_side destination = {ag_handle_texture(copier->objects, copy->dst_texture),
                                             copy->dst_mip_level, copy->dst_array_layer, copy->dst_x,
                                             copy->dst_y};
    const struct ag_copy_side source = {ag_handle_texture(copier->objects, copy->src_texture),
                                        copy->src_mip_level, copy->src_array_layer, copy->src_x, copy->src_y};
    bool write_back = (copy->flags & AEROGPU_COPY_FLAG_WRITEBACK_DST) != 0;
    uint64_t gpa = 0;
    enum agpu_status status = ag_copy_check_flags(copier, copy->flags);
    if (status == AGPU_OK && (copy->width == 0 || copy->height == 0))
        return AGPU_OK;
    if (status == AGPU_OK)
        status = check_texture_copy(copier, copy, &destination, &source);
    if (status == AGPU_OK)
        status = check_depth_copy(copier, copy, &destination, &source);
    if (status == AGPU_OK && write_back)
        status = ag_copy_check_rect(copier, &destination, copy->width, copy->height, &gpa);
    if (status != AGPU_OK)
        return status;
    if (!ag_texture_use(copier, source.texture) || !ag_texture_use(copier, destination.texture))
        return AGPU_REFUSED;
    copier->host->counts.copies += ag_progress_is_new(progress);
    if (!is_same_slice(&destination, &source) || destination.slice != source.slice ||
        destination.x != source.x || destination.y != source.y) {
        status =
            ag_copy_strip(copier, &destination, &source, copy->width, copy->height, (uint32_t)progress->done);
        if (status == AGPU_OK &&
            progress->done + 1 < ag_copy_strips(&source, &destination, copy->width, copy->height))
            ag_progress_pause(progress, progress->done + 1);
    }
    if (status != AGPU_OK)
        return status;
    ag_texture_written(destination.texture);
    if (progress->more)
        return AGPU_OK;
    if (!write_back)
        return AGPU_OK;
    const struct ag_copy_reading reading = {
        .side = destination,
        .width = copy->width,
        .height = copy->height,
        .slices = 1,
        .gpa = gpa,
        .pitch = destination.texture->layout.mips[destination.mip].pitch_bytes,
    };
    return ag_copy_read_texels(copier, &reading);
}
