/* SPDX-License-Identifier: MIT
 *
 * Sample counts: Direct3D's and those that WebGPU has.
 */
#ifndef AG_EXEC_OBJECT_SAMPLE_COUNT_H
#define AG_EXEC_OBJECT_SAMPLE_COUNT_H

#include <stdint.h>

/* What targets of so many samples have on the host. */
uint32_t ag_samples_host(uint32_t count);
/* The host's sample that is sample `index` of the guest's `count`. */
uint32_t ag_samples_host_index(uint32_t count, uint32_t index);
/* The host's samples that a mask of the guest lets through; bits beyond the target's samples mean nothing. */
uint32_t ag_samples_host_mask(uint32_t count, uint32_t mask);

#endif
