/* SPDX-License-Identifier: MIT
 *
 * Observers: rooms above that keep pointers to objects and are told before an object is destroyed.
 */
#ifndef AG_EXEC_OBJECT_OBSERVER_H
#define AG_EXEC_OBJECT_OBSERVER_H

#include <stdbool.h>
#include <stdint.h>

struct ag_object_observer;
struct ag_objects;
struct ag_resource;
struct ag_texture_view;
struct ag_view;

/* Adds an observer for the life of the objects. At most AG_OBJECT_OBSERVERS may be added. */
void ag_objects_observe(struct ag_objects *objects, const struct ag_object_observer *observer);

/* Call the callback of that name of every observer. For the room of objects only. */
void ag_objects_gpu_object_dies(struct ag_objects *objects, uint64_t id);
void ag_objects_texture_view_dies(struct ag_objects *objects, const struct ag_texture_view *view);
bool ag_objects_resource_dies(struct ag_objects *objects, const struct ag_resource *resource, uint64_t *done);
bool ag_objects_view_dies(struct ag_objects *objects, const struct ag_view *view, uint64_t *done);

#endif
