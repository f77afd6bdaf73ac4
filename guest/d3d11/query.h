/* SPDX-License-Identifier: MIT
 *
 * ID3D11Query1 and ID3D11Predicate.
 */
#ifndef RT_D3D11_QUERY_H
#define RT_D3D11_QUERY_H

#include "guest/d3d11/device.h"

enum rt_query_state {
    RT_QUERY_NEW,
    RT_QUERY_BEGUN,
    RT_QUERY_ENDED,
};

struct rt_query {
    struct rt_object object;
    struct umd_query *umd;
    D3D11_QUERY type;
    UINT flags;
    enum rt_query_state state;
};

static inline struct rt_query *rt_query_of(void *interface_pointer)
{
    return interface_pointer ? (struct rt_query *)RT_OBJECT(interface_pointer) : NULL;
}

/* Queries that have an end alone. */
static inline bool rt_query_has_begin(const struct rt_query *query)
{
    return query->type != D3D11_QUERY_EVENT && query->type != D3D11_QUERY_TIMESTAMP;
}

HRESULT STDMETHODCALLTYPE rt_device_create_query(ID3D11Device5 *self, const D3D11_QUERY_DESC *desc,
                                                 ID3D11Query **out);
HRESULT STDMETHODCALLTYPE rt_device_create_query1(ID3D11Device5 *self, const D3D11_QUERY_DESC1 *desc,
                                                  ID3D11Query1 **out);
HRESULT STDMETHODCALLTYPE rt_device_create_predicate(ID3D11Device5 *self, const D3D11_QUERY_DESC *desc,
                                                     ID3D11Predicate **out);

#endif
