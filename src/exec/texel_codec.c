/* SPDX-License-Identifier: MIT */
#include "exec/texel_codec.h"

#include <string.h>

#include "base/bytes.h"
#include "exec/exec.h"

enum { EXPAND, PACK };

/* The kernel's uniform block; its WGSL twin is struct Codec below. */
struct codec_block {
    uint32_t components; /* of a row */
    uint32_t height;
    uint32_t bits; /* of a component: 8 or 16 */
    uint32_t is_signed;
    uint32_t from_pitch, to_pitch; /* words */
    uint32_t row_words;            /* of packed components */
    uint32_t padding;
};

static const char kernel[] =
    "struct Codec { components: u32, height: u32, bits: u32, is_signed: u32, from_pitch: u32, to_pitch: u32,\n"
    "    row_words: u32 }\n"
    "@group(0) @binding(0) var<uniform> codec: Codec;\n"
    "@group(0) @binding(1) var<storage, read> source: array<u32>;\n"
    "@group(0) @binding(2) var<storage, read_write> result: array<u32>;\n"
    "\n"
    "fn most() -> f32 {\n"
    "    return f32((1u << (codec.bits - codec.is_signed)) - 1u);\n"
    "}\n"
    "\n"
    "@compute @workgroup_size(64)\n"
    "fn expand(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {\n"
    "    let number = id.x + id.y * (groups.x * 64u);\n"
    "    let row = number / codec.components;\n"
    "    if (row >= codec.height) { return; }\n"
    "    let component = number % codec.components;\n"
    "    let bit = component * codec.bits;\n"
    "    let value = (source[row * codec.from_pitch + bit / 32u] >> (bit % 32u)) & ((1u << codec.bits) - 1u);\n"
    "    let shift = 32u - codec.bits;\n"
    "    let extended = bitcast<i32>(value << shift) >> shift;\n"
    "    let number_of = select(f32(value), f32(extended), codec.is_signed != 0u);\n"
    "    result[row * codec.to_pitch + component] = bitcast<u32>(max(number_of / most(), -1.0));\n"
    "}\n"
    "\n"
    "fn packed(bits: u32) -> u32 {\n"
    "    let least = select(0.0, -1.0, codec.is_signed != 0u);\n"
    "    let is_nan = (bits & 0x7FFFFFFFu) > 0x7F800000u;\n"
    "    let scaled = clamp(bitcast<f32>(select(bits, 0u, is_nan)), least, 1.0) * most();\n"
    "    let rounded = trunc(scaled + select(0.5, -0.5, scaled < 0.0));\n"
    "    return bitcast<u32>(i32(rounded)) & ((1u << codec.bits) - 1u);\n"
    "}\n"
    "\n"
    "@compute @workgroup_size(64)\n"
    "fn pack(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {\n"
    "    let number = id.x + id.y * (groups.x * 64u);\n"
    "    let row = number / codec.row_words;\n"
    "    if (row >= codec.height) { return; }\n"
    "    let word = number % codec.row_words;\n"
    "    let each = 32u / codec.bits;\n"
    "    var value = 0u;\n"
    "    for (var i = 0u; i < each; i++) {\n"
    "        let component = word * each + i;\n"
    "        if (component < codec.components) {\n"
    "            value |= packed(source[row * codec.from_pitch + component]) << (i * codec.bits);\n"
    "        }\n"
    "    }\n"
    "    result[row * codec.to_pitch + word] = value;\n"
    "}\n";

static const struct agpu_kernel *get_kernel(struct agpu_exec *exec)
{
    const struct agpu_kernel_desc desc = {
        .label = "texel codec",
        .wgsl = kernel,
        .wgsl_length = sizeof kernel - 1,
        .binding_count = 3,
        .written = 1u << 2,
        .block_bytes = sizeof(struct codec_block),
        .entries = {[EXPAND] = "expand", [PACK] = "pack"},
    };
    return agpu_bind_kernel_make(exec, &exec->texel_codec, &desc);
}

bool agpu_texel_codec_record(struct agpu_exec *exec, const struct agpu_host_format *format, bool expands,
                             const struct agpu_texel_rows *from, const struct agpu_texel_rows *to,
                             uint32_t width, uint32_t height)
{
    const struct agpu_kernel *codec = get_kernel(exec);
    const uint32_t components = width * (format->bytes * 8u / format->vertex_bits);
    const struct codec_block block = {
        .components = components,
        .height = height,
        .bits = format->vertex_bits,
        .is_signed = format->vertex_number == AGPU_NUMBER_SNORM,
        .from_pitch = from->pitch / 4,
        .to_pitch = to->pitch / 4,
        .row_words = (width * format->bytes + 3) / 4,
    };
    struct agpu_ring_slice parameters;
    if (!agpu_ring_alloc(exec, sizeof block, &parameters))
        return false;
    memcpy(parameters.bytes, &block, sizeof block);
    const struct agpu_buffer_range ranges[AGPU_KERNEL_BINDINGS] = {
        {parameters.gpu, parameters.offset, sizeof block, parameters.id},
        {.buffer = from->buffer, .size = from->size},
        {.buffer = to->buffer, .size = to->size},
    };
    WGPUComputePassEncoder pass = wgpuCommandEncoderBeginComputePass(agpu_exec_encoder(exec), NULL);
    if (agpu_kernel_bind(codec, pass, ranges))
        agpu_kernel_dispatch(codec, pass, expands ? EXPAND : PACK,
                             (uint64_t)(expands ? components : block.row_words) * height);
    wgpuComputePassEncoderEnd(pass);
    wgpuComputePassEncoderRelease(pass);
    return true;
}
