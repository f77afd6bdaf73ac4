/* SPDX-License-Identifier: MIT
 *
 * Limits of work: the most vertices of a draw and threads of a dispatch (agpu_executor_options.work_budget).
 * WebGPU cannot stop work that runs, and a guest can ask for years of work with four words.
 */
#ifndef AG_EXEC_DRAW_WORK_LIMITS_H
#define AG_EXEC_DRAW_WORK_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

#include "exec/host/outcome.h"
#include "gpu/webgpu.h"

struct ag_draw;
struct ag_drawer;

/* Whether so many vertices that WebGPU is to draw are within the budget. */
bool ag_work_limits_admit(const struct ag_drawer *drawer, uint64_t vertices);

/* AG_SKIPPED when a draw or dispatch is beyond the budget of the executor's options. */
enum ag_outcome ag_work_limits_check_draw(struct ag_drawer *drawer, const struct ag_draw *draw);
enum ag_outcome ag_work_limits_check_dispatch(struct ag_drawer *drawer, const uint32_t groups[3],
                                              const uint32_t thread_group[3]);
/* A dispatch whose arguments only the GPU knows gets no groups when it is beyond the budget; nothing reports
 * that. Where this is not AG_DONE, the dispatch may not be made. */
enum ag_outcome ag_work_limits_bound_indirect(struct ag_drawer *drawer, WGPUBuffer arguments,
                                              const uint32_t thread_group[3]);

#endif
