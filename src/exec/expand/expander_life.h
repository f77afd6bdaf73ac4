/* SPDX-License-Identifier: MIT
 *
 * Making and ending the expander.
 */
#ifndef AG_EXEC_EXPAND_EXPANDER_LIFE_H
#define AG_EXEC_EXPAND_EXPANDER_LIFE_H

struct ag_drawer;
struct ag_expander;

void ag_expander_init(struct ag_expander *expander, struct ag_drawer *drawer);

/* Releases what belongs to the WebGPU device. */
void ag_expander_drop_device_objects(struct ag_expander *expander);

#endif
