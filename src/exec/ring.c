/* SPDX-License-Identifier: MIT */
#include "exec/ring.h"

#include <string.h>

#include "exec/exec.h"

/* Ids of ring buffers are their addresses, set apart from the counted ones: cached bind groups keep a buffer
 * alive, so that its address cannot become another's while they exist. */
#define RING_ID (UINT64_C(1) << 63)

bool ag_ring_init(struct ag_exec *exec)
{
    const struct ag_frame_ring_options options = {
        .usage = WGPUBufferUsage_Uniform | WGPUBufferUsage_Storage | WGPUBufferUsage_Vertex |
                 WGPUBufferUsage_Index | WGPUBufferUsage_CopySrc,
        .limit_bytes = UINT64_C(1) << 30,
        .alignment = AG_RING_ALIGNMENT,
        .label = "executor ring",
    };
    exec->ring.epoch = 1;
    exec->ring.frames = ag_frame_ring_create(exec->gpu, &options);
    return exec->ring.frames != NULL;
}

void ag_ring_fini(struct ag_exec *exec)
{
    ag_frame_ring_destroy(exec->ring.frames);
    exec->ring.frames = NULL;
}

bool ag_ring_alloc(struct ag_exec *exec, uint64_t size, struct ag_ring_slice *slice)
{
    struct ag_frame_slice frame;
    if (!ag_frame_ring_alloc(exec->ring.frames, size ? size : 4, &frame)) {
        ag_exec_report(exec, AGPU_DIAG_GPU_OUT_OF_MEMORY, AGPU_ERROR, "the frame ring has no room");
        return false;
    }
    memset(frame.data, 0, frame.size);
    *slice = (struct ag_ring_slice){frame.buffer, RING_ID | (uint64_t)(uintptr_t)frame.buffer, frame.offset,
                                    frame.data};
    exec->counts.constant_bytes += frame.size;
    return true;
}

void ag_ring_flush(struct ag_exec *exec)
{
    ag_frame_ring_flush(exec->ring.frames);
    exec->ring.epoch++;
}

void ag_ring_submitted(struct ag_exec *exec, uint64_t serial)
{
    ag_frame_ring_submitted(exec->ring.frames, serial);
}
