/* SPDX-License-Identifier: MIT */
#include "exec/record/encoder.h"

#include "base/vec.h"
#include "exec/host/host.h"
#include "exec/host/report.h"
#include "exec/object/resource.h"
#include "exec/record/bind_group.h"
#include "exec/record/pass.h"
#include "exec/record/recorder.h"
#include "exec/record/throttle.h"
#include "gpu/gpu.h"
#include "gpu/label.h"
#include "gpu/webgpu.h"
#include "wgsl/binding.h"

/* With check_packets, an encoder has the commands of one packet and the packet's name as its label. */
static WGPUCommandEncoder create_encoder(struct ag_recorder *recorder, const char *label)
{
    const char *packet = recorder->packet_label;
    WGPUCommandEncoder encoder = ag_command_encoder_create(recorder->host->device, packet ? packet : label);
    if (packet)
        wgpuCommandEncoderInsertDebugMarker(encoder, ag_webgpu_string(packet));
    return encoder;
}

static void open_encoder(struct ag_recorder *recorder)
{
    if (!recorder->encoder)
        recorder->encoder = create_encoder(recorder, "commands");
}

static void end_compute_pass(struct ag_recorder *recorder)
{
    if (!recorder->compute_pass)
        return;
    wgpuComputePassEncoderEnd(recorder->compute_pass);
    wgpuComputePassEncoderRelease(recorder->compute_pass);
    recorder->compute_pass = NULL;
    recorder->compute_pipeline = NULL;
}

static void begin_compute_pass(struct ag_recorder *recorder)
{
    recorder->compute_pass = ag_compute_pass_begin(ag_recorder_encoder(recorder), "dispatches");
    recorder->compute_block.gpu = NULL;
    WGPUBindGroup empty = ag_bind_group_empty(recorder);
    wgpuComputePassEncoderSetBindGroup(recorder->compute_pass, AG_GROUP_VERTEX, empty, 0, NULL);
    wgpuComputePassEncoderSetBindGroup(recorder->compute_pass, AG_GROUP_PIXEL, empty, 0, NULL);
}

WGPUComputePassEncoder ag_recorder_compute_pass(struct ag_recorder *recorder, WGPUComputePipeline pipeline)
{
    if (!recorder->compute_pass) /* no render pass is open then either */
        begin_compute_pass(recorder);
    if (recorder->compute_pipeline != pipeline)
        wgpuComputePassEncoderSetPipeline(recorder->compute_pass, pipeline);
    recorder->compute_pipeline = pipeline;
    return recorder->compute_pass;
}

WGPUCommandEncoder ag_recorder_encoder(struct ag_recorder *recorder)
{
    ag_pass_end(recorder);
    end_compute_pass(recorder);
    open_encoder(recorder);
    return recorder->encoder;
}

static void end_ahead_pass(struct ag_recorder *recorder)
{
    if (!recorder->ahead_pass)
        return;
    wgpuComputePassEncoderEnd(recorder->ahead_pass);
    wgpuComputePassEncoderRelease(recorder->ahead_pass);
    recorder->ahead_pass = NULL;
}

static WGPUCommandEncoder open_ahead_encoder(struct ag_recorder *recorder)
{
    if (!recorder->ahead_encoder)
        recorder->ahead_encoder = create_encoder(recorder, "commands ahead of a pass");
    return recorder->ahead_encoder;
}

/* Passes share an encoder behind so many that had one of their own for nothing, which takes a third of a
 * microsecond each; twice as many each time that a pass ended early for it, which takes much more. */
#define FEWEST_UNUSED 8u
#define MOST_MISSED 10u

static bool is_front_wanted(const struct ag_fronts *fronts)
{
    return fronts->unused < FEWEST_UNUSED << fronts->missed;
}

void ag_recorder_want_front(struct ag_recorder *recorder)
{
    struct ag_fronts *fronts = &recorder->fronts;
    fronts->unused = 0;
    if (!recorder->pass.encoder || recorder->pass.has_front)
        return;
    fronts->missed += fronts->missed < MOST_MISSED;
    ag_pass_end(recorder);
}

WGPUCommandEncoder ag_recorder_ahead_encoder(struct ag_recorder *recorder)
{
    ag_recorder_want_front(recorder);
    if (!recorder->pass.encoder)
        return ag_recorder_encoder(recorder);
    end_ahead_pass(recorder);
    return open_ahead_encoder(recorder);
}

WGPUComputePassEncoder ag_recorder_ahead_pass(struct ag_recorder *recorder, const char *label)
{
    ag_recorder_want_front(recorder);
    if (recorder->pass.encoder && !recorder->ahead_pass)
        recorder->ahead_pass = ag_compute_pass_begin(open_ahead_encoder(recorder), label);
    return recorder->pass.encoder ? recorder->ahead_pass : NULL;
}

WGPUCommandEncoder ag_recorder_upload_encoder(struct ag_recorder *recorder,
                                              const struct ag_resource *resource)
{
    bool used =
        resource->used_in == recorder->encoder_number && resource->used_by >= recorder->pass.first_draw;
    return used ? ag_recorder_encoder(recorder) : ag_recorder_ahead_encoder(recorder);
}

void ag_recorder_finish(struct ag_recorder *recorder, WGPUCommandEncoder *encoder)
{
    if (!*encoder)
        return;
    if (encoder == &recorder->ahead_encoder)
        end_ahead_pass(recorder);
    else
        end_compute_pass(recorder);
    WGPUCommandBuffer commands = ag_command_encoder_finish(*encoder, "commands");
    wgpuCommandEncoderRelease(*encoder);
    *encoder = NULL;
    if (ag_vec_push(&recorder->recorded, commands))
        return;
    ag_host_no_memory(recorder->host);
    recorder->buffers_lost++;
    wgpuCommandBufferRelease(commands);
}

bool ag_recorder_split(struct ag_recorder *recorder)
{
    if (recorder->encoder && !is_front_wanted(&recorder->fronts)) {
        end_compute_pass(recorder);
        return false;
    }
    recorder->fronts.unused += recorder->encoder != NULL;
    ag_recorder_finish(recorder, &recorder->ahead_encoder);
    ag_recorder_finish(recorder, &recorder->encoder);
    open_encoder(recorder);
    return true;
}

void ag_recorder_drop(struct ag_recorder *recorder)
{
    for (size_t i = 0; i < recorder->recorded.count; i++)
        if (recorder->recorded.data[i])
            wgpuCommandBufferRelease(recorder->recorded.data[i]);
    recorder->recorded.count = 0;
    recorder->blends_alike = false;
}

void ag_recorder_note_colors(struct ag_recorder *recorder, size_t count)
{
    if (count == 0)
        recorder->blends_alike = ag_gpu_driver(recorder->host->gpu) == AGPU_DRIVER_LAVAPIPE;
    if (count < 2 || !recorder->blends_alike)
        return;
    ag_recorder_finish(recorder, &recorder->ahead_encoder);
    ag_recorder_finish(recorder, &recorder->encoder);
    if (!ag_vec_push(&recorder->recorded, NULL))
        ag_host_no_memory(recorder->host);
    recorder->blends_alike = false;
}

bool ag_recorder_keep_until_flush(struct ag_recorder *recorder, WGPUBuffer buffer)
{
    if (!ag_vec_push(&recorder->scratch_buffers, buffer)) {
        ag_host_no_memory(recorder->host);
        return false;
    }
    ag_throttle_add_bytes(recorder, wgpuBufferGetSize(buffer));
    return true;
}

WGPUBuffer ag_recorder_scratch_buffer(struct ag_recorder *recorder, uint64_t size, WGPUBufferUsage usage,
                                      const char *label)
{
    WGPUBuffer buffer = ag_host_create_buffer(recorder->host, size, usage, label);
    if (ag_recorder_keep_until_flush(recorder, buffer))
        return buffer;
    wgpuBufferRelease(buffer);
    return NULL;
}
