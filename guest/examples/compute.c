/* SPDX-License-Identifier: MIT
 *
 * A compute shader writes a picture, which is copied.
 */
#include "example.h"

#include "compute_shaders.h"

HRESULT example_draw(const struct example *e)
{
    const D3D11_TEXTURE2D_DESC desc = {
        .Width = EXAMPLE_SIDE,
        .Height = EXAMPLE_SIDE,
        .MipLevels = 1,
        .ArraySize = 1,
        .Format = DXGI_FORMAT_R8G8B8A8_UNORM,
        .SampleDesc = {1, 0},
        .BindFlags = D3D11_BIND_UNORDERED_ACCESS,
    };
    ID3D11UnorderedAccessView *view = NULL, *none = NULL;
    ID3D11ComputeShader *cs = NULL;
    ID3D11Texture2D *texture = NULL;
    HRESULT result = ID3D11Device_CreateComputeShader(e->device, checker_cs, sizeof checker_cs, NULL, &cs);
    if (SUCCEEDED(result))
        result = ID3D11Device_CreateTexture2D(e->device, &desc, NULL, &texture);
    if (SUCCEEDED(result))
        result = ID3D11Device_CreateUnorderedAccessView(e->device, (ID3D11Resource *)texture, NULL, &view);
    if (SUCCEEDED(result)) {
        ID3D11DeviceContext_CSSetShader(e->context, cs, NULL, 0);
        ID3D11DeviceContext_CSSetUnorderedAccessViews(e->context, 0, 1, &view, NULL);
        ID3D11DeviceContext_Dispatch(e->context, EXAMPLE_SIDE / 8, EXAMPLE_SIDE / 8, 1);
        ID3D11DeviceContext_CSSetUnorderedAccessViews(e->context, 0, 1, &none, NULL);
        ID3D11DeviceContext_CopyResource(e->context, (ID3D11Resource *)e->buffer, (ID3D11Resource *)texture);
    }
    example_release(view);
    example_release(texture);
    example_release(cs);
    return result;
}
