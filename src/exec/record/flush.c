/* SPDX-License-Identifier: MIT */
#include "exec/record/flush.h"

#include "exec/host/host.h"
#include "exec/record/bind_group.h"
#include "exec/record/encoder.h"
#include "exec/record/pass.h"
#include "exec/record/recorder.h"
#include "exec/record/throttle.h"
#include "exec/record/upload_ring.h"
#include "gpu/gpu.h"
#include "gpu/webgpu.h"

/* Submits the command buffers, those behind a null one on their own. */
static void submit(struct ag_recorder *recorder)
{
    const WGPUCommandBuffer *commands = recorder->recorded.data;
    const size_t count = recorder->recorded.count;
    for (size_t first = 0, end; first < count; first = end + 1) {
        for (end = first; end < count && commands[end]; end++)
            ;
        if (end > first)
            wgpuQueueSubmit(recorder->host->queue, end - first, commands + first);
    }
    ag_recorder_drop(recorder);
}

void ag_recorder_flush(struct ag_recorder *recorder)
{
    ag_pass_settle_all(recorder);
    ag_pass_end(recorder);
    ag_recorder_finish(recorder, &recorder->ahead_encoder);
    ag_recorder_finish(recorder, &recorder->encoder);
    recorder->flushed_serial = 0;
    if (recorder->recorded.count) {
        ag_upload_ring_flush(recorder);
        recorder->host->deletes_objects |= recorder->host->released_objects;
        recorder->host->released_objects = false;
        submit(recorder);
        recorder->flushed_serial = ag_gpu_signal(recorder->host->gpu);
        ag_upload_ring_submitted(recorder, recorder->flushed_serial);
        ag_throttle_submitted(recorder, recorder->flushed_serial);
    } else if (ag_throttle_holds(recorder)) { /* the queue writes, or buffers were made for no command */
        recorder->flushed_serial = ag_gpu_signal(recorder->host->gpu);
        ag_throttle_submitted(recorder, recorder->flushed_serial);
    }
    ag_throttle_dropped(recorder); /* bind groups may have been made for no command */
    for (size_t i = 0; i < recorder->scratch_buffers.count; i++)
        wgpuBufferRelease(recorder->scratch_buffers.data[i]);
    recorder->scratch_buffers.count = 0;
    recorder->encoder_number++;
    ag_bind_groups_trim(recorder);
}

void ag_throttle_limit(struct ag_recorder *recorder)
{
    if (ag_throttle_open_is_full(recorder))
        ag_recorder_flush(recorder);
}

bool ag_throttle_admits(struct ag_recorder *recorder)
{
    if (!recorder->throttle.grew)
        return true;
    ag_throttle_limit(recorder);
    recorder->throttle.grew = !ag_throttle_has_room(recorder);
    return !recorder->throttle.grew;
}
