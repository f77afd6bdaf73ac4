/* SPDX-License-Identifier: MIT */
#include "exec/draw/vertex_pull.h"

#include <inttypes.h>

#include "aerogpu/diag.h"
#include "aerogpu/translate.h"
#include "base/bytes.h"
#include "exec/bind/context.h"
#include "exec/bind/draw_call.h"
#include "exec/bind/index_scan.h"
#include "exec/bind/vertex_state.h"
#include "exec/blit/element_fetch.h"
#include "exec/draw/drawer.h"
#include "exec/host/host.h"
#include "exec/host/outcome.h"
#include "exec/host/report.h"
#include "exec/object/buffer.h"
#include "exec/object/input_layout.h"
#include "exec/record/bind_group.h"
#include "exec/record/encoder.h"
#include "exec/record/pass.h"
#include "exec/record/recorder.h"
#include "exec/record/upload_ring.h"
#include "exec/transfer/buffer_upload.h"
#include "gpu/label.h"
#include "gpu/webgpu.h"
#include "kernel/kernel.h"

#define MAX_PULLED_BYTES (UINT64_C(256) << 20)
#define FIRST_ARENA_BYTES (UINT64_C(1) << 20)
/* The most bytes of the arena, unless one draw needs more. Below every device's
 * maxStorageBufferBindingSize. */
#define MOST_ARENA_BYTES (UINT64_C(64) << 20)
#define SOURCE_ALIGNMENT 16

void ag_vertex_arena_fini(struct ag_vertex_arena *arena)
{
    if (arena->gpu)
        wgpuBufferRelease(arena->gpu);
    *arena = (struct ag_vertex_arena){0};
}

/* ---- The range of a draw ------------------------------------------------------------------------------ */

/* The vertices and instances that a pulled draw reads. */
struct pull_range {
    uint32_t first_vertex, vertex_count, first_instance, instance_count;
};

static enum ag_outcome find_range(struct ag_drawer *drawer, const struct ag_context *context,
                                  struct ag_draw *draw, struct pull_range *range)
{
    struct ag_index_bounds bounds;
    *range = (struct pull_range){draw->first, draw->count, draw->first_instance, draw->instance_count};
    draw->first_instance = 0;
    if (!draw->indexed) {
        draw->first = 0;
        return AG_DONE;
    }
    if (!ag_index_bounds_find(context, draw, &bounds))
        return ag_host_skip_refused(
            drawer->host, AGPU_DIAG_EXEC_UNSUPPORTED,
            "vertex data that WebGPU cannot fetch, with indices that the GPU wrote, is not supported");
    uint64_t count = (uint64_t)bounds.last - bounds.first + 1;
    range->first_vertex = (uint32_t)draw->base_vertex + bounds.first;
    range->vertex_count = count > UINT32_MAX ? UINT32_MAX : (uint32_t)count;
    draw->base_vertex = (int32_t)(0 - bounds.first);
    return AG_DONE;
}

static bool grow_arena(struct ag_drawer *drawer, uint64_t bytes)
{
    struct ag_vertex_arena *arena = &drawer->vertices;
    uint64_t size = arena->size ? 2 * arena->size : FIRST_ARENA_BYTES;
    if (arena->gpu) {
        if (!ag_recorder_keep_until_flush(drawer->recorder, arena->gpu))
            return false;
        ag_bind_groups_forget(drawer->recorder, arena->id);
    }
    if (size > MOST_ARENA_BYTES)
        size = MOST_ARENA_BYTES;
    arena->size = size < bytes ? bytes : size;
    arena->used = 0;
    arena->id = ag_host_id(drawer->host);
    arena->gpu = ag_host_create_buffer(drawer->host, arena->size,
                                       WGPUBufferUsage_Storage | WGPUBufferUsage_Vertex, "fetched vertices");
    return arena->gpu != NULL;
}

/* Makes room in the arena behind the vertices of the open pass's draws. The vertices of earlier passes
 * have been read when the kernel runs, and are overwritten. When the arena cannot grow, the open pass is
 * ended. */
static bool reserve_arena(struct ag_drawer *drawer, uint64_t bytes)
{
    struct ag_vertex_arena *arena = &drawer->vertices;
    if (drawer->recorder->pass.encoder && arena->size >= MOST_ARENA_BYTES &&
        bytes > arena->size - arena->used)
        ag_pass_end(drawer->recorder);
    if (!drawer->recorder->pass.encoder)
        arena->used = 0;
    return bytes <= arena->size - arena->used || grow_arena(drawer, bytes);
}

/* Takes room for all vertex buffers of a draw, which are parts of the arena. */
static enum ag_outcome create_sources(struct ag_drawer *drawer, const struct ag_vertex_state *state,
                                      const struct pull_range *range,
                                      struct ag_vertex_source sources[AG_MAX_VERTEX_BUFFERS])
{
    struct ag_vertex_arena *arena = &drawer->vertices;
    uint64_t total = 0;
    for (uint32_t i = 0; i < state->buffer_count; i++) {
        const struct ag_vertex_buffer *buffer = &state->buffers[i];
        uint64_t entries = buffer->per_instance ? range->instance_count : range->vertex_count;
        uint64_t bytes = entries * buffer->stride;
        total += ag_align_up(bytes, SOURCE_ALIGNMENT);
        if (total > MAX_PULLED_BYTES || total > drawer->host->limits.maxStorageBufferBindingSize)
            return ag_host_skip_refused(drawer->host, AGPU_DIAG_EXEC_UNSUPPORTED,
                                        "a draw reads %" PRIu64 " %s, which take %" PRIu64
                                        " bytes when they are fetched: too many",
                                        entries, buffer->per_instance ? "instances" : "vertices", bytes);
        sources[i] = (struct ag_vertex_source){NULL, total - ag_align_up(bytes, SOURCE_ALIGNMENT), bytes};
    }
    if (!reserve_arena(drawer, total))
        return AG_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < state->buffer_count; i++) {
        sources[i].buffer = arena->gpu;
        sources[i].offset += arena->used;
    }
    arena->used += total;
    return AG_DONE;
}

static struct ag_element_block block_of(const struct ag_input_element *element,
                                        const struct ag_vertex_buffer_slot *slot,
                                        const struct pull_range *range)
{
    struct ag_element_block block =
        ag_element_block(element->format, slot->buffer, slot->offset + element->offset, slot->stride);
    block.first = element->per_instance ? range->first_instance : range->first_vertex;
    block.count = element->per_instance ? range->instance_count : range->vertex_count;
    block.rate = element->per_instance ? element->step_rate : 1;
    return block;
}

/* Brings the buffers of all elements up to date, before the compute pass begins, since that may record
 * copies. */
static enum ag_outcome use_buffers(struct ag_drawer *drawer, struct ag_context *context,
                                   const struct ag_vertex_state *state)
{
    for (uint32_t i = 0; i < state->attribute_count; i++) {
        int8_t index = context->match.elements[state->attributes[i].location];
        uint32_t slot = context->input_layout->elements[index].slot;
        struct ag_buffer *buffer = context->vertex_buffers[slot].buffer;
        if (!ag_buffer_use(drawer->copier, buffer))
            return AG_STOPPED;
        if (buffer->size > drawer->host->limits.maxStorageBufferBindingSize)
            return ag_host_skip_refused(drawer->host, AGPU_DIAG_EXEC_UNSUPPORTED,
                                        "vertex buffer %" PRIu32 " has %" PRIu64
                                        " bytes, too many for vertex data that WebGPU cannot fetch",
                                        slot, buffer->size);
    }
    return AG_DONE;
}

static const struct ag_input_element *element_of(const struct ag_context *context,
                                                 const struct ag_vertex_attribute *attribute)
{
    return &context->input_layout->elements[context->match.elements[attribute->location]];
}

enum ag_outcome ag_vertex_pull(struct ag_drawer *drawer, struct ag_context *context,
                               const struct ag_vertex_state *state, struct ag_draw *draw,
                               struct ag_vertex_source sources[AG_MAX_VERTEX_BUFFERS])
{
    struct ag_upload_slice slices[AGPU_MAX_REGISTERS];
    struct pull_range range;
    uint32_t counts[AGPU_MAX_REGISTERS];
    enum ag_outcome outcome = find_range(drawer, context, draw, &range);
    if (outcome == AG_DONE)
        outcome = use_buffers(drawer, context, state);
    if (outcome == AG_DONE)
        outcome = create_sources(drawer, state, &range, sources);
    if (outcome != AG_DONE)
        return outcome;
    for (uint32_t i = 0; i < state->attribute_count; i++) {
        const struct ag_vertex_attribute *attribute = &state->attributes[i];
        const struct ag_input_element *element = element_of(context, attribute);
        struct ag_element_block block = block_of(element, &context->vertex_buffers[element->slot], &range);
        counts[i] = block.count;
        block.out_first = (uint32_t)(sources[attribute->buffer].offset + attribute->offset) / 4;
        block.out_stride = state->buffers[attribute->buffer].stride / 4;
        if (!ag_element_block_upload(drawer->blitter, &block, &slices[i]))
            return AG_OUT_OF_MEMORY;
    }
    const struct ag_vertex_arena *arena = &drawer->vertices;
    const struct ag_buffer_range to = {.buffer = arena->gpu, .size = arena->size, .id = arena->id};
    WGPUComputePassEncoder pass =
        ag_compute_pass_begin(ag_recorder_ahead_encoder(drawer->recorder), "fetch of vertices");
    bool done = true;
    for (uint32_t i = 0; i < state->attribute_count && done; i++) {
        const struct ag_vertex_attribute *attribute = &state->attributes[i];
        done = ag_element_fetch_record(drawer->blitter, pass,
                                       context->vertex_buffers[element_of(context, attribute)->slot].buffer,
                                       &slices[i], &to, NULL, counts[i]);
    }
    wgpuComputePassEncoderEnd(pass);
    wgpuComputePassEncoderRelease(pass);
    return done ? AG_DONE : AG_OUT_OF_MEMORY;
}

/* ---- Records ------------------------------------------------------------------------------------------ */

static const struct ag_vertex_attribute *attribute_of(const struct ag_vertex_state *state, uint32_t location)
{
    for (uint32_t i = 0; i < state->attribute_count; i++)
        if (state->attributes[i].location == location)
            return &state->attributes[i];
    return NULL;
}

enum ag_outcome ag_vertex_records_init(struct ag_drawer *drawer, struct ag_context *context,
                                       const struct ag_vertex_state *state, const struct ag_draw *draw,
                                       uint32_t registers, struct ag_vertex_records *records)
{
    const struct pull_range range = {draw->indexed ? (uint32_t)draw->base_vertex : draw->first, 0,
                                     draw->first_instance, 0};
    records->registers = registers;
    const enum ag_outcome outcome = use_buffers(drawer, context, state);
    if (outcome != AG_DONE)
        return outcome;
    for (uint32_t r = 0; r < registers; r++) {
        const struct ag_vertex_attribute *attribute = attribute_of(state, r);
        struct ag_element_block block = {.numbered = AG_NUMBER_BY_VERTEX_ID};
        records->sources[r] = NULL;
        if (attribute) {
            const struct ag_input_element *element = element_of(context, attribute);
            const struct ag_vertex_buffer_slot *slot = &context->vertex_buffers[element->slot];
            block = block_of(element, slot, &range);
            block.numbered = element->per_instance ? AG_NUMBER_BY_INSTANCE_ID : AG_NUMBER_BY_VERTEX_ID;
            records->sources[r] = slot->buffer;
        }
        block.out_first = 4 * r;
        block.out_stride = 4 * registers;
        if (!ag_element_block_upload(drawer->blitter, &block, &records->blocks[r]))
            return AG_OUT_OF_MEMORY;
    }
    return AG_DONE;
}

void ag_vertex_records_pull(struct ag_drawer *drawer, WGPUComputePassEncoder pass,
                            const struct ag_vertex_records *records, const struct ag_buffer_range *vertices,
                            const struct ag_buffer_range *to, uint64_t limit)
{
    for (uint32_t r = 0; r < records->registers; r++)
        if (!ag_element_fetch_record(drawer->blitter, pass, records->sources[r], &records->blocks[r], to,
                                     vertices, limit))
            return;
}
