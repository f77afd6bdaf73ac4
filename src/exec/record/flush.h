/* SPDX-License-Identifier: MIT
 *
 * Submitting recorded commands to the queue: at the end of a submission of the guest, when the CPU waits for
 * a result, or when the recorded commands hold much memory (throttle.h).
 */
#ifndef AG_EXEC_RECORD_FLUSH_H
#define AG_EXEC_RECORD_FLUSH_H

#include <stdbool.h>

struct ag_recorder;

/* Performs the pending clears, ends the pass and submits everything recorded. */
void ag_recorder_flush(struct ag_recorder *recorder);

/* Flushes when the recorded commands hold too many bind groups or bytes. */
void ag_throttle_limit(struct ag_recorder *recorder);

/* Called between two packets: flushes like ag_throttle_limit(). False when the work in flight holds too
 * much, so that the stream has to wait for the GPU before the next packet. */
bool ag_throttle_admits(struct ag_recorder *recorder);

#endif
