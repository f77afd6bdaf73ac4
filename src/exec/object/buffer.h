/* SPDX-License-Identifier: MIT
 *
 * Buffers: the WebGPU buffer, and a shadow of its bytes in the host's memory for as long as the CPU knows
 * them all. The guest's handles own buffers; transfer/buffer_upload.h brings bytes into them.
 */
#ifndef AG_EXEC_OBJECT_BUFFER_H
#define AG_EXEC_OBJECT_BUFFER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"
#include "exec/object/resource.h"
#include "exec/object/uav_counter.h"
#include "gpu/label.h"
#include "gpu/webgpu.h"

struct ag_host;
struct ag_objects;

/* What a scan of a range of indices found (bind/index_scan.h). */
struct ag_index_scan {
    /* The range: its first byte, the number of indices, 32-bit indices or not, and the contents scanned. */
    uint64_t version, offset, count;
    bool wide;
    bool cut;             /* there is a cut value */
    uint32_t first, last; /* the least and the largest index that is no cut value, as in a block */
};

#define AG_INDEX_SCANS 64

/* What is known of the indices in a block of a buffer, as 16-bit [0] and as 32-bit indices [1]: the least and
 * the largest that is no cut value (the least is above the largest when there is none), and whether there is
 * a cut value. */
struct ag_index_block {
    uint32_t first[2], last[2];
    bool known[2], cut[2];
};

#define AG_INDEX_BLOCK_BYTES 4096u

struct ag_buffer {
    struct ag_resource resource; /* first, so that a pointer to the resource is a pointer to the buffer */
    uint64_t size;               /* bytes, as the guest says */
    uint32_t stride;             /* bytes of a structure; 0 when the buffer is not structured */

    /* The WebGPU buffer of whole words. Its id changes when the buffer is renamed. */
    WGPUBuffer gpu;
    uint64_t id;

    /* Changes whenever the contents do. */
    uint64_t version;
    /* The contents, while only the CPU has written them. Null from the first write of the GPU on. */
    uint8_t *shadow;
    /* The bytes whose newest contents are in guest memory. */
    struct ag_interval guest_dirty;
    /* The bytes that are newer in the shadow than in the WebGPU buffer. */
    struct ag_interval gpu_stale;

    /* Results of bind/index_scan.h. Each belongs to the contents of its version. */
    uint64_t cut_version;
    bool cut_found;
    struct {
        uint64_t version;
        uint32_t narrow, wide; /* the largest index that is no cut value, as 16-bit and as 32-bit indices */
    } largest_index;
    struct ag_index_scan *scans;   /* AG_INDEX_SCANS ranges that draws read; null before the first scan */
    struct ag_index_block *blocks; /* of the shadow, each AG_INDEX_BLOCK_BYTES; null before the first scan */
    /* How far a scan of all blocks has come (ag_index_scan_ahead()), with the contents of which version. */
    uint64_t ahead_version, ahead_blocks;
    uint64_t scanned_bytes; /* since it was asked how many (ag_index_scan_effort()) */

    /* The counter of append and consume views that were bound with packets of ABI 1.4, which have no
     * views. */
    struct ag_uav_counter counter;
    /* How many bytes stream output has written: BufferFilledSize. */
    struct ag_uav_counter filled;

    /* Draws wait for the renaming of a buffer, so that no text is formatted then. */
    struct ag_label label;
};

struct ag_buffer_desc {
    uint64_t size; /* bytes; the WebGPU buffer has whole words */
    uint32_t usage, bind, misc, stride;
    uint32_t handle; /* of the buffer, for its label */
};

/* A buffer of up to this size that changes between two draws is renamed, so that the render pass stays
 * open. */
#define AG_SMALL_BUFFER_BYTES 65536

/* Whether a buffer has a shadow: a constant buffer or a small one, since renaming copies the shadow, or an
 * index buffer, since the CPU may rewrite indices. */
bool ag_buffer_keeps_shadow(uint64_t size, uint32_t usage);

/* The size of the WebGPU buffer in bytes. */
static inline uint64_t ag_buffer_host_size(const struct ag_buffer *buffer)
{
    return ag_align_up(buffer->size, 4);
}

/* How many bytes the buffer has from `offset` on, as far as 32 bits tell. */
static inline uint32_t ag_buffer_bytes_behind(const struct ag_buffer *buffer, uint32_t offset)
{
    const uint64_t bytes = buffer->size > offset ? buffer->size - offset : 0;
    return bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)bytes;
}

/* Null when the host's memory is exhausted (not reported). */
struct ag_buffer *ag_buffer_create(struct ag_objects *objects, const struct ag_buffer_desc *desc);

void ag_buffer_destroy(struct ag_objects *objects, struct ag_buffer *buffer);

/* Puts a new WebGPU buffer, whose contents are zeros, in place of one that recorded commands still read. */
void ag_buffer_rename(struct ag_objects *objects, struct ag_buffer *buffer);

/* Notes that the bytes of the shadow change: what is known of the indices among them is not valid any more.
 */
void ag_buffer_shadow_changes(struct ag_buffer *buffer, uint64_t offset, uint64_t size);

/* Notes that commands recorded from here on write into the buffer: the shadow is dropped. Call after
 * ag_buffer_use(). */
void ag_buffer_written(struct ag_host *host, struct ag_buffer *buffer);

/* Notes that recorded commands copy `size` bytes between two buffers. The shadow of the destination is
 * kept when the source has a shadow, too. */
void ag_buffer_copied(struct ag_objects *objects, struct ag_buffer *buffer, uint64_t offset,
                      const struct ag_buffer *source, uint64_t source_offset, uint64_t size);

/* The least interval that contains both. An empty interval adds nothing. */
static inline struct ag_interval ag_interval_union(struct ag_interval a, struct ag_interval b)
{
    if (ag_interval_is_empty(a))
        return b;
    if (ag_interval_is_empty(b))
        return a;
    return (struct ag_interval){a.begin < b.begin ? a.begin : b.begin, a.end > b.end ? a.end : b.end};
}

#endif
