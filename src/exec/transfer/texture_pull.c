/* SPDX-License-Identifier: MIT */
#include "exec/transfer/texture_pull.h"

#include <stdlib.h>

#include "abi/texture_layout.h"
#include "exec/blit/texture_sync.h"
#include "exec/host/guest_memory.h"
#include "exec/host/report.h"
#include "exec/object/resource.h"
#include "exec/object/texture.h"
#include "exec/object/view.h"
#include "exec/record/encoder.h"
#include "exec/record/pass.h"
#include "exec/transfer/buffer_upload.h"
#include "exec/transfer/copier.h"
#include "exec/transfer/texture_upload.h"

#define PULL_CHUNK_BYTES (UINT64_C(4) << 20)

/* Guest memory behind a texture, and memory for its bytes where they have to be read. */
struct source {
    uint64_t gpa;
    uint8_t *chunk; /* null until the first read */
    uint64_t chunk_bytes;
};

/* The bytes at an offset of the layout. Null when they cannot be had (reported). */
static const uint8_t *get_bytes(struct ag_copier *copier, struct source *source, uint64_t offset,
                                uint64_t size)
{
    const uint8_t *mapped = ag_guest_map(copier->host, source->gpa + offset, size);
    if (mapped)
        return mapped;
    if (!source->chunk)
        source->chunk = malloc((size_t)source->chunk_bytes);
    if (!source->chunk) {
        ag_host_no_memory(copier->host);
        return NULL;
    }
    return ag_guest_pull(copier->host, source->gpa + offset, source->chunk, size) ? source->chunk : NULL;
}

/* The rows of a slice that hold dirty bytes, in bytes. */
static struct ag_interval wanted_bytes(const struct ag_mip_layout *layout, uint64_t start,
                                       struct ag_interval dirty)
{
    const uint64_t pitch = layout->pitch_bytes, all = pitch * layout->rows;
    const uint64_t begin = dirty.begin > start ? (dirty.begin - start) / pitch * pitch : 0;
    const uint64_t end = dirty.end > start ? (dirty.end - start + pitch - 1) / pitch * pitch : 0;
    return (struct ag_interval){begin, end < all ? end : all};
}

static bool pull_slice(struct ag_copier *copier, struct ag_texture *texture, uint32_t mip, uint32_t slice,
                       struct ag_interval dirty, struct source *source)
{
    const struct ag_mip_layout *layout = &texture->layout.mips[mip];
    const uint64_t start = ag_texture_layout_offset(&texture->layout, mip, slice);
    const struct ag_interval wanted = wanted_bytes(layout, start, dirty);
    const uint64_t rows_at_once = source->chunk_bytes / layout->pitch_bytes;
    const uint64_t most = layout->pitch_bytes * (rows_at_once ? rows_at_once : 1);
    for (uint64_t at = wanted.begin; at < wanted.end; at += most) {
        const uint64_t size = wanted.end - at < most ? wanted.end - at : most;
        const uint8_t *bytes = get_bytes(copier, source, start + at, size);
        if (!bytes || !ag_texture_write(copier, texture, start + at, bytes, size))
            return false;
    }
    return true;
}

bool ag_texture_pull(struct ag_copier *copier, struct ag_texture *texture)
{
    const struct ag_interval dirty = texture->guest_dirty;
    struct source source = {.chunk_bytes = PULL_CHUNK_BYTES};
    if (ag_interval_is_empty(dirty))
        return true;
    if (!ag_guest_find(copier->host, texture->resource.backing.alloc_id, texture->resource.backing.offset,
                       texture->layout.size_bytes, &source.gpa))
        return false;
    if (texture->layout.mips[0].pitch_bytes > source.chunk_bytes)
        source.chunk_bytes = texture->layout.mips[0].pitch_bytes;
    bool done = true;
    texture->guest_dirty = (struct ag_interval){0, 0};
    for (uint32_t mip = 0; mip < texture->mips && done; mip++)
        for (uint32_t slice = 0; slice < ag_texture_slices(texture, mip) && done; slice++)
            done = pull_slice(copier, texture, mip, slice, dirty, &source);
    if (!done)
        texture->guest_dirty = dirty;
    free(source.chunk);
    return done;
}

bool ag_texture_use(struct ag_copier *copier, struct ag_texture *texture)
{
    if (!ag_texture_pull(copier, texture))
        return false;
    ag_pass_settle(copier->recorder, texture);
    ag_texture_sync(copier->blitter, texture);
    ag_recorder_mark_used(copier->recorder, &texture->resource);
    return true;
}

bool ag_view_use(struct ag_copier *copier, struct ag_texture_view *view)
{
    if (!ag_texture_pull(copier, view->texture))
        return false;
    ag_view_refresh(copier->blitter, view);
    return true;
}

bool ag_view_contents_use(struct ag_copier *copier, struct ag_view *view)
{
    return view->resource->kind == AG_RESOURCE_TEXTURE ? ag_view_use(copier, &view->texture)
                                                       : ag_buffer_use(copier, view->buffer.buffer);
}
