/* SPDX-License-Identifier: MIT
 *
 * The AeroGPU PCI device: configuration space, BAR0 registers, ring, fences, interrupts, vblank, scanout and
 * cursor. An emulator maps its PCI and MMIO accesses onto these calls, provides guest memory and an interrupt
 * line, and pumps agpu_device_poll() from its event loop. (Spec: ABI sections 1-4, 10 and 13.)
 *
 * Several devices can live in one process. All calls for one device come from one thread.
 */
#ifndef AEROGPU_DEVICE_H
#define AEROGPU_DEVICE_H

#include "aerogpu/executor.h"

#ifdef __cplusplus
extern "C" {
#endif

struct agpu_device;

struct agpu_device_callbacks {
    struct agpu_guest_memory memory;
    /* The level of INTA#; called on every change. May be null. */
    void (*set_irq)(void *user, bool asserted);
    /* Every present, before its fence completes. May be null. */
    void (*presented)(void *user, const struct agpu_present *present);
    struct agpu_diag_sink diagnostics;
    void *user; /* for set_irq and presented */
};

/* Zero is the default of every field. */
struct agpu_device_options {
    uint32_t refresh_millihertz; /* default 60000; UINT32_MAX: no vblank, the VBLANK feature bit is off */
    bool pci_decode_off;         /* start with memory decoding and bus mastering off, as after a PCI reset */
};

/* Creates a device on an executor, which it borrows: destroy the device first. `now_ns` is the time of the
 * embedder's clock that counts as device boot. */
enum agpu_status agpu_device_create(const struct agpu_device_options *options,
                                    const struct agpu_device_callbacks *callbacks,
                                    struct agpu_executor *executor, uint64_t now_ns, struct agpu_device **device);
void agpu_device_destroy(struct agpu_device *device);

/* PCI configuration space (256 bytes): aligned or narrow accesses of 1, 2 or 4 bytes. */
uint32_t agpu_device_config_read(struct agpu_device *device, uint32_t offset, uint32_t size);
void agpu_device_config_write(struct agpu_device *device, uint32_t offset, uint32_t size, uint32_t value);

/* BAR0: accesses of 1, 2, 4 or 8 bytes at any offset below AEROGPU_PCI_BAR0_SIZE_BYTES. A doorbell write
 * consumes descriptors before it returns; it does not wait for their execution. */
uint64_t agpu_device_mmio_read(struct agpu_device *device, uint64_t offset, uint32_t size);
void agpu_device_mmio_write(struct agpu_device *device, uint64_t offset, uint32_t size, uint64_t value);

/* Advances the device to the embedder's time (ns, never backwards): vblank ticks, finished submissions,
 * fences, interrupts. Never blocks. Returns true while submissions are outstanding. */
bool agpu_device_poll(struct agpu_device *device, uint64_t now_ns);

/* The next time at which poll has something to do of its own (the next vblank), or UINT64_MAX. */
uint64_t agpu_device_next_event_ns(const struct agpu_device *device);

/* Scanout 0 as the guest programmed it, read from guest memory as RGBA8 (alpha 255 for X8 formats), 4 * width
 * bytes a row. AGPU_REFUSED when it is disabled or its registers make no readable picture (ABI 13, M9). The
 * caller frees *pixels with agpu_free(). */
enum agpu_status agpu_device_read_scanout(struct agpu_device *device, uint32_t *width, uint32_t *height,
                                          uint8_t **pixels);

/* The cursor bitmap, likewise, and its place; hidden cursors are AGPU_REFUSED. */
struct agpu_cursor {
    int32_t x, y;
    uint32_t hot_x, hot_y, width, height;
};
enum agpu_status agpu_device_read_cursor(struct agpu_device *device, struct agpu_cursor *cursor, uint8_t **pixels);

#ifdef __cplusplus
}
#endif

#endif
