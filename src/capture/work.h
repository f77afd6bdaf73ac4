/* SPDX-License-Identifier: MIT
 *
 * What the draws, dispatches, clears, copies and presents of a capture read and write, and which of them a
 * range of submissions needs.
 */
#ifndef AGPU_CAPTURE_WORK_H
#define AGPU_CAPTURE_WORK_H

#include "base/map.h"
#include "capture/capture.h"

/* Draws and dispatches read all bindings; dispatches write unordered access views, draws these and targets.
 */
enum capture_work_kind {
    CAPTURE_OTHER,
    CAPTURE_DRAW,
    CAPTURE_DISPATCH,
};

enum capture_work_kind capture_work_kind_of(uint32_t opcode);

/* One packet that makes something. Resources are numbered; views and aliases are the resource that they show.
 */
struct capture_work {
    uint32_t submission;     /* index in the summary */
    uint32_t offset, opcode; /* of the packet in its stream */
    uint32_t first_use;      /* in `uses`: first what it reads, then what it writes */
    uint32_t read_count, write_count;
    bool opaque;         /* a packet of which we do not know what it does */
    bool needed;         /* before marking: it stays whatever comes */
    bool verbatim;       /* its submission stays, with all that it tells the guest */
    bool answers;        /* shows or tells something, and does nothing else */
    uint16_t quiet;      /* offset of the word that says what the guest is told; 0: none */
    uint32_t quiet_mask; /* bits of it that may stay where nobody listens */
};

struct capture_use {
    uint32_t resource;
    bool whole;      /* a write after which nothing of what was there is left */
    bool only_depth; /* the same, but for the stencil */
};

struct capture_work_list {
    AGPU_VEC(struct capture_work) work;
    AGPU_VEC(struct capture_use) uses;
    AGPU_VEC(bool) verbatim; /* by submission: it executes command lists, which nobody looks into */
    uint32_t resource_count;
    bool has_stencil; /* some state tests or writes stencils */
};

/* Lists the work of the submissions up to `to`. False when out of memory; finish it anyway. */
bool capture_list_work(const struct agpu_capture *capture, const struct capture_summary *summary, uint32_t to,
                       struct capture_work_list *list);

/* Marks what is needed for the submissions `from` to `to`, themselves included. False when out of memory. */
bool capture_mark_needed(struct capture_work_list *list, uint32_t from, uint32_t to);

void capture_work_fini(struct capture_work_list *list);

#endif
