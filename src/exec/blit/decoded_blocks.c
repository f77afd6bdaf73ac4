/* SPDX-License-Identifier: MIT */
#include "exec/blit/decoded_blocks.h"

#include "exec/blit/blit.h"
#include "exec/blit/blitter.h"
#include "exec/host/host.h"
#include "exec/object/texture.h"
#include "exec/object/view.h"
#include "format/format.h"
#include "gpu/gpu.h"
#include "gpu/webgpu.h"

static WGPUTexture nowhere(struct ag_blitter *blitter, const struct ag_host_format *format)
{
    const WGPUTextureDescriptor descriptor = {
        .label = ag_webgpu_string("target of blocks decoded"),
        .usage = WGPUTextureUsage_RenderAttachment,
        .dimension = WGPUTextureDimension_2D,
        .size = {1, 1, 1},
        .format = format->texture,
        .mipLevelCount = 1,
        .sampleCount = 1,
    };
    if (!blitter->blits.nowhere)
        blitter->blits.nowhere = wgpuDeviceCreateTexture(ag_gpu_maker(blitter->host->gpu), &descriptor);
    return blitter->blits.nowhere;
}

bool ag_view_decode_blocks(struct ag_blitter *blitter, const struct ag_texture_view *view)
{
    struct ag_texture *texture = view->texture;
    const bool is_own = view->cast == NULL;
    if (ag_gpu_driver(blitter->host->gpu) != AGPU_DRIVER_SWIFTSHADER || view->format->block_height == 1 ||
        (is_own && texture->drawn_version == texture->version))
        return true;
    const struct ag_host_format *format = ag_host_format(AG_DXGI_R8_UNORM);
    const WGPUTextureViewDescriptor all = {
        .label = ag_webgpu_string("blocks"),
        .dimension = WGPUTextureViewDimension_2DArray,
        .mipLevelCount = texture->mips,
        .arrayLayerCount = texture->layers,
        .aspect = WGPUTextureAspect_All,
    };
    WGPUTextureView from = wgpuTextureCreateView(ag_view_gpu(view), &all);
    const WGPUTextureViewDescriptor target = {
        .label = ag_webgpu_string("target of blocks"),
        .mipLevelCount = 1,
        .arrayLayerCount = 1,
        .aspect = WGPUTextureAspect_All,
    };
    WGPUTextureView to = wgpuTextureCreateView(nowhere(blitter, format), &target);
    if (!ag_blit(blitter, AG_BLIT_BLOCKS, to, format, from, 0))
        return false;
    if (is_own)
        texture->drawn_version = texture->version;
    return true;
}
