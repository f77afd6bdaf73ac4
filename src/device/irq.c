/* SPDX-License-Identifier: MIT
 *
 * Interrupt status, mask and line, and the error registers. (Spec: ABI 2.3, 2.4, 13 M5-M7.)
 */
#include "device/state.h"

void ag_irq_raise(struct agpu_device *device, uint32_t cause)
{
    device->irq.status |= cause & (device->irq.enable | AEROGPU_IRQ_ERROR);
}

void ag_irq_clear(struct agpu_device *device, uint32_t causes)
{
    device->irq.status &= ~causes;
}

void ag_irq_set_enable(struct agpu_device *device, uint32_t enable)
{
    device->irq.enable = enable;
    device->irq.status &= enable | AEROGPU_IRQ_ERROR;
}

void ag_irq_update(struct agpu_device *device)
{
    const bool level = (device->irq.status & device->irq.enable) != 0 && !ag_pci_irq_disabled(device);
    if (level == device->irq.line)
        return;
    device->irq.line = level;
    if (device->callbacks.set_irq != NULL)
        device->callbacks.set_irq(device->callbacks.user, level);
}

void ag_record_error(struct agpu_device *device, uint32_t code, uint64_t fence)
{
    device->error.code = code;
    device->error.fence = fence;
    if (device->error.count != UINT32_MAX)
        device->error.count++;
    ag_irq_raise(device, AEROGPU_IRQ_ERROR);
}
