/* SPDX-License-Identifier: MIT */
#include "exec/object/sample_count.h"

#define HOST_SAMPLES 4

uint32_t ag_samples_host(uint32_t count)
{
    return count > 1 ? HOST_SAMPLES : 1;
}

uint32_t ag_samples_host_index(uint32_t count, uint32_t index)
{
    static const uint8_t of_two[2] = {3, 0}, of_eight[8] = {0, 3, 1, 0, 2, 2, 3, 1};
    return count == 2 ? of_two[index & 1] : count == 8 ? of_eight[index & 7] : index;
}

uint32_t ag_samples_host_mask(uint32_t count, uint32_t mask)
{
    static const uint8_t guests_of_two[HOST_SAMPLES] = {2, 1, 2, 1};
    static const uint8_t guests_of_eight[HOST_SAMPLES] = {0x09, 0x84, 0x30, 0x42};
    const uint8_t *guests = count == 2 ? guests_of_two : guests_of_eight;
    uint32_t host = 0;
    if (count != 2 && count != 8)
        return mask & (count == 4 ? 15u : 1u);
    for (uint32_t i = 0; i < HOST_SAMPLES; i++)
        host |= mask & guests[i] ? 1u << i : 0;
    return host;
}
