/* SPDX-License-Identifier: MIT */
#include "base/diag_limiter.h"

#include <inttypes.h>

#include "base/clock.h"

#define SECOND_NS UINT64_C(1000000000)
/* A burst may have this many seconds' diagnostics. */
#define BURST_SECONDS 4
#define MOST_PER_SECOND 1000000 /* more than that is no limit */

static void refill(struct ag_diag_limiter *limiter)
{
    const uint64_t now = ag_clock_ns();
    const uint64_t period_ns = SECOND_NS / limiter->per_second;
    const uint64_t tokens = (now - limiter->refilled_ns) / period_ns;
    const uint64_t most = (uint64_t)limiter->per_second * BURST_SECONDS;
    limiter->tokens = tokens >= most - limiter->tokens ? most : limiter->tokens + tokens;
    limiter->refilled_ns += tokens * period_ns;
}

/* Whether a diagnostic may be handed on now. */
static bool take_token(struct ag_diag_limiter *limiter)
{
    if (limiter->per_second == 0)
        return true;
    if (limiter->tokens == 0)
        refill(limiter);
    if (limiter->tokens == 0)
        return false;
    limiter->tokens--;
    return true;
}

static void limit(void *user, const struct agpu_diag *diag)
{
    struct ag_diag_limiter *const limiter = user;
    ag_diag_limiter_catch_up(limiter);
    if (limiter->left_out == 0 && take_token(limiter))
        limiter->sink.report(limiter->sink.user, diag);
    else
        limiter->left_out++;
}

void ag_diag_limiter_catch_up(struct ag_diag_limiter *limiter)
{
    if (limiter->left_out == 0 || !take_token(limiter))
        return;
    ag_report(&limiter->sink, AGPU_DIAG_DEVICE_DIAGNOSTICS, AGPU_WARNING, ag_place_none(),
              "%" PRIu64 " diagnostics were left out: there were more than %" PRIu32 " a second",
              limiter->left_out, limiter->per_second);
    limiter->left_out = 0;
}

struct agpu_diag_sink ag_diag_limiter_init(struct ag_diag_limiter *limiter, const struct agpu_diag_sink *sink,
                                           uint32_t per_second)
{
    *limiter = (struct ag_diag_limiter){
        .sink = *sink,
        .per_second = per_second <= MOST_PER_SECOND ? per_second : 0,
        .refilled_ns = ag_clock_ns(),
    };
    limiter->tokens = (uint64_t)limiter->per_second * BURST_SECONDS;
    if (sink->report == NULL)
        return *sink;
    return (struct agpu_diag_sink){.report = limit, .user = limiter};
}
