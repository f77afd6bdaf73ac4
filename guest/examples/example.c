/* SPDX-License-Identifier: MIT
 *
 * A program with a window around one example. It ends when its window is closed, or after so many frames as
 * its argument says.
 *
 *     aerogpu run --frames 3 -o pictures compute.exe
 */
#define INITGUID
#include "example.h"

#include <d3d10.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

static LRESULT CALLBACK on_message(HWND window, UINT message, WPARAM w, LPARAM l)
{
    if (message == WM_DESTROY)
        PostQuitMessage(0);
    return DefWindowProcW(window, message, w, l);
}

static HWND open_window(void)
{
    const WNDCLASSW class = {
        .lpfnWndProc = on_message, .hInstance = GetModuleHandleW(NULL), .lpszClassName = L"example"};
    RegisterClassW(&class);
    return CreateWindowW(L"example", L"Example", WS_OVERLAPPEDWINDOW | WS_VISIBLE, CW_USEDEFAULT,
                         CW_USEDEFAULT, 320, 320, NULL, NULL, class.hInstance, NULL);
}

static HRESULT open_device(HWND window, struct example *e, IDXGISwapChain **chain)
{
    const DXGI_SWAP_CHAIN_DESC desc = {
        .BufferDesc = {.Width = EXAMPLE_SIDE, .Height = EXAMPLE_SIDE, .Format = DXGI_FORMAT_R8G8B8A8_UNORM},
        .SampleDesc = {1,                     0                                          },
        .BufferUsage = DXGI_USAGE_RENDER_TARGET_OUTPUT,
        .BufferCount = 1,
        .OutputWindow = window,
        .Windowed = TRUE,
        .SwapEffect = DXGI_SWAP_EFFECT_DISCARD,
    };
    HRESULT result =
        D3D11CreateDeviceAndSwapChain(NULL, D3D_DRIVER_TYPE_HARDWARE, NULL, 0, NULL, 0, D3D11_SDK_VERSION,
                                      &desc, chain, &e->device, NULL, &e->context);
    if (SUCCEEDED(result))
        result = IDXGISwapChain_GetBuffer(*chain, 0, &IID_ID3D11Texture2D, (void **)&e->buffer);
    if (SUCCEEDED(result))
        result =
            ID3D11Device_CreateRenderTargetView(e->device, (ID3D11Resource *)e->buffer, NULL, &e->target);
    return result;
}

static BOOL take_messages(void)
{
    MSG message;
    while (PeekMessageW(&message, NULL, 0, 0, PM_REMOVE)) {
        if (message.message == WM_QUIT)
            return FALSE;
        TranslateMessage(&message);
        DispatchMessageW(&message);
    }
    return TRUE;
}

int main(int argc, char **argv)
{
    struct example e = {0};
    IDXGISwapChain *chain = NULL;
    long frames = argc > 1 ? strtol(argv[1], NULL, 10) : LONG_MAX;
    HRESULT result = open_device(open_window(), &e, &chain);
    while (SUCCEEDED(result) && frames-- > 0 && take_messages()) {
        result = example_draw(&e);
        if (SUCCEEDED(result))
            result = IDXGISwapChain_Present(chain, 0, 0);
    }
    if (FAILED(result))
        fprintf(stderr, "%s: error 0x%08lx\n", argv[0], (unsigned long)result);
    example_release(e.target);
    example_release(e.buffer);
    example_release(chain);
    example_release(e.context);
    example_release(e.device);
    return FAILED(result);
}
