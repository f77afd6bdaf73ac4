/* SPDX-License-Identifier: MIT
 *
 * A window with a triangle, as any program of Direct3D 11 draws it. It ends when its window is closed, or
 * after so many frames as its argument says.
 *
 *     aerogpu run --frames 3 -o pictures triangle.exe
 */
#define COBJMACROS
#define CINTERFACE
#define INITGUID
#include <windows.h>

#include <d3d11.h>
#include <stdio.h>
#include <stdlib.h>

#include "triangle_shaders.h"

struct program {
    HWND window;
    IDXGISwapChain *chain;
    ID3D11Device *device;
    ID3D11DeviceContext *context;
    ID3D11RenderTargetView *target;
    ID3D11InputLayout *layout;
    ID3D11VertexShader *vs;
    ID3D11PixelShader *ps;
    ID3D11Buffer *vertices;
};

static LRESULT CALLBACK on_message(HWND window, UINT message, WPARAM w, LPARAM l)
{
    if (message == WM_DESTROY)
        PostQuitMessage(0);
    return DefWindowProcW(window, message, w, l);
}

static HRESULT open_window(struct program *p)
{
    const WNDCLASSW class = {
        .lpfnWndProc = on_message, .hInstance = GetModuleHandleW(NULL), .lpszClassName = L"triangle"};
    RegisterClassW(&class);
    p->window = CreateWindowW(L"triangle", L"Triangle", WS_OVERLAPPEDWINDOW | WS_VISIBLE, CW_USEDEFAULT,
                              CW_USEDEFAULT, 480, 360, NULL, NULL, class.hInstance, NULL);
    return p->window ? S_OK : E_FAIL;
}

static HRESULT open_device(struct program *p)
{
    const DXGI_SWAP_CHAIN_DESC desc = {
        .BufferDesc = {.Width = 320, .Height = 240, .Format = DXGI_FORMAT_R8G8B8A8_UNORM},
        .SampleDesc = {1,            0                        },
        .BufferUsage = DXGI_USAGE_RENDER_TARGET_OUTPUT,
        .BufferCount = 1,
        .OutputWindow = p->window,
        .Windowed = TRUE,
        .SwapEffect = DXGI_SWAP_EFFECT_DISCARD,
    };
    ID3D11Texture2D *buffer;
    HRESULT result =
        D3D11CreateDeviceAndSwapChain(NULL, D3D_DRIVER_TYPE_HARDWARE, NULL, 0, NULL, 0, D3D11_SDK_VERSION,
                                      &desc, &p->chain, &p->device, NULL, &p->context);
    if (FAILED(result))
        return result;
    result = IDXGISwapChain_GetBuffer(p->chain, 0, &IID_ID3D11Texture2D, (void **)&buffer);
    if (FAILED(result))
        return result;
    result = ID3D11Device_CreateRenderTargetView(p->device, (ID3D11Resource *)buffer, NULL, &p->target);
    ID3D11Texture2D_Release(buffer);
    return result;
}

static HRESULT make_objects(struct program *p)
{
    static const struct {
        float x, y;
        float colour[4];
    } corners[3] = {
        {0.0f,  0.8f,  {1, 0, 0, 1}},
        {0.8f,  -0.8f, {0, 1, 0, 1}},
        {-0.8f, -0.8f, {0, 0, 1, 1}},
    };
    static const D3D11_INPUT_ELEMENT_DESC elements[] = {
        {"POSITION", 0, DXGI_FORMAT_R32G32_FLOAT,       0, 0, D3D11_INPUT_PER_VERTEX_DATA, 0},
        {"COLOR",    0, DXGI_FORMAT_R32G32B32A32_FLOAT, 0, 8, D3D11_INPUT_PER_VERTEX_DATA, 0},
    };
    const D3D11_BUFFER_DESC desc = {
        .ByteWidth = sizeof corners, .Usage = D3D11_USAGE_IMMUTABLE, .BindFlags = D3D11_BIND_VERTEX_BUFFER};
    const D3D11_SUBRESOURCE_DATA data = {.pSysMem = corners};
    HRESULT result = ID3D11Device_CreateBuffer(p->device, &desc, &data, &p->vertices);
    if (SUCCEEDED(result))
        result = ID3D11Device_CreateVertexShader(p->device, triangle_vs, sizeof triangle_vs, NULL, &p->vs);
    if (SUCCEEDED(result))
        result = ID3D11Device_CreatePixelShader(p->device, triangle_ps, sizeof triangle_ps, NULL, &p->ps);
    if (SUCCEEDED(result))
        result = ID3D11Device_CreateInputLayout(p->device, elements, 2, triangle_vs, sizeof triangle_vs,
                                                &p->layout);
    return result;
}

static HRESULT draw(const struct program *p)
{
    static const FLOAT grey[4] = {0.2f, 0.2f, 0.2f, 1.0f};
    const D3D11_VIEWPORT viewport = {0, 0, 320, 240, 0, 1};
    const UINT stride = 24, offset = 0;
    ID3D11DeviceContext_ClearRenderTargetView(p->context, p->target, grey);
    ID3D11DeviceContext_OMSetRenderTargets(p->context, 1, (ID3D11RenderTargetView *const *)&p->target, NULL);
    ID3D11DeviceContext_RSSetViewports(p->context, 1, &viewport);
    ID3D11DeviceContext_IASetInputLayout(p->context, p->layout);
    ID3D11DeviceContext_IASetPrimitiveTopology(p->context, D3D11_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
    ID3D11DeviceContext_IASetVertexBuffers(p->context, 0, 1, (ID3D11Buffer *const *)&p->vertices, &stride,
                                           &offset);
    ID3D11DeviceContext_VSSetShader(p->context, p->vs, NULL, 0);
    ID3D11DeviceContext_PSSetShader(p->context, p->ps, NULL, 0);
    ID3D11DeviceContext_Draw(p->context, 3, 0);
    return IDXGISwapChain_Present(p->chain, 0, 0);
}

static void end(struct program *p)
{
    IUnknown *objects[] = {(IUnknown *)p->vertices, (IUnknown *)p->ps,     (IUnknown *)p->vs,
                           (IUnknown *)p->layout,   (IUnknown *)p->target, (IUnknown *)p->chain,
                           (IUnknown *)p->context,  (IUnknown *)p->device};
    for (size_t i = 0; i < sizeof objects / sizeof objects[0]; i++)
        if (objects[i])
            IUnknown_Release(objects[i]);
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
    struct program p = {0};
    long frames = argc > 1 ? strtol(argv[1], NULL, 10) : LONG_MAX;
    HRESULT result = open_window(&p);
    if (SUCCEEDED(result))
        result = open_device(&p);
    if (SUCCEEDED(result))
        result = make_objects(&p);
    while (SUCCEEDED(result) && frames-- > 0 && take_messages())
        result = draw(&p);
    if (FAILED(result))
        fprintf(stderr, "triangle: error 0x%08lx\n", (unsigned long)result);
    end(&p);
    return FAILED(result);
}
