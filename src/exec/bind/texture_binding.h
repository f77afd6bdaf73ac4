/* SPDX-License-Identifier: MIT
 *
 * Textures that shaders sample and load.
 */
#ifndef AG_EXEC_BIND_TEXTURE_BINDING_H
#define AG_EXEC_BIND_TEXTURE_BINDING_H

#include "exec/host/outcome.h"

struct ag_bind_item;
struct ag_group_builder;
struct agpu_binding;

enum ag_outcome ag_bind_texture(struct ag_group_builder *builder, const struct agpu_binding *binding,
                                struct ag_bind_item *item);

#endif
