/* SPDX-License-Identifier: MIT */
#include "exec/bind/index_scan.h"

#include <stdlib.h>

#include "base/bytes.h"
#include "base/map.h"
#include "exec/bind/context.h"
#include "exec/bind/draw_call.h"
#include "exec/host/progress.h"
#include "exec/object/buffer.h"

uint32_t ag_index_read(const struct ag_index_reader *reader, uint64_t i)
{
    uint64_t width = reader->wide ? 4 : 2, at = reader->offset + i * width;
    if (!ag_range_fits(at, width, reader->size))
        return 0;
    return reader->wide ? ag_load_u32(reader->bytes + at) : ag_load_u16(reader->bytes + at);
}

/* ---- Ranges ------------------------------------------------------------------------------------------- */

/* What is in a range of indices; `first` is above `last` when all are cut values. */
struct found {
    uint32_t first, last;
    bool cut;
};

static const struct found nothing = {UINT32_MAX, 0, false};

static void add(struct found *found, uint32_t first, uint32_t last, bool cut)
{
    found->first = first < found->first ? first : found->first;
    found->last = last > found->last ? last : found->last;
    found->cut |= cut;
}

/* Indices that are looked at together, without a branch, so that compilers make vectors of them. The cut
 * value is the greatest of all, so that it is the least only where there is no other. */
#define LOOKED_AT_ONCE 64

static void look_narrow(const uint8_t *bytes, struct found *found)
{
    uint16_t first = UINT16_MAX, last = 0, cut = 0;
    for (uint32_t i = 0; i < LOOKED_AT_ONCE; i++) {
        const uint16_t value = ag_load_u16(bytes + i * 2), is_cut = value == UINT16_MAX ? UINT16_MAX : 0,
                       kept = value & (uint16_t)~is_cut;
        first = value < first ? value : first;
        last = kept > last ? kept : last;
        cut |= is_cut;
    }
    add(found, first == UINT16_MAX ? UINT32_MAX : first, last, cut != 0);
}

static void look_wide(const uint8_t *bytes, struct found *found)
{
    uint32_t first = UINT32_MAX, last = 0, cut = 0;
    for (uint32_t i = 0; i < LOOKED_AT_ONCE; i++) {
        const uint32_t value = ag_load_u32(bytes + i * 4), is_cut = value == UINT32_MAX ? UINT32_MAX : 0,
                       kept = value & ~is_cut;
        first = value < first ? value : first;
        last = kept > last ? kept : last;
        cut |= is_cut;
    }
    add(found, first, last, cut != 0);
}

/* Looks at indices [begin, end) of the reader, which lie in its buffer. */
static void look(const struct ag_index_reader *reader, uint64_t begin, uint64_t end, struct found *found)
{
    const uint32_t cut = reader->wide ? UINT32_MAX : UINT16_MAX;
    const uint8_t *bytes = reader->bytes + reader->offset;
    uint64_t i = begin;
    for (; end - i >= LOOKED_AT_ONCE; i += LOOKED_AT_ONCE) {
        if (reader->wide)
            look_wide(bytes + i * 4, found);
        else
            look_narrow(bytes + i * 2, found);
    }
    for (; i < end; i++) {
        const uint32_t value = reader->wide ? ag_load_u32(bytes + i * 4) : ag_load_u16(bytes + i * 2);
        if (value == cut)
            found->cut = true;
        else
            add(found, value, value, false);
    }
}

/* Adds a whole block of the buffer, which is looked at once for each content. */
static void add_block(struct ag_buffer *buffer, uint64_t number, bool wide, struct found *found)
{
    struct ag_index_block *block = &buffer->blocks[number];
    const struct ag_index_reader reader = {buffer->shadow, buffer->size, number * AG_INDEX_BLOCK_BYTES, wide};
    buffer->scanned_bytes += block->known[wide] ? sizeof *block : AG_INDEX_BLOCK_BYTES;
    if (!block->known[wide]) {
        struct found all = nothing;
        look(&reader, 0, AG_INDEX_BLOCK_BYTES / (wide ? 4 : 2), &all);
        block->first[wide] = all.first;
        block->last[wide] = all.last;
        block->cut[wide] = all.cut;
        block->known[wide] = true;
    }
    add(found, block->first[wide], block->last[wide], block->cut[wide]);
}

static bool make_blocks(struct ag_buffer *buffer)
{
    if (!buffer->blocks)
        buffer->blocks = calloc((size_t)(buffer->size / AG_INDEX_BLOCK_BYTES) + 1, sizeof *buffer->blocks);
    return buffer->blocks != NULL;
}

/* What is among the first `count` indices of a reader of the buffer. Indices past the end are 0. */
static struct found scan(struct ag_buffer *buffer, const struct ag_index_reader *reader, uint64_t count)
{
    const uint64_t width = reader->wide ? 4 : 2, in_block = AG_INDEX_BLOCK_BYTES / width;
    const uint64_t inside = reader->offset < reader->size ? (reader->size - reader->offset) / width : 0;
    const uint64_t end = count < inside ? count : inside;
    struct found found = nothing;
    if (count > inside)
        add(&found, 0, 0, false);
    if (reader->offset % width != 0 || !make_blocks(buffer)) {
        buffer->scanned_bytes += end * width;
        look(reader, 0, end, &found);
        return found;
    }
    for (uint64_t i = 0; i < end;) {
        const uint64_t at = reader->offset / width + i, rest = in_block - at % in_block;
        const uint64_t next = rest < end - i ? i + rest : end;
        if (next - i == in_block)
            add_block(buffer, at / in_block, reader->wide, &found);
        else
            look(reader, i, next, &found);
        i = next;
    }
    return found;
}

/* Looks at a block as indices of 16 bits or of 32. Returns whether that was to be done. */
static bool learn_block(struct ag_buffer *buffer, uint64_t number, bool wide)
{
    struct found unused = nothing;
    if (buffer->blocks[number].known[wide])
        return false;
    add_block(buffer, number, wide, &unused);
    return true;
}

/* A part is looked at twice, for indices of 16 bits and of 32, and may be memory that nobody has touched yet.
 */
#define SCANNED_PART_BYTES (AG_PART_BYTES / 4)

bool ag_index_scan_ahead(const struct ag_context *context)
{
    struct ag_buffer *const buffer = context->index_buffer.buffer;
    if (!buffer || buffer->size <= AG_PART_BYTES || !buffer->shadow || !make_blocks(buffer))
        return true;
    if (buffer->ahead_version != buffer->version) {
        buffer->ahead_version = buffer->version;
        buffer->ahead_blocks = 0;
    }
    const uint64_t count = buffer->size / AG_INDEX_BLOCK_BYTES; /* whole ones */
    uint64_t looked_at = 0;
    while (buffer->ahead_blocks < count && looked_at < SCANNED_PART_BYTES) {
        const bool is_new = learn_block(buffer, buffer->ahead_blocks, false);
        const bool is_new_with_cuts = learn_block(buffer, buffer->ahead_blocks, true);
        looked_at += is_new || is_new_with_cuts ? AG_INDEX_BLOCK_BYTES : 0;
        buffer->ahead_blocks++;
    }
    return buffer->ahead_blocks == count;
}

uint64_t ag_index_scan_effort(const struct ag_context *context)
{
    struct ag_buffer *const buffer = context->index_buffer.buffer;
    const uint64_t bytes = buffer ? buffer->scanned_bytes : 0;
    if (bytes)
        buffer->scanned_bytes = 0;
    return bytes;
}

/* ---- What draws ask ----------------------------------------------------------------------------------- */

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
    /* Blocks have no indices that begin inside of others, and very many are not looked at for each draw. */
    if (reader->offset % (wide ? 4 : 2) != 0 && buffer->size > AG_PART_BYTES)
        return false;
    return buffer->shadow != NULL;
}

bool ag_index_buffer_may_have_cut(struct ag_buffer *buffer)
{
    if (buffer->cut_version != buffer->version) {
        const struct ag_index_reader narrow = {buffer->shadow, buffer->size, 0, false};
        buffer->cut_version = buffer->version;
        buffer->cut_found = scan(buffer, &narrow, buffer->size / 2).cut; /* also for any 32-bit cut value */
    }
    return buffer->cut_found;
}

/* What is among the first `count` indices of a reader of the buffer, out of the scans of ranges that the
 * buffer keeps, or new. */
static struct found find(struct ag_buffer *buffer, const struct ag_index_reader *reader, uint64_t count)
{
    if (!buffer->scans)
        buffer->scans = calloc(AG_INDEX_SCANS, sizeof *buffer->scans);
    if (!buffer->scans)
        return scan(buffer, reader, count);
    const uint64_t hash = ag_hash_combine(ag_hash_combine(reader->offset, count), reader->wide);
    struct ag_index_scan *kept = &buffer->scans[hash % AG_INDEX_SCANS];
    if (kept->version != buffer->version || kept->offset != reader->offset || kept->count != count ||
        kept->wide != reader->wide) {
        const struct found found = scan(buffer, reader, count);
        *kept = (struct ag_index_scan){buffer->version, reader->offset, count,     reader->wide,
                                       found.cut,       found.first,    found.last};
    }
    return (struct found){kept->first, kept->last, kept->cut};
}

bool ag_index_range_has_cut(struct ag_buffer *buffer, const struct ag_index_reader *reader, uint64_t count)
{
    return find(buffer, reader, count).cut;
}

bool ag_index_bounds_find(const struct ag_context *context, const struct ag_draw *draw,
                          struct ag_index_bounds *bounds)
{
    struct ag_index_reader reader;
    *bounds = (struct ag_index_bounds){0, 0};
    if (!ag_index_reader_init(context, draw, &reader))
        return false;
    if (!reader.bytes)
        return true;
    const struct found found = find(context->index_buffer.buffer, &reader, draw->count);
    if (found.first <= found.last)
        *bounds = (struct ag_index_bounds){found.first, found.last};
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
        buffer->largest_index.narrow = scan(buffer, &as_narrow, buffer->size / 2).last;
        buffer->largest_index.wide = scan(buffer, &as_wide, buffer->size / 4).last;
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
