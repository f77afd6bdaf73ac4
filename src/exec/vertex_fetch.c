/* SPDX-License-Identifier: MIT */
#include <inttypes.h>

#include "base/bytes.h"
#include "exec/draw.h"
#include "exec/exec.h"

#define MAX_PADDED_BYTES (UINT64_C(256) << 20)

/* Bytes from the bound offset that WebGPU wants to find there. */
static uint64_t needed_bytes(const struct agpu_vertex_buffer *buffer, const struct agpu_draw *draw)
{
    uint64_t elements;
    if (buffer->per_instance)
        elements = (uint64_t)draw->first_instance + draw->instance_count;
    else if (draw->indexed)
        elements = 1; /* not checked: the fetch itself is bounded */
    else
        elements = (uint64_t)draw->first + draw->count;
    return (elements - 1) * buffer->stride + buffer->last_bytes;
}

/* Attributes that cross the end of the data read 0 as a whole. */
static void clear_crossing(struct agpu_exec *exec, const struct agpu_vertex_state *state, uint32_t index,
                           WGPUBuffer padded, uint64_t available)
{
    uint64_t stride = state->buffers[index].stride;
    for (uint32_t i = 0; i < state->attribute_count; i++) {
        const struct agpu_vertex_attribute *attribute = &state->attributes[i];
        uint64_t end = (uint64_t)attribute->offset + attribute->bytes;
        if (attribute->buffer != index)
            continue;
        uint64_t element = end > available ? 0 : stride ? (available - end) / stride + 1 : 0;
        uint64_t begin = (element * stride + attribute->offset) & ~UINT64_C(3);
        if (begin < available && (stride || end > available))
            wgpuCommandEncoderClearBuffer(agpu_exec_encoder(exec), padded, begin, available - begin);
    }
}

static bool pad(struct agpu_exec *exec, const struct agpu_vertex_state *state, uint32_t index,
                const struct agpu_buffer *buffer, uint64_t offset, uint64_t needed,
                struct agpu_vertex_source *source)
{
    uint64_t available = (offset < buffer->size ? buffer->size - offset : 0) & ~UINT64_C(3);
    if (needed > MAX_PADDED_BYTES || needed > exec->limits.maxBufferSize) {
        agpu_exec_skip_refused(exec, AGPU_DIAG_EXEC_UNSUPPORTED,
                               "a draw reads vertex buffer %u up to byte %" PRIu64 ", far past its end",
                               state->buffers[index].slot, needed);
        return false;
    }
    needed = agpu_align_up(needed, 4);
    WGPUBuffer padded =
        agpu_exec_create_buffer(exec, needed, WGPUBufferUsage_Vertex | WGPUBufferUsage_CopyDst);
    agpu_exec_keep_until_flush(exec, padded);
    if (available > needed)
        available = needed;
    if (available) {
        wgpuCommandEncoderCopyBufferToBuffer(agpu_exec_encoder(exec), buffer->gpu, offset, padded, 0,
                                             available);
        clear_crossing(exec, state, index, padded, available);
    }
    *source = (struct agpu_vertex_source){padded, 0, needed};
    return true;
}

bool agpu_vertex_sources_init(struct agpu_exec *exec, struct agpu_context *context,
                              const struct agpu_vertex_state *state, const struct agpu_draw *draw,
                              struct agpu_vertex_source sources[AGPU_MAX_VERTEX_BUFFERS], bool *failed)
{
    for (uint32_t i = 0; i < state->buffer_count; i++) {
        const struct agpu_vertex_buffer_slot *slot = &context->vertex_buffers[state->buffers[i].slot];
        uint64_t needed = needed_bytes(&state->buffers[i], draw);
        if (!agpu_buffer_use(exec, slot->buffer)) {
            *failed = true;
            return false;
        }
        if (slot->offset <= slot->buffer->size && needed <= slot->buffer->size - slot->offset) {
            sources[i] = (struct agpu_vertex_source){slot->buffer->gpu, slot->offset,
                                                     slot->buffer->size - slot->offset};
            continue;
        }
        if (!pad(exec, state, i, slot->buffer, slot->offset, needed, &sources[i]))
            return false;
    }
    return true;
}
