/* SPDX-License-Identifier: MIT
 *
 * AeroGPU ABI 1.4: private data that the Windows drivers exchange among themselves. The device never sees it.
 *
 * Freestanding C99 and C++. (Spec: ABI 11.3 and, for allocation ids, 4.7.)
 */
#ifndef AEROGPU_ABI_WDDM_H
#define AEROGPU_ABI_WDDM_H

#include <stddef.h>
#include <stdint.h>

#include "aerogpu/abi/assert.h"

#define AEROGPU_UMD_PRIVATE_VERSION_1 1u

enum aerogpu_umd_private_flags {
    AEROGPU_UMD_PRIVATE_FLAG_LEGACY = 1 << 0,
    AEROGPU_UMD_PRIVATE_FLAG_HAS_VBLANK = 1 << 1,
    AEROGPU_UMD_PRIVATE_FLAG_FENCE_PAGE = 1 << 2,
};

#define AEROGPU_WDDM_ALLOC_PRIV_MAGIC 0x414C4C4Fu /* "OLLA" */
#define AEROGPU_WDDM_ALLOC_PRIV_VERSION_1 1u
#define AEROGPU_WDDM_ALLOC_PRIV_VERSION_2 2u

/* Allocation ids: 0 is none, up to this value they are the user-mode driver's, above the kernel driver's. */
#define AEROGPU_WDDM_ALLOC_ID_UMD_MAX 0x7FFFFFFFu

enum aerogpu_wddm_alloc_flags {
    AEROGPU_WDDM_ALLOC_FLAG_SHARED = 1 << 0,
    AEROGPU_WDDM_ALLOC_FLAG_CPU_VISIBLE = 1 << 1,
    AEROGPU_WDDM_ALLOC_FLAG_STAGING = 1 << 2,
};

enum aerogpu_wddm_alloc_kind {
    AEROGPU_WDDM_ALLOC_KIND_UNKNOWN = 0,
    AEROGPU_WDDM_ALLOC_KIND_BUFFER = 1,
    AEROGPU_WDDM_ALLOC_KIND_TEXTURE2D = 2,
};

/* aerogpu_wddm_alloc_priv.reserved0: with this bit it describes a surface (bits 0-31 the format, 32-47 the
 * width, 48-62 the height), without it bits 0-31 are the row pitch or 0. */
#define AEROGPU_WDDM_ALLOC_PRIV_DESC_BIT (UINT64_C(1) << 63)

enum aerogpu_win7_dma_type {
    AEROGPU_WIN7_DMA_RENDER = 1,
    AEROGPU_WIN7_DMA_PRESENT = 2,
    AEROGPU_WIN7_DMA_PAGING = 3,
};

#pragma pack(push, 1)

/* What the kernel driver tells the user-mode driver about the adapter. */
struct aerogpu_umd_private_v1 {
    uint32_t size_bytes;             /* at least 64 */
    uint32_t struct_version;         /* 1 */
    uint32_t device_mmio_magic;      /* MAGIC register */
    uint32_t device_abi_version_u32; /* ABI_VERSION register */
    uint32_t reserved0;
    uint64_t device_features; /* feature bits */
    uint32_t flags;           /* enum aerogpu_umd_private_flags */
    uint32_t reserved1;
    uint32_t reserved2;
    uint64_t reserved3[3];
};

/* Private data of an allocation, version 1. */
struct aerogpu_wddm_alloc_priv {
    uint32_t magic;   /* AEROGPU_WDDM_ALLOC_PRIV_MAGIC */
    uint32_t version; /* 1 */
    uint32_t alloc_id;
    uint32_t flags;       /* enum aerogpu_wddm_alloc_flags */
    uint64_t share_token; /* non-zero only when shared; made by the kernel driver */
    uint64_t size_bytes;
    uint64_t reserved0; /* see AEROGPU_WDDM_ALLOC_PRIV_DESC_BIT */
};

/* Private data of an allocation, version 2: version 1 and a description. */
struct aerogpu_wddm_alloc_priv_v2 {
    uint32_t magic;   /* AEROGPU_WDDM_ALLOC_PRIV_MAGIC */
    uint32_t version; /* 2 */
    uint32_t alloc_id;
    uint32_t flags;
    uint64_t share_token;
    uint64_t size_bytes;
    uint64_t reserved0; /* as in version 1 */
    uint32_t kind;      /* enum aerogpu_wddm_alloc_kind */
    uint32_t width;
    uint32_t height;
    uint32_t format; /* DXGI number */
    uint32_t row_pitch_bytes;
    uint32_t reserved1;
};

/* Private data of a DMA buffer on Windows 7. */
struct aerogpu_win7_dma_private {
    uint32_t type; /* enum aerogpu_win7_dma_type */
    uint32_t context_id;
    uint64_t metadata_handle; /* names the kernel driver's own record */
};

#pragma pack(pop)

AEROGPU_ASSERT_SIZE(struct aerogpu_umd_private_v1, 64);
AEROGPU_ASSERT_OFFSET(struct aerogpu_umd_private_v1, size_bytes, 0);
AEROGPU_ASSERT_OFFSET(struct aerogpu_umd_private_v1, struct_version, 4);
AEROGPU_ASSERT_OFFSET(struct aerogpu_umd_private_v1, device_mmio_magic, 8);
AEROGPU_ASSERT_OFFSET(struct aerogpu_umd_private_v1, device_abi_version_u32, 12);
AEROGPU_ASSERT_OFFSET(struct aerogpu_umd_private_v1, reserved0, 16);
AEROGPU_ASSERT_OFFSET(struct aerogpu_umd_private_v1, device_features, 20);
AEROGPU_ASSERT_OFFSET(struct aerogpu_umd_private_v1, flags, 28);
AEROGPU_ASSERT_OFFSET(struct aerogpu_umd_private_v1, reserved1, 32);
AEROGPU_ASSERT_OFFSET(struct aerogpu_umd_private_v1, reserved2, 36);
AEROGPU_ASSERT_OFFSET(struct aerogpu_umd_private_v1, reserved3, 40);
AEROGPU_ASSERT_SIZE(struct aerogpu_wddm_alloc_priv, 40);
AEROGPU_ASSERT_OFFSET(struct aerogpu_wddm_alloc_priv, magic, 0);
AEROGPU_ASSERT_OFFSET(struct aerogpu_wddm_alloc_priv, version, 4);
AEROGPU_ASSERT_OFFSET(struct aerogpu_wddm_alloc_priv, alloc_id, 8);
AEROGPU_ASSERT_OFFSET(struct aerogpu_wddm_alloc_priv, flags, 12);
AEROGPU_ASSERT_OFFSET(struct aerogpu_wddm_alloc_priv, share_token, 16);
AEROGPU_ASSERT_OFFSET(struct aerogpu_wddm_alloc_priv, size_bytes, 24);
AEROGPU_ASSERT_OFFSET(struct aerogpu_wddm_alloc_priv, reserved0, 32);
AEROGPU_ASSERT_SIZE(struct aerogpu_wddm_alloc_priv_v2, 64);
AEROGPU_ASSERT_OFFSET(struct aerogpu_wddm_alloc_priv_v2, magic, 0);
AEROGPU_ASSERT_OFFSET(struct aerogpu_wddm_alloc_priv_v2, version, 4);
AEROGPU_ASSERT_OFFSET(struct aerogpu_wddm_alloc_priv_v2, alloc_id, 8);
AEROGPU_ASSERT_OFFSET(struct aerogpu_wddm_alloc_priv_v2, flags, 12);
AEROGPU_ASSERT_OFFSET(struct aerogpu_wddm_alloc_priv_v2, share_token, 16);
AEROGPU_ASSERT_OFFSET(struct aerogpu_wddm_alloc_priv_v2, size_bytes, 24);
AEROGPU_ASSERT_OFFSET(struct aerogpu_wddm_alloc_priv_v2, reserved0, 32);
AEROGPU_ASSERT_OFFSET(struct aerogpu_wddm_alloc_priv_v2, kind, 40);
AEROGPU_ASSERT_OFFSET(struct aerogpu_wddm_alloc_priv_v2, width, 44);
AEROGPU_ASSERT_OFFSET(struct aerogpu_wddm_alloc_priv_v2, height, 48);
AEROGPU_ASSERT_OFFSET(struct aerogpu_wddm_alloc_priv_v2, format, 52);
AEROGPU_ASSERT_OFFSET(struct aerogpu_wddm_alloc_priv_v2, row_pitch_bytes, 56);
AEROGPU_ASSERT_OFFSET(struct aerogpu_wddm_alloc_priv_v2, reserved1, 60);
AEROGPU_ASSERT_SIZE(struct aerogpu_win7_dma_private, 16);
AEROGPU_ASSERT_OFFSET(struct aerogpu_win7_dma_private, type, 0);
AEROGPU_ASSERT_OFFSET(struct aerogpu_win7_dma_private, context_id, 4);
AEROGPU_ASSERT_OFFSET(struct aerogpu_win7_dma_private, metadata_handle, 8);

#endif
