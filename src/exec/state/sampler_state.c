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
