/* SPDX-License-Identifier: MIT
 *
 * Writes chunks: compression and sharing of equal bytes.
 */
#include "capture/writer.h"

#include <stdlib.h>
#include <zstd.h>

#include "base/diag.h"
#include "capture/hash.h"

#define COMPRESSION_LEVEL 1
#define LEAST_COMPRESSED_BYTES 256u
/* Below this size bytes are not shared, because a hash would take as much space. */
#define LEAST_SHARED_BYTES 64u

static void put(struct ag_capture_writer *writer, const void *data, size_t size)
{
    if (!writer->unwritable && !writer->no_memory && size != 0)
        writer->unwritable = !writer->write(writer->user, data, size);
}

void ag_capture_writer_init(struct ag_capture_writer *writer,
                            bool (*write)(void *user, const void *data, size_t size), void *user)
{
    const uint32_t version = AG_CAPTURE_VERSION;
    *writer = (struct ag_capture_writer){.write = write, .user = user, .compressor = ZSTD_createCCtx()};
    writer->no_memory = writer->compressor == NULL;
    put(writer, AG_CAPTURE_MAGIC, AG_CAPTURE_MAGIC_BYTES);
    put(writer, &version, sizeof version);
}

void ag_capture_writer_fini(struct ag_capture_writer *writer)
{
    ZSTD_freeCCtx(writer->compressor);
    writer->compressor = NULL;
    ag_map_fini(&writer->stored);
}

/* ---- Chunks -------------------------------------------------------------------------------------------- */

static void put_chunk(struct ag_capture_writer *writer, struct ag_capture_chunk *chunk, const void *stored)
{
    chunk->hash = ag_capture_chunk_hash(chunk, stored);
    put(writer, chunk, sizeof *chunk);
    put(writer, stored, (size_t)chunk->stored_bytes);
    writer->hash = ag_capture_join_hash(writer->hash, chunk->hash);
    writer->chunks++;
}

void ag_capture_write_chunk(struct ag_capture_writer *writer, uint32_t fourcc, const void *payload,
                            size_t size)
{
    struct ag_capture_chunk chunk = {.fourcc = fourcc, .raw_bytes = size, .stored_bytes = size};
    void *packed = NULL;
    if (writer->unwritable || writer->no_memory)
        return;
    if (size >= LEAST_COMPRESSED_BYTES) {
        const size_t bound = ZSTD_compressBound(size);
        packed = malloc(bound);
        const size_t packed_size = packed != NULL ? ZSTD_compressCCtx(writer->compressor, packed, bound,
                                                                      payload, size, COMPRESSION_LEVEL)
                                                  : size;
        if (!ZSTD_isError(packed_size) && packed_size < size) {
            chunk.flags = AG_CAPTURE_COMPRESSED;
            chunk.stored_bytes = packed_size;
        }
    }
    put_chunk(writer, &chunk, chunk.flags == AG_CAPTURE_COMPRESSED ? packed : payload);
    free(packed);
}

static void write_text(struct ag_capture_writer *writer, uint32_t fourcc, struct ag_strbuf *payload)
{
    if (payload->failed)
        writer->no_memory = true;
    else
        ag_capture_write_chunk(writer, fourcc, payload->data, payload->length);
    ag_strbuf_fini(payload);
}

void ag_capture_write_parts(struct ag_capture_writer *writer, uint32_t fourcc, const void *head,
                            size_t head_size, const void *rest, size_t rest_size)
{
    struct ag_strbuf payload = {0};
    ag_strbuf_append_bytes(&payload, head, head_size);
    ag_strbuf_append_bytes(&payload, rest, rest_size);
    write_text(writer, fourcc, &payload);
}

/* ---- Accesses ------------------------------------------------------------------------------------------ */

/* Whether the capture contains bytes with this hash; if not, remembers that it will. */
static bool is_stored(struct ag_capture_writer *writer, const struct ag_capture_access *access)
{
    /* The map cannot hold null, so the lowest bit of the high half is set and lost. */
    void *const high = (void *)(uintptr_t)(access->hash_high | 1);
    if (access->size < LEAST_SHARED_BYTES)
        return false;
    void *const known = ag_map_get(&writer->stored, access->hash_low);
    /* If the map has no memory, the bytes are simply stored again next time. */
    if (known == NULL)
        (void)ag_map_put(&writer->stored, access->hash_low, high);
    return known == high;
}

static void append_access(struct ag_capture_writer *writer, struct ag_strbuf *to,
                          struct ag_capture_access *access, const void *bytes)
{
    access->flags &= ~(uint32_t)AG_CAPTURE_ACCESS_STORED;
    if (bytes != NULL) {
        ag_capture_hash_bytes(access, bytes);
        access->flags |= is_stored(writer, access) ? 0 : AG_CAPTURE_ACCESS_STORED;
    }
    ag_strbuf_append_bytes(to, access, sizeof *access);
    if (bytes != NULL && (access->flags & AG_CAPTURE_ACCESS_STORED) != 0)
        ag_strbuf_append_bytes(to, bytes, (size_t)access->size);
}

void ag_capture_write_access(struct ag_capture_writer *writer, uint32_t fourcc,
                             struct ag_capture_access *access, const void *bytes)
{
    struct ag_strbuf payload = {0};
    append_access(writer, &payload, access, bytes);
    write_text(writer, fourcc, &payload);
}

void ag_capture_write_present(struct ag_capture_writer *writer, const struct ag_capture_present *present,
                              const void *pixels)
{
    struct ag_strbuf payload = {0};
    struct ag_capture_access access = {.size = (uint64_t)present->width * present->height * 4};
    if (pixels == NULL)
        access.flags = AG_CAPTURE_ACCESS_NO_BYTES;
    ag_strbuf_append_bytes(&payload, present, sizeof *present);
    append_access(writer, &payload, &access, pixels);
    write_text(writer, AG_CAPTURE_PRES, &payload);
}

/* ---- The end ------------------------------------------------------------------------------------------- */

enum agpu_status ag_capture_writer_status(const struct ag_capture_writer *writer,
                                          const struct agpu_diag_sink *sink)
{
    if (writer->no_memory)
        return ag_report_no_memory(sink);
    if (!writer->unwritable)
        return AGPU_OK;
    ag_report(sink, AGPU_DIAG_CAPTURE_UNWRITABLE, AGPU_ERROR, ag_place_none(),
              "the capture could not be written in full");
    return AGPU_REFUSED;
}

enum agpu_status ag_capture_writer_finish(struct ag_capture_writer *writer, const struct agpu_diag_sink *sink)
{
    const struct ag_capture_end end = {writer->chunks, writer->hash};
    struct ag_capture_chunk chunk = {
        .fourcc = AG_CAPTURE_END, .raw_bytes = sizeof end, .stored_bytes = sizeof end};
    put_chunk(writer, &chunk, &end);
    return ag_capture_writer_status(writer, sink);
}
