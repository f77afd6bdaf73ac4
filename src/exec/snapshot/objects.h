/* SPDX-License-Identifier: MIT
 *
 * Objects in a snapshot: the packet that made each, and what became of a resource since. Loading executes
 * these packets again, so that whatever a snapshot says is checked as if a guest had sent it. Contents are
 * contents.h.
 */
#ifndef AG_EXEC_SNAPSHOT_OBJECTS_H
#define AG_EXEC_SNAPSHOT_OBJECTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

struct ag_archive;
struct ag_creation;
struct ag_command_list;
struct ag_execution;
struct ag_host;
struct ag_resource;
struct ag_view;

/* An object that is saved. At most one of the pointers behind the creation is not null. */
struct ag_saved_object {
    const struct ag_creation *creation;
    struct ag_resource *resource;
    struct ag_view *view;
    const struct ag_command_list *list;
};

/* All objects but shaders, in the order of their creation. */
struct ag_saved_objects {
    AG_VEC(struct ag_saved_object) list;
};

/* False when memory is exhausted, or when an object does not know how it was made (reported). */
bool ag_saved_objects_collect(const struct ag_execution *rooms, struct ag_archive *archive,
                              struct ag_saved_objects *objects);
void ag_saved_objects_fini(struct ag_saved_objects *objects);

/* What is made from here on is charged to the context, until another one or none is current. False when
 * memory is exhausted (reported). */
bool ag_loaded_for(struct ag_host *host, struct ag_archive *archive, uint32_t context_id);

/* Write the objects, or make them. False after a report. */
bool ag_objects_save(struct ag_archive *archive, const struct ag_saved_objects *objects);
bool ag_objects_load(struct ag_execution *rooms, struct ag_archive *archive);

#endif
