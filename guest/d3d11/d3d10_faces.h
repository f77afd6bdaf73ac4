/* SPDX-License-Identifier: MIT
 *
 * Direct3D 10 and 10.1: one more face of the device, its resources, views, states, shaders and queries.
 * Methods of this face are those of Direct3D 11 with other types: an interface pointer of any face names its
 * object, so that what a program hands in goes on as it is, and what Direct3D 11 hands out becomes the other
 * face.
 */
#ifndef RT_D3D11_D3D10_FACES_H
#define RT_D3D11_D3D10_FACES_H

#include "guest/d3d11/device.h"

#include <d3d10_1.h>

extern const ID3D10Device1Vtbl rt_d3d10_device_methods;
extern const ID3D10BufferVtbl rt_d3d10_buffer_methods;
extern const ID3D10Texture1DVtbl rt_d3d10_texture1d_methods;
extern const ID3D10Texture2DVtbl rt_d3d10_texture2d_methods;
extern const ID3D10Texture3DVtbl rt_d3d10_texture3d_methods;
extern const ID3D10ShaderResourceView1Vtbl rt_d3d10_srv_methods;
extern const ID3D10RenderTargetViewVtbl rt_d3d10_rtv_methods;
extern const ID3D10DepthStencilViewVtbl rt_d3d10_dsv_methods;
extern const ID3D10InputLayoutVtbl rt_d3d10_input_layout_methods;
extern const ID3D10VertexShaderVtbl rt_d3d10_vs_methods;
extern const ID3D10GeometryShaderVtbl rt_d3d10_gs_methods;
extern const ID3D10PixelShaderVtbl rt_d3d10_ps_methods;
extern const ID3D10BlendState1Vtbl rt_d3d10_blend_methods;
extern const ID3D10DepthStencilStateVtbl rt_d3d10_depth_stencil_methods;
extern const ID3D10RasterizerStateVtbl rt_d3d10_rasterizer_methods;
extern const ID3D10SamplerStateVtbl rt_d3d10_sampler_methods;
extern const ID3D10QueryVtbl rt_d3d10_query_methods;

/* Direct3D 10's face of an object that a function of Direct3D 11 has returned; the reference goes with it. */
static inline void *rt_d3d10_face(void *interface_pointer)
{
    return interface_pointer ? (void *)&RT_OBJECT(interface_pointer)->faces[RT_FACE_D3D10] : NULL;
}

/* Turns what was put into an array of interface pointers. */
static inline void rt_d3d10_turn(void **pointers, UINT count)
{
    for (UINT i = 0; pointers && i < count; i++)
        pointers[i] = rt_d3d10_face(pointers[i]);
}

/* The same for a function that creates one object: `out` is NULL if the program only asks whether it could.
 */
static inline HRESULT rt_d3d10_made(HRESULT result, void *out)
{
    if (out)
        rt_d3d10_turn(out, 1);
    return result;
}

/* The device as Direct3D 11's functions take it. */
static inline ID3D11Device5 *rt_d3d10_device(void *self)
{
    return (ID3D11Device5 *)&rt_device_of(self)->object.faces[0];
}

/* Methods of ID3D10DeviceChild. */
#define RT_D3D10_CHILD_METHODS(I)                                                                            \
    RT_UNKNOWN_METHODS(I)                                                                                    \
    RT_PRIVATE_DATA_METHODS(I)                                                                               \
    RT_METHOD(void) I##_get_device(I *self, ID3D10Device **device)                                           \
    {                                                                                                        \
        struct rt_device *own = RT_OBJECT(self)->device;                                                     \
        *device = atomic_load(&own->is_d3d10) ? rt_d3d10_face(rt_object_return(&own->object)) : NULL;        \
    }
#define RT_D3D10_CHILD_SLOTS(I) RT_CHILD_SLOTS(I)

/* Whether a resource has Direct3D 10's interfaces: structured buffers and clamped textures do not. */
struct rt_resource;
bool rt_d3d10_has_resource(const struct rt_resource *resource);

/* ID3D10Device::CreateBuffer() and so on. */
HRESULT STDMETHODCALLTYPE rt_d3d10_create_buffer(ID3D10Device1 *self, const D3D10_BUFFER_DESC *desc,
                                                 const D3D10_SUBRESOURCE_DATA *data, ID3D10Buffer **out);
HRESULT STDMETHODCALLTYPE rt_d3d10_create_texture1d(ID3D10Device1 *self, const D3D10_TEXTURE1D_DESC *desc,
                                                    const D3D10_SUBRESOURCE_DATA *data,
                                                    ID3D10Texture1D **out);
HRESULT STDMETHODCALLTYPE rt_d3d10_create_texture2d(ID3D10Device1 *self, const D3D10_TEXTURE2D_DESC *desc,
                                                    const D3D10_SUBRESOURCE_DATA *data,
                                                    ID3D10Texture2D **out);
HRESULT STDMETHODCALLTYPE rt_d3d10_create_texture3d(ID3D10Device1 *self, const D3D10_TEXTURE3D_DESC *desc,
                                                    const D3D10_SUBRESOURCE_DATA *data,
                                                    ID3D10Texture3D **out);
HRESULT STDMETHODCALLTYPE rt_d3d10_create_srv(ID3D10Device1 *self, ID3D10Resource *resource,
                                              const D3D10_SHADER_RESOURCE_VIEW_DESC *desc,
                                              ID3D10ShaderResourceView **out);
HRESULT STDMETHODCALLTYPE rt_d3d10_create_srv1(ID3D10Device1 *self, ID3D10Resource *resource,
                                               const D3D10_SHADER_RESOURCE_VIEW_DESC1 *desc,
                                               ID3D10ShaderResourceView1 **out);
HRESULT STDMETHODCALLTYPE rt_d3d10_create_rtv(ID3D10Device1 *self, ID3D10Resource *resource,
                                              const D3D10_RENDER_TARGET_VIEW_DESC *desc,
                                              ID3D10RenderTargetView **out);
HRESULT STDMETHODCALLTYPE rt_d3d10_create_dsv(ID3D10Device1 *self, ID3D10Resource *resource,
                                              const D3D10_DEPTH_STENCIL_VIEW_DESC *desc,
                                              ID3D10DepthStencilView **out);
HRESULT STDMETHODCALLTYPE rt_d3d10_create_input_layout(ID3D10Device1 *self,
                                                       const D3D10_INPUT_ELEMENT_DESC *elements, UINT count,
                                                       const void *code, SIZE_T size,
                                                       ID3D10InputLayout **out);
HRESULT STDMETHODCALLTYPE rt_d3d10_create_vs(ID3D10Device1 *self, const void *code, SIZE_T size,
                                             ID3D10VertexShader **out);
HRESULT STDMETHODCALLTYPE rt_d3d10_create_gs(ID3D10Device1 *self, const void *code, SIZE_T size,
                                             ID3D10GeometryShader **out);
HRESULT STDMETHODCALLTYPE rt_d3d10_create_gs_with_so(ID3D10Device1 *self, const void *code, SIZE_T size,
                                                     const D3D10_SO_DECLARATION_ENTRY *entries, UINT count,
                                                     UINT stride, ID3D10GeometryShader **out);
HRESULT STDMETHODCALLTYPE rt_d3d10_create_ps(ID3D10Device1 *self, const void *code, SIZE_T size,
                                             ID3D10PixelShader **out);
HRESULT STDMETHODCALLTYPE rt_d3d10_create_blend(ID3D10Device1 *self, const D3D10_BLEND_DESC *desc,
                                                ID3D10BlendState **out);
HRESULT STDMETHODCALLTYPE rt_d3d10_create_blend1(ID3D10Device1 *self, const D3D10_BLEND_DESC1 *desc,
                                                 ID3D10BlendState1 **out);
HRESULT STDMETHODCALLTYPE rt_d3d10_create_depth_stencil(ID3D10Device1 *self,
                                                        const D3D10_DEPTH_STENCIL_DESC *desc,
                                                        ID3D10DepthStencilState **out);
HRESULT STDMETHODCALLTYPE rt_d3d10_create_rasterizer(ID3D10Device1 *self, const D3D10_RASTERIZER_DESC *desc,
                                                     ID3D10RasterizerState **out);
HRESULT STDMETHODCALLTYPE rt_d3d10_create_sampler(ID3D10Device1 *self, const D3D10_SAMPLER_DESC *desc,
                                                  ID3D10SamplerState **out);
HRESULT STDMETHODCALLTYPE rt_d3d10_create_query(ID3D10Device1 *self, const D3D10_QUERY_DESC *desc,
                                                ID3D10Query **out);
HRESULT STDMETHODCALLTYPE rt_d3d10_create_predicate(ID3D10Device1 *self, const D3D10_QUERY_DESC *desc,
                                                    ID3D10Predicate **out);

#endif
