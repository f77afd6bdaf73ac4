/* SPDX-License-Identifier: MIT
 *
 * Which textures of a stage share arrays, because the stage has more of them than the device binds. A
 * translation has the slots of each array in its text, so that what is bound decides; but no program is
 * translated for more than a few sharings.
 */
#ifndef AG_EXEC_BIND_TEXTURE_SHARING_H
#define AG_EXEC_BIND_TEXTURE_SHARING_H

#include <stdint.h>

#include "aerogpu/dxbc.h"
#include "wgsl/options.h"

struct ag_binder;
struct ag_context;
struct ag_shader_program;

#define AG_MAX_SHARINGS 8

/* For each slot the array that its texture is a layer of, 1 to AG_TEXTURE_ARRAYS; 0: none. */
struct ag_texture_sharing {
    uint8_t arrays[AG_MAX_TEXTURES];
    uint32_t excess; /* how many textures are left without a binding */
};

/* Adds the arrays of AG_TEXTURE_ARRAY_SHIFT to the facts of the bound textures. Takes a sharing that the
 * program has been translated for, if one fits what is bound and leaves as few textures without a binding as
 * a new one would; a new one while the program has fewer than AG_MAX_SHARINGS; else the sharing that leaves
 * the fewest. */
void ag_textures_share(struct ag_binder *binder, const struct ag_context *context, enum agpu_stage stage,
                       struct ag_shader_program *program, uint8_t facts[AG_MAX_TEXTURES]);

#endif
