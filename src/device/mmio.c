/* SPDX-License-Identifier: MIT
 *
 * BAR0: the table of registers, and accesses of every size and alignment. (Spec: ABI sections 2 and 13.)
 */
#include <assert.h>
#include <stddef.h>

#include "base/bytes.h"
#include "device/state.h"

/* A register. A read gives a 32-bit word of the device's state, the result of `read`, or 0; a write sets that
 * word, calls `write`, or does nothing. */
struct mmio_register {
    uint16_t word; /* byte offset in struct agpu_device */
    bool readable;
    bool writable;
    uint32_t (*read)(const struct agpu_device *device);
    void (*write)(struct agpu_device *device, uint32_t value);
};

#define WORD(field) .word = offsetof(struct agpu_device, field)
#define HIGH_WORD(field) .word = offsetof(struct agpu_device, field) + sizeof(uint32_t)

/* clang-format off */
#define STORED(field)        {WORD(field), .readable = true, .writable = true}
#define STORED_HIGH(field)   {HIGH_WORD(field), .readable = true, .writable = true}
#define SHOWN(field)         {WORD(field), .readable = true}
#define SHOWN_HIGH(field)    {HIGH_WORD(field), .readable = true}
#define SHOWN_SET(field, fn) {WORD(field), .readable = true, .write = (fn)}
#define SHOWN_HIGH_SET(field, fn) {HIGH_WORD(field), .readable = true, .write = (fn)}
/* clang-format on */

static uint32_t read_magic(const struct agpu_device *device)
{
    (void)device;
    return AEROGPU_MMIO_MAGIC;
}

static uint32_t read_abi_version(const struct agpu_device *device)
{
    (void)device;
    return AEROGPU_ABI_VERSION_U32;
}

static void write_ring_control(struct agpu_device *device, uint32_t value)
{
    if ((value & AEROGPU_RING_CONTROL_RESET) != 0)
        ag_device_reset(device);
    device->ring.control = value & AEROGPU_RING_CONTROL_ENABLE;
    if (device->ring.control == 0)
        ag_ring_forget_load(device);
}

static void write_doorbell(struct agpu_device *device, uint32_t value)
{
    (void)value;
    ag_ring_doorbell(device);
}

static void write_irq_enable(struct agpu_device *device, uint32_t value)
{
    ag_irq_set_enable(device, value);
}

static void write_irq_ack(struct agpu_device *device, uint32_t value)
{
    ag_irq_clear(device, value);
}

static void hold_low(struct held_address *address, uint32_t low)
{
    address->low = low;
}

static void commit_high(struct held_address *address, uint32_t high)
{
    address->gpa = (uint64_t)high << 32 | address->low;
}

static void write_scanout_low(struct agpu_device *device, uint32_t value)
{
    hold_low(&device->scanout.address, value);
}

static void write_scanout_high(struct agpu_device *device, uint32_t value)
{
    commit_high(&device->scanout.address, value);
}

static void write_cursor_low(struct agpu_device *device, uint32_t value)
{
    hold_low(&device->cursor.address, value);
}

static void write_cursor_high(struct agpu_device *device, uint32_t value)
{
    commit_high(&device->cursor.address, value);
}

/* clang-format off */
#define AT(name) [AEROGPU_MMIO_REG_##name / 4]

static const struct mmio_register registers[] = {
    AT(MAGIC)                       = {.read = read_magic},
    AT(ABI_VERSION)                 = {.read = read_abi_version},
    AT(FEATURES_LO)                 = SHOWN(features),
    AT(FEATURES_HI)                 = SHOWN_HIGH(features),

    AT(EXT_VERSION)                 = SHOWN(extension),
    AT(EXT_GPU_LOSSES)              = SHOWN(gpu_losses),

    AT(RING_GPA_LO)                 = STORED(ring.gpa),
    AT(RING_GPA_HI)                 = STORED_HIGH(ring.gpa),
    AT(RING_SIZE_BYTES)             = STORED(ring.size_bytes),
    AT(RING_CONTROL)                = SHOWN_SET(ring.control, write_ring_control),
    AT(FENCE_GPA_LO)                = STORED(queue.page_gpa),
    AT(FENCE_GPA_HI)                = STORED_HIGH(queue.page_gpa),
    AT(COMPLETED_FENCE_LO)          = SHOWN(queue.completed),
    AT(COMPLETED_FENCE_HI)          = SHOWN_HIGH(queue.completed),
    AT(DOORBELL)                    = {.write = write_doorbell},

    AT(IRQ_STATUS)                  = SHOWN(irq.status),
    AT(IRQ_ENABLE)                  = SHOWN_SET(irq.enable, write_irq_enable),
    AT(IRQ_ACK)                     = {.write = write_irq_ack},
    AT(ERROR_CODE)                  = SHOWN(error.code),
    AT(ERROR_FENCE_LO)              = SHOWN(error.fence),
    AT(ERROR_FENCE_HI)              = SHOWN_HIGH(error.fence),
    AT(ERROR_COUNT)                 = SHOWN(error.count),

    AT(SCANOUT0_ENABLE)             = SHOWN_SET(scanout.enable, ag_scanout_set_enable),
    AT(SCANOUT0_WIDTH)              = STORED(scanout.width),
    AT(SCANOUT0_HEIGHT)             = STORED(scanout.height),
    AT(SCANOUT0_FORMAT)             = SHOWN_SET(scanout.format, ag_scanout_set_format),
    AT(SCANOUT0_PITCH_BYTES)        = STORED(scanout.pitch_bytes),
    AT(SCANOUT0_FB_GPA_LO)          = SHOWN_SET(scanout.address.low, write_scanout_low),
    AT(SCANOUT0_FB_GPA_HI)          = SHOWN_HIGH_SET(scanout.address.gpa, write_scanout_high),
    AT(SCANOUT0_VBLANK_SEQ_LO)      = SHOWN(vblank.sequence),
    AT(SCANOUT0_VBLANK_SEQ_HI)      = SHOWN_HIGH(vblank.sequence),
    AT(SCANOUT0_VBLANK_TIME_NS_LO)  = SHOWN(vblank.time_ns),
    AT(SCANOUT0_VBLANK_TIME_NS_HI)  = SHOWN_HIGH(vblank.time_ns),
    AT(SCANOUT0_VBLANK_PERIOD_NS)   = SHOWN(vblank.period_ns),

    AT(CURSOR_ENABLE)               = SHOWN_SET(cursor.enable, ag_cursor_set_enable),
    AT(CURSOR_X)                    = STORED(cursor_x),
    AT(CURSOR_Y)                    = STORED(cursor_y),
    AT(CURSOR_HOT_X)                = STORED(cursor_hot_x),
    AT(CURSOR_HOT_Y)                = STORED(cursor_hot_y),
    AT(CURSOR_WIDTH)                = STORED(cursor.width),
    AT(CURSOR_HEIGHT)               = STORED(cursor.height),
    AT(CURSOR_FORMAT)               = SHOWN_SET(cursor.format, ag_cursor_set_format),
    AT(CURSOR_FB_GPA_LO)            = SHOWN_SET(cursor.address.low, write_cursor_low),
    AT(CURSOR_FB_GPA_HI)            = SHOWN_HIGH_SET(cursor.address.gpa, write_cursor_high),
    AT(CURSOR_PITCH_BYTES)          = STORED(cursor.pitch_bytes),
};
/* clang-format on */

/* Reads one register, aligned. */
static uint32_t read_register(const struct agpu_device *device, uint64_t offset)
{
    if (offset / 4 >= AG_COUNT_OF(registers))
        return 0;
    const struct mmio_register *reg = &registers[offset / 4];
    if (reg->read != NULL)
        return reg->read(device);
    return reg->readable ? ag_load_u32((const uint8_t *)device + reg->word) : 0;
}

static void write_register(struct agpu_device *device, uint64_t offset, uint32_t value)
{
    if (offset / 4 >= AG_COUNT_OF(registers))
        return;
    const struct mmio_register *reg = &registers[offset / 4];
    if (reg->write != NULL)
        reg->write(device, value);
    else if (reg->writable)
        ag_store_u32((uint8_t *)device + reg->word, value);
}

static bool is_access(const struct agpu_device *device, uint64_t offset, uint32_t size)
{
    const bool size_is_valid = size == 1 || size == 2 || size == 4 || size == 8;
    return size_is_valid && ag_range_fits(offset, size, AEROGPU_PCI_BAR0_SIZE_BYTES) &&
           ag_pci_memory_enabled(device) && !device->in_guest_memory;
}

/* The bytes of an access that belong to the register at `offset`: their count, their start in the register,
 * and their mask in the register. */
struct lane {
    uint32_t count;
    uint32_t shift;
    uint32_t mask;
};

static struct lane lane_at(uint64_t offset, uint32_t remaining)
{
    static const uint32_t masks[] = {0, 0xFF, 0xFFFF, 0xFFFFFF, 0xFFFFFFFF};
    const uint32_t first = (uint32_t)(offset & 3);
    const uint32_t count = remaining < 4 - first ? remaining : 4 - first;
    assert(count <= 4);
    return (struct lane){
        .count = count,
        .shift = first * 8,
        .mask = masks[count] << (first * 8),
    };
}

uint64_t agpu_device_mmio_read(struct agpu_device *device, uint64_t offset, uint32_t size)
{
    const uint64_t ones = size == 0 || size >= 8 ? UINT64_MAX : (UINT64_C(1) << (size * 8)) - 1;
    if (!is_access(device, offset, size))
        return ones;
    uint64_t value = 0;
    for (uint32_t done = 0; done < size;) {
        const struct lane lane = lane_at(offset + done, size - done);
        const uint32_t bits = read_register(device, (offset + done) & ~UINT64_C(3)) & lane.mask;
        value |= (uint64_t)(bits >> lane.shift) << (done * 8);
        done += lane.count;
    }
    return value;
}

void agpu_device_mmio_write(struct agpu_device *device, uint64_t offset, uint32_t size, uint64_t value)
{
    if (!is_access(device, offset, size))
        return;
    ag_device_take_time(device);
    if (device->tap.mmio_write != NULL)
        device->tap.mmio_write(device->tap.user, offset, size, value);
    for (uint32_t done = 0; done < size;) {
        const struct lane lane = lane_at(offset + done, size - done);
        const uint64_t base = (offset + done) & ~UINT64_C(3);
        const uint32_t bits = (uint32_t)(value >> (done * 8)) << lane.shift & lane.mask;
        /* A narrow write keeps the other bytes of the register; of a write-only register these are 0. */
        const uint32_t kept = lane.mask == UINT32_MAX ? 0 : read_register(device, base) & ~lane.mask;
        write_register(device, base, kept | bits);
        done += lane.count;
    }
    ag_irq_update(device);
}
