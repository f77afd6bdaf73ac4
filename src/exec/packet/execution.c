/* SPDX-License-Identifier: MIT */
#include "exec/packet/execution.h"

#include "aerogpu/abi/cmd.h"
#include "exec/bind/index_scan.h"
#include "exec/expand/draw.h"
#include "exec/host/host.h"
#include "exec/host/outcome.h"
#include "gpu/gpu.h"

void ag_execution_wait_for_bytes(struct ag_execution *execution, const struct ag_readback *readback)
{
    execution->wait = (struct ag_wait){.readback = readback, .again = true};
}

void ag_execution_wait_for_work(struct ag_execution *execution)
{
    execution->wait = (struct ag_wait){.serial = ag_gpu_signal(execution->host->gpu), .again = true};
}

bool ag_execution_scans_indices(struct ag_execution *execution)
{
    if (ag_index_scan_ahead(execution->context))
        return false;
    ag_progress_pause(&execution->progress, 1);
    return true;
}

enum agpu_status ag_execution_draw(struct ag_execution *execution, const struct aerogpu_cmd_draw *wire)
{
    const struct ag_draw draw = {
        .count = wire->vertex_count,
        .instance_count = wire->instance_count,
        .first = wire->first_vertex,
        .first_instance = wire->first_instance,
    };
    return ag_outcome_status(ag_draw(execution->expander, execution->context, &draw));
}

enum agpu_status ag_execution_draw_indexed(struct ag_execution *execution, const struct ag_draw *draw)
{
    const enum ag_outcome outcome = ag_draw(execution->expander, execution->context, draw);
    ag_effort_add(&execution->host->effort, ag_index_scan_effort(execution->context));
    return ag_outcome_status(outcome);
}
