/* SPDX-License-Identifier: MIT
 *
 * Sizes of formats, by ranges of DXGI's numbers: what the layout of mapped memory needs.
 */
#include "guest/umd/umd.h"

struct format_range {
    uint8_t first, last;
    uint8_t bytes;
    uint8_t block_width, block_height;
};

static const struct format_range ranges[] = {
    {1,   4,   16, 1, 1}, /* R32G32B32A32 */
    {5,   8,   12, 1, 1}, /* R32G32B32 */
    {9,   22,  8,  1, 1}, /* R16G16B16A16, R32G32, R32G8X24 */
    {23,  47,  4,  1, 1}, /* R10G10B10A2, R11G11B10, R8G8B8A8, R16G16, R32, R24G8 */
    {48,  59,  2,  1, 1}, /* R8G8, R16 */
    {60,  65,  1,  1, 1}, /* R8, A8 */
    {67,  67,  4,  1, 1}, /* R9G9B9E5 */
    {68,  69,  4,  2, 1}, /* R8G8_B8G8, G8R8_G8B8 */
    {70,  72,  8,  4, 4}, /* BC1 */
    {73,  78,  16, 4, 4}, /* BC2, BC3 */
    {79,  81,  8,  4, 4}, /* BC4 */
    {82,  84,  16, 4, 4}, /* BC5 */
    {85,  86,  2,  1, 1}, /* B5G6R5, B5G5R5A1 */
    {87,  93,  4,  1, 1}, /* B8G8R8A8, B8G8R8X8, R10G10B10_XR_BIAS_A2 */
    {94,  99,  16, 4, 4}, /* BC6H, BC7 */
    {115, 115, 2,  1, 1}, /* B4G4R4A4 */
};

uint32_t umd_format_bytes(uint32_t format, uint32_t *block_width, uint32_t *block_height)
{
    for (uint32_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
        if (format >= ranges[i].first && format <= ranges[i].last) {
            *block_width = ranges[i].block_width;
            *block_height = ranges[i].block_height;
            return ranges[i].bytes;
        }
    *block_width = *block_height = 1;
    return 0;
}
