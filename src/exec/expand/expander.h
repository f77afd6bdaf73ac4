/* SPDX-License-Identifier: MIT
 *
 * Draws with stages that WebGPU does not have: how they are cut into parts, and the memory that the compute
 * passes of the parts share. The kernels and sizes are those of the layer `kernel`.
 */
#ifndef AG_EXEC_EXPAND_EXPANDER_H
#define AG_EXEC_EXPAND_EXPANDER_H

#include <stdbool.h>
#include <stdint.h>

#include "gpu/webgpu.h"
#include "kernel/emission.h"
#include "kernel/lists.h"
#include "kernel/plan.h"
#include "kernel/tessellator.h"

struct ag_binder;
struct ag_blitter;
struct ag_copier;
struct ag_drawer;
struct ag_host;
struct ag_objects;
struct ag_recorder;

#define AG_EXPAND_SETS 8

struct ag_expand_pool {
    struct {
        WGPUBuffer gpu;
        uint64_t id, size;
    } sets[AG_EXPAND_SETS][AG_EXPAND_BUFFER_COUNT];
    uint32_t set; /* of the current draw; the open pass reads none of those behind it */
    bool has_kernels, has_tessellator;
    struct ag_emission_kernels emission;
    struct ag_list_kernels lists;
    struct ag_tessellator tessellator;
};

struct ag_expander {
    struct ag_host *host;
    struct ag_objects *objects;
    struct ag_recorder *recorder;
    struct ag_blitter *blitter;
    struct ag_copier *copier;
    struct ag_binder *binder;
    struct ag_drawer *drawer;

    struct ag_expand_pool expand_pool;
};

#endif
