/* SPDX-License-Identifier: MIT
 *
 * What is known about an adapter or a device, and which driver it belongs to.
 */
#ifndef AG_GPU_RECORD_H
#define AG_GPU_RECORD_H

#include "gpu/feature.h"

/* Name, features and limits, with space for the strings. */
struct ag_adapter_record {
    char name[256];
    char backend[32];
    enum agpu_driver driver;
    const char *features[AG_GPU_FEATURE_COUNT];
    uint32_t feature_count;
    struct agpu_adapter_limit limits[AG_GPU_LIMIT_COUNT];
};

/* Fill in the record; true when WebGPU provided all of it. */
bool ag_adapter_describe(WGPUAdapter adapter, struct ag_adapter_record *record);
bool ag_device_describe(WGPUDevice device, struct ag_adapter_record *record);
void ag_adapter_record_public(const struct ag_adapter_record *record, struct agpu_adapter_info *info);

#endif
