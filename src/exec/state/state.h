/* SPDX-License-Identifier: MIT
 *
 * Direct3D 11's fixed-function state, whole, and what it becomes in WebGPU. The wire carries less: its
 * packets of ABI 1.4 fill in Direct3D's defaults. Numbers are Direct3D's (aerogpu/abi/ext.h). Descriptors are
 * zeroed before they are filled, so that their bytes can be hashed and compared.
 */
#ifndef AG_EXEC_STATE_STATE_H
#define AG_EXEC_STATE_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "aerogpu/translate.h"
#include "gpu/webgpu.h"

struct aerogpu_blend_state;
struct aerogpu_cmd_create_sampler;
struct aerogpu_depth_stencil_state;
struct aerogpu_rasterizer_state;
struct ag_host_format;

enum ag_topology {
    AG_TOPOLOGY_POINT_LIST = 1,
    AG_TOPOLOGY_LINE_LIST = 2,
    AG_TOPOLOGY_LINE_STRIP = 3,
    AG_TOPOLOGY_TRIANGLE_LIST = 4,
    AG_TOPOLOGY_TRIANGLE_STRIP = 5,
    AG_TOPOLOGY_TRIANGLE_FAN = 6, /* of the wire only */
};

struct ag_blend_target {
    uint8_t enable, logic_enable;
    uint8_t source, destination, operation; /* colour */
    uint8_t source_alpha, destination_alpha, operation_alpha;
    uint8_t logic;      /* enum aerogpu_ext_logic_op */
    uint8_t write_mask; /* R 1, G 2, B 4, A 8 */
};

struct ag_blend_desc {
    uint8_t alpha_to_coverage;
    uint8_t independent; /* 0: target 0 stands for all */
    struct ag_blend_target targets[AGPU_MAX_RENDER_TARGETS];
};

struct ag_stencil_face {
    uint8_t fail, depth_fail, pass, comparison;
};

struct ag_depth_stencil_desc {
    uint8_t depth_enable, depth_write, depth_comparison;
    uint8_t stencil_enable, read_mask, write_mask;
    struct ag_stencil_face front, back;
};

struct ag_rasterizer_desc {
    uint8_t fill, cull, front_counter_clockwise;
    uint8_t depth_clip, scissor, multisample, antialiased_line;
    uint8_t forced_samples; /* 0: those of the targets */
    int32_t depth_bias;
    float depth_bias_clamp, slope_scaled_depth_bias;
};

struct ag_sampler_desc {
    uint32_t filter; /* enum aerogpu_ext_filter */
    uint8_t address_u, address_v, address_w, comparison;
    uint32_t max_anisotropy;
    float mip_lod_bias, min_lod, max_lod;
    float border_color[4];
};

/* Direct3D 11's defaults, as an unset state has them. */
void ag_blend_default(struct ag_blend_desc *desc);
void ag_depth_stencil_default(struct ag_depth_stencil_desc *desc);
void ag_rasterizer_default(struct ag_rasterizer_desc *desc);
void ag_sampler_default(struct ag_sampler_desc *desc);
/* From the wire (spec: ABI 12.7 F1-F4). An unknown cull mode leaves `desc->cull` as it was. */
void ag_blend_from_abi(const struct aerogpu_blend_state *wire, struct ag_blend_desc *desc);
void ag_depth_stencil_from_abi(const struct aerogpu_depth_stencil_state *wire,
                               struct ag_depth_stencil_desc *desc);
void ag_rasterizer_from_abi(const struct aerogpu_rasterizer_state *wire, struct ag_rasterizer_desc *desc);
/* False when a number is not in the ABI (spec: 12.6 B9). */
bool ag_sampler_from_abi(const struct aerogpu_cmd_create_sampler *wire, struct ag_sampler_desc *desc);
/* A component of the blend factor as WebGPU takes it. */
float ag_blend_constant(uint32_t bits);
/* The target's own entry, or entry 0 when targets are not independent. */
const struct ag_blend_target *ag_blend_target_of(const struct ag_blend_desc *desc, uint32_t target);
/* Blend and write mask of one target of `format`. Returns false when the target does not blend. Targets
 * without alpha read destination alpha as 1 and never write it (semantics 10.3). */
bool ag_blend_to_webgpu(const struct ag_blend_target *target, const struct ag_host_format *format,
                        WGPUBlendState *blend, WGPUColorWriteMask *write_mask);
/* The logic operation of targets as the translator takes it (its option `logic`), or 0: there is none, or it
 * is NOOP, which writes nothing. */
uint8_t ag_blend_logic(const struct ag_blend_target *target);
/* Whether a factor reads the second output of the pixel shader. */
bool ag_blend_uses_source1(const struct ag_blend_target *target);
/* Depth and stencil of an attachment of `format`; parts that the format lacks are switched off. */
void ag_depth_stencil_to_webgpu(const struct ag_depth_stencil_desc *desc,
                                const struct ag_rasterizer_desc *rasterizer, bool triangles,
                                const struct ag_host_format *format, WGPUDepthStencilState *state);
/* UNORM depth is held as float, where the constant part of the bias is not WebGPU's (D3D11.3 15.10): the
 * vertex shader adds it, in units of depth. */
bool ag_depth_bias_in_shader(const struct ag_rasterizer_desc *rasterizer,
                             const struct ag_host_format *format);
float ag_depth_bias_of(const struct ag_rasterizer_desc *rasterizer);
/* False, with what is missing in *missing, when WebGPU has no such sampler. */
bool ag_sampler_to_webgpu(const struct ag_sampler_desc *desc, WGPUSamplerDescriptor *sampler,
                          const char **missing);
bool ag_sampler_compares(const struct ag_sampler_desc *desc);
bool ag_sampler_has_bias(const struct ag_sampler_desc *desc);
/* What WebGPU's samplers lack and shaders do instead: border colours, MIRROR_ONCE, a bias of comparisons. */
bool ag_sampler_is_emulated(const struct ag_sampler_desc *desc);
WGPUCompareFunction ag_comparison_to_webgpu(uint32_t comparison);
/* Point, line and triangle lists and strips; false for the others. */
bool ag_topology_to_webgpu(uint32_t topology, WGPUPrimitiveTopology *primitive);

/* What a border colour becomes in textures of the format: AG_VIEW_BORDER_* (aerogpu/translate.h). */
uint32_t ag_format_border(const struct ag_host_format *format);

#endif
