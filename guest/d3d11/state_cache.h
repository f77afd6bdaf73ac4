/* SPDX-License-Identifier: MIT
 *
 * State objects of one device. Two creations with the same description give the same object, as long as
 * anything holds it.
 */
#ifndef RT_D3D11_STATE_CACHE_H
#define RT_D3D11_STATE_CACHE_H

#include "guest/d3d11/object.h"
#include "guest/d3d11/platform.h"
#include "guest/umd/umd.h"

/* A description with what does not matter made equal, and without padding of unknown contents. */
union rt_state_desc {
    D3D11_BLEND_DESC1 blend;
    D3D11_DEPTH_STENCIL_DESC depth_stencil;
    D3D11_RASTERIZER_DESC2 rasterizer;
    D3D11_SAMPLER_DESC sampler;
};

struct rt_state {
    struct rt_object object;
    struct rt_state *next; /* in its bucket */
    union rt_state_desc desc;
    union {
        struct umd_blend_state *blend;
        struct umd_depth_stencil_state *depth_stencil;
        struct umd_rasterizer_state *rasterizer;
        struct umd_sampler *sampler;
    } umd;
};

enum { RT_STATE_BUCKETS = 256 };

struct rt_state_cache {
    struct rt_mutex mutex;
    struct rt_state *buckets[RT_STATE_BUCKETS];
};

void rt_state_cache_init(struct rt_state_cache *cache);
void rt_state_cache_fini(struct rt_state_cache *cache);

static inline struct rt_state *rt_state_of(void *interface_pointer)
{
    return interface_pointer ? (struct rt_state *)RT_OBJECT(interface_pointer) : NULL;
}

/* ID3D11Device::CreateBlendState() and so on. */
HRESULT STDMETHODCALLTYPE rt_device_create_blend(ID3D11Device5 *self, const D3D11_BLEND_DESC *desc,
                                                 ID3D11BlendState **out);
HRESULT STDMETHODCALLTYPE rt_device_create_blend1(ID3D11Device5 *self, const D3D11_BLEND_DESC1 *desc,
                                                  ID3D11BlendState1 **out);
HRESULT STDMETHODCALLTYPE rt_device_create_depth_stencil(ID3D11Device5 *self,
                                                         const D3D11_DEPTH_STENCIL_DESC *desc,
                                                         ID3D11DepthStencilState **out);
HRESULT STDMETHODCALLTYPE rt_device_create_rasterizer(ID3D11Device5 *self, const D3D11_RASTERIZER_DESC *desc,
                                                      ID3D11RasterizerState **out);
HRESULT STDMETHODCALLTYPE rt_device_create_rasterizer1(ID3D11Device5 *self,
                                                       const D3D11_RASTERIZER_DESC1 *desc,
                                                       ID3D11RasterizerState1 **out);
HRESULT STDMETHODCALLTYPE rt_device_create_rasterizer2(ID3D11Device5 *self,
                                                       const D3D11_RASTERIZER_DESC2 *desc,
                                                       ID3D11RasterizerState2 **out);
HRESULT STDMETHODCALLTYPE rt_device_create_sampler(ID3D11Device5 *self, const D3D11_SAMPLER_DESC *desc,
                                                   ID3D11SamplerState **out);

#endif
