/* SPDX-License-Identifier: MIT
 *
 * The bytes of a capture: docs/captures.md. Everything is little-endian.
 */
#ifndef AG_CAPTURE_FORMAT_H
#define AG_CAPTURE_FORMAT_H

#include <stdint.h>

#define AG_CAPTURE_MAGIC "AGCAP"
#define AG_CAPTURE_MAGIC_BYTES 5u
#define AG_CAPTURE_VERSION 1u
#define AG_CAPTURE_HEADER_BYTES 9u /* magic and version */

#define AG_CAPTURE_FOURCC(a, b, c, d)                                                                        \
    ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)

enum ag_capture_fourcc {
    AG_CAPTURE_INFO = AG_CAPTURE_FOURCC('I', 'N', 'F', 'O'), /* ag_capture_info, text: the device was made */
    AG_CAPTURE_CONF =
        AG_CAPTURE_FOURCC('C', 'O', 'N', 'F'), /* ag_capture_config: a write to configuration space */
    AG_CAPTURE_MMIO = AG_CAPTURE_FOURCC('M', 'M', 'I', 'O'), /* ag_capture_mmio: a write to BAR0 */
    AG_CAPTURE_BELL = AG_CAPTURE_FOURCC('B', 'E', 'L', 'L'), /* ag_capture_mmio: a write to the doorbell */
    AG_CAPTURE_VRAM = AG_CAPTURE_FOURCC('V', 'R', 'A', 'M'), /* u64 offset, bytes: a write to BAR1 */
    AG_CAPTURE_TIME = AG_CAPTURE_FOURCC('T', 'I', 'M', 'E'), /* ag_capture_time: the clock went on */
    AG_CAPTURE_SUBM =
        AG_CAPTURE_FOURCC('S', 'U', 'B', 'M'), /* ag_capture_submission: a submission passed the checks */
    AG_CAPTURE_PAGE =
        AG_CAPTURE_FOURCC('P', 'A', 'G', 'E'), /* ag_capture_access...: guest memory as it was read */
    AG_CAPTURE_WRIT =
        AG_CAPTURE_FOURCC('W', 'R', 'I', 'T'), /* ag_capture_access...: guest memory as it was written */
    AG_CAPTURE_PRES =
        AG_CAPTURE_FOURCC('P', 'R', 'E', 'S'), /* ag_capture_present, ag_capture_access: a picture */
    AG_CAPTURE_DONE = AG_CAPTURE_FOURCC('D', 'O', 'N', 'E'), /* ag_capture_done: a submission was executed */
    AG_CAPTURE_FENC = AG_CAPTURE_FOURCC('F', 'E', 'N', 'C'), /* ag_capture_fence: a submission completed */
    AG_CAPTURE_END = AG_CAPTURE_FOURCC('E', 'N', 'D', ' '),  /* ag_capture_end */
};

enum { AG_CAPTURE_COMPRESSED = 1 << 0 }; /* chunk flag: the payload is one zstd frame */

struct ag_capture_chunk {
    uint32_t fourcc, flags;
    uint64_t raw_bytes;    /* of the payload */
    uint64_t stored_bytes; /* of the payload in the file */
    uint64_t hash;         /* XXH3-64 of the 24 bytes before and the stored payload */
};

enum { AG_CAPTURE_INFO_DECODE_OFF = 1 << 0 }; /* memory decoding and bus mastering start off */

struct ag_capture_info {
    uint32_t abi_version;
    uint32_t refresh_millihertz; /* as in the device's options */
    uint32_t flags;
    uint32_t text_bytes;
    uint64_t now_ns;
};

struct ag_capture_config {
    uint32_t offset, size, value, reserved;
};

struct ag_capture_mmio {
    uint64_t offset, value;
    uint32_t size, reserved;
};

struct ag_capture_time {
    uint64_t now_ns;
    uint32_t ticks; /* 1: a vblank is due */
    uint32_t reserved;
};

/* aerogpu_alloc_entry[allocation_count] follow. */
struct ag_capture_submission {
    uint32_t number, context_id, flags, stream_size;
    uint64_t fence;
    uint64_t stream_gpa; /* 0: only a fence */
    uint32_t allocation_count, has_allocation_table;
};

enum ag_capture_access_flag {
    AG_CAPTURE_ACCESS_EXECUTOR = 1 << 0, /* not the device itself */
    AG_CAPTURE_ACCESS_FAILED = 1 << 1,   /* there was no memory; no hash, no bytes */
    AG_CAPTURE_ACCESS_STORED =
        1 << 2, /* `size` bytes follow; otherwise an earlier access with this hash has them */
    AG_CAPTURE_ACCESS_NO_BYTES = 1 << 3, /* nobody needs the bytes: no hash, no bytes */
};

struct ag_capture_access {
    uint64_t gpa; /* 0 in a present */
    uint64_t size;
    uint64_t hash_low, hash_high; /* XXH3-128 of the bytes */
    uint32_t flags, reserved;
};

struct ag_capture_present {
    uint32_t submission, scanout_id, flags, width, height, format;
    uint64_t hash; /* XXH3-64 of the RGBA8 rows */
};

struct ag_capture_done {
    uint32_t submission, error;
};

#define AG_CAPTURE_ANY_ERROR UINT32_MAX /* of a fence: whatever comes is right */

struct ag_capture_fence {
    uint32_t submission, error;
    uint64_t fence;
};

struct ag_capture_end {
    uint64_t chunks; /* before this one */
    uint64_t hash;   /* over their hashes, each joined to what came before */
};

#endif
