/* SPDX-License-Identifier: MIT
 *
 * Changes inputs of the target `exec` so that most of them still are streams of packets: packets move, come
 * twice, go, or have other dwords. Bytes at random would seldom get past the framing.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "aerogpu/abi/cmd.h"
#include "aerogpu/abi/ext.h"
#include "exec_input.h"
#include "random.h"

#define STREAM_HEADER_BYTES ((uint32_t)sizeof(struct aerogpu_cmd_stream_header))
#define PACKET_HEADER_BYTES 8u
#define MOST_PACKETS 1024

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *data, size_t size, const uint8_t *other, size_t other_size,
                                 uint8_t *out, size_t max_size, unsigned seed);

/* A packet, and the sizes that tell where it ends: offsets in the input. */
struct packet {
    size_t at;
    uint32_t size;
    size_t record; /* the head of its record */
    size_t stream; /* the header of its stream */
};

static uint32_t find_packets_of_record(const uint8_t *data, size_t record_at,
                                       const struct exec_record *record, struct packet *packets,
                                       uint32_t count)
{
    const uint32_t table = record->allocation_count * EXEC_ALLOCATION_BYTES;
    if (record->kind != EXEC_RECORD_SUBMISSION || record->size < table ||
        record->size - table < STREAM_HEADER_BYTES)
        return count;
    const size_t stream = record_at + EXEC_RECORD_BYTES + table;
    const size_t end = record_at + EXEC_RECORD_BYTES + record->size;
    for (size_t at = stream + STREAM_HEADER_BYTES; end - at >= PACKET_HEADER_BYTES && count < MOST_PACKETS;) {
        const uint32_t size = ag_load_u32(data + at + 4);
        if (size < PACKET_HEADER_BYTES || size % 4 != 0 || size > end - at)
            break;
        packets[count++] = (struct packet){at, size, record_at, stream};
        at += size;
    }
    return count;
}

static uint32_t find_packets(const uint8_t *data, size_t size, struct packet *packets)
{
    uint32_t count = 0;
    size_t at = 0, before = 0;
    struct exec_record record;
    for (; exec_record_next(data, size, &at, &record); before = at)
        count = find_packets_of_record(data, before, &record, packets, count);
    return count;
}

/* Lets the sizes of a record and its stream grow or shrink. */
static void resize(uint8_t *data, const struct packet *packet, uint32_t bytes)
{
    ag_store_u32(data + packet->record + 4, ag_load_u32(data + packet->record + 4) + bytes);
    ag_store_u32(data + packet->stream + 8, ag_load_u32(data + packet->stream + 8) + bytes);
}

/* Puts bytes in front of a packet. They may be a packet of the same input. */
static size_t insert(uint8_t *data, size_t size, size_t max_size, const struct packet *before,
                     const uint8_t *bytes, uint32_t count)
{
    uint8_t *const copy = malloc(count);
    if (!copy || count > max_size - size) {
        free(copy);
        return size;
    }
    memcpy(copy, bytes, count);
    memmove(data + before->at + count, data + before->at, size - before->at);
    memcpy(data + before->at, copy, count);
    resize(data, before, count);
    free(copy);
    return size + count;
}

static size_t drop(uint8_t *data, size_t size, const struct packet *packet)
{
    memmove(data + packet->at, data + packet->at + packet->size, size - packet->at - packet->size);
    resize(data, packet, 0u - packet->size);
    return size - packet->size;
}

/* ---- Changes ------------------------------------------------------------------------------------------- */

static uint32_t interesting(uint64_t *random, uint32_t old)
{
    static const uint32_t corners[] = {0,          1,          2,          3,          4,          7,
                                       16,         64,         255,        256,        1024,       4096,
                                       16384,      65535,      65536,      0x3f800000, 0x7fffffff, 0x80000000,
                                       0xbf800000, 0x7f800000, 0x7fc00000, 0xfffffff0, 0xffffffff};
    switch (next_random(random) % 4) {
    case 0:
        return corners[next_random(random) % AG_COUNT_OF(corners)];
    case 1:
        return next_random(random) % 64;
    case 2:
        return old + 1 - 2 * (next_random(random) % 2);
    default:
        return old ^ UINT32_C(1) << next_random(random) % 32;
    }
}

static void change_dword(uint8_t *data, const struct packet *packet, uint64_t *random)
{
    const uint32_t dwords = (packet->size - PACKET_HEADER_BYTES) / 4;
    if (!dwords)
        return;
    /* The structure is at the start, and long payloads are data of shaders and resources. */
    const uint32_t reach = dwords > 24 && next_random(random) % 4 != 0 ? 24 : dwords;
    uint8_t *const at = data + packet->at + PACKET_HEADER_BYTES + (size_t)(next_random(random) % reach) * 4;
    ag_store_u32(at, interesting(random, ag_load_u32(at)));
}

/* The header of the stream and nothing else: mostly its size, which then ends the stream early, in a packet
 * or between two, or is more than there is. */
static void change_header(uint8_t *data, const struct packet *packet, uint64_t *random)
{
    enum { SIZE_AT = offsetof(struct aerogpu_cmd_stream_header, size_bytes) };
    if (next_random(random) % 4 == 0) {
        uint8_t *const at = data + packet->stream + next_random(random) % (STREAM_HEADER_BYTES / 4) * 4;
        ag_store_u32(at, interesting(random, ag_load_u32(at)));
    } else {
        const uint32_t end = (uint32_t)(packet->at - packet->stream) + next_random(random) % 3 * 4;
        uint8_t *const at = data + packet->stream + SIZE_AT;
        ag_store_u32(at, next_random(random) % 2 == 0 ? end : interesting(random, ag_load_u32(at)));
    }
}

/* A dword of another packet, which may be a handle. */
static void copy_dword(uint8_t *data, const struct packet *to, const struct packet *from, uint64_t *random)
{
    const uint32_t to_dwords = (to->size - PACKET_HEADER_BYTES) / 4;
    const uint32_t from_dwords = (from->size - PACKET_HEADER_BYTES) / 4;
    if (to_dwords && from_dwords)
        memcpy(data + to->at + PACKET_HEADER_BYTES + (size_t)(next_random(random) % to_dwords) * 4,
               data + from->at + PACKET_HEADER_BYTES + (size_t)(next_random(random) % from_dwords) * 4, 4);
}

/* The end of what another packet names first, which is mostly what it makes. */
static size_t insert_destroy(uint8_t *data, size_t size, size_t max_size, const struct packet *packet,
                             const struct packet *other, uint64_t *random)
{
    static const uint32_t opcodes[] = {AEROGPU_CMD_DESTROY_RESOURCE,   AEROGPU_CMD_DESTROY_TEXTURE_VIEW,
                                       AEROGPU_CMD_DESTROY_SHADER,     AEROGPU_CMD_DESTROY_INPUT_LAYOUT,
                                       AEROGPU_CMD_DESTROY_SAMPLER,    AEROGPU_CMD_EXT_DESTROY_VIEW,
                                       AEROGPU_CMD_EXT_DESTROY_OBJECT, AEROGPU_CMD_EXT_DESTROY_CONTEXT};
    uint8_t destroy[PACKET_HEADER_BYTES + 8] = {0};
    ag_store_u32(destroy, opcodes[next_random(random) % AG_COUNT_OF(opcodes)]);
    ag_store_u32(destroy + 4, sizeof destroy);
    if (other->size > PACKET_HEADER_BYTES)
        memcpy(destroy + PACKET_HEADER_BYTES, data + other->at + PACKET_HEADER_BYTES, 4);
    return insert(data, size, max_size, packet, destroy, sizeof destroy);
}

/* Another record in front of that of a packet, of a kind that is nothing but a head. */
static size_t insert_record(uint8_t *data, size_t size, size_t max_size, const struct packet *packet,
                            uint64_t *random)
{
    const uint32_t kind = EXEC_RECORD_RESET + next_random(random) % (EXEC_RECORD_KINDS - EXEC_RECORD_RESET);
    const uint8_t record[EXEC_RECORD_BYTES] = {(uint8_t)kind, (uint8_t)next_random(random)};
    if (size > max_size - sizeof record)
        return size;
    memmove(data + packet->record + sizeof record, data + packet->record, size - packet->record);
    memcpy(data + packet->record, record, sizeof record);
    return size + sizeof record;
}

static size_t change(uint8_t *data, size_t size, size_t max_size, uint64_t *random)
{
    static struct packet packets[MOST_PACKETS];
    const uint32_t count = find_packets(data, size, packets);
    if (!count)
        return LLVMFuzzerMutate(data, size, max_size);
    const struct packet *const packet = &packets[next_random(random) % count];
    const struct packet *const other = &packets[next_random(random) % count];
    switch (next_random(random) % 13) {
    case 0:
    case 1:
        return insert(data, size, max_size, packet, data + other->at, other->size);
    case 2:
        return drop(data, size, packet);
    case 3:
        copy_dword(data, packet, other, random);
        return size;
    case 4:
        data[packet->record + 1] = (uint8_t)(next_random(random) % 3);
        return size;
    case 5:
        return insert_record(data, size, max_size, packet, random);
    case 6: /* bytes anywhere in the packet, its size included */
        LLVMFuzzerMutate(data + packet->at, packet->size, packet->size);
        return size;
    case 7:
        return insert_destroy(data, size, max_size, packet, other, random);
    case 8:
        change_header(data, packet, random);
        return size;
    default:
        change_dword(data, packet, random);
        return size;
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    uint64_t random = seed;
    if (next_random(&random) % 32 == 0)
        return LLVMFuzzerMutate(data, size, max_size);
    for (uint32_t changes = 1 + next_random(&random) % 4; changes > 0; changes--)
        size = change(data, size, max_size, &random);
    return size;
}

/* Packets of another input join, a run of them. */
size_t LLVMFuzzerCustomCrossOver(const uint8_t *data, size_t size, const uint8_t *other, size_t other_size,
                                 uint8_t *out, size_t max_size, unsigned seed)
{
    static struct packet packets[MOST_PACKETS], others[MOST_PACKETS];
    uint64_t random = seed;
    if (size > max_size)
        return 0;
    memcpy(out, data, size);
    const uint32_t count = find_packets(data, size, packets);
    const uint32_t other_count = find_packets(other, other_size, others);
    if (!count || !other_count)
        return size;
    const struct packet *const before = &packets[next_random(&random) % count];
    const struct packet *const first = &others[next_random(&random) % other_count];
    uint32_t bytes = 0;
    for (uint32_t i = 1 + next_random(&random) % 16; i > 0; i--) {
        const struct packet *const last = &others[(size_t)(first - others) + i - 1];
        if (last >= others + other_count || last->record != first->record)
            continue;
        bytes = (uint32_t)(last->at + last->size - first->at);
        break;
    }
    return insert(out, size, max_size, before, other + first->at, bytes);
}
