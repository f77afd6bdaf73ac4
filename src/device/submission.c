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

/* What is next. Each stage may take several calls. */
enum stage {
    STAGE_TABLE,    /* bytes of the allocation table */
    STAGE_ENTRIES,  /* the guest's spacing between entries goes, and each is checked */
    STAGE_IDS,      /* their ids are sorted, a pass at a time */
    STAGE_STREAM,   /* bytes of the stream */
    STAGE_PRESENTS, /* headers of packets, in search of presents that wait */
    STAGE_PACE,     /* packets in front of such presents */
    STAGE_DONE,
};

/* What is done of a packet, or of an entry, takes as long as copying so many bytes. */
#define BYTES_OF_PACKET 128
#define BYTES_OF_HEADER 32
#define BYTES_OF_ENTRY 32
#define BYTES_OF_SORTED_ID 8

/* For how many vblanks a submission waits, and whether an interval of a present says so. */
struct pace {
    uint32_t vblanks;
    bool is_paced;
};

struct ag_submission_load {
    struct agpu_device *device;
    struct aerogpu_submit_desc desc;
    struct pending_submission *pending;
    enum stage stage;
    uint64_t done; /* bytes or entries of the stage */
    uint32_t entry_stride;
    uint64_t *ids, *sorted; /* while they are sorted */
    struct agpu_stream_reader reader;
    struct pace pace;
    uint64_t slot_gpa; /* of the descriptor */
};

static void report_va(struct ag_submission_load *loader, enum agpu_diag_code code, const char *format,
                      va_list arguments)
{
    struct agpu_place place = AGPU_NO_PLACE;
    place.submission = loader->pending->submission.number;
    ag_report_va(&loader->device->callbacks.diagnostics, code, AGPU_ERROR, place, format, arguments);
    loader->pending->error = agpu_diag_error_register(code);
}

/* Rejects the submission; returns false for the caller to return. */
static bool AG_PRINTF(3, 4)
    reject(struct ag_submission_load *loader, enum agpu_diag_code code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    report_va(loader, code, format, arguments);
    va_end(arguments);
    return false;
}

static bool read_guest(struct ag_submission_load *loader, uint64_t gpa, void *to, size_t size,
                       const char *what)
{
    return ag_dma_read(loader->device, gpa, to, size) ||
           reject(loader, AGPU_DIAG_DEVICE_GUEST_MEMORY, "%zu bytes of the %s at 0x%llx cannot be read", size,
                  what, (unsigned long long)gpa);
}

static void *allocate(struct ag_submission_load *loader, size_t size)
{
    void *memory = malloc(size);
    if (memory == NULL)
        reject(loader, AGPU_DIAG_OUT_OF_MEMORY, "out of memory for %zu bytes", size);
    return memory;
}

/* ---- D1-D5 --------------------------------------------------------------------------------------------- */

static bool check_range(struct ag_submission_load *loader, uint64_t gpa, uint32_t size, const char *what)
{
    uint64_t end;
    if ((gpa == 0) != (size == 0))
        return reject(loader, AGPU_DIAG_DEVICE_DESCRIPTOR, "the %s has an address or a size but not both",
                      what);
    return ag_add_u64(gpa, size, &end) || reject(loader, AGPU_DIAG_DEVICE_DESCRIPTOR_RANGE,
                                                 "the %s of %u bytes at 0x%llx passes the end of memory",
                                                 what, size, (unsigned long long)gpa);
}

static bool check_descriptor(struct ag_submission_load *loader, uint32_t stride_bytes)
{
    const struct aerogpu_submit_desc *desc = &loader->desc;
    if (desc->desc_size_bytes < sizeof *desc || desc->desc_size_bytes > stride_bytes)
        return reject(loader, AGPU_DIAG_DEVICE_DESCRIPTOR, "a descriptor of %u bytes in slots of %u",
                      desc->desc_size_bytes, stride_bytes);
    return check_range(loader, desc->cmd_gpa, desc->cmd_size_bytes, "command buffer") &&
           check_range(loader, desc->alloc_table_gpa, desc->alloc_table_size_bytes, "allocation table");
}

/* ---- T1-T9 --------------------------------------------------------------------------------------------- */

static bool check_table_header(struct ag_submission_load *loader,
                               const struct aerogpu_alloc_table_header *header)
{
    const char *problem = NULL;
    if (header->magic != AEROGPU_ALLOC_TABLE_MAGIC)
        problem = "the allocation table's magic is wrong";
    else if (header->abi_version >> 16 != AEROGPU_ABI_MAJOR)
        problem = "the allocation table's major version is not ours";
    else if (header->size_bytes < TABLE_HEADER_BYTES ||
             header->size_bytes > loader->desc.alloc_table_size_bytes)
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

static bool check_entry(struct ag_submission_load *loader, const struct aerogpu_alloc_entry *entry,
                        uint32_t index)
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

/* ---- The stages ---------------------------------------------------------------------------------------- */

static void spend(uint64_t *room, uint64_t bytes)
{
    *room -= ag_lesser(*room, bytes);
}

/* Reads more of `size` bytes; *to is where they begin. */
static bool read_part(struct ag_submission_load *loader, uint64_t gpa, uint8_t *to, uint64_t size,
                      const char *what, uint64_t *room)
{
    const uint64_t part = ag_lesser(size - loader->done, *room);
    if (!ag_dma_read(loader->device, gpa + loader->done, to + loader->done, (size_t)part))
        return reject(loader, AGPU_DIAG_DEVICE_GUEST_MEMORY, "%zu bytes of the %s at 0x%llx cannot be read",
                      (size_t)size, what, (unsigned long long)gpa);
    loader->done += part;
    spend(room, part);
    return true;
}

static void begin_stage(struct ag_submission_load *loader, enum stage stage)
{
    loader->stage = stage;
    loader->done = 0;
}

static bool read_table(struct ag_submission_load *loader, uint64_t *room)
{
    struct pending_submission *const pending = loader->pending;
    const uint64_t size = (uint64_t)pending->submission.allocation_count * loader->entry_stride;
    const uint64_t gpa = loader->desc.alloc_table_gpa + TABLE_HEADER_BYTES;
    if (!read_part(loader, gpa, (uint8_t *)pending->allocations, size, "allocation table", room))
        return false;
    if (loader->done == size)
        begin_stage(loader, STAGE_ENTRIES);
    return true;
}

/* Gives the memory of the spacing back: the executor, which takes the entries over, is charged for these
 * alone. */
static void shrink_table(struct ag_submission_load *loader)
{
    struct pending_submission *const pending = loader->pending;
    const uint64_t count = pending->submission.allocation_count;
    if (loader->entry_stride == ENTRY_BYTES)
        return;
    struct aerogpu_alloc_entry *const entries = realloc(pending->allocations, (size_t)count * ENTRY_BYTES);
    if (entries == NULL)
        return;
    pending->allocations = entries;
    pending->submission.allocations = entries;
    pending->size_bytes -= count * (loader->entry_stride - ENTRY_BYTES);
}

/* Removes the guest's spacing between entries, in place, and checks them. */
static bool check_entries(struct ag_submission_load *loader, uint64_t *room)
{
    struct pending_submission *const pending = loader->pending;
    const uint32_t count = pending->submission.allocation_count;
    uint8_t *const bytes = (uint8_t *)pending->allocations;
    for (; loader->done < count && *room != 0; loader->done++) {
        const uint32_t i = (uint32_t)loader->done;
        if (loader->entry_stride != ENTRY_BYTES)
            memmove(bytes + (size_t)i * ENTRY_BYTES, bytes + (size_t)i * loader->entry_stride, ENTRY_BYTES);
        if (!check_entry(loader, &pending->allocations[i], i))
            return false;
        spend(room, BYTES_OF_ENTRY);
    }
    if (loader->done == count) {
        shrink_table(loader);
        begin_stage(loader, STAGE_IDS);
    }
    return true;
}

static void free_ids(struct ag_submission_load *loader)
{
    free(loader->ids);
    free(loader->sorted);
    loader->ids = loader->sorted = NULL;
}

static bool begin_ids(struct ag_submission_load *loader)
{
    const struct pending_submission *const pending = loader->pending;
    const uint32_t count = pending->submission.allocation_count;
    loader->ids = allocate(loader, (size_t)count * sizeof *loader->ids);
    loader->sorted = loader->ids != NULL ? allocate(loader, (size_t)count * sizeof *loader->ids) : NULL;
    for (uint32_t i = 0; i < count && loader->sorted != NULL; i++)
        loader->ids[i] = ag_keyed(pending->allocations[i].alloc_id, 0);
    return loader->sorted != NULL;
}

static bool check_sorted(struct ag_submission_load *loader)
{
    const uint64_t *const ids = loader->ids;
    for (uint32_t i = 1; i < loader->pending->submission.allocation_count; i++)
        if (ids[i] == ids[i - 1])
            return reject(loader, AGPU_DIAG_DEVICE_ALLOC_TABLE, "allocation %u is in the table twice",
                          (uint32_t)(ids[i] >> 32));
    return true;
}

/* Sorts instead of using a hash table, because a guest could choose ids whose hashes collide. */
static bool check_ids_unique(struct ag_submission_load *loader, uint64_t *room)
{
    const struct pending_submission *const pending = loader->pending;
    const uint32_t count = pending->submission.allocation_count;
    if (loader->ids == NULL) {
        if (are_ascending(pending->allocations, count)) {
            begin_stage(loader, STAGE_STREAM);
            return true;
        }
        if (!begin_ids(loader))
            return false;
    }
    if (loader->done < AG_SORT_PASSES) {
        ag_sort_keyed_pass(loader->ids, loader->sorted, count, (uint32_t)loader->done++);
        uint64_t *const ids = loader->ids;
        loader->ids = loader->sorted;
        loader->sorted = ids;
        spend(room, (uint64_t)count * BYTES_OF_SORTED_ID);
        return true;
    }
    const bool unique = check_sorted(loader);
    free_ids(loader);
    begin_stage(loader, STAGE_STREAM);
    return unique;
}

/* ---- Headers ------------------------------------------------------------------------------------------- */

static bool begin_table(struct ag_submission_load *loader)
{
    const struct aerogpu_submit_desc *desc = &loader->desc;
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
    pending->submission.allocations = pending->allocations;
    loader->entry_stride = header.entry_stride_bytes;
    return true;
}

/* ---- S1-S3 --------------------------------------------------------------------------------------------- */

/* The stream reader knows nothing of submissions, so this adds the submission to its diagnostics. */
static void report_stream(void *user, const struct agpu_diag *diag)
{
    struct ag_submission_load *loader = user;
    const struct agpu_diag_sink *sink = &loader->device->callbacks.diagnostics;
    struct agpu_diag placed = *diag;
    placed.place.submission = loader->pending->submission.number;
    loader->pending->error = agpu_diag_error_register(diag->code);
    if (sink->report != NULL)
        sink->report(sink->user, &placed);
}

static bool begin_stream(struct ag_submission_load *loader)
{
    const struct aerogpu_submit_desc *desc = &loader->desc;
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
    return true;
}

static bool check_stream(struct ag_submission_load *loader)
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

/* Passes packets that present nothing, of which it looks at the headers alone. */
static void pass_others(struct agpu_stream_reader *reader, uint64_t *room)
{
    uint32_t opcode, size, passed = AEROGPU_CMD_NOP;
    while (*room != 0 && ag_packet_peek(reader, &opcode, &size) != NULL) {
        const struct agpu_packet_info *info = opcode != passed ? ag_packet_info(opcode) : NULL;
        if ((info != NULL && (info->effects & AG_EFFECT_PRESENTS)) || size < sizeof(struct aerogpu_cmd_hdr) ||
            size % 4 != 0 || size > reader->header.size_bytes - reader->offset)
            break;
        passed = opcode;
        ag_packet_pass(reader, size);
        spend(room, BYTES_OF_HEADER);
    }
}

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

static bool begin_reading(struct ag_submission_load *loader)
{
    const struct pending_submission *const pending = loader->pending;
    loader->pace = (struct pace){0};
    return agpu_stream_reader_init(&loader->reader, pending->stream, pending->submission.stream_size, NULL) ==
           AGPU_OK;
}

static bool read_stream(struct ag_submission_load *loader, uint64_t *room)
{
    struct pending_submission *const pending = loader->pending;
    if (pending->stream == NULL) {
        begin_stage(loader, STAGE_DONE);
        return true;
    }
    const uint64_t size = pending->submission.stream_size - STREAM_HEADER_BYTES;
    if (!read_part(loader, loader->desc.cmd_gpa + STREAM_HEADER_BYTES, pending->stream + STREAM_HEADER_BYTES,
                   size, "command buffer", room))
        return false;
    if (loader->done != size)
        return true;
    const bool looks = loader->device->vblank.period_ns != 0 && begin_reading(loader);
    begin_stage(loader, looks ? STAGE_PRESENTS : STAGE_DONE);
    return true;
}

/* Presents in the stream decide for how many vblanks the submission waits, not its flag (ABI 4.6). */
static bool find_presents(struct ag_submission_load *loader, uint64_t *room)
{
    struct agpu_packet packet;
    for (;;) {
        pass_others(&loader->reader, room);
        if (*room == 0)
            return true;
        if (!agpu_stream_next(&loader->reader, &packet))
            break;
        if (ag_packet_does(&packet, AG_EFFECT_PRESENTS))
            note_present(loader->device, &packet, &loader->pace);
        spend(room, BYTES_OF_PACKET);
    }
    begin_stage(loader, loader->pace.vblanks != 0 && begin_reading(loader) ? STAGE_PACE : STAGE_DONE);
    return true;
}

/* A malformed packet ends the search, as it will end the execution: where a present waits, the packets in
 * front of it are read. */
static bool find_pace(struct ag_submission_load *loader, uint64_t *room)
{
    struct agpu_packet packet;
    while (*room != 0) {
        if (!agpu_stream_next(&loader->reader, &packet)) {
            loader->pending->vblanks = loader->pace.vblanks;
            loader->pending->paced = loader->pace.is_paced;
            begin_stage(loader, STAGE_DONE);
            break;
        }
        if (ag_packet_does(&packet, AG_EFFECT_PRESENTS))
            note_present(loader->device, &packet, &loader->pace);
        spend(room, BYTES_OF_PACKET);
    }
    return true;
}

bool ag_submission_check(struct agpu_device *device, struct pending_submission *pending)
{
    struct ag_submission_load loader = {
        .device = device, .pending = pending, .stage = STAGE_ENTRIES, .entry_stride = ENTRY_BYTES};
    uint64_t room = UINT64_MAX;
    bool good = true;
    while (good && loader.stage == STAGE_ENTRIES)
        good = check_entries(&loader, &room);
    while (good && loader.stage == STAGE_IDS)
        good = check_ids_unique(&loader, &room);
    free_ids(&loader);
    return good && check_stream(&loader);
}

/* ---- In parts ------------------------------------------------------------------------------------------ */

static void fail(struct ag_submission_load *loader)
{
    struct pending_submission *const pending = loader->pending;
    free(pending->stream);
    free(pending->allocations);
    pending->stream = NULL;
    pending->allocations = NULL;
    pending->size_bytes = 0;
    pending->state = SUBMISSION_DONE;
    begin_stage(loader, STAGE_DONE);
}

struct ag_submission_load *ag_submission_load_begin(struct agpu_device *device, uint64_t slot_gpa,
                                                    const struct aerogpu_submit_desc *desc,
                                                    uint32_t stride_bytes)
{
    struct ag_submission_load *const loader = calloc(1, sizeof *loader);
    struct pending_submission *const pending = calloc(1, sizeof *pending);
    if (loader == NULL || pending == NULL) {
        free(loader);
        free(pending);
        return NULL;
    }
    *loader = (struct ag_submission_load){
        .device = device, .desc = *desc, .pending = pending, .slot_gpa = slot_gpa};
    pending->submission.number = device->next_submission;
    pending->submission.context_id = desc->context_id;
    pending->submission.flags = desc->flags;
    pending->submission.fence = desc->signal_fence;
    pending->wants_irq = (desc->flags & AEROGPU_SUBMIT_FLAG_NO_IRQ) == 0;
    pending->state = SUBMISSION_QUEUED;
    if (!check_descriptor(loader, stride_bytes) || !begin_table(loader))
        fail(loader);
    else
        begin_stage(loader, pending->allocations != NULL ? STAGE_TABLE : STAGE_STREAM);
    return loader;
}

bool ag_submission_load_is_of(const struct ag_submission_load *loader, uint64_t slot_gpa)
{
    return loader->slot_gpa == slot_gpa;
}

bool ag_submission_load_step(struct ag_submission_load *loader, uint64_t *room)
{
    static bool (*const steps[])(struct ag_submission_load *, uint64_t *) = {
        [STAGE_TABLE] = read_table,   [STAGE_ENTRIES] = check_entries,  [STAGE_IDS] = check_ids_unique,
        [STAGE_STREAM] = read_stream, [STAGE_PRESENTS] = find_presents, [STAGE_PACE] = find_pace,
    };
    while (loader->stage != STAGE_DONE && *room != 0) {
        bool good = true;
        if (loader->stage == STAGE_STREAM && loader->pending->stream == NULL)
            good = begin_stream(loader);
        if (!good || !steps[loader->stage](loader, room))
            fail(loader);
    }
    return loader->stage == STAGE_DONE;
}

struct pending_submission *ag_submission_load_end(struct ag_submission_load *loader)
{
    struct agpu_device *const device = loader->device;
    struct pending_submission *const pending = loader->pending;
    device->next_submission++;
    if (pending->state == SUBMISSION_QUEUED && device->tap.submitted != NULL)
        device->tap.submitted(device->tap.user, &pending->submission, loader->desc.cmd_gpa);
    loader->pending = NULL;
    ag_submission_load_drop(loader);
    return pending;
}

void ag_submission_load_drop(struct ag_submission_load *loader)
{
    if (loader == NULL)
        return;
    if (loader->pending != NULL)
        ag_submission_free(loader->pending);
    free_ids(loader);
    free(loader);
}
