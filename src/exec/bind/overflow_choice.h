/* SPDX-License-Identifier: MIT
 *
 * Which resources of a stage give up their bindings, because the module has more than the device binds:
 * constant buffers join the pack as long as this has room.
 */
#ifndef AG_EXEC_BIND_OVERFLOW_CHOICE_H
#define AG_EXEC_BIND_OVERFLOW_CHOICE_H

#include <stdbool.h>

#include "gpu/webgpu.h"
#include "wgsl/overflow.h"

struct agpu_binding;
struct agpu_module;

/* Adds resources of the module to *overflow until what is left, with the bindings of the overflow itself,
 * fits the limits of one stage, or until nothing is left to add. `has_sets`: the module's pack has sets of
 * constants. False when the module fits as it is. */
bool ag_overflow_choose(const WGPULimits *limits, const struct agpu_module *module, bool has_sets,
                        struct ag_overflow *overflow);

/* Which array of textures a binding is; 0: none. */
uint32_t ag_overflow_array(const struct agpu_binding *binding);

/* Whether a binding is one of the overflow's. */
bool ag_overflow_owns(const struct agpu_binding *binding);

#endif
