/* SPDX-License-Identifier: MIT
 *
 * AeroGPU ABI 1.4: PCI identity, BAR0 registers, feature and interrupt bits, error codes, formats.
 *
 * Freestanding C99 and C++; a guest driver includes it as it stands. Every value is little-endian; registers
 * are 32 bits wide and 64-bit quantities are a LO register followed by a HI register.
 * (Spec: ABI sections 0.4 and 1-3.)
 */
#ifndef AEROGPU_ABI_PCI_H
#define AEROGPU_ABI_PCI_H

#include <stdint.h>

/* The version of this header. A consumer accepts every minor of its own major and rejects other majors. */
#define AEROGPU_ABI_MAJOR 1u
#define AEROGPU_ABI_MINOR 4u
#define AEROGPU_ABI_VERSION_U32 (AEROGPU_ABI_MAJOR << 16 | AEROGPU_ABI_MINOR)

/* ---- PCI identity and BARs ---------------------------------------------------------------------------- */

#define AEROGPU_PCI_VENDOR_ID 0xA3A0u /* private id, not PCI-SIG assigned */
#define AEROGPU_PCI_DEVICE_ID 0x0001u
#define AEROGPU_PCI_SUBSYSTEM_VENDOR_ID 0xA3A0u
#define AEROGPU_PCI_SUBSYSTEM_ID 0x0001u
#define AEROGPU_PCI_CLASS_CODE_DISPLAY_CONTROLLER 0x03u /* base class */
#define AEROGPU_PCI_SUBCLASS_VGA_COMPATIBLE 0x00u       /* subclass */
#define AEROGPU_PCI_PROG_IF 0x00u
#define AEROGPU_PCI_BAR0_INDEX 0u                      /* register block */
#define AEROGPU_PCI_BAR0_SIZE_BYTES 0x10000u           /* 64 KiB, memory space */
#define AEROGPU_PCI_BAR1_INDEX 1u                      /* prefetchable VRAM aperture */
#define AEROGPU_PCI_BAR1_SIZE_BYTES 0x4000000u         /* 64 MiB */
#define AEROGPU_PCI_BAR1_VBE_LFB_OFFSET_BYTES 0x40000u /* linear VBE frame buffer in BAR1 */

/* ---- Registers in BAR0 --------------------------------------------------------------------------------- */

#define AEROGPU_MMIO_MAGIC 0x55504741u /* "AGPU" */

#define AEROGPU_MMIO_REG_MAGIC 0x0000u       /* read only; reads AEROGPU_MMIO_MAGIC */
#define AEROGPU_MMIO_REG_ABI_VERSION 0x0004u /* read only; AEROGPU_ABI_VERSION_U32 of the device */
#define AEROGPU_MMIO_REG_FEATURES_LO 0x0008u /* read only; feature bits 0-31 */
#define AEROGPU_MMIO_REG_FEATURES_HI 0x000Cu /* read only; feature bits 32-63 */

#define AEROGPU_MMIO_REG_RING_GPA_LO 0x0100u /* guest-physical address of the ring header */
#define AEROGPU_MMIO_REG_RING_GPA_HI 0x0104u
#define AEROGPU_MMIO_REG_RING_SIZE_BYTES 0x0108u /* bytes mapped at RING_GPA */
#define AEROGPU_MMIO_REG_RING_CONTROL 0x010Cu    /* ring control bits */
#define AEROGPU_MMIO_REG_FENCE_GPA_LO 0x0120u    /* guest-physical address of the fence page, 0 = none */
#define AEROGPU_MMIO_REG_FENCE_GPA_HI 0x0124u
#define AEROGPU_MMIO_REG_COMPLETED_FENCE_LO 0x0130u /* read only; highest completed fence */
#define AEROGPU_MMIO_REG_COMPLETED_FENCE_HI 0x0134u /* read only */

#define AEROGPU_MMIO_REG_DOORBELL 0x0200u /* write only; any write: look at the ring */

#define AEROGPU_MMIO_REG_IRQ_STATUS 0x0300u     /* read only; pending causes */
#define AEROGPU_MMIO_REG_IRQ_ENABLE 0x0304u     /* mask */
#define AEROGPU_MMIO_REG_IRQ_ACK 0x0308u        /* write only; write-one-to-clear for IRQ_STATUS */
#define AEROGPU_MMIO_REG_ERROR_CODE 0x0310u     /* read only; last error code (feature ERROR_INFO) */
#define AEROGPU_MMIO_REG_ERROR_FENCE_LO 0x0314u /* read only; fence of the failing submission, or 0 */
#define AEROGPU_MMIO_REG_ERROR_FENCE_HI 0x0318u /* read only */
#define AEROGPU_MMIO_REG_ERROR_COUNT 0x031Cu    /* read only; number of errors so far */

#define AEROGPU_MMIO_REG_SCANOUT0_ENABLE 0x0400u      /* non-zero = scanout 0 visible */
#define AEROGPU_MMIO_REG_SCANOUT0_WIDTH 0x0404u       /* pixels */
#define AEROGPU_MMIO_REG_SCANOUT0_HEIGHT 0x0408u      /* pixels */
#define AEROGPU_MMIO_REG_SCANOUT0_FORMAT 0x040Cu      /* enum aerogpu_format */
#define AEROGPU_MMIO_REG_SCANOUT0_PITCH_BYTES 0x0410u /* row pitch */
#define AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_LO 0x0414u   /* frame buffer address */
#define AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_HI 0x0418u
#define AEROGPU_MMIO_REG_SCANOUT0_VBLANK_SEQ_LO 0x0420u     /* read only; vblank counter (feature VBLANK) */
#define AEROGPU_MMIO_REG_SCANOUT0_VBLANK_SEQ_HI 0x0424u     /* read only */
#define AEROGPU_MMIO_REG_SCANOUT0_VBLANK_TIME_NS_LO 0x0428u /* read only; last vblank, ns since boot */
#define AEROGPU_MMIO_REG_SCANOUT0_VBLANK_TIME_NS_HI 0x042Cu /* read only */
#define AEROGPU_MMIO_REG_SCANOUT0_VBLANK_PERIOD_NS 0x0430u  /* read only; nominal period */

#define AEROGPU_MMIO_REG_CURSOR_ENABLE 0x0500u /* feature CURSOR */
#define AEROGPU_MMIO_REG_CURSOR_X 0x0504u      /* signed 32-bit */
#define AEROGPU_MMIO_REG_CURSOR_Y 0x0508u      /* signed 32-bit */
#define AEROGPU_MMIO_REG_CURSOR_HOT_X 0x050Cu  /* hot spot inside the bitmap */
#define AEROGPU_MMIO_REG_CURSOR_HOT_Y 0x0510u
#define AEROGPU_MMIO_REG_CURSOR_WIDTH 0x0514u
#define AEROGPU_MMIO_REG_CURSOR_HEIGHT 0x0518u
#define AEROGPU_MMIO_REG_CURSOR_FORMAT 0x051Cu /* enum aerogpu_format */
#define AEROGPU_MMIO_REG_CURSOR_FB_GPA_LO 0x0520u
#define AEROGPU_MMIO_REG_CURSOR_FB_GPA_HI 0x0524u
#define AEROGPU_MMIO_REG_CURSOR_PITCH_BYTES 0x0528u

/* Feature bits, FEATURES_HI << 32 | FEATURES_LO. */
#define AEROGPU_FEATURE_FENCE_PAGE (UINT64_C(1) << 0) /* completed fences go to the fence page */
#define AEROGPU_FEATURE_CURSOR (UINT64_C(1) << 1)     /* cursor register block works */
#define AEROGPU_FEATURE_SCANOUT (UINT64_C(1) << 2)    /* scanout register block works */
#define AEROGPU_FEATURE_VBLANK (UINT64_C(1) << 3)     /* vblank interrupt and timing registers work */
#define AEROGPU_FEATURE_TRANSFER (UINT64_C(1) << 4)   /* copies and write-back work (ABI 1.1) */
#define AEROGPU_FEATURE_ERROR_INFO (UINT64_C(1) << 5) /* error registers work (ABI 1.3) */

/* RING_CONTROL */
#define AEROGPU_RING_CONTROL_ENABLE (1u << 0) /* set once the ring is initialised */
#define AEROGPU_RING_CONTROL_RESET (1u << 1)  /* write 1 to request a reset; never reads back as 1 */

/* IRQ_STATUS, IRQ_ENABLE and IRQ_ACK */
#define AEROGPU_IRQ_FENCE (1u << 0)          /* the completed fence moved forward */
#define AEROGPU_IRQ_SCANOUT_VBLANK (1u << 1) /* scanout 0 vertical blank (feature VBLANK) */
#define AEROGPU_IRQ_ERROR (1u << 31)         /* device error recorded */

/* ERROR_CODE: kept until the next error or a ring reset; acknowledging the interrupt does not clear it. */
enum aerogpu_error_code {
    AEROGPU_ERROR_NONE = 0,
    AEROGPU_ERROR_CMD_DECODE = 1,    /* malformed ring, descriptor, table or stream */
    AEROGPU_ERROR_OOB = 2,           /* a guest-memory range is impossible or too large */
    AEROGPU_ERROR_BACKEND = 3,       /* execution failed (validation error inside the stream, GPU failure) */
    AEROGPU_ERROR_INTERNAL = 0xFFFF, /* anything else; a reader maps unknown codes to this */
};

/* ---- Formats ------------------------------------------------------------------------------------------- */

/* Numbers never change meaning; one that is not listed is invalid. Names give the channels from the lowest
 * byte (8-bit channels) or the lowest bit (packed 16-bit formats) up. X is an unused channel: it reads as 1.
 * BC formats are blocks of 4x4 texels: 8 bytes for BC1, 16 for the others. */
enum aerogpu_format {
    AEROGPU_FORMAT_INVALID = 0,
    AEROGPU_FORMAT_B8G8R8A8_UNORM = 1,
    AEROGPU_FORMAT_B8G8R8X8_UNORM = 2,
    AEROGPU_FORMAT_R8G8B8A8_UNORM = 3,
    AEROGPU_FORMAT_R8G8B8X8_UNORM = 4,
    AEROGPU_FORMAT_B5G6R5_UNORM = 5,
    AEROGPU_FORMAT_B5G5R5A1_UNORM = 6,
    AEROGPU_FORMAT_B8G8R8A8_UNORM_SRGB = 7,
    AEROGPU_FORMAT_B8G8R8X8_UNORM_SRGB = 8,
    AEROGPU_FORMAT_R8G8B8A8_UNORM_SRGB = 9,
    AEROGPU_FORMAT_R8G8B8X8_UNORM_SRGB = 10,
    AEROGPU_FORMAT_D24_UNORM_S8_UINT = 32,
    AEROGPU_FORMAT_D32_FLOAT = 33,
    AEROGPU_FORMAT_BC1_RGBA_UNORM = 64,
    AEROGPU_FORMAT_BC1_RGBA_UNORM_SRGB = 65,
    AEROGPU_FORMAT_BC2_RGBA_UNORM = 66,
    AEROGPU_FORMAT_BC2_RGBA_UNORM_SRGB = 67,
    AEROGPU_FORMAT_BC3_RGBA_UNORM = 68,
    AEROGPU_FORMAT_BC3_RGBA_UNORM_SRGB = 69,
    AEROGPU_FORMAT_BC7_RGBA_UNORM = 70,
    AEROGPU_FORMAT_BC7_RGBA_UNORM_SRGB = 71,
};

#endif
