/* SPDX-License-Identifier: MIT */
#include "exec/transfer/texture_contents.h"

#include "exec/blit/texture_sync.h"
#include "exec/host/host.h"
#include "exec/object/texture.h"
#include "exec/object/texture_desc.h"
#include "exec/record/recorder.h"
#include "exec/transfer/copier.h"
#include "exec/transfer/texture_blocks.h"
#include "format/format.h"

/* The host keeps a format of three components in one of four, whose alpha shaders read and blending uses. */
static void make_opaque(struct ag_copier *copier, struct ag_texture *texture)
{
    for (uint32_t mip = 0; mip < texture->mips; mip++) {
        for (uint32_t layer = 0; layer < ag_texture_slices(texture, mip); layer++) {
            const struct ag_pending_clear value = {
                .view = &texture->whole,
                .mip = mip,
                .layer = layer,
                .aspects = AG_CLEAR_ASPECT_COLOR,
                .color = {0, 0, 0, 1},
            };
            ag_view_clear(copier->blitter, &value);
        }
    }
}

struct ag_texture *ag_texture_create_filled(struct ag_copier *copier, const struct ag_texture_desc *desc)
{
    struct ag_texture *texture = ag_texture_create(copier->objects, desc);
    if (!texture)
        return NULL;
    if (texture->blocks && !ag_texture_upload_blocks(copier, texture, 0, desc->layout.size_bytes)) {
        ag_texture_destroy(copier->objects, texture);
        return NULL;
    }
    const bool in_four =
        texture->widened || texture->format->conversion == AG_CONVERT_HALVES ||
        texture->format->conversion == AG_CONVERT_THREE ||
        (texture->format->host_bytes == 4 && ag_host_format_has(texture->format, AG_FORMAT_BLENDABLE) &&
         ag_host_renders(copier->host, texture->format));
    if (ag_host_format_has(texture->format, AG_FORMAT_NO_ALPHA) && in_four && !desc->backed)
        make_opaque(copier, texture);
    return texture;
}
