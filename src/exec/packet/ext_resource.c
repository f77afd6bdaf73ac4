/* SPDX-License-Identifier: MIT
 *
 * The extension's packets that create resources, with the checks of Direct3D 11's runtime.
 */
#include <inttypes.h>

#include "abi/texture_layout.h"
#include "aerogpu/abi/cmd.h"
#include "aerogpu/abi/ext.h"
#include "aerogpu/diag.h"
#include "aerogpu/stream.h"
#include "base/bytes.h"
#include "exec/host/host.h"
#include "exec/host/refused_handle.h"
#include "exec/host/report.h"
#include "exec/object/buffer.h"
#include "exec/object/handle.h"
#include "exec/object/objects.h"
#include "exec/object/resource.h"
#include "exec/object/sample_count.h"
#include "exec/object/texture.h"
#include "exec/object/texture_desc.h"
#include "exec/packet/execution.h"
#include "exec/packet/handlers.h"
#include "exec/transfer/resource.h"
#include "format/format.h"

#define BIND_KNOWN (UINT32_C(0xFF) | AEROGPU_EXT_BIND_SCANOUT)
#define MAX_STRUCTURE_BYTES 2048
#define MAX_SIDE 16384
#define MAX_VOLUME_SIDE 2048
#define MAX_LAYERS 2048

/* The usage flags of the ABI for Direct3D's bind flags. */
static uint32_t usage_of(uint32_t bind, bool buffer)
{
    static const struct {
        uint32_t bind, usage;
    } rows[] = {
        {AEROGPU_EXT_BIND_VERTEX_BUFFER,    AEROGPU_RESOURCE_USAGE_VERTEX_BUFFER  },
        {AEROGPU_EXT_BIND_INDEX_BUFFER,     AEROGPU_RESOURCE_USAGE_INDEX_BUFFER   },
        {AEROGPU_EXT_BIND_CONSTANT_BUFFER,  AEROGPU_RESOURCE_USAGE_CONSTANT_BUFFER},
        {AEROGPU_EXT_BIND_RENDER_TARGET,    AEROGPU_RESOURCE_USAGE_RENDER_TARGET  },
        {AEROGPU_EXT_BIND_DEPTH_STENCIL,    AEROGPU_RESOURCE_USAGE_DEPTH_STENCIL  },
        {AEROGPU_EXT_BIND_UNORDERED_ACCESS, AEROGPU_RESOURCE_USAGE_STORAGE        },
        {AEROGPU_EXT_BIND_SCANOUT,          AEROGPU_RESOURCE_USAGE_SCANOUT        },
    };
    uint32_t usage = 0;
    for (size_t i = 0; i < AG_COUNT_OF(rows); i++)
        usage |= bind & rows[i].bind ? rows[i].usage : 0;
    if (bind & AEROGPU_EXT_BIND_SHADER_RESOURCE)
        usage |= buffer ? (uint32_t)AEROGPU_RESOURCE_USAGE_STORAGE : (uint32_t)AEROGPU_RESOURCE_USAGE_TEXTURE;
    return usage;
}

static enum agpu_status refuse(struct ag_execution *execution, const char *what)
{
    return ag_host_fail(execution->host, AGPU_DIAG_EXEC_ARGUMENT, "%s", what);
}

/* A rule of the runtime, and whether a description breaks it. */
struct rule {
    bool broken;
    const char *text;
};

static enum agpu_status check_rules(struct ag_execution *execution, const struct rule *rules, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (rules[i].broken)
            return refuse(execution, rules[i].text);
    return AGPU_OK;
}

/* ---- Buffers (D3D11.3 5.3, CreateBuffer) -------------------------------------------------------------- */

static enum agpu_status check_buffer(struct ag_execution *execution,
                                     const struct aerogpu_cmd_ext_create_buffer *wire)
{
    const uint32_t bind = wire->bind_flags, misc = wire->misc_flags, stride = wire->structure_stride_bytes;
    const uint32_t shader = AEROGPU_EXT_BIND_SHADER_RESOURCE | AEROGPU_EXT_BIND_UNORDERED_ACCESS;
    const bool constants = (bind & AEROGPU_EXT_BIND_CONSTANT_BUFFER) != 0;
    const bool structured = (misc & AEROGPU_EXT_MISC_BUFFER_STRUCTURED) != 0;
    const bool raw = (misc & AEROGPU_EXT_MISC_BUFFER_ALLOW_RAW_VIEWS) != 0;
    const struct rule rules[] = {
        {(bind & ~BIND_KNOWN) != 0,                                                                        "unknown bind flags"                          },
        {(bind & (AEROGPU_EXT_BIND_DEPTH_STENCIL | AEROGPU_EXT_BIND_SCANOUT)) != 0,
         "a buffer is no depth target and no scanout"                                                                                                    },
        {(misc & (AEROGPU_EXT_MISC_GENERATE_MIPS | AEROGPU_EXT_MISC_TEXTURECUBE |
                  AEROGPU_EXT_MISC_RESOURCE_CLAMP)) != 0,
         "a buffer has miscellaneous flags of textures"                                                                                                  },
        {constants && bind != AEROGPU_EXT_BIND_CONSTANT_BUFFER,                                            "a constant buffer is bound as nothing else"  },
        {constants && (wire->size_bytes % 16 != 0),                                                        "a constant buffer's size is a multiple of 16"},
        {structured && (raw || (bind & ~shader) != 0 || (misc & AEROGPU_EXT_MISC_DRAWINDIRECT_ARGS) != 0),
         "a structured buffer is a shader resource or unordered access buffer and nothing else"                                                          },
        {structured && (stride == 0 || stride % 4 != 0 || stride > MAX_STRUCTURE_BYTES),
         "the stride of a structured buffer is a multiple of 4 up to 2048"                                                                               },
        {structured && stride != 0 && wire->size_bytes % stride != 0,
         "the size of a structured buffer is a multiple of its stride"                                                                                   },
        {raw && (bind & shader) == 0,
         "a buffer of raw views is bound as shader resource or unordered access"                                                                         },
    };
    return check_rules(execution, rules, AG_COUNT_OF(rules));
}

enum agpu_status ag_on_ext_create_buffer(struct ag_execution *execution, const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_ext_create_buffer *wire = AGPU_PACKET(packet, ext_create_buffer);
    const struct ag_buffer_desc desc = {
        .handle = wire->buffer_handle,
        .size = wire->size_bytes,
        .usage = usage_of(wire->bind_flags, true),
        .bind = wire->bind_flags,
        .misc = wire->misc_flags,
        .stride = wire->misc_flags & AEROGPU_EXT_MISC_BUFFER_STRUCTURED ? wire->structure_stride_bytes : 0,
    };
    const struct ag_backing backing = {wire->backing_alloc_id, wire->backing_offset_bytes};
    enum agpu_status status = check_buffer(execution, wire);
    if (status != AGPU_OK)
        return status;
    return ag_resource_create_buffer(execution->copier, wire->buffer_handle, &desc, backing);
}

/* ---- Textures (CreateTexture1D, CreateTexture2D, CreateTexture3D) ------------------------------------- */

static enum agpu_status check_shape(struct ag_execution *execution,
                                    const struct aerogpu_cmd_ext_create_texture *wire)
{
    const bool is_1d = wire->dimension == AEROGPU_EXT_RESOURCE_TEXTURE1D;
    const bool is_3d = wire->dimension == AEROGPU_EXT_RESOURCE_TEXTURE3D;
    const bool cube = (wire->misc_flags & AEROGPU_EXT_MISC_TEXTURECUBE) != 0;
    const uint32_t side = is_3d ? MAX_VOLUME_SIDE : MAX_SIDE;
    const struct rule rules[] = {
        {!is_1d && !is_3d && wire->dimension != AEROGPU_EXT_RESOURCE_TEXTURE2D,                            "no such texture dimension"     },
        {wire->width == 0 || wire->height == 0 || wire->depth == 0 || wire->array_size == 0,
         "a texture's width, height, depth and array size are not 0"                                                                       },
        {wire->width > side || wire->height > side || wire->depth > side || wire->array_size > MAX_LAYERS,
         "a texture has at most 16384 texels a side, 2048 as a volume, and 2048 slices"                                                    },
        {is_1d && wire->height != 1,                                                                       "a 1D texture has height 1"     },
        {!is_3d && (wire->depth != 1 || wire->depth_pitch_bytes != 0),                                     "only volumes have depth"       },
        {is_3d && wire->array_size != 1,                                                                   "there are no arrays of volumes"},
        {cube && (is_1d || is_3d || wire->width != wire->height || wire->array_size < 6),
         "a cube has six square 2D slices or more"                                                                                         },
    };
    return check_rules(execution, rules, AG_COUNT_OF(rules));
}

/* Each count of samples has the standard pattern, which quality level 0 is, too (D3D11.3 19.2.4). */
static bool is_quality(uint32_t quality)
{
    return quality == 0 || quality == AEROGPU_EXT_QUALITY_STANDARD || quality == AEROGPU_EXT_QUALITY_CENTER;
}

static enum agpu_status check_samples(struct ag_execution *execution,
                                      const struct aerogpu_cmd_ext_create_texture *wire)
{
    const uint32_t samples = wire->sample_count;
    const bool several = samples > 1;
    const struct rule rules[] = {
        {samples != 1 && samples != 2 && samples != 4 && samples != 8,                                         "a texture has 1, 2, 4 or 8 samples"             },
        {!is_quality(wire->sample_quality),                                                                    "there is one quality level of each sample count"},
        {several && wire->dimension != AEROGPU_EXT_RESOURCE_TEXTURE2D,                                         "only 2D textures are multisampled"              },
        {several && wire->mip_levels != 1,                                                                     "a multisampled texture has one mip level"       },
        {several && (wire->bind_flags & AEROGPU_EXT_BIND_UNORDERED_ACCESS) != 0,
         "a multisampled texture has no unordered access views"                                                                                                 },
        {several && (wire->misc_flags & (AEROGPU_EXT_MISC_TEXTURECUBE | AEROGPU_EXT_MISC_GENERATE_MIPS)) != 0,
         "a multisampled texture is no cube and generates no mips"                                                                                              },
        {several && (wire->bind_flags & AEROGPU_EXT_BIND_SCANOUT) != 0,
         "a multisampled texture is not displayed"                                                                                                              },
        {several && wire->backing_alloc_id != 0,                                                               "a multisampled texture has no guest memory"     },
    };
    return check_rules(execution, rules, AG_COUNT_OF(rules));
}

static bool is_target_format(const struct ag_host_format *format, bool depth)
{
    return ag_host_format_has(format, AG_FORMAT_RENDERABLE) &&
           ag_host_format_has(format, AG_FORMAT_DEPTH) == depth;
}

static enum agpu_status check_binding(struct ag_execution *execution,
                                      const struct aerogpu_cmd_ext_create_texture *wire, uint32_t dxgi)
{
    struct ag_format_name name;
    const uint32_t bind = wire->bind_flags;
    const bool depth = (bind & AEROGPU_EXT_BIND_DEPTH_STENCIL) != 0;
    const bool typeless = ag_format_typeless(dxgi) == dxgi;
    const struct ag_host_format *format = ag_host_format(ag_format_host(dxgi));
    const uint32_t outputs = AEROGPU_EXT_BIND_RENDER_TARGET | AEROGPU_EXT_BIND_UNORDERED_ACCESS;
    const uint32_t of_buffers = AEROGPU_EXT_BIND_VERTEX_BUFFER | AEROGPU_EXT_BIND_INDEX_BUFFER |
                                AEROGPU_EXT_BIND_CONSTANT_BUFFER | AEROGPU_EXT_BIND_STREAM_OUTPUT;
    const bool mips = (wire->misc_flags & AEROGPU_EXT_MISC_GENERATE_MIPS) != 0;
    const uint32_t both = AEROGPU_EXT_BIND_RENDER_TARGET | AEROGPU_EXT_BIND_SHADER_RESOURCE;
    if (!format)
        return ag_host_fail(execution->host, AGPU_DIAG_EXEC_FORMAT, "%s is no texture format",
                            ag_format_name_of_abi(wire->format, &name));
    const bool blocks = format->block_width > 1;
    const bool is_depth =
        ag_host_format_has(format, AG_FORMAT_DEPTH) || ag_host_format_has(format, AG_FORMAT_STENCIL);
    const struct rule rules[] = {
        {(bind & ~BIND_KNOWN) != 0,                                                             "unknown bind flags"                 },
        {(bind & of_buffers) != 0,                                                              "a texture has bind flags of buffers"},
        {(wire->misc_flags & (AEROGPU_EXT_MISC_BUFFER_ALLOW_RAW_VIEWS | AEROGPU_EXT_MISC_BUFFER_STRUCTURED |
                              AEROGPU_EXT_MISC_DRAWINDIRECT_ARGS)) != 0,
         "a texture has miscellaneous flags of buffers"                                                                              },
        {depth && (bind & outputs) != 0,                                                        "a depth target is no other output"  },
        {depth && wire->dimension == AEROGPU_EXT_RESOURCE_TEXTURE3D,                            "a volume is no depth target"        },
        {depth && !ag_format_host_depth(dxgi),                                                  "the format is no depth format"      },
        {is_depth && !typeless && (bind & ~(uint32_t)AEROGPU_EXT_BIND_DEPTH_STENCIL) != 0,
         "a typed depth format is a depth target only"                                                                               },
        {is_depth && wire->dimension == AEROGPU_EXT_RESOURCE_TEXTURE3D,                         "there are no volumes of depth"      },
        {(bind & AEROGPU_EXT_BIND_RENDER_TARGET) != 0 && !typeless && !is_target_format(format, false),
         "the format is no colour target"},
        {blocks && (bind & (outputs | AEROGPU_EXT_BIND_DEPTH_STENCIL)) != 0,
         "a texture of blocks is no output"                                                        },
        {format->block_height > 1 && wire->dimension == AEROGPU_EXT_RESOURCE_TEXTURE1D,
         "there are no 1D textures of blocks"},
        {wire->width % format->block_width != 0 || wire->height % format->block_height != 0,
         "the sides of a texture of blocks are multiples of theirs"                                                   },
        {is_depth && !ag_host_format_has(format,                                                                                     AG_FORMAT_RENDERABLE),                                  "the format is one of views only"},
        {mips && (bind & both) != both,
         "a texture that generates mips is a colour target and shader resource"                                                       },
    };
    return check_rules(execution, rules, AG_COUNT_OF(rules));
}

/* A typeless multisampled texture gets the format of its first view (X42). Until then it has a format of
 * its family, which must allow multisampling, too. */
static enum agpu_status check_sampled_format(struct ag_execution *execution,
                                             const struct aerogpu_cmd_ext_create_texture *wire, uint32_t dxgi)
{
    struct ag_format_name name;
    const bool depth = (wire->bind_flags & AEROGPU_EXT_BIND_DEPTH_STENCIL) != 0;
    const struct ag_host_format *format =
        ag_host_format(depth ? ag_format_host_depth(dxgi) : ag_format_host(dxgi));
    if (!format || !ag_host_format_has(format, AG_FORMAT_RENDERABLE))
        return ag_host_fail(execution->host, AGPU_DIAG_EXEC_FORMAT,
                            "%s has no quality level of %" PRIu32 " samples",
                            ag_format_name_of_abi(wire->format, &name), wire->sample_count);
    if ((uint64_t)wire->array_size * wire->sample_count > execution->host->limits.maxTextureArrayLayers)
        return ag_host_fail(execution->host, AGPU_DIAG_GPU_LIMIT,
                            "%" PRIu32 " slices of %" PRIu32 " samples are too many", wire->array_size,
                            wire->sample_count);
    if (wire->sample_quality == AEROGPU_EXT_QUALITY_CENTER)
        ag_host_warn(execution->host, AGPU_DIAG_EXEC_UNSUPPORTED,
                     "the samples of the centre pattern are where those of the standard pattern are");
    if (ag_samples_host(wire->sample_count) != wire->sample_count)
        ag_host_warn_once(execution->host, AG_WARNING_SAMPLES,
                          "targets of two and of eight samples have four on the host");
    return AGPU_OK;
}

static enum ag_texture_dimension dimension_of(uint32_t wire)
{
    return wire == AEROGPU_EXT_RESOURCE_TEXTURE3D   ? AG_TEXTURE_3D
           : wire == AEROGPU_EXT_RESOURCE_TEXTURE1D ? AG_TEXTURE_1D
                                                    : AG_TEXTURE_2D;
}

enum agpu_status ag_on_ext_create_texture(struct ag_execution *execution, const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_ext_create_texture *wire = AGPU_PACKET(packet, ext_create_texture);
    const struct ag_backing backing = {wire->backing_alloc_id, wire->backing_offset_bytes};
    const bool is_3d = wire->dimension == AEROGPU_EXT_RESOURCE_TEXTURE3D;
    const uint32_t full = ag_full_mip_count(wire->width, wire->height, is_3d ? wire->depth : 1);
    struct ag_texture_desc desc = {
        .handle = wire->texture_handle,
        .abi_format = wire->format,
        .dxgi = ag_host_format_from_abi(wire->format),
        .usage = usage_of(wire->bind_flags, false),
        .bind = wire->bind_flags,
        .misc = wire->misc_flags,
        .dimension = dimension_of(wire->dimension),
        .width = wire->width,
        .height = wire->height,
        .depth = is_3d ? wire->depth : 0,
        .mips = wire->mip_levels ? wire->mip_levels : full,
        .layers = wire->array_size,
        .row_pitch = wire->row_pitch_bytes,
        .depth_pitch = wire->depth_pitch_bytes,
        .sample_count = wire->sample_count,
    };
    enum agpu_status status = check_shape(execution, wire);
    if (status == AGPU_OK)
        status = check_samples(execution, wire);
    if (status == AGPU_OK)
        status = check_binding(execution, wire, desc.dxgi);
    if (status == AGPU_OK && wire->sample_count > 1)
        status = check_sampled_format(execution, wire, desc.dxgi);
    if (status != AGPU_OK)
        return status;
    return ag_resource_create_texture(execution->copier, wire->texture_handle, &desc, backing,
                                      &execution->progress);
}

enum agpu_status ag_on_ext_set_resource_min_lod(struct ag_execution *execution,
                                                const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_ext_set_resource_min_lod *wire = AGPU_PACKET(packet, ext_set_resource_min_lod);
    struct ag_texture *texture = ag_handle_texture(execution->objects, wire->texture_handle);
    const float level = ag_float_from_bits(wire->min_lod_f32);
    if (!texture)
        return ag_host_drop_handle(execution->host, AG_SPACE_RESOURCES, wire->texture_handle,
                                   "handle %" PRIu32 " names no texture", wire->texture_handle);
    if (!(texture->resource.misc & AEROGPU_EXT_MISC_RESOURCE_CLAMP))
        return ag_host_drop(execution->host, AGPU_DIAG_EXEC_ARGUMENT,
                            "a texture without RESOURCE_CLAMP has no least level");
    if (!(level >= 0 && level <= (float)texture->mips))
        return ag_host_drop(execution->host, AGPU_DIAG_EXEC_ARGUMENT,
                            "a least level is between 0 and the number of mips");
    texture->min_lod = level;
    execution->objects->has_level_floors = true;
    return AGPU_OK;
}
