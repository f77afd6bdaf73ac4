/* SPDX-License-Identifier: MIT */
#include "exec/state/state.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "aerogpu/abi/cmd.h"
#include "aerogpu/abi/ext.h"
#include "aerogpu/translate.h"
#include "base/bytes.h"
#include "format/format.h"
#include "gpu/webgpu.h"
#include "wgsl/draw_block.h"
#include "wgsl/options.h"

/* ---- Defaults ----------------------------------------------------------------------------------------- */

void ag_blend_default(struct ag_blend_desc *desc)
{
    memset(desc, 0, sizeof *desc);
    for (uint32_t i = 0; i < AGPU_MAX_RENDER_TARGETS; i++) {
        desc->targets[i] = (struct ag_blend_target){
            .source = AEROGPU_EXT_BLEND_ONE,
            .destination = AEROGPU_EXT_BLEND_ZERO,
            .operation = AEROGPU_EXT_BLEND_OP_ADD,
            .source_alpha = AEROGPU_EXT_BLEND_ONE,
            .destination_alpha = AEROGPU_EXT_BLEND_ZERO,
            .operation_alpha = AEROGPU_EXT_BLEND_OP_ADD,
            .logic = AEROGPU_EXT_LOGIC_OP_NOOP,
            .write_mask = 0xF,
        };
    }
}

void ag_depth_stencil_default(struct ag_depth_stencil_desc *desc)
{
    const struct ag_stencil_face keep = {AEROGPU_EXT_STENCIL_OP_KEEP, AEROGPU_EXT_STENCIL_OP_KEEP,
                                         AEROGPU_EXT_STENCIL_OP_KEEP, AEROGPU_EXT_COMPARISON_ALWAYS};
    memset(desc, 0, sizeof *desc);
    desc->depth_enable = 1;
    desc->depth_write = 1;
    desc->depth_comparison = AEROGPU_EXT_COMPARISON_LESS;
    desc->read_mask = 0xFF;
    desc->write_mask = 0xFF;
    desc->front = keep;
    desc->back = keep;
}

void ag_rasterizer_default(struct ag_rasterizer_desc *desc)
{
    memset(desc, 0, sizeof *desc);
    desc->fill = AEROGPU_EXT_FILL_SOLID;
    desc->cull = AEROGPU_EXT_CULL_BACK;
    desc->depth_clip = 1;
}

void ag_sampler_default(struct ag_sampler_desc *desc)
{
    memset(desc, 0, sizeof *desc);
    desc->filter =
        AEROGPU_EXT_FILTER_MIN_LINEAR | AEROGPU_EXT_FILTER_MAG_LINEAR | AEROGPU_EXT_FILTER_MIP_LINEAR;
    desc->address_u = desc->address_v = desc->address_w = AEROGPU_EXT_ADDRESS_CLAMP;
    desc->comparison = AEROGPU_EXT_COMPARISON_NEVER;
    desc->max_anisotropy = 1;
    desc->min_lod = -FLT_MAX;
    desc->max_lod = FLT_MAX;
    for (uint32_t i = 0; i < 4; i++)
        desc->border_color[i] = 1;
}

/* ---- Descriptions out of packets ---------------------------------------------------------------------- */

static const uint8_t abi_factors[] = {
    [AEROGPU_BLEND_ZERO] = AEROGPU_EXT_BLEND_ZERO,
    [AEROGPU_BLEND_ONE] = AEROGPU_EXT_BLEND_ONE,
    [AEROGPU_BLEND_SRC_ALPHA] = AEROGPU_EXT_BLEND_SRC_ALPHA,
    [AEROGPU_BLEND_INV_SRC_ALPHA] = AEROGPU_EXT_BLEND_INV_SRC_ALPHA,
    [AEROGPU_BLEND_DEST_ALPHA] = AEROGPU_EXT_BLEND_DEST_ALPHA,
    [AEROGPU_BLEND_INV_DEST_ALPHA] = AEROGPU_EXT_BLEND_INV_DEST_ALPHA,
    [AEROGPU_BLEND_CONSTANT] = AEROGPU_EXT_BLEND_BLEND_FACTOR,
    [AEROGPU_BLEND_INV_CONSTANT] = AEROGPU_EXT_BLEND_INV_BLEND_FACTOR,
};

static uint8_t factor_from_abi(uint32_t factor, enum aerogpu_ext_blend unknown)
{
    return factor < AG_COUNT_OF(abi_factors) ? abi_factors[factor] : (uint8_t)unknown;
}

static uint8_t operation_from_abi(uint32_t operation)
{
    return operation <= AEROGPU_BLEND_OP_MAX ? (uint8_t)(operation + 1) : (uint8_t)AEROGPU_EXT_BLEND_OP_ADD;
}

static uint8_t comparison_from_abi(uint32_t comparison)
{
    return comparison <= AEROGPU_COMPARE_ALWAYS ? (uint8_t)(comparison + 1)
                                                : (uint8_t)AEROGPU_EXT_COMPARISON_ALWAYS;
}

void ag_blend_from_abi(const struct aerogpu_blend_state *wire, struct ag_blend_desc *desc)
{
    ag_blend_default(desc);
    const struct ag_blend_target target = {
        .enable = wire->enable != 0,
        .source = factor_from_abi(wire->src_factor, AEROGPU_EXT_BLEND_ONE),
        .destination = factor_from_abi(wire->dst_factor, AEROGPU_EXT_BLEND_ZERO),
        .operation = operation_from_abi(wire->blend_op),
        .source_alpha = factor_from_abi(wire->src_factor_alpha, AEROGPU_EXT_BLEND_ONE),
        .destination_alpha = factor_from_abi(wire->dst_factor_alpha, AEROGPU_EXT_BLEND_ZERO),
        .operation_alpha = operation_from_abi(wire->blend_op_alpha),
        .write_mask = wire->color_write_mask & 0xF,
    };
    for (uint32_t i = 0; i < AGPU_MAX_RENDER_TARGETS; i++)
        desc->targets[i] = target;
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

void ag_rasterizer_from_abi(const struct aerogpu_rasterizer_state *wire, struct ag_rasterizer_desc *desc)
{
    uint8_t cull = desc->cull;
    ag_rasterizer_default(desc);
    desc->fill =
        wire->fill_mode == AEROGPU_FILL_WIREFRAME ? AEROGPU_EXT_FILL_WIREFRAME : AEROGPU_EXT_FILL_SOLID;
    desc->cull = wire->cull_mode <= AEROGPU_CULL_BACK ? (uint8_t)(wire->cull_mode + 1) : cull;
    desc->front_counter_clockwise = wire->front_ccw != 0;
    desc->scissor = wire->scissor_enable != 0;
    desc->depth_bias = wire->depth_bias;
    desc->depth_clip = (wire->flags & AEROGPU_RASTERIZER_FLAG_DEPTH_CLIP_DISABLE) == 0;
}

static const uint8_t abi_addresses[] = {
    [AEROGPU_SAMPLER_ADDRESS_CLAMP_TO_EDGE] = AEROGPU_EXT_ADDRESS_CLAMP,
    [AEROGPU_SAMPLER_ADDRESS_REPEAT] = AEROGPU_EXT_ADDRESS_WRAP,
    [AEROGPU_SAMPLER_ADDRESS_MIRROR_REPEAT] = AEROGPU_EXT_ADDRESS_MIRROR,
};

bool ag_sampler_from_abi(const struct aerogpu_cmd_create_sampler *wire, struct ag_sampler_desc *desc)
{
    if (wire->filter > AEROGPU_SAMPLER_FILTER_LINEAR || wire->address_u >= AG_COUNT_OF(abi_addresses) ||
        wire->address_v >= AG_COUNT_OF(abi_addresses) || wire->address_w >= AG_COUNT_OF(abi_addresses))
        return false;
    ag_sampler_default(desc);
    if (wire->filter == AEROGPU_SAMPLER_FILTER_NEAREST)
        desc->filter = 0;
    desc->address_u = abi_addresses[wire->address_u];
    desc->address_v = abi_addresses[wire->address_v];
    desc->address_w = abi_addresses[wire->address_w];
    return true;
}

/* WebGPU refuses NaN and infinity. A NaN becomes 0, as in clears. */
float ag_blend_constant(uint32_t bits)
{
    const float value = ag_float_from_bits(bits);
    if (isnan(value))
        return 0;
    return value > FLT_MAX ? FLT_MAX : value < -FLT_MAX ? -FLT_MAX : value;
}

/* ---- To WebGPU ---------------------------------------------------------------------------------------- */

static const WGPUBlendFactor factors[] = {
    [AEROGPU_EXT_BLEND_ZERO] = WGPUBlendFactor_Zero,
    [AEROGPU_EXT_BLEND_ONE] = WGPUBlendFactor_One,
    [AEROGPU_EXT_BLEND_SRC_COLOR] = WGPUBlendFactor_Src,
    [AEROGPU_EXT_BLEND_INV_SRC_COLOR] = WGPUBlendFactor_OneMinusSrc,
    [AEROGPU_EXT_BLEND_SRC_ALPHA] = WGPUBlendFactor_SrcAlpha,
    [AEROGPU_EXT_BLEND_INV_SRC_ALPHA] = WGPUBlendFactor_OneMinusSrcAlpha,
    [AEROGPU_EXT_BLEND_DEST_ALPHA] = WGPUBlendFactor_DstAlpha,
    [AEROGPU_EXT_BLEND_INV_DEST_ALPHA] = WGPUBlendFactor_OneMinusDstAlpha,
    [AEROGPU_EXT_BLEND_DEST_COLOR] = WGPUBlendFactor_Dst,
    [AEROGPU_EXT_BLEND_INV_DEST_COLOR] = WGPUBlendFactor_OneMinusDst,
    [AEROGPU_EXT_BLEND_SRC_ALPHA_SAT] = WGPUBlendFactor_SrcAlphaSaturated,
    [AEROGPU_EXT_BLEND_BLEND_FACTOR] = WGPUBlendFactor_Constant,
    [AEROGPU_EXT_BLEND_INV_BLEND_FACTOR] = WGPUBlendFactor_OneMinusConstant,
    [AEROGPU_EXT_BLEND_SRC1_COLOR] = WGPUBlendFactor_Src1,
    [AEROGPU_EXT_BLEND_INV_SRC1_COLOR] = WGPUBlendFactor_OneMinusSrc1,
    [AEROGPU_EXT_BLEND_SRC1_ALPHA] = WGPUBlendFactor_Src1Alpha,
    [AEROGPU_EXT_BLEND_INV_SRC1_ALPHA] = WGPUBlendFactor_OneMinusSrc1Alpha,
};

static const WGPUBlendOperation operations[] = {
    [AEROGPU_EXT_BLEND_OP_ADD] = WGPUBlendOperation_Add,
    [AEROGPU_EXT_BLEND_OP_SUBTRACT] = WGPUBlendOperation_Subtract,
    [AEROGPU_EXT_BLEND_OP_REV_SUBTRACT] = WGPUBlendOperation_ReverseSubtract,
    [AEROGPU_EXT_BLEND_OP_MIN] = WGPUBlendOperation_Min,
    [AEROGPU_EXT_BLEND_OP_MAX] = WGPUBlendOperation_Max,
};

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

bool ag_blend_target_is_known(const struct ag_blend_target *target)
{
    return target->source < AG_COUNT_OF(factors) && target->destination < AG_COUNT_OF(factors) &&
           target->source_alpha < AG_COUNT_OF(factors) && target->destination_alpha < AG_COUNT_OF(factors) &&
           target->operation < AG_COUNT_OF(operations) && target->operation_alpha < AG_COUNT_OF(operations) &&
           target->logic <= AEROGPU_EXT_LOGIC_OP_OR_INVERTED;
}

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

const struct ag_blend_target *ag_blend_target_of(const struct ag_blend_desc *desc, uint32_t target)
{
    return &desc->targets[desc->independent ? target : 0];
}

static uint8_t without_source1(uint8_t factor)
{
    switch (factor) {
    case AEROGPU_EXT_BLEND_SRC1_COLOR:
        return AEROGPU_EXT_BLEND_SRC_COLOR;
    case AEROGPU_EXT_BLEND_INV_SRC1_COLOR:
        return AEROGPU_EXT_BLEND_INV_SRC_COLOR;
    case AEROGPU_EXT_BLEND_SRC1_ALPHA:
        return AEROGPU_EXT_BLEND_SRC_ALPHA;
    case AEROGPU_EXT_BLEND_INV_SRC1_ALPHA:
        return AEROGPU_EXT_BLEND_INV_SRC_ALPHA;
    default:
        return factor;
    }
}

struct ag_blend_target ag_blend_drawn(const struct ag_blend_desc *desc, uint32_t index,
                                      const struct ag_host_format *format)
{
    struct ag_blend_target target = *ag_blend_target_of(desc, index);
    if (format->class != AG_CLASS_FLOAT)
        target.enable = 0;
    if (format->class != AG_CLASS_UINT)
        target.logic_enable = 0;
    if (index > 0) {
        target.source = without_source1(target.source);
        target.destination = without_source1(target.destination);
        target.source_alpha = without_source1(target.source_alpha);
        target.destination_alpha = without_source1(target.destination_alpha);
    }
    return target;
}

/* The factor that gives the same result where destination alpha is always 1. */
static uint8_t factor_without_alpha(uint8_t factor, bool alpha_component)
{
    switch (factor) {
    case AEROGPU_EXT_BLEND_DEST_ALPHA:
        return AEROGPU_EXT_BLEND_ONE;
    case AEROGPU_EXT_BLEND_INV_DEST_ALPHA:
        return AEROGPU_EXT_BLEND_ZERO;
    case AEROGPU_EXT_BLEND_SRC_ALPHA_SAT:
        return alpha_component ? AEROGPU_EXT_BLEND_ONE : AEROGPU_EXT_BLEND_ZERO;
    default:
        return factor;
    }
}

static bool has_factors(uint8_t operation)
{
    return operation != AEROGPU_EXT_BLEND_OP_MIN && operation != AEROGPU_EXT_BLEND_OP_MAX;
}

static bool is_constant(uint8_t factor)
{
    return factor == AEROGPU_EXT_BLEND_BLEND_FACTOR || factor == AEROGPU_EXT_BLEND_INV_BLEND_FACTOR;
}

uint8_t ag_blend_constants(const struct ag_blend_target *target)
{
    uint8_t parts = 0;
    if (!target->enable)
        return 0;
    if (has_factors(target->operation) && (is_constant(target->source) || is_constant(target->destination)))
        parts |= AG_BLEND_COLOR;
    if (has_factors(target->operation_alpha) &&
        (is_constant(target->source_alpha) || is_constant(target->destination_alpha)))
        parts |= AG_BLEND_ALPHA;
    return parts;
}

/* Drivers leave out what has the factor 0, but NaN and infinity times 0 are NaN (D3D11.3 17.5): the factor is
 * the blend constant, of which the executor makes 0. */
static uint8_t factor_of_zero(uint8_t factor, bool multiplies)
{
    return factor == AEROGPU_EXT_BLEND_ZERO && multiplies ? (uint8_t)AEROGPU_EXT_BLEND_BLEND_FACTOR : factor;
}

/* `multiplies`: zeros are multiplied with, and the part's blend constant is free. */
static WGPUBlendComponent blend_component(uint8_t source, uint8_t destination, uint8_t operation,
                                          bool alpha_component, bool no_alpha, bool multiplies)
{
    WGPUBlendComponent component;
    if (!has_factors(operation))
        source = destination = AEROGPU_EXT_BLEND_ONE;
    if (no_alpha) {
        source = factor_without_alpha(source, alpha_component);
        destination = factor_without_alpha(destination, alpha_component);
    }
    source = factor_of_zero(source, multiplies);
    destination = factor_of_zero(destination, multiplies);
    memset(&component, 0, sizeof component);
    component.operation = operations[operation];
    component.srcFactor = factors[source];
    component.dstFactor = factors[destination];
    return component;
}

bool ag_blend_to_webgpu(const struct ag_blend_target *target, const struct ag_host_format *format,
                        uint8_t constants, WGPUBlendState *blend, WGPUColorWriteMask *write_mask)
{
    const bool no_alpha = ag_host_format_has(format, AG_FORMAT_NO_ALPHA);
    const bool holds_nan = format->number == AG_NUMBER_FLOAT;
    memset(blend, 0, sizeof *blend);
    blend->color = blend_component(target->source, target->destination, target->operation, false, no_alpha,
                                   holds_nan && !(constants & AG_BLEND_COLOR));
    blend->alpha = blend_component(target->source_alpha, target->destination_alpha, target->operation_alpha,
                                   true, no_alpha, holds_nan && !(constants & AG_BLEND_ALPHA));
    *write_mask = target->write_mask & (no_alpha ? 0x7u : 0xFu);
    if (ag_host_format_has(format, AG_FORMAT_ALPHA_ONLY))
        *write_mask &= WGPUColorWriteMask_Alpha;
    if (target->logic_enable && target->logic == AEROGPU_EXT_LOGIC_OP_NOOP)
        *write_mask = 0;
    return target->enable != 0;
}

/* ---- Ranges ------------------------------------------------------------------------------------------- */

static bool reads_destination(uint8_t factor)
{
    return factor == AEROGPU_EXT_BLEND_DEST_COLOR || factor == AEROGPU_EXT_BLEND_INV_DEST_COLOR ||
           factor == AEROGPU_EXT_BLEND_DEST_ALPHA || factor == AEROGPU_EXT_BLEND_INV_DEST_ALPHA ||
           factor == AEROGPU_EXT_BLEND_SRC_ALPHA_SAT;
}

/* 1 minus which factor it is, or 0. */
static uint8_t complement_of(uint8_t factor)
{
    static const uint8_t complements[] = {
        [AEROGPU_EXT_BLEND_INV_SRC_COLOR] = AEROGPU_EXT_BLEND_SRC_COLOR,
        [AEROGPU_EXT_BLEND_INV_SRC_ALPHA] = AEROGPU_EXT_BLEND_SRC_ALPHA,
        [AEROGPU_EXT_BLEND_INV_DEST_ALPHA] = AEROGPU_EXT_BLEND_DEST_ALPHA,
        [AEROGPU_EXT_BLEND_INV_DEST_COLOR] = AEROGPU_EXT_BLEND_DEST_COLOR,
        [AEROGPU_EXT_BLEND_INV_BLEND_FACTOR] = AEROGPU_EXT_BLEND_BLEND_FACTOR,
        [AEROGPU_EXT_BLEND_INV_SRC1_COLOR] = AEROGPU_EXT_BLEND_SRC1_COLOR,
        [AEROGPU_EXT_BLEND_INV_SRC1_ALPHA] = AEROGPU_EXT_BLEND_SRC1_ALPHA,
    };
    return factor < AG_COUNT_OF(complements) ? complements[factor] : 0;
}

/* The factor as one of a component's own, if it is one: alpha's colour is alpha. */
static uint8_t own_factor(uint8_t factor, bool is_alpha)
{
    if (is_alpha && factor == AEROGPU_EXT_BLEND_INV_SRC_ALPHA)
        return AEROGPU_EXT_BLEND_INV_SRC_COLOR;
    if (is_alpha && factor == AEROGPU_EXT_BLEND_INV_DEST_ALPHA)
        return AEROGPU_EXT_BLEND_INV_DEST_COLOR;
    return factor;
}

/* Whether a sum of two numbers of [0, 1] with these factors is one of [0, 1]: their mean, or 1 less the
 * product of what each lacks. */
static bool is_mean(uint8_t source, uint8_t destination, bool is_alpha)
{
    return complement_of(source) == destination || complement_of(destination) == source ||
           (source == AEROGPU_EXT_BLEND_ONE &&
            own_factor(destination, is_alpha) == AEROGPU_EXT_BLEND_INV_SRC_COLOR) ||
           (destination == AEROGPU_EXT_BLEND_ONE &&
            own_factor(source, is_alpha) == AEROGPU_EXT_BLEND_INV_DEST_COLOR);
}

static uint8_t excess_of_part(uint8_t source, uint8_t destination, uint8_t operation, bool is_alpha,
                              bool is_signed)
{
    const bool is_alone = (destination == AEROGPU_EXT_BLEND_ZERO && !(is_signed && complement_of(source))) ||
                          (source == AEROGPU_EXT_BLEND_ZERO && !(is_signed && complement_of(destination)));
    if (!has_factors(operation))
        return 0;
    if (is_signed)
        return is_alone ? 0 : AG_BLEND_EXCEEDS_MOST | AG_BLEND_EXCEEDS_LEAST | AG_BLEND_EXCEEDS_EACH;
    const uint8_t later =
        destination == AEROGPU_EXT_BLEND_ONE && !reads_destination(source) ? 0 : AG_BLEND_EXCEEDS_EACH;
    switch (operation) {
    case AEROGPU_EXT_BLEND_OP_ADD:
        return is_alone || is_mean(source, destination, is_alpha) ? 0 : AG_BLEND_EXCEEDS_MOST | later;
    case AEROGPU_EXT_BLEND_OP_SUBTRACT:
        return destination == AEROGPU_EXT_BLEND_ZERO ? 0 : AG_BLEND_EXCEEDS_LEAST | AG_BLEND_EXCEEDS_EACH;
    default:
        return source == AEROGPU_EXT_BLEND_ZERO ? 0 : AG_BLEND_EXCEEDS_LEAST | later;
    }
}

uint8_t ag_blend_excess(const struct ag_blend_target *target, const struct ag_host_format *format)
{
    const bool is_signed = format->number == AG_NUMBER_SNORM;
    const bool has_alpha = ag_format_sample_planes(format).count == 4;
    uint8_t factor[] = {target->source, target->destination, target->source_alpha, target->destination_alpha};
    uint8_t excess = 0;
    if (!target->enable || format->conversion != AG_CONVERT_FLOATS)
        return 0;
    for (size_t i = 0; !has_alpha && i < AG_COUNT_OF(factor); i++)
        factor[i] = factor_without_alpha(factor[i], i > 1);
    if (target->write_mask & 7)
        excess |= excess_of_part(factor[0], factor[1], target->operation, false, is_signed);
    if (has_alpha && target->write_mask & 8)
        excess |= excess_of_part(factor[2], factor[3], target->operation_alpha, true, is_signed);
    if (excess && (reads_destination(factor[0]) || reads_destination(factor[1])))
        excess |= AG_BLEND_EXCEEDS_EACH;
    return excess;
}

/* ---- Planes of samples -------------------------------------------------------------------------------- */

/* How a plane multiplies: the shader with a factor of its own, or WebGPU with one of the target's contents.
 */
static bool is_of_destination(uint8_t factor)
{
    return factor == AEROGPU_EXT_BLEND_DEST_COLOR || factor == AEROGPU_EXT_BLEND_INV_DEST_COLOR ||
           factor == AEROGPU_EXT_BLEND_DEST_ALPHA || factor == AEROGPU_EXT_BLEND_INV_DEST_ALPHA;
}

/* A factor where the target has no alpha, or where the component is alpha. */
static uint8_t plane_factor(uint8_t factor, uint8_t operation, const struct ag_host_format *format,
                            bool is_alpha)
{
    const bool has_alpha = ag_format_sample_planes(format).count == 4;
    if (!has_factors(operation))
        return AEROGPU_EXT_BLEND_ONE;
    if (is_alpha && factor == AEROGPU_EXT_BLEND_SRC_ALPHA_SAT)
        return AEROGPU_EXT_BLEND_ONE;
    return has_alpha ? factor : factor_without_alpha(factor, is_alpha);
}

/* SRC_ALPHA_SAT depends on the target's alpha: only colours that are not written have it here. */
static uint8_t factor_of_shader(uint8_t factor)
{
    return is_of_destination(factor) || factor == AEROGPU_EXT_BLEND_SRC_ALPHA_SAT ? 0 : factor;
}

struct ag_target_factors ag_blend_factors(const struct ag_blend_target *target,
                                          const struct ag_host_format *format)
{
    if (!target->enable)
        return (struct ag_target_factors){0};
    return (struct ag_target_factors){
        factor_of_shader(plane_factor(target->source, target->operation, format, false)),
        factor_of_shader(plane_factor(target->destination, target->operation, format, false)),
        factor_of_shader(plane_factor(target->source_alpha, target->operation_alpha, format, true)),
        factor_of_shader(plane_factor(target->destination_alpha, target->operation_alpha, format, true)),
    };
}

/* `own`: what stands for a factor that the shader's output has. */
static WGPUBlendFactor factor_of_plane(uint8_t factor, WGPUBlendFactor own)
{
    if (!is_of_destination(factor))
        return own;
    return factor == AEROGPU_EXT_BLEND_DEST_COLOR || factor == AEROGPU_EXT_BLEND_DEST_ALPHA
               ? WGPUBlendFactor_Dst
               : WGPUBlendFactor_OneMinusDst;
}

bool ag_blend_plane_to_webgpu(const struct ag_blend_target *target, const struct ag_host_format *format,
                              uint32_t component, WGPUBlendState *blend, WGPUColorWriteMask *write_mask)
{
    const bool is_alpha = component == 3;
    const uint8_t operation = is_alpha ? target->operation_alpha : target->operation;
    const uint8_t source = is_alpha ? target->source_alpha : target->source;
    const uint8_t destination = is_alpha ? target->destination_alpha : target->destination;
    memset(blend, 0, sizeof *blend);
    blend->color.operation = operations[operation];
    blend->color.srcFactor =
        factor_of_plane(plane_factor(source, operation, format, is_alpha), WGPUBlendFactor_One);
    blend->color.dstFactor =
        factor_of_plane(plane_factor(destination, operation, format, is_alpha),
                        has_factors(operation) ? WGPUBlendFactor_SrcAlpha : WGPUBlendFactor_One);
    blend->alpha.operation = WGPUBlendOperation_Add; /* which a plane of one component does not have */
    blend->alpha.srcFactor = WGPUBlendFactor_One;
    blend->alpha.dstFactor = WGPUBlendFactor_Zero;
    *write_mask = target->write_mask >> component & 1 ? WGPUColorWriteMask_Red : WGPUColorWriteMask_None;
    return target->enable != 0;
}

static bool is_of_alpha(uint8_t factor)
{
    return factor == AEROGPU_EXT_BLEND_DEST_ALPHA || factor == AEROGPU_EXT_BLEND_INV_DEST_ALPHA ||
           factor == AEROGPU_EXT_BLEND_SRC_ALPHA_SAT;
}

bool ag_blend_crosses_planes(const struct ag_blend_target *target, const struct ag_host_format *format)
{
    return target->enable && (target->write_mask & 7) &&
           (is_of_alpha(plane_factor(target->source, target->operation, format, false)) ||
            is_of_alpha(plane_factor(target->destination, target->operation, format, false)));
}

/* ---- The rest of the merger --------------------------------------------------------------------------- */

uint8_t ag_blend_logic(const struct ag_blend_target *target)
{
    /* Truth tables: bit 2 * s + d is the result for bit s of the output and bit d of the target. */
    static const uint8_t tables[] = {
        [AEROGPU_EXT_LOGIC_OP_CLEAR] = 0x0,       [AEROGPU_EXT_LOGIC_OP_SET] = 0xF,
        [AEROGPU_EXT_LOGIC_OP_COPY] = 0xC,        [AEROGPU_EXT_LOGIC_OP_COPY_INVERTED] = 0x3,
        [AEROGPU_EXT_LOGIC_OP_NOOP] = 0xA,        [AEROGPU_EXT_LOGIC_OP_INVERT] = 0x5,
        [AEROGPU_EXT_LOGIC_OP_AND] = 0x8,         [AEROGPU_EXT_LOGIC_OP_NAND] = 0x7,
        [AEROGPU_EXT_LOGIC_OP_OR] = 0xE,          [AEROGPU_EXT_LOGIC_OP_NOR] = 0x1,
        [AEROGPU_EXT_LOGIC_OP_XOR] = 0x6,         [AEROGPU_EXT_LOGIC_OP_EQUIV] = 0x9,
        [AEROGPU_EXT_LOGIC_OP_AND_REVERSE] = 0x4, [AEROGPU_EXT_LOGIC_OP_AND_INVERTED] = 0x2,
        [AEROGPU_EXT_LOGIC_OP_OR_REVERSE] = 0xD,  [AEROGPU_EXT_LOGIC_OP_OR_INVERTED] = 0xB,
    };
    if (!target->logic_enable || target->logic == AEROGPU_EXT_LOGIC_OP_NOOP)
        return 0;
    return AG_LOGIC | tables[target->logic];
}

static bool is_source1(uint8_t factor)
{
    return factor >= AEROGPU_EXT_BLEND_SRC1_COLOR && factor <= AEROGPU_EXT_BLEND_INV_SRC1_ALPHA;
}

bool ag_blend_uses_source1(const struct ag_blend_target *target)
{
    return target->enable && (is_source1(target->source) || is_source1(target->destination) ||
                              is_source1(target->source_alpha) || is_source1(target->destination_alpha));
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

static bool holds_float(const struct ag_host_format *format)
{
    return ag_host_format_has(format, AG_FORMAT_DEPTH_FLOAT);
}

bool ag_depth_is_rounded(const struct ag_depth_stencil_desc *desc, const struct ag_host_format *format,
                         uint32_t samples)
{
    const bool matters = desc->depth_write || (desc->depth_comparison != AEROGPU_EXT_COMPARISON_ALWAYS &&
                                               desc->depth_comparison != AEROGPU_EXT_COMPARISON_NEVER);
    return format->conversion == AG_CONVERT_D24S8 && samples == 1 && desc->depth_enable && matters;
}

enum ag_depth_bias_place ag_depth_bias_place(const struct ag_rasterizer_desc *rasterizer,
                                             const struct ag_host_format *format, enum ag_drawn_faces faces,
                                             uint32_t samples, bool rounded)
{
    const bool constant = rasterizer->depth_bias != 0;
    const bool slope = rasterizer->slope_scaled_depth_bias < 0 || rasterizer->slope_scaled_depth_bias > 0;
    const bool clamps = rasterizer->depth_bias_clamp < 0 || rasterizer->depth_bias_clamp > 0;
    if (faces == AG_FACES_NONE || (!constant && !slope))
        return AG_DEPTH_BIAS_NOWHERE;
    if (faces == AG_FACES_EDGES)
        return AG_DEPTH_BIAS_OF_EDGES;
    if (holds_float(format))
        return AG_DEPTH_BIAS_OF_DRIVER;
    if (rounded || (samples == 1 && constant && slope && clamps))
        return AG_DEPTH_BIAS_OF_PIXEL;
    return constant ? AG_DEPTH_BIAS_OF_VERTEX : AG_DEPTH_BIAS_OF_DRIVER;
}

float ag_depth_bias_constant(const struct ag_rasterizer_desc *rasterizer, const struct ag_host_format *format)
{
    const float bias = (float)rasterizer->depth_bias;
    return holds_float(format) ? bias : bias * (format->conversion == AG_CONVERT_D24S8 ? 0x1p-24f : 0x1p-16f);
}

float ag_depth_bias_clamped(const struct ag_rasterizer_desc *rasterizer, const struct ag_host_format *format)
{
    const float bias = ag_depth_bias_constant(rasterizer, format), clamp = rasterizer->depth_bias_clamp;
    return clamp > 0 && bias > clamp ? clamp : clamp < 0 && bias < clamp ? clamp : bias;
}

void ag_depth_stencil_to_webgpu(const struct ag_depth_stencil_desc *desc,
                                const struct ag_rasterizer_desc *rasterizer, enum ag_depth_bias_place bias,
                                const struct ag_host_format *format, WGPUDepthStencilState *state)
{
    const struct ag_stencil_face keep = {AEROGPU_EXT_STENCIL_OP_KEEP, AEROGPU_EXT_STENCIL_OP_KEEP,
                                         AEROGPU_EXT_STENCIL_OP_KEEP, AEROGPU_EXT_COMPARISON_ALWAYS};
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

/* BORDER and MIRROR_ONCE are emulated by the shader (ag_sampler_is_emulated()) and become ClampToEdge. */
static WGPUAddressMode address_mode(uint8_t address)
{
    return address == AEROGPU_EXT_ADDRESS_WRAP     ? WGPUAddressMode_Repeat
           : address == AEROGPU_EXT_ADDRESS_MIRROR ? WGPUAddressMode_MirrorRepeat
                                                   : WGPUAddressMode_ClampToEdge;
}

bool ag_sampler_compares(const struct ag_sampler_desc *desc)
{
    return (desc->filter & (AEROGPU_EXT_FILTER_COMPARISON | AEROGPU_EXT_FILTER_MINIMUM)) ==
           AEROGPU_EXT_FILTER_COMPARISON;
}

static bool is_emulated(uint8_t address)
{
    return address == AEROGPU_EXT_ADDRESS_BORDER || address == AEROGPU_EXT_ADDRESS_MIRROR_ONCE;
}

bool ag_sampler_has_bias(const struct ag_sampler_desc *desc)
{
    return desc->mip_lod_bias > 0 || desc->mip_lod_bias < 0;
}

bool ag_sampler_is_emulated(const struct ag_sampler_desc *desc)
{
    return is_emulated(desc->address_u) || is_emulated(desc->address_v) || is_emulated(desc->address_w) ||
           (ag_sampler_compares(desc) && ag_sampler_has_bias(desc));
}

/* With a point mip filter and a level of detail halfway between two mips, Direct3D takes the coarser mip
 * and drivers take the finer one, so that a bound is rounded here. A bound below 0.5 stays, since it
 * decides between magnification and minification. */
static float clamp_lod(float lod, bool takes_one)
{
    return lod < 0 ? 0 : lod > 32 ? 32 : takes_one && lod >= 0.5f ? floorf(lod + 0.5f) : lod;
}

bool ag_sampler_to_webgpu(const struct ag_sampler_desc *desc, WGPUSamplerDescriptor *sampler,
                          const char **missing)
{
    uint32_t filter = desc->filter;
    bool anisotropic = (filter & AEROGPU_EXT_FILTER_ANISOTROPIC) != 0;
    *missing = NULL;
    memset(sampler, 0, sizeof *sampler);
    sampler->addressModeU = address_mode(desc->address_u);
    sampler->addressModeV = address_mode(desc->address_v);
    sampler->addressModeW = address_mode(desc->address_w);
    sampler->magFilter = anisotropic || (filter & AEROGPU_EXT_FILTER_MAG_LINEAR) ? WGPUFilterMode_Linear
                                                                                 : WGPUFilterMode_Nearest;
    sampler->minFilter = anisotropic || (filter & AEROGPU_EXT_FILTER_MIN_LINEAR) ? WGPUFilterMode_Linear
                                                                                 : WGPUFilterMode_Nearest;
    sampler->mipmapFilter = anisotropic || (filter & AEROGPU_EXT_FILTER_MIP_LINEAR)
                                ? WGPUMipmapFilterMode_Linear
                                : WGPUMipmapFilterMode_Nearest;
    sampler->maxAnisotropy = 1;
    if (anisotropic && desc->max_anisotropy > 1)
        sampler->maxAnisotropy = (uint16_t)(desc->max_anisotropy > 16 ? 16 : desc->max_anisotropy);
    bool takes_one = sampler->mipmapFilter == WGPUMipmapFilterMode_Nearest;
    sampler->lodMinClamp = clamp_lod(desc->min_lod, takes_one);
    sampler->lodMaxClamp = clamp_lod(desc->max_lod, takes_one);
    if (sampler->lodMaxClamp < sampler->lodMinClamp) /* where MaxLOD is below MinLOD, Direct3D takes MinLOD */
        sampler->lodMaxClamp = sampler->lodMinClamp;
    if (ag_sampler_compares(desc))
        sampler->compare = ag_comparison_to_webgpu(desc->comparison);
    else if (filter & AEROGPU_EXT_FILTER_MINIMUM)
        *missing = "a minimum or maximum filter";
    return *missing == NULL;
}

bool ag_topology_to_webgpu(uint32_t topology, WGPUPrimitiveTopology *primitive)
{
    static const WGPUPrimitiveTopology topologies[] = {
        [AG_TOPOLOGY_POINT_LIST] = WGPUPrimitiveTopology_PointList,
        [AG_TOPOLOGY_LINE_LIST] = WGPUPrimitiveTopology_LineList,
        [AG_TOPOLOGY_LINE_STRIP] = WGPUPrimitiveTopology_LineStrip,
        [AG_TOPOLOGY_TRIANGLE_LIST] = WGPUPrimitiveTopology_TriangleList,
        [AG_TOPOLOGY_TRIANGLE_STRIP] = WGPUPrimitiveTopology_TriangleStrip,
    };
    if (topology == 0 || topology >= AG_COUNT_OF(topologies))
        return false;
    *primitive = topologies[topology];
    return true;
}

/* The components of the format: bit 0 is red, bit 3 is alpha. */
static uint32_t components_of(const struct ag_host_format *format)
{
    const struct ag_components components = ag_host_format_components(format);
    uint32_t mask = 0;
    if (format->channels)
        return (1u << format->channels) - 1;
    if (ag_host_format_has(format, AG_FORMAT_ALPHA_ONLY))
        return AG_VIEW_BORDER_ALPHA;
    if (format->class == AG_CLASS_DEPTH)
        return 1;
    if (!format->vertex_bytes)
        return ag_host_format_has(format, AG_FORMAT_NO_ALPHA) ? 7 : 15;
    for (uint32_t i = 0; i < 4; i++)
        mask |= (components.bits[i] != 0 ? UINT32_C(1) : 0) << i;
    return mask;
}

uint32_t ag_format_border(const struct ag_host_format *format)
{
    static const uint32_t numbers[] = {
        [AG_NUMBER_FLOAT] = 0,
        [AG_NUMBER_UNORM] = AG_VIEW_BORDER_UNORM,
        [AG_NUMBER_SNORM] = AG_VIEW_BORDER_SNORM,
        [AG_NUMBER_UINT] = 0,
        [AG_NUMBER_SINT] = 0,
    };
    const bool is_stencil = format->class == AG_CLASS_UINT && ag_host_format_has(format, AG_FORMAT_STENCIL);
    return components_of(format) | (is_stencil ? AG_VIEW_BORDER_UNORM : numbers[format->number]);
}

bool ag_format_is_opaque(const struct ag_host_format *format)
{
    return (ag_format_border(format) & AG_VIEW_BORDER_ALPHA) == 0;
}
