/* SPDX-License-Identifier: MIT
 *
 * Resources of a stage that have no binding of their own, because the guest binds more than the device does:
 * the overflow block and the arenas of wgsl/overflow.h. A variant keeps its arena, so that only what changed
 * since its last draw is copied there.
 */
#ifndef AG_EXEC_BIND_OVERFLOW_H
#define AG_EXEC_BIND_OVERFLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/packet_effect.h"
#include "exec/host/outcome.h"
#include "gpu/webgpu.h"

struct ag_bind_item;
struct ag_binder;
struct ag_group_builder;
struct ag_overflow_part;
struct agpu_binding;
struct agpu_module;

/* What a variant has of its module's overflow: a part for each resource, and the bytes of those that are only
 * read. `gpu` is null before the first use. */
struct ag_overflow_arena {
    WGPUBuffer gpu;
    uint64_t id, size;
    struct ag_overflow_part *parts;
};

/* The bytes of unordered access views: what the draw or dispatch being recorded has of each buffer. */
struct ag_uav_arena {
    WGPUBuffer gpu;
    uint64_t id, size;
    uint32_t count;
    struct {
        WGPUBuffer gpu;
        uint64_t id, offset, bytes;
        uint64_t first; /* in the arena */
    } parts[AG_UAV_SLOTS];
};

/* False when memory is exhausted (not reported). */
bool ag_overflow_arena_init(struct ag_overflow_arena *arena, const struct agpu_module *module);
void ag_overflow_arena_fini(struct ag_overflow_arena *arena);
void ag_uav_arena_fini(struct ag_uav_arena *arena);

/* Whether a binding is one of the overflow's. */
bool ag_overflow_owns(const struct agpu_binding *binding);

/* Binds the overflow block or an arena. The first call for a group makes all of them. May end the open
 * pass. */
enum ag_outcome ag_overflow_bind(struct ag_group_builder *builder, const struct agpu_binding *binding,
                                 struct ag_bind_item *item);

/* Record copies of the views' bytes into their arena, after their texels were loaded, and back, before texels
 * are stored, for the modules of a draw or dispatch that write. AG_SKIPPED: more than one of them has such
 * views (reported). */
enum ag_outcome ag_uav_arena_load(struct ag_binder *binder, const struct agpu_module *const *modules,
                                  uint32_t count);
void ag_uav_arena_store(struct ag_binder *binder, const struct agpu_module *const *modules, uint32_t count);

#endif
