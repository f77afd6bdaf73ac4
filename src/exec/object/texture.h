/* SPDX-License-Identifier: MIT
 *
 * Textures: the WebGPU textures, and which of them, guest memory included, has the newest contents. The
 * guest's handles own textures; transfer/texture_pull.h brings the newest contents where a packet needs them.
 */
#ifndef AG_EXEC_OBJECT_TEXTURE_H
#define AG_EXEC_OBJECT_TEXTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/texture_layout.h"
#include "exec/object/resource.h"
#include "exec/object/texture_desc.h"
#include "exec/object/view.h"
#include "format/format.h"
#include "gpu/webgpu.h"

struct ag_host;
struct ag_host_format;
struct ag_objects;
struct ag_texture_cast;

/* A copy of one plane of a depth texture, in a colour format that shaders read (blit/texture_plane.h). */
struct ag_readable {
    struct ag_texture *texture; /* null before the first use */
    uint64_t version;           /* of the contents that were copied */
};

struct ag_texture {
    struct ag_resource resource; /* first, so that a pointer to the resource is a pointer to the texture */

    const char *role; /* for the label, as in struct ag_texture_desc */

    /* What the guest asked for. `dxgi` may be typeless; a slice is a layer, or a slice of a volume. */
    uint32_t abi_format;
    uint32_t dxgi;
    enum ag_texture_dimension dimension;
    uint32_t width, height, depth, mips, layers, row_pitch, depth_pitch;
    uint32_t sample_count;           /* the guest's, which may differ from the host's (sample_count.h) */
    float min_lod;                   /* SetResourceMinLOD */
    struct ag_texture_layout layout; /* of the bytes in guest memory and uploads (spec: ABI 8.1) */

    /* The WebGPU texture, in the typed format `host_dxgi`. A multisampled texture has one WebGPU texture
     * for each slice, or one for each plane of each slice: `slices`, of which `gpu` is the first; else
     * `slices` is null. */
    uint32_t host_dxgi;
    const struct ag_host_format *format;
    WGPUTexture gpu;
    WGPUTexture *slices;
    struct ag_sample_planes planes; /* of a multisampled texture; else the count is 0 */
    /* The texture has 16-bit texels of the guest as float texels, which are exact but cannot be rendered
     * to. */
    bool widened;
    /* The guest's blocks in packed layout, when the texture is block-compressed for the guest and decoded for
     * WebGPU; else null. */
    uint8_t *blocks;

    /* Where the contents are. `version` changes whenever the contents do. `guest_dirty`: the bytes in packed
     * layout that are newer in guest memory; whole rows are read. `current` has a word for each subresource,
     * mip + layer * mips: bit AG_CAST_OWN for `gpu`, and a bit for each cast that has the newest contents.
     * Null while the contents are in `gpu` alone. */
    uint64_t version;
    struct ag_texture_cast *casts;
    struct ag_interval guest_dirty;
    uint32_t *current;

    /* The view of the whole texture in its own format, beside what draws look at with it. */
    struct ag_texture_view whole;

    /* Copies that shaders read where WebGPU has no view of the texture: the planes of a depth format (depth,
     * stencil), and a multisampled texture with every sample as a layer (blit/samples.h). */
    struct ag_readable readable[2];
    struct ag_texture *unpacked;
    uint64_t unpacked_version;
    uint64_t drawn_version; /* of the contents that some draw has seen (blit/decoded_blocks.h) */
};

/* Makes the texture of a checked description, without the initial contents of the guest's textures
 * (transfer/texture_contents.h). Null when memory is exhausted (not reported). */
struct ag_texture *ag_texture_create(struct ag_objects *objects, const struct ag_texture_desc *desc);

void ag_texture_destroy(struct ag_objects *objects, struct ag_texture *texture);

/* Changes the format of a typeless multisampled texture that has no contents and no views yet. WebGPU does
 * not view multisampled textures in other formats, so that the first typed use decides. AGPU_REFUSED: the
 * budget of GPU memory has no room (not reported); AGPU_NO_MEMORY (reported). */
enum agpu_status ag_texture_retype(struct ag_objects *objects, struct ag_texture *texture, uint32_t dxgi);

/* Whether the guest may view the texture for unordered access, and whether WebGPU can bind it, or its cast to
 * the format, as a storage texture. */
bool ag_texture_is_unordered(const struct ag_texture *texture);
bool ag_texture_is_storage(const struct ag_host *host, const struct ag_texture *texture,
                           const struct ag_host_format *format);

/* Notes that the newest contents of all subresources are in `gpu`. */
void ag_texture_written(struct ag_texture *texture);

/* A rectangle of one subresource, in units: texels, or blocks of a block-compressed format. */
struct ag_unit_rect {
    uint32_t mip, slice;
    uint32_t x, y, width, height;
};

/* The width, height or depth of a mip, at least 1. */
uint32_t ag_mip_size(uint32_t size, uint32_t mip);

/* As WebGPU counts them. */
static inline uint64_t ag_texture_subresources(const struct ag_texture *texture)
{
    return (uint64_t)texture->mips * texture->layers;
}

/* How many slices a mip has: the layers, or the slices of a volume. */
uint32_t ag_texture_slices(const struct ag_texture *texture, uint32_t mip);

/* The subresource in the WebGPU texture, for copies: its first plane, or another one. */
WGPUTexelCopyTextureInfo ag_texture_place(const struct ag_texture *texture, uint32_t mip, uint32_t slice);
WGPUTexelCopyTextureInfo ag_texture_plane_place(const struct ag_texture *texture, uint32_t mip,
                                                uint32_t slice, uint32_t plane);

/* In how many WebGPU textures each slice is, which is 1 but for planes of samples. */
uint32_t ag_texture_plane_count(const struct ag_texture *texture);

#endif
