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
#include "aerogpu/abi/pci.h"

/* ---- What the user-mode driver is told ---------------------------------------------------------------- */

typedef uint32_t aerogpu_umdpriv_u32;
typedef uint64_t aerogpu_umdpriv_u64;

#define AEROGPU_UMDPRIV_STRUCT_VERSION_V1 1u

/* The registers and feature bits by which a device is known, as in pci.h. */
#define AEROGPU_UMDPRIV_MMIO_MAGIC_LEGACY_ARGP 0x41524750u /* a device before ABI 1.0 */
#define AEROGPU_UMDPRIV_MMIO_MAGIC_NEW_AGPU AEROGPU_MMIO_MAGIC
#define AEROGPU_UMDPRIV_MMIO_REG_MAGIC AEROGPU_MMIO_REG_MAGIC
#define AEROGPU_UMDPRIV_MMIO_REG_ABI_VERSION AEROGPU_MMIO_REG_ABI_VERSION
#define AEROGPU_UMDPRIV_MMIO_REG_FEATURES_LO AEROGPU_MMIO_REG_FEATURES_LO
#define AEROGPU_UMDPRIV_MMIO_REG_FEATURES_HI AEROGPU_MMIO_REG_FEATURES_HI
#define AEROGPU_UMDPRIV_FEATURE_FENCE_PAGE AEROGPU_FEATURE_FENCE_PAGE
#define AEROGPU_UMDPRIV_FEATURE_CURSOR AEROGPU_FEATURE_CURSOR
#define AEROGPU_UMDPRIV_FEATURE_SCANOUT AEROGPU_FEATURE_SCANOUT
#define AEROGPU_UMDPRIV_FEATURE_VBLANK AEROGPU_FEATURE_VBLANK
#define AEROGPU_UMDPRIV_FEATURE_TRANSFER AEROGPU_FEATURE_TRANSFER
#define AEROGPU_UMDPRIV_FEATURE_ERROR_INFO AEROGPU_FEATURE_ERROR_INFO

/* aerogpu_umd_private_v1.flags */
#define AEROGPU_UMDPRIV_FLAG_IS_LEGACY (1u << 0)
#define AEROGPU_UMDPRIV_FLAG_HAS_VBLANK (1u << 1)
#define AEROGPU_UMDPRIV_FLAG_HAS_FENCE_PAGE (1u << 2) /* in use, not only possible */

/* ---- Allocations -------------------------------------------------------------------------------------- */

typedef uint32_t aerogpu_wddm_u32;
typedef uint64_t aerogpu_wddm_u64;

#define AEROGPU_WDDM_ALLOC_PRIV_MAGIC 0x414C4C4Fu /* "OLLA" */
#define AEROGPU_WDDM_ALLOC_PRIV_VERSION 1u
#define AEROGPU_WDDM_ALLOC_PRIV_VERSION_2 2u
#define AEROGPU_WDDM_ALLOC_PRIVATE_DATA_MAGIC AEROGPU_WDDM_ALLOC_PRIV_MAGIC
#define AEROGPU_WDDM_ALLOC_PRIVATE_DATA_VERSION AEROGPU_WDDM_ALLOC_PRIV_VERSION

/* Allocation ids: 0 is none, up to UMD_MAX they are the user-mode driver's, from KMD_MIN the kernel driver's.
 */
#define AEROGPU_WDDM_ALLOC_ID_UMD_MAX 0x7FFFFFFFu
#define AEROGPU_WDDM_ALLOC_ID_KMD_MIN 0x80000000u

enum aerogpu_wddm_alloc_private_flags {
    AEROGPU_WDDM_ALLOC_PRIV_FLAG_NONE = 0,
    AEROGPU_WDDM_ALLOC_PRIV_FLAG_IS_SHARED = 1 << 0,
    AEROGPU_WDDM_ALLOC_PRIV_FLAG_CPU_VISIBLE = 1 << 1,
    AEROGPU_WDDM_ALLOC_PRIV_FLAG_STAGING = 1 << 2,
};
#define AEROGPU_WDDM_ALLOC_PRIV_FLAG_SHARED AEROGPU_WDDM_ALLOC_PRIV_FLAG_IS_SHARED

enum aerogpu_wddm_alloc_kind {
    AEROGPU_WDDM_ALLOC_KIND_UNKNOWN = 0,
    AEROGPU_WDDM_ALLOC_KIND_BUFFER = 1,
    AEROGPU_WDDM_ALLOC_KIND_TEXTURE2D = 2,
};

/* aerogpu_wddm_alloc_priv.reserved0: with the marker it describes a surface (bits 0-31 the format, 32-47 the
 * width, 48-62 the height), without it bits 0-31 are the row pitch or 0. */
#define AEROGPU_WDDM_ALLOC_PRIV_DESC_MARKER (UINT64_C(1) << 63)
#define AEROGPU_WDDM_ALLOC_PRIV_DESC_MAX_WIDTH 0xFFFFu
#define AEROGPU_WDDM_ALLOC_PRIV_DESC_MAX_HEIGHT 0x7FFFu
#define AEROGPU_WDDM_ALLOC_PRIV_DESC_PACK(format, width, height)                                             \
    (AEROGPU_WDDM_ALLOC_PRIV_DESC_MARKER | (uint32_t)(format) |                                              \
     (uint64_t)((uint32_t)(width)&AEROGPU_WDDM_ALLOC_PRIV_DESC_MAX_WIDTH) << 32 |                            \
     (uint64_t)((uint32_t)(height)&AEROGPU_WDDM_ALLOC_PRIV_DESC_MAX_HEIGHT) << 48)
#define AEROGPU_WDDM_ALLOC_PRIV_DESC_PRESENT(desc) ((uint64_t)(desc) >> 63 != 0)
#define AEROGPU_WDDM_ALLOC_PRIV_DESC_FORMAT(desc) ((uint32_t)(desc))
#define AEROGPU_WDDM_ALLOC_PRIV_DESC_WIDTH(desc)                                                             \
    ((uint32_t)((uint64_t)(desc) >> 32) & AEROGPU_WDDM_ALLOC_PRIV_DESC_MAX_WIDTH)
#define AEROGPU_WDDM_ALLOC_PRIV_DESC_HEIGHT(desc)                                                            \
    ((uint32_t)((uint64_t)(desc) >> 48) & AEROGPU_WDDM_ALLOC_PRIV_DESC_MAX_HEIGHT)

/* ---- DMA buffers of Windows 7 ------------------------------------------------------------------------- */

typedef uint32_t aerogpu_win7_u32;
typedef uint64_t aerogpu_win7_u64;

#define AEROGPU_WIN7_DMA_BUFFER_PRIVATE_DATA_SIZE_BYTES 16u

/* AEROGPU_DMA_PRIV.Type */
#ifndef AEROGPU_SUBMIT_RENDER
#define AEROGPU_SUBMIT_RENDER 1u
#define AEROGPU_SUBMIT_PRESENT 2u
#define AEROGPU_SUBMIT_PAGING 3u
#endif

/* ---- Structures --------------------------------------------------------------------------------------- */

#pragma pack(push, 1)

/* What the kernel driver tells the user-mode driver about the adapter. */
typedef struct aerogpu_umd_private_v1 {
    uint32_t size_bytes;             /* at least 64 */
    uint32_t struct_version;         /* 1 */
    uint32_t device_mmio_magic;      /* MAGIC register */
    uint32_t device_abi_version_u32; /* ABI_VERSION register */
    uint32_t reserved0;
    uint64_t device_features; /* feature bits */
    uint32_t flags;           /* AEROGPU_UMDPRIV_FLAG_* */
    uint32_t reserved1;
    uint32_t reserved2;
    uint64_t reserved3[3];
} aerogpu_umd_private_v1;

/* Private data of an allocation, version 1. */
typedef struct aerogpu_wddm_alloc_priv {
    uint32_t magic;   /* AEROGPU_WDDM_ALLOC_PRIV_MAGIC */
    uint32_t version; /* 1 */
    uint32_t alloc_id;
    uint32_t flags;       /* enum aerogpu_wddm_alloc_private_flags */
    uint64_t share_token; /* non-zero only when shared; made by the kernel driver */
    uint64_t size_bytes;
    uint64_t reserved0; /* see AEROGPU_WDDM_ALLOC_PRIV_DESC_MARKER */
} aerogpu_wddm_alloc_priv;

/* Private data of an allocation, version 2: version 1 and a description. */
typedef struct aerogpu_wddm_alloc_priv_v2 {
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
} aerogpu_wddm_alloc_priv_v2;

/* Private data of a DMA buffer on Windows 7. */
typedef struct AEROGPU_DMA_PRIV {
    uint32_t Type;       /* AEROGPU_SUBMIT_* */
    uint32_t Reserved0;  /* the kernel driver's: the context, 0 is none */
    uint64_t MetaHandle; /* names the kernel driver's own record, 0 is none */
} AEROGPU_DMA_PRIV;

#pragma pack(pop)

typedef aerogpu_wddm_alloc_priv aerogpu_wddm_alloc_private_data;

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
AEROGPU_ASSERT_SIZE(struct AEROGPU_DMA_PRIV, 16);
AEROGPU_ASSERT_OFFSET(struct AEROGPU_DMA_PRIV, Type, 0);
AEROGPU_ASSERT_OFFSET(struct AEROGPU_DMA_PRIV, Reserved0, 4);
AEROGPU_ASSERT_OFFSET(struct AEROGPU_DMA_PRIV, MetaHandle, 8);

#endif
