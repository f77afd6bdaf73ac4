/* SPDX-License-Identifier: MIT
 *
 * The container around a shader: header, chunk table, chunks (dxbc-format 1).
 */
#ifndef AGPU_DXBC_CONTAINER_H
#define AGPU_DXBC_CONTAINER_H

#include "aerogpu/dxbc.h"
#include "base/arena.h"

#define AGPU_DXBC_MAGIC AGPU_FOURCC('D', 'X', 'B', 'C')
#define AGPU_DXBC_HEADER_BYTES 32
#define AGPU_DXBC_CHUNK_HEADER_BYTES 8
#define AGPU_DXBC_DIGEST_OFFSET 4
#define AGPU_DXBC_DIGEST_BYTES 16

#define AGPU_CHUNK_RDEF AGPU_FOURCC('R', 'D', 'E', 'F')
#define AGPU_CHUNK_ISGN AGPU_FOURCC('I', 'S', 'G', 'N')
#define AGPU_CHUNK_ISG1 AGPU_FOURCC('I', 'S', 'G', '1')
#define AGPU_CHUNK_OSGN AGPU_FOURCC('O', 'S', 'G', 'N')
#define AGPU_CHUNK_OSG5 AGPU_FOURCC('O', 'S', 'G', '5')
#define AGPU_CHUNK_OSG1 AGPU_FOURCC('O', 'S', 'G', '1')
#define AGPU_CHUNK_PCSG AGPU_FOURCC('P', 'C', 'S', 'G')
#define AGPU_CHUNK_PSG1 AGPU_FOURCC('P', 'S', 'G', '1')
#define AGPU_CHUNK_IFCE AGPU_FOURCC('I', 'F', 'C', 'E')
#define AGPU_CHUNK_SHDR AGPU_FOURCC('S', 'H', 'D', 'R')
#define AGPU_CHUNK_SHEX AGPU_FOURCC('S', 'H', 'E', 'X')
#define AGPU_CHUNK_STAT AGPU_FOURCC('S', 'T', 'A', 'T')
#define AGPU_CHUNK_SFI0 AGPU_FOURCC('S', 'F', 'I', '0')
#define AGPU_CHUNK_AON9 AGPU_FOURCC('A', 'o', 'n', '9')
#define AGPU_CHUNK_DXIL AGPU_FOURCC('D', 'X', 'I', 'L')
#define AGPU_CHUNK_ILDB AGPU_FOURCC('I', 'L', 'D', 'B')

struct agpu_dxbc_container {
    const uint8_t *bytes;
    size_t size; /* as the header states it; at most what was handed in */
    struct agpu_dxbc_chunk *chunks;
    uint32_t chunk_count;
};

/* Checks the header and the bounds of every chunk. `container` points into `bytes`; the chunk array comes
 * from the arena. Says nothing about the digest. */
enum agpu_status agpu_dxbc_container_read(struct agpu_arena *arena, const uint8_t *bytes, size_t size,
                                          const struct agpu_diag_sink *sink,
                                          struct agpu_dxbc_container *container);

/* The first chunk with this fourcc, or null. */
const struct agpu_dxbc_chunk *agpu_dxbc_container_find(const struct agpu_dxbc_container *container,
                                                       uint32_t fourcc);

/* One past the last NUL of a chunk's data: text that starts before it ends inside the chunk. */
uint32_t agpu_dxbc_chunk_text_end(const struct agpu_dxbc_chunk *chunk);

/* The four letters of a fourcc as a C string; bytes that are not printable ASCII become '?'. */
void agpu_dxbc_fourcc_text(uint32_t fourcc, char text[5]);

#endif
