/* SPDX-License-Identifier: MIT
 *
 * ID3D10VertexShader, ID3D10GeometryShader, ID3D10PixelShader, ID3D10InputLayout, ID3D10Query,
 * ID3D10Predicate.
 */
#include "guest/d3d11/context.h"
#include "guest/d3d11/d3d10_faces.h"
#include "guest/d3d11/query.h"
#include "guest/d3d11/shader.h"

#include <stdlib.h>
#include <string.h>

RT_D3D10_CHILD_METHODS(ID3D10VertexShader)
RT_D3D10_CHILD_METHODS(ID3D10GeometryShader)
RT_D3D10_CHILD_METHODS(ID3D10PixelShader)
RT_D3D10_CHILD_METHODS(ID3D10InputLayout)
RT_D3D10_CHILD_METHODS(ID3D10Query)

const ID3D10VertexShaderVtbl rt_d3d10_vs_methods = {RT_D3D10_CHILD_SLOTS(ID3D10VertexShader)};
const ID3D10GeometryShaderVtbl rt_d3d10_gs_methods = {RT_D3D10_CHILD_SLOTS(ID3D10GeometryShader)};
const ID3D10PixelShaderVtbl rt_d3d10_ps_methods = {RT_D3D10_CHILD_SLOTS(ID3D10PixelShader)};
const ID3D10InputLayoutVtbl rt_d3d10_input_layout_methods = {RT_D3D10_CHILD_SLOTS(ID3D10InputLayout)};

/* ---- Shaders ------------------------------------------------------------------------------------------- */

#define CREATE(s, I10, I11)                                                                                  \
    HRESULT STDMETHODCALLTYPE rt_d3d10_create_##s(ID3D10Device1 *self, const void *code, SIZE_T size,        \
                                                  I10 **out)                                                 \
    {                                                                                                        \
        return rt_d3d10_made(rt_device_create_##s(rt_d3d10_device(self), code, size, NULL, (I11 **)out),     \
                             out);                                                                           \
    }

CREATE(vs, ID3D10VertexShader, ID3D11VertexShader)
CREATE(gs, ID3D10GeometryShader, ID3D11GeometryShader)
CREATE(ps, ID3D10PixelShader, ID3D11PixelShader)

#define MOST_SO_ENTRIES ((UINT)D3D10_SO_SINGLE_BUFFER_COMPONENT_LIMIT)

/* One stride, which is that of the first buffer where that is the only one; with several buffers it is 0. */
HRESULT STDMETHODCALLTYPE rt_d3d10_create_gs_with_so(ID3D10Device1 *self, const void *code, SIZE_T size,
                                                     const D3D10_SO_DECLARATION_ENTRY *entries, UINT count,
                                                     UINT stride, ID3D10GeometryShader **out)
{
    D3D11_SO_DECLARATION_ENTRY *newer;
    UINT last_slot = 0;
    HRESULT result;
    if (out)
        *out = NULL;
    if ((count > 0) != (entries != NULL) || count > MOST_SO_ENTRIES || (stride && !count))
        return E_INVALIDARG;
    newer = calloc(count + 1, sizeof(*newer));
    if (!newer)
        return E_OUTOFMEMORY;
    for (UINT i = 0; i < count; i++) {
        newer[i] = (D3D11_SO_DECLARATION_ENTRY){0,
                                                entries[i].SemanticName,
                                                entries[i].SemanticIndex,
                                                entries[i].StartComponent,
                                                entries[i].ComponentCount,
                                                entries[i].OutputSlot};
        if (entries[i].OutputSlot > last_slot)
            last_slot = entries[i].OutputSlot;
    }
    result =
        count && (last_slot == 0) != (stride != 0)
            ? E_INVALIDARG
            : rt_device_create_gs_with_so(rt_d3d10_device(self), code, size, count ? newer : NULL, count,
                                          &stride, stride ? 1 : 0, 0, NULL, (ID3D11GeometryShader **)out);
    free(newer);
    return rt_d3d10_made(result, out);
}

_Static_assert(sizeof(D3D10_INPUT_ELEMENT_DESC) == sizeof(D3D11_INPUT_ELEMENT_DESC),
               "elements are those of Direct3D 11");

HRESULT STDMETHODCALLTYPE rt_d3d10_create_input_layout(ID3D10Device1 *self,
                                                       const D3D10_INPUT_ELEMENT_DESC *elements, UINT count,
                                                       const void *code, SIZE_T size, ID3D10InputLayout **out)
{
    return rt_d3d10_made(rt_device_create_input_layout(rt_d3d10_device(self),
                                                       (const D3D11_INPUT_ELEMENT_DESC *)elements, count,
                                                       code, size, (ID3D11InputLayout **)out),
                         out);
}

/* ---- Queries ------------------------------------------------------------------------------------------- */

/* Direct3D 10's are the beginning of Direct3D 11's, in kinds as in what statistics count. */
_Static_assert((int)D3D10_QUERY_SO_OVERFLOW_PREDICATE == (int)D3D11_QUERY_SO_OVERFLOW_PREDICATE &&
                   sizeof(D3D10_QUERY_DATA_PIPELINE_STATISTICS) <
                       sizeof(D3D11_QUERY_DATA_PIPELINE_STATISTICS),
               "queries are numbered as in Direct3D 11");

RT_METHOD(void) query_begin(ID3D10Query *self)
{
    rt_context_begin(rt_immediate_of(RT_OBJECT(self)->device), (ID3D11Asynchronous *)self);
}

RT_METHOD(void) query_end(ID3D10Query *self)
{
    rt_context_end(rt_immediate_of(RT_OBJECT(self)->device), (ID3D11Asynchronous *)self);
}

RT_METHOD(UINT) query_size(ID3D10Query *self)
{
    const struct rt_query *query = rt_query_of(self);
    return query->type == D3D11_QUERY_PIPELINE_STATISTICS ? (UINT)sizeof(D3D10_QUERY_DATA_PIPELINE_STATISTICS)
                                                          : umd_query_data_bytes(query->umd);
}

RT_METHOD(HRESULT) query_data(ID3D10Query *self, void *data, UINT size, UINT flags)
{
    ID3D11DeviceContext4 *context = rt_immediate_of(RT_OBJECT(self)->device);
    D3D11_QUERY_DATA_PIPELINE_STATISTICS statistics;
    HRESULT result;
    if (rt_query_of(self)->type != D3D11_QUERY_PIPELINE_STATISTICS || !data)
        return rt_context_get_data(context, (ID3D11Asynchronous *)self, data, size, flags);
    if (size != sizeof(D3D10_QUERY_DATA_PIPELINE_STATISTICS))
        return E_INVALIDARG;
    result = rt_context_get_data(context, (ID3D11Asynchronous *)self, &statistics, sizeof(statistics), flags);
    if (result == S_OK)
        memcpy(data, &statistics, size);
    return result;
}

RT_METHOD(void) query_desc(ID3D10Query *self, D3D10_QUERY_DESC *desc)
{
    *desc = (D3D10_QUERY_DESC){(D3D10_QUERY)rt_query_of(self)->type, rt_query_of(self)->flags};
}

const ID3D10QueryVtbl rt_d3d10_query_methods = {
    RT_D3D10_CHILD_SLOTS(ID3D10Query), .Begin = query_begin,  .End = query_end,
    .GetDataSize = query_size,         .GetData = query_data, .GetDesc = query_desc,
};

typedef HRESULT STDMETHODCALLTYPE create_query(ID3D11Device5 *self, const D3D11_QUERY_DESC *desc, void **out);

static HRESULT create(ID3D10Device1 *self, create_query *function, const D3D10_QUERY_DESC *desc, void **out)
{
    D3D11_QUERY_DESC newer;
    if (out)
        *out = NULL;
    if (!desc || desc->Query > D3D10_QUERY_SO_OVERFLOW_PREDICATE)
        return E_INVALIDARG;
    newer = (D3D11_QUERY_DESC){(D3D11_QUERY)desc->Query, desc->MiscFlags};
    return rt_d3d10_made(function(rt_d3d10_device(self), &newer, out), out);
}

static HRESULT STDMETHODCALLTYPE any_query(ID3D11Device5 *self, const D3D11_QUERY_DESC *desc, void **out)
{
    return rt_device_create_query(self, desc, (ID3D11Query **)out);
}

static HRESULT STDMETHODCALLTYPE any_predicate(ID3D11Device5 *self, const D3D11_QUERY_DESC *desc, void **out)
{
    return rt_device_create_predicate(self, desc, (ID3D11Predicate **)out);
}

HRESULT STDMETHODCALLTYPE rt_d3d10_create_query(ID3D10Device1 *self, const D3D10_QUERY_DESC *desc,
                                                ID3D10Query **out)
{
    return create(self, any_query, desc, (void **)out);
}

HRESULT STDMETHODCALLTYPE rt_d3d10_create_predicate(ID3D10Device1 *self, const D3D10_QUERY_DESC *desc,
                                                    ID3D10Predicate **out)
{
    return create(self, any_predicate, desc, (void **)out);
}
