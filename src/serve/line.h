/* SPDX-License-Identifier: MIT
 *
 * The line to one client beside the shared memory: the doorbell, the interrupt, and what tells that the
 * client is gone. A native client has two eventfds and a socket; one that came through a folder has two
 * FIFOs.
 */
#ifndef AG_SERVE_LINE_H
#define AG_SERVE_LINE_H

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>

struct ag_line {
    int doorbell, interrupt;
    int socket; /* -1: of a folder */
    /* Of a folder: where the names are until the client has opened them, and the time by which it must. */
    int folder;
    uint64_t name;
    bool is_open;
    uint64_t deadline_ns;
};

#define AG_LINE_DESCRIPTORS 2

enum ag_line_state {
    AG_LINE_QUIET,
    AG_LINE_RUNG, /* the doorbell was rung since the last look */
    AG_LINE_GONE, /* the client is gone, or never came */
};

/* Takes over the socket. False: no descriptors, and the socket is closed. */
bool ag_line_init_socket(struct ag_line *line, int socket);

/* Makes the FIFOs of a name in a folder, whose descriptor is borrowed for as long as the line lives, and the
 * name of the memory. False: they cannot be made, or are there already. */
bool ag_line_init_folder(struct ag_line *line, int folder, uint64_t name, int memory);

/* Whether a server made a file of this name for a client of a folder. */
bool ag_line_is_name(const char *text);

/* Closes everything, and removes the names. */
void ag_line_fini(struct ag_line *line);

/* Looks at the doorbell and at the other end. Never blocks. */
enum ag_line_state ag_line_look(struct ag_line *line, uint64_t now_ns);

/* Rings the interrupt. Never blocks: a client that does not read has bytes enough. */
void ag_line_interrupt(const struct ag_line *line);

/* What to wait for; returns how many there are. */
uint32_t ag_line_descriptors(const struct ag_line *line, struct pollfd descriptors[AG_LINE_DESCRIPTORS]);

#endif
