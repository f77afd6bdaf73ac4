/* SPDX-License-Identifier: MIT */
#include "compute_run.h"

#include "../../support/test.h"

#include "../../support/submit.h"
#include "base/bytes.h"
#include "gpu/readback.h"
#include "gpu/wait.h"

#include "wgsl/binding.h"
#include "wgsl/draw_block.h"

#define TIMEOUT (60 * SECOND_NS)

/* What stands for a buffer on the device: one of the two. */
struct made {
    WGPUBuffer buffer;
    WGPUTexture texture;
    WGPUTextureView view;
};

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
        print_error("%s\n", ag_webgpu_message(message, text, sizeof text));
}

static WGPUComputePipeline make_pipeline(struct agpu_gpu *gpu, const struct agpu_module *module)
{
    struct pipeline_result result = {0};
    const WGPUShaderModule shader = ag_gpu_create_shader(gpu, module->wgsl, module->wgsl_length, NULL);
    const WGPUComputePipelineDescriptor descriptor = {
        .compute = {.module = shader, .entryPoint = ag_webgpu_string(module->entry_point)},
    };
    const WGPUCreateComputePipelineAsyncCallbackInfo callback = {
        .mode = WGPUCallbackMode_AllowProcessEvents,
        .callback = take_pipeline,
        .userdata1 = &result,
    };
    wgpuDeviceCreateComputePipelineAsync(ag_gpu_device(gpu), &descriptor, callback);
    assert_true(ag_gpu_wait_flag(gpu, &result.called, TIMEOUT));
    wgpuShaderModuleRelease(shader);
    if (result.pipeline == NULL)
        print_error("%s\n", module->wgsl);
    assert_non_null(result.pipeline);
    return result.pipeline;
}

static WGPUBuffer make_buffer(struct agpu_gpu *gpu, const void *data, uint64_t size, WGPUBufferUsage usage)
{
    const WGPUBufferDescriptor descriptor = {.usage = usage | WGPUBufferUsage_CopyDst, .size = size};
    const WGPUBuffer buffer = wgpuDeviceCreateBuffer(ag_gpu_device(gpu), &descriptor);
    if (data != NULL)
        wgpuQueueWriteBuffer(ag_gpu_queue(gpu), buffer, 0, data, (size_t)size);
    return buffer;
}

static WGPUTexture make_texture(struct agpu_gpu *gpu, const struct compute_buffer *what)
{
    const uint32_t layers = what->layers == 0 ? 1 : what->layers;
    const WGPUExtent3D size = {what->texels, 1, layers};
    const WGPUTextureDescriptor descriptor = {
        .usage = WGPUTextureUsage_StorageBinding | WGPUTextureUsage_TextureBinding |
                 WGPUTextureUsage_CopySrc | WGPUTextureUsage_CopyDst,
        .dimension = WGPUTextureDimension_2D,
        .size = size,
        .format = what->format,
        .mipLevelCount = 1,
        .sampleCount = 1,
    };
    const WGPUTexture texture = wgpuDeviceCreateTexture(ag_gpu_device(gpu), &descriptor);
    const WGPUTexelCopyTextureInfo target = {.texture = texture, .aspect = WGPUTextureAspect_All};
    const WGPUTexelCopyBufferLayout layout = {.bytesPerRow = (uint32_t)what->words * 4 / layers,
                                              .rowsPerImage = 1};
    if (what->in != NULL)
        wgpuQueueWriteTexture(ag_gpu_queue(gpu), &target, what->in, what->words * 4, &layout, &size);
    return texture;
}

static struct made make(struct agpu_gpu *gpu, const struct compute_buffer *what)
{
    struct made made = {0};
    if (what->texels != 0) {
        made.texture = make_texture(gpu, what);
        made.view = wgpuTextureCreateView(made.texture, NULL);
        return made;
    }
    made.buffer = make_buffer(gpu, what->in, (uint64_t)what->words * 4,
                              what->is_uniform ? WGPUBufferUsage_Uniform
                                               : WGPUBufferUsage_Storage | WGPUBufferUsage_CopySrc);
    return made;
}

static void release(const struct made *made)
{
    if (made->view != NULL)
        wgpuTextureViewRelease(made->view);
    if (made->texture != NULL)
        wgpuTextureRelease(made->texture);
    if (made->buffer != NULL)
        wgpuBufferRelease(made->buffer);
}

static void copy_out(WGPUCommandEncoder encoder, const struct compute_buffer *what, const struct made *made,
                     WGPUBuffer target)
{
    if (made->buffer != NULL) {
        wgpuCommandEncoderCopyBufferToBuffer(encoder, made->buffer, 0, target, 0, (uint64_t)what->words * 4);
        return;
    }
    const WGPUTexelCopyTextureInfo from = {.texture = made->texture, .aspect = WGPUTextureAspect_All};
    const WGPUTexelCopyBufferInfo to = {
        .layout = {.bytesPerRow = WGPU_COPY_STRIDE_UNDEFINED, .rowsPerImage = WGPU_COPY_STRIDE_UNDEFINED},
        .buffer = target,
    };
    const WGPUExtent3D size = {what->texels, 1, 1};
    wgpuCommandEncoderCopyTextureToBuffer(encoder, &from, &to, &size);
}

/* A bind group from what the module says it needs. */
static void bind_group(struct agpu_gpu *gpu, WGPUComputePassEncoder pass, WGPUComputePipeline pipeline,
                       const struct agpu_module *module, uint32_t group, const struct compute_buffer *buffers,
                       const struct made *made, size_t buffer_count)
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
            .binding = binding->binding,
            .buffer = made[which].buffer,
            .size = made[which].buffer == NULL ? 0 : wgpuBufferGetSize(made[which].buffer),
            .textureView = made[which].view,
        };
    }
    const WGPUBindGroupLayout layout = wgpuComputePipelineGetBindGroupLayout(pipeline, group);
    const WGPUBindGroupDescriptor descriptor = {.layout = layout, .entryCount = count, .entries = entries};
    const WGPUBindGroup bound = wgpuDeviceCreateBindGroup(ag_gpu_device(gpu), &descriptor);
    wgpuComputePassEncoderSetBindGroup(pass, group, bound, 0, NULL);
    wgpuBindGroupRelease(bound);
    wgpuBindGroupLayoutRelease(layout);
}

static void dispatch(struct agpu_gpu *gpu, const WGPUCommandEncoder encoder, const struct agpu_module *module,
                     const struct compute_buffer *buffers, const struct made *made, size_t count,
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
    struct made made[COMPUTE_MOST_BUFFERS];
    struct ag_readback *readbacks[COMPUTE_MOST_BUFFERS] = {0};
    struct ag_readback_pool *pool = ag_readback_pool_create(gpu, 1 << 16);
    const WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(ag_gpu_device(gpu), NULL);
    assert_true(count <= COMPUTE_MOST_BUFFERS);
    for (size_t i = 0; i < count; i++)
        made[i] = make(gpu, &buffers[i]);
    dispatch(gpu, encoder, module, buffers, made, count, groups);
    for (size_t i = 0; i < count; i++) {
        if (buffers[i].out == NULL)
            continue;
        readbacks[i] = ag_readback_take(pool, (uint64_t)buffers[i].words * 4);
        copy_out(encoder, &buffers[i], &made[i], ag_readback_buffer(readbacks[i]));
    }
    submit_encoder(gpu, encoder);
    for (size_t i = 0; i < count; i++)
        if (readbacks[i] != NULL)
            ag_readback_begin(readbacks[i]);
    assert_true(ag_gpu_wait_idle(gpu, TIMEOUT));
    for (size_t i = 0; i < count; i++) {
        if (readbacks[i] != NULL) {
            memcpy(buffers[i].out, ag_readback_data(readbacks[i]), buffers[i].words * 4);
            ag_readback_release(pool, readbacks[i]);
        }
        release(&made[i]);
    }
    ag_readback_pool_destroy(pool);
}

struct compute_buffer compute_draw_block(const uint32_t *block)
{
    return (struct compute_buffer){
        .group = AG_GROUP_INTERNAL,
        .binding = AG_BINDING_DRAW_BLOCK,
        .in = block,
        .words = AG_DRAW_BLOCK_BYTES / 4,
        .is_uniform = true,
    };
}

static void fill_draw_block(const struct agpu_module *module, size_t in_words, size_t out_words,
                            uint32_t block[AG_DRAW_BLOCK_BYTES / 4])
{
    memset(block, 0, AG_DRAW_BLOCK_BYTES);
    for (uint32_t i = 0; i < module->view_count; i++) {
        bool is_input = module->views[i] == AG_BINDING_TEXTURE;
        block[AG_DRAW_BLOCK_VIEWS / 4 + 4 * (module->view_base + i) + 1] =
            (uint32_t)(is_input ? in_words : out_words) * 4;
    }
}

void compute_run(struct agpu_gpu *gpu, const struct agpu_module *module, const uint32_t *in, size_t in_words,
                 uint32_t *out, size_t out_words, uint32_t groups)
{
    uint32_t block[AG_DRAW_BLOCK_BYTES / 4];
    fill_draw_block(module, in_words, out_words, block);
    const struct compute_buffer buffers[] = {
        {.group = AG_GROUP_COMPUTE, .binding = AG_BINDING_TEXTURE, .in = in,   .words = in_words },
        {.group = AG_GROUP_COMPUTE, .binding = AG_BINDING_UAV,     .out = out, .words = out_words},
        compute_draw_block(block),
    };
    compute_dispatch(gpu, module, buffers, AG_COUNT_OF(buffers), groups);
}

int compute_open(int argc, char **argv, struct diag_log *log, struct agpu_gpu **gpu)
{
    enum agpu_driver driver;
    if (argc < 2 || !agpu_driver_from_name(argv[1], &driver))
        return 2;
    diag_log_init(log);
    return fixture_open(driver, log, gpu);
}
