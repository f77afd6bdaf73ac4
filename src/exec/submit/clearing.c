/* SPDX-License-Identifier: MIT */
#include "exec/submit/clearing.h"

#include "base/bytes.h"
#include "exec/bind/binder_life.h"
#include "exec/bind/context_set.h"
#include "exec/draw/kept_draw.h"
#include "exec/host/account.h"
#include "exec/host/refused_handle.h"
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

/* ---- Clearing ----------------------------------------------------------------------------------------- */

void ag_clearing_begin(struct ag_exec *exec, bool is_reset)
{
    ag_kept_draw_drop(&exec->drawer);
    ag_queries_clear(&exec->recorder);
    ag_bind_groups_clear(&exec->recorder);
    ag_dummy_target_drop(&exec->recorder); /* a guest's draw was charged for it */
    if (exec->clearing.goes_on) /* since an earlier reset; no stream has run, and nothing was made */
        return;
    ag_objects_leave(&exec->objects);
    exec->clearing = (struct ag_clearing){.goes_on = true, .is_reset = is_reset};
}

bool ag_clearing_step(struct ag_exec *exec)
{
    struct ag_clearing *const clearing = &exec->clearing;
    if (!clearing->goes_on)
        return false;
    ag_spent_memory_note_small(&exec->host.spent);
    if (stages[clearing->stage](exec, &clearing->cursor))
        return true;
    clearing->cursor = 0;
    clearing->goes_on = ++clearing->stage < AG_COUNT_OF(stages);
    if (!clearing->goes_on && clearing->is_reset)
        ag_accounts_forget_peaks(&exec->host.accounts);
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
