/* SPDX-License-Identifier: MIT */
#include "failing_memory.h"

#include <stddef.h>

/* The linker's names: __wrap_f is called for f, __real_f is f. */
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);

static bool armed, stays, failed;
static unsigned left;

void failing_memory_arm(unsigned after, bool stay)
{
    left = after;
    stays = stay;
    failed = false;
    armed = true;
}

bool failing_memory_disarm(void)
{
    armed = false;
    return failed;
}

unsigned failing_memory_each(bool (*work)(void))
{
    unsigned failures = 0;
    for (int stay = 0; stay <= 1; stay++) {
        unsigned after = 0;
        do
            failing_memory_arm(after++, stay == 1);
        while (work());
        failures += after - 1;
    }
    return failures;
}

static bool must_fail(void)
{
    if (!armed || (failed && !stays))
        return false;
    if (!failed && left > 0) {
        left--;
        return false;
    }
    failed = true;
    return true;
}

void *__wrap_malloc(size_t size)
{
    return must_fail() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return must_fail() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size)
{
    return must_fail() ? NULL : __real_realloc(memory, size);
}
