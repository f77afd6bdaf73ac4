/* SPDX-License-Identifier: MIT
 *
 * Instances and adapters, and which driver an adapter belongs to.
 */
#ifndef AG_GPU_ADAPTER_H
#define AG_GPU_ADAPTER_H

#include "gpu/feature.h"

/* What is known about an adapter or device, with space for the strings. */
struct ag_adapter_record {
    char name[256];
    char backend[32];
    enum agpu_driver driver;
    const char *features[AG_GPU_FEATURE_COUNT];
    uint32_t feature_count;
    struct agpu_adapter_limit limits[AG_GPU_LIMIT_COUNT];
};

/* Creates an instance that allows timed waits and, for devices with all that the adapter has, Dawn's unsafe
 * interfaces; null when the library refuses. */
WGPUInstance ag_instance_create(enum agpu_limits limits);

/* Finds the adapter of a driver; AGPU_DRIVER_DEFAULT is the first adapter that computes something.
 * AGPU_MISSING with gpu.no-adapter, which names the adapters that exist. The caller releases the adapter. */
enum agpu_status ag_adapter_request(WGPUInstance instance, enum agpu_driver driver,
                                    const struct agpu_diag_sink *sink, WGPUAdapter *adapter);

/* Fills in name, backend and driver; true when WebGPU provided them. */
bool ag_device_describe(WGPUDevice device, struct ag_adapter_record *record);
void ag_adapter_record_public(const struct ag_adapter_record *record, struct agpu_adapter_info *info);

#endif
