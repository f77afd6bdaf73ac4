/* SPDX-License-Identifier: MIT */
#include "exec/copy.h"

#include <inttypes.h>
#include <string.h>

#include "base/bytes.h"
#include "exec/exec.h"

static enum agpu_status check_flags(struct agpu_exec *exec, uint32_t flags)
{
    if (flags & ~(uint32_t)AEROGPU_COPY_FLAG_WRITEBACK_DST)
        return agpu_exec_fail(exec, AGPU_DIAG_EXEC_ARGUMENT, "unknown copy flags 0x%" PRIx32, flags);
    return AGPU_OK;
}

static enum agpu_status check_write_back(struct agpu_exec *exec, const struct agpu_resource *destination,
                                         uint64_t offset, uint64_t size, uint64_t *gpa)
{
    if (destination->backing.alloc_id == 0)
        return agpu_exec_fail(exec, AGPU_DIAG_EXEC_ALLOCATION,
                              "a write-back needs a destination with guest memory, resource %" PRIu32
                              " has none",
                              destination->handle);
    if (!agpu_guest_resolve(exec, destination->backing.alloc_id, destination->backing.offset + offset, size,
                            true, gpa))
        return AGPU_REFUSED;
    return AGPU_OK;
}

/* ---- Buffers ------------------------------------------------------------------------------------------ */

static enum agpu_status check_buffer_copy(struct agpu_exec *exec, const struct aerogpu_cmd_copy_buffer *copy,
                                          const struct agpu_buffer *destination,
                                          const struct agpu_buffer *source)
{
    if (!destination || !source)
        return agpu_exec_fail(exec, AGPU_DIAG_EXEC_HANDLE, "handle %" PRIu32 " names no buffer",
                              destination ? copy->src_buffer : copy->dst_buffer);
    if (destination == source)
        return agpu_exec_fail(exec, AGPU_DIAG_EXEC_ARGUMENT, "a buffer cannot be copied onto itself");
    if ((copy->dst_offset_bytes | copy->src_offset_bytes | copy->size_bytes) % 4 != 0)
        return agpu_exec_fail(exec, AGPU_DIAG_EXEC_ARGUMENT, "offsets and size of a copy are multiples of 4");
    if (!agpu_range_fits(copy->dst_offset_bytes, copy->size_bytes, destination->size) ||
        !agpu_range_fits(copy->src_offset_bytes, copy->size_bytes, source->size))
        return agpu_exec_fail(exec, AGPU_DIAG_EXEC_RANGE,
                              "a copy of %" PRIu64 " bytes from %" PRIu64 " to %" PRIu64
                              " leaves its buffers of %" PRIu64 " and %" PRIu64 " bytes",
                              copy->size_bytes, copy->src_offset_bytes, copy->dst_offset_bytes, source->size,
                              destination->size);
    return AGPU_OK;
}

static enum agpu_status write_back_buffer(struct agpu_exec *exec, struct agpu_buffer *destination,
                                          uint64_t offset, uint64_t size, uint64_t gpa)
{
    struct agpu_transfer *transfer = agpu_job_add_transfer(exec, AGPU_TRANSFER_BUFFER, size);
    if (!transfer)
        return AGPU_NO_MEMORY;
    transfer->gpa = gpa;
    wgpuCommandEncoderCopyBufferToBuffer(agpu_exec_encoder(exec), destination->gpu, offset,
                                         agpu_readback_buffer(transfer->readback), 0, size);
    return AGPU_OK;
}

enum agpu_status agpu_copy_buffer(struct agpu_exec *exec, const struct aerogpu_cmd_copy_buffer *copy)
{
    struct agpu_buffer *destination = agpu_handle_buffer(exec, copy->dst_buffer);
    struct agpu_buffer *source = agpu_handle_buffer(exec, copy->src_buffer);
    bool write_back = (copy->flags & AEROGPU_COPY_FLAG_WRITEBACK_DST) != 0;
    uint64_t gpa = 0;
    enum agpu_status status = check_flags(exec, copy->flags);
    if (status == AGPU_OK)
        status = check_buffer_copy(exec, copy, destination, source);
    if (status == AGPU_OK && write_back)
        status =
            check_write_back(exec, &destination->resource, copy->dst_offset_bytes, copy->size_bytes, &gpa);
    if (status != AGPU_OK || copy->size_bytes == 0)
        return status;
    const struct agpu_interval range = {copy->dst_offset_bytes, copy->dst_offset_bytes + copy->size_bytes};
    if (range.begin <= destination->guest_dirty.begin && range.end >= destination->guest_dirty.end)
        destination->guest_dirty = (struct agpu_interval){0, 0};
    if (!agpu_buffer_use(exec, source) || !agpu_buffer_use(exec, destination))
        return AGPU_REFUSED;
    wgpuCommandEncoderCopyBufferToBuffer(agpu_exec_encoder(exec), source->gpu, copy->src_offset_bytes,
                                         destination->gpu, copy->dst_offset_bytes, copy->size_bytes);
    agpu_buffer_copied(exec, destination, copy->dst_offset_bytes, source, copy->src_offset_bytes,
                       copy->size_bytes);
    exec->counts.copies++;
    if (write_back)
        return write_back_buffer(exec, destination, copy->dst_offset_bytes, copy->size_bytes, gpa);
    return AGPU_OK;
}

/* ---- Textures ----------------------------------------------------------------------------------------- */

/* One side of a copy: a rectangle in a subresource. */
struct side {
    struct agpu_texture *texture;
    uint32_t mip, layer, x, y;
};

static enum agpu_status check_side(struct agpu_exec *exec, const struct side *side, uint32_t width,
                                   uint32_t height, const char *name)
{
    const struct agpu_texture *texture = side->texture;
    uint32_t block = texture->format->block;
    if (side->mip >= texture->mips || side->layer >= texture->layers)
        return agpu_exec_fail(exec, AGPU_DIAG_EXEC_RANGE, "the %s has no mip %" PRIu32 " of layer %" PRIu32,
                              name, side->mip, side->layer);
    uint32_t mip_width = agpu_mip_size(texture->width, side->mip);
    uint32_t mip_height = agpu_mip_size(texture->height, side->mip);
    if (!agpu_range_fits(side->x, width, mip_width) || !agpu_range_fits(side->y, height, mip_height))
        return agpu_exec_fail(exec, AGPU_DIAG_EXEC_RANGE,
                              "%" PRIu32 "x%" PRIu32 " texels at %" PRIu32 ", %" PRIu32
                              " leave the %s's %" PRIu32 "x%" PRIu32,
                              width, height, side->x, side->y, name, mip_width, mip_height);
    if (side->x % block || side->y % block || (width % block && side->x + width != mip_width) ||
        (height % block && side->y + height != mip_height))
        return agpu_exec_fail(exec, AGPU_DIAG_EXEC_ARGUMENT,
                              "the %s's rectangle cuts through blocks of 4x4 texels", name);
    return AGPU_OK;
}

static enum agpu_status check_texture_copy(struct agpu_exec *exec,
                                           const struct aerogpu_cmd_copy_texture2d *copy,
                                           const struct side *destination, const struct side *source)
{
    if (!destination->texture || !source->texture)
        return agpu_exec_fail(exec, AGPU_DIAG_EXEC_HANDLE, "handle %" PRIu32 " names no texture",
                              destination->texture ? copy->src_texture : copy->dst_texture);
    if (destination->texture->dxgi != source->texture->dxgi)
        return agpu_exec_fail(exec, AGPU_DIAG_EXEC_FORMAT,
                              "a copy from %s to %s converts nothing and is refused",
                              source->texture->format->name, destination->texture->format->name);
    if (destination->texture->blocks && !source->texture->blocks)
        return agpu_exec_fail(exec, AGPU_DIAG_EXEC_UNSUPPORTED,
                              "a copy of blocks from a texture of whole blocks to one that has others is not "
                              "supported");
    enum agpu_status status = check_side(exec, destination, copy->width, copy->height, "destination");
    if (status == AGPU_OK)
        status = check_side(exec, source, copy->width, copy->height, "source");
    if (status == AGPU_OK && destination->texture == source->texture && destination->mip == source->mip &&
        destination->layer == source->layer)
        return agpu_exec_fail(exec, AGPU_DIAG_EXEC_ARGUMENT, "a subresource cannot be copied onto itself");
    return status;
}

/* WebGPU copies depth as a whole. */
static enum agpu_status check_depth_copy(struct agpu_exec *exec,
                                         const struct aerogpu_cmd_copy_texture2d *copy,
                                         const struct side *destination, const struct side *source)
{
    if (!agpu_host_format_has(source->texture->format, AGPU_FORMAT_DEPTH))
        return AGPU_OK;
    if (copy->flags & AEROGPU_COPY_FLAG_WRITEBACK_DST)
        return agpu_exec_fail(exec, AGPU_DIAG_EXEC_FORMAT, "depth textures cannot be written back");
    if (copy->width == agpu_mip_size(source->texture->width, source->mip) &&
        copy->height == agpu_mip_size(source->texture->height, source->mip) &&
        copy->width == agpu_mip_size(destination->texture->width, destination->mip) &&
        copy->height == agpu_mip_size(destination->texture->height, destination->mip))
        return AGPU_OK;
    return agpu_exec_fail(exec, AGPU_DIAG_EXEC_UNSUPPORTED,
                          "a copy of a part of a depth texture is not supported");
}

static uint64_t guest_offset(const struct side *side)
{
    const struct agpu_host_format *format = side->texture->format;
    const struct agpu_mip_layout *layout = &side->texture->layout.mips[side->mip];
    return agpu_texture_layout_offset(&side->texture->layout, side->mip, side->layer) +
           (uint64_t)(side->y / format->block) * layout->pitch_bytes +
           (uint64_t)(side->x / format->block) * format->bytes;
}

static WGPUTexelCopyTextureInfo copy_info(const struct side *side)
{
    return (WGPUTexelCopyTextureInfo){
        .texture = side->texture->gpu,
        .mipLevel = side->mip,
        .origin = {side->x, side->y, side->layer},
        .aspect = WGPUTextureAspect_All,
    };
}

static uint32_t units(uint32_t texels, uint32_t block)
{
    return (texels + block - 1) / block;
}

/* Blocks that the CPU keeps: from texture to texture. */
static void copy_blocks(const struct side *destination, const struct side *source, uint32_t width,
                        uint32_t height)
{
    const struct agpu_host_format *format = source->texture->format;
    uint64_t to_pitch = destination->texture->layout.mips[destination->mip].pitch_bytes;
    uint64_t from_pitch = source->texture->layout.mips[source->mip].pitch_bytes;
    uint8_t *to = destination->texture->blocks + guest_offset(destination);
    const uint8_t *from = source->texture->blocks + guest_offset(source);
    size_t bytes = (size_t)units(width, format->block) * format->bytes;
    for (uint32_t row = 0; row < units(height, format->block); row++)
        memcpy(to + row * to_pitch, from + row * from_pitch, bytes);
}

/* What WebGPU calls the size of a copy: whole blocks, or texels where they were decoded. */
static WGPUExtent3D copy_extent(const struct agpu_texture *texture, uint32_t width, uint32_t height)
{
    uint32_t block = texture->blocks ? 1 : texture->format->block;
    return (WGPUExtent3D){units(width, block) * block, units(height, block) * block, 1};
}

static void copy_texels(struct agpu_exec *exec, const struct side *destination, const struct side *source,
                        uint32_t width, uint32_t height)
{
    const WGPUExtent3D extent = copy_extent(source->texture, width, height);
    const WGPUTexelCopyTextureInfo from = copy_info(source), to = copy_info(destination);
    wgpuCommandEncoderCopyTextureToTexture(agpu_exec_encoder(exec), &from, &to, &extent);
    if (source->texture->blocks)
        copy_blocks(destination, source, width, height);
}

/* Blocks that the CPU keeps, into a texture that WebGPU takes as it is. */
static bool upload_blocks(struct agpu_exec *exec, const struct side *destination, const struct side *source,
                          uint32_t width, uint32_t height)
{
    const struct agpu_host_format *format = source->texture->format;
    uint64_t from_pitch = source->texture->layout.mips[source->mip].pitch_bytes;
    const uint8_t *from = source->texture->blocks + guest_offset(source);
    uint32_t rows = units(height, format->block);
    size_t bytes = (size_t)units(width, format->block) * format->bytes;
    struct agpu_texture_upload upload;
    if (!agpu_texture_upload_begin(exec, destination->texture, bytes, rows, &upload))
        return false;
    for (uint32_t row = 0; row < rows; row++)
        memcpy(upload.bytes + row * upload.pitch, from + row * from_pitch, bytes);
    const WGPUOrigin3D origin = {destination->x, destination->y, destination->layer};
    const WGPUExtent3D extent = copy_extent(destination->texture, width, height);
    agpu_texture_upload_end(exec, destination->texture, destination->mip, &origin, &extent, &upload);
    return true;
}

/* They leave for the guest as they are at this point of the stream. */
static enum agpu_status write_back_blocks(struct agpu_exec *exec, const struct side *side, uint32_t width,
                                          uint32_t height, uint64_t gpa)
{
    const struct agpu_host_format *format = side->texture->format;
    uint64_t pitch = side->texture->layout.mips[side->mip].pitch_bytes;
    uint32_t columns = units(width, format->block), rows = units(height, format->block);
    size_t bytes = (size_t)columns * format->bytes;
    struct agpu_ring_slice slice;
    if (!agpu_ring_alloc(exec, bytes * rows, &slice))
        return AGPU_NO_MEMORY;
    struct agpu_transfer *transfer = agpu_job_add_transfer(exec, AGPU_TRANSFER_TEXTURE, bytes * rows);
    if (!transfer)
        return AGPU_NO_MEMORY;
    for (uint32_t row = 0; row < rows; row++)
        memcpy(slice.bytes + row * bytes, side->texture->blocks + guest_offset(side) + row * pitch, bytes);
    transfer->format = format;
    transfer->width = columns;
    transfer->height = rows;
    transfer->host_pitch = (uint32_t)bytes;
    transfer->gpa = gpa;
    transfer->guest_pitch = pitch;
    wgpuCommandEncoderCopyBufferToBuffer(agpu_exec_encoder(exec), slice.gpu, slice.offset,
                                         agpu_readback_buffer(transfer->readback), 0, bytes * rows);
    return AGPU_OK;
}

static enum agpu_status write_back_texture(struct agpu_exec *exec, const struct side *side,
                                           const WGPUExtent3D *extent, uint64_t gpa)
{
    const struct agpu_host_format *format = side->texture->format;
    uint32_t width = extent->width / format->block, height = extent->height / format->block;
    uint64_t pitch = agpu_align_up((uint64_t)width * format->host_bytes, 256);
    struct agpu_transfer *transfer = agpu_job_add_transfer(exec, AGPU_TRANSFER_TEXTURE, pitch * height);
    if (!transfer)
        return AGPU_NO_MEMORY;
    transfer->format = format;
    transfer->width = width;
    transfer->height = height;
    transfer->host_pitch = (uint32_t)pitch;
    transfer->gpa = gpa;
    transfer->guest_pitch = side->texture->layout.mips[side->mip].pitch_bytes;
    const WGPUTexelCopyTextureInfo from = copy_info(side);
    const WGPUTexelCopyBufferInfo to = {
        .buffer = agpu_readback_buffer(transfer->readback),
        .layout = {.bytesPerRow = (uint32_t)pitch, .rowsPerImage = height},
    };
    wgpuCommandEncoderCopyTextureToBuffer(agpu_exec_encoder(exec), &from, &to, extent);
    return AGPU_OK;
}

static enum agpu_status check_texture_write_back(struct agpu_exec *exec, const struct side *side,
                                                 uint32_t width, uint32_t height, uint64_t *gpa)
{
    const struct agpu_host_format *format = side->texture->format;
    uint64_t rows = units(height, format->block), row = (uint64_t)units(width, format->block) * format->bytes;
    uint64_t size = (rows - 1) * side->texture->layout.mips[side->mip].pitch_bytes + row;
    return check_write_back(exec, &side->texture->resource, guest_offset(side), size, gpa);
}

enum agpu_status agpu_copy_texture(struct agpu_exec *exec, const struct aerogpu_cmd_copy_texture2d *copy)
{
    const struct side destination = {agpu_handle_texture(exec, copy->dst_texture), copy->dst_mip_level,
                                     copy->dst_array_layer, copy->dst_x, copy->dst_y};
    const struct side source = {agpu_handle_texture(exec, copy->src_texture), copy->src_mip_level,
                                copy->src_array_layer, copy->src_x, copy->src_y};
    bool write_back = (copy->flags & AEROGPU_COPY_FLAG_WRITEBACK_DST) != 0;
    uint64_t gpa = 0;
    enum agpu_status status = check_flags(exec, copy->flags);
    if (status == AGPU_OK && (copy->width == 0 || copy->height == 0))
        return AGPU_OK;
    if (status == AGPU_OK)
        status = check_texture_copy(exec, copy, &destination, &source);
    if (status == AGPU_OK)
        status = check_depth_copy(exec, copy, &destination, &source);
    if (status == AGPU_OK && write_back)
        status = check_texture_write_back(exec, &destination, copy->width, copy->height, &gpa);
    if (status != AGPU_OK)
        return status;
    if (!agpu_texture_use(exec, source.texture) || !agpu_texture_use(exec, destination.texture))
        return AGPU_REFUSED;
    exec->counts.copies++;
    if (source.texture->blocks && !destination.texture->blocks) {
        if (!upload_blocks(exec, &destination, &source, copy->width, copy->height))
            return AGPU_NO_MEMORY;
    } else if (source.texture->widened != destination.texture->widened) {
        const struct agpu_texel_rect to = {destination.texture, destination.mip, destination.layer,
                                           destination.x, destination.y};
        const struct agpu_texel_rect from = {source.texture, source.mip, source.layer, source.x, source.y};
        if (!agpu_texture_convert(exec, &to, &from, copy->width, copy->height))
            return AGPU_NO_MEMORY;
    } else {
        copy_texels(exec, &destination, &source, copy->width, copy->height);
    }
    agpu_texture_written(destination.texture);
    if (!write_back)
        return AGPU_OK;
    if (destination.texture->blocks)
        return write_back_blocks(exec, &destination, copy->width, copy->height, gpa);
    const WGPUExtent3D extent = copy_extent(destination.texture, copy->width, copy->height);
    return write_back_texture(exec, &destination, &extent, gpa);
}
