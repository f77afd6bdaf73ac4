/* SPDX-License-Identifier: MIT
 *
 * Texels of a view as shaders see them, four words each, whatever the format is. WebGPU has neither storage
 * textures of most formats nor typed buffers; a view that has such texels is unpacked into a buffer of its
 * own before it is used and, when it was written, packed again behind.
 */
#ifndef AG_EXEC_BLIT_TEXELS_H
#define AG_EXEC_BLIT_TEXELS_H

#include <stdbool.h>
#include <stdint.h>

#include "exec/host/outcome.h"
#include "gpu/webgpu.h"

struct ag_bind_item;
struct ag_blitter;
struct ag_host_format;
struct ag_scissor;
struct ag_view;

/* Whether a shader can write texels of the format. */
bool ag_texels_can(const struct ag_host_format *format);
/* A view of a texture, or a typed one of a buffer whose bytes are not what shaders see. */
bool ag_texels_needed(const struct ag_view *view);
/* Width, height and slices of the view. */
WGPUExtent3D ag_texels_extent(const struct ag_view *view);
/* Binds the buffer of the view's texels, row after row, slice after slice. The view's contents are up to
 * date. */
enum ag_outcome ag_texels_bind(struct ag_blitter *blitter, struct ag_view *view, struct ag_bind_item *item);
/* Then, outside of passes: unpacks them, and packs them. False when it was reported. */
enum ag_outcome ag_texels_load(struct ag_blitter *blitter, struct ag_view *view);
bool ag_texels_store(struct ag_blitter *blitter, struct ag_view *view);

/* What a clear stores. */
struct ag_texel_fill {
    uint32_t values[4]; /* as a shader would store them, or bits */
    bool bits;          /* of which each component takes as many as it has */
};

/* Every texel inside of [left, right) and [top, bottom), in all slices of the view, which may also be a raw
 * or structured view of a buffer: those are words. False when it was reported. */
bool ag_texels_fill(struct ag_blitter *blitter, struct ag_view *view, const struct ag_texel_fill *fill,
                    const struct ag_scissor *window);

#endif
