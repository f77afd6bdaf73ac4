/* SPDX-License-Identifier: MIT */
#include "guest/d3d11/format.h"

#include "guest/umd/umd.h"

static const struct rt_format formats[] = {
#include "guest/d3d11/guest_formats.h"
};

const struct rt_format *rt_format(DXGI_FORMAT format)
{
    return &formats[(unsigned)format < sizeof(formats) / sizeof(formats[0]) ? (unsigned)format : 0];
}

bool rt_format_is_plane(DXGI_FORMAT format)
{
    return format == DXGI_FORMAT_R32_FLOAT_X8X24_TYPELESS || format == DXGI_FORMAT_X32_TYPELESS_G8X24_UINT ||
           format == DXGI_FORMAT_R24_UNORM_X8_TYPELESS || format == DXGI_FORMAT_X24_TYPELESS_G8_UINT;
}

/* A texture of a typed format has views of that format alone. */
bool rt_format_views_as(DXGI_FORMAT texture, DXGI_FORMAT view)
{
    if (texture == view)
        return true;
    return rt_format_has(texture, RT_FORMAT_TYPELESS) &&
           rt_format(view)->family == rt_format(texture)->family;
}

UINT rt_format_block_width(DXGI_FORMAT format)
{
    uint32_t width = 1, height = 1;
    umd_format_bytes((uint32_t)format, &width, &height);
    return width ? width : 1;
}

UINT rt_format_block_height(DXGI_FORMAT format)
{
    uint32_t width = 1, height = 1;
    umd_format_bytes((uint32_t)format, &width, &height);
    return height ? height : 1;
}

UINT rt_format_block_bytes(DXGI_FORMAT format)
{
    uint32_t width, height;
    return umd_format_bytes((uint32_t)format, &width, &height);
}
