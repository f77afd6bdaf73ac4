/* SPDX-License-Identifier: MIT
 *
 * Descriptions of textures, and their checks against formats and limits. Packet handlers fill descriptions
 * in.
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
    AG_TEXTURE_2D,
    AG_TEXTURE_1D, /* on the host a 2D texture of height 1 */
    AG_TEXTURE_3D,
};

struct ag_texture_desc {
    uint32_t handle;  /* for the label: of this texture, or of the texture that it is a copy of; else 0 */
    const char *role; /* for the label, in front of the handle: a string literal; null: "texture" */
    uint32_t abi_format, dxgi, usage;
    uint32_t host_dxgi; /* the typed format on the host; 0: `dxgi`, which is typed then */
    uint32_t bind, misc;
    enum ag_texture_dimension dimension;
    uint32_t width, height, mips, layers, row_pitch;
    uint32_t depth, depth_pitch; /* of volumes; else 0 */
    uint32_t sample_count;       /* 0 means 1 */
    struct ag_texture_layout layout;
    bool backed;  /* guest memory has the initial contents */
    bool decoded; /* block-compressed for the guest, decoded texels for WebGPU */
};

/* Checks the members that come from the guest and fills in host_dxgi, layout and decoded.
 * Reported when not AGPU_OK. */
enum agpu_status ag_texture_desc_check(struct ag_objects *objects, struct ag_texture_desc *desc);

/* The bytes of the WebGPU texture, and of the guest's blocks that are kept beside decoded ones. `desc` was
 * checked. */
uint64_t ag_texture_desc_host_bytes(const struct ag_texture_desc *desc);

/* Whether the texture was made from an equal description. */
bool ag_texture_desc_equals(const struct ag_texture *texture, const struct ag_texture_desc *desc);

#endif
