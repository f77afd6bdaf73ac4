/* SPDX-License-Identifier: MIT
 *
 * Vertex data that WebGPU's fixed function does not fetch as Direct3D does: odd strides and offsets, step
 * rates above 1, formats of its own, many buffers, reads past the end. A kernel reads it before the draw,
 * element by element, with Direct3D's bounds (semantics 8.1-8.4): what is out of range is 0 in the components
 * that the format has and (0, 0, 0, 1) in the others.
 */
#include <inttypes.h>
#include <string.h>

#include "base/bytes.h"
#include "exec/exec.h"
#include "exec/kernels.h"
#include "exec/vertex_state.h"
#include "expand/kernel.h"

#define MAX_PULLED_BYTES (UINT64_C(256) << 20)
#define FIRST_ARENA_BYTES (UINT64_C(1) << 20)
#define MOST_ARENA_BYTES                                                                                     \
    (UINT64_C(64) << 20) /* unless one draw takes more; below what every device binds                        \
                          */
#define SOURCE_ALIGNMENT 16

/* The kernel's uniform block; its twin is struct Element in vertex_pull.wgsl. */
struct element_block {
    uint32_t shift[4], bits[4]; /* of the components inside the element */
    uint32_t first;             /* element number of the first entry */
    uint32_t count;             /* entries */
    uint32_t rate;              /* entries for each element; 0: all are the first */
    uint32_t base;              /* bytes to element 0 */
    uint32_t stride, limit;     /* limit: bytes of the buffer */
    uint32_t bytes;             /* of the element */
    uint32_t number;            /* enum ag_number */
    uint32_t out_first;         /* words */
    uint32_t out_stride;
    uint32_t one;      /* what a missing fourth component is */
    uint32_t numbered; /* enum numbering */
};

/* Where an entry's element number comes from. */
enum numbering {
    NUMBER_BY_ENTRY,       /* the entry's own number */
    NUMBER_BY_VERTEX_ID,   /* what a list of vertices says, which also says how many there are */
    NUMBER_BY_INSTANCE_ID, /* (AG_EXPAND_VERTICES) */
};

/* ---- The kernel --------------------------------------------------------------------------------------- */

static const struct ag_kernel *get_puller(struct ag_exec *exec)
{
    const struct ag_kernel_desc desc = {
        .label = "vertex pull",
        .wgsl = ag_vertex_pull_wgsl,
        .wgsl_length = ag_vertex_pull_wgsl_length,
        .binding_count = 4,
        .written = 1u << 2,
        .block_bytes = sizeof(struct element_block),
        .entries = {"pull"},
    };
    return ag_bind_kernel_make(exec, &exec->puller.kernel, &desc);
}

void ag_vertex_puller_fini(struct ag_vertex_puller *puller)
{
    ag_kernel_fini(&puller->kernel);
    if (puller->arena)
        wgpuBufferRelease(puller->arena);
    *puller = (struct ag_vertex_puller){0};
}

/* ---- What it is to read ------------------------------------------------------------------------------- */

/* Entries of a pulled draw and the elements that they begin with. */
struct pull_range {
    uint32_t first_vertex, vertex_count, first_instance, instance_count;
};

static bool find_range(struct ag_exec *exec, const struct ag_context *context, struct ag_draw *draw,
                       struct pull_range *range)
{
    struct ag_index_bounds bounds;
    *range = (struct pull_range){draw->first, draw->count, draw->first_instance, draw->instance_count};
    draw->first_instance = 0;
    if (!draw->indexed) {
        draw->first = 0;
        return true;
    }
    if (!ag_index_bounds_find(context, draw, &bounds)) {
        ag_exec_skip_refused(exec, AGPU_DIAG_EXEC_UNSUPPORTED,
                             "vertex data that WebGPU cannot fetch, with indices that the GPU wrote, is not "
                             "supported");
        return false;
    }
    uint64_t count = (uint64_t)bounds.last - bounds.first + 1;
    range->first_vertex = (uint32_t)draw->base_vertex + bounds.first;
    range->vertex_count = count > UINT32_MAX ? UINT32_MAX : (uint32_t)count;
    draw->base_vertex = (int32_t)(0 - bounds.first);
    return true;
}

static struct element_block element_block(const struct ag_input_element *element,
                                          const struct ag_vertex_buffer_slot *slot,
                                          const struct pull_range *range)
{
    const struct ag_host_format *format = element->format;
    const struct ag_vertex_components components = ag_host_format_components(format);
    uint64_t size = slot->buffer->size;
    struct element_block block = {
        .first = element->per_instance ? range->first_instance : range->first_vertex,
        .count = element->per_instance ? range->instance_count : range->vertex_count,
        .rate = element->per_instance ? element->step_rate : 1,
        .base = slot->offset + element->offset,
        .stride = slot->stride,
        .limit = size > UINT32_MAX ? UINT32_MAX : (uint32_t)size,
        .bytes = format->vertex_bytes,
        .number = format->vertex_number,
        .one = format->class == AG_CLASS_FLOAT ? ag_bits_from_float(1) : 1,
    };
    for (uint32_t c = 0; c < 4; c++) {
        block.shift[c] = components.shift[c];
        block.bits[c] = components.bits[c];
    }
    return block;
}

static bool grow_arena(struct ag_exec *exec, uint64_t bytes)
{
    struct ag_vertex_puller *puller = &exec->puller;
    uint64_t size = puller->arena_size ? 2 * puller->arena_size : FIRST_ARENA_BYTES;
    if (puller->arena) {
        ag_bind_forget(exec, puller->arena_id);
        ag_exec_keep_until_flush(exec, puller->arena);
    }
    if (size > MOST_ARENA_BYTES)
        size = MOST_ARENA_BYTES;
    puller->arena_size = size < bytes ? bytes : size;
    puller->arena_used = 0;
    puller->arena_id = ag_exec_id(exec);
    puller->arena =
        ag_exec_create_buffer(exec, puller->arena_size, WGPUBufferUsage_Storage | WGPUBufferUsage_Vertex);
    return puller->arena != NULL;
}

/* Makes room behind what the open pass reads. What was fetched for passes before it has been read when the
 * kernel runs, and where the arena is as large as it may become, the open pass ends for that. */
static bool reserve_arena(struct ag_exec *exec, uint64_t bytes)
{
    struct ag_vertex_puller *puller = &exec->puller;
    if (exec->pass.encoder && puller->arena_size >= MOST_ARENA_BYTES &&
        bytes > puller->arena_size - puller->arena_used)
        ag_pass_end(exec);
    if (!exec->pass.encoder)
        puller->arena_used = 0;
    return bytes <= puller->arena_size - puller->arena_used || grow_arena(exec, bytes);
}

/* Of one draw: all in one buffer. */
static bool create_sources(struct ag_exec *exec, const struct ag_vertex_state *state,
                           const struct pull_range *range,
                           struct ag_vertex_source sources[AG_MAX_VERTEX_BUFFERS])
{
    struct ag_vertex_puller *puller = &exec->puller;
    uint64_t total = 0;
    for (uint32_t i = 0; i < state->buffer_count; i++) {
        const struct ag_vertex_buffer *buffer = &state->buffers[i];
        uint64_t entries = buffer->per_instance ? range->instance_count : range->vertex_count;
        uint64_t bytes = entries * buffer->stride;
        total += ag_align_up(bytes, SOURCE_ALIGNMENT);
        if (total > MAX_PULLED_BYTES || total > exec->limits.maxStorageBufferBindingSize) {
            ag_exec_skip_refused(exec, AGPU_DIAG_EXEC_UNSUPPORTED,
                                 "a draw reads %" PRIu64 " %s, which take %" PRIu64
                                 " bytes when they are fetched: too many",
                                 entries, buffer->per_instance ? "instances" : "vertices", bytes);
            return false;
        }
        sources[i] = (struct ag_vertex_source){NULL, total - ag_align_up(bytes, SOURCE_ALIGNMENT), bytes};
    }
    if (!reserve_arena(exec, total))
        return false;
    for (uint32_t i = 0; i < state->buffer_count; i++) {
        sources[i].buffer = puller->arena;
        sources[i].offset += puller->arena_used;
    }
    puller->arena_used += total;
    return true;
}

/* ---- Running it --------------------------------------------------------------------------------------- */

/* One element of all entries. `source` null: there is none, what the block says of its bits is read. False
 * when memory is exhausted (reported). */
static bool dispatch(struct ag_exec *exec, WGPUComputePassEncoder pass, const struct ag_buffer *source,
                     const struct ag_ring_slice *slice, const struct ag_buffer_range *to,
                     const struct ag_buffer_range *list, uint64_t count)
{
    const struct ag_kernel *puller = get_puller(exec);
    struct ag_buffer_range nothing = {.size = 16}, all;
    nothing.buffer = ag_dummy_zeros(exec, &nothing.id);
    all = nothing;
    if (source)
        all = (struct ag_buffer_range){
            .buffer = source->gpu, .size = ag_align_up(source->size, 4), .id = source->id};
    const struct ag_buffer_range ranges[AG_KERNEL_BINDINGS] = {
        {slice->gpu, slice->offset, sizeof(struct element_block), slice->id},
        all,
        *to,
        list ? *list : nothing,
    };
    if (!ag_kernel_bind(puller, pass, ranges))
        return false;
    ag_kernel_dispatch(puller, pass, 0, count);
    return true;
}

/* The buffers of all elements, brought up to date; before the pass begins, since that may copy. */
static bool use_buffers(struct ag_exec *exec, struct ag_context *context, const struct ag_vertex_state *state,
                        bool *failed)
{
    for (uint32_t i = 0; i < state->attribute_count; i++) {
        int8_t index = context->match.elements[state->attributes[i].location];
        uint32_t slot = context->input_layout->elements[index].slot;
        struct ag_buffer *buffer = context->vertex_buffers[slot].buffer;
        if (!ag_buffer_use(exec, buffer)) {
            *failed = true;
            return false;
        }
        if (buffer->size > exec->limits.maxStorageBufferBindingSize) {
            ag_exec_skip_refused(exec, AGPU_DIAG_EXEC_UNSUPPORTED,
                                 "vertex buffer %" PRIu32 " has %" PRIu64
                                 " bytes, too many for vertex data that WebGPU cannot fetch",
                                 slot, buffer->size);
            return false;
        }
    }
    return true;
}

static const struct ag_input_element *element_of(const struct ag_context *context,
                                                 const struct ag_vertex_attribute *attribute)
{
    return &context->input_layout->elements[context->match.elements[attribute->location]];
}

static bool write_block(struct ag_exec *exec, const struct element_block *block, struct ag_ring_slice *slice)
{
    if (!ag_ring_alloc(exec, sizeof *block, slice))
        return false;
    memcpy(slice->bytes, block, sizeof *block);
    return true;
}

bool ag_vertex_pull(struct ag_exec *exec, struct ag_context *context, const struct ag_vertex_state *state,
                    struct ag_draw *draw, struct ag_vertex_source sources[AG_MAX_VERTEX_BUFFERS],
                    bool *failed)
{
    struct ag_ring_slice slices[AGPU_MAX_REGISTERS];
    struct pull_range range;
    uint32_t counts[AGPU_MAX_REGISTERS];
    if (!find_range(exec, context, draw, &range) || !use_buffers(exec, context, state, failed) ||
        !create_sources(exec, state, &range, sources))
        return false;
    for (uint32_t i = 0; i < state->attribute_count; i++) {
        const struct ag_vertex_attribute *attribute = &state->attributes[i];
        const struct ag_input_element *element = element_of(context, attribute);
        struct element_block block = element_block(element, &context->vertex_buffers[element->slot], &range);
        counts[i] = block.count;
        block.out_first = (uint32_t)(sources[attribute->buffer].offset + attribute->offset) / 4;
        block.out_stride = state->buffers[attribute->buffer].stride / 4;
        if (!write_block(exec, &block, &slices[i]))
            return false;
    }
    const struct ag_vertex_puller *puller = &exec->puller;
    const struct ag_buffer_range to = {
        .buffer = puller->arena, .size = puller->arena_size, .id = puller->arena_id};
    WGPUComputePassEncoder pass = wgpuCommandEncoderBeginComputePass(ag_exec_ahead_encoder(exec), NULL);
    bool done = true;
    for (uint32_t i = 0; i < state->attribute_count && done; i++) {
        const struct ag_vertex_attribute *attribute = &state->attributes[i];
        done = dispatch(exec, pass, context->vertex_buffers[element_of(context, attribute)->slot].buffer,
                        &slices[i], &to, NULL, counts[i]);
    }
    wgpuComputePassEncoderEnd(pass);
    wgpuComputePassEncoderRelease(pass);
    return done;
}

/* ---- Records ------------------------------------------------------------------------------------------ */

static const struct ag_vertex_attribute *attribute_of(const struct ag_vertex_state *state, uint32_t location)
{
    for (uint32_t i = 0; i < state->attribute_count; i++)
        if (state->attributes[i].location == location)
            return &state->attributes[i];
    return NULL;
}

bool ag_vertex_records_init(struct ag_exec *exec, struct ag_context *context,
                            const struct ag_vertex_state *state, const struct ag_draw *draw,
                            uint32_t registers, struct ag_vertex_records *records, bool *failed)
{
    const struct pull_range range = {draw->indexed ? (uint32_t)draw->base_vertex : draw->first, 0,
                                     draw->first_instance, 0};
    records->registers = registers;
    if (!use_buffers(exec, context, state, failed))
        return false;
    for (uint32_t r = 0; r < registers; r++) {
        const struct ag_vertex_attribute *attribute = attribute_of(state, r);
        struct element_block block = {.numbered = NUMBER_BY_VERTEX_ID};
        records->sources[r] = NULL;
        if (attribute) {
            const struct ag_input_element *element = element_of(context, attribute);
            const struct ag_vertex_buffer_slot *slot = &context->vertex_buffers[element->slot];
            block = element_block(element, slot, &range);
            block.numbered = element->per_instance ? NUMBER_BY_INSTANCE_ID : NUMBER_BY_VERTEX_ID;
            records->sources[r] = slot->buffer;
        }
        block.out_first = 4 * r;
        block.out_stride = 4 * registers;
        if (!write_block(exec, &block, &records->blocks[r]))
            return false;
    }
    return true;
}

void ag_vertex_records_pull(struct ag_exec *exec, WGPUComputePassEncoder pass,
                            const struct ag_vertex_records *records, const struct ag_buffer_range *vertices,
                            const struct ag_buffer_range *to, uint64_t limit)
{
    for (uint32_t r = 0; r < records->registers; r++)
        if (!dispatch(exec, pass, records->sources[r], &records->blocks[r], to, vertices, limit))
            return;
}

/* ---- Typed buffers ------------------------------------------------------------------------------------ */

bool ag_vertex_pull_elements(struct ag_exec *exec, const struct ag_buffer_view *view, WGPUBuffer to,
                             uint64_t id)
{
    const struct ag_input_element element = {.format = view->format};
    const struct ag_vertex_buffer_slot slot = {.buffer = view->buffer, .stride = view->stride};
    const struct pull_range range = {.first_vertex = view->first, .vertex_count = view->count};
    const struct ag_buffer_range target = {.buffer = to, .size = view->count * UINT64_C(16), .id = id};
    struct element_block block = element_block(&element, &slot, &range);
    struct ag_ring_slice slice;
    block.out_stride = 4;
    if (!write_block(exec, &block, &slice))
        return false;
    WGPUComputePassEncoder pass = wgpuCommandEncoderBeginComputePass(ag_exec_encoder(exec), NULL);
    bool done = dispatch(exec, pass, view->buffer, &slice, &target, NULL, view->count);
    wgpuComputePassEncoderEnd(pass);
    wgpuComputePassEncoderRelease(pass);
    return done;
}
