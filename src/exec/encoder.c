/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "exec/exec.h"

static void open_encoder(struct ag_exec *exec)
{
    if (!exec->encoder)
        exec->encoder = wgpuDeviceCreateCommandEncoder(exec->device, NULL);
}

WGPUCommandEncoder ag_exec_encoder(struct ag_exec *exec)
{
    ag_pass_end(exec);
    open_encoder(exec);
    return exec->encoder;
}

WGPUCommandEncoder ag_exec_ahead_encoder(struct ag_exec *exec)
{
    if (!exec->pass.encoder)
        return ag_exec_encoder(exec);
    if (!exec->before)
        exec->before = wgpuDeviceCreateCommandEncoder(exec->device, NULL);
    return exec->before;
}

WGPUCommandEncoder ag_exec_upload_encoder(struct ag_exec *exec, const struct ag_resource *resource)
{
    bool used = resource->used_in == exec->encoder_number && resource->used_by >= exec->pass.first_draw;
    return used ? ag_exec_encoder(exec) : ag_exec_ahead_encoder(exec);
}

/* Without memory for the list the commands are lost, which is an error of the submission. */
static void finish(struct ag_exec *exec, WGPUCommandEncoder *encoder)
{
    if (!*encoder)
        return;
    WGPUCommandBuffer commands = wgpuCommandEncoderFinish(*encoder, NULL);
    wgpuCommandEncoderRelease(*encoder);
    *encoder = NULL;
    if (ag_vec_push(&exec->recorded, commands))
        return;
    ag_exec_no_memory(exec);
    wgpuCommandBufferRelease(commands);
}

void ag_exec_split(struct ag_exec *exec)
{
    finish(exec, &exec->before);
    finish(exec, &exec->encoder);
    open_encoder(exec);
}

void ag_exec_flush(struct ag_exec *exec)
{
    ag_pass_settle_all(exec);
    ag_pass_end(exec);
    finish(exec, &exec->before);
    finish(exec, &exec->encoder);
    if (exec->recorded.count) {
        ag_ring_flush(exec);
        wgpuQueueSubmit(exec->queue, exec->recorded.count, exec->recorded.data);
        for (size_t i = 0; i < exec->recorded.count; i++)
            wgpuCommandBufferRelease(exec->recorded.data[i]);
        exec->recorded.count = 0;
        const uint64_t serial = ag_gpu_signal(exec->gpu);
        ag_ring_submitted(exec, serial);
        ag_load_submitted(exec, serial);
    }
    ag_load_dropped(exec); /* of what was made and not used */
    for (size_t i = 0; i < exec->kept.count; i++)
        wgpuBufferRelease(exec->kept.data[i]);
    exec->kept.count = 0;
    exec->encoder_number++;
    ag_bind_groups_trim(exec);
}

void ag_exec_keep_until_flush(struct ag_exec *exec, WGPUBuffer buffer)
{
    if (buffer)
        ag_load_add_bytes(exec, wgpuBufferGetSize(buffer));
    if (!ag_vec_push(&exec->kept, buffer))
        wgpuBufferRelease(buffer); /* the encoder holds a reference of its own once it uses the buffer */
}

WGPUBuffer ag_exec_create_buffer(struct ag_exec *exec, uint64_t size, WGPUBufferUsage usage)
{
    const WGPUBufferDescriptor descriptor = {.usage = usage, .size = ag_align_up(size, 4)};
    return wgpuDeviceCreateBuffer(exec->device, &descriptor);
}

struct ag_transfer *ag_job_add_transfer(struct ag_exec *exec, enum ag_transfer_kind kind, uint64_t size)
{
    struct ag_transfer *transfer = calloc(1, sizeof *transfer);
    if (!transfer || !ag_vec_reserve(&exec->job->transfers, exec->job->transfers.count + 1)) {
        free(transfer);
        ag_exec_no_memory(exec);
        return NULL;
    }
    transfer->kind = kind;
    transfer->size = ag_align_up(size, 4);
    transfer->place = exec->place;
    if (size)
        transfer->readback = ag_readback_take(exec->readbacks, transfer->size);
    if (size && !transfer->readback) {
        free(transfer);
        ag_exec_report(exec, AGPU_DIAG_GPU_OUT_OF_MEMORY, AGPU_ERROR,
                       "no memory to read the GPU's bytes back");
        return NULL;
    }
    ag_vec_push(&exec->job->transfers, transfer);
    exec->job->writes_back |= kind != AG_TRANSFER_PRESENT;
    exec->counts.readback_bytes += transfer->size;
    return transfer;
}
