/* SPDX-License-Identifier: MIT
 *
 * Instances and adapters: which of them is which driver.
 */
#ifndef AG_GPU_ADAPTER_H
#define AG_GPU_ADAPTER_H

#include "gpu/feature.h"

/* What is known of an adapter or device, with room for its strings. */
struct ag_adapter_record {
    char name[256];
    char backend[32];
    enum agpu_driver driver;
    const char *features[AG_GPU_FEATURE_COUNT];
    uint32_t feature_count;
    struct agpu_adapter_limit limits[AG_GPU_LIMIT_COUNT];
};

/* An instance with timed waits and Dawn's unsafe interfaces allowed; null when the library refuses. */
WGPUInstance ag_instance_create(void);

/* The adapter of a driver; AGPU_DRIVER_DEFAULT is the first one that computes something. AGPU_MISSING with
 * gpu.no-adapter, which names the adapters that are there. The caller releases it. */
enum agpu_status ag_adapter_request(WGPUInstance instance, enum agpu_driver driver,
                                    const struct agpu_diag_sink *sink, WGPUAdapter *adapter);

/* Fills in name, backend and driver; true when WebGPU told them. */
bool ag_device_describe(WGPUDevice device, struct ag_adapter_record *record);
void ag_adapter_record_public(const struct ag_adapter_record *record, struct agpu_adapter_info *info);

#endif
