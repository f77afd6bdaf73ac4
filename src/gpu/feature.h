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

/* X(NAME, WGPUFeatureName_ suffix, WebGPU's spelling, AGPU_LIMITS_ suffix of the least device that may have
 * it). A device is created with every feature that its adapter has and the options leave. */
/* clang-format off */
#define AG_GPU_FEATURES(X)                                                                                   \
    X(CORE_FEATURES_AND_LIMITS, CoreFeaturesAndLimits, "core-features-and-limits", DEFAULT)                  \
    X(DEPTH_CLIP_CONTROL, DepthClipControl, "depth-clip-control", BROWSER)                                   \
    X(DEPTH32FLOAT_STENCIL8, Depth32FloatStencil8, "depth32float-stencil8", BROWSER)                         \
    X(TIMESTAMP_QUERY, TimestampQuery, "timestamp-query", BROWSER)                                           \
    X(TEXTURE_COMPRESSION_BC, TextureCompressionBC, "texture-compression-bc", BROWSER)                       \
    X(TEXTURE_COMPRESSION_BC_SLICED_3D, TextureCompressionBCSliced3D,                                        \
      "texture-compression-bc-sliced-3d", BROWSER)                                                           \
    X(INDIRECT_FIRST_INSTANCE, IndirectFirstInstance, "indirect-first-instance", BROWSER)                    \
    X(SHADER_F16, ShaderF16, "shader-f16", BROWSER)                                                          \
    X(RG11B10UFLOAT_RENDERABLE, RG11B10UfloatRenderable, "rg11b10ufloat-renderable", BROWSER)                \
    X(BGRA8UNORM_STORAGE, BGRA8UnormStorage, "bgra8unorm-storage", BROWSER)                                  \
    X(FLOAT32_FILTERABLE, Float32Filterable, "float32-filterable", BROWSER)                                  \
    X(FLOAT32_BLENDABLE, Float32Blendable, "float32-blendable", BROWSER)                                     \
    X(CLIP_DISTANCES, ClipDistances, "clip-distances", BROWSER)                                              \
    X(DUAL_SOURCE_BLENDING, DualSourceBlending, "dual-source-blending", BROWSER)                             \
    X(SUBGROUPS, Subgroups, "subgroups", BROWSER)                                                            \
    X(TIMESTAMP_INSIDE_PASSES, ChromiumExperimentalTimestampQueryInsidePasses,                               \
      "chromium-experimental-timestamp-query-inside-passes", ADAPTER)                                        \
    X(UNORM16_TEXTURE_FORMATS, Unorm16TextureFormats, "unorm16-texture-formats", ADAPTER)                    \
    X(SNORM16_TEXTURE_FORMATS, Snorm16TextureFormats, "snorm16-texture-formats", ADAPTER)                    \
    X(NORM16_TEXTURE_FORMATS, Norm16TextureFormats, "norm16-texture-formats", ADAPTER)                       \
    X(R8UNORM_STORAGE, R8UnormStorage, "r8-unorm-storage", ADAPTER)                                          \
    X(SHADER_COMPILATION_OPTIONS, ShaderModuleCompilationOptions,                                            \
      "shader-module-compilation-options", ADAPTER)                                                          \
    X(MULTI_DRAW_INDIRECT, MultiDrawIndirect, "multi-draw-indirect", ADAPTER)                                \
    X(FLEXIBLE_TEXTURE_VIEWS, FlexibleTextureViews, "flexible-texture-views", ADAPTER)

enum ag_gpu_feature {
#define AG_GPU_FEATURE_ENUM(name, webgpu_name, spelling, least) AG_GPU_FEATURE_##name,
    AG_GPU_FEATURES(AG_GPU_FEATURE_ENUM)
#undef AG_GPU_FEATURE_ENUM
    AG_GPU_FEATURE_COUNT
};
/* clang-format on */

/* Bit `1 << feature` for each feature. */
typedef uint64_t ag_gpu_feature_set;

/* What of an adapter can be used: alignments of rows that the Null backend does not know are left out. */
ag_gpu_feature_set ag_adapter_features(WGPUAdapter adapter);
ag_gpu_feature_set ag_device_features(WGPUDevice device);
/* The set of the feature with WebGPU's spelling; empty when it is not in the table. */
ag_gpu_feature_set ag_feature_named(const char *spelling);

/* Fill an array with WebGPU's names or spellings; return how many. */
uint32_t ag_feature_set_names(ag_gpu_feature_set set, WGPUFeatureName names[AG_GPU_FEATURE_COUNT]);
uint32_t ag_feature_set_spellings(ag_gpu_feature_set set, const char *spellings[AG_GPU_FEATURE_COUNT]);

/* The features that a device may have at most. */
ag_gpu_feature_set ag_limits_features(enum agpu_limits limits);

#define AG_GPU_LIMIT_COUNT 32

/* Makes an adapter's limits no better than those of a device of this kind. */
void ag_limits_lower(enum agpu_limits kind, WGPULimits *limits);

/* What a library tells of an adapter's limits. A library of another version may tell of more. */
struct ag_told_limits {
    WGPULimits limits;
    unsigned char behind[256]; /* 0, unless there is more */
};

WGPUStatus ag_adapter_limits(WGPUAdapter adapter, struct ag_told_limits *told);

/* The name of a limit that is worse than the least that WebGPU lets any device have, and both numbers; null:
 * there is none. Of the members that were added last, software drivers have less. */
const char *ag_limits_find_impossible(const WGPULimits *limits, uint64_t *value, uint64_t *least);

/* Lists all limits by name, in the order of WGPULimits. */
void ag_limits_by_name(const WGPULimits *limits, struct agpu_adapter_limit named[AG_GPU_LIMIT_COUNT]);

#endif
