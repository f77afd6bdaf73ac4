/* SPDX-License-Identifier: MIT
 *
 * The WebGPU executor: the rooms, each with the rooms below it, and the submissions in flight. The executor
 * owns all rooms; the embedder calls it through the table of aerogpu/executor.h.
 *
 * Packets are decoded and recorded when a submission is started, into one command encoder that stays open
 * until the submission ends, a FLUSH, a present, or the throttle asks for a flush. The CPU's writes to a
 * resource that the open encoder has not used go through the queue, which puts them before the encoder's
 * commands; other writes are staged and copied by the encoder.
 */
#ifndef AG_EXEC_SUBMIT_EXEC_H
#define AG_EXEC_SUBMIT_EXEC_H

#include <stdbool.h>
#include <stdint.h>

#include "aerogpu/executor.h"
#include "exec/bind/binder.h"
#include "exec/blit/blitter.h"
#include "exec/draw/drawer.h"
#include "exec/draw/kept_draw.h"
#include "exec/expand/expander.h"
#include "exec/expand/expansion_batch.h"
#include "exec/host/host.h"
#include "exec/object/objects.h"
#include "exec/packet/handlers.h"
#include "exec/record/recorder.h"
#include "exec/submit/clearing.h"
#include "exec/submit/slice.h"
#include "exec/submit/turn.h"
#include "exec/transfer/copier.h"

struct ag_exec_save;
struct ag_submission;

struct ag_exec {
    struct agpu_executor table; /* the embedder's view of the executor; the first member */
    struct agpu_executor_events events;

    /* The rooms, from the lowest to the highest. */
    struct ag_host host;
    struct ag_objects objects;
    struct ag_recorder recorder;
    struct ag_blitter blitter;
    struct ag_copier copier;
    struct ag_binder binder;
    struct ag_drawer drawer;
    struct ag_kept_draw kept;        /* the drawer's */
    struct ag_expansion_batch batch; /* the expander's */
    struct ag_expander expander;

    struct ag_submission *submissions, **submissions_end; /* in flight, in order */
    struct ag_submission *next_to_run;                    /* the first whose stream has not ended; or null */
    uint32_t storing;      /* submissions whose streams have ended and whose write-backs reach guest memory */
    struct ag_slice slice; /* of the call at hand, or of the last call */
    struct ag_packet_plan plans[AG_PACKET_ROWS];
    const struct agpu_packet_info *upload_info; /* of UPLOAD_RESOURCE */
    bool is_short;      /* the GPU ran out of memory: what the host keeps for itself is made anew */
    bool has_scopes;    /* the error scopes of the stream being executed are open */
    uint32_t next_look; /* after so many packets a stream looks whether it has to wait (stream_execution.c) */

    uint64_t readback_bytes; /* the option of that name */
    uint64_t gpu_timeout_ns; /* for one piece of work of the GPU; UINT64_MAX: none */
    struct ag_turn turn;
    struct ag_submission *arrived; /* the first that has come since the last call; or null */
    uint64_t now_ns;               /* when the call at hand began; since then, when work was counted last */
    bool was_away;                 /* since then the embedder's callbacks were called */

    uint64_t compile_ns_before; /* what the gpu counted before the executor's last reset */
    /* Streams wait while the GPU works: lavapipe's calls that make or destroy views wait for the work at
     * hand, so that a GPU that hangs would block the embedder's thread. Where there is no timeout, nothing is
     * lost. */
    bool works_in_turns;
    /* Nothing may be under way that the library has submitted by itself, for writes through the queue. What
     * was released before is deleted when such work is done, which has to be before more is submitted. */
    bool is_quiet;
    bool check_packets; /* an error scope for each packet: the option of that name */
    bool advancing;     /* ag_submissions_advance() is at work, and the embedder's callbacks may call back */
    bool reset_wanted;  /* a callback asked for a reset, which comes once the work at hand is done */
    struct ag_clearing clearing; /* of what a reset has left */
    bool closing;                /* the executor is being destroyed */
    bool replacing;              /* the objects of a lost device are freed, and then it is replaced */
    bool bare;                   /* the objects of a lost device are gone, and no other device has come yet */
    bool reviving;               /* while bare: a device was asked for */

    /* While a snapshot is being saved (snapshot.c): no submission is begun. abandon_save() is called before
     * the objects go. */
    struct ag_exec_save *save;
    void (*abandon_save)(struct ag_exec *exec);
};

static inline struct ag_exec *ag_exec_of(struct agpu_executor *executor)
{
    return (struct ag_exec *)executor;
}

#endif
