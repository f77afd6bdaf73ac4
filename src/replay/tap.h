/* SPDX-License-Identifier: MIT
 *
 * The tap of a replay's device when a recorder listens as well: everything is told to both.
 */
#ifndef AG_REPLAY_TAP_H
#define AG_REPLAY_TAP_H

#include "aerogpu/device.h"

struct replay_tap {
    struct agpu_device_tap replay;   /* what the replay wants to hear: writes, executed and completed */
    struct agpu_device_tap recorder; /* what the recorder wants to hear */
};

/* Returns the tap for the device of the replay; `taps` must outlive that device. */
struct agpu_device_tap replay_tap(struct replay_tap *taps);

#endif
