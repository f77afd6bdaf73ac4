/* SPDX-License-Identifier: MIT
 *
 * The life of the blitter; the executor calls these functions.
 */
#ifndef AG_EXEC_BLIT_BLITTER_LIFE_H
#define AG_EXEC_BLIT_BLITTER_LIFE_H

struct ag_blitter;
struct ag_recorder;

void ag_blitter_init(struct ag_blitter *blitter, struct ag_recorder *recorder);

/* Releases the kernels, layouts and pipelines, before the WebGPU device goes. */
void ag_blitter_drop_device_objects(struct ag_blitter *blitter);

#endif
