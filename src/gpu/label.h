/* SPDX-License-Identifier: MIT
 *
 * Labels of WebGPU objects, which WebGPU's messages and tools of the driver show.
 */
#ifndef AG_GPU_LABEL_H
#define AG_GPU_LABEL_H

#include "base/diag.h"
#include "gpu/webgpu.h"

#define AG_LABEL_BYTES 64

/* On the stack of whoever creates the object: WebGPU copies what is in it. */
struct ag_label {
    char text[AG_LABEL_BYTES];
};

/* Writes label->text, cut where it is too long, and returns it. */
const char *ag_label_format(struct ag_label *label, const char *format, ...) AG_PRINTF(2, 3);

/* Objects that take nothing but a label. */
WGPUCommandEncoder ag_command_encoder_create(WGPUDevice device, const char *label);
WGPUCommandBuffer ag_command_encoder_finish(WGPUCommandEncoder encoder, const char *label);
WGPUComputePassEncoder ag_compute_pass_begin(WGPUCommandEncoder encoder, const char *label);

#endif
