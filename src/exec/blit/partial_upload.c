/* SPDX-License-Identifier: MIT
 *
 * WebGPU copies whole texels and blocks only. The texel is therefore copied to a buffer, where a kernel
 * replaces the bytes, and back.
 */
#include "exec/blit/partial_upload.h"

#include <assert.h>
#include <string.h>

#include "base/bytes.h"
#include "exec/blit/blitter.h"
#include "exec/blit/kernels.h"
#include "exec/host/host.h"
#include "exec/object/texture.h"
#include "exec/record/bind_group.h"
#include "exec/record/encoder.h"
#include "exec/record/recorder.h"
#include "format/format.h"
#include "gpu/gpu.h"
#include "gpu/webgpu.h"
#include "kernel/kernel.h"

#define MOST_BYTES 16 /* of the largest texel or block */
#define UNIT_WORDS (MOST_BYTES / 4)
#define ROW_PITCH 256 /* a multiple of it is what WebGPU takes */

/* How the host keeps a texel or block. */
enum unit_kind {
    UNIT_BYTES,  /* as the guest's bytes */
    UNIT_OPAQUE, /* as the guest's bytes, with the fourth byte at 255 */
    UNIT_PACKED, /* 16 bits of the guest as RGBA8 */
    UNIT_FLOATS, /* 16 bits of the guest as four floats */
};

/* The uniform block of the kernel: struct Merge of partial_upload.wgsl. */
struct merge_block {
    uint32_t bytes[UNIT_WORDS],
        mask[UNIT_WORDS];       /* the new bytes in the guest's order; 0xFF where a byte is new */
    uint32_t shift[4], bits[4]; /* place and width of the components in 16 bits */
    uint32_t kind;
    uint32_t padding[3];
};

static_assert(UNIT_OPAQUE == 1 && UNIT_PACKED == 2 && UNIT_FLOATS == 3, "the kernel knows these numbers");

static enum unit_kind kind_of(const struct ag_host_format *format)
{
    if (format->bytes == 2 && format->host_bytes != 2)
        return format->host_bytes == 4 ? UNIT_PACKED : UNIT_FLOATS;
    return format->conversion == AG_CONVERT_OPAQUE ? UNIT_OPAQUE : UNIT_BYTES;
}

static struct ag_kernel *get_kernel(struct ag_blitter *blitter)
{
    const struct ag_kernel_desc desc = {
        .label = "texel merge",
        .wgsl = ag_partial_upload_wgsl,
        .wgsl_length = ag_partial_upload_wgsl_length,
        .binding_count = 2,
        .written = 1u << 1,
        .block_bytes = sizeof(struct merge_block),
        .entries = {"main"},
    };
    return ag_bind_kernel_make(blitter->recorder, &blitter->texel_merger, &desc);
}

bool ag_texture_partial_upload(struct ag_blitter *blitter, struct ag_texture *texture, uint32_t mip,
                               const WGPUOrigin3D *origin, uint32_t begin, uint32_t end, const uint8_t *data)
{
    const struct ag_host_format *format = texture->format;
    const struct ag_components components = ag_host_format_components(format);
    struct merge_block block = {.kind = kind_of(format)};
    uint8_t bytes[MOST_BYTES] = {0}, mask[MOST_BYTES] = {0};
    memcpy(bytes + begin, data, end - begin);
    memset(mask + begin, 0xFF, end - begin);
    for (uint32_t i = 0; i < UNIT_WORDS; i++) {
        block.bytes[i] = ag_load_u32(bytes + 4 * (size_t)i);
        block.mask[i] = ag_load_u32(mask + 4 * (size_t)i);
        block.shift[i] = components.shift[i];
        block.bits[i] = components.bits[i];
    }
    WGPUBuffer unit = ag_recorder_scratch_buffer(
        blitter->recorder, MOST_BYTES,
        WGPUBufferUsage_Storage | WGPUBufferUsage_CopySrc | WGPUBufferUsage_CopyDst, "merged texels");
    if (!unit)
        return false;
    const WGPUTexelCopyTextureInfo texel = {
        .texture = texture->gpu, .mipLevel = mip, .origin = *origin, .aspect = WGPUTextureAspect_All};
    const WGPUTexelCopyBufferInfo memory = {
        .buffer = unit, .layout = {.bytesPerRow = ROW_PITCH, .rowsPerImage = 1}
    };
    const WGPUExtent3D extent = {format->block_width, format->block_height, 1};
    WGPUCommandEncoder encoder = ag_recorder_upload_encoder(blitter->recorder, &texture->resource);
    ag_gpu_copy_to_buffer(blitter->host->gpu, encoder, &texel, &memory, &extent);
    struct ag_kernel_run run = {
        .kernel = get_kernel(blitter),
        .block = &block,
        .block_bytes = sizeof block,
        .ranges = {[1] = {.buffer = unit, .size = MOST_BYTES}},
        .invocations = 1,
    };
    if (!ag_bind_kernel_run(blitter->recorder, encoder, &run))
        return false;
    ag_gpu_copy_to_texture(blitter->host->gpu, encoder, &memory, &texel, &extent);
    if (!ag_recorder_in_use(blitter->recorder,
                            &texture->resource)) /* no later upload goes through the queue */
        texture->resource.used_in = blitter->recorder->encoder_number;
    return true;
}
