/* SPDX-License-Identifier: MIT */
#include "exec/submit/stream_execution.h"

#include <inttypes.h>
#include <stdlib.h>

#include "abi/packet.h"
#include "aerogpu/diag.h"
#include "aerogpu/stream.h"
#include "base/diag.h"
#include "exec/bind/context.h"
#include "exec/bind/context_set.h"
#include "exec/bind/pipeline_wait.h"
#include "exec/draw/kept_draw.h"
#include "exec/expand/expansion_batch.h"
#include "exec/expand/inlined_draw.h"
#include "exec/host/effort.h"
#include "exec/host/gpu_memory.h"
#include "exec/host/guest_memory.h"
#include "exec/host/host.h"
#include "exec/host/report.h"
#include "exec/host/spent_memory.h"
#include "exec/packet/command_list.h"
#include "exec/packet/execution.h"
#include "exec/packet/handlers.h"
#include "exec/packet/kept_creation.h"
#include "exec/packet/refused_creation.h"
#include "exec/record/flush.h"
#include "exec/record/query_recording.h"
#include "exec/record/recorder.h"
#include "exec/record/throttle.h"
#include "exec/submit/calm_packets.h"
#include "exec/submit/error_scopes.h"
#include "exec/submit/exec.h"
#include "exec/submit/gpu_loss.h"
#include "exec/submit/packet_step.h"
#include "exec/submit/slice.h"
#include "exec/submit/submission.h"
#include "exec/submit/turn.h"
#include "exec/transfer/pull_ahead.h"
#include "exec/transfer/write_back.h"
#include "gpu/compilation.h"
#include "gpu/gpu.h"
#include "gpu/label.h"
#include "gpu/readback.h"

#define MAX_LIST_DEPTH 8
#define MAX_LISTED_PACKETS (UINT32_C(1) << 22)

/* ---- Frames ------------------------------------------------------------------------------------------- */

static struct ag_stream_frame *push_frame(struct ag_exec *exec, struct ag_submission *submission)
{
    struct ag_stream_frame *frame = submission->frame ? malloc(sizeof *frame) : &submission->root;
    if (!frame) {
        ag_host_no_memory(&exec->host);
        return NULL;
    }
    *frame = (struct ag_stream_frame){
        .caller = submission->frame,
        .depth = submission->frame ? submission->frame->depth + 1 : 0,
    };
    submission->frame = frame;
    return frame;
}

static void drop_frame(struct ag_submission *submission)
{
    struct ag_stream_frame *frame = submission->frame;
    submission->frame = frame->caller;
    ag_context_destroy(frame->saved);
    if (frame != &submission->root)
        free(frame);
}

/* Leaves a frame, at its end or because the stream stops, and restores or clears the context's state. */
static void pop_frame(struct ag_submission *submission)
{
    struct ag_stream_frame *frame = submission->frame;
    struct ag_context *context = submission->execution.context;
    if (frame->caller)
        ag_kept_draw_note(&submission->exec->kept, AG_CHANGES_ALL, AGPU_STAGE_COUNT);
    if (frame->saved)
        ag_context_restore(context, frame->saved);
    else if (frame->caller)
        ag_context_clear_state(context);
    drop_frame(submission);
}

void ag_stream_drop(struct ag_submission *submission)
{
    while (submission->frame)
        drop_frame(submission);
}

/* Enters a command list, which begins with Direct3D's initial state. */
static enum agpu_status call_list(struct ag_exec *exec, struct ag_submission *submission,
                                  const struct ag_list_call *call)
{
    struct ag_context *context = submission->execution.context;
    if (submission->frame->depth == MAX_LIST_DEPTH) {
        ag_host_report(&exec->host, AGPU_DIAG_GPU_LIMIT, AGPU_ERROR,
                       "command lists execute each other %d deep: the last one is left out",
                       MAX_LIST_DEPTH + 1);
        return AGPU_OK;
    }
    struct ag_stream_frame *frame = push_frame(exec, submission);
    if (!frame)
        return AGPU_NO_MEMORY;
    if (call->restore) {
        frame->saved = ag_context_save(context);
        if (!frame->saved) {
            drop_frame(submission);
            return ag_host_no_memory(&exec->host);
        }
    } else {
        ag_context_clear_state(context);
    }
    enum agpu_status status = agpu_stream_reader_init_packets(
        &frame->reader, call->list->minor, call->list->bytes, call->list->size, &exec->host.reports.sink);
    frame->reader.submission = submission->number;
    return status;
}

/* ---- Waiting ------------------------------------------------------------------------------------------ */

/* Write-backs that one submission may hold, of which those of queries need no read-back. */
#define MOST_WRITE_BACKS 4096

/* Whether read-backs of this submission or of submissions before it have to be delivered first. */
static bool has_to_drain(const struct ag_exec *exec, const struct ag_submission *submission)
{
    if (submission->write_backs.list.count == 0 && exec->submissions == submission)
        return false;
    return ag_readback_pool_is_full(exec->host.readbacks) ||
           submission->write_backs.list.count >= MOST_WRITE_BACKS;
}

/* Begins the read-backs so far, before the stream waits for their delivery. */
static void drain(struct ag_exec *exec, struct ag_submission *submission)
{
    ag_query_sets_read(&exec->recorder);
    ag_recorder_flush(&exec->recorder);
    ag_write_backs_begin(&submission->write_backs);
    submission->draining = true;
}

/* The signal of the queue before which the host has no room for more: memory is short, or drivers hold too
 * much for the work in flight. 0: there is room. */
static uint64_t signal_of_room(struct ag_exec *exec)
{
    uint64_t memory = ag_gpu_memory_awaited(&exec->host);
    if (memory == 0 && ag_readback_pool_lingers(exec->host.readbacks))
        memory = ag_gpu_signalled_serial(exec->host.gpu) + 1;
    if (memory == 0 && ag_throttle_admits(&exec->recorder))
        return 0;
    ag_recorder_flush(&exec->recorder);
    while (ag_gpu_signalled_serial(exec->host.gpu) < memory)
        ag_gpu_signal(exec->host.gpu);
    return memory ? memory : ag_throttle_first(&exec->recorder);
}

/* Light packets between two looks. */
#define LOOK_PERIOD 128

/* Whether a stream may have to wait before its next packet: some packets went by, or one that is not light,
 * or what is held for the GPU grew. */
static bool is_look_due(const struct ag_exec *exec)
{
    return exec->next_look == 0 || exec->recorder.throttle.grew || exec->host.gpu_memory.gave;
}

/* The signal of the queue behind which all is deleted that was released before. 0: it is. A signal
 * may be found just behind the place of a poll where objects are deleted, so that a second one is waited for.
 */
static uint64_t signal_of_deletion(struct ag_exec *exec)
{
    struct ag_host *host = &exec->host;
    if (host->deletes_objects) {
        host->deletes_objects = false;
    } else if (!exec->is_quiet && host->released_objects) {
        exec->is_quiet = true;
        host->deletes_objects = true;
    } else {
        return 0;
    }
    return ag_gpu_signal(host->gpu);
}

/* Whether the stream waits before its next packet: for a handler's wait, for the delivery of read-backs, or
 * for room. */
static bool waits(struct ag_exec *exec, struct ag_submission *submission)
{
    struct ag_wait *wait = &submission->execution.wait;
    exec->next_look = LOOK_PERIOD;
    exec->recorder.throttle.grew = true; /* by the commands of the packets since the last look */
    exec->host.gpu_memory.gave = false;
    if (wait->serial || wait->readback || wait->compilation)
        return true;
    if (exec->works_in_turns) {
        wait->serial = ag_throttle_last(&exec->recorder);
        if (!wait->serial)
            wait->serial = signal_of_deletion(exec);
        if (wait->serial)
            return true;
    }
    if (has_to_drain(exec, submission)) {
        drain(exec, submission);
    } else {
        wait->serial = signal_of_room(exec);
        wait->again = false;
    }
    if (!submission->draining && !wait->serial)
        return false;
    exec->host.counts.streams_paused++;
    return true;
}

/* For how long the submission may wait for a compiler. */
static uint64_t patience_ns(const struct ag_exec *exec, const struct ag_submission *submission)
{
    if (exec->turn.length_ns == UINT64_MAX || !ag_submission_is_awaited(submission))
        return UINT64_MAX;
    return ag_turn_patience_ns(&exec->turn, submission->account);
}

bool ag_stream_may_go_on(struct ag_exec *exec, const struct ag_submission *submission)
{
    const struct ag_wait *wait = &submission->execution.wait;
    if (submission->draining) /* write-backs are delivered in the order of the submissions */
        return exec->submissions == submission &&
               ag_write_backs_are_ready(&exec->copier, &submission->write_backs);
    if (exec->host.lost || ag_turn_is_over(&exec->turn, submission->account))
        return true;
    if (wait->compilation)
        return (!wait->is_creation && patience_ns(exec, submission) == 0) ||
               !ag_compilation_is_awaited(exec->host.gpu, wait->compilation,
                                          exec->binder.pipeline_timeout_ns);
    if (wait->readback && ag_readback_state(wait->readback) == AG_READBACK_PENDING)
        return false;
    return ag_gpu_completed_serial(exec->host.gpu) >= wait->serial;
}

/* ---- Executing ---------------------------------------------------------------------------------------- */

/* What WebGPU is called for from here on has error scopes. */
AG_RARE static void open_scopes(struct ag_exec *exec, struct ag_submission *submission)
{
    ag_error_scopes_push(exec);
    exec->has_scopes = submission->worked = true;
}

/* With check_packets: in error scopes of its own, and in an encoder of its own. */
AG_RARE static enum agpu_status check_packet(struct ag_exec *exec, struct ag_submission *submission,
                                             const struct agpu_packet *packet, ag_packet_handler handler)
{
    struct ag_label label;
    ag_error_scopes_push(exec);
    exec->recorder.packet_label = ag_label_format(
        &label, submission->frame->caller ? "%s in the list of packet %" PRIu32 : "%s, packet %" PRIu32,
        packet->info->name, exec->host.reports.place.packet);
    enum agpu_status status = handler(&submission->execution, packet);
    ag_recorder_flush(&exec->recorder); /* WebGPU validates commands when their encoder is finished */
    exec->recorder.packet_label = NULL;
    ag_error_scopes_pop(exec, submission);
    return status;
}

static enum agpu_status execute_packet(struct ag_exec *exec, struct ag_submission *submission,
                                       const struct agpu_packet *packet, ag_packet_handler handler)
{
    exec->host.counts.packets += ag_packet_is_begun(&submission->execution);
    exec->recorder.throttle.open.commands++;
    if (exec->check_packets)
        return check_packet(exec, submission, packet, handler);
    return handler(&submission->execution, packet);
}

/* Packets that create or destroy objects. */
AG_RARE static enum agpu_status execute_creation(struct ag_exec *exec, struct ag_submission *submission,
                                                 const struct agpu_packet *packet, ag_packet_handler handler)
{
    enum agpu_status status = ag_creation_is_of_refused(&exec->host, packet)
                                  ? AGPU_REFUSED
                                  : execute_packet(exec, submission, packet, handler);
    if (exec->binder.awaited_compilation)
        return status;
#ifndef AG_WITHOUT_SNAPSHOTS
    if (status == AGPU_OK && !submission->execution.wait.again && !submission->execution.progress.more)
        ag_creation_keep(&exec->objects, packet);
#endif
    return ag_creation_settle(&exec->host, packet, status);
}

/* Bounds the packets out of command lists: lists that execute lists multiply the packets of a short
 * stream. */
AG_RARE static enum agpu_status count_listed(struct ag_exec *exec, struct ag_submission *submission)
{
    if (++submission->listed_packets <= MAX_LISTED_PACKETS)
        return AGPU_OK;
    return ag_host_fail(&exec->host, AGPU_DIAG_GPU_LIMIT,
                        "the command lists of one submission come to more than %" PRIu32 " packets",
                        MAX_LISTED_PACKETS);
}

/* A packet that nobody knows. */
AG_RARE static enum agpu_status skip(struct ag_exec *exec)
{
    exec->host.counts.packets++;
    exec->host.counts.packets_skipped++;
    return AGPU_OK;
}

/* After a packet that waits, has further parts or calls a list. */
AG_RARE static enum agpu_status go_on(struct ag_exec *exec, struct ag_submission *submission, uint32_t offset,
                                      uint32_t index, enum agpu_status status)
{
    struct ag_execution *execution = &submission->execution;
    struct ag_stream_frame *frame = submission->frame;
    exec->next_look = 0;
    exec->recorder.throttle.grew = true;
    if (exec->binder.awaited_compilation)
        execution->wait = (struct ag_wait){.compilation = exec->binder.awaited_compilation,
                                           .is_creation = exec->binder.awaits_creation,
                                           .again = true};
    execution->progress.more |= execution->counted.pauses && execution->counted.place.goes_on;
    if (execution->counted.pauses && execution->counted.steps)
        ag_execution_wait_for_bytes(execution, execution->counted.steps);
    execution->counted.pauses = false;
    execution->repeats = execution->wait.again || execution->counted.place.goes_on;
    if (execution->wait.again || execution->progress.more) {
        frame->reader.offset = offset;
        frame->reader.index = index;
    } else {
        execution->progress = (struct ag_progress){0};
    }
    execution->progress.more = false;
    const struct ag_list_call call = execution->call;
    execution->call = (struct ag_list_call){0};
    return status == AGPU_OK && call.list ? call_list(exec, submission, &call) : status;
}

/* Whether packets may be executed in turn: they are the stream's own, executed for the
 * first time each, and no predicate skips them. */
static bool is_calm(const struct ag_exec *exec, const struct ag_submission *submission)
{
    if (submission->account->dirty) /* before a packet, large resources may have to be brought in */
        return false;
    return !exec->check_packets && !submission->frame->caller && ag_packet_is_begun(&submission->execution) &&
           !submission->execution.context->predicate_skips;
}

/* Executes calm packets up to the next look. Returns how many there were. */
static uint32_t run_calmly(struct ag_exec *exec, struct ag_submission *submission, enum agpu_status *status)
{
    const uint32_t room = ag_slice_room(&exec->slice);
    if (!is_calm(exec, submission))
        return 0;
    const struct ag_calm_run run = ag_calm_packets_run(exec, submission, &submission->frame->reader,
                                                       room < exec->next_look ? room : exec->next_look);
    *status = run.has_sequel ? go_on(exec, submission, run.offset, run.index, run.status) : run.status;
    return run.count;
}

/* Brings in a part of what a packet may use that is not executed yet. False: there is nothing. */
AG_RARE static bool pull_ahead(struct ag_exec *exec, struct ag_submission *submission,
                               const struct ag_packet_plan *plan)
{
    if (plan->is_inert || plan->makes_objects || !ag_packet_is_begun(&submission->execution))
        return false;
    if (!exec->has_scopes)
        open_scopes(exec, submission);
    exec->next_look = 0;
    ag_kept_draw_note(&exec->kept, AG_CHANGES_ALL, AGPU_STAGE_COUNT);
    return ag_pull_ahead(&exec->copier, plan->handler == ag_on_clear);
}

/* Executes the next packet of the innermost frame. Diagnostics have the place of the packet of the stream,
 * also for packets of command lists. */
static enum agpu_status step(struct ag_exec *exec, struct ag_submission *submission)
{
    struct ag_stream_frame *frame = submission->frame;
    const uint32_t offset = frame->reader.offset, index = frame->reader.index;
    struct ag_execution *execution = &submission->execution;
    struct agpu_packet packet;
    if (!agpu_stream_next(&frame->reader, &packet)) {
        const enum agpu_status status = frame->reader.status;
        pop_frame(submission);
        return status;
    }
    if (frame->caller) {
        if (ag_packet_is_begun(execution) && count_listed(exec, submission) != AGPU_OK)
            return AGPU_REFUSED;
    } else {
        ag_packet_note_place(exec, &packet);
    }
    if (!packet.info)
        return skip(exec);
    const struct ag_packet_plan *plan = &exec->plans[packet.info->row];
    if (plan->is_predicated && execution->context->predicate_skips)
        return AGPU_OK;
    if (!plan->is_light) /* it may destroy what the batch reads */
        ag_expansion_batch_flush(&exec->expander);
    if (submission->account->dirty && pull_ahead(exec, submission, plan)) {
        frame->reader.offset = offset;
        frame->reader.index = index;
        return AGPU_OK;
    }
    if (plan->changes)
        ag_kept_draw_note(&exec->kept, plan->changes, packet.stage);
    ag_packet_begin(exec);
    if (!plan->is_inert && !exec->has_scopes)
        open_scopes(exec, submission);
    enum agpu_status status = plan->makes_objects ? execute_creation(exec, submission, &packet, plan->handler)
                                                  : execute_packet(exec, submission, &packet, plan->handler);
    status = ag_packet_status(exec, status);
    exec->next_look = plan->is_light ? exec->next_look - 1 : 0;
    ag_pipeline_wait_end_packet(&exec->binder);
    if (ag_packet_has_sequel(exec, execution))
        return go_on(exec, submission, offset, index, status);
    if (!ag_packet_is_begun(execution)) {
        execution->progress = (struct ag_progress){0};
        execution->repeats = false;
        ag_counted_draw_forget(&execution->counted, exec->host.readbacks);
    }
    return status;
}

static void stop(struct ag_submission *submission)
{
    submission->stopped = true;
    submission->execution.wait = (struct ag_wait){0};
    while (submission->frame)
        pop_frame(submission);
}

/* Before a stream ends between two parts of a packet: an object that is made in part could not be saved. */
static void take_back(struct ag_exec *exec, const struct ag_submission *submission)
{
#ifndef AG_WITHOUT_SNAPSHOTS
    struct agpu_packet packet;
    if (!submission->frame || ag_packet_is_begun(&submission->execution))
        return;
    struct agpu_stream_reader reader = submission->frame->reader;
    if (agpu_stream_next(&reader, &packet) && packet.info && exec->plans[packet.info->row].makes_objects)
        ag_creation_take_back(&exec->objects, &packet);
#else
    (void)exec;
    (void)submission;
#endif
}

/* Stops a stream that has kept other contexts waiting for too long. */
static void stop_late(struct ag_exec *exec, struct ag_submission *submission)
{
    ag_host_report(&exec->host, AGPU_DIAG_EXEC_TIME, AGPU_ERROR,
                   "other contexts waited for more than %" PRIu64 " ms for context %" PRIu32 ", which ends",
                   exec->turn.length_ns / 1000000, submission->context_id);
    take_back(exec, submission);
    stop(submission);
    submission->account->work_ns = 0;
    submission->account->counts.hangs++;
    ag_context_end_by_force(&exec->binder, submission->context_id, AG_CONTEXT_TOOK_TOO_LONG);
    submission->execution.context = NULL;
}

/* Counts steps for the slice. Other packets than light ones may be much work, and so may be parts of packets
 * and those light ones that the throttle or an effort tells of: the clock is read behind each of them. */
static void count_steps(struct ag_exec *exec, uint32_t steps, bool is_calm)
{
    struct ag_effort *const effort = &exec->host.effort;
    if (!exec->recorder.throttle.grew && !ag_effort_is_due(effort) && (is_calm || exec->next_look != 0)) {
        ag_slice_steps(&exec->slice, steps);
        return;
    }
    ag_effort_restart(effort);
    ag_slice_work(&exec->slice, steps);
}

void ag_stream_free_spent(struct ag_exec *exec)
{
    while (!exec->slice.over && ag_spent_memory_free_part(&exec->host.spent))
        ag_slice_work(&exec->slice, 1);
}

/* Whether the slice has room for a packet. What packets leave is freed before there is more of it, since it
 * counts for no budget. */
static bool has_room(struct ag_exec *exec)
{
    ag_stream_free_spent(exec);
    return !exec->slice.over;
}

static void run(struct ag_exec *exec, struct ag_submission *submission)
{
    bool rests = true;
    exec->next_look = 0;
    exec->expander.counted = &submission->execution.counted;
    while (!exec->slice.over && ag_guest_allocations_sort_ahead(&submission->allocations))
        ag_slice_work(&exec->slice, 1);
    while (submission->frame && has_room(exec) && !(is_look_due(exec) && waits(exec, submission))) {
        rests = false;
        enum agpu_status status = AGPU_OK;
        const uint32_t calm = run_calmly(exec, submission, &status);
        if (calm == 0)
            status = step(exec, submission);
        if (!ag_submission_is_light(submission))
            count_steps(exec, calm != 0 ? calm : 1, calm != 0);
        if (status != AGPU_OK)
            stop(submission);
    }
    ag_expansion_batch_flush(&exec->expander);
    if (submission->frame && !rests) /* until the next call, the library may submit what was written */
        exec->is_quiet = false;
}

static bool begin(struct ag_exec *exec, struct ag_submission *submission)
{
    struct ag_stream_frame *frame = push_frame(exec, submission);
    if (!frame)
        return false;
    if (agpu_stream_reader_init(&frame->reader, submission->stream, submission->stream_size,
                                &exec->host.reports.sink) != AGPU_OK) {
        drop_frame(submission);
        return false;
    }
    frame->reader.submission = submission->number;
    return true;
}

static const struct {
    enum agpu_diag_code code;
    const char *when;
} ends[AG_CONTEXT_ENDS] = {
    [AG_CONTEXT_LOST_DEVICE] = {AGPU_DIAG_GPU_LOST,  "when the GPU device was lost"       },
    [AG_CONTEXT_TOOK_TOO_LONG] = {AGPU_DIAG_EXEC_TIME, "when it kept other contexts waiting"},
};

/* The context of the stream. Null when memory is exhausted or the context has ended (reported); the stream
 * stops. */
static struct ag_context *find_context(struct ag_exec *exec, const struct ag_submission *submission)
{
    if (exec->host.lost) {
        ag_host_report(&exec->host, AGPU_DIAG_GPU_LOST, AGPU_ERROR,
                       "the GPU device is lost; nothing is executed");
        return NULL;
    }
    const enum ag_context_end end = ag_context_ended(&exec->binder, submission->context_id);
    if (end != AG_CONTEXT_LIVES) {
        ag_host_report(&exec->host, ends[end].code, AGPU_ERROR,
                       "context %" PRIu32 " ended %s; EXT_DESTROY_CONTEXT or a reset brings it back",
                       submission->context_id, ends[end].when);
        return NULL;
    }
    struct ag_context *context = ag_context_get(&exec->binder, submission->context_id);
    if (!context || !context->ended)
        return context;
    ag_host_report(&exec->host, AGPU_DIAG_GPU_OUT_OF_MEMORY, AGPU_ERROR,
                   "context %" PRIu32 " ended when the GPU's memory did; a reset brings it back",
                   submission->context_id);
    return NULL;
}

/* The context has ended, maybe between two slices. The commands of earlier slices are submitted all the same:
 * write-backs and queries wait for them. */
static void leave(struct ag_exec *exec, struct ag_submission *submission)
{
    if (submission->frame && !exec->host.lost) {
        open_scopes(exec, submission);
        ag_query_sets_read(&exec->recorder);
        ag_recorder_flush(&exec->recorder);
        ag_error_scopes_pop(exec, submission);
    }
    take_back(exec, submission);
    ag_stream_drop(submission);
    submission->stopped = true;
}

/* After the GPU ran out of memory. What the host made for a context then may be missing, and is kept for the
 * others, too. Patches that the stream has counted are gone with their buffers. */
AG_RARE static void renew(struct ag_exec *exec, struct ag_submission *submission)
{
    ag_recorder_flush(&exec->recorder);
    ag_device_objects_renew(exec);
    ag_counted_draw_lose(&submission->execution.counted, exec->host.readbacks);
    exec->is_short = false;
}

void ag_stream_execute(struct ag_exec *exec, struct ag_submission *submission)
{
    submission->recorded = true;
    if (!submission->stream)
        return;
    submission->execution.context = find_context(exec, submission);
    if (!submission->execution.context) {
        leave(exec, submission);
        return;
    }
    exec->recorder.queries.context_id = submission->context_id;
    ag_kept_draw_drop(&exec->drawer);
    ag_inlined_draw_drop(&exec->expander);
    exec->has_scopes = false;
    if (submission->frame) /* commands of an earlier slice may be open */
        open_scopes(exec, submission);
    if (exec->is_short)
        renew(exec, submission);
    exec->binder.patience_ns = patience_ns(exec, submission);
    if (ag_turn_is_over(&exec->turn, submission->account))
        stop_late(exec, submission);
    else if (submission->frame || begin(exec, submission))
        run(exec, submission);
    else
        submission->stopped = true;
    /* The next slice goes on with the open commands, and so does a packet whose pipeline is made. */
    if (exec->has_scopes && !submission->frame)
        ag_query_sets_read(&exec->recorder); /* submits the commands, too */
    else if (exec->has_scopes && !exec->slice.over && !submission->execution.wait.compilation)
        ag_recorder_flush(&exec->recorder);
    ag_kept_draw_drop(&exec->drawer);
    ag_inlined_draw_drop(&exec->expander);
    exec->host.reports.place.packet = AGPU_DIAG_NO_INDEX;
    exec->host.reports.place.offset = AGPU_DIAG_NO_OFFSET;
    exec->host.reports.packet_name = NULL;
    if (exec->has_scopes)
        ag_error_scopes_pop(exec, submission);
    submission->execution.context = NULL;
    submission->recorded = submission->frame == NULL;
}
