/* SPDX-License-Identifier: MIT */
#include "exec/submit/submission.h"

#include <stdlib.h>
#include <string.h>

#include "aerogpu/abi/pci.h"
#include "aerogpu/diag.h"
#include "aerogpu/executor.h"
#include "base/clock.h"
#include "exec/host/account.h"
#include "exec/host/host.h"
#include "exec/host/host_memory.h"
#include "exec/host/report.h"
#include "exec/host/spent_memory.h"
#include "exec/packet/execution.h"
#include "exec/record/query_set.h"
#include "exec/submit/clearing.h"
#include "exec/submit/exec.h"
#include "exec/submit/gpu_loss.h"
#include "exec/submit/stream_execution.h"
#include "exec/submit/turn.h"
#include "exec/transfer/copier.h"
#include "exec/transfer/write_back.h"
#include "gpu/gpu.h"
#include "gpu/readback.h"

static void *copy_of(const void *bytes, size_t size)
{
    void *copy = malloc(size ? size : 1);
    if (copy && size)
        memcpy(copy, bytes, size);
    return copy;
}

struct ag_execution ag_exec_rooms(struct ag_exec *exec)
{
    return (struct ag_execution){
        .host = &exec->host,
        .objects = &exec->objects,
        .recorder = &exec->recorder,
        .blitter = &exec->blitter,
        .copier = &exec->copier,
        .binder = &exec->binder,
        .drawer = &exec->drawer,
        .expander = &exec->expander,
    };
}

/* Counts the bytes of the submission for its context. */
static enum agpu_status charge(struct ag_exec *exec, struct ag_submission *submission, uint64_t bytes)
{
    struct ag_host *host = &exec->host;
    struct ag_budget_text text;
    struct ag_account *account = ag_account_get(&host->accounts, submission->context_id);
    if (!account)
        return ag_host_no_memory(host);
    while (bytes <= host->host_memory.limit_bytes &&
           !ag_budget_has(&host->accounts, &host->host_memory, AG_MEMORY_OF_HOST, account, bytes) &&
           ag_clearing_step(exec)) /* a reset has left what is in the way */
        continue;
    if (!ag_host_memory_take(host, account, bytes))
        return ag_host_fail(
            host, AGPU_DIAG_EXEC_MEMORY, "a submission is not executed: %s",
            ag_budget_refusal(&host->accounts, &host->host_memory, AG_MEMORY_OF_HOST, account, bytes, &text));
    submission->account = account;
    submission->host_bytes = bytes;
    ag_account_begin(&host->accounts, account);
    return AGPU_OK;
}

/* Takes the bytes over from whoever has made them for this, or copies them. */
static bool take(struct ag_submission *submission, const struct agpu_submission *from)
{
    if (from->give) {
        submission->stream = (uint8_t *)(uintptr_t)from->stream;
        submission->stream_size = from->stream ? from->stream_size : 0;
        submission->allocations.entries = (struct aerogpu_alloc_entry *)(uintptr_t)from->allocations;
        submission->allocations.count = from->allocation_count;
        from->give(from->user);
        return true;
    }
    if (from->stream) {
        submission->stream = copy_of(from->stream, from->stream_size);
        submission->stream_size = from->stream_size;
        if (!submission->stream)
            return false;
    }
    if (!from->allocation_count)
        return true;
    submission->allocations.entries =
        copy_of(from->allocations, from->allocation_count * sizeof *from->allocations);
    submission->allocations.count = from->allocation_count;
    return submission->allocations.entries != NULL;
}

enum agpu_status ag_submission_create(struct ag_exec *exec, const struct agpu_submission *from,
                                      struct ag_submission **made)
{
    *made = NULL;
    struct ag_submission *submission = calloc(1, sizeof *submission);
    if (!submission)
        return ag_host_no_memory(&exec->host);
    submission->exec = exec;
    submission->number = from->number;
    submission->context_id = from->context_id;
    submission->allocations.has_table = from->has_allocation_table;
    submission->execution = ag_exec_rooms(exec);
    enum agpu_status status = charge(exec, submission,
                                     (from->stream ? from->stream_size : 0) +
                                         from->allocation_count * UINT64_C(2) * sizeof *from->allocations);
    if (status == AGPU_OK && !take(submission, from))
        status = ag_host_no_memory(&exec->host);
    if (status == AGPU_OK)
        *made = submission;
    else
        ag_submission_destroy(submission);
    return status;
}

/* Frees all but the struct itself, which error scopes may point to. */
static void empty(struct ag_submission *submission)
{
    struct ag_exec *exec = submission->exec;
    ag_write_backs_fini(&exec->copier, &submission->write_backs);
    ag_stream_drop(submission);
    ag_readback_release(exec->host.readbacks, submission->execution.arguments);
    ag_counted_draw_forget(&submission->execution.counted, exec->host.readbacks);
    free(submission->stream);
    ag_guest_allocations_fini(&submission->allocations);
    if (!submission->account)
        return;
    ag_host_memory_give(&exec->host, submission->account, submission->host_bytes);
    ag_account_end(&exec->host.accounts, submission->account);
}

void ag_submission_destroy(struct ag_submission *submission)
{
    if (!submission)
        return;
    empty(submission);
    free(submission);
}

void ag_submission_enqueue(struct ag_exec *exec, struct ag_submission *submission)
{
    *exec->submissions_end = submission;
    exec->submissions_end = &submission->next;
    if (!exec->next_to_run)
        exec->next_to_run = submission;
    submission->submitted_ns = exec->now_ns;
    if (!exec->advancing && !exec->arrived)
        exec->arrived = submission;
}

/* Between enter and leave, diagnostics, write-backs and guest memory of the rooms below are those of the
 * submission, and memory is charged to its context. */
static void enter(struct ag_exec *exec, struct ag_submission *submission)
{
    ag_reporter_enter(&exec->host, submission->number, &submission->errors);
    exec->host.accounts.current = submission->account;
    exec->host.allocations = &submission->allocations;
    exec->copier.write_backs = &submission->write_backs;
}

static void leave(struct ag_exec *exec)
{
    exec->copier.write_backs = NULL;
    exec->host.allocations = NULL;
    exec->host.accounts.current = NULL;
    ag_reporter_leave(&exec->host);
}

/* ---- What submissions take ---------------------------------------------------------------------------- */

/* Whether a submission of another context is in flight, which most guests do not have. */
static bool has_others(const struct ag_exec *exec, const struct ag_submission *submission)
{
    return exec->host.accounts.submissions != submission->account->submissions;
}

bool ag_submission_is_awaited(const struct ag_submission *submission)
{
    if (!has_others(submission->exec, submission))
        return false;
    const struct ag_submission *other = submission->next;
    while (other && other->context_id == submission->context_id)
        other = other->next;
    return other != NULL;
}

/* Begins to count: what the embedder did in its callbacks counts for no context. */
static void begin_work(struct ag_exec *exec)
{
    if (exec->was_away)
        exec->now_ns = ag_clock_ns();
    exec->was_away = false;
}

/* Counts the time since the last count for the submission, whose stream ran or whose write-backs were
 * delivered, and for its context if other contexts wait. */
static void count_work(struct ag_exec *exec, struct ag_submission *submission)
{
    const uint64_t begin_ns = exec->now_ns;
    exec->now_ns = ag_clock_ns();
    submission->work_ns += exec->now_ns - begin_ns;
    /* A slice without an end leaves a context no moment to stop at, so that its work does not count. */
    if (exec->turn.length_ns != UINT64_MAX && exec->slice.length_ns != UINT64_MAX &&
        ag_submission_is_awaited(submission))
        ag_turn_work(&exec->turn, submission->account, exec->now_ns - begin_ns);
}

/* ---- Delivering write-backs --------------------------------------------------------------------------- */

/* Null where nobody looks at the picture. */
struct ag_pixels {
    const uint8_t *bytes;
    uint32_t pitch;
    bool is_bgra;
};

/* Hands a picture over, once its owner has prepared it. False: there is more to prepare. */
static bool hand_over(const struct ag_exec *exec, const struct ag_submission *submission,
                      const struct ag_write_back *write_back, const struct ag_pixels *pixels)
{
    const struct agpu_executor_events *const events = &exec->events;
    const struct agpu_present picture = {
        .submission = submission->number,
        .scanout_id = write_back->scanout_id,
        .flags = write_back->present_flags,
        .width = write_back->width,
        .height = write_back->height,
        .format = write_back->abi_format,
        .pixels = pixels->bytes,
        .swap_chain = write_back->swap_chain,
        .sync_interval = write_back->sync_interval,
        .pitch_bytes = pixels->pitch,
        .order = pixels->is_bgra ? AGPU_PIXELS_BGRA8 : AGPU_PIXELS_RGBA8,
    };
    if (events->prepare && !events->prepare(events->user, &picture))
        return false;
    if (events->presented)
        events->presented(events->user, &picture);
    return true;
}

/* Hands a picture over, once all of it is converted if it has to be. False while there is more to do. */
static bool present(struct ag_exec *exec, const struct ag_submission *submission,
                    struct ag_write_back *write_back, const uint8_t *data)
{
    struct ag_pixels pixels = {data, write_back->host_pitch, false};
    write_back->stored &= !submission->stopped;
    if (data &&
        !ag_write_back_is_shown_as_it_is(write_back, exec->events.takes_any_layout, &pixels.is_bgra)) {
        if (!ag_write_back_convert(&exec->copier, write_back, data))
            return false;
        pixels = (struct ag_pixels){write_back->picture.bytes, write_back->width * 4, false};
        if (!pixels.bytes)
            return true;
    }
    return hand_over(exec, submission, write_back, &pixels);
}

/* Delivers a part of a write-back. True when no part is left. */
static bool deliver_part(struct ag_exec *exec, const struct ag_submission *submission,
                         struct ag_write_back *write_back)
{
    const uint8_t *data = write_back->readback ? ag_readback_data(write_back->readback) : NULL;
    ag_reporter_at(&exec->host, write_back->place, write_back->packet_name);
    if (exec->host.lost || (write_back->readback && !data)) {
        ag_host_report(&exec->host, exec->host.lost ? AGPU_DIAG_GPU_LOST : AGPU_DIAG_GPU_OUT_OF_MEMORY,
                       AGPU_ERROR, "the GPU's bytes could not be read back");
        return true;
    }
    if (write_back->kind == AG_WRITE_BACK_PRESENT)
        return present(exec, submission, write_back, data);
    return submission->stopped || ag_write_back_store(&exec->copier, write_back, data);
}

/* Delivers ready write-backs in their order until the slice is over. True when none is left. */
static bool deliver(struct ag_exec *exec, struct ag_submission *submission)
{
    const struct ag_write_backs *write_backs = &submission->write_backs;
    while (submission->delivered < write_backs->list.count && !exec->slice.over && !exec->reset_wanted) {
        submission->delivered +=
            deliver_part(exec, submission, write_backs->list.data[submission->delivered]);
        ag_slice_work(&exec->slice, 1); /* a part may be megabytes */
    }
    return submission->delivered == write_backs->list.count;
}

/* Whether the write-backs that a stream waits for are delivered. Their memory is free then. */
static bool drained(struct ag_exec *exec, struct ag_submission *submission)
{
    if (!deliver(exec, submission))
        return false;
    ag_write_backs_release(&exec->copier, &submission->write_backs);
    submission->delivered = 0;
    submission->draining = false;
    return true;
}

/* ---- Starting ----------------------------------------------------------------------------------------- */

static bool is_looked_at(const struct agpu_executor_events *events)
{
    return (events->presented || events->shown) && (!events->looks || events->looks(events->user));
}

/* The signal behind the work of a stream that has ended: that of its last flush, which comes behind all of
 * it. One that has called nothing of WebGPU is done when those before it are. */
static uint64_t signal_of_work(struct ag_exec *exec, const struct ag_submission *submission)
{
    const uint64_t signalled = ag_gpu_signalled_serial(exec->host.gpu);
    const uint64_t flushed = exec->recorder.flushed_serial;
    const bool is_signalled = flushed != 0 && flushed == signalled;
    return submission->worked && !is_signalled ? ag_gpu_signal(exec->host.gpu) : signalled;
}

/* Executes packets until the stream ends, stops or waits. */
static void run(struct ag_exec *exec, struct ag_submission *submission)
{
    submission->started = true;
    submission->execution.wait = (struct ag_wait){0};
    exec->host.is_looked_at = is_looked_at(&exec->events);
    begin_work(exec);
    enter(exec, submission);
    if (!submission->draining || drained(exec, submission))
        ag_stream_execute(exec, submission);
    leave(exec);
    if (!submission->recorded || !ag_submission_is_light(submission))
        count_work(exec, submission);
    if (!submission->recorded)
        return;
    ag_write_backs_begin(&submission->write_backs);
    submission->serial = signal_of_work(exec, submission);
    exec->storing += submission->write_backs.reach_guest;
    exec->next_to_run = submission->next;
    ag_spent_memory_add(&exec->host.spent, submission->stream, submission->stream_size);
    submission->stream = NULL;
    ag_guest_allocations_spend(&submission->allocations, &exec->host.spent);
}

/* A stream may read guest memory that write-backs of earlier submissions change, and waits for these. */
static bool may_run(struct ag_exec *exec, const struct ag_submission *submission)
{
    if (submission->started)
        return ag_stream_may_go_on(exec, submission);
    return !submission->allocations.has_table || !exec->storing;
}

/* ---- Completing ---------------------------------------------------------------------------------------- */

static bool is_done(struct ag_exec *exec, const struct ag_submission *submission)
{
    if (!submission->recorded || submission->scopes)
        return false;
    if (!exec->host.lost && ag_gpu_completed_serial(exec->host.gpu) < submission->serial)
        return false;
    return ag_write_backs_are_ready(&exec->copier, &submission->write_backs);
}

static uint64_t more_of(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static void count_completed(const struct ag_exec *exec, const struct ag_submission *submission)
{
    struct agpu_context_counters *counts = &submission->account->counts;
    const uint64_t latency_ns = exec->now_ns - submission->submitted_ns;
    counts->submissions++;
    counts->work_ns += submission->work_ns;
    counts->longest_turn_ns = more_of(counts->longest_turn_ns, submission->work_ns);
    counts->latency_ns += latency_ns;
    counts->longest_latency_ns = more_of(counts->longest_latency_ns, latency_ns);
}

/* Delivers write-backs; true when none is left. */
static bool finish(struct ag_exec *exec, struct ag_submission *submission)
{
    if (submission->delivered == submission->write_backs.list.count)
        return !exec->reset_wanted;
    begin_work(exec);
    enter(exec, submission);
    const bool delivered = deliver(exec, submission);
    leave(exec);
    count_work(exec, submission);
    return delivered && !exec->reset_wanted;
}

static void complete(struct ag_exec *exec, struct ag_submission *submission)
{
    if (!finish(exec, submission))
        return;
    exec->storing -= submission->write_backs.reach_guest;
    exec->submissions = submission->next;
    if (!exec->submissions)
        exec->submissions_end = &exec->submissions;
    uint32_t number = submission->number, error = submission->errors.error;
    ag_turn_note_completed(&exec->turn, submission->account);
    count_completed(exec, submission);
    ag_submission_destroy(submission);
    if (!exec->events.completed)
        return;
    exec->events.completed(exec->events.user, number, error);
    exec->was_away = true;
}

/* Runs the stream that is next, or what is left of that stream. True when it has ended. */
static bool run_next(struct ag_exec *exec)
{
    struct ag_submission *submission = exec->next_to_run;
    if (!submission || (exec->save && !submission->started))
        return false;
    if (may_run(exec, submission))
        run(exec, submission);
    return submission->recorded;
}

/* Streams run in order, so that a waiting stream holds up the streams behind it. A stream without packets is
 * a step, too, and so is what begins with another context. */
static void run_streams(struct ag_exec *exec)
{
    while (run_next(exec) && exec->next_to_run && ag_slice_step(&exec->slice))
        continue;
}

/* Whether no other context has a submission in flight for which the stream might wait. */
static bool is_first(const struct ag_exec *exec, const struct ag_submission *submission)
{
    const struct ag_submission *earlier = exec->submissions;
    while (earlier != submission && earlier->context_id == submission->context_id)
        earlier = earlier->next;
    return earlier == submission;
}

/* Whether other contexts wait from here on because the stream that is next waits. */
static void begin_wait(struct ag_exec *exec)
{
    const struct ag_submission *submission = exec->next_to_run;
    if (!submission || exec->slice.over || exec->turn.length_ns == UINT64_MAX || !submission->started ||
        !ag_submission_is_awaited(submission))
        return;
    const struct ag_wait *wait = &submission->execution.wait;
    if (wait->compilation || is_first(exec, submission))
        ag_turn_wait(&exec->turn, submission->account, wait->compilation && !wait->is_creation);
}

/* The clock is read once for all that a call begins with. */
static void note_time(struct ag_exec *exec)
{
    exec->now_ns = exec->slice.length_ns == UINT64_MAX ? ag_clock_ns() : exec->slice.looked_ns;
    exec->was_away = false;
    for (; exec->arrived; exec->arrived = exec->arrived->next)
        exec->arrived->submitted_ns = exec->now_ns;
}

bool ag_submissions_advance(struct ag_exec *exec)
{
    if (exec->advancing) /* a callback of the embedder has called the executor */
        return exec->submissions != NULL;
    exec->advancing = true;
    ag_gpu_loss_watch(exec);
    ag_query_sets_settle(&exec->recorder);
    ag_turn_begin_call(&exec->turn);
    ag_slice_begin(&exec->slice);
    note_time(exec);
    ag_clearing_continue(exec);
    ag_gpu_loss_go_on(exec);
    for (bool is_first = true; !exec->slice.over && !exec->reset_wanted; is_first = false) {
        run_streams(exec);
        if (!exec->submissions || !is_done(exec, exec->submissions))
            break;
        if (!is_first && !ag_slice_step(&exec->slice))
            break;
        complete(exec, exec->submissions);
    }
    ag_stream_free_spent(exec);
    begin_wait(exec);
    if (!exec->reset_wanted)
        ag_gpu_loss_replace(exec);
    exec->advancing = false;
    if (exec->reset_wanted)
        exec->table.reset(&exec->table);
    return exec->submissions != NULL;
}

/* Frees of smaller submissions are short. */
#define MOST_FREED_BYTES (UINT64_C(256) << 10)

/* The bytes of a large submission are freed later. */
static void leave_bytes(struct ag_submission *submission)
{
    const struct ag_left_bytes bytes = {
        .stream = submission->stream,
        .stream_size = submission->stream_size,
        .allocations = submission->allocations,
        .account = submission->account,
        .host_bytes = submission->host_bytes,
    };
    if (submission->host_bytes <= MOST_FREED_BYTES || !ag_clearing_take(submission->exec, &bytes))
        return;
    submission->stream = NULL;
    submission->allocations = (struct ag_guest_allocations){0};
    submission->host_bytes = 0;
}

void ag_submissions_clear(struct ag_exec *exec)
{
    exec->turn.waits_for = NULL;
    exec->arrived = NULL;
    while (exec->submissions) {
        struct ag_submission *submission = exec->submissions;
        exec->submissions = submission->next;
        leave_bytes(submission);
        empty(submission);
        if (submission->scopes) {
            submission->orphaned = true;
            submission->exec = NULL;
        } else {
            free(submission);
        }
    }
    exec->submissions_end = &exec->submissions;
    exec->next_to_run = NULL;
    exec->storing = 0;
}
