/* SPDX-License-Identifier: MIT */
#include "cli/palette.h"

#include <stdlib.h>
#include <string.h>

/* Everything in one cell of the colour cube. */
struct cell {
    uint32_t index;
    uint32_t weight;
    uint64_t sum[3];
};

/* A run of cells that becomes one colour. */
struct box {
    struct cell *cells;
    uint32_t count;
    uint64_t weight;
    uint32_t channel; /* the widest one */
    uint32_t extent;  /* of that channel, in cells */
};

static uint32_t cell_channel(const struct cell *cell, uint32_t channel)
{
    return cell->index >> (10 - 5 * channel) & 31;
}

static int by_red(const void *a, const void *b)
{
    return (int)cell_channel(a, 0) - (int)cell_channel(b, 0);
}

static int by_green(const void *a, const void *b)
{
    return (int)cell_channel(a, 1) - (int)cell_channel(b, 1);
}

static int by_blue(const void *a, const void *b)
{
    return (int)cell_channel(a, 2) - (int)cell_channel(b, 2);
}

static void measure(struct box *box)
{
    box->weight = 0;
    box->extent = 0;
    box->channel = 0;
    for (uint32_t i = 0; i < box->count; i++)
        box->weight += box->cells[i].weight;
    for (uint32_t channel = 0; channel < 3; channel++) {
        uint32_t least = 31, most = 0;
        for (uint32_t i = 0; i < box->count; i++) {
            const uint32_t value = cell_channel(&box->cells[i], channel);
            least = value < least ? value : least;
            most = value > most ? value : most;
        }
        if (most - least > box->extent) {
            box->extent = most - least;
            box->channel = channel;
        }
    }
}

/* The box whose halves gain most; null when every box is one cell. */
static struct box *widest(struct box *boxes, uint32_t count)
{
    struct box *best = NULL;
    for (uint32_t i = 0; i < count; i++) {
        if (boxes[i].extent != 0 &&
            (best == NULL || boxes[i].weight * boxes[i].extent > best->weight * best->extent))
            best = &boxes[i];
    }
    return best;
}

/* Halves a box by weight along its widest channel; the upper half goes to `upper`. */
static void split(struct box *box, struct box *upper)
{
    static int (*const orders[3])(const void *, const void *) = {by_red, by_green, by_blue};
    qsort(box->cells, box->count, sizeof *box->cells, orders[box->channel]);
    uint64_t weight = 0;
    uint32_t half = 0;
    while (half + 1 < box->count && (half == 0 || weight + box->cells[half].weight <= box->weight / 2))
        weight += box->cells[half++].weight;
    *upper = (struct box){.cells = box->cells + half, .count = box->count - half};
    box->count = half;
    measure(box);
    measure(upper);
}

static uint32_t gather(const struct cli_picture *picture, struct cell *cells)
{
    const size_t pixel_count = (size_t)picture->width * picture->height;
    for (uint32_t i = 0; i < CLI_PALETTE_CELLS; i++)
        cells[i] = (struct cell){.index = i};
    for (size_t i = 0; i < pixel_count; i++) {
        struct cell *const cell = &cells[cli_palette_cell(picture->pixels + 4 * i)];
        cell->weight++;
        for (uint32_t channel = 0; channel < 3; channel++)
            cell->sum[channel] += picture->pixels[4 * i + channel];
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < CLI_PALETTE_CELLS; i++) {
        if (cells[i].weight != 0)
            cells[count++] = cells[i];
    }
    return count;
}

static void colour_box(struct cli_palette *palette, uint32_t number, const struct box *box)
{
    uint64_t sum[3] = {0};
    for (uint32_t i = 0; i < box->count; i++) {
        palette->nearest[box->cells[i].index] = (uint8_t)number;
        for (uint32_t channel = 0; channel < 3; channel++)
            sum[channel] += box->cells[i].sum[channel];
    }
    for (uint32_t channel = 0; channel < 3 && box->weight != 0; channel++)
        palette->colours[number][channel] = (uint8_t)(sum[channel] / box->weight);
}

bool cli_palette_make(struct cli_palette *palette, const struct cli_picture *picture)
{
    struct cell *const cells = malloc(CLI_PALETTE_CELLS * sizeof *cells);
    if (cells == NULL)
        return false;
    struct box boxes[256];
    uint32_t count = 1;
    boxes[0] = (struct box){.cells = cells, .count = gather(picture, cells)};
    measure(&boxes[0]);
    while (count < 256) {
        struct box *const box = widest(boxes, count);
        if (box == NULL)
            break;
        split(box, &boxes[count++]);
    }
    memset(palette, 0, sizeof *palette);
    palette->count = count;
    for (uint32_t i = 0; i < count; i++)
        colour_box(palette, i, &boxes[i]);
    free(cells);
    return true;
}
