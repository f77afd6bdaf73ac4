/* SPDX-License-Identifier: MIT
 *
 * The CPU rewrites indices out of the buffer's shadow. When only the GPU knows the indices, or there are very
 * many, a kernel removes the cut values of a list, and all other rewriting is done by an expanded draw.
 */
#include "exec/draw/index.h"

#include <inttypes.h>
#include <string.h>

#include "aerogpu/abi/cmd.h"
#include "aerogpu/abi/ext.h"
#include "aerogpu/diag.h"
#include "base/bytes.h"
#include "exec/bind/context.h"
#include "exec/bind/draw_call.h"
#include "exec/bind/index_scan.h"
#include "exec/blit/byte_copy.h"
#include "exec/draw/drawer.h"
#include "exec/draw/drawer_life.h"
#include "exec/host/host.h"
#include "exec/host/outcome.h"
#include "exec/host/refused_handle.h"
#include "exec/host/report.h"
#include "exec/object/buffer.h"
#include "exec/object/handle.h"
#include "exec/record/dummy.h"
#include "exec/record/encoder.h"
#include "exec/record/upload_ring.h"
#include "exec/state/state.h"
#include "exec/transfer/buffer_upload.h"
#include "gpu/label.h"
#include "gpu/webgpu.h"
#include "kernel/assembly.h"
#include "kernel/kernel.h"

#define MAX_REWRITTEN_BYTES (UINT64_C(256) << 20)

static uint32_t list_vertices(uint32_t topology)
{
    return topology == AG_TOPOLOGY_POINT_LIST ? 1 : topology == AG_TOPOLOGY_LINE_LIST ? 2 : 3;
}

static enum ag_outcome alloc_indices(struct ag_drawer *drawer, uint64_t count, struct ag_upload_slice *slice)
{
    if (count * 4 > MAX_REWRITTEN_BYTES) {
        ag_host_skip_refused(drawer->host, AGPU_DIAG_EXEC_UNSUPPORTED,
                             "a draw of %" PRIu64 " rewritten indices is too large", count);
        return AG_SKIPPED;
    }
    return ag_upload_ring_alloc(drawer->recorder, count * 4, slice) ? AG_DONE : AG_OUT_OF_MEMORY;
}

static void use_slice(struct ag_index_source *source, const struct ag_upload_slice *slice, uint32_t count)
{
    source->buffer = slice->gpu;
    source->offset = slice->offset;
    source->size = (uint64_t)count * 4;
    source->first = 0;
    source->count = count;
}

/* Rewrites a list without its cut values: each begins a new primitive, and the incomplete one before it is
 * dropped. */
static enum ag_outcome rewrite_list(struct ag_drawer *drawer, struct ag_context *context,
                                    const struct ag_draw *draw, struct ag_index_source *source)
{
    struct ag_upload_slice slice = {0};
    struct ag_index_reader reader;
    const uint32_t count = draw->count;
    ag_index_reader_init(context, draw, &reader);
    uint32_t cut = reader.wide ? UINT32_MAX : UINT16_MAX;
    uint32_t vertices = list_vertices(source->topology), begun = 0, kept = 0;
    const enum ag_outcome outcome = alloc_indices(drawer, count, &slice);
    if (outcome != AG_DONE)
        return outcome;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t value = ag_index_read(&reader, i);
        if (value == cut) {
            kept -= begun;
            begun = 0;
            continue;
        }
        ag_store_u32(slice.bytes + 4 * (size_t)kept++, value);
        begun = begun + 1 == vertices ? 0 : begun + 1;
    }
    use_slice(source, &slice, kept - begun);
    return AG_DONE;
}

/* Copies the indices into the upload ring, with 32 bits when a 16-bit index could be taken for a cut
 * value. */
static enum ag_outcome copy_indices(struct ag_drawer *drawer, struct ag_context *context,
                                    const struct ag_draw *draw, struct ag_index_source *source)
{
    struct ag_upload_slice slice = {0};
    struct ag_index_reader reader;
    const uint32_t count = draw->count;
    ag_index_reader_init(context, draw, &reader);
    const enum ag_outcome outcome = alloc_indices(drawer, count, &slice);
    if (outcome != AG_DONE)
        return outcome;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t value = ag_index_read(&reader, i);
        if (!reader.wide && value == UINT16_MAX && ag_topology_is_strip(source->topology))
            value = UINT32_MAX;
        ag_store_u32(slice.bytes + 4 * (size_t)i, value);
    }
    use_slice(source, &slice, count);
    return AG_DONE;
}

/* ---- Topologies that WebGPU lacks --------------------------------------------------------------------- */

static bool is_lines(uint32_t topology)
{
    return topology == AG_TOPOLOGY_LINE_LIST || topology == AG_TOPOLOGY_LINE_STRIP ||
           topology == AEROGPU_TOPOLOGY_LINELIST_ADJ || topology == AEROGPU_TOPOLOGY_LINESTRIP_ADJ;
}

bool ag_topology_is_wireframe(const struct ag_context *context)
{
    return context->rasterizer.fill == AEROGPU_EXT_FILL_WIREFRAME &&
           context->topology != AG_TOPOLOGY_POINT_LIST && !is_lines(context->topology);
}

/* Whether the topology becomes a list: fans, and primitives with adjacency, whose adjacent vertices only a
 * geometry shader sees. The first vertex of each primitive stays first. */
static bool is_rewritten(const struct ag_context *context)
{
    return context->topology >= AG_TOPOLOGY_TRIANGLE_FAN;
}

uint32_t ag_topology_primitives(uint32_t topology, uint32_t count)
{
    if (topology >= AEROGPU_TOPOLOGY_PATCHLIST_1 && topology <= AEROGPU_TOPOLOGY_PATCHLIST_32)
        return count / (topology - AEROGPU_TOPOLOGY_PATCHLIST_1 + 1);
    switch (topology) {
    case AG_TOPOLOGY_POINT_LIST:
        return count;
    case AG_TOPOLOGY_LINE_LIST:
        return count / 2;
    case AG_TOPOLOGY_LINE_STRIP:
        return count < 2 ? 0 : count - 1;
    case AEROGPU_TOPOLOGY_LINELIST_ADJ:
        return count / 4;
    case AEROGPU_TOPOLOGY_LINESTRIP_ADJ:
        return count < 4 ? 0 : count - 3;
    case AEROGPU_TOPOLOGY_TRIANGLELIST_ADJ:
        return count / 6;
    case AEROGPU_TOPOLOGY_TRIANGLESTRIP_ADJ:
        return count < 6 ? 0 : (count - 4) / 2;
    case AG_TOPOLOGY_TRIANGLE_LIST:
        return count / 3;
    default: /* triangle fan and triangle strip */
        return count < 3 ? 0 : count - 2;
    }
}

/* The positions of the vertices of primitive `i` among those of the topology. Returns how many. */
static uint32_t corners_of(uint32_t topology, uint32_t i, uint32_t corners[3])
{
    switch (topology) {
    case AEROGPU_TOPOLOGY_LINELIST_ADJ:
        corners[0] = 4 * i + 1;
        corners[1] = 4 * i + 2;
        return 2;
    case AEROGPU_TOPOLOGY_LINESTRIP_ADJ:
        corners[0] = i + 1;
        corners[1] = i + 2;
        return 2;
    case AEROGPU_TOPOLOGY_TRIANGLELIST_ADJ:
        corners[0] = 6 * i;
        corners[1] = 6 * i + 2;
        corners[2] = 6 * i + 4;
        return 3;
    case AEROGPU_TOPOLOGY_TRIANGLESTRIP_ADJ: /* every second triangle has the opposite winding */
        corners[0] = 2 * i;
        corners[1] = i % 2 ? 2 * i + 4 : 2 * i + 2;
        corners[2] = i % 2 ? 2 * i + 2 : 2 * i + 4;
        return 3;
    default: /* triangle fan */
        corners[0] = 0;
        corners[1] = i + 1;
        corners[2] = i + 2;
        return 3;
    }
}

/* Writes the list for vertices [begin, begin + count), which have no cut value among them. Returns how
 * many indices were written. */
static uint32_t write_segment(uint32_t topology, const struct ag_index_reader *reader, uint32_t begin,
                              uint32_t count, uint8_t *out)
{
    uint32_t written = 0, primitives = ag_topology_primitives(topology, count);
    for (uint32_t i = 0; i < primitives; i++) {
        uint32_t corners[3], n = corners_of(topology, i, corners);
        for (uint32_t c = 0; c < n; c++) {
            const uint32_t vertex = begin + corners[c];
            ag_store_u32(out + 4 * (size_t)written++, reader ? ag_index_read(reader, vertex) : vertex);
        }
    }
    return written;
}

/* Rewrites the draw, with or without indices, as a list of lines or triangles. */
static enum ag_outcome rewrite_topology(struct ag_drawer *drawer, struct ag_context *context,
                                        const struct ag_draw *draw, struct ag_index_source *source)
{
    struct ag_upload_slice slice = {0};
    struct ag_index_reader indices;
    const struct ag_index_reader *const reader = draw->indexed ? &indices : NULL;
    uint32_t topology = context->topology, count = draw->count, written = 0, begin = 0;
    ag_index_reader_init(context, draw, &indices);
    uint32_t cut = reader && !reader->wide ? UINT16_MAX : UINT32_MAX;
    const enum ag_outcome outcome = alloc_indices(drawer, (uint64_t)count * 3, &slice);
    if (outcome != AG_DONE)
        return outcome;
    for (uint32_t i = 0; i <= count; i++) {
        if (i < count && (!reader || ag_index_read(reader, i) != cut))
            continue;
        written += write_segment(topology, reader, begin, i - begin, slice.bytes + 4 * (size_t)written);
        begin = i + 1;
    }
    use_slice(source, &slice, written);
    return AG_DONE;
}

/* A draw without an index buffer reads index 0 for every vertex (semantics 8.5). */
enum ag_outcome ag_index_buffer_resolve(struct ag_drawer *drawer, struct ag_context *context)
{
    uint32_t handle = context->index_buffer.handle;
    if (handle && !context->index_buffer.buffer)
        context->index_buffer.buffer = ag_handle_buffer(drawer->objects, handle);
    if (handle && !context->index_buffer.buffer) {
        ag_host_warn_handle(drawer->host, AG_SPACE_RESOURCES, handle,
                            "index buffer: handle %" PRIu32 " names no buffer", handle);
        context->index_buffer.handle = 0;
    }
    if (context->index_buffer.buffer && !ag_buffer_pull(drawer->copier, context->index_buffer.buffer))
        return AG_STOPPED;
    return AG_DONE;
}

/* Uses the WebGPU buffer in place, when the offset is aligned, or a copy that is padded with zeros when
 * the draw reads past the end. */
static enum ag_outcome use_gpu_indices(struct ag_drawer *drawer, struct ag_context *context,
                                       const struct ag_draw *draw, struct ag_index_source *source)
{
    struct ag_buffer *const buffer = context->index_buffer.buffer;
    const uint64_t offset = context->index_buffer.offset;
    uint64_t width = context->index_buffer.wide ? 4 : 2, need = ((uint64_t)draw->first + draw->count) * width;
    if (!ag_buffer_use(drawer->copier, buffer))
        return AG_STOPPED;
    source->first = draw->first;
    source->count = draw->count;
    source->buffer = buffer->gpu;
    source->offset = offset;
    if (offset <= buffer->size && need <= buffer->size - offset) {
        source->size = buffer->size - offset;
        return AG_DONE;
    }
    const uint64_t begin = offset + draw->first * width, wanted = draw->count * width;
    const uint64_t inside = begin < buffer->size ? (buffer->size - begin) / width * width : 0;
    const uint64_t lead = begin % 4, size = ag_align_up(wanted + lead, 4);
    if (size > MAX_REWRITTEN_BYTES)
        return ag_host_skip_refused(drawer->host, AGPU_DIAG_EXEC_UNSUPPORTED,
                                    "a draw reads %" PRIu32 " indices past its buffer", draw->count);
    WGPUBuffer padded = ag_recorder_scratch_buffer(
        drawer->recorder, size, WGPUBufferUsage_Index | WGPUBufferUsage_Storage | WGPUBufferUsage_CopyDst,
        "indices and zeros");
    if (!padded)
        return AG_OUT_OF_MEMORY;
    /* Half an index at the end of the buffer is not copied: it reads 0. */
    const struct ag_byte_place to = {padded, 0}, from = {buffer->gpu, begin - lead};
    if (inside != 0 && !ag_bytes_copy(drawer->blitter, ag_recorder_encoder(drawer->recorder), &to, &from,
                                      lead + (inside < wanted ? inside : wanted)))
        return AG_OUT_OF_MEMORY;
    source->first = 0;
    source->buffer = padded;
    source->offset = lead;
    source->size = size - lead;
    return AG_DONE;
}

enum ag_outcome ag_indices_for_kernel(struct ag_drawer *drawer, struct ag_context *context,
                                      const struct ag_draw *draw, struct ag_assembly_indices *indices,
                                      struct ag_buffer_range *range)
{
    struct ag_buffer *buffer = draw->indexed ? context->index_buffer.buffer : NULL;
    uint64_t width = context->index_buffer.wide ? 4 : 2;
    *range = (struct ag_buffer_range){.size = 16};
    range->buffer = ag_dummy_zeros(drawer->recorder, &range->id);
    *indices = (struct ag_assembly_indices){0};
    if (!draw->indexed)
        return AG_DONE;
    indices->bytes = (uint32_t)width;
    if (!buffer) /* an empty slot reads index 0 for every vertex (semantics 8.5) */
        return AG_DONE;
    uint64_t base = context->index_buffer.offset + draw->first * width;
    if (buffer->size > drawer->host->limits.maxStorageBufferBindingSize ||
        base + draw->count * width > UINT32_MAX)
        return ag_host_skip_refused(
            drawer->host, AGPU_DIAG_GPU_LIMIT,
            "an index buffer of %" PRIu64 " bytes is too large for a draw that is expanded", buffer->size);
    if (!ag_buffer_use(drawer->copier, buffer))
        return AG_STOPPED;
    indices->base = (uint32_t)base;
    indices->limit = (uint32_t)buffer->size;
    *range = (struct ag_buffer_range){buffer->gpu, 0, ag_align_up(buffer->size, 4), buffer->id};
    return AG_DONE;
}

/* ---- The indices of a draw ---------------------------------------------------------------------------- */

bool ag_indices_exceed_rewriting(const struct ag_context *context, const struct ag_draw *draw)
{
    return draw->count > AG_MOST_REWRITTEN_INDICES &&
           (is_rewritten(context) ||
            (draw->indexed && context->index_buffer.buffer &&
             context->index_buffer.offset % (context->index_buffer.wide ? 4 : 2) != 0));
}

/* Whether an indirect draw can have the first instance. */
static bool can_be_indirect(const struct ag_drawer *drawer, const struct ag_draw *draw)
{
    return draw->first_instance == 0 || ag_host_has(drawer->host, AG_GPU_FEATURE_INDIRECT_FIRST_INSTANCE);
}

bool ag_indices_need_rewriting(const struct ag_drawer *drawer, const struct ag_context *context,
                               const struct ag_draw *draw)
{
    if (is_rewritten(context) || context->index_buffer.offset % (context->index_buffer.wide ? 4 : 2) != 0)
        return true;
    return !ag_topology_is_strip(context->topology) && !can_be_indirect(drawer, draw);
}

/* Offsets of the parts of the buffer that ag_index_source_strip() makes, aligned for storage bindings. */
#define STRIPPED_SCRATCH_AT 256u
#define STRIPPED_LIST_AT 512u

/* Records kernels that remove the cut values of a list and write the arguments of an indirect draw. */
enum ag_outcome ag_index_source_strip(struct ag_drawer *drawer, struct ag_context *context,
                                      const struct ag_draw *draw, struct ag_index_source *source)
{
    const uint64_t bytes = draw->count * UINT64_C(4);
    const struct ag_assembly_draw stripped = {draw->count, draw->instance_count, draw->first_instance,
                                              draw->base_vertex};
    struct ag_assembly assembly;
    struct ag_assembly_indices indices;
    struct ag_assembly_buffers buffers;
    struct ag_upload_slice block;
    if (bytes > MAX_REWRITTEN_BYTES || bytes > drawer->host->limits.maxStorageBufferBindingSize)
        return ag_host_skip_refused(drawer->host, AGPU_DIAG_EXEC_UNSUPPORTED,
                                    "a list of %" PRIu32 " indices that the GPU wrote is too large",
                                    draw->count);
    const enum ag_outcome outcome = ag_indices_for_kernel(drawer, context, draw, &indices, &buffers.indices);
    if (outcome != AG_DONE)
        return outcome;
    if (!ag_assembly_init(&assembly, source->topology, false))
        return AG_SKIPPED;
    if (!ag_upload_ring_alloc(drawer->recorder, AG_ASSEMBLY_BLOCK_BYTES, &block))
        return AG_OUT_OF_MEMORY;
    ag_assembly_strip_block(&assembly, &indices, &stripped, block.bytes);
    WGPUBuffer made = ag_recorder_scratch_buffer(
        drawer->recorder, STRIPPED_LIST_AT + bytes,
        WGPUBufferUsage_Storage | WGPUBufferUsage_Index | WGPUBufferUsage_Indirect, "list of a strip");
    if (!made)
        return AG_OUT_OF_MEMORY;
    buffers.block = (struct ag_buffer_range){block.gpu, block.offset, AG_ASSEMBLY_BLOCK_BYTES, block.id};
    buffers.primitives = (struct ag_buffer_range){made, 0, AG_INDEXED_ARGUMENT_BYTES, 0};
    buffers.runs = (struct ag_buffer_range){made, STRIPPED_SCRATCH_AT, 16, 0};
    buffers.vertices = (struct ag_buffer_range){made, STRIPPED_LIST_AT, bytes, 0};
    WGPUComputePassEncoder pass =
        ag_compute_pass_begin(ag_recorder_encoder(drawer->recorder), "list of a strip");
    const bool recorded = ag_assembly_record_strip(ag_drawer_assembly(drawer), pass, &buffers, draw->count);
    wgpuComputePassEncoderEnd(pass);
    wgpuComputePassEncoderRelease(pass);
    if (!recorded)
        return AG_OUT_OF_MEMORY;
    source->buffer = source->arguments = made;
    source->offset = STRIPPED_LIST_AT;
    source->size = bytes;
    return AG_DONE;
}

/* The kernels that strip the list read the draw as it is recorded, which is not known yet. */
static enum ag_outcome strip_later(const struct ag_draw *draw, struct ag_index_source *source)
{
    source->strips = true;
    source->format = WGPUIndexFormat_Uint32;
    source->count = draw->count;
    return AG_DONE;
}

/* The indices are made like this when the draw has its pipeline. */
static enum ag_outcome make_later(ag_index_maker make, bool wide, struct ag_index_source *source)
{
    source->make = make;
    source->format = wide ? WGPUIndexFormat_Uint32 : WGPUIndexFormat_Uint16;
    return AG_DONE;
}

static enum ag_outcome rewrite_topology_later(struct ag_index_source *source)
{
    source->topology = is_lines(source->topology) ? AG_TOPOLOGY_LINE_LIST : AG_TOPOLOGY_TRIANGLE_LIST;
    return make_later(rewrite_topology, true, source);
}

enum ag_outcome ag_index_source_init(struct ag_drawer *drawer, struct ag_context *context,
                                     const struct ag_draw *draw, struct ag_index_source *source)
{
    struct ag_index_reader reader;
    memset(source, 0, sizeof *source);
    source->topology = context->topology;
    const bool rewritten = is_rewritten(context);
    if (!draw->indexed)
        return rewritten ? rewrite_topology_later(source) : AG_DONE;
    const enum ag_outcome outcome = ag_index_buffer_resolve(drawer, context);
    if (outcome != AG_DONE)
        return outcome;
    const bool is_strip = ag_topology_is_strip(context->topology);
    if (!ag_index_reader_init(context, draw, &reader)) /* draws that need other rewriting are expanded */
        return is_strip ? make_later(use_gpu_indices, reader.wide, source) : strip_later(draw, source);
    struct ag_buffer *buffer = context->index_buffer.buffer;
    if (rewritten)
        return rewrite_topology_later(source);
    const bool is_large = buffer && draw->count > AG_MOST_REWRITTEN_INDICES;
    if (buffer && !is_strip && ag_index_buffer_may_have_cut(buffer) &&
        ag_index_range_has_cut(buffer, &reader, draw->count))
        return is_large && can_be_indirect(drawer, draw) ? strip_later(draw, source)
                                                         : make_later(rewrite_list, true, source);
    uint64_t width = reader.wide ? 4 : 2;
    if (context->index_buffer.offset % width != 0 ||
        (!is_large && !ag_range_fits(reader.offset, draw->count * width, reader.size)))
        return make_later(copy_indices, true, source);
    return make_later(use_gpu_indices, reader.wide, source);
}

enum ag_outcome ag_index_source_make(struct ag_drawer *drawer, struct ag_context *context,
                                     const struct ag_draw *draw, struct ag_index_source *source)
{
    return source->make ? source->make(drawer, context, draw, source) : AG_DONE;
}
