/* SPDX-License-Identifier: MIT
 *
 * The table of DXGI formats.
 */
#include "abi/dxgi.h"

#include <string.h>

#include "base/bytes.h"

/* clang-format off */
static const struct ag_dxgi_info dxgi_table[] = {
    [1] = {"R32G32B32A32_TYPELESS", 16, 1, 1},
    [2] = {"R32G32B32A32_FLOAT", 16, 1, 1},
    [3] = {"R32G32B32A32_UINT", 16, 1, 1},
    [4] = {"R32G32B32A32_SINT", 16, 1, 1},
    [5] = {"R32G32B32_TYPELESS", 12, 1, 1},
    [6] = {"R32G32B32_FLOAT", 12, 1, 1},
    [7] = {"R32G32B32_UINT", 12, 1, 1},
    [8] = {"R32G32B32_SINT", 12, 1, 1},
    [9] = {"R16G16B16A16_TYPELESS", 8, 1, 1},
    [10] = {"R16G16B16A16_FLOAT", 8, 1, 1},
    [11] = {"R16G16B16A16_UNORM", 8, 1, 1},
    [12] = {"R16G16B16A16_UINT", 8, 1, 1},
    [13] = {"R16G16B16A16_SNORM", 8, 1, 1},
    [14] = {"R16G16B16A16_SINT", 8, 1, 1},
    [15] = {"R32G32_TYPELESS", 8, 1, 1},
    [16] = {"R32G32_FLOAT", 8, 1, 1},
    [17] = {"R32G32_UINT", 8, 1, 1},
    [18] = {"R32G32_SINT", 8, 1, 1},
    [19] = {"R32G8X24_TYPELESS", 8, 1, 1},
    [20] = {"D32_FLOAT_S8X24_UINT", 8, 1, 1},
    [21] = {"R32_FLOAT_X8X24_TYPELESS", 8, 1, 1},
    [22] = {"X32_TYPELESS_G8X24_UINT", 8, 1, 1},
    [23] = {"R10G10B10A2_TYPELESS", 4, 1, 1},
    [24] = {"R10G10B10A2_UNORM", 4, 1, 1},
    [25] = {"R10G10B10A2_UINT", 4, 1, 1},
    [26] = {"R11G11B10_FLOAT", 4, 1, 1},
    [27] = {"R8G8B8A8_TYPELESS", 4, 1, 1},
    [28] = {"R8G8B8A8_UNORM", 4, 1, 1},
    [29] = {"R8G8B8A8_UNORM_SRGB", 4, 1, 1},
    [30] = {"R8G8B8A8_UINT", 4, 1, 1},
    [31] = {"R8G8B8A8_SNORM", 4, 1, 1},
    [32] = {"R8G8B8A8_SINT", 4, 1, 1},
    [33] = {"R16G16_TYPELESS", 4, 1, 1},
    [34] = {"R16G16_FLOAT", 4, 1, 1},
    [35] = {"R16G16_UNORM", 4, 1, 1},
    [36] = {"R16G16_UINT", 4, 1, 1},
    [37] = {"R16G16_SNORM", 4, 1, 1},
    [38] = {"R16G16_SINT", 4, 1, 1},
    [39] = {"R32_TYPELESS", 4, 1, 1},
    [40] = {"D32_FLOAT", 4, 1, 1},
    [41] = {"R32_FLOAT", 4, 1, 1},
    [42] = {"R32_UINT", 4, 1, 1},
    [43] = {"R32_SINT", 4, 1, 1},
    [44] = {"R24G8_TYPELESS", 4, 1, 1},
    [45] = {"D24_UNORM_S8_UINT", 4, 1, 1},
    [46] = {"R24_UNORM_X8_TYPELESS", 4, 1, 1},
    [47] = {"X24_TYPELESS_G8_UINT", 4, 1, 1},
    [48] = {"R8G8_TYPELESS", 2, 1, 1},
    [49] = {"R8G8_UNORM", 2, 1, 1},
    [50] = {"R8G8_UINT", 2, 1, 1},
    [51] = {"R8G8_SNORM", 2, 1, 1},
    [52] = {"R8G8_SINT", 2, 1, 1},
    [53] = {"R16_TYPELESS", 2, 1, 1},
    [54] = {"R16_FLOAT", 2, 1, 1},
    [55] = {"D16_UNORM", 2, 1, 1},
    [56] = {"R16_UNORM", 2, 1, 1},
    [57] = {"R16_UINT", 2, 1, 1},
    [58] = {"R16_SNORM", 2, 1, 1},
    [59] = {"R16_SINT", 2, 1, 1},
    [60] = {"R8_TYPELESS", 1, 1, 1},
    [61] = {"R8_UNORM", 1, 1, 1},
    [62] = {"R8_UINT", 1, 1, 1},
    [63] = {"R8_SNORM", 1, 1, 1},
    [64] = {"R8_SINT", 1, 1, 1},
    [65] = {"A8_UNORM", 1, 1, 1},
    [66] = {"R1_UNORM", 0, 1, 1},
    [67] = {"R9G9B9E5_SHAREDEXP", 4, 1, 1},
    [68] = {"R8G8_B8G8_UNORM", 4, 2, 1},
    [69] = {"G8R8_G8B8_UNORM", 4, 2, 1},
    [70] = {"BC1_TYPELESS", 8, 4, 4},
    [71] = {"BC1_UNORM", 8, 4, 4},
    [72] = {"BC1_UNORM_SRGB", 8, 4, 4},
    [73] = {"BC2_TYPELESS", 16, 4, 4},
    [74] = {"BC2_UNORM", 16, 4, 4},
    [75] = {"BC2_UNORM_SRGB", 16, 4, 4},
    [76] = {"BC3_TYPELESS", 16, 4, 4},
    [77] = {"BC3_UNORM", 16, 4, 4},
    [78] = {"BC3_UNORM_SRGB", 16, 4, 4},
    [79] = {"BC4_TYPELESS", 8, 4, 4},
    [80] = {"BC4_UNORM", 8, 4, 4},
    [81] = {"BC4_SNORM", 8, 4, 4},
    [82] = {"BC5_TYPELESS", 16, 4, 4},
    [83] = {"BC5_UNORM", 16, 4, 4},
    [84] = {"BC5_SNORM", 16, 4, 4},
    [85] = {"B5G6R5_UNORM", 2, 1, 1},
    [86] = {"B5G5R5A1_UNORM", 2, 1, 1},
    [87] = {"B8G8R8A8_UNORM", 4, 1, 1},
    [88] = {"B8G8R8X8_UNORM", 4, 1, 1},
    [89] = {"R10G10B10_XR_BIAS_A2_UNORM", 4, 1, 1},
    [90] = {"B8G8R8A8_TYPELESS", 4, 1, 1},
    [91] = {"B8G8R8A8_UNORM_SRGB", 4, 1, 1},
    [92] = {"B8G8R8X8_TYPELESS", 4, 1, 1},
    [93] = {"B8G8R8X8_UNORM_SRGB", 4, 1, 1},
    [94] = {"BC6H_TYPELESS", 16, 4, 4},
    [95] = {"BC6H_UF16", 16, 4, 4},
    [96] = {"BC6H_SF16", 16, 4, 4},
    [97] = {"BC7_TYPELESS", 16, 4, 4},
    [98] = {"BC7_UNORM", 16, 4, 4},
    [99] = {"BC7_UNORM_SRGB", 16, 4, 4},
    [100] = {"AYUV", 4, 1, 1},
    [101] = {"Y410", 4, 1, 1},
    [102] = {"Y416", 8, 1, 1},
    [103] = {"NV12", 0, 1, 1},
    [104] = {"P010", 0, 1, 1},
    [105] = {"P016", 0, 1, 1},
    [106] = {"420_OPAQUE", 0, 1, 1},
    [107] = {"YUY2", 4, 2, 1},
    [108] = {"Y210", 8, 2, 1},
    [109] = {"Y216", 8, 2, 1},
    [110] = {"NV11", 0, 1, 1},
    [111] = {"AI44", 1, 1, 1},
    [112] = {"IA44", 1, 1, 1},
    [113] = {"P8", 1, 1, 1},
    [114] = {"A8P8", 2, 1, 1},
    [115] = {"B4G4R4A4_UNORM", 2, 1, 1},
    [130] = {"P208", 0, 1, 1},
    [131] = {"V208", 0, 1, 1},
    [132] = {"V408", 0, 1, 1},
};
/* clang-format on */

const struct ag_dxgi_info *ag_dxgi_info(uint32_t format)
{
    if (format >= AG_COUNT_OF(dxgi_table) || dxgi_table[format].name == NULL)
        return NULL;
    return &dxgi_table[format];
}

uint32_t ag_dxgi_from_name(const char *name, size_t length)
{
    for (uint32_t i = 0; i < AG_COUNT_OF(dxgi_table); i++) {
        const char *candidate = dxgi_table[i].name;
        if (candidate != NULL && strlen(candidate) == length && memcmp(candidate, name, length) == 0)
            return i;
    }
    return 0;
}
