/* SPDX-License-Identifier: MIT
 *
 * Guest memory of a replay: every read gets what the same read got when it was recorded.
 */
#ifndef AG_REPLAY_MEMORY_H
#define AG_REPLAY_MEMORY_H

#include "base/map.h"
#include "capture/capture.h"

/* The recorded accesses of one range, in order. */
struct replay_queue {
    uint64_t gpa, size;
    struct replay_access *next; /* the first access that was not made yet */
    struct replay_access **end;
    struct replay_queue *other; /* another range with the same hash */
};

struct replay_access {
    const struct ag_capture_record *record;
    struct replay_access *next;
};

struct replay_memory {
    const struct ag_capture *capture;
    struct ag_arena arena;
    struct ag_map reads, writes; /* struct replay_queue by hash of the range */
    size_t cursor;               /* index of the record that is played */
};

/* Returns false when out of memory. The caller calls replay_memory_fini() in any case. */
bool replay_memory_init(struct replay_memory *memory, const struct ag_capture *capture);
void replay_memory_fini(struct replay_memory *memory);

bool replay_memory_read(struct replay_memory *memory, uint64_t gpa, void *to, size_t size);

/* Tells whether there was guest memory for the next write of this range. */
bool replay_memory_is_writable(const struct replay_memory *memory, uint64_t gpa, size_t size);

/* Takes the next recorded write of this range. Returns null when there is none. */
const struct ag_capture_record *replay_memory_take_write(struct replay_memory *memory, uint64_t gpa,
                                                         size_t size);

#endif
