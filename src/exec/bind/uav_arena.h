/* SPDX-License-Identifier: MIT
 *
 * The arena of unordered access views that have no binding of their own (struct ag_uav_arena): their bytes
 * are copied there before a draw or dispatch, and back behind it.
 */
#ifndef AG_EXEC_BIND_UAV_ARENA_H
#define AG_EXEC_BIND_UAV_ARENA_H

#include <stdbool.h>
#include <stdint.h>

#include "exec/host/outcome.h"

struct ag_binder;
struct ag_uav_arena;
struct agpu_module;

/* Whether the module has such views. */
bool ag_uav_arena_needed(const struct agpu_module *module);

/* Record copies of the views' bytes into their arena, after their texels were loaded, and back, before texels
 * are stored, for the modules of a draw or dispatch that write. AG_SKIPPED: more than one of them has such
 * views (reported). */
enum ag_outcome ag_uav_arena_load(struct ag_binder *binder, const struct agpu_module *const *modules,
                                  uint32_t count);
void ag_uav_arena_store(struct ag_binder *binder, const struct agpu_module *const *modules, uint32_t count);

void ag_uav_arena_fini(struct ag_uav_arena *arena);

#endif
