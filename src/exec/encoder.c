/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "exec/exec.h"

static void open_encoder(struct agpu_exec *exec)
{
    if (!exec->encoder)
        exec->encoder = wgpuDeviceCreateCommandEncoder(exec->device, NULL);
}

WGPUCommandEncoder agpu_exec_encoder(struct agpu_exec *exec)
{
    agpu_pass_end(exec);
    open_encoder(exec);
    return exec->encoder;
}

WGPUCommandEncoder agpu_exec_ahead_encoder(struct agpu_exec *exec)
{
    if (!exec->pass.encoder)
        return agpu_exec_encoder(exec);
    if (!exec->before)
        exec->before = wgpuDeviceCreateCommandEncoder(exec->device, NULL);
    return exec->before;
}

WGPUCommandEncoder agpu_exec_upload_encoder(struct agpu_exec *exec, const struct agpu_resource *resource)
{
    bool used = resource->used_in == exec->encoder_number && resource->used_by >= exec->pass.first_draw;
    return used ? agpu_exec_encoder(exec) : agpu_exec_ahead_encoder(exec);
}

/* Without memory for the list the commands are lost, which is an error of the submission. */
static void finish(struct agpu_exec *exec, WGPUCommandEncoder *encoder)
{
    if (!*encoder)
        return;
    WGPUCommandBuffer commands = wgpuCommandEncoderFinish(*encoder, NULL);
    wgpuCommandEncoderRelease(*encoder);
    *encoder = NULL;
    if (agpu_vec_push(&exec->recorded, commands))
        return;
    agpu_exec_no_memory(exec);
    wgpuCommandBufferRelease(commands);
}

void agpu_exec_split(struct agpu_exec *exec)
{
    finish(exec, &exec->before);
    finish(exec, &exec->encoder);
    open_encoder(exec);
}

void agpu_exec_flush(struct agpu_exec *exec)
{
    agpu_pass_settle_all(exec);
    agpu_pass_end(exec);
    finish(exec, &exec->before);
    finish(exec, &exec->encoder);
    if (exec->recorded.count) {
        agpu_ring_flush(exec);
        wgpuQueueSubmit(exec->queue, exec->recorded.count, exec->recorded.data);
        for (size_t i = 0; i < exec->recorded.count; i++)
            wgpuCommandBufferRelease(exec->recorded.data[i]);
        exec->recorded.count = 0;
        const uint64_t serial = agpu_gpu_signal(exec->gpu);
        agpu_ring_submitted(exec, serial);
        agpu_load_submitted(exec, serial);
    }
    agpu_load_dropped(exec); /* of what was made and not used */
    for (size_t i = 0; i < exec->kept.count; i++)
        wgpuBufferRelease(exec->kept.data[i]);
    exec->kept.count = 0;
    exec->encoder_number++;
    agpu_bind_groups_trim(exec);
}

void agpu_exec_keep_until_flush(struct agpu_exec *exec, WGPUBuffer buffer)
{
    if (buffer)
        agpu_load_add_bytes(exec, wgpuBufferGetSize(buffer));
    if (!agpu_vec_push(&exec->kept, buffer))
        wgpuBufferRelease(buffer); /* the encoder holds a reference of its own once it uses the buffer */
}

WGPUBuffer agpu_exec_create_buffer(struct agpu_exec *exec, uint64_t size, WGPUBufferUsage usage)
{
    const WGPUBufferDescriptor descriptor = {.usage = usage, .size = agpu_align_up(size, 4)};
    return wgpuDeviceCreateBuffer(exec->device, &descriptor);
}

struct agpu_transfer *agpu_job_add_transfer(struct agpu_exec *exec, enum agpu_transfer_kind kind,
                                            uint64_t size)
{
    struct agpu_transfer *transfer = calloc(1, sizeof *transfer);
    if (!transfer || !agpu_vec_reserve(&exec->job->transfers, exec->job->transfers.count + 1)) {
        free(transfer);
        agpu_exec_no_memory(exec);
        return NULL;
    }
    transfer->kind = kind;
    transfer->size = agpu_align_up(size, 4);
    transfer->place = exec->place;
    if (size)
        transfer->readback = agpu_readback_take(exec->readbacks, transfer->size);
    if (size && !transfer->readback) {
        free(transfer);
        agpu_exec_report(exec, AGPU_DIAG_GPU_OUT_OF_MEMORY, AGPU_ERROR,
                         "no memory to read the GPU's bytes back");
        return NULL;
    }
    agpu_vec_push(&exec->job->transfers, transfer);
    exec->job->writes_back |= kind != AGPU_TRANSFER_PRESENT;
    exec->counts.readback_bytes += transfer->size;
    return transfer;
}
