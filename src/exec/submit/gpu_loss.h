/* SPDX-License-Identifier: MIT
 *
 * The loss of the WebGPU device and the device that takes its place. A device is lost when the driver says
 * so, or when the GPU does not finish a piece of work within the timeout: such a device is abandoned
 * (gpu/abandon.h), since no API stops its work.
 *
 * What is in flight fails then, and so do later streams of the contexts that there were: they ended. The new
 * device is made as soon as nothing is in flight, for contexts of other numbers, or by a reset, which begins
 * all contexts anew.
 */
#ifndef AG_EXEC_SUBMIT_GPU_LOSS_H
#define AG_EXEC_SUBMIT_GPU_LOSS_H

#include <stdbool.h>

struct ag_exec;

/* Makes what the rooms need of a WebGPU device. False when memory is exhausted (not reported). */
bool ag_device_objects_make(struct ag_exec *exec);
void ag_device_objects_drop(struct ag_exec *exec);

/* Drops what the rooms have made for themselves, which they make anew when they need it. No commands are
 * open. */
void ag_device_objects_renew(struct ag_exec *exec);

/* Abandons a device that has hung for the timeout, and notices the loss of a device: the submissions in
 * flight have an error then. */
void ag_gpu_loss_watch(struct ag_exec *exec);

/* Goes on with a replacement that takes several polls. */
void ag_gpu_loss_poll(struct ag_exec *exec);

/* Ends all contexts, lets their objects be freed and asks for another device, if the device is lost and no
 * submission is in flight. Done once for each loss. */
void ag_gpu_loss_replace(struct ag_exec *exec);

/* Goes on with that once all objects are freed (clearing.h). */
void ag_gpu_loss_go_on(struct ag_exec *exec);

/* As ag_gpu_loss_replace(), for a reset, which waits for no submission and ends no context. A device that
 * stands still is given up earlier: nobody waits for its work any more. */
void ag_gpu_loss_reset(struct ag_exec *exec);

#endif
