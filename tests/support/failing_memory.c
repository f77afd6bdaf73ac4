/* SPDX-License-Identifier: MIT */
#include "failing_memory.h"

#include <execinfo.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/map.h"
#include "test.h"

#define PLACES (1 << 16) /* a power of two; more than there are */
#define FRAMES 8         /* by which places are told apart: that many callers, with those of this file */

/* The linker's names: __wrap_f is called for f, __real_f is f. NOLINTBEGIN(bugprone-reserved-identifier) */
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void __real_free(void *memory);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void __wrap_free(void *memory);
/* NOLINTEND(bugprone-reserved-identifier) */

static bool armed, stays, failed, aside;
static unsigned left, passed, live;

unsigned failing_memory_live(void)
{
    return live;
}

/* With memory failing at `after`. True when it did. */
static bool run(bool (*work)(void), unsigned after, bool stay)
{
    const unsigned before = live;
    failing_memory_arm(after, stay);
    const bool result = work();
    assert_int_equal(live, before);
    return result;
}

/* Hashes of the places that some allocation failed at, and the first allocations of the others in the work
 * that is counted. */
static uint64_t places[PLACES];
static unsigned *firsts;
static unsigned first_count, first_room;

void failing_memory_arm(unsigned after, bool stay)
{
    left = after;
    passed = 0;
    stays = stay;
    failed = false;
    armed = true;
}

bool failing_memory_disarm(void)
{
    armed = false;
    return failed;
}

bool failing_memory_set_aside(bool now)
{
    const bool before = aside;
    aside = now;
    return before;
}

unsigned failing_memory_each(bool (*work)(void))
{
    unsigned failures = 0;
    for (int stay = 0; stay <= 1; stay++) {
        unsigned after = 0;
        while (run(work, after++, stay == 1))
            continue;
        failures += after - 1;
    }
    return failures;
}

/* ---- Some of very many --------------------------------------------------------------------------------- */

static uint64_t present_place(void)
{
    void *frames[FRAMES];
    const int count = backtrace(frames, FRAMES);
    return ag_hash_bytes(frames, (size_t)count * sizeof frames[0]) | 1;
}

/* False when the place was known. */
static bool add_place(uint64_t hash)
{
    size_t slot = hash >> 1 & (PLACES - 1);
    while (places[slot] != 0 && places[slot] != hash)
        slot = (slot + 1) & (PLACES - 1);
    if (places[slot] == hash)
        return false;
    places[slot] = hash;
    return true;
}

static void count_place(void)
{
    if (firsts != NULL && first_count < first_room && add_place(present_place()))
        firsts[first_count++] = passed;
}

/* Evenly spaced allocations of `total`, from another one on each time. */
static unsigned fail_spaced(bool (*work)(void), unsigned total, unsigned count)
{
    static unsigned calls;
    const unsigned step = count == 0 || total == 0 ? 1 : (total + count - 1) / count;
    unsigned failures = 0;
    calls++;
    for (unsigned at = calls * 7919 % step; count > 0 && at < total; at += step)
        failures += run(work, at, (at / step + calls) % 2 == 1);
    return failures;
}

unsigned failing_memory_spaced(bool (*work)(void), unsigned count)
{
    if (getenv("AGPU_EVERY_ALLOCATION") != NULL)
        return failing_memory_each(work);
    run(work, UINT_MAX, false);
    return fail_spaced(work, passed, count);
}

unsigned failing_memory_some(bool (*work)(void), unsigned more)
{
    if (getenv("AGPU_EVERY_ALLOCATION") != NULL)
        return failing_memory_each(work);
    firsts = __real_calloc(PLACES, sizeof *firsts);
    first_room = firsts == NULL ? 0 : PLACES;
    first_count = 0;
    run(work, UINT_MAX, false);
    unsigned *const chosen = firsts;
    const unsigned total = passed, count = first_count;
    firsts = NULL;
    unsigned failures = 0;
    for (unsigned i = 0; i < count; i++)
        failures += run(work, chosen[i], i % 2 == 1);
    __real_free(chosen);
    return failures + fail_spaced(work, total, more);
}

/* ---- The allocator ------------------------------------------------------------------------------------- */

/* Where failures are looked into: which allocation fails goes to the error output. Sanitizers have the
 * function. */
void __sanitizer_print_stack_trace(void) __attribute__((weak)); /* NOLINT(bugprone-reserved-identifier) */

static void show_failure(void)
{
    if (getenv("AGPU_SHOW_FAILURES") != NULL && __sanitizer_print_stack_trace != NULL)
        __sanitizer_print_stack_trace();
}

static bool must_fail(void)
{
    if (!armed || aside || (failed && !stays))
        return false;
    if (!failed && left > 0) {
        count_place();
        left--;
        passed++;
        return false;
    }
    if (!failed)
        show_failure();
    failed = true;
    return true;
}

void *__wrap_malloc(size_t size)
{
    void *const memory = must_fail() ? NULL : __real_malloc(size);
    live += memory != NULL;
    return memory;
}

void *__wrap_calloc(size_t count, size_t size)
{
    void *const memory = must_fail() ? NULL : __real_calloc(count, size);
    live += memory != NULL;
    return memory;
}

void *__wrap_realloc(void *memory, size_t size)
{
    void *const moved = must_fail() ? NULL : __real_realloc(memory, size);
    live += memory == NULL && moved != NULL;
    return moved;
}

void __wrap_free(void *memory)
{
    live -= memory != NULL;
    __real_free(memory);
}
