/* SPDX-License-Identifier: MIT */
#include "exec/record/encoder.h"

#include "base/vec.h"
#include "exec/host/host.h"
#include "exec/host/report.h"
#include "exec/object/resource.h"
#include "exec/record/pass.h"
#include "exec/record/recorder.h"
#include "exec/record/throttle.h"
#include "gpu/webgpu.h"

static void open_encoder(struct ag_recorder *recorder)
{
    if (!recorder->encoder)
        recorder->encoder = wgpuDeviceCreateCommandEncoder(recorder->host->device, NULL);
}

WGPUCommandEncoder ag_recorder_encoder(struct ag_recorder *recorder)
{
    ag_pass_end(recorder);
    open_encoder(recorder);
    return recorder->encoder;
}

WGPUCommandEncoder ag_recorder_ahead_encoder(struct ag_recorder *recorder)
{
    if (!recorder->pass.encoder)
        return ag_recorder_encoder(recorder);
    if (!recorder->before)
        recorder->before = wgpuDeviceCreateCommandEncoder(recorder->host->device, NULL);
    return recorder->before;
}

WGPUCommandEncoder ag_recorder_upload_encoder(struct ag_recorder *recorder,
                                              const struct ag_resource *resource)
{
    bool used =
        resource->used_in == recorder->encoder_number && resource->used_by >= recorder->pass.first_draw;
    return used ? ag_recorder_encoder(recorder) : ag_recorder_ahead_encoder(recorder);
}

/* Without memory for the list the commands are lost, which is an error of the submission. */
void ag_recorder_finish(struct ag_recorder *recorder, WGPUCommandEncoder *encoder)
{
    if (!*encoder)
        return;
    WGPUCommandBuffer commands = wgpuCommandEncoderFinish(*encoder, NULL);
    wgpuCommandEncoderRelease(*encoder);
    *encoder = NULL;
    if (ag_vec_push(&recorder->recorded, commands))
        return;
    ag_host_no_memory(recorder->host);
    wgpuCommandBufferRelease(commands);
}

void ag_recorder_split(struct ag_recorder *recorder)
{
    ag_recorder_finish(recorder, &recorder->before);
    ag_recorder_finish(recorder, &recorder->encoder);
    open_encoder(recorder);
}

bool ag_recorder_keep_until_flush(struct ag_recorder *recorder, WGPUBuffer buffer)
{
    if (!ag_vec_push(&recorder->kept, buffer)) {
        ag_host_no_memory(recorder->host);
        return false;
    }
    ag_throttle_add_bytes(recorder, wgpuBufferGetSize(buffer));
    return true;
}

WGPUBuffer ag_recorder_scratch_buffer(struct ag_recorder *recorder, uint64_t size, WGPUBufferUsage usage)
{
    WGPUBuffer buffer = ag_host_create_buffer(recorder->host, size, usage);
    if (ag_recorder_keep_until_flush(recorder, buffer))
        return buffer;
    wgpuBufferRelease(buffer);
    return NULL;
}
