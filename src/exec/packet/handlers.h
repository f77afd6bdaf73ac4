/* SPDX-License-Identifier: MIT
 *
 * One handler for each packet. A handler that does not return AGPU_OK has reported why; the stream then
 * stops.
 */
#ifndef AG_EXEC_PACKET_HANDLERS_H
#define AG_EXEC_PACKET_HANDLERS_H

#include <stdint.h>

#include "aerogpu/diag.h"

struct ag_execution;
struct agpu_packet;

typedef enum agpu_status (*ag_packet_handler)(struct ag_execution *execution,
                                              const struct agpu_packet *packet);

/* The handler of an opcode, or null. */
ag_packet_handler ag_packet_handler_of(uint32_t opcode);

#define AG_HANDLER(name)                                                                                     \
    enum agpu_status ag_on_##name(struct ag_execution *execution, const struct agpu_packet *packet)

/* resource.c */
AG_HANDLER(create_buffer);
AG_HANDLER(create_texture2d);
AG_HANDLER(create_texture_view);
AG_HANDLER(destroy_resource);
AG_HANDLER(destroy_texture_view);
AG_HANDLER(resource_dirty_range);
AG_HANDLER(upload_resource);
AG_HANDLER(export_shared_surface);
AG_HANDLER(import_shared_surface);
AG_HANDLER(release_shared_surface);
/* shader.c */
AG_HANDLER(create_shader_dxbc);
AG_HANDLER(destroy_shader);
AG_HANDLER(bind_shaders);
AG_HANDLER(set_shader_constants_f);
AG_HANDLER(set_shader_constants_i);
AG_HANDLER(set_shader_constants_b);
AG_HANDLER(create_input_layout);
AG_HANDLER(destroy_input_layout);
AG_HANDLER(set_input_layout);
AG_HANDLER(create_sampler);
AG_HANDLER(destroy_sampler);
/* command_list.c */
AG_HANDLER(ext_create_command_list);
AG_HANDLER(ext_execute_command_list);
/* ext_shader.c */
AG_HANDLER(ext_create_signature);
AG_HANDLER(ext_create_shader);
AG_HANDLER(ext_create_input_layout);
AG_HANDLER(ext_set_class_instances);
/* stream_output.c */
AG_HANDLER(ext_create_stream_output);
AG_HANDLER(ext_set_stream_output_targets);
AG_HANDLER(ext_draw_auto);
/* caps.c */
AG_HANDLER(ext_read_caps);
/* indirect.c */
AG_HANDLER(ext_draw_instanced_indirect);
AG_HANDLER(ext_draw_indexed_instanced_indirect);
AG_HANDLER(ext_dispatch_indirect);
/* query.c */
AG_HANDLER(ext_create_query);
AG_HANDLER(ext_begin_query);
AG_HANDLER(ext_end_query);
AG_HANDLER(ext_set_predication);
/* state.c */
AG_HANDLER(set_blend_state);
AG_HANDLER(set_depth_stencil_state);
AG_HANDLER(set_rasterizer_state);
AG_HANDLER(set_render_targets);
AG_HANDLER(set_viewport);
AG_HANDLER(set_scissor);
AG_HANDLER(set_primitive_topology);
AG_HANDLER(set_sampler_state);
AG_HANDLER(set_render_state);
/* bind.c */
AG_HANDLER(set_vertex_buffers);
AG_HANDLER(set_index_buffer);
AG_HANDLER(set_texture);
AG_HANDLER(set_samplers);
AG_HANDLER(set_constant_buffers);
AG_HANDLER(set_shader_resource_buffers);
AG_HANDLER(set_unordered_access_buffers);
/* ext_state.c */
AG_HANDLER(ext_create_blend_state);
AG_HANDLER(ext_create_depth_stencil_state);
AG_HANDLER(ext_create_rasterizer_state);
AG_HANDLER(ext_create_sampler);
AG_HANDLER(ext_set_blend_state);
AG_HANDLER(ext_set_depth_stencil_state);
AG_HANDLER(ext_set_rasterizer_state);
AG_HANDLER(ext_set_viewports);
AG_HANDLER(ext_set_scissors);
AG_HANDLER(ext_clear_state);
/* ext_resource.c */
AG_HANDLER(ext_create_buffer);
AG_HANDLER(ext_create_texture);
AG_HANDLER(ext_set_resource_min_lod);
/* ext_transfer.c */
AG_HANDLER(ext_update_subresource);
AG_HANDLER(ext_read_subresource);
AG_HANDLER(ext_copy_resource);
AG_HANDLER(ext_copy_subresource_region);
AG_HANDLER(ext_discard_resource);
AG_HANDLER(ext_discard_view);
/* ext_view.c */
AG_HANDLER(ext_create_view);
AG_HANDLER(ext_destroy_view);
AG_HANDLER(ext_generate_mips);
AG_HANDLER(ext_resolve_subresource);
/* ext_bind.c */
AG_HANDLER(ext_set_shader_resources);
AG_HANDLER(ext_set_render_targets);
AG_HANDLER(ext_set_unordered_access_views);
AG_HANDLER(ext_copy_structure_count);
/* ext_clear.c */
AG_HANDLER(ext_clear_render_target_view);
AG_HANDLER(ext_clear_depth_stencil_view);
AG_HANDLER(ext_clear_unordered_access_view);

#endif
