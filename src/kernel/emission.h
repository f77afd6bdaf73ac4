/* SPDX-License-Identifier: MIT
 *
 * Turns what geometry shaders emitted into a list of primitives: the strips of one stream become points,
 * lines or triangles, in Direct3D's order on every device (D3D11 functional specification 13.5).
 */
#ifndef AG_KERNEL_EMISSION_H
#define AG_KERNEL_EMISSION_H

#include "kernel/kernel.h"
#include "wgsl/expansion.h"

struct ag_emission {
    uint32_t max_vertices; /* vertices that one invocation emits at most */
    uint32_t instances;    /* invocations for each input primitive, at least 1 */
    uint32_t vertices;     /* vertices of an output primitive: 1, 2 or 3 */
    uint32_t stream;       /* the stream whose primitives are listed */
};

/* The vertices of a primitive of the topology that a geometry shader declares for its output; 0: none. */
uint32_t ag_emission_vertices(uint32_t topology);

/* The most primitives that an invocation can make. */
uint32_t ag_emission_primitives(const struct ag_emission *emission);

struct ag_emission_kernels {
    struct ag_kernel kernel;
};

void ag_emission_kernels_init(struct ag_emission_kernels *kernels, struct agpu_gpu *gpu);
void ag_emission_kernels_fini(struct ag_emission_kernels *kernels);

/* `drawn`: the vertices that the indirect draw has for each primitive. */
#define AG_EMISSION_BLOCK_BYTES 32
void ag_emission_block(const struct ag_emission *emission, uint32_t drawn,
                       uint8_t block[AG_EMISSION_BLOCK_BYTES]);

#define AG_EMISSION_COUNT_BYTES 8 /* bytes of scratch for each invocation, at least */

struct ag_emission_buffers {
    struct ag_buffer_range block;      /* ag_emission_block(), uniform */
    struct ag_buffer_range inputs;     /* the list of the shader's input primitives */
    struct ag_buffer_range emits;      /* AG_EXPAND_EMITS */
    struct ag_buffer_range counts;     /* scratch: AG_EMISSION_COUNT_BYTES for each invocation */
    struct ag_buffer_range primitives; /* written: the list; its primitive ids are 0 */
    struct ag_buffer_range arguments;  /* written: those of a draw of the list, as AG_DRAW_ARGUMENT_BYTES */
};

/* Records the dispatches for at most `invocations`. Changes the pass's pipeline and group 0. False
 * when memory is exhausted (reported by who makes the bind groups); nothing is dispatched then. */
bool ag_emission_record(struct ag_emission_kernels *kernels, WGPUComputePassEncoder pass,
                        const struct ag_emission_buffers *buffers, uint64_t invocations);

#endif
