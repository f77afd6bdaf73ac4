/* SPDX-License-Identifier: MIT
 *
 * The handlers of the extension's packets.
 */
#include "exec/packet/ext_handlers.h"

#include "aerogpu/abi/cmd.h"
#include "aerogpu/abi/ext.h"
#include "aerogpu/diag.h"
#include "aerogpu/stream.h"
#include "base/bytes.h"
#include "exec/object/ext_object.h"
#include "exec/packet/execution.h"
#include "exec/packet/handlers.h"

static enum agpu_status handle_destroy_object(struct ag_execution *execution,
                                              const struct agpu_packet *packet)
{
    ag_ext_object_destroy(execution->objects, AGPU_PACKET(packet, ext_destroy_object)->object_handle);
    return AGPU_OK;
}

#define ROW(symbol, handler) [AEROGPU_CMD_EXT_##symbol & ~AEROGPU_EXT_OPCODE_BASE] = handler

static const ag_packet_handler handlers[] = {
    ROW(CREATE_BUFFER, ag_on_ext_create_buffer),
    ROW(CREATE_TEXTURE, ag_on_ext_create_texture),
    ROW(UPDATE_SUBRESOURCE, ag_on_ext_update_subresource),
    ROW(READ_SUBRESOURCE, ag_on_ext_read_subresource),
    ROW(COPY_RESOURCE, ag_on_ext_copy_resource),
    ROW(COPY_SUBRESOURCE_REGION, ag_on_ext_copy_subresource_region),
    ROW(COPY_STRUCTURE_COUNT, ag_on_ext_copy_structure_count),
    ROW(RESOLVE_SUBRESOURCE, ag_on_ext_resolve_subresource),
    ROW(GENERATE_MIPS, ag_on_ext_generate_mips),
    ROW(SET_RESOURCE_MIN_LOD, ag_on_ext_set_resource_min_lod),
    ROW(DISCARD_RESOURCE, ag_on_ext_discard_resource),
    ROW(DISCARD_VIEW, ag_on_ext_discard_view),
    ROW(CREATE_VIEW, ag_on_ext_create_view),
    ROW(DESTROY_VIEW, ag_on_ext_destroy_view),
    ROW(DESTROY_OBJECT, handle_destroy_object),
    ROW(CREATE_SIGNATURE, ag_on_ext_create_signature),
    ROW(CREATE_STREAM_OUTPUT, ag_on_ext_create_stream_output),
    ROW(CREATE_SHADER, ag_on_ext_create_shader),
    ROW(CREATE_INPUT_LAYOUT, ag_on_ext_create_input_layout),
    ROW(SET_CLASS_INSTANCES, ag_on_ext_set_class_instances),
    ROW(SET_STREAM_OUTPUT_TARGETS, ag_on_ext_set_stream_output_targets),
    ROW(CREATE_BLEND_STATE, ag_on_ext_create_blend_state),
    ROW(CREATE_DEPTH_STENCIL_STATE, ag_on_ext_create_depth_stencil_state),
    ROW(CREATE_RASTERIZER_STATE, ag_on_ext_create_rasterizer_state),
    ROW(CREATE_SAMPLER, ag_on_ext_create_sampler),
    ROW(SET_BLEND_STATE, ag_on_ext_set_blend_state),
    ROW(SET_DEPTH_STENCIL_STATE, ag_on_ext_set_depth_stencil_state),
    ROW(SET_RASTERIZER_STATE, ag_on_ext_set_rasterizer_state),
    ROW(SET_VIEWPORTS, ag_on_ext_set_viewports),
    ROW(SET_SCISSORS, ag_on_ext_set_scissors),
    ROW(CLEAR_STATE, ag_on_ext_clear_state),
    ROW(SET_RENDER_TARGETS, ag_on_ext_set_render_targets),
    ROW(SET_SHADER_RESOURCES, ag_on_ext_set_shader_resources),
    ROW(SET_UNORDERED_ACCESS_VIEWS, ag_on_ext_set_unordered_access_views),
    ROW(CLEAR_RENDER_TARGET_VIEW, ag_on_ext_clear_render_target_view),
    ROW(CLEAR_DEPTH_STENCIL_VIEW, ag_on_ext_clear_depth_stencil_view),
    ROW(CLEAR_UNORDERED_ACCESS_VIEW, ag_on_ext_clear_unordered_access_view),
    ROW(DRAW_INSTANCED_INDIRECT, ag_on_ext_draw_instanced_indirect),
    ROW(DRAW_INDEXED_INSTANCED_INDIRECT, ag_on_ext_draw_indexed_instanced_indirect),
    ROW(DISPATCH_INDIRECT, ag_on_ext_dispatch_indirect),
    ROW(DRAW_AUTO, ag_on_ext_draw_auto),
    ROW(CREATE_QUERY, ag_on_ext_create_query),
    ROW(BEGIN_QUERY, ag_on_ext_begin_query),
    ROW(END_QUERY, ag_on_ext_end_query),
    ROW(SET_PREDICATION, ag_on_ext_set_predication),
    ROW(CREATE_COMMAND_LIST, ag_on_ext_create_command_list),
    ROW(EXECUTE_COMMAND_LIST, ag_on_ext_execute_command_list),
    ROW(READ_CAPS, ag_on_ext_read_caps),
};

ag_packet_handler ag_ext_packet_handler_of(uint32_t opcode)
{
    const uint32_t number = opcode & ~AEROGPU_EXT_OPCODE_BASE;
    return number < AG_COUNT_OF(handlers) ? handlers[number] : NULL;
}
