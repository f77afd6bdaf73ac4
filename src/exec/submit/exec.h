/* SPDX-License-Identifier: MIT
 *
 * The WebGPU executor: its rooms, from the ground up, and the submissions in flight.
 *
 * Packets are decoded and recorded inside submit(), into one command encoder that stays open until the
 * submission ends, a FLUSH or a present. CPU writes to a resource that the open encoder has not used go
 * through the queue, which puts them before the encoder; others go through staging memory inside it.
 */
#ifndef AG_EXEC_SUBMIT_EXEC_H
#define AG_EXEC_SUBMIT_EXEC_H

#include <stdbool.h>
#include <stdint.h>

#include "aerogpu/executor.h"
#include "exec/bind/binder.h"
#include "exec/blit/blitter.h"
#include "exec/draw/drawer.h"
#include "exec/expand/expander.h"
#include "exec/host/host.h"
#include "exec/object/objects.h"
#include "exec/record/recorder.h"
#include "exec/transfer/copier.h"

struct ag_submission;

struct ag_exec {
    struct agpu_executor table; /* first: what the embedder sees */
    struct agpu_executor_events events;

    struct ag_host host;
    struct ag_objects objects;
    struct ag_recorder recorder;
    struct ag_blitter blitter;
    struct ag_copier copier;
    struct ag_binder binder;
    struct ag_drawer drawer;
    struct ag_expander expander;

    struct ag_submission *submissions, **submissions_end; /* in flight, in order */
    uint32_t orphan_count; /* dropped submissions that error scopes still refer to */
    bool check_packets;    /* an error scope for each packet */
    bool advancing;
    bool reset_wanted; /* by a callback, while advancing */
    bool closing;
};

static inline struct ag_exec *ag_exec_of(struct agpu_executor *executor)
{
    return (struct ag_exec *)executor;
}

#endif
