/* SPDX-License-Identifier: MIT
 *
 * A GPU process as its owner holds it: its id, its ends of the socket and of standard error, and the shared
 * memory.
 */
#ifndef AG_PROCESS_CHILD_H
#define AG_PROCESS_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ag_child {
    int64_t pid;           /* 0: there is none, or its end was noticed */
    int handle;            /* of the process (pidfd), -1 where the kernel has none */
    int socket;            /* -1: closed */
    int error;             /* what it writes to its standard error comes here; -1: closed */
    uint8_t *shared;       /* null: none */
    int shared_descriptor; /* -1: given away */
    int status;            /* of its end, for waitpid's macros; valid once pid is 0 again */
    bool has_status;
};

/* Starts a program. False when that fails, with a sentence in `problem`. The shared memory's descriptor stays
 * open until the caller has sent it. */
bool ag_child_start(struct ag_child *child, const char *program, const char *const *arguments,
                    const char *const *environment, char *problem, size_t size);

/* Whether the process has ended; never waits. */
bool ag_child_has_ended(struct ag_child *child);

/* Closes descriptors and memory, and kills the process. Its end is noticed by ag_child_has_ended(). */
void ag_child_kill(struct ag_child *child);
/* Waits for the end, at most so long; false: it has not ended. */
bool ag_child_wait(struct ag_child *child, uint64_t most_ns);

/* Waits at most so long for a process that was killed; one that takes longer is left to a thread, so that no
 * zombie stays. */
void ag_child_leave(struct ag_child *child, uint64_t most_ns);

/* How it ended, as a part of a sentence: "was killed by signal 9". */
void ag_child_describe_end(const struct ag_child *child, char *text, size_t size);

#endif
