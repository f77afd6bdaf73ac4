/* SPDX-License-Identifier: MIT
 *
 * Presents, their statistics, and how far frames run ahead.
 */
#include "guest/d3d11/exchange.h"
#include "guest/d3d11/swap_chain_methods.h"

#define MOST_SYNC_INTERVAL 4u

/* Frames in flight are limited: the oldest is waited for. */
static HRESULT wait_for_frames(struct rt_swap_chain *chain, bool may_wait)
{
    struct rt_device *device = chain->object.device;
    const UINT latency = chain->latency ? chain->latency : device->frame_latency;
    enum umd_status status;
    if (chain->present_count < latency)
        return S_OK;
    status = umd_wait_for_fence(device->umd,
                                chain->shown[(chain->present_count - latency) % RT_MOST_FRAME_LATENCY],
                                may_wait ? UINT64_MAX : 0);
    return rt_result(status);
}

/* Draws what the host shows into the program's window, too. */
static void show_in_window(struct rt_swap_chain *chain, struct umd_picture *picture)
{
    struct umd_device *umd = chain->object.device->umd;
    if (!picture)
        return;
    if (umd_wait_for_fence(umd, picture->fence, UINT64_MAX) == UMD_OK)
        rt_window_draw(chain->window, picture->pixels, picture->width, picture->height);
    umd_release_picture(umd, picture);
}

/* Whether a present exchanges the contents of the buffers: those that keep them do. */
static bool exchanges(const struct rt_swap_chain *chain, UINT flags)
{
    const DXGI_SWAP_EFFECT effect = chain->desc.SwapEffect;
    return chain->buffer_count > 1 && !(flags & DXGI_PRESENT_DO_NOT_SEQUENCE) &&
           (effect == DXGI_SWAP_EFFECT_SEQUENTIAL || effect == DXGI_SWAP_EFFECT_FLIP_SEQUENTIAL);
}

/* Each buffer gets the contents of the one behind it, the last one those of the first, which was shown.
 * Copies do it, since views are of the buffers. */
static void flip(struct rt_swap_chain *chain, struct rt_context *context)
{
    struct umd_resource *buffers[RT_MOST_BUFFERS];
    for (UINT i = 0; i < chain->buffer_count; i++)
        buffers[i] = chain->buffers[i]->umd;
    umd_rotate_resources(context->umd, buffers, chain->buffer_count, chain->spare->umd);
}

static HRESULT present(struct rt_swap_chain *chain, struct rt_context *context, UINT sync_interval,
                       UINT flags)
{
    HRESULT result = wait_for_frames(chain, !(flags & DXGI_PRESENT_DO_NOT_WAIT));
    struct umd_picture *picture = NULL;
    uint64_t fence = 0;
    if (FAILED(result))
        return result;
    /* Nothing is shown that cannot be flipped afterwards. */
    if (exchanges(chain, flags) && !chain->spare) {
        result = rt_swap_chain_make_buffer(chain, DXGI_USAGE_BACK_BUFFER, &chain->spare);
        if (FAILED(result))
            return result;
    }
    const struct umd_present what = {
        .texture = chain->buffers[0]->umd,
        .swap_chain = chain->number,
        .sync_interval = sync_interval,
        .picture =
            chain->window && rt_gpu_shows_windows() && rt_window_is_seen(chain->window) ? &picture : NULL,
    };
    result = rt_result(umd_present(context->umd, &what, &fence));
    if (FAILED(result))
        return result;
    rt_exchange_publish();
    show_in_window(chain, picture);
    if (exchanges(chain, flags))
        flip(chain, context);
    chain->shown[chain->present_count % RT_MOST_FRAME_LATENCY] = fence;
    chain->present_count++;
    chain->last_present_ticks = rt_ticks();
    if (chain->waitable)
        rt_semaphore_release(chain->waitable, 1);
    /* A buffer that was flipped away is bound no more. */
    if (rt_swap_chain_is_flipped(&chain->desc) && !(flags & DXGI_PRESENT_DO_NOT_SEQUENCE))
        rt_hazard_end_buffer_outputs(context, chain->buffers[0], RT_OUTPUTS_TARGETS);
    return S_OK;
}

/* The frame is drawn, and nothing of it shown or counted. */
static HRESULT pass_over(struct rt_swap_chain *chain, struct rt_context *context)
{
    const HRESULT result = rt_result(umd_flush(context->umd, NULL));
    if (FAILED(result))
        return result;
    rt_exchange_publish();
    if (chain->waitable)
        rt_semaphore_release(chain->waitable, 1);
    return DXGI_STATUS_OCCLUDED;
}

#define KNOWN_PRESENT_FLAGS                                                                                  \
    ((UINT)DXGI_PRESENT_TEST | DXGI_PRESENT_DO_NOT_SEQUENCE | DXGI_PRESENT_RESTART |                         \
     DXGI_PRESENT_DO_NOT_WAIT | DXGI_PRESENT_RESTRICT_TO_OUTPUT | DXGI_PRESENT_STEREO_PREFER_RIGHT |         \
     DXGI_PRESENT_STEREO_TEMPORARY_MONO | DXGI_PRESENT_USE_DURATION | DXGI_PRESENT_ALLOW_TEARING)

HRESULT STDMETHODCALLTYPE rt_swap_chain_present1(IDXGISwapChain4 *self, UINT sync_interval, UINT flags,
                                                 const DXGI_PRESENT_PARAMETERS *parameters)
{
    struct rt_swap_chain *chain = rt_swap_chain_of(self);
    struct rt_context *context;
    HRESULT result;
    (void)parameters; /* where nothing has changed the host may look all the same */
    if (sync_interval > MOST_SYNC_INTERVAL || (flags & ~KNOWN_PRESENT_FLAGS))
        return DXGI_ERROR_INVALID_CALL;
    if ((flags & DXGI_PRESENT_ALLOW_TEARING) &&
        (sync_interval || !(chain->desc.Flags & DXGI_SWAP_CHAIN_FLAG_ALLOW_TEARING)))
        return DXGI_ERROR_INVALID_CALL;
    result = rt_device_removed_reason(chain->object.device, false);
    if (FAILED(result))
        return DXGI_ERROR_DEVICE_REMOVED;
    const bool is_minimized = chain->window && rt_window_is_minimized(chain->window);
    if (flags & DXGI_PRESENT_TEST)
        return is_minimized ? DXGI_STATUS_OCCLUDED : S_OK;
    context = rt_enter(rt_immediate_of(chain->object.device));
    result = is_minimized ? pass_over(chain, context) : present(chain, context, sync_interval, flags);
    rt_leave(context);
    return result;
}

HRESULT STDMETHODCALLTYPE rt_swap_chain_present0(IDXGISwapChain4 *self, UINT sync_interval, UINT flags)
{
    return rt_swap_chain_present1(self, sync_interval, flags, NULL);
}

HRESULT STDMETHODCALLTYPE rt_swap_chain_get_statistics(IDXGISwapChain4 *self,
                                                       DXGI_FRAME_STATISTICS *statistics)
{
    const struct rt_swap_chain *chain = rt_swap_chain_of(self);
    if (!statistics)
        return E_INVALIDARG;
    *statistics = (DXGI_FRAME_STATISTICS){
        .PresentCount = chain->present_count,
        .PresentRefreshCount = chain->present_count,
        .SyncRefreshCount = chain->present_count,
        .SyncQPCTime.QuadPart = chain->last_present_ticks,
    };
    return S_OK;
}

HRESULT STDMETHODCALLTYPE rt_swap_chain_get_present_count(IDXGISwapChain4 *self, UINT *count)
{
    if (!count)
        return E_INVALIDARG;
    *count = rt_swap_chain_of(self)->present_count;
    return S_OK;
}

/* ---- Latency ----------------------------------------------------------------------------------------- */

HRESULT STDMETHODCALLTYPE rt_swap_chain_set_latency(IDXGISwapChain4 *self, UINT latency)
{
    struct rt_swap_chain *chain = rt_swap_chain_of(self);
    if (!rt_swap_chain_has_waitable(chain) || latency == 0 || latency > RT_MOST_FRAME_LATENCY)
        return DXGI_ERROR_INVALID_CALL;
    if (chain->waitable && latency > chain->latency)
        rt_semaphore_release(chain->waitable, (LONG)(latency - chain->latency));
    chain->latency = latency;
    return S_OK;
}

HRESULT STDMETHODCALLTYPE rt_swap_chain_get_latency(IDXGISwapChain4 *self, UINT *latency)
{
    struct rt_swap_chain *chain = rt_swap_chain_of(self);
    if (!latency || !rt_swap_chain_has_waitable(chain))
        return DXGI_ERROR_INVALID_CALL;
    *latency = chain->latency;
    return S_OK;
}

/* The program closes the handle that it gets. */
HANDLE STDMETHODCALLTYPE rt_swap_chain_get_waitable(IDXGISwapChain4 *self)
{
    return rt_semaphore_duplicate(rt_swap_chain_of(self)->waitable);
}
