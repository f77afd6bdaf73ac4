/* SPDX-License-Identifier: MIT */
#include "exec/draw/work_limits.h"

#include <inttypes.h>

#include "aerogpu/diag.h"
#include "aerogpu/executor.h"
#include "exec/bind/draw_call.h"
#include "exec/draw/dispatch.h"
#include "exec/draw/drawer.h"
#include "exec/host/outcome.h"
#include "exec/host/report.h"
#include "exec/record/bind_group.h"
#include "exec/record/encoder.h"
#include "gpu/webgpu.h"
#include "kernel/kernel.h"

static bool is_bounded(const struct ag_drawer *drawer)
{
    return drawer->work_budget != AGPU_NO_WORK_BUDGET;
}

bool ag_work_limits_admit(const struct ag_drawer *drawer, uint64_t vertices)
{
    return !is_bounded(drawer) || vertices <= drawer->work_budget;
}

/* The most thread groups of this size within the budget. */
static uint32_t most_groups(const struct ag_drawer *drawer, const uint32_t thread_group[3])
{
    const uint64_t threads = (uint64_t)thread_group[0] * thread_group[1] * thread_group[2];
    return (uint32_t)(drawer->work_budget / (threads ? threads : 1));
}

enum ag_outcome ag_work_limits_check_draw(struct ag_drawer *drawer, const struct ag_draw *draw)
{
    if (ag_work_limits_admit(drawer, (uint64_t)draw->count * draw->instance_count))
        return AG_DONE;
    return ag_host_skip_refused(drawer->host, AGPU_DIAG_EXEC_WORK,
                                "a draw of %" PRIu32 " vertices in %" PRIu32
                                " instances is skipped: the budget is %" PRIu32 " vertices",
                                draw->count, draw->instance_count, drawer->work_budget);
}

enum ag_outcome ag_work_limits_check_dispatch(struct ag_drawer *drawer, const uint32_t groups[3],
                                              const uint32_t thread_group[3])
{
    const uint64_t plane = (uint64_t)groups[0] * groups[1];
    const uint32_t most = most_groups(drawer, thread_group);
    if (!is_bounded(drawer) || groups[2] == 0 || plane <= most / groups[2])
        return AG_DONE;
    return ag_host_skip_refused(drawer->host, AGPU_DIAG_EXEC_WORK,
                                "a dispatch of %" PRIu32 "x%" PRIu32 "x%" PRIu32
                                " groups is skipped: the budget is %" PRIu32 " threads",
                                groups[0], groups[1], groups[2], drawer->work_budget);
}

/* D3D11_CS_DISPATCH_MAX_THREAD_GROUPS_PER_DIMENSION */
#define MOST_GROUPS_OF_DIMENSION 65535

/* The check of an indirect dispatch, on the GPU. With each dimension in its limit, x * y fits 32 bits. */
static const char kernel[] = "struct Bound { most_groups: u32, most_of_dimension: u32, unused: vec2<u32> }\n"
                             "@group(0) @binding(0) var<uniform> bound: Bound;\n"
                             "@group(0) @binding(1) var<storage, read_write> groups: array<u32, 3>;\n"
                             "\n"
                             "@compute @workgroup_size(1)\n"
                             "fn main() {\n"
                             "    let x = groups[0];\n"
                             "    let y = groups[1];\n"
                             "    let z = groups[2];\n"
                             "    if (max(x, max(y, z)) > bound.most_of_dimension ||\n"
                             "        (z != 0u && x * y > bound.most_groups / z)) { groups[0] = 0u; }\n"
                             "}\n";

enum ag_outcome ag_work_limits_bound_indirect(struct ag_drawer *drawer, WGPUBuffer arguments,
                                              const uint32_t thread_group[3])
{
    const struct ag_kernel_desc desc = {
        .label = "work",
        .wgsl = kernel,
        .wgsl_length = sizeof kernel - 1,
        .binding_count = 2,
        .written = 1u << 1,
        .block_bytes = 16,
        .entries = {"main"},
    };
    if (!is_bounded(drawer))
        return AG_DONE;
    const uint32_t block[4] = {most_groups(drawer, thread_group), MOST_GROUPS_OF_DIMENSION};
    struct ag_kernel_run run = {
        .kernel = ag_bind_kernel_make(drawer->recorder, &drawer->work_bounder, &desc),
        .block = block,
        .block_bytes = sizeof block,
        .ranges = {[1] = {.buffer = arguments, .size = AG_DISPATCH_ARGUMENT_BYTES}},
        .invocations = 1,
    };
    return ag_bind_kernel_run(drawer->recorder, ag_recorder_encoder(drawer->recorder), &run)
               ? AG_DONE
               : AG_OUT_OF_MEMORY;
}
