/* SPDX-License-Identifier: MIT
 *
 * What calls of Direct3D 11 cost a Windows program, and how long a frame takes until its GPU work is done:
 * for our DLLs and for any other Direct3D 11, Wine's own for one.
 *
 *     calls.exe [FRAMES]
 */
#define INITGUID
#include "guest/examples/example.h"

#include <stdio.h>
#include <stdlib.h>

#include "calls_shaders.h"

#define DRAWS 5000
#define CALLS_A_DRAW 7

struct program {
    IDXGISwapChain *chain;
    ID3D11Device *device;
    ID3D11DeviceContext *context;
    ID3D11RenderTargetView *target;
    ID3D11VertexShader *vs;
    ID3D11PixelShader *ps[2];
    ID3D11Buffer *constants, *vertices, *indices;
    ID3D11BlendState *blend;
    ID3D11Query *done;
};

static double now(void)
{
    LARGE_INTEGER count, rate;
    QueryPerformanceCounter(&count);
    QueryPerformanceFrequency(&rate);
    return (double)count.QuadPart / (double)rate.QuadPart;
}

/* Processor time of this thread, which does not grow while others have the processor. It comes in steps of 10
 * ms or more. */
static double processor_time(void)
{
    FILETIME times[4];
    ULARGE_INTEGER kernel, user;
    if (!GetThreadTimes(GetCurrentThread(), &times[0], &times[1], &times[2], &times[3]))
        return 0;
    kernel.LowPart = times[2].dwLowDateTime;
    kernel.HighPart = times[2].dwHighDateTime;
    user.LowPart = times[3].dwLowDateTime;
    user.HighPart = times[3].dwHighDateTime;
    return (double)(kernel.QuadPart + user.QuadPart) * 1e-7;
}

static HRESULT open_device(struct program *p)
{
    const WNDCLASSW class = {
        .lpfnWndProc = DefWindowProcW, .hInstance = GetModuleHandleW(NULL), .lpszClassName = L"calls"};
    DXGI_SWAP_CHAIN_DESC desc = {
        .BufferDesc = {.Width = 320, .Height = 240, .Format = DXGI_FORMAT_R8G8B8A8_UNORM},
        .SampleDesc = {1,            0                        },
        .BufferUsage = DXGI_USAGE_RENDER_TARGET_OUTPUT,
        .BufferCount = 1,
        .Windowed = TRUE,
    };
    ID3D11Texture2D *buffer = NULL;
    HRESULT result;
    RegisterClassW(&class);
    desc.OutputWindow = CreateWindowW(L"calls", L"Calls", WS_OVERLAPPEDWINDOW | WS_VISIBLE, CW_USEDEFAULT,
                                      CW_USEDEFAULT, 480, 360, NULL, NULL, class.hInstance, NULL);
    result =
        D3D11CreateDeviceAndSwapChain(NULL, D3D_DRIVER_TYPE_HARDWARE, NULL, 0, NULL, 0, D3D11_SDK_VERSION,
                                      &desc, &p->chain, &p->device, NULL, &p->context);
    if (SUCCEEDED(result))
        result = IDXGISwapChain_GetBuffer(p->chain, 0, &IID_ID3D11Texture2D, (void **)&buffer);
    if (SUCCEEDED(result))
        result = ID3D11Device_CreateRenderTargetView(p->device, (ID3D11Resource *)buffer, NULL, &p->target);
    example_release(buffer);
    return result;
}

static HRESULT make_objects(struct program *p)
{
    static const UINT zeros[64];
    const struct example e = {.device = p->device};
    const D3D11_QUERY_DESC event = {D3D11_QUERY_EVENT, 0};
    D3D11_BLEND_DESC blend = {0};
    HRESULT result;
    blend.RenderTarget[0] = (D3D11_RENDER_TARGET_BLEND_DESC){TRUE,
                                                             D3D11_BLEND_ONE,
                                                             D3D11_BLEND_ONE,
                                                             D3D11_BLEND_OP_ADD,
                                                             D3D11_BLEND_ONE,
                                                             D3D11_BLEND_ONE,
                                                             D3D11_BLEND_OP_ADD,
                                                             15};
    result = ID3D11Device_CreateVertexShader(p->device, full_vs, sizeof full_vs, NULL, &p->vs);
    for (int i = 0; i < 2 && SUCCEEDED(result); i++)
        result = ID3D11Device_CreatePixelShader(p->device, constant_ps, sizeof constant_ps, NULL, &p->ps[i]);
    if (SUCCEEDED(result))
        result = example_buffer(&e, zeros, sizeof zeros, D3D11_BIND_CONSTANT_BUFFER, &p->constants);
    if (SUCCEEDED(result))
        result = example_buffer(&e, zeros, sizeof zeros, D3D11_BIND_VERTEX_BUFFER, &p->vertices);
    if (SUCCEEDED(result))
        result = example_buffer(&e, zeros, sizeof zeros, D3D11_BIND_INDEX_BUFFER, &p->indices);
    if (SUCCEEDED(result))
        result = ID3D11Device_CreateBlendState(p->device, &blend, &p->blend);
    if (SUCCEEDED(result))
        result = ID3D11Device_CreateQuery(p->device, &event, &p->done);
    return result;
}

/* Frames of no area, so that what is measured is not what is drawn. */
static void record(const struct program *p, UINT i)
{
    static const FLOAT factor[4] = {1, 1, 1, 1};
    const UINT stride = 16, offset = i % 8 * 16;
    ID3D11DeviceContext_PSSetShader(p->context, p->ps[i % 2], NULL, 0);
    ID3D11DeviceContext_IASetVertexBuffers(p->context, 0, 1, (ID3D11Buffer *const *)&p->vertices, &stride,
                                           &offset);
    ID3D11DeviceContext_IASetIndexBuffer(p->context, p->indices, DXGI_FORMAT_R16_UINT, i % 2 * 16);
    ID3D11DeviceContext_VSSetConstantBuffers(p->context, i % 4, 1, (ID3D11Buffer *const *)&p->constants);
    ID3D11DeviceContext_PSSetConstantBuffers(p->context, 0, 1, (ID3D11Buffer *const *)&p->constants);
    ID3D11DeviceContext_OMSetBlendState(p->context, p->blend, factor, 0xffffffff - i % 2);
    ID3D11DeviceContext_DrawIndexed(p->context, 3, 0, 0);
}

static void wait_for_gpu(const struct program *p)
{
    ID3D11DeviceContext_End(p->context, (ID3D11Asynchronous *)p->done);
    while (ID3D11DeviceContext_GetData(p->context, (ID3D11Asynchronous *)p->done, NULL, 0, 0) == S_FALSE)
        continue;
}

static void bind(const struct program *p, FLOAT width)
{
    const D3D11_VIEWPORT viewport = {0, 0, width, 240, 0, 1};
    example_bind(p->context, p->target, p->vs, p->ps[0], &viewport);
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* The median of what a call takes in each frame, and the processor time of all. */
static void measure_calls(const struct program *p, double *times, int frames)
{
    double used = 0;
    bind(p, 0);
    for (int frame = 0; frame < frames; frame++) {
        const double start = now(), used_before = processor_time();
        for (UINT i = 0; i < DRAWS; i++)
            record(p, i);
        used += processor_time() - used_before;
        times[frame] = (now() - start) / (DRAWS * CALLS_A_DRAW);
        wait_for_gpu(p);
    }
    qsort(times, (size_t)frames, sizeof *times, compare);
    printf("a call of %d draws a frame: %.3f us, at best %.3f us, %.3f us of this thread's processor time\n",
           DRAWS, times[frames / 2] * 1e6, times[0] * 1e6, used / frames / (DRAWS * CALLS_A_DRAW) * 1e6);
}

static void draw_triangle(const struct program *p)
{
    bind(p, 320);
    ID3D11DeviceContext_PSSetConstantBuffers(p->context, 0, 1, (ID3D11Buffer *const *)&p->constants);
    ID3D11DeviceContext_ClearRenderTargetView(p->context, p->target, example_black);
    ID3D11DeviceContext_Draw(p->context, 3, 0);
}

/* From the first call of a frame until the program sees that the GPU has done it; and frames that nobody
 * waits for. */
static void measure_frames(const struct program *p, double *times, int frames)
{
    double start;
    for (int frame = 0; frame < frames; frame++) {
        start = now();
        draw_triangle(p);
        IDXGISwapChain_Present(p->chain, 0, 0);
        wait_for_gpu(p);
        times[frame] = now() - start;
    }
    qsort(times, (size_t)frames, sizeof *times, compare);
    start = now();
    for (int frame = 0; frame < frames; frame++) {
        draw_triangle(p);
        IDXGISwapChain_Present(p->chain, 0, 0);
    }
    wait_for_gpu(p);
    printf("a frame of one triangle: %.2f ms until it is done, at best %.2f ms; %.0f frames a second\n",
           times[frames / 2] * 1e3, times[0] * 1e3, frames / (now() - start));
}

int main(int argc, char **argv)
{
    const int frames = argc > 1 ? atoi(argv[1]) : 100;
    double *times = calloc(frames > 0 ? (size_t)frames : 1, sizeof *times);
    struct program p = {0};
    HRESULT result = times && frames > 0 ? open_device(&p) : E_INVALIDARG;
    if (SUCCEEDED(result))
        result = make_objects(&p);
    if (SUCCEEDED(result)) {
        measure_calls(&p, times, frames);
        measure_frames(&p, times, frames);
    } else {
        fprintf(stderr, "calls: error 0x%08lx\n", (unsigned long)result);
    }
    IUnknown *objects[] = {(IUnknown *)p.done,     (IUnknown *)p.blend,     (IUnknown *)p.indices,
                           (IUnknown *)p.vertices, (IUnknown *)p.constants, (IUnknown *)p.ps[1],
                           (IUnknown *)p.ps[0],    (IUnknown *)p.vs,        (IUnknown *)p.target,
                           (IUnknown *)p.chain,    (IUnknown *)p.context,   (IUnknown *)p.device};
    for (size_t i = 0; i < sizeof objects / sizeof objects[0]; i++)
        example_release(objects[i]);
    free(times);
    return FAILED(result);
}
