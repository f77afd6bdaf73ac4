/* SPDX-License-Identifier: MIT
 *
 * The counter of an append, consume or counting view.
 */
#ifndef AG_EXEC_OBJECT_UAV_COUNTER_H
#define AG_EXEC_OBJECT_UAV_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

#include "gpu/webgpu.h"

/* The append or consume counter of a buffer. */
struct ag_uav_counter {
    WGPUBuffer gpu; /* four bytes, or null: 0 */
    uint32_t value;
    bool is_set; /* `value` is newer than `gpu` */
};

#define AG_COUNTER_KEEP UINT32_MAX /* an initial count that changes nothing */

void ag_counter_set(struct ag_uav_counter *counter, uint32_t initial_count);
void ag_counter_fini(struct ag_uav_counter *counter);

#endif
