/* SPDX-License-Identifier: MIT
 *
 * The arena of unordered access views that have no binding of their own (struct ag_uav_arena): their bytes
 * are copied there before a draw or dispatch, and back behind it.
 */
#ifndef AG_EXEC_BIND_UAV_ARENA_H
#define AG_EXEC_BIND_UAV_ARENA_H

#include <stdbool.h>
#include <stdint.h>

#include "aerogpu/dxbc.h"
#include "exec/host/outcome.h"

struct ag_binder;
struct ag_context;
struct ag_uav_arena;
struct agpu_module;

/* A draw or dispatch begins, which has no parts of the arena yet. */
void ag_uav_arena_begin(struct ag_binder *binder);

/* The most bytes that the stages of a draw, or a dispatch, may put there. */
uint64_t ag_uav_arena_bound(const struct ag_binder *binder, const struct ag_context *context,
                            enum agpu_stage stage);

#define AG_UAV_PART_ALIGNMENT 16

/* Whether the module has such views. */
bool ag_uav_arena_needed(const struct agpu_module *module);

/* Record copies of the views' bytes into their arena, after their texels were loaded, and back, before texels
 * are stored, for the modules of a draw or dispatch that write. AG_SKIPPED: a view is there for one of them
 * and has a binding in another (reported). */
enum ag_outcome ag_uav_arena_load(struct ag_binder *binder, const struct ag_context *context,
                                  enum agpu_stage stage, const struct agpu_module *const *modules,
                                  uint32_t count);
void ag_uav_arena_store(struct ag_binder *binder);

void ag_uav_arena_fini(struct ag_binder *binder);

#endif
