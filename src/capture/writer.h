/* SPDX-License-Identifier: MIT
 *
 * Writing a capture: chunks with hash and compression, and accesses whose bytes are stored once.
 */
#ifndef AG_CAPTURE_WRITER_H
#define AG_CAPTURE_WRITER_H

#include <stdbool.h>
#include <stddef.h>

#include "aerogpu/diag.h"
#include "base/map.h"
#include "base/strbuf.h"
#include "capture/format.h"

struct ZSTD_CCtx_s;

struct ag_capture_writer {
    bool (*write)(void *user, const void *data, size_t size);
    void *user;
    bool unwritable, no_memory; /* after either of them nothing more is written */
    uint64_t chunks, hash;      /* so far; the END chunk contains them */
    struct ZSTD_CCtx_s *compressor;
    struct ag_map stored; /* low half of a hash to the high half, for all stored bytes */
};

/* Writes magic and version. */
void ag_capture_writer_init(struct ag_capture_writer *writer,
                            bool (*write)(void *user, const void *data, size_t size), void *user);
void ag_capture_writer_fini(struct ag_capture_writer *writer);

/* Writes one chunk. */
void ag_capture_write_chunk(struct ag_capture_writer *writer, uint32_t fourcc, const void *payload,
                            size_t size);

/* Writes a chunk that consists of a structure and more bytes. */
void ag_capture_write_parts(struct ag_capture_writer *writer, uint32_t fourcc, const void *head,
                            size_t head_size, const void *rest, size_t rest_size);

/* Writes a PAGE or WRIT chunk of one access. The caller has set gpa, size and flags; `bytes` is null for an
 * access without bytes. */
void ag_capture_write_access(struct ag_capture_writer *writer, uint32_t fourcc,
                             struct ag_capture_access *access, const void *bytes);

/* Writes a picture, whose size is in `present`; `pixels` is null when only the hash is recorded. */
void ag_capture_write_present(struct ag_capture_writer *writer, const struct ag_capture_present *present,
                              const void *pixels);

/* Writes the END chunk. AGPU_REFUSED (capture.unwritable) or AGPU_NO_MEMORY when something could not be
 * written. */
enum agpu_status ag_capture_writer_finish(struct ag_capture_writer *writer,
                                          const struct agpu_diag_sink *sink);
enum agpu_status ag_capture_writer_status(const struct ag_capture_writer *writer,
                                          const struct agpu_diag_sink *sink);

#endif
