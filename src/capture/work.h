/* SPDX-License-Identifier: MIT
 *
 * What the draws, dispatches, clears, copies and presents of a capture read and write, and which of them a
 * range of submissions needs.
 */
#ifndef AG_CAPTURE_WORK_H
#define AG_CAPTURE_WORK_H

#include "base/map.h"
#include "capture/capture.h"

/* Draws and dispatches read all bindings; dispatches write unordered access views, draws these and targets.
 */
enum ag_capture_work_kind {
    AG_CAPTURE_OTHER,
    AG_CAPTURE_DRAW,
    AG_CAPTURE_DISPATCH,
};

enum ag_capture_work_kind ag_capture_work_kind_of(uint32_t opcode);

/* One packet that makes something. Resources are numbered; views and aliases are the resource that they show.
 */
struct ag_capture_work {
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

struct ag_capture_use {
    uint32_t resource;
    bool whole;      /* a write after which nothing of what was there is left */
    bool only_depth; /* the same, but for the stencil */
};

struct ag_capture_work_list {
    AG_VEC(struct ag_capture_work) work;
    AG_VEC(struct ag_capture_use) uses;
    AG_VEC(bool) verbatim; /* by submission: it executes command lists, which nobody looks into */
    uint32_t resource_count;
    bool has_stencil; /* some state tests or writes stencils */
};

/* Lists the work of the submissions up to `to`. False when out of memory; finish it anyway. */
bool ag_capture_list_work(const struct ag_capture *capture, const struct ag_capture_summary *summary,
                          uint32_t to, struct ag_capture_work_list *list);

/* Marks what is needed for the submissions `from` to `to`, themselves included. False when out of memory. */
bool ag_capture_mark_needed(struct ag_capture_work_list *list, uint32_t from, uint32_t to);

void ag_capture_work_fini(struct ag_capture_work_list *list);

#endif
