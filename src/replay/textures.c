/* SPDX-License-Identifier: MIT
 *
 * Follows uploads and guest memory through a capture to the textures that they fill.
 */
#include "replay/textures.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "abi/packet_walk.h"
#include "abi/texture_layout.h"
#include "aerogpu/abi/ext.h"
#include "aerogpu/abi/pci.h"
#include "aerogpu/abi/ring.h"
#include "aerogpu/stream.h"
#include "base/bytes.h"
#include "base/diag.h"
#include "base/map.h"
#include "format/bc.h"

struct filled_texture {
    struct ag_capture_texture identity;
    const struct ag_host_format *format;
    struct ag_texture_layout layout;
    uint32_t backing_id, backing_offset; /* 0: the texture has no backing */
    uint64_t gpa;   /* address of the backing in the last submission that named it, or 0 */
    uint8_t *bytes; /* packed layout; null: nothing filled it */
    bool wanted;    /* the texture was made or filled in the range */
    bool left_out;  /* the texture is past a limit */
    struct filled_texture *next;
};

struct collector {
    const struct ag_capture *capture;
    const struct ag_capture_summary *summary;
    uint32_t from;
    struct ag_arena arena;
    struct ag_map handles; /* struct filled_texture */
    struct filled_texture *textures, **end;
    const struct agpu_diag_sink *sink;
    uint32_t submission, texture_count;
    uint64_t filled_bytes;
    bool has_too_many; /* there are too many textures, which was reported */
    bool failed;
};

static void leave_out(struct collector *collector, struct filled_texture *texture, uint64_t limit,
                      const char *of_what)
{
    ag_report(collector->sink, AGPU_DIAG_CAPTURE_LIMIT, AGPU_WARNING, ag_place_none(),
              "texture %" PRIu32 " of submission %" PRIu32 ", packet %" PRIu32
              " is left out: the limit of %s is %" PRIu64 " bytes",
              texture->identity.handle, texture->identity.submission, texture->identity.packet, of_what,
              limit);
    texture->left_out = true;
}

/* Allocates the bytes of a texture when something fills the texture for the first time. */
static bool make_bytes(struct collector *collector, struct filled_texture *texture)
{
    const uint64_t size = texture->layout.size_bytes;
    if (size > AG_CAPTURE_TEXTURES_LIMIT_BYTES - collector->filled_bytes) {
        leave_out(collector, texture, AG_CAPTURE_TEXTURES_LIMIT_BYTES, "all textures");
        return false;
    }
    texture->bytes = calloc(1, (size_t)size);
    collector->failed = texture->bytes == NULL;
    collector->filled_bytes += size;
    return texture->bytes != NULL;
}

static void fill(struct collector *collector, struct filled_texture *texture, uint64_t offset,
                 const void *data, uint64_t size)
{
    if (texture->left_out || !ag_range_fits(offset, size, texture->layout.size_bytes))
        return;
    if (texture->bytes == NULL && !make_bytes(collector, texture))
        return;
    memcpy(texture->bytes + offset, data, (size_t)size);
    texture->wanted = texture->wanted || collector->submission >= collector->from;
}

static bool is_too_large(const struct ag_texture_layout *layout)
{
    /* The first condition makes sure that the product in the second one fits. */
    return layout->size_bytes > AG_CAPTURE_TEXTURE_LIMIT_BYTES ||
           (uint64_t)layout->mips[0].width * layout->mips[0].height * 4 > AG_CAPTURE_TEXTURE_LIMIT_BYTES;
}

static bool is_one_too_many(struct collector *collector)
{
    if (collector->texture_count < AG_CAPTURE_TEXTURES_LIMIT)
        return false;
    if (!collector->has_too_many)
        ag_report(collector->sink, AGPU_DIAG_CAPTURE_LIMIT, AGPU_WARNING, ag_place_none(),
                  "textures from submission %" PRIu32 " on are left out: the limit is %" PRIu32 " textures",
                  collector->submission, AG_CAPTURE_TEXTURES_LIMIT);
    collector->has_too_many = true;
    return true;
}

/* Notes a texture of a format that pictures can be made from; the format's part of the shape is filled in. */
static void add_texture(struct collector *collector, const struct agpu_packet *packet, uint32_t handle,
                        const struct ag_host_format *format, struct ag_texture_shape *shape)
{
    struct ag_texture_layout layout;
    shape->bytes_per_unit = format->bytes;
    shape->block_width = format->block_width;
    shape->block_height = format->block_height;
    if (ag_texture_layout_init(&layout, shape) != AG_LAYOUT_OK || is_one_too_many(collector))
        return;
    struct filled_texture *texture = AG_ARENA_NEW(&collector->arena, struct filled_texture);
    if (texture == NULL || !ag_map_put(&collector->handles, handle, texture)) {
        collector->failed = true;
        return;
    }
    texture->identity.handle = handle;
    texture->identity.submission = collector->submission;
    texture->identity.packet = packet->index;
    texture->format = format;
    texture->layout = layout;
    texture->wanted = collector->submission >= collector->from;
    collector->texture_count++;
    if (is_too_large(&layout))
        leave_out(collector, texture, AG_CAPTURE_TEXTURE_LIMIT_BYTES, "one texture");
    *collector->end = texture;
    collector->end = &texture->next;
}

static void set_backing(struct collector *collector, uint32_t handle, uint32_t id, uint32_t offset)
{
    struct filled_texture *texture = ag_map_get(&collector->handles, handle);
    if (texture != NULL) {
        texture->backing_id = id;
        texture->backing_offset = offset;
    }
}

static void create(struct collector *collector, const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_create_texture2d *wire = AGPU_PACKET(packet, create_texture2d);
    const struct ag_host_format *format = ag_abi_format(wire->format);
    if (format == NULL || format->class == AG_CLASS_DEPTH)
        return;
    struct ag_texture_shape shape = {
        .width = wire->width,
        .height = wire->height,
        .mip_levels = wire->mip_levels,
        .array_layers = wire->array_layers,
        .row_pitch_bytes = wire->row_pitch_bytes,
    };
    add_texture(collector, packet, wire->texture_handle, format, &shape);
    set_backing(collector, wire->texture_handle, wire->backing_alloc_id, wire->backing_offset_bytes);
}

/* Returns the row of a format that the ABI has, also under its name of the extension, or null. */
static const struct ag_host_format *find_format(uint32_t format)
{
    const struct ag_host_format *found = ag_host_format(ag_host_format_from_abi(format));
    return found != NULL && found->abi_format != AEROGPU_FORMAT_INVALID ? found : NULL;
}

static void create_extended(struct collector *collector, const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_ext_create_texture *wire = AGPU_PACKET(packet, ext_create_texture);
    const struct ag_host_format *format = find_format(wire->format);
    const bool is_volume = wire->dimension == AEROGPU_EXT_RESOURCE_TEXTURE3D;
    if (format == NULL || format->class == AG_CLASS_DEPTH || wire->sample_count != 1)
        return;
    struct ag_texture_shape shape = {
        .width = wire->width,
        .height = wire->height,
        .depth = is_volume ? wire->depth : 0,
        .mip_levels = wire->mip_levels != 0
                          ? wire->mip_levels
                          : ag_full_mip_count(wire->width, wire->height, is_volume ? wire->depth : 1),
        .array_layers = wire->array_size,
        .row_pitch_bytes = wire->row_pitch_bytes,
        .depth_pitch_bytes = wire->depth_pitch_bytes,
    };
    add_texture(collector, packet, wire->texture_handle, format, &shape);
    set_backing(collector, wire->texture_handle, wire->backing_alloc_id, wire->backing_offset_bytes);
}

/* Fills a whole subresource from the bytes in the packet. Updates of boxes and from guest memory are left
 * out. */
static void update(struct collector *collector, const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_ext_update_subresource *wire = AGPU_PACKET(packet, ext_update_subresource);
    struct filled_texture *texture = ag_map_get(&collector->handles, wire->resource_handle);
    if (texture == NULL || (wire->flags & AEROGPU_EXT_UPDATE_BOX) != 0 || wire->source_alloc_id != 0 ||
        wire->subresource / texture->layout.mip_levels >= texture->layout.array_layers)
        return;
    const uint32_t level = wire->subresource % texture->layout.mip_levels;
    const struct ag_mip_layout *mip = &texture->layout.mips[level];
    const uint64_t pitch = wire->row_pitch_bytes != 0 ? wire->row_pitch_bytes : mip->row_bytes;
    const uint64_t slice_pitch = wire->depth_pitch_bytes != 0 ? wire->depth_pitch_bytes : pitch * mip->rows;
    for (uint32_t slice = 0; slice < mip->slices; slice++) {
        const uint64_t to = ag_texture_layout_offset(
            &texture->layout, level,
            texture->layout.is_volume ? slice : wire->subresource / texture->layout.mip_levels);
        for (uint32_t row = 0; row < mip->rows; row++) {
            const uint64_t from = slice * slice_pitch + row * pitch;
            if (!ag_range_fits(from, mip->row_bytes, packet->payload_size))
                return;
            fill(collector, texture, to + (uint64_t)row * mip->pitch_bytes, packet->payload + from,
                 mip->row_bytes);
        }
    }
}

static void upload(struct collector *collector, const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_upload_resource *wire = AGPU_PACKET(packet, upload_resource);
    struct filled_texture *texture = ag_map_get(&collector->handles, wire->resource_handle);
    if (texture != NULL)
        fill(collector, texture, wire->offset_bytes, packet->payload, packet->payload_size);
}

/* Notes the addresses of the guest's allocations for the textures in them. */
static void place_backings(struct collector *collector, const struct ag_capture_record *record)
{
    const uint32_t count = AG_CAPTURE_AS(record, submission)->allocation_count;
    const uint8_t *entries = record->payload + sizeof(struct ag_capture_submission);
    for (struct filled_texture *texture = collector->textures; texture != NULL && count != 0;
         texture = texture->next) {
        for (uint32_t i = 0; i < count && texture->backing_id != 0; i++) {
            struct aerogpu_alloc_entry entry;
            memcpy(&entry, entries + (size_t)i * sizeof entry, sizeof entry);
            if (entry.alloc_id == texture->backing_id)
                texture->gpa = entry.gpa + texture->backing_offset;
        }
    }
}

static void collect_packet(struct collector *collector, const struct agpu_packet *packet)
{
    struct ag_packet_item destroyed;
    switch (packet->opcode) {
    case AEROGPU_CMD_CREATE_TEXTURE2D:
        create(collector, packet);
        break;
    case AEROGPU_CMD_EXT_CREATE_TEXTURE:
        create_extended(collector, packet);
        break;
    case AEROGPU_CMD_EXT_UPDATE_SUBRESOURCE:
        update(collector, packet);
        break;
    case AEROGPU_CMD_UPLOAD_RESOURCE:
        upload(collector, packet);
        break;
    default:
        if (ag_packet_find(packet, AG_ROLE_DESTROYS, AG_OBJECT_RESOURCE, &destroyed))
            ag_map_remove(&collector->handles, destroyed.value);
        break;
    }
}

static void collect_submission(struct collector *collector, const struct ag_capture_record *record)
{
    const struct ag_capture_submission_info *info =
        &collector->summary->submissions.data[collector->submission];
    struct agpu_stream_reader reader;
    struct agpu_packet packet;
    if (info->stream != NULL &&
        agpu_stream_reader_init(&reader, info->stream, info->head.stream_size, NULL) == AGPU_OK) {
        while (!collector->failed && agpu_stream_next(&reader, &packet)) {
            if (packet.info != NULL)
                collect_packet(collector, &packet);
        }
    }
    place_backings(collector, record);
}

/* Copies what the executor read from the backing of a texture into the texture. */
static void collect_read(struct collector *collector, const struct ag_capture_record *record)
{
    const struct ag_capture_access *access = &record->access;
    for (struct filled_texture *texture = collector->textures; texture != NULL; texture = texture->next) {
        if (texture->gpa != 0 && access->gpa >= texture->gpa)
            fill(collector, texture, access->gpa - texture->gpa, record->bytes, access->size);
    }
}

/* ---- Pictures ------------------------------------------------------------------------------------------ */

static void unpack_row(const struct filled_texture *texture, const struct ag_mip_layout *mip,
                       const uint8_t *row, uint32_t y, uint8_t *pixels)
{
    const uint32_t unit_bytes = texture->format->bytes;
    uint8_t texels[AG_BC_TEXELS_BYTES];
    if (texture->format->block_width == 1) {
        for (uint32_t x = 0; x < mip->width; x++)
            ag_format_unpack_rgba8(texture->format, row + (size_t)x * unit_bytes,
                                   pixels + ((size_t)y * mip->width + x) * 4);
        return;
    }
    for (uint32_t x = 0; x < mip->width; x += 4) {
        if (!ag_bc_decode(texture->format, row + (size_t)(x / 4) * unit_bytes, texels))
            return;
        for (uint32_t i = 0; i < 16; i++) {
            if (x + i % 4 < mip->width && y + i / 4 < mip->height)
                memcpy(pixels + ((size_t)(y + i / 4) * mip->width + x + i % 4) * 4, texels + (size_t)i * 4,
                       4);
        }
    }
}

static bool visit_mip(const struct filled_texture *texture, uint32_t mip, uint32_t layer,
                      void (*visit)(void *user, const struct ag_capture_texture *texture), void *user)
{
    const struct ag_mip_layout *shape = &texture->layout.mips[mip];
    const uint8_t *bytes = texture->bytes + ag_texture_layout_offset(&texture->layout, mip, layer);
    struct ag_capture_texture picture = texture->identity;
    picture.mip = mip;
    picture.layer = layer;
    picture.width = shape->width;
    picture.height = shape->height;
    picture.pixels = calloc((size_t)shape->width * shape->height, 4);
    if (picture.pixels == NULL)
        return false;
    for (uint32_t row = 0; row < shape->rows; row++)
        unpack_row(texture, shape, bytes + (size_t)row * shape->pitch_bytes,
                   row * texture->format->block_height, picture.pixels);
    visit(user, &picture);
    free(picture.pixels);
    return true;
}

static bool visit_texture(const struct filled_texture *texture,
                          void (*visit)(void *user, const struct ag_capture_texture *texture), void *user)
{
    const struct ag_texture_layout *layout = &texture->layout;
    const uint32_t most = layout->is_volume ? layout->mips[0].slices : layout->array_layers;
    for (uint32_t layer = 0; layer < most; layer++) {
        for (uint32_t mip = 0; mip < layout->mip_levels; mip++) {
            if (layout->is_volume && layer >= layout->mips[mip].slices)
                continue;
            if (!visit_mip(texture, mip, layer, visit, user))
                return false;
        }
    }
    return true;
}

/* ---- The visit ----------------------------------------------------------------------------------------- */

static void collect(struct collector *collector, uint32_t to)
{
    uint32_t submissions = 0;
    for (size_t i = 0; i < collector->capture->records.count && !collector->failed; i++) {
        const struct ag_capture_record *record = &collector->capture->records.data[i];
        if (ag_capture_is_reset(record))
            ag_map_clear(&collector->handles);
        if (record->fourcc == AG_CAPTURE_SUBM) {
            if (submissions > to)
                return;
            collector->submission = submissions++;
            collect_submission(collector, record);
        } else if (record->fourcc == AG_CAPTURE_PAGE && record->bytes != NULL &&
                   (record->access.flags & AG_CAPTURE_ACCESS_EXECUTOR) != 0) {
            collect_read(collector, record);
        }
    }
}

enum agpu_status replay_visit_textures(const struct ag_capture *capture,
                                       const struct ag_capture_summary *summary, uint32_t from, uint32_t to,
                                       void (*visit)(void *user, const struct ag_capture_texture *texture),
                                       void *user, const struct agpu_diag_sink *sink)
{
    struct collector collector = {.capture = capture, .summary = summary, .from = from, .sink = sink};
    collector.end = &collector.textures;
    collect(&collector, to);
    for (struct filled_texture *texture = collector.textures; texture != NULL; texture = texture->next) {
        if (texture->bytes != NULL && texture->wanted && !collector.failed)
            collector.failed = !visit_texture(texture, visit, user);
        free(texture->bytes);
    }
    ag_map_fini(&collector.handles);
    ag_arena_fini(&collector.arena);
    return collector.failed ? ag_report_no_memory(sink) : AGPU_OK;
}
