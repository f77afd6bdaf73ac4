/* SPDX-License-Identifier: MIT
 *
 * Buffers: the WebGPU buffer, and a shadow of its bytes while the CPU knows them all.
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

struct ag_objects;

/* What a range of indices holds, as found out once for each content. */
struct ag_index_scan {
    uint64_t version, offset, count; /* offset: bytes */
    bool wide, has_bounds, has_cut;  /* has_*: what is known */
    bool cut;
    uint32_t first, last;
};

#define AG_INDEX_SCANS 64

struct ag_buffer {
    struct ag_resource resource; /* first: a resource pointer is a buffer pointer */
    uint64_t size;
    WGPUBuffer gpu;
    struct ag_label label; /* of `gpu`: renaming, which draws wait for, formats nothing */
    uint64_t id;           /* of `gpu`; changes when the buffer is renamed */
    uint64_t version;      /* of the contents */
    uint8_t *shadow;       /* the contents as the CPU wrote them, or null once the GPU wrote into them */
    struct ag_interval guest_dirty; /* guest memory is newer */
    struct ag_interval gpu_stale;   /* the shadow is newer than `gpu` */
    uint64_t cut_version;           /* contents that were searched for index cuts, */
    bool cut_found;                 /* and what was found */
    struct {
        uint64_t version;      /* contents that were searched for the largest index that is no cut, */
        uint32_t narrow, wide; /* and what was found, as 16 and as 32 bits */
    } largest_index;
    struct ag_index_scan *scans; /* AG_INDEX_SCANS of them once needed, of ranges that draws read */
    struct ag_uav_counter counter;
    struct ag_uav_counter filled; /* bytes that stream output wrote */
    uint32_t stride;              /* of structures; 0: it is no structured buffer */
};

struct ag_buffer_desc {
    uint64_t size; /* bytes; the host rounds up to words, what lies behind is not the guest's */
    uint32_t usage, bind, misc, stride;
    uint32_t handle; /* for the label */
};

/* Buffers up to this size are renamed instead of splitting the pass when they change between draws. */
#define AG_SMALL_BUFFER_BYTES 65536

/* Whether the CPU keeps the bytes of such a buffer: constants are renamed from the shadow, indices may need
 * rewriting, and small buffers are renamed. */
bool ag_buffer_keeps_shadow(uint64_t size, uint32_t usage);

/* The size of the WebGPU buffer: whole words. */
static inline uint64_t ag_buffer_host_size(const struct ag_buffer *buffer)
{
    return ag_align_up(buffer->size, 4);
}

/* Null when the host's memory is exhausted. */
struct ag_buffer *ag_buffer_create(struct ag_objects *objects, const struct ag_buffer_desc *desc);
/* A fresh WebGPU buffer, of no contents, in place of one that recorded work still reads. */
void ag_buffer_rename(struct ag_objects *objects, struct ag_buffer *buffer);
void ag_buffer_destroy(struct ag_objects *objects, struct ag_buffer *buffer);
/* The GPU writes into it at this point: call after ag_buffer_use(). */
void ag_buffer_written(struct ag_buffer *buffer);
/* The same for a copy from another buffer: the shadow stays known when the source's is. */
void ag_buffer_copied(struct ag_objects *objects, struct ag_buffer *buffer, uint64_t offset,
                      const struct ag_buffer *source, uint64_t source_offset, uint64_t size);

/* The union of two intervals; an empty one adds nothing. */
struct ag_interval ag_interval_union(struct ag_interval a, struct ag_interval b);

#endif
