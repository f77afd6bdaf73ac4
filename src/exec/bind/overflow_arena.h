/* SPDX-License-Identifier: MIT
 *
 * The arena of a variant: bytes and texels of the resources that are only read and have no binding of their
 * own, and what is known of all resources without one.
 */
#ifndef AG_EXEC_BIND_OVERFLOW_ARENA_H
#define AG_EXEC_BIND_OVERFLOW_ARENA_H

#include <stdbool.h>
#include <stdint.h>

#include "exec/bind/binder.h"
#include "exec/blit/texel_arena.h"
#include "exec/record/bind_group.h"
#include "gpu/webgpu.h"

struct ag_texture_array;
struct ag_texture_view;
struct agpu_module;

/* Where the contents of a part of the arena came from. */
struct part_source {
    uint64_t id, version, offset, bytes, first;
};

/* A resource without a binding. */
struct ag_overflow_part {
    /* What the slot holds for the draw that is being recorded: of a constant buffer `constants`, of a texture
     * `view` (null when the slot is empty) and `levels`, of buffers `item`. */
    struct ag_constant_source constants;
    struct ag_texture_view *view;
    struct ag_texel_levels levels;
    struct ag_bind_item item;
    /* Of a texture in an array, whose `wanted` and `stored` are not used: null when the slot is empty. */
    struct ag_texture_array *array;
    uint32_t layer;
    struct part_source wanted; /* `bytes` 0: nothing is in the arena */
    struct part_source stored; /* what the arena has */
};

/* What a variant has of its module's overflow: a part for each resource, and the bytes of those that are only
 * read. `gpu` is null before the first use. */
struct ag_overflow_arena {
    WGPUBuffer gpu;
    uint64_t id, size;
    struct ag_overflow_part *parts;
};

/* False when memory is exhausted (not reported). */
bool ag_overflow_arena_init(struct ag_overflow_arena *arena, const struct agpu_module *module);
void ag_overflow_arena_fini(struct ag_binder *binder, struct ag_overflow_arena *arena);

#endif
