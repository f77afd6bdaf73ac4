/* SPDX-License-Identifier: MIT
 *
 * The symbolic values of ABI 1.4's fields.
 */
#include "abi/packet_field.h"

static const struct ag_name_value format_values[] = {
    NAME(FORMAT, INVALID),
};
const struct ag_name_set ag_names_format = {
    .values = format_values,
    .count = AG_COUNT_OF(format_values),
    .formats = true,
};

/* Input elements of the extension: DXGI's numbers as they are, and extension formats. */
const struct ag_name_set ag_names_input_format = {.input_formats = true};

static const struct ag_name_value resource_usage_values[] = {
    NAME(RESOURCE_USAGE, VERTEX_BUFFER),   NAME(RESOURCE_USAGE, INDEX_BUFFER),
    NAME(RESOURCE_USAGE, CONSTANT_BUFFER), NAME(RESOURCE_USAGE, TEXTURE),
    NAME(RESOURCE_USAGE, RENDER_TARGET),   NAME(RESOURCE_USAGE, DEPTH_STENCIL),
    NAME(RESOURCE_USAGE, SCANOUT),         NAME(RESOURCE_USAGE, STORAGE),
};
const struct ag_name_set ag_names_resource_usage = FLAGS(resource_usage_values);

static const struct ag_name_value copy_flags_values[] = {
    NAME(COPY_FLAG, WRITEBACK_DST),
};
const struct ag_name_set ag_names_copy_flags = FLAGS(copy_flags_values);

static const struct ag_name_value shader_stage_values[] = {
    NAME(SHADER_STAGE, VERTEX),
    NAME(SHADER_STAGE, PIXEL),
    NAME(SHADER_STAGE, COMPUTE),
    NAME(SHADER_STAGE, GEOMETRY),
};
const struct ag_name_set ag_names_shader_stage = VALUES(shader_stage_values);

static const struct ag_name_value stage_ex_values[] = {
    NAME(SHADER_STAGE_EX, NONE),   NAME(SHADER_STAGE_EX, GEOMETRY), NAME(SHADER_STAGE_EX, HULL),
    NAME(SHADER_STAGE_EX, DOMAIN), NAME(SHADER_STAGE_EX, COMPUTE),
};
const struct ag_name_set ag_names_stage_ex = VALUES(stage_ex_values);

static const struct ag_name_value index_format_values[] = {
    NAME(INDEX_FORMAT, UINT16),
    NAME(INDEX_FORMAT, UINT32),
};
const struct ag_name_set ag_names_index_format = VALUES(index_format_values);

static const struct ag_name_value sampler_filter_values[] = {
    NAME(SAMPLER_FILTER, NEAREST),
    NAME(SAMPLER_FILTER, LINEAR),
};
const struct ag_name_set ag_names_sampler_filter = VALUES(sampler_filter_values);

static const struct ag_name_value sampler_address_values[] = {
    NAME(SAMPLER_ADDRESS, CLAMP_TO_EDGE),
    NAME(SAMPLER_ADDRESS, REPEAT),
    NAME(SAMPLER_ADDRESS, MIRROR_REPEAT),
};
const struct ag_name_set ag_names_sampler_address = VALUES(sampler_address_values);

static const struct ag_name_value topology_values[] = {
    NAME(TOPOLOGY, POINTLIST),         NAME(TOPOLOGY, LINELIST),      NAME(TOPOLOGY, LINESTRIP),
    NAME(TOPOLOGY, TRIANGLELIST),      NAME(TOPOLOGY, TRIANGLESTRIP), NAME(TOPOLOGY, TRIANGLEFAN),
    NAME(TOPOLOGY, LINELIST_ADJ),      NAME(TOPOLOGY, LINESTRIP_ADJ), NAME(TOPOLOGY, TRIANGLELIST_ADJ),
    NAME(TOPOLOGY, TRIANGLESTRIP_ADJ), NAME(TOPOLOGY, PATCHLIST_1),   NAME(TOPOLOGY, PATCHLIST_2),
    NAME(TOPOLOGY, PATCHLIST_3),       NAME(TOPOLOGY, PATCHLIST_4),   NAME(TOPOLOGY, PATCHLIST_5),
    NAME(TOPOLOGY, PATCHLIST_6),       NAME(TOPOLOGY, PATCHLIST_7),   NAME(TOPOLOGY, PATCHLIST_8),
    NAME(TOPOLOGY, PATCHLIST_9),       NAME(TOPOLOGY, PATCHLIST_10),  NAME(TOPOLOGY, PATCHLIST_11),
    NAME(TOPOLOGY, PATCHLIST_12),      NAME(TOPOLOGY, PATCHLIST_13),  NAME(TOPOLOGY, PATCHLIST_14),
    NAME(TOPOLOGY, PATCHLIST_15),      NAME(TOPOLOGY, PATCHLIST_16),  NAME(TOPOLOGY, PATCHLIST_17),
    NAME(TOPOLOGY, PATCHLIST_18),      NAME(TOPOLOGY, PATCHLIST_19),  NAME(TOPOLOGY, PATCHLIST_20),
    NAME(TOPOLOGY, PATCHLIST_21),      NAME(TOPOLOGY, PATCHLIST_22),  NAME(TOPOLOGY, PATCHLIST_23),
    NAME(TOPOLOGY, PATCHLIST_24),      NAME(TOPOLOGY, PATCHLIST_25),  NAME(TOPOLOGY, PATCHLIST_26),
    NAME(TOPOLOGY, PATCHLIST_27),      NAME(TOPOLOGY, PATCHLIST_28),  NAME(TOPOLOGY, PATCHLIST_29),
    NAME(TOPOLOGY, PATCHLIST_30),      NAME(TOPOLOGY, PATCHLIST_31),  NAME(TOPOLOGY, PATCHLIST_32),
};
const struct ag_name_set ag_names_topology = VALUES(topology_values);

static const struct ag_name_value blend_factor_values[] = {
    NAME(BLEND, ZERO),          NAME(BLEND, ONE),          NAME(BLEND, SRC_ALPHA),
    NAME(BLEND, INV_SRC_ALPHA), NAME(BLEND, DEST_ALPHA),   NAME(BLEND, INV_DEST_ALPHA),
    NAME(BLEND, CONSTANT),      NAME(BLEND, INV_CONSTANT),
};
const struct ag_name_set ag_names_blend_factor = VALUES(blend_factor_values);

static const struct ag_name_value blend_op_values[] = {
    NAME(BLEND_OP, ADD), NAME(BLEND_OP, SUBTRACT), NAME(BLEND_OP, REV_SUBTRACT),
    NAME(BLEND_OP, MIN), NAME(BLEND_OP, MAX),
};
const struct ag_name_set ag_names_blend_op = VALUES(blend_op_values);

static const struct ag_name_value compare_func_values[] = {
    NAME(COMPARE, NEVER),   NAME(COMPARE, LESS),      NAME(COMPARE, EQUAL),         NAME(COMPARE, LESS_EQUAL),
    NAME(COMPARE, GREATER), NAME(COMPARE, NOT_EQUAL), NAME(COMPARE, GREATER_EQUAL), NAME(COMPARE, ALWAYS),
};
const struct ag_name_set ag_names_compare_func = VALUES(compare_func_values);

static const struct ag_name_value fill_mode_values[] = {
    NAME(FILL, SOLID),
    NAME(FILL, WIREFRAME),
};
const struct ag_name_set ag_names_fill_mode = VALUES(fill_mode_values);

static const struct ag_name_value cull_mode_values[] = {
    NAME(CULL, NONE),
    NAME(CULL, FRONT),
    NAME(CULL, BACK),
};
const struct ag_name_set ag_names_cull_mode = VALUES(cull_mode_values);

static const struct ag_name_value rasterizer_flags_values[] = {
    NAME(RASTERIZER_FLAG, DEPTH_CLIP_DISABLE),
};
const struct ag_name_set ag_names_rasterizer_flags = FLAGS(rasterizer_flags_values);

static const struct ag_name_value clear_flags_values[] = {
    NAME(CLEAR, COLOR),
    NAME(CLEAR, DEPTH),
    NAME(CLEAR, STENCIL),
};
const struct ag_name_set ag_names_clear_flags = FLAGS(clear_flags_values);

static const struct ag_name_value present_flags_values[] = {
    NAME(PRESENT_FLAG, VSYNC),
};
const struct ag_name_set ag_names_present_flags = FLAGS(present_flags_values);
