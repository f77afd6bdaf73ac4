/* SPDX-License-Identifier: MIT */
#include "packet_world.h"

#include <stdlib.h>
#include <string.h>

#include "aerogpu/abi/pci.h"
#include "base/bytes.h"
#include "format/formats.h"
#include "support/corpus.h"

#define LARGEST_EDGE 32u
#define LARGEST_UPLOAD 1024
#define FIRST_OBJECT 0x40000000u /* beyond the handles that stay */

/* ---- Shaders ------------------------------------------------------------------------------------------ */

static bool keep_shader(void *user, const struct ag_corpus_file *file)
{
    struct packet_shaders *shaders = user;
    struct agpu_shader *shader;
    if (agpu_shader_parse(file->data, file->size, AGPU_PARSE_DEFAULT, NULL, &shader) != AGPU_OK)
        return true;
    struct packet_shader *all = realloc(shaders->all, (shaders->count + 1) * sizeof *all);
    uint8_t *bytes = malloc(file->size);
    if (all == NULL || bytes == NULL)
        abort();
    memcpy(bytes, file->data, file->size);
    shaders->all = all;
    struct packet_shader *const kept = &all[shaders->count++];
    kept->bytes = bytes;
    kept->size = (uint32_t)file->size;
    kept->shader = shader;
    return true;
}

bool packet_shaders_load(struct packet_shaders *shaders, const char *folder)
{
    *shaders = (struct packet_shaders){0};
    uint32_t stages = 0;
    (void)ag_corpus_walk(folder, ".dxbc", keep_shader, shaders);
    for (uint32_t i = 0; i < shaders->count; i++)
        stages |= 1u << shaders->all[i].shader->program.stage;
    return stages == AGPU_STAGES_ALL;
}

void packet_shaders_free(struct packet_shaders *shaders)
{
    for (uint32_t i = 0; i < shaders->count; i++) {
        free(shaders->all[i].bytes);
        agpu_shader_destroy(shaders->all[i].shader);
    }
    free(shaders->all);
}

/* ---- Objects ------------------------------------------------------------------------------------------ */

uint32_t packet_handle(const struct packet_world *world, enum packet_kind kind, uint32_t index)
{
    return world->first_handle + (uint32_t)kind * PACKET_HANDLES + index;
}

bool packet_find(struct packet_world *world, enum packet_kind kind, bool alive, uint32_t *index)
{
    const uint32_t start = packet_below(world, PACKET_HANDLES);
    for (uint32_t i = 0; i < PACKET_HANDLES; i++) {
        *index = (start + i) % PACKET_HANDLES;
        if (world->objects[kind][*index].alive == alive)
            return true;
    }
    return false;
}

uint32_t packet_new_object(struct packet_world *world)
{
    return FIRST_OBJECT + world->next_object++;
}

void packet_destroy_object(struct agpu_writer *writer, uint32_t handle)
{
    const struct aerogpu_cmd_ext_destroy_object destroy = {.object_handle = handle};
    agpu_write_packet(writer, AEROGPU_CMD_EXT_DESTROY_OBJECT, &destroy, sizeof destroy, NULL, 0);
}

/* A living object's handle, seldom 0. */
uint32_t packet_pick(struct packet_world *world, enum packet_kind kind)
{
    uint32_t index;
    return !packet_chance(world, 10) && packet_find(world, kind, true, &index)
               ? packet_handle(world, kind, index)
               : 0;
}

/* A texture or a view of one. */
static uint32_t pick_picture(struct packet_world *world)
{
    return packet_pick(world, packet_chance(world, 3) ? PACKET_VIEW : PACKET_TEXTURE);
}

uint32_t packet_pick_shader(struct packet_world *world, enum agpu_stage stage,
                            const struct packet_object **object)
{
    const uint32_t start = packet_below(world, PACKET_HANDLES);
    for (uint32_t i = 0; i < PACKET_HANDLES; i++) {
        const uint32_t index = (start + i) % PACKET_HANDLES;
        const struct packet_object *found = &world->objects[PACKET_SHADER][index];
        if (found->alive && world->shaders->all[found->shader].shader->program.stage == stage) {
            if (object != NULL)
                *object = found;
            return packet_handle(world, PACKET_SHADER, index);
        }
    }
    return 0;
}

static float pick_float(struct packet_world *world)
{
    static const float values[] = {0, 1, -1, 0.5f, 2, 8, 16, 31.5f, -3.25f, 1000, 1e30f};
    return values[packet_below(world, AG_COUNT_OF(values))];
}

/* ---- Resources ---------------------------------------------------------------------------------------- */

static void create_buffer(struct packet_world *world, struct agpu_writer *writer)
{
    uint32_t index;
    if (!packet_find(world, PACKET_BUFFER, false, &index))
        return;
    const uint32_t size = 4 + 4 * packet_below(world, 256);
    const bool backed = packet_chance(world, 3);
    world->objects[PACKET_BUFFER][index] =
        (struct packet_object){.alive = true, .backed = backed, .size = size};
    agpu_write_create_buffer(writer, packet_handle(world, PACKET_BUFFER, index),
                             AEROGPU_RESOURCE_USAGE_VERTEX_BUFFER | AEROGPU_RESOURCE_USAGE_INDEX_BUFFER |
                                 (packet_chance(world, 2) ? AEROGPU_RESOURCE_USAGE_CONSTANT_BUFFER
                                                          : AEROGPU_RESOURCE_USAGE_STORAGE),
                             size, backed ? 1 + packet_below(world, world->allocation_count) : 0,
                             backed ? 4 * packet_below(world, 64) : 0);
}

static void create_texture(struct packet_world *world, struct agpu_writer *writer)
{
    static const uint32_t color_formats[] = {
        AEROGPU_FORMAT_B8G8R8A8_UNORM,      AEROGPU_FORMAT_B8G8R8X8_UNORM,
        AEROGPU_FORMAT_R8G8B8A8_UNORM,      AEROGPU_FORMAT_R8G8B8X8_UNORM,
        AEROGPU_FORMAT_B5G6R5_UNORM,        AEROGPU_FORMAT_B5G5R5A1_UNORM,
        AEROGPU_FORMAT_B8G8R8A8_UNORM_SRGB, AEROGPU_FORMAT_B8G8R8X8_UNORM_SRGB,
        AEROGPU_FORMAT_R8G8B8A8_UNORM_SRGB, AEROGPU_FORMAT_R8G8B8X8_UNORM_SRGB};
    static const uint32_t block_formats[] = {
        AEROGPU_FORMAT_BC1_RGBA_UNORM, AEROGPU_FORMAT_BC1_RGBA_UNORM_SRGB,
        AEROGPU_FORMAT_BC2_RGBA_UNORM, AEROGPU_FORMAT_BC2_RGBA_UNORM_SRGB,
        AEROGPU_FORMAT_BC3_RGBA_UNORM, AEROGPU_FORMAT_BC3_RGBA_UNORM_SRGB,
        AEROGPU_FORMAT_BC7_RGBA_UNORM, AEROGPU_FORMAT_BC7_RGBA_UNORM_SRGB};
    uint32_t index;
    if (!packet_find(world, PACKET_TEXTURE, false, &index))
        return;
    struct packet_object object = {.alive = true,
                                   .width = 1 + packet_below(world, LARGEST_EDGE),
                                   .height = 1 + packet_below(world, LARGEST_EDGE),
                                   .mips = 1,
                                   .layers = packet_chance(world, 4)   ? 6
                                             : packet_chance(world, 3) ? 2
                                                                       : 1,
                                   .usage = AEROGPU_RESOURCE_USAGE_TEXTURE};
    if (packet_chance(world, 4)) {
        object.format = block_formats[packet_below(world, AG_COUNT_OF(block_formats))];
        object.width = 4 + object.width / 4 * 4;
        object.height = 4 + object.height / 4 * 4;
    } else if (packet_chance(world, 5)) {
        object.format = packet_chance(world, 2) ? AEROGPU_FORMAT_D24_UNORM_S8_UINT : AEROGPU_FORMAT_D32_FLOAT;
        object.usage |= AEROGPU_RESOURCE_USAGE_DEPTH_STENCIL;
    } else {
        object.format = color_formats[packet_below(world, AG_COUNT_OF(color_formats))];
        object.usage |= AEROGPU_RESOURCE_USAGE_RENDER_TARGET | AEROGPU_RESOURCE_USAGE_SCANOUT;
    }
    for (uint32_t edge = object.width < object.height ? object.height : object.width;
         edge > 1 && packet_chance(world, 2); edge /= 2)
        object.mips++;
    object.backed = packet_chance(world, 4);
    const struct aerogpu_cmd_create_texture2d create = {
        .texture_handle = packet_handle(world, PACKET_TEXTURE, index),
        .usage_flags = object.usage,
        .format = object.format,
        .width = object.width,
        .height = object.height,
        .mip_levels = object.mips,
        .array_layers = object.layers,
        .row_pitch_bytes = object.backed ? 512 : 0,
        .backing_alloc_id = object.backed ? 1 + packet_below(world, world->allocation_count) : 0,
        .backing_offset_bytes = object.backed ? 4 * packet_below(world, 256) : 0,
    };
    world->objects[PACKET_TEXTURE][index] = object;
    agpu_write_create_texture2d(writer, &create);
}

static void create_view(struct packet_world *world, struct agpu_writer *writer)
{
    uint32_t index, texture;
    if (!packet_find(world, PACKET_VIEW, false, &index) ||
        !packet_find(world, PACKET_TEXTURE, true, &texture))
        return;
    const struct packet_object *of = &world->objects[PACKET_TEXTURE][texture];
    struct aerogpu_cmd_create_texture_view create = {
        .view_handle = packet_handle(world, PACKET_VIEW, index),
        .texture_handle = packet_handle(world, PACKET_TEXTURE, texture),
        .format = of->format,
        .base_mip_level = packet_below(world, of->mips),
        .base_array_layer = packet_below(world, of->layers),
    };
    create.mip_level_count = 1 + packet_below(world, of->mips - create.base_mip_level);
    create.array_layer_count = 1 + packet_below(world, of->layers - create.base_array_layer);
    world->objects[PACKET_VIEW][index] = (struct packet_object){.alive = true, .texture = texture};
    agpu_write_create_texture_view(writer, &create);
}

/* Some object of the kind, if there is one. */
static void destroy_one(struct packet_world *world, enum packet_kind kind, struct agpu_writer *writer,
                        void (*write)(struct agpu_writer *writer, aerogpu_handle_t object))
{
    uint32_t index;
    if (!packet_find(world, kind, true, &index))
        return;
    world->objects[kind][index].alive = false;
    world->destroyed++;
    write(writer, packet_handle(world, kind, index));
}

static void destroy_resource(struct packet_world *world, struct agpu_writer *writer)
{
    const enum packet_kind kinds[] = {PACKET_BUFFER, PACKET_TEXTURE, PACKET_ALIAS};
    destroy_one(world, kinds[packet_below(world, AG_COUNT_OF(kinds))], writer, agpu_write_destroy_resource);
}

static void destroy_view(struct packet_world *world, struct agpu_writer *writer)
{
    destroy_one(world, PACKET_VIEW, writer, agpu_write_destroy_texture_view);
}

static void dirty_range(struct packet_world *world, struct agpu_writer *writer)
{
    uint32_t index;
    if (packet_find(world, PACKET_BUFFER, true, &index)) {
        const uint32_t size = world->objects[PACKET_BUFFER][index].size;
        const uint32_t offset = packet_below(world, size);
        agpu_write_resource_dirty_range(writer, packet_handle(world, PACKET_BUFFER, index), offset,
                                        packet_below(world, size - offset + 1));
    }
}

static void upload(struct packet_world *world, struct agpu_writer *writer)
{
    uint8_t bytes[LARGEST_UPLOAD];
    uint32_t index;
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)random_bits(&world->random);
    if (packet_chance(world, 3) && packet_find(world, PACKET_TEXTURE, true, &index)) {
        const struct packet_object *texture = &world->objects[PACKET_TEXTURE][index];
        const uint32_t row = texture->format >= AEROGPU_FORMAT_BC1_RGBA_UNORM ? 16 : texture->width * 4;
        agpu_write_upload_resource(writer, packet_handle(world, PACKET_TEXTURE, index),
                                   row * packet_below(world, texture->height), bytes,
                                   row < LARGEST_UPLOAD ? row : LARGEST_UPLOAD);
    } else if (packet_find(world, PACKET_BUFFER, true, &index)) {
        const uint32_t size = world->objects[PACKET_BUFFER][index].size;
        const uint32_t offset = 4 * packet_below(world, size / 4);
        const uint32_t length = 4 * (1 + packet_below(world, (size - offset) / 4));
        if (length <= LARGEST_UPLOAD && offset + length <= size)
            agpu_write_upload_resource(writer, packet_handle(world, PACKET_BUFFER, index), offset, bytes,
                                       length);
    }
}

static void copy_buffer(struct packet_world *world, struct agpu_writer *writer)
{
    uint32_t to, from;
    if (!packet_find(world, PACKET_BUFFER, true, &to) || !packet_find(world, PACKET_BUFFER, true, &from) ||
        to == from)
        return;
    const uint32_t to_words = world->objects[PACKET_BUFFER][to].size / 4;
    const uint32_t from_words = world->objects[PACKET_BUFFER][from].size / 4;
    const uint32_t words = packet_below(world, (to_words < from_words ? to_words : from_words) + 1);
    agpu_write_copy_buffer(writer, packet_handle(world, PACKET_BUFFER, to),
                           4 * (uint64_t)packet_below(world, to_words - words + 1),
                           packet_handle(world, PACKET_BUFFER, from),
                           4 * (uint64_t)packet_below(world, from_words - words + 1), 4 * (uint64_t)words,
                           packet_chance(world, 3) ? AEROGPU_COPY_FLAG_WRITEBACK_DST : 0);
}

static uint32_t mip_edge(uint32_t edge, uint32_t mip)
{
    return edge >> mip == 0 ? 1 : edge >> mip;
}

static void copy_texture(struct packet_world *world, struct agpu_writer *writer)
{
    uint32_t to, from;
    if (!packet_find(world, PACKET_TEXTURE, true, &to) || !packet_find(world, PACKET_TEXTURE, true, &from) ||
        to == from)
        return;
    const struct packet_object *target = &world->objects[PACKET_TEXTURE][to];
    const struct packet_object *source = &world->objects[PACKET_TEXTURE][from];
    struct aerogpu_cmd_copy_texture2d copy = {
        .dst_texture = packet_handle(world, PACKET_TEXTURE, to),
        .src_texture = packet_handle(world, PACKET_TEXTURE, from),
        .dst_mip_level = packet_below(world, target->mips),
        .dst_array_layer = packet_below(world, target->layers),
        .src_mip_level = packet_below(world, source->mips),
        .src_array_layer = packet_below(world, source->layers),
        .flags = target->backed && packet_chance(world, 2) ? AEROGPU_COPY_FLAG_WRITEBACK_DST : 0,
    };
    if (target->format != source->format)
        return;
    const uint32_t width = mip_edge(target->width, copy.dst_mip_level);
    const uint32_t height = mip_edge(target->height, copy.dst_mip_level);
    const bool whole = target->format >= AEROGPU_FORMAT_BC1_RGBA_UNORM;
    copy.width = whole ? width : 1 + packet_below(world, width);
    copy.height = whole ? height : 1 + packet_below(world, height);
    copy.dst_x = packet_below(world, width - copy.width + 1);
    copy.dst_y = packet_below(world, height - copy.height + 1);
    agpu_write_copy_texture2d(writer, &copy);
}

/* ---- Shaders and constants ---------------------------------------------------------------------------- */

static void create_shader_of(struct packet_world *world, struct agpu_writer *writer, int stage)
{
    uint32_t index, number;
    if (!packet_find(world, PACKET_SHADER, false, &index))
        return;
    do
        number = packet_below(world, world->shaders->count);
    while (stage >= 0 && (int)world->shaders->all[number].shader->program.stage != stage);
    const struct packet_shader *shader = &world->shaders->all[number];
    world->objects[PACKET_SHADER][index] = (struct packet_object){.alive = true, .shader = number};
    agpu_write_create_shader_dxbc(writer, packet_handle(world, PACKET_SHADER, index),
                                  (enum agpu_stream_stage)shader->shader->program.stage, shader->bytes,
                                  shader->size);
}

static void create_shader(struct packet_world *world, struct agpu_writer *writer)
{
    create_shader_of(world, writer, -1);
}

static void destroy_shader(struct packet_world *world, struct agpu_writer *writer)
{
    if (packet_chance(world, 4))
        destroy_one(world, PACKET_SHADER, writer, agpu_write_destroy_shader);
}

static void bind_shaders(struct packet_world *world, struct agpu_writer *writer)
{
    aerogpu_handle_t handles[AGPU_STREAM_STAGE_COUNT] = {0};
    for (uint32_t stage = 0; stage < AGPU_STREAM_STAGE_COUNT; stage++) {
        const bool optional =
            stage == AGPU_STAGE_GEOMETRY || stage == AGPU_STAGE_HULL || stage == AGPU_STAGE_DOMAIN;
        if (!packet_chance(world, optional ? 2 : 40))
            handles[stage] = packet_pick_shader(world, (enum agpu_stage)stage, NULL);
    }
    if (packet_chance(world, 3))
        agpu_write_bind_shaders(writer, handles[AGPU_STAGE_VERTEX], handles[AGPU_STAGE_PIXEL],
                                handles[AGPU_STAGE_COMPUTE], handles[AGPU_STAGE_GEOMETRY]);
    else
        agpu_write_bind_shaders_ex(writer, handles);
}

static void constants_f(struct packet_world *world, struct agpu_writer *writer)
{
    float values[32];
    for (size_t i = 0; i < AG_COUNT_OF(values); i++)
        values[i] = pick_float(world);
    agpu_write_set_shader_constants_f(writer, packet_pick_stage(world), packet_below(world, 240),
                                      1 + packet_below(world, 8), values);
}

static void constants_i(struct packet_world *world, struct agpu_writer *writer)
{
    int32_t values[16];
    for (size_t i = 0; i < AG_COUNT_OF(values); i++)
        values[i] = (int32_t)packet_below(world, 16);
    agpu_write_set_shader_constants_i(writer, packet_pick_stage(world), packet_below(world, 12),
                                      1 + packet_below(world, 4), values);
}

static void constants_b(struct packet_world *world, struct agpu_writer *writer)
{
    const bool values[4] = {packet_chance(world, 2), packet_chance(world, 2), packet_chance(world, 2),
                            packet_chance(world, 2)};
    agpu_write_set_shader_constants_b(writer, packet_pick_stage(world), packet_below(world, 12),
                                      1 + packet_below(world, 4), values);
}

/* ---- Input assembler ---------------------------------------------------------------------------------- */

/* Elements for what some vertex shader reads. */
static void create_layout(struct packet_world *world, struct agpu_writer *writer)
{
    static const uint32_t formats[] = {
        AG_DXGI_R32G32B32A32_FLOAT, AG_DXGI_R32G32B32_FLOAT,   AG_DXGI_R32G32_FLOAT,  AG_DXGI_R8G8B8A8_UNORM,
        AG_DXGI_R16G16_FLOAT,       AG_DXGI_R32_FLOAT,         AG_DXGI_R8G8B8A8_UINT, AG_DXGI_R16G16_UNORM,
        AG_DXGI_R16G16B16A16_FLOAT, AG_DXGI_R32G32B32A32_UINT, AG_DXGI_R32_UINT};
    struct aerogpu_input_layout_element_dxgi elements[16];
    const struct packet_object *vertex = NULL;
    uint32_t index, count = 0;
    if (!packet_find(world, PACKET_LAYOUT, false, &index) ||
        packet_pick_shader(world, AGPU_STAGE_VERTEX, &vertex) == 0)
        return;
    const struct agpu_signature *input = &world->shaders->all[vertex->shader].shader->input;
    for (uint32_t i = 0; i < input->count && count < AG_COUNT_OF(elements); i++) {
        if (input->elements[i].system_value != AGPU_SV_NONE)
            continue;
        const char *name = input->elements[i].semantic_name;
        const uint32_t slot = packet_below(world, 3);
        elements[count++] =
            (struct aerogpu_input_layout_element_dxgi){agpu_semantic_hash(name, strlen(name)),
                                                       input->elements[i].semantic_index,
                                                       formats[packet_below(world, AG_COUNT_OF(formats))],
                                                       slot,
                                                       UINT32_MAX,
                                                       slot == 2,
                                                       slot == 2};
    }
    world->objects[PACKET_LAYOUT][index] = (struct packet_object){.alive = true};
    agpu_write_create_input_layout_dxgi(writer, packet_handle(world, PACKET_LAYOUT, index), elements, count);
}

static void destroy_layout(struct packet_world *world, struct agpu_writer *writer)
{
    if (packet_chance(world, 4))
        destroy_one(world, PACKET_LAYOUT, writer, agpu_write_destroy_input_layout);
}

static void set_layout(struct packet_world *world, struct agpu_writer *writer)
{
    agpu_write_set_input_layout(writer, packet_pick(world, PACKET_LAYOUT));
}

static void set_vertex_buffers(struct packet_world *world, struct agpu_writer *writer)
{
    struct aerogpu_vertex_buffer_binding bindings[3];
    for (size_t i = 0; i < AG_COUNT_OF(bindings); i++)
        bindings[i] = (struct aerogpu_vertex_buffer_binding){
            packet_pick(world, PACKET_BUFFER), packet_below(world, 40), packet_below(world, 64), 0};
    agpu_write_set_vertex_buffers(writer, packet_below(world, 2), 1 + packet_below(world, 3), bindings);
}

static void set_index_buffer(struct packet_world *world, struct agpu_writer *writer)
{
    agpu_write_set_index_buffer(writer, packet_pick(world, PACKET_BUFFER), packet_below(world, 2),
                                4 * packet_below(world, 16));
}

static void set_topology(struct packet_world *world, struct agpu_writer *writer)
{
    static const uint32_t topologies[] = {1, 2, 3, 4, 5, 10, 11, 12, 13, 33, 35, 36, 64};
    agpu_write_set_primitive_topology(writer, topologies[packet_below(world, AG_COUNT_OF(topologies))]);
}

/* ---- State -------------------------------------------------------------------------------------------- */

static void set_blend(struct packet_world *world, struct agpu_writer *writer)
{
    const struct aerogpu_blend_state state = {
        .enable = packet_below(world, 2),
        .src_factor = packet_below(world, 8),
        .dst_factor = packet_below(world, 8),
        .blend_op = packet_below(world, 5),
        .color_write_mask = (uint8_t)packet_below(world, 16),
        .src_factor_alpha = packet_below(world, 8),
        .dst_factor_alpha = packet_below(world, 8),
        .blend_op_alpha = packet_below(world, 5),
        .blend_constant_rgba_f32 = {0x3f000000, 0, 0x3f800000, 0},
        .sample_mask = UINT32_MAX
    };
    agpu_write_set_blend_state(writer, &state);
}

static void set_depth_stencil(struct packet_world *world, struct agpu_writer *writer)
{
    const struct aerogpu_depth_stencil_state state = {
        .depth_enable = packet_below(world, 2),
        .depth_write_enable = packet_below(world, 2),
        .depth_func = packet_below(world, 8),
        .stencil_enable = packet_below(world, 2),
        .stencil_read_mask = 255,
        .stencil_write_mask = 255,
    };
    agpu_write_set_depth_stencil_state(writer, &state);
}

static void set_rasterizer(struct packet_world *world, struct agpu_writer *writer)
{
    const struct aerogpu_rasterizer_state state = {
        .fill_mode = packet_below(world, 2),
        .cull_mode = packet_below(world, 3),
        .front_ccw = packet_below(world, 2),
        .scissor_enable = packet_below(world, 2),
        .depth_bias = (int32_t)packet_below(world, 100) - 50,
        .flags = packet_below(world, 2),
    };
    agpu_write_set_rasterizer_state(writer, &state);
}

static void set_targets(struct packet_world *world, struct agpu_writer *writer)
{
    aerogpu_handle_t colors[4] = {0};
    aerogpu_handle_t depth = 0;
    uint32_t index;
    for (size_t i = 0; i < AG_COUNT_OF(colors); i++) {
        if (packet_find(world, PACKET_TEXTURE, true, &index) &&
            (world->objects[PACKET_TEXTURE][index].usage & AEROGPU_RESOURCE_USAGE_RENDER_TARGET) != 0)
            colors[i] = packet_handle(world, PACKET_TEXTURE, index);
    }
    if (packet_find(world, PACKET_TEXTURE, true, &index) &&
        (world->objects[PACKET_TEXTURE][index].usage & AEROGPU_RESOURCE_USAGE_DEPTH_STENCIL) != 0)
        depth = packet_handle(world, PACKET_TEXTURE, index);
    agpu_write_set_render_targets(writer, packet_chance(world, 2) ? 1 : packet_below(world, 5), colors,
                                  depth);
}

static void set_viewport(struct packet_world *world, struct agpu_writer *writer)
{
    if (packet_chance(world, 2))
        agpu_write_set_viewport(writer, 0, 0, LARGEST_EDGE, LARGEST_EDGE, 0, 1);
    else
        agpu_write_set_viewport(writer, pick_float(world), pick_float(world), pick_float(world),
                                pick_float(world), pick_float(world), pick_float(world));
}

static void set_scissor(struct packet_world *world, struct agpu_writer *writer)
{
    agpu_write_set_scissor(writer, (int32_t)packet_below(world, 16) - 4, (int32_t)packet_below(world, 16) - 4,
                           (int32_t)packet_below(world, 64), (int32_t)packet_below(world, 64));
}

/* ---- Bindings ----------------------------------------------------------------------------------------- */

static void set_texture(struct packet_world *world, struct agpu_writer *writer)
{
    agpu_write_set_texture(writer, packet_pick_stage(world), packet_below(world, 6), pick_picture(world));
}

static void create_sampler(struct packet_world *world, struct agpu_writer *writer)
{
    uint32_t index;
    if (!packet_find(world, PACKET_SAMPLER, false, &index))
        return;
    world->objects[PACKET_SAMPLER][index] = (struct packet_object){.alive = true};
    agpu_write_create_sampler(writer, packet_handle(world, PACKET_SAMPLER, index), packet_below(world, 2),
                              packet_below(world, 3), packet_below(world, 3), packet_below(world, 3));
}

static void destroy_sampler(struct packet_world *world, struct agpu_writer *writer)
{
    destroy_one(world, PACKET_SAMPLER, writer, agpu_write_destroy_sampler);
}

static void set_samplers(struct packet_world *world, struct agpu_writer *writer)
{
    const aerogpu_handle_t samplers[2] = {packet_pick(world, PACKET_SAMPLER),
                                          packet_pick(world, PACKET_SAMPLER)};
    agpu_write_set_samplers(writer, packet_pick_stage(world), packet_below(world, 4),
                            1 + packet_below(world, 2), samplers);
}

static void set_constant_buffers(struct packet_world *world, struct agpu_writer *writer)
{
    const struct aerogpu_constant_buffer_binding binding = {
        packet_pick(world, PACKET_BUFFER), 256 * packet_below(world, 2),
        packet_chance(world, 2) ? 0 : 16 * packet_below(world, 16), 0};
    agpu_write_set_constant_buffers(writer, packet_pick_stage(world), packet_below(world, 4), 1, &binding);
}

static void set_resource_buffers(struct packet_world *world, struct agpu_writer *writer)
{
    const struct aerogpu_shader_resource_buffer_binding binding = {
        packet_pick(world, PACKET_BUFFER), 4 * packet_below(world, 8), 4 * packet_below(world, 64), 0};
    agpu_write_set_shader_resource_buffers(writer, packet_pick_stage(world), packet_below(world, 4), 1,
                                           &binding);
}

static void set_unordered_buffers(struct packet_world *world, struct agpu_writer *writer)
{
    const struct aerogpu_unordered_access_buffer_binding binding = {
        packet_pick(world, PACKET_BUFFER), 4 * packet_below(world, 8), 4 * packet_below(world, 64),
        packet_chance(world, 2) ? UINT32_MAX : 3};
    agpu_write_set_unordered_access_buffers(
        writer, packet_chance(world, 3) ? AGPU_STREAM_STAGE_PIXEL : AGPU_STREAM_STAGE_COMPUTE,
        packet_below(world, 4), 1, &binding);
}

static void set_sampler_state(struct packet_world *world, struct agpu_writer *writer)
{
    agpu_write_set_sampler_state(writer, (enum agpu_stream_stage)packet_below(world, 3),
                                 packet_below(world, 4), packet_below(world, 14), packet_below(world, 4));
}

static void set_render_state(struct packet_world *world, struct agpu_writer *writer)
{
    agpu_write_set_render_state(writer, packet_below(world, 210), packet_below(world, 4));
}

/* ---- Work --------------------------------------------------------------------------------------------- */

static void clear(struct packet_world *world, struct agpu_writer *writer)
{
    const float color[4] = {pick_float(world), pick_float(world), 0.25f, 1};
    agpu_write_clear(writer, 1 + packet_below(world, 7), color, 0.5f, packet_below(world, 256));
}

static void draw(struct packet_world *world, struct agpu_writer *writer)
{
    agpu_write_draw(writer, packet_below(world, 13), 1 + packet_below(world, 3), packet_below(world, 5),
                    packet_below(world, 3));
}

static void draw_indexed(struct packet_world *world, struct agpu_writer *writer)
{
    agpu_write_draw_indexed(writer, packet_below(world, 13), 1 + packet_below(world, 3),
                            packet_below(world, 5), (int32_t)packet_below(world, 5) - 2,
                            packet_below(world, 3));
}

static void dispatch(struct packet_world *world, struct agpu_writer *writer)
{
    if (packet_pick_shader(world, AGPU_STAGE_COMPUTE, NULL) == 0)
        return;
    bind_shaders(world, writer);
    agpu_write_dispatch(writer, AGPU_STREAM_STAGE_COMPUTE, packet_below(world, 3), 1,
                        1 + packet_below(world, 2));
}

static void present(struct packet_world *world, struct agpu_writer *writer)
{
    if (packet_chance(world, 2))
        agpu_write_present(writer, 0, packet_below(world, 2));
    else
        agpu_write_present_ex(writer, 0, packet_below(world, 2), packet_below(world, 4));
}

static void export_surface(struct packet_world *world, struct agpu_writer *writer)
{
    uint32_t index;
    if (!packet_find(world, PACKET_TEXTURE, true, &index) ||
        world->objects[PACKET_TEXTURE][index].token != 0 ||
        world->objects[PACKET_TEXTURE][index].mips * world->objects[PACKET_TEXTURE][index].layers != 1)
        return;
    world->objects[PACKET_TEXTURE][index].token = world->next_token;
    agpu_write_export_shared_surface(writer, packet_handle(world, PACKET_TEXTURE, index),
                                     world->next_token++);
}

static void import_surface(struct packet_world *world, struct agpu_writer *writer)
{
    uint32_t texture, alias;
    if (!packet_find(world, PACKET_TEXTURE, true, &texture) ||
        world->objects[PACKET_TEXTURE][texture].token == 0 ||
        !packet_find(world, PACKET_ALIAS, false, &alias))
        return;
    world->objects[PACKET_ALIAS][alias].alive = true;
    agpu_write_import_shared_surface(writer, packet_handle(world, PACKET_ALIAS, alias),
                                     world->objects[PACKET_TEXTURE][texture].token);
}

static void release_surface(struct packet_world *world, struct agpu_writer *writer)
{
    uint32_t index;
    if (!packet_find(world, PACKET_TEXTURE, true, &index) || world->objects[PACKET_TEXTURE][index].token == 0)
        return;
    agpu_write_release_shared_surface(writer, world->objects[PACKET_TEXTURE][index].token);
    world->objects[PACKET_TEXTURE][index].token = 0;
}

static void say_nothing(struct packet_world *world, struct agpu_writer *writer)
{
    switch (packet_below(world, 3)) {
    case 0:
        agpu_write_nop(writer, 4 * (size_t)packet_below(world, 4));
        break;
    case 1:
        agpu_write_debug_marker(writer, "a marker");
        break;
    default:
        agpu_write_flush(writer);
        break;
    }
}

/* ---- Order -------------------------------------------------------------------------------------------- */

typedef void packet_function(struct packet_world *world, struct agpu_writer *writer);

/* What is rarer than a draw stands here once. */
static packet_function *const functions[] = {
    create_buffer,
    create_texture,
    create_view,
    destroy_resource,
    destroy_view,
    dirty_range,
    upload,
    upload,
    copy_buffer,
    copy_texture,
    create_shader,
    destroy_shader,
    bind_shaders,
    bind_shaders,
    constants_f,
    constants_i,
    constants_b,
    create_layout,
    destroy_layout,
    set_layout,
    set_layout,
    set_vertex_buffers,
    set_vertex_buffers,
    set_index_buffer,
    set_topology,
    set_blend,
    set_depth_stencil,
    set_rasterizer,
    set_targets,
    set_targets,
    set_viewport,
    set_scissor,
    set_texture,
    set_texture,
    create_sampler,
    destroy_sampler,
    set_samplers,
    set_constant_buffers,
    set_resource_buffers,
    set_unordered_buffers,
    set_sampler_state,
    set_render_state,
    clear,
    dispatch,
    present,
    export_surface,
    import_surface,
    release_surface,
    say_nothing,
    packet_world_write_state,
    packet_world_write_state,
    packet_world_write_state,
    packet_world_write_state,
    packet_world_write_query,
    packet_world_write_query,
    packet_world_write_query,
    packet_world_write_query,
    packet_world_write_shader,
    packet_world_write_shader,
    packet_world_write_shader,
    packet_world_write_resource,
    packet_world_write_resource,
    packet_world_write_resource,
    packet_world_write_resource,
    packet_world_write_resource,
    packet_world_write_resource,
    packet_world_write_resource,
    packet_world_write_view,
    packet_world_write_view,
    packet_world_write_view,
};

void packet_world_init(struct packet_world *world, uint64_t seed, const struct packet_shaders *shaders,
                       uint32_t allocation_count)
{
    *world = (struct packet_world){.random = {seed},
                                   .shaders = shaders,
                                   .allocation_count = allocation_count,
                                   .next_token = seed << 20 | 1,
                                   .first_handle = 1};
}

void packet_world_begin(struct packet_world *world, struct agpu_writer *writer)
{
    memset(world->objects, 0, sizeof world->objects);
    world->first_handle += PACKET_KIND_COUNT * PACKET_HANDLES;
    for (uint32_t i = 0; i < 4; i++) {
        create_buffer(world, writer);
        create_texture(world, writer);
        create_texture(world, writer);
        create_sampler(world, writer);
    }
    for (int stage = 0; stage < AGPU_STAGE_COUNT; stage++)
        create_shader_of(world, writer, stage);
    create_layout(world, writer);
    packet_world_bind(world, writer);
}

void packet_world_bind(struct packet_world *world, struct agpu_writer *writer)
{
    set_targets(world, writer);
    bind_shaders(world, writer);
    agpu_write_set_viewport(writer, 0, 0, LARGEST_EDGE, LARGEST_EDGE, 0, 1);
}

void packet_world_write(struct packet_world *world, struct agpu_writer *writer)
{
    if (!packet_chance(world, 4))
        functions[packet_below(world, AG_COUNT_OF(functions))](world, writer);
    else if (packet_chance(world, 2))
        draw(world, writer);
    else
        draw_indexed(world, writer);
}
