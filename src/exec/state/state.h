/* SPDX-License-Identifier: MIT
 *
 * Direct3D 11's fixed-function state: descriptions of state objects, how packets fill them, and what they
 * become in WebGPU. All functions are pure. Enumerations have Direct3D's numbers (aerogpu/abi/ext.h). The
 * packets of ABI 1.4 carry only a part of each description; Direct3D's defaults fill the rest. Descriptions
 * are zeroed before they are filled, so that their bytes can be hashed and compared.
 */
#ifndef AG_EXEC_STATE_STATE_H
#define AG_EXEC_STATE_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "aerogpu/translate.h"
#include "gpu/webgpu.h"
#include "wgsl/options.h"

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
    AG_TOPOLOGY_TRIANGLE_FAN = 6, /* in packets only; draws rewrite fans as lists */
};

/* Whether the vertices of a primitive are those of the one before, until an index is the cut value. */
static inline bool ag_topology_is_strip(uint32_t topology)
{
    return topology == AG_TOPOLOGY_LINE_STRIP || topology == AG_TOPOLOGY_TRIANGLE_STRIP;
}

struct ag_blend_target {
    uint8_t enable, logic_enable;
    uint8_t source, destination, operation; /* of the colour */
    uint8_t source_alpha, destination_alpha, operation_alpha;
    uint8_t logic;      /* enum aerogpu_ext_logic_op */
    uint8_t write_mask; /* R 1, G 2, B 4, A 8 */
};

struct ag_blend_desc {
    uint8_t alpha_to_coverage;
    uint8_t independent; /* 0: targets[0] applies to every target */
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
    uint8_t forced_samples; /* 0: the targets' sample count */
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

/* ---- Descriptions out of packets ---------------------------------------------------------------------- */

/* Direct3D 11's default state. */
void ag_blend_default(struct ag_blend_desc *desc);
void ag_depth_stencil_default(struct ag_depth_stencil_desc *desc);
void ag_rasterizer_default(struct ag_rasterizer_desc *desc);
void ag_sampler_default(struct ag_sampler_desc *desc);

/* Descriptions out of the packets of ABI 1.4 (spec: ABI 12.7 F1-F4). An unknown cull mode leaves
 * desc->cull as it was. */
void ag_blend_from_abi(const struct aerogpu_blend_state *wire, struct ag_blend_desc *desc);
void ag_depth_stencil_from_abi(const struct aerogpu_depth_stencil_state *wire,
                               struct ag_depth_stencil_desc *desc);
void ag_rasterizer_from_abi(const struct aerogpu_rasterizer_state *wire, struct ag_rasterizer_desc *desc);

/* False, without a report, when a field has a number that is not in the ABI (spec: 12.6 B9). */
bool ag_sampler_from_abi(const struct aerogpu_cmd_create_sampler *wire, struct ag_sampler_desc *desc);

/* A component of the blend factor as WebGPU takes the number: finite, and 0 in place of a NaN. */
float ag_blend_constant(uint32_t bits);

/* Whether the numbers of a description that was made elsewhere are those of its enumerations, or 0. */
bool ag_blend_target_is_known(const struct ag_blend_target *target);
bool ag_depth_stencil_is_known(const struct ag_depth_stencil_desc *desc);

/* ---- Blending ----------------------------------------------------------------------------------------- */

/* The blend state that applies to a render target. */
const struct ag_blend_target *ag_blend_target_of(const struct ag_blend_desc *desc, uint32_t target);

/* The blend state that applies to a render target of `format` when something is drawn. Integers are not
 * blended, logic operations are for UINT alone, and a second source exists for target 0 alone: targets above
 * that name one take the first, as they are free to (D3D11.3 17.6, 17.7). */
struct ag_blend_target ag_blend_drawn(const struct ag_blend_desc *desc, uint32_t index,
                                      const struct ag_host_format *format);

/* The parts of a blend constant, which is one for all targets: bits. */
enum ag_blend_part {
    AG_BLEND_COLOR = 1,
    AG_BLEND_ALPHA = 2,
    AG_BLEND_UNORM = 4, /* the constant is clamped to [0, 1] */
    AG_BLEND_SNORM = 8, /* to [-1, 1] */
};

/* The parts of the blend constant that are factors of the target. */
uint8_t ag_blend_constants(const struct ag_blend_target *target);

/* How what WebGPU blends may leave the range of a target whose UNORM or SNORM components are floats on the
 * host (AG_CONVERT_FLOATS): bits. */
enum ag_blend_excess {
    AG_BLEND_EXCEEDS_MOST = 1,
    AG_BLEND_EXCEEDS_LEAST = 2,
    AG_BLEND_EXCEEDS_EACH = 4, /* a draw behind it would not give the same if it were clamped later */
};

/* The excess of a target of `format`. Without AG_BLEND_EXCEEDS_EACH draws only add to the target, or only
 * take from it, so that it does not matter when it is clamped. */
uint8_t ag_blend_excess(const struct ag_blend_target *target, const struct ag_host_format *format);

/* The blend state and write mask for a render target of `format`. False when the target does not blend.
 * Formats without alpha read destination alpha as 1 and never write alpha (semantics 10.3). `constants`: the
 * parts of the blend constant that are factors of some target. The other parts have to be 0. */
bool ag_blend_to_webgpu(const struct ag_blend_target *target, const struct ag_host_format *format,
                        uint8_t constants, WGPUBlendState *blend, WGPUColorWriteMask *write_mask);

/* The logic operation as the translator's option `logic`. 0 when the target has no logic operation, or NOOP,
 * for which the write mask is empty. */
uint8_t ag_blend_logic(const struct ag_blend_target *target);

/* The factors that pixel shaders multiply planes of float samples with; all 0 where the target does not
 * blend.
 */
struct ag_target_factors ag_blend_factors(const struct ag_blend_target *target,
                                          const struct ag_host_format *format);

/* The same as ag_blend_to_webgpu() for a plane of float samples, whose shader output has the factors of
 * ag_blend_factors(). `component`: which of the target's it is. */
bool ag_blend_plane_to_webgpu(const struct ag_blend_target *target, const struct ag_host_format *format,
                              uint32_t component, WGPUBlendState *blend, WGPUColorWriteMask *write_mask);

/* Whether a factor of a colour is made of the target's alpha, which a plane does not have. */
bool ag_blend_crosses_planes(const struct ag_blend_target *target, const struct ag_host_format *format);

/* Whether a blend factor reads the second output of the pixel shader. */
bool ag_blend_uses_source1(const struct ag_blend_target *target);

/* ---- Depth, stencil and rasterizer -------------------------------------------------------------------- */

/* Whether a pixel shader rounds depth to the values of the attachment's format: 24 bits, which the host keeps
 * as floats, and which Direct3D compares as it stores them (D3D11.3 17.11). A pixel shader knows one depth a
 * pixel, so that depth with several samples is not rounded. `samples`: of the host. */
bool ag_depth_is_rounded(const struct ag_depth_stencil_desc *desc, const struct ag_host_format *format,
                         uint32_t samples);

/* The primitives of a draw, as far as depth bias goes. Points and lines have none. */
enum ag_drawn_faces {
    AG_FACES_NONE,
    AG_FACES_FILLED,
    AG_FACES_EDGES, /* of triangles, which are lines for WebGPU */
};

/* Who adds the depth bias. WebGPU's constant part is in steps of the host's format, as its driver has them,
 * so that for UNORM depth the driver adds the slope alone (D3D11.3 15.10). */
enum ag_depth_bias_place {
    AG_DEPTH_BIAS_NOWHERE,
    AG_DEPTH_BIAS_OF_DRIVER,
    AG_DEPTH_BIAS_OF_VERTEX, /* the vertex shader adds the constant part, the driver the slope */
    AG_DEPTH_BIAS_OF_PIXEL,
    AG_DEPTH_BIAS_OF_EDGES, /* the vertex shader that draws edges adds all */
};

/* `samples`: of the host. `rounded`: ag_depth_is_rounded(). */
enum ag_depth_bias_place ag_depth_bias_place(const struct ag_rasterizer_desc *rasterizer,
                                             const struct ag_host_format *format, enum ag_drawn_faces faces,
                                             uint32_t samples, bool rounded);

/* The constant part of the depth bias in units of depth; where depth is float, as the guest has it. */
float ag_depth_bias_constant(const struct ag_rasterizer_desc *rasterizer,
                             const struct ag_host_format *format);
/* The same, clamped. */
float ag_depth_bias_clamped(const struct ag_rasterizer_desc *rasterizer, const struct ag_host_format *format);

/* Depth, stencil and depth bias for an attachment of `format`, but not the format. Depth or stencil is
 * switched off where the format has none. */
void ag_depth_stencil_to_webgpu(const struct ag_depth_stencil_desc *desc,
                                const struct ag_rasterizer_desc *rasterizer, enum ag_depth_bias_place bias,
                                const struct ag_host_format *format, WGPUDepthStencilState *state);

WGPUCompareFunction ag_comparison_to_webgpu(uint32_t comparison);

/* ---- Samplers ----------------------------------------------------------------------------------------- */

/* False, with the missing capability's name in *missing and without a report, when neither WebGPU nor a
 * shader can sample so. */
bool ag_sampler_to_webgpu(const struct ag_sampler_desc *desc, WGPUSamplerDescriptor *sampler,
                          const char **missing);

/* Whether the filter is a comparison filter. */
bool ag_sampler_compares(const struct ag_sampler_desc *desc);

/* Whether MipLODBias is not 0. */
bool ag_sampler_has_bias(const struct ag_sampler_desc *desc);

/* Whether shaders do a part of the sampling: border colours, MIRROR_ONCE, or the bias of a comparison
 * sampler, none of which WebGPU's samplers have. */
bool ag_sampler_is_emulated(const struct ag_sampler_desc *desc);

/* How a border colour is converted in textures of the format: AG_VIEW_BORDER_* (aerogpu/translate.h). */
uint32_t ag_format_border(const struct ag_host_format *format);
/* Whether the format has no alpha, so that shaders see 1. */
bool ag_format_is_opaque(const struct ag_host_format *format);

/* ---- Topologies --------------------------------------------------------------------------------------- */

/* False for a topology that WebGPU does not have: fans, patches, and primitives with adjacency. */
bool ag_topology_to_webgpu(uint32_t topology, WGPUPrimitiveTopology *primitive);
#endif
