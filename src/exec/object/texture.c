/* SPDX-License-Identifier: MIT */
#include "exec/object/texture.h"

#include <inttypes.h>
#include <stdlib.h>

#include "abi/texture_layout.h"
#include "aerogpu/abi/cmd.h"
#include "aerogpu/abi/ext.h"
#include "base/bytes.h"
#include "exec/host/gpu_memory.h"
#include "exec/host/host.h"
#include "exec/host/host_memory.h"
#include "exec/host/report.h"
#include "exec/object/creation.h"
#include "exec/object/dirty_resource.h"
#include "exec/object/objects.h"
#include "exec/object/resource.h"
#include "exec/object/sample_count.h"
#include "exec/object/storage_format.h"
#include "exec/object/texture_cast.h"
#include "exec/object/texture_desc.h"
#include "exec/object/view.h"
#include "format/format.h"
#include "gpu/gpu.h"
#include "gpu/label.h"
#include "gpu/webgpu.h"

#define MAX_WIDENED_TEXELS (UINT64_C(16) << 20)

uint32_t ag_mip_size(uint32_t size, uint32_t mip)
{
    uint32_t mip_size = mip < 32 ? size >> mip : 0;
    return mip_size ? mip_size : 1;
}

uint32_t ag_texture_slices(const struct ag_texture *texture, uint32_t mip)
{
    return texture->dimension == AG_TEXTURE_3D ? ag_mip_size(texture->depth, mip) : texture->layers;
}

uint32_t ag_texture_plane_count(const struct ag_texture *texture)
{
    return texture->planes.count ? texture->planes.count : 1;
}

WGPUTexelCopyTextureInfo ag_texture_place(const struct ag_texture *texture, uint32_t mip, uint32_t slice)
{
    return ag_texture_plane_place(texture, mip, slice, 0);
}

WGPUTexelCopyTextureInfo ag_texture_plane_place(const struct ag_texture *texture, uint32_t mip,
                                                uint32_t slice, uint32_t plane)
{
    const uint32_t index = slice * ag_texture_plane_count(texture) + plane;
    return (WGPUTexelCopyTextureInfo){
        .texture = texture->slices ? texture->slices[index] : texture->gpu,
        .mipLevel = mip,
        .origin = {0, 0, texture->slices ? 0 : slice},
        .aspect = WGPUTextureAspect_All,
    };
}

bool ag_texture_is_unordered(const struct ag_texture *texture)
{
    return texture->resource.bind != AG_BIND_ANY &&
           (texture->resource.bind & AEROGPU_EXT_BIND_UNORDERED_ACCESS) != 0;
}

bool ag_texture_is_storage(const struct ag_host *host, const struct ag_texture *texture,
                           const struct ag_host_format *format)
{
    return ag_texture_is_unordered(texture) && texture->sample_count == 1 && !texture->blocks &&
           ag_storage_format(host, format) != AGPU_STORAGE_BY_TYPE;
}

static const char *label_of(const struct ag_texture *texture, struct ag_label *label)
{
    const char *role = texture->role ? texture->role : "texture";
    if (!texture->resource.handle)
        return role;
    return ag_label_format(label, "%s %" PRIu32 " %s %" PRIu32 "x%" PRIu32, role, texture->resource.handle,
                           texture->whole.format->name, texture->width, texture->height);
}

/* Whether a kernel stores texels that are copied out of floats, or out of RGBA8 (blit/texture_convert.h). */
static bool is_converted(const struct ag_texture *texture)
{
    return ag_host_format_widened(texture->host_dxgi) && texture->sample_count == 1;
}

static WGPUTexture create_gpu(struct ag_objects *objects, const struct ag_texture *texture)
{
    const struct ag_host_format *format = texture->whole.format;
    const struct ag_host_format *counterpart =
        format->srgb_counterpart ? ag_host_format(format->srgb_counterpart) : NULL;
    struct ag_label label;
    WGPUTextureDescriptor descriptor = {
        .label = ag_webgpu_string(label_of(texture, &label)),
        .usage = WGPUTextureUsage_CopySrc | WGPUTextureUsage_CopyDst | WGPUTextureUsage_TextureBinding,
        .dimension = texture->dimension == AG_TEXTURE_3D ? WGPUTextureDimension_3D : WGPUTextureDimension_2D,
        .size = {texture->width, texture->height,
                 texture->sample_count > 1 ? 1 : ag_texture_slices(texture, 0)},
        .format =
            texture->planes.count ? texture->planes.texture : ag_host_texture_format(objects->host, format),
        .mipLevelCount = texture->mips,
        .sampleCount = ag_samples_host(texture->sample_count),
    };
    /* What is kept in four components begins with an alpha of 1, which clears write. */
    if (ag_host_renders(objects->host, format) || texture->widened || format->conversion == AG_CONVERT_THREE)
        descriptor.usage |= WGPUTextureUsage_RenderAttachment;
    if (ag_texture_is_storage(objects->host, texture, format) || is_converted(texture))
        descriptor.usage |= WGPUTextureUsage_StorageBinding;
    if (counterpart) {
        descriptor.viewFormatCount = 1;
        descriptor.viewFormats = &counterpart->texture;
    }
    return wgpuDeviceCreateTexture(ag_gpu_maker(objects->host->gpu), &descriptor);
}

static void release_textures(struct ag_texture *texture)
{
    for (uint32_t i = 0; texture->slices && i < texture->layers * ag_texture_plane_count(texture); i++)
        wgpuTextureRelease(texture->slices[i]);
    if (!texture->slices && texture->gpu)
        wgpuTextureRelease(texture->gpu);
    free(texture->slices);
    texture->slices = NULL;
    texture->gpu = NULL;
}

/* WebGPU has no arrays of multisampled textures: each slice is a texture, or one for each plane. */
static bool create_slices(struct ag_objects *objects, struct ag_texture *texture)
{
    const struct ag_sample_planes planes = ag_format_sample_planes(texture->format);
    const uint32_t count = texture->layers * (planes.count ? planes.count : 1);
    WGPUTexture *slices = calloc(count, sizeof *slices);
    if (!slices)
        return false;
    release_textures(texture);
    texture->planes = planes;
    texture->slices = slices;
    for (uint32_t i = 0; i < count; i++)
        slices[i] = create_gpu(objects, texture);
    texture->gpu = slices[0];
    return true;
}

static bool create_textures(struct ag_objects *objects, struct ag_texture *texture)
{
    if (texture->sample_count == 1) {
        texture->gpu = create_gpu(objects, texture);
        return true;
    }
    return create_slices(objects, texture);
}

static void set_format(struct ag_objects *objects, struct ag_texture *texture, uint32_t dxgi)
{
    ag_view_fini(objects, &texture->whole);
    ag_view_init(&texture->whole, texture, dxgi);
    texture->host_dxgi = dxgi;
    texture->format = ag_host_format(dxgi);
}

enum agpu_status ag_texture_retype(struct ag_objects *objects, struct ag_texture *texture, uint32_t dxgi)
{
    const struct ag_host_format *before = texture->format, *format = ag_host_format(dxgi);
    const uint64_t texels =
        texture->layout.size_bytes / before->bytes * ag_samples_host(texture->sample_count);
    const uint64_t more =
        format->host_bytes > before->host_bytes ? texels * (format->host_bytes - before->host_bytes) : 0;
    if (!ag_gpu_memory_take(objects->host, texture->resource.account, more))
        return AGPU_REFUSED;
    texture->resource.gpu_bytes += more;
    const uint32_t previous = texture->host_dxgi;
    set_format(objects, texture, dxgi);
    if (create_slices(objects, texture))
        return AGPU_OK;
    set_format(objects, texture, previous);
    return ag_host_no_memory(objects->host);
}

static uint32_t zeros_pitch(const struct ag_texture *texture, uint32_t mip)
{
    const uint32_t units = texture->layout.mips[mip].row_bytes / texture->format->bytes;
    return (uint32_t)ag_align_up((uint64_t)units * texture->format->host_bytes, 256);
}

static void zero_mip(struct ag_objects *objects, const struct ag_texture *texture, uint32_t mip,
                     WGPUCommandEncoder encoder, WGPUBuffer zeros)
{
    const struct ag_host_format *format = texture->format;
    const struct ag_mip_layout *layout = &texture->layout.mips[mip];
    const WGPUTexelCopyBufferInfo from = {
        .buffer = zeros,
        .layout = {.bytesPerRow = zeros_pitch(texture, mip), .rowsPerImage = layout->rows},
    };
    const WGPUExtent3D extent = {(uint32_t)ag_align_up(layout->width, format->block_width),
                                 (uint32_t)ag_align_up(layout->height, format->block_height), 1};
    for (uint32_t slice = 0; slice < layout->slices; slice++) {
        const WGPUTexelCopyTextureInfo to = ag_texture_place(texture, mip, slice);
        ag_gpu_copy_to_texture(objects->host->gpu, encoder, &from, &to, &extent);
    }
}

/* WebGPU promises zeros in a new texture, but lavapipe clears only the first slice of a volume. The copies
 * are submitted before all that is recorded so far, which does not use the texture yet. */
static void zero_volume(struct ag_objects *objects, const struct ag_texture *texture)
{
    WGPUBuffer zeros =
        ag_host_create_buffer(objects->host, (uint64_t)zeros_pitch(texture, 0) * texture->layout.mips[0].rows,
                              WGPUBufferUsage_CopySrc | WGPUBufferUsage_CopyDst, "zeros of a volume");
    WGPUCommandEncoder encoder = ag_command_encoder_create(objects->host->device, "zeros of a volume");
    for (uint32_t mip = 0; mip < texture->mips; mip++)
        zero_mip(objects, texture, mip, encoder, zeros);
    WGPUCommandBuffer commands = ag_command_encoder_finish(encoder, "zeros of a volume");
    wgpuQueueSubmit(objects->host->queue, 1, &commands);
    wgpuCommandBufferRelease(commands);
    wgpuCommandEncoderRelease(encoder);
    wgpuBufferRelease(zeros);
}

/* Whether 5-bit and 6-bit UNORM components become floats. Floats hold exactly what shaders should read
 * (D3D11.3 3.2.3.2); 8-bit UNORM is only near. Render targets stay UNORM for their rounding and blending,
 * and so do textures that would take too much memory. */
static bool is_widened(const struct ag_texture_desc *desc)
{
    uint64_t texels = (uint64_t)desc->width * desc->height * (desc->depth ? desc->depth : desc->layers);
    return ag_host_format_widened(desc->dxgi) && !(desc->usage & AEROGPU_RESOURCE_USAGE_RENDER_TARGET) &&
           desc->sample_count <= 1 && texels <= MAX_WIDENED_TEXELS;
}

static void fill(const struct ag_texture_desc *desc, struct ag_texture *texture)
{
    texture->role = desc->role;
    texture->resource.handle = desc->handle;
    texture->resource.usage = desc->usage;
    texture->resource.bind = desc->bind;
    texture->resource.misc = desc->misc;
    texture->abi_format = desc->abi_format;
    texture->dxgi = desc->dxgi;
    texture->host_dxgi = desc->host_dxgi ? desc->host_dxgi : desc->dxgi;
    texture->format = ag_host_format(texture->host_dxgi);
    texture->dimension = desc->dimension;
    texture->width = desc->width;
    texture->height = desc->height;
    texture->depth = desc->depth ? desc->depth : 1;
    texture->mips = desc->mips;
    texture->layers = desc->layers;
    texture->row_pitch = desc->row_pitch;
    texture->depth_pitch = desc->depth_pitch;
    texture->sample_count = desc->sample_count ? desc->sample_count : 1;
    texture->layout = desc->layout;
    texture->widened = is_widened(desc);
    if (texture->widened)
        texture->format = ag_host_format(ag_host_format_widened(desc->dxgi));
}

struct ag_texture *ag_texture_create(struct ag_objects *objects, const struct ag_texture_desc *desc)
{
    struct ag_texture *texture = calloc(1, sizeof *texture);
    if (!texture)
        return NULL;
    texture->resource.kind = AG_RESOURCE_TEXTURE;
    fill(desc, texture);
    if (desc->decoded) {
        texture->blocks = calloc(1, (size_t)desc->layout.size_bytes);
        if (!texture->blocks) {
            free(texture);
            return NULL;
        }
    }
    texture->version = 1;
    ag_view_init(&texture->whole, texture, texture->host_dxgi);
    if (!create_textures(objects, texture)) {
        ag_texture_destroy(objects, texture);
        return NULL;
    }
    if (texture->dimension == AG_TEXTURE_3D && !texture->blocks)
        zero_volume(objects, texture);
    return texture;
}

void ag_texture_destroy(struct ag_objects *objects, struct ag_texture *texture)
{
    if (!texture)
        return;
    ag_dirty_resource_forget(&texture->resource);
    ag_creation_drop(objects->host, &texture->resource.creation);
    ag_views_destroy(objects, &texture->resource);
    ag_view_fini(objects, &texture->whole);
    ag_texture_destroy(objects, texture->readable[0].texture);
    ag_texture_destroy(objects, texture->readable[1].texture);
    ag_texture_destroy(objects, texture->unpacked);
    ag_texture_casts_fini(texture);
    release_textures(texture);
    ag_gpu_memory_give(objects->host, texture->resource.account, texture->resource.gpu_bytes);
    ag_host_memory_give(objects->host, texture->resource.account, texture->resource.host_bytes);
    if (texture->blocks)
        ag_spent_memory_add(&objects->host->spent, texture->blocks, (size_t)texture->layout.size_bytes);
    free(texture);
}

void ag_texture_written(struct ag_texture *texture)
{
    texture->version++;
    for (uint32_t i = 0; texture->current && i < texture->mips * texture->layers; i++)
        texture->current[i] = 1;
}
