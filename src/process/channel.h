/* SPDX-License-Identifier: MIT
 *
 * One end of the connection between a GPU process and its owner: a socket for messages and a ring of shared
 * memory in each direction for their bytes. A ring is written by one side only; where the bytes of a message
 * lie is in the message, and how far the reader has come in `acknowledged` of the messages back, so that
 * nothing in shared memory is trusted but the bytes themselves. Nothing here blocks but the two waits.
 */
#ifndef AG_PROCESS_CHANNEL_H
#define AG_PROCESS_CHANNEL_H

#include <stddef.h>

#include "process/message.h"

/* Bytes of each ring. A side acknowledges before a quarter of a ring waits for it, so that a piece always
 * finds room in the end. */
#define AG_RING_BYTES (UINT64_C(8) << 20)
#define AG_SHARED_BYTES (2 * AG_RING_BYTES)

struct ag_channel {
    int socket; /* -1: closed */
    bool is_gpu_process;
    uint8_t *out; /* our ring */
    const uint8_t *in;
    uint64_t written, released;      /* in our ring: our bytes end here; what the reader has done with */
    uint64_t consumed, acknowledged; /* in the other ring: how far we came, and what the writer knows of it */
};

/* Shared memory for a channel's rings, sealed so that nobody can make it smaller under the feet of the other;
 * -1 when there is none. */
int ag_shared_memory_create(void);
/* Maps shared memory that somebody else made, after checking its seals and size; null when it is not what
 * ag_shared_memory_create() makes. Unmapped by ag_shared_memory_unmap(). */
uint8_t *ag_shared_memory_map(int descriptor);
void ag_shared_memory_unmap(uint8_t *memory);

/* Takes over nothing: socket and memory stay the caller's. The owner's ring is the first of the two. */
void ag_channel_init(struct ag_channel *channel, int socket, uint8_t *shared, bool is_gpu_process);

/* Room for `size` bytes, which must be no more than AG_PIECE_BYTES, of the message that is sent next: null
 * when there is none now. Sets size and position of the message. */
uint8_t *ag_channel_reserve(struct ag_channel *channel, struct ag_message *message, uint32_t size);

enum ag_channel_result {
    AG_CHANNEL_DONE,
    AG_CHANNEL_LATER,  /* the socket is full, or there is no message */
    AG_CHANNEL_CLOSED, /* the other side is gone */
    AG_CHANNEL_BROKEN, /* the other side sent what is no message */
};

enum ag_channel_result ag_channel_send(struct ag_channel *channel, struct ag_message *message);
/* The same, with `count` file descriptors. */
enum ag_channel_result ag_channel_send_descriptors(struct ag_channel *channel, struct ag_message *message,
                                                   const int *descriptors, uint32_t count);

/* The next message, which is valid by itself and whose bytes lie inside the ring. Descriptors that a hostile
 * side attached are closed. */
enum ag_channel_result ag_channel_receive(struct ag_channel *channel, struct ag_message *message);
/* Takes a first message with descriptors, which come with CLOEXEC. Its bytes are not looked at: the shared
 * memory is one of the descriptors. *count is in the most, out how many came. */
enum ag_channel_result ag_channel_receive_descriptors(int socket, struct ag_message *message,
                                                      int *descriptors, uint32_t *count);

/* The bytes of a received message. The other side may change them at any time: copy, then check. */
const uint8_t *ag_channel_bytes(const struct ag_channel *channel, const struct ag_message *message);
/* We have done with the bytes of a message. */
void ag_channel_consume(struct ag_channel *channel, const struct ag_message *message);
/* Whether so much was consumed that the other side should hear of it. */
bool ag_channel_owes_acknowledgement(const struct ag_channel *channel);

/* Waits until there is a message, or the other side is gone, at most so long; UINT64_MAX: for ever. False:
 * there is none. */
bool ag_channel_wait(const struct ag_channel *channel, uint64_t most_ns);
/* Whether the other side is gone, which is known before all that it said is received. */
bool ag_channel_is_closed(const struct ag_channel *channel);
/* Waits until the socket has room, or the other side is gone. */
void ag_channel_wait_writable(const struct ag_channel *channel);

#endif
