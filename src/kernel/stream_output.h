/* SPDX-License-Identifier: MIT
 *
 * Stream output as compute kernels: vertices of a list of primitives are appended to up to four buffers, as
 * long as there is space (D3D11 functional specification 14). Only the GPU knows how far the buffers are
 * filled.
 */
#ifndef AG_KERNEL_STREAM_OUTPUT_H
#define AG_KERNEL_STREAM_OUTPUT_H

#include "kernel/kernel.h"
#include "wgsl/expansion.h"

#define AG_STREAM_OUTPUT_SLOTS 4
#define AG_STREAM_OUTPUT_COMPONENTS 128

/* Where a component of a vertex is stored. */
struct ag_stream_output_place {
    uint8_t stream;
    uint8_t source; /* 4 * register + component of the record */
    uint8_t slot;
    uint8_t reserved;
    uint32_t offset; /* bytes from the vertex's first byte in the buffer */
};

struct ag_stream_output {
    uint32_t stream;
    uint32_t vertices;  /* vertices of a primitive */
    uint32_t registers; /* registers of a record */
    uint32_t slots;     /* bit n: the stream writes buffer n */
    uint32_t strides[AG_STREAM_OUTPUT_SLOTS], sizes[AG_STREAM_OUTPUT_SLOTS];
    const struct ag_stream_output_place *places; /* for all streams */
    uint32_t place_count;
};

struct ag_stream_output_kernels {
    struct ag_kernel kernel;
};

void ag_stream_output_kernels_init(struct ag_stream_output_kernels *kernels, struct agpu_gpu *gpu);
void ag_stream_output_kernels_fini(struct ag_stream_output_kernels *kernels);

#define AG_STREAM_OUTPUT_BLOCK_BYTES (64 + 16 * AG_STREAM_OUTPUT_COMPONENTS)
void ag_stream_output_block(const struct ag_stream_output *output,
                            uint8_t block[AG_STREAM_OUTPUT_BLOCK_BYTES]);

/* Words of the state, which is carried from dispatch to dispatch of a draw. */
enum ag_stream_output_state {
    AG_STREAM_OUTPUT_FILLED = 0,  /* + slot: bytes; set before the draw, read behind it */
    AG_STREAM_OUTPUT_WRITTEN = 8, /* + stream: primitives; 0 before the draw */
    AG_STREAM_OUTPUT_NEEDED = 12, /* + stream */
    AG_STREAM_OUTPUT_STATE_WORDS = 20
};

struct ag_stream_output_buffers {
    struct ag_buffer_range block;      /* ag_stream_output_block(), uniform */
    struct ag_buffer_range primitives; /* list */
    struct ag_buffer_range records;
    struct ag_buffer_range state;
    struct ag_buffer_range targets[AG_STREAM_OUTPUT_SLOTS]; /* distinct buffers, whatever `slots` says */
};

/* Records the dispatches for at most `primitives`. Changes the pass's pipeline and group 0. False
 * when memory is exhausted (reported by who makes the bind groups); nothing is dispatched then. */
bool ag_stream_output_record(struct ag_stream_output_kernels *kernels, WGPUComputePassEncoder pass,
                             const struct ag_stream_output_buffers *buffers,
                             const struct ag_stream_output *output, uint64_t primitives);

#endif
