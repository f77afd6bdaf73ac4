/* SPDX-License-Identifier: MIT
 *
 * Numbers that the GPU finds out while it executes a submission: samples that passed, moments in time, counts
 * in buffers. A set has slots of one kind; it is read back whole when the submission ends, or earlier when a
 * stream waits for it. Whoever wants a number later keeps a reference.
 */
#ifndef AG_EXEC_RECORD_QUERY_SET_H
#define AG_EXEC_RECORD_QUERY_SET_H

#include <stdbool.h>
#include <stdint.h>

#include "exec/record/recorder.h"
#include "gpu/webgpu.h"

struct ag_readback;

#define AG_QUERY_SET_SLOTS 256

struct ag_query_set {
    struct ag_query_set *next; /* among those to be read */
    uint32_t references;
    enum ag_query_set_kind kind;
    WGPUQuerySet gpu;             /* occlusion, timestamps */
    WGPUBuffer resolved;          /* where they are resolved, or the counts */
    uint32_t used;                /* slots */
    struct ag_readback *readback; /* once the copy is recorded */
    bool begun;
};

/* The set of that kind with a free slot; null when it was reported. It stays the recorder's until it is read.
 */
struct ag_query_set *ag_query_set_open(struct ag_recorder *recorder, enum ag_query_set_kind kind);
/* Bytes of a slot in `resolved`. */
uint32_t ag_query_set_slot_bytes(const struct ag_query_set *set);
/* The open set of that kind, if there is one, gets no more slots and waits to be read. */
void ag_query_set_close(struct ag_recorder *recorder, enum ag_query_set_kind kind);
/* Takes the next slot for whoever asks, who gets a reference. */
uint32_t ag_query_set_take(struct ag_query_set *set);
void ag_query_set_release(struct ag_recorder *recorder, struct ag_query_set *set);
/* Drops the open sets, unread. */
void ag_query_sets_clear(struct ag_recorder *recorder);
/* Whether the slots' numbers have come, or never will since the device is lost. */
bool ag_query_set_is_ready(const struct ag_recorder *recorder, const struct ag_query_set *set);
/* The number in a slot of a ready set; 0 where there is none. */
uint64_t ag_query_set_value(const struct ag_query_set *set, uint32_t slot);

#endif
