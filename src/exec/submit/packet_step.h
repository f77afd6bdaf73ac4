/* SPDX-License-Identifier: MIT
 *
 * What is done around the handler of a packet, whether packets are executed one by one or in turn.
 */
#ifndef AG_EXEC_SUBMIT_PACKET_STEP_H
#define AG_EXEC_SUBMIT_PACKET_STEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/packet.h"
#include "aerogpu/diag.h"
#include "aerogpu/stream.h"
#include "exec/bind/pipeline_wait.h"
#include "exec/host/report.h"
#include "exec/packet/execution.h"
#include "exec/submit/exec.h"

/* Diagnostics belong to this packet from now on. */
static inline void ag_packet_note_place(struct ag_exec *exec, const struct agpu_packet *packet)
{
    exec->host.reports.place.packet = packet->index;
    exec->host.reports.place.offset = packet->offset;
    exec->host.reports.packet_name = packet->info ? packet->info->name : NULL;
}

/* A packet begins to be executed. */
static inline void ag_packet_begin(struct ag_exec *exec)
{
    exec->host.reports.dropped = false;
    exec->host.reports.malformed = false;
    ag_pipeline_wait_begin_packet(&exec->binder);
}

/* Whether the packet at hand is executed for the first time. */
static inline bool ag_packet_is_begun(const struct ag_execution *execution)
{
    return ag_progress_is_new(&execution->progress) && !execution->repeats;
}

/* What a packet's status means for the stream, which goes on after a call that Direct3D drops. */
static inline enum agpu_status ag_packet_status(const struct ag_exec *exec, enum agpu_status status)
{
    return status == AGPU_REFUSED && exec->host.reports.dropped ? AGPU_OK : status;
}

/* Whether the packet waits, has further parts or calls a list. */
static inline bool ag_packet_has_sequel(const struct ag_exec *exec, const struct ag_execution *execution)
{
    return exec->binder.awaited_compilation || execution->counted.pauses || execution->wait.again ||
           execution->progress.more || execution->call.list;
}

#endif
