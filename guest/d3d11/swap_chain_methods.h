/* SPDX-License-Identifier: MIT
 *
 * A swap chain as its files by subject know it: swap_chain.c has the buffers and the table of methods.
 */
#ifndef RT_D3D11_SWAP_CHAIN_METHODS_H
#define RT_D3D11_SWAP_CHAIN_METHODS_H

#include "guest/d3d11/dxgi_objects.h"
#include "guest/d3d11/gpu.h"
#include "guest/d3d11/hazard.h"

#define RT_MOST_BUFFERS DXGI_MAX_SWAP_CHAIN_BUFFERS

struct rt_swap_chain {
    struct rt_object object;
    struct rt_factory *factory; /* public references */
    HWND window;
    UINT number; /* what the host calls it */
    DXGI_SWAP_CHAIN_DESC1 desc;
    DXGI_SWAP_CHAIN_FULLSCREEN_DESC fullscreen;
    IDXGIOutput *filled;           /* the output of a fullscreen chain, a public reference; NULL: windowed */
    struct rt_window_place before; /* of the window, as long as it fills the output */
    bool has_display_mode;         /* one of its own, as long as it fills the output */
    struct rt_swap_chain *next;    /* of those with windows, under the lock of the process */
    uintptr_t thread;              /* of the window */
    void *keys;                    /* whoever watches the keys of the thread; NULL: nobody */
    struct rt_resource *buffers[RT_MOST_BUFFERS]; /* private references */
    UINT buffer_count;
    struct rt_resource *spare; /* what buffers are exchanged through; null: they were not yet */
    UINT present_count;
    uint64_t shown[RT_MOST_FRAME_LATENCY]; /* submissions of the newest presents, by their number */
    int64_t last_present_ticks;
    UINT latency; /* of the waitable object; 0: the device's counts */
    HANDLE waitable;
    DXGI_RGBA background;
    UINT source_width, source_height;
};

static inline struct rt_swap_chain *rt_swap_chain_of(IDXGISwapChain4 *self)
{
    return (struct rt_swap_chain *)RT_OBJECT(self);
}

static inline bool rt_swap_chain_is_flipped(const DXGI_SWAP_CHAIN_DESC1 *desc)
{
    return desc->SwapEffect == DXGI_SWAP_EFFECT_FLIP_SEQUENTIAL ||
           desc->SwapEffect == DXGI_SWAP_EFFECT_FLIP_DISCARD;
}

static inline bool rt_swap_chain_has_waitable(const struct rt_swap_chain *chain)
{
    return (chain->desc.Flags & DXGI_SWAP_CHAIN_FLAG_FRAME_LATENCY_WAITABLE_OBJECT) != 0;
}

/* A texture that is like the buffers, for a private reference. */
HRESULT rt_swap_chain_make_buffer(struct rt_swap_chain *chain, DXGI_USAGE dxgi_usage,
                                  struct rt_resource **out);

/* swap_chain_present.c */
HRESULT STDMETHODCALLTYPE rt_swap_chain_present1(IDXGISwapChain4 *self, UINT sync_interval, UINT flags,
                                                 const DXGI_PRESENT_PARAMETERS *parameters);
HRESULT STDMETHODCALLTYPE rt_swap_chain_present0(IDXGISwapChain4 *self, UINT sync_interval, UINT flags);
HRESULT STDMETHODCALLTYPE rt_swap_chain_get_statistics(IDXGISwapChain4 *self,
                                                       DXGI_FRAME_STATISTICS *statistics);
HRESULT STDMETHODCALLTYPE rt_swap_chain_get_present_count(IDXGISwapChain4 *self, UINT *count);
HRESULT STDMETHODCALLTYPE rt_swap_chain_set_latency(IDXGISwapChain4 *self, UINT latency);
HRESULT STDMETHODCALLTYPE rt_swap_chain_get_latency(IDXGISwapChain4 *self, UINT *latency);
HANDLE STDMETHODCALLTYPE rt_swap_chain_get_waitable(IDXGISwapChain4 *self);

/* swap_chain_window.c */
/* Lets Alt+Enter fill the output and leave it. */
void rt_swap_chain_watch_keys(struct rt_swap_chain *chain);
void rt_swap_chain_unwatch_keys(struct rt_swap_chain *chain);
/* Fills an output, NULL: the one there is. DXGI_ERROR_NOT_CURRENTLY_AVAILABLE: there is no window for that.
 */
HRESULT rt_swap_chain_fill_output(struct rt_swap_chain *chain, IDXGIOutput *output);
/* Puts the window back, if it fills an output. */
void rt_swap_chain_leave_output(struct rt_swap_chain *chain);
HRESULT STDMETHODCALLTYPE rt_swap_chain_resize_target(IDXGISwapChain4 *self, const DXGI_MODE_DESC *mode);
HRESULT STDMETHODCALLTYPE rt_swap_chain_get_window(IDXGISwapChain4 *self, HWND *window);
HRESULT STDMETHODCALLTYPE rt_swap_chain_get_core_window(IDXGISwapChain4 *self, REFIID iid, void **out);
HRESULT STDMETHODCALLTYPE rt_swap_chain_get_containing_output(IDXGISwapChain4 *self, IDXGIOutput **out);
HRESULT STDMETHODCALLTYPE rt_swap_chain_set_fullscreen(IDXGISwapChain4 *self, BOOL fullscreen,
                                                       IDXGIOutput *output);
HRESULT STDMETHODCALLTYPE rt_swap_chain_get_fullscreen(IDXGISwapChain4 *self, BOOL *fullscreen,
                                                       IDXGIOutput **output);
HRESULT STDMETHODCALLTYPE rt_swap_chain_get_restriction(IDXGISwapChain4 *self, IDXGIOutput **out);
BOOL STDMETHODCALLTYPE rt_swap_chain_is_mono_supported(IDXGISwapChain4 *self);
HRESULT STDMETHODCALLTYPE rt_swap_chain_set_background(IDXGISwapChain4 *self, const DXGI_RGBA *colour);
HRESULT STDMETHODCALLTYPE rt_swap_chain_get_background(IDXGISwapChain4 *self, DXGI_RGBA *colour);
HRESULT STDMETHODCALLTYPE rt_swap_chain_set_rotation(IDXGISwapChain4 *self, DXGI_MODE_ROTATION rotation);
HRESULT STDMETHODCALLTYPE rt_swap_chain_get_rotation(IDXGISwapChain4 *self, DXGI_MODE_ROTATION *rotation);
HRESULT STDMETHODCALLTYPE rt_swap_chain_set_transform(IDXGISwapChain4 *self, const DXGI_MATRIX_3X2_F *matrix);
HRESULT STDMETHODCALLTYPE rt_swap_chain_get_transform(IDXGISwapChain4 *self, DXGI_MATRIX_3X2_F *matrix);
UINT STDMETHODCALLTYPE rt_swap_chain_get_buffer_index(IDXGISwapChain4 *self);
HRESULT STDMETHODCALLTYPE rt_swap_chain_check_colour_space(IDXGISwapChain4 *self, DXGI_COLOR_SPACE_TYPE space,
                                                           UINT *support);
HRESULT STDMETHODCALLTYPE rt_swap_chain_set_colour_space(IDXGISwapChain4 *self, DXGI_COLOR_SPACE_TYPE space);
HRESULT STDMETHODCALLTYPE rt_swap_chain_set_hdr(IDXGISwapChain4 *self, DXGI_HDR_METADATA_TYPE type, UINT size,
                                                void *metadata);

#endif
