/* SPDX-License-Identifier: MIT
 *
 * Where the offsets or the size are no multiple of 4, a kernel makes each word of the destination out of two
 * words of the source, and keeps the bytes of the first and last word that are outside the copied range.
 */
#include "exec/blit/byte_copy.h"

#include "base/bytes.h"
#include "exec/blit/blitter.h"
#include "exec/host/host.h"
#include "exec/record/bind_group.h"
#include "gpu/webgpu.h"
#include "kernel/kernel.h"
#include "wgsl/expansion.h"

#define CHUNK_BYTES (UINT64_C(64) << 20) /* below every device's maxStorageBufferBindingSize */

/* The uniform block of the kernel: struct Copy of the WGSL. Offsets and size are in bytes, offsets from
 * the start of the binding. */
struct copy_block {
    uint32_t from, to, size;
    uint32_t row; /* how many invocations a row of workgroups has */
};

static const char wgsl[] =
    "struct Copy { source: u32, to: u32, size: u32, row: u32 }\n"
    "@group(0) @binding(0) var<uniform> copy: Copy;\n"
    "@group(0) @binding(1) var<storage, read> source: array<u32>;\n"
    "@group(0) @binding(2) var<storage, read_write> result: array<u32>;\n"
    "\n"
    "@compute @workgroup_size(64)\n"
    "fn main(@builtin(global_invocation_id) id: vec3<u32>) {\n"
    "    let first = (copy.to & ~3u) + 4u * (id.x + id.y * copy.row);\n"
    "    if (first >= copy.to + copy.size) { return; }\n"
    "    var word = result[first >> 2u];\n"
    "    for (var b = 0u; b < 4u; b++) {\n"
    "        let at = first + b;\n"
    "        if (at < copy.to || at >= copy.to + copy.size) { continue; }\n"
    "        let from_byte = at - copy.to + copy.source;\n"
    "        let value = extractBits(source[from_byte >> 2u], 8u * (from_byte & 3u), 8u);\n"
    "        word = insertBits(word, value, 8u * b, 8u);\n"
    "    }\n"
    "    result[first >> 2u] = word;\n"
    "}\n";

static struct ag_kernel *get_kernel(struct ag_blitter *blitter)
{
    const struct ag_kernel_desc desc = {
        .label = "bytes",
        .wgsl = wgsl,
        .wgsl_length = sizeof wgsl - 1,
        .binding_count = 3,
        .written = 1u << 2,
        .block_bytes = sizeof(struct copy_block),
        .entries = {"main"},
    };
    return ag_bind_kernel_make(blitter->recorder, &blitter->byte_copier, &desc);
}

/* The range to bind for [offset, offset + size), which begins at an aligned offset. *inside is `offset`
 * from the start of the range. */
static struct ag_buffer_range range_of(const struct ag_blitter *blitter, WGPUBuffer buffer, uint64_t offset,
                                       uint64_t size, uint32_t *inside)
{
    uint64_t alignment = blitter->host->limits.minStorageBufferOffsetAlignment,
             base = offset & ~(alignment - 1);
    *inside = (uint32_t)(offset - base);
    return (struct ag_buffer_range){buffer, base, ag_align_up(offset - base + size, 4), 0};
}

static bool copy_chunk(struct ag_blitter *blitter, WGPUCommandEncoder encoder, const struct ag_byte_place *to,
                       const struct ag_byte_place *from, uint64_t size)
{
    struct ag_kernel *kernel = get_kernel(blitter);
    struct copy_block block = {.size = (uint32_t)size, .row = kernel->row_limit * AG_EXPAND_WORKGROUP};
    struct ag_kernel_run run = {
        .kernel = kernel, .block = &block, .block_bytes = sizeof block, .invocations = size / 4 + 2};
    run.ranges[1] = range_of(blitter, from->buffer, from->offset, size, &block.from);
    run.ranges[2] = range_of(blitter, to->buffer, to->offset, size, &block.to);
    return ag_bind_kernel_run(blitter->recorder, encoder, &run);
}

bool ag_bytes_copy(struct ag_blitter *blitter, WGPUCommandEncoder encoder, const struct ag_byte_place *to,
                   const struct ag_byte_place *from, uint64_t size)
{
    if ((to->offset | from->offset | size) % 4 == 0) {
        wgpuCommandEncoderCopyBufferToBuffer(encoder, from->buffer, from->offset, to->buffer, to->offset,
                                             size);
        return true;
    }
    for (uint64_t at = 0; at < size; at += CHUNK_BYTES) {
        const struct ag_byte_place part_to = {to->buffer, to->offset + at};
        const struct ag_byte_place part_from = {from->buffer, from->offset + at};
        if (!copy_chunk(blitter, encoder, &part_to, &part_from,
                        size - at < CHUNK_BYTES ? size - at : CHUNK_BYTES))
            return false;
    }
    return true;
}
