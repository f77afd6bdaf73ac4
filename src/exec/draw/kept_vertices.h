/* SPDX-License-Identifier: MIT
 *
 * The vertices of the kept draw: which of them draws may read, and what was in their buffers.
 */
#ifndef AG_EXEC_DRAW_KEPT_VERTICES_H
#define AG_EXEC_DRAW_KEPT_VERTICES_H

#include <stdbool.h>
#include <stdint.h>

#include "exec/draw/kept_draw.h"
#include "exec/object/buffer.h"

struct ag_draw;

static inline bool ag_kept_draw_is_pulled(const struct ag_kept_draw *kept)
{
    return kept->inputs.versions.is_pulled != 0;
}

/* Notes what the vertex buffers are and how much of them draws may read. */
void ag_kept_vertices_note(struct ag_kept_draw *kept);

/* The part of that which other buffers change, of vertices that are not pulled. */
void ag_kept_buffers_note(struct ag_kept_draw *kept);

/* Whether a vertex buffer has other contents than the kept draw's. */
static inline bool ag_kept_vertices_changed(const struct ag_kept_draw *kept)
{
    for (uint32_t i = 0; i < kept->vertex_contents_count; i++)
        if (kept->vertex_contents[i].buffer->version != kept->vertex_contents[i].version)
            return true;
    return false;
}

/* Whether a draw reads no vertex, instance or index that the kept draw has not. */
bool ag_kept_draw_fits(const struct ag_kept_draw *kept, const struct ag_draw *draw);

/* The draw as it is recorded: pulled vertices and instances are counted from the first ones. */
struct ag_draw ag_kept_draw_placed(const struct ag_kept_draw *kept, const struct ag_draw *draw);

#endif
