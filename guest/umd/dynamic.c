/* SPDX-License-Identifier: MIT
 *
 * Dynamic buffers: which bytes go to the host, and when.
 */
#include "guest/umd/dynamic.h"

#include "guest/core/memory.h"
#include "guest/umd/upload.h"

/* What bytes are compared by. */
#define GRAIN_BYTES 256u

/* Draws that read more often than this many times a buffer's size make all of it go to the host. */
#define MOST_REPETITIONS 2u

/* More indices than this are not looked at. */
#define MOST_SCANNED_INDICES (UINT32_C(1) << 20)

/* ---- The list of pending buffers --------------------------------------------------------------------- */

static bool is_pending_in(const struct umd_resource *buffer)
{
    return buffer != NULL && buffer->is_pending;
}

void umd_note_vertex_slots(struct umd_context *context, uint32_t start, uint32_t count)
{
    /* Deferred contexts upload nothing: all is with the host before their lists are executed. */
    if (context->is_deferred)
        return;
    for (uint32_t i = start; i < start + count; i++) {
        context->pending_slots &= ~(UINT64_C(1) << i);
        if (is_pending_in(context->vertex_slots[i].buffer))
            context->pending_slots |= UINT64_C(1) << i;
    }
}

void umd_note_index_buffer(struct umd_context *context)
{
    if (context->is_deferred)
        return;
    context->pending_slots &= ~UMD_PENDING_INDEX_BUFFER;
    if (is_pending_in(context->index_buffer))
        context->pending_slots |= UMD_PENDING_INDEX_BUFFER;
}

static void note_slots(struct umd_context *context)
{
    umd_note_vertex_slots(context, 0, UMD_VERTEX_BUFFER_SLOTS);
    umd_note_index_buffer(context);
}

static void add_pending(struct umd_context *context, struct umd_resource *buffer)
{
    buffer->uploaded = (struct umd_range){0, 0};
    buffer->uploaded_bytes = 0;
    if (buffer->is_pending)
        return;
    struct umd_device *device = context->device;
    buffer->is_pending = true;
    buffer->previous_pending = NULL;
    buffer->next_pending = device->pending;
    if (device->pending != NULL)
        device->pending->previous_pending = buffer;
    device->pending = buffer;
    note_slots(context);
}

void umd_forget_pending(struct umd_context *context, struct umd_resource *buffer)
{
    if (!buffer->is_pending)
        return;
    if (buffer->next_pending != NULL)
        buffer->next_pending->previous_pending = buffer->previous_pending;
    if (buffer->previous_pending != NULL)
        buffer->previous_pending->next_pending = buffer->next_pending;
    else
        context->device->pending = buffer->next_pending;
    buffer->is_pending = false;
    note_slots(context);
}

/* ---- Uploads ------------------------------------------------------------------------------------------- */

static void upload(struct umd_context *context, struct umd_resource *buffer, uint64_t begin, uint64_t end)
{
    const uint64_t size = buffer->desc.width;
    struct umd_range range = {begin & ~UINT64_C(3), (end + 3) & ~UINT64_C(3)};
    range.end = range.end < size ? range.end : size;
    umd_suspend_predication(context);
    umd_upload_range(context, buffer, &range,
                     buffer->discards ? AEROGPU_EXT_UPDATE_DISCARD : AEROGPU_EXT_UPDATE_NO_OVERWRITE);
    umd_resume_predication(context);
    buffer->discards = false;
    buffer->subresources[0].ticket = umd_context_ticket(context);
}

static void remember_host_bytes(struct umd_context *context, struct umd_resource *buffer)
{
    if (buffer->host_bytes == NULL)
        buffer->host_bytes = umd_allocate(context->device, buffer->desc.width);
    if (buffer->host_bytes == NULL)
        return;
    memcpy(buffer->host_bytes, buffer->subresources[0].block.bytes, buffer->desc.width);
    buffer->host_bytes_known = true;
}

static bool differs(const struct umd_resource *buffer, uint64_t offset, uint64_t size)
{
    return memcmp(buffer->host_bytes + offset, buffer->subresources[0].block.bytes + offset, (size_t)size) !=
           0;
}

/* Neighbouring grains that differ go together. */
static void upload_differences(struct umd_context *context, struct umd_resource *buffer)
{
    const uint64_t size = buffer->desc.width;
    uint64_t begin = size;
    for (uint64_t offset = 0; offset < size; offset += GRAIN_BYTES) {
        const uint64_t grain = size - offset < GRAIN_BYTES ? size - offset : GRAIN_BYTES;
        if (differs(buffer, offset, grain)) {
            memcpy(buffer->host_bytes + offset, buffer->subresources[0].block.bytes + offset, (size_t)grain);
            begin = begin < offset ? begin : offset;
        } else if (begin < offset) {
            upload(context, buffer, begin, offset);
            begin = size;
        }
    }
    if (begin < size)
        upload(context, buffer, begin, size);
}

/* The first time all bytes go; from the second time on it is known what the host had. */
static void upload_rest(struct umd_context *context, struct umd_resource *buffer)
{
    if (!buffer->discards && buffer->host_bytes_known) {
        upload_differences(context, buffer);
        return;
    }
    const bool again = buffer->was_uploaded_whole && !buffer->discards;
    upload(context, buffer, 0, buffer->desc.width);
    buffer->was_uploaded_whole = true;
    if (again)
        remember_host_bytes(context, buffer);
}

void umd_settle(struct umd_context *context, struct umd_resource *resource)
{
    if (!resource->is_pending)
        return;
    upload_rest(context, resource);
    umd_forget_pending(context, resource);
}

void umd_settle_all(struct umd_context *context)
{
    while (context->device->pending != NULL)
        umd_settle(context, context->device->pending);
}

void umd_buffer_was_written(struct umd_context *context, struct umd_resource *buffer)
{
    if (buffer->uploads_by_draw)
        add_pending(context, buffer);
    else
        upload_rest(context, buffer);
}

void umd_buffer_was_discarded(struct umd_context *context, struct umd_resource *buffer)
{
    buffer->discards = true;
    buffer->was_uploaded_whole = false;
    buffer->host_bytes_known = false;
    umd_buffer_was_written(context, buffer);
}

/* ---- What draws read ----------------------------------------------------------------------------------- */

static void need(struct umd_context *context, struct umd_resource *buffer, uint64_t begin, uint64_t end)
{
    struct umd_range *have = &buffer->uploaded;
    const uint64_t size = buffer->desc.width;
    end = end < size ? end : size;
    if (!buffer->is_pending || begin >= end || (begin >= have->begin && end <= have->end))
        return;
    buffer->uploaded_bytes += end - begin;
    if (buffer->uploaded_bytes > MOST_REPETITIONS * size) {
        umd_settle(context, buffer);
        return;
    }
    if (have->begin == have->end || begin > have->end || end < have->begin) {
        upload(context, buffer, begin, end);
        *have = (struct umd_range){begin, end};
        return;
    }
    if (begin < have->begin) {
        upload(context, buffer, begin, have->begin);
        have->begin = begin;
    }
    if (end > have->end) {
        upload(context, buffer, have->end, end);
        have->end = end;
    }
}

/* Elements `first` to `first` + `count` of a slot, as the layout reads them. */
static void need_elements(struct umd_context *context, uint32_t number, uint64_t first, uint64_t count)
{
    const struct umd_vertex_slot *slot = &context->vertex_slots[number];
    const uint64_t extent = context->layout->slots[number].extent;
    if (count == 0 || extent == 0)
        return;
    const uint64_t begin = slot->offset + first * slot->stride;
    need(context, slot->buffer, begin, begin + (count - 1) * slot->stride + extent);
}

/* Per-instance slots of a draw; the rest is the caller's. */
static void need_instances(struct umd_context *context, uint32_t number, uint32_t first, uint32_t count)
{
    const uint32_t step = context->layout->slots[number].step_rate;
    if (step == 0)
        need_elements(context, number, first, count != 0);
    else
        need_elements(context, number, first, ((uint64_t)count + step - 1) / step);
}

static void upload_elements(struct umd_context *context, uint64_t first_vertex, uint64_t vertex_count,
                            uint32_t first_instance, uint32_t instance_count)
{
    if (context->layout == NULL)
        return;
    for (uint64_t slots = context->pending_slots & ~UMD_PENDING_INDEX_BUFFER; slots != 0;
         slots &= slots - 1) {
        uint32_t number = 0;
        while ((slots >> number & 1) == 0)
            number++;
        if (context->layout->slots[number].is_per_instance)
            need_instances(context, number, first_instance, instance_count);
        else
            need_elements(context, number, first_vertex, vertex_count);
    }
}

void umd_upload_vertices(struct umd_context *context, uint32_t vertex_count, uint32_t instance_count,
                         uint32_t first_vertex, uint32_t first_instance)
{
    upload_elements(context, first_vertex, vertex_count, first_instance, instance_count);
}

void umd_settle_slots(struct umd_context *context)
{
    for (uint32_t i = 0; i < UMD_VERTEX_BUFFER_SLOTS; i++)
        if ((context->pending_slots >> i & 1) != 0)
            umd_settle(context, context->vertex_slots[i].buffer);
    if ((context->pending_slots & UMD_PENDING_INDEX_BUFFER) != 0)
        umd_settle(context, context->index_buffer);
}

/* ---- Indices ------------------------------------------------------------------------------------------- */

/* The indices as the CPU has them; null: it has not. */
static const uint8_t *find_indices(const struct umd_context *context, uint64_t first, uint32_t count)
{
    const struct umd_resource *buffer = context->index_buffer;
    if (buffer == NULL || !umd_is_mappable(buffer) || count > MOST_SCANNED_INDICES)
        return NULL;
    const struct umd_subresource *subresource = &buffer->subresources[0];
    const uint64_t begin = context->index_offset + first * context->index_bytes;
    if (subresource->block.bytes == NULL || subresource->host_is_newer ||
        begin + (uint64_t)count * context->index_bytes > buffer->desc.width)
        return NULL;
    return subresource->block.bytes + begin;
}

/* The smallest and the largest index but for those that cut strips. */
struct bounds {
    uint32_t least, most;
};

static void widen(struct bounds *bounds, uint32_t index)
{
    bounds->least = index < bounds->least ? index : bounds->least;
    bounds->most = index > bounds->most ? index : bounds->most;
}

static bool is_strip(uint32_t topology)
{
    return topology == AEROGPU_TOPOLOGY_LINESTRIP || topology == AEROGPU_TOPOLOGY_TRIANGLESTRIP ||
           topology == AEROGPU_TOPOLOGY_LINESTRIP_ADJ || topology == AEROGPU_TOPOLOGY_TRIANGLESTRIP_ADJ;
}

/* False: there is none. */
static bool find_bounds(const struct umd_context *context, const uint8_t *indices, uint32_t count,
                        struct bounds *bounds)
{
    const bool cuts = is_strip(context->topology);
    *bounds = (struct bounds){UINT32_MAX, 0};
    for (uint32_t i = 0; context->index_bytes == 2 && i < count; i++) {
        uint16_t index;
        memcpy(&index, indices + (size_t)i * 2, 2);
        if (!cuts || index != UINT16_MAX)
            widen(bounds, index);
    }
    for (uint32_t i = 0; context->index_bytes == 4 && i < count; i++) {
        uint32_t index;
        memcpy(&index, indices + (size_t)i * 4, 4);
        if (!cuts || index != UINT32_MAX)
            widen(bounds, index);
    }
    return bounds->least <= bounds->most;
}

void umd_upload_indexed_vertices(struct umd_context *context, uint32_t index_count, uint32_t instance_count,
                                 uint32_t first_index, int32_t base_vertex, uint32_t first_instance)
{
    if ((context->pending_slots & UMD_PENDING_INDEX_BUFFER) != 0) {
        const uint64_t begin = context->index_offset + (uint64_t)first_index * context->index_bytes;
        need(context, context->index_buffer, begin, begin + (uint64_t)index_count * context->index_bytes);
    }
    if ((context->pending_slots & ~UMD_PENDING_INDEX_BUFFER) == 0)
        return;
    const uint8_t *indices = find_indices(context, first_index, index_count);
    struct bounds bounds;
    if (indices == NULL) {
        umd_settle_slots(context);
        return;
    }
    if (!find_bounds(context, indices, index_count, &bounds))
        return;
    const int64_t first = (int64_t)bounds.least + base_vertex;
    if (first < 0)
        umd_settle_slots(context);
    else
        upload_elements(context, (uint64_t)first, (uint64_t)bounds.most - bounds.least + 1, first_instance,
                        instance_count);
}
