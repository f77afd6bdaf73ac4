/* SPDX-License-Identifier: MIT
 *
 * AeroGPU ABI 1.4: escape packets of debugging tools, numbers 2 to 17. They pass between a tool and the
 * kernel driver; the device never sees them.
 *
 * Freestanding C99 and C++. Names, numbers and layouts are those of the guest drivers that there are.
 */
#ifndef AEROGPU_ABI_ESCAPE_DEBUG_H
#define AEROGPU_ABI_ESCAPE_DEBUG_H

#include <stddef.h>
#include <stdint.h>

#include "aerogpu/abi/assert.h"
#include "aerogpu/abi/escape.h"

#define AEROGPU_ESCAPE_OP_QUERY_FENCE 2u
#define AEROGPU_ESCAPE_OP_DUMP_RING 3u
#define AEROGPU_ESCAPE_OP_SELFTEST 4u
#define AEROGPU_ESCAPE_OP_QUERY_VBLANK 5u
#define AEROGPU_ESCAPE_OP_DUMP_VBLANK AEROGPU_ESCAPE_OP_QUERY_VBLANK
#define AEROGPU_ESCAPE_OP_DUMP_RING_V2 6u
#define AEROGPU_ESCAPE_OP_QUERY_DEVICE_V2 7u
#define AEROGPU_ESCAPE_OP_MAP_SHARED_HANDLE 8u
#define AEROGPU_ESCAPE_OP_DUMP_CREATEALLOCATION 9u
#define AEROGPU_ESCAPE_OP_QUERY_SCANOUT 10u
#define AEROGPU_ESCAPE_OP_QUERY_CURSOR 11u
#define AEROGPU_ESCAPE_OP_QUERY_PERF 12u
#define AEROGPU_ESCAPE_OP_READ_GPA 13u
#define AEROGPU_ESCAPE_OP_QUERY_ERROR 14u
#define AEROGPU_ESCAPE_OP_SET_CURSOR_SHAPE 15u
#define AEROGPU_ESCAPE_OP_SET_CURSOR_POSITION 16u
#define AEROGPU_ESCAPE_OP_SET_CURSOR_VISIBILITY 17u

/* Greatest counts of the arrays below. */
#define AEROGPU_DBGCTL_MAX_RECENT_DESCRIPTORS 32u
#define AEROGPU_DBGCTL_MAX_RECENT_ALLOCATIONS 32u
#define AEROGPU_DBGCTL_READ_GPA_MAX_BYTES 4096u

/* Flags of what is asked. The word has meaning only with FLAGS_VALID. */
#define AEROGPU_DBGCTL_QUERY_PERF_FLAGS_VALID (1u << 31)
#define AEROGPU_DBGCTL_QUERY_PERF_FLAG_RING_VALID (1u << 0)
#define AEROGPU_DBGCTL_QUERY_PERF_FLAG_VBLANK_VALID (1u << 1)
#define AEROGPU_DBGCTL_QUERY_PERF_FLAG_GETSCANLINE_COUNTERS_VALID (1u << 2)
#define AEROGPU_DBGCTL_QUERY_VBLANK_FLAGS_VALID (1u << 31)
#define AEROGPU_DBGCTL_QUERY_VBLANK_FLAG_VBLANK_SUPPORTED (1u << 0)
#define AEROGPU_DBGCTL_QUERY_VBLANK_FLAG_INTERRUPT_TYPE_VALID (1u << 1)
#define AEROGPU_DBGCTL_QUERY_SCANOUT_FLAGS_VALID (1u << 31)
#define AEROGPU_DBGCTL_QUERY_SCANOUT_FLAG_CACHED_FB_GPA_VALID (1u << 0)
#define AEROGPU_DBGCTL_QUERY_SCANOUT_FLAG_POST_DISPLAY_OWNERSHIP_RELEASED (1u << 1)
#define AEROGPU_DBGCTL_QUERY_CURSOR_FLAGS_VALID (1u << 31)
#define AEROGPU_DBGCTL_QUERY_CURSOR_FLAG_CURSOR_SUPPORTED (1u << 0)
#define AEROGPU_DBGCTL_QUERY_CURSOR_FLAG_POST_DISPLAY_OWNERSHIP_RELEASED (1u << 1)
#define AEROGPU_DBGCTL_QUERY_ERROR_FLAGS_VALID (1u << 31)
#define AEROGPU_DBGCTL_QUERY_ERROR_FLAG_ERROR_SUPPORTED (1u << 0)
#define AEROGPU_DBGCTL_QUERY_ERROR_FLAG_ERROR_LATCHED (1u << 1)

/* What a self-test ends with. */
enum aerogpu_dbgctl_selftest_error {
    AEROGPU_DBGCTL_SELFTEST_OK = 0,
    AEROGPU_DBGCTL_SELFTEST_ERR_INVALID_STATE = 1,
    AEROGPU_DBGCTL_SELFTEST_ERR_RING_NOT_READY = 2,
    AEROGPU_DBGCTL_SELFTEST_ERR_GPU_BUSY = 3,
    AEROGPU_DBGCTL_SELFTEST_ERR_NO_RESOURCES = 4,
    AEROGPU_DBGCTL_SELFTEST_ERR_TIMEOUT = 5,
    AEROGPU_DBGCTL_SELFTEST_ERR_VBLANK_REGS_OUT_OF_RANGE = 6,
    AEROGPU_DBGCTL_SELFTEST_ERR_VBLANK_SEQ_STUCK = 7,
    AEROGPU_DBGCTL_SELFTEST_ERR_VBLANK_IRQ_REGS_OUT_OF_RANGE = 8,
    AEROGPU_DBGCTL_SELFTEST_ERR_VBLANK_IRQ_NOT_LATCHED = 9,
    AEROGPU_DBGCTL_SELFTEST_ERR_VBLANK_IRQ_NOT_CLEARED = 10,
    AEROGPU_DBGCTL_SELFTEST_ERR_CURSOR_REGS_OUT_OF_RANGE = 11,
    AEROGPU_DBGCTL_SELFTEST_ERR_CURSOR_RW_MISMATCH = 12,
    AEROGPU_DBGCTL_SELFTEST_ERR_VBLANK_IRQ_NOT_DELIVERED = 13,
    AEROGPU_DBGCTL_SELFTEST_ERR_TIME_BUDGET_EXHAUSTED = 14,
};

/* What the descriptors of a ring are. */
enum aerogpu_dbgctl_ring_format {
    AEROGPU_DBGCTL_RING_FORMAT_UNKNOWN = 0,
    AEROGPU_DBGCTL_RING_FORMAT_LEGACY = 1,
    AEROGPU_DBGCTL_RING_FORMAT_AGPU = 2,
};

#if defined(__GNUC__)
#define AEROGPU_ABI_ANONYMOUS __extension__
#else
#define AEROGPU_ABI_ANONYMOUS
#endif

#pragma pack(push, 1)

/* QUERY_DEVICE_V2: the device, and its feature bits. */
typedef struct aerogpu_escape_query_device_v2_out {
    struct aerogpu_escape_header hdr;
    uint32_t detected_mmio_magic;
    uint32_t abi_version_u32;
    uint64_t features_lo;
    uint64_t features_hi;
    uint64_t reserved0;
} aerogpu_escape_query_device_v2_out;

/* QUERY_FENCE: how far the work is. */
typedef struct aerogpu_escape_query_fence_out {
    struct aerogpu_escape_header hdr;
    uint64_t last_submitted_fence;
    uint64_t last_completed_fence;
    uint64_t error_irq_count;
    uint64_t last_error_fence;
} aerogpu_escape_query_fence_out;

/* QUERY_PERF: counters of the kernel driver. */
typedef struct aerogpu_escape_query_perf_out {
    struct aerogpu_escape_header hdr;
    uint64_t last_submitted_fence;
    uint64_t last_completed_fence;
    uint32_t ring0_head;
    uint32_t ring0_tail;
    uint32_t ring0_size_bytes;
    uint32_t ring0_entry_count;
    uint64_t total_submissions;
    uint64_t total_presents;
    uint64_t total_render_submits;
    uint64_t total_internal_submits;
    uint64_t irq_fence_delivered;
    uint64_t irq_vblank_delivered;
    uint64_t irq_spurious;
    uint64_t reset_from_timeout_count;
    uint64_t last_reset_time_100ns;
    uint64_t vblank_seq;
    uint64_t last_vblank_time_ns;
    uint32_t vblank_period_ns;
    uint32_t reserved0;
    uint64_t error_irq_count;
    uint64_t last_error_fence;
    uint64_t ring_push_failures;
    uint64_t selftest_count;
    uint32_t selftest_last_error_code;
    uint32_t flags;
    uint32_t pending_meta_handle_count;
    uint32_t pending_meta_handle_reserved0;
    uint64_t pending_meta_handle_bytes;
    uint64_t get_scanline_cache_hits;
    uint64_t get_scanline_mmio_polls;
    uint64_t contig_pool_hit;
    uint64_t contig_pool_miss;
    uint64_t contig_pool_bytes_saved;
    uint64_t alloc_table_count;
    uint64_t alloc_table_entries;
    uint64_t alloc_table_readonly_entries;
} aerogpu_escape_query_perf_out;

/* A descriptor of the ring, as DUMP_RING shows it. */
typedef struct aerogpu_dbgctl_ring_desc {
    uint64_t signal_fence;
    uint64_t cmd_gpa;
    uint32_t cmd_size_bytes;
    uint32_t flags;
} aerogpu_dbgctl_ring_desc;

/* DUMP_RING. */
typedef struct aerogpu_escape_dump_ring_inout {
    struct aerogpu_escape_header hdr;
    uint32_t ring_id;
    uint32_t ring_size_bytes;
    uint32_t head;
    uint32_t tail;
    uint32_t desc_count;
    uint32_t desc_capacity;
    struct aerogpu_dbgctl_ring_desc desc[AEROGPU_DBGCTL_MAX_RECENT_DESCRIPTORS];
} aerogpu_escape_dump_ring_inout;

/* A descriptor of the ring, as DUMP_RING_V2 shows it. */
typedef struct aerogpu_dbgctl_ring_desc_v2 {
    uint64_t fence;
    uint64_t cmd_gpa;
    uint32_t cmd_size_bytes;
    uint32_t flags;
    uint64_t alloc_table_gpa;
    uint32_t alloc_table_size_bytes;
    uint32_t reserved0;
} aerogpu_dbgctl_ring_desc_v2;

/* DUMP_RING_V2; `ring_format` is enum aerogpu_dbgctl_ring_format. */
typedef struct aerogpu_escape_dump_ring_v2_inout {
    struct aerogpu_escape_header hdr;
    uint32_t ring_id;
    uint32_t ring_format;
    uint32_t ring_size_bytes;
    uint32_t head;
    uint32_t tail;
    uint32_t desc_count;
    uint32_t desc_capacity;
    uint32_t reserved0;
    uint32_t reserved1;
    struct aerogpu_dbgctl_ring_desc_v2 desc[AEROGPU_DBGCTL_MAX_RECENT_DESCRIPTORS];
} aerogpu_escape_dump_ring_v2_inout;

/* SELFTEST; `error_code` is enum aerogpu_dbgctl_selftest_error. */
typedef struct aerogpu_escape_selftest_inout {
    struct aerogpu_escape_header hdr;
    uint32_t timeout_ms;
    uint32_t passed;
    uint32_t error_code;
    uint32_t reserved0;
} aerogpu_escape_selftest_inout;

/* QUERY_VBLANK. */
typedef struct aerogpu_escape_query_vblank_out {
    struct aerogpu_escape_header hdr;
    uint32_t vidpn_source_id;
    uint32_t irq_enable;
    uint32_t irq_status;
    uint32_t flags;
    uint64_t vblank_seq;
    uint64_t last_vblank_time_ns;
    uint32_t vblank_period_ns;
    uint32_t vblank_interrupt_type;
} aerogpu_escape_query_vblank_out;

/* QUERY_SCANOUT: what the kernel driver remembers beside what the registers say. */
typedef struct aerogpu_escape_query_scanout_out {
    struct aerogpu_escape_header hdr;
    uint32_t vidpn_source_id;
    uint32_t reserved0;
    uint32_t cached_enable;
    uint32_t cached_width;
    uint32_t cached_height;
    uint32_t cached_format;
    uint32_t cached_pitch_bytes;
    uint32_t mmio_enable;
    uint32_t mmio_width;
    uint32_t mmio_height;
    uint32_t mmio_format;
    uint32_t mmio_pitch_bytes;
    uint64_t mmio_fb_gpa;
} aerogpu_escape_query_scanout_out;

/* QUERY_SCANOUT with room for the address that the kernel driver remembers. */
typedef struct aerogpu_escape_query_scanout_out_v2 {
    struct aerogpu_escape_query_scanout_out base;
    uint64_t cached_fb_gpa;
} aerogpu_escape_query_scanout_out_v2;

/* QUERY_CURSOR: the cursor registers. */
typedef struct aerogpu_escape_query_cursor_out {
    struct aerogpu_escape_header hdr;
    uint32_t flags;
    uint32_t reserved0;
    uint32_t enable;
    uint32_t x;
    uint32_t y;
    uint32_t hot_x;
    uint32_t hot_y;
    uint32_t width;
    uint32_t height;
    uint32_t format;
    uint64_t fb_gpa;
    uint32_t pitch_bytes;
    uint32_t reserved1;
} aerogpu_escape_query_cursor_out;

/* QUERY_ERROR: the error registers. */
typedef struct aerogpu_escape_query_error_out {
    struct aerogpu_escape_header hdr;
    uint32_t flags;
    uint32_t error_code;
    uint64_t error_fence;
    uint32_t error_count;
    uint32_t reserved0;
} aerogpu_escape_query_error_out;

/* READ_GPA: bytes of guest memory; `status` is an NTSTATUS. */
typedef struct aerogpu_escape_read_gpa_inout {
    struct aerogpu_escape_header hdr;
    uint64_t gpa;
    uint32_t size_bytes;
    uint32_t reserved0;
    uint32_t status;
    uint32_t bytes_copied;
    uint8_t data[AEROGPU_DBGCTL_READ_GPA_MAX_BYTES];
} aerogpu_escape_read_gpa_inout;

/* SET_CURSOR_POSITION; both signed. */
typedef struct aerogpu_escape_set_cursor_position_in {
    struct aerogpu_escape_header hdr;
    uint32_t x;
    uint32_t y;
} aerogpu_escape_set_cursor_position_in;

/* SET_CURSOR_VISIBILITY. */
typedef struct aerogpu_escape_set_cursor_visibility_in {
    struct aerogpu_escape_header hdr;
    uint32_t visible;
    uint32_t reserved0;
} aerogpu_escape_set_cursor_visibility_in;

/* SET_CURSOR_SHAPE; height * pitch_bytes bytes of pixels. */
typedef struct aerogpu_escape_set_cursor_shape_in {
    struct aerogpu_escape_header hdr;
    uint32_t width;
    uint32_t height;
    uint32_t hot_x;
    uint32_t hot_y;
    uint32_t pitch_bytes;
    uint32_t format;
    uint32_t reserved0;
    uint32_t reserved1;
    uint8_t pixels[1];
} aerogpu_escape_set_cursor_shape_in;

/* One allocation that was made, as DUMP_CREATEALLOCATION shows it. */
typedef struct aerogpu_dbgctl_createallocation_desc {
    uint32_t seq;
    uint32_t call_seq;
    uint32_t alloc_index;
    uint32_t num_allocations;
    uint32_t create_flags;
    uint32_t alloc_id;
    uint32_t priv_flags;
    uint32_t pitch_bytes;
    uint64_t share_token;
    uint64_t size_bytes;
    uint32_t flags_in;
    uint32_t flags_out;
} aerogpu_dbgctl_createallocation_desc;

/* DUMP_CREATEALLOCATION: a ring of the newest allocations. */
typedef struct aerogpu_escape_dump_createallocation_inout {
    struct aerogpu_escape_header hdr;
    uint32_t write_index;
    uint32_t entry_count;
    uint32_t entry_capacity;
    uint32_t reserved0;
    struct aerogpu_dbgctl_createallocation_desc entries[AEROGPU_DBGCTL_MAX_RECENT_ALLOCATIONS];
} aerogpu_escape_dump_createallocation_inout;

/* MAP_SHARED_HANDLE: a number for a handle of another process. */
typedef struct aerogpu_escape_map_shared_handle_inout {
    struct aerogpu_escape_header hdr;
    uint64_t shared_handle;
    AEROGPU_ABI_ANONYMOUS union {
        uint32_t debug_token;
        uint32_t share_token;
    };
    uint32_t reserved0;
} aerogpu_escape_map_shared_handle_inout;

#pragma pack(pop)

typedef aerogpu_escape_query_vblank_out aerogpu_escape_dump_vblank_inout;

AEROGPU_ASSERT_SIZE(struct aerogpu_escape_query_device_v2_out, 48);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_device_v2_out, hdr, 0);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_device_v2_out, detected_mmio_magic, 16);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_device_v2_out, abi_version_u32, 20);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_device_v2_out, features_lo, 24);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_device_v2_out, features_hi, 32);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_device_v2_out, reserved0, 40);
AEROGPU_ASSERT_SIZE(struct aerogpu_escape_query_fence_out, 48);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_fence_out, hdr, 0);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_fence_out, last_submitted_fence, 16);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_fence_out, last_completed_fence, 24);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_fence_out, error_irq_count, 32);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_fence_out, last_error_fence, 40);
AEROGPU_ASSERT_SIZE(struct aerogpu_escape_query_perf_out, 264);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_perf_out, hdr, 0);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_perf_out, last_submitted_fence, 16);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_perf_out, last_completed_fence, 24);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_perf_out, ring0_head, 32);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_perf_out, ring0_tail, 36);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_perf_out, ring0_size_bytes, 40);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_perf_out, ring0_entry_count, 44);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_perf_out, total_submissions, 48);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_perf_out, total_presents, 56);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_perf_out, total_render_submits, 64);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_perf_out, total_internal_submits, 72);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_perf_out, irq_fence_delivered, 80);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_perf_out, irq_vblank_delivered, 88);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_perf_out, irq_spurious, 96);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_perf_out, reset_from_timeout_count, 104);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_perf_out, last_reset_time_100ns, 112);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_perf_out, vblank_seq, 120);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_perf_out, last_vblank_time_ns, 128);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_perf_out, vblank_period_ns, 136);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_perf_out, reserved0, 140);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_perf_out, error_irq_count, 144);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_perf_out, last_error_fence, 152);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_perf_out, ring_push_failures, 160);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_perf_out, selftest_count, 168);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_perf_out, selftest_last_error_code, 176);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_perf_out, flags, 180);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_perf_out, pending_meta_handle_count, 184);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_perf_out, pending_meta_handle_reserved0, 188);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_perf_out, pending_meta_handle_bytes, 192);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_perf_out, get_scanline_cache_hits, 200);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_perf_out, get_scanline_mmio_polls, 208);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_perf_out, contig_pool_hit, 216);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_perf_out, contig_pool_miss, 224);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_perf_out, contig_pool_bytes_saved, 232);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_perf_out, alloc_table_count, 240);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_perf_out, alloc_table_entries, 248);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_perf_out, alloc_table_readonly_entries, 256);
AEROGPU_ASSERT_SIZE(struct aerogpu_dbgctl_ring_desc, 24);
AEROGPU_ASSERT_OFFSET(struct aerogpu_dbgctl_ring_desc, signal_fence, 0);
AEROGPU_ASSERT_OFFSET(struct aerogpu_dbgctl_ring_desc, cmd_gpa, 8);
AEROGPU_ASSERT_OFFSET(struct aerogpu_dbgctl_ring_desc, cmd_size_bytes, 16);
AEROGPU_ASSERT_OFFSET(struct aerogpu_dbgctl_ring_desc, flags, 20);
AEROGPU_ASSERT_SIZE(struct aerogpu_escape_dump_ring_inout, 808);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_dump_ring_inout, hdr, 0);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_dump_ring_inout, ring_id, 16);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_dump_ring_inout, ring_size_bytes, 20);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_dump_ring_inout, head, 24);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_dump_ring_inout, tail, 28);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_dump_ring_inout, desc_count, 32);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_dump_ring_inout, desc_capacity, 36);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_dump_ring_inout, desc, 40);
AEROGPU_ASSERT_SIZE(struct aerogpu_dbgctl_ring_desc_v2, 40);
AEROGPU_ASSERT_OFFSET(struct aerogpu_dbgctl_ring_desc_v2, fence, 0);
AEROGPU_ASSERT_OFFSET(struct aerogpu_dbgctl_ring_desc_v2, cmd_gpa, 8);
AEROGPU_ASSERT_OFFSET(struct aerogpu_dbgctl_ring_desc_v2, cmd_size_bytes, 16);
AEROGPU_ASSERT_OFFSET(struct aerogpu_dbgctl_ring_desc_v2, flags, 20);
AEROGPU_ASSERT_OFFSET(struct aerogpu_dbgctl_ring_desc_v2, alloc_table_gpa, 24);
AEROGPU_ASSERT_OFFSET(struct aerogpu_dbgctl_ring_desc_v2, alloc_table_size_bytes, 32);
AEROGPU_ASSERT_OFFSET(struct aerogpu_dbgctl_ring_desc_v2, reserved0, 36);
AEROGPU_ASSERT_SIZE(struct aerogpu_escape_dump_ring_v2_inout, 1332);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_dump_ring_v2_inout, hdr, 0);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_dump_ring_v2_inout, ring_id, 16);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_dump_ring_v2_inout, ring_format, 20);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_dump_ring_v2_inout, ring_size_bytes, 24);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_dump_ring_v2_inout, head, 28);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_dump_ring_v2_inout, tail, 32);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_dump_ring_v2_inout, desc_count, 36);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_dump_ring_v2_inout, desc_capacity, 40);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_dump_ring_v2_inout, reserved0, 44);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_dump_ring_v2_inout, reserved1, 48);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_dump_ring_v2_inout, desc, 52);
AEROGPU_ASSERT_SIZE(struct aerogpu_escape_selftest_inout, 32);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_selftest_inout, hdr, 0);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_selftest_inout, timeout_ms, 16);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_selftest_inout, passed, 20);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_selftest_inout, error_code, 24);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_selftest_inout, reserved0, 28);
AEROGPU_ASSERT_SIZE(struct aerogpu_escape_query_vblank_out, 56);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_vblank_out, hdr, 0);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_vblank_out, vidpn_source_id, 16);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_vblank_out, irq_enable, 20);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_vblank_out, irq_status, 24);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_vblank_out, flags, 28);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_vblank_out, vblank_seq, 32);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_vblank_out, last_vblank_time_ns, 40);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_vblank_out, vblank_period_ns, 48);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_vblank_out, vblank_interrupt_type, 52);
AEROGPU_ASSERT_SIZE(struct aerogpu_escape_query_scanout_out, 72);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_scanout_out, hdr, 0);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_scanout_out, vidpn_source_id, 16);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_scanout_out, reserved0, 20);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_scanout_out, cached_enable, 24);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_scanout_out, cached_width, 28);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_scanout_out, cached_height, 32);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_scanout_out, cached_format, 36);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_scanout_out, cached_pitch_bytes, 40);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_scanout_out, mmio_enable, 44);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_scanout_out, mmio_width, 48);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_scanout_out, mmio_height, 52);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_scanout_out, mmio_format, 56);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_scanout_out, mmio_pitch_bytes, 60);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_scanout_out, mmio_fb_gpa, 64);
AEROGPU_ASSERT_SIZE(struct aerogpu_escape_query_scanout_out_v2, 80);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_scanout_out_v2, base, 0);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_scanout_out_v2, cached_fb_gpa, 72);
AEROGPU_ASSERT_SIZE(struct aerogpu_escape_query_cursor_out, 72);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_cursor_out, hdr, 0);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_cursor_out, flags, 16);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_cursor_out, reserved0, 20);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_cursor_out, enable, 24);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_cursor_out, x, 28);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_cursor_out, y, 32);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_cursor_out, hot_x, 36);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_cursor_out, hot_y, 40);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_cursor_out, width, 44);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_cursor_out, height, 48);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_cursor_out, format, 52);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_cursor_out, fb_gpa, 56);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_cursor_out, pitch_bytes, 64);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_cursor_out, reserved1, 68);
AEROGPU_ASSERT_SIZE(struct aerogpu_escape_query_error_out, 40);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_error_out, hdr, 0);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_error_out, flags, 16);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_error_out, error_code, 20);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_error_out, error_fence, 24);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_error_out, error_count, 32);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_query_error_out, reserved0, 36);
AEROGPU_ASSERT_SIZE(struct aerogpu_escape_read_gpa_inout, 4136);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_read_gpa_inout, hdr, 0);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_read_gpa_inout, gpa, 16);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_read_gpa_inout, size_bytes, 24);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_read_gpa_inout, reserved0, 28);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_read_gpa_inout, status, 32);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_read_gpa_inout, bytes_copied, 36);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_read_gpa_inout, data, 40);
AEROGPU_ASSERT_SIZE(struct aerogpu_escape_set_cursor_position_in, 24);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_set_cursor_position_in, hdr, 0);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_set_cursor_position_in, x, 16);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_set_cursor_position_in, y, 20);
AEROGPU_ASSERT_SIZE(struct aerogpu_escape_set_cursor_visibility_in, 24);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_set_cursor_visibility_in, hdr, 0);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_set_cursor_visibility_in, visible, 16);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_set_cursor_visibility_in, reserved0, 20);
AEROGPU_ASSERT_SIZE(struct aerogpu_escape_set_cursor_shape_in, 49);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_set_cursor_shape_in, hdr, 0);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_set_cursor_shape_in, width, 16);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_set_cursor_shape_in, height, 20);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_set_cursor_shape_in, hot_x, 24);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_set_cursor_shape_in, hot_y, 28);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_set_cursor_shape_in, pitch_bytes, 32);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_set_cursor_shape_in, format, 36);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_set_cursor_shape_in, reserved0, 40);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_set_cursor_shape_in, reserved1, 44);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_set_cursor_shape_in, pixels, 48);
AEROGPU_ASSERT_SIZE(struct aerogpu_dbgctl_createallocation_desc, 56);
AEROGPU_ASSERT_OFFSET(struct aerogpu_dbgctl_createallocation_desc, seq, 0);
AEROGPU_ASSERT_OFFSET(struct aerogpu_dbgctl_createallocation_desc, call_seq, 4);
AEROGPU_ASSERT_OFFSET(struct aerogpu_dbgctl_createallocation_desc, alloc_index, 8);
AEROGPU_ASSERT_OFFSET(struct aerogpu_dbgctl_createallocation_desc, num_allocations, 12);
AEROGPU_ASSERT_OFFSET(struct aerogpu_dbgctl_createallocation_desc, create_flags, 16);
AEROGPU_ASSERT_OFFSET(struct aerogpu_dbgctl_createallocation_desc, alloc_id, 20);
AEROGPU_ASSERT_OFFSET(struct aerogpu_dbgctl_createallocation_desc, priv_flags, 24);
AEROGPU_ASSERT_OFFSET(struct aerogpu_dbgctl_createallocation_desc, pitch_bytes, 28);
AEROGPU_ASSERT_OFFSET(struct aerogpu_dbgctl_createallocation_desc, share_token, 32);
AEROGPU_ASSERT_OFFSET(struct aerogpu_dbgctl_createallocation_desc, size_bytes, 40);
AEROGPU_ASSERT_OFFSET(struct aerogpu_dbgctl_createallocation_desc, flags_in, 48);
AEROGPU_ASSERT_OFFSET(struct aerogpu_dbgctl_createallocation_desc, flags_out, 52);
AEROGPU_ASSERT_SIZE(struct aerogpu_escape_dump_createallocation_inout, 1824);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_dump_createallocation_inout, hdr, 0);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_dump_createallocation_inout, write_index, 16);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_dump_createallocation_inout, entry_count, 20);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_dump_createallocation_inout, entry_capacity, 24);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_dump_createallocation_inout, reserved0, 28);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_dump_createallocation_inout, entries, 32);
AEROGPU_ASSERT_SIZE(struct aerogpu_escape_map_shared_handle_inout, 32);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_map_shared_handle_inout, hdr, 0);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_map_shared_handle_inout, shared_handle, 16);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_map_shared_handle_inout, debug_token, 24);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_map_shared_handle_inout, share_token, 24);
AEROGPU_ASSERT_OFFSET(struct aerogpu_escape_map_shared_handle_inout, reserved0, 28);

#endif
