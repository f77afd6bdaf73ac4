/* SPDX-License-Identifier: MIT
 *
 * The vertical blank of scanout 0 (spec: ABI section 10), and the same periods for windows of the guest while
 * scanout 0 is off, which the vblank's registers and interrupt do not show.
 */
#include "base/bytes.h"
#include "device/state.h"

enum { DEFAULT_REFRESH_MILLIHERTZ = 60000 };

#define NS_PER_MILLIHERTZ UINT64_C(1000000000000) /* the period at 1 mHz */

void ag_vblank_init(struct agpu_device *device, uint32_t refresh_millihertz)
{
    if (refresh_millihertz == UINT32_MAX)
        return;
    const uint64_t rate = refresh_millihertz != 0 ? refresh_millihertz : DEFAULT_REFRESH_MILLIHERTZ;
    const uint64_t period = (NS_PER_MILLIHERTZ + rate - 1) / rate;
    device->vblank.period_ns = period < UINT32_MAX ? (uint32_t)period : UINT32_MAX;
    device->features |= AEROGPU_FEATURE_VBLANK;
}

bool ag_vblank_running(const struct agpu_device *device)
{
    return device->vblank.period_ns != 0 && (device->scanout.enable != 0 || device->queue.paced_count != 0);
}

bool ag_vblank_is_due(const struct agpu_device *device)
{
    return ag_vblank_running(device) && device->vblank.next_tick_ns <= device->now_ns;
}

/* Saturates at the end of 64 bits instead of wrapping around. */
static uint64_t time_after(uint64_t time_ns, uint64_t span_ns)
{
    uint64_t sum;
    return ag_add_u64(time_ns, span_ns, &sum) ? sum : UINT64_MAX;
}

void ag_vblank_start(struct agpu_device *device)
{
    device->vblank.next_tick_ns = time_after(device->now_ns, device->vblank.period_ns);
}

void ag_vblank_pace(struct agpu_device *device)
{
    struct vblank_registers *vblank = &device->vblank;
    if (ag_vblank_running(device) || vblank->period_ns == 0)
        return;
    if (vblank->next_tick_ns <= device->now_ns) {
        const uint64_t past = (device->now_ns - vblank->next_tick_ns) / vblank->period_ns + 1;
        vblank->next_tick_ns = time_after(vblank->next_tick_ns, past * vblank->period_ns);
    }
}

static void tick(struct agpu_device *device)
{
    struct vblank_registers *vblank = &device->vblank;
    if (device->scanout.enable != 0) {
        vblank->sequence++;
        vblank->time_ns = vblank->next_tick_ns - device->boot_ns;
        ag_irq_raise(device, AEROGPU_IRQ_SCANOUT_VBLANK);
    }
    vblank->next_tick_ns = time_after(vblank->next_tick_ns, vblank->period_ns);
    ag_submission_queue_vblank(device);
}

void ag_vblank_advance(struct agpu_device *device)
{
    struct vblank_registers *vblank = &device->vblank;
    if (!ag_vblank_is_due(device))
        return;
    uint64_t due = (device->now_ns - vblank->next_tick_ns) / vblank->period_ns + 1;
    /* After a long stall only the newest ticks are delivered; the phase is kept. */
    if (due > AG_VBLANK_CATCH_UP) {
        vblank->next_tick_ns += (due - AG_VBLANK_CATCH_UP) * vblank->period_ns;
        due = AG_VBLANK_CATCH_UP;
    }
    for (; due > 0 && ag_vblank_running(device); due--)
        tick(device);
}
