/* SPDX-License-Identifier: MIT
 *
 * Slices: how long one call of submit() or poll() works before it gives the embedder's thread back. What is
 * left goes on in the next call of poll(). A slice may end between two packets and between two write-backs,
 * and is longer than its length by the packet or write-back that was begun.
 */
#ifndef AG_EXEC_SUBMIT_SLICE_H
#define AG_EXEC_SUBMIT_SLICE_H

#include <stdbool.h>
#include <stdint.h>

struct ag_slice {
    uint64_t length_ns;   /* UINT64_MAX: no slice ends by time */
    uint64_t end_ns;      /* of the slice at hand */
    uint64_t looked_ns;   /* when the clock was read last */
    uint32_t steps;       /* made in the slice at hand */
    uint32_t look_at;     /* the step at which the clock is read next */
    uint32_t look_period; /* steps between two looks, more while steps are short */
    bool over;
};

void ag_slice_begin(struct ag_slice *slice);

/* Looks at the clock. */
void ag_slice_look(struct ag_slice *slice);

/* Counts a step that was made. Returns false when the slice is over. */
static inline bool ag_slice_step(struct ag_slice *slice)
{
    if (++slice->steps == slice->look_at)
        ag_slice_look(slice);
    return !slice->over;
}

/* Counts steps that were made, of which the last one was much work: the clock is read now. */
static inline void ag_slice_work(struct ag_slice *slice, uint32_t count)
{
    slice->steps += count;
    ag_slice_look(slice);
}

/* How many steps can be made at least before the clock is read. */
static inline uint32_t ag_slice_room(const struct ag_slice *slice)
{
    const uint32_t room = slice->look_at - slice->steps;
    return room ? room : UINT32_MAX;
}

/* Counts steps that were made, some of that room. */
static inline void ag_slice_steps(struct ag_slice *slice, uint32_t count)
{
    slice->steps += count - 1;
    ag_slice_step(slice);
}

/* How long the slice has lasted by now; 0 where no slice ends by time. */
uint64_t ag_slice_elapsed_ns(const struct ag_slice *slice);

#endif
