/* SPDX-License-Identifier: MIT
 *
 * The drawer: draws with WebGPU's own stages, dispatches, and what expanded draws share with them: indices,
 * vertices, attachments, stream output, statistics and limits of work. The executor owns the only struct
 * ag_drawer; expand calls its functions for draws, packet handlers for dispatches. Kernels and buffers are
 * made on their first use and belong to the WebGPU device.
 */
#ifndef AG_EXEC_DRAW_DRAWER_H
#define AG_EXEC_DRAW_DRAWER_H

#include <stdbool.h>
#include <stdint.h>

#include "gpu/webgpu.h"
#include "kernel/assembly.h"
#include "kernel/kernel.h"
#include "kernel/stream_output.h"

struct ag_binder;
struct ag_blitter;
struct ag_copier;
struct ag_host;
struct ag_kept_draw;
struct ag_objects;
struct ag_recorder;

struct ag_pulled_vertices;

/* The buffer of pulled vertices (vertex_pull.h). Draws of the open pass have parts of the buffer, of their
 * own or the same. */
struct ag_vertex_arena {
    WGPUBuffer gpu;
    uint64_t id, size, used;
    uint64_t fillings; /* counts how often the arena was filled from its begin on */
    /* What parts of the arena hold: AG_PULLED_VERTICES of them, in turn; null before the first. */
    struct ag_pulled_vertices *pulled;
    uint32_t turn;
    bool is_off; /* every draw pulls its vertices: for tests, which compare both ways */
};

struct ag_drawer {
    struct ag_host *host;
    struct ag_objects *objects;
    struct ag_recorder *recorder;
    struct ag_blitter *blitter;
    struct ag_copier *copier;
    struct ag_binder *binder;

    /* Limits of work (work_limits.h): agpu_executor_options.work_budget, and a kernel for indirect
     * dispatches. */
    uint32_t work_budget;
    struct ag_kernel work_bounder;

    /* Vertices and indices: pulled vertices, and the kernels of input assembly. */
    struct ag_vertex_arena vertices;
    struct ag_assembly_kernels assembly;

    uint64_t texels; /* that a primitive of the draw being recorded may cover, of all samples */

    struct ag_kept_draw *kept; /* what the last plain draw was prepared into; the executor's */

    /* Stream output (stream_output.h): the kernels, and how far the buffers of the draw being recorded are
     * filled. */
    struct ag_stream_output_kernels stream_output;
    WGPUBuffer stream_output_state;
    uint64_t stream_output_state_id;
};

#endif
