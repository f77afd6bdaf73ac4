/* SPDX-License-Identifier: MIT
 *
 * Texels of a view as shaders see them, four words each, whatever the format is. WebGPU has neither storage
 * textures of most formats nor typed buffers; a view that has such texels is unpacked into a buffer of its
 * own before it is used and, when it was written, packed again behind.
 */
#ifndef AGPU_EXEC_TEXELS_H
#define AGPU_EXEC_TEXELS_H

#include "exec/bind.h"

/* Whether a shader can write texels of the format. */
bool agpu_texels_can(const struct agpu_host_format *format);

/* A view of a texture, or a typed one of a buffer whose bytes are not what shaders see. */
bool agpu_texels_needed(const struct agpu_view *view);

/* Width, height and slices of the view. */
WGPUExtent3D agpu_texels_extent(const struct agpu_view *view);

/* Brings the view's contents up to date and binds the buffer of its texels, row after row, slice after slice.
 * False when the draw cannot go on: reported; *failed tells that the stream stops. */
bool agpu_texels_bind(struct agpu_exec *exec, struct agpu_view *view, struct agpu_bind_item *item,
                      bool *failed);
/* Then, outside of passes: unpacks them, and packs them. False when it was reported. */
bool agpu_texels_load(struct agpu_exec *exec, struct agpu_view *view);
bool agpu_texels_store(struct agpu_exec *exec, struct agpu_view *view);

/* What a clear stores. */
struct agpu_texel_fill {
    uint32_t values[4]; /* as a shader would store them, or bits */
    bool bits;          /* of which each component takes as many as it has */
};

/* Every texel inside of [left, right) and [top, bottom), in all slices of the view, which may also be a raw
 * or structured view of a buffer: those are words. False when it was reported. */
bool agpu_texels_fill(struct agpu_exec *exec, struct agpu_view *view, const struct agpu_texel_fill *fill,
                      const struct agpu_scissor *window);

void agpu_texels_fini(struct agpu_exec *exec, struct agpu_view *view);

#endif
