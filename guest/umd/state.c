/* SPDX-License-Identifier: MIT
 *
 * State objects, input layouts and views: created and ended.
 */
#include "guest/core/memory.h"
#include "guest/umd/context.h"

/* ---- Input layouts ------------------------------------------------------------------------------------- */

/* What the layout reads of each slot, with the offsets that "append" stands for. */
static void note_slots(struct umd_input_layout *layout, const struct aerogpu_ext_input_element *elements,
                       uint32_t count)
{
    uint32_t next[UMD_VERTEX_BUFFER_SLOTS] = {0};
    for (uint32_t i = 0; i < count; i++) {
        const struct aerogpu_ext_input_element *element = &elements[i];
        if (element->input_slot >= UMD_VERTEX_BUFFER_SLOTS)
            continue;
        uint32_t block_width, block_height;
        const uint32_t bytes =
            umd_format_bytes(AEROGPU_EXT_FORMAT_DXGI(element->format), &block_width, &block_height);
        const uint32_t align = bytes % 4 == 0 ? 4 : bytes % 2 == 0 ? 2 : 1;
        uint32_t *at = &next[element->input_slot];
        const uint32_t offset = element->aligned_byte_offset == AEROGPU_EXT_ALL
                                    ? (*at + align - 1) / align * align
                                    : element->aligned_byte_offset;
        *at = offset + bytes;
        struct umd_layout_slot *slot = &layout->slots[element->input_slot];
        slot->extent = *at > slot->extent ? *at : slot->extent;
        slot->is_per_instance = element->input_slot_class != 0;
        slot->step_rate = element->instance_data_step_rate;
    }
}

enum umd_status umd_create_input_layout(struct umd_device *device,
                                        const struct aerogpu_ext_input_element *elements, uint32_t count,
                                        struct umd_input_layout **result)
{
    struct umd_input_layout *layout = umd_make_object(device, sizeof *layout);
    *result = layout;
    if (layout == NULL)
        return UMD_NO_MEMORY;
    note_slots(layout, elements, count);
    struct aerogpu_cmd_ext_create_input_layout *packet;
    packet = umd_begin_creation(device, AEROGPU_CMD_EXT_CREATE_INPUT_LAYOUT,
                                (uint32_t)(sizeof *packet + count * sizeof *elements));
    packet->input_layout_handle = layout->object.handle;
    packet->element_count = count;
    if (count != 0)
        memcpy(packet + 1, elements, count * sizeof *elements);
    umd_end_creation(device);
    return UMD_OK;
}

void umd_destroy_input_layout(struct umd_device *device, struct umd_input_layout *layout)
{
    umd_destroy_object(device, layout, AEROGPU_CMD_DESTROY_INPUT_LAYOUT);
}

/* ---- Samplers ------------------------------------------------------------------------------------------ */

enum umd_status umd_create_sampler(struct umd_device *device, const struct umd_sampler_desc *desc,
                                   struct umd_sampler **sampler)
{
    *sampler = umd_make_object(device, sizeof **sampler);
    if (*sampler == NULL)
        return UMD_NO_MEMORY;
    struct aerogpu_cmd_ext_create_sampler *packet =
        umd_begin_creation(device, AEROGPU_CMD_EXT_CREATE_SAMPLER, sizeof *packet);
    *packet = (struct aerogpu_cmd_ext_create_sampler){
        .hdr = UMD_HEADER(AEROGPU_CMD_EXT_CREATE_SAMPLER, packet),
        .sampler_handle = umd_handle(*sampler),
        .filter = desc->filter,
        .address_u = desc->address_u,
        .address_v = desc->address_v,
        .address_w = desc->address_w,
        .mip_lod_bias_f32 = umd_bits(desc->mip_lod_bias),
        .max_anisotropy = desc->max_anisotropy,
        .comparison_func = desc->comparison_func,
        .min_lod_f32 = umd_bits(desc->min_lod),
        .max_lod_f32 = umd_bits(desc->max_lod),
    };
    for (uint32_t i = 0; i < 4; i++)
        packet->border_color_f32[i] = umd_bits(desc->border_color[i]);
    umd_end_creation(device);
    return UMD_OK;
}

void umd_destroy_sampler(struct umd_device *device, struct umd_sampler *sampler)
{
    umd_destroy_object(device, sampler, AEROGPU_CMD_DESTROY_SAMPLER);
}

/* ---- Blend, depth-stencil and rasterizer states ------------------------------------------------------ */

enum umd_status umd_create_blend_state(struct umd_device *device, const struct umd_blend_desc *desc,
                                       struct umd_blend_state **state)
{
    *state = umd_make_object(device, sizeof **state);
    if (*state == NULL)
        return UMD_NO_MEMORY;
    struct aerogpu_cmd_ext_create_blend_state *packet;
    packet = umd_begin_creation(device, AEROGPU_CMD_EXT_CREATE_BLEND_STATE,
                                (uint32_t)(sizeof *packet + sizeof desc->targets));
    packet->object_handle = umd_handle(*state);
    packet->alpha_to_coverage_enable = desc->alpha_to_coverage_enable;
    packet->independent_blend_enable = desc->independent_blend_enable;
    packet->target_count = UMD_RENDER_TARGET_SLOTS;
    memcpy(packet + 1, desc->targets, sizeof desc->targets);
    umd_end_creation(device);
    return UMD_OK;
}

void umd_destroy_blend_state(struct umd_device *device, struct umd_blend_state *state)
{
    umd_destroy_object(device, state, AEROGPU_CMD_EXT_DESTROY_OBJECT);
}

enum umd_status umd_create_depth_stencil_state(struct umd_device *device,
                                               const struct umd_depth_stencil_desc *desc,
                                               struct umd_depth_stencil_state **state)
{
    *state = umd_make_object(device, sizeof **state);
    if (*state == NULL)
        return UMD_NO_MEMORY;
    struct aerogpu_cmd_ext_create_depth_stencil_state *packet =
        umd_begin_creation(device, AEROGPU_CMD_EXT_CREATE_DEPTH_STENCIL_STATE, sizeof *packet);
    *packet = (struct aerogpu_cmd_ext_create_depth_stencil_state){
        .hdr = UMD_HEADER(AEROGPU_CMD_EXT_CREATE_DEPTH_STENCIL_STATE, packet),
        .object_handle = umd_handle(*state),
        .depth_enable = desc->depth_enable,
        .depth_write_enable = desc->depth_write_enable,
        .depth_func = desc->depth_func,
        .stencil_enable = desc->stencil_enable,
        .stencil_read_mask = desc->stencil_read_mask,
        .stencil_write_mask = desc->stencil_write_mask,
        .front_face = desc->front_face,
        .back_face = desc->back_face,
    };
    umd_end_creation(device);
    return UMD_OK;
}

void umd_destroy_depth_stencil_state(struct umd_device *device, struct umd_depth_stencil_state *state)
{
    umd_destroy_object(device, state, AEROGPU_CMD_EXT_DESTROY_OBJECT);
}

enum umd_status umd_create_rasterizer_state(struct umd_device *device, const struct umd_rasterizer_desc *desc,
                                            struct umd_rasterizer_state **state)
{
    *state = umd_make_object(device, sizeof **state);
    if (*state == NULL)
        return UMD_NO_MEMORY;
    struct aerogpu_cmd_ext_create_rasterizer_state *packet =
        umd_begin_creation(device, AEROGPU_CMD_EXT_CREATE_RASTERIZER_STATE, sizeof *packet);
    *packet = (struct aerogpu_cmd_ext_create_rasterizer_state){
        .hdr = UMD_HEADER(AEROGPU_CMD_EXT_CREATE_RASTERIZER_STATE, packet),
        .object_handle = umd_handle(*state),
        .fill_mode = desc->fill_mode,
        .cull_mode = desc->cull_mode,
        .front_counter_clockwise = desc->front_counter_clockwise,
        .depth_bias = desc->depth_bias,
        .depth_bias_clamp_f32 = umd_bits(desc->depth_bias_clamp),
        .slope_scaled_depth_bias_f32 = umd_bits(desc->slope_scaled_depth_bias),
        .depth_clip_enable = desc->depth_clip_enable,
        .scissor_enable = desc->scissor_enable,
        .multisample_enable = desc->multisample_enable,
        .antialiased_line_enable = desc->antialiased_line_enable,
        .forced_sample_count = desc->forced_sample_count,
    };
    umd_end_creation(device);
    return UMD_OK;
}

void umd_destroy_rasterizer_state(struct umd_device *device, struct umd_rasterizer_state *state)
{
    umd_destroy_object(device, state, AEROGPU_CMD_EXT_DESTROY_OBJECT);
}

/* ---- Views --------------------------------------------------------------------------------------------- */

enum umd_status umd_create_view(struct umd_device *device, struct umd_resource *resource,
                                const struct umd_view_desc *desc, struct umd_view **result)
{
    struct umd_view *view = umd_make_object(device, sizeof *view);
    *result = view;
    if (view == NULL)
        return UMD_NO_MEMORY;
    view->resource = resource;
    if (desc->kind != AEROGPU_EXT_VIEW_SHADER_RESOURCE)
        umd_note_writer(resource);
    struct aerogpu_cmd_ext_create_view *packet =
        umd_begin_creation(device, AEROGPU_CMD_EXT_CREATE_VIEW, sizeof *packet);
    *packet = (struct aerogpu_cmd_ext_create_view){
        .hdr = UMD_HEADER(AEROGPU_CMD_EXT_CREATE_VIEW, packet),
        .view_handle = view->object.handle,
        .resource_handle = umd_handle(resource),
        .kind = desc->kind,
        .format = desc->format != 0 ? AEROGPU_EXT_FORMAT(desc->format) : 0,
        .dimension = desc->dimension,
        .flags = desc->flags,
        .first_element = desc->first_element,
        .element_count = desc->element_count,
        .base_mip_level = desc->base_mip_level,
        .mip_level_count = desc->kind == AEROGPU_EXT_VIEW_SHADER_RESOURCE ? desc->mip_level_count : 1,
        .base_array_layer = desc->base_array_layer,
        .array_layer_count = desc->array_layer_count,
    };
    umd_end_creation(device);
    return UMD_OK;
}

void umd_destroy_view(struct umd_device *device, struct umd_view *view)
{
    umd_destroy_object(device, view, AEROGPU_CMD_EXT_DESTROY_VIEW);
}
