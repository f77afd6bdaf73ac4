/* SPDX-License-Identifier: MIT
 *
 * Buffer 0 is the one that is drawn to and shown, whatever the effect. What flipping exchanges is the
 * contents.
 */
#include "guest/d3d11/swap_chain.h"

#include "guest/d3d11/gpu.h"
#include "guest/d3d11/hazard.h"

#include <stdlib.h>
#include <string.h>

#define MOST_BUFFERS DXGI_MAX_SWAP_CHAIN_BUFFERS
#define MOST_SYNC_INTERVAL 4u
#define SMALLEST_SIDE 8u /* of a window that has no area */

struct rt_swap_chain {
    struct rt_object object;
    struct rt_factory *factory; /* a public reference */
    HWND window;
    UINT number; /* what the host calls it */
    DXGI_SWAP_CHAIN_DESC1 desc;
    DXGI_SWAP_CHAIN_FULLSCREEN_DESC fullscreen;
    struct rt_resource *buffers[MOST_BUFFERS]; /* private references */
    UINT buffer_count;
    struct rt_resource *spare; /* what buffers are exchanged through; null: they were not yet */
    UINT present_count;
    uint64_t shown[RT_MOST_FRAME_LATENCY]; /* submissions of the newest presents, by their number */
    int64_t last_present_ticks;
    UINT latency; /* of the waitable object; 0: the device's counts */
    HANDLE waitable;
    DXGI_RGBA background;
    UINT source_width, source_height;
};

static struct rt_swap_chain *chain_of(IDXGISwapChain4 *self)
{
    return (struct rt_swap_chain *)RT_OBJECT(self);
}

static bool is_flipped(const DXGI_SWAP_CHAIN_DESC1 *desc)
{
    return desc->SwapEffect == DXGI_SWAP_EFFECT_FLIP_SEQUENTIAL ||
           desc->SwapEffect == DXGI_SWAP_EFFECT_FLIP_DISCARD;
}

static HRESULT parent(struct rt_object *object, REFIID iid, void **out)
{
    return rt_object_query(&((struct rt_swap_chain *)object)->factory->object, iid, out);
}

RT_DXGI_CHILD_METHODS(IDXGISwapChain4, parent)

/* ---- Buffers ------------------------------------------------------------------------------------------- */

static void end_buffers(struct rt_swap_chain *chain)
{
    for (UINT i = 0; i < chain->buffer_count; i++)
        rt_object_let_go(&chain->buffers[i]->object);
    chain->buffer_count = 0;
    if (chain->spare)
        rt_object_let_go(&chain->spare->object);
    chain->spare = NULL;
}

static HRESULT make_buffer(struct rt_swap_chain *chain, DXGI_USAGE dxgi_usage, struct rt_resource **out)
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
        result = make_buffer(chain, usage | (i > 0 ? DXGI_USAGE_READ_ONLY : 0), &chain->buffers[i]);
        if (SUCCEEDED(result))
            chain->buffer_count++;
    }
    if (FAILED(result))
        end_buffers(chain);
    return result;
}

RT_METHOD(HRESULT) get_buffer(IDXGISwapChain4 *self, UINT index, REFIID iid, void **out)
{
    struct rt_swap_chain *chain = chain_of(self);
    if (!out)
        return DXGI_ERROR_INVALID_CALL;
    *out = NULL;
    if (index >= chain->buffer_count)
        return DXGI_ERROR_INVALID_CALL;
    return rt_object_query(&chain->buffers[index]->object, iid, out);
}

/* ---- Presents ------------------------------------------------------------------------------------------ */

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
    struct umd_resource *buffers[MOST_BUFFERS];
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
        result = make_buffer(chain, DXGI_USAGE_BACK_BUFFER, &chain->spare);
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
    show_in_window(chain, picture);
    if (exchanges(chain, flags))
        flip(chain, context);
    chain->shown[chain->present_count % RT_MOST_FRAME_LATENCY] = fence;
    chain->present_count++;
    chain->last_present_ticks = rt_ticks();
    if (chain->waitable)
        rt_semaphore_release(chain->waitable, 1);
    /* A buffer that was flipped away is bound no more. */
    if (is_flipped(&chain->desc) && !(flags & DXGI_PRESENT_DO_NOT_SEQUENCE))
        rt_hazard_end_buffer_outputs(context, chain->buffers[0], RT_OUTPUTS_TARGETS);
    return S_OK;
}

#define KNOWN_PRESENT_FLAGS                                                                                  \
    ((UINT)DXGI_PRESENT_TEST | DXGI_PRESENT_DO_NOT_SEQUENCE | DXGI_PRESENT_RESTART |                         \
     DXGI_PRESENT_DO_NOT_WAIT | DXGI_PRESENT_RESTRICT_TO_OUTPUT | DXGI_PRESENT_STEREO_PREFER_RIGHT |         \
     DXGI_PRESENT_STEREO_TEMPORARY_MONO | DXGI_PRESENT_USE_DURATION | DXGI_PRESENT_ALLOW_TEARING)

RT_METHOD(HRESULT)
present1(IDXGISwapChain4 *self, UINT sync_interval, UINT flags, const DXGI_PRESENT_PARAMETERS *parameters)
{
    struct rt_swap_chain *chain = chain_of(self);
    struct rt_context *context;
    HRESULT result;
    (void)parameters; /* where nothing has changed the host may look all the same */
    if (sync_interval > MOST_SYNC_INTERVAL || (flags & ~KNOWN_PRESENT_FLAGS))
        return DXGI_ERROR_INVALID_CALL;
    if ((flags & DXGI_PRESENT_ALLOW_TEARING) &&
        (sync_interval || !(chain->desc.Flags & DXGI_SWAP_CHAIN_FLAG_ALLOW_TEARING)))
        return DXGI_ERROR_INVALID_CALL;
    result = rt_device_removed_reason(chain->object.device);
    if (FAILED(result))
        return DXGI_ERROR_DEVICE_REMOVED;
    if (flags & DXGI_PRESENT_TEST)
        return S_OK;
    context = rt_enter(rt_immediate_of(chain->object.device));
    result = present(chain, context, sync_interval, flags);
    rt_leave(context);
    return result;
}

RT_METHOD(HRESULT) present0(IDXGISwapChain4 *self, UINT sync_interval, UINT flags)
{
    return present1(self, sync_interval, flags, NULL);
}

RT_METHOD(HRESULT) get_statistics(IDXGISwapChain4 *self, DXGI_FRAME_STATISTICS *statistics)
{
    const struct rt_swap_chain *chain = chain_of(self);
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

RT_METHOD(HRESULT) get_present_count(IDXGISwapChain4 *self, UINT *count)
{
    if (!count)
        return E_INVALIDARG;
    *count = chain_of(self)->present_count;
    return S_OK;
}

/* ---- Descriptions and sizes ---------------------------------------------------------------------------- */

RT_METHOD(HRESULT) get_desc1(IDXGISwapChain4 *self, DXGI_SWAP_CHAIN_DESC1 *desc)
{
    if (!desc)
        return E_INVALIDARG;
    *desc = chain_of(self)->desc;
    return S_OK;
}

RT_METHOD(HRESULT) get_fullscreen_desc(IDXGISwapChain4 *self, DXGI_SWAP_CHAIN_FULLSCREEN_DESC *desc)
{
    if (!desc)
        return E_INVALIDARG;
    *desc = chain_of(self)->fullscreen;
    return S_OK;
}

RT_METHOD(HRESULT) get_desc(IDXGISwapChain4 *self, DXGI_SWAP_CHAIN_DESC *desc)
{
    const struct rt_swap_chain *chain = chain_of(self);
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
    struct rt_swap_chain *chain = chain_of(self);
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

RT_METHOD(HRESULT)
resize_buffers1(IDXGISwapChain4 *self, UINT count, UINT width, UINT height, DXGI_FORMAT format, UINT flags,
                const UINT *nodes, IUnknown *const *queues)
{
    (void)nodes;
    (void)queues;
    return resize_buffers(self, count, width, height, format, flags);
}

RT_METHOD(HRESULT) resize_target(IDXGISwapChain4 *self, const DXGI_MODE_DESC *mode)
{
    if (!mode)
        return DXGI_ERROR_INVALID_CALL;
    if (chain_of(self)->window && mode->Width && mode->Height)
        rt_window_resize(chain_of(self)->window, mode->Width, mode->Height);
    return S_OK;
}

RT_METHOD(HRESULT) set_source_size(IDXGISwapChain4 *self, UINT width, UINT height)
{
    struct rt_swap_chain *chain = chain_of(self);
    if (!is_flipped(&chain->desc) || !width || !height || width > chain->desc.Width ||
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
    *width = chain_of(self)->source_width;
    *height = chain_of(self)->source_height;
    return S_OK;
}

/* ---- Windows and outputs ------------------------------------------------------------------------------- */

RT_METHOD(HRESULT) get_window(IDXGISwapChain4 *self, HWND *window)
{
    if (!window)
        return DXGI_ERROR_INVALID_CALL;
    *window = chain_of(self)->window;
    return *window ? S_OK : DXGI_ERROR_INVALID_CALL;
}

RT_METHOD(HRESULT) get_core_window(IDXGISwapChain4 *self, REFIID iid, void **out)
{
    (void)self;
    (void)iid;
    if (out)
        *out = NULL;
    return DXGI_ERROR_INVALID_CALL;
}

RT_METHOD(HRESULT) get_containing_output(IDXGISwapChain4 *self, IDXGIOutput **out)
{
    struct rt_output *output;
    HRESULT result;
    if (!out)
        return DXGI_ERROR_INVALID_CALL;
    *out = NULL;
    result = rt_output_create(chain_of(self)->object.device->adapter, &output);
    if (SUCCEEDED(result))
        *out = (IDXGIOutput *)&output->object.faces[0];
    return result;
}

/* The display belongs to the host: no chain takes it for itself. */
RT_METHOD(HRESULT) set_fullscreen(IDXGISwapChain4 *self, BOOL fullscreen, IDXGIOutput *target)
{
    (void)self;
    if (!fullscreen)
        return target ? DXGI_ERROR_INVALID_CALL : S_OK;
    return DXGI_ERROR_NOT_CURRENTLY_AVAILABLE;
}

RT_METHOD(HRESULT) get_fullscreen(IDXGISwapChain4 *self, BOOL *fullscreen, IDXGIOutput **target)
{
    (void)self;
    if (fullscreen)
        *fullscreen = FALSE;
    if (target)
        *target = NULL;
    return S_OK;
}

RT_METHOD(HRESULT) get_restriction(IDXGISwapChain4 *self, IDXGIOutput **out)
{
    (void)self;
    if (!out)
        return DXGI_ERROR_INVALID_CALL;
    *out = NULL;
    return S_OK;
}

RT_METHOD(BOOL) is_mono_supported(IDXGISwapChain4 *self)
{
    (void)self;
    return FALSE;
}

/* ---- How pictures are shown ---------------------------------------------------------------------------- */

RT_METHOD(HRESULT) set_background(IDXGISwapChain4 *self, const DXGI_RGBA *colour)
{
    if (!colour)
        return E_INVALIDARG;
    chain_of(self)->background = *colour;
    return S_OK;
}

RT_METHOD(HRESULT) get_background(IDXGISwapChain4 *self, DXGI_RGBA *colour)
{
    if (!colour)
        return E_INVALIDARG;
    *colour = chain_of(self)->background;
    return S_OK;
}

RT_METHOD(HRESULT) set_rotation(IDXGISwapChain4 *self, DXGI_MODE_ROTATION rotation)
{
    (void)self;
    return rotation == DXGI_MODE_ROTATION_IDENTITY ? S_OK : DXGI_ERROR_INVALID_CALL;
}

RT_METHOD(HRESULT) get_rotation(IDXGISwapChain4 *self, DXGI_MODE_ROTATION *rotation)
{
    (void)self;
    if (!rotation)
        return E_INVALIDARG;
    *rotation = DXGI_MODE_ROTATION_IDENTITY;
    return S_OK;
}

RT_METHOD(HRESULT) set_transform(IDXGISwapChain4 *self, const DXGI_MATRIX_3X2_F *matrix)
{
    (void)self;
    (void)matrix;
    return DXGI_ERROR_INVALID_CALL;
}

RT_METHOD(HRESULT) get_transform(IDXGISwapChain4 *self, DXGI_MATRIX_3X2_F *matrix)
{
    (void)self;
    (void)matrix;
    return DXGI_ERROR_INVALID_CALL;
}

RT_METHOD(UINT) get_buffer_index(IDXGISwapChain4 *self)
{
    (void)self;
    return 0;
}

RT_METHOD(HRESULT) check_colour_space(IDXGISwapChain4 *self, DXGI_COLOR_SPACE_TYPE space, UINT *support)
{
    (void)self;
    if (!support)
        return E_INVALIDARG;
    *support = space == DXGI_COLOR_SPACE_RGB_FULL_G22_NONE_P709
                   ? DXGI_SWAP_CHAIN_COLOR_SPACE_SUPPORT_FLAG_PRESENT
                   : 0;
    return S_OK;
}

RT_METHOD(HRESULT) set_colour_space(IDXGISwapChain4 *self, DXGI_COLOR_SPACE_TYPE space)
{
    (void)self;
    return space == DXGI_COLOR_SPACE_RGB_FULL_G22_NONE_P709 ? S_OK : E_INVALIDARG;
}

RT_METHOD(HRESULT) set_hdr(IDXGISwapChain4 *self, DXGI_HDR_METADATA_TYPE type, UINT size, void *metadata)
{
    (void)self;
    (void)size;
    (void)metadata;
    return type == DXGI_HDR_METADATA_TYPE_NONE ? S_OK : DXGI_ERROR_UNSUPPORTED;
}

/* ---- Latency ------------------------------------------------------------------------------------------- */

static bool has_waitable(const struct rt_swap_chain *chain)
{
    return (chain->desc.Flags & DXGI_SWAP_CHAIN_FLAG_FRAME_LATENCY_WAITABLE_OBJECT) != 0;
}

RT_METHOD(HRESULT) set_latency(IDXGISwapChain4 *self, UINT latency)
{
    struct rt_swap_chain *chain = chain_of(self);
    if (!has_waitable(chain) || latency == 0 || latency > RT_MOST_FRAME_LATENCY)
        return DXGI_ERROR_INVALID_CALL;
    if (chain->waitable && latency > chain->latency)
        rt_semaphore_release(chain->waitable, (LONG)(latency - chain->latency));
    chain->latency = latency;
    return S_OK;
}

RT_METHOD(HRESULT) get_latency(IDXGISwapChain4 *self, UINT *latency)
{
    struct rt_swap_chain *chain = chain_of(self);
    if (!latency || !has_waitable(chain))
        return DXGI_ERROR_INVALID_CALL;
    *latency = chain->latency;
    return S_OK;
}

/* The program closes the handle that it gets. */
RT_METHOD(HANDLE) get_waitable(IDXGISwapChain4 *self)
{
    return rt_semaphore_duplicate(chain_of(self)->waitable);
}

static const IDXGISwapChain4Vtbl methods = {
    RT_DXGI_CHILD_SLOTS(IDXGISwapChain4),
    .Present = present0,
    .GetBuffer = get_buffer,
    .SetFullscreenState = set_fullscreen,
    .GetFullscreenState = get_fullscreen,
    .GetDesc = get_desc,
    .ResizeBuffers = resize_buffers,
    .ResizeTarget = resize_target,
    .GetContainingOutput = get_containing_output,
    .GetFrameStatistics = get_statistics,
    .GetLastPresentCount = get_present_count,
    .GetDesc1 = get_desc1,
    .GetFullscreenDesc = get_fullscreen_desc,
    .GetHwnd = get_window,
    .GetCoreWindow = get_core_window,
    .Present1 = present1,
    .IsTemporaryMonoSupported = is_mono_supported,
    .GetRestrictToOutput = get_restriction,
    .SetBackgroundColor = set_background,
    .GetBackgroundColor = get_background,
    .SetRotation = set_rotation,
    .GetRotation = get_rotation,
    .SetSourceSize = set_source_size,
    .GetSourceSize = get_source_size,
    .SetMaximumFrameLatency = set_latency,
    .GetMaximumFrameLatency = get_latency,
    .GetFrameLatencyWaitableObject = get_waitable,
    .SetMatrixTransform = set_transform,
    .GetMatrixTransform = get_transform,
    .GetCurrentBackBufferIndex = get_buffer_index,
    .CheckColorSpaceSupport = check_colour_space,
    .SetColorSpace1 = set_colour_space,
    .ResizeBuffers1 = resize_buffers1,
    .SetHDRMetaData = set_hdr,
};

/* ---- The object ---------------------------------------------------------------------------------------- */

static void destroy(struct rt_object *object)
{
    struct rt_swap_chain *chain = (struct rt_swap_chain *)object;
    end_buffers(chain);
    if (chain->waitable)
        rt_semaphore_close(chain->waitable);
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
    if (desc->BufferCount == 0 || desc->BufferCount > MOST_BUFFERS || desc->SampleDesc.Count == 0 ||
        desc->Stereo)
        return DXGI_ERROR_INVALID_CALL;
    switch (desc->SwapEffect) {
    case DXGI_SWAP_EFFECT_DISCARD:
        return S_OK;
    case DXGI_SWAP_EFFECT_SEQUENTIAL:
        return desc->SampleDesc.Count == 1 ? S_OK : DXGI_ERROR_INVALID_CALL;
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
    rt_object_add_ref(&factory->object);
    chain->window = window;
    chain->number = next_number();
    chain->desc = *desc;
    if (fullscreen)
        chain->fullscreen = *fullscreen;
    chain->fullscreen.Windowed = TRUE;
    take_window_size(window, &chain->desc);
    chain->source_width = chain->desc.Width;
    chain->source_height = chain->desc.Height;
    if (has_waitable(chain)) {
        chain->latency = 1;
        chain->waitable = rt_semaphore_create(1, RT_MOST_FRAME_LATENCY);
    }
    result = make_buffers(chain);
    if (SUCCEEDED(result))
        result = rt_object_query(&chain->object, iid, out);
    rt_object_release(&chain->object);
    return result;
}
