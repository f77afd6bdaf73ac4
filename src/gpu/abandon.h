/* SPDX-License-Identifier: MIT
 *
 * WebGPU devices that are abandoned while the GPU works for them. No API can stop that work, and destroying
 * the device waits for its end. A thread of its own does so, for as long as the GPU needs, which may be for
 * ever; the memory of device and driver is in use until then.
 */
#ifndef AG_GPU_ABANDON_H
#define AG_GPU_ABANDON_H

#include <stdbool.h>
#include <stdint.h>

#include "gpu/webgpu.h"

struct ag_device_link;

struct ag_abandonments;

/* What goes to the thread. Nobody else may use these objects afterwards, and everything else that was made of
 * the device has been released. */
struct ag_abandoned_device {
    WGPUInstance instance;
    WGPUDevice device;
    WGPUQueue queue;
    struct ag_device_link *link; /* cut */
};

/* Without memory or threads, the device stays for as long as the process. */
void ag_abandon_device(struct ag_abandonments *abandonments, const struct ag_abandoned_device *device);

#endif
