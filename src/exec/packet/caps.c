/* SPDX-License-Identifier: MIT
 *
 * What a guest driver may ask for, to answer CheckFeatureSupport, CheckFormatSupport and
 * CheckMultisampleQualityLevels.
 */
#include <inttypes.h>

#include "aerogpu/abi/ext.h"
#include "aerogpu/diag.h"
#include "aerogpu/stream.h"
#include "base/bytes.h"
#include "exec/host/guest_memory.h"
#include "exec/host/host.h"
#include "exec/host/report.h"
#include "exec/object/sample_count.h"
#include "exec/packet/execution.h"
#include "exec/packet/handlers.h"
#include "exec/state/format.h"
#include "exec/state/format_family.h"
#include "gpu/webgpu.h"

#define FEATURE_LEVEL_11_0 0xB000u

/* Fills in the answer to a question; its bytes, or 0 when there is no answer to these parameters. */
typedef uint32_t (*answer)(const struct ag_execution *execution, uint32_t parameter0, uint32_t parameter1,
                           void *bytes);

static uint32_t answer_features(const struct ag_execution *execution, uint32_t parameter0,
                                uint32_t parameter1, void *bytes)
{
    (void)parameter0;
    (void)parameter1;
    *(struct aerogpu_ext_features *)bytes = (struct aerogpu_ext_features){
        .feature_level = FEATURE_LEVEL_11_0,
        .double_precision_shaders = 1,
        .logic_operations = 1,
        .forced_sample_count = 0,
        .clear_view = 1,
        .typed_uav_load_additional_formats = 1,
        .max_texture_dimension_2d = execution->host->limits.maxTextureDimension2D,
        .max_texture_dimension_3d = execution->host->limits.maxTextureDimension3D,
        .max_texture_array_layers = execution->host->limits.maxTextureArrayLayers,
        .max_buffer_bytes = execution->host->limits.maxBufferSize < UINT32_MAX
                                ? (uint32_t)execution->host->limits.maxBufferSize
                                : UINT32_MAX,
    };
    return sizeof(struct aerogpu_ext_features);
}

/* ---- Formats ------------------------------------------------------------------------------------------ */

#define HAS(name) AEROGPU_EXT_FORMAT_SUPPORT_##name
#define ATOMICS                                                                                              \
    (AEROGPU_EXT_FORMAT_SUPPORT2_UAV_ATOMIC_ADD | AEROGPU_EXT_FORMAT_SUPPORT2_UAV_ATOMIC_BITWISE_OPS |       \
     AEROGPU_EXT_FORMAT_SUPPORT2_UAV_ATOMIC_COMPARE_STORE_OR_COMPARE_EXCHANGE |                              \
     AEROGPU_EXT_FORMAT_SUPPORT2_UAV_ATOMIC_EXCHANGE)

/* In buffers: what shaders read, and what the input assembler does. */
static uint32_t buffer_support(uint32_t dxgi, const struct ag_host_format *format)
{
    uint32_t support = 0;
    if (format->vertex_bytes && !ag_host_format_has(format, AG_FORMAT_SRGB))
        support |= HAS(BUFFER) | HAS(IA_VERTEX_BUFFER) | HAS(SHADER_LOAD);
    if (dxgi == AG_DXGI_R16_UINT || dxgi == AG_DXGI_R32_UINT)
        support |= HAS(IA_INDEX_BUFFER);
    if (format->vertex_bits == 32)
        support |= HAS(SO_BUFFER);
    return support;
}

/* Quality levels of targets with so many samples; 0: there are no such targets. */
static uint32_t multisample_levels(const struct ag_host_format *format, uint32_t samples)
{
    if (format->texture == WGPUTextureFormat_Undefined)
        return 0;
    if (samples == 1)
        return 1;
    return (samples == 2 || samples == 4 || samples == 8) && ag_samples_has_format(format);
}

static uint32_t target_support(const struct ag_execution *execution, const struct ag_host_format *format)
{
    uint32_t support = HAS(RENDER_TARGET);
    const bool is_float = format->class == AG_CLASS_FLOAT;
    if (!ag_host_format_has(format, AG_FORMAT_RENDERABLE))
        return 0;
    if (ag_host_format_has(format, AG_FORMAT_DEPTH))
        return HAS(DEPTH_STENCIL) | HAS(MULTISAMPLE_RENDERTARGET);
    if (multisample_levels(format, 4))
        support |=
            HAS(MULTISAMPLE_RENDERTARGET) | HAS(MULTISAMPLE_LOAD) | (is_float ? HAS(MULTISAMPLE_RESOLVE) : 0);
    if (ag_host_format_has(format, AG_FORMAT_BLENDABLE) ||
        (is_float && ag_host_has(execution->host, AG_GPU_FEATURE_FLOAT32_BLENDABLE)))
        support |= HAS(BLENDABLE);
    return support | (is_float ? HAS(MIP_AUTOGEN) : 0);
}

/* Swap chains have buffers of these. */
static bool is_displayed(uint32_t dxgi)
{
    static const uint8_t formats[] = {
        AG_DXGI_R16G16B16A16_FLOAT,  AG_DXGI_R10G10B10A2_UNORM, AG_DXGI_R8G8B8A8_UNORM,
        AG_DXGI_R8G8B8A8_UNORM_SRGB, AG_DXGI_B8G8R8A8_UNORM,    AG_DXGI_B8G8R8A8_UNORM_SRGB,
    };
    return memchr(formats, (int)dxgi, sizeof formats) != NULL;
}

static uint32_t texture_support(const struct ag_execution *execution, uint32_t dxgi,
                                const struct ag_host_format *format)
{
    uint32_t support =
        HAS(TEXTURE2D) | HAS(TEXTURECUBE) | HAS(MIP) | HAS(CPU_LOCKABLE) | target_support(execution, format);
    const bool is_depth = ag_host_format_has(format, AG_FORMAT_DEPTH);
    if (ag_format_typeless(dxgi))
        support |= HAS(CAST_WITHIN_BIT_LAYOUT);
    if (!is_depth)
        support |= HAS(TEXTURE3D) | HAS(SHADER_LOAD) | HAS(SHADER_GATHER) |
                   (format->class == AG_CLASS_FLOAT ? HAS(SHADER_SAMPLE) : 0);
    if (format->block_height == 1)
        support |= HAS(TEXTURE1D);
    if (ag_format_depth_seen(dxgi) && !is_depth)
        support |= HAS(SHADER_SAMPLE_COMPARISON) | HAS(SHADER_GATHER_COMPARISON);
    if (is_displayed(dxgi))
        support |= HAS(DISPLAY);
    return support;
}

/* Views that shaders write: colours that Direct3D 11 writes. */
static bool has_typed_uav(const struct ag_host_format *format)
{
    const bool is_packed = format->conversion != AG_CONVERT_NONE && format->conversion != AG_CONVERT_FLOATS;
    return !is_packed && ag_host_format_has(format, AG_FORMAT_RENDERABLE) &&
           !ag_host_format_has(format, AG_FORMAT_DEPTH) && !ag_host_format_has(format, AG_FORMAT_SRGB);
}

static uint32_t answer_format(const struct ag_execution *execution, uint32_t parameter0, uint32_t parameter1,
                              void *bytes)
{
    const uint32_t dxgi = ag_host_format_from_abi(parameter0);
    const struct ag_host_format *format = ag_host_format(dxgi);
    uint32_t support[2] = {0, 0};
    (void)parameter1;
    if (!format)
        return 0;
    support[0] = buffer_support(dxgi, format);
    const struct ag_host_format *host = ag_host_format(ag_format_host(dxgi));
    if (format->class == AG_CLASS_TYPELESS && host && host->texture != WGPUTextureFormat_Undefined)
        support[0] |= HAS(TEXTURE2D) | HAS(TEXTURE3D) | HAS(TEXTURECUBE) | HAS(MIP) | HAS(CPU_LOCKABLE) |
                      HAS(CAST_WITHIN_BIT_LAYOUT) | (host->block_height == 1 ? HAS(TEXTURE1D) : 0);
    else if (format->texture != WGPUTextureFormat_Undefined)
        support[0] |= texture_support(execution, dxgi, format);
    else if (ag_host_format_is_biased(dxgi))
        support[0] |= HAS(TEXTURE2D) | HAS(CPU_LOCKABLE) | HAS(CAST_WITHIN_BIT_LAYOUT) | HAS(DISPLAY);
    if (has_typed_uav(format)) {
        support[0] |= HAS(TYPED_UNORDERED_ACCESS_VIEW);
        support[1] |=
            AEROGPU_EXT_FORMAT_SUPPORT2_UAV_TYPED_LOAD | AEROGPU_EXT_FORMAT_SUPPORT2_UAV_TYPED_STORE;
    }
    if (dxgi == AG_DXGI_R32_UINT)
        support[1] |= ATOMICS | AEROGPU_EXT_FORMAT_SUPPORT2_UAV_ATOMIC_UNSIGNED_MIN_OR_MAX;
    if (dxgi == AG_DXGI_R32_SINT)
        support[1] |= ATOMICS | AEROGPU_EXT_FORMAT_SUPPORT2_UAV_ATOMIC_SIGNED_MIN_OR_MAX;
    if (format->class == AG_CLASS_UINT && ag_host_format_has(format, AG_FORMAT_RENDERABLE))
        support[1] |= AEROGPU_EXT_FORMAT_SUPPORT2_OUTPUT_MERGER_LOGIC_OP;
    ag_store_u32(bytes, support[0]);
    ag_store_u32((uint8_t *)bytes + 4, support[1]);
    return 8;
}

static uint32_t answer_levels(const struct ag_execution *execution, uint32_t parameter0, uint32_t parameter1,
                              void *bytes)
{
    (void)execution;
    const struct ag_host_format *format = ag_host_format(ag_host_format_from_abi(parameter0));
    if (!format || parameter1 == 0 || parameter1 > 32)
        return 0;
    ag_store_u32(bytes, multisample_levels(format, parameter1));
    ag_store_u32((uint8_t *)bytes + 4, 0);
    return 8;
}

static const answer answers[] = {
    [AEROGPU_EXT_CAPS_FORMAT_SUPPORT] = answer_format,
    [AEROGPU_EXT_CAPS_MULTISAMPLE_QUALITY] = answer_levels,
    [AEROGPU_EXT_CAPS_FEATURES] = answer_features,
};

enum agpu_status ag_on_ext_read_caps(struct ag_execution *execution, const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_ext_read_caps *wire = AGPU_PACKET(packet, ext_read_caps);
    struct aerogpu_ext_features bytes; /* the longest answer */
    uint64_t gpa;
    if (wire->kind >= AG_COUNT_OF(answers) || !answers[wire->kind])
        return ag_host_fail(execution->host, AGPU_DIAG_EXEC_ARGUMENT, "%" PRIu32 " is no kind of capability",
                            wire->kind);
    const uint32_t size = answers[wire->kind](execution, wire->parameter0, wire->parameter1, &bytes);
    if (!size)
        return ag_host_fail(execution->host, AGPU_DIAG_EXEC_ARGUMENT,
                            "no capability has the parameters 0x%" PRIx32 " and 0x%" PRIx32, wire->parameter0,
                            wire->parameter1);
    if (!ag_guest_resolve(execution->host, wire->target_alloc_id, wire->target_offset_bytes, size, true,
                          &gpa))
        return AGPU_REFUSED;
    return ag_guest_write(execution->host, gpa, &bytes, size) ? AGPU_OK : AGPU_REFUSED;
}
