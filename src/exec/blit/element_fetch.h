/* SPDX-License-Identifier: MIT
 *
 * Elements of buffers in any format, read by a kernel with Direct3D's bounds (semantics 8.1-8.4): what is out
 * of range is 0 in the components that the format has and (0, 0, 0, 1) in the others.
 */
#ifndef AG_EXEC_BLIT_ELEMENT_FETCH_H
#define AG_EXEC_BLIT_ELEMENT_FETCH_H

#include <stdbool.h>
#include <stdint.h>

#include "gpu/webgpu.h"

struct ag_blitter;
struct ag_buffer;
struct ag_buffer_range;
struct ag_buffer_view;
struct ag_host_format;
struct ag_upload_slice;

/* Where an entry's element number comes from. */
enum ag_element_numbering {
    AG_NUMBER_BY_ENTRY,       /* the entry's own number */
    AG_NUMBER_BY_VERTEX_ID,   /* a list of vertices, which also says how many there are (AG_EXPAND_VERTICES)
                               */
    AG_NUMBER_BY_INSTANCE_ID, /* the instances of that list */
};

/* The kernel's uniform block, laid out as struct Element in element_fetch.wgsl. */
struct ag_element_block {
    uint32_t shift[4], bits[4]; /* of the components inside the element */
    uint32_t first;             /* element number of the first entry */
    uint32_t count;             /* entries */
    uint32_t rate;              /* entries for each element; 0: all are the first */
    uint32_t base;              /* bytes to element 0 */
    uint32_t stride, limit;     /* limit: bytes of the buffer */
    uint32_t bytes;             /* of the element */
    uint32_t number;            /* enum ag_number */
    uint32_t out_first;         /* words */
    uint32_t out_stride;
    uint32_t one;      /* what a missing fourth component is */
    uint32_t numbered; /* enum ag_element_numbering */
};

/* The part of a block that a format and a buffer decide: offset and stride in bytes, one entry for an
 * element. */
struct ag_element_block ag_element_block(const struct ag_host_format *format, const struct ag_buffer *buffer,
                                         uint32_t offset, uint32_t stride);
/* Uploads a block. False when memory is exhausted (reported). */
bool ag_element_block_upload(struct ag_blitter *blitter, const struct ag_element_block *block,
                             struct ag_upload_slice *slice);

/* Records the fetch of `count` entries. `source` null: there is no buffer, each element is what the block
 * says of its bits. `list` null: entries have their own numbers. Changes the pass's pipeline and group 0.
 * False when memory is exhausted (reported). */
bool ag_element_fetch_record(struct ag_blitter *blitter, WGPUComputePassEncoder pass,
                             const struct ag_buffer *source, const struct ag_upload_slice *block,
                             const struct ag_buffer_range *to, const struct ag_buffer_range *list,
                             uint64_t count);

/* The elements of a typed view, whose buffer is in use, as four words each: what a shader loads. False when
 * memory is exhausted (reported). */
bool ag_element_fetch_view(struct ag_blitter *blitter, const struct ag_buffer_view *view, WGPUBuffer to,
                           uint64_t id);

#endif
