/* SPDX-License-Identifier: MIT
 *
 * The life of the objects; the executor calls these functions.
 */
#ifndef AG_EXEC_OBJECT_OBJECTS_LIFE_H
#define AG_EXEC_OBJECT_OBJECTS_LIFE_H

#include <stdbool.h>

struct ag_host;
struct ag_objects;

/* Makes an empty set of objects without observers. */
void ag_objects_init(struct ag_objects *objects, struct ag_host *host);

/* From here on there are no objects; the contexts, which have bindings, are cleared before. What there was
 * has its memory until it is freed. */
void ag_objects_leave(struct ag_objects *objects);

/* Frees some of what was left, without the callbacks resource_dies and view_dies. False when nothing is left.
 */
bool ag_objects_free_part(struct ag_objects *objects);

#endif
