/* SPDX-License-Identifier: MIT
 *
 * The random numbers by which inputs change: the same sequence after the same seed.
 */
#ifndef AG_TESTS_FUZZ_RANDOM_H
#define AG_TESTS_FUZZ_RANDOM_H

#include <stdint.h>

static inline uint32_t next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 33);
}

#endif
