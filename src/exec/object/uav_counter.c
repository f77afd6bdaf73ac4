/* SPDX-License-Identifier: MIT */
#include "exec/object/uav_counter.h"

#include "gpu/webgpu.h"

void ag_uav_counter_set(struct ag_uav_counter *counter, uint32_t initial_count)
{
    if (initial_count == AG_UAV_COUNTER_KEEP)
        return;
    counter->value = initial_count;
    counter->is_set = true;
}

void ag_uav_counter_fini(struct ag_uav_counter *counter)
{
    if (counter->gpu)
        wgpuBufferRelease(counter->gpu);
    *counter = (struct ag_uav_counter){0};
}
