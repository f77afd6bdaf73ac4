/* SPDX-License-Identifier: MIT
 *
 * Textures: the WebGPU texture, and what is known of where their contents are newest.
 */
#ifndef AG_EXEC_OBJECT_TEXTURE_H
#define AG_EXEC_OBJECT_TEXTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/texture_layout.h"
#include "exec/object/resource.h"
#include "exec/object/texture_desc.h"
#include "exec/object/view.h"
#include "gpu/webgpu.h"

struct ag_host_format;
struct ag_objects;
struct ag_texture_cast;

/* A plane of a depth texture as a colour that shaders read (texture_plane.c). */
struct ag_readable {
    struct ag_texture *texture; /* made when first needed */
    uint64_t version;           /* of the contents */
};

struct ag_texture {
    struct ag_resource resource; /* first */
    const char *role;            /* struct ag_texture_desc */
    uint32_t abi_format;
    uint32_t dxgi;                       /* as the guest says, perhaps typeless */
    uint32_t host_dxgi;                  /* what `gpu` holds: typed */
    const struct ag_host_format *format; /* of host_dxgi */
    enum ag_texture_dimension dimension;
    uint32_t width, height, depth, mips, layers, row_pitch, depth_pitch;
    uint32_t sample_count; /* the guest's; samples.h */
    WGPUTexture *slices;   /* with several samples: a texture for each slice, `gpu` is the first; else null */
    float min_lod;         /* SetResourceMinLOD */
    struct ag_texture_layout layout; /* in guest memory and uploads (spec: ABI 8.1) */
    WGPUTexture gpu;
    uint8_t
        *blocks; /* block-compressed, but decoded for WebGPU: the guest's bytes in packed layout; else null */
    bool widened;     /* texels of 16 bits that are floats for WebGPU: exact, but nothing renders to them */
    uint64_t version; /* of the contents */
    bool guest_dirty; /* guest memory is newer */
    struct ag_texture_view whole;
    struct ag_texture_cast *casts;
    uint32_t *
        current; /* of mip + layer * mips: bit 0, `gpu` has the contents; others, casts. Null: all in `gpu` */
    struct ag_readable readable[2]; /* of depth formats: depth, stencil */
    struct ag_texture *unpacked;    /* with several samples: each as a layer, for shaders that read arrays */
    uint64_t unpacked_version;
};

/* Without the contents that textures of the guest begin with (transfer/texture_contents.h). Null when memory
 * is exhausted. The description was checked. */
struct ag_texture *ag_texture_create(struct ag_objects *objects, const struct ag_texture_desc *desc);
void ag_texture_destroy(struct ag_objects *objects, struct ag_texture *texture);
/* A typeless texture with several samples, which has no contents and no views yet, is kept in that format
 * from now on: WebGPU does not change how samples are seen. */
void ag_texture_retype(struct ag_objects *objects, struct ag_texture *texture, uint32_t dxgi);
/* The GPU or the CPU wrote into `gpu`. */
void ag_texture_written(struct ag_texture *texture);

/* Rows of units (texels or blocks) of one slice, from the guest's bytes; not of depth formats. Like
 * ag_texture_write(). */
struct ag_unit_rect {
    uint32_t mip, slice;
    uint32_t x, y, width, height;
};

uint32_t ag_mip_size(uint32_t size, uint32_t mip);
/* Layers, or the slices of a mip of a volume. */
uint32_t ag_texture_slices(const struct ag_texture *texture, uint32_t mip);
/* Where WebGPU finds a subresource in the texture's own format. */
WGPUTexelCopyTextureInfo ag_texture_place(const struct ag_texture *texture, uint32_t mip, uint32_t slice);

#endif
