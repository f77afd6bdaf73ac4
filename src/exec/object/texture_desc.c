/* SPDX-License-Identifier: MIT
 */
#include "exec/object/texture_desc.h"

#include <inttypes.h>

#include "abi/texture_layout.h"
#include "aerogpu/abi/cmd.h"
#include "aerogpu/diag.h"
#include "exec/host/host.h"
#include "exec/host/report.h"
#include "exec/object/objects.h"
#include "exec/object/sample_count.h"
#include "exec/object/texture.h"
#include "format/bc.h"
#include "format/format.h"
#include "gpu/webgpu.h"

#define MAX_BLOCK_BYTES (UINT64_C(256) << 20)

static bool is_volume(const struct ag_texture_desc *desc)
{
    return desc->dimension == AG_TEXTURE_3D;
}

/* WebGPU's block-compressed textures have a size of whole blocks, blocks of 4x4 texels (which the formats
 * of pairs of texels, R8G8_B8G8 and G8R8_G8B8, do not have), and need features, one of them for volumes. */
static bool needs_decoding(const struct ag_objects *objects, const struct ag_texture_desc *desc)
{
    const struct ag_host_format *format = ag_host_format(desc->host_dxgi);
    return format->block_height == 1 || desc->width % format->block_width != 0 ||
           desc->height % format->block_height != 0 ||
           !ag_host_has(objects->host, AG_GPU_FEATURE_TEXTURE_COMPRESSION_BC) ||
           (is_volume(desc) && !ag_host_has(objects->host, AG_GPU_FEATURE_TEXTURE_COMPRESSION_BC_SLICED_3D));
}

static enum agpu_status check_format(struct ag_objects *objects, struct ag_texture_desc *desc)
{
    struct ag_format_name name;
    const uint32_t targets = AEROGPU_RESOURCE_USAGE_RENDER_TARGET | AEROGPU_RESOURCE_USAGE_DEPTH_STENCIL |
                             AEROGPU_RESOURCE_USAGE_SCANOUT;
    desc->host_dxgi = desc->usage & AEROGPU_RESOURCE_USAGE_DEPTH_STENCIL ? ag_format_host_depth(desc->dxgi)
                                                                         : ag_format_host(desc->dxgi);
    if (!desc->host_dxgi)
        desc->host_dxgi = ag_format_host(desc->dxgi);
    const struct ag_host_format *format = ag_host_format(desc->host_dxgi);
    if (!format || format->texture == WGPUTextureFormat_Undefined)
        return ag_host_fail(objects->host, AGPU_DIAG_EXEC_FORMAT, "%s is no texture format",
                            ag_format_name_of_abi(desc->abi_format, &name));
    if (ag_host_format_has(format, AG_FORMAT_STENCIL) && ag_host_format_has(format, AG_FORMAT_DEPTH_FLOAT) &&
        !ag_host_has(objects->host, AG_GPU_FEATURE_DEPTH32FLOAT_STENCIL8))
        return ag_host_fail(objects->host, AGPU_DIAG_GPU_FEATURE,
                            "a %s texture needs depth32float-stencil8, which this device lacks",
                            format->name);
    if (desc->sample_count > 1)
        desc->host_dxgi = ag_host_rendered(objects->host, desc->host_dxgi);
    if (format->block_width == 1)
        return AGPU_OK;
    if (desc->usage & targets)
        return ag_host_fail(objects->host, AGPU_DIAG_EXEC_FORMAT,
                            "a %s texture can be no target and no scanout", format->name);
    desc->decoded = needs_decoding(objects, desc);
    if (desc->decoded && !ag_bc_decode(format, NULL, NULL))
        return ag_host_fail(objects->host, AGPU_DIAG_EXEC_UNSUPPORTED,
                            "a %s texture of %" PRIu32 "x%" PRIu32
                            " texels is not supported: WebGPU does not take it and it cannot be decoded",
                            format->name, desc->width, desc->height);
    return AGPU_OK;
}

static enum agpu_status check_limits(struct ag_objects *objects, const struct ag_texture_desc *desc)
{
    const uint32_t side = is_volume(desc) ? objects->host->limits.maxTextureDimension3D
                                          : objects->host->limits.maxTextureDimension2D;
    if (desc->width > side || desc->height > side || desc->depth > side ||
        desc->layers > objects->host->limits.maxTextureArrayLayers)
        return ag_host_fail(objects->host, AGPU_DIAG_GPU_LIMIT,
                            "a texture of %" PRIu32 "x%" PRIu32 " with %" PRIu32
                            " %s exceeds the device's %" PRIu32 " and %" PRIu32,
                            desc->width, desc->height, is_volume(desc) ? desc->depth : desc->layers,
                            is_volume(desc) ? "slices" : "layers", side,
                            is_volume(desc) ? side : objects->host->limits.maxTextureArrayLayers);
    if (desc->decoded && desc->layout.size_bytes > MAX_BLOCK_BYTES)
        return ag_host_fail(objects->host, AGPU_DIAG_GPU_LIMIT,
                            "a texture of %" PRIu64 " bytes in blocks that must be decoded is too large",
                            desc->layout.size_bytes);
    return AGPU_OK;
}

static enum agpu_status check_size(struct ag_objects *objects, struct ag_texture_desc *desc)
{
    const struct ag_host_format *format = ag_host_format(desc->host_dxgi);
    const struct ag_texture_shape shape = {
        .width = desc->width,
        .height = desc->height,
        .mip_levels = desc->mips,
        .array_layers = desc->layers,
        .row_pitch_bytes = desc->row_pitch,
        .bytes_per_unit = format->bytes,
        .block_width = format->block_width,
        .block_height = format->block_height,
        .depth = desc->depth,
        .depth_pitch_bytes = desc->depth_pitch,
    };
    enum ag_layout_problem problem = ag_texture_layout_init(&desc->layout, &shape);
    if (problem != AG_LAYOUT_OK)
        return ag_host_fail(objects->host, AGPU_DIAG_EXEC_ARGUMENT,
                            "a %s texture of %" PRIu32 "x%" PRIu32 ", %" PRIu32 " mips and %" PRIu32
                            " layers: %s",
                            format->name, desc->width, desc->height, desc->mips, desc->layers,
                            ag_layout_problem_text(problem));
    return check_limits(objects, desc);
}

enum agpu_status ag_texture_desc_check(struct ag_objects *objects, struct ag_texture_desc *desc)
{
    enum agpu_status status = check_format(objects, desc);
    return status == AGPU_OK ? check_size(objects, desc) : status;
}

/* At most. */
#define DECODED_TEXEL_BYTES 4u

uint64_t ag_texture_desc_host_bytes(const struct ag_texture_desc *desc)
{
    const struct ag_host_format *format = ag_host_format(desc->host_dxgi);
    uint32_t unit_bytes = format->host_bytes > format->bytes ? format->host_bytes : format->bytes;
    if (desc->decoded)
        unit_bytes = format->bytes + format->block_width * format->block_height * DECODED_TEXEL_BYTES;
    const uint32_t samples = desc->sample_count ? ag_samples_host(desc->sample_count) : 1;
    return desc->layout.size_bytes / format->bytes * unit_bytes * samples;
}

bool ag_texture_desc_equals(const struct ag_texture *texture, const struct ag_texture_desc *desc)
{
    return texture->abi_format == desc->abi_format && texture->dimension == desc->dimension &&
           texture->width == desc->width && texture->height == desc->height &&
           texture->depth == (desc->depth ? desc->depth : 1) && texture->mips == desc->mips &&
           texture->layers == desc->layers && texture->row_pitch == desc->row_pitch &&
           texture->depth_pitch == desc->depth_pitch &&
           texture->sample_count == (desc->sample_count ? desc->sample_count : 1) &&
           texture->resource.usage == desc->usage && texture->resource.bind == desc->bind &&
           texture->resource.misc == desc->misc;
}
