/* SPDX-License-Identifier: MIT
 *
 * The table of operand types.
 */
#include "dxbc/operand_info.h"

#include <assert.h>

#include "base/bytes.h"

/* clang-format off */
#define ROW(name, style, least, most, used, declared)                                                        \
    .text = (name), .index_style = AG_INDEX_STYLE_##style, .min_indices = (least), .max_indices = (most),  \
    .used_count = (used), .declared_count = (declared)

const struct ag_operand_info ag_operand_infos[] = {
    [AGPU_OPERAND_TEMP] = {ROW("r", NUMBERED, 1, 1, 4, 4)},
    [AGPU_OPERAND_INPUT] = {ROW("v", ARRAY, 1, 2, 4, 4)},
    [AGPU_OPERAND_OUTPUT] = {ROW("o", NUMBERED, 1, 1, 4, 4)},
    [AGPU_OPERAND_INDEXABLE_TEMP] = {ROW("x", NUMBERED, 2, 2, 4, 4)},
    [AGPU_OPERAND_IMMEDIATE32] = {ROW("l", NONE, 0, 0, 4, 4)},
    [AGPU_OPERAND_IMMEDIATE64] = {ROW("d", NONE, 0, 0, 4, 4)},
    [AGPU_OPERAND_SAMPLER] = {ROW("s", NUMBERED, 1, 1, 0, 0), .by_id = true},
    [AGPU_OPERAND_RESOURCE] = {ROW("t", NUMBERED, 1, 1, 4, 0), .by_id = true},
    [AGPU_OPERAND_CONSTANT_BUFFER] = {ROW("cb", NUMBERED, 2, 2, 4, 4), .by_id = true},
    [AGPU_OPERAND_IMMEDIATE_CONSTANT_BUFFER] = {ROW("icb", BRACKETS, 1, 1, 4, 4)},
    [AGPU_OPERAND_LABEL] = {ROW("l", NUMBERED, 1, 1, 0, 0)},
    [AGPU_OPERAND_INPUT_PRIMITIVE_ID] = {ROW("vPrim", NONE, 0, 0, 1, 0)},
    [AGPU_OPERAND_OUTPUT_DEPTH] = {ROW("oDepth", NONE, 0, 0, 1, 1)},
    [AGPU_OPERAND_NULL] = {ROW("null", NONE, 0, 0, 0, 0)},
    [AGPU_OPERAND_RASTERIZER] = {ROW("rasterizer", NONE, 0, 0, 4, 0)},
    [AGPU_OPERAND_OUTPUT_COVERAGE_MASK] = {ROW("oMask", NONE, 0, 0, 1, 0)},
    [AGPU_OPERAND_STREAM] = {ROW("m", NUMBERED, 1, 1, 0, 0)},
    [AGPU_OPERAND_FUNCTION_BODY] = {ROW("fb", NUMBERED, 1, 1, 0, 0)},
    [AGPU_OPERAND_FUNCTION_TABLE] = {ROW("ft", NUMBERED, 1, 1, 0, 0)},
    [AGPU_OPERAND_INTERFACE] = {ROW("fp", NUMBERED, 2, 2, 0, 0)},
    [AGPU_OPERAND_FUNCTION_INPUT] = {ROW("fi", NUMBERED, 0, 3, 4, 4)},
    [AGPU_OPERAND_FUNCTION_OUTPUT] = {ROW("fo", NUMBERED, 0, 3, 4, 4)},
    [AGPU_OPERAND_OUTPUT_CONTROL_POINT_ID] = {ROW("vOutputControlPointID", NONE, 0, 0, 1, 0)},
    [AGPU_OPERAND_INPUT_FORK_INSTANCE_ID] = {ROW("vForkInstanceID", NONE, 0, 0, 4, 0)},
    [AGPU_OPERAND_INPUT_JOIN_INSTANCE_ID] = {ROW("vJoinInstanceID", NONE, 0, 0, 4, 0)},
    [AGPU_OPERAND_INPUT_CONTROL_POINT] = {ROW("vicp", ARRAY, 2, 2, 4, 4)},
    [AGPU_OPERAND_OUTPUT_CONTROL_POINT] = {ROW("vocp", ARRAY, 2, 2, 4, 4)},
    [AGPU_OPERAND_INPUT_PATCH_CONSTANT] = {ROW("vpc", NUMBERED, 1, 1, 4, 4)},
    [AGPU_OPERAND_INPUT_DOMAIN_POINT] = {ROW("vDomain", NONE, 0, 0, 4, 4)},
    [AGPU_OPERAND_THIS_POINTER] = {ROW("this", BRACKETS, 1, 2, 4, 4)},
    [AGPU_OPERAND_UNORDERED_ACCESS_VIEW] = {ROW("u", NUMBERED, 1, 1, 4, 0), .by_id = true},
    [AGPU_OPERAND_THREAD_GROUP_SHARED_MEMORY] = {ROW("g", NUMBERED, 1, 1, 4, 0)},
    [AGPU_OPERAND_INPUT_THREAD_ID] = {ROW("vThreadID", NONE, 0, 0, 4, 4)},
    [AGPU_OPERAND_INPUT_THREAD_GROUP_ID] = {ROW("vThreadGroupID", NONE, 0, 0, 4, 4)},
    [AGPU_OPERAND_INPUT_THREAD_ID_IN_GROUP] = {ROW("vThreadIDInGroup", NONE, 0, 0, 4, 4)},
    [AGPU_OPERAND_INPUT_COVERAGE_MASK] = {ROW("vCoverage", NONE, 0, 0, 4, 1)},
    [AGPU_OPERAND_INPUT_THREAD_ID_IN_GROUP_FLATTENED] = {ROW("vThreadIDInGroupFlattened", NONE, 0, 0, 4, 0)},
    [AGPU_OPERAND_INPUT_GS_INSTANCE_ID] = {ROW("vGSInstanceID", NONE, 0, 0, 4, 0)},
    [AGPU_OPERAND_OUTPUT_DEPTH_GREATER_EQUAL] = {ROW("oDepthGE", NONE, 0, 0, 1, 1)},
    [AGPU_OPERAND_OUTPUT_DEPTH_LESS_EQUAL] = {ROW("oDepthLE", NONE, 0, 0, 1, 1)},
    [AGPU_OPERAND_CYCLE_COUNTER] = {ROW("vCycleCounter", NONE, 0, 0, 4, 4)},
    [AGPU_OPERAND_OUTPUT_STENCIL_REF] = {ROW("oStencilRef", NONE, 0, 0, 1, 1)},
    [AGPU_OPERAND_INPUT_INNER_COVERAGE] = {ROW("vInnerCoverage", NONE, 0, 0, 4, 1)},
};
/* clang-format on */

static_assert(AG_COUNT_OF(ag_operand_infos) == AGPU_OPERAND_TYPE_COUNT, "an operand type has no row");
