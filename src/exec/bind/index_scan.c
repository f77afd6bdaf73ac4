/* SPDX-License-Identifier: MIT */
#include "exec/bind/index_scan.h"

#include <stdlib.h>

#include "base/bytes.h"
#include "base/map.h"
#include "exec/bind/context.h"
#include "exec/bind/draw_call.h"
#include "exec/object/buffer.h"

uint32_t ag_index_read(const struct ag_index_reader *reader, uint64_t i)
{
    uint64_t width = reader->wide ? 4 : 2, at = reader->offset + i * width;
    if (!ag_range_fits(at, width, reader->size))
        return 0;
    return reader->wide ? ag_load_u32(reader->bytes + at) : ag_load_u16(reader->bytes + at);
}

static bool has_cut(const struct ag_index_reader *reader, uint64_t count)
{
    uint32_t value = reader->wide ? UINT32_MAX : UINT16_MAX;
    for (uint64_t i = 0; i < count; i++)
        if (ag_index_read(reader, i) == value)
            return true;
    return false;
}

bool ag_index_reader_init(const struct ag_context *context, const struct ag_draw *draw,
                          struct ag_index_reader *reader)
{
    const struct ag_buffer *buffer = context->index_buffer.buffer;
    bool wide = context->index_buffer.wide;
    *reader = (struct ag_index_reader){.wide = wide};
    if (!buffer)
        return true;
    reader->bytes = buffer->shadow;
    reader->size = buffer->size;
    reader->offset = context->index_buffer.offset + draw->first * (wide ? UINT64_C(4) : UINT64_C(2));
    return buffer->shadow != NULL;
}

bool ag_index_buffer_may_have_cut(struct ag_buffer *buffer)
{
    if (buffer->cut_version != buffer->version) {
        const struct ag_index_reader narrow = {buffer->shadow, buffer->size, 0, false};
        buffer->cut_version = buffer->version;
        buffer->cut_found = has_cut(&narrow, buffer->size / 2); /* also true for any 32-bit cut value */
    }
    return buffer->cut_found;
}

/* The scan of a range, found or new. Null when memory is exhausted. */
static struct ag_index_scan *find_scan(struct ag_buffer *buffer, const struct ag_index_reader *reader,
                                       uint64_t count)
{
    if (!buffer->scans)
        buffer->scans = calloc(AG_INDEX_SCANS, sizeof *buffer->scans);
    if (!buffer->scans)
        return NULL;
    uint64_t hash = ag_hash_combine(ag_hash_combine(reader->offset, count), reader->wide);
    struct ag_index_scan *scan = &buffer->scans[hash % AG_INDEX_SCANS];
    if (scan->version != buffer->version || scan->offset != reader->offset || scan->count != count ||
        scan->wide != reader->wide)
        *scan = (struct ag_index_scan){
            .version = buffer->version, .offset = reader->offset, .count = count, .wide = reader->wide};
    return scan;
}

bool ag_index_range_has_cut(struct ag_buffer *buffer, const struct ag_index_reader *reader, uint64_t count)
{
    struct ag_index_scan *scan = find_scan(buffer, reader, count);
    if (!scan)
        return has_cut(reader, count);
    if (!scan->has_cut)
        scan->cut = has_cut(reader, count);
    scan->has_cut = true;
    return scan->cut;
}

static struct ag_index_bounds find_bounds(const struct ag_index_reader *reader, uint64_t count)
{
    struct ag_index_bounds bounds = {UINT32_MAX, 0};
    uint32_t cut = reader->wide ? UINT32_MAX : UINT16_MAX;
    for (uint64_t i = 0; i < count; i++) {
        uint32_t value = ag_index_read(reader, i);
        if (value == cut)
            continue;
        bounds.first = value < bounds.first ? value : bounds.first;
        bounds.last = value > bounds.last ? value : bounds.last;
    }
    return bounds.first <= bounds.last ? bounds : (struct ag_index_bounds){0, 0};
}

bool ag_index_bounds_find(const struct ag_context *context, const struct ag_draw *draw,
                          struct ag_index_bounds *bounds)
{
    struct ag_index_reader reader;
    if (!ag_index_reader_init(context, draw, &reader))
        return false;
    struct ag_buffer *buffer = reader.bytes ? context->index_buffer.buffer : NULL;
    struct ag_index_scan *scan = buffer ? find_scan(buffer, &reader, draw->count) : NULL;
    if (scan && scan->has_bounds) {
        *bounds = (struct ag_index_bounds){scan->first, scan->last};
        return true;
    }
    *bounds = find_bounds(&reader, reader.bytes ? draw->count : 1);
    if (scan) {
        scan->first = bounds->first;
        scan->last = bounds->last;
        scan->has_bounds = true;
    }
    return true;
}

bool ag_index_bounds_guess(const struct ag_context *context, struct ag_index_bounds *bounds)
{
    struct ag_buffer *buffer = context->index_buffer.buffer;
    bool wide = context->index_buffer.wide;
    if (!buffer || !buffer->shadow || context->index_buffer.offset % (wide ? 4 : 2) != 0)
        return false;
    if (buffer->largest_index.version != buffer->version) {
        const struct ag_index_reader as_narrow = {buffer->shadow, buffer->size, 0, false};
        const struct ag_index_reader as_wide = {buffer->shadow, buffer->size, 0, true};
        buffer->largest_index.version = buffer->version;
        buffer->largest_index.narrow = find_bounds(&as_narrow, buffer->size / 2).last;
        buffer->largest_index.wide = find_bounds(&as_wide, buffer->size / 4).last;
    }
    *bounds = (struct ag_index_bounds){0, wide ? buffer->largest_index.wide : buffer->largest_index.narrow};
    return true;
}

bool ag_indices_unknown(const struct ag_context *context, const struct ag_draw *draw)
{
    struct ag_index_reader reader;
    return draw->indexed && !ag_index_reader_init(context, draw, &reader);
}

bool ag_indices_may_cut(const struct ag_context *context, const struct ag_draw *draw)
{
    struct ag_index_reader reader;
    if (!draw->indexed || !context->index_buffer.buffer)
        return false;
    return !ag_index_reader_init(context, draw, &reader) ||
           (ag_index_buffer_may_have_cut(context->index_buffer.buffer) &&
            ag_index_range_has_cut(context->index_buffer.buffer, &reader, draw->count));
}
