/* SPDX-License-Identifier: MIT
 *
 * Stream output: declarations, the buffers that primitives go to, and how far these are filled, which only
 * the GPU knows (D3D11.3 14).
 */
#ifndef AG_EXEC_OBJECT_STREAM_OUTPUT_DECLARATION_H
#define AG_EXEC_OBJECT_STREAM_OUTPUT_DECLARATION_H

#include <stdint.h>

#include "exec/object/ext_object.h"
#include "kernel/stream_output.h"

#define AG_MAX_STREAM 3 /* a geometry shader has streams 0 to 3 */

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

#endif
