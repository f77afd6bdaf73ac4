/* SPDX-License-Identifier: MIT
 *
 * One client of a server: a mapping, a line, a thread, and the device that the thread serves.
 */
#ifndef AG_SERVE_CLIENT_H
#define AG_SERVE_CLIENT_H

#include <pthread.h>
#include <stdatomic.h>

#include "serve/line.h"
#include "serve/mapping.h"
#include "serve/serve.h"

struct ag_client {
    struct ag_client *next;
    uint32_t number;
    const struct ag_server_options *options; /* of the server */
    pthread_mutex_t *gpu_lock;               /* of the server: GPUs are opened and closed one at a time */
    int wake;                                /* of the server: written when the client has ended */
    int stop;                                /* eventfd: wakes the thread */
    atomic_bool stopping;                    /* the thread is to end */
    struct ag_mapping mapping;
    struct ag_line line;
    pthread_t thread;
    atomic_bool ended; /* the thread is at its end */

    /* The thread's own. */
    struct agpu_gpu *gpu;
    struct agpu_executor *executor;
    struct agpu_device *device;
    struct ag_served served;
};

/* Lets whoever waits for an eventfd go on. Signal handlers may call it. */
void ag_wake(int event);

/* Starts the thread. The client, which has a mapping and a line, is ready but for `stop` and the thread.
 * False: no thread or descriptor is left. */
bool ag_client_start(struct ag_client *client);

/* Tells the thread to end. */
void ag_client_stop(struct ag_client *client);

/* Waits for the thread and frees everything, the client included. */
void ag_client_join(struct ag_client *client);

#endif
