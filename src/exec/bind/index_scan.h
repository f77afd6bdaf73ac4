/* SPDX-License-Identifier: MIT
 *
 * What the CPU knows of the indices of a draw: single ones, their bounds, cuts among them. Ranges that draws
 * read are scanned once for each content of the buffer.
 */
#ifndef AG_EXEC_BIND_INDEX_SCAN_H
#define AG_EXEC_BIND_INDEX_SCAN_H

#include <stdbool.h>
#include <stdint.h>

struct ag_buffer;
struct ag_context;
struct ag_draw;

/* A draw's part of the index buffer's CPU copy; reads past the buffer give 0. */
struct ag_index_reader {
    const uint8_t *bytes;
    uint64_t size, offset;
    bool wide; /* 32-bit indices */
};

/* False when only the GPU knows the indices. */
bool ag_index_reader_init(const struct ag_context *context, const struct ag_draw *draw,
                          struct ag_index_reader *reader);
uint32_t ag_index_read(const struct ag_index_reader *reader, uint64_t i);

/* Whether the buffer, whose bytes the CPU knows, holds a cut value anywhere. */
bool ag_index_buffer_may_have_cut(struct ag_buffer *buffer);
/* Whether there is a cut among the first `count` indices of the reader, which reads that buffer. */
bool ag_index_range_has_cut(struct ag_buffer *buffer, const struct ag_index_reader *reader, uint64_t count);

/* Whether a draw with indices, whose buffer was resolved, has indices that only the GPU knows. */
bool ag_indices_unknown(const struct ag_context *context, const struct ag_draw *draw);
/* Whether there may be cuts among the indices of such a draw. */
bool ag_indices_may_cut(const struct ag_context *context, const struct ag_draw *draw);

/* Smallest and largest index, without cuts; {0, 0} when there is none. */
struct ag_index_bounds {
    uint32_t first, last;
};
/* Of what a draw with indices reads. False when the CPU does not know. */
bool ag_index_bounds_find(const struct ag_context *context, const struct ag_draw *draw,
                          struct ag_index_bounds *bounds);
/* Of all that the index buffer holds: cheaper, and perhaps too wide. */
bool ag_index_bounds_guess(const struct ag_context *context, struct ag_index_bounds *bounds);

#endif
