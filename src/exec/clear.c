/* SPDX-License-Identifier: MIT */
#include "exec/clear.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>

#include "base/bytes.h"
#include "exec/exec.h"

static double bounded(double value, double least, double most)
{
    return value < least ? least : value > most ? most : value;
}

/* Component `index` as a target of the format takes it: WebGPU takes no NaN, no infinity and no integer that
 * does not fit. Integers are the nearest (D3D11.3 5.2.3.1). */
static double clear_component(uint32_t bits, uint32_t index, const struct agpu_host_format *format)
{
    const double value = (double)agpu_float_from_bits(bits);
    const uint8_t width = agpu_host_format_components(format).bits[index];
    const double steps = ldexp(1.0, width);
    if (isnan(value))
        return 0;
    switch (format->vertex_bytes ? (enum agpu_number)format->vertex_number : AGPU_NUMBER_UNORM) {
    case AGPU_NUMBER_UINT:
        return bounded(nearbyint(value), 0, steps - 1);
    case AGPU_NUMBER_SINT:
        return bounded(nearbyint(value), -steps / 2, steps / 2 - 1);
    case AGPU_NUMBER_FLOAT:
        return bounded(value, -(double)FLT_MAX, (double)FLT_MAX);
    case AGPU_NUMBER_SNORM:
        return bounded(value, -1, 1);
    case AGPU_NUMBER_UNORM:
        break;
    }
    return bounded(value, 0, 1);
}

static float clear_depth(uint32_t bits, const struct agpu_host_format *format)
{
    float value = agpu_float_from_bits(bits);
    if (!(value > 0))
        value = 0;
    if (value > 1)
        value = 1;
    if (format->conversion == AGPU_CONVERT_D24S8) /* what a buffer of 24 bits would hold */
        value = (float)(floor((double)value * 16777215.0 + 0.5) / 16777215.0);
    return value;
}

static bool resolve(struct agpu_exec *exec, struct agpu_target_slot *slot, bool depth)
{
    if (!slot->view)
        slot->view = agpu_handle_view(exec, slot->handle);
    if (!slot->view) {
        agpu_exec_fail(exec, AGPU_DIAG_EXEC_HANDLE, "render target handle %" PRIu32 " names no texture",
                       slot->handle);
        return false;
    }
    if (!agpu_host_format_has(slot->view->format, AGPU_FORMAT_RENDERABLE) ||
        agpu_host_format_has(slot->view->format, AGPU_FORMAT_DEPTH) != depth) {
        agpu_exec_fail(exec, AGPU_DIAG_EXEC_ARGUMENT, "a %s texture is no %s target",
                       slot->view->format->name, depth ? "depth" : "colour");
        return false;
    }
    return agpu_texture_pull(exec, slot->view->texture);
}

static void clear_view(struct agpu_exec *exec, struct agpu_texture_view *view,
                       struct agpu_pending_clear *value)
{
    value->view = view;
    value->mip = view->base_mip;
    for (uint32_t i = 0; i < view->layer_count; i++) {
        value->layer = view->base_layer + i;
        agpu_pass_clear(exec, value);
    }
}

static bool clear_colors(struct agpu_exec *exec, const struct aerogpu_cmd_clear *clear)
{
    struct agpu_context *context = exec->context;
    for (uint32_t i = 0; i < context->target_count; i++) {
        struct agpu_target_slot *slot = &context->targets[i];
        if (slot->handle == 0)
            continue;
        if (!resolve(exec, slot, false))
            return false;
        const struct agpu_host_format *format = slot->view->format;
        struct agpu_pending_clear value = {
            .aspects = AGPU_CLEAR_ASPECT_COLOR,
            .color = {clear_component(clear->color_rgba_f32[0], 0, format),
                      clear_component(clear->color_rgba_f32[1], 1, format),
                      clear_component(clear->color_rgba_f32[2], 2, format),
                      clear_component(clear->color_rgba_f32[3], 3, format)},
        };
        if (agpu_host_format_has(format, AGPU_FORMAT_NO_ALPHA))
            value.color.a = 1;
        if (format->texture == WGPUTextureFormat_RGB10A2Uint &&
            (value.color.r > 255 || value.color.g > 255 || value.color.b > 255))
            agpu_exec_warn_once(exec, AGPU_WARNING_CLEAR,
                                "WebGPU clears R10G10B10A2_UINT to 255 at most: other values become 255");
        clear_view(exec, slot->view, &value);
    }
    return true;
}

static bool clear_depth_stencil(struct agpu_exec *exec, const struct aerogpu_cmd_clear *clear)
{
    struct agpu_target_slot *slot = &exec->context->depth_target;
    if (slot->handle == 0)
        return true;
    if (!resolve(exec, slot, true))
        return false;
    const struct agpu_host_format *format = slot->view->format;
    struct agpu_pending_clear value = {.depth = clear_depth(clear->depth_f32, format),
                                       .stencil = clear->stencil & 0xFF};
    if (clear->flags & AEROGPU_CLEAR_DEPTH)
        value.aspects |= AGPU_CLEAR_ASPECT_DEPTH;
    if ((clear->flags & AEROGPU_CLEAR_STENCIL) && agpu_host_format_has(format, AGPU_FORMAT_STENCIL))
        value.aspects |= AGPU_CLEAR_ASPECT_STENCIL;
    if (value.aspects)
        clear_view(exec, slot->view, &value);
    return true;
}

enum agpu_status agpu_clear(struct agpu_exec *exec, const struct aerogpu_cmd_clear *clear)
{
    if ((clear->flags & AEROGPU_CLEAR_COLOR) && !clear_colors(exec, clear))
        return AGPU_REFUSED;
    if ((clear->flags & (AEROGPU_CLEAR_DEPTH | AEROGPU_CLEAR_STENCIL)) && !clear_depth_stencil(exec, clear))
        return AGPU_REFUSED;
    exec->counts.clears++;
    return AGPU_OK;
}
