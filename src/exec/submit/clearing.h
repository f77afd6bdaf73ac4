/* SPDX-License-Identifier: MIT
 *
 * Clearing: the objects of a guest that has reset are freed in parts, since there may be very many of them.
 * Nothing finds them from the reset on, and they are charged for until they are freed. No stream runs and no
 * snapshot is saved or loaded before that is done, so that nobody can tell.
 */
#ifndef AG_EXEC_SUBMIT_CLEARING_H
#define AG_EXEC_SUBMIT_CLEARING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ag_exec;

struct ag_clearing {
    bool goes_on;
    bool is_reset;
    uint32_t stage; /* of clearing.c's own */
    size_t cursor;  /* in the stage */
};

/* There are no objects any more, and contexts were left before, because of a reset or since the device was
 * lost. No commands are open. */
void ag_clearing_begin(struct ag_exec *exec, bool is_reset);

/* Frees a part of what is left. False when nothing was. */
bool ag_clearing_step(struct ag_exec *exec);

/* Frees parts until the slice is over. */
void ag_clearing_continue(struct ag_exec *exec);

/* Frees all that is left. */
void ag_clearing_finish(struct ag_exec *exec);

#endif
