/* SPDX-License-Identifier: MIT
 *
 * Making and ending the blitter.
 */
#ifndef AG_EXEC_BLIT_BLITTER_LIFE_H
#define AG_EXEC_BLIT_BLITTER_LIFE_H

struct ag_blitter;
struct ag_recorder;

void ag_blitter_init(struct ag_blitter *blitter, struct ag_recorder *recorder);

/* Releases what belongs to the WebGPU device. */
void ag_blitter_drop_device_objects(struct ag_blitter *blitter);

#endif
