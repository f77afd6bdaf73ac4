/* SPDX-License-Identifier: MIT
 *
 * Queries and predicates, command lists, work whose arguments are in buffers, capabilities.
 */
#include <string.h>

#include "abi/packet.h"
#include "base/bytes.h"
#include "packet_world.h"

#define PREDICATES 0xAAA0u      /* bit n: type n is one */
#define WRITABLE_ALLOCATIONS 2u /* the last one of the table is read only */
#define MOST_IN_LIST 8u
#define LIST_BYTES 16384u

/* ---- Queries ------------------------------------------------------------------------------------------ */

static void create_query(struct packet_world *world, struct agpu_writer *writer)
{
    uint32_t index;
    if (!packet_find(world, PACKET_QUERY, false, &index))
        return;
    struct aerogpu_cmd_ext_create_query create = {
        .object_handle = packet_handle(world, PACKET_QUERY, index),
        .type = packet_below(world, 16),
    };
    if (PREDICATES >> create.type & 1)
        create.flags = packet_below(world, 2);
    world->objects[PACKET_QUERY][index] = (struct packet_object){.alive = true, .kind = create.type};
    agpu_write_packet(writer, AEROGPU_CMD_EXT_CREATE_QUERY, &create, sizeof create, NULL, 0);
}

static bool has_begin(const struct packet_object *query)
{
    return query->kind != AEROGPU_EXT_QUERY_EVENT && query->kind != AEROGPU_EXT_QUERY_TIMESTAMP;
}

static void begin(struct agpu_writer *writer, uint32_t handle)
{
    const struct aerogpu_cmd_ext_begin_query packet = {.query_handle = handle};
    agpu_write_packet(writer, AEROGPU_CMD_EXT_BEGIN_QUERY, &packet, sizeof packet, NULL, 0);
}

static void end(struct packet_world *world, struct agpu_writer *writer, uint32_t handle)
{
    struct aerogpu_cmd_ext_end_query packet = {.query_handle = handle};
    if (!packet_chance(world, 4)) {
        packet.result_alloc_id = 1 + packet_below(world, WRITABLE_ALLOCATIONS);
        packet.result_offset_bytes = 8 * (uint64_t)packet_below(world, 512);
    }
    agpu_write_packet(writer, AEROGPU_CMD_EXT_END_QUERY, &packet, sizeof packet, NULL, 0);
}

/* Odd ones begin and end anywhere. */
static void query(struct packet_world *world, struct agpu_writer *writer)
{
    uint32_t index;
    if (!packet_find(world, PACKET_QUERY, true, &index) || index % 2 == 0 || world->listing)
        return;
    struct packet_object *object = &world->objects[PACKET_QUERY][index];
    if (!has_begin(object) || object->begun)
        end(world, writer, packet_handle(world, PACKET_QUERY, index));
    else
        begin(writer, packet_handle(world, PACKET_QUERY, index));
    object->begun = has_begin(object) && !object->begun;
}

/* Even ones begin and end around a few packets, in lists, too. */
static void query_around(struct packet_world *world, struct agpu_writer *writer)
{
    uint32_t index;
    if (!packet_find(world, PACKET_QUERY, true, &index) || index % 2 == 1)
        return;
    const struct packet_object object = world->objects[PACKET_QUERY][index];
    world->objects[PACKET_QUERY][index].alive = false; /* nobody else uses it meanwhile */
    if (has_begin(&object))
        begin(writer, packet_handle(world, PACKET_QUERY, index));
    for (uint32_t count = packet_below(world, 3); count > 0; count--)
        agpu_write_draw(writer, packet_below(world, 13), 1, 0, 0);
    end(world, writer, packet_handle(world, PACKET_QUERY, index));
    world->objects[PACKET_QUERY][index] = object;
}

static void set_predication(struct packet_world *world, struct agpu_writer *writer)
{
    struct aerogpu_cmd_ext_set_predication packet = {.value = packet_below(world, 2)};
    uint32_t index;
    if (packet_chance(world, 2) && packet_find(world, PACKET_QUERY, true, &index) &&
        (PREDICATES >> world->objects[PACKET_QUERY][index].kind & 1) != 0)
        packet.query_handle = packet_handle(world, PACKET_QUERY, index);
    agpu_write_packet(writer, AEROGPU_CMD_EXT_SET_PREDICATION, &packet, sizeof packet, NULL, 0);
}

/* ---- Command lists ------------------------------------------------------------------------------------ */

static bool can_be_listed(const struct agpu_writer *writer)
{
    struct agpu_stream_reader reader;
    struct agpu_packet packet;
    if (agpu_stream_reader_init(&reader, writer->data, writer->size, NULL) != AGPU_OK)
        return false;
    while (agpu_stream_next(&reader, &packet)) {
        if (packet.info->immediate)
            return false;
    }
    return true;
}

/* Whatever the world writes and a list may have; what else it wrote did not happen. */
static uint32_t write_list(struct packet_world *world, uint8_t *to)
{
    struct agpu_writer writer;
    uint32_t size = 0;
    agpu_writer_init_growing(&writer, NULL);
    world->listing = true;
    const uint32_t tries = 2 * packet_below(world, MOST_IN_LIST);
    for (uint32_t i = 0; i < tries; i++) {
        const struct packet_world before = *world;
        agpu_writer_reset(&writer);
        if (i == 0) /* a list begins with nothing bound */
            packet_world_bind(world, &writer);
        else
            packet_world_write(world, &writer);
        const uint32_t header = sizeof(struct aerogpu_cmd_stream_header);
        if (agpu_writer_finish(&writer) == AGPU_OK && can_be_listed(&writer) &&
            writer.size - header <= LIST_BYTES - size) {
            memcpy(to + size, writer.data + header, writer.size - header);
            size += (uint32_t)writer.size - header;
        } else {
            const struct random_source random = world->random;
            *world = before;
            world->random = random;
        }
    }
    world->listing = false;
    agpu_writer_fini(&writer);
    return size;
}

static void execute_list(struct packet_world *world, struct agpu_writer *writer)
{
    uint32_t index;
    if (!packet_find(world, PACKET_LIST, true, &index) ||
        (world->objects[PACKET_LIST][index].destroyed != world->destroyed && !packet_chance(world, 16)))
        return;
    const struct aerogpu_cmd_ext_execute_command_list packet = {
        .list_handle = packet_handle(world, PACKET_LIST, index),
        .flags = packet_below(world, 2),
    };
    agpu_write_packet(writer, AEROGPU_CMD_EXT_EXECUTE_COMMAND_LIST, &packet, sizeof packet, NULL, 0);
    if (packet.flags == 0 && !packet_chance(world, 16))
        packet_world_bind(world, writer);
}

static void create_list(struct packet_world *world, struct agpu_writer *writer)
{
    uint8_t bytes[LIST_BYTES];
    uint32_t index;
    if (world->listing || !packet_find(world, PACKET_LIST, false, &index))
        return;
    const struct aerogpu_cmd_ext_create_command_list packet = {.object_handle =
                                                                   packet_handle(world, PACKET_LIST, index)};
    const uint32_t size = write_list(world, bytes);
    world->objects[PACKET_LIST][index] = (struct packet_object){.alive = true, .destroyed = world->destroyed};
    agpu_write_packet(writer, AEROGPU_CMD_EXT_CREATE_COMMAND_LIST, &packet, sizeof packet, bytes, size);
    execute_list(world, writer);
}

static void destroy_object(struct packet_world *world, struct agpu_writer *writer)
{
    const enum packet_kind kind = packet_chance(world, 2) ? PACKET_LIST : PACKET_QUERY;
    uint32_t index;
    if (!packet_find(world, kind, true, &index))
        return;
    world->objects[kind][index].alive = false;
    packet_destroy_object(writer, packet_handle(world, kind, index));
}

/* ---- Work from buffers -------------------------------------------------------------------------------- */

struct indirect_kind {
    uint32_t opcode, words;
};

/* Words of arguments that a CPU wrote, seldom such that the GPU copied. The handle of their buffer, or 0. */
static uint32_t place_arguments(struct packet_world *world, struct agpu_writer *writer, uint32_t words,
                                uint32_t *offset)
{
    const uint32_t arguments[5] = {packet_below(world, 7), packet_below(world, 3), packet_below(world, 3),
                                   packet_below(world, 2), packet_below(world, 3)};
    uint32_t index, copy;
    if (!packet_find(world, PACKET_BUFFER, true, &index) || world->objects[PACKET_BUFFER][index].size < 20)
        return 0;
    uint32_t handle = packet_handle(world, PACKET_BUFFER, index);
    *offset = 4 * packet_below(world, (world->objects[PACKET_BUFFER][index].size - 4 * words) / 4 + 1);
    agpu_write_upload_resource(writer, handle, *offset, arguments, 4 * words);
    if (packet_chance(world, 2) && packet_find(world, PACKET_BUFFER, true, &copy) && copy != index &&
        world->objects[PACKET_BUFFER][copy].size >= 20) {
        agpu_write_copy_buffer(writer, packet_handle(world, PACKET_BUFFER, copy), 0, handle, *offset,
                               4 * (uint64_t)words, 0);
        handle = packet_handle(world, PACKET_BUFFER, copy);
        *offset = 0;
    }
    return handle;
}

static void draw_indirect(struct packet_world *world, struct agpu_writer *writer)
{
    static const struct indirect_kind kinds[] = {
        {AEROGPU_CMD_EXT_DRAW_INSTANCED_INDIRECT,         4},
        {AEROGPU_CMD_EXT_DRAW_INDEXED_INSTANCED_INDIRECT, 5},
        {AEROGPU_CMD_EXT_DISPATCH_INDIRECT,               3},
    };
    const struct indirect_kind *kind = &kinds[packet_below(world, AG_COUNT_OF(kinds))];
    struct aerogpu_cmd_ext_draw_instanced_indirect packet = {0}; /* the three are alike */
    if (kind->opcode == AEROGPU_CMD_EXT_DISPATCH_INDIRECT) {
        const uint32_t shader = packet_pick_shader(world, AGPU_STAGE_COMPUTE, NULL);
        if (shader == 0)
            return;
        agpu_write_bind_shaders(writer, 0, 0, shader, 0);
    }
    packet.buffer = place_arguments(world, writer, kind->words, &packet.offset_bytes);
    if (packet.buffer != 0)
        agpu_write_packet(writer, kind->opcode, &packet, sizeof packet, NULL, 0);
    if (kind->opcode == AEROGPU_CMD_EXT_DISPATCH_INDIRECT)
        packet_world_bind(world, writer);
}

/* ---- Capabilities ------------------------------------------------------------------------------------- */

static void read_caps(struct packet_world *world, struct agpu_writer *writer)
{
    const struct aerogpu_cmd_ext_read_caps packet = {
        .kind = packet_below(world, 3),
        .parameter0 =
            packet_chance(world, 2) ? AEROGPU_EXT_FORMAT(packet_below(world, 120)) : packet_below(world, 80),
        .parameter1 = packet_below(world, 10),
        .target_alloc_id = 1 + packet_below(world, WRITABLE_ALLOCATIONS),
        .target_offset_bytes = 4 * (uint64_t)packet_below(world, 512),
    };
    agpu_write_packet(writer, AEROGPU_CMD_EXT_READ_CAPS, &packet, sizeof packet, NULL, 0);
}

/* ---- Contexts ----------------------------------------------------------------------------------------- */

static void destroy_context(struct packet_world *world, struct agpu_writer *writer)
{
    const struct aerogpu_cmd_ext_destroy_context packet = {.context_id =
                                                               packet_below(world, PACKET_CONTEXTS)};
    agpu_write_packet(writer, AEROGPU_CMD_EXT_DESTROY_CONTEXT, &packet, sizeof packet, NULL, 0);
    if (packet.context_id == 0)
        packet_world_bind(world, writer);
}

/* ---- Windows ------------------------------------------------------------------------------------------ */

enum { DXGI_R8G8B8A8 = 28, DXGI_B8G8R8A8 = 87 };

static void present_window(struct packet_world *world, struct agpu_writer *writer)
{
    uint32_t index;
    if (world->listing || !packet_find(world, PACKET_EXT_TEXTURE, true, &index))
        return;
    const struct aerogpu_cmd_ext_create_texture *desc = &world->objects[PACKET_EXT_TEXTURE][index].desc;
    const struct aerogpu_cmd_ext_present packet = {
        .texture_handle = desc->texture_handle,
        .swap_chain = 1 + packet_below(world, 3),
        .sync_interval = packet_below(world, 6) == 0,
    };
    const bool is_color = desc->format == AEROGPU_EXT_FORMAT(DXGI_R8G8B8A8) ||
                          desc->format == AEROGPU_EXT_FORMAT(DXGI_B8G8R8A8);
    if (is_color && desc->sample_count <= 1 && desc->dimension != AEROGPU_EXT_RESOURCE_TEXTURE3D)
        agpu_write_packet(writer, AEROGPU_CMD_EXT_PRESENT, &packet, sizeof packet, NULL, 0);
}

void packet_world_write_query(struct packet_world *world, struct agpu_writer *writer)
{
    static void (*const functions[])(struct packet_world *, struct agpu_writer *) = {
        create_query,    query,         query,        query_around,    query_around,
        set_predication, create_list,   execute_list, execute_list,    destroy_object,
        draw_indirect,   draw_indirect, read_caps,    destroy_context, present_window,
    };
    functions[packet_below(world, AG_COUNT_OF(functions))](world, writer);
}
