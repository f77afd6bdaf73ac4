/* SPDX-License-Identifier: MIT
 *
 * IDXGIOutput to IDXGIOutput6: the one output, whose modes are those that fit on the desktop.
 */
#include "guest/d3d11/dxgi_objects.h"
#include "guest/d3d11/platform.h"

#include <stdlib.h>
#include <string.h>

static const WCHAR device_name[] = u"\\\\.\\DISPLAY1";
static const DXGI_RATIONAL refresh_rate = {60, 1};

static const struct {
    UINT width, height;
} sizes[] = {
    {640,  480 },
    {800,  600 },
    {1024, 768 },
    {1280, 720 },
    {1280, 800 },
    {1280, 1024},
    {1600, 1200},
    {1920, 1080}
};

static const DXGI_FORMAT display_formats[] = {DXGI_FORMAT_R8G8B8A8_UNORM,     DXGI_FORMAT_R8G8B8A8_UNORM_SRGB,
                                              DXGI_FORMAT_B8G8R8A8_UNORM,     DXGI_FORMAT_B8G8R8A8_UNORM_SRGB,
                                              DXGI_FORMAT_R16G16B16A16_FLOAT, DXGI_FORMAT_R10G10B10A2_UNORM};

static HRESULT parent(struct rt_object *object, REFIID iid, void **out)
{
    return rt_object_query(&((struct rt_output *)object)->adapter->object, iid, out);
}

RT_DXGI_OBJECT_METHODS(IDXGIOutput6, parent)

RT_METHOD(HRESULT) get_desc1(IDXGIOutput6 *self, DXGI_OUTPUT_DESC1 *desc)
{
    (void)self;
    if (!desc)
        return E_INVALIDARG;
    *desc = (DXGI_OUTPUT_DESC1){
        .DesktopCoordinates = rt_desktop_rect(),
        .Monitor = rt_desktop_monitor(),
        .AttachedToDesktop = TRUE,
        .Rotation = DXGI_MODE_ROTATION_IDENTITY,
        .BitsPerColor = 8,
        .ColorSpace = DXGI_COLOR_SPACE_RGB_FULL_G22_NONE_P709,
        .RedPrimary = {0.64f,   0.33f  },
        .GreenPrimary = {0.30f,   0.60f  },
        .BluePrimary = {0.15f,   0.06f  },
        .WhitePoint = {0.3127f, 0.3290f},
        .MaxLuminance = 80.0f,
        .MaxFullFrameLuminance = 80.0f,
    };
    memcpy(desc->DeviceName, device_name, sizeof(device_name));
    return S_OK;
}

/* The older structure is the beginning of the newer one. */
RT_METHOD(HRESULT) get_desc(IDXGIOutput6 *self, DXGI_OUTPUT_DESC *desc)
{
    DXGI_OUTPUT_DESC1 newer;
    if (!desc)
        return E_INVALIDARG;
    get_desc1(self, &newer);
    memcpy(desc, &newer, sizeof(*desc));
    return S_OK;
}

/* ---- Modes --------------------------------------------------------------------------------------------- */

static bool is_displayed(DXGI_FORMAT format)
{
    for (size_t i = 0; i < sizeof(display_formats) / sizeof(display_formats[0]); i++)
        if (display_formats[i] == format)
            return true;
    return false;
}

/* Modes of a format in the order of their sizes; the desktop's own size is one of them. Returns how many
 * there are; writes up to `room`. */
static UINT list_modes(DXGI_FORMAT format, DXGI_MODE_DESC1 *modes, UINT room)
{
    const UINT known = sizeof(sizes) / sizeof(sizes[0]);
    UINT width, height, count = 0;
    if (!is_displayed(format))
        return 0;
    rt_display_size(&width, &height);
    for (UINT i = 0; i <= known; i++) {
        const UINT w = i < known ? sizes[i].width : width, h = i < known ? sizes[i].height : height;
        if (i < known && (w > width || h > height || (w == width && h == height)))
            continue;
        if (count < room)
            modes[count] = (DXGI_MODE_DESC1){.Width = w,
                                             .Height = h,
                                             .RefreshRate = refresh_rate,
                                             .Format = format,
                                             .ScanlineOrdering = DXGI_MODE_SCANLINE_ORDER_PROGRESSIVE};
        count++;
    }
    return count;
}

enum { MOST_MODES = sizeof(sizes) / sizeof(sizes[0]) + 1 };

static void to_old_mode(const DXGI_MODE_DESC1 *mode, DXGI_MODE_DESC *old)
{
    *old = (DXGI_MODE_DESC){mode->Width,  mode->Height,           mode->RefreshRate,
                            mode->Format, mode->ScanlineOrdering, mode->Scaling};
}

RT_METHOD(HRESULT)
get_mode_list1(IDXGIOutput6 *self, DXGI_FORMAT format, UINT flags, UINT *count, DXGI_MODE_DESC1 *modes)
{
    UINT room;
    (void)self;
    (void)flags;
    if (!count)
        return DXGI_ERROR_INVALID_CALL;
    room = modes ? *count : 0;
    *count = list_modes(format, modes, room);
    if (modes && room < *count) {
        *count = room;
        return DXGI_ERROR_MORE_DATA;
    }
    return S_OK;
}

RT_METHOD(HRESULT)
get_mode_list(IDXGIOutput6 *self, DXGI_FORMAT format, UINT flags, UINT *count, DXGI_MODE_DESC *modes)
{
    DXGI_MODE_DESC1 list[MOST_MODES];
    const UINT all = list_modes(format, list, MOST_MODES);
    UINT room;
    (void)self;
    (void)flags;
    if (!count)
        return DXGI_ERROR_INVALID_CALL;
    room = modes && *count < all ? *count : all;
    for (UINT i = 0; modes && i < room; i++)
        to_old_mode(&list[i], &modes[i]);
    *count = room;
    return modes && room < all ? DXGI_ERROR_MORE_DATA : S_OK;
}

static UINT distance(UINT a, UINT b)
{
    return a > b ? a - b : b - a;
}

RT_METHOD(HRESULT)
find_mode1(IDXGIOutput6 *self, const DXGI_MODE_DESC1 *wanted, DXGI_MODE_DESC1 *closest, IUnknown *device)
{
    DXGI_MODE_DESC1 list[MOST_MODES];
    DXGI_FORMAT format;
    UINT count, width, height, best = 0;
    (void)self;
    if (!wanted || !closest || !wanted->Width != !wanted->Height)
        return DXGI_ERROR_INVALID_CALL;
    if (wanted->Format == DXGI_FORMAT_UNKNOWN && !device)
        return DXGI_ERROR_INVALID_CALL;
    format = wanted->Format ? wanted->Format : DXGI_FORMAT_R8G8B8A8_UNORM;
    count = list_modes(format, list, MOST_MODES);
    if (count == 0)
        return DXGI_ERROR_NOT_FOUND;
    rt_display_size(&width, &height);
    width = wanted->Width ? wanted->Width : width;
    height = wanted->Height ? wanted->Height : height;
    for (UINT i = 1; i < count; i++)
        if (distance(list[i].Width, width) + distance(list[i].Height, height) <
            distance(list[best].Width, width) + distance(list[best].Height, height))
            best = i;
    *closest = list[best];
    return S_OK;
}

RT_METHOD(HRESULT)
find_mode(IDXGIOutput6 *self, const DXGI_MODE_DESC *wanted, DXGI_MODE_DESC *closest, IUnknown *device)
{
    DXGI_MODE_DESC1 wanted1, closest1;
    HRESULT result;
    if (!wanted || !closest)
        return DXGI_ERROR_INVALID_CALL;
    wanted1 = (DXGI_MODE_DESC1){.Width = wanted->Width, .Height = wanted->Height, .Format = wanted->Format};
    result = find_mode1(self, &wanted1, &closest1, device);
    if (SUCCEEDED(result))
        to_old_mode(&closest1, closest);
    return result;
}

/* ---- The display itself belongs to the desktop ------------------------------------------------------- */

RT_METHOD(HRESULT) wait_for_vblank(IDXGIOutput6 *self)
{
    (void)self;
    rt_wait_for_tick(refresh_rate.Numerator);
    return S_OK;
}

RT_METHOD(HRESULT) take_ownership(IDXGIOutput6 *self, IUnknown *device, BOOL exclusive)
{
    (void)self;
    (void)device;
    (void)exclusive;
    return DXGI_ERROR_NOT_CURRENTLY_AVAILABLE;
}

RT_METHOD(void) release_ownership(IDXGIOutput6 *self)
{
    (void)self;
}

RT_METHOD(HRESULT) get_gamma_capabilities(IDXGIOutput6 *self, DXGI_GAMMA_CONTROL_CAPABILITIES *capabilities)
{
    (void)self;
    (void)capabilities;
    return DXGI_ERROR_NOT_CURRENTLY_AVAILABLE;
}

RT_METHOD(HRESULT) set_gamma(IDXGIOutput6 *self, const DXGI_GAMMA_CONTROL *gamma)
{
    (void)self;
    (void)gamma;
    return DXGI_ERROR_NOT_CURRENTLY_AVAILABLE;
}

RT_METHOD(HRESULT) get_gamma(IDXGIOutput6 *self, DXGI_GAMMA_CONTROL *gamma)
{
    (void)self;
    (void)gamma;
    return DXGI_ERROR_NOT_CURRENTLY_AVAILABLE;
}

RT_METHOD(HRESULT) with_surface(IDXGIOutput6 *self, IDXGISurface *surface)
{
    (void)self;
    (void)surface;
    return DXGI_ERROR_NOT_CURRENTLY_AVAILABLE;
}

RT_METHOD(HRESULT) with_resource(IDXGIOutput6 *self, IDXGIResource *resource)
{
    (void)self;
    (void)resource;
    return DXGI_ERROR_NOT_CURRENTLY_AVAILABLE;
}

RT_METHOD(HRESULT) get_statistics(IDXGIOutput6 *self, DXGI_FRAME_STATISTICS *statistics)
{
    (void)self;
    (void)statistics;
    return DXGI_ERROR_NOT_CURRENTLY_AVAILABLE;
}

RT_METHOD(HRESULT) duplicate(IDXGIOutput6 *self, IUnknown *device, IDXGIOutputDuplication **out)
{
    (void)self;
    (void)device;
    if (out)
        *out = NULL;
    return DXGI_ERROR_UNSUPPORTED;
}

RT_METHOD(HRESULT)
duplicate1(IDXGIOutput6 *self, IUnknown *device, UINT flags, UINT count, const DXGI_FORMAT *formats,
           IDXGIOutputDuplication **out)
{
    (void)flags;
    (void)count;
    (void)formats;
    return duplicate(self, device, out);
}

RT_METHOD(BOOL) supports_overlays(IDXGIOutput6 *self)
{
    (void)self;
    return FALSE;
}

RT_METHOD(HRESULT) check_overlay(IDXGIOutput6 *self, DXGI_FORMAT format, IUnknown *device, UINT *flags)
{
    (void)self;
    (void)format;
    if (!device || !flags)
        return DXGI_ERROR_INVALID_CALL;
    *flags = 0;
    return S_OK;
}

RT_METHOD(HRESULT)
check_overlay_space(IDXGIOutput6 *self, DXGI_FORMAT format, DXGI_COLOR_SPACE_TYPE space, IUnknown *device,
                    UINT *flags)
{
    (void)space;
    return check_overlay(self, format, device, flags);
}

RT_METHOD(HRESULT) check_composition(IDXGIOutput6 *self, UINT *flags)
{
    (void)self;
    if (!flags)
        return DXGI_ERROR_INVALID_CALL;
    *flags = DXGI_HARDWARE_COMPOSITION_SUPPORT_FLAG_WINDOWED;
    return S_OK;
}

static const IDXGIOutput6Vtbl methods = {
    RT_DXGI_OBJECT_SLOTS(IDXGIOutput6),
    .GetDesc = get_desc,
    .GetDisplayModeList = get_mode_list,
    .FindClosestMatchingMode = find_mode,
    .WaitForVBlank = wait_for_vblank,
    .TakeOwnership = take_ownership,
    .ReleaseOwnership = release_ownership,
    .GetGammaControlCapabilities = get_gamma_capabilities,
    .SetGammaControl = set_gamma,
    .GetGammaControl = get_gamma,
    .SetDisplaySurface = with_surface,
    .GetDisplaySurfaceData = with_surface,
    .GetFrameStatistics = get_statistics,
    .GetDisplayModeList1 = get_mode_list1,
    .FindClosestMatchingMode1 = find_mode1,
    .GetDisplaySurfaceData1 = with_resource,
    .DuplicateOutput = duplicate,
    .SupportsOverlays = supports_overlays,
    .CheckOverlaySupport = check_overlay,
    .CheckOverlayColorSpaceSupport = check_overlay_space,
    .DuplicateOutput1 = duplicate1,
    .GetDesc1 = get_desc1,
    .CheckHardwareCompositionSupport = check_composition,
};

static void destroy(struct rt_object *object)
{
    struct rt_output *output = (struct rt_output *)object;
    rt_object_release(&output->adapter->object);
    rt_object_fini(object);
    free(output);
}

static const struct rt_class output_class = {
    .id = RT_CLASS_OUTPUT,
    .methods = {&methods},
    .destroy = destroy,
};

HRESULT rt_output_create(struct rt_adapter *adapter, struct rt_output **out)
{
    struct rt_output *output = calloc(1, sizeof(*output));
    if (!output)
        return E_OUTOFMEMORY;
    rt_object_init(&output->object, &output_class, NULL);
    output->adapter = adapter;
    rt_object_add_ref(&adapter->object);
    *out = output;
    return S_OK;
}
