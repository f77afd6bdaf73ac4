/* SPDX-License-Identifier: MIT
 *
 * A server of devices: each client that comes through a socket or a folder (aerogpu/abi/shared.h) has a
 * device of its own, on an executor and a GPU of its own, with a thread that serves it. Clients are not
 * trusted: each has quotas, and ends alone when it breaks the rules.
 */
#ifndef AG_SERVE_SERVE_H
#define AG_SERVE_SERVE_H

#include <stdbool.h>
#include <stdint.h>

#include "aerogpu/device.h"
#include "aerogpu/executor.h"
#include "aerogpu/gpu.h"

/* What a client came to, when it ended. */
struct ag_served {
    uint64_t presents;
    bool broke_rules;
};

/* What the server tells. All are called on the thread of the client, several at a time for several clients;
 * all but `report` may be null. Clients count from 1. */
struct ag_server_events {
    /* A client's GPU is open. What is returned is the tap of the client's device, or null. */
    const struct agpu_device_tap *(*began)(void *user, uint32_t client, const struct agpu_adapter_info *info);
    void (*presented)(void *user, uint32_t client, const struct agpu_present *present);
    /* Whether anybody looks at this client's windows now; null: `presented` does, where there is one. */
    bool (*looks)(void *user, uint32_t client);
    void (*report)(void *user, uint32_t client, const struct agpu_diag *diag);
    void (*ended)(void *user, uint32_t client, const struct ag_served *served);
    void *user;
};

/* Zero is the default of every member, but one of `socket_path` and `folder`. Strings are borrowed. */
struct ag_server_options {
    const char *socket_path; /* for native clients */
    const char *folder;      /* for clients without such sockets; made where there is none */
    struct agpu_gpu_options gpu;
    struct agpu_executor_options executor;
    bool process;          /* a GPU process for each client */
    const char *program;   /* of the GPU processes: the tool */
    bool show_windows;     /* clients are asked to show their windows */
    uint32_t client_count; /* at a time; 0: AG_SERVER_CLIENTS */
    uint64_t client_bytes; /* of the memory that a client shares; 0: AG_SERVER_CLIENT_BYTES */
    struct ag_server_events events;
};

#define AG_SERVER_CLIENTS 16
#define AG_SERVER_MOST_CLIENTS 1024
#define AG_SERVER_CLIENT_BYTES (UINT64_C(1) << 30)

struct ag_server;

/* Opens the socket and the folder. AGPU_REFUSED (serve.address) when another server has them, or they cannot
 * be made; AGPU_NO_MEMORY. */
enum agpu_status ag_server_create(const struct ag_server_options *options, const struct agpu_diag_sink *sink,
                                  struct ag_server **server);

/* Takes clients that come, and lets those go that have ended, for `timeout_ms` at most; returns early after
 * ag_server_wake(). */
void ag_server_step(struct ag_server *server, int timeout_ms);

/* Makes ag_server_step() return. May be called from any thread and from signal handlers. */
void ag_server_wake(struct ag_server *server);

/* Clients that are there now, and so far. */
uint32_t ag_server_clients(const struct ag_server *server);
uint32_t ag_server_served(const struct ag_server *server);

/* Ends all clients and waits for their threads. Accepts null. */
void ag_server_destroy(struct ag_server *server);

#endif
