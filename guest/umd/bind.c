/* SPDX-License-Identifier: MIT
 *
 * Sets: bindings of all stages, and state.
 */
#include "guest/core/memory.h"
#include "guest/umd/context.h"
#include "guest/umd/dynamic.h"

/* DXGI_FORMAT */
#define R32_UINT 42u

static aerogpu_handle_t handle_at(const void *objects, uint32_t index)
{
    return objects != NULL ? umd_handle(((const void *const *)objects)[index]) : 0;
}

/* ---- Input assembler ----------------------------------------------------------------------------------- */

void umd_ia_set_input_layout(struct umd_context *context, struct umd_input_layout *layout)
{
    struct aerogpu_cmd_set_input_layout *packet =
        umd_packet(context, AEROGPU_CMD_SET_INPUT_LAYOUT, sizeof *packet);
    packet->input_layout_handle = umd_handle(layout);
    packet->reserved0 = 0;
    context->layout = layout;
}

void umd_ia_set_vertex_buffers(struct umd_context *context, uint32_t start_slot, uint32_t count,
                               struct umd_resource *const *buffers, const uint32_t *strides,
                               const uint32_t *offsets)
{
    struct aerogpu_cmd_set_vertex_buffers *packet;
    struct aerogpu_vertex_buffer_binding *binding;
    packet = umd_packet(context, AEROGPU_CMD_SET_VERTEX_BUFFERS,
                        (uint32_t)(sizeof *packet + count * sizeof *binding));
    packet->start_slot = start_slot;
    packet->buffer_count = count;
    binding = (struct aerogpu_vertex_buffer_binding *)(packet + 1);
    for (uint32_t i = 0; i < count; i++, binding++) {
        struct umd_vertex_slot *slot = &context->vertex_slots[start_slot + i];
        slot->buffer = buffers != NULL ? buffers[i] : NULL;
        slot->stride = slot->buffer != NULL ? strides[i] : 0;
        slot->offset = slot->buffer != NULL ? offsets[i] : 0;
        binding->buffer = umd_handle(slot->buffer);
        binding->stride_bytes = slot->stride;
        binding->offset_bytes = slot->offset;
        binding->reserved0 = 0;
    }
    umd_note_vertex_slots(context, start_slot, count);
}

void umd_ia_set_index_buffer(struct umd_context *context, struct umd_resource *buffer, uint32_t format,
                             uint32_t offset)
{
    struct aerogpu_cmd_set_index_buffer *packet =
        umd_packet(context, AEROGPU_CMD_SET_INDEX_BUFFER, sizeof *packet);
    packet->buffer = umd_handle(buffer);
    packet->format = format == R32_UINT ? AEROGPU_INDEX_FORMAT_UINT32 : AEROGPU_INDEX_FORMAT_UINT16;
    packet->offset_bytes = offset;
    packet->reserved0 = 0;
    context->index_buffer = buffer;
    context->index_bytes = format == R32_UINT ? 4 : 2;
    context->index_offset = offset;
    umd_note_index_buffer(context);
}

void umd_ia_set_topology(struct umd_context *context, uint32_t topology)
{
    struct aerogpu_cmd_set_primitive_topology *packet =
        umd_packet(context, AEROGPU_CMD_SET_PRIMITIVE_TOPOLOGY, sizeof *packet);
    packet->topology = topology;
    packet->reserved0 = 0;
    context->topology = topology;
}

/* ---- Shader stages ------------------------------------------------------------------------------------- */

void umd_set_shader(struct umd_context *context, enum umd_stage stage, struct umd_shader *shader,
                    const struct aerogpu_ext_class_instance *instances, uint32_t instance_count)
{
    const aerogpu_handle_t handle = umd_handle(shader);
    context->shaders_changed |= context->shaders[stage] != handle;
    context->shaders[stage] = handle;
    if (instance_count == 0 && context->instance_counts[stage] == 0)
        return;
    context->instance_counts[stage] = instance_count;
    struct aerogpu_cmd_ext_set_class_instances *packet;
    packet = umd_packet(context, AEROGPU_CMD_EXT_SET_CLASS_INSTANCES,
                        (uint32_t)(sizeof *packet + instance_count * sizeof *instances));
    packet->shader_stage = umd_stage_words[stage].stage;
    packet->instance_count = instance_count;
    packet->reserved0 = umd_stage_words[stage].stage_ex;
    if (instance_count != 0)
        memcpy(packet + 1, instances, instance_count * sizeof *instances);
}

void umd_set_constant_buffers(struct umd_context *context, enum umd_stage stage, uint32_t start_slot,
                              uint32_t count, struct umd_resource *const *buffers,
                              const uint32_t *first_constants, const uint32_t *constant_counts)
{
    struct aerogpu_cmd_set_constant_buffers *packet;
    struct aerogpu_constant_buffer_binding *binding;
    packet = umd_packet(context, AEROGPU_CMD_SET_CONSTANT_BUFFERS,
                        (uint32_t)(sizeof *packet + count * sizeof *binding));
    packet->shader_stage = umd_stage_words[stage].stage;
    packet->start_slot = start_slot;
    packet->buffer_count = count;
    packet->reserved0 = umd_stage_words[stage].stage_ex;
    binding = (struct aerogpu_constant_buffer_binding *)(packet + 1);
    for (uint32_t i = 0; i < count; i++, binding++) {
        binding->buffer = handle_at(buffers, i);
        binding->offset_bytes = first_constants != NULL ? first_constants[i] * 16 : 0;
        /* 0 says "to the end", and a range without constants reads as no buffer does. */
        binding->size_bytes = constant_counts != NULL ? constant_counts[i] * 16 : 0;
        if (constant_counts != NULL && constant_counts[i] == 0)
            binding->buffer = 0;
        binding->reserved0 = 0;
    }
}

static void write_handles(void *payload, const void *objects, uint32_t count)
{
    aerogpu_handle_t *handles = payload;
    for (uint32_t i = 0; i < count; i++)
        handles[i] = handle_at(objects, i);
}

void umd_set_shader_resources(struct umd_context *context, enum umd_stage stage, uint32_t start_slot,
                              uint32_t count, struct umd_view *const *views)
{
    struct aerogpu_cmd_ext_set_shader_resources *packet;
    packet =
        umd_packet(context, AEROGPU_CMD_EXT_SET_SHADER_RESOURCES, (uint32_t)(sizeof *packet + count * 4));
    packet->shader_stage = umd_stage_words[stage].stage;
    packet->start_slot = start_slot;
    packet->view_count = count;
    packet->reserved0 = umd_stage_words[stage].stage_ex;
    write_handles(packet + 1, views, count);
}

void umd_set_samplers(struct umd_context *context, enum umd_stage stage, uint32_t start_slot, uint32_t count,
                      struct umd_sampler *const *samplers)
{
    struct aerogpu_cmd_set_samplers *packet;
    packet = umd_packet(context, AEROGPU_CMD_SET_SAMPLERS, (uint32_t)(sizeof *packet + count * 4));
    packet->shader_stage = umd_stage_words[stage].stage;
    packet->start_slot = start_slot;
    packet->sampler_count = count;
    packet->reserved0 = umd_stage_words[stage].stage_ex;
    write_handles(packet + 1, samplers, count);
}

static void write_uavs(void *payload, uint32_t count, struct umd_view *const *views,
                       const uint32_t *initial_counts)
{
    struct aerogpu_ext_unordered_access_binding *bindings = payload;
    for (uint32_t i = 0; i < count; i++) {
        bindings[i].view = handle_at(views, i);
        bindings[i].initial_count = initial_counts != NULL ? initial_counts[i] : AEROGPU_EXT_KEEP_COUNTER;
    }
}

void umd_cs_set_unordered_access_views(struct umd_context *context, uint32_t start_slot, uint32_t count,
                                       struct umd_view *const *views, const uint32_t *initial_counts)
{
    struct aerogpu_cmd_ext_set_unordered_access_views *packet;
    const uint32_t bytes = count * (uint32_t)sizeof(struct aerogpu_ext_unordered_access_binding);
    packet =
        umd_packet(context, AEROGPU_CMD_EXT_SET_UNORDERED_ACCESS_VIEWS, (uint32_t)sizeof *packet + bytes);
    packet->shader_stage = AEROGPU_SHADER_STAGE_COMPUTE;
    packet->start_slot = start_slot;
    packet->uav_count = count;
    packet->reserved0 = 0;
    write_uavs(packet + 1, count, views, initial_counts);
}

void umd_so_set_targets(struct umd_context *context, uint32_t count, struct umd_resource *const *buffers,
                        const uint32_t *offsets)
{
    struct aerogpu_cmd_ext_set_stream_output_targets *packet;
    struct aerogpu_ext_stream_output_target *target;
    packet = umd_packet(context, AEROGPU_CMD_EXT_SET_STREAM_OUTPUT_TARGETS,
                        (uint32_t)(sizeof *packet + count * sizeof *target));
    packet->target_count = count;
    packet->reserved0 = 0;
    target = (struct aerogpu_ext_stream_output_target *)(packet + 1);
    for (uint32_t i = 0; i < count; i++) {
        target[i].buffer = handle_at(buffers, i);
        target[i].offset_bytes = offsets != NULL ? offsets[i] : 0;
        if (buffers != NULL && buffers[i] != NULL)
            umd_note_writer(buffers[i]);
    }
}

/* ---- Rasterizer and output merger ---------------------------------------------------------------------- */

void umd_set_rasterizer_state(struct umd_context *context, struct umd_rasterizer_state *state)
{
    struct aerogpu_cmd_ext_set_rasterizer_state *packet =
        umd_packet(context, AEROGPU_CMD_EXT_SET_RASTERIZER_STATE, sizeof *packet);
    packet->state_handle = umd_handle(state);
    packet->reserved0 = 0;
}

void umd_set_viewports(struct umd_context *context, uint32_t count,
                       const struct aerogpu_ext_viewport *viewports)
{
    struct aerogpu_cmd_ext_set_viewports *packet;
    packet = umd_packet(context, AEROGPU_CMD_EXT_SET_VIEWPORTS,
                        (uint32_t)(sizeof *packet + count * sizeof *viewports));
    packet->viewport_count = count;
    packet->reserved0 = 0;
    if (count != 0)
        memcpy(packet + 1, viewports, count * sizeof *viewports);
}

void umd_set_scissor_rects(struct umd_context *context, uint32_t count, const struct aerogpu_ext_rect *rects)
{
    struct aerogpu_cmd_ext_set_scissors *packet;
    packet =
        umd_packet(context, AEROGPU_CMD_EXT_SET_SCISSORS, (uint32_t)(sizeof *packet + count * sizeof *rects));
    packet->rect_count = count;
    packet->reserved0 = 0;
    if (count != 0)
        memcpy(packet + 1, rects, count * sizeof *rects);
}

void umd_set_blend_state(struct umd_context *context, struct umd_blend_state *state, const float factor[4],
                         uint32_t sample_mask)
{
    struct aerogpu_cmd_ext_set_blend_state *packet =
        umd_packet(context, AEROGPU_CMD_EXT_SET_BLEND_STATE, sizeof *packet);
    packet->state_handle = umd_handle(state);
    for (uint32_t i = 0; i < 4; i++)
        packet->blend_factor_f32[i] = umd_bits(factor != NULL ? factor[i] : 1.0f);
    packet->sample_mask = sample_mask;
}

void umd_set_depth_stencil_state(struct umd_context *context, struct umd_depth_stencil_state *state,
                                 uint32_t stencil_ref)
{
    struct aerogpu_cmd_ext_set_depth_stencil_state *packet =
        umd_packet(context, AEROGPU_CMD_EXT_SET_DEPTH_STENCIL_STATE, sizeof *packet);
    packet->state_handle = umd_handle(state);
    packet->stencil_ref = stencil_ref;
}

void umd_set_render_targets(struct umd_context *context, const struct umd_render_targets *set)
{
    struct aerogpu_cmd_ext_set_render_targets *packet;
    const bool keeps_uavs = (set->keep & AEROGPU_EXT_KEEP_UNORDERED_ACCESS_VIEWS) != 0;
    const bool keeps_targets = (set->keep & AEROGPU_EXT_KEEP_RENDER_TARGETS) != 0;
    const uint32_t uav_count = keeps_uavs ? 0 : set->uav_count;
    const uint32_t bytes = uav_count * (uint32_t)sizeof(struct aerogpu_ext_unordered_access_binding);
    packet = umd_packet(context, AEROGPU_CMD_EXT_SET_RENDER_TARGETS, (uint32_t)sizeof *packet + bytes);
    packet->flags = set->keep;
    packet->color_count = keeps_targets ? 0 : set->target_count;
    packet->depth_stencil = keeps_targets ? 0 : umd_handle(set->depth_stencil);
    for (uint32_t i = 0; i < UMD_RENDER_TARGET_SLOTS; i++)
        packet->colors[i] = i < packet->color_count ? handle_at(set->targets, i) : 0;
    packet->uav_start_slot = keeps_uavs ? 0 : set->uav_start_slot;
    packet->uav_count = uav_count;
    write_uavs(packet + 1, uav_count, set->uavs, set->initial_counts);
}

void umd_clear_state(struct umd_context *context)
{
    struct aerogpu_cmd_ext_clear_state *packet =
        umd_packet(context, AEROGPU_CMD_EXT_CLEAR_STATE, sizeof *packet);
    packet->reserved0 = packet->reserved1 = 0;
    umd_context_forget_state(context);
}
