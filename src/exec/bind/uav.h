/* SPDX-License-Identifier: MIT
 *
 * Unordered access views of a draw or dispatch: which slots alias, and texels and counters brought to the
 * form that shaders access.
 */
#ifndef AG_EXEC_BIND_UAV_H
#define AG_EXEC_BIND_UAV_H

#include <stdbool.h>

#include "aerogpu/dxbc.h"
#include "exec/host/outcome.h"

struct ag_binder;
struct ag_buffer;
struct ag_buffer_slot;
struct ag_context;
struct ag_shader_program;
struct ag_uav_aliases;
struct agpu_binding;
struct agpu_module;

/* True when a draw or dispatch with the module has buffers that it may write: a draw then needs a
 * render pass of its own. */
bool ag_uavs_used(const struct agpu_module *module);
/* Before a draw or dispatch: what is bound as unordered access buffer is nothing else (D3D11.3 5.3.9.4). */
void ag_uavs_resolve(struct ag_binder *binder, struct ag_context *context, enum agpu_stage stage);
/* Then: which slots that the program declares are views of one buffer. */
void ag_uavs_alias(const struct ag_context *context, enum agpu_stage stage,
                   const struct ag_shader_program *program, struct ag_uav_aliases *aliases);
/* Whether what is bound is what the shader declares; if not, it is as if nothing were. */
bool ag_uav_fits(const struct agpu_binding *binding, const struct ag_buffer_slot *slot);
/* Whether stores through one slot would be lost behind those through the other: texels of one are bytes of
 * the other, and are packed when the draw is over. */
bool ag_uavs_collide(const struct ag_buffer_slot *a, const struct ag_buffer_slot *b);
/* After binding and before recording, outside of a pass: texels and counters as shaders see them. And after
 * recording. */
enum ag_outcome ag_uavs_load(struct ag_binder *binder, struct ag_context *context, enum agpu_stage stage,
                             const struct agpu_module *module);
void ag_uavs_store(struct ag_binder *binder, struct ag_context *context, enum agpu_stage stage,
                   const struct agpu_module *module);
/* Whether the buffer, which may be null, is an unordered access buffer of draws. */
bool ag_context_pixels_write(const struct ag_context *context, const struct ag_buffer *buffer);

#endif
