/* SPDX-License-Identifier: MIT */
#include "exec/record/upload_ring.h"

#include <string.h>

#include "aerogpu/diag.h"
#include "base/bytes.h"
#include "exec/host/host.h"
#include "exec/host/report.h"
#include "exec/record/recorder.h"
#include "exec/record/throttle.h"
#include "gpu/frame_ring.h"
#include "gpu/webgpu.h"

/* The processor's caches have lines of so many bytes. */
#define LEAST_ALIGNMENT 64u

static uint32_t alignment_of(const WGPULimits *limits)
{
    const uint32_t uniform = limits->minUniformBufferOffsetAlignment,
                   storage = limits->minStorageBufferOffsetAlignment;
    const uint32_t most = uniform > storage ? uniform : storage;
    return most > LEAST_ALIGNMENT ? most : LEAST_ALIGNMENT;
}

static struct ag_frame_ring *create(struct ag_recorder *recorder)
{
    const struct ag_frame_ring_options options = {
        .usage = WGPUBufferUsage_Uniform | WGPUBufferUsage_Storage | WGPUBufferUsage_Vertex |
                 WGPUBufferUsage_Index | WGPUBufferUsage_CopySrc,
        .limit_bytes = UINT64_C(1) << 30,
        .alignment = alignment_of(&recorder->host->limits),
        .label = "upload ring",
    };
    return ag_frame_ring_create(recorder->host->gpu, &options);
}

static void use(struct ag_recorder *recorder, struct ag_frame_ring *frames)
{
    recorder->ring.frames = frames;
    recorder->ring.window = ag_frame_ring_window(frames);
    recorder->ring.alignment = alignment_of(&recorder->host->limits);
}

bool ag_upload_ring_init(struct ag_recorder *recorder)
{
    recorder->ring.epoch++;
    struct ag_frame_ring *frames = create(recorder);
    if (frames)
        use(recorder, frames);
    return frames != NULL;
}

void ag_upload_ring_renew(struct ag_recorder *recorder)
{
    struct ag_frame_ring *frames = create(recorder);
    if (!frames) /* the old memory serves on */
        return;
    ag_frame_ring_destroy(recorder->ring.frames);
    use(recorder, frames);
    recorder->ring.epoch++;
}

void ag_upload_ring_fini(struct ag_recorder *recorder)
{
    ag_frame_ring_destroy(recorder->ring.frames);
    recorder->ring.frames = NULL;
    recorder->ring.window = NULL;
}

bool ag_upload_ring_go_on(struct ag_recorder *recorder, uint64_t size, struct ag_upload_slice *slice)
{
    struct ag_frame_slice frame;
    if (!ag_frame_ring_alloc(recorder->ring.frames, size ? size : 4, &frame)) {
        ag_host_report(recorder->host, AGPU_DIAG_GPU_OUT_OF_MEMORY, AGPU_ERROR, "the frame ring has no room");
        return false;
    }
    ag_upload_ring_count(recorder, &frame, slice);
    return true;
}

bool ag_upload_ring_alloc(struct ag_recorder *recorder, uint64_t size, struct ag_upload_slice *slice)
{
    if (!ag_upload_ring_alloc_raw(recorder, size, slice))
        return false;
    memset(slice->bytes, 0, (size_t)ag_align_up(size ? size : 4, 4));
    return true;
}

void ag_upload_ring_flush(struct ag_recorder *recorder)
{
    ag_frame_ring_flush(recorder->ring.frames);
    recorder->ring.epoch++;
}

void ag_upload_ring_submitted(struct ag_recorder *recorder, uint64_t serial)
{
    ag_frame_ring_submitted(recorder->ring.frames, serial);
}
