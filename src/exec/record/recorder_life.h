/* SPDX-License-Identifier: MIT
 *
 * The life of the recorder; the executor calls these functions. What belongs to one WebGPU device is made and
 * dropped apart from the recorder itself, since a reset brings another device.
 */
#ifndef AG_EXEC_RECORD_RECORDER_LIFE_H
#define AG_EXEC_RECORD_RECORDER_LIFE_H

#include <stdbool.h>

struct ag_objects;
struct ag_recorder;

/* Makes an empty recorder that observes the objects. */
void ag_recorder_init(struct ag_recorder *recorder, struct ag_objects *objects);

void ag_recorder_fini(struct ag_recorder *recorder);

/* Makes the upload ring. False when the host's memory is exhausted (not reported). */
bool ag_recorder_make_device_objects(struct ag_recorder *recorder);

/* Releases the upload ring, the dummies and the bind group layouts. */
void ag_recorder_drop_device_objects(struct ag_recorder *recorder);

/* Drops bind groups and dummies, and goes on with another upload ring and other query sets. No commands are
 * open. */
void ag_recorder_renew_device_objects(struct ag_recorder *recorder);

/* Drops everything recorded and not submitted. */
void ag_recorder_abandon(struct ag_recorder *recorder);

#endif
