/* SPDX-License-Identifier: MIT
 *
 * Uniform buffers of a stage: constant buffers, the immediate constant buffer, class instances and the states
 * of emulated samplers.
 */
#ifndef AG_EXEC_BIND_UNIFORM_BINDING_H
#define AG_EXEC_BIND_UNIFORM_BINDING_H

#include "exec/host/outcome.h"

struct ag_bind_item;
struct ag_group_builder;
struct agpu_binding;

enum ag_outcome ag_bind_uniform(struct ag_group_builder *builder, const struct agpu_binding *binding,
                                struct ag_bind_item *item);

#endif
