/* SPDX-License-Identifier: MIT
 *
 * Query sets: slots for numbers that the GPU counts while it executes a submission. A set has slots of one
 * kind. The recorder has one open set of each kind; closed sets are read back as a whole when the submission
 * ends, or earlier when a stream waits for a result. Runs of queries keep references to the sets that have
 * their numbers.
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
    struct ag_query_set *next; /* in the list of closed sets, or of those that are being read */
    uint32_t references;
    enum ag_query_set_kind kind;
    WGPUQuerySet gpu;             /* null when the kind is AG_QUERY_SET_COUNT */
    WGPUBuffer resolved;          /* the numbers, resolved from `gpu` or copied out of buffers */
    uint32_t used;                /* how many slots are taken */
    struct ag_readback *readback; /* null before the copy is recorded, and when there was no memory for it */
    bool begun;                   /* the read-back has begun */
    /* The numbers, once they are read back: `used` of them. The members of WebGPU and the read-back are null
     * then. */
    uint64_t *values;
};

/* ---- The open sets ------------------------------------------------------------------------------------ */

/* The open set of a kind, which has a free slot. The recorder keeps its own reference until the set is
 * read. Null when memory is exhausted (reported). */
struct ag_query_set *ag_query_set_open(struct ag_recorder *recorder, enum ag_query_set_kind kind);

/* Takes the next slot. The caller gets a reference to the set. */
uint32_t ag_query_set_take(struct ag_query_set *set);

/* Closes the open set of a kind, if there is one: no more slots are taken, and the set waits to be read. */
void ag_query_set_close(struct ag_recorder *recorder, enum ag_query_set_kind kind);

/* Closes the open sets and drops the recorder's references to closed sets, unread. */
void ag_query_sets_clear(struct ag_recorder *recorder);

/* ---- One set ------------------------------------------------------------------------------------------ */

/* Drops a reference. `set` may be null. */
void ag_query_set_release(struct ag_recorder *recorder, struct ag_query_set *set);

/* How many bytes a slot has in `resolved`. */
uint32_t ag_query_set_slot_bytes(const struct ag_query_set *set);

/* Takes the numbers of sets that the GPU has filled out of their read-backs. */
void ag_query_sets_settle(struct ag_recorder *recorder);

/* Whether the read-back is done, or will never be because the device is lost. */
bool ag_query_set_is_ready(const struct ag_recorder *recorder, const struct ag_query_set *set);

/* The number in a slot of a ready set; 0 when the read-back failed. */
uint64_t ag_query_set_value(const struct ag_query_set *set, uint32_t slot);

#endif
