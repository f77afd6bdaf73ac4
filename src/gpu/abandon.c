/* SPDX-License-Identifier: MIT */
#include "gpu/abandon.h"

#include <stdlib.h>

#include "gpu/detached.h"
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

void ag_abandon_device(struct ag_abandonments *abandonments, const struct ag_abandoned_device *device)
{
    struct burial *const burial = malloc(sizeof *burial);
    ag_abandonments_take(abandonments);
    if (burial == NULL)
        return;
    *burial = (struct burial){abandonments, *device};
    if (!ag_detached_start(wait_for_end, burial))
        free(burial);
}
