/* SPDX-License-Identifier: MIT
 *
 * The extension's resources and views, and what moves their bytes.
 */
#include "aerogpu/abi/pci.h"
#include "base/bytes.h"
#include "format/formats.h"
#include "packet_world.h"

#define LARGEST_EDGE 32u
#define LARGEST_DEPTH 4u
#define BOX_EDGE 4u
#define BOX_BYTES (BOX_EDGE * BOX_EDGE * 16)
#define WRITABLE_ALLOCATIONS 2u

typedef const struct aerogpu_cmd_ext_create_texture texture_desc;

/* ---- Formats ------------------------------------------------------------------------------------------ */

struct format_row {
    uint32_t typed, typeless; /* 0: has none */
    bool target, depth, blocks;
};

static const struct format_row formats[] = {
    {AG_DXGI_R8G8B8A8_UNORM,             AG_DXGI_R8G8B8A8_TYPELESS,     .target = true },
    {AG_DXGI_B8G8R8A8_UNORM_SRGB,        AG_DXGI_B8G8R8A8_TYPELESS,     .target = true },
    {AG_DXGI_R8G8B8A8_SNORM,             AG_DXGI_R8G8B8A8_TYPELESS,     .target = true },
    {AG_DXGI_R10G10B10A2_UNORM,          AG_DXGI_R10G10B10A2_TYPELESS,  .target = true },
    {AG_DXGI_R10G10B10_XR_BIAS_A2_UNORM, AG_DXGI_R10G10B10A2_TYPELESS,  .target = true },
    {AG_DXGI_R16G16_UNORM,               AG_DXGI_R16G16_TYPELESS,       .target = true },
    {AG_DXGI_R16G16_SNORM,               AG_DXGI_R16G16_TYPELESS,       .target = true },
    {AG_DXGI_R32_FLOAT,                  AG_DXGI_R32_TYPELESS,          .target = true },
    {AG_DXGI_R32_UINT,                   AG_DXGI_R32_TYPELESS,          .target = true },
    {AG_DXGI_R16G16B16A16_FLOAT,         AG_DXGI_R16G16B16A16_TYPELESS, .target = true },
    {AG_DXGI_R16G16B16A16_UINT,          AG_DXGI_R16G16B16A16_TYPELESS, .target = true },
    {3,                                  1,                             .target = true },
    {2,                                  1,                             .target = true },
    {AG_DXGI_R32G32_UINT,                AG_DXGI_R32G32_TYPELESS,       .target = true },
    {AG_DXGI_R8_UNORM,                   AG_DXGI_R8_TYPELESS,           .target = true },
    {AG_DXGI_R16_SNORM,                  AG_DXGI_R16_TYPELESS,          .target = false},
    {AG_DXGI_A8_UNORM,                   AG_DXGI_UNKNOWN,               .target = true },
    {AG_DXGI_R11G11B10_FLOAT,            AG_DXGI_UNKNOWN,               .target = true },
    {AG_DXGI_R9G9B9E5_SHAREDEXP,         AG_DXGI_UNKNOWN,               .target = false},
    {AG_DXGI_R8G8_B8G8_UNORM,            AG_DXGI_UNKNOWN,               .blocks = true },
    {AG_DXGI_BC1_UNORM,                  AG_DXGI_BC1_TYPELESS,          .blocks = true },
    {AG_DXGI_BC4_UNORM,                  AG_DXGI_BC4_TYPELESS,          .blocks = true },
    {AG_DXGI_BC7_UNORM,                  AG_DXGI_BC7_TYPELESS,          .blocks = true },
    {AG_DXGI_D24_UNORM_S8_UINT,          AG_DXGI_R24G8_TYPELESS,        .depth = true  },
    {AG_DXGI_D32_FLOAT,                  AG_DXGI_R32_TYPELESS,          .depth = true  },
    {AG_DXGI_D16_UNORM,                  AG_DXGI_R16_TYPELESS,          .depth = true  },
};

static const struct format_row *row_of(const struct packet_object *texture)
{
    return &formats[texture->format];
}

/* ---- Buffers ------------------------------------------------------------------------------------------ */

static void create_buffer(struct packet_world *world, struct agpu_writer *writer)
{
    uint32_t index;
    if (!packet_find(world, PACKET_BUFFER, false, &index))
        return;
    const bool structured = packet_chance(world, 3), constants = packet_chance(world, 6);
    const bool backed = packet_chance(world, 3);
    struct aerogpu_cmd_ext_create_buffer create = {
        .buffer_handle = packet_handle(world, PACKET_BUFFER, index),
        .bind_flags = 0x8 | (packet_chance(world, 2) ? 0x80u : 0),
        .structure_stride_bytes = 4 + 4 * packet_below(world, 8),
        .backing_alloc_id = backed ? 1 + packet_below(world, world->allocation_count) : 0,
        .backing_offset_bytes = backed ? 4 * packet_below(world, 64) : 0,
    };
    create.size_bytes = (uint64_t)create.structure_stride_bytes * (1 + packet_below(world, 40));
    if (structured) {
        create.misc_flags = AEROGPU_EXT_MISC_BUFFER_STRUCTURED;
    } else if (constants) {
        create.bind_flags = AEROGPU_EXT_BIND_CONSTANT_BUFFER;
        create.size_bytes = 16 + 16 * (uint64_t)packet_below(world, 64);
    } else {
        create.bind_flags |= AEROGPU_EXT_BIND_VERTEX_BUFFER | AEROGPU_EXT_BIND_INDEX_BUFFER |
                             (packet_chance(world, 2) ? AEROGPU_EXT_BIND_STREAM_OUTPUT : 0u);
        create.misc_flags = AEROGPU_EXT_MISC_DRAWINDIRECT_ARGS | AEROGPU_EXT_MISC_BUFFER_ALLOW_RAW_VIEWS;
    }
    world->objects[PACKET_BUFFER][index] = (struct packet_object){
        .alive = true,
        .backed = backed,
        .size = (uint32_t)create.size_bytes,
        .bind = create.bind_flags,
        .misc = create.misc_flags,
        .stride = create.structure_stride_bytes,
    };
    agpu_write_packet(writer, AEROGPU_CMD_EXT_CREATE_BUFFER, &create, sizeof create, NULL, 0);
}

/* ---- Textures ----------------------------------------------------------------------------------------- */

static void pick_size(struct packet_world *world, struct aerogpu_cmd_ext_create_texture *desc, bool blocks)
{
    desc->width = 1 + packet_below(world, LARGEST_EDGE);
    desc->height =
        desc->dimension == AEROGPU_EXT_RESOURCE_TEXTURE1D ? 1 : 1 + packet_below(world, LARGEST_EDGE);
    if (blocks) {
        desc->width = (desc->width + 3) / 4 * 4;
        desc->height = (desc->height + 3) / 4 * 4;
    }
    desc->depth =
        desc->dimension == AEROGPU_EXT_RESOURCE_TEXTURE3D ? 1 + packet_below(world, LARGEST_DEPTH) : 1;
    desc->array_size = desc->dimension == AEROGPU_EXT_RESOURCE_TEXTURE3D ? 1 : ONE_OF(world, 1, 1, 2, 3);
    if (desc->dimension == AEROGPU_EXT_RESOURCE_TEXTURE2D && packet_chance(world, 4)) {
        desc->height = desc->width;
        desc->array_size = ONE_OF(world, 6, 6, 12);
        desc->misc_flags |= AEROGPU_EXT_MISC_TEXTURECUBE;
    }
    const uint32_t edge = desc->width > desc->height ? desc->width : desc->height;
    desc->mip_levels = 1;
    while (edge >> desc->mip_levels != 0 && packet_chance(world, 2))
        desc->mip_levels++;
}

static void pick_binding(struct packet_world *world, struct aerogpu_cmd_ext_create_texture *desc,
                         const struct format_row *row, bool typeless)
{
    if (row->depth)
        desc->bind_flags =
            AEROGPU_EXT_BIND_DEPTH_STENCIL | (typeless ? AEROGPU_EXT_BIND_SHADER_RESOURCE : 0u);
    else
        desc->bind_flags =
            AEROGPU_EXT_BIND_SHADER_RESOURCE | (row->target ? AEROGPU_EXT_BIND_RENDER_TARGET : 0u);
    if (row->target && packet_chance(world, 2))
        desc->misc_flags |= AEROGPU_EXT_MISC_GENERATE_MIPS;
    if (packet_chance(world, 4))
        desc->misc_flags |= AEROGPU_EXT_MISC_RESOURCE_CLAMP;
}

/* Only 2D targets without mips have samples, and nobody's memory holds them. */
static void pick_samples(struct packet_world *world, struct aerogpu_cmd_ext_create_texture *desc)
{
    const uint32_t targets = AEROGPU_EXT_BIND_RENDER_TARGET | AEROGPU_EXT_BIND_DEPTH_STENCIL;
    desc->sample_count = 1;
    if (desc->dimension != AEROGPU_EXT_RESOURCE_TEXTURE2D || (desc->bind_flags & targets) == 0 ||
        desc->misc_flags != 0 || desc->backing_alloc_id != 0 || !packet_chance(world, 3))
        return;
    desc->mip_levels = 1;
    desc->sample_count = ONE_OF(world, 2, 4, 4, 8);
}

static void write_texture(struct packet_world *world, struct agpu_writer *writer, uint32_t index)
{
    texture_desc *desc = &world->objects[PACKET_EXT_TEXTURE][index].desc;
    agpu_write_packet(writer, AEROGPU_CMD_EXT_CREATE_TEXTURE, desc, sizeof *desc, NULL, 0);
}

static void create_texture(struct packet_world *world, struct agpu_writer *writer)
{
    uint32_t index;
    if (!packet_find(world, PACKET_EXT_TEXTURE, false, &index))
        return;
    struct packet_object object = {.alive = true, .format = packet_below(world, AG_COUNT_OF(formats))};
    const struct format_row *row = row_of(&object);
    const bool typeless = row->typeless != 0 && packet_chance(world, 3);
    struct aerogpu_cmd_ext_create_texture *desc = &object.desc;
    desc->texture_handle = packet_handle(world, PACKET_EXT_TEXTURE, index);
    desc->format = AEROGPU_EXT_FORMAT(typeless ? row->typeless : row->typed);
    desc->dimension = row->depth    ? AEROGPU_EXT_RESOURCE_TEXTURE2D
                      : row->blocks ? 3 + packet_below(world, 2)
                                    : 2 + packet_below(world, 3);
    pick_size(world, desc, row->blocks);
    pick_binding(world, desc, row, typeless);
    if (packet_chance(world, 4)) {
        desc->backing_alloc_id = 1 + packet_below(world, WRITABLE_ALLOCATIONS);
        desc->backing_offset_bytes = 4 * packet_below(world, 256);
        desc->array_size = (desc->misc_flags & AEROGPU_EXT_MISC_TEXTURECUBE) != 0 ? 6 : 1;
        desc->row_pitch_bytes = packet_chance(world, 2) ? 512 : 0;
    }
    pick_samples(world, desc);
    world->objects[PACKET_EXT_TEXTURE][index] = object;
    write_texture(world, writer, index);
}

/* Another texture that is alike, which then gets all that is in it. */
static void copy_resource(struct packet_world *world, struct agpu_writer *writer)
{
    uint32_t from, to;
    if (!packet_find(world, PACKET_EXT_TEXTURE, true, &from) ||
        !packet_find(world, PACKET_EXT_TEXTURE, false, &to))
        return;
    struct packet_object *copy = &world->objects[PACKET_EXT_TEXTURE][to];
    *copy = world->objects[PACKET_EXT_TEXTURE][from];
    copy->desc.texture_handle = packet_handle(world, PACKET_EXT_TEXTURE, to);
    write_texture(world, writer, to);
    const struct aerogpu_cmd_ext_copy_resource packet = {
        .dst_resource = copy->desc.texture_handle,
        .src_resource = packet_handle(world, PACKET_EXT_TEXTURE, from),
    };
    agpu_write_packet(writer, AEROGPU_CMD_EXT_COPY_RESOURCE, &packet, sizeof packet, NULL, 0);
}

static void destroy(struct packet_world *world, struct agpu_writer *writer)
{
    uint32_t index;
    world->destroyed++;
    if (packet_chance(world, 2)) {
        if (packet_find(world, PACKET_EXT_TEXTURE, true, &index)) {
            agpu_write_destroy_resource(writer, packet_handle(world, PACKET_EXT_TEXTURE, index));
            world->objects[PACKET_EXT_TEXTURE][index].alive = false;
        }
    } else if (packet_find(world, PACKET_EXT_VIEW, true, &index)) {
        const struct aerogpu_cmd_ext_destroy_view packet = {.view_handle =
                                                                packet_handle(world, PACKET_EXT_VIEW, index)};
        agpu_write_packet(writer, AEROGPU_CMD_EXT_DESTROY_VIEW, &packet, sizeof packet, NULL, 0);
        world->objects[PACKET_EXT_VIEW][index].alive = false;
    }
}

/* ---- Bytes -------------------------------------------------------------------------------------------- */

static uint32_t mip_edge(uint32_t edge, uint32_t mip)
{
    return edge >> mip == 0 ? 1 : edge >> mip;
}

/* A subresource, and seldom a box of it: all of its depth, where it is wide enough. */
static uint32_t pick_subresource(struct packet_world *world, texture_desc *desc, struct aerogpu_ext_box *box,
                                 uint32_t *flags)
{
    const uint32_t mip = packet_below(world, desc->mip_levels);
    const uint32_t width = mip_edge(desc->width, mip), height = mip_edge(desc->height, mip);
    *flags = 0;
    if (width >= BOX_EDGE && packet_chance(world, 2)) {
        const uint32_t left = BOX_EDGE * packet_below(world, width / BOX_EDGE);
        const uint32_t tall = height < BOX_EDGE ? height : BOX_EDGE;
        *box = (struct aerogpu_ext_box){left, 0, 0, left + BOX_EDGE, tall, 1};
        *flags = AEROGPU_EXT_UPDATE_BOX;
    }
    return mip + desc->mip_levels * packet_below(world, desc->array_size);
}

static void update_buffer(struct packet_world *world, struct agpu_writer *writer)
{
    uint8_t bytes[256];
    uint32_t index;
    if (!packet_find(world, PACKET_BUFFER, true, &index))
        return;
    const uint32_t size = world->objects[PACKET_BUFFER][index].size / 16 * 16;
    struct aerogpu_cmd_ext_update_subresource packet = {
        .resource_handle = packet_handle(world, PACKET_BUFFER, index),
        .flags = AEROGPU_EXT_UPDATE_BOX | ONE_OF(world, 0, 2, 4),
    };
    const uint32_t length =
        16 * packet_below(world, (size < sizeof bytes ? size : (uint32_t)sizeof bytes) / 16 + 1);
    packet.box.left = 16 * packet_below(world, (size - length) / 16 + 1);
    packet.box.right = packet.box.left + length;
    packet.box.bottom = packet.box.back = 1;
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)random_bits(&world->random);
    agpu_write_packet(writer, AEROGPU_CMD_EXT_UPDATE_SUBRESOURCE, &packet, sizeof packet, bytes, length);
}

static void update_texture(struct packet_world *world, struct agpu_writer *writer)
{
    uint8_t bytes[BOX_BYTES];
    uint32_t index, box_flags;
    if (!packet_find(world, PACKET_EXT_TEXTURE, true, &index) ||
        row_of(&world->objects[PACKET_EXT_TEXTURE][index])->depth ||
        world->objects[PACKET_EXT_TEXTURE][index].desc.sample_count > 1)
        return;
    texture_desc *desc = &world->objects[PACKET_EXT_TEXTURE][index].desc;
    struct aerogpu_cmd_ext_update_subresource packet = {.resource_handle = desc->texture_handle};
    packet.subresource = pick_subresource(world, desc, &packet.box, &box_flags);
    packet.flags = box_flags;
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)random_bits(&world->random);
    if (box_flags == 0 || packet_chance(world, 2)) {
        packet.source_alloc_id = 1 + packet_below(world, world->allocation_count);
        packet.source_offset_bytes = 4 * (uint64_t)packet_below(world, 256);
        packet.row_pitch_bytes = packet_chance(world, 4) ? 512 : 0;
    }
    agpu_write_packet(writer, AEROGPU_CMD_EXT_UPDATE_SUBRESOURCE, &packet, sizeof packet, bytes,
                      packet.source_alloc_id != 0 ? 0 : sizeof bytes);
}

static void read_texture(struct packet_world *world, struct agpu_writer *writer)
{
    uint32_t index;
    if (!packet_find(world, PACKET_EXT_TEXTURE, true, &index) ||
        world->objects[PACKET_EXT_TEXTURE][index].desc.sample_count > 1)
        return;
    texture_desc *desc = &world->objects[PACKET_EXT_TEXTURE][index].desc;
    struct aerogpu_cmd_ext_read_subresource packet = {
        .resource_handle = desc->texture_handle,
        .target_alloc_id = 1 + packet_below(world, WRITABLE_ALLOCATIONS),
        .target_offset_bytes = 4 * (uint64_t)packet_below(world, 256),
        .row_pitch_bytes = packet_chance(world, 4) ? 512 : 0,
    };
    packet.subresource = pick_subresource(world, desc, &packet.box, &packet.flags);
    if (row_of(&world->objects[PACKET_EXT_TEXTURE][index])->depth)
        packet.flags = 0;
    agpu_write_packet(writer, AEROGPU_CMD_EXT_READ_SUBRESOURCE, &packet, sizeof packet, NULL, 0);
}

static void read_buffer(struct packet_world *world, struct agpu_writer *writer)
{
    uint32_t index;
    if (!packet_find(world, PACKET_BUFFER, true, &index))
        return;
    const struct aerogpu_cmd_ext_read_subresource packet = {
        .resource_handle = packet_handle(world, PACKET_BUFFER, index),
        .target_alloc_id = 1 + packet_below(world, WRITABLE_ALLOCATIONS),
        .target_offset_bytes = 4 * (uint64_t)packet_below(world, 256),
    };
    agpu_write_packet(writer, AEROGPU_CMD_EXT_READ_SUBRESOURCE, &packet, sizeof packet, NULL, 0);
}

/* Between textures of one format, or a texture and itself. */
static void copy_region(struct packet_world *world, struct agpu_writer *writer)
{
    uint32_t to, from;
    if (!packet_find(world, PACKET_EXT_TEXTURE, true, &to) ||
        !packet_find(world, PACKET_EXT_TEXTURE, true, &from))
        return;
    const struct packet_object *target = &world->objects[PACKET_EXT_TEXTURE][to];
    const struct packet_object *source = &world->objects[PACKET_EXT_TEXTURE][from];
    struct aerogpu_cmd_ext_copy_subresource_region packet = {
        .dst_resource = target->desc.texture_handle,
        .src_resource = source->desc.texture_handle,
    };
    packet.src_subresource = pick_subresource(world, &source->desc, &packet.box, &packet.box_flags);
    if (row_of(target)->typeless != row_of(source)->typeless || row_of(target)->depth ||
        row_of(source)->depth || row_of(target)->blocks != row_of(source)->blocks || packet.box_flags == 0 ||
        target->desc.sample_count > 1 || source->desc.sample_count > 1 || target->desc.width < BOX_EDGE ||
        target->desc.height < packet.box.bottom)
        return;
    packet.dst_x = BOX_EDGE * packet_below(world, target->desc.width / BOX_EDGE);
    packet.dst_subresource = target->desc.mip_levels * packet_below(world, target->desc.array_size);
    packet.flags = target->desc.backing_alloc_id != 0 ? packet_below(world, 2) : 0;
    agpu_write_packet(writer, AEROGPU_CMD_EXT_COPY_SUBRESOURCE_REGION, &packet, sizeof packet, NULL, 0);
}

/* Samples go to a texture that is made for them, and is then one of the others. */
static void resolve(struct packet_world *world, struct agpu_writer *writer)
{
    uint32_t from, to;
    if (!packet_find(world, PACKET_EXT_TEXTURE, true, &from) ||
        !packet_find(world, PACKET_EXT_TEXTURE, false, &to) ||
        world->objects[PACKET_EXT_TEXTURE][from].desc.sample_count == 1 ||
        row_of(&world->objects[PACKET_EXT_TEXTURE][from])->depth)
        return;
    struct packet_object *target = &world->objects[PACKET_EXT_TEXTURE][to];
    *target = world->objects[PACKET_EXT_TEXTURE][from];
    target->desc.texture_handle = packet_handle(world, PACKET_EXT_TEXTURE, to);
    target->desc.sample_count = 1;
    write_texture(world, writer, to);
    const struct aerogpu_cmd_ext_resolve_subresource packet = {
        .dst_texture = target->desc.texture_handle,
        .dst_subresource = packet_below(world, target->desc.array_size),
        .src_texture = packet_handle(world, PACKET_EXT_TEXTURE, from),
        .src_subresource = packet_below(world, target->desc.array_size),
        .format = AEROGPU_EXT_FORMAT(row_of(target)->typed),
    };
    agpu_write_packet(writer, AEROGPU_CMD_EXT_RESOLVE_SUBRESOURCE, &packet, sizeof packet, NULL, 0);
}

static void discard(struct packet_world *world, struct agpu_writer *writer)
{
    const struct aerogpu_ext_rect rects[2] = {
        {0, 0, 4,  4},
        {2, 2, 40, 3}
    };
    const struct aerogpu_cmd_ext_discard_resource resource = {
        .resource_handle = packet_pick(world, packet_chance(world, 2) ? PACKET_EXT_TEXTURE : PACKET_BUFFER)};
    const struct aerogpu_cmd_ext_discard_view view = {.view_handle = packet_pick(world, PACKET_EXT_VIEW)};
    if (packet_chance(world, 2) && resource.resource_handle != 0)
        agpu_write_packet(writer, AEROGPU_CMD_EXT_DISCARD_RESOURCE, &resource, sizeof resource, NULL, 0);
    else if (view.view_handle != 0)
        agpu_write_packet(writer, AEROGPU_CMD_EXT_DISCARD_VIEW, &view, sizeof view, rects,
                          packet_below(world, 3) * sizeof rects[0]);
}

/* ---- Views -------------------------------------------------------------------------------------------- */

/* The dimension of a view of a texture; seldom an array of what is none. */
static uint32_t pick_dimension(struct packet_world *world, texture_desc *desc, uint32_t kind)
{
    const bool array = desc->array_size > 1 || packet_chance(world, 4);
    const bool cube = (desc->misc_flags & AEROGPU_EXT_MISC_TEXTURECUBE) != 0;
    if (desc->dimension == AEROGPU_EXT_RESOURCE_TEXTURE3D)
        return AEROGPU_EXT_DIMENSION_TEXTURE3D;
    if (desc->dimension == AEROGPU_EXT_RESOURCE_TEXTURE1D)
        return array ? AEROGPU_EXT_DIMENSION_TEXTURE1DARRAY : AEROGPU_EXT_DIMENSION_TEXTURE1D;
    if (desc->sample_count > 1)
        return array ? AEROGPU_EXT_DIMENSION_TEXTURE2DMSARRAY : AEROGPU_EXT_DIMENSION_TEXTURE2DMS;
    if (cube && kind == AEROGPU_EXT_VIEW_SHADER_RESOURCE && !packet_chance(world, 3))
        return AEROGPU_EXT_DIMENSION_TEXTURECUBE;
    return array ? AEROGPU_EXT_DIMENSION_TEXTURE2DARRAY : AEROGPU_EXT_DIMENSION_TEXTURE2D;
}

/* What a shader sees of a depth format. */
static uint32_t seen_format(uint32_t depth)
{
    return depth == AG_DXGI_D24_UNORM_S8_UINT ? AG_DXGI_R24_UNORM_X8_TYPELESS
           : depth == AG_DXGI_D32_FLOAT       ? AG_DXGI_R32_FLOAT
                                              : AG_DXGI_R16_UNORM;
}

static bool pick_kind(struct packet_world *world, texture_desc *desc, uint32_t *kind)
{
    static const uint32_t binds[] = {
        [AEROGPU_EXT_VIEW_SHADER_RESOURCE] = AEROGPU_EXT_BIND_SHADER_RESOURCE,
        [AEROGPU_EXT_VIEW_RENDER_TARGET] = AEROGPU_EXT_BIND_RENDER_TARGET,
        [AEROGPU_EXT_VIEW_DEPTH_STENCIL] = AEROGPU_EXT_BIND_DEPTH_STENCIL,
    };
    *kind = packet_below(world, AG_COUNT_OF(binds));
    return (desc->bind_flags & binds[*kind]) != 0;
}

static void create_texture_view(struct packet_world *world, struct agpu_writer *writer)
{
    uint32_t index, texture, kind;
    if (!packet_find(world, PACKET_EXT_VIEW, false, &index) ||
        !packet_find(world, PACKET_EXT_TEXTURE, true, &texture) ||
        !pick_kind(world, &world->objects[PACKET_EXT_TEXTURE][texture].desc, &kind))
        return;
    const struct packet_object *of = &world->objects[PACKET_EXT_TEXTURE][texture];
    const struct format_row *row = row_of(of);
    const bool typed = of->desc.format == AEROGPU_EXT_FORMAT(row->typed);
    const bool sees_depth = row->depth && kind == AEROGPU_EXT_VIEW_SHADER_RESOURCE;
    struct aerogpu_cmd_ext_create_view create = {
        .view_handle = packet_handle(world, PACKET_EXT_VIEW, index),
        .resource_handle = of->desc.texture_handle,
        .kind = kind,
        .format = sees_depth                         ? AEROGPU_EXT_FORMAT(seen_format(row->typed))
                  : typed && packet_chance(world, 2) ? 0
                                                     : AEROGPU_EXT_FORMAT(row->typed),
        .dimension = pick_dimension(world, &of->desc, kind),
        .flags = kind == AEROGPU_EXT_VIEW_DEPTH_STENCIL ? ONE_OF(world, 0, 8) : 0,
        .base_mip_level = packet_below(world, of->desc.mip_levels),
        .mip_level_count = kind == AEROGPU_EXT_VIEW_SHADER_RESOURCE ? AEROGPU_EXT_ALL : 1,
        .array_layer_count = AEROGPU_EXT_ALL,
    };
    if (create.dimension == AEROGPU_EXT_DIMENSION_TEXTURE1DARRAY ||
        create.dimension == AEROGPU_EXT_DIMENSION_TEXTURE2DARRAY ||
        create.dimension == AEROGPU_EXT_DIMENSION_TEXTURE2DMSARRAY)
        create.base_array_layer = packet_below(world, of->desc.array_size);
    world->objects[PACKET_EXT_VIEW][index] = (struct packet_object){
        .alive = true, .kind = kind, .texture = texture, .desc = of->desc, .read_only = create.flags != 0};
    agpu_write_packet(writer, AEROGPU_CMD_EXT_CREATE_VIEW, &create, sizeof create, NULL, 0);
}

static void create_buffer_view(struct packet_world *world, struct agpu_writer *writer)
{
    uint32_t index, buffer;
    if (!packet_find(world, PACKET_EXT_VIEW, false, &index) ||
        !packet_find(world, PACKET_BUFFER, true, &buffer))
        return;
    const struct packet_object *of = &world->objects[PACKET_BUFFER][buffer];
    const bool structured = (of->misc & AEROGPU_EXT_MISC_BUFFER_STRUCTURED) != 0;
    struct aerogpu_cmd_ext_create_view create = {
        .view_handle = packet_handle(world, PACKET_EXT_VIEW, index),
        .resource_handle = packet_handle(world, PACKET_BUFFER, buffer),
        .kind = AEROGPU_EXT_VIEW_SHADER_RESOURCE,
        .dimension = AEROGPU_EXT_DIMENSION_BUFFER,
        .element_count = AEROGPU_EXT_ALL,
    };
    if ((of->bind & AEROGPU_EXT_BIND_SHADER_RESOURCE) == 0 || of->size < 64)
        return;
    if (!structured && packet_chance(world, 2)) {
        create.flags = AEROGPU_EXT_VIEW_FLAG_RAW;
        create.format = AEROGPU_EXT_FORMAT(AG_DXGI_R32_TYPELESS);
        create.first_element = 4 * packet_below(world, 2);
    } else if (!structured) {
        create.format =
            AEROGPU_EXT_FORMAT(ONE_OF(world, AG_DXGI_R32G32B32A32_FLOAT, AG_DXGI_R8G8B8A8_UNORM,
                                      AG_DXGI_R32_FLOAT, AG_DXGI_R16G16B16A16_FLOAT, AG_DXGI_R8_UNORM));
        create.first_element = packet_below(world, 2);
    }
    world->objects[PACKET_EXT_VIEW][index] = (struct packet_object){.alive = true, .kind = create.kind};
    agpu_write_packet(writer, AEROGPU_CMD_EXT_CREATE_VIEW, &create, sizeof create, NULL, 0);
}

/* ---- Bindings ----------------------------------------------------------------------------------------- */

static uint32_t pick_view(struct packet_world *world, uint32_t kind)
{
    uint32_t index;
    return !packet_chance(world, 10) && packet_find(world, PACKET_EXT_VIEW, true, &index) &&
                   world->objects[PACKET_EXT_VIEW][index].kind == kind
               ? packet_handle(world, PACKET_EXT_VIEW, index)
               : 0;
}

static void set_shader_resources(struct packet_world *world, struct agpu_writer *writer)
{
    struct aerogpu_cmd_ext_set_shader_resources set = {.start_slot = packet_below(world, 6)};
    const uint32_t views[3] = {pick_view(world, AEROGPU_EXT_VIEW_SHADER_RESOURCE),
                               pick_view(world, AEROGPU_EXT_VIEW_SHADER_RESOURCE),
                               pick_view(world, AEROGPU_EXT_VIEW_SHADER_RESOURCE)};
    (void)agpu_stage_encode(packet_pick_stage(world), AEROGPU_ABI_MINOR, &set.shader_stage, &set.reserved0);
    agpu_write_packet(writer, AEROGPU_CMD_EXT_SET_SHADER_RESOURCES, &set, sizeof set, views,
                      packet_below(world, 4) * sizeof views[0]);
}

static void set_render_targets(struct packet_world *world, struct agpu_writer *writer)
{
    struct aerogpu_cmd_ext_set_render_targets set = {
        .flags = packet_chance(world, 6) ? packet_below(world, 4) : 0,
        .color_count = ONE_OF(world, 0, 1, 1, 1, 2, 4),
        .depth_stencil = pick_view(world, AEROGPU_EXT_VIEW_DEPTH_STENCIL),
    };
    for (uint32_t i = 0; i < set.color_count; i++)
        set.colors[i] = pick_view(world, AEROGPU_EXT_VIEW_RENDER_TARGET);
    agpu_write_packet(writer, AEROGPU_CMD_EXT_SET_RENDER_TARGETS, &set, sizeof set, NULL, 0);
    agpu_write_draw(writer, packet_below(world, 7), 1, 0, 0);
}

static void generate_mips(struct packet_world *world, struct agpu_writer *writer)
{
    uint32_t index;
    if (!packet_find(world, PACKET_EXT_VIEW, true, &index))
        return;
    const struct packet_object *view = &world->objects[PACKET_EXT_VIEW][index];
    const struct aerogpu_cmd_ext_generate_mips packet = {.view_handle =
                                                             packet_handle(world, PACKET_EXT_VIEW, index)};
    if (view->kind == AEROGPU_EXT_VIEW_SHADER_RESOURCE &&
        (view->desc.misc_flags & AEROGPU_EXT_MISC_GENERATE_MIPS) != 0)
        agpu_write_packet(writer, AEROGPU_CMD_EXT_GENERATE_MIPS, &packet, sizeof packet, NULL, 0);
}

static void set_min_lod(struct packet_world *world, struct agpu_writer *writer)
{
    uint32_t index;
    if (!packet_find(world, PACKET_EXT_TEXTURE, true, &index))
        return;
    const struct packet_object *texture = &world->objects[PACKET_EXT_TEXTURE][index];
    const struct aerogpu_cmd_ext_set_resource_min_lod packet = {
        .texture_handle = texture->desc.texture_handle,
        .min_lod_f32 = ONE_OF(world, 0, 0x3f000000, 0x3fc00000, 0x7f800000, 0xbf800000),
    };
    if ((texture->desc.misc_flags & AEROGPU_EXT_MISC_RESOURCE_CLAMP) != 0)
        agpu_write_packet(writer, AEROGPU_CMD_EXT_SET_RESOURCE_MIN_LOD, &packet, sizeof packet, NULL, 0);
}

void packet_world_write_resource(struct packet_world *world, struct agpu_writer *writer)
{
    static void (*const functions[])(struct packet_world *, struct agpu_writer *) = {
        create_buffer,
        create_texture,
        create_texture,
        create_texture,
        copy_resource,
        destroy,
        update_buffer,
        update_texture,
        update_texture,
        read_texture,
        read_buffer,
        copy_region,
        copy_region,
        discard,
        create_texture_view,
        create_texture_view,
        create_texture_view,
        create_texture_view,
        create_buffer_view,
        set_shader_resources,
        set_shader_resources,
        set_render_targets,
        set_render_targets,
        generate_mips,
        generate_mips,
        set_min_lod,
        resolve,
        resolve,
    };
    functions[packet_below(world, AG_COUNT_OF(functions))](world, writer);
}
