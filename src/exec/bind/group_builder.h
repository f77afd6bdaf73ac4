/* SPDX-License-Identifier: MIT
 *
 * The bind group of a stage while it is made: what each kind of binding adds its items to.
 */
#ifndef AG_EXEC_BIND_GROUP_BUILDER_H
#define AG_EXEC_BIND_GROUP_BUILDER_H

#include <stdbool.h>
#include <stdint.h>

#include "aerogpu/dxbc.h"
#include "exec/host/outcome.h"
#include "exec/host/refused_handle.h"
#include "exec/record/bind_group.h"
#include "exec/record/bind_group_layout.h"
#include "wgsl/options.h"

struct ag_binder;
struct ag_bound_range;
struct ag_constant_pack;
struct ag_context;
struct ag_draw_block;
struct ag_overflow_arena;
struct ag_shader_program;
struct agpu_binding;
struct agpu_module;

/* The bind group that is being made, and the part of the draw block that describes its views. */
struct ag_group_builder {
    struct ag_binder *binder;
    struct ag_context *context;
    enum agpu_stage stage;
    const struct agpu_module *module;
    const struct ag_shader_program *program;
    struct ag_draw_block *block;
    uint32_t sinks; /* how many dummy storage buffers are bound (ag_dummy_sink()) */
    struct ag_bind_item items[AG_MAX_STAGE_BINDINGS];
    uint32_t count;
    uint32_t dynamic_uniforms; /* items so far that are uniform buffers with dynamic offsets */
    /* Resources without a binding (overflow.h): the variant's arena, the rows of the overflow block while
     * these resources are looked up, else null, and the block, both arenas and the arrays of textures, from
     * number 1 on, once they are made. */
    struct ag_overflow_arena *arena;
    struct ag_constant_pack *pack;
    uint32_t *rows;
    struct ag_bind_item overflow_items[3 + AG_TEXTURE_ARRAYS];
};

/* Lets the item bind a range of a buffer. */
void ag_group_set_range(struct ag_bind_item *item, const struct ag_bound_range *range);

/* Whether shaders are told of the binding: the functions below do something. */
bool ag_group_tells(const struct ag_group_builder *builder, const struct agpu_binding *binding);

/* Fills in the binding's vec4<u32> among the views of the draw block, if the module reads it, or in the
 * overflow block. The fourth word becomes 0. */
void ag_group_set_view(struct ag_group_builder *builder, const struct agpu_binding *binding, uint32_t x,
                       uint32_t y, uint32_t z);
/* Fills in the fourth word, after ag_group_set_view(). */
void ag_group_set_view_end(struct ag_group_builder *builder, const struct agpu_binding *binding, uint32_t w);

/* Warns that the handle in a slot, "t", "u" or "s" for `what`, names nothing that can be bound there. The
 * caller empties the slot. */
void ag_group_warn_handle(struct ag_group_builder *builder, enum ag_handle_space space, const char *what,
                          uint32_t slot, uint32_t handle);
/* AG_SKIPPED when the item overlaps a writable one, which WebGPU refuses (reported). */
enum ag_outcome ag_group_check_aliases(struct ag_group_builder *builder, const struct ag_bind_item *item);

#endif
