/* SPDX-License-Identifier: MIT
 *
 * AeroGPU ABI 1.4: escape packets between user-mode tools and the kernel driver.
 *
 * Freestanding C99 and C++. (Spec: ABI 11.2. The numbers 2 to 17 are in escape_debug.h.)
 */
#ifndef AEROGPU_ABI_ESCAPE_H
#define AEROGPU_ABI_ESCAPE_H

#include <stddef.h>
#include <stdint.h>

#include "aerogpu/abi/assert.h"

#define AEROGPU_ESCAPE_VERSION 1u
#define AEROGPU_ESCAPE_OP_QUERY_DEVICE 1u

typedef uint32_t aerogpu_escape_u32;
typedef uint64_t aerogpu_escape_u64;

#pragma pack(push, 1)

typedef struct aerogpu_escape_header {
    uint32_t version; /* 1 */
    uint32_t op;
    uint32_t size; /* whole packet */
    uint32_t reserved0;
} aerogpu_escape_header;

typedef struct aerogpu_escape_query_device_out {
    struct aerogpu_escape_header hdr;
    uint32_t mmio_version; /* the device's ABI version word */
    uint32_t reserved0;
} aerogpu_escape_query_device_out;

#pragma pack(pop)

AEROGPU_ASSERT_SIZE(struct aerogpu_escape_header, 16);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_header, version, 0);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_header, op, 4);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_header, size, 8);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_header, reserved0, 12);
AEROGPU_ASSERT_SIZE(struct aerogpu_escape_query_device_out, 24);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_device_out, hdr, 0);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_device_out, mmio_version, 16);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_device_out, reserved0, 20);

#endif
