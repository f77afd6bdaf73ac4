/* SPDX-License-Identifier: MIT
 *
 * Draws, dispatches and clears.
 */
#include "guest/core/memory.h"
#include "guest/umd/context.h"
#include "guest/umd/dynamic.h"
#include "guest/umd/map.h"

/* One packet binds all stages; programs set them one by one. */
static void bind_shaders(struct umd_context *context)
{
    struct aerogpu_cmd_bind_shaders_ex *packet =
        umd_packet(context, AEROGPU_CMD_BIND_SHADERS, sizeof *packet);
    packet->vs = context->shaders[UMD_STAGE_VERTEX];
    packet->ps = context->shaders[UMD_STAGE_PIXEL];
    packet->cs = context->shaders[UMD_STAGE_COMPUTE];
    packet->reserved0 = packet->gs = context->shaders[UMD_STAGE_GEOMETRY];
    packet->hs = context->shaders[UMD_STAGE_HULL];
    packet->ds = context->shaders[UMD_STAGE_DOMAIN];
    context->shaders_changed = false;
}

static inline void prepare(struct umd_context *context)
{
    if (context->shaders_changed)
        bind_shaders(context);
}

/* ---- Draws --------------------------------------------------------------------------------------------- */

void umd_draw(struct umd_context *context, uint32_t vertex_count, uint32_t instance_count,
              uint32_t first_vertex, uint32_t first_instance)
{
    prepare(context);
    if (context->pending_slots != 0)
        umd_upload_vertices(context, vertex_count, instance_count, first_vertex, first_instance);
    struct aerogpu_cmd_draw *packet = umd_packet(context, AEROGPU_CMD_DRAW, sizeof *packet);
    packet->vertex_count = vertex_count;
    packet->instance_count = instance_count;
    packet->first_vertex = first_vertex;
    packet->first_instance = first_instance;
}

void umd_draw_indexed(struct umd_context *context, uint32_t index_count, uint32_t instance_count,
                      uint32_t first_index, int32_t base_vertex, uint32_t first_instance)
{
    prepare(context);
    if (context->pending_slots != 0)
        umd_upload_indexed_vertices(context, index_count, instance_count, first_index, base_vertex,
                                    first_instance);
    struct aerogpu_cmd_draw_indexed *packet = umd_packet(context, AEROGPU_CMD_DRAW_INDEXED, sizeof *packet);
    packet->index_count = index_count;
    packet->instance_count = instance_count;
    packet->first_index = first_index;
    packet->base_vertex = base_vertex;
    packet->first_instance = first_instance;
}

static void draw_indirect(struct umd_context *context, uint32_t opcode, struct umd_resource *arguments,
                          uint32_t offset)
{
    prepare(context);
    umd_settle_slots(context);
    struct aerogpu_cmd_ext_draw_instanced_indirect *packet = umd_packet(context, opcode, sizeof *packet);
    packet->buffer = umd_handle(arguments);
    packet->offset_bytes = offset;
}

void umd_draw_instanced_indirect(struct umd_context *context, struct umd_resource *arguments, uint32_t offset)
{
    draw_indirect(context, AEROGPU_CMD_EXT_DRAW_INSTANCED_INDIRECT, arguments, offset);
}

void umd_draw_indexed_instanced_indirect(struct umd_context *context, struct umd_resource *arguments,
                                         uint32_t offset)
{
    draw_indirect(context, AEROGPU_CMD_EXT_DRAW_INDEXED_INSTANCED_INDIRECT, arguments, offset);
}

void umd_draw_auto(struct umd_context *context)
{
    prepare(context);
    umd_settle_slots(context);
    struct aerogpu_cmd_ext_draw_auto *packet = umd_packet(context, AEROGPU_CMD_EXT_DRAW_AUTO, sizeof *packet);
    packet->reserved0 = packet->reserved1 = 0;
}

void umd_dispatch(struct umd_context *context, uint32_t x, uint32_t y, uint32_t z)
{
    prepare(context);
    struct aerogpu_cmd_dispatch *packet = umd_packet(context, AEROGPU_CMD_DISPATCH, sizeof *packet);
    packet->group_count_x = x;
    packet->group_count_y = y;
    packet->group_count_z = z;
    packet->reserved0 = 0;
}

void umd_dispatch_indirect(struct umd_context *context, struct umd_resource *arguments, uint32_t offset)
{
    prepare(context);
    struct aerogpu_cmd_ext_dispatch_indirect *packet =
        umd_packet(context, AEROGPU_CMD_EXT_DISPATCH_INDIRECT, sizeof *packet);
    packet->buffer = umd_handle(arguments);
    packet->offset_bytes = offset;
}

/* ---- Clears -------------------------------------------------------------------------------------------- */

/* A packet with rectangles behind it; null: there are too many of them. */
static void *clear_packet(struct umd_context *context, uint32_t opcode, size_t size, uint32_t rect_count,
                          const struct aerogpu_ext_rect *rects)
{
    const uint64_t bytes = (uint64_t)rect_count * sizeof *rects;
    uint8_t *packet = umd_long_packet(context, opcode, size + bytes);
    if (packet != NULL && rect_count != 0)
        memcpy(packet + size, rects, (size_t)bytes);
    return packet;
}

void umd_clear_render_target_view(struct umd_context *context, struct umd_view *view, const float color[4],
                                  uint32_t rect_count, const struct aerogpu_ext_rect *rects)
{
    struct aerogpu_cmd_ext_clear_render_target_view *packet =
        clear_packet(context, AEROGPU_CMD_EXT_CLEAR_RENDER_TARGET_VIEW, sizeof *packet, rect_count, rects);
    if (packet == NULL)
        return;
    packet->view_handle = umd_handle(view);
    for (uint32_t i = 0; i < 4; i++)
        packet->color_rgba_f32[i] = umd_bits(color[i]);
    packet->rect_count = rect_count;
}

void umd_clear_depth_stencil_view(struct umd_context *context, struct umd_view *view, uint32_t flags,
                                  float depth, uint32_t stencil, uint32_t rect_count,
                                  const struct aerogpu_ext_rect *rects)
{
    struct aerogpu_cmd_ext_clear_depth_stencil_view *packet =
        clear_packet(context, AEROGPU_CMD_EXT_CLEAR_DEPTH_STENCIL_VIEW, sizeof *packet, rect_count, rects);
    if (packet == NULL)
        return;
    packet->view_handle = umd_handle(view);
    packet->flags = flags;
    packet->depth_f32 = umd_bits(depth);
    packet->stencil = stencil;
    packet->rect_count = rect_count;
}

static void clear_uav(struct umd_context *context, const struct umd_view *view, bool is_float,
                      const uint32_t values[4], uint32_t rect_count, const struct aerogpu_ext_rect *rects)
{
    struct aerogpu_cmd_ext_clear_unordered_access_view *packet =
        clear_packet(context, AEROGPU_CMD_EXT_CLEAR_UNORDERED_ACCESS_VIEW, sizeof *packet, rect_count, rects);
    if (packet == NULL)
        return;
    packet->view_handle = umd_handle(view);
    packet->is_float = is_float;
    memcpy(packet->values, values, sizeof packet->values);
    packet->rect_count = rect_count;
}

void umd_clear_unordered_access_view_uint(struct umd_context *context, struct umd_view *view,
                                          const uint32_t values[4])
{
    clear_uav(context, view, false, values, 0, NULL);
}

void umd_clear_unordered_access_view_float(struct umd_context *context, struct umd_view *view,
                                           const float values[4], uint32_t rect_count,
                                           const struct aerogpu_ext_rect *rects)
{
    uint32_t bits[4];
    memcpy(bits, values, sizeof bits);
    clear_uav(context, view, true, bits, rect_count, rects);
}

void umd_generate_mips(struct umd_context *context, struct umd_view *view)
{
    umd_note_writer(view->resource);
    struct aerogpu_cmd_ext_generate_mips *packet =
        umd_packet(context, AEROGPU_CMD_EXT_GENERATE_MIPS, sizeof *packet);
    packet->view_handle = umd_handle(view);
    packet->reserved0 = 0;
}
