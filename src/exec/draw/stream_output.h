/* SPDX-License-Identifier: MIT
 *
 * Stream output of an expanded draw: kernels write primitives into the bound buffers and count how far these
 * are filled, which only the GPU knows (D3D11.3 14).
 */
#ifndef AG_EXEC_DRAW_STREAM_OUTPUT_H
#define AG_EXEC_DRAW_STREAM_OUTPUT_H

#include <stdbool.h>
#include <stdint.h>

#include "exec/host/outcome.h"
#include "gpu/webgpu.h"

struct ag_buffer_range;
struct ag_context;
struct ag_draw;
struct ag_drawer;
struct ag_stream_output_declaration;

/* The stream-output declaration of the bound geometry shader. Null when there is none, when no buffer for
 * it is bound and no query counts its primitives, and when the draw repeats an earlier one. */
const struct ag_stream_output_declaration *
ag_stream_output_active(struct ag_drawer *drawer, struct ag_context *context, const struct ag_draw *draw);

/* Whether the declaration of the bound geometry shader says that no stream is rasterized. */
bool ag_stream_output_only(struct ag_drawer *drawer, const struct ag_context *context);
/* Around the compute passes of a draw: brings the buffers and how far they are filled to the GPU, and back to
 * the buffers. */
enum ag_outcome ag_stream_output_begin(struct ag_drawer *drawer, struct ag_context *context,
                                       const struct ag_stream_output_declaration *declaration);
void ag_stream_output_end(struct ag_drawer *drawer, struct ag_context *context,
                          const struct ag_stream_output_declaration *declaration);

/* Records a kernel that writes the primitives of a stream, at most `most`, in a compute pass between begin
 * and end. False when memory is exhausted (reported). */
bool ag_stream_output_feed(struct ag_drawer *drawer, const struct ag_context *context,
                           const struct ag_stream_output_declaration *declaration, uint32_t stream,
                           WGPUComputePassEncoder pass, const struct ag_buffer_range *primitives,
                           const struct ag_buffer_range *records, uint32_t vertices, uint32_t registers,
                           uint64_t most);

#endif
