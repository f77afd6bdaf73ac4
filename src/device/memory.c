/* SPDX-License-Identifier: MIT
 *
 * Guest-physical memory: the VRAM aperture of BAR1 and, elsewhere, the embedder's RAM.
 */
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "device/state.h"

enum place_of_range {
    RANGE_IN_RAM,
    RANGE_IN_VRAM,
    RANGE_NOWHERE, /* wraps, crosses an end of the aperture, or touches BAR0 */
};

/* Whether a range and that of a BAR have a byte in common; the range does not wrap. */
static bool overlaps(uint64_t gpa, size_t size, uint64_t base, uint64_t bar_size)
{
    return gpa < base ? size > base - gpa : gpa - base < bar_size;
}

static enum place_of_range place_range(const struct agpu_device *device, uint64_t gpa, size_t size,
                                       uint64_t *vram_offset)
{
    uint64_t base;
    if (size != 0 && size - 1 > UINT64_MAX - gpa)
        return RANGE_NOWHERE;
    /* The device's own registers: a fence page on the doorbell would ring it for ever. */
    if (ag_pci_registers_base(device, &base) && overlaps(gpa, size, base, AEROGPU_PCI_BAR0_SIZE_BYTES))
        return RANGE_NOWHERE;
    if (!ag_pci_vram_base(device, &base))
        return RANGE_IN_RAM;
    if (gpa >= base && gpa - base < AEROGPU_PCI_BAR1_SIZE_BYTES) {
        *vram_offset = gpa - base;
        return ag_range_fits(*vram_offset, size, AEROGPU_PCI_BAR1_SIZE_BYTES) ? RANGE_IN_VRAM : RANGE_NOWHERE;
    }
    return overlaps(gpa, size, base, AEROGPU_PCI_BAR1_SIZE_BYTES) ? RANGE_NOWHERE : RANGE_IN_RAM;
}

static void vram_read(const struct agpu_device *device, uint64_t offset, void *to, size_t size)
{
    if (device->vram == NULL)
        memset(to, 0, size);
    else
        memcpy(to, device->vram + offset, size);
}

static bool vram_write(struct agpu_device *device, uint64_t offset, const void *from, size_t size)
{
    if (device->vram == NULL) {
        device->vram = calloc(1, AEROGPU_PCI_BAR1_SIZE_BYTES);
        if (device->vram == NULL) {
            ag_report_no_memory(&device->callbacks.diagnostics);
            return false;
        }
    }
    memcpy(device->vram + offset, from, size);
    return true;
}

static void tell(const struct agpu_device *device,
                 void (*tell_tap)(void *user, const struct agpu_device_access *access),
                 const struct agpu_device_access *access)
{
    if (tell_tap != NULL && !device->tap_paused)
        tell_tap(device->tap.user, access);
}

static bool read_ram(struct agpu_device *device, uint64_t gpa, void *to, size_t size, bool by_executor)
{
    device->in_guest_memory = true;
    const bool good = device->callbacks.memory.read(device->callbacks.memory.user, gpa, to, size);
    device->in_guest_memory = false;
    const struct agpu_device_access access = {gpa, size, good ? to : NULL, by_executor};
    tell(device, device->tap.memory_read, &access);
    return good;
}

static bool write_ram(struct agpu_device *device, uint64_t gpa, const void *from, size_t size,
                      bool by_executor)
{
    device->in_guest_memory = true;
    const bool good = device->callbacks.memory.write(device->callbacks.memory.user, gpa, from, size);
    device->in_guest_memory = false;
    const struct agpu_device_access access = {gpa, size, good ? from : NULL, by_executor};
    tell(device, device->tap.memory_write, &access);
    return good;
}

static const void *map_ram(struct agpu_device *device, uint64_t gpa, size_t size)
{
    const struct agpu_guest_memory *memory = &device->callbacks.memory;
    if (memory->map == NULL)
        return NULL;
    device->in_guest_memory = true;
    const void *const bytes = memory->map(memory->user, gpa, size);
    device->in_guest_memory = false;
    return bytes;
}

static bool dma_read(struct agpu_device *device, uint64_t gpa, void *to, size_t size, bool by_executor)
{
    uint64_t offset = 0;
    if (size == 0)
        return true;
    switch (place_range(device, gpa, size, &offset)) {
    case RANGE_IN_VRAM:
        vram_read(device, offset, to, size);
        return true;
    case RANGE_IN_RAM:
        return read_ram(device, gpa, to, size, by_executor);
    case RANGE_NOWHERE:
        break;
    }
    return false;
}

static bool dma_write(struct agpu_device *device, uint64_t gpa, const void *from, size_t size,
                      bool by_executor)
{
    uint64_t offset = 0;
    if (size == 0)
        return true;
    switch (place_range(device, gpa, size, &offset)) {
    case RANGE_IN_VRAM:
        return vram_write(device, offset, from, size);
    case RANGE_IN_RAM:
        return write_ram(device, gpa, from, size, by_executor);
    case RANGE_NOWHERE:
        break;
    }
    return false;
}

bool ag_dma_read(void *user, uint64_t gpa, void *to, size_t size)
{
    return dma_read(user, gpa, to, size, false);
}

bool ag_dma_write(void *user, uint64_t gpa, const void *from, size_t size)
{
    return dma_write(user, gpa, from, size, false);
}

bool ag_executor_dma_read(void *user, uint64_t gpa, void *to, size_t size)
{
    return dma_read(user, gpa, to, size, true);
}

/* A tap hears of bytes as they were used, which a guest may change behind a mapping. */
const void *ag_executor_dma_map(void *user, uint64_t gpa, size_t size)
{
    struct agpu_device *device = user;
    uint64_t offset = 0;
    if (size == 0 || device->tap.memory_read != NULL)
        return NULL;
    switch (place_range(device, gpa, size, &offset)) {
    case RANGE_IN_VRAM:
        return device->vram != NULL ? device->vram + offset : NULL;
    case RANGE_IN_RAM:
        return map_ram(device, gpa, size);
    case RANGE_NOWHERE:
        break;
    }
    return NULL;
}

bool ag_executor_dma_write(void *user, uint64_t gpa, const void *from, size_t size)
{
    return dma_write(user, gpa, from, size, true);
}

static bool is_access(const struct agpu_device *device, uint64_t offset, size_t size)
{
    return ag_pci_memory_enabled(device) && ag_range_fits(offset, size, AEROGPU_PCI_BAR1_SIZE_BYTES) &&
           !device->in_guest_memory;
}

bool agpu_device_vram_read(struct agpu_device *device, uint64_t offset, void *to, size_t size)
{
    if (!is_access(device, offset, size)) {
        memset(to, 0xFF, size);
        return false;
    }
    vram_read(device, offset, to, size);
    return true;
}

bool agpu_device_vram_write(struct agpu_device *device, uint64_t offset, const void *from, size_t size)
{
    if (!is_access(device, offset, size))
        return false;
    if (size != 0 && device->tap.vram_write != NULL)
        device->tap.vram_write(device->tap.user, offset, from, size);
    return size == 0 || vram_write(device, offset, from, size);
}
