/* SPDX-License-Identifier: MIT */
#include "exec/state/state.h"

#include <string.h>

#include "aerogpu/abi/cmd.h"
#include "aerogpu/abi/ext.h"
#include "base/bytes.h"
#include "format/format.h"
#include "gpu/webgpu.h"

static const struct ag_stencil_face keep = {AEROGPU_EXT_STENCIL_OP_KEEP, AEROGPU_EXT_STENCIL_OP_KEEP,
                                            AEROGPU_EXT_STENCIL_OP_KEEP, AEROGPU_EXT_COMPARISON_ALWAYS};

void ag_depth_stencil_default(struct ag_depth_stencil_desc *desc)
{
    memset(desc, 0, sizeof *desc);
    desc->depth_enable = 1;
    desc->depth_write = 1;
    desc->depth_comparison = AEROGPU_EXT_COMPARISON_LESS;
    desc->read_mask = 0xFF;
    desc->write_mask = 0xFF;
    desc->front = keep;
    desc->back = keep;
}

static uint8_t comparison_from_abi(uint32_t comparison)
{
    return comparison <= AEROGPU_COMPARE_ALWAYS ? (uint8_t)(comparison + 1)
                                                : (uint8_t)AEROGPU_EXT_COMPARISON_ALWAYS;
}

void ag_depth_stencil_from_abi(const struct aerogpu_depth_stencil_state *wire,
                               struct ag_depth_stencil_desc *desc)
{
    ag_depth_stencil_default(desc);
    desc->depth_enable = wire->depth_enable != 0;
    desc->depth_write = wire->depth_write_enable != 0;
    desc->depth_comparison = comparison_from_abi(wire->depth_func);
    desc->stencil_enable = wire->stencil_enable != 0;
    desc->read_mask = wire->stencil_read_mask;
    desc->write_mask = wire->stencil_write_mask;
}

static const WGPUCompareFunction comparisons[] = {
    [AEROGPU_EXT_COMPARISON_NEVER] = WGPUCompareFunction_Never,
    [AEROGPU_EXT_COMPARISON_LESS] = WGPUCompareFunction_Less,
    [AEROGPU_EXT_COMPARISON_EQUAL] = WGPUCompareFunction_Equal,
    [AEROGPU_EXT_COMPARISON_LESS_EQUAL] = WGPUCompareFunction_LessEqual,
    [AEROGPU_EXT_COMPARISON_GREATER] = WGPUCompareFunction_Greater,
    [AEROGPU_EXT_COMPARISON_NOT_EQUAL] = WGPUCompareFunction_NotEqual,
    [AEROGPU_EXT_COMPARISON_GREATER_EQUAL] = WGPUCompareFunction_GreaterEqual,
    [AEROGPU_EXT_COMPARISON_ALWAYS] = WGPUCompareFunction_Always,
};

static const WGPUStencilOperation stencil_operations[] = {
    [AEROGPU_EXT_STENCIL_OP_KEEP] = WGPUStencilOperation_Keep,
    [AEROGPU_EXT_STENCIL_OP_ZERO] = WGPUStencilOperation_Zero,
    [AEROGPU_EXT_STENCIL_OP_REPLACE] = WGPUStencilOperation_Replace,
    [AEROGPU_EXT_STENCIL_OP_INCR_SAT] = WGPUStencilOperation_IncrementClamp,
    [AEROGPU_EXT_STENCIL_OP_DECR_SAT] = WGPUStencilOperation_DecrementClamp,
    [AEROGPU_EXT_STENCIL_OP_INVERT] = WGPUStencilOperation_Invert,
    [AEROGPU_EXT_STENCIL_OP_INCR] = WGPUStencilOperation_IncrementWrap,
    [AEROGPU_EXT_STENCIL_OP_DECR] = WGPUStencilOperation_DecrementWrap,
};

static bool is_known_face(const struct ag_stencil_face *face)
{
    return face->comparison < AG_COUNT_OF(comparisons) && face->fail < AG_COUNT_OF(stencil_operations) &&
           face->depth_fail < AG_COUNT_OF(stencil_operations) && face->pass < AG_COUNT_OF(stencil_operations);
}

bool ag_depth_stencil_is_known(const struct ag_depth_stencil_desc *desc)
{
    return desc->depth_comparison < AG_COUNT_OF(comparisons) && is_known_face(&desc->front) &&
           is_known_face(&desc->back);
}

WGPUCompareFunction ag_comparison_to_webgpu(uint32_t comparison)
{
    return comparison > 0 && comparison < AG_COUNT_OF(comparisons) ? comparisons[comparison]
                                                                   : WGPUCompareFunction_Always;
}

static WGPUStencilFaceState stencil_face(const struct ag_stencil_face *face)
{
    WGPUStencilFaceState state;
    memset(&state, 0, sizeof state);
    state.compare = comparisons[face->comparison];
    state.failOp = stencil_operations[face->fail];
    state.depthFailOp = stencil_operations[face->depth_fail];
    state.passOp = stencil_operations[face->pass];
    return state;
}

bool ag_depth_is_rounded(const struct ag_depth_stencil_desc *desc, const struct ag_host_format *format,
                         uint32_t samples)
{
    const bool matters = desc->depth_write || (desc->depth_comparison != AEROGPU_EXT_COMPARISON_ALWAYS &&
                                               desc->depth_comparison != AEROGPU_EXT_COMPARISON_NEVER);
    return format->conversion == AG_CONVERT_D24S8 && samples == 1 && desc->depth_enable && matters;
}

void ag_depth_stencil_to_webgpu(const struct ag_depth_stencil_desc *desc,
                                const struct ag_rasterizer_desc *rasterizer, enum ag_depth_bias_place bias,
                                const struct ag_host_format *format, WGPUDepthStencilState *state)
{
    bool depth = desc->depth_enable && ag_host_format_has(format, AG_FORMAT_DEPTH);
    bool stencil = desc->stencil_enable && ag_host_format_has(format, AG_FORMAT_STENCIL);
    memset(state, 0, sizeof *state);
    state->depthWriteEnabled = depth && desc->depth_write ? WGPUOptionalBool_True : WGPUOptionalBool_False;
    state->depthCompare = depth ? comparisons[desc->depth_comparison] : WGPUCompareFunction_Always;
    state->stencilFront = stencil_face(stencil ? &desc->front : &keep);
    state->stencilBack = stencil_face(stencil ? &desc->back : &keep);
    state->stencilReadMask = stencil ? desc->read_mask : 0xFF;
    state->stencilWriteMask = stencil ? desc->write_mask : 0xFF;
    if (bias != AG_DEPTH_BIAS_OF_DRIVER && bias != AG_DEPTH_BIAS_OF_VERTEX)
        return;
    state->depthBias = bias == AG_DEPTH_BIAS_OF_DRIVER ? rasterizer->depth_bias : 0;
    state->depthBiasSlopeScale = rasterizer->slope_scaled_depth_bias;
    state->depthBiasClamp = rasterizer->depth_bias_clamp;
}
