/* SPDX-License-Identifier: MIT
 *
 * The DXGI formats: numbers, names and sizes. Input layouts and the extension name formats by DXGI numbers.
 */
#ifndef AG_ABI_DXGI_H
#define AG_ABI_DXGI_H

#include <stddef.h>
#include <stdint.h>

#define AG_DXGI_FORMAT_LAST 132

struct ag_dxgi_info {
    const char *name;     /* without DXGI_FORMAT_ */
    uint8_t bytes;        /* bytes of a block; 0 for a format without blocks of one size (planar video, R1) */
    uint8_t block_width;  /* texels; 1 for uncompressed formats */
    uint8_t block_height; /* texels */
};

/* The row of a format number; null for a number that names no format, such as 0. */
const struct ag_dxgi_info *ag_dxgi_info(uint32_t format);

/* The number of a format; 0 for an unknown name. */
uint32_t ag_dxgi_from_name(const char *name, size_t length);

#endif
