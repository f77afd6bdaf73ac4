/* SPDX-License-Identifier: MIT
 *
 * Handing what was recorded to the GPU's queue: all of it at once, or when drivers would have to hold too
 * much.
 */
#ifndef AG_EXEC_RECORD_FLUSH_H
#define AG_EXEC_RECORD_FLUSH_H

#include <stdbool.h>

struct ag_recorder;

/* Performs pending clears, ends the pass and hands everything recorded to the queue. */
void ag_recorder_flush(struct ag_recorder *recorder);

/* Flushes when what is recorded holds very much. */
void ag_throttle_limit(struct ag_recorder *recorder);
/* Between two packets: flushes as above. False when nothing may be recorded before some work in flight is
 * done. */
bool ag_throttle_admits(struct ag_recorder *recorder);

#endif
