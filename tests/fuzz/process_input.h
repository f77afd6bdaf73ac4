/* SPDX-License-Identifier: MIT
 *
 * Inputs of the target `process`: who is attacked, then records, one behind the other, of what happens.
 * process_seeds.c makes seeds, fuzz_process.c plays them.
 */
#ifndef AG_TESTS_FUZZ_PROCESS_INPUT_H
#define AG_TESTS_FUZZ_PROCESS_INPUT_H

#include "process/message.h"

/* The first byte, modulo their number. */
enum process_side {
    PROCESS_SIDE_OWNER,
    PROCESS_SIDE_PROCESS,
    PROCESS_SIDE_BYTES, /* of START and READY, which are the rest of the input */
    PROCESS_SIDES,
};

/* The first byte of a record, modulo their number, when the owner is attacked. */
enum owner_step {
    OWNER_SUBMITS,
    OWNER_POLLS,
    OWNER_IS_READ, /* all that it has sent */
    OWNER_GETS_BYTES,
    OWNER_RESETS,
    OWNER_GETS_MESSAGE,
    OWNER_GETS_MESSAGE_TOO,
    OWNER_GETS_MESSAGE_AS_WELL,
    OWNER_SAVES,
    OWNER_POLLS_SAVE,
    OWNER_CANCELS_SAVE,
    OWNER_LOADS,
    OWNER_WAITS, /* for a quarter of the time that a process has for an answer */
    OWNER_STEPS,
};

/* The same when the process is; what is no other step is a message. */
enum process_step {
    PROCESS_GETS_BYTES,
    PROCESS_WORKS, /* before it gets more, unless it waits */
    PROCESS_GETS_MESSAGE = 5,
    PROCESS_STEPS = 8,
};

/* A message: its kind, counted from the first of the sender's kinds, its epoch, a shape, as many numbers as
 * the shape says, what else the shape names, and a count of bytes that go to the ring, with the bytes. */
enum {
    PROCESS_SHAPE_NUMBERS = 15,
    PROCESS_SHAPE_DWORDS = 16,       /* the numbers have four bytes, else one */
    PROCESS_SHAPE_SIZE = 32,         /* three bytes */
    PROCESS_SHAPE_POSITION = 64,     /* eight */
    PROCESS_SHAPE_ACKNOWLEDGED = 128 /* three */
};

#define PROCESS_RING_BYTES 64 /* fewer go to the ring with a message */

/* Kinds of the owner come first, then those of the process, then those of both. */
static inline uint32_t process_first_kind(bool of_owner)
{
    return of_owner ? AG_MESSAGE_START : AG_MESSAGE_READY;
}

/* Whether a side takes messages of the kind. */
static inline bool process_takes_kind(enum process_side side, uint32_t kind)
{
    const bool is_of_owner = kind < AG_MESSAGE_READY;
    return kind == AG_MESSAGE_ACK || (side == PROCESS_SIDE_OWNER ? !is_of_owner : is_of_owner);
}

#endif
