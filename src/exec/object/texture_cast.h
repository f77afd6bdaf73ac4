/* SPDX-License-Identifier: MIT
 *
 * Texture casts: views in formats of the same family that WebGPU does not allow for the texture. A cast is
 * another WebGPU texture in such a format. The texture owns its casts and knows for each subresource which of
 * its WebGPU textures have the newest contents; blit/texture_sync.h copies between them.
 */
#ifndef AG_EXEC_OBJECT_TEXTURE_CAST_H
#define AG_EXEC_OBJECT_TEXTURE_CAST_H

#include <stdbool.h>
#include <stdint.h>

#include "aerogpu/diag.h"
#include "gpu/webgpu.h"

struct ag_host_format;
struct ag_objects;
struct ag_texture;
struct ag_texture_view;

/* The bit in ag_texture.current of the WebGPU texture in the texture's own format. */
#define AG_CAST_OWN UINT32_C(1)

struct ag_texture_cast {
    struct ag_texture_cast *next;
    uint32_t dxgi;
    const struct ag_host_format *format;
    WGPUTexture gpu;
    uint32_t bit; /* of this cast in ag_texture.current */
};

/* Whether the texture can have a view in a typed format through a cast. */
bool ag_texture_can_cast(const struct ag_texture *texture, uint32_t dxgi);

/* Whether texels of the format can be converted to the guest's bytes and back on the GPU: the host keeps
 * the bytes themselves, or floats that a kernel converts (blit/texture_recode.h). */
bool ag_texture_can_recode(const struct ag_host_format *format);

/* The cast to a format that ag_texture_can_cast() accepts, made on the first call. AGPU_REFUSED: the budget
 * of GPU memory has no room for the cast (not reported); AGPU_NO_MEMORY (reported). */
enum agpu_status ag_texture_cast(struct ag_objects *objects, struct ag_texture *texture, uint32_t dxgi,
                                 struct ag_texture_cast **cast);

/* Makes a view of the whole texture in a typed format that ag_view_init() or ag_texture_can_cast() takes, for
 * rendering: with a cast, if WebGPU needs one for that. As ag_texture_cast(). */
enum agpu_status ag_view_init_rendered(struct ag_objects *objects, struct ag_texture_view *view,
                                       struct ag_texture *texture, uint32_t dxgi);

/* Releases all casts. */
void ag_texture_casts_fini(struct ag_texture *texture);

/* The layers of a view as ag_texture.current counts them, where a volume has one layer. */
void ag_view_layer_range(const struct ag_texture_view *view, uint32_t *begin, uint32_t *end);

/* Note that the GPU writes through the view, into the first mip of all its layers, or into one
 * subresource. The view's contents are up to date before. */
void ag_view_written(const struct ag_texture_view *view);
void ag_view_written_at(const struct ag_texture_view *view, uint32_t mip, uint32_t layer);

#endif
