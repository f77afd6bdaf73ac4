/* SPDX-License-Identifier: MIT
 *
 * From a descriptor to a complete submission: everything is copied out of guest memory once and checked on
 * the copy, because the guest may change the original meanwhile. (Spec: ABI 4.4 D1-D5, T1-T9, S1-S3.)
 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "abi/packet.h"
#include "abi/packet_read.h"
#include "abi/packet_walk.h"
#include "base/bytes.h"
#include "base/sort.h"
#include "device/state.h"

#define STREAM_HEADER_BYTES ((uint32_t)sizeof(struct aerogpu_cmd_stream_header))
#define TABLE_HEADER_BYTES ((uint32_t)sizeof(struct aerogpu_alloc_table_header))
#define ENTRY_BYTES ((uint32_t)sizeof(struct aerogpu_alloc_entry))

struct loader {
    struct agpu_device *device;
    const struct aerogpu_submit_desc *desc;
    struct pending_submission *pending;
    uint64_t bytes_read;
};

static void report_va(struct loader *loader, enum agpu_diag_code code, const char *format, va_list arguments)
{
    struct agpu_place place = AGPU_NO_PLACE;
    place.submission = loader->pending->submission.number;
    ag_report_va(&loader->device->callbacks.diagnostics, code, AGPU_ERROR, place, format, arguments);
    loader->pending->error = agpu_diag_error_register(code);
}

/* Rejects the submission; returns false for the caller to return. */
static bool AG_PRINTF(3, 4) reject(struct loader *loader, enum agpu_diag_code code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    report_va(loader, code, format, arguments);
    va_end(arguments);
    return false;
}

static bool read_guest(struct loader *loader, uint64_t gpa, void *to, size_t size, const char *what)
{
    loader->bytes_read += size;
    return ag_dma_read(loader->device, gpa, to, size) ||
           reject(loader, AGPU_DIAG_DEVICE_GUEST_MEMORY, "%zu bytes of the %s at 0x%llx cannot be read", size,
                  what, (unsigned long long)gpa);
}

static void *allocate(struct loader *loader, size_t size)
{
    void *memory = malloc(size);
    if (memory == NULL)
        reject(loader, AGPU_DIAG_OUT_OF_MEMORY, "out of memory for %zu bytes", size);
    return memory;
}

/* ---- D1-D5 --------------------------------------------------------------------------------------------- */

static bool check_range(struct loader *loader, uint64_t gpa, uint32_t size, const char *what)
{
    uint64_t end;
    if ((gpa == 0) != (size == 0))
        return reject(loader, AGPU_DIAG_DEVICE_DESCRIPTOR, "the %s has an address or a size but not both",
                      what);
    return ag_add_u64(gpa, size, &end) || reject(loader, AGPU_DIAG_DEVICE_DESCRIPTOR_RANGE,
                                                 "the %s of %u bytes at 0x%llx passes the end of memory",
                                                 what, size, (unsigned long long)gpa);
}

static bool check_descriptor(struct loader *loader, uint32_t stride_bytes)
{
    const struct aerogpu_submit_desc *desc = loader->desc;
    if (desc->desc_size_bytes < sizeof *desc || desc->desc_size_bytes > stride_bytes)
        return reject(loader, AGPU_DIAG_DEVICE_DESCRIPTOR, "a descriptor of %u bytes in slots of %u",
                      desc->desc_size_bytes, stride_bytes);
    return check_range(loader, desc->cmd_gpa, desc->cmd_size_bytes, "command buffer") &&
           check_range(loader, desc->alloc_table_gpa, desc->alloc_table_size_bytes, "allocation table");
}

/* ---- T1-T9 --------------------------------------------------------------------------------------------- */

static bool check_table_header(struct loader *loader, const struct aerogpu_alloc_table_header *header)
{
    const char *problem = NULL;
    if (header->magic != AEROGPU_ALLOC_TABLE_MAGIC)
        problem = "the allocation table's magic is wrong";
    else if (header->abi_version >> 16 != AEROGPU_ABI_MAJOR)
        problem = "the allocation table's major version is not ours";
    else if (header->size_bytes < TABLE_HEADER_BYTES ||
             header->size_bytes > loader->desc->alloc_table_size_bytes)
        problem = "the allocation table's size does not fit its buffer";
    else if (header->size_bytes > AG_ALLOC_TABLE_LIMIT_BYTES)
        problem = "the allocation table is above 16 MiB";
    else if (header->entry_stride_bytes < ENTRY_BYTES)
        problem = "the allocation table's entry stride is below 32";
    if (problem != NULL)
        return reject(loader, AGPU_DIAG_DEVICE_ALLOC_TABLE, "%s", problem);
    return (uint64_t)header->entry_count * header->entry_stride_bytes <=
               header->size_bytes - TABLE_HEADER_BYTES ||
           reject(loader, AGPU_DIAG_DEVICE_ALLOC_TABLE_RANGE,
                  "%u allocation table entries of %u bytes do not fit its size of %u", header->entry_count,
                  header->entry_stride_bytes, header->size_bytes);
}

static bool check_entry(struct loader *loader, const struct aerogpu_alloc_entry *entry, uint32_t index)
{
    uint64_t end;
    if (entry->alloc_id == 0 || entry->size_bytes == 0)
        return reject(loader, AGPU_DIAG_DEVICE_ALLOC_TABLE, "allocation table entry %u has no id or no size",
                      index);
    return ag_add_u64(entry->gpa, entry->size_bytes, &end) ||
           reject(loader, AGPU_DIAG_DEVICE_ALLOC_TABLE_RANGE,
                  "allocation %u of %llu bytes at 0x%llx passes the end of memory", entry->alloc_id,
                  (unsigned long long)entry->size_bytes, (unsigned long long)entry->gpa);
}

static bool are_ascending(const struct aerogpu_alloc_entry *entries, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++)
        if (entries[i].alloc_id <= entries[i - 1].alloc_id)
            return false;
    return true;
}

/* Sorts instead of using a hash table, because a guest could choose ids whose hashes collide. */
static bool check_ids_unique(struct loader *loader, const struct aerogpu_alloc_entry *entries, uint32_t count)
{
    if (are_ascending(entries, count))
        return true;
    uint64_t *ids = allocate(loader, (size_t)count * sizeof *ids);
    if (ids == NULL)
        return false;
    for (uint32_t i = 0; i < count; i++)
        ids[i] = ag_keyed(entries[i].alloc_id, 0);
    bool unique = ag_sort_keyed(ids, count) ||
                  reject(loader, AGPU_DIAG_OUT_OF_MEMORY, "out of memory for %u allocations", count);
    for (uint32_t i = 1; i < count && unique; i++) {
        if (ids[i] == ids[i - 1])
            unique = reject(loader, AGPU_DIAG_DEVICE_ALLOC_TABLE, "allocation %u is in the table twice",
                            (uint32_t)(ids[i] >> 32));
    }
    free(ids);
    return unique;
}

/* Removes the guest's spacing between entries, in place. */
static struct aerogpu_alloc_entry *pack_entries(uint8_t *bytes, uint32_t count, uint32_t stride)
{
    for (uint32_t i = 1; i < count && stride != ENTRY_BYTES; i++)
        memmove(bytes + (size_t)i * ENTRY_BYTES, bytes + (size_t)i * stride, ENTRY_BYTES);
    return (struct aerogpu_alloc_entry *)(void *)bytes;
}

static bool check_entries(struct loader *loader)
{
    const struct pending_submission *pending = loader->pending;
    const uint32_t count = pending->submission.allocation_count;
    for (uint32_t i = 0; i < count; i++) {
        if (!check_entry(loader, &pending->allocations[i], i))
            return false;
    }
    return check_ids_unique(loader, pending->allocations, count);
}

static bool load_table(struct loader *loader)
{
    const struct aerogpu_submit_desc *desc = loader->desc;
    struct pending_submission *pending = loader->pending;
    struct aerogpu_alloc_table_header header;
    if (desc->alloc_table_gpa == 0)
        return true;
    if (desc->alloc_table_size_bytes < TABLE_HEADER_BYTES)
        return reject(loader, AGPU_DIAG_DEVICE_ALLOC_TABLE, "an allocation table of %u bytes has no header",
                      desc->alloc_table_size_bytes);
    if (!read_guest(loader, desc->alloc_table_gpa, &header, sizeof header, "allocation table") ||
        !check_table_header(loader, &header))
        return false;
    pending->submission.has_allocation_table = true;
    pending->submission.allocation_count = header.entry_count;
    if (header.entry_count == 0)
        return true;
    const size_t size = (size_t)header.entry_count * header.entry_stride_bytes;
    uint8_t *bytes = allocate(loader, size);
    if (bytes == NULL)
        return false;
    pending->allocations = (struct aerogpu_alloc_entry *)(void *)bytes;
    pending->size_bytes += size;
    if (!read_guest(loader, desc->alloc_table_gpa + sizeof header, bytes, size, "allocation table"))
        return false;
    pending->allocations = pack_entries(bytes, header.entry_count, header.entry_stride_bytes);
    pending->submission.allocations = pending->allocations;
    return check_entries(loader);
}

/* ---- S1-S3 --------------------------------------------------------------------------------------------- */

/* The stream reader knows nothing of submissions, so this adds the submission to its diagnostics. */
static void report_stream(void *user, const struct agpu_diag *diag)
{
    struct loader *loader = user;
    const struct agpu_diag_sink *sink = &loader->device->callbacks.diagnostics;
    struct agpu_diag placed = *diag;
    placed.place.submission = loader->pending->submission.number;
    loader->pending->error = agpu_diag_error_register(diag->code);
    if (sink->report != NULL)
        sink->report(sink->user, &placed);
}

static bool load_stream(struct loader *loader)
{
    const struct aerogpu_submit_desc *desc = loader->desc;
    struct pending_submission *pending = loader->pending;
    const struct agpu_diag_sink sink = {report_stream, loader};
    const uint32_t present =
        desc->cmd_size_bytes < STREAM_HEADER_BYTES ? desc->cmd_size_bytes : STREAM_HEADER_BYTES;
    uint8_t header[sizeof(struct aerogpu_cmd_stream_header)] = {0};
    struct agpu_stream_reader reader;
    if (desc->cmd_gpa == 0)
        return true;
    if (!read_guest(loader, desc->cmd_gpa, header, present, "command buffer") ||
        agpu_stream_reader_init(&reader, header, desc->cmd_size_bytes, &sink) != AGPU_OK)
        return false;
    const uint32_t size = reader.header.size_bytes;
    pending->stream = allocate(loader, size);
    if (pending->stream == NULL)
        return false;
    memcpy(pending->stream, header, sizeof header);
    pending->size_bytes += size;
    pending->submission.stream = pending->stream;
    pending->submission.stream_size = size;
    return read_guest(loader, desc->cmd_gpa + sizeof header, pending->stream + sizeof header,
                      size - sizeof header, "command buffer");
}

static bool check_stream(struct loader *loader)
{
    const struct agpu_submission *submission = &loader->pending->submission;
    const struct agpu_diag_sink sink = {report_stream, loader};
    struct agpu_stream_reader reader;
    if (!submission->stream)
        return true;
    return agpu_stream_reader_init(&reader, submission->stream, submission->stream_size, &sink) == AGPU_OK &&
           (reader.header.size_bytes == submission->stream_size ||
            reject(loader, AGPU_DIAG_SNAPSHOT_FORMAT, "a stream of %u bytes says that it has %u",
                   submission->stream_size, reader.header.size_bytes));
}

bool ag_submission_check(struct agpu_device *device, struct pending_submission *pending)
{
    struct loader loader = {.device = device, .pending = pending};
    return check_entries(&loader) && check_stream(&loader);
}

/* Passes packets that present nothing, of which it looks at the headers alone. */
static void pass_others(struct agpu_stream_reader *reader)
{
    uint32_t opcode, size;
    while (ag_packet_peek(reader, &opcode, &size) != NULL) {
        const struct agpu_packet_info *info = ag_packet_info(opcode);
        if ((info != NULL && (info->effects & AG_EFFECT_PRESENTS)) || size < sizeof(struct aerogpu_cmd_hdr) ||
            size % 4 != 0 || size > reader->header.size_bytes - reader->offset)
            break;
        ag_packet_pass(reader, size);
    }
}

/* For how many vblanks a submission waits, and whether an interval of a present says so. */
struct pace {
    uint32_t vblanks;
    bool is_paced;
};

static void note_present(const struct agpu_device *device, const struct agpu_packet *packet,
                         struct pace *pace)
{
    struct ag_packet_item item;
    uint32_t vblanks = 0;
    if (ag_packet_find(packet, AG_ROLE_SYNC_INTERVAL, AG_OBJECT_NONE, &item)) {
        vblanks = item.value <= AEROGPU_EXT_MOST_SYNC_INTERVAL ? (uint32_t)item.value : 0;
        pace->is_paced |= vblanks != 0;
    } else if (device->scanout.enable != 0 &&
               ag_packet_find(packet, AG_ROLE_PRESENTED, AG_OBJECT_NONE, &item)) {
        vblanks = (item.value & AEROGPU_PRESENT_FLAG_VSYNC) != 0;
    }
    if (pace->vblanks < vblanks)
        pace->vblanks = vblanks;
}

static struct pace find_pace(const struct agpu_device *device, struct agpu_stream_reader reader,
                             bool reads_others)
{
    struct agpu_packet packet;
    struct pace pace = {0};
    for (;;) {
        if (!reads_others)
            pass_others(&reader);
        if (!agpu_stream_next(&reader, &packet))
            return pace;
        if (ag_packet_does(&packet, AG_EFFECT_PRESENTS))
            note_present(device, &packet, &pace);
    }
}

/* Presents in the stream decide for how many vblanks the submission waits, not its flag (ABI 4.6). A
 * malformed packet ends the search, as it will end the execution: where a present waits, the packets in front
 * of it are read. */
static void find_vblanks(const struct agpu_device *device, struct pending_submission *pending)
{
    struct agpu_stream_reader reader;
    if (device->vblank.period_ns == 0 || pending->stream == NULL ||
        agpu_stream_reader_init(&reader, pending->stream, pending->submission.stream_size, NULL) != AGPU_OK ||
        find_pace(device, reader, false).vblanks == 0)
        return;
    const struct pace pace = find_pace(device, reader, true);
    pending->vblanks = pace.vblanks;
    pending->paced = pace.is_paced;
}

uint64_t ag_submission_load(struct agpu_device *device, const struct aerogpu_submit_desc *desc,
                            uint32_t stride_bytes, struct pending_submission *pending)
{
    struct loader loader = {.device = device, .desc = desc, .pending = pending};
    pending->submission.number = device->next_submission++;
    pending->submission.context_id = desc->context_id;
    pending->submission.flags = desc->flags;
    pending->submission.fence = desc->signal_fence;
    pending->wants_irq = (desc->flags & AEROGPU_SUBMIT_FLAG_NO_IRQ) == 0;
    if (check_descriptor(&loader, stride_bytes) && load_table(&loader) && load_stream(&loader)) {
        if (device->tap.submitted != NULL)
            device->tap.submitted(device->tap.user, &pending->submission, desc->cmd_gpa);
        pending->state = SUBMISSION_QUEUED;
        find_vblanks(device, pending);
        return loader.bytes_read;
    }
    free(pending->stream);
    free(pending->allocations);
    pending->stream = NULL;
    pending->allocations = NULL;
    pending->size_bytes = 0;
    pending->state = SUBMISSION_DONE;
    return loader.bytes_read;
}
