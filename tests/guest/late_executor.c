/* SPDX-License-Identifier: MIT */
#include "late_executor.h"

#include <stdlib.h>
#include <string.h>

#include "aerogpu/abi/ext.h"
#include "aerogpu/stream.h"

#define MOST_WAITING 2048u
#define MOST_BUFFERS 256u
#define GARBAGE 0xCD

struct waiting {
    uint32_t number;
    uint8_t *stream;
    uint32_t size;
    uint64_t heap_gpa;
};

struct buffer {
    aerogpu_handle_t handle;
    uint8_t *bytes;
    uint32_t size;
};

struct late_executor {
    struct agpu_executor base; /* first: the table is the object */
    const struct late_executor_options *options;
    struct agpu_executor_events events;
    struct agpu_guest_memory memory;
    struct waiting waiting[MOST_WAITING];
    uint32_t waiting_count;
    struct buffer buffers[MOST_BUFFERS];
    uint32_t random;
    struct aerogpu_vertex_buffer_binding vertices;
    struct aerogpu_cmd_set_index_buffer indices;
};

/* ---- Buffers ------------------------------------------------------------------------------------------- */

static struct buffer *find_buffer(struct late_executor *late, aerogpu_handle_t handle)
{
    for (uint32_t i = 0; i < MOST_BUFFERS; i++)
        if (handle != 0 && late->buffers[i].handle == handle)
            return &late->buffers[i];
    return NULL;
}

static void create_buffer(struct late_executor *late, const struct aerogpu_cmd_ext_create_buffer *create)
{
    for (uint32_t i = 0; i < MOST_BUFFERS; i++)
        if (late->buffers[i].handle == 0) {
            late->buffers[i] = (struct buffer){create->buffer_handle, calloc(1, (size_t)create->size_bytes),
                                               (uint32_t)create->size_bytes};
            return;
        }
}

static void destroy_buffer(struct late_executor *late, aerogpu_handle_t handle)
{
    struct buffer *buffer = find_buffer(late, handle);
    if (buffer == NULL)
        return;
    free(buffer->bytes);
    *buffer = (struct buffer){0};
}

static void update(struct late_executor *late, const struct waiting *waiting,
                   const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_ext_update_subresource *update = AGPU_PACKET(packet, ext_update_subresource);
    const struct buffer *buffer = find_buffer(late, update->resource_handle);
    if (buffer == NULL)
        return;
    const bool has_box = (update->flags & AEROGPU_EXT_UPDATE_BOX) != 0;
    const uint32_t begin = has_box ? update->box.left : 0, end = has_box ? update->box.right : buffer->size;
    if ((update->flags & AEROGPU_EXT_UPDATE_DISCARD) != 0)
        memset(buffer->bytes, GARBAGE, buffer->size);
    if (update->source_alloc_id == 0)
        memcpy(buffer->bytes + begin, packet->payload, end - begin);
    else
        late->memory.read(late->memory.user, waiting->heap_gpa + update->source_offset_bytes,
                          buffer->bytes + begin, end - begin);
}

static void read_back(struct late_executor *late, const struct waiting *waiting,
                      const struct aerogpu_cmd_ext_read_subresource *read)
{
    const struct buffer *buffer = find_buffer(late, read->resource_handle);
    if (buffer != NULL)
        late->memory.write(late->memory.user, waiting->heap_gpa + read->target_offset_bytes, buffer->bytes,
                           buffer->size);
}

static void copy(struct late_executor *late, const struct aerogpu_cmd_ext_copy_resource *copy)
{
    const struct buffer *to = find_buffer(late, copy->dst_resource);
    const struct buffer *from = find_buffer(late, copy->src_resource);
    if (to != NULL && from != NULL && to->size == from->size)
        memcpy(to->bytes, from->bytes, to->size);
}

/* ---- Streams ------------------------------------------------------------------------------------------- */

static void draw(struct late_executor *late, struct late_draw draw)
{
    const struct buffer *vertices = find_buffer(late, late->vertices.buffer);
    const struct buffer *indices = find_buffer(late, late->indices.buffer);
    if (vertices != NULL) {
        draw.vertices = vertices->bytes;
        draw.vertices_size = vertices->size;
    }
    if (indices != NULL) {
        draw.indices = indices->bytes;
        draw.indices_size = indices->size;
    }
    draw.stride = late->vertices.stride_bytes;
    draw.vertex_offset = late->vertices.offset_bytes;
    draw.index_offset = late->indices.offset_bytes;
    late->options->drawn(late->options->user, &draw);
}

static void execute_packet(struct late_executor *late, const struct waiting *waiting,
                           const struct agpu_packet *packet)
{
    switch (packet->opcode) {
    case AEROGPU_CMD_EXT_CREATE_BUFFER:
        create_buffer(late, AGPU_PACKET(packet, ext_create_buffer));
        break;
    case AEROGPU_CMD_DESTROY_RESOURCE:
        destroy_buffer(late, AGPU_PACKET(packet, destroy_resource)->resource_handle);
        break;
    case AEROGPU_CMD_EXT_UPDATE_SUBRESOURCE:
        update(late, waiting, packet);
        break;
    case AEROGPU_CMD_EXT_READ_SUBRESOURCE:
        read_back(late, waiting, AGPU_PACKET(packet, ext_read_subresource));
        break;
    case AEROGPU_CMD_EXT_COPY_RESOURCE:
        copy(late, AGPU_PACKET(packet, ext_copy_resource));
        break;
    case AEROGPU_CMD_SET_VERTEX_BUFFERS:
        memcpy(&late->vertices, agpu_packet_element(packet, 0), sizeof late->vertices);
        break;
    case AEROGPU_CMD_SET_INDEX_BUFFER:
        late->indices = *AGPU_PACKET(packet, set_index_buffer);
        break;
    case AEROGPU_CMD_DRAW:
        draw(late, (struct late_draw){.first = AGPU_PACKET(packet, draw)->first_vertex,
                                      .count = AGPU_PACKET(packet, draw)->vertex_count});
        break;
    case AEROGPU_CMD_DRAW_INDEXED:
        draw(late, (struct late_draw){.is_indexed = true,
                                      .first = AGPU_PACKET(packet, draw_indexed)->first_index,
                                      .count = AGPU_PACKET(packet, draw_indexed)->index_count,
                                      .base_vertex = AGPU_PACKET(packet, draw_indexed)->base_vertex});
        break;
    default:
        break;
    }
}

static void execute_oldest(struct late_executor *late)
{
    const struct waiting oldest = late->waiting[0];
    struct agpu_stream_reader reader;
    struct agpu_packet packet;
    late->waiting_count--;
    memmove(late->waiting, late->waiting + 1, late->waiting_count * sizeof oldest);
    if (oldest.stream != NULL &&
        agpu_stream_reader_init(&reader, oldest.stream, oldest.size, NULL) == AGPU_OK)
        while (agpu_stream_next(&reader, &packet))
            execute_packet(late, &oldest, &packet);
    free(oldest.stream);
    late->events.completed(late->events.user, oldest.number, AEROGPU_ERROR_NONE);
}

/* ---- The table ----------------------------------------------------------------------------------------- */

static void on_submit(struct agpu_executor *executor, const struct agpu_submission *submission)
{
    struct late_executor *late = (struct late_executor *)executor;
    struct waiting waiting = {.number = submission->number, .size = submission->stream_size};
    if (late->waiting_count == MOST_WAITING)
        execute_oldest(late);
    if (submission->stream != NULL) {
        waiting.stream = malloc(submission->stream_size);
        memcpy(waiting.stream, submission->stream, submission->stream_size);
    }
    if (submission->allocation_count != 0)
        waiting.heap_gpa = submission->allocations[0].gpa;
    late->waiting[late->waiting_count++] = waiting;
}

static bool on_poll(struct agpu_executor *executor)
{
    struct late_executor *late = (struct late_executor *)executor;
    late->random = late->random * 1664525u + 1013904223u;
    for (uint32_t count = late->random >> 30; count > 0 && late->waiting_count != 0; count--)
        execute_oldest(late);
    return late->waiting_count != 0;
}

static bool has_more(struct agpu_executor *executor)
{
    return ((const struct late_executor *)executor)->waiting_count != 0;
}

static void on_reset(struct agpu_executor *executor)
{
    struct late_executor *late = (struct late_executor *)executor;
    for (uint32_t i = 0; i < late->waiting_count; i++)
        free(late->waiting[i].stream);
    for (uint32_t i = 0; i < MOST_BUFFERS; i++)
        destroy_buffer(late, late->buffers[i].handle);
    late->waiting_count = 0;
}

static void on_destroy(struct agpu_executor *executor)
{
    on_reset(executor);
    free(executor);
}

static void on_attach(struct agpu_executor *executor, const struct agpu_executor_events *events,
                      const struct agpu_guest_memory *memory)
{
    struct late_executor *late = (struct late_executor *)executor;
    late->events = *events;
    late->memory = *memory;
}

struct agpu_executor *late_executor_create(const struct late_executor_options *options)
{
    struct late_executor *late = calloc(1, sizeof *late);
    if (late == NULL)
        return NULL;
    late->options = options;
    late->random = options->seed;
    late->base = (struct agpu_executor){
        .size = sizeof late->base,
        .submit = on_submit,
        .poll = on_poll,
        .reset = on_reset,
        .destroy = on_destroy,
        .attach = on_attach,
        .extension = AEROGPU_EXT_VERSION,
        .has_more = has_more,
    };
    return &late->base;
}
