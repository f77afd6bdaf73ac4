/* SPDX-License-Identifier: MIT
 *
 * The device and what hands out its memory when an allocation of the host fails, each in turn.
 */
#include "../../support/test.h"

#include <stdio.h>
#include <string.h>

#include "../../support/failing_memory.h"
#include "fixture.h"
#include "gpu/frame_ring.h"
#include "gpu/readback.h"
#include "gpu/wait.h"

enum { SLICES = 40, CHUNK_BYTES = 4096 };

static const struct agpu_gpu_options options = {.driver = AGPU_DRIVER_NULL};

/* The library is looked for once in a process; the gpu is made each time. */
static bool makes_a_device(void)
{
    struct diag_log log;
    struct agpu_gpu *gpu;
    diag_log_init(&log);
    const enum agpu_status status = agpu_gpu_create(&options, &log.sink, &gpu);
    const bool failed = failing_memory_disarm();
    /* Without a library there is none to make; names of adapters that do not fit are only missing in a
     * message. */
    if (status == AGPU_NO_MEMORY || failed)
        assert_true(status == AGPU_NO_MEMORY || status == AGPU_OK);
    if (status == AGPU_NO_MEMORY)
        assert_int_equal(log.code, AGPU_DIAG_OUT_OF_MEMORY);
    assert_true((gpu != NULL) == (status == AGPU_OK));
    agpu_gpu_destroy(gpu);
    return failed;
}

static struct agpu_gpu *gpu;

/* Slices of their own size have chunks of their own. */
static bool cut_slices(struct ag_frame_ring *ring)
{
    for (uint64_t i = 0; i < SLICES; i++) {
        struct ag_frame_slice slice;
        if (!ag_frame_ring_alloc(ring, i % 8 == 7 ? CHUNK_BYTES + i : 1000, &slice))
            return false;
        memset(slice.data, (int)i, slice.size);
    }
    return true;
}

static bool slices_of(WGPUBufferUsage usage)
{
    const struct ag_frame_ring_options ring_options = {.usage = usage, .chunk_bytes = CHUNK_BYTES};
    struct ag_frame_ring *const ring = ag_frame_ring_create(gpu, &ring_options);
    bool good = ring != NULL;
    for (unsigned times = 0; good && times < 3; times++) {
        good = cut_slices(ring);
        ag_frame_ring_flush(ring);
        ag_frame_ring_submitted(ring, ag_gpu_signal(gpu));
        ag_gpu_wait_idle(gpu, SECOND_NS);
    }
    const bool failed = failing_memory_disarm();
    assert_true(good || failed); /* a chunk that is not mapped again is dropped */
    if (ring != NULL) {          /* goes on where it was */
        assert_true(cut_slices(ring));
        ag_frame_ring_flush(ring);
        ag_frame_ring_submitted(ring, ag_gpu_signal(gpu));
        ag_gpu_wait_idle(gpu, SECOND_NS);
    }
    ag_frame_ring_destroy(ring);
    ag_gpu_poll(gpu);
    return failed;
}

static bool written_slices(void)
{
    return slices_of(WGPUBufferUsage_Uniform);
}

static bool mapped_slices(void)
{
    return slices_of(WGPUBufferUsage_MapWrite | WGPUBufferUsage_CopySrc);
}

static bool readbacks(void)
{
    struct ag_readback *taken[20];
    struct ag_readback_pool *const pool = ag_readback_pool_create(gpu, 1 << 20);
    bool good = pool != NULL;
    for (unsigned i = 0; i < 20; i++) {
        taken[i] = pool != NULL ? ag_readback_take(pool, 1000 * i) : NULL;
        good &= taken[i] != NULL;
        if (taken[i] != NULL && i % 2 == 0)
            ag_readback_begin(taken[i]);
    }
    ag_gpu_wait_idle(gpu, SECOND_NS);
    /* A readback that cannot be kept for later goes. */
    for (unsigned i = 0; i < 20; i++)
        ag_readback_release(pool, taken[i]);
    const bool failed = failing_memory_disarm();
    assert_true(good || failed);
    ag_readback_pool_destroy(pool);
    return failed;
}

static unsigned answers;

static void answered(void *user, WGPUErrorType type, const char *message)
{
    (void)user;
    (void)message;
    assert_int_equal(type, WGPUErrorType_NoError);
    answers++;
}

/* A scope is closed, with or without somebody to answer to. */
static bool error_scopes(void)
{
    answers = 0;
    ag_gpu_push_error_scope(gpu, WGPUErrorFilter_Validation);
    const bool good = ag_gpu_pop_error_scope(gpu, answered, NULL);
    const bool failed = failing_memory_disarm();
    assert_true(good == !failed);
    ag_gpu_push_error_scope(gpu, WGPUErrorFilter_Validation);
    assert_true(ag_gpu_pop_error_scope(gpu, answered, NULL));
    ag_gpu_wait_idle(gpu, SECOND_NS);
    ag_gpu_poll(gpu);
    assert_int_equal(answers, good + 1);
    return failed;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    assert_true(failing_memory_each(written_slices) > 20);
    assert_true(failing_memory_each(mapped_slices) > 20);
    assert_true(failing_memory_each(readbacks) > 20);
    assert_true(failing_memory_each(error_scopes) >= 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation_may_fail)};
    struct diag_log log;
    const unsigned failures = failing_memory_each(makes_a_device);
    const int opened = fixture_open(AGPU_DRIVER_NULL, &log, &gpu);
    if (opened != 0)
        return opened;
    printf("%u failures for the device\n", failures);
    const int failed = failures < 2 ? 1 : cmocka_run_group_tests(tests, NULL, NULL);
    agpu_gpu_destroy(gpu);
    return failed;
}
