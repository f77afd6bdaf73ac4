/* SPDX-License-Identifier: MIT
 *
 * Unordered access views around a draw or dispatch: which slots share a buffer, texels (blit/texels.h) and
 * counters before and after the shader.
 */
#ifndef AG_EXEC_BIND_UAV_H
#define AG_EXEC_BIND_UAV_H

#include <stdbool.h>
#include <stdint.h>

#include "aerogpu/dxbc.h"
#include "aerogpu/translate.h"
#include "exec/host/outcome.h"

struct ag_binder;
struct ag_buffer;
struct ag_buffer_slot;
struct ag_context;
struct ag_shader_program;
struct ag_uav_aliases;

/* The bindings of a module and the resources that it has without bindings, one after the other. */
static inline uint32_t ag_module_resource_count(const struct agpu_module *module)
{
    return module->binding_count + module->overflow_count;
}
static inline const struct agpu_binding *ag_module_resource(const struct agpu_module *module, uint32_t index)
{
    return index < module->binding_count ? &module->bindings[index]
                                         : &module->overflow[index - module->binding_count];
}

/* Whether several stages of a draw store, and one of them may have more unordered access views than the
 * device binds. All of their views are then in the arena, so that each stage finds what another one stored.
 */
bool ag_uavs_share_arena(const struct ag_binder *binder, const struct ag_context *context,
                         enum agpu_stage stage);

/* Whether the module may write buffers. A draw then needs a render pass of its own. */
bool ag_uavs_used(const struct agpu_module *module);

/* The stage that has the slots of a stage's unordered access views: all stages of a draw share the slots that
 * are bound beside the render targets. */
enum agpu_stage ag_uav_stage(enum agpu_stage stage);

/* Whether a shader in front of the rasterizer has unordered access views. */
bool ag_uavs_used_early(const struct ag_binder *binder, const struct ag_context *context);

/* Called before a draw or dispatch: looks up the handles of a stage's slots and unbinds their buffers as
 * inputs (D3D11.3 5.3.9.4). */
void ag_uavs_resolve(struct ag_binder *binder, struct ag_context *context, enum agpu_stage stage);

/* Called after that: finds the slots, among those that the program declares, that have views of one
 * buffer. */
void ag_uavs_alias(const struct ag_context *context, enum agpu_stage stage,
                   const struct ag_shader_program *program, struct ag_uav_aliases *aliases);

/* Whether the bound view is of the kind that the shader declares. Else the slot counts as empty. */
bool ag_uav_fits(const struct agpu_binding *binding, const struct ag_buffer_slot *slot);

/* Whether the texels of one slot are bytes of the other slot's buffer: stores through one slot would be
 * overwritten when the texels are stored back. */
bool ag_uavs_collide(const struct ag_buffer_slot *a, const struct ag_buffer_slot *b);

/* The modules of a draw or dispatch that may write unordered access views, and whose slots these are. */
struct ag_uav_writers {
    enum agpu_stage stage; /* PIXEL for all stages of a draw, or COMPUTE */
    uint32_t count;
    const struct agpu_module *modules[AGPU_STAGE_COUNT + 1];
};

/* Adds a module, which may be null, if it has unordered access views. */
void ag_uav_writers_add(struct ag_uav_writers *writers, const struct agpu_module *module);

/* After binding and before recording, outside of a pass: texels and counters as shaders see them. And after
 * recording. */
enum ag_outcome ag_uavs_load(struct ag_binder *binder, struct ag_context *context,
                             const struct ag_uav_writers *writers);
void ag_uavs_store(struct ag_binder *binder, struct ag_context *context,
                   const struct ag_uav_writers *writers);

/* Whether the buffer, which may be null, is bound as an unordered access view of the pixel stage. */
bool ag_context_pixels_write(const struct ag_context *context, const struct ag_buffer *buffer);

#endif
