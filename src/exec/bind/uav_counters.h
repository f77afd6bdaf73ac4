/* SPDX-License-Identifier: MIT
 *
 * UAV counters around a draw or dispatch. A shader has the counters of all its slots in one buffer; between
 * draws, each counter belongs to its view or buffer (D3D11.3 5.3.10).
 */
#ifndef AG_EXEC_BIND_UAV_COUNTERS_H
#define AG_EXEC_BIND_UAV_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>

#include "aerogpu/dxbc.h"
#include "gpu/webgpu.h"

struct ag_bind_item;
struct ag_binder;
struct ag_context;
struct ag_uav_counter;

/* The counters of a stage's slots, as one buffer. Around a draw or dispatch that uses them: after
 * binding and before recording, and after recording. */
void ag_uav_counters_bind(struct ag_binder *binder, struct ag_bind_item *item);
/* `counted`: bit n, u# n counts. False when memory is exhausted (reported). */
bool ag_uav_counters_load(struct ag_binder *binder, struct ag_context *context, enum agpu_stage stage,
                          uint64_t counted);
void ag_uav_counters_store(struct ag_binder *binder, struct ag_context *context, enum agpu_stage stage,
                           uint64_t counted);
/* Records its value into a buffer's word. False when memory is exhausted (reported). */
bool ag_uav_counter_copy(struct ag_binder *binder, const struct ag_uav_counter *counter, WGPUBuffer to,
                         uint64_t offset);

#endif
