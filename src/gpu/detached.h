/* SPDX-License-Identifier: MIT
 *
 * Threads that wait for what may never come, and that nobody waits for.
 */
#ifndef AG_GPU_DETACHED_H
#define AG_GPU_DETACHED_H

#include <pthread.h>
#include <stdbool.h>

/* False: there is no thread to be had. The thread gets no signals, which are the embedder's, but those that
 * it raises itself; its code stays loaded. */
bool ag_detached_start(void *(*run)(void *user), void *user);
/* The same for a thread that its owner joins, or detaches when there is no waiting for what it does. */
bool ag_joinable_start(void *(*run)(void *user), void *user, pthread_t *thread);

#endif
