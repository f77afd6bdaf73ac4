/* SPDX-License-Identifier: MIT
 *
 * Guest-physical memory: the ranges that the scene declares and those of the runner's driver. An access to
 * any other address fails, as there is no RAM.
 */
#ifndef AG_SCENE_MEMORY_H
#define AG_SCENE_MEMORY_H

#include "aerogpu/executor.h"
#include "base/vec.h"

struct scene_region {
    uint64_t gpa;
    size_t size;
    uint8_t *bytes; /* owned; pages that were never touched cost nothing */
};

struct scene_memory {
    AG_VEC(struct scene_region) regions; /* ascending, disjoint */
};

/* Adds zeroed memory. Returns null when out of memory, or when the range overlaps another one or wraps. The
 * bytes stay at their address until the region is removed. */
uint8_t *scene_memory_add(struct scene_memory *memory, uint64_t gpa, size_t size);
void scene_memory_remove(struct scene_memory *memory, uint64_t gpa);
void scene_memory_fini(struct scene_memory *memory);

/* Copies from or to guest memory, also over the borders of regions. Returns false, with nothing copied, when
 * a byte of the range is not RAM. */
bool scene_memory_read(const struct scene_memory *memory, uint64_t gpa, void *to, size_t size);
bool scene_memory_write(struct scene_memory *memory, uint64_t gpa, const void *from, size_t size);

/* Returns the callbacks that let a device access this memory. */
struct agpu_guest_memory scene_memory_callbacks(struct scene_memory *memory);

#endif
