/* SPDX-License-Identifier: MIT
 *
 * The tolerance of replays: by how much the results of two drivers may differ before a replay fails.
 */
#ifndef AG_REPLAY_TOLERANCE_H
#define AG_REPLAY_TOLERANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A channel may differ by this much. */
#define REPLAY_TOLERANCE_CHANNEL 3u
/* One pixel or word in this many may differ by anything: edges of triangles and ties are the driver's choice.
 */
#define REPLAY_TOLERANCE_SHARE 200u

/* How two results differ. Elements are pixels of pictures and words of other bytes. */
struct replay_difference {
    uint64_t count;     /* all elements */
    uint64_t different; /* elements that are not the same */
    uint64_t far;       /* elements that differ by more than rounding */
    uint32_t most;      /* the largest difference of a channel; pictures only */
};

/* Compares RGBA8 pictures of the same size. */
struct replay_difference replay_compare_pictures(const uint8_t *a, const uint8_t *b, size_t pixels);

/* Compares bytes of any type. Two words of 32 bits differ by rounding alone when they are close as bytes, as
 * halves or as floats. */
struct replay_difference replay_compare_bytes(const uint8_t *a, const uint8_t *b, size_t size);

bool replay_is_tolerated(const struct replay_difference *difference);

#endif
