/* SPDX-License-Identifier: MIT
 *
 * What the runtime knows of formats. What the device can do with them the user-mode driver says.
 */
#ifndef RT_D3D11_FORMAT_H
#define RT_D3D11_FORMAT_H

#include "guest/d3d11/com.h"

#include <stdbool.h>
#include <stdint.h>

enum rt_format_flags {
    RT_FORMAT_TYPELESS = 1 << 0,
    RT_FORMAT_DEPTH = 1 << 1,
    RT_FORMAT_STENCIL = 1 << 2,
    RT_FORMAT_INTEGER = 1 << 3,
    RT_FORMAT_SNORM = 1 << 4,
};

struct rt_format {
    uint8_t
        family; /* the typeless format whose textures have views of this format; itself if there is none */
    uint8_t flags;
};

/* Never NULL: of a number that is no format the family is 0. */
const struct rt_format *rt_format(DXGI_FORMAT format);

static inline bool rt_format_has(DXGI_FORMAT format, enum rt_format_flags flags)
{
    return (rt_format(format)->flags & flags) != 0;
}

/* Whether the format is that in which shaders see one plane of a depth format. */
bool rt_format_is_plane(DXGI_FORMAT format);

/* Whether textures of one format have views of another. */
bool rt_format_views_as(DXGI_FORMAT texture, DXGI_FORMAT view);

/* A block of texels: 4x4 of compressed formats, 2x1 where texels share bytes, 1x1 of others. */
UINT rt_format_block_width(DXGI_FORMAT format);
UINT rt_format_block_height(DXGI_FORMAT format);
/* Bytes of such a block; 0 of what has no linear layout. */
UINT rt_format_block_bytes(DXGI_FORMAT format);

#endif
