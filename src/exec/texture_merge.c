/* SPDX-License-Identifier: MIT
 *
 * Uploads that start or end inside a texel or block. WebGPU copies whole ones, so a kernel puts the new bytes
 * among the old ones, at the place in the stream where the upload is.
 */
#include <assert.h>
#include <string.h>

#include "base/bytes.h"
#include "exec/exec.h"

#define UNIT_WORDS 4 /* of the largest block */

/* What a texel or block is on the host. */
enum unit_kind {
    UNIT_BYTES,  /* the guest's bytes */
    UNIT_OPAQUE, /* the same, but for the fourth */
    UNIT_PACKED, /* the guest's 16 bits as RGBA8 */
    UNIT_FLOATS, /* or as four floats */
};

/* The kernel's uniform block; its WGSL twin is struct Merge below. */
struct merge_block {
    uint32_t bytes[UNIT_WORDS], mask[UNIT_WORDS]; /* in guest order */
    uint32_t shift[4], bits[4];                   /* of the components in 16 bits */
    uint32_t kind;
    uint32_t padding[3];
};

static const char kernel[] =
    "struct Merge { bytes: vec4<u32>, mask: vec4<u32>, shift: vec4<u32>, bits: vec4<u32>, kind: u32 }\n"
    "@group(0) @binding(0) var<uniform> merge: Merge;\n"
    "@group(0) @binding(1) var<storage, read_write> unit: array<u32, 4>;\n"
    "\n"
    "fn mixed(old: u32, word: u32) -> u32 {\n"
    "    return (old & ~merge.mask[word]) | (merge.bytes[word] & merge.mask[word]);\n"
    "}\n"
    "fn merge_packed() {\n"
    "    var old = 0u;\n"
    "    for (var c = 0u; c < 4u; c++) {\n"
    "        let most = (1u << merge.bits[c]) - 1u;\n"
    "        let narrow = (extractBits(unit[0], 8u * c, 8u) * most + 127u) / 255u;\n"
    "        let exact = u32(bitcast<f32>(unit[c]) * f32(most) + 0.5);\n"
    "        old |= select(exact, narrow, merge.kind == 2u) << merge.shift[c];\n"
    "    }\n"
    "    let v = mixed(old, 0u);\n"
    "    var host = 0u;\n"
    "    for (var c = 0u; c < 4u; c++) {\n"
    "        let most = (1u << merge.bits[c]) - 1u;\n"
    "        let value = select(extractBits(v, merge.shift[c], merge.bits[c]), 1u, most == 0u);\n"
    "        let whole = max(most, 1u);\n"
    "        host |= ((value * 255u + whole / 2u) / whole) << (8u * c);\n"
    "        if (merge.kind == 3u) { unit[c] = bitcast<u32>(f32(value) / f32(whole)); }\n"
    "    }\n"
    "    if (merge.kind == 2u) { unit[0] = host; }\n"
    "}\n"
    "@compute @workgroup_size(1)\n"
    "fn main() {\n"
    "    if (merge.kind >= 2u) {\n"
    "        merge_packed();\n"
    "        return;\n"
    "    }\n"
    "    for (var word = 0u; word < 4u; word++) { unit[word] = mixed(unit[word], word); }\n"
    "    if (merge.kind == 1u) { unit[0] |= 0xFF000000u; }\n"
    "}\n";

static_assert(UNIT_OPAQUE == 1 && UNIT_PACKED == 2 && UNIT_FLOATS == 3, "the kernel knows these numbers");

static enum unit_kind kind_of(const struct agpu_host_format *format)
{
    if (format->bytes == 2 && format->host_bytes != 2)
        return format->host_bytes == 4 ? UNIT_PACKED : UNIT_FLOATS;
    return format->conversion == AGPU_CONVERT_OPAQUE ? UNIT_OPAQUE : UNIT_BYTES;
}

static const struct agpu_kernel *get_kernel(struct agpu_exec *exec)
{
    const struct agpu_kernel_desc desc = {
        .label = "texel merge",
        .wgsl = kernel,
        .wgsl_length = sizeof kernel - 1,
        .binding_count = 2,
        .written = 1u << 1,
        .block_bytes = sizeof(struct merge_block),
        .entries = {"main"},
    };
    return agpu_bind_kernel_make(exec, &exec->texel_merger, &desc);
}

static void run(struct agpu_exec *exec, WGPUCommandEncoder encoder, const struct agpu_ring_slice *parameters,
                WGPUBuffer unit)
{
    const struct agpu_kernel *merger = get_kernel(exec);
    const struct agpu_buffer_range ranges[AGPU_KERNEL_BINDINGS] = {
        {parameters->gpu, parameters->offset, sizeof(struct merge_block), parameters->id},
        {.buffer = unit, .size = 4 * UNIT_WORDS                  },
    };
    WGPUComputePassEncoder pass = wgpuCommandEncoderBeginComputePass(encoder, NULL);
    if (agpu_kernel_bind(merger, pass, ranges))
        agpu_kernel_dispatch_one(merger, pass, 0);
    wgpuComputePassEncoderEnd(pass);
    wgpuComputePassEncoderRelease(pass);
}

bool agpu_texture_merge(struct agpu_exec *exec, struct agpu_texture *texture, uint32_t mip,
                        const WGPUOrigin3D *origin, uint32_t begin, uint32_t end, const uint8_t *data)
{
    const struct agpu_host_format *format = texture->format;
    const struct agpu_vertex_components components = agpu_host_format_components(format);
    struct merge_block block = {.kind = kind_of(format)};
    struct agpu_ring_slice parameters;
    uint8_t bytes[4 * UNIT_WORDS] = {0}, mask[4 * UNIT_WORDS] = {0};
    memcpy(bytes + begin, data, end - begin);
    memset(mask + begin, 0xFF, end - begin);
    for (uint32_t i = 0; i < UNIT_WORDS; i++) {
        block.bytes[i] = agpu_load_u32(bytes + 4 * (size_t)i);
        block.mask[i] = agpu_load_u32(mask + 4 * (size_t)i);
        block.shift[i] = components.shift[i];
        block.bits[i] = components.bits[i];
    }
    if (!agpu_ring_alloc(exec, sizeof block, &parameters))
        return false;
    memcpy(parameters.bytes, &block, sizeof block);
    WGPUBuffer unit = agpu_exec_create_buffer(
        exec, 4 * UNIT_WORDS, WGPUBufferUsage_Storage | WGPUBufferUsage_CopySrc | WGPUBufferUsage_CopyDst);
    agpu_exec_keep_until_flush(exec, unit);
    const WGPUTexelCopyTextureInfo texel = {
        .texture = texture->gpu, .mipLevel = mip, .origin = *origin, .aspect = WGPUTextureAspect_All};
    const WGPUTexelCopyBufferInfo memory = {
        .buffer = unit, .layout = {.bytesPerRow = AGPU_RING_ALIGNMENT, .rowsPerImage = 1}
    };
    const WGPUExtent3D extent = {format->block, format->block, 1};
    WGPUCommandEncoder encoder = agpu_exec_upload_encoder(exec, &texture->resource);
    wgpuCommandEncoderCopyTextureToBuffer(encoder, &texel, &memory, &extent);
    run(exec, encoder, &parameters, unit);
    wgpuCommandEncoderCopyBufferToTexture(encoder, &memory, &texel, &extent);
    if (!agpu_exec_in_use(exec, &texture->resource)) /* later bytes come after these */
        texture->resource.used_in = exec->encoder_number;
    return true;
}
