/* SPDX-License-Identifier: MIT
 *
 * Reads a capture's bytes into records. A capture may come from anywhere, so every size is checked before it
 * is used.
 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "aerogpu/abi/ring.h"
#include "base/bytes.h"
#include "base/diag.h"
#include "base/map.h"
#include "capture/capture.h"
#include "capture/hash.h"

/* Limits for the memory of a read capture, because compressed chunks of a hostile capture can claim any
 * size. */
#define LEAST_ARENA_BYTES (UINT64_C(64) << 20)
#define MOST_ARENA_BYTES (UINT64_C(8) << 30)
#define ARENA_PER_BYTE 256u
#define MAX_CHUNK_BYTES (UINT64_C(1) << 30)
#define PAYLOAD_ALIGNMENT 16u

/* Bytes that an access stored, keyed by the low half of their hash. */
struct stored_bytes {
    uint64_t hash_high;
    const uint8_t *bytes;
    uint64_t size;
    const struct stored_bytes *next;
};

struct ag_capture_reader {
    struct ag_capture *capture;
    const uint8_t *data;
    size_t size, at; /* of the current chunk */
    const struct agpu_diag_sink *sink;
    struct ag_capture_chunk chunk;
    enum agpu_status status;
    uint64_t chunks, hash;
    struct ag_map stored; /* struct stored_bytes */
};

/* The minimum size of each kind of chunk; `has_tail`: more bytes may follow. */
static const struct known_chunk {
    uint32_t fourcc;
    uint32_t head_bytes;
    bool has_tail, has_accesses, has_access;
} known_chunks[] = {
    {AG_CAPTURE_INFO, sizeof(struct ag_capture_info),       .has_tail = true    },
    {AG_CAPTURE_CONF, sizeof(struct ag_capture_config),     .has_tail = false   },
    {AG_CAPTURE_MMIO, sizeof(struct ag_capture_mmio),       .has_tail = false   },
    {AG_CAPTURE_BELL, sizeof(struct ag_capture_mmio),       .has_tail = false   },
    {AG_CAPTURE_VRAM, sizeof(uint64_t),                     .has_tail = true    },
    {AG_CAPTURE_TIME, sizeof(struct ag_capture_time),       .has_tail = false   },
    {AG_CAPTURE_SUBM, sizeof(struct ag_capture_submission), .has_tail = true    },
    {AG_CAPTURE_PAGE, 0,                                    .has_accesses = true},
    {AG_CAPTURE_WRIT, 0,                                    .has_accesses = true},
    {AG_CAPTURE_PRES, sizeof(struct ag_capture_present),    .has_access = true  },
    {AG_CAPTURE_DONE, sizeof(struct ag_capture_done),       .has_tail = false   },
    {AG_CAPTURE_FENC, sizeof(struct ag_capture_fence),      .has_tail = false   },
    {AG_CAPTURE_END,  sizeof(struct ag_capture_end),        .has_tail = false   },
};

/* Reports at the current chunk; returns false. */
static bool AG_PRINTF(3, 4)
    refuse(struct ag_capture_reader *reader, enum agpu_diag_code code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    ag_report_va(reader->sink, code, AGPU_ERROR, ag_place_offset(reader->at), format, arguments);
    va_end(arguments);
    reader->status = AGPU_REFUSED;
    return false;
}

static bool no_memory(struct ag_capture_reader *reader)
{
    const struct ag_arena *arena = &reader->capture->arena;
    if (arena->used_bytes > arena->limit_bytes / 2)
        return refuse(reader, AGPU_DIAG_CAPTURE_LIMIT, "the capture unpacks to more than %zu bytes",
                      arena->limit_bytes / 2);
    reader->status = ag_report_no_memory(reader->sink);
    return false;
}

/* ---- Accesses ------------------------------------------------------------------------------------------ */

static const uint8_t *find_stored(const struct ag_capture_reader *reader,
                                  const struct ag_capture_access *access)
{
    const struct stored_bytes *known = ag_map_get(&reader->stored, access->hash_low);
    while (known != NULL && (known->hash_high != access->hash_high || known->size != access->size))
        known = known->next;
    return known != NULL ? known->bytes : NULL;
}

static bool note_stored(struct ag_capture_reader *reader, const struct ag_capture_access *access,
                        const uint8_t *bytes)
{
    struct ag_capture_access check = *access;
    ag_capture_hash_bytes(&check, bytes);
    if (check.hash_low != access->hash_low || check.hash_high != access->hash_high)
        return refuse(reader, AGPU_DIAG_CAPTURE_CHECKSUM, "the bytes of an access have another hash");
    if (find_stored(reader, access) != NULL)
        return true;
    struct stored_bytes *entry = AG_ARENA_NEW(&reader->capture->arena, struct stored_bytes);
    if (entry == NULL)
        return no_memory(reader);
    *entry = (struct stored_bytes){
        .hash_high = access->hash_high,
        .bytes = bytes,
        .size = access->size,
        .next = ag_map_get(&reader->stored, access->hash_low),
    };
    return ag_map_put(&reader->stored, access->hash_low, entry) || no_memory(reader);
}

/* Reads the access at *payload and moves *payload behind the access. */
static bool read_access(struct ag_capture_reader *reader, const uint8_t **payload, size_t *left,
                        struct ag_capture_record *record)
{
    struct ag_capture_access *access = &record->access;
    if (*left < sizeof *access)
        return refuse(reader, AGPU_DIAG_CAPTURE_CHUNK, "an access is not whole");
    memcpy(access, *payload, sizeof *access);
    *payload += sizeof *access;
    *left -= sizeof *access;
    const uint32_t flags = access->flags;
    if ((flags & (AG_CAPTURE_ACCESS_FAILED | AG_CAPTURE_ACCESS_NO_BYTES)) != 0)
        return true;
    if ((flags & AG_CAPTURE_ACCESS_STORED) == 0) {
        record->bytes = find_stored(reader, access);
        return record->bytes != NULL ||
               refuse(reader, AGPU_DIAG_CAPTURE_CHUNK, "an access names bytes that are not in the capture");
    }
    if (access->size > *left)
        return refuse(reader, AGPU_DIAG_CAPTURE_CHUNK, "the bytes of an access are not whole");
    record->bytes = *payload;
    *payload += access->size;
    *left -= (size_t)access->size;
    return note_stored(reader, access, record->bytes);
}

static bool add_record(struct ag_capture_reader *reader, const struct ag_capture_record *record)
{
    return ag_vec_push(&reader->capture->records, *record) || no_memory(reader);
}

static bool add_accesses(struct ag_capture_reader *reader, const uint8_t *payload, size_t size)
{
    while (size != 0) {
        struct ag_capture_record record = {.fourcc = reader->chunk.fourcc, .offset = reader->at};
        if (!read_access(reader, &payload, &size, &record) || !add_record(reader, &record))
            return false;
    }
    return true;
}

/* ---- Chunks -------------------------------------------------------------------------------------------- */

static bool check_info(struct ag_capture_reader *reader, const struct ag_capture_record *record)
{
    struct ag_capture *capture = reader->capture;
    const bool first = capture->records.count == 0;
    if (first != (record->fourcc == AG_CAPTURE_INFO))
        return refuse(reader, AGPU_DIAG_CAPTURE_CHUNK,
                      "the first chunk, and only that, says what was recorded");
    if (!first)
        return true;
    capture->info = AG_CAPTURE_AS(record, info);
    if (capture->info->text_bytes > record->size - sizeof *capture->info)
        return refuse(reader, AGPU_DIAG_CAPTURE_CHUNK, "the text of the first chunk is not whole");
    capture->text = ag_arena_strndup(&capture->arena, (const char *)record->payload + sizeof *capture->info,
                                     capture->info->text_bytes);
    return capture->text != NULL || no_memory(reader);
}

static bool check_present(struct ag_capture_reader *reader, struct ag_capture_record *record)
{
    const struct ag_capture_present *present = AG_CAPTURE_AS(record, present);
    const uint8_t *payload = record->payload + sizeof *present;
    size_t left = record->size - sizeof *present;
    if (!read_access(reader, &payload, &left, record))
        return false;
    const uint64_t pixels = (uint64_t)present->width * present->height;
    return (pixels <= UINT64_MAX / 4 && record->access.size == pixels * 4) ||
           refuse(reader, AGPU_DIAG_CAPTURE_CHUNK, "a picture of %ux%u has %llu bytes", present->width,
                  present->height, (unsigned long long)record->access.size);
}

static bool check_submission(struct ag_capture_reader *reader, const struct ag_capture_record *record)
{
    const struct ag_capture_submission *head = AG_CAPTURE_AS(record, submission);
    return record->size - sizeof *head ==
               (uint64_t)head->allocation_count * sizeof(struct aerogpu_alloc_entry) ||
           refuse(reader, AGPU_DIAG_CAPTURE_CHUNK, "the allocations of a submission are not whole");
}

static bool check_end(struct ag_capture_reader *reader, const struct ag_capture_record *record)
{
    const struct ag_capture_end *end = AG_CAPTURE_AS(record, end);
    if (end->chunks != reader->chunks || end->hash != reader->hash)
        return refuse(reader, AGPU_DIAG_CAPTURE_CHECKSUM, "chunks are missing: the end does not match them");
    reader->capture->complete = true;
    return true;
}

static bool add_chunk(struct ag_capture_reader *reader, const struct known_chunk *known,
                      const uint8_t *payload)
{
    struct ag_capture_record record = {
        .fourcc = known->fourcc,
        .offset = reader->at,
        .payload = payload,
        .size = (size_t)reader->chunk.raw_bytes,
    };
    if (record.size < known->head_bytes ||
        (record.size > known->head_bytes && !known->has_tail && !known->has_accesses && !known->has_access))
        return refuse(reader, AGPU_DIAG_CAPTURE_CHUNK, "a chunk of its kind has no %zu bytes", record.size);
    if (known->has_accesses)
        return (reader->capture->info != NULL ||
                refuse(reader, AGPU_DIAG_CAPTURE_CHUNK, "the first chunk does not say what was recorded")) &&
               add_accesses(reader, payload, record.size);
    if (known->fourcc == AG_CAPTURE_END)
        return check_end(reader, &record);
    return check_info(reader, &record) && (!known->has_access || check_present(reader, &record)) &&
           (known->fourcc != AG_CAPTURE_SUBM || check_submission(reader, &record)) &&
           add_record(reader, &record);
}

static const uint8_t *unpack(struct ag_capture_reader *reader, const uint8_t *stored)
{
    const struct ag_capture_chunk *chunk = &reader->chunk;
    const bool packed = (chunk->flags & AG_CAPTURE_COMPRESSED) != 0;
    if ((chunk->flags & ~(uint32_t)AG_CAPTURE_COMPRESSED) != 0 || chunk->raw_bytes > MAX_CHUNK_BYTES ||
        (!packed && chunk->raw_bytes != chunk->stored_bytes)) {
        refuse(reader, AGPU_DIAG_CAPTURE_CHUNK, "a chunk has flags 0x%x and %llu bytes", chunk->flags,
               (unsigned long long)chunk->raw_bytes);
        return NULL;
    }
    const size_t size = (size_t)chunk->raw_bytes;
    uint8_t *raw = ag_arena_alloc(&reader->capture->arena, size != 0 ? size : 1, PAYLOAD_ALIGNMENT);
    if (raw == NULL) {
        no_memory(reader);
        return NULL;
    }
    if (!packed)
        memcpy(raw, stored, size);
    else if (ZSTD_decompress(raw, size, stored, (size_t)chunk->stored_bytes) != size) {
        refuse(reader, AGPU_DIAG_CAPTURE_CHUNK, "a chunk does not unpack to %zu bytes", size);
        return NULL;
    }
    return raw;
}

static const struct known_chunk *find_known(uint32_t fourcc)
{
    for (size_t i = 0; i < AG_COUNT_OF(known_chunks); i++) {
        if (known_chunks[i].fourcc == fourcc)
            return &known_chunks[i];
    }
    return NULL;
}

/* Whether the capture ends with its END chunk, so that it is not truncated and a chunk that does not fit is
 * damage. `is_whole`: the header of the current chunk is complete. */
static bool ends_whole(const struct ag_capture_reader *reader, bool is_whole)
{
    struct ag_capture_chunk chunk;
    const size_t size = sizeof chunk + sizeof(struct ag_capture_end);
    if (is_whole && reader->chunk.fourcc == AG_CAPTURE_END &&
        reader->chunk.stored_bytes != sizeof(struct ag_capture_end))
        return true;
    if (reader->size < AG_CAPTURE_HEADER_BYTES + size)
        return false;
    const uint8_t *last = reader->data + reader->size - size;
    memcpy(&chunk, last, sizeof chunk);
    return chunk.fourcc == AG_CAPTURE_END && chunk.stored_bytes == sizeof(struct ag_capture_end) &&
           chunk.hash == ag_capture_chunk_hash(&chunk, last + sizeof chunk);
}

/* Reads a chunk; false at the end of a truncated capture, and after an error. */
static bool read_chunk(struct ag_capture_reader *reader)
{
    struct ag_capture_chunk *chunk = &reader->chunk;
    const size_t left = reader->size - reader->at;
    if (left >= sizeof *chunk)
        memcpy(chunk, reader->data + reader->at, sizeof *chunk);
    if (left < sizeof *chunk || chunk->stored_bytes > left - sizeof *chunk) {
        if (ends_whole(reader, left >= sizeof *chunk))
            return refuse(reader, AGPU_DIAG_CAPTURE_CHECKSUM, "a chunk passes the end of the capture");
        ag_report(reader->sink, AGPU_DIAG_CAPTURE_TRUNCATED, AGPU_WARNING, ag_place_offset(reader->at),
                  "the capture was cut here; what came before is used");
        return false;
    }
    const uint8_t *stored = reader->data + reader->at + sizeof *chunk;
    if (chunk->hash != ag_capture_chunk_hash(chunk, stored))
        return refuse(reader, AGPU_DIAG_CAPTURE_CHECKSUM, "the checksum of a chunk is wrong");
    const struct known_chunk *known = find_known(chunk->fourcc);
    if (known != NULL) {
        const uint8_t *payload = unpack(reader, stored);
        if (payload == NULL || !add_chunk(reader, known, payload))
            return false;
    }
    reader->hash = ag_capture_join_hash(reader->hash, chunk->hash);
    reader->chunks++;
    reader->at += sizeof *chunk + (size_t)chunk->stored_bytes;
    return true;
}

static void read_chunks(struct ag_capture_reader *reader)
{
    struct ag_capture *capture = reader->capture;
    while (!capture->complete && read_chunk(reader))
        continue;
    if (reader->status == AGPU_OK && capture->complete && reader->at != reader->size)
        refuse(reader, AGPU_DIAG_CAPTURE_FORMAT, "%zu bytes follow the end", reader->size - reader->at);
    if (reader->status == AGPU_OK && capture->info == NULL)
        refuse(reader, AGPU_DIAG_CAPTURE_FORMAT, "the capture has no chunk that says what was recorded");
}

bool ag_capture_probe(const void *data, size_t size)
{
    return size >= AG_CAPTURE_MAGIC_BYTES && memcmp(data, AG_CAPTURE_MAGIC, AG_CAPTURE_MAGIC_BYTES) == 0;
}

enum agpu_status ag_capture_read(const void *data, size_t size, const struct agpu_diag_sink *sink,
                                 struct ag_capture **result)
{
    struct ag_capture_reader reader = {.data = data, .size = size, .sink = sink};
    uint64_t limit = (uint64_t)size * ARENA_PER_BYTE + LEAST_ARENA_BYTES;
    limit = limit < MOST_ARENA_BYTES ? limit : MOST_ARENA_BYTES;
    *result = NULL;
    reader.capture = calloc(1, sizeof *reader.capture);
    if (reader.capture == NULL)
        return ag_report_no_memory(sink);
    ag_arena_init(&reader.capture->arena, limit < SIZE_MAX ? (size_t)limit : SIZE_MAX);
    if (!ag_capture_probe(data, size) || size < AG_CAPTURE_HEADER_BYTES)
        refuse(&reader, AGPU_DIAG_CAPTURE_FORMAT, "the input is no capture");
    else if (ag_load_u32(reader.data + AG_CAPTURE_MAGIC_BYTES) != AG_CAPTURE_VERSION)
        refuse(&reader, AGPU_DIAG_CAPTURE_VERSION, "captures of version %u are not known, %u is",
               ag_load_u32(reader.data + AG_CAPTURE_MAGIC_BYTES), AG_CAPTURE_VERSION);
    reader.at = AG_CAPTURE_HEADER_BYTES;
    if (reader.status == AGPU_OK)
        read_chunks(&reader);
    ag_map_fini(&reader.stored);
    if (reader.status != AGPU_OK)
        ag_capture_destroy(reader.capture);
    else
        *result = reader.capture;
    return reader.status;
}

void ag_capture_destroy(struct ag_capture *capture)
{
    if (capture == NULL)
        return;
    ag_vec_fini(&capture->records);
    ag_arena_fini(&capture->arena);
    free(capture);
}
