/* SPDX-License-Identifier: MIT
 *
 * The bytes of a capture: docs/captures.md. Everything is little-endian.
 */
#ifndef AGPU_CAPTURE_FORMAT_H
#define AGPU_CAPTURE_FORMAT_H

#include <stdint.h>

#define CAPTURE_MAGIC "AGCAP"
#define CAPTURE_MAGIC_BYTES 5u
#define CAPTURE_VERSION 1u
#define CAPTURE_HEADER_BYTES 9u /* magic and version */

#define CAPTURE_FOURCC(a, b, c, d)                                                                           \
    ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)

enum capture_fourcc {
    CAPTURE_INFO = CAPTURE_FOURCC('I', 'N', 'F', 'O'), /* capture_info, text: the device was made */
    CAPTURE_CONF = CAPTURE_FOURCC('C', 'O', 'N', 'F'), /* capture_config: a write to configuration space */
    CAPTURE_MMIO = CAPTURE_FOURCC('M', 'M', 'I', 'O'), /* capture_mmio: a write to BAR0 */
    CAPTURE_BELL = CAPTURE_FOURCC('B', 'E', 'L', 'L'), /* capture_mmio: the same, to the doorbell */
    CAPTURE_VRAM = CAPTURE_FOURCC('V', 'R', 'A', 'M'), /* u64 offset, bytes: a write to BAR1 */
    CAPTURE_TIME = CAPTURE_FOURCC('T', 'I', 'M', 'E'), /* capture_time: the clock went on */
    CAPTURE_SUBM =
        CAPTURE_FOURCC('S', 'U', 'B', 'M'), /* capture_submission: a submission passed the checks */
    CAPTURE_PAGE = CAPTURE_FOURCC('P', 'A', 'G', 'E'), /* capture_access...: guest memory as it was read */
    CAPTURE_WRIT = CAPTURE_FOURCC('W', 'R', 'I', 'T'), /* capture_access...: guest memory as it was written */
    CAPTURE_PRES = CAPTURE_FOURCC('P', 'R', 'E', 'S'), /* capture_present, capture_access: a picture */
    CAPTURE_DONE = CAPTURE_FOURCC('D', 'O', 'N', 'E'), /* capture_done: a submission was executed */
    CAPTURE_FENC = CAPTURE_FOURCC('F', 'E', 'N', 'C'), /* capture_fence: a submission completed */
    CAPTURE_END = CAPTURE_FOURCC('E', 'N', 'D', ' '),  /* capture_end */
};

enum { CAPTURE_COMPRESSED = 1 << 0 }; /* chunk flag: the payload is one zstd frame */

struct capture_chunk {
    uint32_t fourcc, flags;
    uint64_t raw_bytes;    /* of the payload */
    uint64_t stored_bytes; /* of the payload in the file */
    uint64_t hash;         /* XXH3-64 of the 24 bytes before and the stored payload */
};

enum { CAPTURE_INFO_DECODE_OFF = 1 << 0 }; /* memory decoding and bus mastering start off */

struct capture_info {
    uint32_t abi_version;
    uint32_t refresh_millihertz; /* as in the device's options */
    uint32_t flags;
    uint32_t text_bytes;
    uint64_t now_ns;
};

struct capture_config {
    uint32_t offset, size, value, reserved;
};

struct capture_mmio {
    uint64_t offset, value;
    uint32_t size, reserved;
};

struct capture_time {
    uint64_t now_ns;
    uint32_t ticks; /* 1: a vblank is due */
    uint32_t reserved;
};

/* aerogpu_alloc_entry[allocation_count] follow. */
struct capture_submission {
    uint32_t number, context_id, flags, stream_size;
    uint64_t fence;
    uint64_t stream_gpa; /* 0: only a fence */
    uint32_t allocation_count, has_allocation_table;
};

enum capture_access_flag {
    CAPTURE_ACCESS_EXECUTOR = 1 << 0, /* not the device itself */
    CAPTURE_ACCESS_FAILED = 1 << 1,   /* there was no memory; no hash, no bytes */
    CAPTURE_ACCESS_STORED =
        1 << 2, /* `size` bytes follow; otherwise an earlier access with this hash has them */
    CAPTURE_ACCESS_NO_BYTES = 1 << 3, /* nobody needs the bytes: no hash, no bytes */
};

struct capture_access {
    uint64_t gpa; /* 0 in a present */
    uint64_t size;
    uint64_t hash_low, hash_high; /* XXH3-128 of the bytes */
    uint32_t flags, reserved;
};

struct capture_present {
    uint32_t submission, scanout_id, flags, width, height, format;
    uint64_t hash; /* XXH3-64 of the RGBA8 rows */
};

struct capture_done {
    uint32_t submission, error;
};

#define CAPTURE_ANY_ERROR UINT32_MAX /* of a fence: whatever comes is right */

struct capture_fence {
    uint32_t submission, error;
    uint64_t fence;
};

struct capture_end {
    uint64_t chunks; /* before this one */
    uint64_t hash;   /* over their hashes, each joined to what came before */
};

#endif
