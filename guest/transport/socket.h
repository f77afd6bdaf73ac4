/* SPDX-License-Identifier: MIT
 *
 * The transport of native programs: a socket of `aerogpu serve --socket`, memory that both map, and two
 * eventfds. Linux.
 */
#ifndef GUEST_TRANSPORT_SOCKET_H
#define GUEST_TRANSPORT_SOCKET_H

#include "guest/core/core.h"

struct guest_socket;

/* Connects. `memory_bytes` of the mapping, 0: 64 MiB. Null: there is no server, or the server refuses;
 * *problem (may be null) then says why, a constant. */
struct guest_socket *guest_socket_open(const char *path, uint64_t memory_bytes, const char **problem);

/* The guest's device is gone by then. Accepts null. */
void guest_socket_close(struct guest_socket *socket);

const struct guest_bus *guest_socket_bus(const struct guest_socket *socket);
bool guest_socket_shows_windows(const struct guest_socket *socket);

#endif
