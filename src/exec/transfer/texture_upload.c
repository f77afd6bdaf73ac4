/* SPDX-License-Identifier: MIT */
#include "exec/transfer/texture_upload.h"

#include <stdlib.h>

#include "abi/texture_layout.h"
#include "aerogpu/diag.h"
#include "base/bytes.h"
#include "exec/blit/depth_write.h"
#include "exec/blit/partial_upload.h"
#include "exec/blit/texture_sync.h"
#include "exec/host/host.h"
#include "exec/host/progress.h"
#include "exec/host/report.h"
#include "exec/object/texture.h"
#include "exec/record/encoder.h"
#include "exec/record/pass.h"
#include "exec/record/recorder.h"
#include "exec/record/throttle.h"
#include "exec/record/upload_ring.h"
#include "exec/transfer/copier.h"
#include "exec/transfer/texture_blocks.h"
#include "format/format.h"
#include "gpu/gpu.h"
#include "gpu/webgpu.h"

bool ag_texture_upload_begin(struct ag_copier *copier, const struct ag_texture *texture, uint64_t row_bytes,
                             uint32_t rows, struct ag_texture_upload *upload)
{
    struct ag_upload_slice slice;
    *upload = (struct ag_texture_upload){.staged = ag_recorder_in_use(copier->recorder, &texture->resource)};
    upload->pitch = upload->staged ? ag_align_up(row_bytes, 256) : row_bytes;
    if (upload->staged) {
        if (!ag_upload_ring_alloc(copier->recorder, upload->pitch * rows, &slice))
            return false;
        upload->bytes = slice.bytes;
        upload->buffer = slice.gpu;
        upload->offset = slice.offset;
        return true;
    }
    upload->bytes = malloc((size_t)(row_bytes * rows));
    if (!upload->bytes)
        ag_host_no_memory(copier->host);
    return upload->bytes != NULL;
}

void ag_texture_upload_end(struct ag_copier *copier, struct ag_texture *texture, uint32_t mip,
                           const WGPUOrigin3D *origin, const WGPUExtent3D *extent,
                           struct ag_texture_upload *upload)
{
    const uint32_t rows = extent->height / (texture->blocks ? 1 : texture->format->block_height);
    const WGPUTexelCopyTextureInfo destination = {
        .texture = texture->gpu, .mipLevel = mip, .origin = *origin, .aspect = WGPUTextureAspect_All};
    const WGPUTexelCopyBufferLayout layout = {
        .offset = upload->offset, .bytesPerRow = (uint32_t)upload->pitch, .rowsPerImage = rows};
    if (upload->staged) {
        const WGPUTexelCopyBufferInfo source = {.buffer = upload->buffer, .layout = layout};
        ag_gpu_copy_to_texture(copier->host->gpu,
                               ag_recorder_upload_encoder(copier->recorder, &texture->resource), &source,
                               &destination, extent);
        return;
    }
    ag_throttle_add_upload(copier->recorder, upload->pitch * rows);
    wgpuQueueWriteTexture(ag_gpu_writer(copier->host->gpu), &destination, upload->bytes,
                          (size_t)(upload->pitch * rows), &layout, extent);
    free(upload->bytes);
}

/* Whether the queue takes the guest's rows as they are. */
static bool is_taken_as_it_is(const struct ag_copier *copier, const struct ag_texture *texture,
                              const struct ag_unit_rect *rect, uint64_t guest_pitch)
{
    const struct ag_host_format *format = texture->format;
    const uint64_t row_bytes = (uint64_t)rect->width * format->bytes;
    return format->conversion == AG_CONVERT_NONE && format->host_bytes == format->bytes &&
           (rect->height == 1 || (guest_pitch >= row_bytes && guest_pitch < WGPU_COPY_STRIDE_UNDEFINED)) &&
           !ag_recorder_in_use(copier->recorder, &texture->resource);
}

static void queue_rect(const struct ag_copier *copier, const struct ag_texture *texture,
                       const struct ag_unit_rect *rect, const WGPUOrigin3D *origin,
                       const WGPUExtent3D *extent, const uint8_t *guest, uint64_t guest_pitch)
{
    const uint64_t row_bytes = (uint64_t)rect->width * texture->format->bytes;
    const uint64_t pitch = rect->height > 1 ? guest_pitch : row_bytes;
    const WGPUTexelCopyTextureInfo destination = {
        .texture = texture->gpu, .mipLevel = rect->mip, .origin = *origin, .aspect = WGPUTextureAspect_All};
    const WGPUTexelCopyBufferLayout layout = {.bytesPerRow = (uint32_t)pitch, .rowsPerImage = rect->height};
    ag_throttle_add_upload(copier->recorder, row_bytes * rect->height);
    wgpuQueueWriteTexture(ag_gpu_writer(copier->host->gpu), &destination, guest,
                          (size_t)(pitch * (rect->height - 1) + row_bytes), &layout, extent);
}

static bool write_rect(struct ag_copier *copier, struct ag_texture *texture, const struct ag_unit_rect *rect,
                       const uint8_t *guest, uint64_t guest_pitch)
{
    const struct ag_host_format *format = texture->format;
    if (ag_host_format_has(format, AG_FORMAT_DEPTH))
        return ag_depth_write(copier->blitter, texture, rect, guest, guest_pitch);
    const WGPUOrigin3D origin = {rect->x * format->block_width, rect->y * format->block_height, rect->slice};
    const WGPUExtent3D extent = {rect->width * format->block_width, rect->height * format->block_height, 1};
    if (is_taken_as_it_is(copier, texture, rect, guest_pitch)) {
        queue_rect(copier, texture, rect, &origin, &extent, guest, guest_pitch);
        return true;
    }
    struct ag_texture_upload upload;
    if (!ag_texture_upload_begin(copier, texture, (uint64_t)rect->width * format->host_bytes, rect->height,
                                 &upload))
        return false;
    for (uint32_t row = 0; row < rect->height; row++)
        ag_host_format_expand_row(format, guest + row * guest_pitch, upload.bytes + row * upload.pitch,
                                  rect->width);
    ag_texture_upload_end(copier, texture, rect->mip, &origin, &extent, &upload);
    return true;
}

/* Uploads bytes [begin, end) of one texel or block, whose other bytes stay. */
static bool write_part(struct ag_copier *copier, struct ag_texture *texture, uint32_t mip,
                       const WGPUOrigin3D *origin, uint32_t begin, uint32_t end, const uint8_t *data)
{
    if (!ag_host_format_has(texture->format, AG_FORMAT_DEPTH))
        return ag_texture_partial_upload(copier->blitter, texture, mip, origin, begin, end, data);
    ag_host_report(copier->host, AGPU_DIAG_EXEC_UNSUPPORTED, AGPU_ERROR,
                   "writing a part of a depth texel is not supported; it stays as it is");
    return true;
}

/* Uploads bytes [begin, end) of one row of texels or blocks. */
static bool write_partial_row(struct ag_copier *copier, struct ag_texture *texture, uint32_t mip,
                              uint32_t slice, uint32_t row, uint64_t begin, uint64_t end, const uint8_t *data)
{
    const struct ag_mip_layout *layout = &texture->layout.mips[mip];
    const uint32_t unit = texture->format->bytes;
    if (end > layout->row_bytes)
        end = layout->row_bytes;
    while (begin < end) { /* bytes behind row_bytes are padding */
        uint32_t number = (uint32_t)(begin / unit), first = (uint32_t)(begin % unit);
        uint64_t left = end - begin, whole = first ? 0 : left / unit * unit;
        uint32_t part = left < unit - first ? (uint32_t)left : unit - first;
        const struct ag_unit_rect rect = {mip, slice, number, row, (uint32_t)(whole / unit), 1};
        const WGPUOrigin3D origin = {number * texture->format->block_width,
                                     row * texture->format->block_height, slice};
        if (!(whole ? write_rect(copier, texture, &rect, data, 0)
                    : write_part(copier, texture, mip, &origin, first, first + part, data)))
            return false;
        begin += whole ? whole : part;
        data += whole ? whole : part;
    }
    return true;
}

/* Uploads bytes [begin, end) of a slice in packed layout. */
static bool write_slice(struct ag_copier *copier, struct ag_texture *texture, uint32_t mip, uint32_t slice,
                        uint64_t begin, uint64_t end, const uint8_t *data)
{
    const struct ag_mip_layout *layout = &texture->layout.mips[mip];
    uint64_t pitch = layout->pitch_bytes, at = begin;
    if (end > pitch * layout->rows) /* the bytes reach into the padding between slices */
        end = pitch * layout->rows;
    while (at < end) {
        uint32_t row = (uint32_t)(at / pitch);
        uint64_t column = at % pitch, row_start = row * pitch;
        uint64_t whole_rows = column == 0 ? (end - at) / pitch : 0;
        /* The last row is whole even without its padding. */
        if (column == 0 && row + whole_rows < layout->rows && (end - at) % pitch >= layout->row_bytes)
            whole_rows++;
        if (whole_rows) {
            const struct ag_unit_rect rect = {
                mip, slice, 0, row, layout->row_bytes / texture->format->bytes, (uint32_t)whole_rows};
            if (!write_rect(copier, texture, &rect, data + (at - begin), pitch))
                return false;
            at = row_start + whole_rows * pitch;
            continue;
        }
        uint64_t row_end = row_start + pitch < end ? row_start + pitch : end;
        if (!write_partial_row(copier, texture, mip, slice, row, column, row_end - row_start,
                               data + (at - begin)))
            return false;
        at = row_end;
    }
    return true;
}

bool ag_texture_write(struct ag_copier *copier, struct ag_texture *texture, uint64_t offset,
                      const uint8_t *data, uint64_t size)
{
    uint64_t at = offset, end = offset + size;
    if (size == 0)
        return true;
    copier->host->counts.upload_bytes += size;
    ag_pass_settle(copier->recorder, texture);
    ag_texture_sync(copier->blitter, texture);
    if (texture->blocks) {
        ag_texture_written(texture);
        return ag_texture_write_blocks(copier, texture, offset, data, size);
    }
    while (at < end) {
        uint32_t mip, slice;
        uint64_t begin;
        if (!ag_texture_layout_locate(&texture->layout, at, &mip, &slice, &begin))
            return true;
        uint64_t rest = texture->layout.mips[mip].slice_bytes - begin;
        uint64_t step = rest < end - at ? rest : end - at;
        if (!write_slice(copier, texture, mip, slice, begin, begin + step, data + (at - offset)))
            return false;
        at += step;
    }
    ag_texture_written(texture);
    return true;
}

/* What is converted is a quarter of what is copied, and the host's texels may have more bytes. */
#define CONVERTED_PART_BYTES (AG_PART_UPLOADED_BYTES / 4)
/* A block that is decoded has 64 bytes of texels. */
#define DECODED_PART_BYTES (UINT64_C(32) << 10)

uint64_t ag_texture_part_bytes(const struct ag_texture *texture)
{
    const struct ag_host_format *format = texture->format;
    if (texture->blocks)
        return DECODED_PART_BYTES;
    /* WebGPU alone copies these, and takes half as long again for smaller parts (docs/performance.md). */
    if (format->conversion == AG_CONVERT_NONE && format->host_bytes == format->bytes)
        return AG_PART_BYTES;
    return CONVERTED_PART_BYTES * format->bytes / format->host_bytes;
}

uint64_t ag_texture_part(const struct ag_texture *texture, uint64_t offset, uint64_t size)
{
    const uint64_t most = ag_texture_part_bytes(texture);
    uint64_t part = 0;
    for (uint32_t n = 0; n < AG_PART_PASSES && part < size && part < most; n++) {
        uint32_t mip, slice;
        uint64_t begin;
        if (!ag_texture_layout_locate(&texture->layout, offset + part, &mip, &slice, &begin))
            return size;
        const struct ag_mip_layout *const layout = &texture->layout.mips[mip];
        const uint64_t pitch = layout->pitch_bytes;
        uint64_t end = (begin + most - part) / pitch * pitch;
        if (end <= begin)
            end = (begin / pitch + 1) * pitch;
        part += ag_lesser(end, layout->slice_bytes) - begin;
    }
    return ag_lesser(part, size);
}

static bool write_block_rows(struct ag_copier *copier, struct ag_texture *texture,
                             const struct ag_unit_rect *rect, const uint8_t *data, uint64_t pitch)
{
    const struct ag_mip_layout *layout = &texture->layout.mips[rect->mip];
    uint64_t start = ag_texture_layout_offset(&texture->layout, rect->mip, rect->slice);
    for (uint32_t row = 0; row < rect->height; row++)
        if (!ag_texture_write_blocks(copier, texture,
                                     start + (rect->y + row) * (uint64_t)layout->pitch_bytes +
                                         (uint64_t)rect->x * texture->format->bytes,
                                     data + row * pitch, (uint64_t)rect->width * texture->format->bytes))
            return false;
    return true;
}

bool ag_texture_write_rect(struct ag_copier *copier, struct ag_texture *texture,
                           const struct ag_unit_rect *rect, const uint8_t *data, uint64_t pitch)
{
    copier->host->counts.upload_bytes += (uint64_t)rect->width * rect->height * texture->format->bytes;
    ag_pass_settle(copier->recorder, texture);
    ag_texture_sync(copier->blitter, texture);
    bool done = texture->blocks ? write_block_rows(copier, texture, rect, data, pitch)
                                : write_rect(copier, texture, rect, data, pitch);
    ag_texture_written(texture);
    return done;
}
