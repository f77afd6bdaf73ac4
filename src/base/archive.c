/* SPDX-License-Identifier: MIT */
#include "base/archive.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/bytes.h"
#include "base/table.h"
#include "base/vec.h"

#define SECTION_MAGIC AG_ARCHIVE_TAG('A', 'G', 'S', 'S')
/* Memory for a section is taken as its bytes come, so that a size alone costs nothing. */
#define READ_BYTES ((size_t)1 << 20)

/* What is in front of the bytes of a section. */
struct section_header {
    uint32_t magic, tag, version, reserved;
    uint64_t size; /* bytes behind the header */
    uint64_t hash; /* XXH3-64 of these bytes, with the hash of the header in front of `hash` as the seed */
};

#define HASHED_BYTES offsetof(struct section_header, hash)

_Static_assert(sizeof(struct section_header) == AG_ARCHIVE_HEADER_BYTES, "headers of sections have one size");

static uint64_t hash_of(const struct section_header *header, const uint8_t *bytes)
{
    return XXH3_64bits_withSeed(bytes, (size_t)header->size, XXH3_64bits(header, HASHED_BYTES));
}

/* ---- Life --------------------------------------------------------------------------------------------- */

static void init(struct ag_archive *archive, const struct agpu_diag_sink *sink)
{
    *archive = (struct ag_archive){0};
    if (sink)
        archive->sink = *sink;
}

void ag_archive_init_writer(struct ag_archive *archive, const struct agpu_snapshot_writer *writer,
                            const struct agpu_diag_sink *sink)
{
    init(archive, sink);
    ag_table_read(&archive->writer, sizeof archive->writer, AG_MEMBER_END(struct agpu_snapshot_writer, user),
                  writer);
}

void ag_archive_init_reader(struct ag_archive *archive, const struct agpu_snapshot_reader *reader,
                            const struct agpu_diag_sink *sink)
{
    init(archive, sink);
    archive->loads = true;
    ag_table_read(&archive->reader, sizeof archive->reader, AG_MEMBER_END(struct agpu_snapshot_reader, user),
                  reader);
}

void ag_archive_fini(struct ag_archive *archive)
{
    free(archive->bytes);
    *archive = (struct ag_archive){0};
}

/* ---- Problems ----------------------------------------------------------------------------------------- */

bool ag_archive_fail(struct ag_archive *archive, enum agpu_status status)
{
    if (archive->status == AGPU_OK)
        archive->status = status;
    return false;
}

bool ag_archive_refuse(struct ag_archive *archive, enum agpu_diag_code code, const char *format, ...)
{
    va_list arguments;
    if (archive->status != AGPU_OK)
        return false;
    va_start(arguments, format);
    ag_report_va(&archive->sink, code, AGPU_ERROR, ag_place_none(), format, arguments);
    va_end(arguments);
    return ag_archive_fail(archive, AGPU_REFUSED);
}

bool ag_archive_no_memory(struct ag_archive *archive)
{
    if (archive->status == AGPU_OK)
        ag_archive_fail(archive, ag_report_no_memory(&archive->sink));
    return false;
}

static bool refuse_damage(struct ag_archive *archive)
{
    return ag_archive_refuse(archive, AGPU_DIAG_SNAPSHOT_FORMAT,
                             "the bytes of a section are not those that were written");
}

/* ---- Sections ----------------------------------------------------------------------------------------- */

static bool reserve(struct ag_archive *archive, size_t size)
{
    if (size > archive->capacity)
        archive->bytes = ag_vec_grow(archive->bytes, &archive->capacity, size, 1);
    return size <= archive->capacity || ag_archive_no_memory(archive);
}

static bool read_bytes(struct ag_archive *archive, void *to, size_t size)
{
    return (archive->reader.read && archive->reader.read(archive->reader.user, to, size)) ||
           ag_archive_refuse(archive, AGPU_DIAG_SNAPSHOT_FORMAT, "the snapshot ends too early");
}

static bool is_section(struct ag_archive *archive, const struct section_header *header)
{
    if (header->magic != SECTION_MAGIC)
        return ag_archive_refuse(archive, AGPU_DIAG_SNAPSHOT_FORMAT,
                                 "a section of a snapshot does not begin so");
    return header->size <= AG_ARCHIVE_SECTION_BYTES ||
           ag_archive_refuse(archive, AGPU_DIAG_SNAPSHOT_LIMIT,
                             "a section of %" PRIu64 " bytes has more than %" PRIu64, header->size,
                             AG_ARCHIVE_SECTION_BYTES);
}

bool ag_archive_look(struct ag_archive *archive, const uint8_t *header, uint32_t *tag, uint64_t *size)
{
    struct section_header section;
    memcpy(&section, header, sizeof section);
    *tag = section.tag;
    *size = section.size;
    return is_section(archive, &section);
}

static bool read_section(struct ag_archive *archive)
{
    struct section_header header;
    archive->count = archive->at = 0;
    if (!read_bytes(archive, &header, sizeof header) || !is_section(archive, &header))
        return false;
    while (archive->count < header.size) {
        const size_t left = (size_t)header.size - archive->count;
        const size_t step = left < READ_BYTES ? left : READ_BYTES;
        if (!reserve(archive, archive->count + step) ||
            !read_bytes(archive, archive->bytes + archive->count, step))
            return false;
        archive->count += step;
    }
    if (header.hash != hash_of(&header, archive->bytes))
        return refuse_damage(archive);
    archive->tag = header.tag;
    archive->version = header.version;
    return true;
}

bool ag_archive_next_is(struct ag_archive *archive, uint32_t tag)
{
    if (!ag_archive_is_ok(archive))
        return false;
    if (!archive->peeked)
        archive->peeked = read_section(archive);
    return archive->peeked && archive->tag == tag;
}

static bool begin_reading(struct ag_archive *archive, uint32_t tag, uint32_t version)
{
    if (!ag_archive_next_is(archive, tag))
        return ag_archive_refuse(archive, AGPU_DIAG_SNAPSHOT_FORMAT,
                                 "section 0x%08" PRIx32 " is where 0x%08" PRIx32 " should be", archive->tag,
                                 tag);
    archive->peeked = false;
    if (archive->version == 0 || archive->version > version)
        return ag_archive_refuse(archive, AGPU_DIAG_SNAPSHOT_VERSION,
                                 "section 0x%08" PRIx32 " has version %" PRIu32
                                 "; this library reads up to %" PRIu32,
                                 tag, archive->version, version);
    return true;
}

bool ag_archive_begin(struct ag_archive *archive, uint32_t tag, uint32_t version)
{
    if (!ag_archive_is_ok(archive))
        return false;
    if (archive->loads)
        return begin_reading(archive, tag, version);
    archive->tag = tag;
    archive->version = version;
    archive->count = 0;
    return true;
}

bool ag_archive_end(struct ag_archive *archive)
{
    if (!ag_archive_is_ok(archive))
        return false;
    if (archive->loads)
        return archive->at == archive->count || refuse_damage(archive);
    struct section_header header = {
        .magic = SECTION_MAGIC, .tag = archive->tag, .version = archive->version, .size = archive->count};
    header.hash = hash_of(&header, archive->bytes);
    const struct agpu_snapshot_writer *writer = &archive->writer;
    if (header.size > AG_ARCHIVE_SECTION_BYTES)
        return ag_archive_refuse(archive, AGPU_DIAG_SNAPSHOT_LIMIT,
                                 "a section of %" PRIu64 " bytes is too large", header.size);
    return (writer->write && writer->write(writer->user, &header, sizeof header) &&
            (header.size == 0 || writer->write(writer->user, archive->bytes, (size_t)header.size))) ||
           ag_archive_refuse(archive, AGPU_DIAG_SNAPSHOT_UNWRITABLE, "the snapshot cannot be written");
}

/* ---- Fields ------------------------------------------------------------------------------------------- */

bool ag_archive_is_zero(const uint8_t *bytes, size_t size)
{
    return bytes[0] == 0 && memcmp(bytes, bytes + 1, size - 1) == 0;
}

void ag_archive_bytes(struct ag_archive *archive, void *bytes, size_t size)
{
    if (size == 0)
        return;
    if (!archive->loads) {
        if (!ag_archive_is_ok(archive) || !reserve(archive, archive->count + size))
            return;
        memcpy(archive->bytes + archive->count, bytes, size);
        archive->count += size;
        return;
    }
    if (!ag_archive_is_ok(archive) || (size > archive->count - archive->at && !refuse_damage(archive))) {
        memset(bytes, 0, size);
        return;
    }
    memcpy(bytes, archive->bytes + archive->at, size);
    archive->at += size;
}

const uint8_t *ag_archive_take(struct ag_archive *archive, uint64_t size)
{
    const uint8_t *bytes = archive->bytes + archive->at;
    if (ag_archive_is_ok(archive) && size > archive->count - archive->at)
        refuse_damage(archive);
    if (!ag_archive_is_ok(archive))
        return NULL;
    archive->at += (size_t)size;
    return bytes;
}

static void number(struct ag_archive *archive, void *value, uint32_t bytes, uint64_t most)
{
    uint64_t read = 0;
    ag_archive_bytes(archive, value, bytes);
    if (!archive->loads)
        return;
    memcpy(&read, value, bytes); /* hosts are little-endian */
    if (read <= most)
        return;
    memset(value, 0, bytes);
    ag_archive_refuse(archive, AGPU_DIAG_SNAPSHOT_FORMAT,
                      "%" PRIu64 " in section 0x%08" PRIx32 " is above %" PRIu64, read, archive->tag, most);
}

void ag_archive_fields(struct ag_archive *archive, const struct ag_field *fields, size_t count, void *object)
{
    for (size_t i = 0; i < count; i++) {
        uint8_t *at = (uint8_t *)object + fields[i].offset;
        if (fields[i].since > archive->version)
            memset(at, 0, (size_t)fields[i].bytes * fields[i].count);
        else
            for (uint32_t j = 0; j < fields[i].count; j++)
                number(archive, at + (size_t)j * fields[i].bytes, fields[i].bytes, fields[i].most);
    }
}

void ag_archive_u32(struct ag_archive *archive, uint32_t *value, uint32_t most)
{
    number(archive, value, sizeof *value, most);
}

void ag_archive_u64(struct ag_archive *archive, uint64_t *value, uint64_t most)
{
    number(archive, value, sizeof *value, most);
}

void ag_archive_bool(struct ag_archive *archive, bool *value)
{
    uint8_t byte = *value;
    number(archive, &byte, sizeof byte, 1);
    *value = byte != 0;
}

void ag_archive_count(struct ag_archive *archive, uint32_t *count, uint32_t least_bytes)
{
    number(archive, count, sizeof *count, UINT32_MAX);
    if (!archive->loads || (uint64_t)*count * least_bytes <= archive->count - archive->at)
        return;
    *count = 0;
    refuse_damage(archive);
}

void ag_archive_block(struct ag_archive *archive, uint8_t **bytes, uint64_t *size)
{
    number(archive, size, sizeof *size, AG_ARCHIVE_SECTION_BYTES);
    if (archive->loads) {
        *bytes = NULL;
        if (*size > archive->count - archive->at)
            refuse_damage(archive);
        if (!ag_archive_is_ok(archive) || *size == 0) {
            *size = 0;
            return;
        }
        *bytes = malloc((size_t)*size);
        if (!*bytes) {
            *size = 0;
            ag_archive_no_memory(archive);
            return;
        }
    }
    ag_archive_bytes(archive, *bytes, (size_t)*size);
}
