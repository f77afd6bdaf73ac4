/* SPDX-License-Identifier: MIT */
#include "guest/d3d11/query.h"

#include "guest/d3d11/d3d10_faces.h"

#include <stdlib.h>

static bool is_predicate(D3D11_QUERY type)
{
    switch (type) {
    case D3D11_QUERY_OCCLUSION_PREDICATE:
    case D3D11_QUERY_SO_OVERFLOW_PREDICATE:
    case D3D11_QUERY_SO_OVERFLOW_PREDICATE_STREAM0:
    case D3D11_QUERY_SO_OVERFLOW_PREDICATE_STREAM1:
    case D3D11_QUERY_SO_OVERFLOW_PREDICATE_STREAM2:
    case D3D11_QUERY_SO_OVERFLOW_PREDICATE_STREAM3:
        return true;
    default:
        return false;
    }
}

RT_CHILD_METHODS(ID3D11Query1)

RT_METHOD(UINT) get_data_size(ID3D11Query1 *self)
{
    return umd_query_data_bytes(rt_query_of(self)->umd);
}

RT_METHOD(void) get_desc(ID3D11Query1 *self, D3D11_QUERY_DESC *desc)
{
    *desc = (D3D11_QUERY_DESC){rt_query_of(self)->type, rt_query_of(self)->flags};
}

RT_METHOD(void) get_desc1(ID3D11Query1 *self, D3D11_QUERY_DESC1 *desc)
{
    *desc = (D3D11_QUERY_DESC1){rt_query_of(self)->type, rt_query_of(self)->flags, D3D11_CONTEXT_TYPE_ALL};
}

static const ID3D11Query1Vtbl methods = {
    RT_CHILD_SLOTS(ID3D11Query1),
    .GetDataSize = get_data_size,
    .GetDesc = get_desc,
    .GetDesc1 = get_desc1,
};

static void destroy(struct rt_object *object)
{
    struct rt_query *query = (struct rt_query *)object;
    umd_destroy_query(object->device->umd, query->umd);
    rt_object_fini(object);
    free(query);
}

static bool offers(const struct rt_object *object, REFIID iid)
{
    return (!IsEqualGUID(iid, &IID_ID3D11Predicate) && !IsEqualGUID(iid, &IID_ID3D10Predicate)) ||
           is_predicate(((const struct rt_query *)object)->type);
}

static const struct rt_class query_class = {
    RT_CLASS_QUERY, {&methods, [RT_FACE_D3D10] = &rt_d3d10_query_methods},
     destroy, offers
};

static HRESULT create(ID3D11Device5 *self, D3D11_QUERY type, UINT flags, void **out)
{
    struct rt_device *device = rt_device_of(self);
    struct rt_query *query;
    HRESULT result;
    if ((unsigned)type > D3D11_QUERY_SO_OVERFLOW_PREDICATE_STREAM3 ||
        (flags & ~(UINT)D3D11_QUERY_MISC_PREDICATEHINT) || (flags && !is_predicate(type)))
        return E_INVALIDARG;
    /* Streams beyond the first are of feature level 11_0. */
    if (type > D3D11_QUERY_SO_OVERFLOW_PREDICATE && device->level < D3D_FEATURE_LEVEL_11_0)
        return E_INVALIDARG;
    if (!out)
        return S_FALSE;
    query = calloc(1, sizeof(*query));
    if (!query)
        return E_OUTOFMEMORY;
    query->type = type;
    query->flags = flags;
    result = rt_result(umd_create_query(device->umd, type, flags, &query->umd));
    if (FAILED(result)) {
        free(query);
        return result;
    }
    rt_object_init(&query->object, &query_class, device);
    *out = &query->object.faces[0];
    return S_OK;
}

HRESULT STDMETHODCALLTYPE rt_device_create_query(ID3D11Device5 *self, const D3D11_QUERY_DESC *desc,
                                                 ID3D11Query **out)
{
    if (out)
        *out = NULL;
    return desc ? create(self, desc->Query, desc->MiscFlags, (void **)out) : E_INVALIDARG;
}

HRESULT STDMETHODCALLTYPE rt_device_create_query1(ID3D11Device5 *self, const D3D11_QUERY_DESC1 *desc,
                                                  ID3D11Query1 **out)
{
    if (out)
        *out = NULL;
    if (!desc || desc->ContextType > D3D11_CONTEXT_TYPE_3D)
        return E_INVALIDARG;
    return create(self, desc->Query, desc->MiscFlags, (void **)out);
}

HRESULT STDMETHODCALLTYPE rt_device_create_predicate(ID3D11Device5 *self, const D3D11_QUERY_DESC *desc,
                                                     ID3D11Predicate **out)
{
    if (out)
        *out = NULL;
    /* Those of single streams come from CreateQuery. */
    if (!desc ||
        (desc->Query != D3D11_QUERY_OCCLUSION_PREDICATE && desc->Query != D3D11_QUERY_SO_OVERFLOW_PREDICATE))
        return E_INVALIDARG;
    return create(self, desc->Query, desc->MiscFlags, (void **)out);
}
