/* SPDX-License-Identifier: MIT
 *
 * The memory and the kernels of expanded draws: a buffer for each purpose, which grows when a draw wants
 * more. Passes run one after another, so all draws could share one set of buffers. There are more, so that
 * small draws that follow each other share a render pass: the compute passes of each go ahead of it, and what
 * they make waits in a set of its own.
 */
#ifndef AGPU_EXEC_EXPAND_POOL_H
#define AGPU_EXEC_EXPAND_POOL_H

#include "exec/bind.h"
#include "expand/lists.h"
#include "expand/plan.h"

#define AGPU_EXPAND_SETS 8

struct agpu_expand_pool {
    struct {
        WGPUBuffer gpu;
        uint64_t id, size;
    } sets[AGPU_EXPAND_SETS][AGPU_EXPAND_BUFFER_COUNT];
    uint32_t set; /* of the current draw; the open pass reads none of those behind it */
    bool has_kernels, has_tessellator;
    struct agpu_assembly_kernels assembly;
    struct agpu_emission_kernels emission;
    struct agpu_list_kernels lists;
    struct agpu_tessellator tessellator;
};

/* The kernels, made when they are first needed. */
const struct agpu_assembly_kernels *agpu_expand_pool_assembly(struct agpu_exec *exec);

/* Makes room for the plan's buffers, and the kernels when they are first needed. Ends the open pass when it
 * reads what is to be written, or when the draw is to be `alone`. False when it was reported. */
bool agpu_expand_pool_reserve(struct agpu_exec *exec, const struct agpu_expand_plan *plan, bool tessellates,
                              bool alone);
void agpu_expand_pool_fini(struct agpu_exec *exec);

/* A whole buffer, for a kernel and for a shader. */
struct agpu_buffer_range agpu_expand_pool_range(const struct agpu_exec *exec, enum agpu_expand_buffer buffer);
struct agpu_bind_item agpu_expand_pool_item(const struct agpu_exec *exec, enum agpu_expand_buffer buffer);

#endif
