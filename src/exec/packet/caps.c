/* SPDX-License-Identifier: MIT
 *
 * EXT_READ_CAPS: questions of a guest driver, which needs the answers for CheckFeatureSupport,
 * CheckFormatSupport and CheckMultisampleQualityLevels.
 */
#include <inttypes.h>

#include "aerogpu/abi/ext.h"
#include "aerogpu/diag.h"
#include "aerogpu/stream.h"
#include "base/bytes.h"
#include "exec/host/guest_memory.h"
#include "exec/host/host.h"
#include "exec/host/report.h"
#include "exec/packet/execution.h"
#include "exec/packet/handlers.h"
#include "format/format.h"

#define FEATURE_LEVEL_11_1 0xB100u

/* Fills in an answer and returns its size in bytes. Of what does not exist, nothing is supported. */
typedef uint32_t (*answer)(const struct ag_execution *execution, uint32_t parameter0, uint32_t parameter1,
                           void *bytes);

static uint32_t answer_features(const struct ag_execution *execution, uint32_t parameter0,
                                uint32_t parameter1, void *bytes)
{
    (void)parameter0;
    (void)parameter1;
    *(struct aerogpu_ext_features *)bytes = (struct aerogpu_ext_features){
        .feature_level = FEATURE_LEVEL_11_1,
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

static uint32_t answer_format(const struct ag_execution *execution, uint32_t parameter0, uint32_t parameter1,
                              void *bytes)
{
    const uint32_t dxgi = ag_host_format_from_abi(parameter0);
    (void)parameter1;
    struct ag_format_support support = {0, 0};
    if (ag_host_format(dxgi))
        support = ag_format_support(dxgi, ag_host_has(execution->host, AG_GPU_FEATURE_FLOAT32_BLENDABLE));
    ag_store_u32(bytes, support.bits);
    ag_store_u32((uint8_t *)bytes + 4, support.bits2);
    return 8;
}

static uint32_t answer_levels(const struct ag_execution *execution, uint32_t parameter0, uint32_t parameter1,
                              void *bytes)
{
    (void)execution;
    const struct ag_host_format *format = ag_host_format(ag_host_format_from_abi(parameter0));
    ag_store_u32(bytes, format ? ag_format_sample_levels(format, parameter1) : 0);
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
    struct aerogpu_ext_features bytes; /* no answer is longer */
    uint64_t gpa;
    if (wire->kind >= AG_COUNT_OF(answers) || !answers[wire->kind])
        return ag_host_fail(execution->host, AGPU_DIAG_EXEC_ARGUMENT, "%" PRIu32 " is no kind of capability",
                            wire->kind);
    const uint32_t size = answers[wire->kind](execution, wire->parameter0, wire->parameter1, &bytes);
    if (!ag_guest_resolve(execution->host, wire->target_alloc_id, wire->target_offset_bytes, size, true,
                          &gpa))
        return AGPU_REFUSED;
    return ag_guest_write(execution->host, gpa, &bytes, size) ? AGPU_OK : AGPU_REFUSED;
}
