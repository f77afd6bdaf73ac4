/* SPDX-License-Identifier: MIT
 *
 * PCI configuration space. (Spec: ABI section 1, 13 M1 and M6.)
 */
#include "base/bytes.h"
#include "device/state.h"

enum {
    CONFIG_SIZE = 256,
    WORD_COMMAND = 0x04 / 4, /* command in the low half, status in the high half */
    WORD_BAR0 = 0x10 / 4,
    WORD_BAR1 = 0x14 / 4,
};

#define COMMAND_MEMORY (UINT32_C(1) << 1)
#define COMMAND_BUS_MASTER (UINT32_C(1) << 2)
#define COMMAND_IRQ_DISABLE (UINT32_C(1) << 10)
#define STATUS_IRQ (UINT32_C(1) << (16 + 3))
#define BAR_PREFETCHABLE (UINT32_C(1) << 3)
#define INTERRUPT_PIN_A 1

/* A BAR reports its size by the address bits that cannot be set. */
#define BAR_ADDRESS_BITS(size) (~((size)-1))

struct config_word {
    uint32_t initial;
    uint32_t writable;
};

/* clang-format off */
static const struct config_word config_words[AG_CONFIG_WORDS] = {
    [0x00 / 4]     = {AEROGPU_PCI_DEVICE_ID << 16 | AEROGPU_PCI_VENDOR_ID, 0},
    [WORD_COMMAND] = {0, COMMAND_MEMORY | COMMAND_BUS_MASTER | COMMAND_IRQ_DISABLE},
    [0x08 / 4]     = {AEROGPU_PCI_CLASS_CODE_DISPLAY_CONTROLLER << 24 |
                      AEROGPU_PCI_SUBCLASS_VGA_COMPATIBLE << 16 | AEROGPU_PCI_PROG_IF << 8, 0},
    [0x0C / 4]     = {0, 0xFF}, /* cache line size */
    [WORD_BAR0]    = {0, BAR_ADDRESS_BITS(AEROGPU_PCI_BAR0_SIZE_BYTES)},
    [WORD_BAR1]    = {BAR_PREFETCHABLE, BAR_ADDRESS_BITS(AEROGPU_PCI_BAR1_SIZE_BYTES)},
    [0x2C / 4]     = {AEROGPU_PCI_SUBSYSTEM_ID << 16 | AEROGPU_PCI_SUBSYSTEM_VENDOR_ID, 0},
    [0x3C / 4]     = {INTERRUPT_PIN_A << 8, 0xFF}, /* interrupt line */
};
/* clang-format on */

void ag_pci_init(struct agpu_device *device, bool decode_off)
{
    for (uint32_t i = 0; i < AG_CONFIG_WORDS; i++)
        device->config[i] = config_words[i].initial;
    if (!decode_off)
        device->config[WORD_COMMAND] |= COMMAND_MEMORY | COMMAND_BUS_MASTER;
}

void ag_pci_restore(struct agpu_device *device)
{
    for (uint32_t i = 0; i < AG_CONFIG_WORDS; i++)
        device->config[i] = (device->config[i] & config_words[i].writable) |
                            (config_words[i].initial & ~config_words[i].writable);
}

bool ag_pci_memory_enabled(const struct agpu_device *device)
{
    return (device->config[WORD_COMMAND] & COMMAND_MEMORY) != 0;
}

bool ag_pci_dma_enabled(const struct agpu_device *device)
{
    return (device->config[WORD_COMMAND] & COMMAND_BUS_MASTER) != 0;
}

bool ag_pci_irq_disabled(const struct agpu_device *device)
{
    return (device->config[WORD_COMMAND] & COMMAND_IRQ_DISABLE) != 0;
}

static bool is_mapped(const struct agpu_device *device, uint32_t word, uint32_t size_bytes, uint64_t *base)
{
    *base = device->config[word] & BAR_ADDRESS_BITS(size_bytes);
    return *base != 0 && ag_pci_memory_enabled(device);
}

bool ag_pci_vram_base(const struct agpu_device *device, uint64_t *base)
{
    return is_mapped(device, WORD_BAR1, AEROGPU_PCI_BAR1_SIZE_BYTES, base);
}

bool ag_pci_registers_base(const struct agpu_device *device, uint64_t *base)
{
    return is_mapped(device, WORD_BAR0, AEROGPU_PCI_BAR0_SIZE_BYTES, base);
}

static uint32_t read_word(const struct agpu_device *device, uint32_t index)
{
    if (index >= AG_CONFIG_WORDS)
        return 0;
    /* The status bit shows the interrupt even if the command register disables the line. */
    if (index == WORD_COMMAND && (device->irq.status & device->irq.enable) != 0)
        return device->config[index] | STATUS_IRQ;
    return device->config[index];
}

uint32_t agpu_device_config_read(struct agpu_device *device, uint32_t offset, uint32_t size)
{
    uint32_t value = 0;
    if (device->in_guest_memory)
        return UINT32_MAX;
    for (uint32_t i = 0; i < size && i < 4; i++) {
        /* Bytes beyond configuration space read 0xFF. */
        const uint32_t byte = ag_range_fits(offset, i + 1, CONFIG_SIZE)
                                  ? read_word(device, (offset + i) / 4) >> ((offset + i) % 4 * 8) & 0xFF
                                  : 0xFF;
        value |= byte << (i * 8);
    }
    return value;
}

static void write_byte(struct agpu_device *device, uint32_t offset, uint32_t byte)
{
    const uint32_t index = offset / 4;
    const uint32_t shift = offset % 4 * 8;
    if (index >= AG_CONFIG_WORDS)
        return;
    const uint32_t mask = config_words[index].writable & UINT32_C(0xFF) << shift;
    device->config[index] = (device->config[index] & ~mask) | (byte << shift & mask);
}

void agpu_device_config_write(struct agpu_device *device, uint32_t offset, uint32_t size, uint32_t value)
{
    if (device->in_guest_memory)
        return;
    ag_device_take_time(device);
    const bool dma_before = ag_pci_dma_enabled(device);
    if (device->tap.config_write != NULL)
        device->tap.config_write(device->tap.user, offset, size, value);
    for (uint32_t i = 0; i < size && i < 4; i++) {
        if (ag_range_fits(offset, i + 1, CONFIG_SIZE))
            write_byte(device, offset + i, value >> (i * 8) & 0xFF);
    }
    if (!dma_before && ag_pci_dma_enabled(device))
        ag_device_resume_dma(device);
    ag_irq_update(device);
}
