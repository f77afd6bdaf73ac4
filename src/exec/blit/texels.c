/* SPDX-License-Identifier: MIT */
#include "exec/blit/texels.h"

#include <inttypes.h>
#include <string.h>

#include "aerogpu/diag.h"
#include "base/bytes.h"
#include "exec/blit/blitter.h"
#include "exec/blit/kernels.h"
#include "exec/host/gpu_memory.h"
#include "exec/host/host.h"
#include "exec/host/outcome.h"
#include "exec/host/report.h"
#include "exec/object/buffer.h"
#include "exec/object/resource.h"
#include "exec/object/texture_cast.h"
#include "exec/object/view.h"
#include "exec/record/bind_group.h"
#include "exec/record/dummy.h"
#include "exec/record/encoder.h"
#include "exec/state/rect.h"
#include "format/format.h"
#include "gpu/gpu.h"
#include "gpu/label.h"
#include "gpu/webgpu.h"
#include "kernel/kernel.h"

#define WIDE_BYTES 16
#define NARROW_BYTES 4
#define ROW_ALIGNMENT 256

enum entry {
    ENTRY_UNPACK,
    ENTRY_PACK,
};

/* The uniform block of the kernel: struct Texels of texels.wgsl. "Packed" texels are those of the view,
 * "wide" texels are four words each, or one word in a narrow buffer. */
struct texel_block {
    uint32_t shift[4], bits[4]; /* place and width of each component inside a packed texel */
    uint32_t values[4];         /* the value of a clear */
    uint32_t window[4];         /* left, top, right and bottom of the texels to pack */
    uint32_t width, rows, slices, number;
    uint32_t bytes;                              /* bytes of a packed texel */
    uint32_t row_pitch, slice_pitch, first_byte; /* bytes, of the packed texels */
    uint32_t row_words;                          /* words that have a row of packed texels */
    uint32_t one;                                /* the bits of a missing fourth component */
    uint32_t filled;                             /* every texel is `values`: a clear */
    uint32_t as_bits;                            /* `values` are not converted */
    uint32_t norm_bits; /* not 0: the guest's UNORM or SNORM has so many bits, the packed texels are floats */
    uint32_t words;     /* of a wide texel */
    uint32_t padding[2];
};

static struct ag_kernel *get_kernel(struct ag_blitter *blitter)
{
    const struct ag_kernel_desc desc = {
        .label = "texels",
        .wgsl = ag_texels_wgsl,
        .wgsl_length = ag_texels_wgsl_length,
        .binding_count = 3,
        .written = 1u << 1 | 1u << 2,
        .block_bytes = sizeof(struct texel_block),
        .entries = {[ENTRY_UNPACK] = "unpack", [ENTRY_PACK] = "pack"},
    };
    return ag_bind_kernel_make(blitter->recorder, &blitter->texels, &desc);
}

/* ---- Views -------------------------------------------------------------------------------------------- */

static bool is_texture(const struct ag_view *view)
{
    return view->resource->kind == AG_RESOURCE_TEXTURE;
}

bool ag_texels_can(const struct ag_host_format *format)
{
    if (format->conversion == AG_CONVERT_A8)
        return true;
    return format->vertex_bytes != 0 && format->vertex_bytes == format->bytes &&
           (format->conversion == AG_CONVERT_NONE || format->conversion == AG_CONVERT_FLOATS) &&
           !ag_host_format_has(format, AG_FORMAT_SRGB);
}

bool ag_texels_needed(const struct ag_view *view)
{
    return is_texture(view) || (view->buffer.format && view->buffer.format->bytes != WIDE_BYTES);
}

WGPUExtent3D ag_texels_extent(const struct ag_view *view)
{
    if (is_texture(view))
        return ag_view_extent(&view->texture);
    return (WGPUExtent3D){view->buffer.format ? view->buffer.count : (uint32_t)(view->buffer.size / 4), 1, 1};
}

/* ---- Running the kernel ------------------------------------------------------------------------------- */

/* Where the packed texels are: in the view's buffer, or in a copy of the view's texture. */
struct packed {
    struct ag_buffer_range range;
    WGPUExtent3D extent;
    WGPUTexelCopyBufferInfo info; /* the copy, when the view is of a texture */
    uint32_t bytes, row_pitch, slice_pitch, first_byte;
};

static enum ag_outcome check_size(struct ag_blitter *blitter, uint64_t size)
{
    if (size <= blitter->host->limits.maxStorageBufferBindingSize &&
        size <= blitter->host->limits.maxBufferSize && size <= UINT32_MAX)
        return AG_DONE;
    return ag_host_skip_refused(
        blitter->host, AGPU_DIAG_GPU_LIMIT,
        "a view takes %" PRIu64 " bytes as texels that shaders write, more than the device binds", size);
}

static enum ag_outcome find_packed(struct ag_blitter *blitter, const struct ag_view *view,
                                   struct packed *packed)
{
    const struct ag_host_format *format = ag_view_format(view);
    const uint64_t alignment = blitter->host->limits.minStorageBufferOffsetAlignment;
    *packed = (struct packed){.extent = ag_texels_extent(view),
                              .bytes = format ? is_texture(view) ? format->host_bytes : format->bytes : 4};
    if (is_texture(view)) {
        uint64_t pitch = ag_align_up((uint64_t)packed->extent.width * packed->bytes, ROW_ALIGNMENT);
        uint64_t slice = pitch * packed->extent.height;
        packed->range.size = slice * packed->extent.depthOrArrayLayers;
        const enum ag_outcome outcome = check_size(blitter, packed->range.size);
        if (outcome != AG_DONE)
            return outcome;
        packed->row_pitch = (uint32_t)pitch;
        packed->slice_pitch = (uint32_t)slice;
        packed->range.buffer = ag_recorder_scratch_buffer(
            blitter->recorder, packed->range.size,
            WGPUBufferUsage_Storage | WGPUBufferUsage_CopySrc | WGPUBufferUsage_CopyDst, "packed texels");
        if (!packed->range.buffer)
            return AG_OUT_OF_MEMORY;
        packed->info = (WGPUTexelCopyBufferInfo){
            .buffer = packed->range.buffer,
            .layout = {.bytesPerRow = (uint32_t)pitch, .rowsPerImage = packed->extent.height},
        };
        return AG_DONE;
    }
    packed->range.buffer = view->buffer.buffer->gpu;
    packed->range.id = view->buffer.buffer->id;
    packed->range.offset = view->buffer.offset & ~(alignment - 1);
    packed->first_byte = (uint32_t)(view->buffer.offset - packed->range.offset);
    packed->range.size = ag_align_up(packed->first_byte + view->buffer.size, 4);
    return check_size(blitter, packed->range.size);
}

static struct texel_block texel_block(const struct ag_view *view, const struct packed *packed)
{
    const struct ag_host_format *format = ag_view_format(view);
    const struct ag_components components =
        format ? ag_host_format_components(format) : (struct ag_components){{0}, {32}};
    struct texel_block block = {
        .window = {0, 0, packed->extent.width, packed->extent.height},
        .width = packed->extent.width,
        .rows = packed->extent.height,
        .slices = packed->extent.depthOrArrayLayers,
        .number = format ? format->number : AG_NUMBER_UINT,
        .bytes = packed->bytes,
        .row_pitch = packed->row_pitch,
        .slice_pitch = packed->slice_pitch,
        .first_byte = packed->first_byte,
        .one = !format || format->class == AG_CLASS_FLOAT ? ag_bits_from_float(1) : 1,
    };
    block.row_words = (uint32_t)(((block.first_byte & 3) + (uint64_t)block.width * block.bytes + 3) / 4);
    if (format && is_texture(view) && format->conversion == AG_CONVERT_FLOATS)
        block.norm_bits = components.bits[0];
    if (format && format->conversion == AG_CONVERT_A8) { /* the fourth component of the host's texel */
        block.shift[3] = 24;
        block.bits[3] = 8;
        return block;
    }
    for (uint32_t c = 0; c < 4; c++) {
        block.shift[c] = block.norm_bits ? 32 * c : components.shift[c];
        block.bits[c] = block.norm_bits && components.bits[c] ? 32 : components.bits[c];
    }
    return block;
}

static bool run_kernel(struct ag_blitter *blitter, enum entry entry, const struct texel_block *block,
                       const struct packed *packed, const struct ag_buffer_range *wide)
{
    const uint64_t row = entry == ENTRY_PACK ? block->row_words : block->width;
    struct ag_kernel_run run = {
        .kernel = get_kernel(blitter),
        .entry = entry,
        .block = block,
        .block_bytes = sizeof *block,
        .ranges = {[1] = packed->range, *wide},
        .invocations = row * block->rows * block->slices,
    };
    return ag_bind_kernel_run(blitter->recorder, ag_recorder_encoder(blitter->recorder), &run);
}

static void copy_out(struct ag_blitter *blitter, const struct ag_view *view, const struct packed *packed)
{
    if (!is_texture(view))
        return;
    const WGPUTexelCopyTextureInfo texture = ag_view_place(&view->texture);
    ag_gpu_copy_to_buffer(blitter->host->gpu, ag_recorder_encoder(blitter->recorder), &texture, &packed->info,
                          &packed->extent);
}

static void copy_in(struct ag_blitter *blitter, struct ag_view *view, const struct packed *packed)
{
    if (!is_texture(view)) {
        ag_buffer_written(blitter->host, view->buffer.buffer);
        return;
    }
    const WGPUTexelCopyTextureInfo texture = ag_view_place(&view->texture);
    ag_gpu_copy_to_texture(blitter->host->gpu, ag_recorder_encoder(blitter->recorder), &packed->info,
                           &texture, &packed->extent);
    ag_view_written(&view->texture);
}

/* ---- Texels ------------------------------------------------------------------------------------------- */

enum ag_outcome ag_texels_bind(struct ag_blitter *blitter, struct ag_view *view, bool narrow,
                               struct ag_bind_item *item)
{
    struct ag_label label;
    const WGPUExtent3D extent = ag_texels_extent(view);
    const uint64_t size = (uint64_t)extent.width * extent.height * extent.depthOrArrayLayers *
                          (narrow ? NARROW_BYTES : WIDE_BYTES);
    const enum ag_outcome outcome = check_size(blitter, size);
    if (outcome != AG_DONE)
        return outcome;
    if (view->texels.gpu && view->texels.size < size)
        ag_texels_fini(blitter->objects, view);
    if (!view->texels.gpu) {
        struct ag_account *account = blitter->host->accounts.current;
        if (!ag_gpu_memory_take(blitter->host, account, size))
            return ag_host_skip_memory(blitter->host, size);
        view->texels.account = account;
        view->texels.gpu = ag_host_create_buffer(
            blitter->host, size, WGPUBufferUsage_Storage | WGPUBufferUsage_CopySrc | WGPUBufferUsage_CopyDst,
            ag_label_format(&label, "texels of view %" PRIu32, view->handle));
        view->texels.id = ag_host_id(blitter->host);
        view->texels.size = size;
    }
    item->buffer = view->texels.gpu;
    item->id = view->texels.id;
    item->size = size;
    return AG_DONE;
}

static struct ag_buffer_range wide_range(const struct ag_view *view)
{
    return (struct ag_buffer_range){view->texels.gpu, 0, view->texels.size, view->texels.id};
}

/* Whether texels of one word lie in the buffer as WebGPU copies them, so that no kernel is needed. */
static bool is_copied(const struct ag_view *view, bool narrow, struct packed *packed)
{
    if (!narrow || !is_texture(view))
        return false;
    *packed = (struct packed){.extent = ag_texels_extent(view)};
    packed->info = (WGPUTexelCopyBufferInfo){
        .buffer = view->texels.gpu,
        .layout = {.bytesPerRow = packed->extent.width * NARROW_BYTES, .rowsPerImage = packed->extent.height},
    };
    return packed->info.layout.bytesPerRow % ROW_ALIGNMENT == 0;
}

enum ag_outcome ag_texels_load(struct ag_blitter *blitter, struct ag_view *view, bool narrow)
{
    struct packed packed;
    if (is_copied(view, narrow, &packed)) {
        copy_out(blitter, view, &packed);
        return AG_DONE;
    }
    const enum ag_outcome outcome = find_packed(blitter, view, &packed);
    if (outcome != AG_DONE)
        return outcome;
    struct texel_block block = texel_block(view, &packed);
    block.words = narrow ? NARROW_BYTES / 4 : WIDE_BYTES / 4;
    const struct ag_buffer_range wide = wide_range(view);
    copy_out(blitter, view, &packed);
    return run_kernel(blitter, ENTRY_UNPACK, &block, &packed, &wide) ? AG_DONE : AG_OUT_OF_MEMORY;
}

bool ag_texels_store(struct ag_blitter *blitter, struct ag_view *view, bool narrow)
{
    struct packed packed;
    if (is_copied(view, narrow, &packed)) {
        copy_in(blitter, view, &packed);
        return true;
    }
    if (find_packed(blitter, view, &packed) != AG_DONE)
        return false;
    struct texel_block block = texel_block(view, &packed);
    block.words = narrow ? NARROW_BYTES / 4 : WIDE_BYTES / 4;
    const struct ag_buffer_range wide = wide_range(view);
    if (!run_kernel(blitter, ENTRY_PACK, &block, &packed, &wide))
        return false;
    copy_in(blitter, view, &packed);
    return true;
}

/* Whether no texel keeps what it has. */
static bool covers(const struct ag_scissor *window, const WGPUExtent3D *extent)
{
    return window->left <= 0 && window->top <= 0 && window->right >= (int64_t)extent->width &&
           window->bottom >= (int64_t)extent->height;
}

/* Whether zeros are filled in, which are zeros in every format. */
static bool is_zero(const struct ag_texel_fill *fill)
{
    return !(fill->values[0] | fill->values[1] | fill->values[2] | fill->values[3]);
}

static bool fill_packed(struct ag_blitter *blitter, const struct ag_view *view,
                        const struct texel_block *block, const struct packed *packed, bool with_zeros)
{
    struct ag_buffer_range nothing = {.size = AG_DUMMY_SINK_BYTES};
    if (with_zeros && is_texture(view)) {
        wgpuCommandEncoderClearBuffer(ag_recorder_encoder(blitter->recorder), packed->range.buffer, 0,
                                      packed->range.size);
        return true;
    }
    nothing.buffer = ag_dummy_sink(blitter->recorder, 0, &nothing.id);
    return run_kernel(blitter, ENTRY_PACK, block, packed, &nothing);
}

bool ag_texels_fill(struct ag_blitter *blitter, struct ag_view *view, const struct ag_texel_fill *fill,
                    const struct ag_scissor *window)
{
    struct packed packed;
    if (find_packed(blitter, view, &packed) != AG_DONE)
        return false;
    struct texel_block block = texel_block(view, &packed);
    block.filled = 1;
    memcpy(block.values, fill->values, sizeof block.values);
    block.as_bits = fill->bits;
    block.window[0] = (uint32_t)window->left;
    block.window[1] = (uint32_t)window->top;
    block.window[2] = (uint32_t)window->right;
    block.window[3] = (uint32_t)window->bottom;
    const bool covers_all = covers(window, &packed.extent);
    if (!covers_all)
        copy_out(blitter, view, &packed);
    if (!fill_packed(blitter, view, &block, &packed, covers_all && is_zero(fill)))
        return false;
    copy_in(blitter, view, &packed);
    return true;
}
