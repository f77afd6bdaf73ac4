/* SPDX-License-Identifier: MIT
 *
 * Indices that the CPU knows, out of the shadow of an index buffer: reading them, their bounds, and cut
 * values among them. The buffer keeps the results of scans, so that a range is scanned once for each content.
 */
#ifndef AG_EXEC_BIND_INDEX_SCAN_H
#define AG_EXEC_BIND_INDEX_SCAN_H

#include <stdbool.h>
#include <stdint.h>

#include "exec/object/buffer.h"

struct ag_context;
struct ag_draw;

/* ---- Reading ------------------------------------------------------------------------------------------ */

/* The indices of a draw in the shadow of the index buffer. Indices past the end of the buffer are 0. */
struct ag_index_reader {
    const uint8_t *bytes;
    uint64_t size, offset;
    bool wide; /* 32-bit indices */
};

/* False when only the GPU knows the indices. */
bool ag_index_reader_init(const struct ag_context *context, const struct ag_draw *draw,
                          struct ag_index_reader *reader);

/* Index `i` of the draw. */
uint32_t ag_index_read(const struct ag_index_reader *reader, uint64_t i);

/* Scans the next part of what is not known of a large index buffer, a quarter of AG_PART_BYTES at most, so
 * that draws find all of it known. True when nothing is left, or nothing is to be scanned. */
bool ag_index_scan_ahead(const struct ag_context *context);

/* How many bytes of the bound index buffer scans have looked at since this was asked last. */
uint64_t ag_index_scan_effort(const struct ag_context *context);

/* Whether only the GPU knows the indices of an indexed draw whose index buffer is resolved. */
bool ag_indices_unknown(const struct ag_context *context, const struct ag_draw *draw);

/* ---- Cut values --------------------------------------------------------------------------------------- */

/* Whether a buffer with a shadow has a cut value anywhere. */
bool ag_index_buffer_may_have_cut(struct ag_buffer *buffer);

/* Whether a cut value is among the first `count` indices of a reader of that buffer. */
bool ag_index_range_has_cut(struct ag_buffer *buffer, const struct ag_index_reader *reader, uint64_t count);

/* Whether an indexed draw, whose index buffer is resolved, may have a cut value. True when only the GPU
 * knows the indices. */
bool ag_indices_may_cut(const struct ag_context *context, const struct ag_draw *draw);

/* ---- Bounds ------------------------------------------------------------------------------------------- */

/* The least and the largest index that is no cut value; {0, 0} when there is none. */
struct ag_index_bounds {
    uint32_t first, last;
};

/* Whether a buffer, of whose indices some draw has asked before, has no cut value; *bounds are those of all
 * indices then. */
static inline bool ag_index_buffer_is_known(const struct ag_buffer *buffer, bool wide,
                                            struct ag_index_bounds *bounds)
{
    if (buffer->cut_version != buffer->version || buffer->cut_found ||
        buffer->largest_index.version != buffer->version)
        return false;
    *bounds = (struct ag_index_bounds){0, wide ? buffer->largest_index.wide : buffer->largest_index.narrow};
    return true;
}

/* The bounds of the indices of an indexed draw. False when only the GPU knows the indices. */
bool ag_index_bounds_find(const struct ag_context *context, const struct ag_draw *draw,
                          struct ag_index_bounds *bounds);

/* Bounds of all indices in the index buffer, which are faster to find and may be wider than those of a
 * draw. False when only the GPU knows the indices. */
bool ag_index_bounds_guess(const struct ag_context *context, struct ag_index_bounds *bounds);

#endif
