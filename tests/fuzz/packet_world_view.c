/* SPDX-License-Identifier: MIT
 *
 * The extension's unordered access views and its clears. What is written is made, used and destroyed at once,
 * so that its handles are free again; targets and depth are those that there are.
 */
#include "aerogpu/abi/pci.h"
#include "base/bytes.h"
#include "format/formats.h"
#include "packet_world.h"

/* Some rectangles, of which one is empty and one leaves the view. */
static uint32_t pick_rects(struct packet_world *world, struct aerogpu_ext_rect rects[3])
{
    const int32_t x = (int32_t)packet_below(world, 8), y = (int32_t)packet_below(world, 8);
    rects[0] = (struct aerogpu_ext_rect){x, 0, x + 3, y + 1};
    rects[1] = (struct aerogpu_ext_rect){5, 5, 5, 9};
    rects[2] = (struct aerogpu_ext_rect){-4, -1, 2, 1000};
    return packet_below(world, 4);
}

static void clear_target(struct packet_world *world, struct agpu_writer *writer, uint32_t handle)
{
    struct aerogpu_ext_rect rects[3];
    struct aerogpu_cmd_ext_clear_render_target_view clear = {.view_handle = handle,
                                                             .rect_count = pick_rects(world, rects)};
    for (uint32_t i = 0; i < 4; i++)
        clear.color_rgba_f32[i] =
            ONE_OF(world, 0, 0x3f800000, 0x3f000000, 0x7fc00000, 0xff800000, 0x4f800000, 0xc0a00000);
    agpu_write_packet(writer, AEROGPU_CMD_EXT_CLEAR_RENDER_TARGET_VIEW, &clear, sizeof clear, rects,
                      clear.rect_count * sizeof rects[0]);
}

static void clear_depth(struct packet_world *world, struct agpu_writer *writer, uint32_t handle)
{
    struct aerogpu_ext_rect rects[3];
    const struct aerogpu_cmd_ext_clear_depth_stencil_view clear = {
        .view_handle = handle,
        .flags = 1 + packet_below(world, 3),
        .depth_f32 = ONE_OF(world, 0, 0x3f800000, 0x3e800000, 0x7fc00000, 0xbf800000),
        .stencil = packet_below(world, 300),
        .rect_count = pick_rects(world, rects),
    };
    agpu_write_packet(writer, AEROGPU_CMD_EXT_CLEAR_DEPTH_STENCIL_VIEW, &clear, sizeof clear, rects,
                      clear.rect_count * sizeof rects[0]);
}

static void clear_attachment(struct packet_world *world, struct agpu_writer *writer)
{
    uint32_t index;
    if (!packet_find(world, PACKET_EXT_VIEW, true, &index))
        return;
    const struct packet_object *view = &world->objects[PACKET_EXT_VIEW][index];
    const uint32_t handle = packet_handle(world, PACKET_EXT_VIEW, index);
    if (view->kind == AEROGPU_EXT_VIEW_RENDER_TARGET)
        clear_target(world, writer, handle);
    else if (view->kind == AEROGPU_EXT_VIEW_DEPTH_STENCIL && !view->read_only)
        clear_depth(world, writer, handle);
}

/* ---- Unordered access views --------------------------------------------------------------------------- */

/* What is there for one call. */
struct scratch {
    uint32_t resource, view;
    bool has_floats; /* a typed view, of which clears may be floats */
    bool counts;
};

static bool find_handles(struct packet_world *world, enum packet_kind kind, struct scratch *scratch)
{
    uint32_t resource, view;
    if (!packet_find(world, kind, false, &resource) || !packet_find(world, PACKET_EXT_VIEW, false, &view))
        return false;
    *scratch = (struct scratch){.resource = packet_handle(world, kind, resource),
                                .view = packet_handle(world, PACKET_EXT_VIEW, view)};
    return true;
}

static uint32_t pick_format(struct packet_world *world)
{
    return AEROGPU_EXT_FORMAT(
        ONE_OF(world, AG_DXGI_R32G32B32A32_FLOAT, AG_DXGI_R32G32B32A32_UINT, AG_DXGI_R16G16B16A16_FLOAT,
               AG_DXGI_R16G16B16A16_UNORM, AG_DXGI_R16G16B16A16_SNORM, AG_DXGI_R32G32_UINT,
               AG_DXGI_R10G10B10A2_UNORM, AG_DXGI_R10G10B10A2_UINT, AG_DXGI_R11G11B10_FLOAT,
               AG_DXGI_R8G8B8A8_UNORM, AG_DXGI_R8G8B8A8_UINT, AG_DXGI_R8G8B8A8_SNORM, AG_DXGI_R16G16_UNORM,
               AG_DXGI_R16G16_SINT, AG_DXGI_R32_FLOAT, AG_DXGI_R32_UINT, AG_DXGI_R32_SINT, AG_DXGI_R8G8_UINT,
               AG_DXGI_R16_FLOAT, AG_DXGI_R16_UINT, AG_DXGI_R8_UNORM, AG_DXGI_R8_UINT, AG_DXGI_R8_SNORM,
               AG_DXGI_R8_SINT, AG_DXGI_B8G8R8A8_UNORM));
}

static bool make_texture(struct packet_world *world, struct agpu_writer *writer, struct scratch *scratch)
{
    static const uint32_t plain[] = {0, 0, AEROGPU_EXT_DIMENSION_TEXTURE1D, AEROGPU_EXT_DIMENSION_TEXTURE2D,
                                     AEROGPU_EXT_DIMENSION_TEXTURE3D};
    static const uint32_t arrays[] = {0, 0, AEROGPU_EXT_DIMENSION_TEXTURE1DARRAY,
                                      AEROGPU_EXT_DIMENSION_TEXTURE2DARRAY, AEROGPU_EXT_DIMENSION_TEXTURE3D};
    const uint32_t dimension = 2 + packet_below(world, 3);
    if (!find_handles(world, PACKET_EXT_TEXTURE, scratch))
        return false;
    const struct aerogpu_cmd_ext_create_texture texture = {
        .texture_handle = scratch->resource,
        .dimension = dimension,
        .format = pick_format(world),
        .width = 1 + packet_below(world, 20),
        .height = dimension == AEROGPU_EXT_RESOURCE_TEXTURE1D ? 1 : 1 + packet_below(world, 20),
        .depth = dimension == AEROGPU_EXT_RESOURCE_TEXTURE3D ? 1 + packet_below(world, 4) : 1,
        .mip_levels = 1,
        .array_size = dimension == AEROGPU_EXT_RESOURCE_TEXTURE3D ? 1 : 1 + packet_below(world, 3),
        .sample_count = 1,
        .bind_flags = AEROGPU_EXT_BIND_UNORDERED_ACCESS,
    };
    const bool volume = dimension == AEROGPU_EXT_RESOURCE_TEXTURE3D, array = packet_chance(world, 2);
    const struct aerogpu_cmd_ext_create_view view = {
        .view_handle = scratch->view,
        .resource_handle = scratch->resource,
        .kind = AEROGPU_EXT_VIEW_UNORDERED_ACCESS,
        .dimension = array ? arrays[dimension] : plain[dimension],
        .mip_level_count = 1,
        .base_array_layer = volume  ? packet_below(world, texture.depth)
                            : array ? packet_below(world, texture.array_size)
                                    : 0,
        .array_layer_count = array || volume ? AEROGPU_EXT_ALL : 1,
    };
    scratch->has_floats = true;
    agpu_write_packet(writer, AEROGPU_CMD_EXT_CREATE_TEXTURE, &texture, sizeof texture, NULL, 0);
    agpu_write_packet(writer, AEROGPU_CMD_EXT_CREATE_VIEW, &view, sizeof view, NULL, 0);
    return true;
}

static bool make_buffer(struct packet_world *world, struct agpu_writer *writer, struct scratch *scratch)
{
    const uint32_t form = packet_below(world, 3); /* raw, structured, typed */
    const uint32_t stride = ONE_OF(world, 4, 8, 16, 20);
    if (!find_handles(world, PACKET_BUFFER, scratch))
        return false;
    const struct aerogpu_cmd_ext_create_buffer buffer = {
        .buffer_handle = scratch->resource,
        .bind_flags = AEROGPU_EXT_BIND_UNORDERED_ACCESS,
        .misc_flags = form == 0   ? AEROGPU_EXT_MISC_BUFFER_ALLOW_RAW_VIEWS
                      : form == 1 ? AEROGPU_EXT_MISC_BUFFER_STRUCTURED
                                  : 0u,
        .structure_stride_bytes = form == 1 ? stride : 0,
        .size_bytes = form == 1 ? 20 * stride : 64 + packet_below(world, 200),
    };
    const struct aerogpu_cmd_ext_create_view view = {
        .view_handle = scratch->view,
        .resource_handle = scratch->resource,
        .kind = AEROGPU_EXT_VIEW_UNORDERED_ACCESS,
        .format = form == 0   ? AEROGPU_EXT_FORMAT(AG_DXGI_R32_TYPELESS)
                  : form == 1 ? 0
                              : pick_format(world),
        .dimension = AEROGPU_EXT_DIMENSION_BUFFER,
        .flags = form == 0   ? AEROGPU_EXT_VIEW_FLAG_RAW
                 : form == 1 ? ONE_OF(world, 0, AEROGPU_EXT_VIEW_FLAG_APPEND, AEROGPU_EXT_VIEW_FLAG_COUNTER)
                             : 0u,
        .first_element = 4 * packet_below(world, 2),
        .element_count = AEROGPU_EXT_ALL,
    };
    scratch->has_floats = form == 2;
    scratch->counts = form == 1 && view.flags != 0;
    agpu_write_packet(writer, AEROGPU_CMD_EXT_CREATE_BUFFER, &buffer, sizeof buffer, NULL, 0);
    agpu_write_packet(writer, AEROGPU_CMD_EXT_CREATE_VIEW, &view, sizeof view, NULL, 0);
    return true;
}

static void clear_scratch(struct packet_world *world, struct agpu_writer *writer,
                          const struct scratch *scratch)
{
    struct aerogpu_ext_rect rects[3];
    const struct aerogpu_cmd_ext_clear_unordered_access_view clear = {
        .view_handle = scratch->view,
        .is_float = scratch->has_floats ? packet_below(world, 2) : 0,
        .values = {0x3f800000, 0x7fc00000, 0xff800000, 0x1234abcd},
        .rect_count = pick_rects(world, rects),
    };
    agpu_write_packet(writer, AEROGPU_CMD_EXT_CLEAR_UNORDERED_ACCESS_VIEW, &clear, sizeof clear, rects,
                      clear.rect_count * sizeof rects[0]);
}

static void bind_compute(struct packet_world *world, struct agpu_writer *writer,
                         const struct scratch *scratch)
{
    const struct aerogpu_ext_unordered_access_binding binding = {scratch->view,
                                                                 ONE_OF(world, 0, 3, UINT32_MAX)};
    struct aerogpu_cmd_ext_set_unordered_access_views set = {.start_slot = packet_below(world, 3),
                                                             .uav_count = 1};
    (void)agpu_stage_encode(AGPU_STREAM_STAGE_COMPUTE, AEROGPU_ABI_MINOR, &set.shader_stage, &set.reserved0);
    agpu_write_packet(writer, AEROGPU_CMD_EXT_SET_UNORDERED_ACCESS_VIEWS, &set, sizeof set, &binding,
                      sizeof binding);
    agpu_write_dispatch(writer, AGPU_STREAM_STAGE_COMPUTE, 1 + packet_below(world, 3), 1, 1);
}

static void bind_pixel(struct packet_world *world, struct agpu_writer *writer, const struct scratch *scratch)
{
    const struct aerogpu_ext_unordered_access_binding binding = {scratch->view,
                                                                 ONE_OF(world, 0, 3, UINT32_MAX)};
    const struct aerogpu_cmd_ext_set_render_targets set = {
        .flags = ONE_OF(world, 0, AEROGPU_EXT_KEEP_UNORDERED_ACCESS_VIEWS),
        .uav_start_slot = packet_below(world, 3),
        .uav_count = 1};
    agpu_write_packet(writer, AEROGPU_CMD_EXT_SET_RENDER_TARGETS, &set, sizeof set, &binding, sizeof binding);
    agpu_write_draw(writer, 3 * packet_below(world, 3), 1, 0, 0);
    packet_world_bind(world, writer);
}

static void copy_count(struct packet_world *world, struct agpu_writer *writer, const struct scratch *scratch)
{
    const struct aerogpu_cmd_ext_copy_structure_count copy = {
        .dst_buffer = packet_pick(world, PACKET_BUFFER),
        .src_view = scratch->view,
    };
    if (scratch->counts && copy.dst_buffer != 0)
        agpu_write_packet(writer, AEROGPU_CMD_EXT_COPY_STRUCTURE_COUNT, &copy, sizeof copy, NULL, 0);
}

static void use_scratch(struct packet_world *world, struct agpu_writer *writer)
{
    struct scratch scratch = {0};
    if (world->listing || !(packet_chance(world, 2) ? make_texture : make_buffer)(world, writer, &scratch))
        return;
    if (packet_chance(world, 2))
        clear_scratch(world, writer, &scratch);
    (packet_chance(world, 3) ? bind_pixel : bind_compute)(world, writer, &scratch);
    copy_count(world, writer, &scratch);
    clear_scratch(world, writer, &scratch);
    const struct aerogpu_cmd_ext_destroy_view end = {.view_handle = scratch.view};
    agpu_write_packet(writer, AEROGPU_CMD_EXT_DESTROY_VIEW, &end, sizeof end, NULL, 0);
    agpu_write_destroy_resource(writer, scratch.resource);
}

void packet_world_write_view(struct packet_world *world, struct agpu_writer *writer)
{
    (packet_chance(world, 3) ? clear_attachment : use_scratch)(world, writer);
}
