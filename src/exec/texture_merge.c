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

/* The kernel's uniform block; its WGSL twin is struct Merge below. */
struct merge_block {
    uint32_t bytes[UNIT_WORDS], mask[UNIT_WORDS]; /* in guest order */
    uint32_t conversion;                          /* enum agpu_conversion */
    uint32_t padding[3];
};

/* Texels of 16 bits are kept in 32: see agpu_host_format_expand_row(). */
static const char kernel[] =
    "struct Merge { bytes: vec4<u32>, mask: vec4<u32>, conversion: u32 }\n"
    "@group(0) @binding(0) var<uniform> merge: Merge;\n"
    "@group(0) @binding(1) var<storage, read_write> unit: array<u32, 4>;\n"
    "\n"
    "fn narrow(host: u32, at: u32, bits: u32, to: u32) -> u32 {\n"
    "    return ((extractBits(host, at, 8u) * ((1u << bits) - 1u) + 127u) / 255u) << to;\n"
    "}\n"
    "fn widen(value: u32, at: u32, bits: u32, to: u32) -> u32 {\n"
    "    let most = (1u << bits) - 1u;\n"
    "    return ((extractBits(value, at, bits) * 255u + most / 2u) / most) << to;\n"
    "}\n"
    "fn mixed(old: u32, word: u32) -> u32 {\n"
    "    return (old & ~merge.mask[word]) | (merge.bytes[word] & merge.mask[word]);\n"
    "}\n"
    "@compute @workgroup_size(1)\n"
    "fn main() {\n"
    "    let host = unit[0];\n"
    "    switch (merge.conversion) {\n"
    "    case 2u: { /* B5G6R5 */\n"
    "        let v = mixed(narrow(host, 16u, 5u, 0u) | narrow(host, 8u, 6u, 5u) |\n"
    "                      narrow(host, 0u, 5u, 11u), 0u);\n"
    "        unit[0] = widen(v, 0u, 5u, 16u) | widen(v, 5u, 6u, 8u) |\n"
    "                  widen(v, 11u, 5u, 0u) | 0xFF000000u;\n"
    "    }\n"
    "    case 3u: { /* B5G5R5A1 */\n"
    "        let v = mixed(narrow(host, 16u, 5u, 0u) | narrow(host, 8u, 5u, 5u) |\n"
    "                      narrow(host, 0u, 5u, 10u) | narrow(host, 24u, 1u, 15u), 0u);\n"
    "        unit[0] = widen(v, 0u, 5u, 16u) | widen(v, 5u, 5u, 8u) |\n"
    "                  widen(v, 10u, 5u, 0u) | widen(v, 15u, 1u, 24u);\n"
    "    }\n"
    "    case 4u: { /* B4G4R4A4 */\n"
    "        let v = mixed(narrow(host, 16u, 4u, 0u) | narrow(host, 8u, 4u, 4u) |\n"
    "                      narrow(host, 0u, 4u, 8u) | narrow(host, 24u, 4u, 12u), 0u);\n"
    "        unit[0] = widen(v, 0u, 4u, 16u) | widen(v, 4u, 4u, 8u) |\n"
    "                  widen(v, 8u, 4u, 0u) | widen(v, 12u, 4u, 24u);\n"
    "    }\n"
    "    default: {\n"
    "        for (var word = 0u; word < 4u; word++) { unit[word] = mixed(unit[word], word); }\n"
    "        if (merge.conversion == 1u) { unit[0] |= 0xFF000000u; }\n"
    "    }\n"
    "    }\n"
    "}\n";

static_assert(AGPU_CONVERT_OPAQUE == 1 && AGPU_CONVERT_B5G6R5 == 2 && AGPU_CONVERT_B5G5R5A1 == 3 &&
                  AGPU_CONVERT_B4G4R4A4 == 4,
              "the kernel knows these numbers");

static void make_pipeline(struct agpu_exec *exec, struct agpu_texel_merger *merger)
{
    const WGPUBindGroupLayoutEntry entries[] = {
        {.binding = 0,
         .visibility = WGPUShaderStage_Compute,
         .buffer = {.type = WGPUBufferBindingType_Uniform, .minBindingSize = sizeof(struct merge_block)}},
        {.binding = 1,
         .visibility = WGPUShaderStage_Compute,
         .buffer = {.type = WGPUBufferBindingType_Storage, .minBindingSize = 4 * UNIT_WORDS}            },
    };
    const WGPUBindGroupLayoutDescriptor layout = {.entryCount = AGPU_COUNT_OF(entries), .entries = entries};
    merger->layout = wgpuDeviceCreateBindGroupLayout(exec->device, &layout);
    const WGPUPipelineLayoutDescriptor pipeline_layout = {.bindGroupLayoutCount = 1,
                                                          .bindGroupLayouts = &merger->layout};
    WGPUPipelineLayout groups = wgpuDeviceCreatePipelineLayout(exec->device, &pipeline_layout);
    WGPUShaderModule module = agpu_gpu_create_shader(exec->gpu, kernel, sizeof kernel - 1, "texel merge");
    const WGPUComputePipelineDescriptor descriptor = {
        .layout = groups,
        .compute = {.module = module, .entryPoint = agpu_webgpu_string("main")},
    };
    merger->pipeline = wgpuDeviceCreateComputePipeline(exec->device, &descriptor);
    wgpuShaderModuleRelease(module);
    wgpuPipelineLayoutRelease(groups);
}

void agpu_texel_merger_fini(struct agpu_texel_merger *merger)
{
    if (!merger->pipeline)
        return;
    wgpuComputePipelineRelease(merger->pipeline);
    wgpuBindGroupLayoutRelease(merger->layout);
    *merger = (struct agpu_texel_merger){0};
}

static void run(struct agpu_exec *exec, WGPUCommandEncoder encoder, const struct agpu_ring_slice *parameters,
                WGPUBuffer unit)
{
    struct agpu_texel_merger *merger = &exec->merger;
    if (!merger->pipeline)
        make_pipeline(exec, merger);
    const WGPUBindGroupEntry entries[] = {
        {.binding = 0,
         .buffer = parameters->gpu,
         .offset = parameters->offset,
         .size = sizeof(struct merge_block)},
        {.binding = 1,            .buffer = unit,            .size = 4 * UNIT_WORDS},
    };
    const WGPUBindGroupDescriptor descriptor = {
        .layout = merger->layout, .entryCount = AGPU_COUNT_OF(entries), .entries = entries};
    WGPUBindGroup group = agpu_bind_group_create(exec, &descriptor);
    WGPUComputePassEncoder pass = wgpuCommandEncoderBeginComputePass(encoder, NULL);
    wgpuComputePassEncoderSetPipeline(pass, merger->pipeline);
    wgpuComputePassEncoderSetBindGroup(pass, 0, group, 0, NULL);
    wgpuComputePassEncoderDispatchWorkgroups(pass, 1, 1, 1);
    wgpuComputePassEncoderEnd(pass);
    wgpuComputePassEncoderRelease(pass);
    wgpuBindGroupRelease(group);
}

bool agpu_texture_merge(struct agpu_exec *exec, struct agpu_texture *texture, uint32_t mip,
                        const WGPUOrigin3D *origin, uint32_t begin, uint32_t end, const uint8_t *data)
{
    const struct agpu_host_format *format = texture->format;
    struct merge_block block = {.conversion = format->conversion};
    struct agpu_ring_slice parameters;
    uint8_t bytes[4 * UNIT_WORDS] = {0}, mask[4 * UNIT_WORDS] = {0};
    memcpy(bytes + begin, data, end - begin);
    memset(mask + begin, 0xFF, end - begin);
    for (uint32_t i = 0; i < UNIT_WORDS; i++) {
        block.bytes[i] = agpu_load_u32(bytes + 4 * (size_t)i);
        block.mask[i] = agpu_load_u32(mask + 4 * (size_t)i);
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
