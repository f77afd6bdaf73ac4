/* SPDX-License-Identifier: MIT
 *
 * What drivers hold for work that the GPU has not finished: bind groups and scratch memory. Both are bounded:
 * a stream that takes very much is submitted in parts and waits for the GPU between two of its packets.
 */
#ifndef AG_EXEC_LOAD_H
#define AG_EXEC_LOAD_H

#include <stdbool.h>
#include <stdint.h>

struct ag_exec;

#define AG_MAX_SUBMITTED_LOADS 64

struct ag_load {
    uint64_t groups;
    uint64_t moves; /* bindings with dynamic offsets; lavapipe makes a group of each while it executes them */
    uint64_t bytes;
};

struct ag_loads {
    struct ag_load open;      /* of commands not submitted yet */
    struct ag_load in_flight; /* of all below */
    struct {
        uint64_t serial; /* of the queue's timeline: it is gone when this is reached */
        struct ag_load load;
    } submitted[AG_MAX_SUBMITTED_LOADS];
    uint32_t submitted_count;
};

/* The commands being recorded hold one more bind group, bind a group with so many dynamic offsets, or hold so
 * many bytes that nobody else knows of. */
void ag_load_add_group(struct ag_exec *exec);
void ag_load_add_binding(struct ag_exec *exec, uint32_t offset_count);
void ag_load_add_bytes(struct ag_exec *exec, uint64_t bytes);

/* Hands over what is recorded when it holds very much. */
void ag_load_limit(struct ag_exec *exec);
/* The same, between two packets. False when all that is in flight
 * does, and nothing may be recorded before some of it is done. */
bool ag_load_admits(struct ag_exec *exec);

/* The signal that ends the oldest work in flight; 0: none is. */
uint64_t ag_load_first(const struct ag_exec *exec);

/* What is open was submitted, and a signal follows it; or was dropped. */
void ag_load_submitted(struct ag_exec *exec, uint64_t serial);
void ag_load_dropped(struct ag_exec *exec);

#endif
