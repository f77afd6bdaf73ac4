/* SPDX-License-Identifier: MIT
 *
 * The executor that hands its work to a GPU process: the table of aerogpu/executor.h and the functions of
 * aerogpu/process_executor.h.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "aerogpu/abi/ext.h"
#include "base/bytes.h"
#include "base/clock.h"
#include "base/diag.h"
#include "base/table.h"
#include "process/owner.h"

/* What may wait here for a process: more than a device lets out. */
#define MOST_IN_FLIGHT 1100
#define MOST_WAITING_BYTES (UINT64_C(192) << 20)
/* How long a poll waits for the next question of a process that it has just answered. */
#define CONVERSATION_NS UINT64_C(200000)
/* Of a snapshot, beside what the budgets of the executor allow. */
#define SNAPSHOT_BYTES (UINT64_C(1) << 30)
/* What a process says of its GPU; what it says of the guest is limited by the device. */
#define GPU_DIAGNOSTICS_PER_SECOND 100
/* How long destroy waits for the kernel to end a process. */
#define DESTROY_WAIT_NS UINT64_C(2000000000)
/* A process that has closed its socket is ending, and how is soon known. */
#define END_WAIT_NS UINT64_C(5000000)

/* ---- Messages of the process -------------------------------------------------------------------------- */

static void acknowledge(struct ag_owner *owner)
{
    struct ag_message message = ag_message_of(AG_MESSAGE_ACK, owner->epoch);
    if (ag_owner_has_process(owner) && ag_channel_owes_acknowledgement(&owner->channel))
        ag_channel_send(&owner->channel, &message); /* if there is no room now, after the next message */
}

void ag_owner_break_with(struct ag_owner *owner, const char *problem)
{
    struct ag_strbuf cause = {0};
    const bool is_failure = owner->failure != AGPU_OK;
    ag_strbuf_printf(&cause, "%sthe GPU process %s", is_failure ? "" : "the GPU device was lost: ", problem);
    ag_owner_lose(owner, is_failure ? AGPU_DIAG_GPU_PROCESS : AGPU_DIAG_GPU_LOST,
                  cause.failed ? "out of memory" : ag_strbuf_text(&cause));
    ag_strbuf_fini(&cause);
}

/* Whether the process goes on with what it has got from us, and says so soon. */
static bool is_conversation(const struct ag_message *message)
{
    return message->kind == AG_MESSAGE_READ || message->kind == AG_MESSAGE_CACHE_LOAD ||
           message->kind == AG_MESSAGE_SAVE_DATA ||
           (message->kind == AG_MESSAGE_WRITE && message->as.write.is_waited_for);
}

/* What says that the oldest submission gets on. */
static bool is_progress(const struct ag_message *message)
{
    return message->kind != AG_MESSAGE_PONG && message->kind != AG_MESSAGE_ACK;
}

/* The next message: one that was held, or a new one. While one is held nothing is received, and so the end of
 * the process is looked for. */
static enum ag_channel_result next_message(struct ag_owner *owner, struct ag_message *message)
{
    struct ag_owner_save *const save = &owner->save;
    if (!save->has_held) {
        const enum ag_channel_result result = ag_channel_receive(&owner->channel, message);
        return result == AG_CHANNEL_DONE && ag_owner_holds(owner, message) ? AG_CHANNEL_LATER : result;
    }
    if (!save->takes_bytes)
        return ag_channel_is_closed(&owner->channel) ? AG_CHANNEL_CLOSED : AG_CHANNEL_LATER;
    *message = save->held;
    save->has_held = false;
    return AG_CHANNEL_DONE;
}

/* Takes one message, or shows a part of a picture. False: there is none, or no process any more. */
static bool take_message(struct ag_owner *owner, bool *is_answered)
{
    struct ag_message message;
    const char *problem = NULL;
    if (owner->picture.is_whole) {
        ag_owner_show(owner);
        return true;
    }
    switch (next_message(owner, &message)) {
    case AG_CHANNEL_DONE:
        break;
    case AG_CHANNEL_LATER:
        return false;
    case AG_CHANNEL_CLOSED:
        ag_owner_notice_end(owner);
        return false;
    case AG_CHANNEL_BROKEN:
        ag_owner_break_with(owner, "sent what is no message");
        return false;
    }
    if (is_progress(&message))
        owner->progress_ns = ag_clock_ns();
    *is_answered = is_conversation(&message);
    if (!ag_owner_handle(owner, &message, &problem)) {
        ag_owner_break_with(owner, problem);
        return false;
    }
    ag_channel_consume(&owner->channel, &message);
    acknowledge(owner);
    return true;
}

/* Takes messages for as long as a slice is. Whether there were any. */
static bool converse(struct ag_owner *owner)
{
    const uint64_t start = ag_clock_ns();
    bool is_answered = false, heard_something = false;
    owner->has_more = false;
    while (ag_owner_has_process(owner) && !owner->reset_is_wanted && !ag_owner_has_loaded(owner) &&
           !ag_owner_load_is_late(owner)) {
        const bool took = take_message(owner, &is_answered);
        heard_something |= took;
        const uint64_t spent = ag_clock_ns() - start;
        if (took && spent >= owner->slice_ns) {
            owner->has_more = true;
            break;
        }
        if (took)
            continue;
        if (!is_answered || spent >= owner->slice_ns || !ag_owner_has_process(owner))
            break;
        is_answered = false;
        ag_owner_pump(owner);
        const uint64_t left = owner->slice_ns - spent;
        if (!ag_channel_wait(&owner->channel, left < CONVERSATION_NS ? left : CONVERSATION_NS))
            break;
    }
    return heard_something;
}

/* What the process writes to its standard error. */
static void pass_errors(struct ag_owner *owner)
{
    ag_error_relay_pass(&owner->error_relay, &owner->child.error);
    if (ag_error_relay_tells(&owner->error_relay))
        ag_report(&owner->gpu_sink, AGPU_DIAG_GPU_PROCESS, AGPU_WARNING, ag_place_none(),
                  "the GPU process writes more to standard error than %" PRIu64
                  " bytes a second, or than can be written there; some of it is left out",
                  AG_ERROR_BYTES_PER_SECOND);
}

static void reset(struct agpu_executor *executor);

void ag_owner_advance(struct ag_owner *owner)
{
    if (owner->is_advancing)
        return;
    owner->is_advancing = true;
    ag_owner_end_save(owner);
    ag_owner_start(owner);
    ag_owner_pump(owner);
    const bool heard_something = converse(owner);
    ag_owner_pump(owner);
    ag_owner_check_time(owner, heard_something);
    pass_errors(owner);
    ag_diag_limiter_catch_up(&owner->said_limiter);
    if (owner->state == AG_OWNER_LOST)
        ag_child_has_ended(&owner->child); /* so that no zombie stays */
    owner->is_advancing = false;
    if (owner->reset_is_wanted)
        reset(&owner->table);
}

/* ---- The table ---------------------------------------------------------------------------------------- */

/* A submission after the loss of the device, as the WebGPU executor has it: an error for streams. */
static void refuse(struct ag_owner *owner, const struct agpu_submission *submission)
{
    struct agpu_place place = ag_place_none();
    uint32_t error = AEROGPU_ERROR_NONE;
    place.submission = submission->number;
    if (submission->stream != NULL) {
        error = agpu_diag_error_register(AGPU_DIAG_GPU_LOST);
        ag_report(&owner->events.diagnostics, AGPU_DIAG_GPU_LOST, AGPU_ERROR, place,
                  "the GPU device is lost; nothing is executed");
    }
    ag_owner_complete(owner, error);
}

static void fail_for_memory(struct ag_owner *owner, const struct agpu_submission *submission)
{
    ag_report_no_memory(&owner->events.diagnostics);
    if (owner->events.completed != NULL)
        owner->events.completed(owner->events.user, submission->number, AEROGPU_ERROR_INTERNAL);
}

/* Moves what is in flight to the front once half of the list is empty. */
static void compact(struct ag_owner *owner)
{
    const size_t count = ag_owner_in_flight(owner);
    if (owner->oldest < 64 || owner->oldest < count)
        return;
    memmove(owner->in_flight.data, owner->in_flight.data + owner->oldest,
            count * sizeof *owner->in_flight.data);
    owner->in_flight.count = count;
    owner->oldest = 0;
}

static void submit(struct agpu_executor *executor, const struct agpu_submission *submission)
{
    struct ag_owner *const owner = ag_owner_of(executor);
    owner->has_begun = true;
    compact(owner);
    if (ag_owner_in_flight(owner) == 0)
        owner->progress_ns = ag_clock_ns();
    if (!ag_vec_push(&owner->in_flight, (struct ag_in_flight){submission->number})) {
        fail_for_memory(owner, submission);
    } else if (owner->state == AG_OWNER_LOST) {
        refuse(owner, submission);
    } else if (!ag_owner_send_submission(owner, submission)) {
        owner->in_flight.count--; /* the newest, which is not the next to complete */
        fail_for_memory(owner, submission);
    }
}

static bool poll_process(struct agpu_executor *executor)
{
    struct ag_owner *const owner = ag_owner_of(executor);
    ag_owner_advance(owner);
    return ag_owner_in_flight(owner) != 0;
}

static bool has_more(struct agpu_executor *executor)
{
    return ag_owner_of(executor)->has_more;
}

static bool ready(struct agpu_executor *executor)
{
    const struct ag_owner *const owner = ag_owner_of(executor);
    return ag_owner_in_flight(owner) < MOST_IN_FLIGHT && owner->waiting_bytes < MOST_WAITING_BYTES;
}

/* A lost device is replaced by a new process; else the process resets its executor. */
static void reset(struct agpu_executor *executor)
{
    struct ag_owner *const owner = ag_owner_of(executor);
    if (owner->is_advancing) {
        owner->reset_is_wanted = true;
        return;
    }
    owner->reset_is_wanted = owner->has_more = owner->has_begun = false;
    ag_owner_lose_snapshot(owner, true);
    ag_owner_clear_waiting(owner);
    ag_owner_drop_picture(owner);
    owner->in_flight.count = owner->oldest = 0;
    owner->has_failed_write = false;
    owner->write_error = AEROGPU_ERROR_NONE;
    owner->failed_writeback_bytes = 0;
    owner->counters = (struct agpu_counters){.bind_groups_live = owner->counters.bind_groups_live};
    owner->context_count = 0;
    if (owner->device_is_lost)
        ag_owner_drop_process(owner);
    if (owner->device_is_lost || owner->state == AG_OWNER_LOST)
        owner->state = AG_OWNER_ABSENT;
    if (ag_owner_has_process(owner)) {
        owner->epoch++;
        const struct ag_message message = ag_message_of(AG_MESSAGE_RESET, owner->epoch);
        if (!ag_owner_send(owner, &message, NULL, 0))
            ag_owner_break_with(owner, "could not be reset for want of memory");
    }
    ag_owner_start(owner);
}

static void attach(struct agpu_executor *executor, const struct agpu_executor_events *events,
                   const struct agpu_guest_memory *memory)
{
    struct ag_owner *const owner = ag_owner_of(executor);
    ag_table_read(&owner->events, sizeof owner->events, AG_MEMBER_END(struct agpu_executor_events, user),
                  events);
    ag_table_read(&owner->memory, sizeof owner->memory, AG_MEMBER_END(struct agpu_guest_memory, reserved),
                  memory);
}

static void counters(struct agpu_executor *executor, struct agpu_counters *counters)
{
    const struct ag_owner *const owner = ag_owner_of(executor);
    struct agpu_counters counts = owner->counters;
    counts.writeback_bytes -= owner->failed_writeback_bytes;
    ag_table_write(counters, sizeof counts, AG_MEMBER_END(struct agpu_counters, pipeline_ns), &counts);
}

static void visit_contexts(struct agpu_executor *executor,
                           void (*visit)(void *user, const struct agpu_context_counters *counters),
                           void *user)
{
    const struct ag_owner *const owner = ag_owner_of(executor);
    for (uint32_t i = 0; i < owner->context_count; i++)
        visit(user, &owner->contexts[i]);
}

/* ---- Life --------------------------------------------------------------------------------------------- */

static void free_texts(char **texts)
{
    for (char **text = texts; text != NULL && *text != NULL; text++)
        free(*text);
    free(texts);
}

static char *copy_text(const char *text)
{
    const size_t size = strlen(text) + 1;
    char *const copy = malloc(size);
    if (copy != NULL)
        memcpy(copy, text, size);
    return copy;
}

static char **copy_texts(const char *const *texts)
{
    size_t count = 0;
    while (texts[count] != NULL)
        count++;
    char **const copy = calloc(count + 1, sizeof *copy);
    for (size_t i = 0; copy != NULL && i < count; i++) {
        copy[i] = copy_text(texts[i]);
        if (copy[i] == NULL) {
            free_texts(copy);
            return NULL;
        }
    }
    return copy;
}

static void destroy(struct agpu_executor *executor)
{
    struct ag_owner *const owner = ag_owner_of(executor);
    ag_owner_lose_snapshot(owner, true);
    ag_owner_drop_process(owner);
    ag_child_leave(&owner->child, DESTROY_WAIT_NS);
    ag_vec_fini(&owner->in_flight);
    ag_adapter_fini(&owner->adapter);
    ag_strbuf_fini(&owner->start);
    for (uint32_t i = 0; i < owner->region_count; i++)
        close(owner->regions[i]);
    if (owner->notifier >= 0)
        close(owner->notifier);
    free(owner->contexts);
    free(owner->program);
    free_texts(owner->arguments);
    free_texts(owner->environment);
    free(owner);
}

static const char *find_problem(const struct agpu_process_executor_options *options)
{
    if (options->program == NULL)
        return "a GPU process needs a program";
    if (options->gpu != NULL && (options->gpu->instance != NULL || options->gpu->device != NULL))
        return "a device of this process cannot be used in a GPU process";
    if (options->region_count > AG_GUEST_REGIONS)
        return "a GPU process maps at most 16 regions of guest memory";
    if (options->sandbox > AGPU_SANDBOX_NONE)
        return "there is no such sandbox";
    return NULL;
}

static uint64_t timeout_ns(uint32_t given, uint32_t by_default)
{
    const uint32_t ms = given != 0 ? given : by_default;
    return ms != AGPU_NO_TIMEOUT ? ms * UINT64_C(1000000) : UINT64_MAX;
}

static uint64_t bytes_or(uint64_t given, uint64_t by_default)
{
    return given != 0 ? given : by_default;
}

/* What an executor may hold goes into a snapshot at most twice: as packets and as contents. */
static uint64_t most_snapshot_bytes(const struct agpu_executor_options *options)
{
    const uint64_t gpu = bytes_or(options->gpu_memory_bytes, AGPU_DEFAULT_GPU_MEMORY_BYTES);
    const uint64_t host = bytes_or(options->host_memory_bytes, AGPU_DEFAULT_HOST_MEMORY_BYTES);
    const uint64_t most = UINT64_MAX / 8;
    return gpu > most || host > most ? UINT64_MAX : 2 * (gpu + host) + SNAPSHOT_BYTES;
}

static void apply_executor_options(struct ag_owner *owner,
                                   const struct agpu_process_executor_options *options)
{
    struct agpu_executor_options executor;
    ag_table_read(&executor, sizeof executor, AG_MEMBER_END(struct agpu_executor_options, without_count),
                  options->executor);
    owner->most_snapshot_bytes = most_snapshot_bytes(&executor);
    owner->cache = executor.cache;
    const uint32_t slice_us = executor.slice_us != 0 ? executor.slice_us : AGPU_DEFAULT_SLICE_US;
    owner->slice_ns = slice_us != AGPU_NO_SLICE ? slice_us * UINT64_C(1000) : UINT64_MAX;
}

static void apply_times(struct ag_owner *owner, const struct agpu_process_executor_options *options)
{
    owner->start_timeout_ns = timeout_ns(options->start_timeout_ms, AGPU_DEFAULT_START_TIMEOUT_MS);
    owner->hang_timeout_ns = timeout_ns(options->hang_timeout_ms, AGPU_DEFAULT_HANG_TIMEOUT_MS);
    owner->submission_timeout_ns =
        timeout_ns(options->submission_timeout_ms, AGPU_DEFAULT_SUBMISSION_TIMEOUT_MS);
    owner->end_wait_ns = END_WAIT_NS;
}

/* Copies what starts processes. False: out of memory or descriptors. */
static bool copy_options(struct ag_owner *owner, const struct agpu_process_executor_options *options)
{
    const char *const usual[] = {options->program, "gpu-process", NULL};
    owner->program = copy_text(options->program);
    owner->arguments = copy_texts(options->arguments != NULL ? options->arguments : usual);
    if (options->environment != NULL)
        owner->environment = copy_texts(options->environment);
    owner->contexts = malloc(AG_TOLD_CONTEXTS * sizeof *owner->contexts);
    ag_start_pack(&owner->start, options);
    for (uint32_t i = 0; i < options->region_count; i++) {
        const int copy = fcntl(options->regions[i].descriptor, F_DUPFD_CLOEXEC, AG_SOCKET_DESCRIPTOR + 1);
        if (copy < 0)
            return false;
        owner->regions[owner->region_count++] = copy;
    }
    owner->notifier = epoll_create1(EPOLL_CLOEXEC);
    return owner->program != NULL && owner->arguments != NULL && owner->contexts != NULL &&
           (options->environment == NULL || owner->environment != NULL) && !owner->start.failed &&
           owner->start.length <= AG_PIECE_BYTES && owner->notifier >= 0;
}

struct ag_owner *ag_owner_create(const struct agpu_process_executor_options *options,
                                 const struct agpu_diag_sink *sink)
{
    struct ag_owner *const owner = calloc(1, sizeof *owner);
    if (owner == NULL)
        return NULL;
    owner->table = (struct agpu_executor){
        .size = sizeof owner->table,
        .submit = submit,
        .poll = poll_process,
        .reset = reset,
        .destroy = destroy,
        .attach = attach,
        .counters = counters,
        .ready = ready,
        .extension = AEROGPU_EXT_VERSION,
        .has_more = has_more,
        .visit_contexts = visit_contexts,
    };
    ag_owner_offer_snapshots(&owner->table);
    owner->notifier = -1;
    owner->child = (struct ag_child){.handle = -1, .socket = -1, .error = -1, .shared_descriptor = -1};
    owner->waiting_end = &owner->waiting;
    ag_error_relay_init(&owner->error_relay);
    if (sink != NULL)
        owner->gpu_sink = *sink;
    owner->said_sink =
        ag_diag_limiter_init(&owner->said_limiter, &owner->gpu_sink, GPU_DIAGNOSTICS_PER_SECOND);
    apply_executor_options(owner, options);
    apply_times(owner, options);
    if (copy_options(owner, options))
        return owner;
    destroy(&owner->table);
    return NULL;
}

enum agpu_status agpu_process_executor_create(const struct agpu_process_executor_options *given,
                                              const struct agpu_diag_sink *sink,
                                              struct agpu_executor **executor)
{
    struct agpu_process_executor_options options;
    ag_table_read(&options, sizeof options,
                  AG_MEMBER_END(struct agpu_process_executor_options, processor_seconds), given);
    *executor = NULL;
    const char *const problem = find_problem(&options);
    if (problem != NULL) {
        ag_report(sink, AGPU_DIAG_GPU_PROCESS, AGPU_ERROR, ag_place_none(), "%s", problem);
        return AGPU_REFUSED;
    }
    struct ag_owner *const owner = ag_owner_create(&options, sink);
    if (owner == NULL)
        return ag_report_no_memory(sink);
    ag_owner_start(owner);
    if (owner->state == AG_OWNER_LOST) {
        const enum agpu_status status = owner->failure;
        destroy(&owner->table);
        return status;
    }
    *executor = &owner->table;
    return AGPU_OK;
}

/* ---- Questions ---------------------------------------------------------------------------------------- */

enum agpu_status agpu_process_executor_wait(struct agpu_executor *executor, uint32_t timeout_ms)
{
    struct ag_owner *const owner = ag_owner_of(executor);
    const uint64_t start = ag_clock_ns();
    for (;;) {
        ag_owner_advance(owner);
        if (owner->state == AG_OWNER_READY)
            return AGPU_OK;
        if (owner->state == AG_OWNER_LOST)
            return owner->failure != AGPU_OK ? owner->failure : AGPU_INTERNAL;
        if (timeout_ms != AGPU_NO_TIMEOUT && ag_clock_ns() - start >= timeout_ms * UINT64_C(1000000)) {
            ag_report(&owner->gpu_sink, AGPU_DIAG_GPU_PROCESS, AGPU_ERROR, ag_place_none(),
                      "the GPU process opened no GPU within %" PRIu32 " ms", timeout_ms);
            return AGPU_INTERNAL;
        }
        struct pollfd said = {.fd = owner->notifier, .events = POLLIN};
        poll(&said, 1, 10);
    }
}

bool agpu_process_executor_info(const struct agpu_executor *executor, struct agpu_adapter_info *info)
{
    const struct ag_owner *const owner = ag_owner_of(executor);
    if (owner->adapter.texts == NULL)
        return false;
    ag_table_write(info, sizeof owner->adapter.info, AG_MEMBER_END(struct agpu_adapter_info, limit_count),
                   &owner->adapter.info);
    return true;
}

int agpu_process_executor_descriptor(const struct agpu_executor *executor)
{
    return ag_owner_of(executor)->notifier;
}

int64_t agpu_process_executor_pid(const struct agpu_executor *executor)
{
    const struct ag_owner *const owner = ag_owner_of(executor);
    return ag_owner_has_process(owner) ? owner->child.pid : 0;
}
