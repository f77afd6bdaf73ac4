/* SPDX-License-Identifier: MIT
 *
 * The life of the copier; the executor calls these functions.
 */
#ifndef AG_EXEC_TRANSFER_COPIER_LIFE_H
#define AG_EXEC_TRANSFER_COPIER_LIFE_H

struct ag_blitter;
struct ag_copier;

void ag_copier_init(struct ag_copier *copier, struct ag_blitter *blitter);

/* Releases the pipelines of clears, before the WebGPU device goes. */
void ag_copier_drop_device_objects(struct ag_copier *copier);

/* Frees the memory of the last picture, when nothing is in flight. */
void ag_copier_forget_picture(struct ag_copier *copier);

#endif
