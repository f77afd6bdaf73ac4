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
    const uint32_t offset = reader->offset, left = reader->header.size_bytes - offset;
    if (left < sizeof(struct aerogpu_cmd_hdr))
        return false;
    const uint8_t *const data = reader->data + offset;
    const uint32_t opcode = ag_load_u32(data);
    const uint32_t size = ag_load_u32(data + offsetof(struct aerogpu_cmd_hdr, size_bytes));
    const struct agpu_packet_info *const info = ag_packet_info(opcode);
    if (info == NULL || size > left || size % 4 != 0)
        return false;
    const bool is_longer = info->extended != NULL && size >= info->extended_size;
    const uint32_t fixed = is_longer ? info->extended_size : info->fixed.size;
    const uint32_t unit = ag_payload_unit(&info->payload);
    if (size < fixed || (unit == 0 && info->payload.kind != AG_PAYLOAD_NONE))
        return false;
    const uint32_t count = unit != 0 ? ag_load_u32(data + info->payload.count_offset) : 0;
    if ((uint64_t)count * unit != size - fixed)
        return false;
    packet->index = reader->index;
    packet->opcode = opcode;
    packet->offset = offset;
    packet->size = size;
    packet->minor = reader->minor;
    packet->data = data;
    packet->info = info;
    if (!ag_packet_read_stage(packet))
        return false;
    packet->payload = data + fixed;
    packet->payload_size = size - fixed;
    packet->payload_count = count;
    packet->tail = data + size;
    packet->tail_size = 0;
    reader->offset = offset + size;
    reader->index++;
    return true;
}

#endif
