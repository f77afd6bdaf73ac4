/* SPDX-License-Identifier: MIT
 *
 * A snapshot in memory, for tests: writer and reader, and checksums made anew where bytes were changed, as
 * somebody who makes up a snapshot would.
 */
#ifndef AG_TESTS_SNAPSHOT_BYTES_H
#define AG_TESTS_SNAPSHOT_BYTES_H

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "aerogpu/executor.h"
#include "aerogpu/snapshot.h"

struct snapshot_bytes {
    uint8_t *data;
    size_t size, capacity;
    size_t at;    /* where the reader is */
    size_t limit; /* the writer takes no more than so many, when it is not 0 */
};

static inline bool snapshot_bytes_write(void *user, const void *bytes, size_t size)
{
    struct snapshot_bytes *snapshot = user;
    if (snapshot->limit != 0 && snapshot->size + size > snapshot->limit)
        return false;
    if (snapshot->size + size > snapshot->capacity) {
        snapshot->capacity = 2 * (snapshot->size + size);
        snapshot->data = realloc(snapshot->data, snapshot->capacity);
    }
    memcpy(snapshot->data + snapshot->size, bytes, size);
    snapshot->size += size;
    return true;
}

static inline bool snapshot_bytes_read(void *user, void *bytes, size_t size)
{
    struct snapshot_bytes *snapshot = user;
    if (size > snapshot->size - snapshot->at)
        return false;
    memcpy(bytes, snapshot->data + snapshot->at, size);
    snapshot->at += size;
    return true;
}

static inline struct agpu_snapshot_writer snapshot_bytes_writer(struct snapshot_bytes *snapshot)
{
    return (struct agpu_snapshot_writer){sizeof(struct agpu_snapshot_writer), snapshot_bytes_write, snapshot};
}

static inline struct agpu_snapshot_reader snapshot_bytes_reader(struct snapshot_bytes *snapshot)
{
    snapshot->at = 0;
    return (struct agpu_snapshot_reader){sizeof(struct agpu_snapshot_reader), snapshot_bytes_read, snapshot};
}

/* Makes the checksums of all whole sections anew (docs/snapshots.md). */
static inline void snapshot_bytes_seal(uint8_t *data, size_t size)
{
    for (size_t at = 0; size - at >= 32;) {
        uint64_t bytes, hash;
        memcpy(&bytes, data + at + 16, sizeof bytes);
        if (bytes > size - at - 32)
            return;
        hash = XXH3_64bits_withSeed(data + at + 32, (size_t)bytes, XXH3_64bits(data + at, 24));
        memcpy(data + at + 24, &hash, sizeof hash);
        at += 32 + (size_t)bytes;
    }
}

/* What a section holds, as a number. The names of an executor come in any order; behind them stand its
 * counters, of which some are times. */
static inline uint64_t snapshot_bytes_sum_of_section(const uint8_t *header, size_t bytes)
{
    const size_t counters = sizeof(struct agpu_counters) - offsetof(struct agpu_counters, submissions);
    uint64_t sum = 0;
    if (memcmp(header, "AGSSNAME", 8) != 0 || bytes < counters)
        return XXH3_64bits_withSeed(header + 32, bytes, XXH3_64bits(header, 24));
    for (size_t i = 0; i < bytes - counters; i++)
        sum += XXH3_64bits(header + 32 + i, 1);
    return sum;
}

/* The same number for whole snapshots that hold the same, in whatever order that is of no meaning. */
static inline uint64_t snapshot_bytes_sum(const uint8_t *data, size_t size)
{
    uint64_t sum = 0, bytes;
    for (size_t at = 0; size - at >= 32; at += 32 + (size_t)bytes) {
        memcpy(&bytes, data + at + 16, sizeof bytes);
        sum += snapshot_bytes_sum_of_section(data + at, (size_t)bytes);
    }
    return sum;
}

#endif
