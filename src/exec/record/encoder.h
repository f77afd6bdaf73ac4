/* SPDX-License-Identifier: MIT
 *
 * The open command encoder, and the uploads that go ahead of its open pass.
 */
#ifndef AG_EXEC_RECORD_ENCODER_H
#define AG_EXEC_RECORD_ENCODER_H

#include <stdbool.h>

#include "exec/object/resource.h"
#include "exec/record/recorder.h"
#include "gpu/webgpu.h"

/* The open encoder, outside of any pass: for copies. Pending clears stay pending. */
WGPUCommandEncoder ag_recorder_encoder(struct ag_recorder *recorder);

/* True when the open encoder has used the resource, so that a write through the queue would come too early.
 */
static inline bool ag_recorder_in_use(const struct ag_recorder *recorder, const struct ag_resource *resource)
{
    return resource->used_in == recorder->encoder_number;
}

/* The open encoder uses it, for the current or last draw if it is about draws. */
static inline void ag_recorder_mark_used(const struct ag_recorder *recorder, struct ag_resource *resource)
{
    resource->used_in = recorder->encoder_number;
    resource->used_by = recorder->draw_number;
}

/* The encoder for what the next draw needs and the open pass does not change: ahead of that pass, if there is
 * one. */
WGPUCommandEncoder ag_recorder_ahead_encoder(struct ag_recorder *recorder);
/* The encoder for writing into a resource: ahead of the open pass when that does not use it, else outside of
 * any pass. */
WGPUCommandEncoder ag_recorder_upload_encoder(struct ag_recorder *recorder,
                                              const struct ag_resource *resource);
/* Ends an encoder, null before and after or not: its commands come next. */
void ag_recorder_finish(struct ag_recorder *recorder, WGPUCommandEncoder *encoder);
/* Before a pass: what is recorded from here on may come after uploads that are still to be seen. */
void ag_recorder_split(struct ag_recorder *recorder);
/* The buffer becomes scratch memory of the open encoder: released when that is submitted. Counts as load.
 * False without memory (reported): the buffer stays the caller's. */
bool ag_recorder_keep_until_flush(struct ag_recorder *recorder, WGPUBuffer buffer);
/* A new buffer of that kind; null when memory is exhausted (reported). */
WGPUBuffer ag_recorder_scratch_buffer(struct ag_recorder *recorder, uint64_t size, WGPUBufferUsage usage,
                                      const char *label);

#endif
