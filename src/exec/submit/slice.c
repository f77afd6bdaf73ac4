/* SPDX-License-Identifier: MIT */
#include "exec/submit/slice.h"

#include "base/clock.h"

#define MOST_LOOK_PERIOD 128
/* Steps between two looks may take this part of a slice. */
#define LOOKS_OF_SLICE 16

void ag_slice_begin(struct ag_slice *slice)
{
    slice->steps = 0;
    slice->look_at = slice->look_period = 1;
    slice->over = false;
    if (slice->length_ns == UINT64_MAX)
        return;
    slice->looked_ns = ag_clock_ns();
    slice->end_ns = slice->looked_ns + slice->length_ns;
}

/* Reads the clock rarely while steps are short, and after every step while steps are long. */
void ag_slice_look(struct ag_slice *slice)
{
    if (slice->length_ns == UINT64_MAX)
        return;
    const uint64_t now = ag_clock_ns();
    const bool are_short = now - slice->looked_ns < slice->length_ns / LOOKS_OF_SLICE;
    if (!are_short)
        slice->look_period = 1;
    else if (slice->look_period < MOST_LOOK_PERIOD)
        slice->look_period *= 2;
    slice->look_at = slice->steps + slice->look_period;
    slice->looked_ns = now;
    slice->over = now >= slice->end_ns;
}

uint64_t ag_slice_elapsed_ns(const struct ag_slice *slice)
{
    return slice->length_ns == UINT64_MAX ? 0 : ag_clock_ns() - (slice->end_ns - slice->length_ns);
}
