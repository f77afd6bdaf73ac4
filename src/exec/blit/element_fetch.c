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
                                         uint32_t offset, uint32_t stride)
{
    const struct ag_components components = ag_host_format_components(format);
    struct ag_element_block block = {
        .rate = 1,
        .base = offset,
        .stride = stride,
        .limit = buffer->size > UINT32_MAX ? UINT32_MAX : (uint32_t)buffer->size,
        .bytes = format->vertex_bytes,
        .number = format->number,
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

bool ag_element_fetch_record(struct ag_blitter *blitter, WGPUComputePassEncoder pass,
                             const struct ag_buffer *source, const struct ag_upload_slice *block,
                             const struct ag_buffer_range *to, const struct ag_buffer_range *list,
                             uint64_t count)
{
    struct ag_kernel *kernel = get_kernel(blitter);
    struct ag_buffer_range nothing = {.size = 16}, all;
    nothing.buffer = ag_dummy_zeros(blitter->recorder, &nothing.id);
    all = nothing;
    if (source)
        all = (struct ag_buffer_range){
            .buffer = source->gpu, .size = ag_buffer_host_size(source), .id = source->id};
    const struct ag_buffer_range ranges[AG_KERNEL_BINDINGS] = {
        {block->gpu, block->offset, sizeof(struct ag_element_block), block->id},
        all,
        *to,
        list ? *list : nothing,
    };
    if (!ag_kernel_bind(kernel, pass, ranges))
        return false;
    ag_kernel_dispatch(kernel, pass, 0, count);
    return true;
}

bool ag_element_fetch_view(struct ag_blitter *blitter, const struct ag_buffer_view *view, WGPUBuffer to,
                           uint64_t id)
{
    const struct ag_buffer_range target = {.buffer = to, .size = view->count * UINT64_C(16), .id = id};
    struct ag_element_block block = ag_element_block(view->format, view->buffer, 0, view->stride);
    struct ag_upload_slice slice;
    block.first = view->first;
    block.count = view->count;
    block.out_stride = 4;
    if (!ag_element_block_upload(blitter, &block, &slice))
        return false;
    WGPUComputePassEncoder pass =
        ag_compute_pass_begin(ag_recorder_encoder(blitter->recorder), "element fetch");
    const bool done =
        ag_element_fetch_record(blitter, pass, view->buffer, &slice, &target, NULL, view->count);
    wgpuComputePassEncoderEnd(pass);
    wgpuComputePassEncoderRelease(pass);
    return done;
}
