/* SPDX-License-Identifier: MIT
 *
 * The rasterizer: its state, viewports, scissor rectangles.
 */
#include "guest/d3d11/context.h"

#include <string.h>

#define MOST_COORDINATE 32767.0f
#define LEAST_COORDINATE (-32768.0f)

_Static_assert(sizeof(D3D11_VIEWPORT) == sizeof(struct aerogpu_ext_viewport), "a viewport is its packet's");
_Static_assert(sizeof(D3D11_RECT) == sizeof(struct aerogpu_ext_rect), "a rectangle is its packet's");

static void tell_state(struct rt_context *context)
{
    const struct rt_state *state = (const struct rt_state *)rt_own(context, context->bindings->rasterizer);
    umd_set_rasterizer_state(context->umd, state ? state->umd.rasterizer : NULL);
}

void STDMETHODCALLTYPE rt_context_rs_set_state(ID3D11DeviceContext4 *self, ID3D11RasterizerState *state)
{
    struct rt_context *context = rt_enter(self);
    if (rt_context_bind(context, &context->bindings->rasterizer, state ? RT_OBJECT(state) : NULL))
        tell_state(context);
    rt_leave(context);
}

void STDMETHODCALLTYPE rt_context_rs_get_state(ID3D11DeviceContext4 *self, ID3D11RasterizerState **state)
{
    struct rt_context *context = rt_enter(self);
    *state = rt_object_return(context->bindings->rasterizer);
    rt_leave(context);
}

static void tell_viewports(struct rt_context *context)
{
    struct aerogpu_ext_viewport viewports[UMD_VIEWPORTS];
    memcpy(viewports, context->bindings->viewports, sizeof(viewports));
    umd_set_viewports(context->umd, context->bindings->viewport_count, viewports);
}

/* What Direct3D refuses drops the whole call. */
static bool is_viewport(const D3D11_VIEWPORT *v)
{
    return v->Width >= 0.0f && v->Height >= 0.0f && v->MinDepth >= 0.0f && v->MaxDepth <= 1.0f &&
           v->MinDepth <= v->MaxDepth && v->TopLeftX >= LEAST_COORDINATE && v->TopLeftY >= LEAST_COORDINATE &&
           v->TopLeftX + v->Width <= MOST_COORDINATE && v->TopLeftY + v->Height <= MOST_COORDINATE;
}

void STDMETHODCALLTYPE rt_context_rs_set_viewports(ID3D11DeviceContext4 *self, UINT count,
                                                   const D3D11_VIEWPORT *viewports)
{
    struct rt_context *context = rt_enter(self);
    struct rt_bindings *b = context->bindings;
    bool is_good = count <= UMD_VIEWPORTS && (count == 0 || viewports);
    for (UINT i = 0; is_good && i < count; i++)
        is_good = is_viewport(&viewports[i]);
    if (!is_good) {
        rt_message(&context->object.device->messages, D3D11_MESSAGE_ID_DEVICE_RSSETVIEWPORTS_INVALIDVIEWPORT);
    } else if (count != b->viewport_count ||
               (count && memcmp(b->viewports, viewports, count * sizeof(*viewports)) != 0)) {
        memset(b->viewports, 0, sizeof(b->viewports));
        if (count)
            memcpy(b->viewports, viewports, count * sizeof(*viewports));
        b->viewport_count = count;
        tell_viewports(context);
    }
    rt_leave(context);
}

/* Viewports beyond those that were set are zeros. */
void STDMETHODCALLTYPE rt_context_rs_get_viewports(ID3D11DeviceContext4 *self, UINT *count,
                                                   D3D11_VIEWPORT *viewports)
{
    struct rt_context *context = rt_enter(self);
    const struct rt_bindings *b = context->bindings;
    for (UINT i = 0; viewports && i < *count; i++)
        viewports[i] = i < b->viewport_count ? b->viewports[i] : (D3D11_VIEWPORT){0};
    *count = b->viewport_count;
    rt_leave(context);
}

static void tell_scissors(struct rt_context *context)
{
    struct aerogpu_ext_rect rects[UMD_VIEWPORTS];
    memcpy(rects, context->bindings->scissors, sizeof(rects));
    umd_set_scissor_rects(context->umd, context->bindings->scissor_count, rects);
}

void STDMETHODCALLTYPE rt_context_rs_set_scissor_rects(ID3D11DeviceContext4 *self, UINT count,
                                                       const D3D11_RECT *rects)
{
    struct rt_context *context = rt_enter(self);
    struct rt_bindings *b = context->bindings;
    if (count <= UMD_VIEWPORTS && (count == 0 || rects) &&
        (count != b->scissor_count || (count && memcmp(b->scissors, rects, count * sizeof(*rects)) != 0))) {
        memset(b->scissors, 0, sizeof(b->scissors));
        if (count)
            memcpy(b->scissors, rects, count * sizeof(*rects));
        b->scissor_count = count;
        tell_scissors(context);
    }
    rt_leave(context);
}

void STDMETHODCALLTYPE rt_context_rs_get_scissor_rects(ID3D11DeviceContext4 *self, UINT *count,
                                                       D3D11_RECT *rects)
{
    struct rt_context *context = rt_enter(self);
    const struct rt_bindings *b = context->bindings;
    for (UINT i = 0; rects && i < *count; i++)
        rects[i] = i < b->scissor_count ? b->scissors[i] : (D3D11_RECT){0};
    *count = b->scissor_count;
    rt_leave(context);
}

void rt_context_apply_raster(struct rt_context *context)
{
    tell_state(context);
    tell_viewports(context);
    tell_scissors(context);
}
