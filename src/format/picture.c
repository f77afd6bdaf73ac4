/* SPDX-License-Identifier: MIT
 *
 * Pixels of pictures in guest memory: what scanouts and cursors show, and what guests fill textures with.
 */

#include "base/bytes.h"
#include "format/format.h"

/* To eight bits by replication; no bits are opaque. */
static uint8_t widen(uint32_t value, uint32_t bits)
{
    if (bits < 5)
        return !bits || value ? 255 : 0;
    return (uint8_t)(value << (8 - bits) | value >> (2 * bits - 8));
}

void ag_format_unpack_rgba8(const struct ag_host_format *format, const void *from, uint8_t rgba[4])
{
    const struct ag_components components = ag_host_format_components(format);
    const uint32_t pixel = format->bytes == 2 ? ag_load_u16(from) : ag_load_u32(from);
    for (uint32_t c = 0; c < 4; c++) {
        const uint32_t bits = components.bits[c];
        rgba[c] = widen(pixel >> components.shift[c] & ((1u << bits) - 1), bits);
    }
}

void ag_format_pack_rgba8(const struct ag_host_format *format, const uint8_t rgba[4], void *to)
{
    const struct ag_components components = ag_host_format_components(format);
    uint32_t pixel = 0, used = 0;
    for (uint32_t c = 0; c < 4; c++) {
        const uint32_t bits = components.bits[c];
        pixel |= (uint32_t)rgba[c] >> (8 - bits) << components.shift[c];
        used |= ((1u << bits) - 1) << components.shift[c];
    }
    if (format->bytes == 2)
        ag_store_u16(to, (uint16_t)pixel);
    else
        ag_store_u32(to, pixel | ~used);
}
