/* SPDX-License-Identifier: MIT
 *
 * Sample counts. WebGPU has 1 and 4 samples: textures of the guest with 2 or 8 samples have 4 on the host,
 * and each sample of the guest is the nearest sample of the host (docs/decisions.md, X40). All functions are
 * pure.
 */
#ifndef AG_EXEC_OBJECT_SAMPLE_COUNT_H
#define AG_EXEC_OBJECT_SAMPLE_COUNT_H

#include <stdint.h>

/* How many samples the host has for the guest's `count`. */
uint32_t ag_samples_host(uint32_t count);

/* The host's sample for sample `index` of the guest's `count`. */
uint32_t ag_samples_host_index(uint32_t count, uint32_t index);

/* The host's sample mask for a sample mask of the guest. A sample of the host is on when one of the
 * guest's samples that it is nearest to is on. Bits from `count` up are ignored. */
uint32_t ag_samples_host_mask(uint32_t count, uint32_t mask);

#endif
