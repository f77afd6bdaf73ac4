/* SPDX-License-Identifier: MIT
 *
 * Work that a driver really does: usage: test_queue driver
 */
#include "../../support/test.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../support/submit.h"
#include "fixture.h"
#include "gpu/compilation.h"
#include "gpu/frame_ring.h"
#include "gpu/readback.h"
#include "gpu/wait.h"
#include "gpu/worker.h"

#define TIMEOUT (60 * SECOND_NS)

static struct agpu_gpu *gpu;
static struct diag_log gpu_log;

static WGPUCommandEncoder begin(void)
{
    return wgpuDeviceCreateCommandEncoder(ag_gpu_device(gpu), NULL);
}

static const uint8_t *wait_for(struct ag_readback *readback)
{
    ag_readback_begin(readback);
    assert_int_equal(ag_readback_state(readback), AG_READBACK_PENDING);
    assert_null(ag_readback_data(readback));
    assert_true(ag_gpu_wait_idle(gpu, TIMEOUT));
    assert_int_equal(ag_readback_state(readback), AG_READBACK_READY);
    return ag_readback_data(readback);
}

static void clear(WGPUCommandEncoder encoder, WGPUTexture texture, WGPUColor color)
{
    const WGPUTextureView view = wgpuTextureCreateView(texture, NULL);
    const WGPURenderPassColorAttachment attachment = {
        .view = view,
        .depthSlice = WGPU_DEPTH_SLICE_UNDEFINED,
        .loadOp = WGPULoadOp_Clear,
        .storeOp = WGPUStoreOp_Store,
        .clearValue = color,
    };
    const WGPURenderPassDescriptor descriptor = {.colorAttachmentCount = 1, .colorAttachments = &attachment};
    const WGPURenderPassEncoder pass = wgpuCommandEncoderBeginRenderPass(encoder, &descriptor);
    wgpuRenderPassEncoderEnd(pass);
    wgpuRenderPassEncoderRelease(pass);
    wgpuTextureViewRelease(view);
}

static void test_clear(void **state)
{
    (void)state;
    const WGPUTextureDescriptor descriptor = {
        .usage = WGPUTextureUsage_RenderAttachment | WGPUTextureUsage_CopySrc,
        .dimension = WGPUTextureDimension_2D,
        .size = {5, 3, 1},
        .format = WGPUTextureFormat_RGBA8Unorm,
        .mipLevelCount = 1,
        .sampleCount = 1,
    };
    const WGPUTexture texture = wgpuDeviceCreateTexture(ag_gpu_device(gpu), &descriptor);
    struct ag_readback_pool *const pool = ag_readback_pool_create(gpu, 1 << 20);
    struct ag_readback *const readback = ag_readback_take(pool, 3 * 256);
    const WGPUCommandEncoder encoder = begin();
    clear(encoder, texture, (WGPUColor){1.0, 0.0, 0.2, 1.0});
    const WGPUTexelCopyTextureInfo from = {.texture = texture, .aspect = WGPUTextureAspect_All};
    const WGPUTexelCopyBufferInfo to = {
        .layout = {.bytesPerRow = 256, .rowsPerImage = 3},
        .buffer = ag_readback_buffer(readback),
    };
    wgpuCommandEncoderCopyTextureToBuffer(encoder, &from, &to, &descriptor.size);
    submit_encoder(gpu, encoder);
    const uint8_t *const data = wait_for(readback);
    static const uint8_t pixel[4] = {255, 0, 51, 255};
    for (size_t y = 0; y < 3; y++) {
        for (size_t x = 0; x < 5; x++)
            assert_memory_equal(data + y * 256 + x * 4, pixel, 4);
    }
    ag_readback_release(pool, readback);
    ag_readback_pool_destroy(pool);
    wgpuTextureRelease(texture);
    assert_int_equal(gpu_log.count, 0);
}

static void test_readback_pool(void **state)
{
    (void)state;
    struct ag_readback_pool *const pool = ag_readback_pool_create(gpu, 4096);
    struct ag_readback *const first = ag_readback_take(pool, 1000);
    const WGPUBuffer buffer = ag_readback_buffer(first);
    assert_true(wgpuBufferGetSize(buffer) >= 1000);
    ag_readback_release(pool, first);
    struct ag_readback *const again = ag_readback_take(pool, 600);
    assert_ptr_equal(ag_readback_buffer(again), buffer);

    wait_for(again);
    ag_readback_release(pool, again); /* mapped: unmapped on the way back */
    struct ag_readback *const third = ag_readback_take(pool, 1024);
    assert_ptr_equal(ag_readback_buffer(third), buffer);
    assert_int_equal(ag_readback_state(third), AG_READBACK_RECORDING);

    ag_readback_begin(third);
    ag_readback_release(pool, third); /* pending: it goes once the callback came */
    assert_null(ag_readback_take(pool, UINT64_MAX));
    ag_readback_release(pool, NULL);
    assert_true(ag_gpu_wait_idle(gpu, TIMEOUT));
    ag_readback_pool_destroy(pool);
    assert_int_equal(gpu_log.count, 0);
}

static void test_signals(void **state)
{
    (void)state;
    const uint64_t first = ag_gpu_signal(gpu);
    const uint64_t second = ag_gpu_signal(gpu);
    assert_int_equal(second, first + 1);
    assert_int_equal(ag_gpu_signalled_serial(gpu), second);
    assert_true(ag_gpu_completed_serial(gpu) < first);
    assert_true(ag_gpu_wait_serial(gpu, second, TIMEOUT));
    assert_int_equal(ag_gpu_completed_serial(gpu), second);
}

struct pipeline_result {
    bool called;
    WGPUCreatePipelineAsyncStatus status;
    WGPUComputePipeline pipeline;
    char message[256];
};

static void take_pipeline(WGPUCreatePipelineAsyncStatus status, WGPUComputePipeline pipeline,
                          WGPUStringView message, void *userdata1, void *userdata2)
{
    struct pipeline_result *const result = userdata1;
    assert_ptr_equal(userdata2, gpu);
    result->called = true;
    result->status = status;
    result->pipeline = pipeline;
    ag_webgpu_message(message, result->message, sizeof result->message);
}

static struct pipeline_result create_compute(WGPUShaderModule module, const char *entry_point)
{
    struct pipeline_result result = {0};
    const WGPUComputePipelineDescriptor descriptor = {
        .compute = {.module = module, .entryPoint = ag_webgpu_string(entry_point)},
    };
    const WGPUCreateComputePipelineAsyncCallbackInfo callback = {
        .mode = WGPUCallbackMode_AllowProcessEvents,
        .callback = take_pipeline,
        .userdata1 = &result,
        .userdata2 = gpu,
    };
    wgpuDeviceCreateComputePipelineAsync(ag_gpu_device(gpu), &descriptor, callback);
    assert_true(ag_gpu_wait_flag(gpu, &result.called, TIMEOUT));
    return result;
}

static void dispatch(WGPUCommandEncoder encoder, WGPUComputePipeline pipeline, WGPUBuffer buffer,
                     uint64_t size)
{
    const WGPUBindGroupLayout layout = wgpuComputePipelineGetBindGroupLayout(pipeline, 0);
    const WGPUBindGroupEntry entry = {.binding = 176, .buffer = buffer, .size = size};
    const WGPUBindGroupDescriptor descriptor = {.layout = layout, .entryCount = 1, .entries = &entry};
    const WGPUBindGroup group = wgpuDeviceCreateBindGroup(ag_gpu_device(gpu), &descriptor);
    const WGPUComputePassEncoder pass = wgpuCommandEncoderBeginComputePass(encoder, NULL);
    wgpuComputePassEncoderSetPipeline(pass, pipeline);
    wgpuComputePassEncoderSetBindGroup(pass, 0, group, 0, NULL);
    wgpuComputePassEncoderDispatchWorkgroups(pass, (uint32_t)(size / 4), 1, 1);
    wgpuComputePassEncoderEnd(pass);
    wgpuComputePassEncoderRelease(pass);
    wgpuBindGroupRelease(group);
    wgpuBindGroupLayoutRelease(layout);
}

static void test_compute(void **state)
{
    (void)state;
    static const char wgsl[] = "@group(0) @binding(176) var<storage, read_write> out: array<u32>;\n"
                               "@compute @workgroup_size(1)\n"
                               "fn main(@builtin(global_invocation_id) id: vec3<u32>) {\n"
                               "  out[id.x] = id.x * id.x + 7u;\n"
                               "}\n";
    const WGPUShaderModule module = ag_gpu_create_shader(gpu, wgsl, sizeof wgsl - 1, "squares");
    const struct pipeline_result bad = create_compute(module, "missing");
    assert_int_equal(bad.status, WGPUCreatePipelineAsyncStatus_ValidationError);
    assert_null(bad.pipeline);
    assert_non_null(strstr(bad.message, "missing"));
    const struct pipeline_result good = create_compute(module, "main");
    assert_int_equal(good.status, WGPUCreatePipelineAsyncStatus_Success);

    const WGPUBufferDescriptor descriptor = {.usage = WGPUBufferUsage_Storage | WGPUBufferUsage_CopySrc,
                                             .size = 256};
    const WGPUBuffer buffer = wgpuDeviceCreateBuffer(ag_gpu_device(gpu), &descriptor);
    struct ag_readback_pool *const pool = ag_readback_pool_create(gpu, 1 << 20);
    struct ag_readback *const readback = ag_readback_take(pool, descriptor.size);
    const WGPUCommandEncoder encoder = begin();
    dispatch(encoder, good.pipeline, buffer, descriptor.size);
    wgpuCommandEncoderCopyBufferToBuffer(encoder, buffer, 0, ag_readback_buffer(readback), 0,
                                         descriptor.size);
    submit_encoder(gpu, encoder);
    const uint8_t *const data = wait_for(readback);
    for (uint32_t i = 0; i < 64; i++)
        assert_memory_equal(data + i * 4, &(uint32_t){i * i + 7}, 4);
    ag_readback_release(pool, readback);
    ag_readback_pool_destroy(pool);
    wgpuBufferRelease(buffer);
    wgpuComputePipelineRelease(good.pipeline);
    wgpuShaderModuleRelease(module);
    assert_int_equal(gpu_log.count, 0);
}

struct scope_result {
    bool called;
    WGPUErrorType type;
    char message[256];
};

static void take_scope(void *user, WGPUErrorType type, const char *message)
{
    struct scope_result *const result = user;
    result->called = true;
    result->type = type;
    snprintf(result->message, sizeof result->message, "%s", message);
}

static void test_error_scopes(void **state)
{
    (void)state;
    struct scope_result inner = {0}, outer = {0};
    ag_gpu_push_error_scope(gpu, WGPUErrorFilter_Validation);
    ag_gpu_push_error_scope(gpu, WGPUErrorFilter_Validation);
    const WGPUBufferDescriptor bad = {.label = ag_webgpu_string("two ways"),
                                      .usage = WGPUBufferUsage_MapRead | WGPUBufferUsage_MapWrite,
                                      .size = 4};
    wgpuBufferRelease(wgpuDeviceCreateBuffer(ag_gpu_device(gpu), &bad));
    assert_true(ag_gpu_pop_error_scope(gpu, take_scope, &inner));
    assert_true(ag_gpu_pop_error_scope(gpu, take_scope, &outer));
    assert_false(inner.called); /* only from a poll */
    assert_true(ag_gpu_wait_flag(gpu, &outer.called, TIMEOUT));
    assert_true(inner.called);
    assert_int_equal(inner.type, WGPUErrorType_Validation);
    assert_non_null(strstr(inner.message, "two ways"));
    assert_int_equal(outer.type, WGPUErrorType_NoError);
    assert_string_equal(outer.message, "");
    assert_int_equal(gpu_log.count, 0);
}

/* Copies a slice into a readback and says what arrives. */
static void use_slice(struct ag_frame_ring *ring, const struct ag_frame_slice *slice,
                      struct ag_readback *readback)
{
    ag_frame_ring_flush(ring);
    const WGPUCommandEncoder encoder = begin();
    wgpuCommandEncoderCopyBufferToBuffer(encoder, slice->buffer, slice->offset, ag_readback_buffer(readback),
                                         0, slice->size);
    submit_encoder(gpu, encoder);
    ag_frame_ring_submitted(ring, ag_gpu_signal(gpu));
}

static void go_round(WGPUBufferUsage usage)
{
    struct ag_readback_pool *const pool = ag_readback_pool_create(gpu, 1 << 20);
    const struct ag_frame_ring_options options = {.usage = usage, .chunk_bytes = 1024, .limit_bytes = 4096};
    struct ag_frame_ring *const ring = ag_frame_ring_create(gpu, &options);
    assert_int_equal(ag_frame_ring_bytes(ring), 0);
    for (uint32_t round = 0; round < 40; round++) {
        struct ag_frame_slice unused, slice;
        assert_true(ag_frame_ring_alloc(ring, 1, &unused));
        assert_true(ag_frame_ring_alloc(ring, 100, &slice));
        assert_int_equal(slice.offset % 256, 0);
        assert_int_equal(slice.size, 100);
        memset(unused.data, 0xEE, unused.size);
        for (uint32_t i = 0; i < 25; i++)
            memcpy(slice.data + i * 4, &(uint32_t){round * 1000 + i}, 4);
        struct ag_readback *const readback = ag_readback_take(pool, 100);
        use_slice(ring, &slice, readback);
        const uint8_t *const data = wait_for(readback);
        for (uint32_t i = 0; i < 25; i++)
            assert_memory_equal(data + i * 4, &(uint32_t){round * 1000 + i}, 4);
        ag_readback_release(pool, readback);
    }
    assert_true(ag_frame_ring_bytes(ring) <= 2048); /* buffers went round */
    ag_frame_ring_destroy(ring);
    assert_true(ag_gpu_wait_idle(gpu, TIMEOUT));
    ag_readback_pool_destroy(pool);
    assert_int_equal(gpu_log.count, 0);
}

static void test_ring_written_by_the_queue(void **state)
{
    (void)state;
    go_round(WGPUBufferUsage_Uniform | WGPUBufferUsage_CopySrc);
}

static void test_ring_of_mapped_memory(void **state)
{
    (void)state;
    go_round(WGPUBufferUsage_MapWrite | WGPUBufferUsage_CopySrc);
}

static void test_ring_limit(void **state)
{
    (void)state;
    const struct ag_frame_ring_options options = {
        .usage = WGPUBufferUsage_Uniform | WGPUBufferUsage_CopySrc, .chunk_bytes = 512, .limit_bytes = 1024};
    struct ag_frame_ring *const ring = ag_frame_ring_create(gpu, &options);
    struct ag_frame_slice slices[4], slice;
    for (size_t i = 0; i < 4; i++) {
        assert_true(ag_frame_ring_alloc(ring, 256, &slices[i]));
        for (size_t j = 0; j < i; j++)
            assert_true(slices[j].buffer != slices[i].buffer || slices[j].offset != slices[i].offset);
    }
    assert_int_equal(ag_frame_ring_chunk_count(ring), 2);
    assert_false(ag_frame_ring_alloc(ring, 4, &slice)); /* nothing was submitted, nothing can be free */
    assert_false(ag_frame_ring_alloc(ring, UINT64_MAX, &slice));
    ag_frame_ring_flush(ring);
    ag_frame_ring_submitted(ring, ag_gpu_signal(gpu));
    assert_true(ag_gpu_wait_idle(gpu, TIMEOUT));
    assert_true(ag_frame_ring_alloc(ring, 4, &slice));
    assert_int_equal(slice.offset, 0);
    assert_ptr_equal(slice.buffer, slices[0].buffer);
    ag_frame_ring_destroy(ring);
    assert_int_equal(gpu_log.count, 0);
}

static void test_ring_large_slice(void **state)
{
    (void)state;
    const struct ag_frame_ring_options options = {
        .usage = WGPUBufferUsage_Uniform | WGPUBufferUsage_CopySrc, .chunk_bytes = 512, .limit_bytes = 8192};
    struct ag_frame_ring *const ring = ag_frame_ring_create(gpu, &options);
    struct ag_frame_slice small, large, next;
    assert_true(ag_frame_ring_alloc(ring, 16, &small));
    assert_true(ag_frame_ring_alloc(ring, 5000, &large));
    assert_int_equal(large.offset, 0);
    assert_ptr_not_equal(large.buffer, small.buffer);
    assert_int_equal(ag_frame_ring_bytes(ring), 5512);
    assert_true(ag_frame_ring_alloc(ring, 16, &next));
    assert_ptr_equal(next.buffer, small.buffer); /* the open buffer stays open */
    ag_frame_ring_flush(ring);
    ag_frame_ring_submitted(ring, ag_gpu_signal(gpu));
    assert_true(ag_gpu_wait_idle(gpu, TIMEOUT));
    assert_true(ag_frame_ring_alloc(ring, 512, &next)); /* looks for a buffer, and drops the large one */
    assert_true(ag_frame_ring_bytes(ring) <= 1024);
    ag_frame_ring_destroy(ring);
    assert_int_equal(gpu_log.count, 0);
}

/* ---- The worker ---------------------------------------------------------------------------------------- */

struct numbered_task {
    struct ag_task task; /* first */
    unsigned number;
};

static atomic_bool is_begun, may_end;
static atomic_uint done_numbers; /* a decimal digit for each task */

static void note_number(struct ag_task *task)
{
    atomic_store(&is_begun, true);
    while (!atomic_load(&may_end))
        sched_yield();
    atomic_store(&done_numbers, atomic_load(&done_numbers) * 10 + ((struct numbered_task *)task)->number);
}

static void free_task(struct ag_task *task)
{
    free(task);
}

static struct ag_compilation *begin_task(unsigned number)
{
    struct numbered_task *const task = calloc(1, sizeof *task);
    assert_non_null(task);
    task->task.run = note_number;
    task->task.destroy = free_task;
    task->number = number;
    return ag_compile_task(gpu, &task->task, false);
}

/* What somebody waits for is done next, the rest in its order. */
static void test_worker_hurries(void **state)
{
    enum { TASKS = 5 };
    struct ag_compilation *compilations[TASKS];
    (void)state;
    ag_gpu_start_worker(gpu);
    for (unsigned i = 0; i < TASKS; i++) {
        compilations[i] = begin_task(i + 1);
        assert_non_null(compilations[i]);
        while (!atomic_load(&is_begun)) /* the thread has taken the first one */
            sched_yield();
    }
    ag_compilation_hurry(compilations[4]);
    ag_compilation_hurry(compilations[2]);
    atomic_store(&may_end, true);
    while (ag_compilations_pending(gpu) != 0)
        sched_yield();
    for (unsigned i = 0; i < TASKS; i++)
        ag_compilation_release(compilations[i]);
    assert_int_equal(atomic_load(&done_numbers), 13524);
}

int main(int argc, char **argv)
{
    enum agpu_driver driver;
    if (argc != 2 || !agpu_driver_from_name(argv[1], &driver)) {
        printf("usage: test_queue driver\n");
        return 2;
    }
    const int opened = fixture_open(driver, &gpu_log, &gpu);
    if (opened != 0)
        return opened;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clear),
        cmocka_unit_test(test_readback_pool),
        cmocka_unit_test(test_signals),
        cmocka_unit_test(test_compute),
        cmocka_unit_test(test_error_scopes),
        cmocka_unit_test(test_ring_written_by_the_queue),
        cmocka_unit_test(test_ring_of_mapped_memory),
        cmocka_unit_test(test_ring_limit),
        cmocka_unit_test(test_ring_large_slice),
        cmocka_unit_test(test_worker_hurries),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    agpu_gpu_destroy(gpu);
    return failed;
}
