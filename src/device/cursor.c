/* SPDX-License-Identifier: MIT
 *
 * The hardware cursor, for an embedder that draws it. (Spec: ABI section 2, 13 M8 and M9.)
 */
#include "device/picture.h"

void ag_cursor_set_enable(struct agpu_device *device, uint32_t enable)
{
    device->cursor.enable = enable != 0;
    if (enable == 0)
        device->cursor.address.low = (uint32_t)device->cursor.address.gpa;
}

void ag_cursor_set_format(struct agpu_device *device, uint32_t format)
{
    device->cursor.format = ag_picture_format(format);
}

enum agpu_status agpu_device_read_cursor(struct agpu_device *device, struct agpu_cursor *cursor,
                                         uint8_t **pixels)
{
    struct picture picture;
    const char *problem = ag_picture_init(&picture, &device->cursor, AG_CURSOR_LIMIT_BYTES);
    if (problem == NULL && picture.format->bytes != 4)
        problem = "its format is not a 32-bit one";
    if (problem == NULL && !ag_pci_dma_enabled(device))
        problem = "bus mastering is off";
    if (problem != NULL) {
        ag_report(&device->callbacks.diagnostics, AGPU_DIAG_DEVICE_CURSOR, AGPU_NOTE, ag_place_none(),
                  "the cursor makes no picture: %s", problem);
        return AGPU_REFUSED;
    }
    device->tap_paused = true;
    const enum agpu_status status = ag_picture_read(device, &picture, pixels);
    device->tap_paused = false;
    if (status == AGPU_OK)
        *cursor = (struct agpu_cursor){
            .x = (int32_t)device->cursor_x,
            .y = (int32_t)device->cursor_y,
            .hot_x = device->cursor_hot_x,
            .hot_y = device->cursor_hot_y,
            .width = picture.width,
            .height = picture.height,
        };
    return status;
}
