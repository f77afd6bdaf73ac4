/* SPDX-License-Identifier: MIT */
#include "exec/state/state.h"

#include <string.h>

#include "aerogpu/abi/cmd.h"
#include "aerogpu/abi/ext.h"
#include "base/bytes.h"
#include "format/format.h"
#include "gpu/webgpu.h"

void ag_rasterizer_default(struct ag_rasterizer_desc *desc)
{
    memset(desc, 0, sizeof *desc);
    desc->fill = AEROGPU_EXT_FILL_SOLID;
    desc->cull = AEROGPU_EXT_CULL_BACK;
    desc->depth_clip = 1;
}

void ag_rasterizer_from_abi(const struct aerogpu_rasterizer_state *wire, struct ag_rasterizer_desc *desc)
{
    uint8_t cull = desc->cull;
    ag_rasterizer_default(desc);
    desc->fill =
        wire->fill_mode == AEROGPU_FILL_WIREFRAME ? AEROGPU_EXT_FILL_WIREFRAME : AEROGPU_EXT_FILL_SOLID;
    desc->cull = wire->cull_mode <= AEROGPU_CULL_BACK ? (uint8_t)(wire->cull_mode + 1) : cull;
    desc->front_counter_clockwise = wire->front_ccw != 0;
    desc->scissor = wire->scissor_enable != 0;
    desc->depth_bias = wire->depth_bias;
    desc->depth_clip = (wire->flags & AEROGPU_RASTERIZER_FLAG_DEPTH_CLIP_DISABLE) == 0;
}

static bool holds_float(const struct ag_host_format *format)
{
    return ag_host_format_has(format, AG_FORMAT_DEPTH_FLOAT);
}

enum ag_depth_bias_place ag_depth_bias_place(const struct ag_rasterizer_desc *rasterizer,
                                             const struct ag_host_format *format, enum ag_drawn_faces faces,
                                             uint32_t samples, bool rounded)
{
    const bool constant = rasterizer->depth_bias != 0;
    const bool slope = rasterizer->slope_scaled_depth_bias < 0 || rasterizer->slope_scaled_depth_bias > 0;
    const bool clamps = rasterizer->depth_bias_clamp < 0 || rasterizer->depth_bias_clamp > 0;
    if (faces == AG_FACES_NONE || (!constant && !slope))
        return AG_DEPTH_BIAS_NOWHERE;
    if (faces == AG_FACES_EDGES)
        return AG_DEPTH_BIAS_OF_EDGES;
    if (holds_float(format))
        return AG_DEPTH_BIAS_OF_DRIVER;
    if (rounded || (samples == 1 && constant && slope && clamps))
        return AG_DEPTH_BIAS_OF_PIXEL;
    return constant ? AG_DEPTH_BIAS_OF_VERTEX : AG_DEPTH_BIAS_OF_DRIVER;
}

float ag_depth_bias_constant(const struct ag_rasterizer_desc *rasterizer, const struct ag_host_format *format)
{
    const float bias = (float)rasterizer->depth_bias;
    return holds_float(format) ? bias : bias * (format->conversion == AG_CONVERT_D24S8 ? 0x1p-24f : 0x1p-16f);
}

float ag_depth_bias_clamped(const struct ag_rasterizer_desc *rasterizer, const struct ag_host_format *format)
{
    const float bias = ag_depth_bias_constant(rasterizer, format), clamp = rasterizer->depth_bias_clamp;
    return clamp > 0 && bias > clamp ? clamp : clamp < 0 && bias < clamp ? clamp : bias;
}

bool ag_topology_to_webgpu(uint32_t topology, WGPUPrimitiveTopology *primitive)
{
    static const WGPUPrimitiveTopology topologies[] = {
        [AG_TOPOLOGY_POINT_LIST] = WGPUPrimitiveTopology_PointList,
        [AG_TOPOLOGY_LINE_LIST] = WGPUPrimitiveTopology_LineList,
        [AG_TOPOLOGY_LINE_STRIP] = WGPUPrimitiveTopology_LineStrip,
        [AG_TOPOLOGY_TRIANGLE_LIST] = WGPUPrimitiveTopology_TriangleList,
        [AG_TOPOLOGY_TRIANGLE_STRIP] = WGPUPrimitiveTopology_TriangleStrip,
    };
    if (topology == 0 || topology >= AG_COUNT_OF(topologies))
        return false;
    *primitive = topologies[topology];
    return true;
}
