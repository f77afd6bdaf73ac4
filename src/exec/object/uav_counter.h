/* SPDX-License-Identifier: MIT
 *
 * UAV counters: the hidden counter of an append, consume or counter view. Views own them, and so do buffers,
 * for packets that bind without views.
 */
#ifndef AG_EXEC_OBJECT_UAV_COUNTER_H
#define AG_EXEC_OBJECT_UAV_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

#include "gpu/webgpu.h"

struct ag_uav_counter {
    WGPUBuffer gpu; /* of four bytes; null while the GPU has not counted */
    /* The count to begin with, which the next use stores in the WebGPU buffer while `is_set`. */
    uint32_t value;
    bool is_set;
};

#define AG_UAV_COUNTER_KEEP UINT32_MAX /* as an initial count: the counter keeps its value */

/* Sets the counter for the next use, unless the count is AG_UAV_COUNTER_KEEP. */
void ag_uav_counter_set(struct ag_uav_counter *counter, uint32_t initial_count);

/* Releases the WebGPU buffer and resets the counter to 0. */
void ag_uav_counter_fini(struct ag_uav_counter *counter);

#endif
