/* SPDX-License-Identifier: MIT
 *
 * 256 colours for a picture, by median cut over its colours at five bits a channel.
 */
#ifndef AG_CLI_PALETTE_H
#define AG_CLI_PALETTE_H

#include <stdbool.h>

#include "cli/picture.h"

#define CLI_PALETTE_CELLS 32768 /* 2 to the power of 3 * 5 */

struct cli_palette {
    uint8_t colours[256][3];
    uint32_t count;
    uint8_t nearest[CLI_PALETTE_CELLS]; /* from the cell of a colour to its number */
};

/* The cell of an RGBA8 pixel. */
static inline uint32_t cli_palette_cell(const uint8_t *pixel)
{
    return (uint32_t)(pixel[0] >> 3) << 10 | (uint32_t)(pixel[1] >> 3) << 5 | (uint32_t)(pixel[2] >> 3);
}

/* False when out of memory. */
bool cli_palette_make(struct cli_palette *palette, const struct cli_picture *picture);

#endif
