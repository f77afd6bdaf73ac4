/* SPDX-License-Identifier: MIT */
#include "exec/packets.h"

#include <stddef.h>

#include "abi/packet.h"
#include "exec/clear.h"
#include "exec/copy.h"
#include "exec/draw.h"
#include "exec/exec.h"

/* ---- Work --------------------------------------------------------------------------------------------- */

/* NOP; DEBUG_MARKER has nothing to do either: its text is for whoever dumps the stream. */
static enum agpu_status handle_nothing(struct ag_exec *exec, const struct agpu_packet *packet)
{
    (void)exec;
    (void)packet;
    return AGPU_OK;
}

static enum agpu_status handle_copy_buffer(struct ag_exec *exec, const struct agpu_packet *packet)
{
    return ag_copy_buffer(exec, AGPU_PACKET(packet, copy_buffer));
}

static enum agpu_status handle_copy_texture2d(struct ag_exec *exec, const struct agpu_packet *packet)
{
    return ag_copy_texture(exec, AGPU_PACKET(packet, copy_texture2d));
}

static enum agpu_status handle_clear(struct ag_exec *exec, const struct agpu_packet *packet)
{
    return ag_clear(exec, AGPU_PACKET(packet, clear));
}

static enum agpu_status handle_draw(struct ag_exec *exec, const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_draw *wire = AGPU_PACKET(packet, draw);
    const struct ag_draw draw = {
        .count = wire->vertex_count,
        .instance_count = wire->instance_count,
        .first = wire->first_vertex,
        .first_instance = wire->first_instance,
    };
    return ag_draw(exec, &draw);
}

static enum agpu_status handle_draw_indexed(struct ag_exec *exec, const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_draw_indexed *wire = AGPU_PACKET(packet, draw_indexed);
    const struct ag_draw draw = {
        .indexed = true,
        .count = wire->index_count,
        .instance_count = wire->instance_count,
        .first = wire->first_index,
        .base_vertex = wire->base_vertex,
        .first_instance = wire->first_instance,
    };
    return ag_draw(exec, &draw);
}

static enum agpu_status handle_dispatch(struct ag_exec *exec, const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_dispatch *wire = AGPU_PACKET(packet, dispatch);
    const struct ag_dispatch dispatch = {
        .groups = {wire->group_count_x, wire->group_count_y, wire->group_count_z}
    };
    return ag_dispatch(exec, (enum agpu_stage)packet->stage, &dispatch);
}

static enum agpu_status handle_present(struct ag_exec *exec, const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_present *wire = AGPU_PACKET(packet, present);
    return ag_present(exec, wire->scanout_id, wire->flags);
}

static enum agpu_status handle_present_ex(struct ag_exec *exec, const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_present_ex *wire = AGPU_PACKET(packet, present_ex);
    return ag_present(exec, wire->scanout_id, wire->flags);
}

static enum agpu_status handle_flush(struct ag_exec *exec, const struct agpu_packet *packet)
{
    (void)packet;
    ag_exec_flush(exec);
    return AGPU_OK;
}

/* ---- The table ---------------------------------------------------------------------------------------- */

static const ag_packet_handler handlers[] = {
    [AEROGPU_CMD_NOP] = handle_nothing,
    [AEROGPU_CMD_DEBUG_MARKER] = handle_nothing,
    [AEROGPU_CMD_CREATE_BUFFER] = ag_on_create_buffer,
    [AEROGPU_CMD_CREATE_TEXTURE2D] = ag_on_create_texture2d,
    [AEROGPU_CMD_DESTROY_RESOURCE] = ag_on_destroy_resource,
    [AEROGPU_CMD_RESOURCE_DIRTY_RANGE] = ag_on_resource_dirty_range,
    [AEROGPU_CMD_UPLOAD_RESOURCE] = ag_on_upload_resource,
    [AEROGPU_CMD_COPY_BUFFER] = handle_copy_buffer,
    [AEROGPU_CMD_COPY_TEXTURE2D] = handle_copy_texture2d,
    [AEROGPU_CMD_CREATE_TEXTURE_VIEW] = ag_on_create_texture_view,
    [AEROGPU_CMD_DESTROY_TEXTURE_VIEW] = ag_on_destroy_texture_view,
    [AEROGPU_CMD_CREATE_SHADER_DXBC] = ag_on_create_shader_dxbc,
    [AEROGPU_CMD_DESTROY_SHADER] = ag_on_destroy_shader,
    [AEROGPU_CMD_BIND_SHADERS] = ag_on_bind_shaders,
    [AEROGPU_CMD_SET_SHADER_CONSTANTS_F] = ag_on_set_shader_constants_f,
    [AEROGPU_CMD_CREATE_INPUT_LAYOUT] = ag_on_create_input_layout,
    [AEROGPU_CMD_DESTROY_INPUT_LAYOUT] = ag_on_destroy_input_layout,
    [AEROGPU_CMD_SET_INPUT_LAYOUT] = ag_on_set_input_layout,
    [AEROGPU_CMD_SET_SHADER_CONSTANTS_I] = ag_on_set_shader_constants_i,
    [AEROGPU_CMD_SET_SHADER_CONSTANTS_B] = ag_on_set_shader_constants_b,
    [AEROGPU_CMD_SET_BLEND_STATE] = ag_on_set_blend_state,
    [AEROGPU_CMD_SET_DEPTH_STENCIL_STATE] = ag_on_set_depth_stencil_state,
    [AEROGPU_CMD_SET_RASTERIZER_STATE] = ag_on_set_rasterizer_state,
    [AEROGPU_CMD_SET_RENDER_TARGETS] = ag_on_set_render_targets,
    [AEROGPU_CMD_SET_VIEWPORT] = ag_on_set_viewport,
    [AEROGPU_CMD_SET_SCISSOR] = ag_on_set_scissor,
    [AEROGPU_CMD_SET_VERTEX_BUFFERS] = ag_on_set_vertex_buffers,
    [AEROGPU_CMD_SET_INDEX_BUFFER] = ag_on_set_index_buffer,
    [AEROGPU_CMD_SET_PRIMITIVE_TOPOLOGY] = ag_on_set_primitive_topology,
    [AEROGPU_CMD_SET_TEXTURE] = ag_on_set_texture,
    [AEROGPU_CMD_SET_SAMPLER_STATE] = ag_on_set_sampler_state,
    [AEROGPU_CMD_SET_RENDER_STATE] = ag_on_set_render_state,
    [AEROGPU_CMD_CREATE_SAMPLER] = ag_on_create_sampler,
    [AEROGPU_CMD_DESTROY_SAMPLER] = ag_on_destroy_sampler,
    [AEROGPU_CMD_SET_SAMPLERS] = ag_on_set_samplers,
    [AEROGPU_CMD_SET_CONSTANT_BUFFERS] = ag_on_set_constant_buffers,
    [AEROGPU_CMD_SET_SHADER_RESOURCE_BUFFERS] = ag_on_set_shader_resource_buffers,
    [AEROGPU_CMD_SET_UNORDERED_ACCESS_BUFFERS] = ag_on_set_unordered_access_buffers,
    [AEROGPU_CMD_CLEAR] = handle_clear,
    [AEROGPU_CMD_DRAW] = handle_draw,
    [AEROGPU_CMD_DRAW_INDEXED] = handle_draw_indexed,
    [AEROGPU_CMD_DISPATCH] = handle_dispatch,
    [AEROGPU_CMD_PRESENT] = handle_present,
    [AEROGPU_CMD_PRESENT_EX] = handle_present_ex,
    [AEROGPU_CMD_EXPORT_SHARED_SURFACE] = ag_on_export_shared_surface,
    [AEROGPU_CMD_IMPORT_SHARED_SURFACE] = ag_on_import_shared_surface,
    [AEROGPU_CMD_RELEASE_SHARED_SURFACE] = ag_on_release_shared_surface,
    [AEROGPU_CMD_FLUSH] = handle_flush,
};

ag_packet_handler ag_packet_handler_of(uint32_t opcode)
{
    if (AEROGPU_EXT_IS_OPCODE(opcode))
        return ag_ext_packet_handler_of(opcode);
    return opcode < sizeof handlers / sizeof handlers[0] ? handlers[opcode] : NULL;
}
