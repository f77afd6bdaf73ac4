/* SPDX-License-Identifier: MIT
 *
 * Direct3D 11's runtime does not check the fields of a part that is switched off (blending, depth, stencil),
 * and neither does this file: such fields get Direct3D's defaults.
 */
#include "exec/state/state_ext.h"

#include <math.h>

#include "aerogpu/abi/ext.h"
#include "aerogpu/translate.h"
#include "base/bytes.h"
#include "exec/state/state.h"

/* ---- Blending ----------------------------------------------------------------------------------------- */

static bool is_factor(uint32_t factor)
{
    return (factor >= AEROGPU_EXT_BLEND_ZERO && factor <= AEROGPU_EXT_BLEND_SRC_ALPHA_SAT) ||
           (factor >= AEROGPU_EXT_BLEND_BLEND_FACTOR && factor <= AEROGPU_EXT_BLEND_INV_SRC1_ALPHA);
}

/* Direct3D refuses factors that are colours for the alpha component. */
static bool is_alpha_factor(uint32_t factor)
{
    switch (factor) {
    case AEROGPU_EXT_BLEND_SRC_COLOR:
    case AEROGPU_EXT_BLEND_INV_SRC_COLOR:
    case AEROGPU_EXT_BLEND_DEST_COLOR:
    case AEROGPU_EXT_BLEND_INV_DEST_COLOR:
    case AEROGPU_EXT_BLEND_SRC1_COLOR:
    case AEROGPU_EXT_BLEND_INV_SRC1_COLOR:
        return false;
    default:
        return is_factor(factor);
    }
}

static bool is_operation(uint32_t operation)
{
    return operation >= AEROGPU_EXT_BLEND_OP_ADD && operation <= AEROGPU_EXT_BLEND_OP_MAX;
}

static const char *check_blending(const struct aerogpu_ext_blend_target *wire)
{
    if (!is_factor(wire->src_blend) || !is_factor(wire->dest_blend))
        return "a blend factor that does not exist";
    if (!is_alpha_factor(wire->src_blend_alpha) || !is_alpha_factor(wire->dest_blend_alpha))
        return "an alpha factor that does not exist or is a colour";
    if (!is_operation(wire->blend_op) || !is_operation(wire->blend_op_alpha))
        return "a blend operation that does not exist";
    return NULL;
}

static const char *target_from_ext(const struct aerogpu_ext_blend_target *wire,
                                   struct ag_blend_target *target)
{
    if (wire->write_mask > 0xF)
        return "a write mask of more than four bits";
    target->write_mask = (uint8_t)wire->write_mask;
    if (wire->blend_enable) {
        const char *problem = check_blending(wire);
        if (problem)
            return problem;
        target->enable = 1;
        target->source = (uint8_t)wire->src_blend;
        target->destination = (uint8_t)wire->dest_blend;
        target->operation = (uint8_t)wire->blend_op;
        target->source_alpha = (uint8_t)wire->src_blend_alpha;
        target->destination_alpha = (uint8_t)wire->dest_blend_alpha;
        target->operation_alpha = (uint8_t)wire->blend_op_alpha;
    }
    if (!wire->logic_op_enable)
        return NULL;
    if (wire->blend_enable)
        return "blending and a logic operation for one target";
    if (wire->logic_op > AEROGPU_EXT_LOGIC_OP_OR_INVERTED)
        return "a logic operation that does not exist";
    target->logic_enable = 1;
    target->logic = (uint8_t)wire->logic_op;
    return NULL;
}

const char *ag_blend_from_ext(const struct aerogpu_cmd_ext_create_blend_state *wire,
                              const struct aerogpu_ext_blend_target *targets, struct ag_blend_desc *desc)
{
    ag_blend_default(desc);
    if (wire->target_count > AGPU_MAX_RENDER_TARGETS)
        return "more targets than there are";
    desc->alpha_to_coverage = wire->alpha_to_coverage_enable != 0;
    desc->independent = wire->independent_blend_enable != 0;
    /* Without independent blending, only targets[0] is checked and used. */
    uint32_t count = desc->independent || wire->target_count == 0 ? wire->target_count : 1;
    for (uint32_t i = 0; i < count; i++) {
        const char *problem = target_from_ext(&targets[i], &desc->targets[i]);
        if (problem)
            return problem;
        if (desc->independent && desc->targets[i].logic_enable)
            return "a logic operation beside independent blending";
    }
    return NULL;
}

/* ---- Depth and stencil -------------------------------------------------------------------------------- */

static bool is_comparison(uint32_t comparison)
{
    return comparison >= AEROGPU_EXT_COMPARISON_NEVER && comparison <= AEROGPU_EXT_COMPARISON_ALWAYS;
}

static bool is_stencil_operation(uint32_t operation)
{
    return operation >= AEROGPU_EXT_STENCIL_OP_KEEP && operation <= AEROGPU_EXT_STENCIL_OP_DECR;
}

static const char *face_from_ext(const struct aerogpu_ext_stencil_face *wire, struct ag_stencil_face *face)
{
    if (!is_stencil_operation(wire->fail_op) || !is_stencil_operation(wire->depth_fail_op) ||
        !is_stencil_operation(wire->pass_op))
        return "a stencil operation that does not exist";
    if (!is_comparison(wire->func))
        return "a stencil comparison that does not exist";
    *face = (struct ag_stencil_face){(uint8_t)wire->fail_op, (uint8_t)wire->depth_fail_op,
                                     (uint8_t)wire->pass_op, (uint8_t)wire->func};
    return NULL;
}

const char *ag_depth_stencil_from_ext(const struct aerogpu_cmd_ext_create_depth_stencil_state *wire,
                                      struct ag_depth_stencil_desc *desc)
{
    const char *problem;
    ag_depth_stencil_default(desc);
    desc->depth_enable = wire->depth_enable != 0;
    if (desc->depth_enable) {
        if (!is_comparison(wire->depth_func))
            return "a depth comparison that does not exist";
        desc->depth_write = wire->depth_write_enable != 0;
        desc->depth_comparison = (uint8_t)wire->depth_func;
    }
    desc->stencil_enable = wire->stencil_enable != 0;
    if (!desc->stencil_enable)
        return NULL;
    if (wire->stencil_read_mask > 0xFF || wire->stencil_write_mask > 0xFF)
        return "a stencil mask of more than eight bits";
    desc->read_mask = (uint8_t)wire->stencil_read_mask;
    desc->write_mask = (uint8_t)wire->stencil_write_mask;
    problem = face_from_ext(&wire->front_face, &desc->front);
    return problem ? problem : face_from_ext(&wire->back_face, &desc->back);
}

/* ---- Rasterizer --------------------------------------------------------------------------------------- */

const char *ag_rasterizer_from_ext(const struct aerogpu_cmd_ext_create_rasterizer_state *wire,
                                   struct ag_rasterizer_desc *desc)
{
    ag_rasterizer_default(desc);
    if (wire->fill_mode != AEROGPU_EXT_FILL_WIREFRAME && wire->fill_mode != AEROGPU_EXT_FILL_SOLID)
        return "a fill mode that does not exist";
    if (wire->cull_mode < AEROGPU_EXT_CULL_NONE || wire->cull_mode > AEROGPU_EXT_CULL_BACK)
        return "a cull mode that does not exist";
    switch (wire->forced_sample_count) {
    case 0:
    case 1:
    case 4:
    case 8:
    case 16:
        break;
    default:
        return "a forced sample count that is not 0, 1, 4, 8 or 16";
    }
    desc->depth_bias_clamp = ag_float_from_bits(wire->depth_bias_clamp_f32);
    desc->slope_scaled_depth_bias = ag_float_from_bits(wire->slope_scaled_depth_bias_f32);
    if (!isfinite(desc->depth_bias_clamp) || !isfinite(desc->slope_scaled_depth_bias))
        return "a depth bias that is no finite number";
    desc->fill = (uint8_t)wire->fill_mode;
    desc->cull = (uint8_t)wire->cull_mode;
    desc->front_counter_clockwise = wire->front_counter_clockwise != 0;
    desc->depth_bias = wire->depth_bias;
    desc->depth_clip = wire->depth_clip_enable != 0;
    desc->scissor = wire->scissor_enable != 0;
    desc->multisample = wire->multisample_enable != 0;
    desc->antialiased_line = wire->antialiased_line_enable != 0;
    desc->forced_samples = (uint8_t)wire->forced_sample_count;
    return NULL;
}

/* ---- Samplers ----------------------------------------------------------------------------------------- */

#define LINEAR_BITS                                                                                          \
    (AEROGPU_EXT_FILTER_MIP_LINEAR | AEROGPU_EXT_FILTER_MAG_LINEAR | AEROGPU_EXT_FILTER_MIN_LINEAR)

static bool is_filter(uint32_t filter)
{
    const uint32_t reduction = AEROGPU_EXT_FILTER_COMPARISON | AEROGPU_EXT_FILTER_MINIMUM;
    if (filter & AEROGPU_EXT_FILTER_ANISOTROPIC)
        return (filter & ~reduction) == (AEROGPU_EXT_FILTER_ANISOTROPIC | LINEAR_BITS);
    return (filter & ~(reduction | LINEAR_BITS)) == 0;
}

static bool is_address(uint32_t address)
{
    return address >= AEROGPU_EXT_ADDRESS_WRAP && address <= AEROGPU_EXT_ADDRESS_MIRROR_ONCE;
}

static const char *levels_from_ext(const struct aerogpu_cmd_ext_create_sampler *wire,
                                   struct ag_sampler_desc *desc)
{
    desc->mip_lod_bias = ag_float_from_bits(wire->mip_lod_bias_f32);
    desc->min_lod = ag_float_from_bits(wire->min_lod_f32);
    desc->max_lod = ag_float_from_bits(wire->max_lod_f32);
    if (!(desc->mip_lod_bias >= -16.0f && desc->mip_lod_bias <= 15.99f))
        return "a level bias that is not in [-16, 15.99]";
    if (isnan(desc->min_lod) || isnan(desc->max_lod))
        return "a bound of levels that is no number";
    return NULL;
}

const char *ag_sampler_from_ext(const struct aerogpu_cmd_ext_create_sampler *wire,
                                struct ag_sampler_desc *desc)
{
    ag_sampler_default(desc);
    if (!is_filter(wire->filter))
        return "a filter that does not exist";
    if (!is_address(wire->address_u) || !is_address(wire->address_v) || !is_address(wire->address_w))
        return "an address mode that does not exist";
    desc->filter = wire->filter;
    desc->address_u = (uint8_t)wire->address_u;
    desc->address_v = (uint8_t)wire->address_v;
    desc->address_w = (uint8_t)wire->address_w;
    if (wire->filter & AEROGPU_EXT_FILTER_ANISOTROPIC) {
        if (wire->max_anisotropy > 16)
            return "an anisotropy above 16";
        desc->max_anisotropy = wire->max_anisotropy;
    }
    if (ag_sampler_compares(desc)) {
        if (!is_comparison(wire->comparison_func))
            return "a comparison that does not exist";
        desc->comparison = (uint8_t)wire->comparison_func;
    }
    for (uint32_t i = 0; i < 4; i++)
        desc->border_color[i] = ag_float_from_bits(wire->border_color_f32[i]);
    return levels_from_ext(wire, desc);
}
