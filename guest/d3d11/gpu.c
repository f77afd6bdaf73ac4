/* SPDX-License-Identifier: MIT */
#include "guest/d3d11/gpu.h"

#include "guest/d3d11/platform.h"

#include <stdatomic.h>

/* A process has one device, whoever asks for it: DXGI's functions have no object that could own it. */
static struct {
    unsigned users;
    struct guest_bus bus;
    struct umd_adapter *adapter;
    _Atomic int64_t bytes;
} gpu;

struct umd_adapter *rt_gpu_open(void)
{
    struct umd_adapter *adapter;
    rt_process_lock();
    if (!gpu.adapter && rt_gpu_connect(&gpu.bus)) {
        if (umd_open_adapter(&gpu.bus, &gpu.adapter) != UMD_OK) {
            gpu.adapter = NULL;
            rt_gpu_disconnect(&gpu.bus);
        }
    }
    adapter = gpu.adapter;
    if (adapter)
        gpu.users++;
    rt_process_unlock();
    return adapter;
}

void rt_gpu_close(void)
{
    rt_process_lock();
    if (--gpu.users == 0) {
        umd_close_adapter(gpu.adapter);
        gpu.adapter = NULL;
        rt_gpu_disconnect(&gpu.bus);
    }
    rt_process_unlock();
}

void rt_gpu_count_bytes(int64_t more)
{
    atomic_fetch_add(&gpu.bytes, more);
}

uint64_t rt_gpu_resource_bytes(void)
{
    return (uint64_t)atomic_load(&gpu.bytes);
}
