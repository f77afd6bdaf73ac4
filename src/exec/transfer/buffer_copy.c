/* SPDX-License-Identifier: MIT */
#include "exec/transfer/buffer_copy.h"

#include <inttypes.h>
#include <stdbool.h>

#include "aerogpu/abi/cmd.h"
#include "base/bytes.h"
#include "exec/blit/byte_copy.h"
#include "exec/host/host.h"
#include "exec/host/progress.h"
#include "exec/host/refused_handle.h"
#include "exec/host/report.h"
#include "exec/object/buffer.h"
#include "exec/object/handle.h"
#include "exec/object/resource.h"
#include "exec/record/encoder.h"
#include "exec/transfer/buffer_upload.h"
#include "exec/transfer/copier.h"
#include "exec/transfer/copy.h"
#include "exec/transfer/write_back.h"
#include "gpu/readback.h"
#include "gpu/webgpu.h"

static enum agpu_status check_copy(struct ag_copier *copier, const struct aerogpu_cmd_copy_buffer *copy,
                                   const struct ag_buffer *destination, const struct ag_buffer *source)
{
    if (!destination || !source)
        return ag_host_drop_handle(
            copier->host, AG_SPACE_RESOURCES, destination ? copy->src_buffer : copy->dst_buffer,
            "handle %" PRIu32 " names no buffer", destination ? copy->src_buffer : copy->dst_buffer);
    if (!ag_range_fits(copy->dst_offset_bytes, copy->size_bytes, destination->size) ||
        !ag_range_fits(copy->src_offset_bytes, copy->size_bytes, source->size))
        return ag_host_drop(copier->host, AGPU_DIAG_EXEC_RANGE,
                            "a copy of %" PRIu64 " bytes from %" PRIu64 " to %" PRIu64
                            " leaves its buffers of %" PRIu64 " and %" PRIu64 " bytes",
                            copy->size_bytes, copy->src_offset_bytes, copy->dst_offset_bytes, source->size,
                            destination->size);
    return AGPU_OK;
}

enum agpu_status ag_copy_read_buffer(struct ag_copier *copier, const struct ag_buffer *buffer,
                                     uint64_t offset, uint64_t size, uint64_t gpa)
{
    uint64_t first = offset & ~UINT64_C(3), whole = ag_align_up(offset + size, 4) - first;
    struct ag_write_back *write_back = ag_write_back_add(copier, AG_WRITE_BACK_BUFFER, whole);
    if (!write_back)
        return AGPU_NO_MEMORY;
    write_back->gpa = gpa;
    write_back->skipped = offset - first;
    write_back->size = size;
    wgpuCommandEncoderCopyBufferToBuffer(ag_recorder_encoder(copier->recorder), buffer->gpu, first,
                                         ag_readback_buffer(write_back->readback), 0, whole);
    return AGPU_OK;
}

static enum agpu_status copy_part(struct ag_copier *copier, struct ag_buffer *to, uint64_t to_offset,
                                  struct ag_buffer *from, uint64_t from_offset, uint64_t size)
{
    const struct ag_byte_place target = {to->gpu, to_offset};
    struct ag_byte_place source = {from->gpu, from_offset};
    WGPUCommandEncoder encoder = ag_recorder_encoder(copier->recorder);
    if (to == from) { /* WebGPU has no copies within a buffer */
        WGPUBuffer between = ag_recorder_scratch_buffer(copier->recorder, ag_align_up(size, 4),
                                                        WGPUBufferUsage_Storage | WGPUBufferUsage_CopySrc |
                                                            WGPUBufferUsage_CopyDst,
                                                        "copy within a buffer");
        const struct ag_byte_place middle = {between, 0};
        if (!between || !ag_bytes_copy(copier->blitter, encoder, &middle, &source, size))
            return AGPU_NO_MEMORY;
        source = middle;
    }
    if (!ag_bytes_copy(copier->blitter, encoder, &target, &source, size))
        return AGPU_NO_MEMORY;
    ag_buffer_copied(copier->objects, to, to_offset, from, from_offset, size);
    return AGPU_OK;
}

enum agpu_status ag_copy_bytes(struct ag_copier *copier, struct ag_buffer *to, uint64_t to_offset,
                               struct ag_buffer *from, uint64_t from_offset, uint64_t size,
                               struct ag_progress *progress)
{
    const uint64_t done = progress->done, left = size - done;
    if (to_offset <= to->guest_dirty.begin && to_offset + size >= to->guest_dirty.end && to != from)
        to->guest_dirty = (struct ag_interval){0, 0};
    if (!ag_buffer_use(copier, from) || !ag_buffer_use(copier, to))
        return AGPU_REFUSED;
    /* Shadows are copied here. */
    const uint64_t part = to->shadow && from->shadow ? ag_lesser(left, AG_PART_UPLOADED_BYTES) : left;
    const bool backwards = to == from && to_offset > from_offset; /* the ranges may overlap */
    const uint64_t at = backwards ? left - part : done;
    const enum agpu_status status = copy_part(copier, to, to_offset + at, from, from_offset + at, part);
    if (status == AGPU_OK && part < left)
        ag_progress_pause(progress, done + part);
    return status;
}

enum agpu_status ag_copy_buffer(struct ag_copier *copier, const struct aerogpu_cmd_copy_buffer *copy,
                                struct ag_progress *progress)
{
    struct ag_buffer *destination = ag_handle_buffer(copier->objects, copy->dst_buffer);
    struct ag_buffer *source = ag_handle_buffer(copier->objects, copy->src_buffer);
    const uint64_t to = copy->dst_offset_bytes, from = copy->src_offset_bytes, size = copy->size_bytes;
    const bool write_back = (copy->flags & AEROGPU_COPY_FLAG_WRITEBACK_DST) != 0;
    uint64_t gpa = 0;
    enum agpu_status status = ag_copy_check_flags(copier, copy->flags);
    if (status == AGPU_OK)
        status = check_copy(copier, copy, destination, source);
    if (status == AGPU_OK && write_back)
        status = ag_copy_check_write_back(copier, &destination->resource, to, size, &gpa);
    if (status != AGPU_OK || size == 0)
        return status;
    status = ag_copy_bytes(copier, destination, to, source, from, size, progress);
    if (status != AGPU_OK || progress->more)
        return status;
    copier->host->counts.copies++;
    return write_back ? ag_copy_read_buffer(copier, destination, to, size, gpa) : AGPU_OK;
}
