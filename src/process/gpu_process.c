/* SPDX-License-Identifier: MIT */
#include "process/gpu_process.h"

#include <stdlib.h>
#include <string.h>

#include "aerogpu/abi/ring.h"

/* How long the process sleeps while the GPU works: at first so short that a small frame is noticed at once.
 */
#define SHORTEST_NAP_NS UINT64_C(20000)
#define LONGEST_NAP_NS UINT64_C(500000)

void ag_gpu_process_end(struct ag_gpu_process *process, const char *problem)
{
    if (!process->ended)
        process->problem = problem;
    process->ended = true;
}

/* ---- Submissions -------------------------------------------------------------------------------------- */

static void drop_received(struct ag_gpu_process *process)
{
    while (process->received != NULL) {
        struct ag_received *const received = process->received;
        process->received = received->next;
        free(received);
    }
    free(process->partial);
    process->partial = NULL;
    process->received_end = &process->received;
    process->received_bytes = 0;
}

static void queue_partial(struct ag_gpu_process *process)
{
    *process->received_end = process->partial;
    process->received_end = &process->partial->next;
    process->partial = NULL;
}

static void begin_submission(struct ag_gpu_process *process, const struct ag_message *message)
{
    const struct ag_submit_message *const head = &message->as.submit;
    const size_t size = (head->has_stream ? head->stream_size : 0) +
                        head->allocation_count * sizeof(struct aerogpu_alloc_entry);
    if (process->partial != NULL || process->received_bytes + size > AG_WAITING_BYTES) {
        ag_gpu_process_end(process, "the owner sent more submissions than a device lets out");
        return;
    }
    struct ag_received *const received = malloc(sizeof *received + size);
    if (received == NULL) {
        ag_gpu_process_end(process, "out of memory");
        return;
    }
    *received = (struct ag_received){.head = *head, .size = size};
    process->partial = received;
    process->received_bytes += size;
    if (size == 0)
        queue_partial(process);
}

static void add_bytes(struct ag_gpu_process *process, const struct ag_message *message)
{
    struct ag_received *const received = process->partial;
    if (received == NULL || message->size > received->size - received->filled) {
        ag_gpu_process_end(process, "the owner sent bytes that belong to no submission");
        return;
    }
    memcpy(received->bytes + received->filled, ag_channel_bytes(&process->channel, message), message->size);
    received->filled += message->size;
    if (received->filled == received->size)
        queue_partial(process);
}

/* Hands the oldest submission to the executor, which makes copies. */
static void submit_oldest(struct ag_gpu_process *process)
{
    struct ag_received *const received = process->received;
    const struct ag_submit_message *const head = &received->head;
    process->received = received->next;
    if (process->received == NULL)
        process->received_end = &process->received;
    process->received_bytes -= received->size;
    const size_t stream_size = head->has_stream ? head->stream_size : 0;
    struct aerogpu_alloc_entry *const allocations =
        malloc(head->allocation_count != 0 ? head->allocation_count * sizeof *allocations : 1);
    if (allocations == NULL) {
        ag_gpu_process_end(process, "out of memory");
        free(received);
        return;
    }
    memcpy(allocations, received->bytes + stream_size, head->allocation_count * sizeof *allocations);
    const struct agpu_submission submission = {
        .number = head->number,
        .context_id = head->context_id,
        .flags = head->flags,
        .fence = head->fence,
        .stream = head->has_stream ? received->bytes : NULL,
        .stream_size = head->stream_size,
        .allocations = head->allocation_count != 0 ? allocations : NULL,
        .allocation_count = head->allocation_count,
        .has_allocation_table = head->has_allocation_table != 0,
    };
    process->is_looked_at = head->is_looked_at != 0;
    process->executor->submit(process->executor, &submission);
    free(allocations);
    free(received);
}

void ag_gpu_process_submit_all(struct ag_gpu_process *process)
{
    while (!process->ended && process->received != NULL)
        submit_oldest(process);
}

/* ---- Messages ----------------------------------------------------------------------------------------- */

/* The answer to the READ or WRITE that is being waited for. An answer that comes after a reset is dropped. */
static void take_answer(struct ag_gpu_process *process, const struct ag_message *message)
{
    if (!process->is_waiting || process->is_answered || message->epoch != process->epoch)
        return;
    const bool is_good = message->as.read_done.is_good != 0;
    if (is_good && message->size != process->answer_size) {
        ag_gpu_process_end(process, "the owner read another number of bytes than was asked for");
        return;
    }
    if (is_good && message->size != 0)
        memcpy(process->answer_to, ag_channel_bytes(&process->channel, message), message->size);
    process->answer_is_good = is_good;
    process->is_answered = true;
}

static void handle(struct ag_gpu_process *process, const struct ag_message *message)
{
    struct ag_message answer;
    switch (message->kind) {
    case AG_MESSAGE_SUBMIT:
        begin_submission(process, message);
        break;
    case AG_MESSAGE_SUBMIT_DATA:
        add_bytes(process, message);
        break;
    case AG_MESSAGE_READ_DONE:
    case AG_MESSAGE_WRITE_DONE:
        take_answer(process, message);
        break;
    case AG_MESSAGE_CACHE_ENTRY:
        ag_remote_cache_answer(process, message);
        break;
    case AG_MESSAGE_RESET:
        drop_received(process);
        process->next_epoch = message->epoch;
        break;
    case AG_MESSAGE_PING:
        answer = ag_message_of(AG_MESSAGE_PONG, process->epoch);
        answer.as.ping = message->as.ping;
        ag_gpu_process_send(process, &answer);
        break;
    case AG_MESSAGE_SAVE:
    case AG_MESSAGE_SAVE_OVER:
    case AG_MESSAGE_LOAD:
    case AG_MESSAGE_LOAD_DATA:
        ag_remote_snapshot_handle(process, message);
        break;
    case AG_MESSAGE_ACK:
        break;
    default:
        ag_gpu_process_end(process, "the owner sent a message that has no place here");
    }
}

bool ag_gpu_process_receive(struct ag_gpu_process *process)
{
    struct ag_message message;
    if (process->ended)
        return false;
    switch (ag_channel_receive(&process->channel, &message)) {
    case AG_CHANNEL_DONE:
        break;
    case AG_CHANNEL_LATER:
        return false;
    case AG_CHANNEL_CLOSED:
        ag_gpu_process_end(process, NULL);
        return false;
    case AG_CHANNEL_BROKEN:
        ag_gpu_process_end(process, "the owner sent what is no message");
        return false;
    }
    handle(process, &message);
    ag_channel_consume(&process->channel, &message);
    if (!process->ended && ag_channel_owes_acknowledgement(&process->channel)) {
        struct ag_message acknowledgement = ag_message_of(AG_MESSAGE_ACK, process->epoch);
        ag_gpu_process_send(process, &acknowledgement);
    }
    return !process->ended;
}

void ag_gpu_process_wait(struct ag_gpu_process *process)
{
    if (!ag_gpu_process_receive(process) && !process->ended)
        ag_channel_wait(&process->channel, UINT64_MAX);
}

void ag_gpu_process_send(struct ag_gpu_process *process, struct ag_message *message)
{
    while (!process->ended) {
        switch (ag_channel_send(&process->channel, message)) {
        case AG_CHANNEL_DONE:
            return;
        case AG_CHANNEL_LATER:
            /* Nothing is received here: a message within a message could be answered out of order. The
             * owner never waits for us. */
            ag_channel_wait_writable(&process->channel);
            break;
        case AG_CHANNEL_CLOSED:
        case AG_CHANNEL_BROKEN:
            ag_gpu_process_end(process, NULL);
            break;
        }
    }
}

uint8_t *ag_gpu_process_reserve(struct ag_gpu_process *process, struct ag_message *message, uint32_t size)
{
    while (!process->ended) {
        uint8_t *const bytes = ag_channel_reserve(&process->channel, message, size);
        if (bytes != NULL || ag_gpu_process_reset_is_due(process))
            return bytes;
        ag_gpu_process_wait(process);
    }
    return NULL;
}

/* ---- The loop ----------------------------------------------------------------------------------------- */

static void reset(struct ag_gpu_process *process)
{
    ag_remote_snapshot_reset(process);
    process->executor->reset(process->executor);
    process->epoch = process->next_epoch;
    process->told_context_count = 0; /* the owner has forgotten them */
    process->batch.next = NULL;
}

/* Whether the executor goes on: not between the end of a save and the owner's word. */
static bool executes(const struct ag_gpu_process *process)
{
    return !process->ended && !process->save.is_saved;
}

/* What comes before the next message: messages behind a reset are about what comes after it. */
static bool has_due(const struct ag_gpu_process *process)
{
    return ag_gpu_process_reset_is_due(process) || process->load.state == AG_LOAD_DUE;
}

/* One round: what the owner has sent, one submission, a slice of the executor's work. Whether there is more
 * to do at once; *is_busy: the GPU works. */
static bool work(struct ag_gpu_process *process, bool *is_busy)
{
    while (!has_due(process) && ag_gpu_process_receive(process))
        ;
    if (ag_gpu_process_reset_is_due(process))
        reset(process);
    ag_remote_snapshot_step(process);
    if (!process->ended && !ag_remote_snapshot_is_saving(process) && process->received != NULL)
        submit_oldest(process);
    *is_busy = executes(process) && process->executor->poll(process->executor);
    *is_busy |= ag_remote_snapshot_is_saving(process) && !process->save.is_saved;
    ag_remote_memory_flush(process);
    ag_remote_counters(process);
    return (process->received != NULL && !ag_remote_snapshot_is_saving(process)) ||
           ag_gpu_process_reset_is_due(process) || ag_remote_snapshot_is_due(process) ||
           (executes(process) && process->executor->has_more != NULL &&
            process->executor->has_more(process->executor));
}

void ag_gpu_process_run(struct ag_gpu_process *process)
{
    uint64_t nap_ns = SHORTEST_NAP_NS;
    while (!process->ended) {
        bool is_busy;
        if (work(process, &is_busy)) {
            nap_ns = SHORTEST_NAP_NS;
            continue;
        }
        if (process->ended) /* and the owner, who broke a rule, may say nothing more */
            return;
        if (ag_channel_wait(&process->channel, is_busy ? nap_ns : UINT64_MAX) || !is_busy)
            nap_ns = SHORTEST_NAP_NS;
        else if (nap_ns < LONGEST_NAP_NS)
            nap_ns += nap_ns / 2;
    }
}

void ag_gpu_process_init(struct ag_gpu_process *process, int socket, uint8_t *shared)
{
    *process = (struct ag_gpu_process){0};
    process->received_end = &process->received;
    ag_channel_init(&process->channel, socket, shared, true);
}

void ag_gpu_process_fini(struct ag_gpu_process *process)
{
    drop_received(process);
    free(process->load.bytes);
    free(process->told_contexts);
    free(process->contexts);
}
