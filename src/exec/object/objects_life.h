/* SPDX-License-Identifier: MIT
 *
 * Making and clearing the objects.
 */
#ifndef AG_EXEC_OBJECT_OBJECTS_LIFE_H
#define AG_EXEC_OBJECT_OBJECTS_LIFE_H

struct ag_host;
struct ag_objects;

void ag_objects_init(struct ag_objects *objects, struct ag_host *host);

/* Destroys every object, without telling the observers of resources and views: they are cleared before. */
void ag_objects_clear(struct ag_objects *objects);

#endif
