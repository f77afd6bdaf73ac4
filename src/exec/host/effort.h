/* SPDX-License-Identifier: MIT
 *
 * Effort: what the processor has done for packets since the clock was read last, in bytes that it copied,
 * converted or looked at. Packets that are light as a rule may be much work, too, and say so here: the clock
 * is read behind them, so that no slice is much longer than its length.
 */
#ifndef AG_EXEC_HOST_EFFORT_H
#define AG_EXEC_HOST_EFFORT_H

#include <stdbool.h>
#include <stdint.h>

struct ag_effort {
    uint64_t bytes;
};

/* So many bytes take some microseconds. */
#define AG_EFFORT_OF_LOOK (UINT64_C(32) << 10)

static inline void ag_effort_add(struct ag_effort *effort, uint64_t bytes)
{
    effort->bytes += bytes;
}

/* Whether the clock is to be read. */
static inline bool ag_effort_is_due(const struct ag_effort *effort)
{
    return effort->bytes >= AG_EFFORT_OF_LOOK;
}

/* The clock was read. */
static inline void ag_effort_restart(struct ag_effort *effort)
{
    effort->bytes = 0;
}

#endif
