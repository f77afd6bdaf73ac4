/* SPDX-License-Identifier: MIT
 *
 * The names of feature bits, in the order of ABI 11.1. Exits with 1 at the first that is wrong.
 */
#include "aerogpu_feature_decode.h"

#include <cstdio>

struct expectation {
    uint64_t lo, hi;
    const wchar_t *text;
};

int main()
{
    static const expectation expectations[] = {
        {0,                    0,                    L"(none)"                                                       },
        {0x3F,                 0,                    L"cursor, scanout, vblank, fence_page, transfer, error_info"    },
        {0x9,                  0,                    L"vblank, fence_page"                                           },
        {0x8000000000000041,   0,                    L"fence_page, unknown_bit_6, unknown_bit_63"                    },
        {0x2,                  0x8000000000000001,   L"cursor, unknown_bit_64, unknown_bit_127"                      },
        {0,                    0x1000000000,         L"unknown_bit_100"                                              },
    };
    for (const expectation &row : expectations) {
        const std::wstring text = aerogpu::FormatDeviceFeatureBits(row.lo, row.hi);
        if (text != row.text) {
            std::printf("%ls instead of %ls\n", text.c_str(), row.text);
            return 1;
        }
    }
    return aerogpu::DecodeDeviceFeatureBits(0, 0).empty() ? 0 : 1;
}
