/* SPDX-License-Identifier: MIT
 *
 * The life of the binder; the executor calls these functions.
 */
#ifndef AG_EXEC_BIND_BINDER_LIFE_H
#define AG_EXEC_BIND_BINDER_LIFE_H

#include <stdbool.h>
#include <stddef.h>

struct ag_binder;
struct ag_copier;

/* Makes an empty binder that observes the objects, so that no context keeps an object that is destroyed. */
void ag_binder_init(struct ag_binder *binder, struct ag_copier *copier);

/* Destroys one of all shaders and pipelines, from *cursor on, which begins as 0; the contexts are gone
 * before. False when none is left. Nothing may use shaders meanwhile. */
bool ag_binder_clear_part(struct ag_binder *binder, size_t *cursor);

/* Releases the copies of targets and the buffer of counters, before the WebGPU device goes. */
void ag_binder_drop_device_objects(struct ag_binder *binder);

#endif
