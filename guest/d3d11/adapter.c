/* SPDX-License-Identifier: MIT
 *
 * IDXGIAdapter to IDXGIAdapter4.
 */
#include "guest/d3d11/d3d10_faces.h"
#include "guest/d3d11/dxgi_objects.h"
#include "guest/d3d11/gpu.h"

#include "aerogpu/abi/pci.h"

#include <stdlib.h>
#include <string.h>

/* The host tells none: less than what it grants a guest unless it is told otherwise. */
#define GIB ((UINT64)1 << 30)
#define VIDEO_BYTES (3 * GIB)
#define SHARED_BYTES GIB

const LUID rt_adapter_luid = {AEROGPU_PCI_DEVICE_ID, 0};

static const WCHAR description[] = u"AeroGPU";

static struct rt_adapter *self_of(IDXGIAdapter4 *self)
{
    return (struct rt_adapter *)RT_OBJECT(self);
}

static HRESULT parent(struct rt_object *object, REFIID iid, void **out)
{
    return rt_object_query(&((struct rt_adapter *)object)->factory->object, iid, out);
}

RT_DXGI_OBJECT_METHODS(IDXGIAdapter4, parent)

RT_METHOD(HRESULT) enum_outputs(IDXGIAdapter4 *self, UINT index, IDXGIOutput **out)
{
    struct rt_output *output;
    HRESULT result;
    if (!out)
        return E_INVALIDARG;
    *out = NULL;
    if (index > 0)
        return DXGI_ERROR_NOT_FOUND;
    result = rt_output_create(self_of(self), &output);
    if (SUCCEEDED(result))
        *out = (IDXGIOutput *)&output->object.faces[0];
    return result;
}

RT_METHOD(HRESULT) get_desc3(IDXGIAdapter4 *self, DXGI_ADAPTER_DESC3 *desc)
{
    (void)self;
    if (!desc)
        return E_INVALIDARG;
    *desc = (DXGI_ADAPTER_DESC3){
        .VendorId = AEROGPU_PCI_VENDOR_ID,
        .DeviceId = AEROGPU_PCI_DEVICE_ID,
        .DedicatedVideoMemory = VIDEO_BYTES,
        .SharedSystemMemory = SHARED_BYTES,
        .AdapterLuid = rt_adapter_luid,
        .GraphicsPreemptionGranularity = DXGI_GRAPHICS_PREEMPTION_DMA_BUFFER_BOUNDARY,
        .ComputePreemptionGranularity = DXGI_COMPUTE_PREEMPTION_DMA_BUFFER_BOUNDARY,
    };
    memcpy(desc->Description, description, sizeof(description));
    return S_OK;
}

/* The older structures are the beginning of the newest. */
#define OLDER_DESC(name, older)                                                                              \
    RT_METHOD(HRESULT) name(IDXGIAdapter4 *self, older *desc)                                                \
    {                                                                                                        \
        DXGI_ADAPTER_DESC3 newest;                                                                           \
        _Static_assert(sizeof(*desc) <= sizeof(newest), "the newest structure contains the older one");      \
        if (!desc)                                                                                           \
            return E_INVALIDARG;                                                                             \
        get_desc3(self, &newest);                                                                            \
        memcpy(desc, &newest, sizeof(*desc));                                                                \
        return S_OK;                                                                                         \
    }
OLDER_DESC(get_desc, DXGI_ADAPTER_DESC)
OLDER_DESC(get_desc1, DXGI_ADAPTER_DESC1)
OLDER_DESC(get_desc2, DXGI_ADAPTER_DESC2)

RT_METHOD(HRESULT) check_interface_support(IDXGIAdapter4 *self, REFGUID iid, LARGE_INTEGER *version)
{
    (void)self;
    if (!IsEqualGUID(iid, &IID_IDXGIDevice) && !IsEqualGUID(iid, &IID_ID3D10Device) &&
        !IsEqualGUID(iid, &IID_ID3D10Device1))
        return DXGI_ERROR_UNSUPPORTED;
    if (version)
        version->QuadPart = 0x000a000000000001;
    return S_OK;
}

/* ---- Memory and events --------------------------------------------------------------------------------- */

static UINT64 bytes_of(DXGI_MEMORY_SEGMENT_GROUP group)
{
    return group == DXGI_MEMORY_SEGMENT_GROUP_LOCAL ? VIDEO_BYTES : SHARED_BYTES;
}

RT_METHOD(HRESULT)
query_memory(IDXGIAdapter4 *self, UINT node, DXGI_MEMORY_SEGMENT_GROUP group,
             DXGI_QUERY_VIDEO_MEMORY_INFO *info)
{
    (void)self;
    if (node > 0 || group > DXGI_MEMORY_SEGMENT_GROUP_NON_LOCAL || !info)
        return E_INVALIDARG;
    *info = (DXGI_QUERY_VIDEO_MEMORY_INFO){
        .Budget = bytes_of(group),
        .CurrentUsage = group == DXGI_MEMORY_SEGMENT_GROUP_LOCAL ? rt_gpu_resource_bytes() : 0,
        .AvailableForReservation = bytes_of(group) / 2,
    };
    return S_OK;
}

RT_METHOD(HRESULT)
reserve_memory(IDXGIAdapter4 *self, UINT node, DXGI_MEMORY_SEGMENT_GROUP group, UINT64 bytes)
{
    (void)self;
    if (node > 0 || group > DXGI_MEMORY_SEGMENT_GROUP_NON_LOCAL || bytes > bytes_of(group) / 2)
        return E_INVALIDARG;
    return S_OK;
}

/* There is no protected content, so that a registration is a cookie alone. */
RT_METHOD(HRESULT) register_teardown_event(IDXGIAdapter4 *self, HANDLE event, DWORD *cookie)
{
    (void)self;
    if (!event || !cookie)
        return DXGI_ERROR_INVALID_CALL;
    *cookie = 1;
    return S_OK;
}

/* The budget never changes: its first value is all there is to tell. */
RT_METHOD(HRESULT) register_budget_event(IDXGIAdapter4 *self, HANDLE event, DWORD *cookie)
{
    const HRESULT result = register_teardown_event(self, event, cookie);
    if (SUCCEEDED(result))
        rt_event_set(event);
    return result;
}

RT_METHOD(void) unregister(IDXGIAdapter4 *self, DWORD cookie)
{
    (void)self;
    (void)cookie;
}

static const IDXGIAdapter4Vtbl methods = {
    RT_DXGI_OBJECT_SLOTS(IDXGIAdapter4),
    .EnumOutputs = enum_outputs,
    .GetDesc = get_desc,
    .CheckInterfaceSupport = check_interface_support,
    .GetDesc1 = get_desc1,
    .GetDesc2 = get_desc2,
    .RegisterHardwareContentProtectionTeardownStatusEvent = register_teardown_event,
    .UnregisterHardwareContentProtectionTeardownStatus = unregister,
    .QueryVideoMemoryInfo = query_memory,
    .SetVideoMemoryReservation = reserve_memory,
    .RegisterVideoMemoryBudgetChangeNotificationEvent = register_budget_event,
    .UnregisterVideoMemoryBudgetChangeNotification = unregister,
    .GetDesc3 = get_desc3,
};

static void destroy(struct rt_object *object)
{
    struct rt_adapter *adapter = (struct rt_adapter *)object;
    rt_gpu_close();
    rt_object_release(&adapter->factory->object);
    rt_object_fini(object);
    free(adapter);
}

static const struct rt_class adapter_class = {
    .id = RT_CLASS_ADAPTER,
    .methods = {&methods},
    .destroy = destroy,
};

HRESULT rt_adapter_create(struct rt_factory *factory, struct rt_adapter **out)
{
    struct rt_adapter *adapter = calloc(1, sizeof(*adapter));
    if (!adapter)
        return E_OUTOFMEMORY;
    adapter->umd = rt_gpu_open();
    if (!adapter->umd) {
        free(adapter);
        return E_FAIL;
    }
    rt_object_init(&adapter->object, &adapter_class, NULL);
    adapter->factory = factory;
    rt_object_add_ref(&factory->object);
    *out = adapter;
    return S_OK;
}

struct rt_adapter *rt_adapter_of(IUnknown *unknown)
{
    struct rt_object *object = RT_OBJECT(unknown);
    return unknown->lpVtbl == (const void *)&methods ? (struct rt_adapter *)object : NULL;
}
