/* SPDX-License-Identifier: MIT */
#include "exec/record/sample_planes.h"

#include "aerogpu/translate.h"
#include "exec/object/texture.h"
#include "exec/object/view.h"
#include "exec/record/recorder.h"
#include "format/format.h"
#include "gpu/webgpu.h"
#include "wgsl/options.h"

uint32_t ag_attachments_locate(const struct ag_attachments *attachments,
                               uint8_t first[AGPU_MAX_RENDER_TARGETS])
{
    uint8_t planes[AGPU_MAX_RENDER_TARGETS] = {0};
    uint32_t mask = 0;
    for (uint32_t i = 0; i < attachments->color_count; i++) {
        if (!attachments->colors[i])
            continue;
        mask |= 1u << i;
        planes[i] = attachments->colors[i]->texture->planes.count;
    }
    for (uint32_t i = 0; i < AGPU_MAX_RENDER_TARGETS; i++)
        first[i] = (uint8_t)ag_target_location(planes, mask, i);
    return ag_target_location(planes, mask, attachments->color_count);
}

static double half_of(double component, const struct ag_host_format *format, uint32_t shift)
{
    const uint32_t bits = format->class == AG_CLASS_SINT ? (uint32_t)(int32_t)component : (uint32_t)component;
    return (double)(bits >> shift & 0xFFFF);
}

WGPUColor ag_plane_color(const struct ag_texture_view *view, const WGPUColor *color, uint32_t plane)
{
    const double components[4] = {color->r, color->g, color->b, color->a};
    const struct ag_sample_planes *planes = &view->texture->planes;
    if (!planes->count)
        return *color;
    if (planes->texture == WGPUTextureFormat_R32Float)
        return (WGPUColor){components[plane], 0, 0, 0};
    const double low = components[2 * plane], high = components[2 * plane + 1];
    return (WGPUColor){half_of(low, view->format, 0), half_of(low, view->format, 16),
                       half_of(high, view->format, 0), half_of(high, view->format, 16)};
}
