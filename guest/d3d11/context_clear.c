/* SPDX-License-Identifier: MIT
 *
 * Clears and discards of views.
 */
#include "guest/d3d11/context.h"
#include "guest/d3d11/format.h"
#include "guest/d3d11/view.h"

#include <limits.h>

static const struct aerogpu_ext_rect *packet_rects(const D3D11_RECT *rects)
{
    return (const struct aerogpu_ext_rect *)(const void *)rects;
}

void STDMETHODCALLTYPE rt_context_clear_render_target_view(ID3D11DeviceContext4 *self,
                                                           ID3D11RenderTargetView *given,
                                                           const FLOAT colour[4])
{
    struct rt_context *context = rt_enter(self);
    struct rt_view *view = rt_own_view(context, given);
    if (view) {
        rt_context_use(context, &view->object);
        umd_clear_render_target_view(context->umd, view->umd, colour, 0, NULL);
    }
    rt_leave(context);
}

/* Planes that the view only reads stay. */
static UINT cleared_planes(const struct rt_view *view, UINT flags)
{
    return ((flags & D3D11_CLEAR_DEPTH) && (view->written_planes & RT_PLANE_COLOUR_OR_DEPTH)
                ? (UINT)AEROGPU_EXT_CLEAR_DEPTH
                : 0) |
           ((flags & D3D11_CLEAR_STENCIL) && (view->written_planes & RT_PLANE_STENCIL)
                ? (UINT)AEROGPU_EXT_CLEAR_STENCIL
                : 0);
}

void STDMETHODCALLTYPE rt_context_clear_depth_stencil_view(ID3D11DeviceContext4 *self,
                                                           ID3D11DepthStencilView *given, UINT flags,
                                                           FLOAT depth, UINT8 stencil)
{
    struct rt_context *context = rt_enter(self);
    struct rt_view *view = rt_own_view(context, given);
    const UINT planes = view ? cleared_planes(view, flags) : 0;
    if (planes) {
        rt_context_use(context, &view->object);
        umd_clear_depth_stencil_view(context->umd, view->umd, planes, depth, stencil, 0, NULL);
    }
    rt_leave(context);
}

void STDMETHODCALLTYPE rt_context_clear_uav_uint(ID3D11DeviceContext4 *self, ID3D11UnorderedAccessView *given,
                                                 const UINT values[4])
{
    struct rt_context *context = rt_enter(self);
    struct rt_view *view = rt_own_view(context, given);
    if (view) {
        rt_context_use(context, &view->object);
        umd_clear_unordered_access_view_uint(context->umd, view->umd, values);
    }
    rt_leave(context);
}

/* Raw, structured and integer views have no clear with floats. (Spec: D3D11.3 5.2.3.2.) */
static bool has_float_clear(const struct rt_view *view)
{
    return view->shape.format != DXGI_FORMAT_UNKNOWN && !(view->shape.flags & AEROGPU_EXT_VIEW_FLAG_RAW) &&
           !rt_format_has((DXGI_FORMAT)view->shape.format, RT_FORMAT_INTEGER);
}

void STDMETHODCALLTYPE rt_context_clear_uav_float(ID3D11DeviceContext4 *self,
                                                  ID3D11UnorderedAccessView *given, const FLOAT values[4])
{
    struct rt_context *context = rt_enter(self);
    struct rt_view *view = rt_own_view(context, given);
    if (view && has_float_clear(view)) {
        rt_context_use(context, &view->object);
        umd_clear_unordered_access_view_float(context->umd, view->umd, values, 0, NULL);
    } else if (view) {
        rt_message(&context->object.device->messages,
                   D3D11_MESSAGE_ID_CLEARUNORDEREDACCESSVIEWFLOAT_INVALIDFORMAT);
    }
    rt_leave(context);
}

/* ---- ClearView ----------------------------------------------------------------------------------------- */

/* Views of 2D textures alone have rectangles; without any the whole view is cleared. */
static bool has_rects(const struct rt_view *view)
{
    return view->resource->dimension == D3D11_RESOURCE_DIMENSION_TEXTURE2D;
}

static void clear_view(struct rt_context *context, struct rt_view *view, const FLOAT colour[4], UINT count,
                       const struct aerogpu_ext_rect *rects)
{
    switch (view->shape.kind) {
    case AEROGPU_EXT_VIEW_RENDER_TARGET:
        umd_clear_render_target_view(context->umd, view->umd, colour, count, rects);
        break;
    case AEROGPU_EXT_VIEW_UNORDERED_ACCESS:
        umd_clear_unordered_access_view_float(context->umd, view->umd, colour, count, rects);
        break;
    case AEROGPU_EXT_VIEW_DEPTH_STENCIL:
        /* Of depth formats without stencil. */
        if (!rt_format_has((DXGI_FORMAT)view->shape.format, RT_FORMAT_STENCIL) &&
            cleared_planes(view, D3D11_CLEAR_DEPTH))
            umd_clear_depth_stencil_view(context->umd, view->umd, AEROGPU_EXT_CLEAR_DEPTH, colour[0], 0,
                                         count, rects);
        break;
    default:
        break;
    }
}

void STDMETHODCALLTYPE rt_context_clear_view(ID3D11DeviceContext4 *self, ID3D11View *given,
                                             const FLOAT colour[4], const D3D11_RECT *rects, UINT count)
{
    /* ClearView converts colours of integer formats in another way than ClearRenderTargetView: a rectangle of
     * everything tells the driver which one it is. */
    static const struct aerogpu_ext_rect everything = {0, 0, INT_MAX, INT_MAX};
    struct rt_context *context = rt_enter(self);
    struct rt_view *view = rt_own_view(context, given);
    if (view && (has_rects(view) || count == 0) && (count == 0 || rects)) {
        rt_context_use(context, &view->object);
        if (count > 0)
            clear_view(context, view, colour, count, packet_rects(rects));
        else if (has_rects(view))
            clear_view(context, view, colour, 1, &everything);
        else
            clear_view(context, view, colour, 0, NULL);
    }
    rt_leave(context);
}

/* ---- Discards ------------------------------------------------------------------------------------------ */

void STDMETHODCALLTYPE rt_context_discard_view1(ID3D11DeviceContext4 *self, ID3D11View *given,
                                                const D3D11_RECT *rects, UINT count)
{
    struct rt_context *context = rt_enter(self);
    struct rt_view *view = rt_own_view(context, given);
    if (view && view->shape.kind != AEROGPU_EXT_VIEW_SHADER_RESOURCE && (count == 0 || rects)) {
        rt_context_use(context, &view->object);
        umd_discard_view(context->umd, view->umd, count, count ? packet_rects(rects) : NULL);
    }
    rt_leave(context);
}

void STDMETHODCALLTYPE rt_context_discard_view(ID3D11DeviceContext4 *self, ID3D11View *view)
{
    rt_context_discard_view1(self, view, NULL, 0);
}
