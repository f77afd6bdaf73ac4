/* SPDX-License-Identifier: MIT
 *
 * What drivers hold for work that the GPU has not finished: bind groups and scratch memory. Both are bounded:
 * a stream that takes very much is submitted in parts and waits for the GPU between two of its packets.
 */
#ifndef AG_EXEC_RECORD_THROTTLE_H
#define AG_EXEC_RECORD_THROTTLE_H

#include <stdbool.h>
#include <stdint.h>

struct ag_recorder;

/* The commands being recorded hold one more bind group, bind a group with so many dynamic offsets, or hold so
 * many bytes that nobody else knows of. */
void ag_throttle_add_group(struct ag_recorder *recorder);
void ag_throttle_add_binding(struct ag_recorder *recorder, uint32_t offset_count);
void ag_throttle_add_bytes(struct ag_recorder *recorder, uint64_t bytes);
/* Whether the commands being recorded hold very much. */
bool ag_throttle_open_is_full(const struct ag_recorder *recorder);
/* False when all that is in flight, and open, holds very much: nothing may be recorded before some of it is
 * done. */
bool ag_throttle_has_room(struct ag_recorder *recorder);

/* The signal that ends the oldest work in flight; 0: none is. */
uint64_t ag_throttle_first(const struct ag_recorder *recorder);
/* What is open was submitted, and a signal follows it; or was dropped. */
void ag_throttle_submitted(struct ag_recorder *recorder, uint64_t serial);
void ag_throttle_dropped(struct ag_recorder *recorder);

#endif
