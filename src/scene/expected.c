/* SPDX-License-Identifier: MIT
 *
 * The expected picture of a present, put together from the checks of the scene for the report.
 */
#include <stdlib.h>
#include <string.h>

#include "scene/check.h"
#include "scene/run.h"

/* Returns the present that the checks look at. Returns null when the report does not keep this present, or
 * when the caller did not ask for expected pictures. */
static struct ag_scene_present *present_of(const struct scene_run *run)
{
    if (!run->options->keep_expected || run->report->presents.count == 0)
        return NULL;
    struct ag_scene_present *present = &ag_vec_last(&run->report->presents);
    const bool is_this = present->number + 1 == run->present_count && present->width == run->picture.width &&
                         present->height == run->picture.height;
    return is_this ? present : NULL;
}

bool ag_scene_reserve_expected(struct ag_scene_present *present)
{
    const size_t pixels = (size_t)present->width * present->height;
    if (present->expected == NULL)
        present->expected = calloc(pixels + 1, 4);
    if (present->known == NULL)
        present->known = calloc(pixels + 1, sizeof *present->known);
    return present->expected != NULL && present->known != NULL;
}

void scene_note_expected(struct scene_run *run, const struct scene_expectation *expectation, uint32_t width,
                         uint32_t height, const uint8_t *picture)
{
    struct ag_scene_present *present = present_of(run);
    if (present == NULL)
        return;
    if (!ag_scene_reserve_expected(present)) {
        scene_abort(run, AGPU_DIAG_OUT_OF_MEMORY, "out of memory for an expected picture");
        return;
    }
    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t x = 0; x < width; x++) {
            const size_t at = ((size_t)expectation->y + y) * present->width + expectation->x + x;
            const size_t from = (size_t)y * width + x;
            memcpy(present->expected + at * 4, picture != NULL ? picture + from * 4 : expectation->rgba, 4);
            present->known[at] = true;
        }
    }
}
