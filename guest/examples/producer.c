/* SPDX-License-Identifier: MIT
 *
 * Draws what consumer.c shows, in a process of its own: that one starts this one with its process number, and
 * when it is gone this one ends, too.
 */
#define INITGUID
#include "sharing.h"

#include <stdio.h>
#include <stdlib.h>

struct producer {
    ID3D11Device5 *device;
    ID3D11DeviceContext4 *context;
    ID3D11Texture2D *left, *right;
    ID3D11RenderTargetView *left_target, *right_target;
    IDXGIKeyedMutex *turn;
    ID3D11Fence *fence;
};

static HRESULT open_device(struct producer *p)
{
    ID3D11Device *device = NULL;
    ID3D11DeviceContext *context = NULL;
    HRESULT result = D3D11CreateDevice(NULL, D3D_DRIVER_TYPE_HARDWARE, NULL, 0, NULL, 0, D3D11_SDK_VERSION,
                                       &device, NULL, &context);
    if (SUCCEEDED(result))
        result = ID3D11Device_QueryInterface(device, &IID_ID3D11Device5, (void **)&p->device);
    if (SUCCEEDED(result))
        result = ID3D11DeviceContext_QueryInterface(context, &IID_ID3D11DeviceContext4, (void **)&p->context);
    example_release(context);
    example_release(device);
    return result;
}

static HRESULT make_texture(struct producer *p, UINT misc_flags, ID3D11Texture2D **texture,
                            ID3D11RenderTargetView **target)
{
    const D3D11_TEXTURE2D_DESC desc = {
        .Width = EXAMPLE_SIDE / 2,
        .Height = EXAMPLE_SIDE,
        .MipLevels = 1,
        .ArraySize = 1,
        .Format = DXGI_FORMAT_R8G8B8A8_UNORM,
        .SampleDesc = {1, 0},
        .BindFlags = D3D11_BIND_RENDER_TARGET | D3D11_BIND_SHADER_RESOURCE,
        .MiscFlags = misc_flags
    };
    HRESULT result = ID3D11Device5_CreateTexture2D(p->device, &desc, NULL, texture);
    if (SUCCEEDED(result))
        result = ID3D11Device5_CreateRenderTargetView(p->device, (ID3D11Resource *)*texture, NULL, target);
    return result;
}

static HRESULT make_objects(struct producer *p)
{
    HRESULT result =
        make_texture(p, D3D11_RESOURCE_MISC_SHARED_KEYEDMUTEX | D3D11_RESOURCE_MISC_SHARED_NTHANDLE, &p->left,
                     &p->left_target);
    if (SUCCEEDED(result))
        result = make_texture(p, D3D11_RESOURCE_MISC_SHARED, &p->right, &p->right_target);
    if (SUCCEEDED(result))
        result = ID3D11Texture2D_QueryInterface(p->left, &IID_IDXGIKeyedMutex, (void **)&p->turn);
    if (SUCCEEDED(result))
        result = ID3D11Device5_CreateFence(p->device, 0, D3D11_FENCE_FLAG_SHARED, &IID_ID3D11Fence,
                                           (void **)&p->fence);
    return result;
}

/* A name for the left half, a number for the right one, and a handle that the consumer gets as its own. */
static HRESULT tell(const struct producer *p, DWORD consumer)
{
    struct sharing_handles told = {0};
    IDXGIResource1 *left = NULL;
    IDXGIResource *right = NULL;
    HANDLE named, number, fence, theirs = NULL;
    DWORD written;
    HRESULT result = ID3D11Texture2D_QueryInterface(p->left, &IID_IDXGIResource1, (void **)&left);
    if (SUCCEEDED(result)) /* the name lives as long as this handle, which the process keeps */
        result = IDXGIResource1_CreateSharedHandle(left, NULL, DXGI_SHARED_RESOURCE_READ,
                                                   SHARING_TEXTURE_NAME, &named);
    if (SUCCEEDED(result))
        result = ID3D11Texture2D_QueryInterface(p->right, &IID_IDXGIResource, (void **)&right);
    if (SUCCEEDED(result))
        result = IDXGIResource_GetSharedHandle(right, &number);
    if (SUCCEEDED(result))
        result = ID3D11Fence_CreateSharedHandle(p->fence, NULL, GENERIC_ALL, NULL, &fence);
    example_release(left);
    example_release(right);
    if (FAILED(result))
        return result;
    const HANDLE process = OpenProcess(PROCESS_DUP_HANDLE, FALSE, consumer);
    if (!DuplicateHandle(GetCurrentProcess(), fence, process, &theirs, 0, FALSE, DUPLICATE_SAME_ACCESS))
        return E_FAIL;
    CloseHandle(process);
    told.number = (UINT64)(UINT_PTR)number;
    told.fence = (UINT64)(UINT_PTR)theirs;
    return WriteFile(GetStdHandle(STD_OUTPUT_HANDLE), &told, sizeof told, &written, NULL) ? S_OK : E_FAIL;
}

static void fill(const struct producer *p, ID3D11RenderTargetView *target, const FLOAT colour[4])
{
    ID3D11DeviceContext4_ClearRenderTargetView(p->context, target, colour);
}

/* What is seen of a frame is what it ends with. */
static HRESULT draw(const struct producer *p, UINT64 frame)
{
    static const FLOAT orange[4] = {1, 0.6f, 0, 1}, teal[4] = {0, 0.6f, 0.4f, 1};
    HRESULT result = IDXGIKeyedMutex_AcquireSync(p->turn, SHARING_PRODUCER, SHARING_WAIT_MS);
    if (result != S_OK)
        return E_FAIL;
    fill(p, p->left_target, example_black);
    fill(p, p->right_target, example_black);
    ID3D11DeviceContext4_Flush(p->context);
    fill(p, p->right_target, teal);
    result = ID3D11DeviceContext4_Signal(p->context, p->fence, frame);
    fill(p, p->left_target, orange);
    if (SUCCEEDED(result))
        result = IDXGIKeyedMutex_ReleaseSync(p->turn, SHARING_CONSUMER);
    return result;
}

int main(int argc, char **argv)
{
    struct producer p = {0};
    HRESULT result = argc == 2 ? open_device(&p) : E_INVALIDARG;
    if (SUCCEEDED(result))
        result = make_objects(&p);
    if (SUCCEEDED(result))
        result = tell(&p, strtoul(argv[1], NULL, 10));
    if (FAILED(result))
        fprintf(stderr, "%s: error 0x%08lx\n", argv[0], (unsigned long)result);
    for (UINT64 frame = 1; SUCCEEDED(result); frame++)
        result = draw(&p, frame);
    return 0;
}
