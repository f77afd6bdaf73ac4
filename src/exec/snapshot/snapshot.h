/* SPDX-License-Identifier: MIT
 *
 * The objects and contexts of an executor in a snapshot (docs/snapshots.md), for submit/snapshot.h, which has
 * the submissions. No submission is being executed meanwhile.
 */
#ifndef AG_EXEC_SNAPSHOT_SNAPSHOT_H
#define AG_EXEC_SNAPSHOT_SNAPSHOT_H

#include <stdbool.h>

#include "exec/snapshot/contents.h"
#include "exec/snapshot/objects.h"

struct ag_archive;
struct ag_execution;

/* The save of one snapshot. Zeroed: none is under way. */
struct ag_snapshot_save {
    bool begun;
    struct ag_saved_objects objects;
    struct ag_contents_save contents;
};

/* Goes on; the first call begins. True when all is written, or after a report. */
bool ag_snapshot_save(struct ag_snapshot_save *save, struct ag_execution *rooms, struct ag_archive *archive);
void ag_snapshot_save_fini(struct ag_snapshot_save *save);

/* False after a report; some objects may be there then. */
bool ag_snapshot_load(struct ag_execution *rooms, struct ag_archive *archive);

#endif
