/* SPDX-License-Identifier: MIT
 *
 * Queries in a snapshot: what they have counted. The numbers of the GPU are read back before.
 */
#ifndef AG_EXEC_SNAPSHOT_QUERIES_H
#define AG_EXEC_SNAPSHOT_QUERIES_H

#include <stdbool.h>

struct ag_archive;
struct ag_execution;

/* False after a report. */
bool ag_queries_save(const struct ag_execution *rooms, struct ag_archive *archive);
bool ag_queries_load(struct ag_execution *rooms, struct ag_archive *archive);

#endif
