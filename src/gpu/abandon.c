/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* dladdr */
#include "gpu/abandon.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

#include "gpu/request.h"

struct burial {
    struct ag_abandonments *abandonments;
    struct ag_abandoned_device device;
};

static void *wait_for_end(void *user)
{
    struct burial *const burial = user;
    const struct ag_abandoned_device *const device = &burial->device;
    wgpuDeviceDestroy(device->device);
    wgpuQueueRelease(device->queue);
    wgpuDeviceRelease(device->device);
    wgpuInstanceRelease(device->instance);
    ag_device_link_release(device->link);
    ag_abandonments_release(burial->abandonments);
    free(burial);
    return NULL;
}

/* The thread runs code of this library, which the program may unload meanwhile. */
static void keep_code_loaded(void)
{
    Dl_info info;
    if (dladdr((void *)(uintptr_t)wait_for_end, &info) != 0 && info.dli_fname != NULL)
        dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
}

void ag_abandon_device(struct ag_abandonments *abandonments, const struct ag_abandoned_device *device)
{
    struct burial *const burial = malloc(sizeof *burial);
    pthread_attr_t attributes;
    pthread_t thread;
    ag_abandonments_take(abandonments);
    if (burial == NULL || pthread_attr_init(&attributes) != 0) {
        free(burial);
        return;
    }
    *burial = (struct burial){abandonments, *device};
    keep_code_loaded();
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    if (pthread_create(&thread, &attributes, wait_for_end, burial) != 0)
        free(burial);
    pthread_attr_destroy(&attributes);
}
