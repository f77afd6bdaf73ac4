/* SPDX-License-Identifier: MIT
 *
 * What Direct3D 11 says that formats support: the capabilities of their rows in its words.
 */
#include "aerogpu/abi/ext.h"
#include "format/format.h"

#define HAS(name) AEROGPU_EXT_FORMAT_SUPPORT_##name
#define HAS2(name) AEROGPU_EXT_FORMAT_SUPPORT2_##name

#define ATOMICS                                                                                              \
    (HAS2(UAV_ATOMIC_ADD) | HAS2(UAV_ATOMIC_BITWISE_OPS) |                                                   \
     HAS2(UAV_ATOMIC_COMPARE_STORE_OR_COMPARE_EXCHANGE) | HAS2(UAV_ATOMIC_EXCHANGE))

static bool has_texture(const struct ag_host_format *format)
{
    return format->texture != WGPUTextureFormat_Undefined;
}

/* In buffers: what shaders read, and what the input assembler does. */
static uint32_t buffer_support(const struct ag_host_format *format)
{
    uint32_t support = 0;
    if (format->vertex_bytes && !ag_host_format_has(format, AG_FORMAT_SRGB))
        support |= HAS(BUFFER) | HAS(IA_VERTEX_BUFFER) | HAS(SHADER_LOAD);
    if (ag_host_format_has(format, AG_FORMAT_INDEX))
        support |= HAS(IA_INDEX_BUFFER);
    if (format->component_bits == 32)
        support |= HAS(SO_BUFFER);
    return support;
}

uint32_t ag_format_sample_levels(const struct ag_host_format *format, uint32_t samples)
{
    if (!has_texture(format))
        return 0;
    if (samples == 1)
        return 1;
    return (samples == 2 || samples == 4 || samples == 8) && ag_host_format_has(format, AG_FORMAT_RENDERABLE);
}

static uint32_t target_support(const struct ag_host_format *format, bool blends_float32)
{
    uint32_t support = HAS(RENDER_TARGET);
    const bool is_float = format->class == AG_CLASS_FLOAT;
    if (!ag_host_format_has(format, AG_FORMAT_RENDERABLE))
        return 0;
    if (ag_host_format_has(format, AG_FORMAT_DEPTH))
        return HAS(DEPTH_STENCIL) | HAS(MULTISAMPLE_RENDERTARGET);
    support |=
        HAS(MULTISAMPLE_RENDERTARGET) | HAS(MULTISAMPLE_LOAD) | (is_float ? HAS(MULTISAMPLE_RESOLVE) : 0);
    if (ag_host_format_has(format, AG_FORMAT_BLENDABLE) || (is_float && blends_float32))
        support |= HAS(BLENDABLE);
    return support | (is_float ? HAS(MIP_AUTOGEN) : 0);
}

static uint32_t texture_support(uint32_t dxgi, const struct ag_host_format *format, bool blends_float32)
{
    uint32_t support = HAS(TEXTURE2D) | HAS(TEXTURECUBE) | HAS(MIP) | HAS(CPU_LOCKABLE) |
                       target_support(format, blends_float32);
    const bool is_depth = ag_host_format_has(format, AG_FORMAT_DEPTH);
    if (format->typeless)
        support |= HAS(CAST_WITHIN_BIT_LAYOUT);
    if (!is_depth)
        support |= HAS(TEXTURE3D) | HAS(SHADER_LOAD) | HAS(SHADER_GATHER) |
                   (format->class == AG_CLASS_FLOAT ? HAS(SHADER_SAMPLE) : 0);
    if (format->block_height == 1)
        support |= HAS(TEXTURE1D);
    if (ag_format_depth_seen(dxgi) && !is_depth)
        support |= HAS(SHADER_SAMPLE_COMPARISON) | HAS(SHADER_GATHER_COMPARISON);
    if (ag_host_format_has(format, AG_FORMAT_DISPLAYED))
        support |= HAS(DISPLAY);
    return support;
}

static uint32_t typeless_support(const struct ag_host_format *host)
{
    return HAS(TEXTURE2D) | HAS(TEXTURE3D) | HAS(TEXTURECUBE) | HAS(MIP) | HAS(CPU_LOCKABLE) |
           HAS(CAST_WITHIN_BIT_LAYOUT) | (host->block_height == 1 ? HAS(TEXTURE1D) : 0);
}

/* Views that shaders write: colours that Direct3D 11 writes. */
static bool has_typed_uav(const struct ag_host_format *format)
{
    const bool is_packed = format->conversion != AG_CONVERT_NONE && format->conversion != AG_CONVERT_FLOATS &&
                           format->conversion != AG_CONVERT_A8;
    return !is_packed && ag_host_format_has(format, AG_FORMAT_RENDERABLE) &&
           !ag_host_format_has(format, AG_FORMAT_DEPTH) && !ag_host_format_has(format, AG_FORMAT_SRGB);
}

struct ag_format_support ag_format_support(uint32_t dxgi, bool blends_float32)
{
    struct ag_format_support support = {0, 0};
    const struct ag_host_format *format = ag_host_format(dxgi);
    const struct ag_host_format *host = ag_host_format(ag_format_host(dxgi));
    if (!format)
        return support;
    support.bits = buffer_support(format);
    if (format->class == AG_CLASS_TYPELESS)
        support.bits |= has_texture(host) ? typeless_support(host) : 0;
    else if (has_texture(format))
        support.bits |= texture_support(dxgi, format, blends_float32);
    else if (ag_host_format_has(format, AG_FORMAT_BIASED))
        support.bits |= HAS(TEXTURE2D) | HAS(CPU_LOCKABLE) | HAS(CAST_WITHIN_BIT_LAYOUT) | HAS(DISPLAY);
    if (has_typed_uav(format)) {
        support.bits |= HAS(TYPED_UNORDERED_ACCESS_VIEW);
        support.bits2 |= HAS2(UAV_TYPED_LOAD) | HAS2(UAV_TYPED_STORE);
    }
    if (ag_host_format_has(format, AG_FORMAT_ATOMIC))
        support.bits2 |= ATOMICS | (format->number == AG_NUMBER_UINT ? HAS2(UAV_ATOMIC_UNSIGNED_MIN_OR_MAX)
                                                                     : HAS2(UAV_ATOMIC_SIGNED_MIN_OR_MAX));
    if (format->class == AG_CLASS_UINT && ag_host_format_has(format, AG_FORMAT_RENDERABLE))
        support.bits2 |= HAS2(OUTPUT_MERGER_LOGIC_OP);
    return support;
}
