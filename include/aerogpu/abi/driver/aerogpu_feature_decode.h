/* SPDX-License-Identifier: MIT
 *
 * Names of the feature bits, for the C++ tools of a guest (spec: ABI 11.1). In C this header declares
 * nothing.
 */
#ifndef AEROGPU_ABI_DRIVER_AEROGPU_FEATURE_DECODE_H
#define AEROGPU_ABI_DRIVER_AEROGPU_FEATURE_DECODE_H

#ifdef __cplusplus

#include <stdint.h>

#include <string>
#include <vector>

#include "aerogpu/abi/pci.h"

namespace aerogpu {

/* The digits of a number, for C++ libraries without std::to_wstring. */
inline std::wstring Uint32ToWstring(uint32_t number)
{
    std::wstring digits;
    for (; number >= 10; number /= 10)
        digits.insert(digits.begin(), static_cast<wchar_t>(L'0' + number % 10));
    digits.insert(digits.begin(), static_cast<wchar_t>(L'0' + number));
    return digits;
}

/* The name of each bit that is set: known bits in the order in which tools show them, then `unknown_bit_` and
 * the number of each other one, the lowest first. The bits of `features_hi` count from 64. */
inline std::vector<std::wstring> DecodeDeviceFeatureBits(uint64_t features_lo, uint64_t features_hi)
{
    static const struct {
        uint64_t bit;
        const wchar_t *name;
    } known[] = {
        {AEROGPU_FEATURE_CURSOR,     L"cursor"    },
        {AEROGPU_FEATURE_SCANOUT,    L"scanout"   },
        {AEROGPU_FEATURE_VBLANK,     L"vblank"    },
        {AEROGPU_FEATURE_FENCE_PAGE, L"fence_page"},
        {AEROGPU_FEATURE_TRANSFER,   L"transfer"  },
        {AEROGPU_FEATURE_ERROR_INFO, L"error_info"},
    };
    const uint64_t halves[2] = {features_lo, features_hi};
    uint64_t known_bits = 0;
    std::vector<std::wstring> names;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        known_bits |= known[i].bit;
        if (features_lo & known[i].bit)
            names.push_back(known[i].name);
    }
    for (uint32_t number = 0; number < 128; number++) {
        const uint64_t bit = static_cast<uint64_t>(1) << (number % 64);
        if ((halves[number / 64] & bit) != 0 && (number >= 64 || (known_bits & bit) == 0))
            names.push_back(std::wstring(L"unknown_bit_") + Uint32ToWstring(number));
    }
    return names;
}

/* The names with commas between them, or `(none)`. */
inline std::wstring FormatDeviceFeatureBits(uint64_t features_lo, uint64_t features_hi)
{
    const std::vector<std::wstring> names = DecodeDeviceFeatureBits(features_lo, features_hi);
    std::wstring text;
    for (size_t i = 0; i < names.size(); i++)
        text += (i == 0 ? L"" : L", ") + names[i];
    return names.empty() ? std::wstring(L"(none)") : text;
}

} // namespace aerogpu

#endif

#endif
