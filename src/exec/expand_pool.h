/* SPDX-License-Identifier: MIT
 *
 * The memory and the kernels of expanded draws. Passes of one encoder run one after another, so all draws
 * share one buffer for each purpose; it grows when a draw wants more.
 */
#ifndef AGPU_EXEC_EXPAND_POOL_H
#define AGPU_EXEC_EXPAND_POOL_H

#include "exec/bind.h"
#include "expand/lists.h"
#include "expand/plan.h"

struct agpu_expand_pool {
    struct {
        WGPUBuffer gpu;
        uint64_t id, size;
    } buffers[AGPU_EXPAND_BUFFER_COUNT];
    bool has_kernels, has_tessellator;
    struct agpu_assembly_kernels assembly;
    struct agpu_emission_kernels emission;
    struct agpu_list_kernels lists;
    struct agpu_tessellator tessellator;
};

/* The kernels, made when they are first needed. */
const struct agpu_assembly_kernels *agpu_expand_pool_assembly(struct agpu_exec *exec);

/* Makes room for the plan's buffers, and the kernels when they are first needed. False when it was reported.
 */
bool agpu_expand_pool_reserve(struct agpu_exec *exec, const struct agpu_expand_plan *plan, bool tessellates);
void agpu_expand_pool_fini(struct agpu_exec *exec);

/* A whole buffer, for a kernel and for a shader. */
struct agpu_buffer_range agpu_expand_pool_range(const struct agpu_exec *exec, enum agpu_expand_buffer buffer);
struct agpu_bind_item agpu_expand_pool_item(const struct agpu_exec *exec, enum agpu_expand_buffer buffer);

#endif
