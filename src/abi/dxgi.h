/* SPDX-License-Identifier: MIT
 *
 * The DXGI formats: numbers, names and sizes. Input layouts and extension formats speak DXGI.
 */
#ifndef AG_ABI_DXGI_H
#define AG_ABI_DXGI_H

#include <stddef.h>
#include <stdint.h>

#define AG_DXGI_FORMAT_LAST 132

struct ag_dxgi_info {
    const char *name;     /* without DXGI_FORMAT_ */
    uint8_t bytes;        /* of one block; 0 when the format has no block of its own (planar video, R1) */
    uint8_t block_width;  /* texels; 1 for plain formats */
    uint8_t block_height; /* texels */
};

/* The row of a format number, or null for numbers that name none (0 included). */
const struct ag_dxgi_info *ag_dxgi_info(uint32_t format);

/* The number of a format, 0 for unknown names. */
uint32_t ag_dxgi_from_name(const char *name, size_t length);

#endif
