/* SPDX-License-Identifier: MIT
 *
 * Reads streams: frames packets, checks their sizes and decodes stage words.
 */
#include "aerogpu/stream.h"

#include <inttypes.h>

#include "abi/packet.h"
#include "abi/packet_read.h"
#include "aerogpu/abi/pci.h"
#include "base/bytes.h"
#include "base/diag.h"

/* ---- The stream header --------------------------------------------------------------------------------- */

static void report_header(const struct agpu_stream_reader *reader, size_t field, const char *what,
                          uint32_t value)
{
    ag_report(reader->sink, AGPU_DIAG_ABI_STREAM_HEADER, AGPU_ERROR, ag_place_offset(field),
              "stream header: %s 0x%" PRIx32, what, value);
}

static bool check_header(const struct agpu_stream_reader *reader, size_t size)
{
    const struct aerogpu_cmd_stream_header *header = &reader->header;
    if (header->magic != AEROGPU_CMD_STREAM_MAGIC) {
        report_header(reader, offsetof(struct aerogpu_cmd_stream_header, magic), "magic is", header->magic);
        return false;
    }
    if (header->abi_version >> 16 != AEROGPU_ABI_MAJOR) {
        report_header(reader, offsetof(struct aerogpu_cmd_stream_header, abi_version),
                      "major version is not 1 in", header->abi_version);
        return false;
    }
    const size_t size_field = offsetof(struct aerogpu_cmd_stream_header, size_bytes);
    if (header->size_bytes < sizeof *header || header->size_bytes % 4 != 0) {
        report_header(reader, size_field, "size is below 24 or no multiple of 4:", header->size_bytes);
        return false;
    }
    if (header->size_bytes > size) {
        ag_report(reader->sink, AGPU_DIAG_ABI_STREAM_SIZE, AGPU_ERROR, ag_place_offset(size_field),
                  "stream of %" PRIu32 " bytes in a command buffer of %zu", header->size_bytes, size);
        return false;
    }
    if (header->size_bytes > AGPU_STREAM_MAX_BYTES) {
        report_header(reader, size_field, "size exceeds the limit of 64 MiB:", header->size_bytes);
        return false;
    }
    return true;
}

enum agpu_status agpu_stream_reader_init(struct agpu_stream_reader *reader, const void *data, size_t size,
                                         const struct agpu_diag_sink *sink)
{
    *reader = (struct agpu_stream_reader){
        .status = AGPU_REFUSED, .submission = AGPU_DIAG_NO_INDEX, .data = data, .sink = sink};
    if (size < sizeof reader->header) {
        ag_report(sink, AGPU_DIAG_ABI_STREAM_HEADER, AGPU_ERROR, ag_place_offset(0),
                  "%zu bytes are too short for a stream header", size);
        return AGPU_REFUSED;
    }
    memcpy(&reader->header, data, sizeof reader->header);
    reader->minor = reader->header.abi_version & 0xffff;
    if (!check_header(reader, size)) {
        reader->header.size_bytes = 0;
        return AGPU_REFUSED;
    }
    reader->offset = (uint32_t)sizeof reader->header;
    reader->status = AGPU_OK;
    return AGPU_OK;
}

enum agpu_status agpu_stream_reader_init_packets(struct agpu_stream_reader *reader, uint32_t minor,
                                                 const void *data, size_t size,
                                                 const struct agpu_diag_sink *sink)
{
    *reader = (struct agpu_stream_reader){
        .minor = minor, .submission = AGPU_DIAG_NO_INDEX, .data = data, .sink = sink};
    if (size > AGPU_STREAM_MAX_BYTES) {
        ag_report(sink, AGPU_DIAG_ABI_STREAM_SIZE, AGPU_ERROR, ag_place_offset(0),
                  "%zu bytes of packets exceed the limit of 64 MiB", size);
        reader->status = AGPU_REFUSED;
        return AGPU_REFUSED;
    }
    reader->header.abi_version = (uint32_t)AEROGPU_ABI_MAJOR << 16 | (minor & 0xffff);
    reader->header.size_bytes = (uint32_t)size;
    return AGPU_OK;
}

/* ---- Packets ------------------------------------------------------------------------------------------- */

/* What is wrong with a packet of a known opcode. */
struct problem {
    enum agpu_diag_code code;
    uint64_t need; /* bytes that the packet should have; unused for stages */
};

static bool fail(struct problem *problem, enum agpu_diag_code code, uint64_t need)
{
    *problem = (struct problem){.code = code, .need = need};
    return false;
}

static uint64_t payload_count(const struct agpu_packet *packet)
{
    const struct ag_payload_info *payload = &packet->info->payload;
    const uint8_t *field = packet->data + payload->count_offset;
    return payload->count_is_u64 ? ag_load_u64(field) : ag_load_u32(field);
}

static uint32_t text_length(const uint8_t *text, uint32_t size)
{
    while (size > 0 && text[size - 1] == 0)
        size--;
    return size;
}

/* The bytes of payload that a packet declares, without padding; UINT64_MAX if the size is impossible. */
static uint64_t declared_payload(const struct agpu_packet *packet, uint64_t *count)
{
    const struct ag_payload_info *payload = &packet->info->payload;
    const uint32_t rest = packet->size - packet->info->fixed.size;
    uint64_t unit = 1;
    switch ((enum ag_payload_kind)payload->kind) {
    case AG_PAYLOAD_NONE:
        *count = 0;
        return 0;
    case AG_PAYLOAD_TEXT:
        *count = text_length(packet->data + packet->info->fixed.size, rest);
        return *count;
    case AG_PAYLOAD_ANY:
        *count = rest;
        return rest;
    case AG_PAYLOAD_BYTES:
        break;
    case AG_PAYLOAD_ARRAY:
        unit = payload->element->size;
        break;
    case AG_PAYLOAD_WORDS:
        unit = UINT64_C(4) * payload->words_per_count;
        break;
    }
    *count = payload_count(packet);
    if (unit == 1)
        return *count;
    uint64_t bytes;
    return ag_mul_u64(*count, unit, &bytes) ? bytes : UINT64_MAX;
}

static bool decode_payload(struct agpu_packet *packet, struct problem *problem)
{
    const struct agpu_packet_info *info = packet->info;
    uint32_t fixed = info->fixed.size;
    if (packet->size < fixed)
        return fail(problem, AGPU_DIAG_ABI_PACKET_SIZE, fixed);
    if (info->extended != NULL && packet->size >= info->extended_size)
        fixed = info->extended_size;

    uint64_t count;
    const uint64_t bytes = declared_payload(packet, &count);
    const uint32_t room = packet->size - fixed;
    /* Packet sizes are multiples of 4: where the payload fits, its padding does. */
    if (bytes > room)
        return fail(problem, AGPU_DIAG_ABI_PACKET_PAYLOAD,
                    bytes > UINT64_MAX - fixed ? bytes : fixed + bytes);
    packet->payload = packet->data + fixed;
    packet->payload_size = (uint32_t)bytes;
    packet->payload_count = (uint32_t)count;
    const uint32_t known = fixed + (uint32_t)ag_align_up(bytes, 4);
    packet->tail = packet->data + known;
    packet->tail_size = packet->size - known;
    return true;
}

static struct agpu_place place_of(const struct agpu_stream_reader *reader)
{
    struct agpu_place place = ag_place_offset(reader->offset);
    place.submission = reader->submission;
    place.packet = reader->index;
    return place;
}

AG_RARE static bool stop(struct agpu_stream_reader *reader)
{
    reader->status = AGPU_REFUSED;
    reader->offset = reader->header.size_bytes;
    return false;
}

AG_RARE static bool stop_at_rest(struct agpu_stream_reader *reader, uint32_t left)
{
    ag_report(reader->sink, AGPU_DIAG_ABI_PACKET_SIZE, AGPU_ERROR, place_of(reader),
              "%" PRIu32 " bytes at the end of the stream are no packet", left);
    return stop(reader);
}

AG_RARE static bool stop_at_size(struct agpu_stream_reader *reader, uint32_t opcode, uint32_t size,
                                 uint32_t left)
{
    ag_report_packet(reader->sink, AGPU_DIAG_ABI_PACKET_SIZE, place_of(reader), agpu_packet_name(opcode),
                     "packet 0x%" PRIx32 " has a size of %" PRIu32 " bytes with %" PRIu32
                     " left in the stream",
                     opcode, size, left);
    return stop(reader);
}

/* A header that is not whole, or whose size is impossible. */
AG_RARE static bool stop_at_header(struct agpu_stream_reader *reader, uint32_t left)
{
    if (left < sizeof(struct aerogpu_cmd_hdr))
        return stop_at_rest(reader, left);
    const uint8_t *data = reader->data + reader->offset;
    return stop_at_size(reader, ag_load_u32(data),
                        ag_load_u32(data + offsetof(struct aerogpu_cmd_hdr, size_bytes)), left);
}

static void report_problem(const struct agpu_stream_reader *reader, const struct agpu_packet *packet,
                           const struct problem *problem)
{
    if (problem->code == AGPU_DIAG_ABI_STAGE)
        ag_report_packet(reader->sink, problem->code, place_of(reader), packet->info->name,
                         "%s names no shader stage in ABI 1.%" PRIu32, packet->info->name, reader->minor);
    else
        ag_report_packet(reader->sink, problem->code, place_of(reader), packet->info->name,
                         "%s has %" PRIu32 " bytes and needs %" PRIu64, packet->info->name, packet->size,
                         problem->need);
}

/* A packet of a known opcode that is malformed. */
AG_RARE static bool take_malformed(struct agpu_stream_reader *reader, struct agpu_packet *packet,
                                   const struct problem *problem)
{
    if (!reader->lenient) {
        report_problem(reader, packet, problem);
        return stop(reader);
    }
    packet->info = NULL;
    packet->payload = packet->tail = NULL;
    packet->payload_size = packet->payload_count = packet->tail_size = 0;
    return true;
}

static bool decode_known(struct agpu_stream_reader *reader, struct agpu_packet *packet)
{
    struct problem problem;
    return (decode_payload(packet, &problem) &&
            (ag_packet_read_stage(packet) || fail(&problem, AGPU_DIAG_ABI_STAGE, 0))) ||
           take_malformed(reader, packet, &problem);
}

bool agpu_stream_next(struct agpu_stream_reader *reader, struct agpu_packet *packet)
{
    if (ag_packet_read_exact(reader, packet))
        return true;
    const uint32_t left = reader->header.size_bytes - reader->offset;
    uint32_t opcode, size;
    const uint8_t *const data = ag_packet_peek(reader, &opcode, &size);
    if (data == NULL)
        return left != 0 && stop_at_header(reader, left);
    if (size < sizeof(struct aerogpu_cmd_hdr) || size % 4 != 0 || size > left)
        return stop_at_header(reader, left);
    ag_packet_fill(packet, reader, data, opcode, size, ag_packet_info(opcode));
    packet->payload = packet->tail = NULL;
    if (packet->info != NULL && !decode_known(reader, packet))
        return false;
    ag_packet_pass(reader, size);
    return true;
}

/* ---- Accessors ----------------------------------------------------------------------------------------- */

uint32_t agpu_packet_word(const struct agpu_packet *packet, uint32_t index)
{
    return index < packet->payload_size / 4 ? ag_load_u32(packet->payload + 4 * (size_t)index) : 0;
}

const void *agpu_packet_element(const struct agpu_packet *packet, uint32_t index)
{
    if (packet->info == NULL || packet->info->payload.kind != AG_PAYLOAD_ARRAY ||
        index >= packet->payload_count)
        return NULL;
    return packet->payload + (size_t)index * packet->info->payload.element->size;
}

void agpu_packet_shaders(const struct agpu_packet *packet, aerogpu_handle_t shaders[AGPU_STREAM_STAGE_COUNT])
{
    for (int i = 0; i < AGPU_STREAM_STAGE_COUNT; i++)
        shaders[i] = 0;
    const struct aerogpu_cmd_bind_shaders *common = AGPU_PACKET(packet, bind_shaders);
    shaders[AGPU_STREAM_STAGE_VERTEX] = common->vs;
    shaders[AGPU_STREAM_STAGE_PIXEL] = common->ps;
    shaders[AGPU_STREAM_STAGE_COMPUTE] = common->cs;
    if (packet->size >= sizeof(struct aerogpu_cmd_bind_shaders_ex)) {
        const struct aerogpu_cmd_bind_shaders_ex *extended = AGPU_PACKET(packet, bind_shaders_ex);
        shaders[AGPU_STREAM_STAGE_GEOMETRY] = extended->gs;
        shaders[AGPU_STREAM_STAGE_HULL] = extended->hs;
        shaders[AGPU_STREAM_STAGE_DOMAIN] = extended->ds;
    } else if (packet->size == sizeof *common) {
        shaders[AGPU_STREAM_STAGE_GEOMETRY] = common->reserved0;
    }
}

const char *agpu_packet_name(uint32_t opcode)
{
    const struct agpu_packet_info *info = ag_packet_info(opcode);
    return info != NULL ? info->name : NULL;
}
