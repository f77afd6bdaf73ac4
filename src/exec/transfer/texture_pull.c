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

/* The rows of a slice that hold dirty bytes. */
static struct ag_interval dirty_rows(const struct ag_mip_layout *layout, uint64_t start,
                                     struct ag_interval dirty)
{
    const uint64_t begin = dirty.begin > start ? (dirty.begin - start) / layout->pitch_bytes : 0;
    const uint64_t end =
        dirty.end > start ? (dirty.end - start + layout->pitch_bytes - 1) / layout->pitch_bytes : 0;
    return (struct ag_interval){begin, end < layout->rows ? end : layout->rows};
}

static bool pull_slice(struct ag_copier *copier, struct ag_texture *texture, uint32_t mip, uint32_t slice,
                       struct ag_interval dirty, uint64_t gpa, uint8_t *chunk)
{
    const struct ag_mip_layout *layout = &texture->layout.mips[mip];
    uint64_t start = ag_texture_layout_offset(&texture->layout, mip, slice);
    const struct ag_interval wanted = dirty_rows(layout, start, dirty);
    uint64_t rows_at_once = PULL_CHUNK_BYTES / layout->pitch_bytes;
    if (rows_at_once == 0)
        rows_at_once = 1;
    for (uint64_t row = wanted.begin; row < wanted.end; row += rows_at_once) {
        uint64_t rows = wanted.end - row < rows_at_once ? wanted.end - row : rows_at_once;
        uint64_t offset = start + row * layout->pitch_bytes, size = rows * layout->pitch_bytes;
        if (!ag_guest_pull(copier->host, gpa + offset, chunk, size) ||
            !ag_texture_write(copier, texture, offset, chunk, size))
            return false;
    }
    return true;
}

bool ag_texture_pull(struct ag_copier *copier, struct ag_texture *texture)
{
    const struct ag_interval dirty = texture->guest_dirty;
    uint64_t gpa, chunk_bytes = PULL_CHUNK_BYTES;
    if (ag_interval_is_empty(dirty))
        return true;
    if (!ag_guest_find(copier->host, texture->resource.backing.alloc_id, texture->resource.backing.offset,
                       texture->layout.size_bytes, &gpa))
        return false;
    if (texture->layout.mips[0].pitch_bytes > chunk_bytes)
        chunk_bytes = texture->layout.mips[0].pitch_bytes;
    uint8_t *chunk = malloc((size_t)chunk_bytes);
    if (!chunk) {
        ag_host_no_memory(copier->host);
        return false;
    }
    bool done = true;
    texture->guest_dirty = (struct ag_interval){0, 0};
    for (uint32_t mip = 0; mip < texture->mips && done; mip++)
        for (uint32_t slice = 0; slice < ag_texture_slices(texture, mip) && done; slice++)
            done = pull_slice(copier, texture, mip, slice, dirty, gpa, chunk);
    if (!done)
        texture->guest_dirty = dirty;
    free(chunk);
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
