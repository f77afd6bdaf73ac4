/* SPDX-License-Identifier: MIT
 *
 * The extension's state: objects are made, set and destroyed at once, since what is set stays.
 */
#include "aerogpu/abi/ext.h"
#include "base/bytes.h"
#include "packet_world.h"

static struct aerogpu_ext_blend_target pick_target(struct packet_world *world, bool logic, bool first)
{
    struct aerogpu_ext_blend_target target = {.write_mask = packet_below(world, 16)};
    if (logic) {
        target.logic_op_enable = 1;
        target.logic_op = packet_below(world, 16);
        return target;
    }
    const bool two = first && packet_chance(world, 8);
    target.blend_enable = packet_below(world, 2);
    target.src_blend =
        two ? ONE_OF(world, 16, 17, 18, 19) : ONE_OF(world, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 14, 15);
    target.dest_blend = ONE_OF(world, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 14, 15);
    target.blend_op = 1 + packet_below(world, 5);
    target.src_blend_alpha = ONE_OF(world, 1, 2, 5, 6, 7, 8, 11, 14, 15);
    target.dest_blend_alpha = ONE_OF(world, 1, 2, 5, 6, 7, 8, 11, 14, 15);
    target.blend_op_alpha = 1 + packet_below(world, 5);
    return target;
}

static void set_blend(struct packet_world *world, struct agpu_writer *writer)
{
    const bool logic = packet_chance(world, 6);
    const struct aerogpu_cmd_ext_create_blend_state create = {
        .object_handle = packet_new_object(world),
        .alpha_to_coverage_enable = packet_below(world, 2),
        .independent_blend_enable = logic ? 0 : packet_below(world, 2),
        .target_count = 1 + packet_below(world, 8),
    };
    struct aerogpu_ext_blend_target targets[8];
    for (uint32_t i = 0; i < create.target_count; i++)
        targets[i] = pick_target(world, logic, i == 0);
    agpu_write_packet(writer, AEROGPU_CMD_EXT_CREATE_BLEND_STATE, &create, sizeof create, targets,
                      create.target_count * sizeof targets[0]);
    const struct aerogpu_cmd_ext_set_blend_state set = {
        .state_handle = packet_chance(world, 4) ? 0 : create.object_handle,
        .blend_factor_f32 = {0x3f000000, 0x3e800000, 0x7f800000, 0xbf800000},
        .sample_mask = packet_chance(world, 8) ? 0 : UINT32_MAX,
    };
    agpu_write_packet(writer, AEROGPU_CMD_EXT_SET_BLEND_STATE, &set, sizeof set, NULL, 0);
    packet_destroy_object(writer, create.object_handle);
}

static struct aerogpu_ext_stencil_face pick_face(struct packet_world *world)
{
    return (struct aerogpu_ext_stencil_face){1 + packet_below(world, 8), 1 + packet_below(world, 8),
                                             1 + packet_below(world, 8), 1 + packet_below(world, 8)};
}

static void set_depth_stencil(struct packet_world *world, struct agpu_writer *writer)
{
    const struct aerogpu_cmd_ext_create_depth_stencil_state create = {
        .object_handle = packet_new_object(world),
        .depth_enable = packet_below(world, 2),
        .depth_write_enable = packet_below(world, 2),
        .depth_func = 1 + packet_below(world, 8),
        .stencil_enable = packet_below(world, 2),
        .stencil_read_mask = packet_below(world, 256),
        .stencil_write_mask = packet_below(world, 256),
        .front_face = pick_face(world),
        .back_face = pick_face(world),
    };
    agpu_write_packet(writer, AEROGPU_CMD_EXT_CREATE_DEPTH_STENCIL_STATE, &create, sizeof create, NULL, 0);
    const struct aerogpu_cmd_ext_set_depth_stencil_state set = {
        .state_handle = packet_chance(world, 4) ? 0 : create.object_handle,
        .stencil_ref = packet_below(world, 300),
    };
    agpu_write_packet(writer, AEROGPU_CMD_EXT_SET_DEPTH_STENCIL_STATE, &set, sizeof set, NULL, 0);
    packet_destroy_object(writer, create.object_handle);
}

static void set_rasterizer(struct packet_world *world, struct agpu_writer *writer)
{
    const struct aerogpu_cmd_ext_create_rasterizer_state create = {
        .object_handle = packet_new_object(world),
        .fill_mode = 2 + packet_below(world, 2),
        .cull_mode = 1 + packet_below(world, 3),
        .front_counter_clockwise = packet_below(world, 2),
        .depth_bias = (int32_t)packet_below(world, 2000) - 1000,
        .depth_bias_clamp_f32 = ONE_OF(world, 0, 0x3c000000, 0xbc000000),
        .slope_scaled_depth_bias_f32 = ONE_OF(world, 0, 0x3f800000, 0xc0000000),
        .depth_clip_enable = packet_below(world, 2),
        .scissor_enable = packet_below(world, 2),
        .multisample_enable = packet_below(world, 2),
        .antialiased_line_enable = packet_below(world, 2),
        .forced_sample_count = ONE_OF(world, 0, 0, 0, 1, 4),
    };
    agpu_write_packet(writer, AEROGPU_CMD_EXT_CREATE_RASTERIZER_STATE, &create, sizeof create, NULL, 0);
    const struct aerogpu_cmd_ext_set_rasterizer_state set = {
        .state_handle = packet_chance(world, 4) ? 0 : create.object_handle};
    agpu_write_packet(writer, AEROGPU_CMD_EXT_SET_RASTERIZER_STATE, &set, sizeof set, NULL, 0);
    packet_destroy_object(writer, create.object_handle);
}

static void set_viewports(struct packet_world *world, struct agpu_writer *writer)
{
    struct aerogpu_ext_viewport viewports[16];
    const struct aerogpu_cmd_ext_set_viewports set = {.viewport_count = packet_below(world, 17)};
    for (uint32_t i = 0; i < set.viewport_count; i++)
        viewports[i] = (struct aerogpu_ext_viewport){
            .x_f32 = ONE_OF(world, 0, 0x40800000, 0xc1000000, 0x3f000000),
            .y_f32 = ONE_OF(world, 0, 0x40800000, 0xc1000000, 0x3f000000),
            .width_f32 = ONE_OF(world, 0, 0x41800000, 0x42000000, 0x45800000),
            .height_f32 = ONE_OF(world, 0x3f000000, 0x41800000, 0x42000000),
            .min_depth_f32 = ONE_OF(world, 0, 0x3e800000, 0x3f800000),
            .max_depth_f32 = ONE_OF(world, 0x3f800000, 0x3f000000),
        };
    agpu_write_packet(writer, AEROGPU_CMD_EXT_SET_VIEWPORTS, &set, sizeof set, viewports,
                      set.viewport_count * sizeof viewports[0]);
}

static void set_scissors(struct packet_world *world, struct agpu_writer *writer)
{
    struct aerogpu_ext_rect rects[16];
    const struct aerogpu_cmd_ext_set_scissors set = {.rect_count = packet_below(world, 17)};
    for (uint32_t i = 0; i < set.rect_count; i++) {
        const int32_t left = (int32_t)packet_below(world, 24) - 8, top = (int32_t)packet_below(world, 24) - 8;
        rects[i] = (struct aerogpu_ext_rect){left, top, left + (int32_t)packet_below(world, 40) - 4,
                                             packet_chance(world, 8) ? INT32_MAX : top + 16};
    }
    agpu_write_packet(writer, AEROGPU_CMD_EXT_SET_SCISSORS, &set, sizeof set, rects,
                      set.rect_count * sizeof rects[0]);
}

/* Under the handle of a sampler that there is, which it replaces. */
static void create_sampler(struct packet_world *world, struct agpu_writer *writer)
{
    const uint32_t index = packet_below(world, PACKET_HANDLES);
    if (!world->objects[PACKET_SAMPLER][index].alive)
        return;
    const struct aerogpu_cmd_ext_create_sampler create = {
        .sampler_handle = packet_handle(world, PACKET_SAMPLER, index),
        .filter = ONE_OF(world, 0, 1, 4, 5, 0x10, 0x11, 0x14, 0x15, 0x55, 0x80, 0x95, 0xD5, 0x100, 0x180),
        .address_u = 1 + packet_below(world, 5),
        .address_v = 1 + packet_below(world, 5),
        .address_w = 1 + packet_below(world, 5),
        .mip_lod_bias_f32 = ONE_OF(world, 0, 0, 0x3f800000, 0xc0000000),
        .max_anisotropy = packet_below(world, 17),
        .comparison_func = 1 + packet_below(world, 8),
        .border_color_f32 = {0x3f800000, 0x7fc00000, 0xff800000, 0x3f000000},
        .min_lod_f32 = ONE_OF(world, 0, 0x3f800000, 0xc1000000),
        .max_lod_f32 = ONE_OF(world, 0x7f7fffff, 0, 0x3f000000),
    };
    agpu_write_packet(writer, AEROGPU_CMD_EXT_CREATE_SAMPLER, &create, sizeof create, NULL, 0);
}

static void clear_state(struct packet_world *world, struct agpu_writer *writer)
{
    const struct aerogpu_cmd_ext_clear_state clear = {0};
    if (!packet_chance(world, 8))
        return;
    agpu_write_packet(writer, AEROGPU_CMD_EXT_CLEAR_STATE, &clear, sizeof clear, NULL, 0);
    packet_world_bind(world, writer);
}

void packet_world_write_state(struct packet_world *world, struct agpu_writer *writer)
{
    static void (*const functions[])(struct packet_world *, struct agpu_writer *) = {
        set_blend,    set_depth_stencil, set_rasterizer, set_viewports,
        set_scissors, create_sampler,    clear_state,
    };
    functions[packet_below(world, AG_COUNT_OF(functions))](world, writer);
}
