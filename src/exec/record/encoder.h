/* SPDX-License-Identifier: MIT
 *
 * Command encoders: the open one, and a second one for commands that go ahead of the open render pass, so
 * that an upload need not end the pass. flush.h submits what was recorded.
 */
#ifndef AG_EXEC_RECORD_ENCODER_H
#define AG_EXEC_RECORD_ENCODER_H

#include <stdbool.h>

#include "exec/object/resource.h"
#include "exec/record/recorder.h"
#include "gpu/webgpu.h"

/* ---- Resources in use --------------------------------------------------------------------------------- */

/* Whether commands that are recorded and not submitted use the resource. A write through the queue would
 * take effect before those commands. */
static inline bool ag_recorder_in_use(const struct ag_recorder *recorder, const struct ag_resource *resource)
{
    return resource->used_in == recorder->encoder_number;
}

/* Notes that the open encoder uses the resource, for the current draw. */
static inline void ag_recorder_mark_used(const struct ag_recorder *recorder, struct ag_resource *resource)
{
    resource->used_in = recorder->encoder_number;
    resource->used_by = recorder->draw_number;
}

/* ---- Encoders ----------------------------------------------------------------------------------------- */

/* The open encoder, outside a pass, for copies and passes. An open render pass is ended; pending clears stay
 * pending. */
WGPUCommandEncoder ag_recorder_encoder(struct ag_recorder *recorder);

/* The compute pass on the open encoder that dispatches share until something else needs the encoder, with the
 * pipeline, and nothing bound in the groups that only draws have. Looks a bind group up. */
WGPUComputePassEncoder ag_recorder_compute_pass(struct ag_recorder *recorder, WGPUComputePipeline pipeline);

/* The encoder for commands that write what the next draw needs and touch nothing that the open pass uses:
 * ahead of the open pass, or the open encoder when no pass is open. */
WGPUCommandEncoder ag_recorder_ahead_encoder(struct ag_recorder *recorder);

/* The compute pass ahead of the open pass, for dispatches as above; the caller does not end it, so that those
 * of several draws share it. Null when no pass is open. */
WGPUComputePassEncoder ag_recorder_ahead_pass(struct ag_recorder *recorder, const char *label);

/* The encoder for writing into a resource: ahead of the open pass when no draw of that pass uses the
 * resource, else the open encoder, for which the pass is ended. */
WGPUCommandEncoder ag_recorder_upload_encoder(struct ag_recorder *recorder,
                                              const struct ag_resource *resource);

/* Finishes an encoder, whose commands come next in the order of submission. *encoder may be null, and is null
 * afterwards. Without memory the commands are lost (reported). */
void ag_recorder_finish(struct ag_recorder *recorder, WGPUCommandEncoder *encoder);

/* Called before a render pass begins: finishes both encoders, so that commands ahead of the new pass come
 * after everything recorded so far. False where the pass goes into the open encoder, since many passes before
 * it had no commands ahead of them: such commands end the pass. */
bool ag_recorder_split(struct ag_recorder *recorder);

/* Ends the open pass, if there is one, unless commands may come ahead of it; the next pass lets them. */
void ag_recorder_want_front(struct ag_recorder *recorder);

/* Releases the finished command buffers, submitted or not. */
void ag_recorder_drop(struct ag_recorder *recorder);

/* Called before a render pass with draws begins, outside other passes, with the number of its colour
 * attachments: lavapipe loses the independence of blend states with a pipeline that has no colour target, for
 * the rest of the submission. A pass with several targets therefore begins a new one. */
void ag_recorder_note_colors(struct ag_recorder *recorder, size_t count);

/* ---- Scratch buffers ---------------------------------------------------------------------------------- */

/* Makes a buffer for the commands being recorded, which is released when these are submitted. Null when
 * memory is exhausted (reported). */
WGPUBuffer ag_recorder_scratch_buffer(struct ag_recorder *recorder, uint64_t size, WGPUBufferUsage usage,
                                      const char *label);

/* Gives the recorder a buffer to release when the commands being recorded are submitted. The throttle
 * counts its bytes. False when memory is exhausted (reported): the caller keeps the buffer. */
bool ag_recorder_keep_until_flush(struct ag_recorder *recorder, WGPUBuffer buffer);

#endif
