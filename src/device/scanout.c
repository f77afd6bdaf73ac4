/* SPDX-License-Identifier: MIT
 *
 * Scanout 0: read-out for the embedder, and presents stored into the guest's frame buffer.
 * (Spec: ABI 12.9 P2, 13 M8 and M9, 15 choice 8.)
 */
#include "device/picture.h"

void ag_scanout_set_enable(struct agpu_device *device, uint32_t enable)
{
    struct picture_registers *scanout = &device->scanout;
    const bool was_enabled = scanout->enable != 0;
    scanout->enable = enable != 0;
    if (enable == 0) {
        scanout->address.low = (uint32_t)scanout->address.gpa;
        ag_irq_clear(device, AEROGPU_IRQ_SCANOUT_VBLANK);
        ag_submission_queue_release(device);
    } else if (!was_enabled) {
        ag_vblank_start(device);
    }
}

void ag_scanout_set_format(struct agpu_device *device, uint32_t format)
{
    device->scanout.format = ag_picture_format(format);
}

static enum agpu_status refuse(struct agpu_device *device, enum agpu_severity severity, const char *problem)
{
    ag_report(&device->callbacks.diagnostics, AGPU_DIAG_DEVICE_SCANOUT, severity, ag_place_none(),
              "scanout 0 makes no picture: %s", problem);
    return AGPU_REFUSED;
}

enum agpu_status agpu_device_read_scanout(struct agpu_device *device, uint32_t *width, uint32_t *height,
                                          uint8_t **pixels)
{
    struct picture picture;
    const char *problem = ag_picture_init(&picture, &device->scanout, AG_SCANOUT_LIMIT_BYTES);
    if (problem == NULL && !ag_pci_dma_enabled(device))
        problem = "bus mastering is off";
    if (problem != NULL)
        return refuse(device, AGPU_NOTE, problem);
    device->tap_paused = true;
    const enum agpu_status status = ag_picture_read(device, &picture, pixels);
    device->tap_paused = false;
    if (status == AGPU_OK) {
        *width = picture.width;
        *height = picture.height;
    }
    return status;
}

bool ag_scanout_takes(const struct agpu_device *device, uint32_t scanout_id)
{
    return device->scanout.enable != 0 && scanout_id == 0;
}

static bool is_same_place(const struct picture_registers *a, const struct picture_registers *b)
{
    return a->address.gpa == b->address.gpa && a->width == b->width && a->height == b->height &&
           a->format == b->format && a->pitch_bytes == b->pitch_bytes;
}

/* A picture begins anew when the guest changes the registers meanwhile: no frame buffer is to have half a
 * picture. */
static bool is_being_stored(const struct agpu_device *device, const struct agpu_present *present)
{
    const struct stored_picture *const stored = &device->stored;
    return stored->pixels == present->pixels && stored->submission == present->submission &&
           (stored->is_done || is_same_place(&stored->scanout, &device->scanout));
}

bool ag_scanout_store(struct agpu_device *device, const struct agpu_present *present)
{
    struct stored_picture *const stored = &device->stored;
    struct picture picture;
    if (!ag_scanout_takes(device, present->scanout_id))
        return true;
    if (!is_being_stored(device, present))
        *stored = (struct stored_picture){
            .pixels = present->pixels, .submission = present->submission, .scanout = device->scanout};
    if (stored->is_done)
        return true;
    const char *problem = ag_picture_init(&picture, &device->scanout, AG_SCANOUT_LIMIT_BYTES);
    if (problem != NULL)
        refuse(device, AGPU_WARNING, problem);
    stored->is_done = problem != NULL || ag_picture_write(device, &picture, present, &stored->rows);
    return stored->is_done;
}
