/* SPDX-License-Identifier: MIT
 *
 * Reading a packet that has exactly the size that its row of the table says, as nearly all have. Those who
 * read very many packets read most of them here, without a call.
 */
#ifndef AG_ABI_PACKET_READ_H
#define AG_ABI_PACKET_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/packet.h"
#include "aerogpu/abi/cmd.h"
#include "aerogpu/stream.h"
#include "base/bytes.h"

/* The bytes at the reader's place, with what a header there says, which nobody has checked. Null when less
 * than a header is left; a reader of no packets may have no bytes at all. */
static inline const uint8_t *ag_packet_peek(const struct agpu_stream_reader *reader, uint32_t *opcode,
                                            uint32_t *size)
{
    if (reader->header.size_bytes - reader->offset < sizeof(struct aerogpu_cmd_hdr))
        return NULL;
    const uint8_t *const data = reader->data + reader->offset;
    *opcode = ag_load_u32(data);
    *size = ag_load_u32(data + offsetof(struct aerogpu_cmd_hdr, size_bytes));
    return data;
}

/* Fills in the packet at the place of the reader, of no stage and with no bytes behind its members. */
static inline void ag_packet_fill(struct agpu_packet *packet, const struct agpu_stream_reader *reader,
                                  const uint8_t *data, uint32_t opcode, uint32_t size,
                                  const struct agpu_packet_info *info)
{
    *packet = (struct agpu_packet){
        .index = reader->index,
        .opcode = opcode,
        .offset = reader->offset,
        .size = size,
        .minor = reader->minor,
        .data = data,
        .info = info,
        .stage = AGPU_STREAM_STAGE_NONE,
        .payload = data + size,
        .tail = data + size,
    };
}

/* Moves the reader behind the packet at its place. */
static inline void ag_packet_pass(struct agpu_stream_reader *reader, uint32_t size)
{
    reader->offset += size;
    reader->index++;
}

/* The bytes of an element of a payload that has a number of them; else 0. */
static inline uint32_t ag_payload_unit(const struct ag_payload_info *payload)
{
    return payload->kind == AG_PAYLOAD_ARRAY   ? payload->element->size
           : payload->kind == AG_PAYLOAD_WORDS ? 4u * payload->words_per_count
                                               : 0;
}

static inline bool ag_packet_read_stage(struct agpu_packet *packet)
{
    const struct agpu_packet_info *const info = packet->info;
    packet->stage = AGPU_STREAM_STAGE_NONE;
    if (info->stage_offset == 0 && info->stage_ex_offset == 0)
        return true;
    uint32_t stage = AEROGPU_SHADER_STAGE_COMPUTE, stage_ex = AEROGPU_SHADER_STAGE_EX_NONE;
    if (info->stage_offset != 0)
        stage = ag_load_u32(packet->data + info->stage_offset);
    if (info->stage_ex_offset != 0)
        stage_ex = ag_load_u32(packet->data + info->stage_ex_offset);
    return agpu_stage_decode(stage, stage_ex, packet->minor, &packet->stage);
}

/* Fetches the next packet if it is known and has no bytes but those that its row tells of. False: nothing was
 * fetched, and agpu_stream_next() finds out what there is. */
static inline bool ag_packet_read_exact(struct agpu_stream_reader *reader, struct agpu_packet *packet)
{
    uint32_t opcode, size;
    const uint8_t *const data = ag_packet_peek(reader, &opcode, &size);
    const struct agpu_packet_info *const info = data != NULL ? ag_packet_info(opcode) : NULL;
    if (info == NULL || size > reader->header.size_bytes - reader->offset || size % 4 != 0)
        return false;
    const bool is_longer = info->extended != NULL && size >= info->extended_size;
    const uint32_t fixed = is_longer ? info->extended_size : info->fixed.size;
    const uint32_t unit = ag_payload_unit(&info->payload);
    if (size < fixed || (unit == 0 && info->payload.kind != AG_PAYLOAD_NONE))
        return false;
    const uint32_t count = unit != 0 ? ag_load_u32(data + info->payload.count_offset) : 0;
    if ((uint64_t)count * unit != size - fixed)
        return false;
    ag_packet_fill(packet, reader, data, opcode, size, info);
    if (!ag_packet_read_stage(packet))
        return false;
    packet->payload = data + fixed;
    packet->payload_size = size - fixed;
    packet->payload_count = count;
    ag_packet_pass(reader, size);
    return true;
}

#endif
