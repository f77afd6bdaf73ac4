/* SPDX-License-Identifier: MIT
 *
 * The fields of the extension's packets, for the table in packet.c, which alone includes this file.
 */
#ifndef AG_ABI_PACKET_FIELDS_EXT_H
#define AG_ABI_PACKET_FIELDS_EXT_H

#include "abi/packet_field.h"

/* clang-format off */
static const struct ag_field_info ext_box_fields[] = {
    FIELD(aerogpu_ext_box, left, U32),
    FIELD(aerogpu_ext_box, top, U32),
    FIELD(aerogpu_ext_box, front, U32),
    FIELD(aerogpu_ext_box, right, U32),
    FIELD(aerogpu_ext_box, bottom, U32),
    FIELD(aerogpu_ext_box, back, U32),
};
static const struct ag_struct_info ext_box_info =
    STRUCT_INFO(aerogpu_ext_box, ext_box_fields);

static const struct ag_field_info ext_rect_fields[] = {
    FIELD(aerogpu_ext_rect, left, I32),
    FIELD(aerogpu_ext_rect, top, I32),
    FIELD(aerogpu_ext_rect, right, I32),
    FIELD(aerogpu_ext_rect, bottom, I32),
};
static const struct ag_struct_info ext_rect_info =
    STRUCT_INFO(aerogpu_ext_rect, ext_rect_fields);

static const struct ag_field_info ext_create_buffer_fields[] = {
    HANDLE(aerogpu_cmd_ext_create_buffer, buffer_handle, CREATES, BUFFER),
    NAMED(aerogpu_cmd_ext_create_buffer, bind_flags, U32, ext_bind_flags),
    NAMED(aerogpu_cmd_ext_create_buffer, misc_flags, U32, ext_misc_flags),
    FIELD(aerogpu_cmd_ext_create_buffer, structure_stride_bytes, U32),
    FIELD(aerogpu_cmd_ext_create_buffer, size_bytes, U64),
    ALLOCATION(aerogpu_cmd_ext_create_buffer, backing_alloc_id, MADE_OF),
    FIELD(aerogpu_cmd_ext_create_buffer, backing_offset_bytes, U32),
};

static const struct ag_field_info ext_create_texture_fields[] = {
    HANDLE(aerogpu_cmd_ext_create_texture, texture_handle, CREATES, TEXTURE),
    NAMED(aerogpu_cmd_ext_create_texture, dimension, U32, ext_resource_dimension),
    NAMED(aerogpu_cmd_ext_create_texture, format, U32, format),
    FIELD(aerogpu_cmd_ext_create_texture, width, U32),
    FIELD(aerogpu_cmd_ext_create_texture, height, U32),
    FIELD(aerogpu_cmd_ext_create_texture, depth, U32),
    FIELD(aerogpu_cmd_ext_create_texture, mip_levels, U32),
    FIELD(aerogpu_cmd_ext_create_texture, array_size, U32),
    FIELD(aerogpu_cmd_ext_create_texture, sample_count, U32),
    FIELD(aerogpu_cmd_ext_create_texture, sample_quality, U32),
    NAMED(aerogpu_cmd_ext_create_texture, bind_flags, U32, ext_bind_flags),
    NAMED(aerogpu_cmd_ext_create_texture, misc_flags, U32, ext_misc_flags),
    FIELD(aerogpu_cmd_ext_create_texture, row_pitch_bytes, U32),
    FIELD(aerogpu_cmd_ext_create_texture, depth_pitch_bytes, U32),
    ALLOCATION(aerogpu_cmd_ext_create_texture, backing_alloc_id, MADE_OF),
    FIELD(aerogpu_cmd_ext_create_texture, backing_offset_bytes, U32),
};

static const struct ag_field_info ext_update_subresource_fields[] = {
    HANDLE(aerogpu_cmd_ext_update_subresource, resource_handle, WRITES, RESOURCE),
    FIELD(aerogpu_cmd_ext_update_subresource, subresource, U32),
    NAMED(aerogpu_cmd_ext_update_subresource, flags, U32, ext_update_flags),
    NESTED(aerogpu_cmd_ext_update_subresource, box, ext_box_info),
    FIELD(aerogpu_cmd_ext_update_subresource, row_pitch_bytes, U32),
    FIELD(aerogpu_cmd_ext_update_subresource, depth_pitch_bytes, U32),
    ALLOCATION(aerogpu_cmd_ext_update_subresource, source_alloc_id, READS),
    FIELD(aerogpu_cmd_ext_update_subresource, source_offset_bytes, U64),
    FIELD(aerogpu_cmd_ext_update_subresource, data_size_bytes, U32),
};

static const struct ag_field_info ext_read_subresource_fields[] = {
    HANDLE(aerogpu_cmd_ext_read_subresource, resource_handle, READS, RESOURCE),
    FIELD(aerogpu_cmd_ext_read_subresource, subresource, U32),
    NAMED(aerogpu_cmd_ext_read_subresource, flags, U32, ext_update_flags),
    NESTED(aerogpu_cmd_ext_read_subresource, box, ext_box_info),
    FIELD(aerogpu_cmd_ext_read_subresource, row_pitch_bytes, U32),
    FIELD(aerogpu_cmd_ext_read_subresource, depth_pitch_bytes, U32),
    ALLOCATION(aerogpu_cmd_ext_read_subresource, target_alloc_id, WRITES),
    FIELD(aerogpu_cmd_ext_read_subresource, target_offset_bytes, U64),
};

static const struct ag_field_info ext_copy_resource_fields[] = {
    HANDLE(aerogpu_cmd_ext_copy_resource, dst_resource, WRITES, RESOURCE),
    HANDLE(aerogpu_cmd_ext_copy_resource, src_resource, READS, RESOURCE),
    NAMED_ROLE(aerogpu_cmd_ext_copy_resource, flags, copy_flags, WRITE_BACK),
    FIELD(aerogpu_cmd_ext_copy_resource, reserved0, U32),
};

static const struct ag_field_info ext_copy_subresource_region_fields[] = {
    HANDLE(aerogpu_cmd_ext_copy_subresource_region, dst_resource, WRITES, RESOURCE),
    FIELD(aerogpu_cmd_ext_copy_subresource_region, dst_subresource, U32),
    FIELD(aerogpu_cmd_ext_copy_subresource_region, dst_x, U32),
    FIELD(aerogpu_cmd_ext_copy_subresource_region, dst_y, U32),
    FIELD(aerogpu_cmd_ext_copy_subresource_region, dst_z, U32),
    HANDLE(aerogpu_cmd_ext_copy_subresource_region, src_resource, READS, RESOURCE),
    FIELD(aerogpu_cmd_ext_copy_subresource_region, src_subresource, U32),
    NAMED(aerogpu_cmd_ext_copy_subresource_region, box_flags, U32, ext_update_flags),
    NESTED(aerogpu_cmd_ext_copy_subresource_region, box, ext_box_info),
    NAMED_ROLE(aerogpu_cmd_ext_copy_subresource_region, flags, copy_flags, WRITE_BACK),
};

static const struct ag_field_info ext_copy_structure_count_fields[] = {
    HANDLE(aerogpu_cmd_ext_copy_structure_count, dst_buffer, WRITES, BUFFER),
    FIELD(aerogpu_cmd_ext_copy_structure_count, dst_offset_bytes, U32),
    HANDLE(aerogpu_cmd_ext_copy_structure_count, src_view, READS, VIEW),
    NAMED_ROLE(aerogpu_cmd_ext_copy_structure_count, flags, copy_flags, WRITE_BACK),
};

static const struct ag_field_info ext_resolve_subresource_fields[] = {
    HANDLE(aerogpu_cmd_ext_resolve_subresource, dst_texture, WRITES, TEXTURE),
    FIELD(aerogpu_cmd_ext_resolve_subresource, dst_subresource, U32),
    HANDLE(aerogpu_cmd_ext_resolve_subresource, src_texture, READS, TEXTURE),
    FIELD(aerogpu_cmd_ext_resolve_subresource, src_subresource, U32),
    NAMED(aerogpu_cmd_ext_resolve_subresource, format, U32, format),
    NAMED_ROLE(aerogpu_cmd_ext_resolve_subresource, flags, copy_flags, WRITE_BACK),
};

static const struct ag_field_info ext_generate_mips_fields[] = {
    HANDLE(aerogpu_cmd_ext_generate_mips, view_handle, READS_AND_WRITES, VIEW),
    FIELD(aerogpu_cmd_ext_generate_mips, reserved0, U32),
};

static const struct ag_field_info ext_set_resource_min_lod_fields[] = {
    HANDLE(aerogpu_cmd_ext_set_resource_min_lod, texture_handle, CHANGES, TEXTURE),
    FIELD(aerogpu_cmd_ext_set_resource_min_lod, min_lod_f32, F32),
};

static const struct ag_field_info ext_discard_resource_fields[] = {
    HANDLE(aerogpu_cmd_ext_discard_resource, resource_handle, DISCARDS, RESOURCE),
    FIELD(aerogpu_cmd_ext_discard_resource, reserved0, U32),
};

static const struct ag_field_info ext_discard_view_fields[] = {
    HANDLE(aerogpu_cmd_ext_discard_view, view_handle, DISCARDS, VIEW),
    FIELD(aerogpu_cmd_ext_discard_view, rect_count, U32),
};

static const struct ag_field_info ext_create_view_fields[] = {
    HANDLE(aerogpu_cmd_ext_create_view, view_handle, CREATES, VIEW),
    HANDLE(aerogpu_cmd_ext_create_view, resource_handle, MADE_OF, RESOURCE),
    NAMED(aerogpu_cmd_ext_create_view, kind, U32, ext_view_kind),
    NAMED(aerogpu_cmd_ext_create_view, format, U32, format),
    NAMED(aerogpu_cmd_ext_create_view, dimension, U32, ext_view_dimension),
    NAMED(aerogpu_cmd_ext_create_view, flags, U32, ext_view_flags),
    FIELD(aerogpu_cmd_ext_create_view, first_element, U32),
    FIELD(aerogpu_cmd_ext_create_view, element_count, U32),
    FIELD(aerogpu_cmd_ext_create_view, base_mip_level, U32),
    FIELD(aerogpu_cmd_ext_create_view, mip_level_count, U32),
    FIELD(aerogpu_cmd_ext_create_view, base_array_layer, U32),
    FIELD(aerogpu_cmd_ext_create_view, array_layer_count, U32),
};

static const struct ag_field_info ext_destroy_view_fields[] = {
    HANDLE(aerogpu_cmd_ext_destroy_view, view_handle, DESTROYS, VIEW),
    FIELD(aerogpu_cmd_ext_destroy_view, reserved0, U32),
};

static const struct ag_field_info ext_destroy_object_fields[] = {
    HANDLE(aerogpu_cmd_ext_destroy_object, object_handle, DESTROYS, ANY),
    FIELD(aerogpu_cmd_ext_destroy_object, reserved0, U32),
};

static const struct ag_field_info ext_signature_element_fields[] = {
    FIELD(aerogpu_ext_signature_element, system_value, U32),
    FIELD(aerogpu_ext_signature_element, register_index, U32),
    FIELD(aerogpu_ext_signature_element, mask, U32),
    FIELD(aerogpu_ext_signature_element, stream, U32),
    FIELD(aerogpu_ext_signature_element, component_type, U32),
    FIELD(aerogpu_ext_signature_element, min_precision, U32),
};
static const struct ag_struct_info ext_signature_element_info =
    STRUCT_INFO(aerogpu_ext_signature_element, ext_signature_element_fields);

static const struct ag_field_info ext_create_signature_fields[] = {
    HANDLE(aerogpu_cmd_ext_create_signature, object_handle, CREATES, SIGNATURE),
    FIELD(aerogpu_cmd_ext_create_signature, element_count, U32),
};

static const struct ag_field_info ext_stream_output_element_fields[] = {
    FIELD(aerogpu_ext_stream_output_element, stream, U32),
    FIELD(aerogpu_ext_stream_output_element, register_index, U32),
    FIELD(aerogpu_ext_stream_output_element, mask, U32),
    FIELD(aerogpu_ext_stream_output_element, output_slot, U32),
};
static const struct ag_struct_info ext_stream_output_element_info =
    STRUCT_INFO(aerogpu_ext_stream_output_element, ext_stream_output_element_fields);

static const struct ag_field_info ext_create_stream_output_fields[] = {
    HANDLE(aerogpu_cmd_ext_create_stream_output, object_handle, CREATES, STREAM_OUTPUT),
    FIELD(aerogpu_cmd_ext_create_stream_output, rasterized_stream, U32),
    ARRAY(aerogpu_cmd_ext_create_stream_output, stride_bytes, U32, AEROGPU_EXT_MAX_STREAM_OUTPUT_BUFFERS),
    FIELD(aerogpu_cmd_ext_create_stream_output, element_count, U32),
};

static const struct ag_field_info ext_create_shader_fields[] = {
    HANDLE(aerogpu_cmd_ext_create_shader, shader_handle, CREATES, SHADER),
    NAMED_ROLE(aerogpu_cmd_ext_create_shader, program, ext_program, PROGRAM),
    HANDLE(aerogpu_cmd_ext_create_shader, input_signature, MADE_OF, SIGNATURE),
    HANDLE(aerogpu_cmd_ext_create_shader, output_signature, MADE_OF, SIGNATURE),
    HANDLE(aerogpu_cmd_ext_create_shader, patch_constant_signature, MADE_OF, SIGNATURE),
    HANDLE(aerogpu_cmd_ext_create_shader, stream_output, MADE_OF, STREAM_OUTPUT),
    FIELD(aerogpu_cmd_ext_create_shader, size_bytes, U32),
    FIELD(aerogpu_cmd_ext_create_shader, reserved0, U32),
};

static const struct ag_field_info ext_input_element_fields[] = {
    FIELD(aerogpu_ext_input_element, input_register, U32),
    NAMED(aerogpu_ext_input_element, format, U32, input_format),
    FIELD(aerogpu_ext_input_element, input_slot, U32),
    FIELD(aerogpu_ext_input_element, aligned_byte_offset, U32),
    FIELD(aerogpu_ext_input_element, input_slot_class, U32),
    FIELD(aerogpu_ext_input_element, instance_data_step_rate, U32),
};
static const struct ag_struct_info ext_input_element_info =
    STRUCT_INFO(aerogpu_ext_input_element, ext_input_element_fields);

static const struct ag_field_info ext_create_input_layout_fields[] = {
    HANDLE(aerogpu_cmd_ext_create_input_layout, input_layout_handle, CREATES, INPUT_LAYOUT),
    FIELD(aerogpu_cmd_ext_create_input_layout, element_count, U32),
};

static const struct ag_field_info ext_class_instance_fields[] = {
    FIELD(aerogpu_ext_class_instance, function_table, U32),
    FIELD(aerogpu_ext_class_instance, constant_buffer, U32),
    FIELD(aerogpu_ext_class_instance, constant_offset_bytes, U32),
    FIELD(aerogpu_ext_class_instance, texture, U32),
    FIELD(aerogpu_ext_class_instance, sampler, U32),
};
static const struct ag_struct_info ext_class_instance_info =
    STRUCT_INFO(aerogpu_ext_class_instance, ext_class_instance_fields);

static const struct ag_field_info ext_set_class_instances_fields[] = {
    NAMED(aerogpu_cmd_ext_set_class_instances, shader_stage, U32, shader_stage),
    FIELD(aerogpu_cmd_ext_set_class_instances, instance_count, U32),
    NAMED(aerogpu_cmd_ext_set_class_instances, reserved0, U32, stage_ex),
};

static const struct ag_field_info ext_stream_output_target_fields[] = {
    BINDS(aerogpu_ext_stream_output_target, buffer, BUFFER, STREAM_OUTPUT_TARGETS),
    FIELD(aerogpu_ext_stream_output_target, offset_bytes, U32),
};
static const struct ag_struct_info ext_stream_output_target_info =
    STRUCT_INFO(aerogpu_ext_stream_output_target, ext_stream_output_target_fields);

static const struct ag_field_info ext_set_stream_output_targets_fields[] = {
    FIELD(aerogpu_cmd_ext_set_stream_output_targets, target_count, U32),
    FIELD(aerogpu_cmd_ext_set_stream_output_targets, reserved0, U32),
};

static const struct ag_field_info ext_blend_target_fields[] = {
    FIELD(aerogpu_ext_blend_target, blend_enable, U32),
    FIELD(aerogpu_ext_blend_target, logic_op_enable, U32),
    NAMED(aerogpu_ext_blend_target, src_blend, U32, ext_blend),
    NAMED(aerogpu_ext_blend_target, dest_blend, U32, ext_blend),
    NAMED(aerogpu_ext_blend_target, blend_op, U32, ext_blend_op),
    NAMED(aerogpu_ext_blend_target, src_blend_alpha, U32, ext_blend),
    NAMED(aerogpu_ext_blend_target, dest_blend_alpha, U32, ext_blend),
    NAMED(aerogpu_ext_blend_target, blend_op_alpha, U32, ext_blend_op),
    NAMED(aerogpu_ext_blend_target, logic_op, U32, ext_logic_op),
    FIELD(aerogpu_ext_blend_target, write_mask, U32),
};
static const struct ag_struct_info ext_blend_target_info =
    STRUCT_INFO(aerogpu_ext_blend_target, ext_blend_target_fields);

static const struct ag_field_info ext_create_blend_state_fields[] = {
    HANDLE(aerogpu_cmd_ext_create_blend_state, object_handle, CREATES, BLEND_STATE),
    FIELD(aerogpu_cmd_ext_create_blend_state, alpha_to_coverage_enable, U32),
    FIELD(aerogpu_cmd_ext_create_blend_state, independent_blend_enable, U32),
    FIELD(aerogpu_cmd_ext_create_blend_state, target_count, U32),
};

static const struct ag_field_info ext_stencil_face_fields[] = {
    NAMED(aerogpu_ext_stencil_face, fail_op, U32, ext_stencil_op),
    NAMED(aerogpu_ext_stencil_face, depth_fail_op, U32, ext_stencil_op),
    NAMED(aerogpu_ext_stencil_face, pass_op, U32, ext_stencil_op),
    NAMED(aerogpu_ext_stencil_face, func, U32, ext_comparison),
};
static const struct ag_struct_info ext_stencil_face_info =
    STRUCT_INFO(aerogpu_ext_stencil_face, ext_stencil_face_fields);

static const struct ag_field_info ext_create_depth_stencil_state_fields[] = {
    HANDLE(aerogpu_cmd_ext_create_depth_stencil_state, object_handle, CREATES, DEPTH_STENCIL_STATE),
    FIELD(aerogpu_cmd_ext_create_depth_stencil_state, depth_enable, U32),
    FIELD(aerogpu_cmd_ext_create_depth_stencil_state, depth_write_enable, U32),
    NAMED(aerogpu_cmd_ext_create_depth_stencil_state, depth_func, U32, ext_comparison),
    ROLE(aerogpu_cmd_ext_create_depth_stencil_state, stencil_enable, STENCIL_ENABLE),
    FIELD(aerogpu_cmd_ext_create_depth_stencil_state, stencil_read_mask, U32),
    FIELD(aerogpu_cmd_ext_create_depth_stencil_state, stencil_write_mask, U32),
    NESTED(aerogpu_cmd_ext_create_depth_stencil_state, front_face, ext_stencil_face_info),
    NESTED(aerogpu_cmd_ext_create_depth_stencil_state, back_face, ext_stencil_face_info),
};

static const struct ag_field_info ext_create_rasterizer_state_fields[] = {
    HANDLE(aerogpu_cmd_ext_create_rasterizer_state, object_handle, CREATES, RASTERIZER_STATE),
    NAMED(aerogpu_cmd_ext_create_rasterizer_state, fill_mode, U32, ext_fill),
    NAMED(aerogpu_cmd_ext_create_rasterizer_state, cull_mode, U32, ext_cull),
    FIELD(aerogpu_cmd_ext_create_rasterizer_state, front_counter_clockwise, U32),
    FIELD(aerogpu_cmd_ext_create_rasterizer_state, depth_bias, I32),
    FIELD(aerogpu_cmd_ext_create_rasterizer_state, depth_bias_clamp_f32, F32),
    FIELD(aerogpu_cmd_ext_create_rasterizer_state, slope_scaled_depth_bias_f32, F32),
    FIELD(aerogpu_cmd_ext_create_rasterizer_state, depth_clip_enable, U32),
    FIELD(aerogpu_cmd_ext_create_rasterizer_state, scissor_enable, U32),
    FIELD(aerogpu_cmd_ext_create_rasterizer_state, multisample_enable, U32),
    FIELD(aerogpu_cmd_ext_create_rasterizer_state, antialiased_line_enable, U32),
    FIELD(aerogpu_cmd_ext_create_rasterizer_state, forced_sample_count, U32),
};

static const struct ag_field_info ext_create_sampler_fields[] = {
    HANDLE(aerogpu_cmd_ext_create_sampler, sampler_handle, CREATES, SAMPLER),
    NAMED(aerogpu_cmd_ext_create_sampler, filter, U32, ext_filter),
    NAMED(aerogpu_cmd_ext_create_sampler, address_u, U32, ext_address),
    NAMED(aerogpu_cmd_ext_create_sampler, address_v, U32, ext_address),
    NAMED(aerogpu_cmd_ext_create_sampler, address_w, U32, ext_address),
    FIELD(aerogpu_cmd_ext_create_sampler, mip_lod_bias_f32, F32),
    FIELD(aerogpu_cmd_ext_create_sampler, max_anisotropy, U32),
    NAMED(aerogpu_cmd_ext_create_sampler, comparison_func, U32, ext_comparison),
    ARRAY(aerogpu_cmd_ext_create_sampler, border_color_f32, F32, 4),
    FIELD(aerogpu_cmd_ext_create_sampler, min_lod_f32, F32),
    FIELD(aerogpu_cmd_ext_create_sampler, max_lod_f32, F32),
};

static const struct ag_field_info ext_set_blend_state_fields[] = {
    BINDS(aerogpu_cmd_ext_set_blend_state, state_handle, BLEND_STATE, BLEND),
    ARRAY(aerogpu_cmd_ext_set_blend_state, blend_factor_f32, F32, 4),
    FIELD(aerogpu_cmd_ext_set_blend_state, sample_mask, U32),
};

static const struct ag_field_info ext_set_depth_stencil_state_fields[] = {
    BINDS(aerogpu_cmd_ext_set_depth_stencil_state, state_handle, DEPTH_STENCIL_STATE, DEPTH_STENCIL),
    FIELD(aerogpu_cmd_ext_set_depth_stencil_state, stencil_ref, U32),
};

static const struct ag_field_info ext_set_rasterizer_state_fields[] = {
    BINDS(aerogpu_cmd_ext_set_rasterizer_state, state_handle, RASTERIZER_STATE, RASTERIZER),
    FIELD(aerogpu_cmd_ext_set_rasterizer_state, reserved0, U32),
};

static const struct ag_field_info ext_viewport_fields[] = {
    FIELD(aerogpu_ext_viewport, x_f32, F32),
    FIELD(aerogpu_ext_viewport, y_f32, F32),
    FIELD(aerogpu_ext_viewport, width_f32, F32),
    FIELD(aerogpu_ext_viewport, height_f32, F32),
    FIELD(aerogpu_ext_viewport, min_depth_f32, F32),
    FIELD(aerogpu_ext_viewport, max_depth_f32, F32),
};
static const struct ag_struct_info ext_viewport_info =
    STRUCT_INFO(aerogpu_ext_viewport, ext_viewport_fields);

static const struct ag_field_info ext_set_viewports_fields[] = {
    FIELD(aerogpu_cmd_ext_set_viewports, viewport_count, U32),
    FIELD(aerogpu_cmd_ext_set_viewports, reserved0, U32),
};

static const struct ag_field_info ext_set_scissors_fields[] = {
    FIELD(aerogpu_cmd_ext_set_scissors, rect_count, U32),
    FIELD(aerogpu_cmd_ext_set_scissors, reserved0, U32),
};

static const struct ag_field_info ext_clear_state_fields[] = {
    FIELD(aerogpu_cmd_ext_clear_state, reserved0, U32),
    FIELD(aerogpu_cmd_ext_clear_state, reserved1, U32),
};

static const struct ag_field_info ext_unordered_access_binding_fields[] = {
    BINDS(aerogpu_ext_unordered_access_binding, view, VIEW, UNORDERED_ACCESS),
    FIELD(aerogpu_ext_unordered_access_binding, initial_count, U32),
};
static const struct ag_struct_info ext_unordered_access_binding_info =
    STRUCT_INFO(aerogpu_ext_unordered_access_binding, ext_unordered_access_binding_fields);

static const struct ag_field_info ext_set_render_targets_fields[] = {
    NAMED_ROLE(aerogpu_cmd_ext_set_render_targets, flags, ext_target_flags, KEEPS),
    COUNT(aerogpu_cmd_ext_set_render_targets, color_count, COLOR_TARGETS),
    BINDS(aerogpu_cmd_ext_set_render_targets, depth_stencil, VIEW, DEPTH_STENCIL_TARGET),
    BINDS_ARRAY(aerogpu_cmd_ext_set_render_targets, colors, VIEW, COLOR_TARGETS, AEROGPU_MAX_RENDER_TARGETS),
    SLOT(aerogpu_cmd_ext_set_render_targets, uav_start_slot, UNORDERED_ACCESS),
    FIELD(aerogpu_cmd_ext_set_render_targets, uav_count, U32),
};

static const struct ag_field_info ext_set_shader_resources_fields[] = {
    NAMED(aerogpu_cmd_ext_set_shader_resources, shader_stage, U32, shader_stage),
    SLOT(aerogpu_cmd_ext_set_shader_resources, start_slot, SHADER_RESOURCES),
    FIELD(aerogpu_cmd_ext_set_shader_resources, view_count, U32),
    NAMED(aerogpu_cmd_ext_set_shader_resources, reserved0, U32, stage_ex),
};

static const struct ag_field_info ext_set_unordered_access_views_fields[] = {
    NAMED(aerogpu_cmd_ext_set_unordered_access_views, shader_stage, U32, shader_stage),
    SLOT(aerogpu_cmd_ext_set_unordered_access_views, start_slot, UNORDERED_ACCESS),
    FIELD(aerogpu_cmd_ext_set_unordered_access_views, uav_count, U32),
    NAMED(aerogpu_cmd_ext_set_unordered_access_views, reserved0, U32, stage_ex),
};

static const struct ag_field_info ext_clear_render_target_view_fields[] = {
    HANDLE(aerogpu_cmd_ext_clear_render_target_view, view_handle, WRITES, VIEW),
    ARRAY(aerogpu_cmd_ext_clear_render_target_view, color_rgba_f32, F32, 4),
    FIELD(aerogpu_cmd_ext_clear_render_target_view, rect_count, U32),
};

static const struct ag_field_info ext_clear_depth_stencil_view_fields[] = {
    HANDLE(aerogpu_cmd_ext_clear_depth_stencil_view, view_handle, WRITES, VIEW),
    NAMED(aerogpu_cmd_ext_clear_depth_stencil_view, flags, U32, ext_clear_flags),
    FIELD(aerogpu_cmd_ext_clear_depth_stencil_view, depth_f32, F32),
    FIELD(aerogpu_cmd_ext_clear_depth_stencil_view, stencil, U32),
    FIELD(aerogpu_cmd_ext_clear_depth_stencil_view, rect_count, U32),
};

static const struct ag_field_info ext_clear_unordered_access_view_fields[] = {
    HANDLE(aerogpu_cmd_ext_clear_unordered_access_view, view_handle, WRITES, VIEW),
    FIELD(aerogpu_cmd_ext_clear_unordered_access_view, is_float, U32),
    ARRAY(aerogpu_cmd_ext_clear_unordered_access_view, values, U32, 4),
    FIELD(aerogpu_cmd_ext_clear_unordered_access_view, rect_count, U32),
};

static const struct ag_field_info ext_draw_instanced_indirect_fields[] = {
    HANDLE(aerogpu_cmd_ext_draw_instanced_indirect, buffer, READS, BUFFER),
    FIELD(aerogpu_cmd_ext_draw_instanced_indirect, offset_bytes, U32),
};

static const struct ag_field_info ext_draw_indexed_instanced_indirect_fields[] = {
    HANDLE(aerogpu_cmd_ext_draw_indexed_instanced_indirect, buffer, READS, BUFFER),
    FIELD(aerogpu_cmd_ext_draw_indexed_instanced_indirect, offset_bytes, U32),
};

static const struct ag_field_info ext_dispatch_indirect_fields[] = {
    HANDLE(aerogpu_cmd_ext_dispatch_indirect, buffer, READS, BUFFER),
    FIELD(aerogpu_cmd_ext_dispatch_indirect, offset_bytes, U32),
};

static const struct ag_field_info ext_draw_auto_fields[] = {
    FIELD(aerogpu_cmd_ext_draw_auto, reserved0, U32),
    FIELD(aerogpu_cmd_ext_draw_auto, reserved1, U32),
};

static const struct ag_field_info ext_create_query_fields[] = {
    HANDLE(aerogpu_cmd_ext_create_query, object_handle, CREATES, QUERY),
    NAMED(aerogpu_cmd_ext_create_query, type, U32, ext_query),
    NAMED(aerogpu_cmd_ext_create_query, flags, U32, ext_query_flags),
    FIELD(aerogpu_cmd_ext_create_query, reserved0, U32),
};

static const struct ag_field_info ext_begin_query_fields[] = {
    HANDLE(aerogpu_cmd_ext_begin_query, query_handle, BEGINS, QUERY),
    FIELD(aerogpu_cmd_ext_begin_query, reserved0, U32),
};

static const struct ag_field_info ext_end_query_fields[] = {
    HANDLE(aerogpu_cmd_ext_end_query, query_handle, ENDS, QUERY),
    ALLOCATION(aerogpu_cmd_ext_end_query, result_alloc_id, WRITES),
    FIELD(aerogpu_cmd_ext_end_query, result_offset_bytes, U64),
};

static const struct ag_field_info ext_set_predication_fields[] = {
    BINDS(aerogpu_cmd_ext_set_predication, query_handle, QUERY, PREDICATION),
    FIELD(aerogpu_cmd_ext_set_predication, value, U32),
};

static const struct ag_field_info ext_create_command_list_fields[] = {
    HANDLE(aerogpu_cmd_ext_create_command_list, object_handle, CREATES, COMMAND_LIST),
    FIELD(aerogpu_cmd_ext_create_command_list, size_bytes, U32),
};

static const struct ag_field_info ext_execute_command_list_fields[] = {
    HANDLE(aerogpu_cmd_ext_execute_command_list, list_handle, EXECUTES, COMMAND_LIST),
    NAMED_ROLE(aerogpu_cmd_ext_execute_command_list, flags, ext_execute_flags, KEEPS),
};

static const struct ag_field_info ext_read_caps_fields[] = {
    NAMED(aerogpu_cmd_ext_read_caps, kind, U32, ext_caps),
    FIELD(aerogpu_cmd_ext_read_caps, parameter0, U32),
    FIELD(aerogpu_cmd_ext_read_caps, parameter1, U32),
    ALLOCATION(aerogpu_cmd_ext_read_caps, target_alloc_id, WRITES),
    FIELD(aerogpu_cmd_ext_read_caps, target_offset_bytes, U64),
};

static const struct ag_field_info ext_destroy_context_fields[] = {
    ROLE(aerogpu_cmd_ext_destroy_context, context_id, CONTEXT),
    FIELD(aerogpu_cmd_ext_destroy_context, reserved0, U32),
};

static const struct ag_field_info ext_present_fields[] = {
    HANDLE(aerogpu_cmd_ext_present, texture_handle, READS, RESOURCE),
    FIELD(aerogpu_cmd_ext_present, subresource, U32),
    FIELD(aerogpu_cmd_ext_present, swap_chain, U32),
    ROLE(aerogpu_cmd_ext_present, sync_interval, SYNC_INTERVAL),
    FIELD(aerogpu_cmd_ext_present, flags, U32),
    ALLOCATION(aerogpu_cmd_ext_present, target_alloc_id, WRITES),
    FIELD(aerogpu_cmd_ext_present, target_offset_bytes, U64),
};
/* clang-format on */

#endif
