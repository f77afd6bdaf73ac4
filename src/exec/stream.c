/* SPDX-License-Identifier: MIT */
#include "exec/stream.h"

#include <inttypes.h>
#include <stdlib.h>

#include "abi/packet.h"
#include "exec/command_list.h"
#include "exec/exec.h"
#include "exec/packets.h"

#define MAX_LIST_DEPTH 8
#define MAX_LISTED_PACKETS (UINT32_C(1) << 22)

/* Packets being read: those of the stream, or of a command list that the frame below executes. */
struct ag_stream_frame {
    struct ag_stream_frame *caller;
    uint32_t depth;
    struct agpu_stream_reader reader;
    struct ag_context *saved; /* the caller's state, or null: the state is cleared behind the list */
};

/* ---- Frames ------------------------------------------------------------------------------------------- */

static struct ag_stream_frame *push_frame(struct ag_exec *exec)
{
    struct ag_job *job = exec->job;
    struct ag_stream_frame *frame = calloc(1, sizeof *frame);
    if (!frame) {
        ag_exec_no_memory(exec);
        return NULL;
    }
    frame->caller = job->frame;
    frame->depth = job->frame ? job->frame->depth + 1 : 0;
    job->frame = frame;
    return frame;
}

static void drop_frame(struct ag_job *job)
{
    struct ag_stream_frame *frame = job->frame;
    job->frame = frame->caller;
    free(frame->saved);
    free(frame);
}

/* A list that ends, or is left because the stream stops, leaves its state behind. */
static void pop_frame(struct ag_exec *exec)
{
    struct ag_stream_frame *frame = exec->job->frame;
    if (frame->saved)
        ag_context_restore(exec->context, frame->saved);
    else if (frame->caller)
        ag_context_clear_state(exec->context);
    drop_frame(exec->job);
}

void ag_stream_drop(struct ag_job *job)
{
    while (job->frame)
        drop_frame(job);
}

enum agpu_status ag_stream_call(struct ag_exec *exec, const struct ag_command_list *list, bool restore)
{
    struct ag_job *job = exec->job;
    if (job->frame->depth == MAX_LIST_DEPTH)
        return ag_exec_fail(exec, AGPU_DIAG_GPU_LIMIT, "command lists execute each other %d deep",
                            MAX_LIST_DEPTH + 1);
    struct ag_context *saved = restore ? malloc(sizeof *saved) : NULL;
    if (restore && !saved)
        return ag_exec_no_memory(exec);
    struct ag_stream_frame *frame = push_frame(exec);
    if (!frame) {
        free(saved);
        return AGPU_NO_MEMORY;
    }
    frame->saved = saved;
    if (saved)
        ag_context_save(exec->context, saved);
    else
        ag_context_clear_state(exec->context);
    enum agpu_status status =
        agpu_stream_reader_init_packets(&frame->reader, list->minor, list->bytes, list->size, &exec->sink);
    frame->reader.submission = job->number;
    return status;
}

/* ---- Waiting ------------------------------------------------------------------------------------------ */

void ag_stream_wait_for_work(struct ag_exec *exec, bool again)
{
    ag_exec_flush(exec);
    exec->job->wait = (struct ag_wait){.serial = ag_gpu_signal(exec->gpu), .again = again};
}

void ag_stream_wait_for_bytes(struct ag_exec *exec, const struct ag_readback *readback, bool again)
{
    exec->job->wait = (struct ag_wait){.readback = readback, .again = again};
}

/* Before a packet: also when the GPU is to finish other work first. */
static bool waits(struct ag_exec *exec, struct ag_job *job)
{
    if (!job->wait.serial && !job->wait.readback && !ag_load_admits(exec)) {
        exec->counts.streams_paused++;
        ag_exec_flush(exec);
        job->wait = (struct ag_wait){.serial = ag_load_first(exec)};
    }
    return job->wait.serial || job->wait.readback;
}

bool ag_stream_may_go_on(struct ag_exec *exec, const struct ag_job *job)
{
    if (exec->lost)
        return true;
    if (job->wait.readback && ag_readback_state(job->wait.readback) == AG_READBACK_PENDING)
        return false;
    return ag_gpu_completed_serial(exec->gpu) >= job->wait.serial;
}

/* ---- Executing ---------------------------------------------------------------------------------------- */

static enum agpu_status execute_packet(struct ag_exec *exec, const struct agpu_packet *packet)
{
    ag_packet_handler handler = packet->info ? ag_packet_handler_of(packet->opcode) : NULL;
    exec->counts.packets++;
    if (!handler) {
        exec->counts.packets_skipped++;
        return AGPU_OK;
    }
    if (!exec->check_packets)
        return handler(exec, packet);
    ag_scopes_push(exec);
    enum agpu_status status = handler(exec, packet);
    ag_exec_flush(exec); /* WebGPU judges recorded commands when their encoder ends */
    ag_scopes_pop(exec);
    return status;
}

/* A stream of a few packets may say that lists execute lists: all that can come of it is bounded. */
static enum agpu_status count_listed(struct ag_exec *exec)
{
    if (++exec->job->listed_packets <= MAX_LISTED_PACKETS)
        return AGPU_OK;
    return ag_exec_fail(exec, AGPU_DIAG_GPU_LIMIT,
                        "the command lists of one submission come to more than %" PRIu32 " packets",
                        MAX_LISTED_PACKETS);
}

/* The next packet of the innermost frame. Diagnostics name the packet of the stream, also within lists. */
static enum agpu_status step(struct ag_exec *exec, struct ag_stream_frame *frame)
{
    const struct agpu_stream_reader before = frame->reader;
    struct agpu_packet packet;
    if (!agpu_stream_next(&frame->reader, &packet)) {
        const enum agpu_status status = frame->reader.status;
        pop_frame(exec);
        return status;
    }
    if (frame->caller) {
        if (count_listed(exec) != AGPU_OK)
            return AGPU_REFUSED;
    } else {
        exec->place.packet = packet.index;
        exec->place.offset = packet.offset;
    }
    if (packet.info && packet.info->predicated && exec->context->predicate_skips)
        return AGPU_OK;
    const enum agpu_status status = execute_packet(exec, &packet);
    if (exec->job->wait.again)
        frame->reader = before;
    return status;
}

static void run(struct ag_exec *exec)
{
    struct ag_job *job = exec->job;
    while (job->frame && !waits(exec, job)) {
        if (step(exec, job->frame) == AGPU_OK)
            continue;
        job->stopped = true;
        job->wait = (struct ag_wait){0};
        while (job->frame)
            pop_frame(exec);
    }
}

static bool begin(struct ag_exec *exec)
{
    struct ag_job *job = exec->job;
    struct ag_stream_frame *frame = push_frame(exec);
    if (!frame)
        return false;
    if (agpu_stream_reader_init(&frame->reader, job->stream, job->stream_size, &exec->sink) != AGPU_OK) {
        drop_frame(job);
        return false;
    }
    frame->reader.submission = job->number;
    return true;
}

/* The context that the stream is for, or null: reported, the stream stops. */
static struct ag_context *find_context(struct ag_exec *exec)
{
    struct ag_job *job = exec->job;
    if (exec->lost) {
        ag_exec_report(exec, AGPU_DIAG_GPU_LOST, AGPU_ERROR, "the GPU device is lost; nothing is executed");
        return NULL;
    }
    struct ag_context *context = ag_context_get(exec, job->context_id);
    if (!context || !context->ended)
        return context;
    ag_exec_report(exec, AGPU_DIAG_GPU_OUT_OF_MEMORY, AGPU_ERROR,
                   "context %" PRIu32 " ended when the GPU's memory did; a reset brings it back",
                   job->context_id);
    return NULL;
}

void ag_stream_execute(struct ag_exec *exec)
{
    struct ag_job *job = exec->job;
    job->recorded = true;
    if (!job->stream)
        return;
    exec->context = find_context(exec);
    if (!exec->context) {
        ag_stream_drop(job);
        job->stopped = true;
        return;
    }
    ag_scopes_push(exec);
    if (job->frame || begin(exec))
        run(exec);
    else
        job->stopped = true;
    if (!job->frame)
        ag_query_sets_read(exec);
    ag_exec_flush(exec);
    exec->place.packet = AGPU_DIAG_NO_INDEX;
    exec->place.offset = AGPU_DIAG_NO_OFFSET;
    ag_scopes_pop(exec);
    exec->context = NULL;
    job->recorded = job->frame == NULL;
}
