/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "exec/exec.h"

#define PULL_CHUNK_BYTES (UINT64_C(4) << 20)
#define MAX_WIDENED_TEXELS (UINT64_C(16) << 20)

uint32_t ag_mip_size(uint32_t size, uint32_t mip)
{
    uint32_t mip_size = mip < 32 ? size >> mip : 0;
    return mip_size ? mip_size : 1;
}

uint32_t ag_texture_slices(const struct ag_texture *texture, uint32_t mip)
{
    return texture->dimension == AG_TEXTURE_3D ? ag_mip_size(texture->depth, mip) : texture->layers;
}

WGPUTexelCopyTextureInfo ag_texture_place(const struct ag_texture *texture, uint32_t mip, uint32_t slice)
{
    return (WGPUTexelCopyTextureInfo){
        .texture = texture->slices ? texture->slices[slice] : texture->gpu,
        .mipLevel = mip,
        .origin = {0, 0, texture->slices ? 0 : slice},
        .aspect = WGPUTextureAspect_All,
    };
}

static WGPUTexture create_gpu(struct ag_exec *exec, const struct ag_texture *texture)
{
    const struct ag_host_format *format = texture->whole.format;
    const struct ag_host_format *counterpart =
        format->srgb_counterpart ? ag_host_format(format->srgb_counterpart) : NULL;
    WGPUTextureDescriptor descriptor = {
        .usage = WGPUTextureUsage_CopySrc | WGPUTextureUsage_CopyDst | WGPUTextureUsage_TextureBinding,
        .dimension = texture->dimension == AG_TEXTURE_3D ? WGPUTextureDimension_3D : WGPUTextureDimension_2D,
        .size = {texture->width, texture->height,
                 texture->sample_count > 1 ? 1 : ag_texture_slices(texture, 0)},
        .format = format->texture,
        .mipLevelCount = texture->mips,
        .sampleCount = ag_samples_host(texture->sample_count),
    };
    if (ag_host_format_has(format, AG_FORMAT_RENDERABLE) || texture->widened)
        descriptor.usage |= WGPUTextureUsage_RenderAttachment;
    if (counterpart) {
        descriptor.viewFormatCount = 1;
        descriptor.viewFormats = &counterpart->texture;
    }
    return wgpuDeviceCreateTexture(exec->device, &descriptor);
}

/* WebGPU has no arrays of multisampled textures: each slice is a texture. */
static bool create_textures(struct ag_exec *exec, struct ag_texture *texture)
{
    if (texture->sample_count == 1) {
        texture->gpu = create_gpu(exec, texture);
        return true;
    }
    texture->slices = calloc(texture->layers, sizeof *texture->slices);
    for (uint32_t i = 0; texture->slices && i < texture->layers; i++)
        texture->slices[i] = create_gpu(exec, texture);
    texture->gpu = texture->slices ? texture->slices[0] : NULL;
    return texture->slices != NULL;
}

static void release_textures(struct ag_texture *texture)
{
    for (uint32_t i = 0; texture->slices && i < texture->layers; i++)
        wgpuTextureRelease(texture->slices[i]);
    if (!texture->slices && texture->gpu)
        wgpuTextureRelease(texture->gpu);
    free(texture->slices);
    texture->slices = NULL;
    texture->gpu = NULL;
}

void ag_texture_retype(struct ag_exec *exec, struct ag_texture *texture, uint32_t dxgi)
{
    ag_view_fini(exec, &texture->whole);
    texture->host_dxgi = dxgi;
    texture->format = ag_host_format(dxgi);
    ag_view_init(&texture->whole, texture, dxgi);
    for (uint32_t i = 0; i < texture->layers; i++) {
        wgpuTextureRelease(texture->slices[i]);
        texture->slices[i] = create_gpu(exec, texture);
    }
    texture->gpu = texture->slices[0];
}

/* What was never written is 0, which WebGPU promises; lavapipe leaves slices of volumes behind the first as
 * memory was. */
static bool zero_volume(struct ag_exec *exec, const struct ag_texture *texture)
{
    const struct ag_host_format *format = texture->format;
    const struct ag_mip_layout *first = &texture->layout.mips[0];
    const size_t most = (size_t)first->rows * (first->row_bytes / format->bytes) * format->host_bytes;
    uint8_t *zeros = calloc(1, most);
    for (uint32_t mip = 0; zeros && mip < texture->mips; mip++) {
        const struct ag_mip_layout *layout = &texture->layout.mips[mip];
        const uint32_t pitch = layout->row_bytes / format->bytes * format->host_bytes;
        const WGPUTexelCopyBufferLayout lines = {.bytesPerRow = pitch, .rowsPerImage = layout->rows};
        const WGPUExtent3D extent = {(uint32_t)ag_align_up(layout->width, format->block_width),
                                     (uint32_t)ag_align_up(layout->height, format->block_height), 1};
        for (uint32_t slice = 0; slice < layout->slices; slice++) {
            const WGPUTexelCopyTextureInfo to = {
                .texture = texture->gpu,
                .mipLevel = mip,
                .origin = {0, 0, slice},
                .aspect = WGPUTextureAspect_All
            };
            wgpuQueueWriteTexture(exec->queue, &to, zeros, (size_t)pitch * layout->rows, &lines, &extent);
        }
    }
    free(zeros);
    return zeros != NULL;
}

/* Three components kept in four: what was never written has alpha 1, too. */
static void make_opaque(struct ag_exec *exec, struct ag_texture *texture)
{
    for (uint32_t mip = 0; mip < texture->mips; mip++) {
        for (uint32_t layer = 0; layer < ag_texture_slices(texture, mip); layer++) {
            const struct ag_pending_clear value = {
                .view = &texture->whole,
                .mip = mip,
                .layer = layer,
                .aspects = AG_CLEAR_ASPECT_COLOR,
                .color = {0, 0, 0, 1},
            };
            ag_pass_clear(exec, &value);
        }
    }
}

/* Eight bits are near to what shaders should see of five or six (D3D11.3 3.2.3.2), floats are it. Only for
 * what is not rendered to, since rounding and blending have to be those of UNORM, and not for the largest. */
static bool is_widened(const struct ag_exec *exec, const struct ag_texture_desc *desc)
{
    uint64_t texels = (uint64_t)desc->width * desc->height * (desc->depth ? desc->depth : desc->layers);
    return ag_host_format_widened(desc->dxgi) && !(desc->usage & AEROGPU_RESOURCE_USAGE_RENDER_TARGET) &&
           texels <= MAX_WIDENED_TEXELS && ag_exec_has(exec, AG_GPU_FEATURE_FLOAT32_FILTERABLE);
}

static void fill(const struct ag_exec *exec, const struct ag_texture_desc *desc, struct ag_texture *texture)
{
    texture->resource.usage = desc->usage;
    texture->resource.bind = desc->bind;
    texture->resource.misc = desc->misc;
    texture->abi_format = desc->abi_format;
    texture->dxgi = desc->dxgi;
    texture->host_dxgi = desc->host_dxgi ? desc->host_dxgi : desc->dxgi;
    texture->format = ag_host_format(texture->host_dxgi);
    texture->dimension = desc->dimension;
    texture->width = desc->width;
    texture->height = desc->height;
    texture->depth = desc->depth ? desc->depth : 1;
    texture->mips = desc->mips;
    texture->layers = desc->layers;
    texture->row_pitch = desc->row_pitch;
    texture->depth_pitch = desc->depth_pitch;
    texture->sample_count = desc->sample_count ? desc->sample_count : 1;
    texture->layout = desc->layout;
    texture->widened = is_widened(exec, desc);
    if (texture->widened)
        texture->format = ag_host_format(ag_host_format_widened(desc->dxgi));
}

struct ag_texture *ag_texture_create(struct ag_exec *exec, const struct ag_texture_desc *desc)
{
    struct ag_texture *texture = calloc(1, sizeof *texture);
    if (!texture)
        return NULL;
    texture->resource.kind = AG_RESOURCE_TEXTURE;
    fill(exec, desc, texture);
    if (desc->decoded) {
        texture->blocks = calloc(1, (size_t)desc->layout.size_bytes);
        if (!texture->blocks) {
            free(texture);
            return NULL;
        }
    }
    texture->version = 1;
    ag_view_init(&texture->whole, texture, texture->host_dxgi);
    if (!create_textures(exec, texture)) {
        ag_texture_destroy(exec, texture);
        return NULL;
    }
    bool zeroed = texture->blocks ? ag_texture_upload_blocks(exec, texture, 0, desc->layout.size_bytes)
                  : texture->dimension == AG_TEXTURE_3D ? zero_volume(exec, texture)
                                                        : true;
    if (!zeroed) {
        ag_texture_destroy(exec, texture);
        return NULL;
    }
    bool in_four = texture->widened || (texture->format->host_bytes == 4 &&
                                        ag_host_format_has(texture->format, AG_FORMAT_BLENDABLE));
    if (ag_host_format_has(texture->format, AG_FORMAT_NO_ALPHA) && in_four && !desc->backed)
        make_opaque(exec, texture);
    return texture;
}

void ag_texture_destroy(struct ag_exec *exec, struct ag_texture *texture)
{
    if (!texture)
        return;
    ag_views_destroy(exec, &texture->resource);
    ag_view_fini(exec, &texture->whole);
    ag_texture_destroy(exec, texture->readable[0].texture);
    ag_texture_destroy(exec, texture->readable[1].texture);
    ag_texture_destroy(exec, texture->unpacked);
    ag_texture_casts_fini(texture);
    release_textures(texture);
    free(texture->blocks);
    free(texture);
}

/* ---- Writing ------------------------------------------------------------------------------------------ */

bool ag_texture_upload_begin(struct ag_exec *exec, const struct ag_texture *texture, uint64_t row_bytes,
                             uint32_t rows, struct ag_texture_upload *upload)
{
    struct ag_ring_slice slice;
    *upload = (struct ag_texture_upload){.staged = ag_exec_in_use(exec, &texture->resource)};
    upload->pitch = upload->staged ? ag_align_up(row_bytes, 256) : row_bytes;
    if (upload->staged) {
        if (!ag_ring_alloc(exec, upload->pitch * rows, &slice))
            return false;
        upload->bytes = slice.bytes;
        upload->buffer = slice.gpu;
        upload->offset = slice.offset;
        return true;
    }
    upload->bytes = malloc((size_t)(row_bytes * rows));
    if (!upload->bytes)
        ag_exec_no_memory(exec);
    return upload->bytes != NULL;
}

void ag_texture_upload_end(struct ag_exec *exec, struct ag_texture *texture, uint32_t mip,
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
        wgpuCommandEncoderCopyBufferToTexture(ag_exec_upload_encoder(exec, &texture->resource), &source,
                                              &destination, extent);
        return;
    }
    wgpuQueueWriteTexture(exec->queue, &destination, upload->bytes, (size_t)(upload->pitch * rows), &layout,
                          extent);
    free(upload->bytes);
}

static bool write_rect(struct ag_exec *exec, struct ag_texture *texture, const struct ag_unit_rect *rect,
                       const uint8_t *guest, uint64_t guest_pitch)
{
    const struct ag_host_format *format = texture->format;
    if (ag_host_format_has(format, AG_FORMAT_DEPTH))
        return ag_depth_write(exec, texture, rect, guest, guest_pitch);
    const WGPUOrigin3D origin = {rect->x * format->block_width, rect->y * format->block_height, rect->slice};
    const WGPUExtent3D extent = {rect->width * format->block_width, rect->height * format->block_height, 1};
    struct ag_texture_upload upload;
    if (!ag_texture_upload_begin(exec, texture, (uint64_t)rect->width * format->host_bytes, rect->height,
                                 &upload))
        return false;
    for (uint32_t row = 0; row < rect->height; row++)
        ag_host_format_expand_row(format, guest + row * guest_pitch, upload.bytes + row * upload.pitch,
                                  rect->width);
    ag_texture_upload_end(exec, texture, rect->mip, &origin, &extent, &upload);
    return true;
}

/* Bytes of a texel or block among others, which stay. */
static bool write_part(struct ag_exec *exec, struct ag_texture *texture, uint32_t mip,
                       const WGPUOrigin3D *origin, uint32_t begin, uint32_t end, const uint8_t *data)
{
    if (!ag_host_format_has(texture->format, AG_FORMAT_DEPTH))
        return ag_texture_merge(exec, texture, mip, origin, begin, end, data);
    ag_exec_report(exec, AGPU_DIAG_EXEC_UNSUPPORTED, AGPU_ERROR,
                   "writing a part of a depth texel is not supported; it stays as it is");
    return true;
}

/* Bytes [begin, end) of one row of units. */
static bool write_partial_row(struct ag_exec *exec, struct ag_texture *texture, uint32_t mip, uint32_t slice,
                              uint32_t row, uint64_t begin, uint64_t end, const uint8_t *data)
{
    const struct ag_mip_layout *layout = &texture->layout.mips[mip];
    const uint32_t unit = texture->format->bytes;
    if (end > layout->row_bytes)
        end = layout->row_bytes;
    while (begin < end) { /* else it is padding between rows */
        uint32_t number = (uint32_t)(begin / unit), first = (uint32_t)(begin % unit);
        uint64_t left = end - begin, whole = first ? 0 : left / unit * unit;
        uint32_t part = left < unit - first ? (uint32_t)left : unit - first;
        const struct ag_unit_rect rect = {mip, slice, number, row, (uint32_t)(whole / unit), 1};
        const WGPUOrigin3D origin = {number * texture->format->block_width,
                                     row * texture->format->block_height, slice};
        if (!(whole ? write_rect(exec, texture, &rect, data, 0)
                    : write_part(exec, texture, mip, &origin, first, first + part, data)))
            return false;
        begin += whole ? whole : part;
        data += whole ? whole : part;
    }
    return true;
}

/* Bytes [begin, end) of a slice in packed layout. */
static bool write_slice(struct ag_exec *exec, struct ag_texture *texture, uint32_t mip, uint32_t slice,
                        uint64_t begin, uint64_t end, const uint8_t *data)
{
    const struct ag_mip_layout *layout = &texture->layout.mips[mip];
    uint64_t pitch = layout->pitch_bytes, at = begin;
    if (end > pitch * layout->rows) /* padding between slices */
        end = pitch * layout->rows;
    while (at < end) {
        uint32_t row = (uint32_t)(at / pitch);
        uint64_t column = at % pitch, row_start = row * pitch;
        uint64_t whole_rows = column == 0 ? (end - at) / pitch : 0;
        /* The last row counts as whole without its padding. */
        if (column == 0 && row + whole_rows < layout->rows && (end - at) % pitch >= layout->row_bytes)
            whole_rows++;
        if (whole_rows) {
            const struct ag_unit_rect rect = {
                mip, slice, 0, row, layout->row_bytes / texture->format->bytes, (uint32_t)whole_rows};
            if (!write_rect(exec, texture, &rect, data + (at - begin), pitch))
                return false;
            at = row_start + whole_rows * pitch;
            continue;
        }
        uint64_t row_end = row_start + pitch < end ? row_start + pitch : end;
        if (!write_partial_row(exec, texture, mip, slice, row, column, row_end - row_start,
                               data + (at - begin)))
            return false;
        at = row_end;
    }
    return true;
}

bool ag_texture_write(struct ag_exec *exec, struct ag_texture *texture, uint64_t offset, const uint8_t *data,
                      uint64_t size)
{
    uint64_t at = offset, end = offset + size;
    if (size == 0)
        return true;
    exec->counts.upload_bytes += size;
    ag_pass_settle(exec, texture);
    ag_texture_sync(exec, texture);
    if (texture->blocks) {
        ag_texture_written(texture);
        return ag_texture_write_blocks(exec, texture, offset, data, size);
    }
    while (at < end) {
        uint32_t mip, slice;
        uint64_t begin;
        if (!ag_texture_layout_locate(&texture->layout, at, &mip, &slice, &begin))
            return true;
        uint64_t rest = texture->layout.mips[mip].slice_bytes - begin;
        uint64_t step = rest < end - at ? rest : end - at;
        if (!write_slice(exec, texture, mip, slice, begin, begin + step, data + (at - offset)))
            return false;
        at += step;
    }
    ag_texture_written(texture);
    return true;
}

static bool write_block_rows(struct ag_exec *exec, struct ag_texture *texture,
                             const struct ag_unit_rect *rect, const uint8_t *data, uint64_t pitch)
{
    const struct ag_mip_layout *layout = &texture->layout.mips[rect->mip];
    uint64_t start = ag_texture_layout_offset(&texture->layout, rect->mip, rect->slice);
    for (uint32_t row = 0; row < rect->height; row++)
        if (!ag_texture_write_blocks(exec, texture,
                                     start + (rect->y + row) * (uint64_t)layout->pitch_bytes +
                                         (uint64_t)rect->x * texture->format->bytes,
                                     data + row * pitch, (uint64_t)rect->width * texture->format->bytes))
            return false;
    return true;
}

bool ag_texture_write_rect(struct ag_exec *exec, struct ag_texture *texture, const struct ag_unit_rect *rect,
                           const uint8_t *data, uint64_t pitch)
{
    exec->counts.upload_bytes += (uint64_t)rect->width * rect->height * texture->format->bytes;
    ag_pass_settle(exec, texture);
    ag_texture_sync(exec, texture);
    bool done = texture->blocks ? write_block_rows(exec, texture, rect, data, pitch)
                                : write_rect(exec, texture, rect, data, pitch);
    ag_texture_written(texture);
    return done;
}

void ag_texture_written(struct ag_texture *texture)
{
    texture->version++;
    for (uint32_t i = 0; texture->current && i < texture->mips * texture->layers; i++)
        texture->current[i] = 1;
}

/* ---- Guest memory ------------------------------------------------------------------------------------- */

static bool pull_slice(struct ag_exec *exec, struct ag_texture *texture, uint32_t mip, uint32_t slice,
                       uint64_t gpa, uint8_t *chunk)
{
    const struct ag_mip_layout *layout = &texture->layout.mips[mip];
    uint64_t start = ag_texture_layout_offset(&texture->layout, mip, slice);
    uint64_t rows_at_once = PULL_CHUNK_BYTES / layout->pitch_bytes;
    if (rows_at_once == 0)
        rows_at_once = 1;
    for (uint64_t row = 0; row < layout->rows; row += rows_at_once) {
        uint64_t rows = layout->rows - row < rows_at_once ? layout->rows - row : rows_at_once;
        uint64_t offset = start + row * layout->pitch_bytes, size = rows * layout->pitch_bytes;
        if (!ag_guest_read(exec, gpa + offset, chunk, size) ||
            !ag_texture_write(exec, texture, offset, chunk, size))
            return false;
    }
    return true;
}

bool ag_texture_pull(struct ag_exec *exec, struct ag_texture *texture)
{
    uint64_t gpa, chunk_bytes = PULL_CHUNK_BYTES;
    if (!texture->guest_dirty)
        return true;
    if (!ag_guest_resolve(exec, texture->resource.backing.alloc_id, texture->resource.backing.offset,
                          texture->layout.size_bytes, false, &gpa))
        return false;
    if (texture->layout.mips[0].pitch_bytes > chunk_bytes)
        chunk_bytes = texture->layout.mips[0].pitch_bytes;
    uint8_t *chunk = malloc((size_t)chunk_bytes);
    if (!chunk) {
        ag_exec_no_memory(exec);
        return false;
    }
    bool done = true;
    texture->guest_dirty = false;
    for (uint32_t mip = 0; mip < texture->mips && done; mip++)
        for (uint32_t slice = 0; slice < ag_texture_slices(texture, mip) && done; slice++)
            done = pull_slice(exec, texture, mip, slice, gpa, chunk);
    texture->guest_dirty = !done;
    free(chunk);
    return done;
}

bool ag_texture_use(struct ag_exec *exec, struct ag_texture *texture)
{
    if (!ag_texture_pull(exec, texture))
        return false;
    ag_pass_settle(exec, texture);
    ag_texture_sync(exec, texture);
    ag_exec_mark_used(exec, &texture->resource);
    return true;
}
