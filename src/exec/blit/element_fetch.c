/* SPDX-License-Identifier: MIT */
#include "exec/blit/element_fetch.h"

#include <string.h>

#include "base/bytes.h"
#include "exec/blit/blitter.h"
#include "exec/blit/kernels.h"
#include "exec/object/buffer.h"
#include "exec/object/view.h"
#include "exec/record/bind_group.h"
#include "exec/record/dummy.h"
#include "exec/record/encoder.h"
#include "exec/record/upload_ring.h"
#include "format/format.h"
#include "gpu/label.h"
#include "gpu/webgpu.h"
#include "kernel/kernel.h"

struct ag_element_block ag_element_block(const struct ag_host_format *format, const struct ag_buffer *buffer,
                                         uint32_t origin, uint32_t offset, uint32_t stride)
{
    const struct ag_components components = ag_host_format_components(format);
    struct ag_element_block block = {
        .rate = 1,
        .base = origin + offset,
        .stride = stride,
        .limit = ag_buffer_bytes_behind(buffer, origin),
        .bytes = format->vertex_bytes,
        .number = format->number,
        .origin = {origin},
        .one = format->class == AG_CLASS_FLOAT ? ag_bits_from_float(1) : 1,
    };
    for (uint32_t c = 0; c < 4; c++) {
        block.shift[c] = components.shift[c];
        block.bits[c] = components.bits[c];
    }
    return block;
}

bool ag_element_block_upload(struct ag_blitter *blitter, const struct ag_element_block *block,
                             struct ag_upload_slice *slice)
{
    if (!ag_upload_ring_alloc(blitter->recorder, sizeof *block, slice))
        return false;
    memcpy(slice->bytes, block, sizeof *block);
    return true;
}

static struct ag_kernel *get_kernel(struct ag_blitter *blitter)
{
    const struct ag_kernel_desc desc = {
        .label = "element fetch",
        .wgsl = ag_element_fetch_wgsl,
        .wgsl_length = ag_element_fetch_wgsl_length,
        .binding_count = 4,
        .written = 1u << 2,
        .block_bytes = sizeof(struct ag_element_block),
        .entries = {"pull"},
    };
    return ag_bind_kernel_make(blitter->recorder, &blitter->element_fetcher, &desc);
}

struct ag_buffer_range ag_element_source(const struct ag_buffer *buffer)
{
    return (struct ag_buffer_range){
        .buffer = buffer->gpu, .size = ag_buffer_host_size(buffer), .id = buffer->id};
}

WGPUBindGroup ag_element_fetch_group(struct ag_blitter *blitter, const struct ag_buffer_range *source,
                                     const struct ag_upload_slice *block, const struct ag_buffer_range *to,
                                     const struct ag_buffer_range *list)
{
    struct ag_buffer_range nothing = {.size = 16};
    nothing.buffer = ag_dummy_zeros(blitter->recorder, &nothing.id);
    const struct ag_buffer_range ranges[AG_KERNEL_BINDINGS] = {
        {block->gpu, block->offset, sizeof(struct ag_element_block), block->id},
        source->buffer ? *source : nothing,
        *to,
        list ? *list : nothing,
    };
    return ag_kernel_group(get_kernel(blitter), ranges);
}

void ag_element_fetch_dispatch(struct ag_blitter *blitter, WGPUComputePassEncoder pass, WGPUBindGroup group,
                               const struct ag_upload_slice *block, uint64_t count)
{
    const uint32_t offset = (uint32_t)block->offset;
    wgpuComputePassEncoderSetBindGroup(pass, 0, group, 1, &offset);
    ag_kernel_dispatch(get_kernel(blitter), pass, 0, count);
}

bool ag_element_fetch_record(struct ag_blitter *blitter, WGPUComputePassEncoder pass,
                             const struct ag_buffer_range *source, const struct ag_upload_slice *block,
                             const struct ag_buffer_range *to, const struct ag_buffer_range *list,
                             uint64_t count)
{
    WGPUBindGroup group = ag_element_fetch_group(blitter, source, block, to, list);
    if (!group)
        return false;
    ag_element_fetch_dispatch(blitter, pass, group, block, count);
    wgpuBindGroupRelease(group);
    return true;
}

bool ag_element_fetch_view(struct ag_blitter *blitter, const struct ag_buffer_view *view, WGPUBuffer to,
                           uint64_t id)
{
    const struct ag_buffer_range target = {.buffer = to, .size = view->count * UINT64_C(16), .id = id};
    struct ag_element_block block = ag_element_block(view->format, view->buffer, 0, 0, view->stride);
    struct ag_upload_slice slice;
    block.first = view->first;
    block.count = view->count;
    block.out_stride = 4;
    if (!ag_element_block_upload(blitter, &block, &slice))
        return false;
    WGPUComputePassEncoder pass =
        ag_compute_pass_begin(ag_recorder_encoder(blitter->recorder), "element fetch");
    const struct ag_buffer_range source = ag_element_source(view->buffer);
    const bool done = ag_element_fetch_record(blitter, pass, &source, &slice, &target, NULL, view->count);
    wgpuComputePassEncoderEnd(pass);
    wgpuComputePassEncoderRelease(pass);
    return done;
}
