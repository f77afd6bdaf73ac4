/* SPDX-License-Identifier: MIT
 *
 * Instances, and looking for the adapter of a driver.
 */
#ifndef AG_GPU_ADAPTER_H
#define AG_GPU_ADAPTER_H

#include "base/strbuf.h"
#include "gpu/record.h"

/* Creates an instance that allows timed waits and, for devices with all that the adapter has, Dawn's unsafe
 * interfaces; null when the library refuses. */
WGPUInstance ag_instance_create(enum agpu_limits limits);

/* A search for the adapter of a driver; AGPU_DRIVER_DEFAULT is the first adapter that computes something. */
struct ag_adapter_search {
    WGPUInstance instance;
    enum agpu_driver driver;
    size_t request; /* the number of the request: WebGPU cannot list adapters */
    bool answered;
    WGPUAdapter adapter;
    struct ag_strbuf found; /* other drivers' adapters, for the message */
    char last[256];
};

enum ag_search_result {
    AG_SEARCH_PENDING,
    AG_SEARCH_FOUND,  /* the caller releases the adapter */
    AG_SEARCH_FAILED, /* reported with gpu.no-adapter, which names the adapters that exist */
};

/* The search stays where it is until a step has a result. Steps come after WebGPU's events were processed. */
void ag_adapter_search_begin(struct ag_adapter_search *search, WGPUInstance instance,
                             enum agpu_driver driver);
enum ag_search_result ag_adapter_search_step(struct ag_adapter_search *search,
                                             const struct agpu_diag_sink *sink, WGPUAdapter *adapter);

#endif
