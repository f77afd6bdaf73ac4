/* SPDX-License-Identifier: MIT */
#include "exec/transfer/texture_contents.h"

#include "exec/blit/texture_sync.h"
#include "exec/host/host.h"
#include "exec/host/progress.h"
#include "exec/object/texture.h"
#include "exec/record/recorder.h"
#include "exec/transfer/copier.h"
#include "exec/transfer/texture_blocks.h"
#include "exec/transfer/texture_upload.h"
#include "format/format.h"

/* The host keeps a format of three components in one of four, whose alpha shaders read and blending uses. */
static bool is_opaque(const struct ag_copier *copier, const struct ag_texture *texture)
{
    const struct ag_host_format *const format = texture->format;
    const bool in_four = texture->widened || format->conversion == AG_CONVERT_HALVES ||
                         format->conversion == AG_CONVERT_THREE ||
                         (format->host_bytes == 4 && ag_host_format_has(format, AG_FORMAT_BLENDABLE) &&
                          ag_host_renders(copier->host, format));
    return ag_host_format_has(format, AG_FORMAT_NO_ALPHA) && in_four &&
           texture->resource.backing.alloc_id == 0;
}

/* Makes the next slices of all mips opaque. */
static void make_opaque(struct ag_copier *copier, struct ag_texture *texture, struct ag_progress *progress)
{
    uint64_t n = 0; /* of the first slice of the mip */
    uint32_t made = 0;
    for (uint32_t mip = 0; mip < texture->mips; n += ag_texture_slices(texture, mip++)) {
        const uint32_t slices = ag_texture_slices(texture, mip);
        uint32_t slice = progress->done > n ? (uint32_t)(progress->done - n) : 0;
        for (; slice < slices; slice++) {
            const struct ag_pending_clear value = {
                .view = &texture->whole,
                .mip = mip,
                .layer = slice,
                .aspects = AG_CLEAR_ASPECT_COLOR,
                .color = {0, 0, 0, 1},
            };
            if (made++ == AG_PART_PASSES) {
                ag_progress_pause(progress, n + slice);
                return;
            }
            ag_view_clear(copier->blitter, &value);
        }
    }
}

bool ag_texture_fill(struct ag_copier *copier, struct ag_texture *texture, struct ag_progress *progress)
{
    const uint64_t all = texture->layout.size_bytes, done = progress->done;
    if (texture->blocks) {
        const uint64_t part = ag_texture_part(texture, done, all - done);
        if (!ag_texture_upload_blocks(copier, texture, done, part))
            return false;
        if (done + part < all)
            ag_progress_pause(progress, done + part);
    } else if (is_opaque(copier, texture)) {
        make_opaque(copier, texture, progress);
    }
    return true;
}
