/* SPDX-License-Identifier: MIT
 *
 * Where clients come in: a socket for native ones, a folder with a FIFO for those that have no such sockets.
 */
#ifndef AG_SERVE_ENDPOINT_H
#define AG_SERVE_ENDPOINT_H

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>

#include "aerogpu/abi/shared.h"
#include "base/diag.h"

/* Makes a client of `size` bytes; the socket is -1 for a client of the folder. Takes over the socket. */
typedef enum aerogpu_shared_result (*ag_endpoint_take)(void *user, uint64_t size, int socket, uint64_t name);

/* ---- socket.c ----------------------------------------------------------------------------------------- */

/* The most clients that have said nothing yet. */
#define AG_SOCKET_CALLERS 16

struct ag_socket_endpoint {
    const char *path;
    int listener; /* -1: none */
    /* Clients that have said nothing yet, by age. */
    struct ag_caller {
        int socket;
        uint64_t deadline_ns;
    } callers[AG_SOCKET_CALLERS];
    uint32_t caller_count;
    uint64_t rests_until_ns; /* nobody could be taken, for want of descriptors */
};

/* Reports serve.address. */
enum agpu_status ag_socket_endpoint_open(struct ag_socket_endpoint *endpoint, const char *path,
                                         const struct agpu_diag_sink *sink);
void ag_socket_endpoint_close(struct ag_socket_endpoint *endpoint);

/* Takes whoever calls and has said what it wants. Never blocks. */
void ag_socket_endpoint_look(struct ag_socket_endpoint *endpoint, ag_endpoint_take take, void *user);

/* What to wait for before the next look, and for how long at most: less than *timeout_ms when there is
 * something to do by then; negative: for ever. Who calls while nobody can be taken is not waited for, since
 * there would be no wait. Returns how many descriptors there are. */
uint32_t ag_socket_endpoint_wait(const struct ag_socket_endpoint *endpoint,
                                 struct pollfd descriptors[AG_SOCKET_CALLERS + 1], int *timeout_ms);

/* Answers a client, with the descriptors of a line and of memory where it is welcome. */
bool ag_socket_answer(int socket, enum aerogpu_shared_result result, uint64_t size, const int descriptors[3]);

/* ---- folder.c ----------------------------------------------------------------------------------------- */

struct ag_folder_endpoint {
    const char *path;
    int folder, requests; /* the folder itself, and the FIFO; -1: none */
    bool is_made;         /* by us */
};

enum agpu_status ag_folder_endpoint_open(struct ag_folder_endpoint *endpoint, const char *path,
                                         const struct agpu_diag_sink *sink);
/* Removes what was made. */
void ag_folder_endpoint_close(struct ag_folder_endpoint *endpoint);
void ag_folder_endpoint_look(struct ag_folder_endpoint *endpoint, ag_endpoint_take take, void *user);

#endif
