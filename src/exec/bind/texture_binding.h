/* SPDX-License-Identifier: MIT
 *
 * Textures that shaders sample and load.
 */
#ifndef AG_EXEC_BIND_TEXTURE_BINDING_H
#define AG_EXEC_BIND_TEXTURE_BINDING_H

#include <stdbool.h>
#include <stdint.h>

#include "aerogpu/dxbc.h"
#include "exec/host/outcome.h"
#include "exec/object/view.h"
#include "wgsl/options.h"

struct ag_bind_item;
struct ag_binder;
struct ag_context;
struct ag_group_builder;
struct ag_host;
struct ag_host_format;
struct ag_resource_slot;
struct ag_shader_program;
struct agpu_binding;

/* The dimension of the WebGPU view that is bound; AG_VIEW_DIMENSION_COUNT when there is none. */
enum ag_view_dimension ag_texture_binding_dimension(const struct agpu_binding *binding);

/* The texture view in a slot, whose handle may have got its view after the slot was set. Null when there is
 * none. */
const struct ag_texture_view *ag_texture_of_slot(const struct ag_binder *binder,
                                                 const struct ag_resource_slot *slot);

/* Whether the device filters texels of the format: not all filter floats of 32 bits, and what is kept so.
 * Texels of depth are sampled as such floats. */
bool ag_texture_filters(const struct ag_host *host, const struct ag_host_format *format);

/* How the bound views differ from what the program declares (enum ag_texture_fact); differences that Direct3D
 * leaves undefined are reported. `facts` is zeroed before. */
void ag_textures_compare(struct ag_binder *binder, const struct ag_context *context, enum agpu_stage stage,
                         const struct ag_shader_program *program, uint8_t facts[AG_MAX_TEXTURES]);

/* Finds the view in the binding's slot, makes it ready for the shader and describes it in the draw block or
 * in the overflow block. *view is what the shader reads, or null for nothing. */
enum ag_outcome ag_resolve_texture(struct ag_group_builder *builder, const struct agpu_binding *binding,
                                   struct ag_texture_view **view);

/* Binds the view, or a dummy. */
enum ag_outcome ag_bind_texture(struct ag_group_builder *builder, const struct agpu_binding *binding,
                                struct ag_bind_item *item);

#endif
