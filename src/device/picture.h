/* SPDX-License-Identifier: MIT
 *
 * Pictures in guest memory, as the scanout's and the cursor's registers describe them, and their conversion
 * to and from RGBA8.
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

/* The format as a register keeps it: AEROGPU_FORMAT_INVALID for a number that names none. */
uint32_t ag_picture_format(uint32_t format);

/* Checks registers (M9); the picture as RGBA8 may have at most `limit_bytes`. Returns null if *picture is
 * valid, otherwise a phrase that says what is wrong. */
const char *ag_picture_init(struct picture *picture, const struct picture_registers *registers,
                            uint64_t limit_bytes);

/* Reads the whole picture into *pixels, which the caller frees with free(). Reports failures. */
enum agpu_status ag_picture_read(struct agpu_device *device, const struct picture *picture, uint8_t **pixels);

/* Stores the part of a present's pixels that lies inside `picture`, from row *done on, some rows in each call
 * which it adds there. True when no row is left, or when one cannot be stored (reported). */
bool ag_picture_write(struct agpu_device *device, const struct picture *picture,
                      const struct agpu_present *present, uint32_t *done);

#endif
