/* SPDX-License-Identifier: MIT
 *
 * Who is told before an object dies: rooms above, which keep pointers to it.
 */
#ifndef AG_EXEC_OBJECT_OBSERVER_H
#define AG_EXEC_OBJECT_OBSERVER_H

#include <stdint.h>

struct ag_object_observer;
struct ag_objects;
struct ag_resource;
struct ag_texture_view;
struct ag_view;

/* At most AG_OBJECT_OBSERVERS of them, which stay. */
void ag_objects_observe(struct ag_objects *objects, const struct ag_object_observer *observer);
/* For the objects: tells every observer. */
void ag_objects_gpu_object_dies(struct ag_objects *objects, uint64_t id);
void ag_objects_texture_view_dies(struct ag_objects *objects, const struct ag_texture_view *view);
void ag_objects_resource_dies(struct ag_objects *objects, const struct ag_resource *resource);
void ag_objects_view_dies(struct ag_objects *objects, const struct ag_view *view);

#endif
