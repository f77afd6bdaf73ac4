/* SPDX-License-Identifier: MIT
 *
 * The rate of diagnostics: whoever causes them can cause as many as it likes, and each costs the embedder a
 * line of a log. A bucket of tokens lets bursts through and no more than the rate after them.
 */
#ifndef AG_BASE_DIAG_LIMITER_H
#define AG_BASE_DIAG_LIMITER_H

#include "base/diag.h"

struct ag_diag_limiter {
    struct agpu_diag_sink sink; /* the embedder's */
    uint32_t per_second;        /* 0: any number */
    uint64_t tokens;            /* diagnostics that may come at once */
    uint64_t refilled_ns;       /* on the host's clock */
    uint64_t left_out;          /* since the last one that went to the sink */
};

/* Returns the sink behind which `sink` hears so many diagnostics a second. The limiter stays where it is. */
struct agpu_diag_sink ag_diag_limiter_init(struct ag_diag_limiter *limiter, const struct agpu_diag_sink *sink,
                                           uint32_t per_second);
/* Says how many were left out, if any and once that may be said. */
void ag_diag_limiter_catch_up(struct ag_diag_limiter *limiter);

#endif
