/* SPDX-License-Identifier: MIT
 *
 * The symbolic values of the extension's fields.
 */
#include "abi/packet_field.h"

/* clang-format off */
static const struct ag_name_value bind_flags_values[] = {
    NAME(EXT_BIND, VERTEX_BUFFER), NAME(EXT_BIND, INDEX_BUFFER), NAME(EXT_BIND, CONSTANT_BUFFER),
    NAME(EXT_BIND, SHADER_RESOURCE), NAME(EXT_BIND, STREAM_OUTPUT), NAME(EXT_BIND, RENDER_TARGET),
    NAME(EXT_BIND, DEPTH_STENCIL), NAME(EXT_BIND, UNORDERED_ACCESS), NAME(EXT_BIND, SCANOUT),
};
const struct ag_name_set ag_names_ext_bind_flags = FLAGS(bind_flags_values);

static const struct ag_name_value misc_flags_values[] = {
    NAME(EXT_MISC, GENERATE_MIPS), NAME(EXT_MISC, SHARED), NAME(EXT_MISC, TEXTURECUBE),
    NAME(EXT_MISC, DRAWINDIRECT_ARGS), NAME(EXT_MISC, BUFFER_ALLOW_RAW_VIEWS),
    NAME(EXT_MISC, BUFFER_STRUCTURED), NAME(EXT_MISC, RESOURCE_CLAMP),
};
const struct ag_name_set ag_names_ext_misc_flags = FLAGS(misc_flags_values);

static const struct ag_name_value resource_dimension_values[] = {
    NAME(EXT_RESOURCE, TEXTURE1D), NAME(EXT_RESOURCE, TEXTURE2D), NAME(EXT_RESOURCE, TEXTURE3D),
};
const struct ag_name_set ag_names_ext_resource_dimension = VALUES(resource_dimension_values);

static const struct ag_name_value view_kind_values[] = {
    NAME(EXT_VIEW, SHADER_RESOURCE), NAME(EXT_VIEW, RENDER_TARGET), NAME(EXT_VIEW, DEPTH_STENCIL),
    NAME(EXT_VIEW, UNORDERED_ACCESS),
};
const struct ag_name_set ag_names_ext_view_kind = VALUES(view_kind_values);

static const struct ag_name_value view_dimension_values[] = {
    NAME(EXT_DIMENSION, BUFFER), NAME(EXT_DIMENSION, TEXTURE1D), NAME(EXT_DIMENSION, TEXTURE1DARRAY),
    NAME(EXT_DIMENSION, TEXTURE2D), NAME(EXT_DIMENSION, TEXTURE2DARRAY), NAME(EXT_DIMENSION, TEXTURE2DMS),
    NAME(EXT_DIMENSION, TEXTURE2DMSARRAY), NAME(EXT_DIMENSION, TEXTURE3D),
    NAME(EXT_DIMENSION, TEXTURECUBE), NAME(EXT_DIMENSION, TEXTURECUBEARRAY),
};
const struct ag_name_set ag_names_ext_view_dimension = VALUES(view_dimension_values);

static const struct ag_name_value view_flags_values[] = {
    NAME(EXT_VIEW_FLAG, RAW), NAME(EXT_VIEW_FLAG, APPEND), NAME(EXT_VIEW_FLAG, COUNTER),
    NAME(EXT_VIEW_FLAG, READ_ONLY_DEPTH), NAME(EXT_VIEW_FLAG, READ_ONLY_STENCIL),
};
const struct ag_name_set ag_names_ext_view_flags = FLAGS(view_flags_values);

static const struct ag_name_value update_flags_values[] = {
    NAME(EXT_UPDATE, BOX), NAME(EXT_UPDATE, DISCARD), NAME(EXT_UPDATE, NO_OVERWRITE),
    NAME(EXT_UPDATE, INITIAL),
};
const struct ag_name_set ag_names_ext_update_flags = FLAGS(update_flags_values);

static const struct ag_name_value blend_values[] = {
    NAME(EXT_BLEND, ZERO), NAME(EXT_BLEND, ONE), NAME(EXT_BLEND, SRC_COLOR),
    NAME(EXT_BLEND, INV_SRC_COLOR), NAME(EXT_BLEND, SRC_ALPHA), NAME(EXT_BLEND, INV_SRC_ALPHA),
    NAME(EXT_BLEND, DEST_ALPHA), NAME(EXT_BLEND, INV_DEST_ALPHA), NAME(EXT_BLEND, DEST_COLOR),
    NAME(EXT_BLEND, INV_DEST_COLOR), NAME(EXT_BLEND, SRC_ALPHA_SAT), NAME(EXT_BLEND, BLEND_FACTOR),
    NAME(EXT_BLEND, INV_BLEND_FACTOR), NAME(EXT_BLEND, SRC1_COLOR), NAME(EXT_BLEND, INV_SRC1_COLOR),
    NAME(EXT_BLEND, SRC1_ALPHA), NAME(EXT_BLEND, INV_SRC1_ALPHA),
};
const struct ag_name_set ag_names_ext_blend = VALUES(blend_values);

static const struct ag_name_value blend_op_values[] = {
    NAME(EXT_BLEND_OP, ADD), NAME(EXT_BLEND_OP, SUBTRACT), NAME(EXT_BLEND_OP, REV_SUBTRACT),
    NAME(EXT_BLEND_OP, MIN), NAME(EXT_BLEND_OP, MAX),
};
const struct ag_name_set ag_names_ext_blend_op = VALUES(blend_op_values);

static const struct ag_name_value logic_op_values[] = {
    NAME(EXT_LOGIC_OP, CLEAR), NAME(EXT_LOGIC_OP, SET), NAME(EXT_LOGIC_OP, COPY),
    NAME(EXT_LOGIC_OP, COPY_INVERTED), NAME(EXT_LOGIC_OP, NOOP), NAME(EXT_LOGIC_OP, INVERT),
    NAME(EXT_LOGIC_OP, AND), NAME(EXT_LOGIC_OP, NAND), NAME(EXT_LOGIC_OP, OR), NAME(EXT_LOGIC_OP, NOR),
    NAME(EXT_LOGIC_OP, XOR), NAME(EXT_LOGIC_OP, EQUIV), NAME(EXT_LOGIC_OP, AND_REVERSE),
    NAME(EXT_LOGIC_OP, AND_INVERTED), NAME(EXT_LOGIC_OP, OR_REVERSE), NAME(EXT_LOGIC_OP, OR_INVERTED),
};
const struct ag_name_set ag_names_ext_logic_op = VALUES(logic_op_values);

static const struct ag_name_value comparison_values[] = {
    NAME(EXT_COMPARISON, NEVER), NAME(EXT_COMPARISON, LESS), NAME(EXT_COMPARISON, EQUAL),
    NAME(EXT_COMPARISON, LESS_EQUAL), NAME(EXT_COMPARISON, GREATER), NAME(EXT_COMPARISON, NOT_EQUAL),
    NAME(EXT_COMPARISON, GREATER_EQUAL), NAME(EXT_COMPARISON, ALWAYS),
};
const struct ag_name_set ag_names_ext_comparison = VALUES(comparison_values);

static const struct ag_name_value stencil_op_values[] = {
    NAME(EXT_STENCIL_OP, KEEP), NAME(EXT_STENCIL_OP, ZERO), NAME(EXT_STENCIL_OP, REPLACE),
    NAME(EXT_STENCIL_OP, INCR_SAT), NAME(EXT_STENCIL_OP, DECR_SAT), NAME(EXT_STENCIL_OP, INVERT),
    NAME(EXT_STENCIL_OP, INCR), NAME(EXT_STENCIL_OP, DECR),
};
const struct ag_name_set ag_names_ext_stencil_op = VALUES(stencil_op_values);

static const struct ag_name_value fill_values[] = {
    NAME(EXT_FILL, WIREFRAME), NAME(EXT_FILL, SOLID),
};
const struct ag_name_set ag_names_ext_fill = VALUES(fill_values);

static const struct ag_name_value cull_values[] = {
    NAME(EXT_CULL, NONE), NAME(EXT_CULL, FRONT), NAME(EXT_CULL, BACK),
};
const struct ag_name_set ag_names_ext_cull = VALUES(cull_values);

static const struct ag_name_value filter_values[] = {
    NAME(EXT_FILTER, MIP_LINEAR), NAME(EXT_FILTER, MAG_LINEAR), NAME(EXT_FILTER, MIN_LINEAR),
    NAME(EXT_FILTER, ANISOTROPIC), NAME(EXT_FILTER, COMPARISON), NAME(EXT_FILTER, MINIMUM),
};
const struct ag_name_set ag_names_ext_filter = FLAGS(filter_values);

static const struct ag_name_value address_values[] = {
    NAME(EXT_ADDRESS, WRAP), NAME(EXT_ADDRESS, MIRROR), NAME(EXT_ADDRESS, CLAMP),
    NAME(EXT_ADDRESS, BORDER), NAME(EXT_ADDRESS, MIRROR_ONCE),
};
const struct ag_name_set ag_names_ext_address = VALUES(address_values);

static const struct ag_name_value clear_flags_values[] = {
    NAME(EXT_CLEAR, DEPTH), NAME(EXT_CLEAR, STENCIL),
};
const struct ag_name_set ag_names_ext_clear_flags = FLAGS(clear_flags_values);

static const struct ag_name_value target_flags_values[] = {
    NAME(EXT, KEEP_RENDER_TARGETS), NAME(EXT, KEEP_UNORDERED_ACCESS_VIEWS),
};
const struct ag_name_set ag_names_ext_target_flags = FLAGS(target_flags_values);

static const struct ag_name_value program_values[] = {
    NAME(EXT_PROGRAM, PIXEL), NAME(EXT_PROGRAM, VERTEX), NAME(EXT_PROGRAM, GEOMETRY),
    NAME(EXT_PROGRAM, HULL), NAME(EXT_PROGRAM, DOMAIN), NAME(EXT_PROGRAM, COMPUTE),
};
const struct ag_name_set ag_names_ext_program = VALUES(program_values);

static const struct ag_name_value query_values[] = {
    NAME(EXT_QUERY, EVENT), NAME(EXT_QUERY, OCCLUSION), NAME(EXT_QUERY, TIMESTAMP),
    NAME(EXT_QUERY, TIMESTAMP_DISJOINT), NAME(EXT_QUERY, PIPELINE_STATISTICS),
    NAME(EXT_QUERY, OCCLUSION_PREDICATE), NAME(EXT_QUERY, SO_STATISTICS),
    NAME(EXT_QUERY, SO_OVERFLOW_PREDICATE), NAME(EXT_QUERY, SO_STATISTICS_STREAM0),
    NAME(EXT_QUERY, SO_OVERFLOW_PREDICATE_STREAM0), NAME(EXT_QUERY, SO_STATISTICS_STREAM1),
    NAME(EXT_QUERY, SO_OVERFLOW_PREDICATE_STREAM1), NAME(EXT_QUERY, SO_STATISTICS_STREAM2),
    NAME(EXT_QUERY, SO_OVERFLOW_PREDICATE_STREAM2), NAME(EXT_QUERY, SO_STATISTICS_STREAM3),
    NAME(EXT_QUERY, SO_OVERFLOW_PREDICATE_STREAM3),
};
const struct ag_name_set ag_names_ext_query = VALUES(query_values);

static const struct ag_name_value query_flags_values[] = {
    NAME(EXT_QUERY_FLAG, PREDICATE_HINT),
};
const struct ag_name_set ag_names_ext_query_flags = FLAGS(query_flags_values);

static const struct ag_name_value execute_flags_values[] = {
    NAME(EXT_EXECUTE, RESTORE_STATE),
};
const struct ag_name_set ag_names_ext_execute_flags = FLAGS(execute_flags_values);

static const struct ag_name_value caps_values[] = {
    NAME(EXT_CAPS, FORMAT_SUPPORT), NAME(EXT_CAPS, MULTISAMPLE_QUALITY), NAME(EXT_CAPS, FEATURES),
};
const struct ag_name_set ag_names_ext_caps = VALUES(caps_values);
/* clang-format on */
