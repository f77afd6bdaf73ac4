/* SPDX-License-Identifier: MIT */
#include "exec/draw/stream_output.h"

#include <inttypes.h>

#include "aerogpu/abi/ext.h"
#include "aerogpu/diag.h"
#include "aerogpu/dxbc.h"
#include "base/bytes.h"
#include "exec/bind/context.h"
#include "exec/bind/draw_call.h"
#include "exec/bind/shader.h"
#include "exec/draw/drawer.h"
#include "exec/host/host.h"
#include "exec/host/outcome.h"
#include "exec/host/report.h"
#include "exec/object/buffer.h"
#include "exec/object/stream_output_declaration.h"
#include "exec/record/bind_group.h"
#include "exec/record/dummy.h"
#include "exec/record/encoder.h"
#include "exec/record/query.h"
#include "exec/record/query_recording.h"
#include "exec/record/upload_ring.h"
#include "exec/transfer/buffer_upload.h"
#include "gpu/webgpu.h"
#include "kernel/kernel.h"
#include "kernel/stream_output.h"

#define STATE_BYTES (UINT64_C(4) * AG_STREAM_OUTPUT_STATE_WORDS)

/* Whether the stream has a buffer, or a query counts what the stream needs room for. */
static bool has_taker(const struct ag_drawer *drawer, const struct ag_context *context,
                      const struct ag_stream_output_declaration *declaration, uint32_t stream)
{
    for (uint32_t slot = 0; slot < AG_STREAM_OUTPUT_SLOTS; slot++)
        if ((declaration->stream_slots[stream] >> slot & 1) && context->stream_outputs[slot].buffer)
            return true;
    return (declaration->streams >> stream & 1) &&
           ag_queries_want(drawer->recorder, (enum ag_query_counter)(AG_QUERY_COUNTER_SO_NEEDED + stream));
}

const struct ag_stream_output_declaration *
ag_stream_output_active(struct ag_drawer *drawer, struct ag_context *context, const struct ag_draw *draw)
{
    const struct ag_shader_program *geometry = ag_shader_at(drawer->binder, context, AGPU_STAGE_GEOMETRY);
    if (!geometry || !geometry->stream_output || draw->repeats)
        return NULL;
    for (uint32_t stream = 0; stream <= AG_MAX_STREAM; stream++)
        if (has_taker(drawer, context, geometry->stream_output, stream))
            return geometry->stream_output;
    return NULL;
}

bool ag_stream_output_only(struct ag_drawer *drawer, const struct ag_context *context)
{
    const struct ag_shader_program *geometry = ag_shader_at(drawer->binder, context, AGPU_STAGE_GEOMETRY);
    return geometry && geometry->stream_output &&
           geometry->stream_output->rasterized_stream == AEROGPU_EXT_STREAM_OUTPUT_NOT_RASTERIZED;
}

/* ---- Draws -------------------------------------------------------------------------------------------- */

static uint32_t all_slots(const struct ag_stream_output_declaration *declaration)
{
    uint32_t slots = 0;
    for (uint32_t stream = 0; stream <= AG_MAX_STREAM; stream++)
        slots |= declaration->stream_slots[stream];
    return slots;
}

static bool load_filled(struct ag_drawer *drawer, const struct ag_buffer *buffer, uint32_t slot)
{
    struct ag_upload_slice slice;
    const uint64_t to = 4 * ((uint64_t)AG_STREAM_OUTPUT_FILLED + slot);
    WGPUCommandEncoder encoder = ag_recorder_encoder(drawer->recorder);
    if (buffer->filled.is_set) {
        if (!ag_upload_ring_alloc(drawer->recorder, 4, &slice))
            return false;
        ag_store_u32(slice.bytes, buffer->filled.value);
        wgpuCommandEncoderCopyBufferToBuffer(encoder, slice.gpu, slice.offset, drawer->stream_output_state,
                                             to, 4);
    } else if (buffer->filled.gpu) {
        wgpuCommandEncoderCopyBufferToBuffer(encoder, buffer->filled.gpu, 0, drawer->stream_output_state, to,
                                             4);
    }
    return true;
}

enum ag_outcome ag_stream_output_begin(struct ag_drawer *drawer, struct ag_context *context,
                                       const struct ag_stream_output_declaration *declaration)
{
    if (!drawer->stream_output_state) {
        drawer->stream_output_state =
            ag_host_create_buffer(drawer->host, STATE_BYTES,
                                  WGPUBufferUsage_Storage | WGPUBufferUsage_CopySrc | WGPUBufferUsage_CopyDst,
                                  "state of stream output");
        drawer->stream_output_state_id = ag_host_id(drawer->host);
    }
    if (!drawer->stream_output.kernel.gpu) {
        ag_stream_output_kernels_init(&drawer->stream_output, drawer->host->gpu);
        drawer->stream_output.kernel.groups = ag_bind_kernel_groups(drawer->recorder);
    }
    wgpuCommandEncoderClearBuffer(ag_recorder_encoder(drawer->recorder), drawer->stream_output_state, 0,
                                  STATE_BYTES);
    for (uint32_t slot = 0; slot < AG_STREAM_OUTPUT_SLOTS; slot++) {
        struct ag_buffer *buffer = context->stream_outputs[slot].buffer;
        if (!buffer || !(all_slots(declaration) >> slot & 1))
            continue;
        if (buffer->size > drawer->host->limits.maxStorageBufferBindingSize || buffer->size > UINT32_MAX)
            return ag_host_skip_refused(
                drawer->host, AGPU_DIAG_GPU_LIMIT,
                "a stream-output buffer of %" PRIu64 " bytes is more than the device binds", buffer->size);
        if (!ag_buffer_use(drawer->copier, buffer))
            return AG_STOPPED;
        if (!load_filled(drawer, buffer, slot))
            return AG_OUT_OF_MEMORY;
    }
    return AG_DONE;
}

bool ag_stream_output_feed(struct ag_drawer *drawer, const struct ag_context *context,
                           const struct ag_stream_output_declaration *declaration, uint32_t stream,
                           WGPUComputePassEncoder pass, const struct ag_buffer_range *primitives,
                           const struct ag_buffer_range *records, uint32_t vertices, uint32_t registers,
                           uint64_t most)
{
    struct ag_upload_slice block;
    struct ag_stream_output output = {
        .stream = stream,
        .vertices = vertices,
        .registers = registers,
        .places = declaration->places,
        .place_count = declaration->place_count,
    };
    if (!ag_upload_ring_alloc(drawer->recorder, AG_STREAM_OUTPUT_BLOCK_BYTES, &block))
        return false;
    struct ag_stream_output_buffers buffers = {
        .block = {block.gpu,                   block.offset, AG_STREAM_OUTPUT_BLOCK_BYTES, block.id                      },
        .primitives = *primitives,
        .records = *records,
        .state = {drawer->stream_output_state, 0,            STATE_BYTES,                  drawer->stream_output_state_id},
    };
    for (uint32_t slot = 0; slot < AG_STREAM_OUTPUT_SLOTS; slot++) {
        const struct ag_buffer *buffer = context->stream_outputs[slot].buffer;
        const bool is_written = (declaration->stream_slots[stream] >> slot & 1) != 0;
        if (is_written) { /* without a buffer, as if it were full (D3D11.3 14.6) */
            output.slots |= UINT32_C(1) << slot;
            output.strides[slot] = declaration->strides[slot];
            output.sizes[slot] = buffer ? (uint32_t)buffer->size : 0;
        }
        if (buffer && is_written) {
            buffers.targets[slot] = (struct ag_buffer_range){
                .buffer = buffer->gpu, .size = ag_align_up(buffer->size, 4), .id = buffer->id};
        } else {
            buffers.targets[slot].size = AG_DUMMY_SINK_BYTES;
            buffers.targets[slot].buffer = ag_dummy_sink(drawer->recorder, slot, &buffers.targets[slot].id);
        }
    }
    ag_stream_output_block(&output, block.bytes);
    return ag_stream_output_record(&drawer->stream_output, pass, &buffers, &output, most);
}

void ag_stream_output_end(struct ag_drawer *drawer, struct ag_context *context,
                          const struct ag_stream_output_declaration *declaration)
{
    for (uint32_t slot = 0; slot < AG_STREAM_OUTPUT_SLOTS; slot++) {
        struct ag_buffer *buffer = context->stream_outputs[slot].buffer;
        if (!buffer || !(all_slots(declaration) >> slot & 1))
            continue;
        if (!buffer->filled.gpu)
            buffer->filled.gpu = ag_host_create_buffer(
                drawer->host, 4, WGPUBufferUsage_CopySrc | WGPUBufferUsage_CopyDst, "filled bytes");
        wgpuCommandEncoderCopyBufferToBuffer(
            ag_recorder_encoder(drawer->recorder), drawer->stream_output_state,
            4 * ((uint64_t)AG_STREAM_OUTPUT_FILLED + slot), buffer->filled.gpu, 0, 4);
        buffer->filled.is_set = false;
        ag_buffer_written(drawer->host, buffer);
    }
    for (uint32_t stream = 0; stream <= AG_MAX_STREAM; stream++) {
        if (!(declaration->streams >> stream & 1))
            continue;
        ag_queries_add_from(drawer->recorder, (enum ag_query_counter)(AG_QUERY_COUNTER_SO_WRITTEN + stream),
                            1, drawer->stream_output_state,
                            4 * ((uint64_t)AG_STREAM_OUTPUT_WRITTEN + stream));
        ag_queries_add_from(drawer->recorder, (enum ag_query_counter)(AG_QUERY_COUNTER_SO_NEEDED + stream), 1,
                            drawer->stream_output_state, 4 * ((uint64_t)AG_STREAM_OUTPUT_NEEDED + stream));
    }
}
