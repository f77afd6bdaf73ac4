/* SPDX-License-Identifier: MIT */
#include "exec/transfer/clear.h"

#include <float.h>
#include <math.h>

#include "aerogpu/abi/ext.h"
#include "aerogpu/diag.h"
#include "base/bytes.h"
#include "exec/blit/texture_sync.h"
#include "exec/host/progress.h"
#include "exec/object/texture.h"
#include "exec/object/view.h"
#include "exec/record/recorder.h"
#include "exec/transfer/clear_rects.h"
#include "exec/transfer/copier.h"
#include "exec/transfer/texture_pull.h"
#include "format/format.h"
#include "format/norm.h"
#include "gpu/webgpu.h"

static double bounded(double value, double least, double most)
{
    return value < least ? least : value > most ? most : value;
}

/* Where the host has more bits, or keeps UNORM or SNORM as floats, the value becomes the nearest one that the
 * guest's bits can have. */
static double nearest_step(double value, double steps, const struct ag_host_format *format)
{
    return (format->conversion == AG_CONVERT_FLOATS || ag_format_rounds(format)) && steps > 0
               ? trunc(value * steps + (value < 0 ? -0.5 : 0.5)) / steps
               : value;
}

/* The packed float of so many bits below a number, which is not NaN. */
static double packed_float(double value, uint32_t bits)
{
    int exponent;
    if (!(value > 0))
        return 0;
    frexp(value, &exponent); /* in [0.5, 1) * 2^exponent */
    const double step = ldexp(1.0, (exponent > -13 ? exponent - 1 : -14) - (int)(bits - 5));
    return bounded(floor(value / step) * step, 0, 65536 - ldexp(1.0, 15 - (int)(bits - 5)));
}

/* The clear value of a component. WebGPU refuses NaN, infinity, and integers that the format cannot have. */
static double clear_component(double value, uint32_t index, const struct ag_host_format *format)
{
    const uint8_t width = ag_host_format_components(format).bits[index];
    const double steps = ldexp(1.0, width);
    if (isnan(value))
        return 0;
    switch (format->vertex_bytes ? (enum ag_number)format->number : AG_NUMBER_UNORM) {
    case AG_NUMBER_UINT:
        return bounded(value, 0, steps - 1);
    case AG_NUMBER_SINT:
        return bounded(value, -steps / 2, steps / 2 - 1);
    case AG_NUMBER_FLOAT:
        if (format->conversion == AG_CONVERT_HALVES)
            return packed_float(value, width);
        return bounded(value, -(double)FLT_MAX, (double)FLT_MAX);
    case AG_NUMBER_SNORM:
        return nearest_step(bounded(value, -1, 1), steps / 2 - 1, format);
    case AG_NUMBER_UNORM:
        break;
    }
    return nearest_step(bounded(value, 0, 1), steps - 1, format);
}

/* Draws round depth of 24 bits where there is one sample only (ag_depth_is_rounded()). */
static float clear_depth(uint32_t bits, const struct ag_texture_view *view)
{
    float value = ag_float_from_bits(bits);
    if (!(value > 0))
        value = 0;
    if (value > 1)
        value = 1;
    if (view->format->conversion == AG_CONVERT_D24S8 && view->texture->sample_count == 1)
        value = ag_float_from_depth24(ag_depth24_from_float(value));
    return value;
}

static void clear_view(struct ag_copier *copier, struct ag_texture_view *view, struct ag_pending_clear *value,
                       struct ag_progress *progress)
{
    const uint64_t rest = view->layer_count - progress->done;
    const uint64_t end = progress->done + (rest < AG_PART_PASSES ? rest : AG_PART_PASSES);
    value->view = view;
    value->mip = view->base_mip;
    for (uint64_t i = progress->done; i < end; i++) {
        value->layer = view->base_layer + (uint32_t)i;
        ag_view_clear(copier->blitter, value);
    }
    if (end < view->layer_count)
        ag_progress_pause(progress, end);
    else
        progress->done = 0;
}

/* `integers`: what turns floats into integers. */
static WGPUColor color_of(const uint32_t bits[4], double (*integers)(double),
                          const struct ag_host_format *format)
{
    const bool rounded = format->class == AG_CLASS_UINT || format->class == AG_CLASS_SINT;
    double values[4];
    for (uint32_t i = 0; i < 4; i++) {
        const double value = (double)ag_float_from_bits(bits[i]);
        values[i] = clear_component(rounded ? integers(value) : value, i, format);
    }
    WGPUColor color = {values[0], values[1], values[2], values[3]};
    if (ag_host_format_has(format, AG_FORMAT_NO_ALPHA))
        color.a = 1;
    if (ag_host_format_has(format, AG_FORMAT_ALPHA_ONLY))
        color.r = color.g = color.b = 0;
    return color;
}

/* WebGPU's load operations clear RGB10A2Uint to 255 at most. */
static bool is_beyond_clears(const WGPUColor *color, const struct ag_host_format *format)
{
    return format->texture == WGPUTextureFormat_RGB10A2Uint &&
           (color->r > 255 || color->g > 255 || color->b > 255);
}

enum agpu_status ag_clear_color(struct ag_copier *copier, struct ag_texture_view *view,
                                const uint32_t bits[4], const struct aerogpu_ext_rect *rects, uint32_t count,
                                struct ag_progress *progress)
{
    static const struct aerogpu_ext_rect all = {0, 0, INT32_MAX, INT32_MAX};
    /* ClearRenderTargetView takes the nearest integer (D3D11.3 5.2.3.1); ClearView, which has rectangles, the
     * whole part of a float (5.2.3.3). */
    struct ag_pending_clear value = {
        .aspects = AG_CLEAR_ASPECT_COLOR,
        .color = color_of(bits, count ? trunc : nearbyint, view->format),
    };
    if (count)
        return ag_clear_rects(copier, view, &value, rects, count, progress);
    if (is_beyond_clears(&value.color, view->format))
        return ag_clear_rects(copier, view, &value, &all, 1, progress);
    if (!ag_texture_pull(copier, view->texture))
        return AGPU_REFUSED;
    clear_view(copier, view, &value, progress);
    return AGPU_OK;
}

enum agpu_status ag_clear_depth_stencil(struct ag_copier *copier, struct ag_texture_view *view,
                                        const struct ag_depth_clear *clear,
                                        const struct aerogpu_ext_rect *rects, uint32_t count,
                                        struct ag_progress *progress)
{
    struct ag_pending_clear value = {.depth = clear_depth(clear->depth_bits, view),
                                     .stencil = clear->stencil_value & 0xFF};
    if (clear->depth)
        value.aspects |= AG_CLEAR_ASPECT_DEPTH;
    if (clear->stencil && ag_host_format_has(view->format, AG_FORMAT_STENCIL))
        value.aspects |= AG_CLEAR_ASPECT_STENCIL;
    if (!value.aspects)
        return AGPU_OK;
    if (count)
        return ag_clear_rects(copier, view, &value, rects, count, progress);
    if (!ag_texture_pull(copier, view->texture))
        return AGPU_REFUSED;
    clear_view(copier, view, &value, progress);
    return AGPU_OK;
}
