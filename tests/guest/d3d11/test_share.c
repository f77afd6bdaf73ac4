/* SPDX-License-Identifier: MIT
 *
 * Resources that two devices of a process have, and keyed mutexes.
 */
#include "runtime.h"

#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guest/d3d11/d3d10_exports.h"
#include "guest/d3d11/neighbour.h"
#include "guest/d3d11/platform.h"

static const FLOAT red[4] = {1, 0, 0, 1}, green[4] = {0, 1, 0, 1};

static ID3D11Device1 *first, *second;
static ID3D11DeviceContext *second_context;

static int begin(void **state)
{
    ID3D11Device *made;
    runtime_begin(state);
    assert_int_equal(D3D11CreateDevice(NULL, D3D_DRIVER_TYPE_HARDWARE, NULL, 0, NULL, 0, D3D11_SDK_VERSION,
                                       &made, NULL, &second_context),
                     S_OK);
    assert_int_equal(ID3D11Device_QueryInterface(made, &IID_ID3D11Device1, (void **)&second), S_OK);
    ID3D11Device_Release(made);
    assert_int_equal(ID3D11Device_QueryInterface(device, &IID_ID3D11Device1, (void **)&first), S_OK);
    return 0;
}

static int end(void **state)
{
    ID3D11Device1_Release(first);
    ID3D11DeviceContext_ClearState(second_context);
    ID3D11DeviceContext_Flush(second_context);
    ID3D11DeviceContext_Release(second_context);
    assert_int_equal(ID3D11Device1_Release(second), 0);
    return runtime_end(state);
}

#define SHARE_TEST(function) cmocka_unit_test_setup_teardown(function, begin, end)

static ID3D11Texture2D *opened(ID3D11Device1 *by, HANDLE handle)
{
    ID3D11Texture2D *texture;
    assert_int_equal(ID3D11Device1_OpenSharedResource(by, handle, &IID_ID3D11Texture2D, (void **)&texture),
                     S_OK);
    return texture;
}

static void clear(ID3D11Device1 *by, ID3D11Texture2D *texture, const FLOAT colour[4])
{
    ID3D11DeviceContext *of;
    ID3D11RenderTargetView *view;
    ID3D11Device1_GetImmediateContext(by, &of);
    assert_int_equal(ID3D11Device1_CreateRenderTargetView(by, (ID3D11Resource *)texture, NULL, &view), S_OK);
    ID3D11DeviceContext_ClearRenderTargetView(of, view, colour);
    ID3D11DeviceContext_Flush(of);
    ID3D11RenderTargetView_Release(view);
    ID3D11DeviceContext_Release(of);
}

/* As the second device sees it. */
static UINT texel_by_second(ID3D11Texture2D *texture)
{
    D3D11_TEXTURE2D_DESC desc;
    D3D11_MAPPED_SUBRESOURCE mapped;
    ID3D11Texture2D *staging;
    UINT texel;
    ID3D11Texture2D_GetDesc(texture, &desc);
    desc.Usage = D3D11_USAGE_STAGING;
    desc.BindFlags = desc.MiscFlags = 0;
    desc.CPUAccessFlags = D3D11_CPU_ACCESS_READ;
    assert_int_equal(ID3D11Device1_CreateTexture2D(second, &desc, NULL, &staging), S_OK);
    ID3D11DeviceContext_CopyResource(second_context, (ID3D11Resource *)staging, (ID3D11Resource *)texture);
    assert_int_equal(
        ID3D11DeviceContext_Map(second_context, (ID3D11Resource *)staging, 0, D3D11_MAP_READ, 0, &mapped),
        S_OK);
    memcpy(&texel, mapped.pData, sizeof texel);
    ID3D11DeviceContext_Unmap(second_context, (ID3D11Resource *)staging, 0);
    ID3D11Texture2D_Release(staging);
    return texel;
}

static void devices_see_what_others_draw(void **state)
{
    (void)state;
    ID3D11Texture2D *mine = runtime_shared_texture(D3D11_RESOURCE_MISC_SHARED);
    ID3D11Texture2D *theirs = opened(second, number_of(mine));
    ID3D11Texture2D *again = opened(first, number_of(mine));
    D3D11_TEXTURE2D_DESC desc, wanted;
    ID3D11Device *of;
    ID3D11Texture2D_GetDesc(mine, &wanted);
    ID3D11Texture2D_GetDesc(theirs, &desc);
    assert_memory_equal(&desc, &wanted, sizeof desc);
    ID3D11Texture2D_GetDevice(theirs, &of);
    assert_ptr_equal(of, second);
    ID3D11Device_Release(of);
    assert_ptr_equal(number_of(theirs), number_of(mine));
    clear(first, mine, red);
    assert_int_equal(texel_by_second(theirs), RED);
    clear(second, theirs, green);
    assert_int_equal(runtime_texel(context, mine, 3, 3), GREEN);
    assert_int_equal(runtime_texel(context, again, 3, 3), GREEN);
    /* Whoever is left keeps the resource. */
    const HANDLE handle = number_of(mine);
    assert_int_equal(ID3D11Texture2D_Release(mine), 0);
    assert_int_equal(ID3D11Texture2D_Release(again), 0);
    ID3D11DeviceContext_Flush(context);
    assert_int_equal(texel_by_second(theirs), GREEN);
    mine = opened(first, handle);
    assert_int_equal(runtime_texel(context, mine, 3, 3), GREEN);
    assert_int_equal(ID3D11Texture2D_Release(mine), 0);
    assert_int_equal(ID3D11Texture2D_Release(theirs), 0);
    assert_int_equal(ID3D11Device1_OpenSharedResource(first, handle, &IID_ID3D11Texture2D, (void **)&mine),
                     E_INVALIDARG);
    assert_null(mine);
}

/* A process that says its number of two, 2 where it gets none, and ends when *end is closed. */
static unsigned number_of_another_process(int *end, pid_t *process)
{
    int told[2], ended[2];
    unsigned number = 9;
    assert_int_equal(pipe(told), 0);
    assert_int_equal(pipe(ended), 0);
    *process = fork();
    assert_true(*process >= 0);
    if (*process == 0) {
        char nothing;
        uint32_t own;
        close(ended[1]);
        number = rt_process_number(2, &own) ? own : 2;
        if (write(told[1], &number, sizeof number) == (ssize_t)sizeof number)
            while (read(ended[0], &nothing, 1) > 0)
                continue;
        _exit(0);
    }
    close(told[1]);
    close(ended[0]);
    assert_int_equal(read(told[0], &number, sizeof number), sizeof number);
    close(told[0]);
    *end = ended[1];
    return number;
}

/* No two processes that live have a number, and what one had is free after its end. */
static void processes_have_numbers(void **state)
{
    (void)state;
    pid_t processes[4];
    int ends[4];
    const unsigned number = number_of_another_process(&ends[0], &processes[0]);
    assert_true(number < 2);
    assert_int_equal(number_of_another_process(&ends[1], &processes[1]), 1 - number);
    assert_int_equal(number_of_another_process(&ends[2], &processes[2]), 2);
    /* The third one has the first one's end open, too. */
    for (int i = 2; i >= 0; i--) {
        close(ends[i]);
        assert_int_equal(waitpid(processes[i], NULL, 0), processes[i]);
    }
    assert_true(number_of_another_process(&ends[3], &processes[3]) < 2);
    close(ends[3]);
    assert_int_equal(waitpid(processes[3], NULL, 0), processes[3]);
}

/* Whatever bit of what tells processes apart is another. */
static void numbers_of_other_processes_are_refused(void **state)
{
    (void)state;
    ID3D11Texture2D *mine = runtime_shared_texture(D3D11_RESOURCE_MISC_SHARED), *theirs;
    const uintptr_t number = (uintptr_t)number_of(mine);
    assert_true(number <= UINT32_MAX);
    for (unsigned bit = 20; bit < 32; bit++) {
        assert_int_equal(ID3D11Device1_OpenSharedResource(second, (HANDLE)(number ^ (uintptr_t)1 << bit),
                                                          &IID_ID3D11Texture2D, (void **)&theirs),
                         E_INVALIDARG);
        assert_null(theirs);
    }
    ID3D11Texture2D_Release(mine);
}

static void buffers_are_shared(void **state)
{
    (void)state;
    static const UINT values[4] = {1, 2, 3, 4};
    const D3D11_BUFFER_DESC desc = {.ByteWidth = sizeof values,
                                    .BindFlags = D3D11_BIND_VERTEX_BUFFER,
                                    .MiscFlags = D3D11_RESOURCE_MISC_SHARED},
                            staging_desc = {.ByteWidth = sizeof values,
                                            .Usage = D3D11_USAGE_STAGING,
                                            .CPUAccessFlags = D3D11_CPU_ACCESS_READ};
    const D3D11_SUBRESOURCE_DATA data = {.pSysMem = values};
    D3D11_MAPPED_SUBRESOURCE mapped;
    ID3D11Buffer *mine, *theirs, *staging;
    IDXGIResource *resource;
    HANDLE handle;
    assert_int_equal(ID3D11Device1_CreateBuffer(first, &desc, &data, &mine), S_OK);
    resource = interface_of(mine, &IID_IDXGIResource);
    assert_int_equal(IDXGIResource_GetSharedHandle(resource, &handle), S_OK);
    IDXGIResource_Release(resource);
    assert_int_equal(ID3D11Device1_OpenSharedResource(second, handle, &IID_ID3D11Texture2D, (void **)&theirs),
                     E_NOINTERFACE);
    assert_int_equal(ID3D11Device1_OpenSharedResource(second, handle, &IID_ID3D11Buffer, (void **)&theirs),
                     S_OK);
    assert_int_equal(ID3D11Device1_CreateBuffer(second, &staging_desc, NULL, &staging), S_OK);
    ID3D11DeviceContext_CopyResource(second_context, (ID3D11Resource *)staging, (ID3D11Resource *)theirs);
    assert_int_equal(
        ID3D11DeviceContext_Map(second_context, (ID3D11Resource *)staging, 0, D3D11_MAP_READ, 0, &mapped),
        S_OK);
    assert_memory_equal(mapped.pData, values, sizeof values);
    ID3D11DeviceContext_Unmap(second_context, (ID3D11Resource *)staging, 0);
    ID3D11Buffer_Release(staging);
    ID3D11Buffer_Release(theirs);
    ID3D11Buffer_Release(mine);
}

/* What a buffer is made of the one who maps it sees, on either device. */
static void opened_buffers_are_mapped(void **state)
{
    (void)state;
    static const UINT values[4] = {1, 2, 3, 4};
    const D3D11_BUFFER_DESC desc = {.ByteWidth = sizeof values,
                                    .BindFlags = D3D11_BIND_SHADER_RESOURCE,
                                    .CPUAccessFlags = D3D11_CPU_ACCESS_READ | D3D11_CPU_ACCESS_WRITE,
                                    .MiscFlags = D3D11_RESOURCE_MISC_SHARED};
    const D3D11_SUBRESOURCE_DATA data = {.pSysMem = values};
    D3D11_MAPPED_SUBRESOURCE mapped;
    ID3D11Resource *mine, *theirs;
    IDXGIResource *resource;
    HANDLE handle;
    assert_int_equal(ID3D11Device1_CreateBuffer(first, &desc, &data, (ID3D11Buffer **)&mine), S_OK);
    resource = interface_of(mine, &IID_IDXGIResource);
    assert_int_equal(IDXGIResource_GetSharedHandle(resource, &handle), S_OK);
    IDXGIResource_Release(resource);
    assert_int_equal(ID3D11Device1_OpenSharedResource(second, handle, &IID_ID3D11Resource, (void **)&theirs),
                     S_OK);
    assert_int_equal(ID3D11DeviceContext_Map(second_context, theirs, 0, D3D11_MAP_READ_WRITE, 0, &mapped),
                     S_OK);
    assert_memory_equal(mapped.pData, values, sizeof values);
    *(UINT *)mapped.pData = 7;
    ID3D11DeviceContext_Unmap(second_context, theirs, 0);
    ID3D11DeviceContext_Flush(second_context);
    assert_int_equal(ID3D11DeviceContext_Map(second_context, theirs, 0, D3D11_MAP_READ, 0, &mapped), S_OK);
    assert_int_equal(*(const UINT *)mapped.pData, 7);
    ID3D11DeviceContext_Unmap(second_context, theirs, 0);
    ID3D11Resource_Release(theirs);
    ID3D11Resource_Release(mine);
}

static void handles_are_of_two_kinds(void **state)
{
    (void)state;
    static const WCHAR name[] = u"texture of the test";
    ID3D11Texture2D *mine =
        runtime_shared_texture(D3D11_RESOURCE_MISC_SHARED | D3D11_RESOURCE_MISC_SHARED_NTHANDLE);
    ID3D11Texture2D *plain = runtime_shared_texture(0), *theirs;
    IDXGIResource1 *resource = interface_of(mine, &IID_IDXGIResource1);
    IDXGIResource1 *other = interface_of(plain, &IID_IDXGIResource1);
    IDXGIFactory2 *factory;
    HANDLE handle, same;
    LUID luid;
    assert_int_equal(IDXGIResource1_GetSharedHandle(other, &handle), E_INVALIDARG);
    assert_int_equal(IDXGIResource1_CreateSharedHandle(other, NULL, DXGI_SHARED_RESOURCE_READ, NULL, &handle),
                     E_INVALIDARG);
    assert_int_equal(IDXGIResource1_GetSharedHandle(resource, &handle), E_INVALIDARG);
    assert_int_equal(IDXGIResource1_CreateSharedHandle(resource, NULL, 0, NULL, &handle), E_INVALIDARG);
    assert_int_equal(
        IDXGIResource1_CreateSharedHandle(resource, NULL, DXGI_SHARED_RESOURCE_READ, name, &handle), S_OK);
    assert_int_equal(
        IDXGIResource1_CreateSharedHandle(resource, NULL, DXGI_SHARED_RESOURCE_READ, name, &same),
        DXGI_ERROR_NAME_ALREADY_EXISTS);
    assert_null(same);
    assert_int_equal(ID3D11Device1_OpenSharedResource(second, handle, &IID_ID3D11Texture2D, (void **)&theirs),
                     E_INVALIDARG);
    assert_int_equal(
        ID3D11Device1_OpenSharedResource1(second, handle, &IID_ID3D11Texture2D, (void **)&theirs), S_OK);
    clear(first, mine, red);
    assert_int_equal(texel_by_second(theirs), RED);
    ID3D11Texture2D_Release(theirs);
    assert_int_equal(ID3D11Device1_OpenSharedResourceByName(second, u"another", DXGI_SHARED_RESOURCE_READ,
                                                            &IID_ID3D11Texture2D, (void **)&theirs),
                     E_INVALIDARG);
    assert_int_equal(ID3D11Device1_OpenSharedResourceByName(second, name, DXGI_SHARED_RESOURCE_READ,
                                                            &IID_ID3D11Texture2D, (void **)&theirs),
                     S_OK);
    assert_int_equal(texel_by_second(theirs), RED);
    ID3D11Texture2D_Release(theirs);
    assert_int_equal(CreateDXGIFactory1(&IID_IDXGIFactory2, (void **)&factory), S_OK);
    assert_int_equal(IDXGIFactory2_GetSharedResourceAdapterLuid(factory, handle, &luid), S_OK);
    rt_token_handle_close(handle);
    assert_int_equal(IDXGIFactory2_GetSharedResourceAdapterLuid(factory, handle, &luid), E_INVALIDARG);
    IDXGIFactory2_Release(factory);
    assert_int_equal(ID3D11Device1_OpenSharedResourceByName(second, name, DXGI_SHARED_RESOURCE_READ,
                                                            &IID_ID3D11Texture2D, (void **)&theirs),
                     E_INVALIDARG);
    IDXGIResource1_Release(resource);
    IDXGIResource1_Release(other);
    ID3D11Texture2D_Release(plain);
    ID3D11Texture2D_Release(mine);
}

static void what_is_mapped_is_not_shared(void **state)
{
    (void)state;
    D3D11_TEXTURE2D_DESC desc = texture_desc(0);
    ID3D11Texture2D *texture;
    desc.Usage = D3D11_USAGE_STAGING;
    desc.CPUAccessFlags = D3D11_CPU_ACCESS_READ;
    desc.MiscFlags = D3D11_RESOURCE_MISC_SHARED;
    assert_int_equal(ID3D11Device_CreateTexture2D(device, &desc, NULL, &texture), E_INVALIDARG);
}

/* ---- Objects of another device in slots ---------------------------------------------------------------- */

/* They are what getters answer, and nothing to draws, and last as long as the slot has them. */
static void slots_keep_what_other_devices_have(void **state)
{
    (void)state;
    const D3D11_TEXTURE2D_DESC desc = texture_desc(D3D11_BIND_RENDER_TARGET | D3D11_BIND_SHADER_RESOURCE);
    const D3D11_QUERY_DESC query = {D3D11_QUERY_OCCLUSION_PREDICATE, 0};
    ID3D11Texture2D *target = runtime_shared_texture(0), *texture, *output;
    ID3D11ShaderResourceView *view, *bound;
    ID3D11RenderTargetView *drawn;
    ID3D11Predicate *predicate, *asked;
    ID3D11DeviceContext *deferred, *of;
    ID3D11CommandList *list;
    ID3D11Device *other;
    assert_int_equal(D3D11CreateDevice(NULL, D3D_DRIVER_TYPE_HARDWARE, NULL, 0, NULL, 0, D3D11_SDK_VERSION,
                                       &other, NULL, &of),
                     S_OK);
    assert_int_equal(ID3D11Device_CreateTexture2D(other, &desc, NULL, &texture), S_OK);
    assert_int_equal(ID3D11Device_CreateTexture2D(other, &desc, NULL, &output), S_OK);
    assert_int_equal(ID3D11Device_CreateShaderResourceView(other, (ID3D11Resource *)texture, NULL, &view),
                     S_OK);
    assert_int_equal(ID3D11Device_CreateRenderTargetView(other, (ID3D11Resource *)output, NULL, &drawn),
                     S_OK);
    assert_int_equal(ID3D11Device_CreatePredicate(other, &query, &predicate), S_OK);
    ID3D11DeviceContext_Begin(of, (ID3D11Asynchronous *)predicate);
    ID3D11DeviceContext_End(of, (ID3D11Asynchronous *)predicate);
    ID3D11DeviceContext_PSSetShaderResources(context, 3, 1, &view);
    ID3D11DeviceContext_OMSetRenderTargets(context, 1, &drawn, NULL);
    ID3D11DeviceContext_SetPredication(context, predicate, FALSE);
    assert_int_equal(ID3D11Device_CreateDeferredContext(device, 0, &deferred), S_OK);
    ID3D11DeviceContext_CSSetShaderResources(deferred, 0, 1, &view);
    assert_int_equal(ID3D11DeviceContext_FinishCommandList(deferred, FALSE, &list), S_OK);
    ID3D11Texture2D_Release(texture);
    ID3D11Texture2D_Release(output);
    ID3D11ShaderResourceView_Release(view);
    ID3D11RenderTargetView_Release(drawn);
    ID3D11Predicate_Release(predicate);
    ID3D11DeviceContext_Release(of);
    assert_int_equal(ID3D11Device_Release(other), 0);
    /* The predicate of nothing that passed is none here. */
    clear(first, target, green);
    ID3D11DeviceContext_PSGetShaderResources(context, 3, 1, &bound);
    assert_ptr_equal(bound, view);
    ID3D11ShaderResourceView_Release(bound);
    ID3D11DeviceContext_GetPredication(context, &asked, NULL);
    assert_ptr_equal(asked, predicate);
    ID3D11Predicate_Release(asked);
    ID3D11DeviceContext_ClearState(context);
    assert_int_equal(runtime_texel(context, target, 3, 3), GREEN);
    ID3D11DeviceContext_ExecuteCommandList(context, list, FALSE);
    ID3D11CommandList_Release(list);
    ID3D11DeviceContext_Release(deferred);
    ID3D11Texture2D_Release(target);
}

/* Two devices that have each other's objects bound end with what the program holds of them: a sanitizer sees
 * a leak. */
static void devices_with_each_others_objects_end(void **state)
{
    (void)state;
    const D3D11_TEXTURE2D_DESC desc = texture_desc(D3D11_BIND_SHADER_RESOURCE);
    ID3D11ShaderResourceView *views[2], *bound;
    ID3D11DeviceContext *contexts[2];
    ID3D11Device *devices[2];
    for (int i = 0; i < 2; i++) {
        ID3D11Texture2D *texture;
        assert_int_equal(D3D11CreateDevice(NULL, D3D_DRIVER_TYPE_HARDWARE, NULL, 0, NULL, 0,
                                           D3D11_SDK_VERSION, &devices[i], NULL, &contexts[i]),
                         S_OK);
        assert_int_equal(ID3D11Device_CreateTexture2D(devices[i], &desc, NULL, &texture), S_OK);
        assert_int_equal(
            ID3D11Device_CreateShaderResourceView(devices[i], (ID3D11Resource *)texture, NULL, &views[i]),
            S_OK);
        ID3D11Texture2D_Release(texture);
    }
    for (int i = 0; i < 2; i++) {
        ID3D11DeviceContext_PSSetShaderResources(contexts[i], 5, 1, &views[1 - i]);
        ID3D11DeviceContext_PSSetShaderResources(contexts[i], 6, 1, &views[i]);
    }
    ID3D11DeviceContext_Release(contexts[0]);
    ID3D11ShaderResourceView_Release(views[0]);
    assert_int_equal(ID3D11Device_Release(devices[0]), 0);
    /* The second one still has a view of the first. */
    ID3D11DeviceContext_PSGetShaderResources(contexts[1], 5, 1, &bound);
    assert_ptr_equal(bound, views[0]);
    ID3D11ShaderResourceView_Release(bound);
    ID3D11DeviceContext_Release(contexts[1]);
    ID3D11ShaderResourceView_Release(views[1]);
    assert_int_equal(ID3D11Device_Release(devices[1]), 0);
}

/* Calls that name them are dropped. */
static void calls_with_another_devices_objects_are_dropped(void **state)
{
    (void)state;
    const D3D11_TEXTURE2D_DESC desc = texture_desc(D3D11_BIND_RENDER_TARGET | D3D11_BIND_SHADER_RESOURCE);
    const D3D11_QUERY_DESC query_desc = {D3D11_QUERY_EVENT, 0};
    const UINT row[4] = {GREEN, GREEN, GREEN, GREEN};
    const D3D11_BOX box = {0, 0, 0, 4, 1, 1};
    D3D11_TEXTURE2D_DESC staging_desc = texture_desc(0);
    ID3D11Texture2D *target = runtime_shared_texture(0), *theirs, *staging;
    ID3D11RenderTargetView *view;
    ID3D11ShaderResourceView *refused;
    ID3D11DeviceContext *deferred;
    ID3D11CommandList *list;
    ID3D11Query *query;
    D3D11_MAPPED_SUBRESOURCE mapped;
    staging_desc.Usage = D3D11_USAGE_STAGING;
    staging_desc.CPUAccessFlags = D3D11_CPU_ACCESS_READ;
    clear(first, target, red);
    assert_int_equal(ID3D11Device1_CreateTexture2D(second, &desc, NULL, &theirs), S_OK);
    assert_int_equal(ID3D11Device1_CreateTexture2D(second, &staging_desc, NULL, &staging), S_OK);
    assert_int_equal(ID3D11Device1_CreateQuery(second, &query_desc, &query), S_OK);
    assert_int_equal(ID3D11Device1_CreateRenderTargetView(second, (ID3D11Resource *)theirs, NULL, &view),
                     S_OK);
    assert_int_equal(ID3D11Device1_CreateDeferredContext(second, 0, &deferred), S_OK);
    ID3D11DeviceContext_ClearRenderTargetView(deferred, view, green);
    assert_int_equal(ID3D11DeviceContext_FinishCommandList(deferred, FALSE, &list), S_OK);
    clear(second, theirs, red);
    ID3D11DeviceContext_ClearRenderTargetView(context, view, green);
    ID3D11DeviceContext_UpdateSubresource(context, (ID3D11Resource *)theirs, 0, &box, row, sizeof(row), 0);
    ID3D11DeviceContext_CopyResource(context, (ID3D11Resource *)theirs, (ID3D11Resource *)target);
    ID3D11DeviceContext_ExecuteCommandList(context, list, FALSE);
    ID3D11DeviceContext_CopyResource(second_context, (ID3D11Resource *)target, (ID3D11Resource *)theirs);
    ID3D11DeviceContext_CopySubresourceRegion(context, (ID3D11Resource *)target, 0, 0, 0, 0,
                                              (ID3D11Resource *)theirs, 0, NULL);
    ID3D11DeviceContext_End(context, (ID3D11Asynchronous *)query);
    assert_int_equal(ID3D11DeviceContext_GetData(context, (ID3D11Asynchronous *)query, NULL, 0, 0),
                     E_INVALIDARG);
    assert_int_equal(
        ID3D11DeviceContext_Map(context, (ID3D11Resource *)staging, 0, D3D11_MAP_READ, 0, &mapped),
        E_INVALIDARG);
    assert_int_equal(ID3D11Device1_CreateShaderResourceView(first, (ID3D11Resource *)theirs, NULL, &refused),
                     E_INVALIDARG);
    assert_int_equal(runtime_texel(context, target, 1, 0), RED);
    assert_int_equal(texel_by_second(theirs), RED);
    ID3D11DeviceContext_Release(deferred);
    ID3D11CommandList_Release(list);
    ID3D11RenderTargetView_Release(view);
    ID3D11Query_Release(query);
    ID3D11Texture2D_Release(staging);
    ID3D11Texture2D_Release(theirs);
    ID3D11Texture2D_Release(target);
}

/* ---- Keyed mutexes ------------------------------------------------------------------------------------- */

static void keys_are_waited_for(void **state)
{
    (void)state;
    ID3D11Texture2D *mine = runtime_shared_texture(D3D11_RESOURCE_MISC_SHARED_KEYEDMUTEX);
    ID3D11Texture2D *theirs = opened(second, number_of(mine));
    IDXGIKeyedMutex *a = interface_of(mine, &IID_IDXGIKeyedMutex);
    IDXGIKeyedMutex *b = interface_of(theirs, &IID_IDXGIKeyedMutex);
    assert_int_equal(IDXGIKeyedMutex_ReleaseSync(a, 0), DXGI_ERROR_INVALID_CALL);
    assert_int_equal(IDXGIKeyedMutex_AcquireSync(a, 1, 0), WAIT_TIMEOUT);
    assert_int_equal(IDXGIKeyedMutex_AcquireSync(a, 0, 0), S_OK);
    assert_int_equal(IDXGIKeyedMutex_AcquireSync(a, 0, 0), DXGI_ERROR_INVALID_CALL);
    assert_int_equal(IDXGIKeyedMutex_AcquireSync(b, 0, 10), WAIT_TIMEOUT);
    assert_int_equal(IDXGIKeyedMutex_ReleaseSync(b, 0), DXGI_ERROR_INVALID_CALL);
    clear(first, mine, red);
    assert_int_equal(IDXGIKeyedMutex_ReleaseSync(a, 7), S_OK);
    assert_int_equal(IDXGIKeyedMutex_AcquireSync(b, 0, 0), WAIT_TIMEOUT);
    assert_int_equal(IDXGIKeyedMutex_AcquireSync(b, 7, 0), S_OK);
    assert_int_equal(texel_by_second(theirs), RED);
    /* The device that has the mutex ends its resource. */
    IDXGIKeyedMutex_Release(b);
    ID3D11Texture2D_Release(theirs);
    assert_int_equal(IDXGIKeyedMutex_AcquireSync(a, 1, INFINITE), WAIT_ABANDONED);
    assert_int_equal(IDXGIKeyedMutex_ReleaseSync(a, 1), S_OK);
    IDXGIKeyedMutex_Release(a);
    ID3D11Texture2D_Release(mine);
}

/* Buffers have them, too. What is given back is bound no more. */
static void what_is_given_back_leaves_its_slots(void **state)
{
    (void)state;
    D3D11_BUFFER_DESC desc = {.ByteWidth = 64,
                              .BindFlags = D3D11_BIND_VERTEX_BUFFER | D3D11_BIND_SHADER_RESOURCE,
                              .MiscFlags =
                                  D3D11_RESOURCE_MISC_SHARED | D3D11_RESOURCE_MISC_SHARED_KEYEDMUTEX};
    const D3D11_TEXTURE2D_DESC plain_desc = texture_desc(D3D11_BIND_RENDER_TARGET);
    ID3D11Texture2D *texture = runtime_shared_texture(D3D11_RESOURCE_MISC_SHARED_KEYEDMUTEX);
    ID3D11Texture2D *plain = runtime_texture(&plain_desc);
    IDXGIKeyedMutex *mutexes[2];
    ID3D11RenderTargetView *views[2], *targets[2];
    ID3D11Buffer *buffer, *vertices;
    UINT stride = 16, offset = 0;
    assert_int_equal(ID3D11Device1_CreateBuffer(first, &desc, NULL, &buffer), E_INVALIDARG);
    desc.MiscFlags = D3D11_RESOURCE_MISC_SHARED_NTHANDLE;
    assert_int_equal(ID3D11Device1_CreateBuffer(first, &desc, NULL, &buffer), E_INVALIDARG);
    desc.MiscFlags = D3D11_RESOURCE_MISC_SHARED_KEYEDMUTEX;
    assert_int_equal(ID3D11Device1_CreateBuffer(first, &desc, NULL, &buffer), S_OK);
    mutexes[0] = interface_of(buffer, &IID_IDXGIKeyedMutex);
    mutexes[1] = interface_of(texture, &IID_IDXGIKeyedMutex);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(ID3D11Device1_CreateRenderTargetView(first, (ID3D11Resource *)(i ? texture : plain),
                                                              NULL, &views[i]),
                         S_OK);
        assert_int_equal(IDXGIKeyedMutex_AcquireSync(mutexes[i], 0, 0), S_OK);
    }
    ID3D11DeviceContext_IASetVertexBuffers(context, 3, 1, &buffer, &stride, &offset);
    ID3D11DeviceContext_OMSetRenderTargets(context, 2, views, NULL);
    assert_int_equal(IDXGIKeyedMutex_ReleaseSync(mutexes[0], 1), S_OK);
    ID3D11DeviceContext_IAGetVertexBuffers(context, 3, 1, &vertices, &stride, &offset);
    assert_null(vertices);
    ID3D11DeviceContext_OMGetRenderTargets(context, 2, targets, NULL);
    for (int i = 0; i < 2; i++) {
        assert_ptr_equal(targets[i], views[i]);
        ID3D11RenderTargetView_Release(targets[i]);
    }
    assert_int_equal(IDXGIKeyedMutex_ReleaseSync(mutexes[1], 1), S_OK);
    ID3D11DeviceContext_OMGetRenderTargets(context, 2, targets, NULL);
    assert_ptr_equal(targets[0], views[0]);
    assert_null(targets[1]);
    ID3D11RenderTargetView_Release(targets[0]);
    for (int i = 0; i < 2; i++) {
        ID3D11RenderTargetView_Release(views[i]);
        IDXGIKeyedMutex_Release(mutexes[i]);
    }
    ID3D11Texture2D_Release(plain);
    ID3D11Texture2D_Release(texture);
    ID3D11Buffer_Release(buffer);
}

/* Draws in green once it is its turn, and gives the mutex back with key 2. */
static void *take_turn(void *texture)
{
    IDXGIKeyedMutex *mutex = interface_of(texture, &IID_IDXGIKeyedMutex);
    const HRESULT result = IDXGIKeyedMutex_AcquireSync(mutex, 1, INFINITE);
    if (result == S_OK) {
        clear(second, texture, green);
        IDXGIKeyedMutex_ReleaseSync(mutex, 2);
    }
    IDXGIKeyedMutex_Release(mutex);
    return NULL;
}

static void threads_take_turns(void **state)
{
    (void)state;
    ID3D11Texture2D *mine = runtime_shared_texture(D3D11_RESOURCE_MISC_SHARED_KEYEDMUTEX);
    ID3D11Texture2D *theirs = opened(second, number_of(mine));
    IDXGIKeyedMutex *mutex = interface_of(mine, &IID_IDXGIKeyedMutex);
    pthread_t other;
    assert_int_equal(pthread_create(&other, NULL, take_turn, theirs), 0);
    assert_int_equal(IDXGIKeyedMutex_AcquireSync(mutex, 0, INFINITE), S_OK);
    clear(first, mine, red);
    assert_int_equal(IDXGIKeyedMutex_ReleaseSync(mutex, 1), S_OK);
    assert_int_equal(IDXGIKeyedMutex_AcquireSync(mutex, 2, INFINITE), S_OK);
    assert_int_equal(pthread_join(other, NULL), 0);
    assert_int_equal(runtime_texel(context, mine, 0, 0), GREEN);
    assert_int_equal(IDXGIKeyedMutex_ReleaseSync(mutex, 0), S_OK);
    IDXGIKeyedMutex_Release(mutex);
    ID3D11Texture2D_Release(theirs);
    ID3D11Texture2D_Release(mine);
}

/* A device of Direct3D 10 opens what one of Direct3D 11 has made. */
static void versions_share(void **state)
{
    (void)state;
    ID3D11Texture2D *mine = runtime_shared_texture(D3D11_RESOURCE_MISC_SHARED), *same;
    ID3D10Texture2D *theirs;
    ID3D10Device *older;
    D3D10_TEXTURE2D_DESC desc;
    assert_int_equal(D3D10CreateDevice(NULL, D3D10_DRIVER_TYPE_HARDWARE, NULL, 0, D3D10_SDK_VERSION, &older),
                     S_OK);
    assert_int_equal(
        ID3D10Device_OpenSharedResource(older, number_of(mine), &IID_ID3D10Texture2D, (void **)&theirs),
        S_OK);
    ID3D10Texture2D_GetDesc(theirs, &desc);
    assert_int_equal(desc.Width, SIDE);
    assert_int_equal(desc.MiscFlags, D3D10_RESOURCE_MISC_SHARED);
    same = interface_of(theirs, &IID_ID3D11Texture2D);
    assert_ptr_equal(number_of(same), number_of(mine));
    ID3D11Texture2D_Release(same);
    ID3D10Texture2D_Release(theirs);
    assert_int_equal(ID3D10Device_Release(older), 0);
    ID3D11Texture2D_Release(mine);
}

/* ---- Fences -------------------------------------------------------------------------------------------- */

static void fences_are_shared(void **state)
{
    (void)state;
    ID3D11Device5 *mine = interface_of(first, &IID_ID3D11Device5);
    ID3D11Device5 *theirs = interface_of(second, &IID_ID3D11Device5);
    ID3D11DeviceContext4 *my_context = interface_of(context, &IID_ID3D11DeviceContext4);
    ID3D11DeviceContext4 *their_context = interface_of(second_context, &IID_ID3D11DeviceContext4);
    ID3D11Texture2D *texture = runtime_shared_texture(D3D11_RESOURCE_MISC_SHARED);
    ID3D11Fence *fence, *opened_fence, *alone;
    ID3D11Resource *none;
    HANDLE handle;
    _Atomic int event = 0;
    assert_int_equal(
        ID3D11Device5_CreateFence(mine, 7, D3D11_FENCE_FLAG_SHARED, &IID_ID3D11Fence, (void **)&fence), S_OK);
    assert_int_equal(
        ID3D11Device5_CreateFence(mine, 0, D3D11_FENCE_FLAG_NONE, &IID_ID3D11Fence, (void **)&alone), S_OK);
    assert_int_equal(ID3D11Fence_CreateSharedHandle(alone, NULL, 0, NULL, &handle), E_INVALIDARG);
    assert_null(handle);
    assert_int_equal(ID3D11Fence_CreateSharedHandle(fence, NULL, GENERIC_ALL, NULL, &handle), S_OK);
    /* A handle of a fence names no resource, and a number of a resource no fence. */
    assert_int_equal(ID3D11Device1_OpenSharedResource1(second, handle, &IID_ID3D11Resource, (void **)&none),
                     E_INVALIDARG);
    assert_int_equal(
        ID3D11Device5_OpenSharedFence(theirs, number_of(texture), &IID_ID3D11Fence, (void **)&opened_fence),
        E_INVALIDARG);
    assert_int_equal(ID3D11Device5_OpenSharedFence(theirs, handle, &IID_ID3D11Fence, (void **)&opened_fence),
                     S_OK);
    assert_ptr_not_equal(opened_fence, fence);
    assert_int_equal(ID3D11Fence_GetCompletedValue(opened_fence), 7);
    assert_int_equal(ID3D11Fence_SetEventOnCompletion(opened_fence, 9, (HANDLE)&event), S_OK);
    assert_int_equal(ID3D11DeviceContext4_Wait(their_context, opened_fence, 8), DXGI_ERROR_INVALID_CALL);
    assert_int_equal(ID3D11DeviceContext4_Signal(my_context, fence, 8), S_OK);
    assert_int_equal(ID3D11DeviceContext4_Wait(their_context, opened_fence, 8), S_OK);
    assert_int_equal(event, 0);
    assert_int_equal(ID3D11DeviceContext4_Signal(my_context, fence, 9), S_OK);
    assert_int_equal(event, 1);
    /* Values may go back, and more signals than a fence remembers be on their way. */
    for (unsigned i = 0; i < 200; i++)
        assert_int_equal(ID3D11DeviceContext4_Signal(my_context, fence, 1), S_OK);
    assert_int_equal(ID3D11DeviceContext4_Signal(my_context, fence, 10), S_OK);
    assert_int_equal(ID3D11Fence_SetEventOnCompletion(fence, 10, NULL), S_OK);
    assert_int_equal(ID3D11Fence_GetCompletedValue(fence), 10);
    /* Each context has fences of its own device alone. */
    assert_int_equal(ID3D11DeviceContext4_Signal(their_context, fence, 10), E_INVALIDARG);
    /* What was opened outlives the fence that was made; the handle does not keep it. */
    assert_int_equal(ID3D11Fence_Release(fence), 0);
    assert_int_equal(ID3D11DeviceContext4_Signal(their_context, opened_fence, 11), S_OK);
    assert_int_equal(ID3D11Fence_SetEventOnCompletion(opened_fence, 11, NULL), S_OK);
    assert_int_equal(ID3D11Fence_GetCompletedValue(opened_fence), 11);
    assert_int_equal(ID3D11Fence_Release(opened_fence), 0);
    assert_int_equal(ID3D11Device5_OpenSharedFence(theirs, handle, &IID_ID3D11Fence, (void **)&opened_fence),
                     E_INVALIDARG);
    rt_token_handle_close(handle);
    ID3D11Fence_Release(alone);
    ID3D11Texture2D_Release(texture);
    ID3D11DeviceContext4_Release(my_context);
    ID3D11DeviceContext4_Release(their_context);
    ID3D11Device5_Release(mine);
    ID3D11Device5_Release(theirs);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(processes_have_numbers), /* before this process has one */
        SHARE_TEST(devices_see_what_others_draw),
        SHARE_TEST(buffers_are_shared),
        SHARE_TEST(numbers_of_other_processes_are_refused),
        SHARE_TEST(opened_buffers_are_mapped),
        SHARE_TEST(handles_are_of_two_kinds),
        SHARE_TEST(what_is_mapped_is_not_shared),
        SHARE_TEST(keys_are_waited_for),
        SHARE_TEST(what_is_given_back_leaves_its_slots),
        SHARE_TEST(threads_take_turns),
        SHARE_TEST(versions_share),
        SHARE_TEST(slots_keep_what_other_devices_have),
        SHARE_TEST(devices_with_each_others_objects_end),
        SHARE_TEST(calls_with_another_devices_objects_are_dropped),
        SHARE_TEST(fences_are_shared),
    };
    return runtime_main(argc, argv, "guest/d3d11/share", tests, sizeof tests / sizeof tests[0]);
}
