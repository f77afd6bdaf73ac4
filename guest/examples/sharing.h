/* SPDX-License-Identifier: MIT
 *
 * What producer.c and consumer.c, two programs, know of each other. The producer draws the left half of the
 * consumer's picture into a texture with a keyed mutex, which has a name, and the right half into one whose
 * handle is a number, and counts frames by a fence.
 */
#ifndef AEROGPU_EXAMPLE_SHARING_H
#define AEROGPU_EXAMPLE_SHARING_H

#include "example.h"

#include <d3d11_4.h>

#define SHARING_TEXTURE_NAME L"Local\\AeroGPU example picture"
#define SHARING_WAIT_MS 10000

/* What the producer writes into its output before the first frame. */
struct sharing_handles {
    UINT64 number; /* of IDXGIResource::GetSharedHandle() */
    UINT64 fence;  /* a handle of the consumer */
};

/* Whose turn it is. */
enum { SHARING_PRODUCER = 0, SHARING_CONSUMER = 1 };

#endif
