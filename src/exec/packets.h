/* SPDX-License-Identifier: MIT
 *
 * One handler for each packet. A handler that does not return AGPU_OK has reported why; the stream then
 * stops.
 */
#ifndef AGPU_EXEC_PACKETS_H
#define AGPU_EXEC_PACKETS_H

#include "aerogpu/abi/ext.h"
#include "aerogpu/stream.h"

struct agpu_exec;

typedef enum agpu_status (*agpu_packet_handler)(struct agpu_exec *exec, const struct agpu_packet *packet);

/* The handler of an opcode, or null. */
agpu_packet_handler agpu_packet_handler_of(uint32_t opcode);
/* (packets_ext.c) The same for the extension. */
agpu_packet_handler agpu_ext_packet_handler_of(uint32_t opcode);

#define AGPU_HANDLER(name)                                                                                   \
    enum agpu_status agpu_on_##name(struct agpu_exec *exec, const struct agpu_packet *packet)

/* packets_resource.c */
AGPU_HANDLER(create_buffer);
AGPU_HANDLER(create_texture2d);
AGPU_HANDLER(create_texture_view);
AGPU_HANDLER(destroy_resource);
AGPU_HANDLER(destroy_texture_view);
AGPU_HANDLER(resource_dirty_range);
AGPU_HANDLER(upload_resource);
AGPU_HANDLER(export_shared_surface);
AGPU_HANDLER(import_shared_surface);
AGPU_HANDLER(release_shared_surface);

/* packets_shader.c */
AGPU_HANDLER(create_shader_dxbc);
AGPU_HANDLER(destroy_shader);
AGPU_HANDLER(bind_shaders);
AGPU_HANDLER(set_shader_constants_f);
AGPU_HANDLER(set_shader_constants_i);
AGPU_HANDLER(set_shader_constants_b);
AGPU_HANDLER(create_input_layout);
AGPU_HANDLER(destroy_input_layout);
AGPU_HANDLER(set_input_layout);
AGPU_HANDLER(create_sampler);
AGPU_HANDLER(destroy_sampler);

/* command_list.c */
AGPU_HANDLER(ext_create_command_list);
AGPU_HANDLER(ext_execute_command_list);

/* packets_ext_shader.c */
AGPU_HANDLER(ext_create_signature);
AGPU_HANDLER(ext_create_shader);
AGPU_HANDLER(ext_create_input_layout);
AGPU_HANDLER(ext_set_class_instances);

/* stream_output.c */
AGPU_HANDLER(ext_create_stream_output);
AGPU_HANDLER(ext_set_stream_output_targets);
AGPU_HANDLER(ext_draw_auto);

/* caps.c */
AGPU_HANDLER(ext_read_caps);

/* indirect.c */
AGPU_HANDLER(ext_draw_instanced_indirect);
AGPU_HANDLER(ext_draw_indexed_instanced_indirect);
AGPU_HANDLER(ext_dispatch_indirect);

/* query.c */
AGPU_HANDLER(ext_create_query);
AGPU_HANDLER(ext_begin_query);
AGPU_HANDLER(ext_end_query);
AGPU_HANDLER(ext_set_predication);

/* packets_state.c */
AGPU_HANDLER(set_blend_state);
AGPU_HANDLER(set_depth_stencil_state);
AGPU_HANDLER(set_rasterizer_state);
AGPU_HANDLER(set_render_targets);
AGPU_HANDLER(set_viewport);
AGPU_HANDLER(set_scissor);
AGPU_HANDLER(set_primitive_topology);
AGPU_HANDLER(set_sampler_state);
AGPU_HANDLER(set_render_state);

/* packets_bind.c */
AGPU_HANDLER(set_vertex_buffers);
AGPU_HANDLER(set_index_buffer);
AGPU_HANDLER(set_texture);
AGPU_HANDLER(set_samplers);
AGPU_HANDLER(set_constant_buffers);
AGPU_HANDLER(set_shader_resource_buffers);
AGPU_HANDLER(set_unordered_access_buffers);

/* packets_ext_state.c */
AGPU_HANDLER(ext_create_blend_state);
AGPU_HANDLER(ext_create_depth_stencil_state);
AGPU_HANDLER(ext_create_rasterizer_state);
AGPU_HANDLER(ext_create_sampler);
AGPU_HANDLER(ext_set_blend_state);
AGPU_HANDLER(ext_set_depth_stencil_state);
AGPU_HANDLER(ext_set_rasterizer_state);
AGPU_HANDLER(ext_set_viewports);
AGPU_HANDLER(ext_set_scissors);
AGPU_HANDLER(ext_clear_state);

/* packets_ext_resource.c */
AGPU_HANDLER(ext_create_buffer);
AGPU_HANDLER(ext_create_texture);
AGPU_HANDLER(ext_set_resource_min_lod);

/* packets_ext_transfer.c */
AGPU_HANDLER(ext_update_subresource);
AGPU_HANDLER(ext_read_subresource);
AGPU_HANDLER(ext_copy_resource);
AGPU_HANDLER(ext_copy_subresource_region);
AGPU_HANDLER(ext_discard_resource);
AGPU_HANDLER(ext_discard_view);

/* packets_ext_view.c */
AGPU_HANDLER(ext_create_view);
AGPU_HANDLER(ext_destroy_view);
AGPU_HANDLER(ext_generate_mips);
AGPU_HANDLER(ext_resolve_subresource);

/* packets_ext_bind.c */
AGPU_HANDLER(ext_set_shader_resources);
AGPU_HANDLER(ext_set_render_targets);
AGPU_HANDLER(ext_set_unordered_access_views);
AGPU_HANDLER(ext_copy_structure_count);

/* packets_ext_clear.c */
AGPU_HANDLER(ext_clear_render_target_view);
AGPU_HANDLER(ext_clear_depth_stencil_view);
AGPU_HANDLER(ext_clear_unordered_access_view);

#endif
