/* SPDX-License-Identifier: MIT
 *
 * Pictures in guest memory, as the scanout and cursor registers describe them, to and from RGBA8.
 */
#ifndef AG_DEVICE_PICTURE_H
#define AG_DEVICE_PICTURE_H

#include "device/state.h"
#include "format/format.h"

struct picture {
    uint64_t gpa;
    uint32_t width;
    uint32_t height;
    uint32_t pitch_bytes;
    const struct ag_host_format *format; /* a colour format with units of one pixel */
};

/* Checks registers (M9) with a cap on the bytes of the picture as RGBA8. Null when *picture is good, else one
 * phrase that says what is wrong. */
const char *ag_picture_init(struct picture *picture, const struct picture_registers *registers,
                            uint64_t limit_bytes);

/* Reads the whole picture into *pixels, which the caller frees with free(). Reports failures. */
enum agpu_status ag_picture_read(struct agpu_device *device, const struct picture *picture, uint8_t **pixels);

/* Stores the part of an RGBA8 picture that both have. Reports failures. */
enum agpu_status ag_picture_write(struct agpu_device *device, const struct picture *picture,
                                  const uint8_t *pixels, uint32_t width, uint32_t height);

#endif
