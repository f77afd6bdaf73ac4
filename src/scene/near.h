/* SPDX-License-Identifier: MIT
 *
 * Whether two drivers gave the same result, as far as Direct3D lets them differ.
 */
#ifndef AG_SCENE_NEAR_H
#define AG_SCENE_NEAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SCENE_NEAR_CHANNEL 3u /* a channel may differ by this */
#define SCENE_NEAR_SHARE 200u /* and one pixel or word in this many by anything: edges, ties */

struct scene_distance {
    uint64_t count, different; /* pixels or words: all, and those that are not the same */
    uint64_t far;              /* those that differ by more than rounding */
    uint32_t most;             /* largest difference of a channel; pictures only */
};

/* RGBA8 pictures of the same size. */
struct scene_distance scene_picture_distance(const uint8_t *a, const uint8_t *b, size_t pixels);

/* Bytes of any type: words of 32 bits are near when they are near as bytes, halves or floats. */
struct scene_distance scene_bytes_distance(const uint8_t *a, const uint8_t *b, size_t size);

bool scene_is_near(const struct scene_distance *distance);

#endif
