/* SPDX-License-Identifier: MIT
 *
 * Dispatches in a chain: each reads the words that the one before has stored.
 */
#include <stdlib.h>
#include <string.h>

#include "aerogpu/abi/cmd.h"
#include "base/bytes.h"
#include "bench/compare/row.h"
#include "gpu/gpu.h"

#define DISPATCHES 100u /* an even number */
#define WORDS 4096u
#define GROUP_WIDTH 64u
#define BUFFER_BYTES (WORDS * 4u)
#define WIDTH 64u /* of the words as texels */

enum handle { HANDLE_BUFFERS = 1, HANDLE_SHADER = 3 };

struct chain {
    uint8_t *guest; /* behind the stream's first buffer */
    WGPUBuffer buffers[2];
    WGPUComputePipeline pipeline;
    WGPUBindGroup groups[2];
};

static const char listing[] = "cs_5_0\n"
                              "dcl_globalFlags refactoringAllowed\n"
                              "dcl_resource_raw t0\n"
                              "dcl_uav_raw u0\n"
                              "dcl_input vThreadID.x\n"
                              "dcl_temps 1\n"
                              "dcl_thread_group 64, 1, 1\n"
                              "ishl r0.x, vThreadID.x, l(2)\n"
                              "ld_raw r0.y, r0.x, t0.xxxx\n"
                              "iadd r0.y, r0.y, l(1)\n"
                              "store_raw u0.x, r0.x, r0.y\n"
                              "ret\n";
static const char wgsl[] = "@group(0) @binding(0) var<storage, read> before: array<u32>;\n"
                           "@group(0) @binding(1) var<storage, read_write> behind: array<u32>;\n"
                           "@compute @workgroup_size(64) fn add(@builtin(global_invocation_id) id: vec3u) {\n"
                           "    behind[id.x] = before[id.x] + 1;\n"
                           "}\n";

static void open_stream(struct rig *rig)
{
    struct agpu_writer writer;
    agpu_writer_init_growing(&writer, NULL);
    for (uint32_t i = 0; i < 2; i++)
        agpu_write_create_buffer(&writer, HANDLE_BUFFERS + i, AEROGPU_RESOURCE_USAGE_STORAGE, BUFFER_BYTES,
                                 i == 0 ? 1 : 0, 0);
    rig_write_shader(&writer, HANDLE_SHADER, AGPU_STREAM_STAGE_COMPUTE, listing);
    agpu_write_bind_shaders(&writer, 0, 0, HANDLE_SHADER, 0);
    rig_run(rig, &writer);
    agpu_writer_fini(&writer);
}

static void open_raw(struct rig *rig, struct chain *chain)
{
    const WGPUShaderModule module = ag_gpu_create_shader(rig->gpu, wgsl, strlen(wgsl), "chains");
    const WGPUComputePipelineDescriptor descriptor = {
        .compute = {.module = module, .entryPoint = ag_webgpu_string("add")}
    };
    chain->pipeline = wgpuDeviceCreateComputePipeline(rig->device, &descriptor);
    wgpuShaderModuleRelease(module);
    for (uint32_t i = 0; i < 2; i++)
        chain->buffers[i] =
            raw_buffer(rig, BUFFER_BYTES, WGPUBufferUsage_Storage | WGPUBufferUsage_CopySrc, NULL);
    const WGPUBindGroupLayout layout = wgpuComputePipelineGetBindGroupLayout(chain->pipeline, 0);
    for (uint32_t i = 0; i < 2; i++) {
        const WGPUBindGroupEntry entries[2] = {
            {.binding = 0, .buffer = chain->buffers[i],     .size = BUFFER_BYTES},
            {.binding = 1, .buffer = chain->buffers[1 - i], .size = BUFFER_BYTES},
        };
        const WGPUBindGroupDescriptor group = {.layout = layout, .entryCount = 2, .entries = entries};
        chain->groups[i] = wgpuDeviceCreateBindGroup(rig->device, &group);
    }
    wgpuBindGroupLayoutRelease(layout);
}

static void *open_chain(struct rig *rig, const struct row *row)
{
    struct chain *const chain = calloc(1, sizeof *chain);
    (void)row;
    if (chain == NULL)
        return NULL;
    chain->guest = rig->guest;
    memset(chain->guest, 0, BUFFER_BYTES);
    open_stream(rig);
    open_raw(rig, chain);
    return chain;
}

static void close_chain(struct rig *rig, void *state)
{
    struct chain *const chain = state;
    (void)rig;
    for (uint32_t i = 0; i < 2; i++) {
        wgpuBindGroupRelease(chain->groups[i]);
        wgpuBufferRelease(chain->buffers[i]);
    }
    wgpuComputePipelineRelease(chain->pipeline);
    free(chain);
}

/* The new place of the stores is bound first, and leaves the slot where it was read. */
static void write_chain(void *state, struct agpu_writer *writer, uint32_t frame)
{
    (void)state;
    (void)frame;
    for (uint32_t i = 0; i < DISPATCHES; i++) {
        const struct aerogpu_unordered_access_buffer_binding to = {
            .buffer = HANDLE_BUFFERS + 1 - i % 2, .size_bytes = BUFFER_BYTES, .initial_count = UINT32_MAX};
        const struct aerogpu_shader_resource_buffer_binding from = {.buffer = HANDLE_BUFFERS + i % 2};
        agpu_write_set_unordered_access_buffers(writer, AGPU_STREAM_STAGE_COMPUTE, 0, 1, &to);
        agpu_write_set_shader_resource_buffers(writer, AGPU_STREAM_STAGE_COMPUTE, 0, 1, &from);
        agpu_write_dispatch(writer, AGPU_STREAM_STAGE_COMPUTE, WORDS / GROUP_WIDTH, 1, 1);
    }
}

static void record_chain(struct rig *rig, void *state, uint32_t frame)
{
    const struct chain *const chain = state;
    const WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(rig->device, NULL);
    const WGPUComputePassEncoder pass = wgpuCommandEncoderBeginComputePass(encoder, NULL);
    (void)frame;
    wgpuComputePassEncoderSetPipeline(pass, chain->pipeline);
    for (uint32_t i = 0; i < DISPATCHES; i++) {
        wgpuComputePassEncoderSetBindGroup(pass, 0, chain->groups[i % 2], 0, NULL);
        wgpuComputePassEncoderDispatchWorkgroups(pass, WORDS / GROUP_WIDTH, 1, 1);
    }
    wgpuComputePassEncoderEnd(pass);
    wgpuComputePassEncoderRelease(pass);
    raw_submit(rig, encoder);
}

/* The words of a buffer, as texels. */
static bool read_words(struct rig *rig, WGPUBuffer buffer, uint8_t *words)
{
    const WGPUTexture texture = raw_texture(rig, WIDTH, WORDS / WIDTH, WGPUTextureFormat_RGBA8Unorm,
                                            WGPUTextureUsage_CopyDst | WGPUTextureUsage_CopySrc);
    const WGPUTexelCopyBufferInfo from = {
        .buffer = buffer, .layout = {.bytesPerRow = WIDTH * 4, .rowsPerImage = WORDS / WIDTH}
    };
    const WGPUTexelCopyTextureInfo to = {.texture = texture, .aspect = WGPUTextureAspect_All};
    const WGPUExtent3D extent = {WIDTH, WORDS / WIDTH, 1};
    const WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(rig->device, NULL);
    wgpuCommandEncoderCopyBufferToTexture(encoder, &from, &to, &extent);
    raw_submit(rig, encoder);
    const bool is_read = raw_read(rig, texture, WIDTH, WORDS / WIDTH, words);
    wgpuTextureRelease(texture);
    return is_read;
}

static bool show_chain(struct rig *rig, void *state, struct row_pictures *pictures)
{
    const struct chain *const chain = state;
    struct agpu_writer writer;
    agpu_writer_init_growing(&writer, NULL);
    agpu_write_create_buffer(&writer, HANDLE_SHADER + 1, AEROGPU_RESOURCE_USAGE_STORAGE, BUFFER_BYTES, 1, 0);
    agpu_write_copy_buffer(&writer, HANDLE_SHADER + 1, 0, HANDLE_BUFFERS, 0, BUFFER_BYTES,
                           AEROGPU_COPY_FLAG_WRITEBACK_DST);
    rig_run(rig, &writer);
    agpu_writer_fini(&writer);
    pictures->bytes = BUFFER_BYTES;
    pictures->stream = chain->guest;
    pictures->raw = malloc(BUFFER_BYTES);
    return pictures->raw != NULL && read_words(rig, chain->buffers[0], pictures->raw);
}

const struct row chain_rows[] = {
    {.name = "compute chain",
     .what = "dispatches that each read what the one before has stored",
     .items = DISPATCHES,
     .open = open_chain,
     .close = close_chain,
     .write = write_chain,
     .record = record_chain,
     .show = show_chain},
};
const uint32_t chain_row_count = AG_COUNT_OF(chain_rows);
