/* SPDX-License-Identifier: MIT */
#include "exec/load.h"

#include <string.h>

#include "exec/exec.h"

/* lavapipe maps memory for each group and dies near 65,000 mappings of the process. Submissions are executed
 * one after another, so that moves add up in one only. */
static const struct ag_load most_open = {.groups = 4096, .moves = 2048, .bytes = UINT64_C(256) << 20};
static const struct ag_load most_in_flight = {
    .groups = 8192, .moves = UINT64_MAX, .bytes = UINT64_C(512) << 20};

static bool is_below(struct ag_load load, const struct ag_load *most)
{
    return load.groups < most->groups && load.moves < most->moves && load.bytes < most->bytes;
}

static struct ag_load sum(const struct ag_load *a, const struct ag_load *b)
{
    return (struct ag_load){a->groups + b->groups, a->moves + b->moves, a->bytes + b->bytes};
}

void ag_load_add_group(struct ag_exec *exec)
{
    struct ag_loads *loads = &exec->load;
    const uint64_t groups = ++loads->open.groups + loads->in_flight.groups;
    exec->counts.bind_groups_created++;
    if (groups > exec->counts.bind_groups_in_flight)
        exec->counts.bind_groups_in_flight = groups;
}

void ag_load_add_binding(struct ag_exec *exec, uint32_t offset_count)
{
    exec->load.open.moves += offset_count != 0;
}

void ag_load_add_bytes(struct ag_exec *exec, uint64_t bytes)
{
    struct ag_loads *loads = &exec->load;
    loads->open.bytes += bytes;
    if (loads->open.bytes + loads->in_flight.bytes > exec->counts.scratch_bytes_in_flight)
        exec->counts.scratch_bytes_in_flight = loads->open.bytes + loads->in_flight.bytes;
}

static void drop_finished(struct ag_exec *exec)
{
    struct ag_loads *loads = &exec->load;
    const uint64_t completed = ag_gpu_completed_serial(exec->gpu);
    uint32_t done = 0;
    while (done < loads->submitted_count && loads->submitted[done].serial <= completed) {
        loads->in_flight.groups -= loads->submitted[done].load.groups;
        loads->in_flight.moves -= loads->submitted[done].load.moves;
        loads->in_flight.bytes -= loads->submitted[done].load.bytes;
        done++;
    }
    loads->submitted_count -= done;
    memmove(loads->submitted, loads->submitted + done, loads->submitted_count * sizeof loads->submitted[0]);
}

void ag_load_limit(struct ag_exec *exec)
{
    if (!is_below(exec->load.open, &most_open))
        ag_exec_flush(exec);
}

bool ag_load_admits(struct ag_exec *exec)
{
    const struct ag_loads *loads = &exec->load;
    ag_load_limit(exec);
    if (is_below(sum(&loads->open, &loads->in_flight), &most_in_flight))
        return true;
    drop_finished(exec);
    return is_below(sum(&loads->open, &loads->in_flight), &most_in_flight);
}

uint64_t ag_load_first(const struct ag_exec *exec)
{
    return exec->load.submitted_count ? exec->load.submitted[0].serial : 0;
}

void ag_load_submitted(struct ag_exec *exec, uint64_t serial)
{
    struct ag_loads *loads = &exec->load;
    drop_finished(exec);
    if (loads->submitted_count < AG_MAX_SUBMITTED_LOADS) {
        loads->submitted[loads->submitted_count].load = (struct ag_load){0};
        loads->submitted_count++;
    }
    struct ag_load *last = &loads->submitted[loads->submitted_count - 1].load;
    *last = sum(last, &loads->open);
    loads->submitted[loads->submitted_count - 1].serial = serial;
    loads->in_flight = sum(&loads->in_flight, &loads->open);
    loads->open = (struct ag_load){0};
}

void ag_load_dropped(struct ag_exec *exec)
{
    exec->load.open = (struct ag_load){0};
}
