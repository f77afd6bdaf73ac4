/* SPDX-License-Identifier: MIT
 *
 * Looking at what a device shows, whether or not it shows anything.
 */
#ifndef AG_TESTS_PICTURES_H
#define AG_TESTS_PICTURES_H

#include "aerogpu/device.h"

static inline void read_pictures(struct agpu_device *device)
{
    uint32_t width, height;
    struct agpu_cursor cursor;
    uint8_t *pixels = NULL;
    if (agpu_device_read_scanout(device, &width, &height, &pixels) == AGPU_OK)
        agpu_free(pixels);
    if (agpu_device_read_cursor(device, &cursor, &pixels) == AGPU_OK)
        agpu_free(pixels);
}

#endif
