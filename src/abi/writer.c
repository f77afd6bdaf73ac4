/* SPDX-License-Identifier: MIT
 *
 * The stream writer: header, packets and errors.
 */
#include "abi/writer.h"

#include "aerogpu/abi/pci.h"
#include "base/bytes.h"
#include "base/diag.h"
#include "base/vec.h"

#define HEADER_BYTES sizeof(struct aerogpu_cmd_stream_header)

void ag_writer_refuse(struct agpu_writer *writer, enum agpu_diag_code code, const char *message)
{
    if (writer->status != AGPU_OK)
        return;
    writer->status = AGPU_REFUSED;
    ag_report(writer->sink, code, AGPU_ERROR, ag_place_offset(writer->size), "%s", message);
}

/* Appends `size` zeroed bytes; null after an error. */
static uint8_t *extend(struct agpu_writer *writer, uint64_t size)
{
    if (writer->status != AGPU_OK)
        return NULL;
    if (size > AGPU_STREAM_MAX_BYTES - writer->size) {
        ag_writer_refuse(writer, AGPU_DIAG_ABI_SPACE, "the stream would exceed 64 MiB");
        return NULL;
    }
    const size_t need = writer->size + (size_t)size;
    if (need > writer->capacity && !writer->growing) {
        ag_writer_refuse(writer, AGPU_DIAG_ABI_SPACE, "the packet does not fit the rest of the span");
        return NULL;
    }
    if (need > writer->capacity) {
        writer->data = ag_vec_grow(writer->data, &writer->capacity, need, 1);
        if (need > writer->capacity) {
            writer->status = ag_report_no_memory(writer->sink);
            return NULL;
        }
    }
    uint8_t *room = writer->data + writer->size;
    memset(room, 0, (size_t)size);
    writer->size = need;
    return room;
}

static void write_header(struct agpu_writer *writer)
{
    uint8_t *room = extend(writer, HEADER_BYTES);
    if (room == NULL)
        return;
    const struct aerogpu_cmd_stream_header header = {
        .magic = AEROGPU_CMD_STREAM_MAGIC,
        .abi_version = AEROGPU_ABI_MAJOR << 16 | (writer->minor & 0xffff),
        .size_bytes = HEADER_BYTES,
    };
    memcpy(room, &header, sizeof header);
}

void agpu_writer_init_span(struct agpu_writer *writer, void *memory, size_t capacity,
                           const struct agpu_diag_sink *sink)
{
    *writer =
        (struct agpu_writer){.data = memory, .capacity = capacity, .minor = AEROGPU_ABI_MINOR, .sink = sink};
    write_header(writer);
}

void agpu_writer_init_growing(struct agpu_writer *writer, const struct agpu_diag_sink *sink)
{
    *writer = (struct agpu_writer){.growing = true, .minor = AEROGPU_ABI_MINOR, .sink = sink};
    write_header(writer);
}

void agpu_writer_fini(struct agpu_writer *writer)
{
    if (writer->growing)
        free(writer->data);
    *writer = (struct agpu_writer){.status = AGPU_REFUSED};
}

void agpu_writer_reset(struct agpu_writer *writer)
{
    writer->size = 0;
    writer->status = AGPU_OK;
    write_header(writer);
}

void agpu_writer_set_minor(struct agpu_writer *writer, uint32_t minor)
{
    writer->minor = minor & 0xffff;
    if (writer->size >= HEADER_BYTES)
        ag_store_u32(writer->data + offsetof(struct aerogpu_cmd_stream_header, abi_version),
                     AEROGPU_ABI_MAJOR << 16 | writer->minor);
}

enum agpu_status agpu_writer_finish(struct agpu_writer *writer)
{
    if (writer->size >= HEADER_BYTES)
        ag_store_u32(writer->data + offsetof(struct aerogpu_cmd_stream_header, size_bytes),
                     (uint32_t)writer->size);
    return writer->status;
}

uint8_t *ag_writer_reserve(struct agpu_writer *writer, uint32_t opcode, const void *fixed, size_t fixed_size,
                           uint64_t payload_size)
{
    /* Capping first keeps the sum below from overflowing; a payload of the cap's size is refused as too
     * long. */
    const uint64_t payload = payload_size < AGPU_STREAM_MAX_BYTES ? payload_size : AGPU_STREAM_MAX_BYTES;
    const uint64_t size = fixed_size + ag_align_up(payload, 4);
    uint8_t *packet = extend(writer, size);
    if (packet == NULL)
        return NULL;
    memcpy(packet, fixed, fixed_size);
    ag_store_u32(packet, opcode);
    ag_store_u32(packet + offsetof(struct aerogpu_cmd_hdr, size_bytes), (uint32_t)size);
    return packet + fixed_size;
}

void ag_writer_append(struct agpu_writer *writer, uint32_t opcode, const void *fixed, size_t fixed_size,
                      const void *payload, uint64_t payload_size)
{
    uint8_t *room = ag_writer_reserve(writer, opcode, fixed, fixed_size, payload_size);
    if (room != NULL && payload_size > 0)
        memcpy(room, payload, (size_t)payload_size);
}
