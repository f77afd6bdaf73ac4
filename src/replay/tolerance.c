/* SPDX-License-Identifier: MIT
 *
 * Counts how two results differ, and tells rounding from mistakes.
 */
#include "replay/tolerance.h"

#include <math.h>

#include "base/bytes.h"

#define RELATIVE_ERROR 1e-4f /* between two floats: far above rounding, far below a mistake */
#define LEAST_FLOAT 1e-6f
#define HALF_STEPS 4

static uint32_t channel_distance(const uint8_t *a, const uint8_t *b, size_t channels)
{
    uint32_t most = 0;
    for (size_t i = 0; i < channels; i++) {
        const uint32_t distance = a[i] > b[i] ? (uint32_t)(a[i] - b[i]) : (uint32_t)(b[i] - a[i]);
        most = distance > most ? distance : most;
    }
    return most;
}

struct replay_difference replay_compare_pictures(const uint8_t *a, const uint8_t *b, size_t pixels)
{
    struct replay_difference difference = {.count = pixels};
    for (size_t i = 0; i < pixels; i++) {
        const uint32_t channels = channel_distance(a + i * 4, b + i * 4, 4);
        difference.different += channels != 0;
        difference.far += channels > REPLAY_TOLERANCE_CHANNEL;
        difference.most = channels > difference.most ? channels : difference.most;
    }
    return difference;
}

static bool is_near_float(uint32_t a, uint32_t b)
{
    const float x = ag_float_from_bits(a), y = ag_float_from_bits(b);
    if (!isfinite(x) || !isfinite(y))
        return isnan(x) && isnan(y);
    const float larger = fabsf(x) > fabsf(y) ? fabsf(x) : fabsf(y);
    /* As a float, a small integer is tiny, and several small values beside each other are huge. */
    return larger >= LEAST_FLOAT && larger < 1e9f && fabsf(x - y) <= larger * RELATIVE_ERROR;
}

static bool is_near_halves(uint32_t a, uint32_t b)
{
    for (uint32_t shift = 0; shift < 32; shift += 16) {
        const int32_t x = (int32_t)(a >> shift & 0xffff), y = (int32_t)(b >> shift & 0xffff);
        if (x - y > HALF_STEPS || y - x > HALF_STEPS)
            return false;
    }
    return true;
}

struct replay_difference replay_compare_bytes(const uint8_t *a, const uint8_t *b, size_t size)
{
    struct replay_difference difference = {.count = (size + 3) / 4};
    for (size_t at = 0; at < size; at += 4) {
        const size_t part = size - at < 4 ? size - at : 4;
        if (memcmp(a + at, b + at, part) == 0)
            continue;
        difference.different++;
        const bool near = channel_distance(a + at, b + at, part) <= REPLAY_TOLERANCE_CHANNEL ||
                          (part == 4 && (is_near_float(ag_load_u32(a + at), ag_load_u32(b + at)) ||
                                         is_near_halves(ag_load_u32(a + at), ag_load_u32(b + at))));
        difference.far += !near;
    }
    return difference;
}

bool replay_is_tolerated(const struct replay_difference *difference)
{
    return difference->far * REPLAY_TOLERANCE_SHARE <= difference->count;
}
