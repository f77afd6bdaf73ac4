/* SPDX-License-Identifier: MIT
 *
 * The lists of words.
 */
#include "dxbc/names.h"

#include <string.h>

#include "aerogpu/dxbc.h"
#include "base/bytes.h"

/* clang-format off */
#define LIST(name, text, ...)                                                                                \
    static const char *const name##_names[] = {__VA_ARGS__};                                                 \
    const struct ag_name_list ag_names_##name = {(text), name##_names, AG_COUNT_OF(name##_names)};

LIST(dimension, "a resource dimension",
    [AGPU_DIMENSION_UNKNOWN] = "unknown",
    [AGPU_DIMENSION_BUFFER] = "buffer",
    [AGPU_DIMENSION_TEXTURE1D] = "texture1d",
    [AGPU_DIMENSION_TEXTURE2D] = "texture2d",
    [AGPU_DIMENSION_TEXTURE2DMS] = "texture2dms",
    [AGPU_DIMENSION_TEXTURE3D] = "texture3d",
    [AGPU_DIMENSION_TEXTURECUBE] = "texturecube",
    [AGPU_DIMENSION_TEXTURE1DARRAY] = "texture1darray",
    [AGPU_DIMENSION_TEXTURE2DARRAY] = "texture2darray",
    [AGPU_DIMENSION_TEXTURE2DMSARRAY] = "texture2dmsarray",
    [AGPU_DIMENSION_TEXTURECUBEARRAY] = "texturecubearray",
    [AGPU_DIMENSION_RAW_BUFFER] = "raw_buffer",
    [AGPU_DIMENSION_STRUCTURED_BUFFER] = "structured_buffer")

LIST(return_type, "a return type",
    [AGPU_RETURN_UNORM] = "unorm",
    [AGPU_RETURN_SNORM] = "snorm",
    [AGPU_RETURN_SINT] = "sint",
    [AGPU_RETURN_UINT] = "uint",
    [AGPU_RETURN_FLOAT] = "float",
    [AGPU_RETURN_MIXED] = "mixed",
    [AGPU_RETURN_DOUBLE] = "double",
    [AGPU_RETURN_CONTINUED] = "<continued>",
    [AGPU_RETURN_UNUSED] = "<unused>")

LIST(interpolation, "an interpolation mode",
    [AGPU_INTERPOLATE_UNDEFINED] = "undefined",
    [AGPU_INTERPOLATE_CONSTANT] = "constant",
    [AGPU_INTERPOLATE_LINEAR] = "linear",
    [AGPU_INTERPOLATE_LINEAR_CENTROID] = "linear centroid",
    [AGPU_INTERPOLATE_LINEAR_NOPERSPECTIVE] = "linear noperspective",
    [AGPU_INTERPOLATE_LINEAR_NOPERSPECTIVE_CENTROID] = "linear noperspective centroid",
    [AGPU_INTERPOLATE_LINEAR_SAMPLE] = "linear sample",
    [AGPU_INTERPOLATE_LINEAR_NOPERSPECTIVE_SAMPLE] = "linear noperspective sample")

LIST(system_name, "a system value name",
    "undefined", "position", "clip_distance", "cull_distance", "rendertarget_array_index",
    "viewport_array_index", "vertex_id", "primitive_id", "instance_id", "is_front_face", "sampleIndex",
    "finalQuadUeq0EdgeTessFactor", "finalQuadVeq0EdgeTessFactor", "finalQuadUeq1EdgeTessFactor",
    "finalQuadVeq1EdgeTessFactor", "finalQuadUInsideTessFactor", "finalQuadVInsideTessFactor",
    "finalTriUeq0EdgeTessFactor", "finalTriVeq0EdgeTessFactor", "finalTriWeq0EdgeTessFactor",
    "finalTriInsideTessFactor", "finalLineDetailTessFactor", "finalLineDensityTessFactor")

LIST(system_value, "a system value",
    [AGPU_SV_NONE] = "none",
    [AGPU_SV_POSITION] = "position",
    [AGPU_SV_CLIP_DISTANCE] = "clip_distance",
    [AGPU_SV_CULL_DISTANCE] = "cull_distance",
    [AGPU_SV_RENDER_TARGET_ARRAY_INDEX] = "rendertarget_array_index",
    [AGPU_SV_VIEWPORT_ARRAY_INDEX] = "viewport_array_index",
    [AGPU_SV_VERTEX_ID] = "vertex_id",
    [AGPU_SV_PRIMITIVE_ID] = "primitive_id",
    [AGPU_SV_INSTANCE_ID] = "instance_id",
    [AGPU_SV_IS_FRONT_FACE] = "is_front_face",
    [AGPU_SV_SAMPLE_INDEX] = "sampleIndex",
    [AGPU_SV_QUAD_EDGE_TESS_FACTOR] = "quad_edge_tess_factor",
    [AGPU_SV_QUAD_INSIDE_TESS_FACTOR] = "quad_inside_tess_factor",
    [AGPU_SV_TRI_EDGE_TESS_FACTOR] = "tri_edge_tess_factor",
    [AGPU_SV_TRI_INSIDE_TESS_FACTOR] = "tri_inside_tess_factor",
    [AGPU_SV_LINE_DETAIL_TESS_FACTOR] = "line_detail_tess_factor",
    [AGPU_SV_LINE_DENSITY_TESS_FACTOR] = "line_density_tess_factor",
    [AGPU_SV_TARGET] = "target",
    [AGPU_SV_DEPTH] = "depth",
    [AGPU_SV_COVERAGE] = "coverage",
    [AGPU_SV_DEPTH_GREATER_EQUAL] = "depth_greater_equal",
    [AGPU_SV_DEPTH_LESS_EQUAL] = "depth_less_equal")

LIST(sysvalue_table, "a system value",
    [AGPU_SV_NONE] = "NONE",
    [AGPU_SV_POSITION] = "POS",
    [AGPU_SV_CLIP_DISTANCE] = "CLIPDST",
    [AGPU_SV_CULL_DISTANCE] = "CULLDST",
    [AGPU_SV_RENDER_TARGET_ARRAY_INDEX] = "RTINDEX",
    [AGPU_SV_VIEWPORT_ARRAY_INDEX] = "VPINDEX",
    [AGPU_SV_VERTEX_ID] = "VERTID",
    [AGPU_SV_PRIMITIVE_ID] = "PRIMID",
    [AGPU_SV_INSTANCE_ID] = "INSTID",
    [AGPU_SV_IS_FRONT_FACE] = "FFACE",
    [AGPU_SV_SAMPLE_INDEX] = "SAMPLE",
    [AGPU_SV_QUAD_EDGE_TESS_FACTOR] = "QUADEDGE",
    [AGPU_SV_QUAD_INSIDE_TESS_FACTOR] = "QUADINT",
    [AGPU_SV_TRI_EDGE_TESS_FACTOR] = "TRIEDGE",
    [AGPU_SV_TRI_INSIDE_TESS_FACTOR] = "TRIINT",
    [AGPU_SV_LINE_DETAIL_TESS_FACTOR] = "LINEDET",
    [AGPU_SV_LINE_DENSITY_TESS_FACTOR] = "LINEDEN",
    [AGPU_SV_TARGET] = "TARGET",
    [AGPU_SV_DEPTH] = "DEPTH",
    [AGPU_SV_COVERAGE] = "COVERAGE",
    [AGPU_SV_DEPTH_GREATER_EQUAL] = "DEPTHGE",
    [AGPU_SV_DEPTH_LESS_EQUAL] = "DEPTHLE")

LIST(global_flag, "a global flag",
    "refactoringAllowed", "enableDoublePrecisionFloatOps", "forceEarlyDepthStencil",
    "enableRawAndStructuredBuffers", "skipOptimization", "enableMinimumPrecision",
    "enable11_1DoubleExtensions", "enable11_1ShaderExtensions", "allResourcesBound")

LIST(output_topology, "an output topology",
    [0] = "undefined", [1] = "pointlist", [2] = "linelist", [3] = "linestrip", [4] = "trianglelist",
    [5] = "trianglestrip", [10] = "linelist_adj", [11] = "linestrip_adj", [12] = "trianglelist_adj",
    [13] = "trianglestrip_adj")

LIST(primitive, "an input primitive",
    [0] = "undefined", [1] = "point", [2] = "line", [3] = "triangle", [6] = "lineadj", [7] = "triangleadj",
    [8] = "patch1", "patch2", "patch3", "patch4", "patch5", "patch6", "patch7", "patch8", "patch9",
    "patch10", "patch11", "patch12", "patch13", "patch14", "patch15", "patch16", "patch17", "patch18",
    "patch19", "patch20", "patch21", "patch22", "patch23", "patch24", "patch25", "patch26", "patch27",
    "patch28", "patch29", "patch30", "patch31", "patch32")

LIST(domain, "a tessellator domain", "domain_undefined", "domain_isoline", "domain_tri", "domain_quad")

LIST(partitioning, "a tessellator partitioning",
    "partitioning_undefined", "partitioning_integer", "partitioning_pow2", "partitioning_fractional_odd",
    "partitioning_fractional_even")

LIST(tessellator_output, "a tessellator output primitive",
    "output_undefined", "output_point", "output_line", "output_triangle_cw", "output_triangle_ccw")

LIST(sampler_mode, "a sampler mode", "mode_default", "mode_comparison", "mode_mono")
LIST(access, "an access pattern", "immediateIndexed", "dynamicIndexed")
LIST(min_precision, "a minimum precision", "def32", "min16f", "min2_8f", NULL, "min16i", "min16u")
LIST(component_type, "a component type", "unknown", "uint", "int", "float")
LIST(resinfo_type, "a result type", "float", "rcpfloat", "uint")
LIST(sync_flag, "a sync flag", "t", "g", "ugroup", "uglobal")

LIST(feature, "a feature",
    "doubles", "raw_buffers_4_x", "uavs_at_every_stage", "64_uav_slots", "minimum_precision",
    "double_extensions_11_1", "shader_extensions_11_1", "comparison_filtering_9", "tiled_resources",
    "stencil_ref", "inner_coverage", "typed_uav_loads", "rasterizer_ordered_views",
    "array_index_from_every_stage")

LIST(statistic, "a statistic",
    "instructions", "temps", "constants", "declarations", "float", "int", "uint", "static_flow",
    "dynamic_flow", "macro", "array_temps", "array_instructions", "cut", "emit", "sample", "load",
    "sample_compare", "sample_bias", "sample_derivative", "mov", "movc", "conversion", "bitwise",
    "input_primitive", "output_topology", "max_vertices", "gather", "lod", "per_sample", "gs_instances",
    "control_points", "tess_output", "partitioning", "domain", "barriers", "atomics", "stores")

LIST(rdef_class, "a type class",
    "scalar", "vector", "matrix_rows", "matrix_columns", "object", "struct", "interface_class",
    "interface_pointer")

LIST(rdef_base_type, "a base type",
    [0] = "void", [1] = "bool", [2] = "int", [3] = "float", [4] = "string", [5] = "texture",
    [6] = "texture1d", [7] = "texture2d", [8] = "texture3d", [9] = "texturecube", [10] = "sampler",
    [11] = "sampler1d", [12] = "sampler2d", [13] = "sampler3d", [14] = "samplercube", [19] = "uint",
    [20] = "uint8", [37] = "interface_pointer", [39] = "double", [53] = "min10float", [54] = "min16float",
    [55] = "min12int", [56] = "min16int", [57] = "min16uint")

LIST(rdef_buffer_kind, "a kind of buffer", "cbuffer", "tbuffer", "interfaces", "element")
LIST(rdef_input_type, "a kind of binding",
    "cbuffer", "tbuffer", "texture", "sampler", "rw_typed", "structured", "rw_structured", "byteaddress",
    "rw_byteaddress", "append", "consume", "rw_structured_counter")
LIST(rdef_return_type, "a return type",
    "none", "unorm", "snorm", "sint", "uint", "float", "mixed", "double", "continued")
LIST(rdef_dimension, "a dimension",
    "none", "buffer", "1d", "1darray", "2d", "2darray", "2dms", "2dmsarray", "3d", "cube", "cubearray",
    "bufferex")
/* clang-format on */

const char *ag_name_of(const struct ag_name_list *list, uint32_t value)
{
    return value < list->count ? list->names[value] : NULL;
}

bool ag_value_of(const struct ag_name_list *list, const char *text, size_t length, uint32_t *value)
{
    for (uint32_t i = 0; i < list->count; i++) {
        const char *name = list->names[i];
        if (name != NULL && strlen(name) == length && memcmp(name, text, length) == 0) {
            *value = i;
            return true;
        }
    }
    return false;
}

bool ag_longest_value_of(const struct ag_name_list *list, const char *text, size_t length, uint32_t *value,
                         size_t *used)
{
    *used = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        const char *name = list->names[i];
        const size_t size = name == NULL ? 0 : strlen(name);
        const bool ends = size == length || (size < length && (text[size] == ' ' || text[size] == '\t'));
        if (size > *used && size <= length && ends && memcmp(name, text, size) == 0) {
            *value = i;
            *used = size;
        }
    }
    return *used != 0;
}
