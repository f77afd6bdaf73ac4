/* SPDX-License-Identifier: MIT */
#include "exec/state/format_family.h"

#include "base/bytes.h"
#include "exec/state/format.h"

struct family {
    uint8_t typeless, last; /* its numbers follow each other, */
    uint8_t more[2];        /* these excepted */
    uint8_t host, host_depth;
};

#define FAMILY(bits, until, plain)                                                                           \
    .typeless = AG_DXGI_##bits##_TYPELESS, .last = AG_DXGI_##until, .host = AG_DXGI_##plain

/* clang-format off */
static const struct family families[] = {
    {FAMILY(R32G32B32A32, R32G32B32A32_SINT, R32G32B32A32_FLOAT)},
    {FAMILY(R32G32B32, R32G32B32_SINT, R32G32B32_FLOAT)},
    {FAMILY(R16G16B16A16, R16G16B16A16_SINT, R16G16B16A16_FLOAT)},
    {FAMILY(R32G32, R32G32_SINT, R32G32_FLOAT)},
    {FAMILY(R32G8X24, X32_TYPELESS_G8X24_UINT, D32_FLOAT_S8X24_UINT), .host_depth = AG_DXGI_D32_FLOAT_S8X24_UINT},
    {FAMILY(R10G10B10A2, R10G10B10A2_UINT, R10G10B10A2_UNORM), .more = {AG_DXGI_R10G10B10_XR_BIAS_A2_UNORM}},
    {FAMILY(R8G8B8A8, R8G8B8A8_SINT, R8G8B8A8_UNORM)},
    {FAMILY(R16G16, R16G16_SINT, R16G16_FLOAT)},
    {FAMILY(R32, R32_SINT, R32_FLOAT), .host_depth = AG_DXGI_D32_FLOAT},
    {FAMILY(R24G8, X24_TYPELESS_G8_UINT, D24_UNORM_S8_UINT), .host_depth = AG_DXGI_D24_UNORM_S8_UINT},
    {FAMILY(R8G8, R8G8_SINT, R8G8_UNORM)},
    {FAMILY(R16, R16_SINT, R16_FLOAT), .host_depth = AG_DXGI_D16_UNORM},
    {FAMILY(R8, R8_SINT, R8_UNORM)},
    {FAMILY(BC1, BC1_UNORM_SRGB, BC1_UNORM)},
    {FAMILY(BC2, BC2_UNORM_SRGB, BC2_UNORM)},
    {FAMILY(BC3, BC3_UNORM_SRGB, BC3_UNORM)},
    {FAMILY(BC4, BC4_SNORM, BC4_UNORM)},
    {FAMILY(BC5, BC5_SNORM, BC5_UNORM)},
    {FAMILY(B8G8R8A8, B8G8R8A8_UNORM_SRGB, B8G8R8A8_UNORM), .more = {AG_DXGI_B8G8R8A8_UNORM}},
    {FAMILY(B8G8R8X8, B8G8R8X8_UNORM_SRGB, B8G8R8X8_UNORM), .more = {AG_DXGI_B8G8R8X8_UNORM}},
    {FAMILY(BC6H, BC6H_SF16, BC6H_UF16)},
    {FAMILY(BC7, BC7_UNORM_SRGB, BC7_UNORM)},
};

/* clang-format on */

static const struct family *find(uint32_t dxgi)
{
    for (size_t i = 0; dxgi && i < AG_COUNT_OF(families); i++) {
        const struct family *family = &families[i];
        if ((dxgi >= family->typeless && dxgi <= family->last) || dxgi == family->more[0] ||
            dxgi == family->more[1])
            return family;
    }
    return NULL;
}

uint32_t ag_format_typeless(uint32_t dxgi)
{
    const struct family *family = find(dxgi);
    return family ? family->typeless : 0;
}

uint32_t ag_format_host(uint32_t dxgi)
{
    const struct family *family = find(dxgi);
    return family && (family->typeless == dxgi || dxgi == AG_DXGI_R10G10B10_XR_BIAS_A2_UNORM) ? family->host
                                                                                              : dxgi;
}

bool ag_format_is_cast(uint32_t dxgi)
{
    return ag_format_host(dxgi) != dxgi;
}

uint32_t ag_format_host_depth(uint32_t dxgi)
{
    const struct family *family = find(dxgi);
    if (family && family->typeless == dxgi)
        return family->host_depth;
    return family && family->host_depth == dxgi ? dxgi : 0;
}

uint32_t ag_format_depth_seen(uint32_t dxgi)
{
    switch (dxgi) {
    case AG_DXGI_R32_FLOAT:
        return AG_DXGI_D32_FLOAT;
    case AG_DXGI_R16_UNORM:
        return AG_DXGI_D16_UNORM;
    case AG_DXGI_R24_UNORM_X8_TYPELESS:
    case AG_DXGI_X24_TYPELESS_G8_UINT:
    case AG_DXGI_R32_FLOAT_X8X24_TYPELESS:
    case AG_DXGI_X32_TYPELESS_G8X24_UINT:
        return dxgi;
    }
    return 0;
}
