/* SPDX-License-Identifier: MIT
 *
 * Stream-output declarations: which outputs of a geometry shader go where in which buffers (D3D11.3 14). They
 * are objects of the extension; draw/stream_output.h binds the buffers.
 */
#ifndef AG_EXEC_OBJECT_STREAM_OUTPUT_DECLARATION_H
#define AG_EXEC_OBJECT_STREAM_OUTPUT_DECLARATION_H

#include <stdint.h>

#include "exec/object/ext_object.h"
#include "kernel/stream_output.h"

#define AG_MAX_STREAM 3 /* a geometry shader has streams 0 to 3 */

/* A declaration. Every byte is set, since the bytes are a part of the geometry shader's key. */
struct ag_stream_output_declaration {
    uint32_t rasterized_stream; /* AEROGPU_EXT_STREAM_OUTPUT_NOT_RASTERIZED when no stream is rasterized */
    uint32_t strides[AG_STREAM_OUTPUT_SLOTS];      /* bytes of a vertex in each buffer */
    uint32_t streams;                              /* bit n: a component of stream n is written */
    uint32_t stream_slots[AG_STREAM_OUTPUT_SLOTS]; /* for each stream, bit n: the stream writes to buffer n */
    uint32_t place_count;
    struct ag_stream_output_place places[AG_STREAM_OUTPUT_COMPONENTS];
};

struct ag_stream_output_object {
    struct ag_ext_object object; /* the first member */
    struct ag_stream_output_declaration declaration;
};

#endif
