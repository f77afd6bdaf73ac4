/* SPDX-License-Identifier: MIT
 *
 * Draws, dispatches, queries and predication.
 */
#include "guest/d3d11/context.h"
#include "guest/d3d11/query.h"
#include "guest/d3d11/resource.h"

#define DRAW_ARGUMENTS_BYTES 16u
#define INDEXED_DRAW_ARGUMENTS_BYTES 20u
#define DISPATCH_ARGUMENTS_BYTES 12u
#define MOST_GROUPS D3D11_CS_DISPATCH_MAX_THREAD_GROUPS_PER_DIMENSION

void STDMETHODCALLTYPE rt_context_draw(ID3D11DeviceContext4 *self, UINT count, UINT first)
{
    struct rt_context *context = rt_enter(self);
    umd_draw(context->umd, count, 1, first, 0);
    rt_leave(context);
}

void STDMETHODCALLTYPE rt_context_draw_indexed(ID3D11DeviceContext4 *self, UINT count, UINT first, INT base)
{
    struct rt_context *context = rt_enter(self);
    umd_draw_indexed(context->umd, count, 1, first, base, 0);
    rt_leave(context);
}

void STDMETHODCALLTYPE rt_context_draw_instanced(ID3D11DeviceContext4 *self, UINT count, UINT instances,
                                                 UINT first, UINT first_instance)
{
    struct rt_context *context = rt_enter(self);
    umd_draw(context->umd, count, instances, first, first_instance);
    rt_leave(context);
}

void STDMETHODCALLTYPE rt_context_draw_indexed_instanced(ID3D11DeviceContext4 *self, UINT count,
                                                         UINT instances, UINT first, INT base,
                                                         UINT first_instance)
{
    struct rt_context *context = rt_enter(self);
    umd_draw_indexed(context->umd, count, instances, first, base, first_instance);
    rt_leave(context);
}

void STDMETHODCALLTYPE rt_context_draw_auto(ID3D11DeviceContext4 *self)
{
    struct rt_context *context = rt_enter(self);
    umd_draw_auto(context->umd);
    rt_leave(context);
}

/* Arguments that lie outside of their buffer, or in a buffer that is for something else, drop the call. */
static struct umd_resource *arguments_of(struct rt_context *context, ID3D11Buffer *given, UINT offset,
                                         UINT bytes)
{
    struct rt_resource *buffer = rt_own_resource(context, given);
    if (!buffer || !(buffer->misc_flags & D3D11_RESOURCE_MISC_DRAWINDIRECT_ARGS) || offset % 4 ||
        offset > buffer->width || bytes > buffer->width - offset)
        return NULL;
    rt_context_use(context, &buffer->object);
    return buffer->umd;
}

void STDMETHODCALLTYPE rt_context_draw_instanced_indirect(ID3D11DeviceContext4 *self, ID3D11Buffer *buffer,
                                                          UINT offset)
{
    struct rt_context *context = rt_enter(self);
    struct umd_resource *arguments = arguments_of(context, buffer, offset, DRAW_ARGUMENTS_BYTES);
    if (arguments)
        umd_draw_instanced_indirect(context->umd, arguments, offset);
    rt_leave(context);
}

void STDMETHODCALLTYPE rt_context_draw_indexed_instanced_indirect(ID3D11DeviceContext4 *self,
                                                                  ID3D11Buffer *buffer, UINT offset)
{
    struct rt_context *context = rt_enter(self);
    struct umd_resource *arguments = arguments_of(context, buffer, offset, INDEXED_DRAW_ARGUMENTS_BYTES);
    if (arguments)
        umd_draw_indexed_instanced_indirect(context->umd, arguments, offset);
    rt_leave(context);
}

void STDMETHODCALLTYPE rt_context_dispatch(ID3D11DeviceContext4 *self, UINT x, UINT y, UINT z)
{
    struct rt_context *context = rt_enter(self);
    if (x <= MOST_GROUPS && y <= MOST_GROUPS && z <= MOST_GROUPS)
        umd_dispatch(context->umd, x, y, z);
    else
        rt_message(&context->object.device->messages,
                   D3D11_MESSAGE_ID_DEVICE_DISPATCH_THREADGROUPCOUNT_OVERFLOW);
    rt_leave(context);
}

void STDMETHODCALLTYPE rt_context_dispatch_indirect(ID3D11DeviceContext4 *self, ID3D11Buffer *buffer,
                                                    UINT offset)
{
    struct rt_context *context = rt_enter(self);
    struct umd_resource *arguments = arguments_of(context, buffer, offset, DISPATCH_ARGUMENTS_BYTES);
    if (arguments)
        umd_dispatch_indirect(context->umd, arguments, offset);
    rt_leave(context);
}

/* ---- Queries ------------------------------------------------------------------------------------------- */

void STDMETHODCALLTYPE rt_context_begin(ID3D11DeviceContext4 *self, ID3D11Asynchronous *async)
{
    struct rt_context *context = rt_enter(self);
    struct rt_query *query = rt_own_query(context, async);
    if (query && !rt_query_has_begin(query)) {
        rt_message(&context->object.device->messages, D3D11_MESSAGE_ID_QUERY_BEGIN_UNSUPPORTED);
    } else if (query && context->bindings->predicate != &query->object) {
        rt_context_use(context, &query->object);
        query->state = RT_QUERY_BEGUN;
        umd_query_begin(context->umd, query->umd);
    }
    rt_leave(context);
}

void STDMETHODCALLTYPE rt_context_end(ID3D11DeviceContext4 *self, ID3D11Asynchronous *async)
{
    struct rt_context *context = rt_enter(self);
    struct rt_query *query = rt_own_query(context, async);
    if (query && context->bindings->predicate != &query->object) {
        rt_context_use(context, &query->object);
        query->state = RT_QUERY_ENDED;
        umd_query_end(context->umd, query->umd);
    }
    rt_leave(context);
}

static HRESULT get_data(struct rt_context *context, struct rt_query *query, void *data, UINT size, UINT flags)
{
    if (context->is_deferred)
        return DXGI_ERROR_INVALID_CALL;
    if (!query || (flags & ~(UINT)D3D11_ASYNC_GETDATA_DONOTFLUSH) || (size && !data) ||
        (size && size != umd_query_data_bytes(query->umd)))
        return E_INVALIDARG;
    if (query->state != RT_QUERY_ENDED)
        return DXGI_ERROR_INVALID_CALL;
    switch (umd_query_get_data(context->umd, query->umd, data, size, flags != 0)) {
    case UMD_OK:
        return S_OK;
    case UMD_WAS_STILL_DRAWING:
        return S_FALSE;
    case UMD_DEVICE_REMOVED:
        return DXGI_ERROR_DEVICE_REMOVED;
    default:
        return DXGI_ERROR_INVALID_CALL;
    }
}

HRESULT STDMETHODCALLTYPE rt_context_get_data(ID3D11DeviceContext4 *self, ID3D11Asynchronous *async,
                                              void *data, UINT size, UINT flags)
{
    struct rt_context *context = rt_enter(self);
    const HRESULT result = get_data(context, rt_own_query(context, async), data, size, flags);
    rt_leave(context);
    return result;
}

void STDMETHODCALLTYPE rt_context_set_predication(ID3D11DeviceContext4 *self, ID3D11Predicate *predicate,
                                                  BOOL value)
{
    struct rt_context *context = rt_enter(self);
    struct rt_query *query = rt_query_of(predicate);
    struct rt_bindings *b = context->bindings;
    const bool changed = rt_context_bind(context, &b->predicate, query ? &query->object : NULL);
    if (changed || b->predicate_value != value)
        umd_set_predication(context->umd, rt_umd_query(context, b->predicate), value != FALSE);
    b->predicate_value = value;
    rt_leave(context);
}

void STDMETHODCALLTYPE rt_context_get_predication(ID3D11DeviceContext4 *self, ID3D11Predicate **predicate,
                                                  BOOL *value)
{
    struct rt_context *context = rt_enter(self);
    if (predicate)
        *predicate = rt_object_return(context->bindings->predicate);
    if (value)
        *value = context->bindings->predicate_value;
    rt_leave(context);
}
