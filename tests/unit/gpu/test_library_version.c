/* SPDX-License-Identifier: MIT
 *
 * A WebGPU library of another version, whose structures have members in other places: no device is made.
 */
#include "../../support/test.h"

#include <stddef.h>
#include <string.h>

#include "fixture.h"
#include "gpu/gpu.h"
#include "gpu/webgpu.h"

/* The linker's names: __wrap_f is called for f, __real_f is f. NOLINTBEGIN(bugprone-reserved-identifier) */
WGPUStatus __real_ag_wgpuAdapterGetLimits(WGPUAdapter adapter, WGPULimits *limits);
WGPUStatus __wrap_ag_wgpuAdapterGetLimits(WGPUAdapter adapter, WGPULimits *limits);

static WGPUStatus (*library)(WGPUAdapter adapter, WGPULimits *limits);

WGPUStatus __wrap_ag_wgpuAdapterGetLimits(WGPUAdapter adapter, WGPULimits *limits)
{
    return library(adapter, limits);
}

static WGPUStatus tell(WGPUAdapter adapter, WGPULimits *limits)
{
    return __real_ag_wgpuAdapterGetLimits(adapter, limits);
}
/* NOLINTEND(bugprone-reserved-identifier) */

#define FIRST offsetof(WGPULimits, maxTextureDimension1D)

/* Another member in front. */
static WGPUStatus tell_later(WGPUAdapter adapter, WGPULimits *limits)
{
    const WGPUStatus status = tell(adapter, limits);
    unsigned char *const bytes = (unsigned char *)limits;
    memmove(bytes + FIRST + 4, bytes + FIRST, sizeof *limits - FIRST - 4);
    return status;
}

/* A member less. */
static WGPUStatus tell_earlier(WGPUAdapter adapter, WGPULimits *limits)
{
    const WGPUStatus status = tell(adapter, limits);
    unsigned char *const bytes = (unsigned char *)limits;
    memmove(bytes + FIRST, bytes + FIRST + 4, sizeof *limits - FIRST - 4);
    return status;
}

/* More members behind, which the callers of that version have room for. */
static WGPUStatus tell_more(WGPUAdapter adapter, WGPULimits *limits)
{
    const WGPUStatus status = tell(adapter, limits);
    ((unsigned char *)limits)[sizeof *limits + 4] = 1;
    return status;
}

/* A structure that ends in the middle. */
static WGPUStatus tell_less(WGPUAdapter adapter, WGPULimits *limits)
{
    const WGPUStatus status = tell(adapter, limits);
    memset(&limits->maxComputeWorkgroupsPerDimension, 0,
           sizeof *limits - offsetof(WGPULimits, maxComputeWorkgroupsPerDimension));
    return status;
}

static WGPUStatus tell_odd_alignment(WGPUAdapter adapter, WGPULimits *limits)
{
    const WGPUStatus status = tell(adapter, limits);
    limits->minUniformBufferOffsetAlignment = 48;
    return status;
}

static WGPUStatus tell_large_alignment(WGPUAdapter adapter, WGPULimits *limits)
{
    const WGPUStatus status = tell(adapter, limits);
    limits->minStorageBufferOffsetAlignment = 512;
    return status;
}

/* What software drivers have less of. */
static WGPUStatus tell_no_immediates(WGPUAdapter adapter, WGPULimits *limits)
{
    const WGPUStatus status = tell(adapter, limits);
    limits->maxImmediateSize = 0;
    return status;
}

static enum agpu_status open_with(WGPUStatus (*used)(WGPUAdapter, WGPULimits *), struct diag_log *log)
{
    struct agpu_gpu *gpu;
    diag_log_init(log);
    library = used;
    const struct agpu_gpu_options options = {.driver = AGPU_DRIVER_NULL};
    const enum agpu_status status = agpu_gpu_create(&options, &log->sink, &gpu);
    agpu_gpu_destroy(gpu);
    return status;
}

static void assert_refused(WGPUStatus (*used)(WGPUAdapter, WGPULimits *), const char *what)
{
    struct diag_log log;
    assert_int_equal(open_with(used, &log), AGPU_MISSING);
    assert_int_equal(log.count, 1);
    assert_int_equal(log.code, AGPU_DIAG_GPU_LIBRARY_VERSION);
    if (!strstr(log.message, what))
        print_message("%s\n", log.message);
    assert_non_null(strstr(log.message, what));
}

static void other_versions_are_refused(void **state)
{
    (void)state;
    assert_refused(tell_later, "it says that max");
    assert_refused(tell_earlier, "it says that max");
    assert_refused(tell_more, "has more limits than are known");
    assert_refused(tell_less, "maxComputeWorkgroupsPerDimension is 0, which is 65535 at least");
    assert_refused(tell_odd_alignment, "minUniformBufferOffsetAlignment is 48, which is 256 at most");
    assert_refused(tell_large_alignment, "minStorageBufferOffsetAlignment is 512, which is 256 at most");
}

static void this_version_is_not(void **state)
{
    struct diag_log log;
    (void)state;
    assert_int_equal(open_with(tell, &log), AGPU_OK);
    assert_int_equal(log.count, 0);
    assert_int_equal(open_with(tell_no_immediates, &log), AGPU_OK);
    assert_int_equal(log.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(this_version_is_not),
        cmocka_unit_test(other_versions_are_refused),
    };
    struct diag_log log;
    struct agpu_gpu *gpu;
    library = tell;
    const int opened = fixture_open(AGPU_DRIVER_NULL, &log, &gpu);
    if (opened != 0)
        return opened;
    agpu_gpu_destroy(gpu);
    return cmocka_run_group_tests_name("gpu/library_version", tests, NULL, NULL);
}
