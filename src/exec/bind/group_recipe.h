/* SPDX-License-Identifier: MIT
 *
 * Recipes: what the bind group of a shader's variant is made of, when it has constant buffers, textures and
 * samplers alone and the shader is told nothing of them. Then the slots' objects decide on the group: a group
 * that the variant had with the same objects is recalled by their ids, and only constants are uploaded.
 */
#ifndef AG_EXEC_BIND_GROUP_RECIPE_H
#define AG_EXEC_BIND_GROUP_RECIPE_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/packet_effect.h"
#include "aerogpu/dxbc.h"
#include "exec/bind/binder.h"

struct ag_bound_group;
struct ag_context;
struct ag_shader_variant;
struct agpu_binding;
struct agpu_module;

#define AG_RECIPE_PARTS 40

/* One binding, in the order of the module's. */
struct ag_recipe_part {
    uint8_t kind; /* enum agpu_binding_kind */
    uint8_t slot;
    uint8_t dimension;    /* of textures: enum ag_view_dimension */
    bool is_unfilterable; /* of samplers: they are bound without filters */
};

struct ag_group_recipe {
    /* Whether textures, samplers and constant buffers of the stage that have the same objects have the same
     * variant, too: it does nothing in their place, and all that are declared are bound. */
    bool decides_variant;
    uint32_t count;
    struct ag_recipe_part parts[AG_RECIPE_PARTS];
    uint32_t constants_count;
    const struct agpu_binding *constants[AG_CBUFFER_SLOTS]; /* of the parts that are constant buffers */
};

/* A constant buffer of a stage, as the stage's bind group has it. */
struct ag_group_constants {
    const struct agpu_binding *binding;
    struct ag_constant_source source;
    uint8_t offset; /* which of the group's dynamic offsets; UINT8_MAX: its offset is fixed */
};

/* Gives a variant of a plain draw its recipe, if the variant has one and memory suffices. */
void ag_group_recipe_make(const struct ag_binder *binder, struct ag_shader_variant *variant);

/* Whether the objects in the slots decide on the variant (ag_group_recipe.decides_variant), as long as
 * textures have no SetResourceMinLOD. */
bool ag_group_decides_variant(const struct ag_binder *binder, const struct ag_shader_variant *variant);

/* Recalls the group of what is bound to a stage, and uploads constants. `constants` gets those of the recipe;
 * `has_constants`: they and the group's offsets are of this recipe already. False: the
 * group is not known, or something has to be prepared first; *group and `constants` may be changed. May end
 * the open pass. The group is the cache's, and no reference. */
bool ag_group_recall(struct ag_binder *binder, struct ag_context *context, enum agpu_stage stage,
                     const struct ag_shader_variant *variant, bool has_constants,
                     struct ag_group_constants *constants, struct ag_bound_group *group);

#endif
