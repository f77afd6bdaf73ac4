/* SPDX-License-Identifier: MIT
 *
 * The table of packets.
 */
#include "abi/packet.h"

#include <string.h>

#include "abi/packet_fields.h"
#include "abi/packet_fields_ext.h"

/* clang-format off */
#define HEADER_ROW(symbol, added)                                                                            \
    .opcode = AEROGPU_CMD_##symbol, .name = #symbol, .minor = added,                                         \
    .fixed = {NULL, 0, sizeof(struct aerogpu_cmd_hdr)}
#define ROW(symbol, type, added)                                                                             \
    .opcode = AEROGPU_CMD_##symbol, .name = #symbol, .minor = added,                                         \
    .fixed = STRUCT_INFO(aerogpu_cmd_##type, type##_fields)
#define IMMEDIATE_ROW(symbol, type, added) ROW(symbol, type, added), .immediate = true
#define PREDICATED_ROW(symbol, type, added) ROW(symbol, type, added), .predicated = true
#define STAGE(type, member) .stage_offset = offsetof(struct aerogpu_cmd_##type, member)
#define STAGE_EX(type) .stage_ex_offset = offsetof(struct aerogpu_cmd_##type, reserved0)
#define BYTES(type, member)                                                                                  \
    .payload = {.kind = AG_PAYLOAD_BYTES,                                                                  \
                .count_offset = offsetof(struct aerogpu_cmd_##type, member),                                 \
                .field_name = "data"}
#define BYTES_U64(type, member)                                                                              \
    .payload = {.kind = AG_PAYLOAD_BYTES,                                                                  \
                .count_offset = offsetof(struct aerogpu_cmd_##type, member),                                 \
                .count_is_u64 = true,                                                                        \
                .field_name = "data"}
#define PACKETS(type, member)                                                                                \
    .payload = {.kind = AG_PAYLOAD_BYTES,                                                                  \
                .count_offset = offsetof(struct aerogpu_cmd_##type, member),                                 \
                .packets = true,                                                                             \
                .field_name = "data"}
#define WORDS(type, member, per_count, kind_of_word, name_of_field)                                          \
    .payload = {.kind = AG_PAYLOAD_WORDS,                                                                  \
                .words_per_count = per_count,                                                                \
                .word_type = AG_FIELD_##kind_of_word,                                                      \
                .count_offset = offsetof(struct aerogpu_cmd_##type, member),                                 \
                .field_name = name_of_field}
#define ELEMENTS(type, member, name_of_field, info)                                                          \
    .payload = {.kind = AG_PAYLOAD_ARRAY,                                                                  \
                .count_offset = offsetof(struct aerogpu_cmd_##type, member),                                 \
                .field_name = name_of_field,                                                                 \
                .element = &info}
#define BINDINGS(type, member, info) ELEMENTS(type, member, "bindings", info)

/* Rows ascend by opcode, because lookups use binary search. */
static const struct agpu_packet_info packet_table[] = {
    {HEADER_ROW(NOP, 0), .payload = {.kind = AG_PAYLOAD_ANY}},
    {HEADER_ROW(DEBUG_MARKER, 0), .payload = {.kind = AG_PAYLOAD_TEXT, .field_name = "text"}},
    {IMMEDIATE_ROW(CREATE_BUFFER, create_buffer, 0)},
    {IMMEDIATE_ROW(CREATE_TEXTURE2D, create_texture2d, 0)},
    {IMMEDIATE_ROW(DESTROY_RESOURCE, destroy_resource, 0)},
    {IMMEDIATE_ROW(RESOURCE_DIRTY_RANGE, resource_dirty_range, 0)},
    {PREDICATED_ROW(UPLOAD_RESOURCE, upload_resource, 0), BYTES_U64(upload_resource, size_bytes)},
    {PREDICATED_ROW(COPY_BUFFER, copy_buffer, 1)},
    {PREDICATED_ROW(COPY_TEXTURE2D, copy_texture2d, 1)},
    {IMMEDIATE_ROW(CREATE_TEXTURE_VIEW, create_texture_view, 3)},
    {IMMEDIATE_ROW(DESTROY_TEXTURE_VIEW, destroy_texture_view, 3)},
    {IMMEDIATE_ROW(CREATE_SHADER_DXBC, create_shader_dxbc, 0),
     STAGE(create_shader_dxbc, stage), STAGE_EX(create_shader_dxbc),
     BYTES(create_shader_dxbc, dxbc_size_bytes)},
    {IMMEDIATE_ROW(DESTROY_SHADER, destroy_shader, 0)},
    {ROW(BIND_SHADERS, bind_shaders, 0),
     .extended = &bind_shaders_ex_info, .extended_size = sizeof(struct aerogpu_cmd_bind_shaders_ex)},
    {ROW(SET_SHADER_CONSTANTS_F, set_shader_constants_f, 0),
     STAGE(set_shader_constants_f, stage), STAGE_EX(set_shader_constants_f),
     WORDS(set_shader_constants_f, vec4_count, 4, F32, "data")},
    {IMMEDIATE_ROW(CREATE_INPUT_LAYOUT, create_input_layout, 0), BYTES(create_input_layout, blob_size_bytes)},
    {IMMEDIATE_ROW(DESTROY_INPUT_LAYOUT, destroy_input_layout, 0)},
    {ROW(SET_INPUT_LAYOUT, set_input_layout, 0)},
    {ROW(SET_SHADER_CONSTANTS_I, set_shader_constants_i, 4),
     STAGE(set_shader_constants_i, stage), STAGE_EX(set_shader_constants_i),
     WORDS(set_shader_constants_i, vec4_count, 4, I32, "data")},
    {ROW(SET_SHADER_CONSTANTS_B, set_shader_constants_b, 4),
     STAGE(set_shader_constants_b, stage), STAGE_EX(set_shader_constants_b),
     WORDS(set_shader_constants_b, bool_count, 4, U32, "data")},
    {ROW(SET_BLEND_STATE, set_blend_state, 0)},
    {ROW(SET_DEPTH_STENCIL_STATE, set_depth_stencil_state, 0)},
    {ROW(SET_RASTERIZER_STATE, set_rasterizer_state, 0)},
    {ROW(SET_RENDER_TARGETS, set_render_targets, 0)},
    {ROW(SET_VIEWPORT, set_viewport, 0)},
    {ROW(SET_SCISSOR, set_scissor, 0)},
    {ROW(SET_VERTEX_BUFFERS, set_vertex_buffers, 0),
     BINDINGS(set_vertex_buffers, buffer_count, vertex_buffer_binding_info)},
    {ROW(SET_INDEX_BUFFER, set_index_buffer, 0)},
    {ROW(SET_PRIMITIVE_TOPOLOGY, set_primitive_topology, 0)},
    {ROW(SET_TEXTURE, set_texture, 0), STAGE(set_texture, shader_stage), STAGE_EX(set_texture)},
    {ROW(SET_SAMPLER_STATE, set_sampler_state, 0), STAGE(set_sampler_state, shader_stage)},
    {ROW(SET_RENDER_STATE, set_render_state, 0)},
    {IMMEDIATE_ROW(CREATE_SAMPLER, create_sampler, 1)},
    {IMMEDIATE_ROW(DESTROY_SAMPLER, destroy_sampler, 1)},
    {ROW(SET_SAMPLERS, set_samplers, 1), STAGE(set_samplers, shader_stage), STAGE_EX(set_samplers),
     WORDS(set_samplers, sampler_count, 1, HANDLE, "samplers")},
    {ROW(SET_CONSTANT_BUFFERS, set_constant_buffers, 1),
     STAGE(set_constant_buffers, shader_stage), STAGE_EX(set_constant_buffers),
     BINDINGS(set_constant_buffers, buffer_count, constant_buffer_binding_info)},
    {ROW(SET_SHADER_RESOURCE_BUFFERS, set_shader_resource_buffers, 2),
     STAGE(set_shader_resource_buffers, shader_stage), STAGE_EX(set_shader_resource_buffers),
     BINDINGS(set_shader_resource_buffers, buffer_count, shader_resource_buffer_binding_info)},
    {ROW(SET_UNORDERED_ACCESS_BUFFERS, set_unordered_access_buffers, 2),
     STAGE(set_unordered_access_buffers, shader_stage), STAGE_EX(set_unordered_access_buffers),
     BINDINGS(set_unordered_access_buffers, uav_count, unordered_access_buffer_binding_info)},
    {PREDICATED_ROW(CLEAR, clear, 0)},
    {PREDICATED_ROW(DRAW, draw, 0)},
    {PREDICATED_ROW(DRAW_INDEXED, draw_indexed, 0)},
    {PREDICATED_ROW(DISPATCH, dispatch, 2), STAGE_EX(dispatch)},
    {IMMEDIATE_ROW(PRESENT, present, 0)},
    {IMMEDIATE_ROW(PRESENT_EX, present_ex, 0)},
    {IMMEDIATE_ROW(EXPORT_SHARED_SURFACE, export_shared_surface, 0)},
    {IMMEDIATE_ROW(IMPORT_SHARED_SURFACE, import_shared_surface, 0)},
    {IMMEDIATE_ROW(RELEASE_SHARED_SURFACE, release_shared_surface, 1)},
    {IMMEDIATE_ROW(FLUSH, flush, 0)},
    {IMMEDIATE_ROW(EXT_CREATE_BUFFER, ext_create_buffer, 0)},
    {IMMEDIATE_ROW(EXT_CREATE_TEXTURE, ext_create_texture, 0)},
    {PREDICATED_ROW(EXT_UPDATE_SUBRESOURCE, ext_update_subresource, 0),
     BYTES(ext_update_subresource, data_size_bytes)},
    {IMMEDIATE_ROW(EXT_READ_SUBRESOURCE, ext_read_subresource, 0)},
    {PREDICATED_ROW(EXT_COPY_RESOURCE, ext_copy_resource, 0)},
    {PREDICATED_ROW(EXT_COPY_SUBRESOURCE_REGION, ext_copy_subresource_region, 0)},
    {PREDICATED_ROW(EXT_COPY_STRUCTURE_COUNT, ext_copy_structure_count, 0)},
    {PREDICATED_ROW(EXT_RESOLVE_SUBRESOURCE, ext_resolve_subresource, 0)},
    {PREDICATED_ROW(EXT_GENERATE_MIPS, ext_generate_mips, 0)},
    {ROW(EXT_SET_RESOURCE_MIN_LOD, ext_set_resource_min_lod, 0)},
    {ROW(EXT_DISCARD_RESOURCE, ext_discard_resource, 0)},
    {ROW(EXT_DISCARD_VIEW, ext_discard_view, 0),
     ELEMENTS(ext_discard_view, rect_count, "rects", ext_rect_info)},
    {IMMEDIATE_ROW(EXT_CREATE_VIEW, ext_create_view, 0)},
    {IMMEDIATE_ROW(EXT_DESTROY_VIEW, ext_destroy_view, 0)},
    {IMMEDIATE_ROW(EXT_DESTROY_OBJECT, ext_destroy_object, 0)},
    {IMMEDIATE_ROW(EXT_CREATE_SIGNATURE, ext_create_signature, 0),
     ELEMENTS(ext_create_signature, element_count, "elements", ext_signature_element_info)},
    {IMMEDIATE_ROW(EXT_CREATE_STREAM_OUTPUT, ext_create_stream_output, 0),
     ELEMENTS(ext_create_stream_output, element_count, "elements", ext_stream_output_element_info)},
    {IMMEDIATE_ROW(EXT_CREATE_SHADER, ext_create_shader, 0),
     BYTES(ext_create_shader, size_bytes)},
    {IMMEDIATE_ROW(EXT_CREATE_INPUT_LAYOUT, ext_create_input_layout, 0),
     ELEMENTS(ext_create_input_layout, element_count, "elements", ext_input_element_info)},
    {ROW(EXT_SET_CLASS_INSTANCES, ext_set_class_instances, 0),
     STAGE(ext_set_class_instances, shader_stage), STAGE_EX(ext_set_class_instances),
     ELEMENTS(ext_set_class_instances, instance_count, "instances", ext_class_instance_info)},
    {ROW(EXT_SET_STREAM_OUTPUT_TARGETS, ext_set_stream_output_targets, 0),
     ELEMENTS(ext_set_stream_output_targets, target_count, "targets", ext_stream_output_target_info)},
    {IMMEDIATE_ROW(EXT_CREATE_BLEND_STATE, ext_create_blend_state, 0),
     ELEMENTS(ext_create_blend_state, target_count, "targets", ext_blend_target_info)},
    {IMMEDIATE_ROW(EXT_CREATE_DEPTH_STENCIL_STATE, ext_create_depth_stencil_state, 0)},
    {IMMEDIATE_ROW(EXT_CREATE_RASTERIZER_STATE, ext_create_rasterizer_state, 0)},
    {IMMEDIATE_ROW(EXT_CREATE_SAMPLER, ext_create_sampler, 0)},
    {ROW(EXT_SET_BLEND_STATE, ext_set_blend_state, 0)},
    {ROW(EXT_SET_DEPTH_STENCIL_STATE, ext_set_depth_stencil_state, 0)},
    {ROW(EXT_SET_RASTERIZER_STATE, ext_set_rasterizer_state, 0)},
    {ROW(EXT_SET_VIEWPORTS, ext_set_viewports, 0),
     ELEMENTS(ext_set_viewports, viewport_count, "viewports", ext_viewport_info)},
    {ROW(EXT_SET_SCISSORS, ext_set_scissors, 0),
     ELEMENTS(ext_set_scissors, rect_count, "rects", ext_rect_info)},
    {ROW(EXT_CLEAR_STATE, ext_clear_state, 0)},
    {ROW(EXT_SET_RENDER_TARGETS, ext_set_render_targets, 0),
     ELEMENTS(ext_set_render_targets, uav_count, "uavs", ext_unordered_access_binding_info)},
    {ROW(EXT_SET_SHADER_RESOURCES, ext_set_shader_resources, 0),
     STAGE(ext_set_shader_resources, shader_stage), STAGE_EX(ext_set_shader_resources),
     WORDS(ext_set_shader_resources, view_count, 1, HANDLE, "views")},
    {ROW(EXT_SET_UNORDERED_ACCESS_VIEWS, ext_set_unordered_access_views, 0),
     STAGE(ext_set_unordered_access_views, shader_stage), STAGE_EX(ext_set_unordered_access_views),
     ELEMENTS(ext_set_unordered_access_views, uav_count, "uavs", ext_unordered_access_binding_info)},
    {PREDICATED_ROW(EXT_CLEAR_RENDER_TARGET_VIEW, ext_clear_render_target_view, 0),
     ELEMENTS(ext_clear_render_target_view, rect_count, "rects", ext_rect_info)},
    {PREDICATED_ROW(EXT_CLEAR_DEPTH_STENCIL_VIEW, ext_clear_depth_stencil_view, 0),
     ELEMENTS(ext_clear_depth_stencil_view, rect_count, "rects", ext_rect_info)},
    {PREDICATED_ROW(EXT_CLEAR_UNORDERED_ACCESS_VIEW, ext_clear_unordered_access_view, 0),
     ELEMENTS(ext_clear_unordered_access_view, rect_count, "rects", ext_rect_info)},
    {PREDICATED_ROW(EXT_DRAW_INSTANCED_INDIRECT, ext_draw_instanced_indirect, 0)},
    {PREDICATED_ROW(EXT_DRAW_INDEXED_INSTANCED_INDIRECT, ext_draw_indexed_instanced_indirect, 0)},
    {PREDICATED_ROW(EXT_DISPATCH_INDIRECT, ext_dispatch_indirect, 0)},
    {PREDICATED_ROW(EXT_DRAW_AUTO, ext_draw_auto, 0)},
    {IMMEDIATE_ROW(EXT_CREATE_QUERY, ext_create_query, 0)},
    {ROW(EXT_BEGIN_QUERY, ext_begin_query, 0)},
    {ROW(EXT_END_QUERY, ext_end_query, 0)},
    {ROW(EXT_SET_PREDICATION, ext_set_predication, 0)},
    {IMMEDIATE_ROW(EXT_CREATE_COMMAND_LIST, ext_create_command_list, 0),
     PACKETS(ext_create_command_list, size_bytes)},
    {ROW(EXT_EXECUTE_COMMAND_LIST, ext_execute_command_list, 0)},
    {IMMEDIATE_ROW(EXT_READ_CAPS, ext_read_caps, 0)},
};
/* clang-format on */

const struct agpu_packet_info *ag_packet_info(uint32_t opcode)
{
    size_t low = 0, high = AG_COUNT_OF(packet_table);
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (packet_table[middle].opcode < opcode)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == AG_COUNT_OF(packet_table) || packet_table[low].opcode != opcode)
        return NULL;
    return &packet_table[low];
}

const struct agpu_packet_info *ag_packet_info_by_name(const char *name, size_t length)
{
    for (size_t i = 0; i < AG_COUNT_OF(packet_table); i++) {
        if (strlen(packet_table[i].name) == length && memcmp(packet_table[i].name, name, length) == 0)
            return &packet_table[i];
    }
    return NULL;
}

const struct agpu_packet_info *ag_packet_table(size_t *count)
{
    *count = AG_COUNT_OF(packet_table);
    return packet_table;
}
