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

/* A bind group from what the module says it needs. */
static void bind_group(struct agpu_gpu *gpu, WGPUComputePassEncoder pass, WGPUComputePipeline pipeline,
                       const struct agpu_module *module, uint32_t group, const struct compute_buffer *buffers,
                       const WGPUBuffer *made, size_t buffer_count)
{
    WGPUBindGroupEntry entries[COMPUTE_MOST_BUFFERS];
    size_t count = 0;
    for (uint32_t i = 0; i < module->binding_count; i++) {
        const struct agpu_binding *binding = &module->bindings[i];
        if (binding->group != group)
            continue;
        size_t which = 0;
        while (which < buffer_count &&
               (buffers[which].group != group || buffers[which].binding != binding->binding))
            which++;
        if (which == buffer_count)
            print_error("nothing for group %u binding %u\n", group, binding->binding);
        assert_true(which < buffer_count);
        entries[count++] = (WGPUBindGroupEntry){
            .binding = binding->binding, .buffer = made[which], .size = wgpuBufferGetSize(made[which])};
    }
    const WGPUBindGroupLayout layout = wgpuComputePipelineGetBindGroupLayout(pipeline, group);
    const WGPUBindGroupDescriptor descriptor = {.layout = layout, .entryCount = count, .entries = entries};
    const WGPUBindGroup bound = wgpuDeviceCreateBindGroup(agpu_gpu_device(gpu), &descriptor);
    wgpuComputePassEncoderSetBindGroup(pass, group, bound, 0, NULL);
    wgpuBindGroupRelease(bound);
    wgpuBindGroupLayoutRelease(layout);
}

static void dispatch(struct agpu_gpu *gpu, const WGPUCommandEncoder encoder, const struct agpu_module *module,
                     const struct compute_buffer *buffers, const WGPUBuffer *made, size_t count,
                     uint32_t groups)
{
    const WGPUComputePipeline pipeline = make_pipeline(gpu, module);
    const WGPUComputePassEncoder pass = wgpuCommandEncoderBeginComputePass(encoder, NULL);
    wgpuComputePassEncoderSetPipeline(pass, pipeline);
    for (uint32_t group = 0; group < 4; group++)
        bind_group(gpu, pass, pipeline, module, group, buffers, made, count);
    wgpuComputePassEncoderDispatchWorkgroups(pass, groups, 1, 1);
    wgpuComputePassEncoderEnd(pass);
    wgpuComputePassEncoderRelease(pass);
    wgpuComputePipelineRelease(pipeline);
}

void compute_dispatch(struct agpu_gpu *gpu, const struct agpu_module *module,
                      const struct compute_buffer *buffers, size_t count, uint32_t groups)
{
    WGPUBuffer made[COMPUTE_MOST_BUFFERS];
    struct agpu_readback *readbacks[COMPUTE_MOST_BUFFERS] = {0};
    struct agpu_readback_pool *pool = agpu_readback_pool_create(gpu, 1 << 16);
    const WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(agpu_gpu_device(gpu), NULL);
    assert_true(count <= COMPUTE_MOST_BUFFERS);
    for (size_t i = 0; i < count; i++)
        made[i] = make_buffer(gpu, buffers[i].in, (uint64_t)buffers[i].words * 4,
                              buffers[i].is_uniform ? WGPUBufferUsage_Uniform
                                                    : WGPUBufferUsage_Storage | WGPUBufferUsage_CopySrc);
    dispatch(gpu, encoder, module, buffers, made, count, groups);
    for (size_t i = 0; i < count; i++) {
        if (buffers[i].out == NULL)
            continue;
        readbacks[i] = agpu_readback_take(pool, (uint64_t)buffers[i].words * 4);
        wgpuCommandEncoderCopyBufferToBuffer(encoder, made[i], 0, agpu_readback_buffer(readbacks[i]), 0,
                                             (uint64_t)buffers[i].words * 4);
    }
    const WGPUCommandBuffer commands = wgpuCommandEncoderFinish(encoder, NULL);
    wgpuQueueSubmit(agpu_gpu_queue(gpu), 1, &commands);
    wgpuCommandBufferRelease(commands);
    wgpuCommandEncoderRelease(encoder);
    for (size_t i = 0; i < count; i++)
        if (readbacks[i] != NULL)
            agpu_readback_begin(readbacks[i]);
    assert_true(agpu_gpu_wait_idle(gpu, TIMEOUT));
    for (size_t i = 0; i < count; i++) {
        if (readbacks[i] != NULL) {
            memcpy(buffers[i].out, agpu_readback_data(readbacks[i]), buffers[i].words * 4);
            agpu_readback_release(pool, readbacks[i]);
        }
        wgpuBufferRelease(made[i]);
    }
    agpu_readback_pool_destroy(pool);
}

static void fill_draw_block(const struct agpu_module *module, size_t in_words, size_t out_words,
                            uint32_t block[AGPU_DRAW_BLOCK_BYTES / 4])
{
    memset(block, 0, AGPU_DRAW_BLOCK_BYTES);
    for (uint32_t i = 0; i < module->view_count; i++) {
        bool is_input = module->views[i] == AGPU_BINDING_TEXTURE;
        block[AGPU_DRAW_BLOCK_VIEWS / 4 + 4 * (module->view_base + i) + 1] =
            (uint32_t)(is_input ? in_words : out_words) * 4;
    }
}

void compute_run(struct agpu_gpu *gpu, const struct agpu_module *module, const uint32_t *in, size_t in_words,
                 uint32_t *out, size_t out_words, uint32_t groups)
{
    uint32_t block[AGPU_DRAW_BLOCK_BYTES / 4];
    fill_draw_block(module, in_words, out_words, block);
    const struct compute_buffer buffers[] = {
        {.group = AGPU_GROUP_COMPUTE,  .binding = AGPU_BINDING_TEXTURE, .in = in,           .words = in_words},
        {                            .group = AGPU_GROUP_COMPUTE, .binding = AGPU_BINDING_UAV,                      .out = out, .words = out_words                 },
        { .group = AGPU_GROUP_INTERNAL,
         .binding = AGPU_BINDING_DRAW_BLOCK,
         .in = block,
         .words = AGPU_COUNT_OF(block),
         .is_uniform = true},
    };
    compute_dispatch(gpu, module, buffers, AGPU_COUNT_OF(buffers), groups);
}

int compute_open(int argc, char **argv, struct diag_log *log, struct agpu_gpu **gpu)
{
    enum agpu_driver driver;
    if (argc < 2 || !agpu_driver_from_name(argv[1], &driver))
        return 2;
    diag_log_init(log);
    return fixture_open(driver, log, gpu);
}
