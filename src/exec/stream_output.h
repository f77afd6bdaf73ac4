/* SPDX-License-Identifier: MIT
 *
 * Stream output: declarations, the buffers that primitives go to, and how far these are filled, which only
 * the GPU knows (D3D11.3 14).
 */
#ifndef AG_EXEC_STREAM_OUTPUT_H
#define AG_EXEC_STREAM_OUTPUT_H

#include "exec/ext_object.h"
#include "expand/stream_output.h"

struct ag_context;
struct ag_exec;

/* What a geometry shader says about its output. Part of the bytes that it is made from, so nothing in it is
 * left unset. */
struct ag_stream_output_declaration {
    uint32_t rasterized_stream; /* AEROGPU_EXT_STREAM_OUTPUT_NOT_RASTERIZED: none */
    uint32_t strides[AG_STREAM_OUTPUT_SLOTS];
    uint32_t streams;                              /* bit n: stream n has components */
    uint32_t stream_slots[AG_STREAM_OUTPUT_SLOTS]; /* of each stream: bit n: buffer n is its */
    uint32_t place_count;
    struct ag_stream_output_place places[AG_STREAM_OUTPUT_COMPONENTS];
};

struct ag_stream_output_object {
    struct ag_ext_object object; /* first */
    struct ag_stream_output_declaration declaration;
};

/* The declaration of the geometry shader that is bound, when some buffer is there for it; else null. */
const struct ag_stream_output_declaration *ag_stream_output_active(struct ag_exec *exec,
                                                                   struct ag_context *context);

/* The geometry shader that is bound says that nothing is rasterized. */
bool ag_stream_output_only(struct ag_exec *exec, const struct ag_context *context);

/* Around the compute passes of a draw: brings the buffers and how far they are filled to the GPU, and back to
 * the buffers. False when it was reported. */
bool ag_stream_output_begin(struct ag_exec *exec, struct ag_context *context,
                            const struct ag_stream_output_declaration *declaration, bool *failed);
void ag_stream_output_end(struct ag_exec *exec, struct ag_context *context,
                          const struct ag_stream_output_declaration *declaration);
/* Records that a stream's primitives, at most `most`, go out. False when memory is exhausted (reported). */
bool ag_stream_output_feed(struct ag_exec *exec, const struct ag_context *context,
                           const struct ag_stream_output_declaration *declaration, uint32_t stream,
                           WGPUComputePassEncoder pass, const struct ag_buffer_range *primitives,
                           const struct ag_buffer_range *records, uint32_t vertices, uint32_t registers,
                           uint64_t most);

#endif
