/* SPDX-License-Identifier: MIT
 *
 * Textures in formats that WebGPU does not make views of. The texture then has another WebGPU texture for
 * each such format, and each subresource knows which of them have its contents.
 */
#ifndef AG_EXEC_OBJECT_TEXTURE_CAST_H
#define AG_EXEC_OBJECT_TEXTURE_CAST_H

#include <stdbool.h>
#include <stdint.h>

#include "gpu/webgpu.h"

struct ag_host_format;
struct ag_objects;
struct ag_texture;
struct ag_texture_view;

/* The bit of a texture's own format in ag_texture.current. */
#define AG_CAST_OWN UINT32_C(1)

/* The contents of a texture in another format of the same size, for views that WebGPU does not make of the
 * texture itself (texture_cast.c). */
struct ag_texture_cast {
    struct ag_texture_cast *next;
    uint32_t dxgi;
    const struct ag_host_format *format;
    WGPUTexture gpu;
    uint32_t bit; /* in ag_texture.current */
};

/* The texture in another format of the same bytes, made when first asked for. Null when it
 * was reported. */
struct ag_texture_cast *ag_texture_cast(struct ag_objects *objects, struct ag_texture *texture,
                                        uint32_t dxgi);
/* Whether the host's bytes of a texel are the guest's, or floats that a kernel makes of them. */
bool ag_texture_can_recode(const struct ag_host_format *format);
/* Whether bytes of the texture can be looked at as that typed format, the texture's own excepted. */
bool ag_texture_can_cast(const struct ag_texture *texture, uint32_t dxgi);
/* The layers of a view as the texture counts them: a volume has one. */
void ag_view_layer_range(const struct ag_texture_view *view, uint32_t *begin, uint32_t *end);
/* The GPU wrote into the view, which was up to date, as a target: its first mip and all its layers, or one
 * subresource. */
void ag_view_written(const struct ag_texture_view *view);
void ag_view_written_at(const struct ag_texture_view *view, uint32_t mip, uint32_t layer);
void ag_texture_casts_fini(struct ag_texture *texture);

#endif
