/* SPDX-License-Identifier: MIT */
#include "exec/transfer/write_back.h"

#include <stdlib.h>

#include "aerogpu/abi/ext.h"
#include "aerogpu/diag.h"
#include "base/bytes.h"
#include "base/vec.h"
#include "exec/host/guest_memory.h"
#include "exec/host/host.h"
#include "exec/host/progress.h"
#include "exec/host/report.h"
#include "exec/host/spent_memory.h"
#include "exec/record/query.h"
#include "exec/transfer/copier.h"
#include "format/format.h"
#include "gpu/readback.h"

/* What is kept between two pictures: one of 3840x2160. */
#define MOST_PICTURE_BYTES ((size_t)3840 * 2160 * 4)

struct ag_write_back *ag_write_back_add(struct ag_copier *copier, enum ag_write_back_kind kind, uint64_t size)
{
    struct ag_host *host = copier->host;
    struct ag_write_backs *write_backs = copier->write_backs;
    struct ag_write_back *write_back = calloc(1, sizeof *write_back);
    if (!write_back || !ag_vec_reserve(&write_backs->list, write_backs->list.count + 1)) {
        free(write_back);
        ag_host_no_memory(host);
        return NULL;
    }
    write_back->kind = kind;
    write_back->size = ag_align_up(size, 4);
    write_back->slices = 1;
    write_back->place = host->reports.place;
    write_back->packet_name = host->reports.packet_name;
    if (size)
        write_back->readback = ag_readback_take(host->readbacks, write_back->size);
    if (size && !write_back->readback) {
        free(write_back);
        ag_host_report(host, AGPU_DIAG_GPU_OUT_OF_MEMORY, AGPU_ERROR,
                       "no memory to read the GPU's bytes back");
        return NULL;
    }
    ag_vec_push(&write_backs->list, write_back);
    write_backs->reach_guest |= kind != AG_WRITE_BACK_PRESENT;
    host->counts.readback_bytes += write_back->size;
    return write_back;
}

void ag_write_backs_begin(const struct ag_write_backs *write_backs)
{
    for (size_t i = 0; i < write_backs->list.count; i++)
        if (write_backs->list.data[i]->readback)
            ag_readback_begin(write_backs->list.data[i]->readback);
}

bool ag_write_backs_are_ready(const struct ag_copier *copier, const struct ag_write_backs *write_backs)
{
    for (size_t i = 0; i < write_backs->list.count; i++) {
        const struct ag_write_back *write_back = write_backs->list.data[i];
        if (write_back->readback && ag_readback_state(write_back->readback) == AG_READBACK_PENDING &&
            !copier->host->lost)
            return false;
        if (write_back->query && !ag_query_run_is_ready(copier->recorder, write_back->query))
            return false;
    }
    return true;
}

/* Pictures of one size follow each other as a rule. */
static void release_picture(struct ag_copier *copier, struct ag_picture_memory *picture)
{
    if (picture->bytes && picture->size <= MOST_PICTURE_BYTES && picture->size > copier->picture.size) {
        free(copier->picture.bytes);
        copier->picture = *picture;
    } else {
        ag_spent_memory_add(&copier->host->spent, picture->bytes, picture->size);
    }
    *picture = (struct ag_picture_memory){0};
}

static bool take_picture(struct ag_copier *copier, struct ag_picture_memory *picture, size_t size)
{
    if (copier->picture.size >= size) {
        *picture = copier->picture;
        copier->picture = (struct ag_picture_memory){0};
        return true;
    }
    *picture = (struct ag_picture_memory){malloc(size), size};
    if (picture->bytes)
        return true;
    ag_host_no_memory(copier->host);
    return false;
}

void ag_write_backs_release(struct ag_copier *copier, struct ag_write_backs *write_backs)
{
    for (size_t i = 0; i < write_backs->list.count; i++) {
        ag_readback_release(copier->host->readbacks, write_backs->list.data[i]->readback);
        ag_query_run_release(copier->recorder, write_backs->list.data[i]->query);
        release_picture(copier, &write_backs->list.data[i]->picture);
        free(write_backs->list.data[i]);
    }
    write_backs->list.count = 0;
}

void ag_write_backs_fini(struct ag_copier *copier, struct ag_write_backs *write_backs)
{
    ag_write_backs_release(copier, write_backs);
    ag_vec_fini(&write_backs->list);
}

/* ---- Storing ------------------------------------------------------------------------------------------ */

/* How many rows of this many bytes a part has, each of whose texels is converted. */
static uint64_t rows_of_part(uint64_t row_bytes)
{
    const uint64_t most = AG_PART_UPLOADED_BYTES / 4;
    return row_bytes < most ? most / (row_bytes ? row_bytes : 1) : 1;
}

static void pack_row(const struct ag_write_back *write_back, uint64_t row, const uint8_t *data, uint8_t *to)
{
    const struct ag_host_format *format = write_back->format;
    const uint8_t *texels = data + write_back->skipped + row * write_back->host_pitch;
    if (write_back->stencil_pitch)
        ag_host_format_pack_planes(format, texels,
                                   data + write_back->stencil_offset + row * write_back->stencil_pitch, to,
                                   write_back->width);
    else
        ag_host_format_pack_row(format, texels, to, write_back->width);
}

static bool store_texture(struct ag_host *host, struct ag_write_back *write_back, const uint8_t *data)
{
    const size_t row_bytes = (size_t)write_back->width * write_back->format->bytes;
    const uint64_t rows = (uint64_t)write_back->height * write_back->slices;
    const uint64_t most = rows_of_part(row_bytes), left = rows - write_back->delivered;
    const uint64_t end = write_back->delivered + (left < most ? left : most);
    uint8_t *row = malloc(row_bytes ? row_bytes : 1);
    if (!row) {
        ag_host_no_memory(host);
        return true;
    }
    for (uint64_t y = write_back->delivered; y < end; y++) {
        pack_row(write_back, y, data, row);
        const uint64_t gpa = write_back->gpa + y / write_back->height * write_back->guest_slice_pitch +
                             y % write_back->height * write_back->guest_pitch;
        if (!ag_guest_write_back(host, gpa, row, row_bytes)) {
            free(row);
            return true;
        }
    }
    free(row);
    write_back->delivered = end;
    return end == rows;
}

static bool store_buffer(struct ag_host *host, struct ag_write_back *write_back, const uint8_t *data)
{
    const uint64_t at = write_back->delivered, left = write_back->size - at;
    const uint64_t bytes = left < AG_PART_BYTES ? left : AG_PART_BYTES;
    if (!ag_guest_write_back(host, write_back->gpa + at, data + write_back->skipped + at, bytes))
        return true;
    write_back->delivered += bytes;
    return write_back->delivered == write_back->size;
}

bool ag_write_back_is_shown_as_it_is(const struct ag_write_back *write_back, bool takes_any_layout,
                                     bool *is_bgra)
{
    const struct ag_host_format *format = write_back->format;
    if (write_back->stored || !ag_host_format_is_shown_as_it_is(format, is_bgra))
        return false;
    return takes_any_layout || (!*is_bgra && !ag_host_format_has(format, AG_FORMAT_NO_ALPHA) &&
                                write_back->host_pitch == write_back->width * UINT64_C(4));
}

bool ag_write_back_convert(struct ag_copier *copier, struct ag_write_back *write_back, const uint8_t *data)
{
    const size_t row_bytes = (size_t)write_back->width * 4;
    const uint64_t most = rows_of_part(row_bytes), left = write_back->height - write_back->delivered;
    const uint64_t end = write_back->delivered + (left < most ? left : most);
    if (left == 0)
        return true;
    if (!write_back->picture.bytes &&
        !take_picture(copier, &write_back->picture, row_bytes * write_back->height))
        return true;
    uint8_t *const pixels = write_back->picture.bytes;
    for (uint64_t y = write_back->delivered; y < end; y++)
        ag_host_format_display_row(write_back->format, data + y * write_back->host_pitch,
                                   pixels + y * row_bytes, write_back->width);
    const uint64_t first = write_back->delivered;
    if (write_back->stored && !ag_guest_write_back(copier->host, write_back->gpa + first * row_bytes,
                                                   pixels + first * row_bytes, (end - first) * row_bytes))
        write_back->stored = false;
    write_back->delivered = end;
    return end == write_back->height;
}

/* is_ready is written last, so that a guest that sees it set sees the whole result. */
static void store_query_result(struct ag_host *host, const struct ag_write_back *write_back)
{
    struct aerogpu_ext_query_result result;
    const uint32_t size = ag_query_run_result(write_back->query, &result), flag = sizeof result.is_ready;
    if (ag_guest_write_back(host, write_back->gpa + flag, (const uint8_t *)&result + flag, size - flag))
        ag_guest_write_back(host, write_back->gpa, &result, flag);
}

bool ag_write_back_store(struct ag_copier *copier, struct ag_write_back *write_back, const uint8_t *data)
{
    switch (write_back->kind) {
    case AG_WRITE_BACK_PRESENT:
        break;
    case AG_WRITE_BACK_BUFFER:
        return store_buffer(copier->host, write_back, data);
    case AG_WRITE_BACK_TEXTURE:
        return store_texture(copier->host, write_back, data);
    case AG_WRITE_BACK_QUERY:
        store_query_result(copier->host, write_back);
        break;
    }
    return true;
}
