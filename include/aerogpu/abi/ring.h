/* SPDX-License-Identifier: MIT
 *
 * AeroGPU ABI 1.4: the ring, submission descriptors, the allocation table and the fence page.
 *
 * Freestanding C99 and C++. All structures are byte-packed and little-endian. Producers write 0 to every
 * `reserved*` field, consumers ignore them. (Spec: ABI section 4.)
 */
#ifndef AEROGPU_ABI_RING_H
#define AEROGPU_ABI_RING_H

#include <stddef.h>
#include <stdint.h>

#include "aerogpu/abi/assert.h"

#define AEROGPU_RING_MAGIC 0x474E5241u        /* "ARNG" */
#define AEROGPU_ALLOC_TABLE_MAGIC 0x434F4C41u /* "ALOC" */
#define AEROGPU_FENCE_PAGE_MAGIC 0x434E4546u  /* "FENC" */

enum aerogpu_submit_flags {
    AEROGPU_SUBMIT_FLAG_NONE = 0,
    AEROGPU_SUBMIT_FLAG_PRESENT = 1 << 0, /* the submission contains a present packet */
    AEROGPU_SUBMIT_FLAG_NO_IRQ = 1 << 1,  /* complete the fence without raising IRQ_FENCE */
};

enum aerogpu_engine_id {
    AEROGPU_ENGINE_0 = 0, /* only engine */
};

enum aerogpu_alloc_flags {
    AEROGPU_ALLOC_FLAG_NONE = 0,
    AEROGPU_ALLOC_FLAG_READONLY = 1 << 0, /* host must never write this allocation */
};

#pragma pack(push, 1)

/* At RING_GPA. Slot i is a submit_desc at 64 + i * entry_stride_bytes. `head` and `tail` run freely, modulo
 * 2^32: the slot is counter % entry_count, pending work is tail - head. */
struct aerogpu_ring_header {
    uint32_t magic;              /* AEROGPU_RING_MAGIC */
    uint32_t abi_version;        /* writer's ABI version */
    uint32_t size_bytes;         /* bytes the ring layout occupies, header included */
    uint32_t entry_count;        /* number of slots, a power of two */
    uint32_t entry_stride_bytes; /* distance between slots, at least 64 */
    uint32_t flags;              /* none defined, write 0 */
    volatile uint32_t head;      /* owned by the device */
    volatile uint32_t tail;      /* owned by the driver */
    uint32_t reserved0;
    uint32_t reserved1;
    uint64_t reserved2[3];
};

/* One submission. A descriptor without a command buffer only signals its fence. */
struct aerogpu_submit_desc {
    uint32_t desc_size_bytes; /* at least 64, at most the slot stride; later minors may append */
    uint32_t flags;           /* submit flags */
    uint32_t context_id;      /* driver-defined, 0 = default or unknown */
    uint32_t engine_id;       /* 0 */
    uint64_t cmd_gpa;         /* command buffer address */
    uint32_t cmd_size_bytes;  /* command buffer bytes */
    uint32_t cmd_reserved0;
    uint64_t alloc_table_gpa;        /* 0 = no table */
    uint32_t alloc_table_size_bytes; /* 0 = no table */
    uint32_t alloc_table_reserved0;
    uint64_t signal_fence; /* value to reach when the submission is done */
    uint64_t reserved0;
};

/* A map from allocation ids to guest memory, valid for one submission. Entry i is at 24 + i *
 * entry_stride_bytes; readers step by the stride. */
struct aerogpu_alloc_table_header {
    uint32_t magic;       /* AEROGPU_ALLOC_TABLE_MAGIC */
    uint32_t abi_version; /* writer's ABI version */
    uint32_t size_bytes;  /* header plus all entries */
    uint32_t entry_count;
    uint32_t entry_stride_bytes; /* at least 32 */
    uint32_t reserved0;
};

struct aerogpu_alloc_entry {
    uint32_t alloc_id;   /* key, never 0 */
    uint32_t flags;      /* alloc flags */
    uint64_t gpa;        /* guest-physical base; 0 is a legal address here */
    uint64_t size_bytes; /* never 0 */
    uint64_t reserved0;
};

/* At FENCE_GPA, in a page of its own. The device writes the first 16 bytes. */
struct aerogpu_fence_page {
    uint32_t magic; /* AEROGPU_FENCE_PAGE_MAGIC */
    uint32_t abi_version;
    volatile uint64_t completed_fence; /* latest completed fence */
    uint64_t reserved0[5];
};

#pragma pack(pop)

AEROGPU_ASSERT_SIZE(struct aerogpu_ring_header, 64);
AEROGPU_ASSERT_OFFSET(struct aerogpu_ring_header, magic, 0);
AEROGPU_ASSERT_OFFSET(struct aerogpu_ring_header, abi_version, 4);
AEROGPU_ASSERT_OFFSET(struct aerogpu_ring_header, size_bytes, 8);
AEROGPU_ASSERT_OFFSET(struct aerogpu_ring_header, entry_count, 12);
AEROGPU_ASSERT_OFFSET(struct aerogpu_ring_header, entry_stride_bytes, 16);
AEROGPU_ASSERT_OFFSET(struct aerogpu_ring_header, flags, 20);
AEROGPU_ASSERT_OFFSET(struct aerogpu_ring_header, head, 24);
AEROGPU_ASSERT_OFFSET(struct aerogpu_ring_header, tail, 28);
AEROGPU_ASSERT_OFFSET(struct aerogpu_ring_header, reserved0, 32);
AEROGPU_ASSERT_OFFSET(struct aerogpu_ring_header, reserved1, 36);
AEROGPU_ASSERT_OFFSET(struct aerogpu_ring_header, reserved2, 40);
AEROGPU_ASSERT_SIZE(struct aerogpu_submit_desc, 64);
AEROGPU_ASSERT_OFFSET(struct aerogpu_submit_desc, desc_size_bytes, 0);
AEROGPU_ASSERT_OFFSET(struct aerogpu_submit_desc, flags, 4);
AEROGPU_ASSERT_OFFSET(struct aerogpu_submit_desc, context_id, 8);
AEROGPU_ASSERT_OFFSET(struct aerogpu_submit_desc, engine_id, 12);
AEROGPU_ASSERT_OFFSET(struct aerogpu_submit_desc, cmd_gpa, 16);
AEROGPU_ASSERT_OFFSET(struct aerogpu_submit_desc, cmd_size_bytes, 24);
AEROGPU_ASSERT_OFFSET(struct aerogpu_submit_desc, cmd_reserved0, 28);
AEROGPU_ASSERT_OFFSET(struct aerogpu_submit_desc, alloc_table_gpa, 32);
AEROGPU_ASSERT_OFFSET(struct aerogpu_submit_desc, alloc_table_size_bytes, 40);
AEROGPU_ASSERT_OFFSET(struct aerogpu_submit_desc, alloc_table_reserved0, 44);
AEROGPU_ASSERT_OFFSET(struct aerogpu_submit_desc, signal_fence, 48);
AEROGPU_ASSERT_OFFSET(struct aerogpu_submit_desc, reserved0, 56);
AEROGPU_ASSERT_SIZE(struct aerogpu_alloc_table_header, 24);
AEROGPU_ASSERT_OFFSET(struct aerogpu_alloc_table_header, magic, 0);
AEROGPU_ASSERT_OFFSET(struct aerogpu_alloc_table_header, abi_version, 4);
AEROGPU_ASSERT_OFFSET(struct aerogpu_alloc_table_header, size_bytes, 8);
AEROGPU_ASSERT_OFFSET(struct aerogpu_alloc_table_header, entry_count, 12);
AEROGPU_ASSERT_OFFSET(struct aerogpu_alloc_table_header, entry_stride_bytes, 16);
AEROGPU_ASSERT_OFFSET(struct aerogpu_alloc_table_header, reserved0, 20);
AEROGPU_ASSERT_SIZE(struct aerogpu_alloc_entry, 32);
AEROGPU_ASSERT_OFFSET(struct aerogpu_alloc_entry, alloc_id, 0);
AEROGPU_ASSERT_OFFSET(struct aerogpu_alloc_entry, flags, 4);
AEROGPU_ASSERT_OFFSET(struct aerogpu_alloc_entry, gpa, 8);
AEROGPU_ASSERT_OFFSET(struct aerogpu_alloc_entry, size_bytes, 16);
AEROGPU_ASSERT_OFFSET(struct aerogpu_alloc_entry, reserved0, 24);
AEROGPU_ASSERT_SIZE(struct aerogpu_fence_page, 56);
AEROGPU_ASSERT_OFFSET(struct aerogpu_fence_page, magic, 0);
AEROGPU_ASSERT_OFFSET(struct aerogpu_fence_page, abi_version, 4);
AEROGPU_ASSERT_OFFSET(struct aerogpu_fence_page, completed_fence, 8);
AEROGPU_ASSERT_OFFSET(struct aerogpu_fence_page, reserved0, 16);

#endif
