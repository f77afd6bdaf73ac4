/* SPDX-License-Identifier: MIT
 *
 * Making, resetting and ending the recorder.
 */
#ifndef AG_EXEC_RECORD_RECORDER_LIFE_H
#define AG_EXEC_RECORD_RECORDER_LIFE_H

#include <stdbool.h>

struct ag_objects;
struct ag_recorder;

/* Observes the objects, so that they outlive what was made of them here. */
void ag_recorder_init(struct ag_recorder *recorder, struct ag_objects *objects);

void ag_recorder_fini(struct ag_recorder *recorder);

/* What belongs to one WebGPU device. False when the host's memory is exhausted (not reported). */
bool ag_recorder_make_device_objects(struct ag_recorder *recorder);

void ag_recorder_drop_device_objects(struct ag_recorder *recorder);

/* Drops what was recorded and not submitted. */
void ag_recorder_abandon(struct ag_recorder *recorder);

#endif
