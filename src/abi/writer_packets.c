/* SPDX-License-Identifier: MIT
 *
 * The packet functions of the stream writer, one for each packet.
 */
#include <string.h>

#include "abi/packet.h"
#include "abi/writer.h"
#include "base/bytes.h"

#define APPEND(writer, opcode, packet)                                                                       \
    ag_writer_append((writer), AEROGPU_CMD_##opcode, &(packet), sizeof(packet), NULL, 0)
#define APPEND_PAYLOAD(writer, opcode, packet, payload, payload_size)                                        \
    ag_writer_append((writer), AEROGPU_CMD_##opcode, &(packet), sizeof(packet), (payload), (payload_size))

/* The stage words of a packet; false, with the writer's error set, when the stream's minor version cannot
 * express the stage. */
static bool encode_stage(struct agpu_writer *writer, enum agpu_stream_stage stage, uint32_t *word,
                         uint32_t *stage_ex)
{
    if (agpu_stage_encode(stage, writer->minor, word, stage_ex))
        return true;
    ag_writer_refuse(writer, AGPU_DIAG_ABI_STAGE, "the stream's ABI minor has no words for this stage");
    return false;
}

/* ---- Generic ------------------------------------------------------------------------------------------- */

void agpu_write_raw(struct agpu_writer *writer, uint32_t opcode, const void *bytes, size_t size)
{
    const struct aerogpu_cmd_hdr packet = {.opcode = opcode};
    ag_writer_append(writer, opcode, &packet, sizeof packet, bytes, size);
}

/* How many bytes one unit of the packet's count field stands for. */
static size_t payload_unit(const struct ag_payload_info *payload)
{
    if (payload->kind == AG_PAYLOAD_ARRAY)
        return payload->element->size;
    return payload->kind == AG_PAYLOAD_WORDS ? (size_t)payload->words_per_count * 4 : 1;
}

static void clear_reserved(const struct agpu_packet_info *info, uint8_t *packet)
{
    for (uint16_t i = 0; i < info->fixed.field_count; i++) {
        const struct ag_field_info *field = &info->fixed.fields[i];
        if (strncmp(field->name, "reserved", 8) == 0 && field->offset != info->stage_ex_offset)
            memset(packet + field->offset, 0, field->type == AG_FIELD_U64 ? 8 : 4);
    }
}

void agpu_write_packet(struct agpu_writer *writer, uint32_t opcode, const void *packet, size_t size,
                       const void *payload, size_t payload_size)
{
    const struct agpu_packet_info *info = ag_packet_info(opcode);
    if (info == NULL || size != info->fixed.size) {
        ag_writer_refuse(writer, AGPU_DIAG_ABI_PACKET_SIZE,
                         info == NULL ? "there is no packet with this opcode"
                                      : "the packet's structure has another size");
        return;
    }
    const size_t unit = payload_unit(&info->payload);
    if ((info->payload.kind == AG_PAYLOAD_NONE && payload_size != 0) || payload_size % unit != 0) {
        ag_writer_refuse(writer, AGPU_DIAG_ABI_PACKET_PAYLOAD,
                         "the packet has no such payload, or it ends within an element");
        return;
    }
    uint8_t *room = ag_writer_reserve(writer, opcode, packet, size, payload_size);
    if (room == NULL)
        return;
    if (payload_size > 0)
        memcpy(room, payload, payload_size);
    clear_reserved(info, room - size);
    if (info->payload.count_offset != 0)
        ag_store_u32(room - size + info->payload.count_offset, (uint32_t)(payload_size / unit));
    if (info->payload.count_is_u64)
        ag_store_u32(room - size + info->payload.count_offset + 4, 0);
}

void agpu_write_nop(struct agpu_writer *writer, size_t size)
{
    const struct aerogpu_cmd_hdr packet = {.opcode = AEROGPU_CMD_NOP};
    ag_writer_reserve(writer, AEROGPU_CMD_NOP, &packet, sizeof packet, size);
}

void agpu_write_debug_marker(struct agpu_writer *writer, const char *text)
{
    agpu_write_raw(writer, AEROGPU_CMD_DEBUG_MARKER, text, strlen(text));
}

/* ---- Resources ----------------------------------------------------------------------------------------- */

void agpu_write_create_buffer(struct agpu_writer *writer, aerogpu_handle_t buffer, uint32_t usage,
                              uint64_t size_bytes, uint32_t alloc_id, uint32_t alloc_offset_bytes)
{
    const struct aerogpu_cmd_create_buffer packet = {
        .buffer_handle = buffer,
        .usage_flags = usage,
        .size_bytes = size_bytes,
        .backing_alloc_id = alloc_id,
        .backing_offset_bytes = alloc_offset_bytes,
    };
    APPEND(writer, CREATE_BUFFER, packet);
}

void agpu_write_create_texture2d(struct agpu_writer *writer,
                                 const struct aerogpu_cmd_create_texture2d *texture)
{
    struct aerogpu_cmd_create_texture2d packet = *texture;
    packet.reserved0 = 0;
    APPEND(writer, CREATE_TEXTURE2D, packet);
}

void agpu_write_create_texture_view(struct agpu_writer *writer,
                                    const struct aerogpu_cmd_create_texture_view *view)
{
    struct aerogpu_cmd_create_texture_view packet = *view;
    packet.reserved0 = 0;
    APPEND(writer, CREATE_TEXTURE_VIEW, packet);
}

void agpu_write_destroy_resource(struct agpu_writer *writer, aerogpu_handle_t resource)
{
    const struct aerogpu_cmd_destroy_resource packet = {.resource_handle = resource};
    APPEND(writer, DESTROY_RESOURCE, packet);
}

void agpu_write_destroy_texture_view(struct agpu_writer *writer, aerogpu_handle_t view)
{
    const struct aerogpu_cmd_destroy_texture_view packet = {.view_handle = view};
    APPEND(writer, DESTROY_TEXTURE_VIEW, packet);
}

void agpu_write_resource_dirty_range(struct agpu_writer *writer, aerogpu_handle_t resource,
                                     uint64_t offset_bytes, uint64_t size_bytes)
{
    const struct aerogpu_cmd_resource_dirty_range packet = {
        .resource_handle = resource, .offset_bytes = offset_bytes, .size_bytes = size_bytes};
    APPEND(writer, RESOURCE_DIRTY_RANGE, packet);
}

void agpu_write_upload_resource(struct agpu_writer *writer, aerogpu_handle_t resource, uint64_t offset_bytes,
                                const void *data, size_t size_bytes)
{
    const struct aerogpu_cmd_upload_resource packet = {
        .resource_handle = resource, .offset_bytes = offset_bytes, .size_bytes = size_bytes};
    APPEND_PAYLOAD(writer, UPLOAD_RESOURCE, packet, data, size_bytes);
}

void agpu_write_copy_buffer(struct agpu_writer *writer, aerogpu_handle_t destination,
                            uint64_t destination_offset_bytes, aerogpu_handle_t source,
                            uint64_t source_offset_bytes, uint64_t size_bytes, uint32_t flags)
{
    const struct aerogpu_cmd_copy_buffer packet = {
        .dst_buffer = destination,
        .src_buffer = source,
        .dst_offset_bytes = destination_offset_bytes,
        .src_offset_bytes = source_offset_bytes,
        .size_bytes = size_bytes,
        .flags = flags,
    };
    APPEND(writer, COPY_BUFFER, packet);
}

void agpu_write_copy_texture2d(struct agpu_writer *writer, const struct aerogpu_cmd_copy_texture2d *copy)
{
    struct aerogpu_cmd_copy_texture2d packet = *copy;
    packet.reserved0 = 0;
    APPEND(writer, COPY_TEXTURE2D, packet);
}

/* ---- Shaders and constants ----------------------------------------------------------------------------- */

void agpu_write_create_shader_dxbc(struct agpu_writer *writer, aerogpu_handle_t shader,
                                   enum agpu_stream_stage stage, const void *dxbc, uint32_t size_bytes)
{
    struct aerogpu_cmd_create_shader_dxbc packet = {.shader_handle = shader, .dxbc_size_bytes = size_bytes};
    uint32_t word, stage_ex;
    if (!encode_stage(writer, stage, &word, &stage_ex))
        return;
    packet.stage = word;
    packet.reserved0 = stage_ex;
    APPEND_PAYLOAD(writer, CREATE_SHADER_DXBC, packet, dxbc, size_bytes);
}

void agpu_write_destroy_shader(struct agpu_writer *writer, aerogpu_handle_t shader)
{
    const struct aerogpu_cmd_destroy_shader packet = {.shader_handle = shader};
    APPEND(writer, DESTROY_SHADER, packet);
}

void agpu_write_bind_shaders(struct agpu_writer *writer, aerogpu_handle_t vs, aerogpu_handle_t ps,
                             aerogpu_handle_t cs, aerogpu_handle_t gs)
{
    const struct aerogpu_cmd_bind_shaders packet = {.vs = vs, .ps = ps, .cs = cs, .reserved0 = gs};
    APPEND(writer, BIND_SHADERS, packet);
}

void agpu_write_bind_shaders_ex(struct agpu_writer *writer,
                                const aerogpu_handle_t shaders[AGPU_STREAM_STAGE_COUNT])
{
    const struct aerogpu_cmd_bind_shaders_ex packet = {
        .vs = shaders[AGPU_STREAM_STAGE_VERTEX],
        .ps = shaders[AGPU_STREAM_STAGE_PIXEL],
        .cs = shaders[AGPU_STREAM_STAGE_COMPUTE],
        .reserved0 = shaders[AGPU_STREAM_STAGE_GEOMETRY],
        .gs = shaders[AGPU_STREAM_STAGE_GEOMETRY],
        .hs = shaders[AGPU_STREAM_STAGE_HULL],
        .ds = shaders[AGPU_STREAM_STAGE_DOMAIN],
    };
    APPEND(writer, BIND_SHADERS, packet);
}

void agpu_write_set_shader_constants_f(struct agpu_writer *writer, enum agpu_stream_stage stage,
                                       uint32_t start_register, uint32_t count, const float *values)
{
    uint32_t word, stage_ex;
    if (!encode_stage(writer, stage, &word, &stage_ex))
        return;
    const struct aerogpu_cmd_set_shader_constants_f packet = {
        .stage = word, .start_register = start_register, .vec4_count = count, .reserved0 = stage_ex};
    APPEND_PAYLOAD(writer, SET_SHADER_CONSTANTS_F, packet, values, UINT64_C(16) * count);
}

void agpu_write_set_shader_constants_i(struct agpu_writer *writer, enum agpu_stream_stage stage,
                                       uint32_t start_register, uint32_t count, const int32_t *values)
{
    uint32_t word, stage_ex;
    if (!encode_stage(writer, stage, &word, &stage_ex))
        return;
    const struct aerogpu_cmd_set_shader_constants_i packet = {
        .stage = word, .start_register = start_register, .vec4_count = count, .reserved0 = stage_ex};
    APPEND_PAYLOAD(writer, SET_SHADER_CONSTANTS_I, packet, values, UINT64_C(16) * count);
}

void agpu_write_set_shader_constants_b(struct agpu_writer *writer, enum agpu_stream_stage stage,
                                       uint32_t start_register, uint32_t count, const bool *values)
{
    uint32_t word, stage_ex;
    if (!encode_stage(writer, stage, &word, &stage_ex))
        return;
    const struct aerogpu_cmd_set_shader_constants_b packet = {
        .stage = word, .start_register = start_register, .bool_count = count, .reserved0 = stage_ex};
    uint8_t *room = ag_writer_reserve(writer, AEROGPU_CMD_SET_SHADER_CONSTANTS_B, &packet, sizeof packet,
                                      UINT64_C(16) * count);
    if (room == NULL)
        return;
    for (size_t i = 0; i < 4 * (size_t)count; i++)
        ag_store_u32(room + 4 * i, values[i / 4] ? 1 : 0);
}

/* ---- Input assembler ----------------------------------------------------------------------------------- */

void agpu_write_create_input_layout(struct agpu_writer *writer, aerogpu_handle_t layout, const void *blob,
                                    uint32_t size_bytes)
{
    const struct aerogpu_cmd_create_input_layout packet = {.input_layout_handle = layout,
                                                           .blob_size_bytes = size_bytes};
    APPEND_PAYLOAD(writer, CREATE_INPUT_LAYOUT, packet, blob, size_bytes);
}

void agpu_write_create_input_layout_dxgi(struct agpu_writer *writer, aerogpu_handle_t layout,
                                         const struct aerogpu_input_layout_element_dxgi *elements,
                                         uint32_t count)
{
    const struct aerogpu_input_layout_blob_header header = {
        .magic = AEROGPU_INPUT_LAYOUT_BLOB_MAGIC,
        .version = AEROGPU_INPUT_LAYOUT_BLOB_VERSION,
        .element_count = count,
    };
    const uint64_t size = sizeof header + sizeof *elements * (uint64_t)count;
    const struct aerogpu_cmd_create_input_layout packet = {.input_layout_handle = layout,
                                                           .blob_size_bytes = (uint32_t)size};
    uint8_t *room = ag_writer_reserve(writer, AEROGPU_CMD_CREATE_INPUT_LAYOUT, &packet, sizeof packet, size);
    if (room == NULL)
        return;
    memcpy(room, &header, sizeof header);
    if (count > 0)
        memcpy(room + sizeof header, elements, sizeof *elements * count);
}

void agpu_write_destroy_input_layout(struct agpu_writer *writer, aerogpu_handle_t layout)
{
    const struct aerogpu_cmd_destroy_input_layout packet = {.input_layout_handle = layout};
    APPEND(writer, DESTROY_INPUT_LAYOUT, packet);
}

void agpu_write_set_input_layout(struct agpu_writer *writer, aerogpu_handle_t layout)
{
    const struct aerogpu_cmd_set_input_layout packet = {.input_layout_handle = layout};
    APPEND(writer, SET_INPUT_LAYOUT, packet);
}

void agpu_write_set_vertex_buffers(struct agpu_writer *writer, uint32_t start_slot, uint32_t count,
                                   const struct aerogpu_vertex_buffer_binding *bindings)
{
    const struct aerogpu_cmd_set_vertex_buffers packet = {.start_slot = start_slot, .buffer_count = count};
    APPEND_PAYLOAD(writer, SET_VERTEX_BUFFERS, packet, bindings, sizeof *bindings * (uint64_t)count);
}

void agpu_write_set_index_buffer(struct agpu_writer *writer, aerogpu_handle_t buffer, uint32_t format,
                                 uint32_t offset_bytes)
{
    const struct aerogpu_cmd_set_index_buffer packet = {
        .buffer = buffer, .format = format, .offset_bytes = offset_bytes};
    APPEND(writer, SET_INDEX_BUFFER, packet);
}

void agpu_write_set_primitive_topology(struct agpu_writer *writer, uint32_t topology)
{
    const struct aerogpu_cmd_set_primitive_topology packet = {.topology = topology};
    APPEND(writer, SET_PRIMITIVE_TOPOLOGY, packet);
}

/* ---- Pipeline state ------------------------------------------------------------------------------------ */

void agpu_write_set_blend_state(struct agpu_writer *writer, const struct aerogpu_blend_state *state)
{
    struct aerogpu_cmd_set_blend_state packet = {.state = *state};
    memset(packet.state.reserved0, 0, sizeof packet.state.reserved0);
    APPEND(writer, SET_BLEND_STATE, packet);
}

void agpu_write_set_depth_stencil_state(struct agpu_writer *writer,
                                        const struct aerogpu_depth_stencil_state *state)
{
    struct aerogpu_cmd_set_depth_stencil_state packet = {.state = *state};
    memset(packet.state.reserved0, 0, sizeof packet.state.reserved0);
    APPEND(writer, SET_DEPTH_STENCIL_STATE, packet);
}

void agpu_write_set_rasterizer_state(struct agpu_writer *writer, const struct aerogpu_rasterizer_state *state)
{
    const struct aerogpu_cmd_set_rasterizer_state packet = {.state = *state};
    APPEND(writer, SET_RASTERIZER_STATE, packet);
}

void agpu_write_set_render_targets(struct agpu_writer *writer, uint32_t count, const aerogpu_handle_t *colors,
                                   aerogpu_handle_t depth_stencil)
{
    struct aerogpu_cmd_set_render_targets packet = {.color_count = count, .depth_stencil = depth_stencil};
    if (count > AEROGPU_MAX_RENDER_TARGETS) {
        ag_writer_refuse(writer, AGPU_DIAG_ABI_PACKET_PAYLOAD, "more than 8 colour targets");
        return;
    }
    if (count > 0)
        memcpy(packet.colors, colors, sizeof *colors * count);
    APPEND(writer, SET_RENDER_TARGETS, packet);
}

void agpu_write_set_viewport(struct agpu_writer *writer, float x, float y, float width, float height,
                             float min_depth, float max_depth)
{
    const struct aerogpu_cmd_set_viewport packet = {
        .x_f32 = ag_bits_from_float(x),
        .y_f32 = ag_bits_from_float(y),
        .width_f32 = ag_bits_from_float(width),
        .height_f32 = ag_bits_from_float(height),
        .min_depth_f32 = ag_bits_from_float(min_depth),
        .max_depth_f32 = ag_bits_from_float(max_depth),
    };
    APPEND(writer, SET_VIEWPORT, packet);
}

void agpu_write_set_scissor(struct agpu_writer *writer, int32_t x, int32_t y, int32_t width, int32_t height)
{
    const struct aerogpu_cmd_set_scissor packet = {.x = x, .y = y, .width = width, .height = height};
    APPEND(writer, SET_SCISSOR, packet);
}
/* ---- Binding tables ------------------------------------------------------------------------------------ */

void agpu_write_set_texture(struct agpu_writer *writer, enum agpu_stream_stage stage, uint32_t slot,
                            aerogpu_handle_t texture)
{
    uint32_t word, stage_ex;
    if (!encode_stage(writer, stage, &word, &stage_ex))
        return;
    const struct aerogpu_cmd_set_texture packet = {
        .shader_stage = word, .slot = slot, .texture = texture, .reserved0 = stage_ex};
    APPEND(writer, SET_TEXTURE, packet);
}

void agpu_write_create_sampler(struct agpu_writer *writer, aerogpu_handle_t sampler, uint32_t filter,
                               uint32_t address_u, uint32_t address_v, uint32_t address_w)
{
    const struct aerogpu_cmd_create_sampler packet = {
        .sampler_handle = sampler,
        .filter = filter,
        .address_u = address_u,
        .address_v = address_v,
        .address_w = address_w,
    };
    APPEND(writer, CREATE_SAMPLER, packet);
}

void agpu_write_destroy_sampler(struct agpu_writer *writer, aerogpu_handle_t sampler)
{
    const struct aerogpu_cmd_destroy_sampler packet = {.sampler_handle = sampler};
    APPEND(writer, DESTROY_SAMPLER, packet);
}

void agpu_write_set_samplers(struct agpu_writer *writer, enum agpu_stream_stage stage, uint32_t start_slot,
                             uint32_t count, const aerogpu_handle_t *samplers)
{
    uint32_t word, stage_ex;
    if (!encode_stage(writer, stage, &word, &stage_ex))
        return;
    const struct aerogpu_cmd_set_samplers packet = {
        .shader_stage = word, .start_slot = start_slot, .sampler_count = count, .reserved0 = stage_ex};
    APPEND_PAYLOAD(writer, SET_SAMPLERS, packet, samplers, sizeof *samplers * (uint64_t)count);
}

void agpu_write_set_constant_buffers(struct agpu_writer *writer, enum agpu_stream_stage stage,
                                     uint32_t start_slot, uint32_t count,
                                     const struct aerogpu_constant_buffer_binding *bindings)
{
    uint32_t word, stage_ex;
    if (!encode_stage(writer, stage, &word, &stage_ex))
        return;
    const struct aerogpu_cmd_set_constant_buffers packet = {
        .shader_stage = word, .start_slot = start_slot, .buffer_count = count, .reserved0 = stage_ex};
    APPEND_PAYLOAD(writer, SET_CONSTANT_BUFFERS, packet, bindings, sizeof *bindings * (uint64_t)count);
}

void agpu_write_set_shader_resource_buffers(struct agpu_writer *writer, enum agpu_stream_stage stage,
                                            uint32_t start_slot, uint32_t count,
                                            const struct aerogpu_shader_resource_buffer_binding *bindings)
{
    uint32_t word, stage_ex;
    if (!encode_stage(writer, stage, &word, &stage_ex))
        return;
    const struct aerogpu_cmd_set_shader_resource_buffers packet = {
        .shader_stage = word, .start_slot = start_slot, .buffer_count = count, .reserved0 = stage_ex};
    APPEND_PAYLOAD(writer, SET_SHADER_RESOURCE_BUFFERS, packet, bindings, sizeof *bindings * (uint64_t)count);
}

void agpu_write_set_unordered_access_buffers(struct agpu_writer *writer, enum agpu_stream_stage stage,
                                             uint32_t start_slot, uint32_t count,
                                             const struct aerogpu_unordered_access_buffer_binding *bindings)
{
    uint32_t word, stage_ex;
    if (!encode_stage(writer, stage, &word, &stage_ex))
        return;
    const struct aerogpu_cmd_set_unordered_access_buffers packet = {
        .shader_stage = word, .start_slot = start_slot, .uav_count = count, .reserved0 = stage_ex};
    APPEND_PAYLOAD(writer, SET_UNORDERED_ACCESS_BUFFERS, packet, bindings,
                   sizeof *bindings * (uint64_t)count);
}

void agpu_write_set_sampler_state(struct agpu_writer *writer, enum agpu_stream_stage stage, uint32_t slot,
                                  uint32_t state, uint32_t value)
{
    uint32_t word, stage_ex;
    /* The packet has no room for a stage_ex whatever the stream's minor version, hence minor 0. */
    if (!agpu_stage_encode(stage, 0, &word, &stage_ex)) {
        ag_writer_refuse(writer, AGPU_DIAG_ABI_STAGE, "SET_SAMPLER_STATE has no words for this stage");
        return;
    }
    const struct aerogpu_cmd_set_sampler_state packet = {
        .shader_stage = word, .slot = slot, .state = state, .value = value};
    APPEND(writer, SET_SAMPLER_STATE, packet);
}

void agpu_write_set_render_state(struct agpu_writer *writer, uint32_t state, uint32_t value)
{
    const struct aerogpu_cmd_set_render_state packet = {.state = state, .value = value};
    APPEND(writer, SET_RENDER_STATE, packet);
}

/* ---- Work ---------------------------------------------------------------------------------------------- */

void agpu_write_clear(struct agpu_writer *writer, uint32_t flags, const float color[4], float depth,
                      uint32_t stencil)
{
    struct aerogpu_cmd_clear packet = {
        .flags = flags, .depth_f32 = ag_bits_from_float(depth), .stencil = stencil};
    if (color != NULL)
        memcpy(packet.color_rgba_f32, color, sizeof packet.color_rgba_f32);
    APPEND(writer, CLEAR, packet);
}

void agpu_write_draw(struct agpu_writer *writer, uint32_t vertex_count, uint32_t instance_count,
                     uint32_t first_vertex, uint32_t first_instance)
{
    const struct aerogpu_cmd_draw packet = {
        .vertex_count = vertex_count,
        .instance_count = instance_count,
        .first_vertex = first_vertex,
        .first_instance = first_instance,
    };
    APPEND(writer, DRAW, packet);
}

void agpu_write_draw_indexed(struct agpu_writer *writer, uint32_t index_count, uint32_t instance_count,
                             uint32_t first_index, int32_t base_vertex, uint32_t first_instance)
{
    const struct aerogpu_cmd_draw_indexed packet = {
        .index_count = index_count,
        .instance_count = instance_count,
        .first_index = first_index,
        .base_vertex = base_vertex,
        .first_instance = first_instance,
    };
    APPEND(writer, DRAW_INDEXED, packet);
}

/* DISPATCH has no stage word. Without a stage_ex the stage is compute; geometry needs a stage_ex. */
static bool encode_dispatch_stage(uint32_t minor, enum agpu_stream_stage stage, uint32_t *stage_ex)
{
    *stage_ex = stage == AGPU_STREAM_STAGE_COMPUTE ? (uint32_t)AEROGPU_SHADER_STAGE_EX_NONE : (uint32_t)stage;
    enum agpu_stream_stage spelled;
    return agpu_stage_decode(AEROGPU_SHADER_STAGE_COMPUTE, *stage_ex, minor, &spelled) && spelled == stage;
}

void agpu_write_dispatch(struct agpu_writer *writer, enum agpu_stream_stage stage, uint32_t group_count_x,
                         uint32_t group_count_y, uint32_t group_count_z)
{
    uint32_t stage_ex;
    if (!encode_dispatch_stage(writer->minor, stage, &stage_ex)) {
        ag_writer_refuse(writer, AGPU_DIAG_ABI_STAGE, "DISPATCH has no words for this stage");
        return;
    }
    const struct aerogpu_cmd_dispatch packet = {
        .group_count_x = group_count_x,
        .group_count_y = group_count_y,
        .group_count_z = group_count_z,
        .reserved0 = stage_ex,
    };
    APPEND(writer, DISPATCH, packet);
}

/* ---- Presentation, sharing, flush ---------------------------------------------------------------------- */

void agpu_write_present(struct agpu_writer *writer, uint32_t scanout_id, uint32_t flags)
{
    const struct aerogpu_cmd_present packet = {.scanout_id = scanout_id, .flags = flags};
    APPEND(writer, PRESENT, packet);
}

void agpu_write_present_ex(struct agpu_writer *writer, uint32_t scanout_id, uint32_t flags,
                           uint32_t d3d9_present_flags)
{
    const struct aerogpu_cmd_present_ex packet = {
        .scanout_id = scanout_id, .flags = flags, .d3d9_present_flags = d3d9_present_flags};
    APPEND(writer, PRESENT_EX, packet);
}

void agpu_write_export_shared_surface(struct agpu_writer *writer, aerogpu_handle_t resource, uint64_t token)
{
    const struct aerogpu_cmd_export_shared_surface packet = {.resource_handle = resource,
                                                             .share_token = token};
    APPEND(writer, EXPORT_SHARED_SURFACE, packet);
}

void agpu_write_import_shared_surface(struct agpu_writer *writer, aerogpu_handle_t alias, uint64_t token)
{
    const struct aerogpu_cmd_import_shared_surface packet = {.out_resource_handle = alias,
                                                             .share_token = token};
    APPEND(writer, IMPORT_SHARED_SURFACE, packet);
}

void agpu_write_release_shared_surface(struct agpu_writer *writer, uint64_t token)
{
    const struct aerogpu_cmd_release_shared_surface packet = {.share_token = token};
    APPEND(writer, RELEASE_SHARED_SURFACE, packet);
}

void agpu_write_flush(struct agpu_writer *writer)
{
    const struct aerogpu_cmd_flush packet = {.reserved0 = 0};
    APPEND(writer, FLUSH, packet);
}
