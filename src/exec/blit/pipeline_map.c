/* SPDX-License-Identifier: MIT */
#include "exec/blit/pipeline_map.h"

#include "base/map.h"
#include "exec/blit/blitter.h"
#include "exec/host/host.h"
#include "exec/host/report.h"
#include "format/format.h"
#include "gpu/webgpu.h"

WGPURenderPipeline ag_pipeline_map_keep(struct ag_blitter *blitter, struct ag_map *pipelines, uint64_t key,
                                        WGPURenderPipeline pipeline)
{
    if (ag_map_put(pipelines, key, pipeline))
        return pipeline;
    wgpuRenderPipelineRelease(pipeline);
    ag_host_no_memory(blitter->host);
    return NULL;
}

void ag_pipeline_map_fini(struct ag_map *pipelines)
{
    size_t cursor = 0;
    uint64_t key;
    void *value;
    while (ag_map_next(pipelines, &cursor, &key, &value))
        wgpuRenderPipelineRelease(value);
    ag_map_fini(pipelines);
}

WGPUDepthStencilState ag_overwriting_state(const struct ag_host *host, const struct ag_host_format *format,
                                           bool depth, uint32_t stencil_mask)
{
    const WGPUStencilFaceState face = {
        .compare = WGPUCompareFunction_Always,
        .failOp = WGPUStencilOperation_Keep,
        .depthFailOp = WGPUStencilOperation_Keep,
        .passOp = stencil_mask ? WGPUStencilOperation_Replace : WGPUStencilOperation_Keep,
    };
    return (WGPUDepthStencilState){
        .format = ag_host_texture_format(host, format),
        .depthWriteEnabled = depth ? WGPUOptionalBool_True : WGPUOptionalBool_False,
        .depthCompare = WGPUCompareFunction_Always,
        .stencilFront = face,
        .stencilBack = face,
        .stencilReadMask = 0xFF,
        .stencilWriteMask = stencil_mask,
    };
}

WGPURenderPassDepthStencilAttachment ag_kept_depth(const struct ag_host_format *format, WGPUTextureView view)
{
    const bool stencil = ag_host_format_has(format, AG_FORMAT_STENCIL);
    return (WGPURenderPassDepthStencilAttachment){
        .view = view,
        .depthLoadOp = WGPULoadOp_Load,
        .depthStoreOp = WGPUStoreOp_Store,
        .stencilLoadOp = stencil ? WGPULoadOp_Load : WGPULoadOp_Undefined,
        .stencilStoreOp = stencil ? WGPUStoreOp_Store : WGPUStoreOp_Undefined,
    };
}
