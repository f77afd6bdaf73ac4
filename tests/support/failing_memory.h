/* SPDX-License-Identifier: MIT
 *
 * Memory that runs out where a test says so: how every layer behaves when an allocation fails. Programs link
 * with failing_memory_link_args, so that all allocations of ours, and none of the C library, come by. Where
 * failing_arena.c is linked, too, arenas allocate each piece for itself.
 */
#ifndef AG_TEST_FAILING_MEMORY_H
#define AG_TEST_FAILING_MEMORY_H

#include <stdbool.h>

/* Lets `after` allocations succeed and fails the next one, or with `stay` all that follow. */
void failing_memory_arm(unsigned after, bool stay);

/* Memory is plentiful again; true when an allocation has failed. */
bool failing_memory_disarm(void);

/* Calls `work` until it passes without a failed allocation: with the first failing, the second, and so on,
 * once alone and once with all that follow. `work` arms nothing, disarms when it is done, leaves nothing
 * allocated, and says whether an allocation had failed. Returns how many calls saw a failure. */
unsigned failing_memory_each(bool (*work)(void));

/* As above for work of many allocations, some of them: the first one at each place in the code (its callers,
 * that is) that none has failed at yet, and `more` others, evenly spaced; alone and with all that follow by
 * turns. Where the environment has AGPU_EVERY_ALLOCATION, it is failing_memory_each(). AGPU_SHOW_FAILURES
 * shows which allocations fail. */
unsigned failing_memory_some(bool (*work)(void), unsigned more);

/* The same with the evenly spaced ones alone. */
unsigned failing_memory_spaced(bool (*work)(void), unsigned count);

/* With `aside` allocations succeed and do not count, until it is called with what it returned: as it was
 * before. For what `work` does besides. */
bool failing_memory_set_aside(bool aside);

/* How many allocations there are that nobody has freed. */
unsigned failing_memory_live(void);

#endif
