/* SPDX-License-Identifier: MIT
 *
 * Notes which resources the streams of a run create: a check that reads a texel needs the texture's format
 * and size.
 */
#include "abi/texture_layout.h"
#include "aerogpu/abi/ext.h"
#include "aerogpu/stream.h"
#include "scene/run.h"

static void note(struct scene_run *run, struct ag_map *map, uint64_t key,
                 const struct scene_resource *resource)
{
    struct scene_resource *copy = ag_arena_memdup(&run->arena, resource, sizeof *resource, 8);
    if (copy == NULL || !ag_map_put(map, key, copy))
        scene_abort(run, AGPU_DIAG_OUT_OF_MEMORY, "out of memory");
}

static void note_alias(struct scene_run *run, struct ag_map *map, uint64_t key,
                       const struct scene_resource *resource)
{
    if (resource != NULL)
        note(run, map, key, resource);
}

static void note_texture(struct scene_run *run, const struct aerogpu_cmd_create_texture2d *create)
{
    const struct scene_resource texture = {
        .is_texture = true,
        .format = create->format,
        .width = create->width,
        .height = create->height,
        .handle = create->texture_handle,
    };
    note(run, &run->resources, create->texture_handle, &texture);
}

static void note_ext_texture(struct scene_run *run, const struct aerogpu_cmd_ext_create_texture *create)
{
    const bool is_volume = create->dimension == AEROGPU_EXT_RESOURCE_TEXTURE3D;
    const struct scene_resource texture = {
        .is_texture = true,
        .format = create->format,
        .width = create->width,
        .height = create->height,
        .handle = create->texture_handle,
        .is_ext = true,
        .is_volume = is_volume,
        .mips = create->mip_levels != 0
                    ? create->mip_levels
                    : ag_full_mip_count(create->width, create->height, is_volume ? create->depth : 1),
    };
    note(run, &run->resources, create->texture_handle, &texture);
}

static void note_ext_buffer(struct scene_run *run, const struct aerogpu_cmd_ext_create_buffer *create)
{
    const struct scene_resource buffer = {
        .handle = create->buffer_handle, .size_bytes = create->size_bytes, .is_ext = true};
    note(run, &run->resources, create->buffer_handle, &buffer);
}

static void note_view(struct scene_run *run, const struct aerogpu_cmd_create_texture_view *create)
{
    const struct scene_resource *texture = scene_find_resource(run, create->texture_handle);
    if (texture == NULL)
        return;
    struct scene_resource view = *texture;
    view.base_mip += create->base_mip_level;
    view.base_layer += create->base_array_layer;
    note(run, &run->resources, create->view_handle, &view);
}

static void note_packet(struct scene_run *run, const struct agpu_packet *packet)
{
    if (packet->opcode == AEROGPU_CMD_CREATE_BUFFER) {
        const struct aerogpu_cmd_create_buffer *create = AGPU_PACKET(packet, create_buffer);
        const struct scene_resource buffer = {.handle = create->buffer_handle,
                                              .size_bytes = create->size_bytes};
        note(run, &run->resources, create->buffer_handle, &buffer);
    } else if (packet->opcode == AEROGPU_CMD_CREATE_TEXTURE2D) {
        note_texture(run, AGPU_PACKET(packet, create_texture2d));
    } else if (packet->opcode == AEROGPU_CMD_EXT_CREATE_BUFFER) {
        note_ext_buffer(run, AGPU_PACKET(packet, ext_create_buffer));
    } else if (packet->opcode == AEROGPU_CMD_EXT_CREATE_TEXTURE) {
        note_ext_texture(run, AGPU_PACKET(packet, ext_create_texture));
    } else if (packet->opcode == AEROGPU_CMD_CREATE_TEXTURE_VIEW) {
        note_view(run, AGPU_PACKET(packet, create_texture_view));
    } else if (packet->opcode == AEROGPU_CMD_EXPORT_SHARED_SURFACE) {
        const struct aerogpu_cmd_export_shared_surface *share = AGPU_PACKET(packet, export_shared_surface);
        note_alias(run, &run->tokens, share->share_token, scene_find_resource(run, share->resource_handle));
    } else if (packet->opcode == AEROGPU_CMD_IMPORT_SHARED_SURFACE) {
        const struct aerogpu_cmd_import_shared_surface *share = AGPU_PACKET(packet, import_shared_surface);
        const struct scene_resource *found = ag_map_get(&run->tokens, share->share_token);
        if (found != NULL) {
            struct scene_resource alias = *found;
            alias.handle = share->out_resource_handle;
            note(run, &run->resources, share->out_resource_handle, &alias);
        }
    }
}

void scene_note_resources(struct scene_run *run, const void *stream, size_t size)
{
    struct agpu_stream_reader reader;
    struct agpu_packet packet;
    if (size == 0 || agpu_stream_reader_init(&reader, stream, size, NULL) != AGPU_OK)
        return;
    reader.lenient = true;
    while (agpu_stream_next(&reader, &packet)) {
        if (packet.info != NULL)
            note_packet(run, &packet);
    }
}

const struct scene_resource *scene_find_resource(const struct scene_run *run, uint32_t handle)
{
    return ag_map_get(&run->resources, handle);
}
