/* SPDX-License-Identifier: MIT */
#include "exec/snapshot/objects.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "abi/packet.h"
#include "abi/packet_effect.h"
#include "abi/packet_walk.h"
#include "aerogpu/abi/ext.h"
#include "aerogpu/diag.h"
#include "aerogpu/stream.h"
#include "base/archive.h"
#include "base/bytes.h"
#include "base/map.h"
#include "exec/host/host.h"
#include "exec/object/buffer.h"
#include "exec/object/creation.h"
#include "exec/object/ext_object.h"
#include "exec/object/handle.h"
#include "exec/object/input_layout.h"
#include "exec/object/objects.h"
#include "exec/object/sampler.h"
#include "exec/object/texture.h"
#include "exec/object/view.h"
#include "exec/packet/command_list.h"
#include "exec/packet/execution.h"
#include "exec/packet/handlers.h"
#include "exec/packet/kept_creation.h"
#include "exec/snapshot/sections.h"
#include "exec/transfer/pull_ahead.h"
#include "format/format.h"

/* ---- Collecting -------------------------------------------------------------------------------------- */

static bool add(struct ag_archive *archive, struct ag_saved_objects *objects, struct ag_saved_object object)
{
    if (!object.creation)
        return ag_archive_refuse(archive, AGPU_DIAG_SNAPSHOT_UNSUPPORTED,
                                 "there was no memory to keep how an object was made");
    return ag_vec_push(&objects->list, object) || ag_archive_no_memory(archive);
}

/* The entry of a resource under the handle that made it, live or reserved, stands for the resource. */
static bool add_handle(struct ag_archive *archive, struct ag_saved_objects *objects,
                       const struct ag_handle *entry)
{
    if (entry->kind == AG_HANDLE_ALIAS)
        return true;
    if (entry->kind == AG_HANDLE_VIEW)
        return add(archive, objects,
                   (struct ag_saved_object){.creation = entry->view->creation, .view = entry->view});
    return add(archive, objects,
               (struct ag_saved_object){.creation = entry->resource->creation, .resource = entry->resource});
}

static bool add_ext_object(struct ag_archive *archive, struct ag_saved_objects *objects,
                           struct ag_ext_object *object)
{
    return add(archive, objects,
               (struct ag_saved_object){.creation = object->creation,
                                        .list = object->kind == AG_EXT_OBJECT_COMMAND_LIST
                                                    ? (const struct ag_command_list *)object
                                                    : NULL});
}

static int compare(const void *a, const void *b)
{
    const uint64_t x = ((const struct ag_saved_object *)a)->creation->serial;
    const uint64_t y = ((const struct ag_saved_object *)b)->creation->serial;
    return (x > y) - (x < y);
}

bool ag_saved_objects_collect(const struct ag_execution *rooms, struct ag_archive *archive,
                              struct ag_saved_objects *objects)
{
    const struct ag_objects *from = rooms->objects;
    bool done = true;
    size_t cursor = 0;
    uint64_t key;
    void *value;
    while (done && ag_map_next(&from->handles, &cursor, &key, &value))
        done = add_handle(archive, objects, value);
    for (cursor = 0; done && ag_map_next(&from->samplers, &cursor, &key, &value);)
        done = add(archive, objects,
                   (struct ag_saved_object){.creation = ((const struct ag_sampler *)value)->creation});
    for (cursor = 0; done && ag_map_next(&from->input_layouts, &cursor, &key, &value);)
        done = add(
            archive, objects,
            (struct ag_saved_object){.creation = ((const struct ag_input_layout_object *)value)->creation});
    for (cursor = 0; done && ag_map_next(&from->ext_objects, &cursor, &key, &value);)
        done = add_ext_object(archive, objects, value);
    if (done && objects->list.count)
        qsort(objects->list.data, objects->list.count, sizeof objects->list.data[0], compare);
    return done;
}

void ag_saved_objects_fini(struct ag_saved_objects *objects)
{
    ag_vec_fini(&objects->list);
}

bool ag_loaded_for(struct ag_host *host, struct ag_archive *archive, uint32_t context_id)
{
    host->accounts.current = ag_account_get(&host->accounts, context_id);
    return host->accounts.current || ag_archive_no_memory(archive);
}

/* ---- What became of resources ------------------------------------------------------------------------ */

static const struct ag_field buffer_fields[] = {
    AG_FIELD(struct ag_buffer, guest_dirty.begin, UINT64_MAX),
    AG_FIELD(struct ag_buffer, guest_dirty.end, UINT64_MAX),
};

static bool is_dirty_range(struct ag_interval range, uint64_t size)
{
    return ag_interval_is_empty(range) ? range.begin == range.end : range.end <= size;
}

static void archive_buffer(struct ag_execution *rooms, struct ag_archive *archive, struct ag_buffer *buffer)
{
    bool has_shadow = buffer->shadow != NULL;
    ag_archive_fields(archive, buffer_fields, AG_COUNT_OF(buffer_fields), buffer);
    ag_archive_bool(archive, &has_shadow);
    if (!archive->loads)
        return;
    const struct ag_interval dirty = buffer->guest_dirty;
    if (!is_dirty_range(dirty, buffer->size) || dirty.begin % 4 != 0 ||
        (dirty.end % 4 != 0 && dirty.end != buffer->size) ||
        (!ag_interval_is_empty(dirty) && buffer->resource.backing.alloc_id == 0)) {
        buffer->guest_dirty = (struct ag_interval){0};
        ag_archive_refuse(archive, AGPU_DIAG_SNAPSHOT_FORMAT, "buffer %" PRIu32 " has an impossible range",
                          buffer->resource.handle);
    }
    if (!has_shadow)
        ag_buffer_written(rooms->host, buffer);
}

/* A texture as far as the packet that made it does not say it. */
struct texture_state {
    struct ag_interval guest_dirty;
    uint32_t host_dxgi, plane_count, min_lod;
    bool has_contents; /* of its own, other than those it was made with */
};

static const struct ag_field texture_fields[] = {
    AG_FIELD(struct texture_state, guest_dirty.begin, UINT64_MAX),
    AG_FIELD(struct texture_state, guest_dirty.end, UINT64_MAX),
    AG_FIELD(struct texture_state, host_dxgi, UINT32_MAX),
    AG_FIELD(struct texture_state, plane_count, AG_MAX_SAMPLE_PLANES),
    AG_FIELD(struct texture_state, min_lod, UINT32_MAX),
    AG_FIELD(struct texture_state, has_contents, 1),
};

/* A typeless texture of several samples has the format of its first view, which may be gone. */
static bool take_format(struct ag_execution *rooms, struct ag_archive *archive, struct ag_texture *texture,
                        uint32_t dxgi)
{
    const struct ag_host_format *format = ag_host_format(dxgi);
    if (dxgi == texture->host_dxgi)
        return true;
    if (texture->sample_count <= 1 || !format || ag_format_typeless(texture->dxgi) != texture->dxgi ||
        ag_format_typeless(dxgi) != texture->dxgi || texture->format->class == AG_CLASS_DEPTH ||
        !ag_host_format_has(format, AG_FORMAT_RENDERABLE))
        return ag_archive_refuse(archive, AGPU_DIAG_SNAPSHOT_DIFFERS,
                                 "texture %" PRIu32 " has texels in a format that it does not get here",
                                 texture->resource.handle);
    const enum agpu_status status = ag_texture_retype(rooms->objects, texture, dxgi);
    return status == AGPU_OK || ag_archive_fail(archive, status);
}

static bool restore_texture(struct ag_execution *rooms, struct ag_archive *archive,
                            struct ag_texture *texture, const struct texture_state *state)
{
    const float min_lod = ag_float_from_bits(state->min_lod);
    if (!is_dirty_range(state->guest_dirty, texture->layout.size_bytes) ||
        (!ag_interval_is_empty(state->guest_dirty) && texture->resource.backing.alloc_id == 0) ||
        !(min_lod >= 0 && min_lod <= (float)texture->mips) ||
        (min_lod > 0 && !(texture->resource.misc & AEROGPU_EXT_MISC_RESOURCE_CLAMP)))
        return ag_archive_refuse(archive, AGPU_DIAG_SNAPSHOT_FORMAT, "texture %" PRIu32 " is impossible",
                                 texture->resource.handle);
    if (!take_format(rooms, archive, texture, state->host_dxgi))
        return false;
    if (state->plane_count != texture->planes.count)
        return ag_archive_refuse(archive, AGPU_DIAG_SNAPSHOT_DIFFERS,
                                 "texture %" PRIu32 " has its samples in other planes here",
                                 texture->resource.handle);
    texture->guest_dirty = state->guest_dirty;
    texture->min_lod = min_lod;
    rooms->objects->has_level_floors |= min_lod > 0;
    if (state->has_contents)
        ag_texture_written(texture);
    return true;
}

static void archive_texture(struct ag_execution *rooms, struct ag_archive *archive,
                            struct ag_texture *texture)
{
    struct texture_state state = {
        .guest_dirty = texture->guest_dirty,
        .host_dxgi = texture->host_dxgi,
        .plane_count = texture->planes.count,
        .min_lod = ag_bits_from_float(texture->min_lod),
        .has_contents = texture->version != 1,
    };
    ag_archive_fields(archive, texture_fields, AG_COUNT_OF(texture_fields), &state);
    if (archive->loads && ag_archive_is_ok(archive))
        restore_texture(rooms, archive, texture, &state);
}

/* `rooms` may be null while the snapshot is saved. */
static void archive_resource(struct ag_execution *rooms, struct ag_archive *archive,
                             struct ag_resource *resource)
{
    if (resource->kind == AG_RESOURCE_BUFFER)
        archive_buffer(rooms, archive, (struct ag_buffer *)resource);
    else
        archive_texture(rooms, archive, (struct ag_texture *)resource);
    if (archive->loads)
        ag_pull_note(rooms->copier, resource);
}

/* ---- Saving ------------------------------------------------------------------------------------------ */

/* The packet of a view names its resource by the handle that made the resource, under which it is made
 * again. */
static void name_resource(const struct ag_view *view, const struct ag_creation *creation, uint8_t *bytes)
{
    struct agpu_stream_reader reader;
    struct agpu_packet packet;
    struct ag_packet_item item;
    if (agpu_stream_reader_init_packets(&reader, creation->minor, bytes, creation->size, NULL) == AGPU_OK &&
        agpu_stream_next(&reader, &packet) && ag_packet_find(&packet, AG_ROLE_MADE_OF, AG_OBJECT_NONE, &item))
        ag_store_u32(bytes + item.offset, view->resource->handle);
}

/* A section of an object begins with them. */
struct object_head {
    uint32_t minor, context_id;
};

static const struct ag_field head_fields[] = {
    AG_FIELD(struct object_head, minor, UINT32_MAX),
    AG_FIELD_SINCE(struct object_head, context_id, 2, UINT32_MAX),
};

static void begin_object(struct ag_archive *archive, struct object_head *head)
{
    ag_archive_begin(archive, AG_SECTION_OBJECT, 2);
    ag_archive_fields(archive, head_fields, AG_COUNT_OF(head_fields), head);
}

static bool save_object(struct ag_archive *archive, const struct ag_saved_object *object)
{
    const struct ag_creation *creation = object->creation;
    struct object_head head = {creation->minor, creation->context_id};
    uint64_t size = ag_load_u32(creation->bytes + offsetof(struct aerogpu_cmd_hdr, size_bytes));
    uint8_t *bytes = calloc(1, (size_t)size);
    if (!bytes)
        return ag_archive_no_memory(archive);
    memcpy(bytes, creation->bytes, creation->size);
    if (object->list)
        memcpy(bytes + creation->size, object->list->bytes, object->list->size);
    if (object->view)
        name_resource(object->view, creation, bytes);
    begin_object(archive, &head);
    ag_archive_block(archive, &bytes, &size);
    if (object->resource)
        archive_resource(NULL, archive, object->resource);
    free(bytes);
    return ag_archive_end(archive);
}

bool ag_objects_save(struct ag_archive *archive, const struct ag_saved_objects *objects)
{
    for (size_t i = 0; i < objects->list.count; i++)
        if (!save_object(archive, &objects->list.data[i]))
            return false;
    return ag_archive_is_ok(archive);
}

/* ---- Loading ----------------------------------------------------------------------------------------- */

static bool refuse_packet(struct ag_archive *archive)
{
    return ag_archive_refuse(archive, AGPU_DIAG_SNAPSHOT_FORMAT, "a packet of a snapshot makes no object");
}

/* Whether the handle names nothing yet: a packet may not change an object that another one has made. */
static bool is_new(struct ag_execution *rooms, const struct ag_packet_item *item)
{
    return item->value != 0 && !ag_creation_of(rooms->objects, item);
}

static bool execute(struct ag_execution *rooms, struct ag_archive *archive, uint32_t minor,
                    const uint8_t *bytes, uint64_t size, struct ag_packet_item *item)
{
    struct agpu_stream_reader reader;
    struct agpu_packet packet;
    if (agpu_stream_reader_init_packets(&reader, minor, bytes, (size_t)size, &archive->sink) != AGPU_OK ||
        !agpu_stream_next(&reader, &packet) || packet.size != size)
        return refuse_packet(archive);
    if (!packet.info || !ag_creation_is_kept(&packet, item) || !is_new(rooms, item))
        return refuse_packet(archive);
    rooms->host->reports.malformed = rooms->host->reports.dropped = false;
    rooms->progress = (struct ag_progress){0};
    do {
        rooms->progress.more = false;
        const enum agpu_status status = ag_packet_handler_of(packet.info)(rooms, &packet);
        if (status != AGPU_OK)
            return ag_archive_fail(archive, status);
    } while (rooms->progress.more);
    ag_creation_keep(rooms->objects, &packet);
    return true;
}

static bool load_object(struct ag_execution *rooms, struct ag_archive *archive)
{
    struct ag_packet_item item;
    struct object_head head = {0};
    uint8_t *bytes = NULL;
    uint64_t size = 0;
    begin_object(archive, &head);
    ag_archive_block(archive, &bytes, &size);
    bool done = ag_archive_is_ok(archive) && ag_loaded_for(rooms->host, archive, head.context_id) &&
                execute(rooms, archive, head.minor, bytes, size, &item);
    if (done && ag_object_is_resource(item.field->object)) {
        struct ag_handle *entry = ag_handle_find(rooms->objects, (uint32_t)item.value);
        if (entry && entry->kind == AG_HANDLE_RESOURCE)
            archive_resource(rooms, archive, entry->resource);
    }
    rooms->host->accounts.current = NULL;
    free(bytes);
    return ag_archive_end(archive) && done;
}

bool ag_objects_load(struct ag_execution *rooms, struct ag_archive *archive)
{
    while (ag_archive_next_is(archive, AG_SECTION_OBJECT))
        if (!load_object(rooms, archive))
            return false;
    return ag_archive_is_ok(archive);
}
