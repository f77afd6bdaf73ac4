/* SPDX-License-Identifier: MIT */
#include "exec/expand/viewports.h"

#include <math.h>
#include <string.h>

#include "exec/bind/context.h"
#include "exec/draw/raster.h"
#include "exec/expand/expander.h"
#include "exec/expand/preparation.h"
#include "exec/host/host.h"

static bool is_same_area(const struct ag_raster_area *a, const struct ag_raster_area *b)
{
    return memcmp(&a->viewport, &b->viewport, sizeof a->viewport) == 0 &&
           memcmp(a->scissor, b->scissor, sizeof a->scissor) == 0;
}

/* The first visible viewport that is the same as viewport `index`, or that one. */
static uint32_t first_same_viewport(const struct ag_prepared_expansion *draw, uint32_t index)
{
    uint32_t i = 0;
    while (i < index && !((draw->visible >> i & 1) && is_same_area(&draw->areas[i], &draw->areas[index])))
        i++;
    return i;
}

void ag_expanded_viewports_init(struct ag_prepared_expansion *draw)
{
    const struct ag_attachments *attachments = &draw->attachments;
    uint32_t count = draw->stages.drawn.selects_viewport ? AG_VIEWPORT_SLOTS : 1;
    for (uint32_t i = 0; i < count; i++)
        if (ag_raster_area_init(draw->context, i, attachments->width, attachments->height,
                                draw->expander->host->limits.maxTextureDimension2D, &draw->areas[i])) {
            const uint32_t first = first_same_viewport(draw, i);
            draw->same_viewports[first] =
                (uint16_t)(first < i ? draw->same_viewports[first] | 1u << i : 1u << i);
            draw->visible |= UINT32_C(1) << first;
        }
}

/* The texels of a viewport inside its scissor: {left, top, right, bottom}. The edges of a viewport are
 * rounded down (D3D11.3 15.7), so that viewports side by side have none in common. */
static void bounds_of(const struct ag_raster_area *area, float bounds[4])
{
    const struct ag_viewport *viewport = &area->viewport;
    const float first[2] = {viewport->x, viewport->y}, size[2] = {viewport->width, viewport->height};
    for (uint32_t axis = 0; axis < 2; axis++) {
        const float end = (float)(area->scissor[axis] + area->scissor[axis + 2]);
        bounds[axis] = fmaxf(floorf(first[axis]), (float)area->scissor[axis]);
        bounds[axis + 2] = fminf(floorf(first[axis] + size[axis]), end);
    }
}

static bool have_common_texels(const struct ag_raster_area *a, const struct ag_raster_area *b)
{
    float of_a[4], of_b[4];
    bounds_of(a, of_a);
    bounds_of(b, of_b);
    return fmaxf(of_a[0], of_b[0]) < fminf(of_a[2], of_b[2]) &&
           fmaxf(of_a[1], of_b[1]) < fminf(of_a[3], of_b[3]);
}

bool ag_expanded_viewports_overlap(const struct ag_prepared_expansion *draw)
{
    for (uint32_t i = 1; i < AG_VIEWPORT_SLOTS; i++)
        for (uint32_t j = 0; draw->visible >> i & 1 && j < i; j++)
            if (draw->visible >> j & 1 && have_common_texels(&draw->areas[i], &draw->areas[j]))
                return true;
    return false;
}
