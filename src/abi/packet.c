/* SPDX-License-Identifier: MIT */
#include "abi/packet.h"

#include <string.h>

#include "abi/packet_names.h"
#include "base/bytes.h"

/* clang-format off */
#define FIELD(type, member, kind)                                                                            \
    {#member, offsetof(struct type, member), AGPU_FIELD_##kind, 1, NULL, NULL}
#define NAMED(type, member, kind, set)                                                                       \
    {#member, offsetof(struct type, member), AGPU_FIELD_##kind, 1, &agpu_names_##set, NULL}
#define ARRAY(type, member, kind, length)                                                                    \
    {#member, offsetof(struct type, member), AGPU_FIELD_##kind, length, NULL, NULL}
#define NESTED(type, member, info)                                                                           \
    {#member, offsetof(struct type, member), AGPU_FIELD_STRUCT, 1, NULL, &info}
#define STRUCT_INFO(type, array) {array, AGPU_COUNT_OF(array), sizeof(struct type)}

static const struct agpu_field_info blend_state_fields[] = {
    FIELD(aerogpu_blend_state, enable, U32),
    NAMED(aerogpu_blend_state, src_factor, U32, blend_factor),
    NAMED(aerogpu_blend_state, dst_factor, U32, blend_factor),
    NAMED(aerogpu_blend_state, blend_op, U32, blend_op),
    FIELD(aerogpu_blend_state, color_write_mask, U8),
    ARRAY(aerogpu_blend_state, reserved0, U8, 3),
    NAMED(aerogpu_blend_state, src_factor_alpha, U32, blend_factor),
    NAMED(aerogpu_blend_state, dst_factor_alpha, U32, blend_factor),
    NAMED(aerogpu_blend_state, blend_op_alpha, U32, blend_op),
    ARRAY(aerogpu_blend_state, blend_constant_rgba_f32, F32, 4),
    FIELD(aerogpu_blend_state, sample_mask, U32),
};
static const struct agpu_struct_info blend_state_info = STRUCT_INFO(aerogpu_blend_state, blend_state_fields);

static const struct agpu_field_info depth_stencil_state_fields[] = {
    FIELD(aerogpu_depth_stencil_state, depth_enable, U32),
    FIELD(aerogpu_depth_stencil_state, depth_write_enable, U32),
    NAMED(aerogpu_depth_stencil_state, depth_func, U32, compare_func),
    FIELD(aerogpu_depth_stencil_state, stencil_enable, U32),
    FIELD(aerogpu_depth_stencil_state, stencil_read_mask, U8),
    FIELD(aerogpu_depth_stencil_state, stencil_write_mask, U8),
    ARRAY(aerogpu_depth_stencil_state, reserved0, U8, 2),
};
static const struct agpu_struct_info depth_stencil_state_info =
    STRUCT_INFO(aerogpu_depth_stencil_state, depth_stencil_state_fields);

static const struct agpu_field_info rasterizer_state_fields[] = {
    NAMED(aerogpu_rasterizer_state, fill_mode, U32, fill_mode),
    NAMED(aerogpu_rasterizer_state, cull_mode, U32, cull_mode),
    FIELD(aerogpu_rasterizer_state, front_ccw, U32),
    FIELD(aerogpu_rasterizer_state, scissor_enable, U32),
    FIELD(aerogpu_rasterizer_state, depth_bias, I32),
    NAMED(aerogpu_rasterizer_state, flags, U32, rasterizer_flags),
};
static const struct agpu_struct_info rasterizer_state_info =
    STRUCT_INFO(aerogpu_rasterizer_state, rasterizer_state_fields);

static const struct agpu_field_info vertex_buffer_binding_fields[] = {
    FIELD(aerogpu_vertex_buffer_binding, buffer, HANDLE),
    FIELD(aerogpu_vertex_buffer_binding, stride_bytes, U32),
    FIELD(aerogpu_vertex_buffer_binding, offset_bytes, U32),
    FIELD(aerogpu_vertex_buffer_binding, reserved0, U32),
};
static const struct agpu_struct_info vertex_buffer_binding_info =
    STRUCT_INFO(aerogpu_vertex_buffer_binding, vertex_buffer_binding_fields);

static const struct agpu_field_info constant_buffer_binding_fields[] = {
    FIELD(aerogpu_constant_buffer_binding, buffer, HANDLE),
    FIELD(aerogpu_constant_buffer_binding, offset_bytes, U32),
    FIELD(aerogpu_constant_buffer_binding, size_bytes, U32),
    FIELD(aerogpu_constant_buffer_binding, reserved0, U32),
};
static const struct agpu_struct_info constant_buffer_binding_info =
    STRUCT_INFO(aerogpu_constant_buffer_binding, constant_buffer_binding_fields);

static const struct agpu_field_info shader_resource_buffer_binding_fields[] = {
    FIELD(aerogpu_shader_resource_buffer_binding, buffer, HANDLE),
    FIELD(aerogpu_shader_resource_buffer_binding, offset_bytes, U32),
    FIELD(aerogpu_shader_resource_buffer_binding, size_bytes, U32),
    FIELD(aerogpu_shader_resource_buffer_binding, reserved0, U32),
};
static const struct agpu_struct_info shader_resource_buffer_binding_info =
    STRUCT_INFO(aerogpu_shader_resource_buffer_binding, shader_resource_buffer_binding_fields);

static const struct agpu_field_info unordered_access_buffer_binding_fields[] = {
    FIELD(aerogpu_unordered_access_buffer_binding, buffer, HANDLE),
    FIELD(aerogpu_unordered_access_buffer_binding, offset_bytes, U32),
    FIELD(aerogpu_unordered_access_buffer_binding, size_bytes, U32),
    FIELD(aerogpu_unordered_access_buffer_binding, initial_count, U32),
};
static const struct agpu_struct_info unordered_access_buffer_binding_info =
    STRUCT_INFO(aerogpu_unordered_access_buffer_binding, unordered_access_buffer_binding_fields);

static const struct agpu_field_info create_buffer_fields[] = {
    FIELD(aerogpu_cmd_create_buffer, buffer_handle, HANDLE),
    NAMED(aerogpu_cmd_create_buffer, usage_flags, U32, resource_usage),
    FIELD(aerogpu_cmd_create_buffer, size_bytes, U64),
    FIELD(aerogpu_cmd_create_buffer, backing_alloc_id, U32),
    FIELD(aerogpu_cmd_create_buffer, backing_offset_bytes, U32),
    FIELD(aerogpu_cmd_create_buffer, reserved0, U64),
};

static const struct agpu_field_info create_texture2d_fields[] = {
    FIELD(aerogpu_cmd_create_texture2d, texture_handle, HANDLE),
    NAMED(aerogpu_cmd_create_texture2d, usage_flags, U32, resource_usage),
    NAMED(aerogpu_cmd_create_texture2d, format, U32, format),
    FIELD(aerogpu_cmd_create_texture2d, width, U32),
    FIELD(aerogpu_cmd_create_texture2d, height, U32),
    FIELD(aerogpu_cmd_create_texture2d, mip_levels, U32),
    FIELD(aerogpu_cmd_create_texture2d, array_layers, U32),
    FIELD(aerogpu_cmd_create_texture2d, row_pitch_bytes, U32),
    FIELD(aerogpu_cmd_create_texture2d, backing_alloc_id, U32),
    FIELD(aerogpu_cmd_create_texture2d, backing_offset_bytes, U32),
    FIELD(aerogpu_cmd_create_texture2d, reserved0, U64),
};

static const struct agpu_field_info create_texture_view_fields[] = {
    FIELD(aerogpu_cmd_create_texture_view, view_handle, HANDLE),
    FIELD(aerogpu_cmd_create_texture_view, texture_handle, HANDLE),
    NAMED(aerogpu_cmd_create_texture_view, format, U32, format),
    FIELD(aerogpu_cmd_create_texture_view, base_mip_level, U32),
    FIELD(aerogpu_cmd_create_texture_view, mip_level_count, U32),
    FIELD(aerogpu_cmd_create_texture_view, base_array_layer, U32),
    FIELD(aerogpu_cmd_create_texture_view, array_layer_count, U32),
    FIELD(aerogpu_cmd_create_texture_view, reserved0, U64),
};

static const struct agpu_field_info destroy_resource_fields[] = {
    FIELD(aerogpu_cmd_destroy_resource, resource_handle, HANDLE),
    FIELD(aerogpu_cmd_destroy_resource, reserved0, U32),
};

static const struct agpu_field_info destroy_texture_view_fields[] = {
    FIELD(aerogpu_cmd_destroy_texture_view, view_handle, HANDLE),
    FIELD(aerogpu_cmd_destroy_texture_view, reserved0, U32),
};

static const struct agpu_field_info resource_dirty_range_fields[] = {
    FIELD(aerogpu_cmd_resource_dirty_range, resource_handle, HANDLE),
    FIELD(aerogpu_cmd_resource_dirty_range, reserved0, U32),
    FIELD(aerogpu_cmd_resource_dirty_range, offset_bytes, U64),
    FIELD(aerogpu_cmd_resource_dirty_range, size_bytes, U64),
};

static const struct agpu_field_info upload_resource_fields[] = {
    FIELD(aerogpu_cmd_upload_resource, resource_handle, HANDLE),
    FIELD(aerogpu_cmd_upload_resource, reserved0, U32),
    FIELD(aerogpu_cmd_upload_resource, offset_bytes, U64),
    FIELD(aerogpu_cmd_upload_resource, size_bytes, U64),
};

static const struct agpu_field_info copy_buffer_fields[] = {
    FIELD(aerogpu_cmd_copy_buffer, dst_buffer, HANDLE),
    FIELD(aerogpu_cmd_copy_buffer, src_buffer, HANDLE),
    FIELD(aerogpu_cmd_copy_buffer, dst_offset_bytes, U64),
    FIELD(aerogpu_cmd_copy_buffer, src_offset_bytes, U64),
    FIELD(aerogpu_cmd_copy_buffer, size_bytes, U64),
    NAMED(aerogpu_cmd_copy_buffer, flags, U32, copy_flags),
    FIELD(aerogpu_cmd_copy_buffer, reserved0, U32),
};

static const struct agpu_field_info copy_texture2d_fields[] = {
    FIELD(aerogpu_cmd_copy_texture2d, dst_texture, HANDLE),
    FIELD(aerogpu_cmd_copy_texture2d, src_texture, HANDLE),
    FIELD(aerogpu_cmd_copy_texture2d, dst_mip_level, U32),
    FIELD(aerogpu_cmd_copy_texture2d, dst_array_layer, U32),
    FIELD(aerogpu_cmd_copy_texture2d, src_mip_level, U32),
    FIELD(aerogpu_cmd_copy_texture2d, src_array_layer, U32),
    FIELD(aerogpu_cmd_copy_texture2d, dst_x, U32),
    FIELD(aerogpu_cmd_copy_texture2d, dst_y, U32),
    FIELD(aerogpu_cmd_copy_texture2d, src_x, U32),
    FIELD(aerogpu_cmd_copy_texture2d, src_y, U32),
    FIELD(aerogpu_cmd_copy_texture2d, width, U32),
    FIELD(aerogpu_cmd_copy_texture2d, height, U32),
    NAMED(aerogpu_cmd_copy_texture2d, flags, U32, copy_flags),
    FIELD(aerogpu_cmd_copy_texture2d, reserved0, U32),
};

static const struct agpu_field_info create_shader_dxbc_fields[] = {
    FIELD(aerogpu_cmd_create_shader_dxbc, shader_handle, HANDLE),
    NAMED(aerogpu_cmd_create_shader_dxbc, stage, U32, shader_stage),
    FIELD(aerogpu_cmd_create_shader_dxbc, dxbc_size_bytes, U32),
    NAMED(aerogpu_cmd_create_shader_dxbc, reserved0, U32, stage_ex),
};

static const struct agpu_field_info destroy_shader_fields[] = {
    FIELD(aerogpu_cmd_destroy_shader, shader_handle, HANDLE),
    FIELD(aerogpu_cmd_destroy_shader, reserved0, U32),
};

static const struct agpu_field_info bind_shaders_fields[] = {
    FIELD(aerogpu_cmd_bind_shaders, vs, HANDLE),
    FIELD(aerogpu_cmd_bind_shaders, ps, HANDLE),
    FIELD(aerogpu_cmd_bind_shaders, cs, HANDLE),
    FIELD(aerogpu_cmd_bind_shaders, reserved0, U32),
};

static const struct agpu_field_info bind_shaders_ex_fields[] = {
    FIELD(aerogpu_cmd_bind_shaders_ex, gs, HANDLE),
    FIELD(aerogpu_cmd_bind_shaders_ex, hs, HANDLE),
    FIELD(aerogpu_cmd_bind_shaders_ex, ds, HANDLE),
};
static const struct agpu_struct_info bind_shaders_ex_info =
    STRUCT_INFO(aerogpu_cmd_bind_shaders_ex, bind_shaders_ex_fields);

static const struct agpu_field_info set_shader_constants_f_fields[] = {
    NAMED(aerogpu_cmd_set_shader_constants_f, stage, U32, shader_stage),
    FIELD(aerogpu_cmd_set_shader_constants_f, start_register, U32),
    FIELD(aerogpu_cmd_set_shader_constants_f, vec4_count, U32),
    NAMED(aerogpu_cmd_set_shader_constants_f, reserved0, U32, stage_ex),
};

static const struct agpu_field_info set_shader_constants_i_fields[] = {
    NAMED(aerogpu_cmd_set_shader_constants_i, stage, U32, shader_stage),
    FIELD(aerogpu_cmd_set_shader_constants_i, start_register, U32),
    FIELD(aerogpu_cmd_set_shader_constants_i, vec4_count, U32),
    NAMED(aerogpu_cmd_set_shader_constants_i, reserved0, U32, stage_ex),
};

static const struct agpu_field_info set_shader_constants_b_fields[] = {
    NAMED(aerogpu_cmd_set_shader_constants_b, stage, U32, shader_stage),
    FIELD(aerogpu_cmd_set_shader_constants_b, start_register, U32),
    FIELD(aerogpu_cmd_set_shader_constants_b, bool_count, U32),
    NAMED(aerogpu_cmd_set_shader_constants_b, reserved0, U32, stage_ex),
};

static const struct agpu_field_info create_input_layout_fields[] = {
    FIELD(aerogpu_cmd_create_input_layout, input_layout_handle, HANDLE),
    FIELD(aerogpu_cmd_create_input_layout, blob_size_bytes, U32),
    FIELD(aerogpu_cmd_create_input_layout, reserved0, U32),
};

static const struct agpu_field_info destroy_input_layout_fields[] = {
    FIELD(aerogpu_cmd_destroy_input_layout, input_layout_handle, HANDLE),
    FIELD(aerogpu_cmd_destroy_input_layout, reserved0, U32),
};

static const struct agpu_field_info set_input_layout_fields[] = {
    FIELD(aerogpu_cmd_set_input_layout, input_layout_handle, HANDLE),
    FIELD(aerogpu_cmd_set_input_layout, reserved0, U32),
};

static const struct agpu_field_info set_blend_state_fields[] = {
    NESTED(aerogpu_cmd_set_blend_state, state, blend_state_info),
};

static const struct agpu_field_info set_depth_stencil_state_fields[] = {
    NESTED(aerogpu_cmd_set_depth_stencil_state, state, depth_stencil_state_info),
};

static const struct agpu_field_info set_rasterizer_state_fields[] = {
    NESTED(aerogpu_cmd_set_rasterizer_state, state, rasterizer_state_info),
};

static const struct agpu_field_info set_render_targets_fields[] = {
    FIELD(aerogpu_cmd_set_render_targets, color_count, U32),
    FIELD(aerogpu_cmd_set_render_targets, depth_stencil, HANDLE),
    ARRAY(aerogpu_cmd_set_render_targets, colors, HANDLE, 8),
};

static const struct agpu_field_info set_viewport_fields[] = {
    FIELD(aerogpu_cmd_set_viewport, x_f32, F32),
    FIELD(aerogpu_cmd_set_viewport, y_f32, F32),
    FIELD(aerogpu_cmd_set_viewport, width_f32, F32),
    FIELD(aerogpu_cmd_set_viewport, height_f32, F32),
    FIELD(aerogpu_cmd_set_viewport, min_depth_f32, F32),
    FIELD(aerogpu_cmd_set_viewport, max_depth_f32, F32),
};

static const struct agpu_field_info set_scissor_fields[] = {
    FIELD(aerogpu_cmd_set_scissor, x, I32),
    FIELD(aerogpu_cmd_set_scissor, y, I32),
    FIELD(aerogpu_cmd_set_scissor, width, I32),
    FIELD(aerogpu_cmd_set_scissor, height, I32),
};

static const struct agpu_field_info set_vertex_buffers_fields[] = {
    FIELD(aerogpu_cmd_set_vertex_buffers, start_slot, U32),
    FIELD(aerogpu_cmd_set_vertex_buffers, buffer_count, U32),
};

static const struct agpu_field_info set_index_buffer_fields[] = {
    FIELD(aerogpu_cmd_set_index_buffer, buffer, HANDLE),
    NAMED(aerogpu_cmd_set_index_buffer, format, U32, index_format),
    FIELD(aerogpu_cmd_set_index_buffer, offset_bytes, U32),
    FIELD(aerogpu_cmd_set_index_buffer, reserved0, U32),
};

static const struct agpu_field_info set_primitive_topology_fields[] = {
    NAMED(aerogpu_cmd_set_primitive_topology, topology, U32, topology),
    FIELD(aerogpu_cmd_set_primitive_topology, reserved0, U32),
};

static const struct agpu_field_info set_texture_fields[] = {
    NAMED(aerogpu_cmd_set_texture, shader_stage, U32, shader_stage),
    FIELD(aerogpu_cmd_set_texture, slot, U32),
    FIELD(aerogpu_cmd_set_texture, texture, HANDLE),
    NAMED(aerogpu_cmd_set_texture, reserved0, U32, stage_ex),
};

static const struct agpu_field_info create_sampler_fields[] = {
    FIELD(aerogpu_cmd_create_sampler, sampler_handle, HANDLE),
    NAMED(aerogpu_cmd_create_sampler, filter, U32, sampler_filter),
    NAMED(aerogpu_cmd_create_sampler, address_u, U32, sampler_address),
    NAMED(aerogpu_cmd_create_sampler, address_v, U32, sampler_address),
    NAMED(aerogpu_cmd_create_sampler, address_w, U32, sampler_address),
};

static const struct agpu_field_info destroy_sampler_fields[] = {
    FIELD(aerogpu_cmd_destroy_sampler, sampler_handle, HANDLE),
    FIELD(aerogpu_cmd_destroy_sampler, reserved0, U32),
};

static const struct agpu_field_info set_samplers_fields[] = {
    NAMED(aerogpu_cmd_set_samplers, shader_stage, U32, shader_stage),
    FIELD(aerogpu_cmd_set_samplers, start_slot, U32),
    FIELD(aerogpu_cmd_set_samplers, sampler_count, U32),
    NAMED(aerogpu_cmd_set_samplers, reserved0, U32, stage_ex),
};

static const struct agpu_field_info set_constant_buffers_fields[] = {
    NAMED(aerogpu_cmd_set_constant_buffers, shader_stage, U32, shader_stage),
    FIELD(aerogpu_cmd_set_constant_buffers, start_slot, U32),
    FIELD(aerogpu_cmd_set_constant_buffers, buffer_count, U32),
    NAMED(aerogpu_cmd_set_constant_buffers, reserved0, U32, stage_ex),
};

static const struct agpu_field_info set_shader_resource_buffers_fields[] = {
    NAMED(aerogpu_cmd_set_shader_resource_buffers, shader_stage, U32, shader_stage),
    FIELD(aerogpu_cmd_set_shader_resource_buffers, start_slot, U32),
    FIELD(aerogpu_cmd_set_shader_resource_buffers, buffer_count, U32),
    NAMED(aerogpu_cmd_set_shader_resource_buffers, reserved0, U32, stage_ex),
};

static const struct agpu_field_info set_unordered_access_buffers_fields[] = {
    NAMED(aerogpu_cmd_set_unordered_access_buffers, shader_stage, U32, shader_stage),
    FIELD(aerogpu_cmd_set_unordered_access_buffers, start_slot, U32),
    FIELD(aerogpu_cmd_set_unordered_access_buffers, uav_count, U32),
    NAMED(aerogpu_cmd_set_unordered_access_buffers, reserved0, U32, stage_ex),
};

static const struct agpu_field_info set_sampler_state_fields[] = {
    NAMED(aerogpu_cmd_set_sampler_state, shader_stage, U32, shader_stage),
    FIELD(aerogpu_cmd_set_sampler_state, slot, U32),
    FIELD(aerogpu_cmd_set_sampler_state, state, U32),
    FIELD(aerogpu_cmd_set_sampler_state, value, U32),
};

static const struct agpu_field_info set_render_state_fields[] = {
    FIELD(aerogpu_cmd_set_render_state, state, U32),
    FIELD(aerogpu_cmd_set_render_state, value, U32),
};

static const struct agpu_field_info clear_fields[] = {
    NAMED(aerogpu_cmd_clear, flags, U32, clear_flags),
    ARRAY(aerogpu_cmd_clear, color_rgba_f32, F32, 4),
    FIELD(aerogpu_cmd_clear, depth_f32, F32),
    FIELD(aerogpu_cmd_clear, stencil, U32),
};

static const struct agpu_field_info draw_fields[] = {
    FIELD(aerogpu_cmd_draw, vertex_count, U32),
    FIELD(aerogpu_cmd_draw, instance_count, U32),
    FIELD(aerogpu_cmd_draw, first_vertex, U32),
    FIELD(aerogpu_cmd_draw, first_instance, U32),
};

static const struct agpu_field_info draw_indexed_fields[] = {
    FIELD(aerogpu_cmd_draw_indexed, index_count, U32),
    FIELD(aerogpu_cmd_draw_indexed, instance_count, U32),
    FIELD(aerogpu_cmd_draw_indexed, first_index, U32),
    FIELD(aerogpu_cmd_draw_indexed, base_vertex, I32),
    FIELD(aerogpu_cmd_draw_indexed, first_instance, U32),
};

static const struct agpu_field_info dispatch_fields[] = {
    FIELD(aerogpu_cmd_dispatch, group_count_x, U32),
    FIELD(aerogpu_cmd_dispatch, group_count_y, U32),
    FIELD(aerogpu_cmd_dispatch, group_count_z, U32),
    NAMED(aerogpu_cmd_dispatch, reserved0, U32, stage_ex),
};

static const struct agpu_field_info present_fields[] = {
    FIELD(aerogpu_cmd_present, scanout_id, U32),
    NAMED(aerogpu_cmd_present, flags, U32, present_flags),
};

static const struct agpu_field_info present_ex_fields[] = {
    FIELD(aerogpu_cmd_present_ex, scanout_id, U32),
    NAMED(aerogpu_cmd_present_ex, flags, U32, present_flags),
    FIELD(aerogpu_cmd_present_ex, d3d9_present_flags, U32),
    FIELD(aerogpu_cmd_present_ex, reserved0, U32),
};

static const struct agpu_field_info export_shared_surface_fields[] = {
    FIELD(aerogpu_cmd_export_shared_surface, resource_handle, HANDLE),
    FIELD(aerogpu_cmd_export_shared_surface, reserved0, U32),
    FIELD(aerogpu_cmd_export_shared_surface, share_token, U64),
};

static const struct agpu_field_info import_shared_surface_fields[] = {
    FIELD(aerogpu_cmd_import_shared_surface, out_resource_handle, HANDLE),
    FIELD(aerogpu_cmd_import_shared_surface, reserved0, U32),
    FIELD(aerogpu_cmd_import_shared_surface, share_token, U64),
};

static const struct agpu_field_info release_shared_surface_fields[] = {
    FIELD(aerogpu_cmd_release_shared_surface, share_token, U64),
    FIELD(aerogpu_cmd_release_shared_surface, reserved0, U64),
};

static const struct agpu_field_info flush_fields[] = {
    FIELD(aerogpu_cmd_flush, reserved0, U32),
    FIELD(aerogpu_cmd_flush, reserved1, U32),
};

#define HEADER_ROW(symbol, added)                                                                            \
    .opcode = AEROGPU_CMD_##symbol, .name = #symbol, .minor = added,                                         \
    .fixed = {NULL, 0, sizeof(struct aerogpu_cmd_hdr)}
#define ROW(symbol, type, added)                                                                             \
    .opcode = AEROGPU_CMD_##symbol, .name = #symbol, .minor = added,                                         \
    .fixed = STRUCT_INFO(aerogpu_cmd_##type, type##_fields)
#define STAGE(type, member) .stage_offset = offsetof(struct aerogpu_cmd_##type, member)
#define STAGE_EX(type) .stage_ex_offset = offsetof(struct aerogpu_cmd_##type, reserved0)
#define BYTES(type, member)                                                                                  \
    .payload = {.kind = AGPU_PAYLOAD_BYTES,                                                                  \
                .count_offset = offsetof(struct aerogpu_cmd_##type, member),                                 \
                .field_name = "data"}
#define BYTES_U64(type, member)                                                                              \
    .payload = {.kind = AGPU_PAYLOAD_BYTES,                                                                  \
                .count_offset = offsetof(struct aerogpu_cmd_##type, member),                                 \
                .count_is_u64 = true,                                                                        \
                .field_name = "data"}
#define WORDS(type, member, per_count, kind_of_word, name_of_field)                                          \
    .payload = {.kind = AGPU_PAYLOAD_WORDS,                                                                  \
                .words_per_count = per_count,                                                                \
                .word_type = AGPU_FIELD_##kind_of_word,                                                      \
                .count_offset = offsetof(struct aerogpu_cmd_##type, member),                                 \
                .field_name = name_of_field}
#define BINDINGS(type, member, info)                                                                         \
    .payload = {.kind = AGPU_PAYLOAD_ARRAY,                                                                  \
                .count_offset = offsetof(struct aerogpu_cmd_##type, member),                                 \
                .field_name = "bindings",                                                                    \
                .element = &info}

/* Ascending by opcode: lookups bisect it. */
static const struct agpu_packet_info packet_table[] = {
    {HEADER_ROW(NOP, 0), .payload = {.kind = AGPU_PAYLOAD_ANY}},
    {HEADER_ROW(DEBUG_MARKER, 0), .payload = {.kind = AGPU_PAYLOAD_TEXT, .field_name = "text"}},
    {ROW(CREATE_BUFFER, create_buffer, 0)},
    {ROW(CREATE_TEXTURE2D, create_texture2d, 0)},
    {ROW(DESTROY_RESOURCE, destroy_resource, 0)},
    {ROW(RESOURCE_DIRTY_RANGE, resource_dirty_range, 0)},
    {ROW(UPLOAD_RESOURCE, upload_resource, 0), BYTES_U64(upload_resource, size_bytes)},
    {ROW(COPY_BUFFER, copy_buffer, 1)},
    {ROW(COPY_TEXTURE2D, copy_texture2d, 1)},
    {ROW(CREATE_TEXTURE_VIEW, create_texture_view, 3)},
    {ROW(DESTROY_TEXTURE_VIEW, destroy_texture_view, 3)},
    {ROW(CREATE_SHADER_DXBC, create_shader_dxbc, 0),
     STAGE(create_shader_dxbc, stage), STAGE_EX(create_shader_dxbc),
     BYTES(create_shader_dxbc, dxbc_size_bytes)},
    {ROW(DESTROY_SHADER, destroy_shader, 0)},
    {ROW(BIND_SHADERS, bind_shaders, 0),
     .extended = &bind_shaders_ex_info, .extended_size = sizeof(struct aerogpu_cmd_bind_shaders_ex)},
    {ROW(SET_SHADER_CONSTANTS_F, set_shader_constants_f, 0),
     STAGE(set_shader_constants_f, stage), STAGE_EX(set_shader_constants_f),
     WORDS(set_shader_constants_f, vec4_count, 4, F32, "data")},
    {ROW(CREATE_INPUT_LAYOUT, create_input_layout, 0), BYTES(create_input_layout, blob_size_bytes)},
    {ROW(DESTROY_INPUT_LAYOUT, destroy_input_layout, 0)},
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
    {ROW(CREATE_SAMPLER, create_sampler, 1)},
    {ROW(DESTROY_SAMPLER, destroy_sampler, 1)},
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
    {ROW(CLEAR, clear, 0)},
    {ROW(DRAW, draw, 0)},
    {ROW(DRAW_INDEXED, draw_indexed, 0)},
    {ROW(DISPATCH, dispatch, 2), STAGE_EX(dispatch)},
    {ROW(PRESENT, present, 0)},
    {ROW(PRESENT_EX, present_ex, 0)},
    {ROW(EXPORT_SHARED_SURFACE, export_shared_surface, 0)},
    {ROW(IMPORT_SHARED_SURFACE, import_shared_surface, 0)},
    {ROW(RELEASE_SHARED_SURFACE, release_shared_surface, 1)},
    {ROW(FLUSH, flush, 0)},
};
/* clang-format on */

const struct agpu_packet_info *agpu_packet_info(uint32_t opcode)
{
    size_t low = 0, high = AGPU_COUNT_OF(packet_table);
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (packet_table[middle].opcode < opcode)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == AGPU_COUNT_OF(packet_table) || packet_table[low].opcode != opcode)
        return NULL;
    return &packet_table[low];
}

const struct agpu_packet_info *agpu_packet_info_by_name(const char *name, size_t length)
{
    for (size_t i = 0; i < AGPU_COUNT_OF(packet_table); i++) {
        if (strlen(packet_table[i].name) == length && memcmp(packet_table[i].name, name, length) == 0)
            return &packet_table[i];
    }
    return NULL;
}

const struct agpu_packet_info *agpu_packet_table(size_t *count)
{
    *count = AGPU_COUNT_OF(packet_table);
    return packet_table;
}
