/* SPDX-License-Identifier: MIT
 *
 * Devices that are made here, step by step, for who waits for them.
 */
#ifndef AG_GPU_OPEN_H
#define AG_GPU_OPEN_H

#include "gpu/device.h"

enum ag_opening_result {
    AG_OPENING_PENDING,
    AG_OPENING_DONE, /* opening.device belongs to the caller */
    AG_OPENING_FAILED,
};

/* Moves on with what WebGPU has answered until now. */
enum ag_opening_result ag_opening_step(struct agpu_gpu *gpu);

#endif
