/* SPDX-License-Identifier: MIT
 *
 * Element fetch: a kernel that reads elements of a buffer in any format and writes each as four words. draw/
 * fetches vertex elements with it, and bind/ the elements of typed views that WGSL cannot load. Elements
 * outside the buffer are 0 in the components that the format has; missing components are those of (0, 0, 0,
 * 1) (semantics 8.1-8.4).
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

/* Which element the kernel fetches for an entry of its output. */
enum ag_element_numbering {
    AG_NUMBER_BY_ENTRY,       /* the entry's own index */
    AG_NUMBER_BY_VERTEX_ID,   /* the vertex id in a list of vertices, which has the count (AG_EXPAND_VERTICES)
                               */
    AG_NUMBER_BY_INSTANCE_ID, /* the instance id in a list of vertices */
};

/* The uniform block of the kernel: struct Element of element_fetch.wgsl. */
struct ag_element_block {
    uint32_t shift[4], bits[4]; /* place and width of each component inside the element */
    uint32_t first;             /* the element of the first entry */
    uint32_t count;             /* entries */
    uint32_t rate;              /* entries for each element; 0: every entry is the first element */
    uint32_t base;              /* byte offset of element 0 */
    uint32_t stride;            /* bytes from element to element */
    uint32_t limit;             /* bytes from the origin to the end of the buffer */
    uint32_t bytes;             /* bytes of an element */
    uint32_t number;            /* enum ag_number */
    uint32_t out_first;         /* word of the output where the first entry begins */
    uint32_t out_stride;        /* words from entry to entry */
    uint32_t one;               /* the bits of a missing fourth component */
    uint32_t numbered;          /* enum ag_element_numbering */
    uint32_t origin[4];         /* byte offset of what may be read; the rest is padding */
};

/* A block for elements of a format in a buffer from `origin` on, `offset` behind it and `stride` in bytes,
 * one entry for each element. Sums are modulo 2^32 (D3D11.3 8.19.1), but what is in front of the origin is
 * out of bounds, too (8.19.2). The caller sets first, count and the output. */
struct ag_element_block ag_element_block(const struct ag_host_format *format, const struct ag_buffer *buffer,
                                         uint32_t origin, uint32_t offset, uint32_t stride);

/* Uploads a block. False when memory is exhausted (reported). */
bool ag_element_block_upload(struct ag_blitter *blitter, const struct ag_element_block *block,
                             struct ag_upload_slice *slice);

/* The buffer as the source of a fetch. */
struct ag_buffer_range ag_element_source(const struct ag_buffer *buffer);

/* Returns a reference to the bind group of a fetch, and records it: ag_element_fetch_record() in two steps.
 * Null when memory is exhausted (reported). */
WGPUBindGroup ag_element_fetch_group(struct ag_blitter *blitter, const struct ag_buffer_range *source,
                                     const struct ag_upload_slice *block, const struct ag_buffer_range *to,
                                     const struct ag_buffer_range *list);
void ag_element_fetch_dispatch(struct ag_blitter *blitter, WGPUComputePassEncoder pass, WGPUBindGroup group,
                               const struct ag_upload_slice *block, uint64_t count);

/* Records the fetch of `count` entries into `to`, in an open compute pass, of which the pipeline and bind
 * group 0 change. The source's buffer may be null: the kernel reads zeros. `list`, for the numberings by id,
 * may be null. False when memory is exhausted (reported). */
bool ag_element_fetch_record(struct ag_blitter *blitter, WGPUComputePassEncoder pass,
                             const struct ag_buffer_range *source, const struct ag_upload_slice *block,
                             const struct ag_buffer_range *to, const struct ag_buffer_range *list,
                             uint64_t count);

/* Records the fetch of all elements of a typed view, whose buffer is up to date, into the buffer `to` with
 * this id. An open render pass is ended. False when memory is exhausted (reported). */
bool ag_element_fetch_view(struct ag_blitter *blitter, const struct ag_buffer_view *view, WGPUBuffer to,
                           uint64_t id);

#endif
