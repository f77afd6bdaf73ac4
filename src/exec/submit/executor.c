/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "abi/packet.h"
#include "aerogpu/abi/cmd.h"
#include "aerogpu/abi/ext.h"
#include "aerogpu/abi/pci.h"
#include "aerogpu/diag.h"
#include "aerogpu/executor.h"
#include "base/diag.h"
#include "base/table.h"
#include "exec/bind/binder.h"
#include "exec/bind/binder_life.h"
#include "exec/bind/context.h"
#include "exec/bind/context_set.h"
#include "exec/bind/kept_pipelines.h"
#include "exec/blit/blitter_life.h"
#include "exec/draw/drawer.h"
#include "exec/draw/drawer_life.h"
#include "exec/expand/expander_life.h"
#include "exec/host/gpu_memory.h"
#include "exec/host/host.h"
#include "exec/host/report.h"
#include "exec/host/spent_memory.h"
#include "exec/object/objects_life.h"
#include "exec/packet/handlers.h"
#include "exec/record/bind_group.h"
#include "exec/record/query_recording.h"
#include "exec/record/recorder_life.h"
#include "exec/record/throttle.h"
#include "exec/submit/clearing.h"
#include "exec/submit/exec.h"
#include "exec/submit/gpu_loss.h"
#include "exec/submit/slice.h"
#include "exec/submit/snapshot.h"
#include "exec/submit/submission.h"
#include "exec/transfer/copier_life.h"
#include "gpu/compilation.h"
#include "gpu/feature.h"
#include "gpu/gpu.h"
#include "gpu/readback.h"

/* ---- Calls of the embedder ---------------------------------------------------------------------------- */

static void submit(struct agpu_executor *executor, const struct agpu_submission *from)
{
    struct ag_exec *exec = ag_exec_of(executor);
    struct ag_submission *submission;
    exec->host.counts.submissions++;
    ag_reporter_enter(&exec->host, from->number, NULL);
    ag_submission_create(exec, from, &submission);
    ag_reporter_leave(&exec->host);
    const bool was_over = exec->submissions && exec->slice.over; /* so that poll() is called again at once */
    if (submission)
        ag_submission_enqueue(exec, submission);
    else if (exec->events.completed) /* without memory it cannot be queued, and completes at once */
        exec->events.completed(exec->events.user, from->number, AEROGPU_ERROR_INTERNAL);
    if (!from->has_next && !was_over)
        ag_submissions_advance(exec);
}

/* Whether pipelines can be begun before draws need them. */
static bool has_pipelines_ahead(const struct ag_exec *exec)
{
    return exec->binder.ahead.count != 0 && !exec->bare && !ag_gpu_is_lost(exec->host.gpu);
}

/* With what is left of the slice. */
static void begin_pipelines(struct ag_exec *exec)
{
    if (exec->advancing || exec->slice.over || !has_pipelines_ahead(exec))
        return;
    while (ag_kept_pipelines_step(&exec->binder) && ag_slice_elapsed_ns(&exec->slice) < exec->slice.length_ns)
        continue;
}

static bool poll_work(struct agpu_executor *executor)
{
    struct ag_exec *exec = ag_exec_of(executor);
    ag_gpu_poll_answers(exec->host.gpu);
    ag_gpu_loss_poll(exec);
    const bool is_busy = ag_submissions_advance(exec);
    begin_pipelines(exec);
    return is_busy;
}

/* A device that is on its way is waited for; where there is none, submissions fail. */
static bool is_ready(struct agpu_executor *executor)
{
    const struct ag_exec *exec = ag_exec_of(executor);
    return !exec->replacing && !exec->reviving;
}

static bool has_more(struct agpu_executor *executor)
{
    const struct ag_exec *exec = ag_exec_of(executor);
    return exec->clearing.goes_on || (exec->submissions && exec->slice.over) || has_pipelines_ahead(exec);
}

static void attach(struct agpu_executor *executor, const struct agpu_executor_events *events,
                   const struct agpu_guest_memory *memory)
{
    struct ag_exec *exec = ag_exec_of(executor);
    ag_table_read(&exec->events, sizeof exec->events, AG_MEMBER_END(struct agpu_executor_events, user),
                  events);
    ag_table_read(&exec->host.memory, sizeof exec->host.memory,
                  AG_MEMBER_END(struct agpu_guest_memory, reserved), memory);
    exec->host.reports.embedder = exec->events.diagnostics;
    exec->host.shown = exec->events.shown;
    exec->host.shown_user = exec->events.user;
}

static void counters(struct agpu_executor *executor, struct agpu_counters *counts)
{
    struct ag_exec *exec = ag_exec_of(executor);
    exec->host.counts.pipeline_ns = ag_gpu_compile_ns(exec->host.gpu) - exec->compile_ns_before;
    ag_table_write(counts, sizeof *counts, AG_MEMBER_END(struct agpu_counters, pipeline_ns),
                   &exec->host.counts);
}

static void visit_contexts(struct agpu_executor *executor,
                           void (*visit)(void *user, const struct agpu_context_counters *counters),
                           void *user)
{
    ag_accounts_visit(&ag_exec_of(executor)->host.accounts, visit, user);
}

/* ---- Reset -------------------------------------------------------------------------------------------- */

static void reset(struct agpu_executor *executor)
{
    struct ag_exec *exec = ag_exec_of(executor);
    struct ag_host *host = &exec->host;
    if (exec->advancing) { /* a callback of the embedder asks: the work at hand is finished first */
        exec->reset_wanted = true;
        return;
    }
    if (!exec->reset_wanted) /* else it is a part of a call that has a slice */
        ag_slice_begin(&exec->slice);
    exec->reset_wanted = false;
    if (exec->save)
        exec->table.save_cancel(&exec->table);
    ag_submissions_clear(exec);
    ag_copier_forget_picture(&exec->copier);
    ag_recorder_abandon(&exec->recorder);
    ag_contexts_leave(&exec->binder);
    ag_clearing_begin(exec, true);
    host->counts = (struct agpu_counters){.bind_groups_live = host->counts.bind_groups_live};
    ag_accounts_restart(&host->accounts);
    exec->compile_ns_before = ag_gpu_compile_ns(host->gpu);
    host->reports.warned = 0;
    host->starved = false;
    ag_clearing_continue(exec);
    ag_gpu_loss_reset(exec);
}

/* ---- Life --------------------------------------------------------------------------------------------- */

static void destroy(struct agpu_executor *executor)
{
    struct ag_exec *exec = ag_exec_of(executor);
    exec->advancing = false;
    exec->closing = true;
    reset(executor);
    ag_clearing_finish(exec);
    exec->events = (struct agpu_executor_events){0};
    exec->host.reports.embedder = (struct agpu_diag_sink){0};
    if (!exec->bare)
        ag_device_objects_drop(exec);
    ag_recorder_fini(&exec->recorder);
    ag_gpu_memory_clear(&exec->host);
    ag_accounts_fini(&exec->host.accounts);
    ag_spent_memory_fini(&exec->host.spent);
    free(exec);
}

static void init_rooms(struct ag_exec *exec)
{
    ag_reporter_init(&exec->host);
    ag_objects_init(&exec->objects, &exec->host);
    ag_recorder_init(&exec->recorder, &exec->objects);
    ag_blitter_init(&exec->blitter, &exec->recorder);
    ag_copier_init(&exec->copier, &exec->blitter);
    ag_binder_init(&exec->binder, &exec->copier);
    ag_drawer_init(&exec->drawer, &exec->binder, &exec->kept);
    ag_expander_init(&exec->expander, &exec->drawer, &exec->batch);
}

/* A time of the options: 0 is the default, UINT32_MAX is for ever. */
static uint64_t nanoseconds(uint32_t time, uint32_t default_time, uint64_t unit_ns)
{
    const uint32_t chosen = time ? time : default_time;
    return chosen == UINT32_MAX ? UINT64_MAX : chosen * unit_ns;
}

static void apply_options(struct ag_exec *exec, const struct agpu_executor_options *given)
{
    struct agpu_executor_options options;
    ag_table_read(&options, sizeof options, AG_MEMBER_END(struct agpu_executor_options, without_count),
                  given);
    exec->check_packets = options.check_packets;
    exec->binder.loop_budget = options.loop_budget ? options.loop_budget : AGPU_DEFAULT_LOOP_BUDGET;
    if (exec->binder.loop_budget == AGPU_NO_LOOP_BUDGET)
        exec->binder.loop_budget = 0;
    exec->binder.cache = options.cache;
    exec->binder.most_invocations = options.most_invocations;
    exec->binder.compile_cost_ms =
        options.compile_cost_ms ? options.compile_cost_ms : AGPU_DEFAULT_COMPILE_COST_MS;
    exec->binder.private_bytes = options.private_bytes ? options.private_bytes : AGPU_DEFAULT_PRIVATE_BYTES;
    exec->drawer.work_budget = options.work_budget ? options.work_budget : AGPU_DEFAULT_WORK_BUDGET;
    exec->slice.length_ns = nanoseconds(options.slice_us, AGPU_DEFAULT_SLICE_US, 1000);
    exec->turn.length_ns = nanoseconds(options.turn_ms, AGPU_DEFAULT_TURN_MS, 1000000);
    exec->gpu_timeout_ns = nanoseconds(options.gpu_timeout_ms, AGPU_DEFAULT_GPU_TIMEOUT_MS, 1000000);
    exec->is_quiet = true;
    exec->works_in_turns =
        exec->gpu_timeout_ns != UINT64_MAX && ag_gpu_driver(exec->host.gpu) == AGPU_DRIVER_LAVAPIPE;
    exec->binder.pipeline_timeout_ns =
        nanoseconds(options.pipeline_timeout_ms, AGPU_DEFAULT_PIPELINE_TIMEOUT_MS, 1000000);
    ag_gpu_set_patience(exec->host.gpu, exec->gpu_timeout_ns);
    exec->host.gpu_memory.budget.limit_bytes =
        options.gpu_memory_bytes ? options.gpu_memory_bytes : AGPU_DEFAULT_GPU_MEMORY_BYTES;
    exec->readback_bytes = options.readback_bytes ? options.readback_bytes : AGPU_DEFAULT_READBACK_BYTES;
    ag_throttle_bound(&exec->recorder,
                      options.in_flight_bytes ? options.in_flight_bytes : AGPU_DEFAULT_IN_FLIGHT_BYTES);
    exec->host.host_memory.limit_bytes =
        options.host_memory_bytes ? options.host_memory_bytes : AGPU_DEFAULT_HOST_MEMORY_BYTES;
    exec->host.accounts.share_percent =
        options.context_memory_percent ? options.context_memory_percent : AGPU_DEFAULT_CONTEXT_MEMORY_PERCENT;
    if (exec->host.accounts.share_percent > 100)
        exec->host.accounts.share_percent = 100;
    exec->binder.pipeline_count =
        options.pipeline_count ? options.pipeline_count : AGPU_DEFAULT_PIPELINE_COUNT;
    if (exec->binder.pipeline_count < AGPU_LEAST_PIPELINE_COUNT)
        exec->binder.pipeline_count = AGPU_LEAST_PIPELINE_COUNT;
    for (uint32_t i = 0; i < options.without_count; i++)
        exec->host.without |= ag_feature_named(options.without[i]);
    exec->binder.translates_in_calls = options.translate_in_calls;
    if (!options.translate_in_calls)
        ag_gpu_start_worker(exec->host.gpu);
}

enum agpu_status agpu_webgpu_executor_create(struct agpu_gpu *gpu,
                                             const struct agpu_executor_options *options,
                                             const struct agpu_diag_sink *sink,
                                             struct agpu_executor **executor)
{
    *executor = NULL;
    struct ag_exec *exec = calloc(1, sizeof *exec);
    if (!exec)
        return ag_report_no_memory(sink);
    exec->table = (struct agpu_executor){
        .size = sizeof exec->table,
        .submit = submit,
        .poll = poll_work,
        .reset = reset,
        .destroy = destroy,
        .attach = attach,
        .counters = counters,
        .extension = AEROGPU_EXT_VERSION,
        .ready = is_ready,
        .has_more = has_more,
        .visit_contexts = visit_contexts,
    };
    exec->submissions_end = &exec->submissions;
    exec->binder.patience_ns = UINT64_MAX;
    exec->host.gpu = gpu;
    exec->compile_ns_before = ag_gpu_compile_ns(gpu);
    init_rooms(exec);
    ag_packet_plans_init(exec->plans);
    exec->upload_info = ag_packet_info(AEROGPU_CMD_UPLOAD_RESOURCE);
    apply_options(exec, options);
    if (!ag_device_objects_make(exec)) {
        ag_readback_pool_destroy(exec->host.readbacks);
        free(exec);
        return ag_report_no_memory(sink);
    }
#ifndef AG_WITHOUT_SNAPSHOTS
    ag_snapshot_offer(&exec->table);
#endif
    *executor = &exec->table;
    return AGPU_OK;
}
