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

static HRESULT make_output(const struct rt_swap_chain *chain, IDXGIOutput **out)
{
    struct rt_output *output;
    const HRESULT result = rt_output_create(chain->object.device->adapter, &output);
    if (SUCCEEDED(result))
        *out = (IDXGIOutput *)&output->object.faces[0];
    return result;
}

/* A chain without a window is on none. */
HRESULT STDMETHODCALLTYPE rt_swap_chain_get_containing_output(IDXGISwapChain4 *self, IDXGIOutput **out)
{
    const struct rt_swap_chain *chain = rt_swap_chain_of(self);
    if (!out)
        return DXGI_ERROR_INVALID_CALL;
    *out = NULL;
    if (!chain->window)
        return DXGI_ERROR_INVALID_CALL;
    if (!chain->filled)
        return make_output(chain, out);
    chain->filled->lpVtbl->AddRef(chain->filled);
    *out = chain->filled;
    return S_OK;
}

/* ---- Fullscreen ---------------------------------------------------------------------------------------- */

/* The window fills the output, and what is shown there is as large as the window. Only a chain that asks for
 * it gives the display another mode, where that is possible. */
static bool fill(struct rt_swap_chain *chain, UINT width, UINT height, struct rt_window_place *before)
{
    DXGI_MODE_DESC mode = {.Width = width, .Height = height, .Format = DXGI_FORMAT_R8G8B8A8_UNORM};
    if (!width || !height)
        rt_window_size(chain->window, &mode.Width, &mode.Height);
    if ((chain->desc.Flags & DXGI_SWAP_CHAIN_FLAG_ALLOW_MODE_SWITCH) && mode.Width && mode.Height &&
        SUCCEEDED(chain->filled->lpVtbl->FindClosestMatchingMode(chain->filled, &mode, &mode, NULL)))
        chain->has_display_mode |= rt_display_resize(mode.Width, mode.Height);
    const RECT desktop = rt_desktop_rect();
    return rt_window_fill(chain->window, &desktop, before);
}

static void become_windowed(struct rt_swap_chain *chain)
{
    chain->filled->lpVtbl->Release(chain->filled);
    chain->filled = NULL;
    chain->fullscreen.Windowed = TRUE;
    if (chain->has_display_mode)
        rt_display_restore();
    chain->has_display_mode = false;
}

/* What the window is told while it changes the program may ask the chain about. */
HRESULT rt_swap_chain_fill_output(struct rt_swap_chain *chain, IDXGIOutput *output)
{
    if (chain->filled)
        return S_OK;
    if (output)
        output->lpVtbl->AddRef(output);
    else if (FAILED(make_output(chain, &output)))
        return E_OUTOFMEMORY;
    chain->filled = output;
    chain->fullscreen.Windowed = FALSE;
    if (fill(chain, chain->desc.Width, chain->desc.Height, &chain->before))
        return S_OK;
    become_windowed(chain);
    return DXGI_ERROR_NOT_CURRENTLY_AVAILABLE;
}

void rt_swap_chain_leave_output(struct rt_swap_chain *chain)
{
    if (!chain->filled)
        return;
    become_windowed(chain);
    rt_window_put_back(chain->window, &chain->before);
}

HRESULT STDMETHODCALLTYPE rt_swap_chain_set_fullscreen(IDXGISwapChain4 *self, BOOL fullscreen,
                                                       IDXGIOutput *output)
{
    struct rt_swap_chain *chain = rt_swap_chain_of(self);
    if (!chain->window || (!fullscreen && output))
        return DXGI_ERROR_INVALID_CALL;
    if (fullscreen)
        return rt_swap_chain_fill_output(chain, output);
    rt_swap_chain_leave_output(chain);
    return S_OK;
}

HRESULT STDMETHODCALLTYPE rt_swap_chain_get_fullscreen(IDXGISwapChain4 *self, BOOL *fullscreen,
                                                       IDXGIOutput **output)
{
    const struct rt_swap_chain *chain = rt_swap_chain_of(self);
    if (fullscreen)
        *fullscreen = chain->filled != NULL;
    if (output) {
        *output = chain->filled;
        if (chain->filled)
            chain->filled->lpVtbl->AddRef(chain->filled);
    }
    return S_OK;
}

/* A mode of no size makes the window as small as it can be. */
HRESULT STDMETHODCALLTYPE rt_swap_chain_resize_target(IDXGISwapChain4 *self, const DXGI_MODE_DESC *mode)
{
    struct rt_swap_chain *chain = rt_swap_chain_of(self);
    if (!mode || !chain->window)
        return DXGI_ERROR_INVALID_CALL;
    if (chain->filled)
        fill(chain, mode->Width, mode->Height, NULL);
    else
        rt_window_resize(chain->window, mode->Width, mode->Height);
    return S_OK;
}

/* ---- Alt+Enter ----------------------------------------------------------------------------------------- */

static struct rt_swap_chain *watched;

/* By the thread of the window. */
static void toggle(HWND window)
{
    const UINT forbidding = DXGI_MWA_NO_WINDOW_CHANGES | DXGI_MWA_NO_ALT_ENTER;
    struct rt_swap_chain *chain;
    rt_process_lock();
    for (chain = watched; chain; chain = chain->next)
        if (chain->window == window && !(rt_factory_flags_of(chain->factory, window) & forbidding) &&
            rt_object_try_hold(&chain->object))
            break;
    rt_process_unlock();
    if (!chain)
        return;
    if (chain->filled)
        rt_swap_chain_leave_output(chain);
    else
        rt_swap_chain_fill_output(chain, NULL);
    rt_object_let_go(&chain->object);
}

/* Under the lock of the process. */
static void *keys_of(uintptr_t thread)
{
    for (const struct rt_swap_chain *chain = watched; chain; chain = chain->next)
        if (chain->thread == thread)
            return chain->keys;
    return NULL;
}

void rt_swap_chain_watch_keys(struct rt_swap_chain *chain)
{
    chain->thread = chain->window ? rt_window_thread(chain->window) : 0;
    if (!chain->thread)
        return;
    rt_process_lock();
    chain->keys = keys_of(chain->thread);
    if (!chain->keys)
        chain->keys = rt_keys_watch(chain->thread, toggle);
    chain->next = watched;
    watched = chain;
    rt_process_unlock();
}

void rt_swap_chain_unwatch_keys(struct rt_swap_chain *chain)
{
    struct rt_swap_chain **at = &watched;
    if (!chain->thread)
        return;
    rt_process_lock();
    while (*at != chain)
        at = &(*at)->next;
    *at = chain->next;
    if (chain->keys && !keys_of(chain->thread))
        rt_keys_unwatch(chain->keys);
    rt_process_unlock();
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

/* Floats are shown as linear, as on Windows. */
static DXGI_COLOR_SPACE_TYPE colour_space_of(const struct rt_swap_chain *chain)
{
    return chain->desc.Format == DXGI_FORMAT_R16G16B16A16_FLOAT ? DXGI_COLOR_SPACE_RGB_FULL_G10_NONE_P709
                                                                : DXGI_COLOR_SPACE_RGB_FULL_G22_NONE_P709;
}

HRESULT STDMETHODCALLTYPE rt_swap_chain_check_colour_space(IDXGISwapChain4 *self, DXGI_COLOR_SPACE_TYPE space,
                                                           UINT *support)
{
    if (!support)
        return E_INVALIDARG;
    *support = space == colour_space_of(rt_swap_chain_of(self))
                   ? DXGI_SWAP_CHAIN_COLOR_SPACE_SUPPORT_FLAG_PRESENT
                   : 0;
    return S_OK;
}

HRESULT STDMETHODCALLTYPE rt_swap_chain_set_colour_space(IDXGISwapChain4 *self, DXGI_COLOR_SPACE_TYPE space)
{
    return space == colour_space_of(rt_swap_chain_of(self)) ? S_OK : E_INVALIDARG;
}

HRESULT STDMETHODCALLTYPE rt_swap_chain_set_hdr(IDXGISwapChain4 *self, DXGI_HDR_METADATA_TYPE type, UINT size,
                                                void *metadata)
{
    (void)self;
    (void)size;
    (void)metadata;
    return type == DXGI_HDR_METADATA_TYPE_NONE ? S_OK : DXGI_ERROR_UNSUPPORTED;
}
