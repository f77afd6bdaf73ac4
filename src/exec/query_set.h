/* SPDX-License-Identifier: MIT
 *
 * Numbers that the GPU finds out while it executes a submission: samples that passed, moments in time, counts
 * in buffers. A set has slots of one kind; it is read back whole when the submission ends, or earlier when a
 * stream waits for it. Whoever wants a number later keeps a reference.
 */
#ifndef AGPU_EXEC_QUERY_SET_H
#define AGPU_EXEC_QUERY_SET_H

#include <stdbool.h>
#include <stdint.h>

#include "gpu/webgpu.h"

struct agpu_exec;
struct agpu_readback;

enum agpu_query_set_kind {
    AGPU_QUERY_SET_OCCLUSION,
    AGPU_QUERY_SET_TIMESTAMP, /* nanoseconds */
    AGPU_QUERY_SET_COUNT,     /* words that are copied out of buffers */
    AGPU_QUERY_SET_KIND_COUNT
};

#define AGPU_QUERY_SET_SLOTS 256

struct agpu_query_set {
    uint32_t references;
    enum agpu_query_set_kind kind;
    WGPUQuerySet gpu;               /* occlusion, timestamps */
    WGPUBuffer resolved;            /* where they are resolved, or the counts */
    uint32_t used;                  /* slots */
    struct agpu_readback *readback; /* once the copy is recorded */
    bool begun;
};

/* The set of that kind with a free slot; null when it was reported. It stays the recorder's until it is read.
 */
struct agpu_query_set *agpu_query_set_open(struct agpu_exec *exec, enum agpu_query_set_kind kind);
/* Takes the next slot for whoever asks, who gets a reference. */
uint32_t agpu_query_set_take(struct agpu_query_set *set);
void agpu_query_set_release(struct agpu_exec *exec, struct agpu_query_set *set);

/* Records the copies of all open sets, submits what is recorded and asks for the bytes. New slots are in new
 * sets. */
void agpu_query_sets_read(struct agpu_exec *exec);
/* Drops the open sets, unread. */
void agpu_query_sets_clear(struct agpu_exec *exec);

/* Whether the slots' numbers have come, or never will since the device is lost. */
bool agpu_query_set_is_ready(const struct agpu_exec *exec, const struct agpu_query_set *set);
/* The number in a slot of a ready set; 0 where there is none. */
uint64_t agpu_query_set_value(const struct agpu_query_set *set, uint32_t slot);

#endif
