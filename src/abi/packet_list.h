/* SPDX-License-Identifier: MIT
 *
 * The list of packets, ascending by opcode: PACKET(opcode, structure, minor, columns...) or, of a packet that
 * is nothing but a header, HEADER(opcode, name, minor, columns...). packet.c makes the table of the list and
 * knows what the columns are; the executor makes its table of handlers.
 */
#ifndef AG_ABI_PACKET_LIST_H
#define AG_ABI_PACKET_LIST_H

/* clang-format off */
#define AG_PACKET_LIST(HEADER, PACKET)                                                                       \
    HEADER(NOP, nop, 0, DOES(NOTHING), ANYTHING)                                                             \
    HEADER(DEBUG_MARKER, debug_marker, 0, DOES(NOTHING), TEXT)                                               \
    PACKET(CREATE_BUFFER, create_buffer, 0, IMMEDIATE, DOES(OBJECTS))                                        \
    PACKET(CREATE_TEXTURE2D, create_texture2d, 0, IMMEDIATE, DOES(OBJECTS))                                  \
    PACKET(DESTROY_RESOURCE, destroy_resource, 0, IMMEDIATE, DOES(OBJECTS))                                  \
    PACKET(RESOURCE_DIRTY_RANGE, resource_dirty_range, 0, IMMEDIATE, DOES(UPLOADS))                          \
    PACKET(UPLOAD_RESOURCE, upload_resource, 0, PREDICATED, DOES(UPLOADS), AT_ONCE,                          \
       BYTES_U64(upload_resource, size_bytes))                                                               \
    PACKET(COPY_BUFFER, copy_buffer, 1, PREDICATED, DOES(COPIES))                                            \
    PACKET(COPY_TEXTURE2D, copy_texture2d, 1, PREDICATED, DOES(COPIES))                                      \
    PACKET(CREATE_TEXTURE_VIEW, create_texture_view, 3, IMMEDIATE, DOES(OBJECTS))                            \
    PACKET(DESTROY_TEXTURE_VIEW, destroy_texture_view, 3, IMMEDIATE, DOES(OBJECTS))                          \
    PACKET(CREATE_SHADER_DXBC, create_shader_dxbc, 0, IMMEDIATE, DOES(OBJECTS),                              \
       STAGE(create_shader_dxbc, stage), STAGE_EX(create_shader_dxbc),                                       \
       BYTES(create_shader_dxbc, dxbc_size_bytes))                                                           \
    PACKET(DESTROY_SHADER, destroy_shader, 0, IMMEDIATE, DOES(OBJECTS))                                      \
    PACKET(BIND_SHADERS, bind_shaders, 0, SETS(STATE(SHADERS)), LONGER(bind_shaders_ex))                     \
    PACKET(SET_SHADER_CONSTANTS_F, set_shader_constants_f, 0, SETS(STATE(CONSTANTS)),                        \
       STAGE(set_shader_constants_f, stage), STAGE_EX(set_shader_constants_f),                               \
       WORDS(set_shader_constants_f, vec4_count, 4, float_word, "data"))                                     \
    PACKET(CREATE_INPUT_LAYOUT, create_input_layout, 0, IMMEDIATE, DOES(OBJECTS),                            \
       BYTES(create_input_layout, blob_size_bytes))                                                          \
    PACKET(DESTROY_INPUT_LAYOUT, destroy_input_layout, 0, IMMEDIATE, DOES(OBJECTS))                          \
    PACKET(SET_INPUT_LAYOUT, set_input_layout, 0, SETS(STATE(INPUT_LAYOUT)))                                 \
    PACKET(SET_SHADER_CONSTANTS_I, set_shader_constants_i, 4, SETS(STATE(CONSTANTS)),                        \
       STAGE(set_shader_constants_i, stage), STAGE_EX(set_shader_constants_i),                               \
       WORDS(set_shader_constants_i, vec4_count, 4, integer_word, "data"))                                   \
    PACKET(SET_SHADER_CONSTANTS_B, set_shader_constants_b, 4, SETS(STATE(CONSTANTS)),                        \
       STAGE(set_shader_constants_b, stage), STAGE_EX(set_shader_constants_b),                               \
       WORDS(set_shader_constants_b, bool_count, 4, bool_word, "data"))                                      \
    PACKET(SET_BLEND_STATE, set_blend_state, 0, SETS(STATE(BLEND)))                                          \
    PACKET(SET_DEPTH_STENCIL_STATE, set_depth_stencil_state, 0, SETS(STATE(DEPTH_STENCIL)))                  \
    PACKET(SET_RASTERIZER_STATE, set_rasterizer_state, 0, SETS(STATE(RASTERIZER)))                           \
    PACKET(SET_RENDER_TARGETS, set_render_targets, 0,                                                        \
       SETS(STATE(COLOR_TARGETS) | STATE(DEPTH_STENCIL_TARGET)), REPLACES(STATE(COLOR_TARGETS)))             \
    PACKET(SET_VIEWPORT, set_viewport, 0, SETS(STATE(VIEWPORTS)))                                            \
    PACKET(SET_SCISSOR, set_scissor, 0, SETS(STATE(SCISSORS)))                                               \
    PACKET(SET_VERTEX_BUFFERS, set_vertex_buffers, 0, SETS(STATE(VERTEX_BUFFERS)),                           \
       BINDINGS(set_vertex_buffers, buffer_count, vertex_buffer_binding_info))                               \
    PACKET(SET_INDEX_BUFFER, set_index_buffer, 0, SETS(STATE(INDEX_BUFFER)))                                 \
    PACKET(SET_PRIMITIVE_TOPOLOGY, set_primitive_topology, 0, SETS(STATE(TOPOLOGY)))                         \
    PACKET(SET_TEXTURE, set_texture, 0, SETS(STATE(SHADER_RESOURCES)),                                       \
       STAGE(set_texture, shader_stage), STAGE_EX(set_texture))                                              \
    PACKET(SET_SAMPLER_STATE, set_sampler_state, 0, SETS(STATE(D3D9)),                                       \
       STAGE(set_sampler_state, shader_stage))                                                               \
    PACKET(SET_RENDER_STATE, set_render_state, 0, SETS(STATE(D3D9)))                                         \
    PACKET(CREATE_SAMPLER, create_sampler, 1, IMMEDIATE, DOES(OBJECTS))                                      \
    PACKET(DESTROY_SAMPLER, destroy_sampler, 1, IMMEDIATE, DOES(OBJECTS))                                    \
    PACKET(SET_SAMPLERS, set_samplers, 1, SETS(STATE(SAMPLERS)), STAGE(set_samplers, shader_stage),          \
       STAGE_EX(set_samplers), WORDS(set_samplers, sampler_count, 1, sampler_word, "samplers"))              \
    PACKET(SET_CONSTANT_BUFFERS, set_constant_buffers, 1, SETS(STATE(CONSTANT_BUFFERS)),                     \
       STAGE(set_constant_buffers, shader_stage), STAGE_EX(set_constant_buffers),                            \
       BINDINGS(set_constant_buffers, buffer_count, constant_buffer_binding_info))                           \
    PACKET(SET_SHADER_RESOURCE_BUFFERS, set_shader_resource_buffers, 2, SETS(STATE(SHADER_RESOURCES)),       \
       STAGE(set_shader_resource_buffers, shader_stage), STAGE_EX(set_shader_resource_buffers),              \
       BINDINGS(set_shader_resource_buffers, buffer_count, shader_resource_buffer_binding_info))             \
    PACKET(SET_UNORDERED_ACCESS_BUFFERS, set_unordered_access_buffers, 2, SETS(STATE(UNORDERED_ACCESS)),     \
       STAGE(set_unordered_access_buffers, shader_stage), STAGE_EX(set_unordered_access_buffers),            \
       BINDINGS(set_unordered_access_buffers, uav_count, unordered_access_buffer_binding_info))              \
    PACKET(CLEAR, clear, 0, PREDICATED, DOES(CLEARS_TARGETS))                                                \
    PACKET(DRAW, draw, 0, PREDICATED, DOES(DRAWS))                                                           \
    PACKET(DRAW_INDEXED, draw_indexed, 0, PREDICATED, DOES(DRAWS))                                           \
    PACKET(DISPATCH, dispatch, 2, PREDICATED, DOES(DISPATCHES), STAGE_EX(dispatch))                          \
    PACKET(PRESENT, present, 0, IMMEDIATE, DOES(PRESENTS))                                                   \
    PACKET(PRESENT_EX, present_ex, 0, IMMEDIATE, DOES(PRESENTS))                                             \
    PACKET(EXPORT_SHARED_SURFACE, export_shared_surface, 0, IMMEDIATE, DOES(OBJECTS))                        \
    PACKET(IMPORT_SHARED_SURFACE, import_shared_surface, 0, IMMEDIATE, DOES(OBJECTS))                        \
    PACKET(RELEASE_SHARED_SURFACE, release_shared_surface, 1, IMMEDIATE, DOES(OBJECTS))                      \
    PACKET(FLUSH, flush, 0, IMMEDIATE, DOES(FLUSHES))                                                        \
    PACKET(EXT_CREATE_BUFFER, ext_create_buffer, 0, IMMEDIATE, DOES(OBJECTS))                                \
    PACKET(EXT_CREATE_TEXTURE, ext_create_texture, 0, IMMEDIATE, DOES(OBJECTS))                              \
    PACKET(EXT_UPDATE_SUBRESOURCE, ext_update_subresource, 0, PREDICATED, DOES(UPLOADS), AT_ONCE,            \
       BYTES(ext_update_subresource, data_size_bytes))                                                       \
    PACKET(EXT_READ_SUBRESOURCE, ext_read_subresource, 0, IMMEDIATE, DOES(ANSWERS))                          \
    PACKET(EXT_COPY_RESOURCE, ext_copy_resource, 0, PREDICATED, DOES(COPIES))                                \
    PACKET(EXT_COPY_SUBRESOURCE_REGION, ext_copy_subresource_region, 0, PREDICATED, DOES(COPIES))            \
    PACKET(EXT_COPY_STRUCTURE_COUNT, ext_copy_structure_count, 0, PREDICATED, DOES(COPIES))                  \
    PACKET(EXT_RESOLVE_SUBRESOURCE, ext_resolve_subresource, 0, PREDICATED, DOES(COPIES))                    \
    PACKET(EXT_GENERATE_MIPS, ext_generate_mips, 0, PREDICATED, DOES(COPIES))                                \
    PACKET(EXT_SET_RESOURCE_MIN_LOD, ext_set_resource_min_lod, 0, DOES(CHANGES))                             \
    PACKET(EXT_DISCARD_RESOURCE, ext_discard_resource, 0, DOES(DISCARDS))                                    \
    PACKET(EXT_DISCARD_VIEW, ext_discard_view, 0, DOES(DISCARDS),                                            \
       ELEMENTS(ext_discard_view, rect_count, "rects", ext_rect_info))                                       \
    PACKET(EXT_CREATE_VIEW, ext_create_view, 0, IMMEDIATE, DOES(OBJECTS))                                    \
    PACKET(EXT_DESTROY_VIEW, ext_destroy_view, 0, IMMEDIATE, DOES(OBJECTS))                                  \
    PACKET(EXT_DESTROY_OBJECT, ext_destroy_object, 0, IMMEDIATE, DOES(OBJECTS))                              \
    PACKET(EXT_CREATE_SIGNATURE, ext_create_signature, 0, IMMEDIATE, DOES(OBJECTS),                          \
       ELEMENTS(ext_create_signature, element_count, "elements", ext_signature_element_info))                \
    PACKET(EXT_CREATE_STREAM_OUTPUT, ext_create_stream_output, 0, IMMEDIATE, DOES(OBJECTS),                  \
       ELEMENTS(ext_create_stream_output, element_count, "elements", ext_stream_output_element_info))        \
    PACKET(EXT_CREATE_SHADER, ext_create_shader, 0, IMMEDIATE, DOES(OBJECTS),                                \
       BYTES(ext_create_shader, size_bytes))                                                                 \
    PACKET(EXT_CREATE_INPUT_LAYOUT, ext_create_input_layout, 0, IMMEDIATE, DOES(OBJECTS),                    \
       ELEMENTS(ext_create_input_layout, element_count, "elements", ext_input_element_info))                 \
    PACKET(EXT_SET_CLASS_INSTANCES, ext_set_class_instances, 0, SETS(STATE(CLASS_INSTANCES)),                \
       STAGE(ext_set_class_instances, shader_stage), STAGE_EX(ext_set_class_instances),                      \
       ELEMENTS(ext_set_class_instances, instance_count, "instances", ext_class_instance_info))              \
    PACKET(EXT_SET_STREAM_OUTPUT_TARGETS, ext_set_stream_output_targets, 0,                                  \
       SETS(STATE(STREAM_OUTPUT_TARGETS)), REPLACES(STATE(STREAM_OUTPUT_TARGETS)),                           \
       ELEMENTS(ext_set_stream_output_targets, target_count, "targets", ext_stream_output_target_info))      \
    PACKET(EXT_CREATE_BLEND_STATE, ext_create_blend_state, 0, IMMEDIATE, DOES(OBJECTS),                      \
       ELEMENTS(ext_create_blend_state, target_count, "targets", ext_blend_target_info))                     \
    PACKET(EXT_CREATE_DEPTH_STENCIL_STATE, ext_create_depth_stencil_state, 0, IMMEDIATE, DOES(OBJECTS))      \
    PACKET(EXT_CREATE_RASTERIZER_STATE, ext_create_rasterizer_state, 0, IMMEDIATE, DOES(OBJECTS))            \
    PACKET(EXT_CREATE_SAMPLER, ext_create_sampler, 0, IMMEDIATE, DOES(OBJECTS))                              \
    PACKET(EXT_SET_BLEND_STATE, ext_set_blend_state, 0, SETS(STATE(BLEND)))                                  \
    PACKET(EXT_SET_DEPTH_STENCIL_STATE, ext_set_depth_stencil_state, 0, SETS(STATE(DEPTH_STENCIL)))          \
    PACKET(EXT_SET_RASTERIZER_STATE, ext_set_rasterizer_state, 0, SETS(STATE(RASTERIZER)))                   \
    PACKET(EXT_SET_VIEWPORTS, ext_set_viewports, 0, SETS(STATE(VIEWPORTS)),                                  \
       ELEMENTS(ext_set_viewports, viewport_count, "viewports", ext_viewport_info))                          \
    PACKET(EXT_SET_SCISSORS, ext_set_scissors, 0, SETS(STATE(SCISSORS)),                                     \
       ELEMENTS(ext_set_scissors, rect_count, "rects", ext_rect_info))                                       \
    PACKET(EXT_CLEAR_STATE, ext_clear_state, 0, DOES(SETS_DEFAULTS))                                         \
    PACKET(EXT_SET_RENDER_TARGETS, ext_set_render_targets, 0,                                                \
       SETS(STATE(COLOR_TARGETS) | STATE(DEPTH_STENCIL_TARGET) | STATE(UNORDERED_ACCESS)),                   \
       REPLACES(STATE(COLOR_TARGETS) | STATE(UNORDERED_ACCESS)), KEEPS(kept_targets),                        \
       ELEMENTS(ext_set_render_targets, uav_count, "uavs", ext_unordered_access_binding_info))               \
    PACKET(EXT_SET_SHADER_RESOURCES, ext_set_shader_resources, 0, SETS(STATE(SHADER_RESOURCES)),             \
       STAGE(ext_set_shader_resources, shader_stage), STAGE_EX(ext_set_shader_resources),                    \
       WORDS(ext_set_shader_resources, view_count, 1, view_word, "views"))                                   \
    PACKET(EXT_SET_UNORDERED_ACCESS_VIEWS, ext_set_unordered_access_views, 0,                                \
       SETS(STATE(UNORDERED_ACCESS)),                                                                        \
       STAGE(ext_set_unordered_access_views, shader_stage), STAGE_EX(ext_set_unordered_access_views),        \
       ELEMENTS(ext_set_unordered_access_views, uav_count, "uavs", ext_unordered_access_binding_info))       \
    PACKET(EXT_CLEAR_RENDER_TARGET_VIEW, ext_clear_render_target_view, 0, PREDICATED, DOES(CLEARS),          \
       ELEMENTS(ext_clear_render_target_view, rect_count, "rects", ext_rect_info))                           \
    PACKET(EXT_CLEAR_DEPTH_STENCIL_VIEW, ext_clear_depth_stencil_view, 0, PREDICATED, DOES(CLEARS),          \
       ELEMENTS(ext_clear_depth_stencil_view, rect_count, "rects", ext_rect_info))                           \
    PACKET(EXT_CLEAR_UNORDERED_ACCESS_VIEW, ext_clear_unordered_access_view, 0, PREDICATED, DOES(CLEARS),    \
       ELEMENTS(ext_clear_unordered_access_view, rect_count, "rects", ext_rect_info))                        \
    PACKET(EXT_DRAW_INSTANCED_INDIRECT, ext_draw_instanced_indirect, 0, PREDICATED, DOES(DRAWS))             \
    PACKET(EXT_DRAW_INDEXED_INSTANCED_INDIRECT, ext_draw_indexed_instanced_indirect, 0, PREDICATED,          \
       DOES(DRAWS))                                                                                          \
    PACKET(EXT_DISPATCH_INDIRECT, ext_dispatch_indirect, 0, PREDICATED, DOES(DISPATCHES))                    \
    PACKET(EXT_DRAW_AUTO, ext_draw_auto, 0, PREDICATED, DOES(DRAWS))                                         \
    PACKET(EXT_CREATE_QUERY, ext_create_query, 0, IMMEDIATE, DOES(OBJECTS))                                  \
    PACKET(EXT_BEGIN_QUERY, ext_begin_query, 0, DOES(QUERIES))                                               \
    PACKET(EXT_END_QUERY, ext_end_query, 0, DOES_BOTH(QUERIES, ANSWERS))                                     \
    PACKET(EXT_SET_PREDICATION, ext_set_predication, 0, SETS(STATE(PREDICATION)))                            \
    PACKET(EXT_CREATE_COMMAND_LIST, ext_create_command_list, 0, IMMEDIATE, DOES(OBJECTS),                    \
       PACKETS(ext_create_command_list, size_bytes))                                                         \
    PACKET(EXT_EXECUTE_COMMAND_LIST, ext_execute_command_list, 0, DOES_BOTH(EXECUTES,                        \
       SETS_DEFAULTS), KEEPS(kept_by_lists))                                                                 \
    PACKET(EXT_READ_CAPS, ext_read_caps, 0, IMMEDIATE, DOES(ANSWERS))                                        \
    PACKET(EXT_DESTROY_CONTEXT, ext_destroy_context, 0, IMMEDIATE, DOES(ENDS_CONTEXT))                       \
    PACKET(EXT_PRESENT, ext_present, 0, IMMEDIATE, DOES_BOTH(PRESENTS, ANSWERS))
/* clang-format on */

#endif
