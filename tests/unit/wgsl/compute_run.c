/* SPDX-License-Identifier: MIT */
#include "compute_run.h"

#include "../../support/test.h"
#include "base/bytes.h"
#include "gpu/readback.h"
#include "gpu/wait.h"

#define TIMEOUT (60 * SECOND_NS)

struct pipeline_result {
    bool called;
    WGPUComputePipeline pipeline;
};

static void take_pipeline(WGPUCreatePipelineAsyncStatus status, WGPUComputePipeline pipeline,
                          WGPUStringView message, void *userdata1, void *userdata2)
{
    struct pipeline_result *result = userdata1;
    char text[256];
    (void)userdata2;
    result->called = true;
    result->pipeline = pipeline;
    if (status != WGPUCreatePipelineAsyncStatus_Success)
        print_error("%s\n", agpu_webgpu_message(message, text, sizeof text));
}

static WGPUComputePipeline make_pipeline(struct agpu_gpu *gpu, const struct agpu_module *module)
{
    struct pipeline_result result = {0};
    const WGPUShaderModule shader = agpu_gpu_create_shader(gpu, module->wgsl, module->wgsl_length, NULL);
    const WGPUComputePipelineDescriptor descriptor = {
        .compute = {.module = shader, .entryPoint = agpu_webgpu_string(module->entry_point)},
    };
    const WGPUCreateComputePipelineAsyncCallbackInfo callback = {
        .mode = WGPUCallbackMode_AllowProcessEvents,
        .callback = take_pipeline,
        .userdata1 = &result,
    };
    wgpuDeviceCreateComputePipelineAsync(agpu_gpu_device(gpu), &descriptor, callback);
    assert_true(agpu_gpu_wait_flag(gpu, &result.called, TIMEOUT));
    wgpuShaderModuleRelease(shader);
    if (result.pipeline == NULL)
        print_error("%s\n", module->wgsl);
    assert_non_null(result.pipeline);
    return result.pipeline;
}

static WGPUBuffer make_buffer(struct agpu_gpu *gpu, const void *data, uint64_t size, WGPUBufferUsage usage)
{
    const WGPUBufferDescriptor descriptor = {.usage = usage | WGPUBufferUsage_CopyDst, .size = size};
    const WGPUBuffer buffer = wgpuDeviceCreateBuffer(agpu_gpu_device(gpu), &descriptor);
    if (data != NULL)
        wgpuQueueWriteBuffer(agpu_gpu_queue(gpu), buffer, 0, data, (size_t)size);
    return buffer;
}

/* Bind groups 2 and 3 from what the module says it needs. */
static void bind_group(struct agpu_gpu *gpu, WGPUComputePassEncoder pass, WGPUComputePipeline pipeline,
                       const struct agpu_module *module, uint32_t group, const WGPUBuffer buffers[3])
{
    WGPUBindGroupEntry entries[4];
    size_t count = 0;
    for (uint32_t i = 0; i < module->binding_count; i++) {
        const struct agpu_binding *binding = &module->bindings[i];
        if (binding->group != group)
            continue;
        const WGPUBuffer buffer = binding->space == AGPU_SPACE_RESOURCE ? buffers[0]
                                  : binding->space == AGPU_SPACE_UAV    ? buffers[1]
                                                                        : buffers[2];
        entries[count++] = (WGPUBindGroupEntry){
            .binding = binding->binding, .buffer = buffer, .size = wgpuBufferGetSize(buffer)};
    }
    const WGPUBindGroupLayout layout = wgpuComputePipelineGetBindGroupLayout(pipeline, group);
    const WGPUBindGroupDescriptor descriptor = {.layout = layout, .entryCount = count, .entries = entries};
    const WGPUBindGroup made = wgpuDeviceCreateBindGroup(agpu_gpu_device(gpu), &descriptor);
    wgpuComputePassEncoderSetBindGroup(pass, group, made, 0, NULL);
    wgpuBindGroupRelease(made);
    wgpuBindGroupLayoutRelease(layout);
}

static void fill_draw_block(const struct agpu_module *module, size_t in_words, size_t out_words,
                            uint8_t block[AGPU_DRAW_BLOCK_BYTES])
{
    memset(block, 0, AGPU_DRAW_BLOCK_BYTES);
    for (uint32_t i = 0; i < module->view_count; i++) {
        uint8_t *view = block + AGPU_DRAW_BLOCK_VIEWS + (size_t)16 * (module->view_base + i);
        bool is_input = module->views[i] == AGPU_BINDING_TEXTURE;
        agpu_store_u32(view + 4, (uint32_t)(is_input ? in_words : out_words) * 4);
    }
}

void compute_run(struct agpu_gpu *gpu, const struct agpu_module *module, const uint32_t *in, size_t in_words,
                 uint32_t *out, size_t out_words, uint32_t groups)
{
    uint8_t block[AGPU_DRAW_BLOCK_BYTES];
    const uint64_t out_bytes = (uint64_t)out_words * 4;
    fill_draw_block(module, in_words, out_words, block);
    const WGPUBuffer buffers[3] = {
        make_buffer(gpu, in, (uint64_t)in_words * 4, WGPUBufferUsage_Storage),
        make_buffer(gpu, NULL, out_bytes, WGPUBufferUsage_Storage | WGPUBufferUsage_CopySrc),
        make_buffer(gpu, block, sizeof block, WGPUBufferUsage_Uniform),
    };
    const WGPUComputePipeline pipeline = make_pipeline(gpu, module);
    struct agpu_readback_pool *pool = agpu_readback_pool_create(gpu, 1 << 16);
    struct agpu_readback *readback = agpu_readback_take(pool, out_bytes);
    const WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(agpu_gpu_device(gpu), NULL);
    const WGPUComputePassEncoder pass = wgpuCommandEncoderBeginComputePass(encoder, NULL);
    wgpuComputePassEncoderSetPipeline(pass, pipeline);
    for (uint32_t group = 0; group < 4; group++)
        bind_group(gpu, pass, pipeline, module, group, buffers);
    wgpuComputePassEncoderDispatchWorkgroups(pass, groups, 1, 1);
    wgpuComputePassEncoderEnd(pass);
    wgpuComputePassEncoderRelease(pass);
    wgpuCommandEncoderCopyBufferToBuffer(encoder, buffers[1], 0, agpu_readback_buffer(readback), 0,
                                         out_bytes);
    const WGPUCommandBuffer commands = wgpuCommandEncoderFinish(encoder, NULL);
    wgpuQueueSubmit(agpu_gpu_queue(gpu), 1, &commands);
    wgpuCommandBufferRelease(commands);
    wgpuCommandEncoderRelease(encoder);
    agpu_readback_begin(readback);
    assert_true(agpu_gpu_wait_idle(gpu, TIMEOUT));
    memcpy(out, agpu_readback_data(readback), (size_t)out_bytes);
    agpu_readback_release(pool, readback);
    agpu_readback_pool_destroy(pool);
    wgpuComputePipelineRelease(pipeline);
    for (size_t i = 0; i < 3; i++)
        wgpuBufferRelease(buffers[i]);
}

int compute_open(int argc, char **argv, struct diag_log *log, struct agpu_gpu **gpu)
{
    enum agpu_driver driver;
    if (argc < 2 || !agpu_driver_from_name(argv[1], &driver))
        return 2;
    diag_log_init(log);
    return fixture_open(driver, log, gpu);
}
