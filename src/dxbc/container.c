/* SPDX-License-Identifier: MIT
 *
 * Reads the container's header and chunk table.
 */
#include "dxbc/container.h"

#include <inttypes.h>

#include "base/bytes.h"

#define VERSION_OFFSET 20
#define TOTAL_SIZE_OFFSET 24
#define CHUNK_COUNT_OFFSET 28

static enum agpu_status read_header(const uint8_t *bytes, size_t size, const struct agpu_diag_sink *sink,
                                    struct ag_dxbc_container *container)
{
    if (size < AG_DXBC_HEADER_BYTES) {
        ag_report(sink, AGPU_DIAG_DXBC_CONTAINER, AGPU_ERROR, ag_place_offset(0),
                  "the container is %zu bytes long, its header alone takes %d", size, AG_DXBC_HEADER_BYTES);
        return AGPU_REFUSED;
    }
    if (ag_load_u32(bytes) != AG_DXBC_MAGIC) {
        ag_report(sink, AGPU_DIAG_DXBC_CONTAINER, AGPU_ERROR, ag_place_offset(0),
                  "the magic is 0x%08" PRIx32 " instead of \"DXBC\"", ag_load_u32(bytes));
        return AGPU_REFUSED;
    }
    const uint32_t version = ag_load_u32(bytes + VERSION_OFFSET);
    if (version != 1) {
        ag_report(sink, AGPU_DIAG_DXBC_CONTAINER, AGPU_ERROR, ag_place_offset(VERSION_OFFSET),
                  "container version 0x%08" PRIx32 " is not 1.0", version);
        return AGPU_REFUSED;
    }
    const uint32_t total = ag_load_u32(bytes + TOTAL_SIZE_OFFSET);
    if (total < AG_DXBC_HEADER_BYTES || total > size) {
        ag_report(sink, AGPU_DIAG_DXBC_CONTAINER, AGPU_ERROR, ag_place_offset(TOTAL_SIZE_OFFSET),
                  "the header states a size of %" PRIu32 " bytes, there are %zu", total, size);
        return AGPU_REFUSED;
    }
    if (total < size)
        ag_report(sink, AGPU_DIAG_DXBC_CONTAINER, AGPU_WARNING, ag_place_offset(total),
                  "%zu bytes after the end of the container are ignored", size - total);
    container->bytes = bytes;
    container->size = total;
    container->chunk_count = ag_load_u32(bytes + CHUNK_COUNT_OFFSET);
    const uint64_t table_bytes = (uint64_t)container->chunk_count * 4;
    if (!ag_range_fits(AG_DXBC_HEADER_BYTES, table_bytes, total)) {
        ag_report(sink, AGPU_DIAG_DXBC_CONTAINER, AGPU_ERROR, ag_place_offset(CHUNK_COUNT_OFFSET),
                  "a table of %" PRIu32 " chunks does not fit a container of %" PRIu32 " bytes",
                  container->chunk_count, total);
        return AGPU_REFUSED;
    }
    return AGPU_OK;
}

static enum agpu_status read_chunk(const struct ag_dxbc_container *container, uint32_t index,
                                   const struct agpu_diag_sink *sink, struct agpu_dxbc_chunk *chunk)
{
    const uint64_t entry = AG_DXBC_HEADER_BYTES + (uint64_t)index * 4;
    const uint64_t first = AG_DXBC_HEADER_BYTES + (uint64_t)container->chunk_count * 4;
    const uint32_t offset = ag_load_u32(container->bytes + entry);
    if (offset < first || !ag_range_fits(offset, AG_DXBC_CHUNK_HEADER_BYTES, container->size)) {
        ag_report(sink, AGPU_DIAG_DXBC_CHUNK, AGPU_ERROR, ag_place_offset(entry),
                  "chunk %" PRIu32 " starts at byte %" PRIu32 ", outside the chunks of the container", index,
                  offset);
        return AGPU_REFUSED;
    }
    chunk->fourcc = ag_load_u32(container->bytes + offset);
    chunk->size = ag_load_u32(container->bytes + offset + 4);
    chunk->offset = (uint64_t)offset + AG_DXBC_CHUNK_HEADER_BYTES;
    if (!ag_range_fits(chunk->offset, chunk->size, container->size)) {
        char name[5];
        ag_dxbc_fourcc_text(chunk->fourcc, name);
        ag_report(sink, AGPU_DIAG_DXBC_CHUNK, AGPU_ERROR, ag_place_offset(offset + 4),
                  "chunk %s of %" PRIu32 " bytes ends outside the container", name, chunk->size);
        return AGPU_REFUSED;
    }
    chunk->data = container->bytes + chunk->offset;
    return AGPU_OK;
}

enum agpu_status ag_dxbc_container_read(struct ag_arena *arena, const uint8_t *bytes, size_t size,
                                        const struct agpu_diag_sink *sink,
                                        struct ag_dxbc_container *container)
{
    *container = (struct ag_dxbc_container){0};
    enum agpu_status status = read_header(bytes, size, sink, container);
    if (status != AGPU_OK)
        return status;
    container->chunks = AG_ARENA_ARRAY(arena, struct agpu_dxbc_chunk, container->chunk_count);
    if (container->chunks == NULL)
        return ag_report_no_memory(sink);
    for (uint32_t i = 0; i < container->chunk_count && status == AGPU_OK; i++)
        status = read_chunk(container, i, sink, &container->chunks[i]);
    return status;
}

const struct agpu_dxbc_chunk *ag_dxbc_container_find(const struct ag_dxbc_container *container,
                                                     uint32_t fourcc)
{
    for (uint32_t i = 0; i < container->chunk_count; i++)
        if (container->chunks[i].fourcc == fourcc)
            return &container->chunks[i];
    return NULL;
}

uint32_t ag_dxbc_chunk_text_end(const struct agpu_dxbc_chunk *chunk)
{
    uint32_t end = chunk->size;
    while (end > 0 && chunk->data[end - 1] != 0)
        end--;
    return end;
}

void ag_dxbc_fourcc_text(uint32_t fourcc, char text[5])
{
    for (int i = 0; i < 4; i++) {
        const char c = (char)(fourcc >> (8 * i) & 0xff);
        text[i] = c >= ' ' && c <= '~' ? c : '?';
    }
    text[4] = '\0';
}
