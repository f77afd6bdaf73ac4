/* SPDX-License-Identifier: MIT
 *
 * Resources: what the host has of them, and the memory of those that the CPU maps.
 */
#ifndef GUEST_UMD_RESOURCE_H
#define GUEST_UMD_RESOURCE_H

#include "guest/umd/device.h"
#include "guest/umd/objects.h"

/* One subresource as the CPU sees it. */
struct umd_subresource {
    struct umd_resource *resource;
    struct guest_block block; /* of the last map; none before the first */
    uint8_t *memory;          /* the same where the heap had no room (spill.h) */
    uint32_t row_pitch, depth_pitch, bytes;
    uint8_t mapped;     /* enum umd_map, 0: not mapped */
    bool host_is_newer; /* the host wrote what the block does not have yet */
    bool is_in_newer;   /* it stands in the context's list */
    bool is_read;       /* a map that did not wait began to read the host's bytes */
    uint64_t ticket;    /* of the newest packets that read or write the block */
    struct umd_subresource *next_newer, *previous_newer;
};

/* Bytes of a buffer. */
struct umd_range {
    uint64_t begin, end;
};

struct umd_resource {
    struct umd_object object;
    struct umd_resource_desc desc;
    uint32_t subresource_count;
    struct umd_subresource *subresources; /* of resources that the CPU maps, else null */
    _Atomic bool is_written;              /* see umd_resource_is_written() */
    struct umd_resource *resolved;        /* what presents show of a texture with samples; null: none yet */

    /* Dynamic buffers (see dynamic.h). */
    bool uploads_by_draw;
    bool is_pending;         /* the block has bytes that the host may lack */
    bool discards;           /* the next upload makes the rest undefined */
    bool was_uploaded_whole; /* since the block is this one */
    bool host_bytes_known;
    uint8_t *host_bytes;       /* what the host had when all was uploaded last */
    struct umd_range uploaded; /* what the host has of the pending bytes */
    uint64_t uploaded_bytes;   /* since they are pending */
    struct umd_resource *next_pending, *previous_pending;
};

/* One mip of a resource in texels, bytes and rows of blocks. */
struct umd_extent {
    uint32_t width, height, depth;
    uint32_t row_bytes, rows;
};
void umd_resource_extent(const struct umd_resource *resource, uint32_t subresource,
                         struct umd_extent *extent);

static inline uint32_t umd_subresource_index(const struct umd_subresource *subresource)
{
    return (uint32_t)(subresource - subresource->resource->subresources);
}

static inline bool umd_is_mappable(const struct umd_resource *resource)
{
    return resource->subresources != NULL;
}

static inline void umd_note_writer(struct umd_resource *resource)
{
    atomic_store_explicit(&resource->is_written, true, memory_order_relaxed);
}

/* Frees what a resource has besides its host object, whose end is in `stream`. */
void umd_resource_release(struct umd_device *device, struct umd_resource *resource,
                          struct guest_stream *stream);

/* The host has written a subresource, or all (AEROGPU_EXT_ALL), of a resource that may be mapped. */
void umd_resource_was_written(struct umd_context *context, struct umd_resource *resource,
                              uint32_t subresource);

#endif
