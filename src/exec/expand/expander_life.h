/* SPDX-License-Identifier: MIT
 *
 * The life of the expander; the executor calls these functions.
 */
#ifndef AG_EXEC_EXPAND_EXPANDER_LIFE_H
#define AG_EXEC_EXPAND_EXPANDER_LIFE_H

struct ag_drawer;
struct ag_expander;
struct ag_expansion_batch;

void ag_expander_init(struct ag_expander *expander, struct ag_drawer *drawer,
                      struct ag_expansion_batch *batch);

/* Releases kernels and buffers, before the WebGPU device goes. */
void ag_expander_drop_device_objects(struct ag_expander *expander);

#endif
