/* SPDX-License-Identifier: MIT
 *
 * Names in a snapshot that objects do not have by their creation: aliases and reserved handles, share tokens,
 * refused handles, contexts that have ended; and the executor's counters.
 */
#ifndef AG_EXEC_SNAPSHOT_NAMES_H
#define AG_EXEC_SNAPSHOT_NAMES_H

#include <stdbool.h>

struct ag_archive;
struct ag_execution;

/* Writes or reads the names, behind the objects. False after a report. */
bool ag_names_archive(struct ag_execution *rooms, struct ag_archive *archive);

#endif
