/* SPDX-License-Identifier: MIT
 *
 * Stands in front of Dear ImGui's example for Direct3D 11 when it is compiled (as C++): it ends after some
 * frames, has no mouse, and a clock that is the same in each run.
 */
#ifndef CLIENTS_IMGUI_CLIENT_H
#define CLIENTS_IMGUI_CLIENT_H

#include "client_frame.h"

#include <d3d11.h>

/* Reads the back buffer; the surface is R8G8B8A8_UNORM. */
static inline void client_read_back(IDXGISwapChain *chain)
{
    ID3D11Texture2D *buffer = NULL, *copy = NULL;
    ID3D11Device *device = NULL;
    ID3D11DeviceContext *context = NULL;
    D3D11_TEXTURE2D_DESC desc = {};
    D3D11_MAPPED_SUBRESOURCE map = {};
    chain->GetBuffer(0, IID_PPV_ARGS(&buffer));
    chain->GetDevice(IID_PPV_ARGS(&device));
    device->GetImmediateContext(&context);
    buffer->GetDesc(&desc);
    desc.Usage = D3D11_USAGE_STAGING;
    desc.BindFlags = desc.MiscFlags = 0;
    desc.CPUAccessFlags = D3D11_CPU_ACCESS_READ;
    HRESULT result = device->CreateTexture2D(&desc, NULL, &copy);
    if (SUCCEEDED(result)) {
        context->CopyResource(copy, buffer);
        result = context->Map(copy, 0, D3D11_MAP_READ, 0, &map);
    }
    if (FAILED(result)) {
        printf("fail " CLIENT_CASE ": the back buffer cannot be read, %lx\n", result);
    } else {
        client_write_picture(CLIENT_CASE, (const unsigned char *)map.pData, (int)desc.Width, (int)desc.Height,
                             map.RowPitch);
        context->Unmap(copy, 0);
    }
    if (copy)
        copy->Release();
    context->Release();
    device->Release();
    buffer->Release();
}

/* Comes before each present. */
static inline UINT client_before_present(IDXGISwapChain *chain, UINT interval)
{
    static int frames;
    if (frames == 0)
        atexit(client_say_done);
    if (++frames == CLIENT_FRAMES)
        client_read_back(chain);
    if (frames >= CLIENT_FRAMES)
        PostQuitMessage(0);
    return interval;
}

/* A sixtieth of a second has gone by whenever somebody looks. */
static inline BOOL client_counter(LARGE_INTEGER *counter)
{
    static LONGLONG steps;
    LARGE_INTEGER frequency;
    QueryPerformanceFrequency(&frequency);
    counter->QuadPart = ++steps * frequency.QuadPart / 60;
    return TRUE;
}

/* The cursor is nowhere. */
static inline BOOL client_no_place(HWND window, POINT *point)
{
    (void)window;
    (void)point;
    return FALSE;
}

/* A window that fits onto any screen. */
#undef CreateWindow
#define CreateWindow(name, title, style, x, y, width, height, ...)                                           \
    CreateWindowA(name, title, style, 0, 0, 800, 600, __VA_ARGS__)
#define Present(interval, flags) Present(client_before_present(g_pSwapChain, interval), flags)
#define QueryPerformanceCounter client_counter
#define ScreenToClient client_no_place

#endif
