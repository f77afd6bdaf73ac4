/* SPDX-License-Identifier: MIT
 *
 * The WebGPU features that AeroGPU requests, and limits by name.
 */
#ifndef AG_GPU_FEATURE_H
#define AG_GPU_FEATURE_H

#include <stdbool.h>
#include <stdint.h>

#include "aerogpu/gpu.h"
#include "gpu/webgpu.h"

/* X(NAME, WGPUFeatureName_ suffix, WebGPU's spelling). A device is created with every feature that its
 * adapter has. */
/* clang-format off */
#define AG_GPU_FEATURES(X)                                                                                 \
    X(CORE_FEATURES_AND_LIMITS, CoreFeaturesAndLimits, "core-features-and-limits")                           \
    X(DEPTH_CLIP_CONTROL, DepthClipControl, "depth-clip-control")                                            \
    X(DEPTH32FLOAT_STENCIL8, Depth32FloatStencil8, "depth32float-stencil8")                                  \
    X(TIMESTAMP_QUERY, TimestampQuery, "timestamp-query")                                                    \
    X(TEXTURE_COMPRESSION_BC, TextureCompressionBC, "texture-compression-bc")                                \
    X(TEXTURE_COMPRESSION_BC_SLICED_3D, TextureCompressionBCSliced3D, "texture-compression-bc-sliced-3d")    \
    X(INDIRECT_FIRST_INSTANCE, IndirectFirstInstance, "indirect-first-instance")                             \
    X(SHADER_F16, ShaderF16, "shader-f16")                                                                   \
    X(RG11B10UFLOAT_RENDERABLE, RG11B10UfloatRenderable, "rg11b10ufloat-renderable")                         \
    X(BGRA8UNORM_STORAGE, BGRA8UnormStorage, "bgra8unorm-storage")                                           \
    X(FLOAT32_FILTERABLE, Float32Filterable, "float32-filterable")                                           \
    X(FLOAT32_BLENDABLE, Float32Blendable, "float32-blendable")                                              \
    X(CLIP_DISTANCES, ClipDistances, "clip-distances")                                                       \
    X(DUAL_SOURCE_BLENDING, DualSourceBlending, "dual-source-blending")                                      \
    X(SUBGROUPS, Subgroups, "subgroups")                                                                     \
    X(TIMESTAMP_INSIDE_PASSES, ChromiumExperimentalTimestampQueryInsidePasses,                               \
      "chromium-experimental-timestamp-query-inside-passes")                                                 \
    X(UNORM16_TEXTURE_FORMATS, Unorm16TextureFormats, "unorm16-texture-formats")                             \
    X(SNORM16_TEXTURE_FORMATS, Snorm16TextureFormats, "snorm16-texture-formats")                             \
    X(NORM16_TEXTURE_FORMATS, Norm16TextureFormats, "norm16-texture-formats")                                \
    X(R8UNORM_STORAGE, R8UnormStorage, "r8-unorm-storage")                                                   \
    X(SHADER_COMPILATION_OPTIONS, ShaderModuleCompilationOptions, "shader-module-compilation-options")       \
    X(MULTI_DRAW_INDIRECT, MultiDrawIndirect, "multi-draw-indirect")                                         \
    X(COPY_ROW_ALIGNMENT, DawnTexelCopyBufferRowAlignment, "dawn-texel-copy-buffer-row-alignment")           \
    X(FLEXIBLE_TEXTURE_VIEWS, FlexibleTextureViews, "flexible-texture-views")

enum ag_gpu_feature {
#define AG_GPU_FEATURE_ENUM(name, webgpu_name, spelling) AG_GPU_FEATURE_##name,
    AG_GPU_FEATURES(AG_GPU_FEATURE_ENUM)
#undef AG_GPU_FEATURE_ENUM
    AG_GPU_FEATURE_COUNT
};
/* clang-format on */

/* Bit `1 << feature` for each feature. */
typedef uint64_t ag_gpu_feature_set;

ag_gpu_feature_set ag_adapter_features(WGPUAdapter adapter);
ag_gpu_feature_set ag_device_features(WGPUDevice device);
/* The set of the feature with WebGPU's spelling; empty when it is not in the table. */
ag_gpu_feature_set ag_feature_named(const char *spelling);

/* Fill an array with WebGPU's names or spellings; return how many. */
uint32_t ag_feature_set_names(ag_gpu_feature_set set, WGPUFeatureName names[AG_GPU_FEATURE_COUNT]);
uint32_t ag_feature_set_spellings(ag_gpu_feature_set set, const char *spellings[AG_GPU_FEATURE_COUNT]);

#define AG_GPU_LIMIT_COUNT 32

/* Lists all limits by name, in the order of WGPULimits. */
void ag_limits_by_name(const WGPULimits *limits, struct agpu_adapter_limit named[AG_GPU_LIMIT_COUNT]);

#endif
