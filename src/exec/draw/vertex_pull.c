/* SPDX-License-Identifier: MIT */
#include "exec/draw/vertex_pull.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "aerogpu/diag.h"
#include "aerogpu/translate.h"
#include "base/bytes.h"
#include "base/map.h"
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
    free(arena->pulled);
    *arena = (struct ag_vertex_arena){.is_off = arena->is_off};
}

/* ---- The range of a draw ------------------------------------------------------------------------------ */

static enum ag_outcome find_range(struct ag_drawer *drawer, const struct ag_context *context,
                                  struct ag_draw *draw, struct ag_pull_range *range)
{
    struct ag_index_bounds bounds;
    *range = (struct ag_pull_range){draw->first, draw->count, draw->first_instance, draw->instance_count};
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

/* How many bytes a vertex buffer of the draw takes. */
static uint64_t pulled_bytes(const struct ag_vertex_buffer *buffer, const struct ag_pull_range *range)
{
    return (uint64_t)(buffer->per_instance ? range->instance_count : range->vertex_count) * buffer->stride;
}

static uint64_t most_bytes(const struct ag_drawer *drawer)
{
    const uint64_t binding = drawer->host->limits.maxStorageBufferBindingSize;
    return binding < MAX_PULLED_BYTES ? binding : MAX_PULLED_BYTES;
}

/* So many vertices and instances fit whatever is fetched of them. */
#define SURELY_FEW (UINT32_C(1) << 17)

bool ag_vertex_pull_may_exceed(const struct ag_context *context, const struct ag_draw *draw)
{
    struct ag_index_bounds bounds;
    if (draw->instance_count > SURELY_FEW || !draw->indexed)
        return draw->instance_count > SURELY_FEW || draw->count > SURELY_FEW;
    if (ag_index_bounds_guess(context, &bounds) && bounds.last < SURELY_FEW)
        return false;
    return ag_index_bounds_find(context, draw, &bounds) && bounds.last - bounds.first >= SURELY_FEW;
}

bool ag_vertex_pull_exceeds(const struct ag_drawer *drawer, const struct ag_context *context,
                            const struct ag_vertex_state *state, const struct ag_draw *draw)
{
    struct ag_index_bounds bounds = {0, draw->count - 1};
    struct ag_pull_range range = {.instance_count = draw->instance_count};
    uint64_t total = 0;
    if (draw->indexed && !ag_index_bounds_find(context, draw, &bounds))
        return false;
    range.vertex_count = bounds.last - bounds.first;
    range.vertex_count += range.vertex_count < UINT32_MAX;
    for (uint32_t i = 0; i < state->buffer_count; i++)
        total += ag_align_up(pulled_bytes(&state->buffers[i], &range), SOURCE_ALIGNMENT);
    return total > most_bytes(drawer);
}

/* ---- Vertices that are pulled already ----------------------------------------------------------------- */

#define PULLED_VERTICES 16
/* Of a buffer of which draws read several ranges, all vertices are pulled, if they are not more. */
#define MOST_WHOLE_VERTICES (UINT32_C(1) << 20)
#define MOST_WHOLE_BYTES (UINT64_C(16) << 20)

/* What pulled vertices are made of, apart from their range. Zeroed before it is filled, so that its bytes can
 * be compared. */
struct pull_key {
    uint64_t arena_id, fillings, layout_id;
    struct ag_vertex_state state;
    struct {
        uint64_t buffer_id, version;
        uint32_t offset, stride;
        int64_t element;
    } attributes[AGPU_MAX_REGISTERS];
};

struct ag_pulled_vertices {
    uint64_t hash; /* of the key; 0: the entry is empty */
    struct pull_key key;
    struct ag_pull_range range;
    struct ag_vertex_source sources[AG_MAX_VERTEX_BUFFERS];
};

static uint64_t make_key(const struct ag_drawer *drawer, const struct ag_context *context,
                         const struct ag_vertex_state *state, struct pull_key *key)
{
    memset(key, 0, sizeof *key);
    key->arena_id = drawer->vertices.id;
    key->fillings = drawer->vertices.fillings;
    key->layout_id = context->input_layout->id;
    memcpy(&key->state, state, sizeof *state);
    for (uint32_t i = 0; i < state->attribute_count; i++) {
        const int8_t element = context->match.elements[state->attributes[i].location];
        const struct ag_vertex_buffer_slot *slot =
            &context->vertex_buffers[context->input_layout->elements[element].slot];
        key->attributes[i].buffer_id = slot->buffer->id;
        key->attributes[i].version = slot->buffer->version;
        key->attributes[i].offset = slot->offset;
        key->attributes[i].stride = slot->stride;
        key->attributes[i].element = element;
    }
    return ag_hash_bytes(key, sizeof *key) | 1;
}

static struct ag_pulled_vertices *find_pulled(const struct ag_drawer *drawer, const struct pull_key *key,
                                              uint64_t hash)
{
    struct ag_pulled_vertices *const pulled = drawer->vertices.pulled;
    for (uint32_t i = 0; pulled && i < PULLED_VERTICES; i++)
        if (pulled[i].hash == hash && memcmp(&pulled[i].key, key, sizeof *key) == 0)
            return &pulled[i];
    return NULL;
}

/* Remembers what the arena has; in the place of `old`, which has less of the same, if that is not null. */
static void remember(struct ag_drawer *drawer, const struct pull_key *key, uint64_t hash,
                     const struct ag_pull_range *range, const struct ag_vertex_source *sources,
                     struct ag_pulled_vertices *old)
{
    struct ag_vertex_arena *arena = &drawer->vertices;
    if (!arena->pulled)
        arena->pulled = calloc(PULLED_VERTICES, sizeof *arena->pulled);
    if (!arena->pulled)
        return;
    struct ag_pulled_vertices *pulled = old ? old : &arena->pulled[arena->turn++ % PULLED_VERTICES];
    pulled->hash = hash;
    memcpy(&pulled->key, key, sizeof *key);
    pulled->range = *range;
    memcpy(pulled->sources, sources, sizeof pulled->sources);
}

static bool contains(const struct ag_pull_range *a, const struct ag_pull_range *b)
{
    return b->first_vertex >= a->first_vertex && a->first_instance == b->first_instance &&
           a->instance_count == b->instance_count &&
           (uint64_t)b->first_vertex + b->vertex_count <= (uint64_t)a->first_vertex + a->vertex_count;
}

/* The range of all vertices of the buffers, when that contains the draw's. */
static struct ag_pull_range widen(const struct ag_context *context, const struct ag_vertex_state *state,
                                  const struct ag_pull_range *range)
{
    struct ag_pull_range whole = {0, 0, range->first_instance, range->instance_count};
    for (uint32_t i = 0; i < state->attribute_count; i++) {
        const struct ag_input_element *element =
            &context->input_layout->elements[context->match.elements[state->attributes[i].location]];
        const struct ag_vertex_buffer_slot *slot = &context->vertex_buffers[element->slot];
        const uint64_t count = slot->stride ? slot->buffer->size / slot->stride : 1;
        if (!element->per_instance && count <= MOST_WHOLE_VERTICES && count > whole.vertex_count)
            whole.vertex_count = (uint32_t)count;
    }
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < state->buffer_count; i++)
        bytes += state->buffers[i].per_instance ? 0 : (uint64_t)whole.vertex_count * state->buffers[i].stride;
    return bytes <= MOST_WHOLE_BYTES && contains(&whole, range) ? whole : *range;
}

/* Draws that differ in instances alone have the same vertices, unless some element is per instance. */
static void ignore_instances(const struct ag_vertex_state *state, struct ag_pull_range *range)
{
    for (uint32_t i = 0; i < state->buffer_count; i++)
        if (state->buffers[i].per_instance)
            return;
    range->first_instance = 0;
    range->instance_count = 1;
}

/* The draw reads vertices that begin with the first one of `pulled`. */
static void shift(struct ag_draw *draw, const struct ag_pull_range *range, const struct ag_pull_range *pulled)
{
    const uint32_t distance = range->first_vertex - pulled->first_vertex;
    if (draw->indexed)
        draw->base_vertex = (int32_t)((uint32_t)draw->base_vertex + distance);
    else
        draw->first = distance;
}

/* ---- Room --------------------------------------------------------------------------------------------- */

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

/* Makes room in the arena. The vertices of earlier passes have been read when the kernel runs, and are
 * overwritten when there is no other room. When the arena cannot grow, the open pass is ended. */
static bool reserve_arena(struct ag_drawer *drawer, uint64_t bytes)
{
    struct ag_vertex_arena *arena = &drawer->vertices;
    if (drawer->recorder->pass.encoder && arena->size >= MOST_ARENA_BYTES &&
        bytes > arena->size - arena->used)
        ag_pass_end(drawer->recorder);
    if (!drawer->recorder->pass.encoder && bytes > arena->size - arena->used) {
        arena->used = 0;
        arena->fillings++;
    }
    return bytes <= arena->size - arena->used || grow_arena(drawer, bytes);
}

/* Takes room for all vertex buffers of a draw, which are parts of the arena. */
static enum ag_outcome create_sources(struct ag_drawer *drawer, const struct ag_vertex_state *state,
                                      const struct ag_pull_range *range,
                                      struct ag_vertex_source sources[AG_MAX_VERTEX_BUFFERS])
{
    struct ag_vertex_arena *arena = &drawer->vertices;
    uint64_t total = 0;
    for (uint32_t i = 0; i < state->buffer_count; i++) {
        const struct ag_vertex_buffer *buffer = &state->buffers[i];
        const uint64_t bytes = pulled_bytes(buffer, range);
        total += ag_align_up(bytes, SOURCE_ALIGNMENT);
        sources[i] = (struct ag_vertex_source){NULL, total - ag_align_up(bytes, SOURCE_ALIGNMENT), bytes};
    }
    if (total > most_bytes(drawer))
        return ag_host_skip_refused(drawer->host, AGPU_DIAG_EXEC_UNSUPPORTED,
                                    "the vertices and instances of a draw take %" PRIu64
                                    " bytes when they are fetched: too many",
                                    total);
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
                                        const struct ag_pull_range *range)
{
    struct ag_element_block block =
        ag_element_block(element->format, slot->buffer, slot->offset, element->offset, slot->stride);
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
                               struct ag_vertex_source sources[AG_MAX_VERTEX_BUFFERS],
                               struct ag_pull_range *range)
{
    struct ag_upload_slice slices[AGPU_MAX_REGISTERS];
    struct ag_pull_range asked;
    struct pull_key key;
    uint32_t counts[AGPU_MAX_REGISTERS];
    enum ag_outcome outcome = find_range(drawer, context, draw, &asked);
    if (outcome == AG_DONE)
        outcome = use_buffers(drawer, context, state);
    if (outcome != AG_DONE)
        return outcome;
    ignore_instances(state, &asked);
    uint64_t hash = make_key(drawer, context, state, &key);
    struct ag_pulled_vertices *pulled = drawer->vertices.is_off ? NULL : find_pulled(drawer, &key, hash);
    *range = pulled ? widen(context, state, &asked) : asked;
    if (pulled && contains(&pulled->range, &asked)) {
        *range = pulled->range;
        shift(draw, &asked, range);
        memcpy(sources, pulled->sources, sizeof pulled->sources);
        return AG_DONE;
    }
    outcome = create_sources(drawer, state, range, sources);
    if (outcome != AG_DONE)
        return outcome;
    shift(draw, &asked, range);
    for (uint32_t i = 0; i < state->attribute_count; i++) {
        const struct ag_vertex_attribute *attribute = &state->attributes[i];
        const struct ag_input_element *element = element_of(context, attribute);
        struct ag_element_block block = block_of(element, &context->vertex_buffers[element->slot], range);
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
        const struct ag_input_element *element = element_of(context, &state->attributes[i]);
        const struct ag_buffer_range source =
            ag_element_source(context->vertex_buffers[element->slot].buffer);
        done = ag_element_fetch_record(drawer->blitter, pass, &source, &slices[i], &to, NULL, counts[i]);
    }
    wgpuComputePassEncoderEnd(pass);
    wgpuComputePassEncoderRelease(pass);
    if (!done)
        return AG_OUT_OF_MEMORY;
    hash = make_key(drawer, context, state, &key);
    remember(drawer, &key, hash, range, sources, pulled);
    return AG_DONE;
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
    const struct ag_pull_range range = {draw->indexed ? (uint32_t)draw->base_vertex : draw->first, 0,
                                        draw->first_instance, 0};
    records->registers = registers;
    records->bound = 0;
    const enum ag_outcome outcome = use_buffers(drawer, context, state);
    if (outcome != AG_DONE)
        return outcome;
    for (uint32_t r = 0; r < registers; r++) {
        const struct ag_vertex_attribute *attribute = attribute_of(state, r);
        struct ag_element_block block = {.numbered = AG_NUMBER_BY_VERTEX_ID};
        uint64_t version = 0;
        records->sources[r] = (struct ag_buffer_range){0};
        if (attribute) {
            const struct ag_input_element *element = element_of(context, attribute);
            const struct ag_vertex_buffer_slot *slot = &context->vertex_buffers[element->slot];
            block = block_of(element, slot, &range);
            block.numbered = element->per_instance ? AG_NUMBER_BY_INSTANCE_ID : AG_NUMBER_BY_VERTEX_ID;
            records->sources[r] = ag_element_source(slot->buffer);
            version = slot->buffer->version;
        }
        block.out_first = 4 * r;
        block.out_stride = 4 * registers;
        records->fetches[r] = (struct ag_vertex_fetch){block, records->sources[r].id, version};
        if (!ag_element_block_upload(drawer->blitter, &block, &records->blocks[r]))
            return AG_OUT_OF_MEMORY;
    }
    return AG_DONE;
}

bool ag_vertex_records_bind(struct ag_drawer *drawer, struct ag_vertex_records *records,
                            const struct ag_buffer_range *vertices, const struct ag_buffer_range *to)
{
    for (; records->bound < records->registers; records->bound++) {
        const uint32_t r = records->bound;
        records->groups[r] =
            ag_element_fetch_group(drawer->blitter, &records->sources[r], &records->blocks[r], to, vertices);
        if (!records->groups[r])
            return false;
    }
    return true;
}

void ag_vertex_records_pull(struct ag_drawer *drawer, WGPUComputePassEncoder pass,
                            const struct ag_vertex_records *records, uint64_t limit)
{
    for (uint32_t r = 0; r < records->bound; r++)
        ag_element_fetch_dispatch(drawer->blitter, pass, records->groups[r], &records->blocks[r], limit);
}

void ag_vertex_records_release(struct ag_vertex_records *records)
{
    while (records->bound > 0)
        wgpuBindGroupRelease(records->groups[--records->bound]);
}
