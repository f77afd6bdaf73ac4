/* SPDX-License-Identifier: MIT */
#include "exec/own_draw.h"

#include "exec/exec.h"

WGPURenderPipeline agpu_own_pipeline_keep(struct agpu_exec *exec, struct agpu_map *pipelines, uint64_t key,
                                          WGPURenderPipeline pipeline)
{
    if (agpu_map_put(pipelines, key, pipeline))
        return pipeline;
    wgpuRenderPipelineRelease(pipeline);
    agpu_exec_no_memory(exec);
    return NULL;
}

void agpu_own_pipelines_fini(struct agpu_map *pipelines)
{
    size_t cursor = 0;
    uint64_t key;
    void *value;
    while (agpu_map_next(pipelines, &cursor, &key, &value))
        wgpuRenderPipelineRelease(value);
    agpu_map_fini(pipelines);
}

WGPUDepthStencilState agpu_overwriting_state(const struct agpu_host_format *format, bool depth,
                                             uint32_t stencil_mask)
{
    const WGPUStencilFaceState face = {
        .compare = WGPUCompareFunction_Always,
        .failOp = WGPUStencilOperation_Keep,
        .depthFailOp = WGPUStencilOperation_Keep,
        .passOp = stencil_mask ? WGPUStencilOperation_Replace : WGPUStencilOperation_Keep,
    };
    return (WGPUDepthStencilState){
        .format = format->texture,
        .depthWriteEnabled = depth ? WGPUOptionalBool_True : WGPUOptionalBool_False,
        .depthCompare = WGPUCompareFunction_Always,
        .stencilFront = face,
        .stencilBack = face,
        .stencilReadMask = 0xFF,
        .stencilWriteMask = stencil_mask,
    };
}

WGPURenderPassDepthStencilAttachment agpu_kept_depth(const struct agpu_host_format *format,
                                                     WGPUTextureView view)
{
    const bool stencil = agpu_host_format_has(format, AGPU_FORMAT_STENCIL);
    return (WGPURenderPassDepthStencilAttachment){
        .view = view,
        .depthLoadOp = WGPULoadOp_Load,
        .depthStoreOp = WGPUStoreOp_Store,
        .stencilLoadOp = stencil ? WGPULoadOp_Load : WGPULoadOp_Undefined,
        .stencilStoreOp = stencil ? WGPUStoreOp_Store : WGPUStoreOp_Undefined,
    };
}
