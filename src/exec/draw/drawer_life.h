/* SPDX-License-Identifier: MIT
 *
 * The life of the drawer, which the executor calls, and of the kernels of input assembly.
 */
#ifndef AG_EXEC_DRAW_DRAWER_LIFE_H
#define AG_EXEC_DRAW_DRAWER_LIFE_H

struct ag_assembly_kernels;
struct ag_binder;
struct ag_drawer;
struct ag_kept_draw;

/* `kept` is borrowed. */
void ag_drawer_init(struct ag_drawer *drawer, struct ag_binder *binder, struct ag_kept_draw *kept);

/* Releases kernels and buffers, before the WebGPU device goes. */
void ag_drawer_drop_device_objects(struct ag_drawer *drawer);

/* The kernels of input assembly, made on the first call. */
struct ag_assembly_kernels *ag_drawer_assembly(struct ag_drawer *drawer);

#endif
