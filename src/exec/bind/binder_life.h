/* SPDX-License-Identifier: MIT
 *
 * Making, clearing and ending the binder.
 */
#ifndef AG_EXEC_BIND_BINDER_LIFE_H
#define AG_EXEC_BIND_BINDER_LIFE_H

struct ag_binder;
struct ag_copier;

/* Observes the objects, so that no context keeps a dead one. */
void ag_binder_init(struct ag_binder *binder, struct ag_copier *copier);

/* Destroys contexts, shaders and pipelines. */
void ag_binder_clear(struct ag_binder *binder);

/* Releases what belongs to the WebGPU device. */
void ag_binder_drop_device_objects(struct ag_binder *binder);

#endif
