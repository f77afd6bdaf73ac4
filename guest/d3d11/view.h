/* SPDX-License-Identifier: MIT
 *
 * Views of resources: ID3D11ShaderResourceView1, ID3D11RenderTargetView1, ID3D11DepthStencilView and
 * ID3D11UnorderedAccessView1. A view keeps its resource by a private reference.
 */
#ifndef RT_D3D11_VIEW_H
#define RT_D3D11_VIEW_H

#include "guest/d3d11/resource.h"

enum rt_planes {
    RT_PLANE_COLOUR_OR_DEPTH = 1 << 0,
    RT_PLANE_STENCIL = 1 << 1,
};

/* The subresources that something touches. Slices of a volume are one subresource. */
struct rt_range {
    UINT mip, mips;
    UINT layer, layers;
    UINT planes;
};

struct rt_view {
    struct rt_object object;
    struct rt_resource *resource;
    struct umd_view *umd;
    struct umd_view_desc shape; /* complete: nothing in it stands for all the rest */
    bool is_extended_buffer;    /* described as D3D11_SRV_DIMENSION_BUFFEREX */
    struct rt_range range;
    UINT written_planes; /* of an output: those that are not read only */
};

static inline struct rt_view *rt_view_of(void *interface_pointer)
{
    return interface_pointer ? (struct rt_view *)RT_OBJECT(interface_pointer) : NULL;
}

static inline bool rt_ranges_overlap(const struct rt_range *a, const struct rt_range *b)
{
    return (a->planes & b->planes) && a->mip < b->mip + b->mips && b->mip < a->mip + a->mips &&
           a->layer < b->layer + b->layers && b->layer < a->layer + a->layers;
}

static inline bool rt_views_overlap(const struct rt_view *a, const struct rt_view *b)
{
    return a && b && a->resource == b->resource && rt_ranges_overlap(&a->range, &b->range);
}

/* Completes what is left to the resource, and checks the rest: E_INVALIDARG if a resource has no such view. A
 * dimension of 0 is the view of the whole resource. */
HRESULT rt_view_complete(const struct rt_resource *resource, struct umd_view_desc *shape);

HRESULT STDMETHODCALLTYPE rt_device_create_srv(ID3D11Device5 *self, ID3D11Resource *resource,
                                               const D3D11_SHADER_RESOURCE_VIEW_DESC *desc,
                                               ID3D11ShaderResourceView **out);
HRESULT STDMETHODCALLTYPE rt_device_create_srv1(ID3D11Device5 *self, ID3D11Resource *resource,
                                                const D3D11_SHADER_RESOURCE_VIEW_DESC1 *desc,
                                                ID3D11ShaderResourceView1 **out);
HRESULT STDMETHODCALLTYPE rt_device_create_uav(ID3D11Device5 *self, ID3D11Resource *resource,
                                               const D3D11_UNORDERED_ACCESS_VIEW_DESC *desc,
                                               ID3D11UnorderedAccessView **out);
HRESULT STDMETHODCALLTYPE rt_device_create_uav1(ID3D11Device5 *self, ID3D11Resource *resource,
                                                const D3D11_UNORDERED_ACCESS_VIEW_DESC1 *desc,
                                                ID3D11UnorderedAccessView1 **out);
HRESULT STDMETHODCALLTYPE rt_device_create_rtv(ID3D11Device5 *self, ID3D11Resource *resource,
                                               const D3D11_RENDER_TARGET_VIEW_DESC *desc,
                                               ID3D11RenderTargetView **out);
HRESULT STDMETHODCALLTYPE rt_device_create_rtv1(ID3D11Device5 *self, ID3D11Resource *resource,
                                                const D3D11_RENDER_TARGET_VIEW_DESC1 *desc,
                                                ID3D11RenderTargetView1 **out);
HRESULT STDMETHODCALLTYPE rt_device_create_dsv(ID3D11Device5 *self, ID3D11Resource *resource,
                                               const D3D11_DEPTH_STENCIL_VIEW_DESC *desc,
                                               ID3D11DepthStencilView **out);

#endif
