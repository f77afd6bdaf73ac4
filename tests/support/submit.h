/* SPDX-License-Identifier: MIT
 *
 * The end of recording: what an encoder holds goes to the queue.
 */
#ifndef AG_TESTS_SUBMIT_H
#define AG_TESTS_SUBMIT_H

#include "gpu/gpu.h"

/* Releases the encoder, whose passes have ended. */
static inline void submit_encoder(const struct agpu_gpu *gpu, WGPUCommandEncoder encoder)
{
    const WGPUCommandBuffer commands = wgpuCommandEncoderFinish(encoder, NULL);
    wgpuQueueSubmit(ag_gpu_queue(gpu), 1, &commands);
    wgpuCommandBufferRelease(commands);
    wgpuCommandEncoderRelease(encoder);
}

#endif
