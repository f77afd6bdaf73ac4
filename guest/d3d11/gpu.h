/* SPDX-License-Identifier: MIT
 *
 * The user-mode driver's adapter of this process: opened for the first that needs it, closed after the last.
 */
#ifndef RT_D3D11_GPU_H
#define RT_D3D11_GPU_H

#include "guest/umd/umd.h"

#include <stdbool.h>

/* NULL if there is no device. */
struct umd_adapter *rt_gpu_open(void);
void rt_gpu_close(void);

/* Bytes that the program's resources have, for IDXGIAdapter3::QueryVideoMemoryInfo(). */
void rt_gpu_count_bytes(int64_t more);
uint64_t rt_gpu_resource_bytes(void);

/* The bus to the device, which whoever links the runtime provides: the DLL that over shared memory, a native
 * program that of its process. Both are called once for each time that the adapter is opened. */
bool rt_gpu_connect(struct guest_bus *bus);
void rt_gpu_disconnect(struct guest_bus *bus);
/* Whether the program draws pictures into its windows itself. */
bool rt_gpu_shows_windows(void);

#endif
