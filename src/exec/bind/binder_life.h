/* SPDX-License-Identifier: MIT
 *
 * The life of the binder; the executor calls these functions.
 */
#ifndef AG_EXEC_BIND_BINDER_LIFE_H
#define AG_EXEC_BIND_BINDER_LIFE_H

struct ag_binder;
struct ag_copier;

/* Makes an empty binder that observes the objects, so that no context keeps an object that is destroyed. */
void ag_binder_init(struct ag_binder *binder, struct ag_copier *copier);

/* Destroys shaders and pipelines; the contexts are cleared before. */
void ag_binder_clear(struct ag_binder *binder);

/* Releases the copies of targets and the buffer of counters, before the WebGPU device goes. */
void ag_binder_drop_device_objects(struct ag_binder *binder);

#endif
