/* SPDX-License-Identifier: MIT */
#include "exec/draw/kept_vertices.h"

#include "aerogpu/dxbc.h"
#include "base/bytes.h"
#include "exec/bind/context.h"
#include "exec/bind/draw_call.h"
#include "exec/bind/index_scan.h"
#include "exec/bind/pipeline.h"
#include "exec/bind/vertex_state.h"
#include "exec/draw/plain_draw.h"
#include "exec/object/buffer.h"
#include "exec/object/input_layout.h"
#include "exec/state/state.h"

/* How many elements of a vertex buffer of so many bytes are whole. */
static uint64_t whole_elements(struct ag_kept_elements *known, uint64_t size,
                               const struct ag_vertex_buffer *buffer)
{
    if (known->size == size && known->stride == buffer->stride && known->last_bytes == buffer->last_bytes)
        return known->count;
    const uint64_t count = size < buffer->last_bytes ? 0
                           : buffer->stride          ? (size - buffer->last_bytes) / buffer->stride + 1
                                                     : UINT64_MAX;
    *known = (struct ag_kept_elements){size, buffer->stride, buffer->last_bytes, count};
    return count;
}

/* Notes the contents of the buffer in a slot, of those that are `noted` not yet (bit n: slot n). */
static void note_contents(struct ag_kept_draw *kept, uint32_t slot, uint32_t *noted)
{
    const struct ag_buffer *buffer = kept->context->vertex_buffers[slot].buffer;
    if (!(*noted >> slot & 1))
        kept->vertex_contents[kept->vertex_contents_count++] =
            (struct ag_kept_contents){buffer, buffer->version};
    *noted |= UINT32_C(1) << slot;
}

void ag_kept_buffers_note(struct ag_kept_draw *kept)
{
    const struct ag_vertex_state *state = &kept->prepared.pipeline->key.vertex;
    uint64_t most[2] = {UINT64_MAX, UINT64_MAX}; /* of vertices, of instances */
    for (uint32_t i = 0; i < state->buffer_count; i++) {
        const struct ag_vertex_buffer_slot *slot = &kept->context->vertex_buffers[state->buffers[i].slot];
        const struct ag_buffer *buffer = slot->buffer;
        const uint64_t size = slot->offset < buffer->size ? buffer->size - slot->offset : 0;
        const uint64_t whole = whole_elements(&kept->elements[i], size, &state->buffers[i]);
        const bool per_instance = state->buffers[i].per_instance != 0;
        most[per_instance] = whole < most[per_instance] ? whole : most[per_instance];
        kept->vertex_contents[i] = (struct ag_kept_contents){buffer, buffer->version};
    }
    kept->vertices = most[0];
    kept->instances = most[1];
    kept->vertex_contents_count = state->buffer_count;
}

/* Notes how much of the pulled vertices draws may read, and the contents of what they come from. */
static void note_pulled(struct ag_kept_draw *kept)
{
    const struct ag_context *context = kept->context;
    const struct ag_vertex_state *state = &kept->prepared.pipeline->key.vertex;
    const struct ag_pull_range *pulled = &kept->prepared.pulled;
    uint32_t noted = 0;
    kept->vertex_contents_count = 0;
    if (kept->reads_vertices) {
        kept->first_vertex = pulled->first_vertex;
        kept->vertices = pulled->vertex_count;
    }
    if (kept->reads_instances) {
        kept->first_instance = pulled->first_instance;
        kept->instances = pulled->instance_count;
    }
    for (uint32_t i = 0; i < state->attribute_count; i++)
        note_contents(
            kept,
            context->input_layout->elements[context->match.elements[state->attributes[i].location]].slot,
            &noted);
}

void ag_kept_vertices_note(struct ag_kept_draw *kept)
{
    const struct ag_vertex_state *state = &kept->prepared.pipeline->key.vertex;
    kept->vertices = kept->instances = UINT64_MAX;
    kept->first_vertex = kept->first_instance = 0;
    kept->reads_vertices = kept->reads_instances = kept->needs_first_instance_0 = false;
    for (uint32_t i = 0; i < state->buffer_count; i++) {
        const struct ag_vertex_buffer *buffer = &state->buffers[i];
        kept->reads_vertices |= !buffer->per_instance;
        kept->reads_instances |= buffer->per_instance != 0;
        /* Every instance reads the element of the first one (vertex_state.c). */
        kept->needs_first_instance_0 |= !state->pulled && buffer->per_instance && buffer->stride == 0;
    }
    if (state->pulled)
        note_pulled(kept);
    else
        ag_kept_buffers_note(kept);
}

static inline bool vertices_fit(const struct ag_kept_draw *kept, uint32_t first, uint64_t count)
{
    return (uint64_t)(first - kept->first_vertex) + count <= kept->vertices;
}

static bool indices_are_inside(const struct ag_kept_draw *kept, const struct ag_draw *draw,
                               const struct ag_index_bounds *bounds)
{
    const int64_t first = (int64_t)draw->base_vertex + bounds->first;
    /* Sums that wrap around are pulled. */
    return (ag_kept_draw_is_pulled(kept) || (first >= 0 && first <= UINT32_MAX)) &&
           vertices_fit(kept, (uint32_t)first, (uint64_t)bounds->last - bounds->first + 1);
}

/* Whether the indices are in the index buffer, none of them is a cut value, and their vertices are in the
 * vertex buffers. */
static bool indices_fit(const struct ag_kept_draw *kept, const struct ag_draw *draw)
{
    const struct ag_context *context = kept->context;
    struct ag_buffer *buffer = context->index_buffer.buffer;
    const uint64_t width = context->index_buffer.wide ? 4 : 2;
    const bool is_strip = ag_topology_is_strip(context->topology);
    struct ag_index_bounds bounds;
    if (!ag_range_fits(context->index_buffer.offset + draw->first * width, draw->count * width, buffer->size))
        return false;
    const bool is_known = ag_index_buffer_is_known(buffer, context->index_buffer.wide, &bounds);
    if (!is_known && !is_strip && ag_indices_may_cut(context, draw))
        return false;
    if (!kept->reads_vertices)
        return true;
    if ((is_known || ag_index_bounds_guess(context, &bounds)) && indices_are_inside(kept, draw, &bounds))
        return true;
    return ag_index_bounds_find(context, draw, &bounds) && indices_are_inside(kept, draw, &bounds);
}

/* A kernel has pulled the elements of the instances from one first instance on. */
static inline bool instances_fit(const struct ag_kept_draw *kept, const struct ag_draw *draw)
{
    if (ag_kept_draw_is_pulled(kept))
        return !kept->reads_instances ||
               (draw->first_instance == kept->first_instance && draw->instance_count <= kept->instances);
    return (uint64_t)draw->first_instance + draw->instance_count <= kept->instances &&
           (!kept->needs_first_instance_0 || !draw->first_instance);
}

bool ag_kept_draw_fits(const struct ag_kept_draw *kept, const struct ag_draw *draw)
{
    if (!instances_fit(kept, draw))
        return false;
    if (draw->indexed)
        return indices_fit(kept, draw);
    return vertices_fit(kept, draw->first, draw->count);
}

struct ag_draw ag_kept_draw_placed(const struct ag_kept_draw *kept, const struct ag_draw *draw)
{
    struct ag_draw placed = *draw;
    if (!ag_kept_draw_is_pulled(kept))
        return placed;
    placed.first_instance = 0;
    if (draw->indexed)
        placed.base_vertex = (int32_t)((uint32_t)draw->base_vertex - kept->first_vertex);
    else
        placed.first -= kept->first_vertex;
    return placed;
}
