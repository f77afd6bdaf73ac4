/* SPDX-License-Identifier: MIT
 *
 * The device: ID3D11Device to ID3D11Device5, IDXGIDevice to IDXGIDevice3, ID3D11Multithread, ID3D11InfoQueue
 * and ID3D11Debug are faces of it.
 */
#ifndef RT_D3D11_DEVICE_H
#define RT_D3D11_DEVICE_H

#include "guest/d3d11/dxgi_objects.h"
#include "guest/d3d11/info_queue.h"
#include "guest/d3d11/object.h"
#include "guest/d3d11/platform.h"
#include "guest/d3d11/state_cache.h"
#include "guest/umd/umd.h"

struct rt_context;
struct rt_timeline;

/* Frames in flight, by IDXGIDevice1::SetMaximumFrameLatency(). */
#define RT_DEFAULT_FRAME_LATENCY 3u
#define RT_MOST_FRAME_LATENCY 16u

/* A fence of other processes, too, that what is submitted next waits for. */
#define RT_MOST_FENCE_WAITS 8
struct rt_fence_wait {
    struct rt_timeline *timeline;
    UINT64 value;
};

struct rt_device {
    struct rt_object object;
    struct rt_adapter *adapter; /* a public reference */
    struct umd_device *umd;
    struct rt_context *immediate; /* a private reference */
    D3D_FEATURE_LEVEL level;
    UINT flags;
    UINT exception_mode;
    UINT frame_latency;
    INT thread_priority;
    _Atomic bool is_protected;     /* ID3D11Multithread: calls of the immediate context exclude each other */
    struct rt_mutex context_mutex; /* what they hold then, and Enter() */
    _Atomic uintptr_t mutex_owner; /* the thread that has the mutex, or 0 */
    unsigned mutex_depth;          /* how often, under the mutex */
    _Atomic bool is_d3d10;         /* whether it has Direct3D 10's interfaces */
    UINT text_filter_width, text_filter_height;            /* ID3D10Device::SetTextFilterSize() */
    struct rt_fence_wait fence_waits[RT_MOST_FENCE_WAITS]; /* the immediate context's */
    UINT fence_wait_count;
    struct rt_state_cache states;
    struct rt_info_queue messages; /* a queue only with D3D11_CREATE_DEVICE_DEBUG */
};

static inline struct rt_device *rt_device_of(void *interface_pointer)
{
    return (struct rt_device *)RT_OBJECT(interface_pointer);
}

/* The device behind an IUnknown that a program hands to DXGI; NULL if it is no device of this runtime.
 * Without a reference. */
struct rt_device *rt_device_from_unknown(IUnknown *unknown);

/* What a status of the user-mode driver is for the program. */
HRESULT rt_result(enum umd_status status);
HRESULT rt_device_removed_reason(struct rt_device *device, bool wait);

/* D3D11CreateDevice() after its parameters are checked: one public reference. */
HRESULT rt_device_create(struct rt_adapter *adapter, D3D_FEATURE_LEVEL level, UINT flags,
                         struct rt_device **out);

/* The adapter that a program names, or the first: one public reference. */
HRESULT rt_device_open_adapter(IDXGIAdapter *given, bool is_first_version, struct rt_adapter **out);
HRESULT rt_device_create_swap_chain(struct rt_device *device, const DXGI_SWAP_CHAIN_DESC *desc,
                                    IDXGISwapChain **out);

/* Takes the mutex of the immediate context if threads exclude each other, or if this thread has the mutex
 * already; gives back what this thread has. Whether there is protection may change in between. */
void rt_device_lock(struct rt_device *device);
void rt_device_unlock(struct rt_device *device);

/* Methods in files of their own. */
extern const IDXGIDevice3Vtbl rt_dxgi_device_methods;
extern const ID3D11InfoQueueVtbl rt_info_queue_methods;
extern const ID3D11DebugVtbl rt_debug_methods;
extern const ID3D11MultithreadVtbl rt_multithread_methods;

/* Bits of D3D11_FORMAT_SUPPORT; 0 of a number that is no format. */
UINT rt_device_format_support(const struct rt_device *device, UINT format);

HRESULT STDMETHODCALLTYPE rt_device_check_format_support(ID3D11Device5 *self, DXGI_FORMAT format,
                                                         UINT *support);
HRESULT STDMETHODCALLTYPE rt_device_check_sample_levels(ID3D11Device5 *self, DXGI_FORMAT format, UINT count,
                                                        UINT *levels);
HRESULT STDMETHODCALLTYPE rt_device_check_sample_levels1(ID3D11Device5 *self, DXGI_FORMAT format, UINT count,
                                                         UINT flags, UINT *levels);
HRESULT STDMETHODCALLTYPE rt_device_check_feature(ID3D11Device5 *self, D3D11_FEATURE feature, void *data,
                                                  UINT size);

#endif
