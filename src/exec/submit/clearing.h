/* SPDX-License-Identifier: MIT
 *
 * Clearing: the objects of a guest that has reset or lost its device, and the streams that waited, are freed
 * in parts, since there may be very many of them. Nothing finds them from then on, and they are charged for
 * until they are freed. No stream runs, no snapshot is saved or loaded and no lost device is replaced before
 * that is done, so that nobody can tell.
 */
#ifndef AG_EXEC_SUBMIT_CLEARING_H
#define AG_EXEC_SUBMIT_CLEARING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"
#include "exec/host/guest_memory.h"

struct ag_account;
struct ag_exec;

/* The bytes of a submission that was dropped, which are charged until they are freed. */
struct ag_left_bytes {
    uint8_t *stream;
    uint32_t stream_size;
    struct ag_guest_allocations allocations;
    struct ag_account *account;
    uint64_t host_bytes;
};

struct ag_clearing {
    AG_VEC(struct ag_left_bytes) bytes;
    bool goes_on;
    bool is_reset;
    uint32_t stage; /* of clearing.c's own */
    size_t cursor;  /* in the stage */
};

/* There are no objects any more, and contexts were left before, because of a reset or since the device was
 * lost. No commands are open. */
void ag_clearing_begin(struct ag_exec *exec, bool is_reset);

/* Takes over the bytes of a submission that a reset drops. False when memory is exhausted. */
bool ag_clearing_take(struct ag_exec *exec, const struct ag_left_bytes *bytes);

/* Frees a part of what is left. False when nothing was. */
bool ag_clearing_step(struct ag_exec *exec);

/* Frees parts until the slice is over. */
void ag_clearing_continue(struct ag_exec *exec);

/* Frees all that is left. */
void ag_clearing_finish(struct ag_exec *exec);

#endif
