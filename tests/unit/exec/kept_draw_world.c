/* SPDX-License-Identifier: MIT */
#include "kept_draw_world.h"

#include <string.h>

#include "../../support/test.h"
#include "aerogpu/abi/cmd.h"
#include "aerogpu/abi/ext.h"
#include "base/bytes.h"
#include "host.h"
#include "kept_draw_objects.h"

static void draw(struct kept_draw_world *world);
static void show(struct kept_draw_world *world);

/* ---- Changes: bindings -------------------------------------------------------------------------------- */

static void change_constants(struct kept_draw_world *world)
{
    const uint32_t first = below(world, 2) ? 0 : below(world, 8);
    upload_constants(world, HANDLE_CONSTANTS + below(world, 2), first, 1 + below(world, 8));
}

static enum agpu_stream_stage any_stage(struct kept_draw_world *world)
{
    const uint32_t stage = below(world, 5);
    return stage < 2   ? AGPU_STREAM_STAGE_VERTEX
           : stage < 4 ? AGPU_STREAM_STAGE_PIXEL
                       : AGPU_STREAM_STAGE_GEOMETRY;
}

static void bind_constants(struct kept_draw_world *world)
{
    struct aerogpu_constant_buffer_binding bindings[3];
    for (uint32_t i = 0; i < 3; i++)
        bindings[i] = (struct aerogpu_constant_buffer_binding){
            .buffer = below(world, 8) == 0 ? 0 : HANDLE_CONSTANTS + below(world, 3),
            .offset_bytes = below(world, 3) ? 0 : 16 * below(world, 12),
            .size_bytes = below(world, 3) ? 0 : 16 * (1 + below(world, 4)),
        };
    const uint32_t start = below(world, 3);
    agpu_write_set_constant_buffers(world->writer, any_stage(world), start, 1 + below(world, 3 - start),
                                    bindings);
}

/* Another place in the same buffer. */
static void move_constants(struct kept_draw_world *world)
{
    const enum agpu_stream_stage stage = any_stage(world);
    const uint32_t slot = below(world, 3), size = below(world, 2) ? 64 : 0;
    for (uint32_t i = 0; i < 2; i++) {
        const struct aerogpu_constant_buffer_binding binding = {.buffer = HANDLE_CONSTANTS,
                                                                .offset_bytes = 32 * below(world, 4),
                                                                .size_bytes =
                                                                    size ? size : 16 * (1 + below(world, 3))};
        agpu_write_set_constant_buffers(world->writer, stage, slot, 1, &binding);
        draw(world);
    }
}

/* Other sizes of a range that is read with a computed index: the shader is told of the size. */
static void resize_constants(struct kept_draw_world *world)
{
    struct aerogpu_constant_buffer_binding binding = {.buffer = HANDLE_CONSTANTS + below(world, 2)};
    agpu_write_bind_shaders(world->writer, HANDLE_VERTEX_SHADERS + 3, HANDLE_PIXEL_SHADERS,
                            HANDLE_COMPUTE_SHADER, 0);
    for (uint32_t i = 0; i < 3; i++) {
        binding.size_bytes = 16 * (1 + i % 2);
        agpu_write_set_constant_buffers(world->writer, AGPU_STREAM_STAGE_VERTEX, 1, 1, &binding);
        draw(world);
    }
}

static void set_registers(struct kept_draw_world *world)
{
    float values[2][4];
    for (uint32_t i = 0; i < 2; i++)
        for (uint32_t j = 0; j < 4; j++)
            values[i][j] = fraction(world) * (i == 0 && j < 2 ? 0.03f : 0.9f);
    const enum agpu_stream_stage stage = any_stage(world);
    const struct aerogpu_constant_buffer_binding none = {0};
    if (below(world, 2))
        agpu_write_set_constant_buffers(world->writer, stage, 0, 1, &none);
    agpu_write_set_shader_constants_f(world->writer, stage, below(world, 2), 1 + below(world, 2), values[0]);
}

static void bind_texture(struct kept_draw_world *world)
{
    const uint32_t chance = below(world, 12);
    const uint32_t handle = chance == 0   ? 0
                            : chance == 1 ? HANDLE_TARGETS + below(world, 2)
                            : chance == 2 ? HANDLE_LATE
                                          : HANDLE_TEXTURES + below(world, 4);
    agpu_write_set_texture(world->writer, AGPU_STREAM_STAGE_PIXEL, below(world, 2) * 2, handle);
}

static void bind_sampler(struct kept_draw_world *world)
{
    const uint32_t handle = below(world, 8) == 0 ? 0 : HANDLE_SAMPLERS + below(world, 4);
    agpu_write_set_samplers(world->writer, AGPU_STREAM_STAGE_PIXEL, below(world, 2), 1, &handle);
}

static void bind_storage(struct kept_draw_world *world)
{
    const struct aerogpu_shader_resource_buffer_binding binding = {
        .buffer = below(world, 8) == 0 ? 0 : HANDLE_STORAGES + below(world, 2),
        .offset_bytes = 16 * below(world, 2),
    };
    agpu_write_set_shader_resource_buffers(world->writer, any_stage(world), 1, 1, &binding);
}

static void bind_vertices(struct kept_draw_world *world)
{
    const uint32_t chance = below(world, 10);
    struct aerogpu_vertex_buffer_binding bindings[3] = {
        {.buffer = HANDLE_POSITIONS + below(world, 2), .stride_bytes = VERTEX_BYTES        },
        {.buffer = HANDLE_COLORS + below(world,    2), .stride_bytes = below(world,          2) ? COLOR_BYTES : 32},
        {.buffer = HANDLE_COLORS + below(world,                                        2),      .stride_bytes = COLOR_BYTES},
    };
    const uint32_t slot = below(world, 3);
    if (chance == 0)
        bindings[slot].offset_bytes = VERTEX_BYTES * below(world, 40);
    else if (chance == 1)
        bindings[1].buffer = 0;
    else if (chance == 2)
        bindings[1].stride_bytes = 0;
    else if (chance == 3)
        bindings[1].offset_bytes = 2;
    else if (chance == 4 || chance == 5)
        bindings[1] = (struct aerogpu_vertex_buffer_binding){.buffer = HANDLE_STORAGES,
                                                             .stride_bytes = COLOR_BYTES,
                                                             .offset_bytes = COLOR_BYTES * below(world, 4)};
    if (below(world, 2))
        agpu_write_set_vertex_buffers(world->writer, 0, 3, bindings);
    else
        agpu_write_set_vertex_buffers(world->writer, slot, 1, &bindings[slot]);
}

static void change_shown_state(struct kept_draw_world *world);

/* The same draw of data by instance several times. */
static void draw_from_instance(struct kept_draw_world *world)
{
    const uint32_t first = CORNERS * below(world, CELLS), first_instance = 1 + below(world, 3);
    agpu_write_set_input_layout(world->writer, HANDLE_LAYOUTS + 1);
    for (uint32_t i = 0; i < 3; i++) {
        if (below(world, 3) == 0)
            change_shown_state(world);
        agpu_write_draw(world->writer, CORNERS, 1 + below(world, 2), first, first_instance);
    }
}

/* Draws whose vertices a kernel fetches, and now and then something that these vertices depend on, or that
 * only the pipeline does. */
static void pull_vertices(struct kept_draw_world *world)
{
    struct aerogpu_vertex_buffer_binding colors = {
        .buffer = HANDLE_COLORS + below(world, 2), .stride_bytes = COLOR_BYTES, .offset_bytes = 2};
    agpu_write_set_input_layout(world->writer, HANDLE_LAYOUTS + below(world, 2));
    agpu_write_set_vertex_buffers(world->writer, 1, 1, &colors);
    agpu_write_bind_shaders(world->writer, HANDLE_VERTEX_SHADERS, HANDLE_PIXEL_SHADERS, HANDLE_COMPUTE_SHADER,
                            0);
    for (uint32_t i = 0; i < 6; i++) {
        switch (below(world, 12)) {
        case 0:
            upload_floats(world, colors.buffer, 0, VERTICES * COLOR_BYTES / 4);
            break;
        case 8:
            upload_positions(world, HANDLE_POSITIONS + below(world, 2), 0.08f * fraction(world));
            break;
        case 1:
            colors.offset_bytes = 2 + 4 * below(world, 3);
            agpu_write_set_vertex_buffers(world->writer, 1, 1, &colors);
            break;
        case 2:
            colors.buffer = HANDLE_COLORS + below(world, 2);
            agpu_write_set_vertex_buffers(world->writer, 1, 1, &colors);
            break;
        case 3:
            agpu_write_set_input_layout(world->writer, HANDLE_LAYOUTS + below(world, 2));
            break;
        case 4:
            for (uint32_t turn = 0; turn < 4; turn++) {
                agpu_write_bind_shaders(world->writer, HANDLE_VERTEX_SHADERS + turn % 2, HANDLE_PIXEL_SHADERS,
                                        HANDLE_COMPUTE_SHADER, 0);
                draw(world);
            }
            break;
        case 5:
            draw_from_instance(world);
            break;
        case 6:
        case 7:
            change_shown_state(world);
            break;
        default:
            break;
        }
        draw(world);
    }
}

/* Draws with and without instances past the end of their buffer. */
static void draw_instances(struct kept_draw_world *world)
{
    const struct aerogpu_vertex_buffer_binding colors = {
        .buffer = HANDLE_STORAGES, .stride_bytes = COLOR_BYTES, .offset_bytes = STORAGE_BYTES - COLOR_BYTES};
    agpu_write_set_input_layout(world->writer, HANDLE_LAYOUTS + 1);
    agpu_write_set_vertex_buffers(world->writer, 1, 1, &colors);
    for (uint32_t i = 0; i < 3; i++)
        agpu_write_draw(world->writer, CORNERS, 1 + below(world, 2), CORNERS * below(world, CELLS), 0);
}

static void bind_indices(struct kept_draw_world *world)
{
    const uint32_t which = below(world, 2);
    uint32_t offset = below(world, 3) ? 0 : CORNERS * (which ? 2 : 4);
    if (below(world, 12) == 0)
        offset = 1;
    agpu_write_set_index_buffer(world->writer, below(world, 12) == 0 ? 0 : HANDLE_INDICES + which,
                                which ? AEROGPU_INDEX_FORMAT_UINT16 : AEROGPU_INDEX_FORMAT_UINT32, offset);
}

static void bind_shaders(struct kept_draw_world *world)
{
    const uint32_t pixel = below(world, 10) == 0 ? 0 : HANDLE_PIXEL_SHADERS + below(world, 5);
    agpu_write_bind_shaders(world->writer, HANDLE_VERTEX_SHADERS + below(world, 4), pixel,
                            HANDLE_COMPUTE_SHADER, 0);
}

/* Some pairs in turn, which were drawn with before. */
static void swap_shaders(struct kept_draw_world *world)
{
    static const uint8_t pairs[][2] = {
        {0, 0},
        {1, 2},
        {3, 3},
        {1, 4}
    };
    const uint8_t *const pair = pairs[below(world, AG_COUNT_OF(pairs))];
    agpu_write_bind_shaders(world->writer, HANDLE_VERTEX_SHADERS + pair[0], HANDLE_PIXEL_SHADERS + pair[1],
                            HANDLE_COMPUTE_SHADER, 0);
}

static void bind_layout(struct kept_draw_world *world)
{
    agpu_write_set_input_layout(world->writer, HANDLE_LAYOUTS + below(world, 3));
}

static void bind_targets(struct kept_draw_world *world)
{
    const uint32_t targets[2] = {HANDLE_TARGETS + below(world, 2), 0};
    const uint32_t both[2] = {HANDLE_TARGETS, HANDLE_TARGETS + 1};
    agpu_write_set_render_targets(world->writer, below(world, 4) == 0 ? 2 : 1,
                                  below(world, 4) ? targets : both, below(world, 3) ? HANDLE_DEPTH : 0);
}

/* ---- Changes: state ----------------------------------------------------------------------------------- */

static void set_topology(struct kept_draw_world *world)
{
    static const uint32_t topologies[] = {
        AEROGPU_TOPOLOGY_TRIANGLELIST,  AEROGPU_TOPOLOGY_TRIANGLELIST, AEROGPU_TOPOLOGY_TRIANGLELIST,
        AEROGPU_TOPOLOGY_TRIANGLESTRIP, AEROGPU_TOPOLOGY_LINELIST,     AEROGPU_TOPOLOGY_TRIANGLEFAN,
    };
    agpu_write_set_primitive_topology(world->writer, topologies[below(world, AG_COUNT_OF(topologies))]);
}

static void set_blend(struct kept_draw_world *world)
{
    const float factor = fraction(world);
    const struct aerogpu_blend_state blend = {
        .enable = below(world, 2),
        .src_factor = AEROGPU_BLEND_ONE,
        .dst_factor = below(world, 2) ? AEROGPU_BLEND_ONE : AEROGPU_BLEND_CONSTANT,
        .src_factor_alpha = AEROGPU_BLEND_ONE,
        .dst_factor_alpha = AEROGPU_BLEND_ONE,
        .color_write_mask = below(world, 4) ? 15 : 5,
        .blend_constant_rgba_f32 = {ag_bits_from_float(factor), ag_bits_from_float(0.5f),
                                    ag_bits_from_float(factor)},
        .sample_mask = below(world, 16) ? UINT32_MAX : 0,
    };
    agpu_write_set_blend_state(world->writer, &blend);
}

static void set_blend_factor(struct kept_draw_world *world)
{
    const struct aerogpu_cmd_ext_set_blend_state packet = {
        .state_handle = below(world, 3) ? HANDLE_OBJECTS + 0 : 0,
        .blend_factor_f32 = {ag_bits_from_float(fraction(world)), ag_bits_from_float(fraction(world)), 0, 0},
        .sample_mask = UINT32_MAX,
    };
    agpu_write_packet(world->writer, AEROGPU_CMD_EXT_SET_BLEND_STATE, &packet, sizeof packet, NULL, 0);
}

static void set_depth(struct kept_draw_world *world)
{
    const struct aerogpu_depth_stencil_state depth = {
        .depth_enable = below(world, 2),
        .depth_write_enable = below(world, 2),
        .depth_func = below(world, 2) ? AEROGPU_COMPARE_LESS_EQUAL : AEROGPU_COMPARE_GREATER,
    };
    agpu_write_set_depth_stencil_state(world->writer, &depth);
}

static void set_stencil(struct kept_draw_world *world)
{
    const uint32_t state = below(world, 4) ? HANDLE_OBJECTS + 1 : 0;
    for (uint32_t i = 0; i < 2; i++) {
        const struct aerogpu_cmd_ext_set_depth_stencil_state packet = {.state_handle = state,
                                                                       .stencil_ref = below(world, 3)};
        agpu_write_packet(world->writer, AEROGPU_CMD_EXT_SET_DEPTH_STENCIL_STATE, &packet, sizeof packet,
                          NULL, 0);
        draw(world);
    }
}

static void set_rasterizer(struct kept_draw_world *world)
{
    const struct aerogpu_rasterizer_state rasterizer = {
        .fill_mode = below(world, 12) == 0 ? AEROGPU_FILL_WIREFRAME : AEROGPU_FILL_SOLID,
        .cull_mode = below(world, 3) ? AEROGPU_CULL_NONE : AEROGPU_CULL_BACK,
        .front_ccw = below(world, 2),
        .scissor_enable = below(world, 2),
        .depth_bias = below(world, 3) ? 0 : 4000,
    };
    agpu_write_set_rasterizer_state(world->writer, &rasterizer);
}

/* Two draws in one cell, of which the second one shows when the shader is told of its bias. */
static void change_bias(struct kept_draw_world *world)
{
    agpu_write_bind_shaders(world->writer, HANDLE_VERTEX_SHADERS, HANDLE_PIXEL_SHADERS, HANDLE_COMPUTE_SHADER,
                            0);
    draw(world);
    for (int32_t i = 1; i <= 2; i++) {
        const struct aerogpu_depth_stencil_state depth = {.depth_enable = 1,
                                                          .depth_write_enable = 1,
                                                          .depth_func = i == 1 ? AEROGPU_COMPARE_ALWAYS
                                                                               : AEROGPU_COMPARE_GREATER};
        const struct aerogpu_rasterizer_state rasterizer = {.cull_mode = AEROGPU_CULL_NONE,
                                                            .depth_bias = 500000 * i};
        agpu_write_set_depth_stencil_state(world->writer, &depth);
        agpu_write_set_rasterizer_state(world->writer, &rasterizer);
        upload_floats(world, HANDLE_COLORS, 0, VERTICES * COLOR_BYTES / 4);
        agpu_write_draw(world->writer, CORNERS, 1, CORNERS * (world->cell % CELLS), 0);
    }
}

static void toggle_scissor(struct kept_draw_world *world)
{
    const struct aerogpu_rasterizer_state rasterizer = {.cull_mode = AEROGPU_CULL_NONE,
                                                        .scissor_enable = below(world, 2)};
    agpu_write_set_rasterizer_state(world->writer, &rasterizer);
}

static void set_viewport(struct kept_draw_world *world)
{
    const float size = below(world, 16) == 0 ? 0 : SIZE - 4 * (float)below(world, 3);
    agpu_write_set_viewport(world->writer, (float)below(world, 3), 0, size, size, 0,
                            1 - 0.25f * fraction(world));
}

static void set_viewports(struct kept_draw_world *world)
{
    const struct aerogpu_cmd_ext_set_viewports packet = {.viewport_count = 1};
    const struct aerogpu_ext_viewport viewport = {.width_f32 = ag_bits_from_float(SIZE),
                                                  .height_f32 =
                                                      ag_bits_from_float(SIZE - (float)below(world, 4)),
                                                  .max_depth_f32 = ag_bits_from_float(1)};
    agpu_write_packet(world->writer, AEROGPU_CMD_EXT_SET_VIEWPORTS, &packet, sizeof packet, &viewport,
                      sizeof viewport);
}

static void set_scissor(struct kept_draw_world *world)
{
    const int32_t size = (int32_t)(below(world, 4) ? SIZE - 4 * below(world, 12) : 0);
    agpu_write_set_scissor(world->writer, (int32_t)below(world, 4), 0, size, size);
}

static void set_scissors(struct kept_draw_world *world)
{
    const struct aerogpu_cmd_ext_set_scissors packet = {.rect_count = 1};
    const struct aerogpu_ext_rect rect = {0, 0, (int32_t)(SIZE - below(world, 8)), SIZE};
    agpu_write_packet(world->writer, AEROGPU_CMD_EXT_SET_SCISSORS, &packet, sizeof packet, &rect,
                      sizeof rect);
}

/* Blending, constants or the scissor rectangle. */
static void change_shown_state(struct kept_draw_world *world)
{
    switch (below(world, 3)) {
    case 0:
        set_blend(world);
        break;
    case 1:
        change_constants(world);
        break;
    default:
        toggle_scissor(world);
        break;
    }
}

/* ---- Changes: contents -------------------------------------------------------------------------------- */

static void change_vertices(struct kept_draw_world *world)
{
    if (below(world, 2))
        upload_positions(world, HANDLE_POSITIONS + below(world, 2), 0.08f * fraction(world));
    else
        upload_floats(world, HANDLE_COLORS + below(world, 2),
                      below(world, 2) ? 0 : 16 * below(world, VERTICES), 4);
}

static void change_indices(struct kept_draw_world *world)
{
    upload_indices(world, HANDLE_INDICES + below(world, 2), below(world, 6) == 0);
}

static void change_storage(struct kept_draw_world *world)
{
    upload_floats(world, HANDLE_STORAGES + below(world, 2), 4 * below(world, 4), 4 + below(world, 8));
}

static void change_texture(struct kept_draw_world *world)
{
    upload_texture(world, HANDLE_TEXTURES + below(world, 3));
}

static void use_backed_colors(struct kept_draw_world *world)
{
    const struct aerogpu_vertex_buffer_binding colors[2] = {
        {.buffer = HANDLE_COLORS + 1, .stride_bytes = COLOR_BYTES},
        {.buffer = HANDLE_COLORS + 1, .stride_bytes = COLOR_BYTES}
    };
    agpu_write_bind_shaders(world->writer, HANDLE_VERTEX_SHADERS, HANDLE_PIXEL_SHADERS, HANDLE_COMPUTE_SHADER,
                            0);
    agpu_write_set_vertex_buffers(world->writer, 1, 2, colors);
    draw(world);
}

/* Bytes in guest memory are the same throughout, so that an upload before the packet makes them news. */
static void change_backed(struct kept_draw_world *world)
{
    switch (below(world, 6)) {
    case 0:
        upload_constants(world, HANDLE_CONSTANTS + 2, 0, 8);
        break;
    case 1:
        agpu_write_resource_dirty_range(world->writer, HANDLE_CONSTANTS + 2, 0, BACKED_BYTES);
        break;
    default:
        upload_floats(world, HANDLE_COLORS + 1, 0, VERTICES * COLOR_BYTES / 4);
        use_backed_colors(world);
        agpu_write_resource_dirty_range(world->writer, HANDLE_COLORS + 1, 0, VERTICES * COLOR_BYTES);
        break;
    }
}

/* A texture that draws have read gets new contents while they read another one. */
static void return_to_texture(struct kept_draw_world *world)
{
    const uint32_t target = HANDLE_TARGETS, cleared = HANDLE_CLEARED_TEXTURE;
    const float color[4] = {fraction(world), fraction(world), fraction(world), 1};
    const bool is_backed = below(world, 2) != 0;
    const uint32_t handle = is_backed ? HANDLE_BACKED_TEXTURE : HANDLE_CLEARED_TEXTURE;
    if (is_backed)
        upload_texture(world, handle);
    agpu_write_bind_shaders(world->writer, HANDLE_VERTEX_SHADERS, HANDLE_PIXEL_SHADERS + 1,
                            HANDLE_COMPUTE_SHADER, 0);
    for (uint32_t i = 0; i < 2; i++) {
        if (i == 1 && is_backed) {
            agpu_write_resource_dirty_range(world->writer, handle, 0, 4 * TEXTURE_SIZE * TEXTURE_SIZE);
        } else if (i == 1) {
            agpu_write_set_render_targets(world->writer, 1, &cleared, 0);
            agpu_write_clear(world->writer, AEROGPU_CLEAR_COLOR, color, 1, 0);
            agpu_write_set_render_targets(world->writer, 1, &target, HANDLE_DEPTH);
        }
        agpu_write_set_texture(world->writer, AGPU_STREAM_STAGE_PIXEL, 0, HANDLE_TEXTURES);
        draw(world);
        agpu_write_set_texture(world->writer, AGPU_STREAM_STAGE_PIXEL, 0, handle);
        draw(world);
        agpu_write_set_texture(world->writer, AGPU_STREAM_STAGE_PIXEL, 0, HANDLE_TEXTURES);
    }
}

/* Textures in turn, with other constants each time. */
static void change_textures_and_constants(struct kept_draw_world *world)
{
    const uint32_t constants = HANDLE_CONSTANTS + below(world, 2);
    const struct aerogpu_constant_buffer_binding binding = {.buffer = constants};
    agpu_write_bind_shaders(world->writer, HANDLE_VERTEX_SHADERS + 2, HANDLE_PIXEL_SHADERS + 1,
                            HANDLE_COMPUTE_SHADER, 0);
    agpu_write_set_constant_buffers(world->writer, AGPU_STREAM_STAGE_PIXEL, 0, 1, &binding);
    for (uint32_t i = 0; i < 4; i++) {
        upload_constants(world, constants, 0, 8);
        agpu_write_set_texture(world->writer, AGPU_STREAM_STAGE_PIXEL, 0, HANDLE_TEXTURES + i % 2);
        draw(world);
    }
}

static void update_subresource(struct kept_draw_world *world)
{
    uint8_t bytes[CONSTANT_BYTES];
    struct aerogpu_cmd_ext_update_subresource packet = {0};
    for (uint32_t i = 0; i < sizeof bytes; i += 4)
        ag_store_u32(bytes + i, ag_bits_from_float(fraction(world) * 0.02f));
    packet.resource_handle = HANDLE_CONSTANTS + below(world, 2);
    if (below(world, 3) == 0) {
        packet.resource_handle = HANDLE_TEXTURES + below(world, 3);
        packet.data_size_bytes = TEXTURE_SIZE * TEXTURE_SIZE * 4;
    } else {
        packet.data_size_bytes = CONSTANT_BYTES;
    }
    agpu_write_packet(world->writer, AEROGPU_CMD_EXT_UPDATE_SUBRESOURCE, &packet, sizeof packet, bytes,
                      packet.data_size_bytes);
}

static void copy_buffer(struct kept_draw_world *world)
{
    static const uint32_t pairs[][3] = {
        {HANDLE_CONSTANTS, HANDLE_CONSTANTS + 1, CONSTANT_BYTES         },
        {HANDLE_COLORS,    HANDLE_COLORS + 1,    VERTICES * COLOR_BYTES },
        {HANDLE_POSITIONS, HANDLE_POSITIONS + 1, VERTICES * VERTEX_BYTES},
        {HANDLE_STORAGES,  HANDLE_STORAGES + 1,  STORAGE_BYTES          },
    };
    const uint32_t *const pair = pairs[below(world, AG_COUNT_OF(pairs))], way = below(world, 2);
    agpu_write_copy_buffer(world->writer, pair[way], 0, pair[1 - way], 0, pair[2], 0);
}

static void copy_texture(struct kept_draw_world *world)
{
    const struct aerogpu_cmd_copy_texture2d copy = {
        .dst_texture = HANDLE_TEXTURES + below(world, 3),
        .src_texture = below(world, 2) ? HANDLE_TARGETS + below(world, 2) : HANDLE_TEXTURES + below(world, 3),
        .width = TEXTURE_SIZE,
        .height = TEXTURE_SIZE,
    };
    agpu_write_copy_texture2d(world->writer, &copy);
}

/* A compute shader writes into what draws read, and is unbound again. */
static void dispatch(struct kept_draw_world *world)
{
    static const uint32_t buffers[] = {HANDLE_STORAGES, HANDLE_STORAGES + 1, HANDLE_COLORS, HANDLE_CONSTANTS};
    struct aerogpu_unordered_access_buffer_binding binding = {
        .buffer = buffers[below(world, AG_COUNT_OF(buffers))]};
    agpu_write_set_unordered_access_buffers(world->writer, AGPU_STREAM_STAGE_COMPUTE, 0, 1, &binding);
    if (below(world, 2))
        agpu_write_dispatch(world->writer, AGPU_STREAM_STAGE_COMPUTE, 1, 1, 1);
    binding.buffer = 0;
    if (below(world, 4))
        agpu_write_set_unordered_access_buffers(world->writer, AGPU_STREAM_STAGE_COMPUTE, 0, 1, &binding);
}

/* A buffer that draws read becomes an output, and no input any more. */
static void bind_output(struct kept_draw_world *world)
{
    struct aerogpu_unordered_access_buffer_binding binding = {.buffer = HANDLE_STORAGES + below(world, 2)};
    const struct aerogpu_shader_resource_buffer_binding input = {.buffer = binding.buffer};
    agpu_write_bind_shaders(world->writer, HANDLE_VERTEX_SHADERS + 3, HANDLE_PIXEL_SHADERS + 3,
                            HANDLE_COMPUTE_SHADER, 0);
    agpu_write_set_shader_resource_buffers(world->writer, any_stage(world), 1, 1, &input);
    draw(world);
    agpu_write_set_unordered_access_buffers(world->writer, AGPU_STREAM_STAGE_COMPUTE, 0, 1, &binding);
    draw(world);
    binding.buffer = 0;
    agpu_write_set_unordered_access_buffers(world->writer, AGPU_STREAM_STAGE_COMPUTE, 0, 1, &binding);
}

static void clear(struct kept_draw_world *world)
{
    const float color[4] = {fraction(world), fraction(world), fraction(world), 1};
    agpu_write_clear(world->writer,
                     below(world, 3) ? AEROGPU_CLEAR_DEPTH | AEROGPU_CLEAR_STENCIL : AEROGPU_CLEAR_COLOR,
                     color, 1, below(world, 2));
}

/* ---- Changes: objects --------------------------------------------------------------------------------- */

static void redefine_sampler(struct kept_draw_world *world)
{
    const uint32_t handle = HANDLE_SAMPLERS + below(world, 4);
    if (below(world, 3) == 0)
        agpu_write_destroy_sampler(world->writer, handle);
    write_sampler(world, handle);
}

/* Another object under a handle that is bound. */
static void replace_object(struct kept_draw_world *world)
{
    const uint32_t number = below(world, 2);
    switch (below(world, 4)) {
    case 0:
        agpu_write_destroy_resource(world->writer, HANDLE_TEXTURES + number);
        host_write_texture(world->writer, HANDLE_TEXTURES + number, AEROGPU_RESOURCE_USAGE_TEXTURE,
                           AEROGPU_FORMAT_R8G8B8A8_UNORM, TEXTURE_SIZE, TEXTURE_SIZE);
        upload_texture(world, HANDLE_TEXTURES + number);
        break;
    case 1:
        agpu_write_destroy_resource(world->writer, HANDLE_CONSTANTS + number);
        write_buffer(world, HANDLE_CONSTANTS + number, CONSTANT_BYTES);
        upload_constants(world, HANDLE_CONSTANTS + number, 0, CONSTANT_BYTES / 16);
        break;
    case 2:
        agpu_write_destroy_resource(world->writer, HANDLE_COLORS + number);
        write_colors(world, number);
        upload_floats(world, HANDLE_COLORS + number, 0, VERTICES * COLOR_BYTES / 4);
        break;
    default:
        agpu_write_destroy_shader(world->writer, HANDLE_PIXEL_SHADERS + number);
        host_assemble_shader(world->writer, HANDLE_PIXEL_SHADERS + number, AGPU_STREAM_STAGE_PIXEL,
                             pixel_shaders[below(world, 2)]);
        break;
    }
}

/* A texture whose handle was bound before it existed. */
static void make_late(struct kept_draw_world *world)
{
    agpu_write_destroy_resource(world->writer, HANDLE_LATE);
    if (below(world, 3) == 0)
        return;
    host_write_texture(world->writer, HANDLE_LATE, AEROGPU_RESOURCE_USAGE_TEXTURE,
                       AEROGPU_FORMAT_R8G8B8A8_UNORM, TEXTURE_SIZE, TEXTURE_SIZE);
    upload_texture(world, HANDLE_LATE);
}

static void end_query(struct kept_draw_world *world)
{
    const struct aerogpu_cmd_ext_end_query packet = {
        .query_handle = world->query,
        .result_alloc_id = WORLD_ALLOCATION,
        .result_offset_bytes = RESULTS_AT + (uint64_t)RESULT_BYTES * world->results++,
    };
    agpu_write_packet(world->writer, AEROGPU_CMD_EXT_END_QUERY, &packet, sizeof packet, NULL, 0);
    world->query = 0;
}

static void count(struct kept_draw_world *world)
{
    if (world->query) {
        end_query(world);
        return;
    }
    world->query = world->next_object++;
    const struct aerogpu_cmd_ext_create_query create = {
        .object_handle = world->query,
        .type = below(world, 2) ? AEROGPU_EXT_QUERY_OCCLUSION : AEROGPU_EXT_QUERY_PIPELINE_STATISTICS};
    const struct aerogpu_cmd_ext_begin_query begin = {.query_handle = world->query};
    agpu_write_packet(world->writer, AEROGPU_CMD_EXT_CREATE_QUERY, &create, sizeof create, NULL, 0);
    agpu_write_packet(world->writer, AEROGPU_CMD_EXT_BEGIN_QUERY, &begin, sizeof begin, NULL, 0);
}

/* A command list that sets some state, draws or not, and gives the state back or clears it. */
static void write_first_state(struct kept_draw_world *world);
static void execute_list(struct kept_draw_world *world)
{
    struct agpu_writer *const outer = world->writer;
    struct agpu_writer list;
    agpu_writer_init_growing(&list, NULL);
    world->writer = &list;
    write_first_state(world);
    if (below(world, 2))
        agpu_write_draw(&list, CORNERS, 1, CORNERS * (world->cell++ % CELLS), 0);
    world->writer = outer;
    assert_int_equal(agpu_writer_finish(&list), AGPU_OK);
    const uint32_t header = sizeof(struct aerogpu_cmd_stream_header);
    const struct aerogpu_cmd_ext_create_command_list create = {.object_handle = world->next_object,
                                                               .size_bytes = (uint32_t)list.size - header};
    const struct aerogpu_cmd_ext_execute_command_list execute = {
        .list_handle = world->next_object++,
        .flags = below(world, 4) ? AEROGPU_EXT_EXECUTE_RESTORE_STATE : 0};
    agpu_write_packet(outer, AEROGPU_CMD_EXT_CREATE_COMMAND_LIST, &create, sizeof create, list.data + header,
                      list.size - header);
    agpu_write_packet(outer, AEROGPU_CMD_EXT_EXECUTE_COMMAND_LIST, &execute, sizeof execute, NULL, 0);
    agpu_writer_fini(&list);
    if (!execute.flags)
        write_first_state(world);
}

static void flush(struct kept_draw_world *world)
{
    agpu_write_flush(world->writer);
}

/* ---- Changes: a geometry shader ------------------------------------------------------------------------ */

/* What draws with a geometry shader take in. */
static void draw_geometry(struct kept_draw_world *world)
{
    static void (*const news[])(struct kept_draw_world * world) = {
        change_constants, bind_constants, move_constants, set_registers,   bind_texture,   bind_vertices,
        bind_indices,     bind_layout,    set_blend,      toggle_scissor,  set_rasterizer, set_viewport,
        change_vertices,  change_indices, change_texture, set_blend_factor};
    const uint32_t first = below(world, 2);
    const uint32_t targets[2] = {HANDLE_TARGETS + first, HANDLE_TARGETS + 1 - first};
    agpu_write_set_render_targets(world->writer, 1 + below(world, 2), targets,
                                  below(world, 2) ? HANDLE_DEPTH : 0);
    for (uint32_t i = 0; i < 3; i++) {
        agpu_write_bind_shaders(world->writer, HANDLE_VERTEX_SHADERS + below(world, 4),
                                HANDLE_PIXEL_SHADERS + below(world, 4), HANDLE_COMPUTE_SHADER,
                                HANDLE_GEOMETRY_SHADERS + below(world, 2));
        draw(world);
        draw(world);
        news[below(world, AG_COUNT_OF(news))](world);
        draw(world);
    }
    bind_shaders(world);
}

/* ---- Changes: patches ---------------------------------------------------------------------------------- */

static void bind_patch_constants(struct kept_draw_world *world)
{
    static const enum agpu_stream_stage stages[] = {AGPU_STREAM_STAGE_HULL, AGPU_STREAM_STAGE_DOMAIN};
    const struct aerogpu_constant_buffer_binding binding = {.buffer = HANDLE_CONSTANTS + below(world, 3),
                                                            .offset_bytes =
                                                                below(world, 2) ? 0 : 16 * below(world, 4)};
    agpu_write_set_constant_buffers(world->writer, stages[below(world, 2)], 0, 1, &binding);
}

static void bind_patch_shaders(struct kept_draw_world *world)
{
    static const uint32_t hulls[] = {0, 0, 0, 1, 2, 2};
    const aerogpu_handle_t shaders[AGPU_STREAM_STAGE_COUNT] = {
        [AGPU_STREAM_STAGE_VERTEX] = HANDLE_VERTEX_SHADERS + below(world, 2),
        [AGPU_STREAM_STAGE_PIXEL] = HANDLE_PIXEL_SHADERS + below(world, 5),
        [AGPU_STREAM_STAGE_COMPUTE] = HANDLE_COMPUTE_SHADER,
        [AGPU_STREAM_STAGE_HULL] = HANDLE_HULL_SHADERS + hulls[below(world, AG_COUNT_OF(hulls))],
        [AGPU_STREAM_STAGE_DOMAIN] = HANDLE_DOMAIN_SHADER,
    };
    agpu_write_bind_shaders_ex(world->writer, shaders);
}

/* Draws of patches, most of which follow one another, with changes in between. */
static void draw_patches(struct kept_draw_world *world)
{
    static void (*const news[])(struct kept_draw_world * world) = {
        change_constants,   bind_constants, set_registers,   bind_texture,         bind_sampler,
        bind_vertices,      bind_layout,    set_blend,       toggle_scissor,       set_scissor,
        set_rasterizer,     set_viewport,   change_vertices, bind_patch_constants, change_texture,
        bind_patch_shaders, set_depth,      set_stencil,     set_blend_factor,     change_backed,
        bind_storage,       change_storage, copy_buffer,     bind_targets};
    bind_patch_shaders(world);
    bind_patch_constants(world);
    agpu_write_set_primitive_topology(world->writer, AEROGPU_TOPOLOGY_PATCHLIST_1 + 2);
    for (uint32_t i = 2 + below(world, 12); i > 0; i--) {
        for (uint32_t draws = below(world, 3); draws > 0; draws--)
            if (++world->cell % CELLS == 0)
                show(world);
            else
                agpu_write_draw(world->writer, CORNERS, 1, CORNERS * (world->cell % CELLS), 0);
        news[below(world, AG_COUNT_OF(news))](world);
    }
    agpu_write_set_primitive_topology(world->writer, AEROGPU_TOPOLOGY_TRIANGLELIST);
    bind_shaders(world);
}

/* ---- Steps -------------------------------------------------------------------------------------------- */

static const struct {
    void (*write)(struct kept_draw_world *world);
    uint32_t weight;
} changes[] = {
    {change_constants,              16},
    {bind_constants,                8 },
    {move_constants,                5 },
    {resize_constants,              2 },
    {set_registers,                 4 },
    {bind_texture,                  8 },
    {bind_sampler,                  5 },
    {bind_storage,                  8 },
    {bind_vertices,                 8 },
    {pull_vertices,                 4 },
    {draw_instances,                3 },
    {bind_indices,                  5 },
    {bind_shaders,                  6 },
    {swap_shaders,                  8 },
    {bind_layout,                   5 },
    {bind_targets,                  2 },
    {set_topology,                  3 },
    {set_blend,                     5 },
    {set_blend_factor,              6 },
    {set_depth,                     3 },
    {set_stencil,                   4 },
    {set_rasterizer,                3 },
    {change_bias,                   2 },
    {toggle_scissor,                5 },
    {set_viewport,                  4 },
    {set_viewports,                 2 },
    {set_scissor,                   4 },
    {set_scissors,                  2 },
    {change_vertices,               5 },
    {change_indices,                6 },
    {change_storage,                4 },
    {change_texture,                3 },
    {change_backed,                 5 },
    {return_to_texture,             3 },
    {change_textures_and_constants, 2 },
    {update_subresource,            4 },
    {copy_buffer,                   2 },
    {copy_texture,                  1 },
    {dispatch,                      2 },
    {bind_output,                   3 },
    {clear,                         1 },
    {redefine_sampler,              2 },
    {replace_object,                2 },
    {make_late,                     1 },
    {count,                         1 },
    {execute_list,                  1 },
    {flush,                         1 },
    {draw_geometry,                 3 },
    {draw_patches,                  3 },
};

static void change(struct kept_draw_world *world)
{
    uint32_t all = 0, i = 0;
    for (uint32_t k = 0; k < AG_COUNT_OF(changes); k++)
        all += changes[k].weight;
    uint32_t chosen = below(world, all);
    while (chosen >= changes[i].weight)
        chosen -= changes[i++].weight;
    changes[i].write(world);
}

/* Shows both targets and begins with empty ones. */
static void show(struct kept_draw_world *world)
{
    const uint32_t targets[2] = {HANDLE_TARGETS, HANDLE_TARGETS + 1};
    const float grey[4] = {0.2f, 0.2f, 0.2f, 0.5f};
    for (uint32_t i = 0; i < 2; i++) {
        agpu_write_set_render_targets(world->writer, 1, &targets[i], 0);
        agpu_write_present(world->writer, i, 0);
        world->presents++;
    }
    for (uint32_t i = 2; i-- > 0;) {
        agpu_write_set_render_targets(world->writer, 1, &targets[i], HANDLE_DEPTH);
        agpu_write_clear(world->writer, AEROGPU_CLEAR_COLOR | AEROGPU_CLEAR_DEPTH | AEROGPU_CLEAR_STENCIL,
                         grey, 0.6f, 1);
    }
}

static void draw(struct kept_draw_world *world)
{
    const bool again = below(world, 4) == 0; /* what stood there is seen no more, and nothing else is new */
    const uint32_t chance = again ? 15 : below(world, 16);
    const uint32_t instances = again || below(world, 3) ? 1 : 1 + below(world, 3);
    const uint32_t first_instance = again || below(world, 8) ? 0 : below(world, 3);
    const uint32_t vertices = chance == 0 ? 2 * CORNERS : chance == 3 ? 4 * CORNERS : CORNERS;
    if (!again && ++world->cell % CELLS == 0)
        show(world);
    const uint32_t first = CORNERS * (world->cell % CELLS);
    if (below(world, 3))
        agpu_write_draw(world->writer, vertices, instances, first, first_instance);
    else
        agpu_write_draw_indexed(world->writer, vertices, instances, chance == 1 || chance == 3 ? CORNERS : 0,
                                (int32_t)first - (chance == 2 ? (int32_t)CORNERS : 0), first_instance);
}

static void write_first_state(struct kept_draw_world *world)
{
    const uint32_t target = HANDLE_TARGETS, sampler = HANDLE_SAMPLERS;
    const struct aerogpu_vertex_buffer_binding streams[3] = {
        {.buffer = HANDLE_POSITIONS, .stride_bytes = VERTEX_BYTES},
        {.buffer = HANDLE_COLORS,    .stride_bytes = COLOR_BYTES },
        {.buffer = HANDLE_COLORS,    .stride_bytes = COLOR_BYTES },
    };
    const struct aerogpu_constant_buffer_binding constants = {.buffer = HANDLE_CONSTANTS};
    const struct aerogpu_rasterizer_state rasterizer = {.cull_mode = AEROGPU_CULL_NONE};
    agpu_write_set_render_targets(world->writer, 1, &target, HANDLE_DEPTH);
    agpu_write_set_viewport(world->writer, 0, 0, SIZE, SIZE, 0, 1);
    agpu_write_bind_shaders(world->writer, HANDLE_VERTEX_SHADERS, HANDLE_PIXEL_SHADERS, HANDLE_COMPUTE_SHADER,
                            0);
    agpu_write_set_input_layout(world->writer, HANDLE_LAYOUTS);
    agpu_write_set_vertex_buffers(world->writer, 0, 3, streams);
    agpu_write_set_index_buffer(world->writer, HANDLE_INDICES, AEROGPU_INDEX_FORMAT_UINT32, 0);
    agpu_write_set_primitive_topology(world->writer, AEROGPU_TOPOLOGY_TRIANGLELIST);
    agpu_write_set_rasterizer_state(world->writer, &rasterizer);
    for (uint32_t slot = 0; slot < 3; slot++) {
        agpu_write_set_constant_buffers(world->writer, AGPU_STREAM_STAGE_VERTEX, slot, 1, &constants);
        agpu_write_set_constant_buffers(world->writer, AGPU_STREAM_STAGE_PIXEL, slot, 1, &constants);
        agpu_write_set_constant_buffers(world->writer, AGPU_STREAM_STAGE_GEOMETRY, slot, 1, &constants);
        agpu_write_set_texture(world->writer, AGPU_STREAM_STAGE_PIXEL, slot, HANDLE_TEXTURES + slot);
        agpu_write_set_samplers(world->writer, AGPU_STREAM_STAGE_PIXEL, slot, 1, &sampler);
    }
    set_depth(world);
}

/* Nothing was scissored yet, until a packet of the extension makes that empty rectangles. */
static void begin_scissors(struct kept_draw_world *world)
{
    const struct aerogpu_rasterizer_state rasterizer = {.cull_mode = AEROGPU_CULL_NONE, .scissor_enable = 1};
    agpu_write_set_rasterizer_state(world->writer, &rasterizer);
    draw(world);
    draw(world);
    if (below(world, 2))
        set_blend_factor(world);
    else
        set_stencil(world);
    draw(world);
    set_scissor(world);
}

void world_open(struct kept_draw_world *world, uint64_t seed, struct agpu_writer *writer, uint8_t *guest)
{
    *world = (struct kept_draw_world){.random = (seed + 1) * UINT64_C(0x9E3779B97F4A7C15),
                                      .writer = writer,
                                      .guest = guest,
                                      .next_object = HANDLE_OBJECTS + 10};
    for (uint32_t i = 0; i < BACKED_BYTES; i += 4)
        ag_store_u32(guest + i, ag_bits_from_float(fraction(world) * 0.02f));
    for (uint32_t i = 0; i < VERTICES * COLOR_BYTES; i += 4)
        ag_store_u32(guest + BACKED_COLORS_AT + i, ag_bits_from_float(fraction(world)));
    write_objects(world);
    write_states(world);
    show(world);
    write_first_state(world);
    begin_scissors(world);
}

/* State in which everything is to be seen. */
static void show_all(struct kept_draw_world *world)
{
    const struct aerogpu_depth_stencil_state depth = {0};
    const struct aerogpu_rasterizer_state rasterizer = {.cull_mode = AEROGPU_CULL_NONE};
    const struct aerogpu_blend_state blend = {.color_write_mask = 15, .sample_mask = UINT32_MAX};
    const struct aerogpu_vertex_buffer_binding positions = {.buffer = HANDLE_POSITIONS,
                                                            .stride_bytes = VERTEX_BYTES};
    agpu_write_set_depth_stencil_state(world->writer, &depth);
    agpu_write_set_rasterizer_state(world->writer, &rasterizer);
    agpu_write_set_blend_state(world->writer, &blend);
    agpu_write_set_viewport(world->writer, 0, 0, SIZE, SIZE, 0, 1);
    agpu_write_set_primitive_topology(world->writer, AEROGPU_TOPOLOGY_TRIANGLELIST);
    agpu_write_set_vertex_buffers(world->writer, 0, 1, &positions);
}

void world_step(struct kept_draw_world *world)
{
    if (below(world, 10) == 0)
        show_all(world);
    for (uint32_t i = below(world, 4) ? 1 : 1 + below(world, 3); i > 0; i--)
        change(world);
    for (uint32_t i = 1 + below(world, 2); i > 0; i--)
        draw(world);
}

void world_step_of_constants(struct kept_draw_world *world)
{
    upload_constants(world, HANDLE_CONSTANTS, 0, CONSTANT_BYTES / 16);
    agpu_write_draw(world->writer, CORNERS, 1, CORNERS * (world->cell % CELLS), 0);
    if (++world->cell % CELLS == 0) {
        show(world);
        show_all(world);
    }
}

static void step_of_packed_constants(struct kept_draw_world *world, uint32_t buffer)
{
    /* No more than the shader declares: what computed indices may go beyond is not packed. */
    const struct aerogpu_constant_buffer_binding indexed = {.buffer = buffer, .size_bytes = 48};
    agpu_write_bind_shaders(world->writer, HANDLE_VERTEX_SHADERS, HANDLE_PIXEL_SHADERS + 4,
                            HANDLE_COMPUTE_SHADER, 0);
    agpu_write_set_constant_buffers(world->writer, AGPU_STREAM_STAGE_PIXEL, 2, 1, &indexed);
    if (world->cell % 5 == 0) { /* so that a buffer of the ring does not end where a pass ends */
        upload_constants(world, HANDLE_CONSTANTS, 0, CONSTANT_BYTES / 16);
        agpu_write_draw(world->writer, CORNERS, 1, CORNERS * (world->cell % CELLS), 0);
    }
    world_step_of_constants(world);
}

void world_step_of_packed_constants(struct kept_draw_world *world)
{
    step_of_packed_constants(world, HANDLE_CONSTANTS);
}

void world_step_of_bound_constants(struct kept_draw_world *world)
{
    step_of_packed_constants(world, HANDLE_CONSTANTS + world->cell % 2);
}

void world_close(struct kept_draw_world *world)
{
    if (world->query)
        end_query(world);
    show(world);
}
