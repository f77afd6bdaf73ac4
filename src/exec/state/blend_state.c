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
#include "wgsl/options.h"

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

/* ---- Out of packets ----------------------------------------------------------------------------------- */

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

bool ag_blend_target_is_known(const struct ag_blend_target *target)
{
    return target->source < AG_COUNT_OF(factors) && target->destination < AG_COUNT_OF(factors) &&
           target->source_alpha < AG_COUNT_OF(factors) && target->destination_alpha < AG_COUNT_OF(factors) &&
           target->operation < AG_COUNT_OF(operations) && target->operation_alpha < AG_COUNT_OF(operations) &&
           target->logic <= AEROGPU_EXT_LOGIC_OP_OR_INVERTED;
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

/* ---- What the pixel shader has a part in -------------------------------------------------------------- */

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
