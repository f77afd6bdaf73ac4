/* SPDX-License-Identifier: MIT
 *
 * What a GPU process writes to its standard error: it is a pipe, and its owner passes on what comes there to
 * a standard error of its own. So much a second, since whoever has taken the process over can write for ever.
 * Nothing here blocks, neither the owner nor, as long as its owner polls, the process.
 */
#ifndef AG_PROCESS_ERROR_RELAY_H
#define AG_PROCESS_ERROR_RELAY_H

#include <stdbool.h>
#include <stdint.h>

#define AG_ERROR_BYTES_PER_SECOND UINT64_C(65536)
#define AG_ERROR_BURST_BYTES (UINT64_C(1) << 20)

/* Of an owner: its processes, which a guest may crash one after the other, share the rate. */
struct ag_error_relay {
    int to; /* -1: nobody hears */
    bool to_is_socket;
    uint64_t bytes;       /* that may be passed on at once */
    uint64_t refilled_ns; /* on the host's clock */
    /* More came than may be passed on, or than `to` takes: nothing is passed on until a burst may. */
    bool leaves_out;
    bool is_untold; /* something was left out and it was not said */
    uint64_t told_ns;
};

void ag_error_relay_init(struct ag_error_relay *relay);
/* A process is about to be started: its words go to what is standard error now, before a descriptor of the
 * process may get that number. */
void ag_error_relay_begin(struct ag_error_relay *relay);
/* Passes on some of what is in the pipe, or throws it away. A pipe that has come to its end is closed, and
 * *pipe is -1 then, which it may be before. */
void ag_error_relay_pass(struct ag_error_relay *relay, int *pipe);
/* The process ends: passes on what it left in the pipe. */
void ag_error_relay_end(struct ag_error_relay *relay, int *pipe);
/* Whether it is to be said now that something was left out: once in the time that a burst takes. */
bool ag_error_relay_tells(struct ag_error_relay *relay);

#endif
