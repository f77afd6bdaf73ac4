/* SPDX-License-Identifier: MIT */
#include "exec/record/resident_block.h"

#include <assert.h>
#include <string.h>

#include "exec/host/host.h"
#include "exec/record/recorder.h"
#include "exec/record/throttle.h"
#include "exec/record/upload_ring.h"
#include "gpu/gpu.h"
#include "gpu/webgpu.h"

/* Commands that are not submitted do not use the buffer: since the bytes were noted, by another encoder, it
 * had none that anybody asks for. */
static void write_buffer(struct ag_recorder *recorder, struct ag_resident_block *block, uint32_t size)
{
    struct ag_host *host = recorder->host;
    if (!block->gpu) {
        block->gpu = ag_host_create_buffer(host, size, WGPUBufferUsage_Uniform | WGPUBufferUsage_CopyDst,
                                           "resident block");
        block->id = ag_host_id(host);
    }
    wgpuQueueWriteBuffer(ag_gpu_writer(host->gpu), block->gpu, 0, block->bytes, size);
    ag_throttle_add_upload(recorder, size);
    block->slice = (struct ag_upload_slice){.gpu = block->gpu, .id = block->id};
    block->is_resident = true;
}

static bool upload(struct ag_recorder *recorder, struct ag_resident_block *block, uint32_t size)
{
    block->is_resident = false;
    block->noted_in = 0;
    if (!ag_upload_ring_alloc_raw(recorder, size, &block->slice))
        return false;
    memcpy(block->slice.bytes, block->bytes, size);
    block->slice.bytes = NULL;
    block->noted_in = recorder->encoder_number;
    block->epoch = recorder->ring.epoch;
    return true;
}

bool ag_resident_block_use(struct ag_recorder *recorder, struct ag_resident_block *block, const void *bytes,
                           uint32_t size, struct ag_upload_slice *slice)
{
    assert(size <= sizeof block->bytes && size % 4 == 0);
    const bool is_same = block->noted_in && memcmp(block->bytes, bytes, size) == 0;
    if (!is_same)
        memcpy(block->bytes, bytes, size);
    if (is_same && !block->is_resident && block->noted_in != recorder->encoder_number)
        write_buffer(recorder, block, size);
    const bool is_there = is_same && (block->is_resident || block->epoch == recorder->ring.epoch);
    if (!is_there && !upload(recorder, block, size))
        return false;
    *slice = block->slice;
    return true;
}

void ag_resident_block_fini(struct ag_resident_block *block)
{
    if (block->gpu)
        wgpuBufferRelease(block->gpu);
    *block = (struct ag_resident_block){0};
}
