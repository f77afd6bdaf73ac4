/* SPDX-License-Identifier: MIT
 *
 * Dependencies: what the packets of a capture read and write, as the packet table says, and which of them a
 * range of submissions needs.
 */
#ifndef AG_CAPTURE_DEPENDENCIES_H
#define AG_CAPTURE_DEPENDENCIES_H

#include "base/map.h"
#include "capture/capture.h"

/* One packet that a cut may leave out or change. Resources are numbered; views and aliases are the resource
 * that they show. */
struct ag_dependency {
    uint32_t submission; /* index in the summary */
    uint32_t offset;     /* of the packet in its stream */
    uint32_t effects;    /* of the packet: set of enum ag_effect; 0: unknown */
    uint32_t first_use;  /* in `uses`: first what it reads, then what it writes */
    uint32_t read_count, write_count;
    bool needed;         /* before marking: it stays whatever comes */
    bool verbatim;       /* its submission stays, with all that it tells the guest */
    uint16_t quiet;      /* offset of the word that says what the guest is told; 0: none */
    uint32_t quiet_mask; /* bits of it that may stay where nobody listens */
};

struct ag_resource_use {
    uint32_t resource;
    bool whole;      /* a write after which nothing of what was there is left */
    bool only_depth; /* the same, but for the stencil */
};

struct ag_dependencies {
    AG_VEC(struct ag_dependency) packets;
    AG_VEC(struct ag_resource_use) uses;
    AG_VEC(bool) verbatim; /* by submission: it executes command lists, whose answers stay */
    uint32_t resource_count;
    bool has_stencil; /* some state tests or writes stencils */
};

/* Lists the packets of the submissions up to `to`. False when out of memory; finish it anyway. */
bool ag_dependencies_list(const struct ag_capture *capture, const struct ag_capture_summary *summary,
                          uint32_t to, struct ag_dependencies *dependencies);

/* Marks what is needed for the submissions `from` to `to`, themselves included. False when out of memory. */
bool ag_dependencies_mark(struct ag_dependencies *dependencies, uint32_t from, uint32_t to);

void ag_dependencies_fini(struct ag_dependencies *dependencies);

#endif
