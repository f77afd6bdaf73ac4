/* SPDX-License-Identifier: MIT
 *
 * Snapshots of the executor: the functions of its table, and the submissions that have not begun.
 */
#ifndef AG_EXEC_SUBMIT_SNAPSHOT_H
#define AG_EXEC_SUBMIT_SNAPSHOT_H

struct agpu_executor;

/* Enters the functions into the table. */
void ag_snapshot_offer(struct agpu_executor *table);

#endif
