/* SPDX-License-Identifier: MIT
 *
 * The argument of every packet handler: the rooms below, the context of the stream being executed, and what
 * the stream does after the packet. A submission owns its struct ag_execution; submit/stream.c calls the
 * handlers.
 */
#ifndef AG_EXEC_PACKET_EXECUTION_H
#define AG_EXEC_PACKET_EXECUTION_H

#include <stdbool.h>
#include <stdint.h>

#include "exec/expand/counted_draw.h"
#include "exec/host/progress.h"

struct ag_binder;
struct ag_blitter;
struct ag_command_list;
struct ag_context;
struct ag_copier;
struct ag_drawer;
struct ag_expander;
struct ag_host;
struct ag_objects;
struct ag_readback;
struct ag_recorder;
struct aerogpu_cmd_draw;

/* What a stream waits for before its next packet. All zero when it does not wait. */
struct ag_wait {
    uint64_t serial;                    /* a signal of the queue, or 0 */
    const struct ag_readback *readback; /* a read-back that has begun, or null */
    uint64_t compilation;               /* a pipeline that is being made (ag_compilation_serial()), or 0 */
    bool is_creation;                   /* it is a shader that is being created */
    bool again;                         /* the packet at which the stream waits is executed once more */
};

/* The command list whose packets come next. All zero when the packet calls no list. */
struct ag_list_call {
    const struct ag_command_list *list;
    bool restore; /* restore the context's state after the list, else clear it (ExecuteCommandList) */
};

/* The execution of one stream. */
struct ag_execution {
    struct ag_host *host;
    struct ag_objects *objects;
    struct ag_recorder *recorder;
    struct ag_blitter *blitter;
    struct ag_copier *copier;
    struct ag_binder *binder;
    struct ag_drawer *drawer;
    struct ag_expander *expander;

    struct ag_context *context;
    struct ag_wait wait;
    struct ag_list_call call;
    struct ag_progress progress; /* of the packet at hand */
    bool repeats;                /* the packet at hand was executed before, up to where it waited */
    bool changes_nothing;        /* it sets what was set already, so that draws may go on as before */
    struct ag_counted_draw counted;
    struct ag_readback *arguments; /* of ag_arguments_read(), while the stream waits for it; else null */
};

/* Called by a handler: the stream waits after this packet until the read-back, which has begun and stays
 * the caller's, is done. This packet is executed once more then, so that the packet may not have had an
 * effect yet. */
void ag_execution_wait_for_bytes(struct ag_execution *execution, const struct ag_readback *readback);

/* The same for all work that was submitted so far; the packet is executed once more then. */
void ag_execution_wait_for_work(struct ag_execution *execution);

/* Looks at a part of a large index buffer, ahead of a draw. True when there is more to look at: the packet
 * goes on in its next part. */
bool ag_execution_scans_indices(struct ag_execution *execution);
/* A draw of the guest that is not the kept one again (draw/kept_draw.h), and an indexed one. */
enum agpu_status ag_execution_draw(struct ag_execution *execution, const struct aerogpu_cmd_draw *wire);
enum agpu_status ag_execution_draw_indexed(struct ag_execution *execution, const struct ag_draw *draw);

#endif
