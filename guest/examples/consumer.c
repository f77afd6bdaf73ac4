/* SPDX-License-Identifier: MIT
 *
 * Shows what another process draws: the two halves of the picture are textures of producer.exe, which this
 * program starts.
 */
#define INITGUID
#include "sharing.h"

#include <stdio.h>

struct consumer {
    ID3D11Texture2D *left, *right;
    IDXGIKeyedMutex *turn;
    ID3D11Fence *fence;
    ID3D11DeviceContext4 *context;
    UINT64 frame;
};

/* producer.exe lies beside this program. The end of its output that is read. */
static HANDLE start_producer(void)
{
    SECURITY_ATTRIBUTES inherited = {.nLength = sizeof inherited, .bInheritHandle = TRUE};
    STARTUPINFOA info = {.cb = sizeof info, .dwFlags = STARTF_USESTDHANDLES};
    PROCESS_INFORMATION process;
    char command[64], path[MAX_PATH];
    HANDLE output = NULL;
    const DWORD length = GetModuleFileNameA(NULL, path, MAX_PATH);
    char *const name = path + length - (sizeof "consumer.exe" - 1);
    if (length < sizeof "consumer.exe" || !CreatePipe(&output, &info.hStdOutput, &inherited, 0))
        return NULL;
    SetHandleInformation(output, HANDLE_FLAG_INHERIT, 0);
    lstrcpyA(name, "producer.exe");
    snprintf(command, sizeof command, "producer.exe %lu", (unsigned long)GetCurrentProcessId());
    info.hStdInput = GetStdHandle(STD_INPUT_HANDLE);
    info.hStdError = GetStdHandle(STD_ERROR_HANDLE);
    if (!CreateProcessA(path, command, NULL, NULL, TRUE, 0, NULL, NULL, &info, &process))
        return NULL;
    CloseHandle(info.hStdOutput);
    CloseHandle(process.hProcess);
    CloseHandle(process.hThread);
    return output;
}

static HRESULT open_textures(const struct example *e, struct consumer *c,
                             const struct sharing_handles *handles)
{
    ID3D11Device5 *device = NULL;
    HRESULT result = ID3D11Device_QueryInterface(e->device, &IID_ID3D11Device5, (void **)&device);
    if (SUCCEEDED(result))
        result = ID3D11Device5_OpenSharedResourceByName(
            device, SHARING_TEXTURE_NAME, DXGI_SHARED_RESOURCE_READ, &IID_ID3D11Texture2D, (void **)&c->left);
    if (SUCCEEDED(result))
        result = ID3D11Device5_OpenSharedResource(device, (HANDLE)(UINT_PTR)handles->number,
                                                  &IID_ID3D11Texture2D, (void **)&c->right);
    if (SUCCEEDED(result))
        result = ID3D11Device5_OpenSharedFence(device, (HANDLE)(UINT_PTR)handles->fence, &IID_ID3D11Fence,
                                               (void **)&c->fence);
    if (SUCCEEDED(result))
        result = ID3D11Texture2D_QueryInterface(c->left, &IID_IDXGIKeyedMutex, (void **)&c->turn);
    if (SUCCEEDED(result))
        result =
            ID3D11DeviceContext_QueryInterface(e->context, &IID_ID3D11DeviceContext4, (void **)&c->context);
    example_release(device);
    return result;
}

static HRESULT connect_to_producer(const struct example *e, struct consumer *c)
{
    struct sharing_handles handles;
    DWORD got = 0;
    const HANDLE output = start_producer();
    const BOOL heard =
        output && ReadFile(output, &handles, sizeof handles, &got, NULL) && got == sizeof handles;
    if (output)
        CloseHandle(output);
    return heard ? open_textures(e, c, &handles) : E_FAIL;
}

HRESULT example_draw(const struct example *e)
{
    static struct consumer c; /* as long as the program */
    HRESULT result = c.context ? S_OK : connect_to_producer(e, &c);
    if (SUCCEEDED(result) && IDXGIKeyedMutex_AcquireSync(c.turn, SHARING_CONSUMER, SHARING_WAIT_MS) != S_OK)
        result = E_FAIL;
    if (FAILED(result))
        return result;
    ID3D11DeviceContext4_CopySubresourceRegion(c.context, (ID3D11Resource *)e->buffer, 0, 0, 0, 0,
                                               (ID3D11Resource *)c.left, 0, NULL);
    result = ID3D11DeviceContext4_Wait(c.context, c.fence, ++c.frame);
    ID3D11DeviceContext4_CopySubresourceRegion(c.context, (ID3D11Resource *)e->buffer, 0, EXAMPLE_SIDE / 2, 0,
                                               0, (ID3D11Resource *)c.right, 0, NULL);
    if (SUCCEEDED(result))
        result = IDXGIKeyedMutex_ReleaseSync(c.turn, SHARING_PRODUCER);
    return result;
}
