/* SPDX-License-Identifier: MIT
 *
 * The fields of ABI 1.4's packets, for the table in packet.c, which alone includes this file.
 */
#ifndef AG_ABI_PACKET_FIELDS_H
#define AG_ABI_PACKET_FIELDS_H

#include "abi/packet_field.h"

/* clang-format off */
static const struct ag_field_info blend_state_fields[] = {
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
static const struct ag_struct_info blend_state_info = STRUCT_INFO(aerogpu_blend_state, blend_state_fields);

static const struct ag_field_info depth_stencil_state_fields[] = {
    FIELD(aerogpu_depth_stencil_state, depth_enable, U32),
    FIELD(aerogpu_depth_stencil_state, depth_write_enable, U32),
    NAMED(aerogpu_depth_stencil_state, depth_func, U32, compare_func),
    ROLE(aerogpu_depth_stencil_state, stencil_enable, STENCIL_ENABLE),
    FIELD(aerogpu_depth_stencil_state, stencil_read_mask, U8),
    FIELD(aerogpu_depth_stencil_state, stencil_write_mask, U8),
    ARRAY(aerogpu_depth_stencil_state, reserved0, U8, 2),
};
static const struct ag_struct_info depth_stencil_state_info =
    STRUCT_INFO(aerogpu_depth_stencil_state, depth_stencil_state_fields);

static const struct ag_field_info rasterizer_state_fields[] = {
    NAMED(aerogpu_rasterizer_state, fill_mode, U32, fill_mode),
    NAMED(aerogpu_rasterizer_state, cull_mode, U32, cull_mode),
    FIELD(aerogpu_rasterizer_state, front_ccw, U32),
    FIELD(aerogpu_rasterizer_state, scissor_enable, U32),
    FIELD(aerogpu_rasterizer_state, depth_bias, I32),
    NAMED(aerogpu_rasterizer_state, flags, U32, rasterizer_flags),
};
static const struct ag_struct_info rasterizer_state_info =
    STRUCT_INFO(aerogpu_rasterizer_state, rasterizer_state_fields);

static const struct ag_field_info vertex_buffer_binding_fields[] = {
    BINDS(aerogpu_vertex_buffer_binding, buffer, BUFFER, VERTEX_BUFFERS),
    FIELD(aerogpu_vertex_buffer_binding, stride_bytes, U32),
    FIELD(aerogpu_vertex_buffer_binding, offset_bytes, U32),
    FIELD(aerogpu_vertex_buffer_binding, reserved0, U32),
};
static const struct ag_struct_info vertex_buffer_binding_info =
    STRUCT_INFO(aerogpu_vertex_buffer_binding, vertex_buffer_binding_fields);

static const struct ag_field_info constant_buffer_binding_fields[] = {
    BINDS(aerogpu_constant_buffer_binding, buffer, BUFFER, CONSTANT_BUFFERS),
    FIELD(aerogpu_constant_buffer_binding, offset_bytes, U32),
    FIELD(aerogpu_constant_buffer_binding, size_bytes, U32),
    FIELD(aerogpu_constant_buffer_binding, reserved0, U32),
};
static const struct ag_struct_info constant_buffer_binding_info =
    STRUCT_INFO(aerogpu_constant_buffer_binding, constant_buffer_binding_fields);

static const struct ag_field_info shader_resource_buffer_binding_fields[] = {
    BINDS(aerogpu_shader_resource_buffer_binding, buffer, BUFFER, SHADER_RESOURCES),
    FIELD(aerogpu_shader_resource_buffer_binding, offset_bytes, U32),
    FIELD(aerogpu_shader_resource_buffer_binding, size_bytes, U32),
    FIELD(aerogpu_shader_resource_buffer_binding, reserved0, U32),
};
static const struct ag_struct_info shader_resource_buffer_binding_info =
    STRUCT_INFO(aerogpu_shader_resource_buffer_binding, shader_resource_buffer_binding_fields);

static const struct ag_field_info unordered_access_buffer_binding_fields[] = {
    BINDS(aerogpu_unordered_access_buffer_binding, buffer, BUFFER, UNORDERED_ACCESS),
    FIELD(aerogpu_unordered_access_buffer_binding, offset_bytes, U32),
    FIELD(aerogpu_unordered_access_buffer_binding, size_bytes, U32),
    FIELD(aerogpu_unordered_access_buffer_binding, initial_count, U32),
};
static const struct ag_struct_info unordered_access_buffer_binding_info =
    STRUCT_INFO(aerogpu_unordered_access_buffer_binding, unordered_access_buffer_binding_fields);

static const struct ag_field_info create_buffer_fields[] = {
    HANDLE(aerogpu_cmd_create_buffer, buffer_handle, CREATES, BUFFER),
    NAMED(aerogpu_cmd_create_buffer, usage_flags, U32, resource_usage),
    FIELD(aerogpu_cmd_create_buffer, size_bytes, U64),
    ALLOCATION(aerogpu_cmd_create_buffer, backing_alloc_id, MADE_OF),
    FIELD(aerogpu_cmd_create_buffer, backing_offset_bytes, U32),
    FIELD(aerogpu_cmd_create_buffer, reserved0, U64),
};

static const struct ag_field_info create_texture2d_fields[] = {
    HANDLE(aerogpu_cmd_create_texture2d, texture_handle, CREATES, TEXTURE),
    NAMED(aerogpu_cmd_create_texture2d, usage_flags, U32, resource_usage),
    NAMED(aerogpu_cmd_create_texture2d, format, U32, format),
    FIELD(aerogpu_cmd_create_texture2d, width, U32),
    FIELD(aerogpu_cmd_create_texture2d, height, U32),
    ROLE(aerogpu_cmd_create_texture2d, mip_levels, PARTS),
    ROLE(aerogpu_cmd_create_texture2d, array_layers, PARTS),
    FIELD(aerogpu_cmd_create_texture2d, row_pitch_bytes, U32),
    ALLOCATION(aerogpu_cmd_create_texture2d, backing_alloc_id, MADE_OF),
    FIELD(aerogpu_cmd_create_texture2d, backing_offset_bytes, U32),
    FIELD(aerogpu_cmd_create_texture2d, reserved0, U64),
};

static const struct ag_field_info create_texture_view_fields[] = {
    HANDLE(aerogpu_cmd_create_texture_view, view_handle, CREATES, VIEW),
    HANDLE(aerogpu_cmd_create_texture_view, texture_handle, MADE_OF, TEXTURE),
    NAMED(aerogpu_cmd_create_texture_view, format, U32, format),
    FIELD(aerogpu_cmd_create_texture_view, base_mip_level, U32),
    FIELD(aerogpu_cmd_create_texture_view, mip_level_count, U32),
    FIELD(aerogpu_cmd_create_texture_view, base_array_layer, U32),
    FIELD(aerogpu_cmd_create_texture_view, array_layer_count, U32),
    FIELD(aerogpu_cmd_create_texture_view, reserved0, U64),
};

static const struct ag_field_info destroy_resource_fields[] = {
    HANDLE(aerogpu_cmd_destroy_resource, resource_handle, DESTROYS, RESOURCE),
    FIELD(aerogpu_cmd_destroy_resource, reserved0, U32),
};

static const struct ag_field_info destroy_texture_view_fields[] = {
    HANDLE(aerogpu_cmd_destroy_texture_view, view_handle, DESTROYS, VIEW),
    FIELD(aerogpu_cmd_destroy_texture_view, reserved0, U32),
};

static const struct ag_field_info resource_dirty_range_fields[] = {
    HANDLE(aerogpu_cmd_resource_dirty_range, resource_handle, WRITES, RESOURCE),
    FIELD(aerogpu_cmd_resource_dirty_range, reserved0, U32),
    FIELD(aerogpu_cmd_resource_dirty_range, offset_bytes, U64),
    FIELD(aerogpu_cmd_resource_dirty_range, size_bytes, U64),
};

static const struct ag_field_info upload_resource_fields[] = {
    HANDLE(aerogpu_cmd_upload_resource, resource_handle, WRITES, RESOURCE),
    FIELD(aerogpu_cmd_upload_resource, reserved0, U32),
    FIELD(aerogpu_cmd_upload_resource, offset_bytes, U64),
    FIELD(aerogpu_cmd_upload_resource, size_bytes, U64),
};

static const struct ag_field_info copy_buffer_fields[] = {
    HANDLE(aerogpu_cmd_copy_buffer, dst_buffer, WRITES, BUFFER),
    HANDLE(aerogpu_cmd_copy_buffer, src_buffer, READS, BUFFER),
    FIELD(aerogpu_cmd_copy_buffer, dst_offset_bytes, U64),
    FIELD(aerogpu_cmd_copy_buffer, src_offset_bytes, U64),
    FIELD(aerogpu_cmd_copy_buffer, size_bytes, U64),
    NAMED_ROLE(aerogpu_cmd_copy_buffer, flags, copy_flags, WRITE_BACK),
    FIELD(aerogpu_cmd_copy_buffer, reserved0, U32),
};

static const struct ag_field_info copy_texture2d_fields[] = {
    HANDLE(aerogpu_cmd_copy_texture2d, dst_texture, WRITES, TEXTURE),
    HANDLE(aerogpu_cmd_copy_texture2d, src_texture, READS, TEXTURE),
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
    NAMED_ROLE(aerogpu_cmd_copy_texture2d, flags, copy_flags, WRITE_BACK),
    FIELD(aerogpu_cmd_copy_texture2d, reserved0, U32),
};

static const struct ag_field_info create_shader_dxbc_fields[] = {
    HANDLE(aerogpu_cmd_create_shader_dxbc, shader_handle, CREATES, SHADER),
    NAMED(aerogpu_cmd_create_shader_dxbc, stage, U32, shader_stage),
    FIELD(aerogpu_cmd_create_shader_dxbc, dxbc_size_bytes, U32),
    NAMED(aerogpu_cmd_create_shader_dxbc, reserved0, U32, stage_ex),
};

static const struct ag_field_info destroy_shader_fields[] = {
    HANDLE(aerogpu_cmd_destroy_shader, shader_handle, DESTROYS, SHADER),
    FIELD(aerogpu_cmd_destroy_shader, reserved0, U32),
};

static const struct ag_field_info bind_shaders_fields[] = {
    BINDS(aerogpu_cmd_bind_shaders, vs, SHADER, SHADERS),
    BINDS(aerogpu_cmd_bind_shaders, ps, SHADER, SHADERS),
    BINDS(aerogpu_cmd_bind_shaders, cs, SHADER, SHADERS),
    FIELD_ROW(aerogpu_cmd_bind_shaders, reserved0, U32, 1, NULL, NULL, BINDS, SHADER, SHADERS), /* gs of the short form */
};

static const struct ag_field_info bind_shaders_ex_fields[] = {
    BINDS(aerogpu_cmd_bind_shaders_ex, gs, SHADER, SHADERS),
    BINDS(aerogpu_cmd_bind_shaders_ex, hs, SHADER, SHADERS),
    BINDS(aerogpu_cmd_bind_shaders_ex, ds, SHADER, SHADERS),
};
static const struct ag_struct_info bind_shaders_ex_info =
    STRUCT_INFO(aerogpu_cmd_bind_shaders_ex, bind_shaders_ex_fields);

static const struct ag_field_info set_shader_constants_f_fields[] = {
    NAMED(aerogpu_cmd_set_shader_constants_f, stage, U32, shader_stage),
    FIELD(aerogpu_cmd_set_shader_constants_f, start_register, U32),
    FIELD(aerogpu_cmd_set_shader_constants_f, vec4_count, U32),
    NAMED(aerogpu_cmd_set_shader_constants_f, reserved0, U32, stage_ex),
};

static const struct ag_field_info set_shader_constants_i_fields[] = {
    NAMED(aerogpu_cmd_set_shader_constants_i, stage, U32, shader_stage),
    FIELD(aerogpu_cmd_set_shader_constants_i, start_register, U32),
    FIELD(aerogpu_cmd_set_shader_constants_i, vec4_count, U32),
    NAMED(aerogpu_cmd_set_shader_constants_i, reserved0, U32, stage_ex),
};

static const struct ag_field_info set_shader_constants_b_fields[] = {
    NAMED(aerogpu_cmd_set_shader_constants_b, stage, U32, shader_stage),
    FIELD(aerogpu_cmd_set_shader_constants_b, start_register, U32),
    FIELD(aerogpu_cmd_set_shader_constants_b, bool_count, U32),
    NAMED(aerogpu_cmd_set_shader_constants_b, reserved0, U32, stage_ex),
};

static const struct ag_field_info create_input_layout_fields[] = {
    HANDLE(aerogpu_cmd_create_input_layout, input_layout_handle, CREATES, INPUT_LAYOUT),
    FIELD(aerogpu_cmd_create_input_layout, blob_size_bytes, U32),
    FIELD(aerogpu_cmd_create_input_layout, reserved0, U32),
};

static const struct ag_field_info destroy_input_layout_fields[] = {
    HANDLE(aerogpu_cmd_destroy_input_layout, input_layout_handle, DESTROYS, INPUT_LAYOUT),
    FIELD(aerogpu_cmd_destroy_input_layout, reserved0, U32),
};

static const struct ag_field_info set_input_layout_fields[] = {
    BINDS(aerogpu_cmd_set_input_layout, input_layout_handle, INPUT_LAYOUT, INPUT_LAYOUT),
    FIELD(aerogpu_cmd_set_input_layout, reserved0, U32),
};

static const struct ag_field_info set_blend_state_fields[] = {
    NESTED(aerogpu_cmd_set_blend_state, state, blend_state_info),
};

static const struct ag_field_info set_depth_stencil_state_fields[] = {
    NESTED(aerogpu_cmd_set_depth_stencil_state, state, depth_stencil_state_info),
};

static const struct ag_field_info set_rasterizer_state_fields[] = {
    NESTED(aerogpu_cmd_set_rasterizer_state, state, rasterizer_state_info),
};

static const struct ag_field_info set_render_targets_fields[] = {
    COUNT(aerogpu_cmd_set_render_targets, color_count, COLOR_TARGETS),
    BINDS(aerogpu_cmd_set_render_targets, depth_stencil, RESOURCE, DEPTH_STENCIL_TARGET),
    BINDS_ARRAY(aerogpu_cmd_set_render_targets, colors, RESOURCE, COLOR_TARGETS, AEROGPU_MAX_RENDER_TARGETS),
};

static const struct ag_field_info set_viewport_fields[] = {
    FIELD(aerogpu_cmd_set_viewport, x_f32, F32),
    FIELD(aerogpu_cmd_set_viewport, y_f32, F32),
    FIELD(aerogpu_cmd_set_viewport, width_f32, F32),
    FIELD(aerogpu_cmd_set_viewport, height_f32, F32),
    FIELD(aerogpu_cmd_set_viewport, min_depth_f32, F32),
    FIELD(aerogpu_cmd_set_viewport, max_depth_f32, F32),
};

static const struct ag_field_info set_scissor_fields[] = {
    FIELD(aerogpu_cmd_set_scissor, x, I32),
    FIELD(aerogpu_cmd_set_scissor, y, I32),
    FIELD(aerogpu_cmd_set_scissor, width, I32),
    FIELD(aerogpu_cmd_set_scissor, height, I32),
};

static const struct ag_field_info set_vertex_buffers_fields[] = {
    SLOT(aerogpu_cmd_set_vertex_buffers, start_slot, VERTEX_BUFFERS),
    FIELD(aerogpu_cmd_set_vertex_buffers, buffer_count, U32),
};

static const struct ag_field_info set_index_buffer_fields[] = {
    BINDS(aerogpu_cmd_set_index_buffer, buffer, BUFFER, INDEX_BUFFER),
    NAMED(aerogpu_cmd_set_index_buffer, format, U32, index_format),
    FIELD(aerogpu_cmd_set_index_buffer, offset_bytes, U32),
    FIELD(aerogpu_cmd_set_index_buffer, reserved0, U32),
};

static const struct ag_field_info set_primitive_topology_fields[] = {
    NAMED(aerogpu_cmd_set_primitive_topology, topology, U32, topology),
    FIELD(aerogpu_cmd_set_primitive_topology, reserved0, U32),
};

static const struct ag_field_info set_texture_fields[] = {
    NAMED(aerogpu_cmd_set_texture, shader_stage, U32, shader_stage),
    SLOT(aerogpu_cmd_set_texture, slot, SHADER_RESOURCES),
    BINDS(aerogpu_cmd_set_texture, texture, RESOURCE, SHADER_RESOURCES),
    NAMED(aerogpu_cmd_set_texture, reserved0, U32, stage_ex),
};

static const struct ag_field_info create_sampler_fields[] = {
    HANDLE(aerogpu_cmd_create_sampler, sampler_handle, CREATES, SAMPLER),
    NAMED(aerogpu_cmd_create_sampler, filter, U32, sampler_filter),
    NAMED(aerogpu_cmd_create_sampler, address_u, U32, sampler_address),
    NAMED(aerogpu_cmd_create_sampler, address_v, U32, sampler_address),
    NAMED(aerogpu_cmd_create_sampler, address_w, U32, sampler_address),
};

static const struct ag_field_info destroy_sampler_fields[] = {
    HANDLE(aerogpu_cmd_destroy_sampler, sampler_handle, DESTROYS, SAMPLER),
    FIELD(aerogpu_cmd_destroy_sampler, reserved0, U32),
};

static const struct ag_field_info set_samplers_fields[] = {
    NAMED(aerogpu_cmd_set_samplers, shader_stage, U32, shader_stage),
    SLOT(aerogpu_cmd_set_samplers, start_slot, SAMPLERS),
    FIELD(aerogpu_cmd_set_samplers, sampler_count, U32),
    NAMED(aerogpu_cmd_set_samplers, reserved0, U32, stage_ex),
};

static const struct ag_field_info set_constant_buffers_fields[] = {
    NAMED(aerogpu_cmd_set_constant_buffers, shader_stage, U32, shader_stage),
    SLOT(aerogpu_cmd_set_constant_buffers, start_slot, CONSTANT_BUFFERS),
    FIELD(aerogpu_cmd_set_constant_buffers, buffer_count, U32),
    NAMED(aerogpu_cmd_set_constant_buffers, reserved0, U32, stage_ex),
};

static const struct ag_field_info set_shader_resource_buffers_fields[] = {
    NAMED(aerogpu_cmd_set_shader_resource_buffers, shader_stage, U32, shader_stage),
    SLOT(aerogpu_cmd_set_shader_resource_buffers, start_slot, SHADER_RESOURCES),
    FIELD(aerogpu_cmd_set_shader_resource_buffers, buffer_count, U32),
    NAMED(aerogpu_cmd_set_shader_resource_buffers, reserved0, U32, stage_ex),
};

static const struct ag_field_info set_unordered_access_buffers_fields[] = {
    NAMED(aerogpu_cmd_set_unordered_access_buffers, shader_stage, U32, shader_stage),
    SLOT(aerogpu_cmd_set_unordered_access_buffers, start_slot, UNORDERED_ACCESS),
    FIELD(aerogpu_cmd_set_unordered_access_buffers, uav_count, U32),
    NAMED(aerogpu_cmd_set_unordered_access_buffers, reserved0, U32, stage_ex),
};

static const struct ag_field_info set_sampler_state_fields[] = {
    NAMED(aerogpu_cmd_set_sampler_state, shader_stage, U32, shader_stage),
    FIELD(aerogpu_cmd_set_sampler_state, slot, U32),
    FIELD(aerogpu_cmd_set_sampler_state, state, U32),
    FIELD(aerogpu_cmd_set_sampler_state, value, U32),
};

static const struct ag_field_info set_render_state_fields[] = {
    FIELD(aerogpu_cmd_set_render_state, state, U32),
    FIELD(aerogpu_cmd_set_render_state, value, U32),
};

static const struct ag_field_info clear_fields[] = {
    NAMED_ROLE(aerogpu_cmd_clear, flags, clear_flags, CLEARED),
    ARRAY(aerogpu_cmd_clear, color_rgba_f32, F32, 4),
    FIELD(aerogpu_cmd_clear, depth_f32, F32),
    FIELD(aerogpu_cmd_clear, stencil, U32),
};

static const struct ag_field_info draw_fields[] = {
    FIELD(aerogpu_cmd_draw, vertex_count, U32),
    FIELD(aerogpu_cmd_draw, instance_count, U32),
    FIELD(aerogpu_cmd_draw, first_vertex, U32),
    FIELD(aerogpu_cmd_draw, first_instance, U32),
};

static const struct ag_field_info draw_indexed_fields[] = {
    FIELD(aerogpu_cmd_draw_indexed, index_count, U32),
    FIELD(aerogpu_cmd_draw_indexed, instance_count, U32),
    FIELD(aerogpu_cmd_draw_indexed, first_index, U32),
    FIELD(aerogpu_cmd_draw_indexed, base_vertex, I32),
    FIELD(aerogpu_cmd_draw_indexed, first_instance, U32),
};

static const struct ag_field_info dispatch_fields[] = {
    FIELD(aerogpu_cmd_dispatch, group_count_x, U32),
    FIELD(aerogpu_cmd_dispatch, group_count_y, U32),
    FIELD(aerogpu_cmd_dispatch, group_count_z, U32),
    NAMED(aerogpu_cmd_dispatch, reserved0, U32, stage_ex),
};

static const struct ag_field_info present_fields[] = {
    FIELD(aerogpu_cmd_present, scanout_id, U32),
    NAMED_ROLE(aerogpu_cmd_present, flags, present_flags, PRESENTED),
};

static const struct ag_field_info present_ex_fields[] = {
    FIELD(aerogpu_cmd_present_ex, scanout_id, U32),
    NAMED_ROLE(aerogpu_cmd_present_ex, flags, present_flags, PRESENTED),
    FIELD(aerogpu_cmd_present_ex, d3d9_present_flags, U32),
    FIELD(aerogpu_cmd_present_ex, reserved0, U32),
};

static const struct ag_field_info export_shared_surface_fields[] = {
    HANDLE(aerogpu_cmd_export_shared_surface, resource_handle, MADE_OF, RESOURCE),
    FIELD(aerogpu_cmd_export_shared_surface, reserved0, U32),
    TOKEN(aerogpu_cmd_export_shared_surface, share_token, CREATES),
};

static const struct ag_field_info import_shared_surface_fields[] = {
    HANDLE(aerogpu_cmd_import_shared_surface, out_resource_handle, CREATES, RESOURCE),
    FIELD(aerogpu_cmd_import_shared_surface, reserved0, U32),
    TOKEN(aerogpu_cmd_import_shared_surface, share_token, MADE_OF),
};

static const struct ag_field_info release_shared_surface_fields[] = {
    TOKEN(aerogpu_cmd_release_shared_surface, share_token, DESTROYS),
    FIELD(aerogpu_cmd_release_shared_surface, reserved0, U64),
};

static const struct ag_field_info flush_fields[] = {
    FIELD(aerogpu_cmd_flush, reserved0, U32),
    FIELD(aerogpu_cmd_flush, reserved1, U32),
};
/* clang-format on */

#endif
