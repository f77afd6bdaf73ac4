/* SPDX-License-Identifier: MIT
 *
 * The runtime's objects as COM has them: references, interfaces, private data, states that are shared.
 */
#include "runtime.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "guest/d3d11/device.h"

static ID3D11Buffer *constants(void)
{
    return runtime_buffer(16, D3D11_USAGE_DEFAULT, D3D11_BIND_CONSTANT_BUFFER, NULL);
}

static void children_keep_the_device(void **state)
{
    (void)state;
    const ULONG before = count_of(device);
    ID3D11Buffer *buffer = constants();
    ID3D11Device *of;
    assert_int_equal(count_of(device), before + 1);
    ID3D11Buffer_AddRef(buffer);
    assert_int_equal(count_of(device), before + 1);
    ID3D11Buffer_GetDevice(buffer, &of);
    assert_ptr_equal(of, device);
    assert_int_equal(ID3D11Device_Release(of), before + 1);
    assert_int_equal(ID3D11Buffer_Release(buffer), 1);
    assert_int_equal(ID3D11Buffer_Release(buffer), 0);
    assert_int_equal(count_of(device), before);
}

static void what_is_bound_lives(void **state)
{
    (void)state;
    const ULONG before = count_of(device);
    ID3D11Buffer *buffer = constants(), *got;
    D3D11_BUFFER_DESC desc;
    ID3D11DeviceContext_PSSetConstantBuffers(context, 3, 1, &buffer);
    assert_int_equal(count_of(buffer), 1);
    assert_int_equal(ID3D11Buffer_Release(buffer), 0);
    assert_int_equal(count_of(device), before);
    ID3D11DeviceContext_PSGetConstantBuffers(context, 3, 1, &got);
    assert_ptr_equal(got, buffer);
    assert_int_equal(count_of(got), 1);
    assert_int_equal(count_of(device), before + 1);
    ID3D11Buffer_GetDesc(got, &desc);
    assert_int_equal(desc.ByteWidth, 16);
    assert_int_equal(ID3D11Buffer_Release(got), 0);
    ID3D11DeviceContext_ClearState(context);
    ID3D11DeviceContext_PSGetConstantBuffers(context, 3, 1, &got);
    assert_null(got);
}

static void views_keep_their_resource(void **state)
{
    (void)state;
    const D3D11_TEXTURE2D_DESC desc = texture_desc(D3D11_BIND_RENDER_TARGET);
    ID3D11Texture2D *texture = runtime_texture(&desc);
    ID3D11RenderTargetView *view;
    ID3D11Resource *of;
    assert_int_equal(ID3D11Device_CreateRenderTargetView(device, (ID3D11Resource *)texture, NULL, &view),
                     S_OK);
    assert_int_equal(count_of(texture), 1);
    assert_int_equal(ID3D11Texture2D_Release(texture), 0);
    ID3D11RenderTargetView_GetResource(view, &of);
    assert_ptr_equal(of, texture);
    assert_int_equal(ID3D11Resource_Release(of), 0);
    assert_int_equal(ID3D11RenderTargetView_Release(view), 0);
}

static void the_immediate_context_is_one(void **state)
{
    (void)state;
    ID3D11DeviceContext *again;
    ID3D11Device *of;
    ID3D11Device_GetImmediateContext(device, &again);
    assert_ptr_equal(again, context);
    assert_int_equal(ID3D11DeviceContext_Release(again), 1);
    ID3D11DeviceContext_GetDevice(context, &of);
    assert_ptr_equal(of, device);
    ID3D11Device_Release(of);
}

/* What an object is asked for, and whether it is one. */
struct question {
    const IID *iid;
    bool has;
};

static void check_questions(void *interface_pointer, const struct question *questions, size_t count)
{
    IUnknown *unknown = interface_pointer, *identity, *other;
    const ULONG before = count_of(unknown);
    assert_int_equal(IUnknown_QueryInterface(unknown, &IID_IUnknown, (void **)&identity), S_OK);
    for (size_t i = 0; i < count; i++) {
        IUnknown *got = (IUnknown *)&other;
        const HRESULT result = IUnknown_QueryInterface(unknown, questions[i].iid, (void **)&got);
        assert_int_equal(result, questions[i].has ? S_OK : E_NOINTERFACE);
        if (!questions[i].has) {
            assert_null(got);
            continue;
        }
        /* All faces have one identity, and one count. */
        assert_int_equal(IUnknown_QueryInterface(got, &IID_IUnknown, (void **)&other), S_OK);
        assert_ptr_equal(other, identity);
        IUnknown_Release(other);
        IUnknown_Release(got);
    }
    IUnknown_Release(identity);
    assert_int_equal(count_of(unknown), before);
}
#define CHECK_QUESTIONS(object, questions)                                                                   \
    check_questions(object, questions, sizeof questions / sizeof questions[0])

static void interfaces_are_those_of_the_class(void **state)
{
    (void)state;
    static const struct question of_device[] = {
        {&IID_ID3D11Device,        true },
        {&IID_ID3D11Device5,       true },
        {&IID_IDXGIDevice,         true },
        {&IID_IDXGIDevice3,        true },
        {&IID_IDXGIObject,         true },
        {&IID_ID3D11Multithread,   true },
        {&IID_ID3D11InfoQueue,     true },
        {&IID_ID3D11Debug,         true },
        {&IID_ID3D11Buffer,        false},
        {&IID_IDXGIAdapter,        false},
        {&IID_ID3D11DeviceContext, false}
    };
    static const struct question of_context[] = {
        {&IID_ID3D11DeviceContext,       true },
        {&IID_ID3D11DeviceContext4,      true },
        {&IID_ID3D11DeviceChild,         true },
        {&IID_ID3DUserDefinedAnnotation, true },
        {&IID_ID3D11Multithread,         true },
        {&IID_ID3D11Device,              false}
    };
    CHECK_QUESTIONS(device, of_device);
    CHECK_QUESTIONS(context, of_context);
}

static void interfaces_are_those_of_the_resource(void **state)
{
    (void)state;
    static const struct question of_texture[] = {
        {&IID_ID3D11Texture2D,   true },
        {&IID_ID3D11Texture2D1,  true },
        {&IID_ID3D11Resource,    true },
        {&IID_ID3D11DeviceChild, true },
        {&IID_IDXGISurface,      true },
        {&IID_IDXGISurface2,     true },
        {&IID_IDXGIResource1,    true },
        {&IID_ID3D11Texture3D,   false},
        {&IID_ID3D11Texture1D,   false},
        {&IID_IDXGIKeyedMutex,   false},
        {&IID_ID3D11Buffer,      false}
    };
    static const struct question of_array[] = {
        {&IID_ID3D11Texture2D, true },
        {&IID_IDXGISurface,    false}
    };
    static const struct question of_buffer[] = {
        {&IID_ID3D11Buffer,  true },
        {&IID_IDXGIResource, true },
        {&IID_IDXGISurface,  false},
        {&IID_ID3D11View,    false}
    };
    D3D11_TEXTURE2D_DESC desc = texture_desc(D3D11_BIND_SHADER_RESOURCE);
    ID3D11Texture2D *texture = runtime_texture(&desc);
    ID3D11Buffer *buffer = constants();
    CHECK_QUESTIONS(texture, of_texture);
    CHECK_QUESTIONS(buffer, of_buffer);
    ID3D11Texture2D_Release(texture);
    ID3D11Buffer_Release(buffer);
    desc.ArraySize = 2;
    texture = runtime_texture(&desc);
    CHECK_QUESTIONS(texture, of_array);
    ID3D11Texture2D_Release(texture);
}

static void a_device_has_an_adapter_and_a_factory(void **state)
{
    (void)state;
    IDXGIDevice *dxgi;
    IDXGIAdapter *adapter, *other;
    IDXGIFactory1 *factory;
    IDXGIOutput *output;
    IDXGISurface *surface;
    ID3D11Resource *resource;
    ID3D11UnorderedAccessView *view;
    HWND window = (HWND)(uintptr_t)4;
    DXGI_ADAPTER_DESC desc;
    assert_int_equal(ID3D11Device_QueryInterface(device, &IID_IDXGIDevice, (void **)&dxgi), S_OK);
    assert_int_equal(IDXGIDevice_GetAdapter(dxgi, &adapter), S_OK);
    assert_int_equal(IDXGIAdapter_GetParent(adapter, &IID_IDXGIFactory1, (void **)&factory), S_OK);
    /* The device holds one, and the adapter the other. */
    assert_int_equal(count_of(adapter), 2);
    assert_int_equal(count_of(factory), 2);
    assert_int_equal(IDXGIAdapter_GetDesc(adapter, &desc), S_OK);
    assert_true(desc.DedicatedVideoMemory >= (SIZE_T)2 << 30);
    assert_int_equal(IDXGIFactory1_EnumAdapters(factory, 0, &other), S_OK);
    IDXGIAdapter_Release(other);
    assert_int_equal(IDXGIFactory1_EnumAdapters(factory, 1, &other), DXGI_ERROR_NOT_FOUND);
    assert_null(other);
    assert_int_equal(IDXGIAdapter_EnumOutputs(adapter, 0, &output), S_OK);
    IDXGIOutput_Release(output);
    assert_int_equal(IDXGIAdapter_CheckInterfaceSupport(adapter, &IID_ID3D10Device1, NULL), S_OK);
    assert_int_equal(IDXGIAdapter_CheckInterfaceSupport(adapter, &IID_ID3D11Device, NULL),
                     DXGI_ERROR_UNSUPPORTED);
    /* What was associated nobody is told. */
    assert_int_equal(IDXGIFactory1_MakeWindowAssociation(factory, window, 0), S_OK);
    assert_int_equal(IDXGIFactory1_GetWindowAssociation(factory, &window), S_OK);
    assert_null(window);
    const DXGI_SURFACE_DESC surface_desc = {
        .Width = 4, .Height = 4, .Format = DXGI_FORMAT_R8G8B8A8_UNORM, .SampleDesc = {1, 0}
    };
    assert_int_equal(
        IDXGIDevice_CreateSurface(dxgi, &surface_desc, 1, DXGI_USAGE_UNORDERED_ACCESS, NULL, &surface), S_OK);
    assert_int_equal(IDXGISurface_QueryInterface(surface, &IID_ID3D11Resource, (void **)&resource), S_OK);
    assert_int_equal(ID3D11Device_CreateUnorderedAccessView(device, resource, NULL, &view), S_OK);
    ID3D11UnorderedAccessView_Release(view);
    ID3D11Resource_Release(resource);
    IDXGISurface_Release(surface);
    IDXGIFactory1_Release(factory);
    IDXGIAdapter_Release(adapter);
    IDXGIDevice_Release(dxgi);
}

static const GUID name = {
    0x1d3b6a71, 0x4c0e, 0x4c1e, {1, 2, 3, 4, 5, 6, 7, 8}
};
static const GUID other_name = {
    0x1d3b6a72, 0x4c0e, 0x4c1e, {1, 2, 3, 4, 5, 6, 7, 8}
};

static void private_data_is_kept(void **state)
{
    (void)state;
    ID3D11Buffer *buffer = constants(), *held = constants();
    static const char text[] = "constants";
    char got[32];
    UINT size = sizeof got;
    IUnknown *unknown;
    assert_int_equal(ID3D11Buffer_SetPrivateData(buffer, &name, sizeof text, text), S_OK);
    assert_int_equal(ID3D11Buffer_GetPrivateData(buffer, &name, &size, got), S_OK);
    assert_int_equal(size, sizeof text);
    assert_string_equal(got, text);
    size = 1;
    assert_int_equal(ID3D11Buffer_GetPrivateData(buffer, &name, &size, got), DXGI_ERROR_MORE_DATA);
    assert_int_equal(size, sizeof text);
    assert_int_equal(ID3D11Buffer_GetPrivateData(buffer, &other_name, &size, NULL), DXGI_ERROR_NOT_FOUND);
    assert_int_equal(size, 0);
    assert_int_equal(ID3D11Buffer_GetPrivateData(buffer, &name, NULL, got), E_INVALIDARG);
    /* An interface is referenced by its place, and by who gets it. */
    assert_int_equal(ID3D11Buffer_SetPrivateDataInterface(buffer, &name, (IUnknown *)held), S_OK);
    assert_int_equal(count_of(held), 2);
    size = sizeof unknown;
    assert_int_equal(ID3D11Buffer_GetPrivateData(buffer, &name, &size, &unknown), S_OK);
    assert_ptr_equal(unknown, held);
    assert_int_equal(IUnknown_Release(unknown), 2);
    assert_int_equal(ID3D11Buffer_SetPrivateData(buffer, &name, 0, NULL), S_OK);
    assert_int_equal(count_of(held), 1);
    assert_int_equal(ID3D11Buffer_SetPrivateData(buffer, &name, 0, NULL), S_FALSE);
    /* The end of an object ends what it holds. */
    assert_int_equal(ID3D11Buffer_SetPrivateDataInterface(buffer, &name, (IUnknown *)held), S_OK);
    ID3D11Buffer_Release(buffer);
    assert_int_equal(ID3D11Buffer_Release(held), 0);
}

static void equal_states_are_one_object(void **state)
{
    (void)state;
    D3D11_SAMPLER_DESC desc = {
        .Filter = D3D11_FILTER_MIN_MAG_MIP_LINEAR,
        .AddressU = D3D11_TEXTURE_ADDRESS_CLAMP,
        .AddressV = D3D11_TEXTURE_ADDRESS_CLAMP,
        .AddressW = D3D11_TEXTURE_ADDRESS_CLAMP,
        .MaxAnisotropy = 4,
        .ComparisonFunc = D3D11_COMPARISON_LESS,
        .BorderColor = {1, 1, 1, 1},
        .MaxLOD = 8
    };
    ID3D11SamplerState *first, *second, *third;
    assert_int_equal(ID3D11Device_CreateSamplerState(device, &desc, &first), S_OK);
    /* What a filter of this kind does not look at makes no difference. */
    desc.MaxAnisotropy = 7;
    desc.BorderColor[0] = 0;
    assert_int_equal(ID3D11Device_CreateSamplerState(device, &desc, &second), S_OK);
    assert_ptr_equal(first, second);
    assert_int_equal(count_of(first), 2);
    ID3D11SamplerState_GetDesc(first, &desc);
    assert_int_equal(desc.MaxAnisotropy, 0);
    assert_int_equal(desc.ComparisonFunc, D3D11_COMPARISON_NEVER);
    desc.MaxLOD = 9;
    assert_int_equal(ID3D11Device_CreateSamplerState(device, &desc, &third), S_OK);
    assert_ptr_not_equal(first, third);
    ID3D11SamplerState_Release(third);
    /* A state that is only bound is still the one that a creation gives. */
    ID3D11DeviceContext_PSSetSamplers(context, 0, 1, &first);
    ID3D11SamplerState_Release(second);
    assert_int_equal(ID3D11SamplerState_Release(first), 0);
    desc.MaxLOD = 8;
    assert_int_equal(ID3D11Device_CreateSamplerState(device, &desc, &second), S_OK);
    assert_ptr_equal(first, second);
    assert_int_equal(ID3D11SamplerState_Release(second), 0);
}

static void devices_are_created_as_documented(void **state)
{
    (void)state;
    static const D3D_FEATURE_LEVEL levels[] = {D3D_FEATURE_LEVEL_10_1}, nine = D3D_FEATURE_LEVEL_9_3;
    ID3D11Device *made;
    D3D_FEATURE_LEVEL level = 0;
    assert_int_equal(D3D11CreateDevice(NULL, D3D_DRIVER_TYPE_HARDWARE, NULL, 0, NULL, 0, D3D11_SDK_VERSION,
                                       NULL, &level, NULL),
                     S_FALSE);
    assert_int_equal(level, D3D_FEATURE_LEVEL_11_0);
    assert_int_equal(D3D11CreateDevice(NULL, D3D_DRIVER_TYPE_HARDWARE, NULL, 0, NULL, 0,
                                       D3D11_SDK_VERSION - 1, &made, NULL, NULL),
                     E_INVALIDARG);
    assert_null(made);
    assert_int_equal(D3D11CreateDevice(NULL, D3D_DRIVER_TYPE_UNKNOWN, NULL, 0, NULL, 0, D3D11_SDK_VERSION,
                                       &made, NULL, NULL),
                     E_INVALIDARG);
    assert_int_equal(D3D11CreateDevice(NULL, D3D_DRIVER_TYPE_HARDWARE, NULL, 0, levels, 1, D3D11_SDK_VERSION,
                                       &made, &level, NULL),
                     S_OK);
    assert_int_equal(level, D3D_FEATURE_LEVEL_10_1);
    assert_int_equal(ID3D11Device_GetFeatureLevel(made), D3D_FEATURE_LEVEL_10_1);
    assert_int_equal(ID3D11Device_Release(made), 0);
    /* Levels of Direct3D 9 alone: there is no such device. */
    assert_int_equal(D3D11CreateDevice(NULL, D3D_DRIVER_TYPE_HARDWARE, NULL, 0, &nine, 1, D3D11_SDK_VERSION,
                                       &made, NULL, NULL),
                     DXGI_ERROR_UNSUPPORTED);
}

static void messages_tell_what_was_dropped(void **state)
{
    (void)state;
    ID3D11InfoQueue *queue;
    D3D11_MESSAGE *message;
    SIZE_T size = 0;
    char bytes[512];
    const D3D11_VIEWPORT viewport = {.Width = -1};
    assert_int_equal(ID3D11Device_QueryInterface(device, &IID_ID3D11InfoQueue, (void **)&queue), S_OK);
    ID3D11InfoQueue_ClearStoredMessages(queue);
    ID3D11DeviceContext_RSSetViewports(context, 1, &viewport);
    assert_int_equal(ID3D11InfoQueue_GetNumStoredMessages(queue), 1);
    assert_int_equal(queue->lpVtbl->GetMessage(queue, 0, NULL, &size), S_FALSE);
    assert_true(size <= sizeof bytes);
    message = (D3D11_MESSAGE *)(void *)bytes;
    assert_int_equal(queue->lpVtbl->GetMessage(queue, 0, message, &size), S_OK);
    assert_int_equal(message->ID, D3D11_MESSAGE_ID_DEVICE_RSSETVIEWPORTS_INVALIDVIEWPORT);
    assert_int_equal(strlen(message->pDescription) + 1, message->DescriptionByteLength);
    ID3D11InfoQueue_Release(queue);
}

/* What a program asks of its debugger is kept; here there is no debugger, and the program goes on. */
static void messages_may_stop_a_program(void **state)
{
    (void)state;
    const D3D11_VIEWPORT viewport = {.Width = -1};
    const D3D11_MESSAGE_ID id = D3D11_MESSAGE_ID_DEVICE_RSSETVIEWPORTS_INVALIDVIEWPORT;
    const UINT flush = 1, avoid = D3D11_DEBUG_FEATURE_AVOID_BEHAVIOR_CHANGING_DEBUG_AIDS;
    ID3D11InfoQueue *queue = interface_of(device, &IID_ID3D11InfoQueue);
    ID3D11Debug *debug = interface_of(device, &IID_ID3D11Debug);
    assert_false(ID3D11InfoQueue_GetMuteDebugOutput(queue));
    assert_int_equal(ID3D11InfoQueue_SetBreakOnSeverity(queue, D3D11_MESSAGE_SEVERITY_ERROR, TRUE), S_OK);
    assert_true(ID3D11InfoQueue_GetBreakOnSeverity(queue, D3D11_MESSAGE_SEVERITY_ERROR));
    assert_false(ID3D11InfoQueue_GetBreakOnSeverity(queue, D3D11_MESSAGE_SEVERITY_CORRUPTION));
    assert_int_equal(ID3D11InfoQueue_SetBreakOnSeverity(queue, (D3D11_MESSAGE_SEVERITY)5, TRUE),
                     E_INVALIDARG);
    assert_int_equal(ID3D11InfoQueue_SetBreakOnCategory(queue, D3D11_MESSAGE_CATEGORY_SHADER, TRUE), S_OK);
    assert_true(ID3D11InfoQueue_GetBreakOnCategory(queue, D3D11_MESSAGE_CATEGORY_SHADER));
    assert_int_equal(ID3D11InfoQueue_SetBreakOnCategory(queue, D3D11_MESSAGE_CATEGORY_SHADER, FALSE), S_OK);
    assert_false(ID3D11InfoQueue_GetBreakOnCategory(queue, D3D11_MESSAGE_CATEGORY_SHADER));
    assert_int_equal(ID3D11InfoQueue_SetBreakOnID(queue, id, TRUE), S_OK);
    assert_int_equal(ID3D11InfoQueue_SetBreakOnID(queue, (D3D11_MESSAGE_ID)1, TRUE), S_OK);
    assert_true(ID3D11InfoQueue_GetBreakOnID(queue, id));
    ID3D11InfoQueue_ClearStoredMessages(queue);
    ID3D11DeviceContext_RSSetViewports(context, 1, &viewport);
    assert_int_equal(ID3D11InfoQueue_GetNumStoredMessages(queue), 1);
    assert_int_equal(ID3D11InfoQueue_SetBreakOnID(queue, id, FALSE), S_OK);
    assert_false(ID3D11InfoQueue_GetBreakOnID(queue, id));
    assert_true(ID3D11InfoQueue_GetBreakOnID(queue, (D3D11_MESSAGE_ID)1));
    /* Calls are not flushed one by one, and a program is told so. */
    assert_int_equal(ID3D11Debug_SetFeatureMask(debug, avoid), S_OK);
    assert_int_equal(ID3D11Debug_SetFeatureMask(debug, avoid | flush), E_NOTIMPL);
    assert_int_equal(ID3D11Debug_GetFeatureMask(debug), avoid);
    ID3D11Debug_Release(debug);
    ID3D11InfoQueue_Release(queue);
}

/* Whether a message of its own kind is shown on standard error. */
static bool is_shown(ID3D11InfoQueue *queue)
{
    static const char text[] = "what the program says";
    char shown[256] = "";
    int ends[2];
    const int own = dup(STDERR_FILENO);
    assert_int_equal(pipe(ends), 0);
    fflush(stderr);
    dup2(ends[1], STDERR_FILENO);
    ID3D11InfoQueue_AddApplicationMessage(queue, D3D11_MESSAGE_SEVERITY_INFO, text);
    fflush(stderr);
    dup2(own, STDERR_FILENO);
    close(own);
    close(ends[1]);
    assert_true(read(ends[0], shown, sizeof shown - 1) >= 0);
    close(ends[0]);
    return strstr(shown, text) != NULL;
}

/* What the storage filter does not let through a debugger does not get either. */
static void denied_messages_are_not_shown(void **state)
{
    (void)state;
    D3D11_MESSAGE_SEVERITY info = D3D11_MESSAGE_SEVERITY_INFO;
    D3D11_INFO_QUEUE_FILTER filter = {
        .DenyList = {.NumSeverities = 1, .pSeverityList = &info}
    };
    ID3D11InfoQueue *queue = interface_of(device, &IID_ID3D11InfoQueue);
    ID3D11InfoQueue_ClearStoredMessages(queue);
    assert_true(is_shown(queue));
    assert_int_equal(ID3D11InfoQueue_PushStorageFilter(queue, &filter), S_OK);
    assert_false(is_shown(queue));
    assert_int_equal(ID3D11InfoQueue_GetNumStoredMessages(queue), 1);
    ID3D11InfoQueue_PopStorageFilter(queue);
    ID3D11InfoQueue_SetMuteDebugOutput(queue, TRUE);
    assert_false(is_shown(queue));
    assert_int_equal(ID3D11InfoQueue_GetNumStoredMessages(queue), 2);
    ID3D11InfoQueue_Release(queue);
}

/* Up to a minute: machines are busy. */
static void wait_for_event(const _Atomic int *event)
{
    const struct timespec pause = {0, 1000000};
    for (int i = 0; i < 60000 && !*event; i++)
        nanosleep(&pause, NULL);
    assert_int_equal(*event, 1);
}

/* Events that the program registers are set once, whatever it calls. */
static void removed_devices_set_events(void **state)
{
    (void)state;
    ID3D11Device4 *newer = interface_of(device, &IID_ID3D11Device4);
    ID3D11Device4 *other;
    _Atomic int first = 0, second = 0, none = 0, late = 0, others = 0;
    DWORD cookies[4];
    assert_int_equal(D3D11CreateDevice(NULL, D3D_DRIVER_TYPE_HARDWARE, NULL, 0, NULL, 0, D3D11_SDK_VERSION,
                                       (ID3D11Device **)&other, NULL, NULL),
                     S_OK);
    assert_int_equal(ID3D11Device4_RegisterDeviceRemovedEvent(newer, NULL, &cookies[0]), E_INVALIDARG);
    assert_int_equal(ID3D11Device4_RegisterDeviceRemovedEvent(newer, (HANDLE)&first, NULL), E_INVALIDARG);
    assert_int_equal(ID3D11Device4_RegisterDeviceRemovedEvent(newer, (HANDLE)&first, &cookies[0]), S_OK);
    assert_int_equal(ID3D11Device4_RegisterDeviceRemovedEvent(newer, (HANDLE)&none, &cookies[1]), S_OK);
    assert_int_equal(ID3D11Device4_RegisterDeviceRemovedEvent(newer, (HANDLE)&second, &cookies[2]), S_OK);
    assert_int_equal(
        ID3D11Device4_RegisterDeviceRemovedEvent((ID3D11Device4 *)other, (HANDLE)&others, &cookies[3]), S_OK);
    assert_int_not_equal(cookies[0], cookies[1]);
    ID3D11Device4_UnregisterDeviceRemoved(newer, cookies[1]);
    assert_int_equal(first, 0);
    umd_remove_device(((struct rt_device *)RT_OBJECT(device))->umd, UMD_REMOVED_GONE);
    wait_for_event(&first);
    wait_for_event(&second);
    assert_int_equal(none, 0);
    assert_int_equal(others, 0);
    first = 0;
    assert_int_equal(ID3D11Device4_RegisterDeviceRemovedEvent(newer, (HANDLE)&late, &cookies[0]), S_OK);
    assert_int_equal(late, 1);
    assert_int_equal(first, 0);
    ID3D11Device4_Release(newer);
    /* The end of a device is no removal. */
    assert_int_equal(ID3D11Device4_Release(other), 0);
    assert_int_equal(others, 0);
}

static void *enter_and_leave(void *threads)
{
    ID3D11Multithread_Enter((ID3D11Multithread *)threads);
    ID3D11Multithread_Leave((ID3D11Multithread *)threads);
    return NULL;
}

/* Another thread gets the mutex: it waits for ever if this one still has it. */
static void others_can_enter(ID3D11Multithread *threads)
{
    pthread_t other;
    const BOOL before = ID3D11Multithread_SetMultithreadProtected(threads, TRUE);
    assert_int_equal(pthread_create(&other, NULL, enter_and_leave, threads), 0);
    assert_int_equal(pthread_join(other, NULL), 0);
    ID3D11Multithread_SetMultithreadProtected(threads, before);
}

static void protection_is_switched_while_it_is_held(void **state)
{
    (void)state;
    ID3D11Multithread *threads;
    assert_int_equal(ID3D11Device_QueryInterface(device, &IID_ID3D11Multithread, (void **)&threads), S_OK);
    assert_false(ID3D11Multithread_GetMultithreadProtected(threads));
    /* Entered with protection, left without. */
    ID3D11Multithread_SetMultithreadProtected(threads, TRUE);
    ID3D11Multithread_Enter(threads);
    assert_true(ID3D11Multithread_SetMultithreadProtected(threads, FALSE));
    ID3D11DeviceContext_Flush(context);
    ID3D11Multithread_Leave(threads);
    others_can_enter(threads);
    /* The other way round. */
    ID3D11Multithread_Enter(threads);
    ID3D11Multithread_SetMultithreadProtected(threads, TRUE);
    ID3D11DeviceContext_Flush(context);
    ID3D11Multithread_Leave(threads);
    others_can_enter(threads);
    /* Entered twice, and left once more than that. */
    ID3D11Multithread_Enter(threads);
    ID3D11Multithread_Enter(threads);
    ID3D11Multithread_Leave(threads);
    ID3D11Multithread_Leave(threads);
    ID3D11Multithread_Leave(threads);
    others_can_enter(threads);
    ID3D11Multithread_SetMultithreadProtected(threads, FALSE);
    ID3D11Multithread_Release(threads);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        RUNTIME_TEST(children_keep_the_device),
        RUNTIME_TEST(what_is_bound_lives),
        RUNTIME_TEST(views_keep_their_resource),
        RUNTIME_TEST(the_immediate_context_is_one),
        RUNTIME_TEST(interfaces_are_those_of_the_class),
        RUNTIME_TEST(interfaces_are_those_of_the_resource),
        RUNTIME_TEST(a_device_has_an_adapter_and_a_factory),
        RUNTIME_TEST(private_data_is_kept),
        RUNTIME_TEST(equal_states_are_one_object),
        RUNTIME_TEST(devices_are_created_as_documented),
        RUNTIME_TEST(messages_tell_what_was_dropped),
        RUNTIME_TEST(messages_may_stop_a_program),
        RUNTIME_TEST(denied_messages_are_not_shown),
        RUNTIME_TEST(removed_devices_set_events),
        RUNTIME_TEST(protection_is_switched_while_it_is_held),
    };
    return runtime_main(argc, argv, "guest/d3d11/objects", tests, sizeof tests / sizeof tests[0]);
}
