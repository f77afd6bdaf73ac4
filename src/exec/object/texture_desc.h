/* SPDX-License-Identifier: MIT
 *
 * What a guest asks a texture to be, and the checks of that.
 */
#ifndef AG_EXEC_OBJECT_TEXTURE_DESC_H
#define AG_EXEC_OBJECT_TEXTURE_DESC_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/texture_layout.h"
#include "aerogpu/diag.h"

struct ag_objects;
struct ag_texture;

enum ag_texture_dimension {
    AG_TEXTURE_2D, /* 1D textures, too: of height 1 */
    AG_TEXTURE_1D,
    AG_TEXTURE_3D,
};

struct ag_texture_desc {
    uint32_t handle;  /* for the label: its own, that of the texture it is made of, or 0 */
    const char *role; /* of the host's own textures in front of the handle, which stays; null: "texture" */
    uint32_t abi_format, dxgi, usage;
    uint32_t host_dxgi; /* 0: `dxgi`, which then is no typeless one */
    uint32_t bind, misc;
    enum ag_texture_dimension dimension;
    uint32_t width, height, mips, layers, row_pitch;
    uint32_t depth, depth_pitch; /* volumes; else 0 */
    uint32_t sample_count;       /* 0: 1 */
    struct ag_texture_layout layout;
    bool backed;  /* guest memory will fill it */
    bool decoded; /* block-compressed, but WebGPU gets texels */
};

/* Completes the description of a texture, `dxgi` and sizes of which come from the guest, and
 * checks it. Reported when not AGPU_OK. */
enum agpu_status ag_texture_desc_check(struct ag_objects *objects, struct ag_texture_desc *desc);
bool ag_texture_desc_equals(const struct ag_texture *texture, const struct ag_texture_desc *desc);

#endif
