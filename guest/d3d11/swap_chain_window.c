/* SPDX-License-Identifier: MIT
 *
 * Windows and outputs of swap chains, and how pictures are shown there.
 */
#include "guest/d3d11/swap_chain_methods.h"

HRESULT STDMETHODCALLTYPE rt_swap_chain_get_window(IDXGISwapChain4 *self, HWND *window)
{
    if (!window)
        return DXGI_ERROR_INVALID_CALL;
    *window = rt_swap_chain_of(self)->window;
    return *window ? S_OK : DXGI_ERROR_INVALID_CALL;
}

HRESULT STDMETHODCALLTYPE rt_swap_chain_get_core_window(IDXGISwapChain4 *self, REFIID iid, void **out)
{
    (void)self;
    (void)iid;
    if (out)
        *out = NULL;
    return DXGI_ERROR_INVALID_CALL;
}

HRESULT STDMETHODCALLTYPE rt_swap_chain_get_containing_output(IDXGISwapChain4 *self, IDXGIOutput **out)
{
    struct rt_output *output;
    HRESULT result;
    if (!out)
        return DXGI_ERROR_INVALID_CALL;
    *out = NULL;
    result = rt_output_create(rt_swap_chain_of(self)->object.device->adapter, &output);
    if (SUCCEEDED(result))
        *out = (IDXGIOutput *)&output->object.faces[0];
    return result;
}

/* The display belongs to the host: no chain takes it for itself. */
HRESULT STDMETHODCALLTYPE rt_swap_chain_set_fullscreen(IDXGISwapChain4 *self, BOOL fullscreen,
                                                       IDXGIOutput *target)
{
    (void)self;
    if (!fullscreen)
        return target ? DXGI_ERROR_INVALID_CALL : S_OK;
    return DXGI_ERROR_NOT_CURRENTLY_AVAILABLE;
}

HRESULT STDMETHODCALLTYPE rt_swap_chain_get_fullscreen(IDXGISwapChain4 *self, BOOL *fullscreen,
                                                       IDXGIOutput **target)
{
    (void)self;
    if (fullscreen)
        *fullscreen = FALSE;
    if (target)
        *target = NULL;
    return S_OK;
}

HRESULT STDMETHODCALLTYPE rt_swap_chain_get_restriction(IDXGISwapChain4 *self, IDXGIOutput **out)
{
    (void)self;
    if (!out)
        return DXGI_ERROR_INVALID_CALL;
    *out = NULL;
    return S_OK;
}

BOOL STDMETHODCALLTYPE rt_swap_chain_is_mono_supported(IDXGISwapChain4 *self)
{
    (void)self;
    return FALSE;
}

/* ---- How pictures are shown -------------------------------------------------------------------------- */

HRESULT STDMETHODCALLTYPE rt_swap_chain_set_background(IDXGISwapChain4 *self, const DXGI_RGBA *colour)
{
    if (!colour)
        return E_INVALIDARG;
    rt_swap_chain_of(self)->background = *colour;
    return S_OK;
}

HRESULT STDMETHODCALLTYPE rt_swap_chain_get_background(IDXGISwapChain4 *self, DXGI_RGBA *colour)
{
    if (!colour)
        return E_INVALIDARG;
    *colour = rt_swap_chain_of(self)->background;
    return S_OK;
}

HRESULT STDMETHODCALLTYPE rt_swap_chain_set_rotation(IDXGISwapChain4 *self, DXGI_MODE_ROTATION rotation)
{
    (void)self;
    return rotation == DXGI_MODE_ROTATION_IDENTITY ? S_OK : DXGI_ERROR_INVALID_CALL;
}

HRESULT STDMETHODCALLTYPE rt_swap_chain_get_rotation(IDXGISwapChain4 *self, DXGI_MODE_ROTATION *rotation)
{
    (void)self;
    if (!rotation)
        return E_INVALIDARG;
    *rotation = DXGI_MODE_ROTATION_IDENTITY;
    return S_OK;
}

HRESULT STDMETHODCALLTYPE rt_swap_chain_set_transform(IDXGISwapChain4 *self, const DXGI_MATRIX_3X2_F *matrix)
{
    (void)self;
    (void)matrix;
    return DXGI_ERROR_INVALID_CALL;
}

HRESULT STDMETHODCALLTYPE rt_swap_chain_get_transform(IDXGISwapChain4 *self, DXGI_MATRIX_3X2_F *matrix)
{
    (void)self;
    (void)matrix;
    return DXGI_ERROR_INVALID_CALL;
}

UINT STDMETHODCALLTYPE rt_swap_chain_get_buffer_index(IDXGISwapChain4 *self)
{
    (void)self;
    return 0;
}

HRESULT STDMETHODCALLTYPE rt_swap_chain_check_colour_space(IDXGISwapChain4 *self, DXGI_COLOR_SPACE_TYPE space,
                                                           UINT *support)
{
    (void)self;
    if (!support)
        return E_INVALIDARG;
    *support = space == DXGI_COLOR_SPACE_RGB_FULL_G22_NONE_P709
                   ? DXGI_SWAP_CHAIN_COLOR_SPACE_SUPPORT_FLAG_PRESENT
                   : 0;
    return S_OK;
}

HRESULT STDMETHODCALLTYPE rt_swap_chain_set_colour_space(IDXGISwapChain4 *self, DXGI_COLOR_SPACE_TYPE space)
{
    (void)self;
    return space == DXGI_COLOR_SPACE_RGB_FULL_G22_NONE_P709 ? S_OK : E_INVALIDARG;
}

HRESULT STDMETHODCALLTYPE rt_swap_chain_set_hdr(IDXGISwapChain4 *self, DXGI_HDR_METADATA_TYPE type, UINT size,
                                                void *metadata)
{
    (void)self;
    (void)size;
    (void)metadata;
    return type == DXGI_HDR_METADATA_TYPE_NONE ? S_OK : DXGI_ERROR_UNSUPPORTED;
}
