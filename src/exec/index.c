/* SPDX-License-Identifier: MIT
 *
 * Indices: what WebGPU does not do is done on the CPU copy of the index buffer. Cuts in lists and fans are
 * rewritten into plain lists; indices past the end of the buffer read 0.
 */
#include <inttypes.h>
#include <string.h>

#include "base/bytes.h"
#include "exec/draw.h"
#include "exec/exec.h"

#define MAX_REWRITTEN_BYTES (UINT64_C(256) << 20)

static bool is_strip(uint32_t topology)
{
    return topology == AGPU_TOPOLOGY_LINE_STRIP || topology == AGPU_TOPOLOGY_TRIANGLE_STRIP;
}

static uint32_t list_vertices(uint32_t topology)
{
    return topology == AGPU_TOPOLOGY_POINT_LIST ? 1 : topology == AGPU_TOPOLOGY_LINE_LIST ? 2 : 3;
}

/* A draw's part of the index buffer's CPU copy; reads past the buffer give 0. */
struct index_reader {
    const uint8_t *bytes;
    uint64_t size, offset;
    bool wide;
};

static uint32_t read_index(const struct index_reader *reader, uint64_t i)
{
    uint64_t width = reader->wide ? 4 : 2, at = reader->offset + i * width;
    if (!agpu_range_fits(at, width, reader->size))
        return 0;
    return reader->wide ? agpu_load_u32(reader->bytes + at) : agpu_load_u16(reader->bytes + at);
}

static bool has_cut(const struct index_reader *reader, uint64_t count)
{
    uint32_t value = reader->wide ? UINT32_MAX : UINT16_MAX;
    for (uint64_t i = 0; i < count; i++)
        if (read_index(reader, i) == value)
            return true;
    return false;
}

static bool alloc_indices(struct agpu_exec *exec, uint64_t count, struct agpu_ring_slice *slice)
{
    if (count * 4 <= MAX_REWRITTEN_BYTES)
        return agpu_ring_alloc(exec, count * 4, slice);
    agpu_exec_skip_refused(exec, AGPU_DIAG_EXEC_UNSUPPORTED,
                           "a draw of %" PRIu64 " rewritten indices is too large", count);
    return false;
}

static void use_slice(struct agpu_index_source *source, const struct agpu_ring_slice *slice, uint32_t count)
{
    source->buffer = slice->gpu;
    source->format = WGPUIndexFormat_Uint32;
    source->offset = slice->offset;
    source->size = (uint64_t)count * 4;
    source->first = 0;
    source->count = count;
}

/* A list without its cuts: each starts a new primitive, incomplete ones vanish. */
static bool rewrite_list(struct agpu_exec *exec, const struct index_reader *reader, uint32_t count,
                         struct agpu_index_source *source)
{
    struct agpu_ring_slice slice;
    uint32_t cut = reader->wide ? UINT32_MAX : UINT16_MAX;
    uint32_t vertices = list_vertices(source->topology), begun = 0, kept = 0;
    if (!alloc_indices(exec, count, &slice))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t value = read_index(reader, i);
        if (value == cut) {
            kept -= begun;
            begun = 0;
            continue;
        }
        agpu_store_u32(slice.bytes + 4 * (size_t)kept++, value);
        begun = begun + 1 == vertices ? 0 : begun + 1;
    }
    use_slice(source, &slice, kept - begun);
    return true;
}

/* Same indices, in the ring and as 32 bits where that keeps cuts apart from vertices. */
static bool copy_indices(struct agpu_exec *exec, const struct index_reader *reader, uint32_t count,
                         struct agpu_index_source *source)
{
    struct agpu_ring_slice slice;
    if (!alloc_indices(exec, count, &slice))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t value = read_index(reader, i);
        if (!reader->wide && value == UINT16_MAX && is_strip(source->topology))
            value = UINT32_MAX;
        agpu_store_u32(slice.bytes + 4 * (size_t)i, value);
    }
    use_slice(source, &slice, count);
    return true;
}

/* Vertex numbers of a fan's triangles: 0, i, i + 1. `reader` null: a draw without indices. */
static bool expand_fan(struct agpu_exec *exec, const struct index_reader *reader, uint32_t count,
                       struct agpu_index_source *source)
{
    struct agpu_ring_slice slice;
    uint64_t triangles = count < 3 ? 0 : (uint64_t)count - 2;
    source->topology = AGPU_TOPOLOGY_TRIANGLE_LIST;
    if (triangles == 0) {
        source->count = 0;
        return true;
    }
    if (!alloc_indices(exec, triangles * 3, &slice))
        return false;
    for (uint32_t i = 0; i < triangles; i++) {
        const uint32_t corners[3] = {0, i + 1, i + 2};
        for (uint32_t c = 0; c < 3; c++)
            agpu_store_u32(slice.bytes + 12 * (size_t)i + 4 * (size_t)c,
                           reader ? read_index(reader, corners[c]) : corners[c]);
    }
    use_slice(source, &slice, (uint32_t)(triangles * 3));
    return true;
}

static bool resolve_buffer(struct agpu_exec *exec, struct agpu_context *context, bool *failed)
{
    if (context->index_buffer.handle == 0) {
        agpu_exec_fail(exec, AGPU_DIAG_EXEC_ARGUMENT, "an indexed draw needs an index buffer");
        *failed = true;
        return false;
    }
    if (!context->index_buffer.buffer)
        context->index_buffer.buffer = agpu_handle_buffer(exec, context->index_buffer.handle);
    if (!context->index_buffer.buffer) {
        agpu_exec_fail(exec, AGPU_DIAG_EXEC_HANDLE, "index buffer: handle %" PRIu32 " names no buffer",
                       context->index_buffer.handle);
        *failed = true;
        return false;
    }
    return true;
}

/* The GPU's own bytes. Past the end they are padded through a copy; the CPU cannot look for cuts in them. */
static bool use_gpu_indices(struct agpu_exec *exec, struct agpu_buffer *buffer, uint64_t offset, bool wide,
                            const struct agpu_draw *draw, struct agpu_index_source *source, bool *failed)
{
    uint64_t width = wide ? 4 : 2, need = ((uint64_t)draw->first + draw->count) * width;
    if (offset % width != 0) {
        agpu_exec_skip_refused(exec, AGPU_DIAG_EXEC_UNSUPPORTED,
                               "an index buffer that the GPU wrote is bound at an unaligned offset");
        return false;
    }
    if (!agpu_buffer_use(exec, buffer)) {
        *failed = true;
        return false;
    }
    source->format = wide ? WGPUIndexFormat_Uint32 : WGPUIndexFormat_Uint16;
    source->first = draw->first;
    source->count = draw->count;
    source->buffer = buffer->gpu;
    source->offset = offset;
    if (offset <= buffer->size && need <= buffer->size - offset) {
        source->size = buffer->size - offset;
        return true;
    }
    uint64_t from = (offset < buffer->size ? offset : buffer->size) & ~UINT64_C(3);
    uint64_t lead = offset < buffer->size ? offset - from : 0, size = agpu_align_up(need + lead, 4);
    uint64_t copy = buffer->size - from < size ? buffer->size - from : size;
    if (size > MAX_REWRITTEN_BYTES) {
        agpu_exec_skip_refused(exec, AGPU_DIAG_EXEC_UNSUPPORTED,
                               "a draw reads %" PRIu64 " indices past its buffer", need / width);
        return false;
    }
    WGPUBuffer padded = agpu_exec_create_buffer(exec, size, WGPUBufferUsage_Index | WGPUBufferUsage_CopyDst);
    if (copy)
        wgpuCommandEncoderCopyBufferToBuffer(agpu_exec_encoder(exec), buffer->gpu, from, padded, 0,
                                             copy & ~UINT64_C(3));
    agpu_exec_keep_until_flush(exec, padded);
    source->buffer = padded;
    source->offset = lead;
    source->size = size - lead;
    return true;
}

/* Whether the buffer holds a cut value anywhere; scanned once for each content. */
static bool may_have_cut(struct agpu_buffer *buffer)
{
    if (buffer->cut_version != buffer->version) {
        const struct index_reader narrow = {buffer->shadow, buffer->size, 0, false};
        buffer->cut_version = buffer->version;
        buffer->cut_found = has_cut(&narrow, buffer->size / 2); /* a 32-bit cut is two 16-bit ones */
    }
    return buffer->cut_found;
}

bool agpu_index_source_init(struct agpu_exec *exec, struct agpu_context *context,
                            const struct agpu_draw *draw, struct agpu_index_source *source, bool *failed)
{
    memset(source, 0, sizeof *source);
    source->topology = context->topology;
    bool fan = context->topology == AGPU_TOPOLOGY_TRIANGLE_FAN;
    if (!draw->indexed)
        return fan ? expand_fan(exec, NULL, draw->count, source) : true;
    if (!resolve_buffer(exec, context, failed))
        return false;
    struct agpu_buffer *buffer = context->index_buffer.buffer;
    if (!agpu_buffer_pull(exec, buffer)) {
        *failed = true;
        return false;
    }
    bool wide = context->index_buffer.wide;
    uint64_t width = wide ? 4 : 2, offset = context->index_buffer.offset;
    if (!buffer->shadow) {
        if (fan) {
            agpu_exec_skip_refused(exec, AGPU_DIAG_EXEC_UNSUPPORTED,
                                   "a triangle fan with indices that the GPU wrote is not supported");
            return false;
        }
        if (!is_strip(context->topology))
            agpu_exec_warn_once(exec, AGPU_WARNING_LIST_RESTART,
                                "lists with indices that the GPU wrote are drawn as if they had no cuts");
        return use_gpu_indices(exec, buffer, offset, wide, draw, source, failed);
    }
    const struct index_reader reader = {buffer->shadow, buffer->size, offset + draw->first * width, wide};
    if (fan)
        return expand_fan(exec, &reader, draw->count, source);
    if (!is_strip(context->topology) && may_have_cut(buffer) && has_cut(&reader, draw->count))
        return rewrite_list(exec, &reader, draw->count, source);
    if (offset % width != 0 || !agpu_range_fits(reader.offset, draw->count * width, buffer->size))
        return copy_indices(exec, &reader, draw->count, source);
    return use_gpu_indices(exec, buffer, offset, wide, draw, source, failed);
}
