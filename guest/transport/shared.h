/* SPDX-License-Identifier: MIT
 *
 * What the transports over shared memory have in common (aerogpu/abi/shared.h): registers, the queue of
 * writes, and waiting. How the server is woken, how this process sleeps and how either learns that the other
 * is gone is the business of a line.
 */
#ifndef GUEST_TRANSPORT_SHARED_H
#define GUEST_TRANSPORT_SHARED_H

#include <stdatomic.h>

#include "aerogpu/abi/shared.h"
#include "guest/core/core.h"

/* Functions get the bus's user; they may be called from any thread. */
struct guest_shared_line {
    /* Wakes the server. False: the server is gone. */
    bool (*ring)(void *user);
    /* Sleeps until the server writes the interrupt, for so long at most, from one thread at a time. False:
     * the server is gone. */
    bool (*sleep)(void *user, uint64_t timeout_ns);
    /* Whether the server is there, which may take a system call. */
    bool (*is_there)(void *user);
    /* Lets others run for a moment, some ten microseconds or what the system has. */
    void (*pause)(void *user);
    uint64_t (*now_ns)(void *user);
    /* Those of the bus. */
    void (*lock)(void *user, uint32_t number);
    void (*unlock)(void *user, uint32_t number);
};

/* The first member of a transport's own structure, which is the bus's user. */
struct guest_shared {
    struct guest_bus bus;
    struct guest_shared_line line;
    uint8_t *bytes; /* of the mapping */
    uint64_t size;
    uint32_t posted;      /* under `posting` */
    uint32_t waits;       /* under `sleeping` */
    atomic_flag posting;  /* somebody posts a write */
    atomic_flag sleeping; /* somebody waits for the interrupt */
    atomic_bool is_gone;  /* the server is */
};

/* Takes a mapping, which the caller unmaps, and fills in the bus. */
void guest_shared_init(struct guest_shared *shared, uint8_t *bytes, uint64_t size,
                       const struct guest_shared_line *line);

/* Checks what the server says of the mapping, and waits for the server's GPU. Null, or why there is no
 * device, a constant. */
const char *guest_shared_start(struct guest_shared *shared);

/* Whether the server asks for windows to be shown (AEROGPU_SHARED_FLAG_SHOW_WINDOWS). */
bool guest_shared_shows_windows(const struct guest_shared *shared);

#endif
