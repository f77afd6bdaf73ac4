/* SPDX-License-Identifier: MIT
 *
 * Writable textures that WebGPU binds as what they are. Others are converted before and behind a draw or
 * dispatch (blit/texels.h): those of formats that WebGPU does not store to, textures that a shader loads from
 * in formats that it does not load, and what atomics access, with one word a texel if its format has 32 bits.
 */
#ifndef AG_EXEC_BIND_STORAGE_TEXTURE_H
#define AG_EXEC_BIND_STORAGE_TEXTURE_H

#include "aerogpu/dxbc.h"
#include "exec/host/outcome.h"

struct ag_bind_item;
struct ag_binder;
struct ag_context;
struct ag_group_builder;
struct ag_shader_program;
struct ag_uav_aliases;
struct ag_view;
struct agpu_binding;

/* Notes which textures the program declares for unordered access, and how its instructions access them. */
void ag_storage_textures_note(struct ag_shader_program *program);

/* Fills in `formats` of *aliases for the slots of the stage, whose handles have been looked up. */
void ag_storage_textures_choose(const struct ag_binder *binder, const struct ag_context *context,
                                enum agpu_stage stage, const struct ag_shader_program *program,
                                struct ag_uav_aliases *aliases);

/* Brings the view up to date, describes it in *item, and tells the shader what it asks of the view. */
enum ag_outcome ag_storage_texture_bind(struct ag_group_builder *builder, const struct agpu_binding *binding,
                                        struct ag_view *view, struct ag_bind_item *item);

#endif
