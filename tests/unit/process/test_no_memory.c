/* SPDX-License-Identifier: MIT
 *
 * An owner that runs out of memory, at every allocation in turn: each submission completes once, and nothing
 * stays allocated. Argument: the program of hostile_process.c, which reads and writes guest memory.
 */
#include "support/test.h"

#include <string.h>
#include <time.h>

#include "aerogpu/process_executor.h"
#include "support/failing_memory.h"

#define GUEST_BASE UINT64_C(0x10000)
#define GUEST_BYTES 64

static const char *program;
static uint8_t guest[GUEST_BYTES];
static uint32_t submitted, completed;

static bool read_guest(void *user, uint64_t gpa, void *to, size_t size)
{
    (void)user;
    (void)gpa;
    memset(to, 0, size);
    return true;
}

static bool write_guest(void *user, uint64_t gpa, const void *from, size_t size)
{
    (void)user;
    if (gpa < GUEST_BASE || gpa - GUEST_BASE > GUEST_BYTES || size > GUEST_BYTES - (gpa - GUEST_BASE))
        return false;
    memcpy(guest + (gpa - GUEST_BASE), from, size);
    return true;
}

static void on_completed(void *user, uint32_t submission, uint32_t error)
{
    (void)user;
    (void)error;
    assert_int_equal(submission, completed);
    completed++;
}

static void submit(struct agpu_executor *executor)
{
    static const uint8_t stream[256];
    static const struct aerogpu_alloc_entry allocation = {.alloc_id = 1, .size_bytes = 4};
    const struct agpu_submission submission = {
        .number = submitted++,
        .stream = stream,
        .stream_size = sizeof stream,
        .allocations = &allocation,
        .allocation_count = 1,
        .has_allocation_table = true,
    };
    executor->submit(executor, &submission);
}

static bool work(void)
{
    const char *const arguments[] = {program, "serve-one", NULL};
    const struct agpu_process_executor_options options = {
        .size = sizeof options, .program = program, .arguments = arguments};
    const struct agpu_executor_events events = {.completed = on_completed};
    const struct agpu_guest_memory memory = {.read = read_guest, .write = write_guest};
    const struct timespec nap = {0, 100000};
    struct agpu_executor *executor;
    submitted = completed = 0;
    const enum agpu_status status = agpu_process_executor_create(&options, NULL, &executor);
    if (status == AGPU_OK) {
        executor->attach(executor, &events, &memory);
        submit(executor);
        while (executor->poll(executor))
            nanosleep(&nap, NULL);
        assert_int_equal(completed, submitted);
        executor->destroy(executor);
    } else {
        assert_int_equal(status, AGPU_NO_MEMORY);
        assert_null(executor);
    }
    const bool failed = failing_memory_disarm();
    assert_int_equal(failing_memory_live(), 0);
    return failed;
}

static void every_allocation_fails(void **state)
{
    (void)state;
    assert_true(failing_memory_each(work) >= 8);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation_fails)};
    if (argc != 2)
        return 1;
    program = argv[1];
    return cmocka_run_group_tests_name("process/no_memory", tests, NULL, NULL);
}
