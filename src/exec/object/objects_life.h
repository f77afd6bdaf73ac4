/* SPDX-License-Identifier: MIT
 *
 * The life of the objects; the executor calls these functions.
 */
#ifndef AG_EXEC_OBJECT_OBJECTS_LIFE_H
#define AG_EXEC_OBJECT_OBJECTS_LIFE_H

struct ag_host;
struct ag_objects;

/* Makes an empty set of objects without observers. */
void ag_objects_init(struct ag_objects *objects, struct ag_host *host);

/* Destroys every object, without the callbacks resource_dies and view_dies: the contexts, which have
 * bindings, are cleared before. */
void ag_objects_clear(struct ag_objects *objects);

#endif
