/* SPDX-License-Identifier: MIT
 *
 * Making devices and hearing from them, on the Null backend.
 */
#include "../../support/test.h"

#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "gpu/frame_ring.h"
#include "gpu/gpu.h"
#include "gpu/readback.h"
#include "gpu/wait.h"

#if defined(__has_feature)
#define HAS_ADDRESS_SANITIZER __has_feature(address_sanitizer)
#else
#define HAS_ADDRESS_SANITIZER 0
#endif
#if defined(__SANITIZE_ADDRESS__) || HAS_ADDRESS_SANITIZER
#include <sanitizer/lsan_interface.h>
#endif

static struct agpu_gpu *open_null(struct diag_log *log)
{
    struct agpu_gpu *gpu;
    diag_log_init(log);
    const struct agpu_gpu_options options = {.driver = AGPU_DRIVER_NULL};
    assert_int_equal(agpu_gpu_create(&options, &log->sink, &gpu), AGPU_OK);
    return gpu;
}

static void test_info(void **state)
{
    (void)state;
    struct diag_log log;
    struct agpu_gpu *const gpu = open_null(&log);
    struct agpu_adapter_info info = {0};
    agpu_gpu_info(gpu, &info);
    assert_string_equal(info.driver, "null");
    assert_string_equal(info.backend, "null");
    assert_true(info.feature_count > 0);
    bool has_bc = false;
    for (uint32_t i = 0; i < info.feature_count; i++)
        has_bc |= strcmp(info.features[i], "texture-compression-bc") == 0;
    assert_true(has_bc);
    assert_true(ag_gpu_has(gpu, AG_GPU_FEATURE_TEXTURE_COMPRESSION_BC));
    assert_string_equal(info.limits[0].name, "maxTextureDimension1D");
    assert_int_equal(info.limits[0].value, ag_gpu_limits(gpu)->maxTextureDimension1D);
    assert_true(info.limits[0].value >= 8192);
    assert_int_equal(log.count, 0);
    agpu_gpu_destroy(gpu);
}

static uint64_t limit_of(const struct agpu_gpu *gpu, const char *name)
{
    struct agpu_adapter_info info = {0};
    agpu_gpu_info(gpu, &info);
    for (uint32_t i = 0; i < info.limit_count; i++)
        if (strcmp(info.limits[i].name, name) == 0)
            return info.limits[i].value;
    fail_msg("no limit is called %s", name);
    return 0;
}

static struct agpu_gpu *open_limited(enum agpu_limits limits, const char *const *without, uint32_t count)
{
    struct diag_log log;
    struct agpu_gpu *gpu;
    diag_log_init(&log);
    const struct agpu_gpu_options options = {
        .driver = AGPU_DRIVER_NULL, .limits = limits, .without = without, .without_count = count};
    assert_int_equal(agpu_gpu_create(&options, &log.sink, &gpu), AGPU_OK);
    assert_int_equal(log.count, 0);
    return gpu;
}

/* The numbers are those of WebGPU's table of limits, and of Chromium's steps. */
static void test_limits(void **state)
{
    (void)state;
    struct agpu_adapter_info info = {0};
    struct agpu_gpu *const standard = open_limited(AGPU_LIMITS_DEFAULT, NULL, 0);
    assert_int_equal(limit_of(standard, "maxStorageBuffersPerShaderStage"), 8);
    assert_int_equal(limit_of(standard, "maxColorAttachmentBytesPerSample"), 32);
    assert_int_equal(limit_of(standard, "maxComputeWorkgroupStorageSize"), 16384);
    assert_int_equal(limit_of(standard, "minUniformBufferOffsetAlignment"), 256);
    agpu_gpu_info(standard, &info);
    for (uint32_t i = 0; i < info.feature_count; i++)
        assert_string_equal(info.features[i], "core-features-and-limits");
    agpu_gpu_destroy(standard);

    struct agpu_gpu *const browser = open_limited(AGPU_LIMITS_BROWSER, NULL, 0);
    const uint64_t buffers =
        limit_of(browser, "maxStorageBuffersPerShaderStage"); /* the adapter's, up to 10 */
    assert_true(buffers >= 8 && buffers <= 10);
    assert_int_equal(limit_of(browser, "maxComputeInvocationsPerWorkgroup"), 256);
    assert_true(ag_gpu_has(browser, AG_GPU_FEATURE_TEXTURE_COMPRESSION_BC));
    assert_true(ag_gpu_has(browser, AG_GPU_FEATURE_RG11B10UFLOAT_RENDERABLE));
    agpu_gpu_destroy(browser);
}

static void test_without_features(void **state)
{
    (void)state;
    static const char *const names[] = {"float32-filterable", "rg11b10ufloat-renderable", "of-another-year"};
    struct agpu_gpu *const gpu = open_limited(AGPU_LIMITS_ADAPTER, names, 3);
    assert_false(ag_gpu_has(gpu, AG_GPU_FEATURE_FLOAT32_FILTERABLE));
    assert_false(ag_gpu_has(gpu, AG_GPU_FEATURE_RG11B10UFLOAT_RENDERABLE));
    assert_true(ag_gpu_has(gpu, AG_GPU_FEATURE_TEXTURE_COMPRESSION_BC));
    agpu_gpu_destroy(gpu);
}

static void test_names_of_limits(void **state)
{
    (void)state;
    enum agpu_limits limits = AGPU_LIMITS_ADAPTER;
    assert_string_equal(agpu_limits_name(AGPU_LIMITS_BROWSER), "browser");
    assert_true(agpu_limits_from_name("default", &limits));
    assert_int_equal(limits, AGPU_LIMITS_DEFAULT);
    assert_false(agpu_limits_from_name("defaults", &limits));
    assert_int_equal(limits, AGPU_LIMITS_DEFAULT);
}

static enum agpu_status check(struct agpu_gpu *gpu, const char *wgsl, struct diag_log *log)
{
    diag_log_init(log);
    return agpu_gpu_check_wgsl(gpu, wgsl, strlen(wgsl), &log->sink);
}

static void test_check_wgsl(void **state)
{
    (void)state;
    struct diag_log device_log, log;
    struct agpu_gpu *const gpu = open_null(&device_log);
    assert_int_equal(check(gpu, "@compute @workgroup_size(1) fn main() {}", &log), AGPU_OK);
    assert_int_equal(log.count, 0);

    assert_int_equal(check(gpu, "fn f() -> i32 {\n  return nothing;\n}\n", &log), AGPU_REFUSED);
    assert_int_equal(log.count, 1);
    assert_int_equal(log.code, AGPU_DIAG_TRANSLATE_INVALID_WGSL);
    assert_int_equal(log.place.line, 2);
    assert_int_equal(log.place.column, 10);
    assert_non_null(strstr(log.message, "nothing"));

    assert_int_equal(check(gpu, "", &log), AGPU_OK);
    ag_gpu_poll(gpu);
    assert_int_equal(device_log.count, 0); /* what does not compile is no surprise to the device */
    agpu_gpu_destroy(gpu);
}

static void test_unexpected_errors_reach_the_sink(void **state)
{
    (void)state;
    struct diag_log log;
    struct agpu_gpu *const gpu = open_null(&log);
    const WGPUBufferDescriptor both = {.usage = WGPUBufferUsage_MapRead | WGPUBufferUsage_MapWrite,
                                       .size = 4};
    wgpuBufferRelease(wgpuDeviceCreateBuffer(ag_gpu_device(gpu), &both));
    ag_gpu_poll(gpu);
    assert_int_equal(log.count, 1);
    assert_int_equal(log.code, AGPU_DIAG_GPU_VALIDATION);
    assert_null(strchr(log.message, '\n'));

    wgpuDeviceInjectError(ag_gpu_device(gpu), WGPUErrorType_OutOfMemory, ag_webgpu_string("no room"));
    ag_gpu_poll(gpu);
    assert_int_equal(log.code, AGPU_DIAG_GPU_OUT_OF_MEMORY);
    agpu_gpu_destroy(gpu);
    assert_int_equal(log.count, 2); /* closing is no loss */
}

static void test_captured_programs_have_a_device_for_labels(void **state)
{
    (void)state;
    struct diag_log log;
    assert_int_equal(setenv("ENABLE_VULKAN_RENDERDOC_CAPTURE", "1", 1), 0);
    struct agpu_gpu *const gpu = open_null(&log);
    assert_int_equal(unsetenv("ENABLE_VULKAN_RENDERDOC_CAPTURE"), 0);
    const WGPUBufferDescriptor named = {
        .label = ag_webgpu_string("a buffer"), .usage = WGPUBufferUsage_CopyDst, .size = 4};
    wgpuBufferRelease(wgpuDeviceCreateBuffer(ag_gpu_device(gpu), &named));
    ag_gpu_poll(gpu);
    assert_int_equal(log.count, 0);
    agpu_gpu_destroy(gpu);
}

static enum ag_gpu_revival revive(struct agpu_gpu *gpu)
{
    enum ag_gpu_revival revival;
    while ((revival = ag_gpu_revive(gpu)) == AG_GPU_REVIVING)
        ag_gpu_poll(gpu);
    return revival;
}

static void test_loss(void **state)
{
    (void)state;
    struct diag_log log;
    struct agpu_gpu *const gpu = open_null(&log);
    assert_false(ag_gpu_is_lost(gpu));
    const uint64_t serial = ag_gpu_signal(gpu);
    wgpuDeviceForceLoss(ag_gpu_device(gpu), WGPUDeviceLostReason_Unknown, ag_webgpu_string("pulled\nout"));
    ag_gpu_poll(gpu);
    assert_true(ag_gpu_is_lost(gpu));
    assert_int_equal(log.count, 1);
    assert_int_equal(log.code, AGPU_DIAG_GPU_LOST);
    assert_non_null(strstr(log.message, "pulled out"));
    assert_false(ag_gpu_wait_serial(gpu, serial, SECOND_NS));
    assert_int_equal(ag_gpu_completed_serial(gpu), serial);
    assert_int_equal(revive(gpu), AG_GPU_REVIVED);
    assert_false(ag_gpu_is_lost(gpu));
    assert_int_equal(ag_gpu_revive(gpu), AG_GPU_REVIVED); /* nothing to do */
    assert_true(ag_gpu_wait_idle(gpu, 60 * SECOND_NS));
    assert_int_equal(log.count, 1);
    agpu_gpu_destroy(gpu);
}

/* What is outstanding when the device goes ends; nothing stays pending and nothing leaks. */
static void test_loss_with_work_outstanding(void **state)
{
    (void)state;
    struct diag_log log;
    struct agpu_gpu *const gpu = open_null(&log);
    struct ag_readback_pool *const pool = ag_readback_pool_create(gpu, 4096);
    struct ag_readback *const held = ag_readback_take(pool, 16);
    struct ag_readback *const released = ag_readback_take(pool, 16);
    const struct ag_frame_ring_options options = {.usage =
                                                      WGPUBufferUsage_MapWrite | WGPUBufferUsage_CopySrc};
    struct ag_frame_ring *const ring = ag_frame_ring_create(gpu, &options);
    struct ag_frame_slice slice;
    assert_true(ag_frame_ring_alloc(ring, 16, &slice));
    ag_frame_ring_flush(ring);
    ag_frame_ring_submitted(ring, ag_gpu_signal(gpu));
    ag_readback_begin(held);
    ag_readback_begin(released);
    wgpuDeviceForceLoss(ag_gpu_device(gpu), WGPUDeviceLostReason_Unknown, ag_webgpu_string("pulled out"));
    ag_readback_release(pool, released);
    ag_frame_ring_destroy(ring);
    ag_gpu_poll(gpu);
    assert_int_not_equal(ag_readback_state(held), AG_READBACK_PENDING);
    ag_readback_release(pool, held);
    ag_readback_pool_destroy(pool);
    agpu_gpu_destroy(gpu);
}

static void note_answer(void *user, WGPUErrorType type, const char *message)
{
    (void)message;
    *(WGPUErrorType *)user = type;
}

/* What an abandoned device is asked for fails at once, and another device takes its place. */
static void test_abandoned_devices_are_replaced(void **state)
{
    (void)state;
    struct diag_log log;
    struct agpu_gpu *const gpu = open_null(&log);
    for (int i = 0; i < 3; i++) {
        const WGPUDevice old = ag_gpu_device(gpu);
        struct ag_readback_pool *const pool = ag_readback_pool_create(gpu, 4096);
        struct ag_readback *const held = ag_readback_take(pool, 16);
        struct ag_readback *const released = ag_readback_take(pool, 16);
        WGPUErrorType answer = WGPUErrorType_NoError;
        const uint64_t serial = ag_gpu_signal(gpu);
        ag_readback_begin(held);
        ag_readback_begin(released);
        ag_readback_release(pool, released);
        ag_gpu_push_error_scope(gpu, WGPUErrorFilter_Validation);
        assert_true(ag_gpu_pop_error_scope(gpu, note_answer, &answer));
        wgpuDeviceAddRef(old); /* so that no other device has the address */
        ag_gpu_abandon(gpu);
        assert_true(ag_gpu_is_lost(gpu));
        assert_int_equal(answer, WGPUErrorType_Unknown);
        assert_int_equal(ag_readback_state(held), AG_READBACK_FAILED);
        assert_int_equal(ag_gpu_completed_serial(gpu), serial);
        const uint64_t next = ag_gpu_signal(gpu);
        assert_int_equal(ag_gpu_completed_serial(gpu), next);
        ag_readback_release(pool, held);
        ag_readback_pool_destroy(pool);
        assert_int_equal(ag_gpu_revive(gpu), AGPU_OK);
        assert_false(ag_gpu_is_lost(gpu));
        assert_ptr_not_equal(ag_gpu_device(gpu), old);
        wgpuDeviceRelease(old);
        assert_true(ag_gpu_wait_idle(gpu, 60 * SECOND_NS));
    }
    ag_gpu_abandon(gpu);
    agpu_gpu_destroy(gpu);
    assert_int_equal(log.count, 0); /* who abandons a device says so */
}

static void test_embedder_device(void **state)
{
    (void)state;
    struct diag_log owner_log, log;
    struct agpu_gpu *const owner = open_null(&owner_log);
    struct agpu_gpu_options options = {
        .instance = ag_gpu_instance(owner),
        .device = ag_gpu_device(owner),
    };
    struct agpu_gpu *gpu;
    diag_log_init(&log);
    assert_int_equal(agpu_gpu_create(&options, &log.sink, &gpu), AGPU_OK);
    assert_ptr_equal(ag_gpu_device(gpu), options.device);
    assert_true(ag_gpu_wait_idle(gpu, 60 * SECOND_NS));
    agpu_gpu_destroy(gpu);
    ag_gpu_poll(owner);
    assert_false(ag_gpu_is_lost(owner)); /* a lent device stays the embedder's */

    assert_int_equal(agpu_gpu_create(&options, &log.sink, &gpu), AGPU_OK);
    wgpuDeviceForceLoss(options.device, WGPUDeviceLostReason_Unknown, ag_webgpu_string("pulled out"));
    ag_gpu_poll(gpu);
    assert_true(ag_gpu_is_lost(gpu));
    assert_int_equal(log.count, 1);
    assert_int_equal(log.code, AGPU_DIAG_GPU_LOST);
    ag_gpu_abandon(gpu);
    assert_int_equal(ag_gpu_revive(gpu), AGPU_MISSING); /* only the embedder can make another */
    agpu_gpu_destroy(gpu);

    options.instance = NULL;
    assert_int_equal(agpu_gpu_create(&options, &log.sink, &gpu), AGPU_MISSING);
    assert_int_equal(log.code, AGPU_DIAG_GPU_NO_DEVICE);
    agpu_gpu_destroy(owner);
}

/* An embedder's device comes back by what the embedder gives; what was asked of the lost one hurts nobody. */
static void test_embedder_replaces_its_device(void **state)
{
    (void)state;
    struct diag_log first_log, second_log, log;
    struct agpu_gpu *const first = open_null(&first_log), *const second = open_null(&second_log);
    const struct agpu_gpu_options options = {
        .instance = ag_gpu_instance(first),
        .device = ag_gpu_device(first),
    };
    struct agpu_gpu *gpu;
    diag_log_init(&log);
    assert_int_equal(agpu_gpu_create(&options, &log.sink, &gpu), AGPU_OK);
    const uint64_t serial = ag_gpu_signal(gpu);
    wgpuDeviceForceLoss(options.device, WGPUDeviceLostReason_Unknown, ag_webgpu_string("pulled out"));
    ag_gpu_poll(gpu);
    assert_true(ag_gpu_is_lost(gpu));
    assert_int_equal(log.count, 1);
    for (unsigned times = 0; times < 2; times++) {
        assert_int_equal(ag_gpu_revive(gpu), AG_GPU_GONE);
        assert_int_equal(log.count, 2); /* said once */
    }

    assert_int_equal(agpu_gpu_replace_device(gpu, NULL, ag_gpu_device(second)), AGPU_REFUSED);
    assert_false(ag_gpu_has_replacement(gpu));
    assert_int_equal(
        agpu_gpu_replace_device(gpu, (void *)ag_gpu_instance(second), (void *)ag_gpu_device(second)),
        AGPU_OK);
    assert_true(ag_gpu_has_replacement(gpu));
    assert_int_equal(ag_gpu_revive(gpu), AG_GPU_REVIVED);
    assert_false(ag_gpu_has_replacement(gpu));
    assert_ptr_equal(ag_gpu_device(gpu), ag_gpu_device(second));
    assert_true(ag_gpu_completed_serial(gpu) >= serial);
    assert_true(ag_gpu_wait_idle(gpu, 60 * SECOND_NS));

    assert_int_equal(
        agpu_gpu_replace_device(second, (void *)ag_gpu_instance(first), (void *)ag_gpu_device(first)),
        AGPU_REFUSED);
    assert_int_equal(second_log.code, AGPU_DIAG_GPU_NO_DEVICE);
    agpu_gpu_destroy(gpu);
    agpu_gpu_destroy(first);
    agpu_gpu_destroy(second);
}

/* The end waits for nothing: what WebGPU answers later frees itself. */
static void test_end_with_work_in_flight(void **state)
{
    (void)state;
    struct diag_log owner_log, log;
    struct agpu_gpu *const owner = open_null(&owner_log);
    const struct agpu_gpu_options options = {
        .instance = ag_gpu_instance(owner),
        .device = ag_gpu_device(owner),
    };
    struct agpu_gpu *gpu;
    diag_log_init(&log);
    for (unsigned times = 0; times < 3; times++) {
        assert_int_equal(agpu_gpu_create(&options, &log.sink, &gpu), AGPU_OK);
        struct ag_readback_pool *const pool = ag_readback_pool_create(gpu, 4096);
        struct ag_readback *const readback = ag_readback_take(pool, 16);
        ag_readback_begin(readback);
        ag_readback_release(pool, readback);
        ag_readback_pool_destroy(pool);
        ag_gpu_signal(gpu);
        ag_gpu_signal(gpu);
        agpu_gpu_destroy(gpu);
    }
    ag_gpu_poll(owner); /* answers what was asked */
    assert_int_equal(agpu_gpu_create(&options, &log.sink, &gpu), AGPU_OK);
    ag_gpu_signal(gpu);
    agpu_gpu_destroy(gpu);
    ag_gpu_signal(owner);
    agpu_gpu_destroy(owner); /* and so does the end of the instance */
    assert_int_equal(log.count, 0);
}

static void test_environment_names_the_driver(void **state)
{
    (void)state;
    struct diag_log log;
    struct agpu_gpu *gpu;
    struct agpu_adapter_info info = {0};
    diag_log_init(&log);
    setenv("AEROGPU_DRIVER", "null", 1);
    assert_int_equal(agpu_gpu_create(NULL, &log.sink, &gpu), AGPU_OK);
    agpu_gpu_info(gpu, &info);
    assert_string_equal(info.driver, "null");
    agpu_gpu_destroy(gpu);

    setenv("AEROGPU_DRIVER", "teapot", 1);
    assert_int_equal(agpu_gpu_create(NULL, &log.sink, &gpu), AGPU_MISSING);
    assert_int_equal(log.code, AGPU_DIAG_GPU_NO_ADAPTER);
    assert_non_null(strstr(log.message, "teapot"));
    unsetenv("AEROGPU_DRIVER");
}

static void test_driver_that_is_not_there(void **state)
{
    (void)state;
    struct diag_log log;
    struct agpu_gpu *gpu;
    diag_log_init(&log);
    setenv("VK_DRIVER_FILES", "/nowhere/icd.json", 1);
    const struct agpu_gpu_options options = {.driver = AGPU_DRIVER_LAVAPIPE};
    assert_int_equal(agpu_gpu_create(&options, &log.sink, &gpu), AGPU_MISSING);
    assert_int_equal(log.code, AGPU_DIAG_GPU_NO_ADAPTER);
    assert_non_null(strstr(log.message, "lavapipe"));
    unsetenv("VK_DRIVER_FILES");
}

static void count_null(void *user, const struct agpu_adapter_info *info)
{
    assert_string_equal(info->driver, "null");
    assert_non_null(info->library);
    assert_int_equal(info->feature_count, 0); /* it takes calls, and can do none of them */
    ++*(int *)user;
}

/* Drivers that are looked at keep what they allocate once, and are unloaded with the last instance. */
static void ignore_leaks(bool ignore)
{
#if defined(__SANITIZE_ADDRESS__) || HAS_ADDRESS_SANITIZER
    ignore ? __lsan_disable() : __lsan_enable();
#else
    (void)ignore;
#endif
}

static void test_list(void **state)
{
    (void)state;
    struct diag_log log;
    diag_log_init(&log);
    int count = 0;
    const struct agpu_gpu_options options = {.driver = AGPU_DRIVER_NULL};
    ignore_leaks(true);
    assert_int_equal(agpu_gpu_list_adapters(&options, &log.sink, count_null, &count), AGPU_OK);
    ignore_leaks(false);
    assert_int_equal(count, 1);
    assert_int_equal(log.count, 0);
}

int main(void)
{
    struct diag_log log;
    struct agpu_gpu *gpu;
    const int opened = fixture_open(AGPU_DRIVER_NULL, &log, &gpu);
    if (opened != 0)
        return opened;
    agpu_gpu_destroy(gpu);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_info),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_without_features),
        cmocka_unit_test(test_names_of_limits),
        cmocka_unit_test(test_check_wgsl),
        cmocka_unit_test(test_unexpected_errors_reach_the_sink),
        cmocka_unit_test(test_captured_programs_have_a_device_for_labels),
        cmocka_unit_test(test_loss),
        cmocka_unit_test(test_loss_with_work_outstanding),
        cmocka_unit_test(test_abandoned_devices_are_replaced),
        cmocka_unit_test(test_embedder_device),
        cmocka_unit_test(test_embedder_replaces_its_device),
        cmocka_unit_test(test_end_with_work_in_flight),
        cmocka_unit_test(test_environment_names_the_driver),
        cmocka_unit_test(test_driver_that_is_not_there),
        cmocka_unit_test(test_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
