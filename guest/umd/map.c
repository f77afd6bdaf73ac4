/* SPDX-License-Identifier: MIT
 *
 * Map and Unmap.
 */
#include "guest/umd/map.h"

#include "guest/core/memory.h"
#include "guest/umd/dynamic.h"
#include "guest/umd/spill.h"
#include "guest/umd/upload.h"

static bool reads(enum umd_map type)
{
    return type == UMD_MAP_READ || type == UMD_MAP_READ_WRITE;
}

static void tell(const struct umd_subresource *subresource, uint8_t *bytes,
                 struct umd_mapped_subresource *mapped)
{
    *mapped = (struct umd_mapped_subresource){bytes, subresource->row_pitch, subresource->depth_pitch};
}

/* ---- What the host has newer ------------------------------------------------------------------------- */

static void add_newer(struct umd_context *context, struct umd_subresource *subresource)
{
    if (subresource->is_in_newer)
        return;
    subresource->is_in_newer = true;
    subresource->previous_newer = NULL;
    subresource->next_newer = context->newer;
    if (context->newer != NULL)
        context->newer->previous_newer = subresource;
    context->newer = subresource;
}

void umd_forget_newer(struct umd_context *context, struct umd_subresource *subresource)
{
    if (!subresource->is_in_newer)
        return;
    if (subresource->next_newer != NULL)
        subresource->next_newer->previous_newer = subresource->previous_newer;
    if (subresource->previous_newer != NULL)
        subresource->previous_newer->next_newer = subresource->next_newer;
    else
        context->newer = subresource->next_newer;
    subresource->is_in_newer = false;
}

static void read_back(struct umd_context *context, struct umd_subresource *subresource)
{
    struct aerogpu_cmd_ext_read_subresource *packet =
        umd_packet(context, AEROGPU_CMD_EXT_READ_SUBRESOURCE, sizeof *packet);
    *packet = (struct aerogpu_cmd_ext_read_subresource){
        .hdr = UMD_HEADER(AEROGPU_CMD_EXT_READ_SUBRESOURCE, packet),
        .resource_handle = subresource->resource->object.handle,
        .subresource = umd_subresource_index(subresource),
        .row_pitch_bytes = subresource->row_pitch,
        .depth_pitch_bytes = subresource->depth_pitch,
        .target_alloc_id = GUEST_HEAP_ALLOC_ID,
        .target_offset_bytes = subresource->block.offset,
    };
    subresource->host_is_newer = false;
    subresource->ticket = umd_context_ticket(context);
}

void umd_read_newer(struct umd_context *context)
{
    struct umd_subresource *subresource;
    while ((subresource = context->newer) != NULL) {
        umd_forget_newer(context, subresource);
        /* Without room the bytes are read when they are mapped. */
        if (subresource->memory != NULL)
            continue;
        if (subresource->block.bytes != NULL ||
            guest_block_allocate(context->device->guest, subresource->bytes, &subresource->block) == GUEST_OK)
            read_back(context, subresource);
    }
}

static void note_written(struct umd_context *context, struct umd_subresource *subresource)
{
    subresource->host_is_newer = true;
    if ((subresource->resource->desc.cpu_access & UMD_CPU_READ) != 0)
        add_newer(context, subresource);
}

void umd_resource_was_written(struct umd_context *context, struct umd_resource *resource,
                              uint32_t subresource)
{
    umd_note_writer(resource);
    if (!umd_is_mappable(resource))
        return;
    if (context->is_deferred) {
        umd_note_in_list(context, &context->written, resource);
        return;
    }
    for (uint32_t i = 0; i < resource->subresource_count; i++)
        if (subresource == AEROGPU_EXT_ALL || subresource == i)
            note_written(context, &resource->subresources[i]);
}

/* ---- The immediate context --------------------------------------------------------------------------- */

/* Memory in which nothing was ever read or written: the host's bytes are zeros, too. */
static enum umd_status first_memory(struct umd_context *context, struct umd_subresource *subresource)
{
    const enum umd_status status = umd_context_block(context, subresource->bytes, &subresource->block);
    if (status == UMD_NO_MEMORY)
        return umd_spill(context->device, subresource);
    if (status == UMD_OK && !subresource->host_is_newer)
        memset(subresource->block.bytes, 0, subresource->bytes);
    return status;
}

/* The memory has what the host has, and no packet in flight reads or writes it. */
static enum umd_status map_in_place(struct umd_context *context, struct umd_subresource *subresource,
                                    bool do_not_wait)
{
    enum umd_status status = UMD_OK;
    /* Draws and dispatches write resources of default usage unseen. */
    if (subresource->resource->desc.usage == UMD_USAGE_DEFAULT && !subresource->is_read)
        subresource->host_is_newer = true;
    /* A submission on the way is not to read it, too. */
    umd_forget_newer(context, subresource);
    if (umd_subresource_bytes(subresource) == NULL)
        status = first_memory(context, subresource);
    if (status != UMD_OK)
        return status;
    if (subresource->host_is_newer && subresource->block.bytes == NULL)
        return umd_read_spilled(context, subresource);
    if (subresource->host_is_newer)
        read_back(context, subresource);
    status = umd_wait_for_ticket(context, subresource->ticket, do_not_wait);
    subresource->is_read = status == UMD_WAS_STILL_DRAWING;
    return status;
}

static enum umd_status map_discard(struct umd_context *context, struct umd_subresource *subresource)
{
    struct guest_block block = {0};
    enum umd_status status = umd_context_block(context, subresource->bytes, &block);
    if (status == UMD_OK)
        umd_unspill(context->device, subresource);
    else if (status == UMD_NO_MEMORY)
        status = umd_spill(context->device, subresource);
    if (status != UMD_OK)
        return status;
    umd_forget_pending(context, subresource->resource);
    guest_stream_retire(&context->stream, &subresource->block);
    subresource->block = block;
    subresource->host_is_newer = false;
    subresource->ticket = 0;
    umd_forget_newer(context, subresource);
    return UMD_OK;
}

static enum umd_status map_no_overwrite(struct umd_context *context, struct umd_subresource *subresource)
{
    if (subresource->host_is_newer)
        return map_in_place(context, subresource, false);
    return umd_subresource_bytes(subresource) == NULL ? first_memory(context, subresource) : UMD_OK;
}

static enum umd_status map_immediate(struct umd_context *context, struct umd_subresource *subresource,
                                     enum umd_map type, uint32_t flags)
{
    if (type == UMD_MAP_WRITE_DISCARD)
        return map_discard(context, subresource);
    if (type == UMD_MAP_WRITE_NO_OVERWRITE)
        return map_no_overwrite(context, subresource);
    return map_in_place(context, subresource, (flags & UMD_MAP_FLAG_DO_NOT_WAIT) != 0);
}

/* Bytes of mapped memory do not ask a predicate. */
static void give_block(struct umd_context *context, struct umd_subresource *subresource, uint32_t flags)
{
    umd_suspend_predication(context);
    umd_upload_block(context, subresource, flags);
    umd_resume_predication(context);
    subresource->ticket = umd_context_ticket(context);
}

/* Textures are hardly ever mapped without being discarded, and are large: their memory is free again. */
static void give_texels(struct umd_context *context, struct umd_subresource *subresource, bool discards)
{
    give_block(context, subresource, discards ? 0u : (uint32_t)AEROGPU_EXT_UPDATE_NO_OVERWRITE);
    guest_stream_retire(&context->stream, &subresource->block);
    subresource->host_is_newer = true;
}

/* What the update of bytes says that were mapped so, and are copied. */
static uint32_t update_flags(const struct umd_resource *resource, enum umd_map type)
{
    if (type == UMD_MAP_WRITE_NO_OVERWRITE)
        return AEROGPU_EXT_UPDATE_NO_OVERWRITE;
    return type == UMD_MAP_WRITE_DISCARD && resource->desc.dimension == UMD_BUFFER
               ? AEROGPU_EXT_UPDATE_DISCARD
               : 0;
}

/* Bytes outside of the heap go as those of give_block() and give_texels() do. */
static void give_memory(struct umd_context *context, struct umd_subresource *subresource, enum umd_map type)
{
    umd_upload_spilled(context, subresource, update_flags(subresource->resource, type));
    if (subresource->resource->desc.dimension == UMD_BUFFER || type != UMD_MAP_WRITE_DISCARD)
        return;
    umd_unspill(context->device, subresource);
    subresource->host_is_newer = true;
}

static void unmap_immediate(struct umd_context *context, struct umd_subresource *subresource)
{
    struct umd_resource *resource = subresource->resource;
    const enum umd_map type = (enum umd_map)subresource->mapped;
    subresource->mapped = 0;
    if (type == UMD_MAP_READ)
        return;
    umd_note_writer(resource);
    const bool discards = type == UMD_MAP_WRITE_DISCARD;
    if (subresource->block.bytes == NULL)
        give_memory(context, subresource, type);
    else if (type == UMD_MAP_WRITE || reads(type))
        give_block(context, subresource, 0);
    else if (resource->desc.dimension != UMD_BUFFER)
        give_texels(context, subresource, discards);
    else if (discards)
        umd_buffer_was_discarded(context, resource);
    else
        umd_buffer_was_written(context, resource);
}

/* ---- Deferred contexts ------------------------------------------------------------------------------- */

static struct umd_deferred_map *find_map(struct umd_context *context, const struct umd_resource *resource,
                                         uint32_t subresource)
{
    for (uint32_t i = 0; i < context->map_count; i++)
        if (context->maps[i].resource == resource && context->maps[i].subresource == subresource)
            return &context->maps[i];
    return NULL;
}

static struct umd_deferred_map *add_map(struct umd_context *context, struct umd_resource *resource,
                                        uint32_t subresource)
{
    if (context->map_count == context->map_capacity) {
        const uint32_t capacity = context->map_capacity != 0 ? context->map_capacity * 2 : 8;
        struct umd_deferred_map *maps =
            umd_grow(context->device, context->maps, context->map_count * sizeof *maps,
                     (uint64_t)capacity * sizeof *maps);
        if (maps == NULL)
            return NULL;
        context->maps = maps;
        context->map_capacity = capacity;
    }
    uint8_t *bytes = umd_allocate(context->device, resource->subresources[subresource].bytes);
    if (bytes == NULL)
        return NULL;
    struct umd_deferred_map *map = &context->maps[context->map_count++];
    *map = (struct umd_deferred_map){.resource = resource, .subresource = subresource, .bytes = bytes};
    return map;
}

void umd_forget_deferred_maps(struct umd_context *context)
{
    for (uint32_t i = 0; i < context->map_count; i++)
        umd_release(context->device, context->maps[i].bytes);
    context->map_count = 0;
}

static enum umd_status map_deferred(struct umd_context *context, struct umd_resource *resource,
                                    uint32_t subresource, enum umd_map type,
                                    struct umd_mapped_subresource *mapped)
{
    struct umd_deferred_map *map = find_map(context, resource, subresource);
    if (type != UMD_MAP_WRITE_DISCARD && (type != UMD_MAP_WRITE_NO_OVERWRITE || map == NULL))
        return UMD_INVALID;
    if (map == NULL)
        map = add_map(context, resource, subresource);
    if (map == NULL)
        return UMD_NO_MEMORY;
    map->mapped = (uint8_t)type;
    tell(&resource->subresources[subresource], map->bytes, mapped);
    return UMD_OK;
}

static void unmap_deferred(struct umd_context *context, struct umd_deferred_map *map)
{
    const struct umd_subresource *subresource = &map->resource->subresources[map->subresource];
    const uint32_t flags = update_flags(map->resource, (enum umd_map)map->mapped);
    map->mapped = 0;
    if (umd_upload_mapped(context, subresource, map->bytes, flags) != UMD_OK)
        context->out_of_memory = true;
    umd_resource_was_written(context, map->resource, map->subresource);
}

/* ---- The calls --------------------------------------------------------------------------------------- */

enum umd_status umd_resource_map(struct umd_context *context, struct umd_resource *resource,
                                 uint32_t subresource, enum umd_map type, uint32_t flags,
                                 struct umd_mapped_subresource *mapped)
{
    *mapped = (struct umd_mapped_subresource){0};
    if (!umd_is_mappable(resource) || subresource >= resource->subresource_count)
        return UMD_INVALID;
    if (context->is_deferred)
        return map_deferred(context, resource, subresource, type, mapped);
    if (umd_device_is_removed(context->device))
        return UMD_DEVICE_REMOVED;
    struct umd_subresource *part = &resource->subresources[subresource];
    enum umd_status status = map_immediate(context, part, type, flags);
    if (status == UMD_OK && reads(type))
        status = umd_device_check(context->device);
    if (status != UMD_OK)
        return status;
    part->mapped = (uint8_t)type;
    tell(part, umd_subresource_bytes(part), mapped);
    return UMD_OK;
}

void umd_resource_unmap(struct umd_context *context, struct umd_resource *resource, uint32_t subresource)
{
    if (!umd_is_mappable(resource) || subresource >= resource->subresource_count)
        return;
    if (context->is_deferred) {
        struct umd_deferred_map *map = find_map(context, resource, subresource);
        if (map != NULL && map->mapped != 0)
            unmap_deferred(context, map);
    } else if (resource->subresources[subresource].mapped != 0) {
        unmap_immediate(context, &resource->subresources[subresource]);
    }
}
