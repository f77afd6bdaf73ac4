/* SPDX-License-Identifier: MIT
 *
 * Contexts in a snapshot: bindings and state. A slot has the object that it shows by a handle, since a slot
 * outlives what its own handle names: a view of its own, or the handle that made the resource.
 */
#ifndef AG_EXEC_SNAPSHOT_CONTEXTS_H
#define AG_EXEC_SNAPSHOT_CONTEXTS_H

#include <stdbool.h>

struct ag_archive;
struct ag_execution;

/* False after a report. Objects are loaded before contexts. */
bool ag_contexts_save(struct ag_execution *rooms, struct ag_archive *archive);
bool ag_contexts_load(struct ag_execution *rooms, struct ag_archive *archive);

#endif
