/* SPDX-License-Identifier: MIT
 *
 * Shaders of all stages, input layouts and class linkage.
 */
#ifndef RT_D3D11_SHADER_H
#define RT_D3D11_SHADER_H

#include "guest/d3d11/device.h"

struct rt_shader_linkage;

struct rt_shader {
    struct rt_object object;
    enum umd_stage stage;
    struct umd_shader *umd;
    struct rt_shader_linkage *linkage; /* NULL without class linkage */
};

struct rt_input_layout {
    struct rt_object object;
    struct umd_input_layout *umd;
};

static inline struct rt_shader *rt_shader_of(void *interface_pointer)
{
    return interface_pointer ? (struct rt_shader *)RT_OBJECT(interface_pointer) : NULL;
}

HRESULT STDMETHODCALLTYPE rt_device_create_vs(ID3D11Device5 *self, const void *code, SIZE_T size,
                                              ID3D11ClassLinkage *linkage, ID3D11VertexShader **out);
HRESULT STDMETHODCALLTYPE rt_device_create_hs(ID3D11Device5 *self, const void *code, SIZE_T size,
                                              ID3D11ClassLinkage *linkage, ID3D11HullShader **out);
HRESULT STDMETHODCALLTYPE rt_device_create_ds(ID3D11Device5 *self, const void *code, SIZE_T size,
                                              ID3D11ClassLinkage *linkage, ID3D11DomainShader **out);
HRESULT STDMETHODCALLTYPE rt_device_create_gs(ID3D11Device5 *self, const void *code, SIZE_T size,
                                              ID3D11ClassLinkage *linkage, ID3D11GeometryShader **out);
HRESULT STDMETHODCALLTYPE rt_device_create_gs_with_so(ID3D11Device5 *self, const void *code, SIZE_T size,
                                                      const D3D11_SO_DECLARATION_ENTRY *entries, UINT count,
                                                      const UINT *strides, UINT stride_count, UINT rasterized,
                                                      ID3D11ClassLinkage *linkage,
                                                      ID3D11GeometryShader **out);
HRESULT STDMETHODCALLTYPE rt_device_create_ps(ID3D11Device5 *self, const void *code, SIZE_T size,
                                              ID3D11ClassLinkage *linkage, ID3D11PixelShader **out);
HRESULT STDMETHODCALLTYPE rt_device_create_cs(ID3D11Device5 *self, const void *code, SIZE_T size,
                                              ID3D11ClassLinkage *linkage, ID3D11ComputeShader **out);
HRESULT STDMETHODCALLTYPE rt_device_create_input_layout(ID3D11Device5 *self,
                                                        const D3D11_INPUT_ELEMENT_DESC *elements, UINT count,
                                                        const void *code, SIZE_T size,
                                                        ID3D11InputLayout **out);

#endif
