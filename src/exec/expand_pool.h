/* SPDX-License-Identifier: MIT
 *
 * The memory and the kernels of expanded draws: a buffer for each purpose, which grows when a draw wants
 * more. Passes run one after another, so all draws could share one set of buffers. There are more, so that
 * small draws that follow each other share a render pass: the compute passes of each go ahead of it, and what
 * they make waits in a set of its own.
 */
#ifndef AG_EXEC_EXPAND_POOL_H
#define AG_EXEC_EXPAND_POOL_H

#include "exec/bind.h"
#include "expand/lists.h"
#include "expand/plan.h"
#include "wgsl/expansion.h"

#define AG_EXPAND_SETS 8

struct ag_expand_pool {
    struct {
        WGPUBuffer gpu;
        uint64_t id, size;
    } sets[AG_EXPAND_SETS][AG_EXPAND_BUFFER_COUNT];
    uint32_t set; /* of the current draw; the open pass reads none of those behind it */
    bool has_kernels, has_tessellator;
    struct ag_assembly_kernels assembly;
    struct ag_emission_kernels emission;
    struct ag_list_kernels lists;
    struct ag_tessellator tessellator;
};

/* The kernels, made when they are first needed. */
const struct ag_assembly_kernels *ag_expand_pool_assembly(struct ag_exec *exec);

/* Makes room for the plan's buffers, and the kernels when they are first needed. Ends the open pass when it
 * reads what is to be written, or when the draw is to be `alone`. False when it was reported. */
bool ag_expand_pool_reserve(struct ag_exec *exec, const struct ag_expand_plan *plan, bool tessellates,
                            bool alone);
void ag_expand_pool_fini(struct ag_exec *exec);

/* A whole buffer, for a kernel and for a shader. */
struct ag_buffer_range ag_expand_pool_range(const struct ag_exec *exec, enum ag_expand_buffer buffer);
struct ag_bind_item ag_expand_pool_item(const struct ag_exec *exec, enum ag_expand_buffer buffer);

#endif
