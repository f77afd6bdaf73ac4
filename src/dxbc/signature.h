/* SPDX-License-Identifier: MIT
 *
 * Signature chunks (dxbc-format 2).
 */
#ifndef AG_DXBC_SIGNATURE_H
#define AG_DXBC_SIGNATURE_H

#include "dxbc/container.h"

#define AG_SIGNATURE_HEADER_BYTES 8
#define AG_SIGNATURE_LONGEST_NAME 1024
#define AG_SIGNATURE_MAX_ELEMENTS 1024 /* four streams of 32 registers have 512 components */

/* How a chunk's fourcc determines its elements. */
struct ag_signature_layout {
    uint32_t fourcc;
    uint8_t element_bytes;
    bool has_stream;        /* elements begin with the stream */
    bool has_min_precision; /* elements end with the minimum precision */
};

/* Null for a chunk that is not a signature. */
const struct ag_signature_layout *ag_signature_layout(uint32_t fourcc);

/* Reads a signature; names point into the chunk's data. */
enum agpu_status ag_signature_read(struct ag_arena *arena, const struct agpu_dxbc_chunk *chunk,
                                   const struct agpu_diag_sink *sink, struct agpu_signature *signature);

#endif
