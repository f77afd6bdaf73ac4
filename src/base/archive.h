/* SPDX-License-Identifier: MIT
 *
 * Archives: the bytes of a snapshot, written and read by the same functions, so that no field is described
 * twice. An archive is a sequence of sections, each with a tag, a version and a checksum
 * (docs/snapshots.md). A section is whole in memory when its first field is read.
 *
 *     static const struct ag_field fields[] = {
 *         AG_FIELD(struct thing, width, 16384),
 *         AG_FIELD(struct thing, flags, 3),
 *     };
 *     ag_archive_begin(archive, THING_TAG, 1);
 *     ag_archive_fields(archive, fields, AG_COUNT_OF(fields), &thing);
 *     if (!ag_archive_end(archive))
 *         return archive->status;
 *
 * The first problem is reported and stays in `status`; from then on nothing is written, and everything that
 * is read is zero.
 */
#ifndef AG_BASE_ARCHIVE_H
#define AG_BASE_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "aerogpu/diag.h"
#include "aerogpu/snapshot.h"
#include "base/diag.h"

/* The most bytes of a section: those of the largest stream or shader, and room for what is beside them. */
#define AG_ARCHIVE_SECTION_BYTES (UINT64_C(96) << 20)

struct ag_archive {
    bool loads;
    enum agpu_status status;
    struct agpu_snapshot_writer writer;
    struct agpu_snapshot_reader reader;
    struct agpu_diag_sink sink;

    /* The section at hand. */
    uint32_t tag, version;
    uint8_t *bytes;
    size_t count, capacity; /* bytes, and how many there is room for */
    size_t at;              /* while it is read: the next byte */
    bool peeked;            /* the section was read to see its tag, and was not begun yet */
};

/* `sink` may be null. Archives are ended by ag_archive_fini(). */
void ag_archive_init_writer(struct ag_archive *archive, const struct agpu_snapshot_writer *writer,
                            const struct agpu_diag_sink *sink);
void ag_archive_init_reader(struct ag_archive *archive, const struct agpu_snapshot_reader *reader,
                            const struct agpu_diag_sink *sink);
void ag_archive_fini(struct ag_archive *archive);

/* ---- Sections ----------------------------------------------------------------------------------------- */

/* A tag of four letters. */
#define AG_ARCHIVE_TAG(a, b, c, d)                                                                           \
    ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)

/* Begins a section. Read, it has to have the tag, and a version up to `version`. False when there was a
 * problem. */
bool ag_archive_begin(struct ag_archive *archive, uint32_t tag, uint32_t version);

/* Bytes in front of those of each section. */
#define AG_ARCHIVE_HEADER_BYTES 32

/* The tag of a section and how many bytes follow its header, for those who pass sections on unread. False
 * when no section begins so (refused). */
bool ag_archive_look(struct ag_archive *archive, const uint8_t *header, uint32_t *tag, uint64_t *size);

/* Whether the next section that is read has the tag; it is begun by ag_archive_begin(). */
bool ag_archive_next_is(struct ag_archive *archive, uint32_t tag);

/* Ends a section, whose bytes are all read. False when there was a problem. */
bool ag_archive_end(struct ag_archive *archive);

/* ---- Fields ------------------------------------------------------------------------------------------- */

/* A number of a structure, or an array of numbers, of 1, 2, 4 or 8 bytes. */
struct ag_field {
    uint32_t offset, bytes, count;
    uint32_t since; /* the version of the section that has it first; in earlier ones it is zero */
    uint64_t most;  /* larger numbers are refused when they are read */
};

#define AG_FIELD_SINCE(type, member, version, limit)                                                         \
    {                                                                                                        \
        .offset = (uint32_t)offsetof(type, member), .bytes = (uint32_t)sizeof(((type *)0)->member),          \
        .count = 1, .since = (version), .most = (limit)                                                      \
    }
#define AG_FIELD(type, member, limit) AG_FIELD_SINCE(type, member, 1, limit)
/* An array; `element` is a member of it, such as `words[0]`. */
#define AG_FIELD_ARRAY(type, member, element, limit)                                                         \
    {                                                                                                        \
        .offset = (uint32_t)offsetof(type, member), .bytes = (uint32_t)sizeof(((type *)0)->element),         \
        .count = (uint32_t)(sizeof(((type *)0)->member) / (sizeof(((type *)0)->element))), .since = 1,       \
        .most = (limit)                                                                                      \
    }

void ag_archive_fields(struct ag_archive *archive, const struct ag_field *fields, size_t count, void *object);

/* Whether bytes, at least one, are all 0 as they are in what is new: an archive need not have them. */
bool ag_archive_is_zero(const uint8_t *bytes, size_t size);

/* Bytes as they are. */
void ag_archive_bytes(struct ag_archive *archive, void *bytes, size_t size);

/* Bytes of the section that is read, without a copy: valid until it ends. Null after a report. */
const uint8_t *ag_archive_take(struct ag_archive *archive, uint64_t size);

/* One number, at most `most`. */
void ag_archive_u32(struct ag_archive *archive, uint32_t *value, uint32_t most);
void ag_archive_u64(struct ag_archive *archive, uint64_t *value, uint64_t most);
void ag_archive_bool(struct ag_archive *archive, bool *value);

/* How many things of at least `least_bytes` follow in the section: a number that is read is refused when they
 * cannot. */
void ag_archive_count(struct ag_archive *archive, uint32_t *count, uint32_t least_bytes);

/* Bytes that were allocated by malloc(), or are then; *bytes is null for none. */
void ag_archive_block(struct ag_archive *archive, uint8_t **bytes, uint64_t *size);

/* ---- Problems ----------------------------------------------------------------------------------------- */

static inline bool ag_archive_is_ok(const struct ag_archive *archive)
{
    return archive->status == AGPU_OK;
}

/* Reports a problem, unless there was one before. Always returns false. */
bool ag_archive_refuse(struct ag_archive *archive, enum agpu_diag_code code, const char *format, ...)
    AG_PRINTF(3, 4);
bool ag_archive_no_memory(struct ag_archive *archive);
/* Notes a failure that was reported already. */
bool ag_archive_fail(struct ag_archive *archive, enum agpu_status status);

#endif
