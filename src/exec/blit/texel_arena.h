/* SPDX-License-Identifier: MIT
 *
 * Texels of textures as words of a storage buffer, for textures that a stage has no binding for
 * (wgsl/overflow.h).
 */
#ifndef AG_EXEC_BLIT_TEXEL_ARENA_H
#define AG_EXEC_BLIT_TEXEL_ARENA_H

#include <stdbool.h>
#include <stdint.h>

#include "gpu/webgpu.h"
#include "kernel/kernel.h"
#include "wgsl/overflow.h"

struct ag_blitter;
struct ag_texture_view;

/* The levels of a view, as they lie in the arena. */
struct ag_texel_levels {
    uint32_t width, height, slices, count; /* of the first level; slices: of a volume its depth */
    bool volume;
    enum ag_overflow_encoding encoding;
    uint64_t words;                         /* of all levels */
    uint32_t first[AG_OVERFLOW_MAX_LEVELS]; /* of each level, from the first word of the first one */
};

/* What the levels of a view become. False when there are more words than 32 bits count. */
bool ag_texel_levels_init(struct ag_texel_levels *levels, const struct ag_texture_view *view);

/* Records that the texels of the view, which is up to date, are stored into the range of a buffer, which
 * begins at the first word. An open render pass is ended. False when memory is exhausted (reported). */
bool ag_texel_levels_store(struct ag_blitter *blitter, const struct ag_texel_levels *levels,
                           struct ag_texture_view *view, const struct ag_buffer_range *to, uint32_t word);

/* The pipelines, by what they read; they belong to the WebGPU device. */
#define AG_TEXEL_ARENA_KINDS 6
struct ag_texel_arena {
    WGPUBindGroupLayout layouts[AG_TEXEL_ARENA_KINDS];
    WGPUComputePipeline pipelines[AG_TEXEL_ARENA_KINDS];
};
void ag_texel_arena_fini(struct ag_texel_arena *arena);

#endif
