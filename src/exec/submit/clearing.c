/* SPDX-License-Identifier: MIT */
#include "exec/submit/clearing.h"

#include "base/bytes.h"
#include "exec/bind/binder_life.h"
#include "exec/bind/context_set.h"
#include "exec/draw/kept_draw.h"
#include "exec/host/account.h"
#include "exec/host/guest_memory.h"
#include "exec/host/host_memory.h"
#include "exec/host/refused_handle.h"
#include "exec/host/spent_memory.h"
#include "exec/object/objects_life.h"
#include "exec/record/bind_group.h"
#include "exec/record/dummy.h"
#include "exec/record/query_recording.h"
#include "exec/submit/exec.h"
#include "exec/submit/slice.h"

/* ---- Stages ------------------------------------------------------------------------------------------- */

static bool clear_shaders(struct ag_exec *exec, size_t *cursor)
{
    return ag_binder_clear_part(&exec->binder, cursor);
}

static bool free_contexts(struct ag_exec *exec, size_t *cursor)
{
    (void)cursor;
    return ag_contexts_free_part(&exec->binder);
}

static bool free_objects(struct ag_exec *exec, size_t *cursor)
{
    (void)cursor;
    return ag_objects_free_part(&exec->objects);
}

static bool forget_handles(struct ag_exec *exec, size_t *cursor)
{
    return ag_refused_handles_clear_part(&exec->host, cursor);
}

/* Each frees a part, and returns false when nothing was left for it. */
static bool (*const stages[])(struct ag_exec *exec, size_t *cursor) = {
    clear_shaders,
    free_contexts,
    free_objects,
    forget_handles,
};

/* ---- Bytes -------------------------------------------------------------------------------------------- */

bool ag_clearing_take(struct ag_exec *exec, const struct ag_left_bytes *bytes)
{
    return ag_vec_push(&exec->clearing.bytes, *bytes);
}

/* Frees a part of what is spent, or of the bytes of a submission. False when there is nothing of either. */
static bool free_bytes(struct ag_exec *exec)
{
    struct ag_clearing *const clearing = &exec->clearing;
    struct ag_spent_memory *const spent = &exec->host.spent;
    if (ag_spent_memory_free_part(spent))
        return true;
    if (clearing->bytes.count == 0)
        return false;
    struct ag_left_bytes *const left = &clearing->bytes.data[clearing->bytes.count - 1];
    if (left->stream || left->allocations.entries) {
        ag_spent_memory_add(spent, left->stream, left->stream_size);
        ag_guest_allocations_spend(&left->allocations, spent);
        left->stream = NULL;
        return true;
    }
    ag_host_memory_give(&exec->host, left->account, left->host_bytes);
    if (--clearing->bytes.count == 0)
        ag_vec_fini(&clearing->bytes);
    return true;
}

/* ---- Clearing ----------------------------------------------------------------------------------------- */

void ag_clearing_begin(struct ag_exec *exec, bool is_reset)
{
    ag_kept_draw_drop(&exec->drawer);
    ag_queries_clear(&exec->recorder);
    ag_bind_groups_clear(&exec->recorder);
    ag_dummy_target_drop(&exec->recorder); /* a guest's draw was charged for it */
    exec->clearing.is_reset |= is_reset;
    if (exec->clearing.goes_on) /* since an earlier reset or loss; no stream has run, and nothing was made */
        return;
    ag_objects_leave(&exec->objects);
    exec->clearing.goes_on = true;
    exec->clearing.stage = 0;
    exec->clearing.cursor = 0;
}

bool ag_clearing_step(struct ag_exec *exec)
{
    struct ag_clearing *const clearing = &exec->clearing;
    if (!clearing->goes_on)
        return false;
    ag_spent_memory_note_small(&exec->host.spent);
    if (free_bytes(exec)) /* what stages leave is freed before there is more of it */
        return true;
    if (stages[clearing->stage](exec, &clearing->cursor))
        return true;
    clearing->cursor = 0;
    clearing->goes_on = ++clearing->stage < AG_COUNT_OF(stages);
    if (clearing->goes_on)
        return true;
    if (clearing->is_reset)
        ag_accounts_forget_peaks(&exec->host.accounts);
    clearing->is_reset = false;
    return true;
}

void ag_clearing_continue(struct ag_exec *exec)
{
    while (!exec->slice.over && ag_clearing_step(exec))
        ag_slice_work(&exec->slice, 1);
}

void ag_clearing_finish(struct ag_exec *exec)
{
    while (ag_clearing_step(exec))
        continue;
}
