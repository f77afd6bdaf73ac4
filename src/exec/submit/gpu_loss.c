/* SPDX-License-Identifier: MIT */
#include "exec/submit/gpu_loss.h"

#include <inttypes.h>

#include "aerogpu/abi/pci.h"
#include "aerogpu/diag.h"
#include "aerogpu/executor.h"
#include "exec/bind/binder_life.h"
#include "exec/bind/context_set.h"
#include "exec/blit/blitter_life.h"
#include "exec/draw/drawer_life.h"
#include "exec/draw/kept_draw.h"
#include "exec/expand/expander_life.h"
#include "exec/host/gpu_memory.h"
#include "exec/host/host.h"
#include "exec/host/report.h"
#include "exec/record/recorder_life.h"
#include "exec/submit/clearing.h"
#include "exec/submit/exec.h"
#include "exec/submit/submission.h"
#include "exec/transfer/copier_life.h"
#include "gpu/gpu.h"
#include "gpu/readback.h"

#define IDLE_READBACK_BYTES (UINT64_C(64) << 20)
/* A guest that resets has waited long already. */
#define RESET_PATIENCE_NS UINT64_C(1000000000)

/* ---- What is made of a device -------------------------------------------------------------------------- */

bool ag_device_objects_make(struct ag_exec *exec)
{
    struct ag_host *host = &exec->host;
    host->device = ag_gpu_device(host->gpu);
    host->queue = ag_gpu_queue(host->gpu);
    host->limits = *ag_gpu_limits(host->gpu);
    const uint64_t idle =
        exec->readback_bytes < IDLE_READBACK_BYTES ? exec->readback_bytes : IDLE_READBACK_BYTES;
    host->readbacks = ag_readback_pool_create(host->gpu, idle);
    if (!host->readbacks)
        return false;
    ag_readback_pool_bound(host->readbacks, exec->readback_bytes);
    return ag_recorder_make_device_objects(&exec->recorder);
}

void ag_device_objects_drop(struct ag_exec *exec)
{
    ag_kept_draw_drop(&exec->drawer);
    ag_expander_drop_device_objects(&exec->expander);
    ag_drawer_drop_device_objects(&exec->drawer);
    ag_binder_drop_device_objects(&exec->binder);
    ag_copier_drop_device_objects(&exec->copier);
    ag_blitter_drop_device_objects(&exec->blitter);
    ag_recorder_drop_device_objects(&exec->recorder);
    ag_readback_pool_destroy(exec->host.readbacks);
    exec->host.readbacks = NULL;
}

void ag_device_objects_renew(struct ag_exec *exec)
{
    exec->host.released_objects = true;
    ag_kept_draw_drop(&exec->drawer);
    ag_recorder_renew_device_objects(&exec->recorder);
    ag_expander_drop_device_objects(&exec->expander);
    ag_drawer_drop_device_objects(&exec->drawer);
    ag_binder_drop_device_objects(&exec->binder);
    ag_copier_drop_device_objects(&exec->copier);
    ag_blitter_drop_device_objects(&exec->blitter);
}

/* ---- Loss ---------------------------------------------------------------------------------------------- */

static struct ag_submission *oldest_unfinished(const struct ag_exec *exec)
{
    const uint64_t completed = ag_gpu_completed_serial(exec->host.gpu);
    struct ag_submission *submission = exec->submissions;
    while (submission && submission->recorded && submission->serial <= completed)
        submission = submission->next;
    return submission;
}

static void give_up(struct ag_exec *exec)
{
    static const char *const text = "the GPU did not finish a piece of work in %" PRIu64
                                    " ms; its device is abandoned, and every context has ended";
    const uint64_t milliseconds = ag_gpu_stalled_ns(exec->host.gpu) / 1000000;
    struct ag_submission *culprit = oldest_unfinished(exec);
    if (culprit) {
        culprit->account->counts.hangs++;
        ag_reporter_enter(&exec->host, culprit->number, &culprit->errors);
    }
    ag_host_report(&exec->host, AGPU_DIAG_GPU_HANG, AGPU_ERROR, text, milliseconds);
    if (culprit)
        ag_reporter_leave(&exec->host);
    ag_gpu_abandon(exec->host.gpu);
}

static void notice_loss(struct ag_exec *exec)
{
    if (exec->host.lost || !ag_gpu_is_lost(exec->host.gpu))
        return;
    exec->host.lost = true;
    if (exec->abandon_save)
        exec->abandon_save(exec);
    for (struct ag_submission *submission = exec->submissions; submission; submission = submission->next)
        if (submission->errors.error == AEROGPU_ERROR_NONE)
            submission->errors.error = agpu_diag_error_register(AGPU_DIAG_GPU_LOST);
    if (exec->events.device_lost)
        exec->events.device_lost(exec->events.user);
}

void ag_gpu_loss_watch(struct ag_exec *exec)
{
    if (!exec->host.lost && ag_gpu_stalled_ns(exec->host.gpu) >= exec->gpu_timeout_ns)
        give_up(exec);
    notice_loss(exec);
}

/* ---- Replacement --------------------------------------------------------------------------------------- */

/* Asks for another device in place of the lost one, or goes on asking. */
static void revive(struct ag_exec *exec)
{
    const enum ag_gpu_revival revival = ag_gpu_revive(exec->host.gpu);
    exec->reviving = revival == AG_GPU_REVIVING;
    if (revival != AG_GPU_REVIVED)
        return;
    if (ag_device_objects_make(exec)) {
        exec->host.lost = false;
        exec->bare = false;
        return;
    }
    ag_device_objects_drop(exec);
    ag_host_no_memory(&exec->host);
}

/* The guest's objects go before what they were made of. */
void ag_gpu_loss_go_on(struct ag_exec *exec)
{
    if (!exec->replacing || exec->clearing.goes_on)
        return;
    exec->replacing = false;
    if (!exec->bare)
        ag_device_objects_drop(exec);
    ag_gpu_memory_clear(&exec->host);
    exec->bare = true;
    revive(exec);
}

void ag_gpu_loss_poll(struct ag_exec *exec)
{
    if (exec->replacing) /* after a reset, too, whose objects are not freed yet */
        return;
    if (exec->bare && (exec->reviving || ag_gpu_has_replacement(exec->host.gpu)))
        revive(exec);
}

void ag_gpu_loss_replace(struct ag_exec *exec)
{
    if (!exec->host.lost || exec->bare || exec->replacing || exec->submissions)
        return;
    ag_recorder_abandon(&exec->recorder);
    ag_contexts_lose_device(&exec->binder);
    ag_clearing_begin(exec, false);
    exec->host.starved = false;
    exec->replacing = true;
    ag_clearing_continue(exec);
    ag_gpu_loss_go_on(exec);
}

void ag_gpu_loss_reset(struct ag_exec *exec)
{
    struct agpu_gpu *gpu = exec->host.gpu;
    ag_gpu_poll(gpu); /* reports a loss of the device that was not noticed yet */
    if (!exec->host.lost && exec->gpu_timeout_ns != UINT64_MAX && ag_gpu_stalled_ns(gpu) >= RESET_PATIENCE_NS)
        give_up(exec);
    notice_loss(exec);
    if (!exec->host.lost || exec->closing)
        return;
    exec->replacing = true;
    ag_gpu_loss_go_on(exec);
}
