/* SPDX-License-Identifier: MIT
 *
 * What the draws, dispatches, clears, copies and presents of a capture read and write, and which of them a
 * range of submissions needs.
 */
#ifndef AG_CAPTURE_WORK_H
#define AG_CAPTURE_WORK_H

#include "base/map.h"
#include "capture/capture.h"

/* Draws and dispatches read all bindings; dispatches write unordered access views, draws those and render
 * targets. */
enum ag_capture_work_kind {
    AG_CAPTURE_OTHER,
    AG_CAPTURE_DRAW,
    AG_CAPTURE_DISPATCH,
};

enum ag_capture_work_kind ag_capture_work_kind_of(uint32_t opcode);

/* A packet that produces something. Resources are numbered; views and aliases have the number of their
 * resource. */
struct ag_capture_work {
    uint32_t submission;     /* index in the summary */
    uint32_t offset, opcode; /* of the packet in its stream */
    /* Index in `uses` of the resources that it reads, then of those that it writes. */
    uint32_t first_use;
    uint32_t read_count, write_count;
    bool opaque;         /* an unknown packet, which may do anything */
    bool needed;         /* always needed, before ag_capture_mark_needed() adds others */
    bool verbatim;       /* the submission is kept as a whole, reports to the guest included */
    bool answers;        /* shows or reports something and does nothing else */
    uint16_t quiet;      /* offset of the word that controls what the guest is told; 0: none */
    uint32_t quiet_mask; /* bits of that word that may stay when nothing is reported */
};

struct ag_capture_use {
    uint32_t resource;
    bool whole;      /* the write leaves nothing of the resource's previous contents */
    bool only_depth; /* the write leaves nothing but the previous stencil contents */
};

struct ag_capture_work_list {
    AG_VEC(struct ag_capture_work) work;
    AG_VEC(struct ag_capture_use) uses;
    AG_VEC(bool) verbatim; /* by submission: it executes command lists, whose packets are not examined */
    uint32_t resource_count;
    bool has_stencil; /* some state tests or writes stencils */
};

/* Lists the work of the submissions up to `to`. False when memory runs out; *list must be finished in every
 * case. */
bool ag_capture_list_work(const struct ag_capture *capture, const struct ag_capture_summary *summary,
                          uint32_t to, struct ag_capture_work_list *list);

/* Marks the work that the submissions from `from` to `to` need, their own included. False when memory runs
 * out. */
bool ag_capture_mark_needed(struct ag_capture_work_list *list, uint32_t from, uint32_t to);

void ag_capture_work_fini(struct ag_capture_work_list *list);

#endif
