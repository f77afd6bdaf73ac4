/* SPDX-License-Identifier: MIT
 *
 * Requests: what the WebGPU library was asked for and answers later, through a callback. A device that hangs
 * does not answer. When such a device is abandoned, its requests are given up, and what the library says of
 * them later, on whatever thread, is ignored.
 *
 * Callbacks get a struct ag_device_link, never the gpu, and outlive the gpu with it.
 */
#ifndef AG_GPU_REQUEST_H
#define AG_GPU_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

struct agpu_gpu;

struct ag_blob_cache;
struct ag_gpu_request;

/* What the callbacks of one WebGPU device know. */
struct ag_device_link {
    struct agpu_gpu *gpu;            /* null when the device is abandoned */
    struct ag_gpu_request *requests; /* a list of those that wait for an answer */
    struct ag_blob_cache *blobs;     /* or null; owned */
    uint32_t references;             /* of the owner, and of each callback to come */
};

/* The caller owns the link's first reference. Null when memory is exhausted (not reported). */
struct ag_device_link *ag_device_link_create(struct agpu_gpu *gpu);
void ag_device_link_take(struct ag_device_link *link);
/* Accepts null. */
void ag_device_link_release(struct ag_device_link *link);

/* Gives up all requests and forgets the gpu. */
void ag_device_link_cut(struct ag_device_link *link);

/* A request that is about to be made. `give_up` is called with `user` if the device is abandoned before the
 * library has answered. Null when memory is exhausted or the device is abandoned already (not reported). */
struct ag_gpu_request *ag_gpu_request_begin(struct ag_device_link *link, void (*give_up)(void *user),
                                            void *user);

/* The library has answered: frees the request. Returns its `user`, or null when it was given up. */
void *ag_gpu_request_end(struct ag_gpu_request *request);

/* Abandoned devices that one gpu may have at a time. */
#define AG_MOST_ABANDONED 4

/* Counts the abandoned devices of one gpu that are still there, and outlives the gpu with them. */
struct ag_abandonments;

/* Null when memory is exhausted (not reported). */
struct ag_abandonments *ag_abandonments_create(void);
void ag_abandonments_take(struct ag_abandonments *abandonments);
/* The gpu or a device is gone; from any thread. Accepts null. */
void ag_abandonments_release(struct ag_abandonments *abandonments);
uint32_t ag_abandonments_count(const struct ag_abandonments *abandonments);

#endif
