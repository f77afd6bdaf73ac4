/* SPDX-License-Identifier: MIT
 *
 * Buffer 0 is the one that is drawn to and shown, whatever the effect. What flipping exchanges is the
 * contents.
 */
#include "guest/d3d11/swap_chain.h"

#include "guest/d3d11/swap_chain_methods.h"

#include <stdlib.h>

#define SMALLEST_SIDE 8u /* of a window that has no area */
/* Of the factory, as programs that count them know from Windows. */
#define FACTORY_REFERENCES 2u

static HRESULT parent(struct rt_object *object, REFIID iid, void **out)
{
    return rt_object_query(&((struct rt_swap_chain *)object)->factory->object, iid, out);
}

RT_DXGI_CHILD_METHODS(IDXGISwapChain4, parent)

/* ---- Buffers ----------------------------------------------------------------------------------------- */

static void end_buffers(struct rt_swap_chain *chain)
{
    for (UINT i = 0; i < chain->buffer_count; i++)
        rt_object_let_go(&chain->buffers[i]->object);
    chain->buffer_count = 0;
    if (chain->spare)
        rt_object_let_go(&chain->spare->object);
    chain->spare = NULL;
}

HRESULT rt_swap_chain_make_buffer(struct rt_swap_chain *chain, DXGI_USAGE dxgi_usage,
                                  struct rt_resource **out)
{
    const DXGI_USAGE usage = chain->desc.BufferUsage;
    const D3D11_TEXTURE2D_DESC1 desc = {
        .Width = chain->desc.Width,
        .Height = chain->desc.Height,
        .MipLevels = 1,
        .ArraySize = 1,
        .Format = chain->desc.Format,
        .SampleDesc = chain->desc.SampleDesc,
        .BindFlags = (usage & DXGI_USAGE_RENDER_TARGET_OUTPUT ? (UINT)D3D11_BIND_RENDER_TARGET : 0) |
                     (usage & DXGI_USAGE_SHADER_INPUT ? (UINT)D3D11_BIND_SHADER_RESOURCE : 0) |
                     (usage & DXGI_USAGE_UNORDERED_ACCESS ? (UINT)D3D11_BIND_UNORDERED_ACCESS : 0),
        .MiscFlags = chain->desc.Flags & DXGI_SWAP_CHAIN_FLAG_GDI_COMPATIBLE
                         ? (UINT)D3D11_RESOURCE_MISC_GDI_COMPATIBLE
                         : 0,
    };
    return rt_texture_create_back_buffer(chain->object.device, &desc, usage | dxgi_usage, out);
}

static HRESULT make_buffers(struct rt_swap_chain *chain)
{
    const DXGI_USAGE usage =
        DXGI_USAGE_BACK_BUFFER |
        (chain->desc.SwapEffect == DXGI_SWAP_EFFECT_DISCARD ? DXGI_USAGE_DISCARD_ON_PRESENT : 0);
    HRESULT result = S_OK;
    for (UINT i = 0; i < chain->desc.BufferCount && SUCCEEDED(result); i++) {
        result =
            rt_swap_chain_make_buffer(chain, usage | (i > 0 ? DXGI_USAGE_READ_ONLY : 0), &chain->buffers[i]);
        if (SUCCEEDED(result))
            chain->buffer_count++;
    }
    if (FAILED(result))
        end_buffers(chain);
    return result;
}

RT_METHOD(HRESULT) get_buffer(IDXGISwapChain4 *self, UINT index, REFIID iid, void **out)
{
    struct rt_swap_chain *chain = rt_swap_chain_of(self);
    if (!out)
        return DXGI_ERROR_INVALID_CALL;
    *out = NULL;
    if (index >= chain->buffer_count)
        return DXGI_ERROR_INVALID_CALL;
    return rt_object_query(&chain->buffers[index]->object, iid, out);
}

/* ---- Descriptions and sizes -------------------------------------------------------------------------- */

RT_METHOD(HRESULT) get_desc1(IDXGISwapChain4 *self, DXGI_SWAP_CHAIN_DESC1 *desc)
{
    if (!desc)
        return E_INVALIDARG;
    *desc = rt_swap_chain_of(self)->desc;
    return S_OK;
}

RT_METHOD(HRESULT) get_fullscreen_desc(IDXGISwapChain4 *self, DXGI_SWAP_CHAIN_FULLSCREEN_DESC *desc)
{
    if (!desc)
        return E_INVALIDARG;
    *desc = rt_swap_chain_of(self)->fullscreen;
    return S_OK;
}

RT_METHOD(HRESULT) get_desc(IDXGISwapChain4 *self, DXGI_SWAP_CHAIN_DESC *desc)
{
    const struct rt_swap_chain *chain = rt_swap_chain_of(self);
    if (!desc)
        return E_INVALIDARG;
    *desc = (DXGI_SWAP_CHAIN_DESC){
        .BufferDesc = {chain->desc.Width, chain->desc.Height, chain->fullscreen.RefreshRate,
                       chain->desc.Format, chain->fullscreen.ScanlineOrdering, chain->fullscreen.Scaling},
        .SampleDesc = chain->desc.SampleDesc,
        .BufferUsage = chain->desc.BufferUsage,
        .BufferCount = chain->desc.BufferCount,
        .OutputWindow = chain->window,
        .Windowed = chain->fullscreen.Windowed,
        .SwapEffect = chain->desc.SwapEffect,
        .Flags = chain->desc.Flags,
    };
    return S_OK;
}

/* Sizes that are left to the window. */
static void take_window_size(HWND window, DXGI_SWAP_CHAIN_DESC1 *desc)
{
    UINT width = 0, height = 0;
    if (desc->Width && desc->Height)
        return;
    if (window)
        rt_window_size(window, &width, &height);
    if (!desc->Width)
        desc->Width = width ? width : SMALLEST_SIDE;
    if (!desc->Height)
        desc->Height = height ? height : SMALLEST_SIDE;
}

/* What the program still holds of the buffers keeps their size; what is only bound as a target is unbound. */
static bool are_buffers_free(struct rt_swap_chain *chain, struct rt_context *context)
{
    for (UINT i = 0; i < chain->buffer_count; i++)
        if (atomic_load(&chain->buffers[i]->object.public_count) > 0)
            return false;
    for (UINT i = 0; i < chain->buffer_count; i++) {
        rt_hazard_end_buffer_outputs(context, chain->buffers[i], RT_OUTPUTS_TARGETS);
        if (atomic_load(&chain->buffers[i]->object.private_count) > 1)
            return false;
    }
    return true;
}

static HRESULT check(const struct rt_device *device, const DXGI_SWAP_CHAIN_DESC1 *desc);

static HRESULT resize(struct rt_swap_chain *chain, struct rt_context *context,
                      const DXGI_SWAP_CHAIN_DESC1 *wanted)
{
    const DXGI_SWAP_CHAIN_DESC1 before = chain->desc;
    HRESULT result = check(chain->object.device, wanted);
    if (FAILED(result))
        return result;
    if (!are_buffers_free(chain, context))
        return DXGI_ERROR_INVALID_CALL;
    end_buffers(chain);
    chain->desc = *wanted;
    result = make_buffers(chain);
    if (FAILED(result)) {
        chain->desc = before;
        if (FAILED(make_buffers(chain)))
            return E_OUTOFMEMORY;
    }
    chain->source_width = chain->desc.Width;
    chain->source_height = chain->desc.Height;
    return result;
}

RT_METHOD(HRESULT)
resize_buffers(IDXGISwapChain4 *self, UINT count, UINT width, UINT height, DXGI_FORMAT format, UINT flags)
{
    struct rt_swap_chain *chain = rt_swap_chain_of(self);
    DXGI_SWAP_CHAIN_DESC1 wanted = chain->desc;
    struct rt_context *context;
    HRESULT result;
    /* The waitable object is there from the creation on, or never. */
    if ((flags ^ chain->desc.Flags) & (UINT)DXGI_SWAP_CHAIN_FLAG_FRAME_LATENCY_WAITABLE_OBJECT)
        return DXGI_ERROR_INVALID_CALL;
    if (!chain->window && (!width || !height))
        return DXGI_ERROR_INVALID_CALL;
    if (count)
        wanted.BufferCount = count;
    if (format != DXGI_FORMAT_UNKNOWN)
        wanted.Format = format;
    wanted.Width = width;
    wanted.Height = height;
    wanted.Flags = flags;
    take_window_size(chain->window, &wanted);
    context = rt_enter(rt_immediate_of(chain->object.device));
    result = resize(chain, context, &wanted);
    rt_leave(context);
    return result;
}

/* It is for the swap chains of Direct3D 12's queues. */
RT_METHOD(HRESULT)
resize_buffers1(IDXGISwapChain4 *self, UINT count, UINT width, UINT height, DXGI_FORMAT format, UINT flags,
                const UINT *nodes, IUnknown *const *queues)
{
    (void)self;
    (void)count;
    (void)width;
    (void)height;
    (void)format;
    (void)flags;
    (void)nodes;
    (void)queues;
    return DXGI_ERROR_INVALID_CALL;
}

RT_METHOD(HRESULT) set_source_size(IDXGISwapChain4 *self, UINT width, UINT height)
{
    struct rt_swap_chain *chain = rt_swap_chain_of(self);
    if (!rt_swap_chain_is_flipped(&chain->desc) || !width || !height || width > chain->desc.Width ||
        height > chain->desc.Height)
        return DXGI_ERROR_INVALID_CALL;
    /* The host shows whole buffers. */
    if (width != chain->desc.Width || height != chain->desc.Height)
        return DXGI_ERROR_UNSUPPORTED;
    return S_OK;
}

RT_METHOD(HRESULT) get_source_size(IDXGISwapChain4 *self, UINT *width, UINT *height)
{
    if (!width || !height)
        return DXGI_ERROR_INVALID_CALL;
    *width = rt_swap_chain_of(self)->source_width;
    *height = rt_swap_chain_of(self)->source_height;
    return S_OK;
}

static const IDXGISwapChain4Vtbl methods = {
    RT_DXGI_CHILD_SLOTS(IDXGISwapChain4),
    .Present = rt_swap_chain_present0,
    .GetBuffer = get_buffer,
    .SetFullscreenState = rt_swap_chain_set_fullscreen,
    .GetFullscreenState = rt_swap_chain_get_fullscreen,
    .GetDesc = get_desc,
    .ResizeBuffers = resize_buffers,
    .ResizeTarget = rt_swap_chain_resize_target,
    .GetContainingOutput = rt_swap_chain_get_containing_output,
    .GetFrameStatistics = rt_swap_chain_get_statistics,
    .GetLastPresentCount = rt_swap_chain_get_present_count,
    .GetDesc1 = get_desc1,
    .GetFullscreenDesc = get_fullscreen_desc,
    .GetHwnd = rt_swap_chain_get_window,
    .GetCoreWindow = rt_swap_chain_get_core_window,
    .Present1 = rt_swap_chain_present1,
    .IsTemporaryMonoSupported = rt_swap_chain_is_mono_supported,
    .GetRestrictToOutput = rt_swap_chain_get_restriction,
    .SetBackgroundColor = rt_swap_chain_set_background,
    .GetBackgroundColor = rt_swap_chain_get_background,
    .SetRotation = rt_swap_chain_set_rotation,
    .GetRotation = rt_swap_chain_get_rotation,
    .SetSourceSize = set_source_size,
    .GetSourceSize = get_source_size,
    .SetMaximumFrameLatency = rt_swap_chain_set_latency,
    .GetMaximumFrameLatency = rt_swap_chain_get_latency,
    .GetFrameLatencyWaitableObject = rt_swap_chain_get_waitable,
    .SetMatrixTransform = rt_swap_chain_set_transform,
    .GetMatrixTransform = rt_swap_chain_get_transform,
    .GetCurrentBackBufferIndex = rt_swap_chain_get_buffer_index,
    .CheckColorSpaceSupport = rt_swap_chain_check_colour_space,
    .SetColorSpace1 = rt_swap_chain_set_colour_space,
    .ResizeBuffers1 = resize_buffers1,
    .SetHDRMetaData = rt_swap_chain_set_hdr,
};

/* ---- The object -------------------------------------------------------------------------------------- */

static void destroy(struct rt_object *object)
{
    struct rt_swap_chain *chain = (struct rt_swap_chain *)object;
    rt_swap_chain_unwatch_keys(chain);
    rt_swap_chain_leave_output(chain);
    end_buffers(chain);
    if (chain->waitable)
        rt_semaphore_close(chain->waitable);
    for (UINT i = 0; i < FACTORY_REFERENCES; i++)
        rt_object_release(&chain->factory->object);
    rt_object_fini(object);
    free(chain);
}

static const struct rt_class chain_class = {RT_CLASS_SWAP_CHAIN, {&methods}, destroy, NULL};

static bool is_flip_format(DXGI_FORMAT format)
{
    return format == DXGI_FORMAT_R16G16B16A16_FLOAT || format == DXGI_FORMAT_R8G8B8A8_UNORM ||
           format == DXGI_FORMAT_B8G8R8A8_UNORM || format == DXGI_FORMAT_R10G10B10A2_UNORM;
}

static HRESULT check(const struct rt_device *device, const DXGI_SWAP_CHAIN_DESC1 *desc)
{
    const UINT support = rt_device_format_support(device, desc->Format);
    if (!(support & D3D11_FORMAT_SUPPORT_DISPLAY))
        return E_INVALIDARG;
    if (desc->BufferCount == 0 || desc->BufferCount > RT_MOST_BUFFERS || desc->SampleDesc.Count == 0 ||
        desc->Stereo)
        return DXGI_ERROR_INVALID_CALL;
    switch (desc->SwapEffect) {
    case DXGI_SWAP_EFFECT_DISCARD:
    case DXGI_SWAP_EFFECT_SEQUENTIAL:
        return S_OK;
    case DXGI_SWAP_EFFECT_FLIP_SEQUENTIAL:
    case DXGI_SWAP_EFFECT_FLIP_DISCARD:
        return desc->BufferCount >= 2 && desc->SampleDesc.Count == 1 && is_flip_format(desc->Format)
                   ? S_OK
                   : DXGI_ERROR_INVALID_CALL;
    default:
        return DXGI_ERROR_INVALID_CALL;
    }
}

static UINT next_number(void)
{
    static _Atomic UINT last;
    return atomic_fetch_add(&last, 1) + 1;
}

HRESULT rt_swap_chain_create(struct rt_factory *factory, IUnknown *given, HWND window,
                             const DXGI_SWAP_CHAIN_DESC1 *desc,
                             const DXGI_SWAP_CHAIN_FULLSCREEN_DESC *fullscreen, REFIID iid, void **out)
{
    struct rt_device *device = rt_device_from_unknown(given);
    const bool is_full = fullscreen && !fullscreen->Windowed;
    struct rt_swap_chain *chain;
    HRESULT result;
    if (!device)
        return DXGI_ERROR_INVALID_CALL;
    result = check(device, desc);
    if (FAILED(result))
        return result;
    chain = calloc(1, sizeof(*chain));
    if (!chain)
        return E_OUTOFMEMORY;
    rt_object_init(&chain->object, &chain_class, device);
    chain->factory = factory;
    for (UINT i = 0; i < FACTORY_REFERENCES; i++)
        rt_object_add_ref(&factory->object);
    chain->window = window;
    chain->number = next_number();
    chain->desc = *desc;
    if (fullscreen)
        chain->fullscreen = *fullscreen;
    chain->fullscreen.Windowed = TRUE;
    if (is_full)
        result = rt_swap_chain_fill_output(chain, NULL);
    const bool is_occluded = FAILED(result);
    take_window_size(window, &chain->desc);
    chain->source_width = chain->desc.Width;
    chain->source_height = chain->desc.Height;
    if (rt_swap_chain_has_waitable(chain)) {
        chain->latency = 1;
        chain->waitable = rt_semaphore_create(1, RT_MOST_FRAME_LATENCY);
    }
    result = make_buffers(chain);
    if (SUCCEEDED(result))
        result = rt_object_query(&chain->object, iid, out);
    if (SUCCEEDED(result))
        rt_swap_chain_watch_keys(chain);
    rt_object_release(&chain->object);
    /* What cannot fill an output is windowed. */
    return SUCCEEDED(result) && is_occluded ? DXGI_STATUS_OCCLUDED : result;
}
