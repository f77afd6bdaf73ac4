/* SPDX-License-Identifier: MIT
 *
 * The container around a shader: header, chunk table, chunks (dxbc-format 1).
 */
#ifndef AG_DXBC_CONTAINER_H
#define AG_DXBC_CONTAINER_H

#include "aerogpu/dxbc.h"
#include "base/arena.h"

#define AG_DXBC_MAGIC AGPU_FOURCC('D', 'X', 'B', 'C')
#define AG_DXBC_HEADER_BYTES 32
#define AG_DXBC_CHUNK_HEADER_BYTES 8
#define AG_DXBC_DIGEST_OFFSET 4
#define AG_DXBC_DIGEST_BYTES 16

#define AG_CHUNK_RDEF AGPU_FOURCC('R', 'D', 'E', 'F')
#define AG_CHUNK_ISGN AGPU_FOURCC('I', 'S', 'G', 'N')
#define AG_CHUNK_ISG1 AGPU_FOURCC('I', 'S', 'G', '1')
#define AG_CHUNK_OSGN AGPU_FOURCC('O', 'S', 'G', 'N')
#define AG_CHUNK_OSG5 AGPU_FOURCC('O', 'S', 'G', '5')
#define AG_CHUNK_OSG1 AGPU_FOURCC('O', 'S', 'G', '1')
#define AG_CHUNK_PCSG AGPU_FOURCC('P', 'C', 'S', 'G')
#define AG_CHUNK_PSG1 AGPU_FOURCC('P', 'S', 'G', '1')
#define AG_CHUNK_IFCE AGPU_FOURCC('I', 'F', 'C', 'E')
#define AG_CHUNK_SHDR AGPU_FOURCC('S', 'H', 'D', 'R')
#define AG_CHUNK_SHEX AGPU_FOURCC('S', 'H', 'E', 'X')
#define AG_CHUNK_STAT AGPU_FOURCC('S', 'T', 'A', 'T')
#define AG_CHUNK_SFI0 AGPU_FOURCC('S', 'F', 'I', '0')
#define AG_CHUNK_AON9 AGPU_FOURCC('A', 'o', 'n', '9')
#define AG_CHUNK_DXIL AGPU_FOURCC('D', 'X', 'I', 'L')
#define AG_CHUNK_ILDB AGPU_FOURCC('I', 'L', 'D', 'B')

struct ag_dxbc_container {
    const uint8_t *bytes;
    size_t size; /* as the header states; at most the size of the input */
    struct agpu_dxbc_chunk *chunks;
    uint32_t chunk_count;
};

/* Checks the header and the bounds of every chunk; the digest is not checked. `container` points into
 * `bytes`; the array of chunks comes from the arena. */
enum agpu_status ag_dxbc_container_read(struct ag_arena *arena, const uint8_t *bytes, size_t size,
                                        const struct agpu_diag_sink *sink,
                                        struct ag_dxbc_container *container);

/* The first chunk with this fourcc, or null. */
const struct agpu_dxbc_chunk *ag_dxbc_container_find(const struct ag_dxbc_container *container,
                                                     uint32_t fourcc);

/* One past the last NUL of a chunk's data. A string that starts before that position ends inside the
 * chunk. */
uint32_t ag_dxbc_chunk_text_end(const struct agpu_dxbc_chunk *chunk);

/* The four letters of a fourcc as a C string; bytes that are not printable ASCII become '?'. */
void ag_dxbc_fourcc_text(uint32_t fourcc, char text[5]);

#endif
