/* SPDX-License-Identifier: MIT
 *
 * Copies between two textures of one 16-bit format, of which one is widened to floats (ag_texture.widened)
 * and the other is RGBA8.
 */
#ifndef AG_EXEC_BLIT_TEXTURE_CONVERT_H
#define AG_EXEC_BLIT_TEXTURE_CONVERT_H

#include <stdbool.h>
#include <stdint.h>

#include "exec/record/resident_block.h"
#include "gpu/webgpu.h"

struct ag_bind_group_layout;
struct ag_blitter;
struct ag_texture;

/* The subresource and the corner of a rectangle. */
struct ag_texel_rect {
    struct ag_texture *texture;
    uint32_t mip, layer, x, y;
};

/* The pipelines, by what the texels become and which side is a volume; they belong to the WebGPU device. */
#define AG_TEXEL_CONVERTER_KINDS 8
struct ag_texel_converter {
    struct ag_converter_pipeline {
        uint64_t layout_id; /* for the cache of bind groups */
        WGPUBindGroupLayout layout;
        WGPUComputePipeline gpu; /* null before the first use */
    } pipelines[AG_TEXEL_CONVERTER_KINDS];
    struct ag_resident_block block;
};

/* Records the copy of a rectangle as one dispatch. An open render pass is ended. False when memory is
 * exhausted (reported). */
bool ag_texture_convert(struct ag_blitter *blitter, const struct ag_texel_rect *to,
                        const struct ag_texel_rect *from, uint32_t width, uint32_t height);

void ag_texel_converter_fini(struct ag_texel_converter *converter);

#endif
