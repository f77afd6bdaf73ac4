/* SPDX-License-Identifier: MIT
 *
 * ID3D10BlendState1, ID3D10DepthStencilState, ID3D10RasterizerState, ID3D10SamplerState.
 */
#include "guest/d3d11/d3d10_faces.h"

#include <string.h>

_Static_assert(sizeof(D3D10_BLEND_DESC1) == sizeof(D3D11_BLEND_DESC) &&
                   sizeof(D3D10_DEPTH_STENCIL_DESC) == sizeof(D3D11_DEPTH_STENCIL_DESC) &&
                   sizeof(D3D10_RASTERIZER_DESC) == sizeof(D3D11_RASTERIZER_DESC) &&
                   sizeof(D3D10_SAMPLER_DESC) == sizeof(D3D11_SAMPLER_DESC),
               "descriptions are those of Direct3D 11");

RT_D3D10_CHILD_METHODS(ID3D10BlendState1)
RT_D3D10_CHILD_METHODS(ID3D10DepthStencilState)
RT_D3D10_CHILD_METHODS(ID3D10RasterizerState)
RT_D3D10_CHILD_METHODS(ID3D10SamplerState)

/* GetDesc() and the creation of a state whose description is that of Direct3D 11. */
#define SAME_STATE(name, create, I10, I11, older, newer)                                                     \
    RT_METHOD(void) desc_of_##name(I10 *self, older *desc)                                                   \
    {                                                                                                        \
        I11 *first = (I11 *)(void *)&RT_OBJECT(self)->faces[0];                                              \
        newer found;                                                                                         \
        first->lpVtbl->GetDesc(first, &found);                                                               \
        memcpy(desc, &found, sizeof(*desc));                                                                 \
    }                                                                                                        \
    const I10##Vtbl rt_d3d10_##name##_methods = {RT_D3D10_CHILD_SLOTS(I10), .GetDesc = desc_of_##name};      \
    HRESULT STDMETHODCALLTYPE rt_d3d10_create_##name(ID3D10Device1 *self, const older *desc, I10 **out)      \
    {                                                                                                        \
        newer same;                                                                                          \
        if (desc)                                                                                            \
            memcpy(&same, desc, sizeof(same));                                                               \
        return rt_d3d10_made(create(rt_d3d10_device(self), desc ? &same : NULL, (I11 **)out), out);          \
    }

SAME_STATE(depth_stencil, rt_device_create_depth_stencil, ID3D10DepthStencilState, ID3D11DepthStencilState,
           D3D10_DEPTH_STENCIL_DESC, D3D11_DEPTH_STENCIL_DESC)
SAME_STATE(rasterizer, rt_device_create_rasterizer, ID3D10RasterizerState, ID3D11RasterizerState,
           D3D10_RASTERIZER_DESC, D3D11_RASTERIZER_DESC)
SAME_STATE(sampler, rt_device_create_sampler, ID3D10SamplerState, ID3D11SamplerState, D3D10_SAMPLER_DESC,
           D3D11_SAMPLER_DESC)

/* ---- Blending ------------------------------------------------------------------------------------------ */

static void find_blend(ID3D10BlendState1 *self, D3D11_BLEND_DESC *desc)
{
    ID3D11BlendState *first = (ID3D11BlendState *)(void *)&RT_OBJECT(self)->faces[0];
    first->lpVtbl->GetDesc(first, desc);
}

RT_METHOD(void) desc1_of_blend(ID3D10BlendState1 *self, D3D10_BLEND_DESC1 *desc)
{
    D3D11_BLEND_DESC found;
    find_blend(self, &found);
    memcpy(desc, &found, sizeof(*desc));
}

/* Direct3D 10.0 has one set of factors for all targets: that of the first which blends. */
RT_METHOD(void) desc_of_blend(ID3D10BlendState1 *self, D3D10_BLEND_DESC *desc)
{
    D3D11_BLEND_DESC found;
    const D3D11_RENDER_TARGET_BLEND_DESC *factors;
    UINT first = 0;
    find_blend(self, &found);
    while (first < UMD_RENDER_TARGET_SLOTS && !found.RenderTarget[first].BlendEnable)
        first++;
    factors = &found.RenderTarget[first < UMD_RENDER_TARGET_SLOTS ? first : 0];
    *desc = (D3D10_BLEND_DESC){
        .AlphaToCoverageEnable = found.AlphaToCoverageEnable,
        .SrcBlend = (D3D10_BLEND)factors->SrcBlend,
        .DestBlend = (D3D10_BLEND)factors->DestBlend,
        .BlendOp = (D3D10_BLEND_OP)factors->BlendOp,
        .SrcBlendAlpha = (D3D10_BLEND)factors->SrcBlendAlpha,
        .DestBlendAlpha = (D3D10_BLEND)factors->DestBlendAlpha,
        .BlendOpAlpha = (D3D10_BLEND_OP)factors->BlendOpAlpha,
    };
    for (UINT i = 0; i < UMD_RENDER_TARGET_SLOTS; i++) {
        desc->BlendEnable[i] = found.RenderTarget[i].BlendEnable;
        desc->RenderTargetWriteMask[i] = found.RenderTarget[i].RenderTargetWriteMask;
    }
}

const ID3D10BlendState1Vtbl rt_d3d10_blend_methods = {
    RT_D3D10_CHILD_SLOTS(ID3D10BlendState1),
    .GetDesc = desc_of_blend,
    .GetDesc1 = desc1_of_blend,
};

HRESULT STDMETHODCALLTYPE rt_d3d10_create_blend1(ID3D10Device1 *self, const D3D10_BLEND_DESC1 *desc,
                                                 ID3D10BlendState1 **out)
{
    D3D11_BLEND_DESC same;
    if (desc)
        memcpy(&same, desc, sizeof(same));
    return rt_d3d10_made(
        rt_device_create_blend(rt_d3d10_device(self), desc ? &same : NULL, (ID3D11BlendState **)out), out);
}

HRESULT STDMETHODCALLTYPE rt_d3d10_create_blend(ID3D10Device1 *self, const D3D10_BLEND_DESC *desc,
                                                ID3D10BlendState **out)
{
    D3D10_BLEND_DESC1 newer;
    if (!desc)
        return rt_d3d10_create_blend1(self, NULL, (ID3D10BlendState1 **)out);
    newer.AlphaToCoverageEnable = desc->AlphaToCoverageEnable;
    newer.IndependentBlendEnable = FALSE;
    for (UINT i = 0; i < UMD_RENDER_TARGET_SLOTS; i++) {
        newer.RenderTarget[i] =
            (D3D10_RENDER_TARGET_BLEND_DESC1){desc->BlendEnable[i] != 0, desc->SrcBlend,
                                              desc->DestBlend,           desc->BlendOp,
                                              desc->SrcBlendAlpha,       desc->DestBlendAlpha,
                                              desc->BlendOpAlpha,        desc->RenderTargetWriteMask[i]};
        if (newer.RenderTarget[i].BlendEnable != newer.RenderTarget[0].BlendEnable ||
            desc->RenderTargetWriteMask[i] != desc->RenderTargetWriteMask[0])
            newer.IndependentBlendEnable = TRUE;
    }
    return rt_d3d10_create_blend1(self, &newer, (ID3D10BlendState1 **)out);
}
