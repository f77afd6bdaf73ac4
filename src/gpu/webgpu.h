/* SPDX-License-Identifier: MIT
 *
 * The part of the WebGPU C ABI that AeroGPU uses, for the pinned Dawn build (npm bun-webgpu 0.1.7) on LP64
 * machines. A test compares numbers and layouts with the package's own description of them.
 *
 * tools/generate_webgpu_trampolines.py reads the prototypes: one declaration ends with `;`, no macros in
 * them. Every function declared here forwards to the loaded library (gpu/library.h), which must have it;
 * calling one before a library was loaded is an error of the caller.
 *
 * A WGPUStringView of {NULL, 0} is the empty string, {NULL, WGPU_STRLEN} is "not given", {text, WGPU_STRLEN}
 * is NUL-terminated. Labels take any of them; an entry point that is left out needs {NULL, WGPU_STRLEN}.
 */
#ifndef AG_GPU_WEBGPU_H
#define AG_GPU_WEBGPU_H

#include "gpu/webgpu_enums.h"
#include "gpu/webgpu_structs.h"

/* A program may link a WebGPU library of its own: ours have the symbols ag_wgpu..., by generated macros. */
#include "gpu/webgpu_names.h"

WGPUInstance wgpuCreateInstance(const WGPUInstanceDescriptor *descriptor);

WGPUFuture wgpuInstanceRequestAdapter(WGPUInstance instance, const WGPURequestAdapterOptions *options,
                                      WGPURequestAdapterCallbackInfo callbackInfo);
WGPUWaitStatus wgpuInstanceWaitAny(WGPUInstance instance, size_t futureCount, WGPUFutureWaitInfo *futures,
                                   uint64_t timeoutNS);
void wgpuInstanceProcessEvents(WGPUInstance instance);
void wgpuInstanceAddRef(WGPUInstance instance);
void wgpuInstanceRelease(WGPUInstance instance);

WGPUFuture wgpuAdapterRequestDevice(WGPUAdapter adapter, const WGPUDeviceDescriptor *descriptor,
                                    WGPURequestDeviceCallbackInfo callbackInfo);
WGPUStatus wgpuAdapterGetInfo(WGPUAdapter adapter, WGPUAdapterInfo *info);
WGPUStatus wgpuAdapterGetLimits(WGPUAdapter adapter, WGPULimits *limits);
WGPUBool wgpuAdapterHasFeature(WGPUAdapter adapter, WGPUFeatureName feature);
void wgpuAdapterRelease(WGPUAdapter adapter);
void wgpuAdapterInfoFreeMembers(WGPUAdapterInfo info);

WGPUBindGroup wgpuDeviceCreateBindGroup(WGPUDevice device, const WGPUBindGroupDescriptor *descriptor);
WGPUBindGroupLayout wgpuDeviceCreateBindGroupLayout(WGPUDevice device,
                                                    const WGPUBindGroupLayoutDescriptor *descriptor);
WGPUBuffer wgpuDeviceCreateBuffer(WGPUDevice device, const WGPUBufferDescriptor *descriptor);
WGPUCommandEncoder wgpuDeviceCreateCommandEncoder(WGPUDevice device,
                                                  const WGPUCommandEncoderDescriptor *descriptor);
WGPUComputePipeline wgpuDeviceCreateComputePipeline(WGPUDevice device,
                                                    const WGPUComputePipelineDescriptor *descriptor);
WGPUFuture wgpuDeviceCreateComputePipelineAsync(WGPUDevice device,
                                                const WGPUComputePipelineDescriptor *descriptor,
                                                WGPUCreateComputePipelineAsyncCallbackInfo callbackInfo);
WGPUPipelineLayout wgpuDeviceCreatePipelineLayout(WGPUDevice device,
                                                  const WGPUPipelineLayoutDescriptor *descriptor);
WGPUQuerySet wgpuDeviceCreateQuerySet(WGPUDevice device, const WGPUQuerySetDescriptor *descriptor);
WGPURenderPipeline wgpuDeviceCreateRenderPipeline(WGPUDevice device,
                                                  const WGPURenderPipelineDescriptor *descriptor);
WGPUFuture wgpuDeviceCreateRenderPipelineAsync(WGPUDevice device,
                                               const WGPURenderPipelineDescriptor *descriptor,
                                               WGPUCreateRenderPipelineAsyncCallbackInfo callbackInfo);
WGPUSampler wgpuDeviceCreateSampler(WGPUDevice device, const WGPUSamplerDescriptor *descriptor);
WGPUShaderModule wgpuDeviceCreateShaderModule(WGPUDevice device,
                                              const WGPUShaderModuleDescriptor *descriptor);
WGPUTexture wgpuDeviceCreateTexture(WGPUDevice device, const WGPUTextureDescriptor *descriptor);
void wgpuDeviceDestroy(WGPUDevice device);
void wgpuDeviceForceLoss(WGPUDevice device, WGPUDeviceLostReason reason, WGPUStringView message);
void wgpuDeviceInjectError(WGPUDevice device, WGPUErrorType type, WGPUStringView message);
WGPUStatus wgpuDeviceGetAdapterInfo(WGPUDevice device, WGPUAdapterInfo *info);
WGPUStatus wgpuDeviceGetLimits(WGPUDevice device, WGPULimits *limits);
WGPUFuture wgpuDeviceGetLostFuture(WGPUDevice device);
WGPUQueue wgpuDeviceGetQueue(WGPUDevice device);
WGPUBool wgpuDeviceHasFeature(WGPUDevice device, WGPUFeatureName feature);
void wgpuDevicePushErrorScope(WGPUDevice device, WGPUErrorFilter filter);
WGPUFuture wgpuDevicePopErrorScope(WGPUDevice device, WGPUPopErrorScopeCallbackInfo callbackInfo);
void wgpuDeviceAddRef(WGPUDevice device);
void wgpuDeviceRelease(WGPUDevice device);

WGPUFuture wgpuQueueOnSubmittedWorkDone(WGPUQueue queue, WGPUQueueWorkDoneCallbackInfo callbackInfo);
void wgpuQueueSubmit(WGPUQueue queue, size_t commandCount, const WGPUCommandBuffer *commands);
void wgpuQueueWriteBuffer(WGPUQueue queue, WGPUBuffer buffer, uint64_t bufferOffset, const void *data,
                          size_t size);
void wgpuQueueWriteTexture(WGPUQueue queue, const WGPUTexelCopyTextureInfo *destination, const void *data,
                           size_t dataSize, const WGPUTexelCopyBufferLayout *dataLayout,
                           const WGPUExtent3D *writeSize);
void wgpuQueueRelease(WGPUQueue queue);

const void *wgpuBufferGetConstMappedRange(WGPUBuffer buffer, size_t offset, size_t size);
void *wgpuBufferGetMappedRange(WGPUBuffer buffer, size_t offset, size_t size);
uint64_t wgpuBufferGetSize(WGPUBuffer buffer);
WGPUFuture wgpuBufferMapAsync(WGPUBuffer buffer, WGPUMapMode mode, size_t offset, size_t size,
                              WGPUBufferMapCallbackInfo callbackInfo);
void wgpuBufferUnmap(WGPUBuffer buffer);
void wgpuBufferAddRef(WGPUBuffer buffer);
void wgpuBufferRelease(WGPUBuffer buffer);

WGPUTextureView wgpuTextureCreateView(WGPUTexture texture, const WGPUTextureViewDescriptor *descriptor);
void wgpuTextureRelease(WGPUTexture texture);
void wgpuTextureViewRelease(WGPUTextureView textureView);
void wgpuSamplerRelease(WGPUSampler sampler);
void wgpuQuerySetRelease(WGPUQuerySet querySet);

void wgpuBindGroupAddRef(WGPUBindGroup bindGroup);
void wgpuBindGroupRelease(WGPUBindGroup bindGroup);
void wgpuBindGroupLayoutRelease(WGPUBindGroupLayout bindGroupLayout);
void wgpuPipelineLayoutRelease(WGPUPipelineLayout pipelineLayout);

WGPUFuture wgpuShaderModuleGetCompilationInfo(WGPUShaderModule shaderModule,
                                              WGPUCompilationInfoCallbackInfo callbackInfo);
void wgpuShaderModuleRelease(WGPUShaderModule shaderModule);
WGPUBindGroupLayout wgpuComputePipelineGetBindGroupLayout(WGPUComputePipeline computePipeline,
                                                          uint32_t groupIndex);
void wgpuComputePipelineRelease(WGPUComputePipeline computePipeline);
WGPUBindGroupLayout wgpuRenderPipelineGetBindGroupLayout(WGPURenderPipeline renderPipeline,
                                                         uint32_t groupIndex);
void wgpuRenderPipelineRelease(WGPURenderPipeline renderPipeline);

WGPUComputePassEncoder wgpuCommandEncoderBeginComputePass(WGPUCommandEncoder commandEncoder,
                                                          const WGPUComputePassDescriptor *descriptor);
WGPURenderPassEncoder wgpuCommandEncoderBeginRenderPass(WGPUCommandEncoder commandEncoder,
                                                        const WGPURenderPassDescriptor *descriptor);
void wgpuCommandEncoderClearBuffer(WGPUCommandEncoder commandEncoder, WGPUBuffer buffer, uint64_t offset,
                                   uint64_t size);
void wgpuCommandEncoderCopyBufferToBuffer(WGPUCommandEncoder commandEncoder, WGPUBuffer source,
                                          uint64_t sourceOffset, WGPUBuffer destination,
                                          uint64_t destinationOffset, uint64_t size);
void wgpuCommandEncoderCopyBufferToTexture(WGPUCommandEncoder commandEncoder,
                                           const WGPUTexelCopyBufferInfo *source,
                                           const WGPUTexelCopyTextureInfo *destination,
                                           const WGPUExtent3D *copySize);
void wgpuCommandEncoderCopyTextureToBuffer(WGPUCommandEncoder commandEncoder,
                                           const WGPUTexelCopyTextureInfo *source,
                                           const WGPUTexelCopyBufferInfo *destination,
                                           const WGPUExtent3D *copySize);
void wgpuCommandEncoderCopyTextureToTexture(WGPUCommandEncoder commandEncoder,
                                            const WGPUTexelCopyTextureInfo *source,
                                            const WGPUTexelCopyTextureInfo *destination,
                                            const WGPUExtent3D *copySize);
WGPUCommandBuffer wgpuCommandEncoderFinish(WGPUCommandEncoder commandEncoder,
                                           const WGPUCommandBufferDescriptor *descriptor);
void wgpuCommandEncoderInsertDebugMarker(WGPUCommandEncoder commandEncoder, WGPUStringView markerLabel);
void wgpuCommandEncoderResolveQuerySet(WGPUCommandEncoder commandEncoder, WGPUQuerySet querySet,
                                       uint32_t firstQuery, uint32_t queryCount, WGPUBuffer destination,
                                       uint64_t destinationOffset);
void wgpuCommandEncoderRelease(WGPUCommandEncoder commandEncoder);
void wgpuCommandBufferRelease(WGPUCommandBuffer commandBuffer);

void wgpuComputePassEncoderDispatchWorkgroups(WGPUComputePassEncoder computePassEncoder,
                                              uint32_t workgroupCountX, uint32_t workgroupCountY,
                                              uint32_t workgroupCountZ);
void wgpuComputePassEncoderDispatchWorkgroupsIndirect(WGPUComputePassEncoder computePassEncoder,
                                                      WGPUBuffer indirectBuffer, uint64_t indirectOffset);
void wgpuComputePassEncoderEnd(WGPUComputePassEncoder computePassEncoder);
void wgpuComputePassEncoderSetBindGroup(WGPUComputePassEncoder computePassEncoder, uint32_t groupIndex,
                                        WGPUBindGroup group, size_t dynamicOffsetCount,
                                        const uint32_t *dynamicOffsets);
void wgpuComputePassEncoderSetPipeline(WGPUComputePassEncoder computePassEncoder,
                                       WGPUComputePipeline pipeline);
void wgpuComputePassEncoderRelease(WGPUComputePassEncoder computePassEncoder);

void wgpuRenderPassEncoderBeginOcclusionQuery(WGPURenderPassEncoder renderPassEncoder, uint32_t queryIndex);
void wgpuRenderPassEncoderEndOcclusionQuery(WGPURenderPassEncoder renderPassEncoder);
void wgpuRenderPassEncoderDraw(WGPURenderPassEncoder renderPassEncoder, uint32_t vertexCount,
                               uint32_t instanceCount, uint32_t firstVertex, uint32_t firstInstance);
void wgpuRenderPassEncoderDrawIndexed(WGPURenderPassEncoder renderPassEncoder, uint32_t indexCount,
                                      uint32_t instanceCount, uint32_t firstIndex, int32_t baseVertex,
                                      uint32_t firstInstance);
void wgpuRenderPassEncoderDrawIndexedIndirect(WGPURenderPassEncoder renderPassEncoder,
                                              WGPUBuffer indirectBuffer, uint64_t indirectOffset);
void wgpuRenderPassEncoderDrawIndirect(WGPURenderPassEncoder renderPassEncoder, WGPUBuffer indirectBuffer,
                                       uint64_t indirectOffset);
void wgpuRenderPassEncoderEnd(WGPURenderPassEncoder renderPassEncoder);
void wgpuRenderPassEncoderSetBindGroup(WGPURenderPassEncoder renderPassEncoder, uint32_t groupIndex,
                                       WGPUBindGroup group, size_t dynamicOffsetCount,
                                       const uint32_t *dynamicOffsets);
void wgpuRenderPassEncoderSetBlendConstant(WGPURenderPassEncoder renderPassEncoder, const WGPUColor *color);
void wgpuRenderPassEncoderSetIndexBuffer(WGPURenderPassEncoder renderPassEncoder, WGPUBuffer buffer,
                                         WGPUIndexFormat format, uint64_t offset, uint64_t size);
void wgpuRenderPassEncoderSetPipeline(WGPURenderPassEncoder renderPassEncoder, WGPURenderPipeline pipeline);
void wgpuRenderPassEncoderSetScissorRect(WGPURenderPassEncoder renderPassEncoder, uint32_t x, uint32_t y,
                                         uint32_t width, uint32_t height);
void wgpuRenderPassEncoderSetStencilReference(WGPURenderPassEncoder renderPassEncoder, uint32_t reference);
void wgpuRenderPassEncoderSetVertexBuffer(WGPURenderPassEncoder renderPassEncoder, uint32_t slot,
                                          WGPUBuffer buffer, uint64_t offset, uint64_t size);
void wgpuRenderPassEncoderSetViewport(WGPURenderPassEncoder renderPassEncoder, float x, float y, float width,
                                      float height, float minDepth, float maxDepth);
void wgpuRenderPassEncoderRelease(WGPURenderPassEncoder renderPassEncoder);

#endif
