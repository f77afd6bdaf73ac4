/* SPDX-License-Identifier: MIT
 *
 * Unordered access views of a stage: buffers, the texels of textures and typed buffers, and slots that share
 * a variable.
 */
#ifndef AG_EXEC_BIND_UAV_BINDING_H
#define AG_EXEC_BIND_UAV_BINDING_H

#include "exec/host/outcome.h"

struct ag_bind_item;
struct ag_group_builder;
struct agpu_binding;

enum ag_outcome ag_bind_uav(struct ag_group_builder *builder, const struct agpu_binding *binding,
                            struct ag_bind_item *item);

#endif
