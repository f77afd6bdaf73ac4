/* SPDX-License-Identifier: MIT
 *
 * Shaders of the extension: bare tokens with signatures, stream output, layouts by register, class instances.
 */
#include "aerogpu/abi/pci.h"
#include "base/bytes.h"
#include "format/formats.h"
#include "packet_world.h"

#define MOST_ELEMENTS 64u

/* ---- Signatures --------------------------------------------------------------------------------------- */

/* The driver's name of a system value: each tessellation factor is its own, and targets have none. */
static uint32_t name_token(const struct agpu_signature_element *element)
{
    static const uint32_t first_factors[] = {11, 15, 17, 20, 21, 22};
    const uint32_t value = element->system_value;
    if (value < AGPU_SV_QUAD_EDGE_TESS_FACTOR)
        return value;
    if (value > AGPU_SV_LINE_DENSITY_TESS_FACTOR)
        return 0;
    const uint32_t first = first_factors[value - AGPU_SV_QUAD_EDGE_TESS_FACTOR];
    return value >= AGPU_SV_LINE_DETAIL_TESS_FACTOR ? first : first + element->semantic_index;
}

/* Makes an object of it; its handle. */
static uint32_t write_signature(struct packet_world *world, struct agpu_writer *writer,
                                const struct agpu_signature *signature)
{
    struct aerogpu_ext_signature_element elements[MOST_ELEMENTS];
    const struct aerogpu_cmd_ext_create_signature create = {.object_handle = packet_new_object(world)};
    const bool typed = packet_chance(world, 2);
    uint32_t count = 0;
    for (; count < signature->count && count < MOST_ELEMENTS; count++) {
        const struct agpu_signature_element *from = &signature->elements[count];
        elements[count] = (struct aerogpu_ext_signature_element){
            .system_value = name_token(from),
            .register_index = from->register_index,
            .mask = from->mask,
            .stream = from->stream,
            .component_type = typed ? from->component_type : 0,
            .min_precision = from->min_precision,
        };
    }
    agpu_write_packet(writer, AEROGPU_CMD_EXT_CREATE_SIGNATURE, &create, sizeof create, elements,
                      count * sizeof elements[0]);
    return create.object_handle;
}

static void create_from_tokens(struct packet_world *world, struct agpu_writer *writer)
{
    const uint32_t number = packet_below(world, world->shaders->count);
    const struct agpu_shader *shader = world->shaders->all[number].shader;
    uint32_t index;
    if (!packet_find(world, PACKET_SHADER, false, &index))
        return;
    const struct aerogpu_cmd_ext_create_shader create = {
        .shader_handle = packet_handle(world, PACKET_SHADER, index),
        .program = (uint32_t)shader->program.stage,
        .input_signature = write_signature(world, writer, &shader->input),
        .output_signature = write_signature(world, writer, &shader->output),
        .patch_constant_signature = write_signature(world, writer, &shader->patch_constant),
    };
    agpu_write_packet(writer, AEROGPU_CMD_EXT_CREATE_SHADER, &create, sizeof create, shader->program.tokens,
                      shader->program.token_count * sizeof(uint32_t));
    world->objects[PACKET_SHADER][index] = (struct packet_object){.alive = true, .shader = number};
    packet_destroy_object(writer, create.input_signature);
    packet_destroy_object(writer, create.output_signature);
    packet_destroy_object(writer, create.patch_constant_signature);
}

/* ---- Stream output ------------------------------------------------------------------------------------ */

/* The lowest components of a mask that follow each other. */
static uint32_t first_run(uint32_t mask)
{
    const uint32_t low = mask & (~mask + 1);
    return mask & ~(mask + low);
}

/* A declaration of what an output has. Each stream has a buffer of its own, the first one more. */
static uint32_t write_declaration(struct packet_world *world, struct agpu_writer *writer,
                                  const struct agpu_signature *output)
{
    struct aerogpu_ext_stream_output_element elements[MOST_ELEMENTS];
    struct aerogpu_cmd_ext_create_stream_output create = {
        .object_handle = packet_new_object(world),
        .rasterized_stream = ONE_OF(world, 0, 0, 1, AEROGPU_EXT_STREAM_OUTPUT_NOT_RASTERIZED),
    };
    uint32_t count = 0;
    for (uint32_t i = 0; i < output->count && count + 1 < MOST_ELEMENTS && count < 24; i++) {
        const struct agpu_signature_element *from = &output->elements[i];
        if (from->register_index == AGPU_REGISTER_NONE || from->mask == 0 || packet_chance(world, 4))
            continue;
        elements[count++] = (struct aerogpu_ext_stream_output_element){from->stream, from->register_index,
                                                                       first_run(from->mask), from->stream};
        if (packet_chance(world, 6))
            elements[count++] = (struct aerogpu_ext_stream_output_element){
                from->stream, AEROGPU_EXT_STREAM_OUTPUT_GAP, ONE_OF(world, 1, 3, 7, 15), from->stream};
    }
    if (packet_chance(world, 3))
        create.stride_bytes[0] = 512;
    agpu_write_packet(writer, AEROGPU_CMD_EXT_CREATE_STREAM_OUTPUT, &create, sizeof create, elements,
                      count * sizeof elements[0]);
    return create.object_handle;
}

static void set_targets(struct packet_world *world, struct agpu_writer *writer)
{
    struct aerogpu_ext_stream_output_target targets[4] = {{0}};
    const struct aerogpu_cmd_ext_set_stream_output_targets set = {0};
    const uint32_t count = packet_below(world, 5);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t buffer = packet_pick(world, PACKET_BUFFER);
        bool twice = false;
        for (uint32_t j = 0; j < i; j++)
            twice = twice || targets[j].buffer == buffer;
        targets[i].buffer = twice ? 0 : buffer;
        targets[i].offset_bytes = packet_chance(world, 3) ? UINT32_MAX : 4 * packet_below(world, 16);
    }
    agpu_write_packet(writer, AEROGPU_CMD_EXT_SET_STREAM_OUTPUT_TARGETS, &set, sizeof set, targets,
                      count * sizeof targets[0]);
}

static void draw_auto(struct packet_world *world, struct agpu_writer *writer)
{
    const struct aerogpu_cmd_ext_draw_auto draw = {0};
    const struct aerogpu_vertex_buffer_binding binding = {
        packet_pick(world, PACKET_BUFFER), 16 + packet_below(world, 32), 4 * packet_below(world, 8), 0};
    if (packet_chance(world, 2))
        agpu_write_set_vertex_buffers(writer, 0, 1, &binding);
    agpu_write_packet(writer, AEROGPU_CMD_EXT_DRAW_AUTO, &draw, sizeof draw, NULL, 0);
}

/* A geometry shader that streams: one of its own, or what the vertex shader makes. Draws, then goes. */
static void stream_out(struct packet_world *world, struct agpu_writer *writer)
{
    const bool geometry = packet_chance(world, 2);
    const struct packet_object *vertex, *object;
    uint32_t index;
    const uint32_t vertex_handle = packet_pick_shader(world, AGPU_STAGE_VERTEX, &vertex);
    if (vertex_handle == 0 || !packet_find(world, PACKET_SHADER, false, &index))
        return;
    object = vertex;
    if (geometry && packet_pick_shader(world, AGPU_STAGE_GEOMETRY, &object) == 0)
        return;
    const struct packet_shader *source = &world->shaders->all[object->shader];
    struct aerogpu_cmd_ext_create_shader create = {
        .shader_handle = packet_handle(world, PACKET_SHADER, index),
        .program = AEROGPU_EXT_PROGRAM_GEOMETRY,
        .stream_output = write_declaration(world, writer, &source->shader->output),
    };
    if (!geometry)
        create.output_signature = write_signature(world, writer, &source->shader->output);
    agpu_write_packet(writer, AEROGPU_CMD_EXT_CREATE_SHADER, &create, sizeof create, source->bytes,
                      geometry ? source->size : 0);
    agpu_write_bind_shaders(writer, vertex_handle, packet_pick_shader(world, AGPU_STAGE_PIXEL, NULL), 0,
                            create.shader_handle);
    for (uint32_t draws = 1 + packet_below(world, 2); draws > 0; draws--) {
        set_targets(world, writer);
        agpu_write_draw(writer, packet_below(world, 13), 1 + packet_below(world, 2), 0, 0);
    }
    if (packet_chance(world, 2)) {
        const struct aerogpu_cmd_ext_set_stream_output_targets none = {0};
        agpu_write_packet(writer, AEROGPU_CMD_EXT_SET_STREAM_OUTPUT_TARGETS, &none, sizeof none, NULL, 0);
        agpu_write_bind_shaders(writer, vertex_handle, packet_pick_shader(world, AGPU_STAGE_PIXEL, NULL), 0,
                                0);
        draw_auto(world, writer);
    }
    packet_world_bind(world, writer);
    agpu_write_destroy_shader(writer, create.shader_handle);
    packet_destroy_object(writer, create.stream_output);
    if (create.output_signature != 0)
        packet_destroy_object(writer, create.output_signature);
}

/* ---- Layouts and instances ---------------------------------------------------------------------------- */

static void create_layout(struct packet_world *world, struct agpu_writer *writer)
{
    struct aerogpu_ext_input_element elements[16];
    const struct packet_object *vertex;
    uint32_t index, count = 0;
    if (!packet_find(world, PACKET_LAYOUT, false, &index) ||
        packet_pick_shader(world, AGPU_STAGE_VERTEX, &vertex) == 0)
        return;
    const struct aerogpu_cmd_ext_create_input_layout create = {
        .input_layout_handle = packet_handle(world, PACKET_LAYOUT, index)};
    const struct agpu_signature *input = &world->shaders->all[vertex->shader].shader->input;
    for (uint32_t i = 0; i < input->count && count < AG_COUNT_OF(elements); i++) {
        if (input->elements[i].system_value != AGPU_SV_NONE)
            continue;
        const uint32_t slot = packet_below(world, 3);
        const uint32_t format = ONE_OF(
            world, AG_DXGI_R32G32B32A32_FLOAT, AG_DXGI_R32G32B32_FLOAT, AG_DXGI_R32G32_FLOAT,
            AG_DXGI_R8G8B8A8_UNORM, AG_DXGI_R16G16_FLOAT, AG_DXGI_R32_FLOAT, AG_DXGI_R8G8B8A8_UINT,
            AG_DXGI_R16G16_UNORM, AG_DXGI_R16G16B16A16_FLOAT, AG_DXGI_R32G32B32A32_UINT, AG_DXGI_R32_UINT);
        elements[count++] = (struct aerogpu_ext_input_element){
            .input_register = input->elements[i].register_index,
            .format = packet_chance(world, 2) ? AEROGPU_EXT_FORMAT(format) : format,
            .input_slot = slot,
            .aligned_byte_offset = UINT32_MAX,
            .input_slot_class = slot == 2,
            .instance_data_step_rate = slot == 2,
        };
    }
    world->objects[PACKET_LAYOUT][index] = (struct packet_object){.alive = true};
    agpu_write_packet(writer, AEROGPU_CMD_EXT_CREATE_INPUT_LAYOUT, &create, sizeof create, elements,
                      count * sizeof elements[0]);
    agpu_write_set_input_layout(writer, create.input_layout_handle);
}

static void set_class_instances(struct packet_world *world, struct agpu_writer *writer)
{
    struct aerogpu_ext_class_instance instances[4];
    struct aerogpu_cmd_ext_set_class_instances set = {0};
    const uint32_t count = packet_below(world, 5);
    (void)agpu_stage_encode(packet_pick_stage(world), AEROGPU_ABI_MINOR, &set.shader_stage, &set.reserved0);
    for (uint32_t i = 0; i < count; i++)
        instances[i] = (struct aerogpu_ext_class_instance){
            .function_table = ONE_OF(world, 0, 1, 2, AEROGPU_EXT_ALL),
            .constant_buffer = packet_below(world, 4),
            .constant_offset_bytes = 16 * packet_below(world, 4),
            .texture = packet_below(world, 4),
            .sampler = packet_below(world, 4),
        };
    agpu_write_packet(writer, AEROGPU_CMD_EXT_SET_CLASS_INSTANCES, &set, sizeof set, instances,
                      count * sizeof instances[0]);
}

void packet_world_write_shader(struct packet_world *world, struct agpu_writer *writer)
{
    static void (*const functions[])(struct packet_world *, struct agpu_writer *) = {
        create_from_tokens, stream_out,    stream_out,          set_targets,
        draw_auto,          create_layout, set_class_instances,
    };
    functions[packet_below(world, AG_COUNT_OF(functions))](world, writer);
}
