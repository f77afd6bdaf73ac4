/* SPDX-License-Identifier: MIT */
#include "runtime.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "aerogpu/dxbc.h"
#include "guest/d3d11/gpu.h"

const char texture_ps[] = "ps_4_0\n"
                          ".in SV_Position0 v0.xyzw float position\n"
                          ".out SV_Target0 o0.xyzw float\n"
                          "dcl_resource_texture2d (float,float,float,float) t0\n"
                          "dcl_output o0.xyzw\n"
                          "ld o0.xyzw, l(0, 0, 0, 0), t0.xyzw\n"
                          "ret\n";

ID3D11Device *device;
ID3D11DeviceContext *context;
unsigned runtime_present_count;
uint8_t runtime_present_texel[4];

static struct rig rig; /* of which the runtime has the host alone: it opens the driver itself */
static struct guest_in_process *_Atomic transport;
static unsigned diag_count;

static void on_diag(void *user, const struct agpu_diag *diag)
{
    (void)user;
    if (diag->severity == AGPU_NOTE)
        return;
    diag_count++;
    fprintf(stderr, "%s (packet %u, %s): %s\n", agpu_diag_slug(diag->code), diag->place.packet,
            diag->packet_name != NULL ? diag->packet_name : "", diag->message);
}

static void on_presented(void *user, const struct agpu_present *present)
{
    (void)user;
    runtime_present_count++;
    memcpy(runtime_present_texel, present->pixels, 4);
}

/* ---- The bus that the runtime asks for ----------------------------------------------------------------- */

bool rt_gpu_connect(struct guest_bus *bus)
{
    const struct guest_in_process_options options = {
        .executor = rig.executor,
        .presented = on_presented,
        .diagnostics = {on_diag, NULL},
    };
    transport = guest_in_process_create(&options);
    if (transport == NULL)
        return false;
    *bus = *guest_in_process_bus(transport);
    return true;
}

void rt_gpu_disconnect(struct guest_bus *bus)
{
    (void)bus;
    guest_in_process_destroy(transport);
    transport = NULL;
}

bool rt_gpu_shows_windows(void)
{
    return false;
}

/* ---- Life ---------------------------------------------------------------------------------------------- */

static int begin(const D3D_FEATURE_LEVEL *levels, UINT count)
{
    diag_count = runtime_present_count = 0;
    assert_int_equal(D3D11CreateDevice(NULL, D3D_DRIVER_TYPE_HARDWARE, NULL, D3D11_CREATE_DEVICE_DEBUG,
                                       levels, count, D3D11_SDK_VERSION, &device, NULL, &context),
                     S_OK);
    return 0;
}

int runtime_begin(void **state)
{
    static const D3D_FEATURE_LEVEL levels[] = {D3D_FEATURE_LEVEL_11_1, D3D_FEATURE_LEVEL_11_0};
    (void)state;
    return begin(levels, 2);
}

int runtime_begin_10(void **state)
{
    static const D3D_FEATURE_LEVEL level = D3D_FEATURE_LEVEL_10_0;
    (void)state;
    return begin(&level, 1);
}

/* The thread that answers other processes may hold the device for a moment longer. */
static void wait_for_the_end(void)
{
    const struct timespec nap = {.tv_nsec = 1000000};
    for (unsigned naps = 0; transport && naps < 20000; naps++)
        nanosleep(&nap, NULL);
}

/* Nothing keeps the device, and the host had nothing to say. */
int runtime_end(void **state)
{
    (void)state;
    ID3D11DeviceContext_ClearState(context);
    ID3D11DeviceContext_Flush(context);
    ID3D11DeviceContext_Release(context);
    assert_int_equal(ID3D11Device_Release(device), 0);
    wait_for_the_end();
    assert_null(transport);
    assert_int_equal(diag_count, 0);
    return 0;
}

int runtime_main(int argc, char **argv, const char *name, const struct CMUnitTest *tests, size_t count)
{
    const int opened = argc < 2 ? 1 : rig_open(&rig, argv[1]);
    if (opened != 0)
        return opened;
    const int failed = _cmocka_run_group_tests(name, tests, count, NULL, NULL);
    rig_close(&rig);
    return failed;
}

/* ---- Objects ------------------------------------------------------------------------------------------- */

ULONG count_of(void *interface_pointer)
{
    IUnknown *unknown = interface_pointer;
    IUnknown_AddRef(unknown);
    return IUnknown_Release(unknown);
}

void *runtime_assemble(const char *listing, SIZE_T *size)
{
    uint8_t *bytes = NULL;
    size_t count = 0;
    assert_int_equal(agpu_assemble(listing, strlen(listing), NULL, &bytes, &count), AGPU_OK);
    *size = count;
    return bytes;
}

void runtime_free(void *bytes)
{
    agpu_free(bytes);
}

ID3D11VertexShader *runtime_vs(const char *listing)
{
    ID3D11VertexShader *shader;
    SIZE_T size;
    void *bytes = runtime_assemble(listing, &size);
    assert_int_equal(ID3D11Device_CreateVertexShader(device, bytes, size, NULL, &shader), S_OK);
    runtime_free(bytes);
    return shader;
}

ID3D11PixelShader *runtime_ps(const char *listing)
{
    ID3D11PixelShader *shader;
    SIZE_T size;
    void *bytes = runtime_assemble(listing, &size);
    assert_int_equal(ID3D11Device_CreatePixelShader(device, bytes, size, NULL, &shader), S_OK);
    runtime_free(bytes);
    return shader;
}

D3D11_TEXTURE2D_DESC texture_desc(UINT bind_flags)
{
    return (D3D11_TEXTURE2D_DESC){
        .Width = SIDE,
        .Height = SIDE,
        .MipLevels = 1,
        .ArraySize = 1,
        .Format = DXGI_FORMAT_R8G8B8A8_UNORM,
        .SampleDesc = {1, 0},
        .BindFlags = bind_flags
    };
}

ID3D11Texture2D *runtime_texture(const D3D11_TEXTURE2D_DESC *desc)
{
    ID3D11Texture2D *texture;
    assert_int_equal(ID3D11Device_CreateTexture2D(device, desc, NULL, &texture), S_OK);
    return texture;
}

ID3D11Texture2D *runtime_shared_texture(UINT misc_flags)
{
    D3D11_TEXTURE2D_DESC desc = texture_desc(D3D11_BIND_RENDER_TARGET);
    desc.MiscFlags = misc_flags;
    return runtime_texture(&desc);
}

void *interface_of(void *object, REFIID iid)
{
    void *found = NULL;
    IUnknown *unknown = object;
    assert_int_equal(unknown->lpVtbl->QueryInterface(unknown, iid, &found), S_OK);
    return found;
}

HANDLE number_of(void *object)
{
    IDXGIResource *resource = interface_of(object, &IID_IDXGIResource);
    HANDLE handle = NULL;
    assert_int_equal(IDXGIResource_GetSharedHandle(resource, &handle), S_OK);
    assert_non_null(handle);
    IDXGIResource_Release(resource);
    return handle;
}

ID3D11Buffer *runtime_buffer(UINT size, D3D11_USAGE usage, UINT bind_flags, const void *data)
{
    const D3D11_BUFFER_DESC desc = {.ByteWidth = size,
                                    .Usage = usage,
                                    .BindFlags = bind_flags,
                                    .CPUAccessFlags =
                                        usage == D3D11_USAGE_DYNAMIC   ? (UINT)D3D11_CPU_ACCESS_WRITE
                                        : usage == D3D11_USAGE_STAGING ? (UINT)D3D11_CPU_ACCESS_READ
                                                                       : 0};
    const D3D11_SUBRESOURCE_DATA initial = {.pSysMem = data};
    ID3D11Buffer *buffer;
    assert_int_equal(ID3D11Device_CreateBuffer(device, &desc, data ? &initial : NULL, &buffer), S_OK);
    return buffer;
}

/* Says why a device did not map what it has. */
static void map_to_read(ID3D11DeviceContext *of, ID3D11Texture2D *staging, D3D11_MAPPED_SUBRESOURCE *mapped)
{
    const HRESULT result =
        ID3D11DeviceContext_Map(of, (ID3D11Resource *)staging, 0, D3D11_MAP_READ, 0, mapped);
    if (result != S_OK)
        fail_msg("Map: %#lx; the device: %#lx", (unsigned long)result,
                 (unsigned long)ID3D11Device_GetDeviceRemovedReason(device));
}

UINT runtime_texel(ID3D11DeviceContext *of, ID3D11Texture2D *texture, UINT x, UINT y)
{
    D3D11_TEXTURE2D_DESC desc;
    D3D11_MAPPED_SUBRESOURCE mapped;
    ID3D11Texture2D *staging;
    UINT texel;
    ID3D11Texture2D_GetDesc(texture, &desc);
    desc.Usage = D3D11_USAGE_STAGING;
    desc.BindFlags = desc.MiscFlags = 0;
    desc.CPUAccessFlags = D3D11_CPU_ACCESS_READ;
    staging = runtime_texture(&desc);
    ID3D11DeviceContext_CopyResource(of, (ID3D11Resource *)staging, (ID3D11Resource *)texture);
    map_to_read(of, staging, &mapped);
    memcpy(&texel, (const uint8_t *)mapped.pData + (size_t)y * mapped.RowPitch + (size_t)x * 4,
           sizeof(texel));
    ID3D11DeviceContext_Unmap(of, (ID3D11Resource *)staging, 0);
    assert_int_equal(ID3D11Texture2D_Release(staging), 0);
    return texel;
}
