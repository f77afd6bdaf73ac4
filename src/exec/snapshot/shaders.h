/* SPDX-License-Identifier: MIT
 *
 * Shaders in a snapshot: their sources, and the handles that name each.
 */
#ifndef AG_EXEC_SNAPSHOT_SHADERS_H
#define AG_EXEC_SNAPSHOT_SHADERS_H

#include <stdbool.h>

struct ag_archive;
struct ag_execution;

/* False after a report. */
bool ag_shaders_save(const struct ag_execution *rooms, struct ag_archive *archive);
bool ag_shaders_load(struct ag_execution *rooms, struct ag_archive *archive);

#endif
