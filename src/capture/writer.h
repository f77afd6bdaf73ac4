/* SPDX-License-Identifier: MIT
 *
 * Writing a capture: chunks with hash and compression, and accesses whose bytes are stored once.
 */
#ifndef AGPU_CAPTURE_WRITER_H
#define AGPU_CAPTURE_WRITER_H

#include <stdbool.h>
#include <stddef.h>

#include "aerogpu/diag.h"
#include "base/map.h"
#include "base/strbuf.h"
#include "capture/format.h"

struct ZSTD_CCtx_s;

struct capture_writer {
    bool (*write)(void *user, const void *data, size_t size);
    void *user;
    bool unwritable, no_memory; /* nothing more is written after either */
    uint64_t chunks, hash;      /* so far, for the end */
    struct ZSTD_CCtx_s *compressor;
    struct agpu_map stored;      /* halves of the hashes of stored bytes, by the other halves */
    struct agpu_strbuf accesses; /* not yet written */
    uint32_t accesses_fourcc;    /* PAGE or WRIT */
};

/* Writes magic and version. */
void capture_writer_init(struct capture_writer *writer,
                         bool (*write)(void *user, const void *data, size_t size), void *user);
void capture_writer_fini(struct capture_writer *writer);

/* One chunk, behind the accesses so far. */
void capture_write_chunk(struct capture_writer *writer, uint32_t fourcc, const void *payload, size_t size);

/* A chunk with a head and more bytes behind it. */
void capture_write_parts(struct capture_writer *writer, uint32_t fourcc, const void *head, size_t head_size,
                         const void *rest, size_t rest_size);

/* An access of PAGE or WRIT, of which gpa, size and flags are set; `bytes` is null when it has none. */
void capture_write_access(struct capture_writer *writer, uint32_t fourcc, struct capture_access *access,
                          const void *bytes);

/* A picture: its size is in `present`; `pixels` is null when only the hash is kept. */
void capture_write_present(struct capture_writer *writer, const struct capture_present *present,
                           const void *pixels);

/* The last chunk. AGPU_REFUSED (capture.unwritable) or AGPU_NO_MEMORY when not all of it was written. */
enum agpu_status capture_writer_finish(struct capture_writer *writer, const struct agpu_diag_sink *sink);
enum agpu_status capture_writer_status(const struct capture_writer *writer,
                                       const struct agpu_diag_sink *sink);

/* The hash that a chunk must have, and the running one for the end. */
uint64_t capture_chunk_hash(const struct capture_chunk *chunk, const void *stored);
uint64_t capture_join_hash(uint64_t before, uint64_t hash);

/* Fills hash_low and hash_high of an access. */
void capture_hash_bytes(struct capture_access *access, const void *bytes);

#endif
