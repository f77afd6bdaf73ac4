/* SPDX-License-Identifier: MIT */
#include "exec/ring.h"

#include <string.h>

#include "exec/exec.h"

/* Ids of ring buffers are their addresses, set apart from the counted ones: cached bind groups keep a buffer
 * alive, so that its address cannot become another's while they exist. */
#define RING_ID (UINT64_C(1) << 63)

bool agpu_ring_init(struct agpu_exec *exec)
{
    const struct agpu_frame_ring_options options = {
        .usage = WGPUBufferUsage_Uniform | WGPUBufferUsage_Storage | WGPUBufferUsage_Vertex |
                 WGPUBufferUsage_Index | WGPUBufferUsage_CopySrc,
        .limit_bytes = UINT64_C(1) << 30,
        .alignment = AGPU_RING_ALIGNMENT,
        .label = "executor ring",
    };
    exec->ring.epoch = 1;
    exec->ring.frames = agpu_frame_ring_create(exec->gpu, &options);
    return exec->ring.frames != NULL;
}

void agpu_ring_fini(struct agpu_exec *exec)
{
    agpu_frame_ring_destroy(exec->ring.frames);
    exec->ring.frames = NULL;
}

bool agpu_ring_alloc(struct agpu_exec *exec, uint64_t size, struct agpu_ring_slice *slice)
{
    struct agpu_frame_slice frame;
    if (!agpu_frame_ring_alloc(exec->ring.frames, size ? size : 4, &frame)) {
        agpu_exec_report(exec, AGPU_DIAG_GPU_OUT_OF_MEMORY, AGPU_ERROR, "the frame ring has no room");
        return false;
    }
    memset(frame.data, 0, frame.size);
    *slice = (struct agpu_ring_slice){frame.buffer, RING_ID | (uint64_t)(uintptr_t)frame.buffer, frame.offset,
                                      frame.data};
    exec->counts.constant_bytes += frame.size;
    return true;
}

void agpu_ring_flush(struct agpu_exec *exec)
{
    agpu_frame_ring_flush(exec->ring.frames);
    exec->ring.epoch++;
}

void agpu_ring_submitted(struct agpu_exec *exec, uint64_t serial)
{
    agpu_frame_ring_submitted(exec->ring.frames, serial);
}
