/* SPDX-License-Identifier: MIT
 *
 * Memory that runs out where a test says so: how every layer behaves when an allocation fails. Programs link
 * with failing_memory_link_args, so that all allocations of ours, and none of the C library, come by.
 */
#ifndef AG_TEST_FAILING_MEMORY_H
#define AG_TEST_FAILING_MEMORY_H

#include <stdbool.h>

/* Lets `after` allocations succeed and fails the next one, or with `stay` all that follow. */
void failing_memory_arm(unsigned after, bool stay);

/* Memory is plentiful again; true when an allocation has failed. */
bool failing_memory_disarm(void);

/* Calls `work` until it passes without a failed allocation: with the first failing, the second, and so on,
 * once alone and once with all that follow. `work` arms nothing, disarms when it is done, and says whether an
 * allocation had failed. Returns how many calls saw a failure. */
unsigned failing_memory_each(bool (*work)(void));

#endif
