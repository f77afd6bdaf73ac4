/* SPDX-License-Identifier: MIT
 *
 * Draws and dispatches: indices, vertices, targets, stream output and the work that one of them may ask for.
 */
#ifndef AG_EXEC_DRAW_DRAWER_H
#define AG_EXEC_DRAW_DRAWER_H

#include <stdint.h>

#include "gpu/webgpu.h"
#include "kernel/assembly.h"
#include "kernel/kernel.h"
#include "kernel/stream_output.h"

struct ag_binder;
struct ag_blitter;
struct ag_copier;
struct ag_host;
struct ag_objects;
struct ag_recorder;

/* Memory for what the kernel fetches for draws: each draw of the open pass has its own part. */
struct ag_vertex_arena {
    WGPUBuffer gpu;
    uint64_t id, size, used;
};

struct ag_drawer {
    struct ag_host *host;
    struct ag_objects *objects;
    struct ag_recorder *recorder;
    struct ag_blitter *blitter;
    struct ag_copier *copier;
    struct ag_binder *binder;

    uint32_t work_budget; /* as the options have it */

    /* Made when they are first needed. */
    struct ag_kernel work_bounder; /* work_limits.c */
    struct ag_vertex_arena vertices;
    struct ag_assembly_kernels assembly;
    struct ag_stream_output_kernels stream_output;
    WGPUBuffer stream_output_state; /* of the draw being recorded */
    uint64_t stream_output_state_id;
};

#endif
