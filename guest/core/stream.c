/* SPDX-License-Identifier: MIT
 *
 * Streams: command buffers out of the heap, one after the other.
 */
#include "guest/core/device.h"
#include "guest/core/memory.h"

#define DEFAULT_BLOCK_BYTES (256u << 10)
#define HEADER_BYTES ((uint32_t)sizeof(struct aerogpu_cmd_stream_header))

/* The longest stream that hosts take (ABI 14). */
#define MOST_STREAM_BYTES (64u << 20)

void guest_stream_init(struct guest_stream *stream, struct guest_device *device, uint32_t context_id,
                       uint32_t block_bytes)
{
    memset(stream, 0, sizeof *stream);
    stream->device = device;
    stream->context_id = context_id;
    stream->block_bytes = block_bytes != 0 ? block_bytes : DEFAULT_BLOCK_BYTES;
    stream->at = stream->end = stream->sink;
}

bool guest_stream_has_packets(const struct guest_stream *stream)
{
    return stream->block.bytes != NULL && stream->at > stream->block.bytes + HEADER_BYTES;
}

static void close_block(struct guest_stream *stream)
{
    stream->block = (struct guest_block){0};
    stream->at = stream->end = stream->sink;
}

static void fail(struct guest_stream *stream, enum guest_status status)
{
    if (stream->status == GUEST_OK)
        stream->status = status;
    guest_block_free(stream->device, &stream->block);
    close_block(stream);
}

void guest_stream_fini(struct guest_stream *stream)
{
    const struct guest_allocator *allocator = guest_device_allocator(stream->device);
    for (uint32_t i = 0; i < stream->retired_count; i++)
        guest_block_free(stream->device, &stream->retired[i]);
    guest_block_free(stream->device, &stream->block);
    allocator->release(allocator->user, stream->retired);
    stream->retired = NULL;
    stream->retired_count = stream->retired_capacity = 0;
    close_block(stream);
}

/* ---- Submitting ---------------------------------------------------------------------------------------- */

static void finish_block(struct guest_stream *stream)
{
    const struct aerogpu_cmd_stream_header header = {
        .magic = AEROGPU_CMD_STREAM_MAGIC,
        .abi_version = AEROGPU_ABI_VERSION_U32,
        .size_bytes = (uint32_t)(stream->at - stream->block.bytes),
    };
    memcpy(stream->block.bytes, &header, sizeof header);
}

/* Also without packets, where blocks wait to be freed. */
static enum guest_status submit(struct guest_stream *stream, uint32_t flags)
{
    struct guest_submission submission = {
        .context_id = stream->context_id,
        .flags = flags,
        .retired = stream->retired,
        .retired_count = stream->retired_count,
    };
    if (guest_stream_has_packets(stream)) {
        finish_block(stream);
        submission.commands = stream->block;
        submission.command_bytes = (uint32_t)(stream->at - stream->block.bytes);
    }
    uint64_t fence = 0;
    const enum guest_status status = guest_device_submit(stream->device, &submission, &fence);
    if (fence != 0) {
        stream->retired_count = 0;
        if (submission.command_bytes != 0)
            close_block(stream);
        stream->fences[stream->submissions++ % GUEST_STREAM_FENCES] = fence;
    }
    if (status != GUEST_OK)
        fail(stream, status);
    return status;
}

enum guest_status guest_stream_submit(struct guest_stream *stream, uint32_t flags, uint64_t *fence)
{
    enum guest_status status = stream->status;
    if (status == GUEST_OK && (guest_stream_has_packets(stream) || stream->retired_count != 0))
        status = submit(stream, flags);
    if (fence != NULL)
        *fence = stream->submissions != 0 ? guest_stream_fence(stream, stream->submissions - 1) : 0;
    return status;
}

uint64_t guest_stream_fence(const struct guest_stream *stream, uint64_t number)
{
    if (number >= stream->submissions)
        return 0;
    if (stream->submissions - number > GUEST_STREAM_FENCES)
        number = stream->submissions - GUEST_STREAM_FENCES;
    return stream->fences[number % GUEST_STREAM_FENCES];
}

/* ---- Packets ------------------------------------------------------------------------------------------- */

static enum guest_status open_block(struct guest_stream *stream, uint32_t packet_bytes)
{
    const uint32_t need = HEADER_BYTES + packet_bytes;
    const uint32_t size = need > stream->block_bytes ? need : stream->block_bytes;
    enum guest_status status = guest_block_allocate(stream->device, size, &stream->block);
    /* A heap that is nearly full may still have room for less. */
    if (status == GUEST_NO_MEMORY && need < size)
        status = guest_block_allocate(stream->device, need, &stream->block);
    if (status != GUEST_OK)
        return status;
    stream->at = stream->block.bytes + HEADER_BYTES;
    stream->end = stream->block.bytes + stream->block.size;
    return GUEST_OK;
}

/* Room behind the stream's packets, in a new block if need be. */
static enum guest_status make_room(struct guest_stream *stream, uint32_t size)
{
    if (stream->block.bytes != NULL && (size_t)(stream->end - stream->at) >= size)
        return GUEST_OK;
    if (guest_stream_has_packets(stream)) {
        const enum guest_status status = submit(stream, AEROGPU_SUBMIT_FLAG_NONE);
        if (status != GUEST_OK)
            return status;
    }
    guest_block_free(stream->device, &stream->block);
    close_block(stream);
    return open_block(stream, size);
}

void *guest_stream_extend(struct guest_stream *stream, uint32_t size)
{
    if (stream->status == GUEST_OK) {
        const enum guest_status status = make_room(stream, size);
        if (status != GUEST_OK)
            fail(stream, status);
    }
    if (stream->status != GUEST_OK)
        return stream->sink;
    uint8_t *packet = stream->at;
    stream->at += size;
    return packet;
}

void *guest_stream_long_packet(struct guest_stream *stream, uint32_t opcode, uint64_t size)
{
    if (size <= GUEST_PACKET_BYTES)
        return guest_stream_packet(stream, opcode, (uint32_t)size);
    if (stream->status != GUEST_OK || size > MOST_STREAM_BYTES - HEADER_BYTES)
        return NULL;
    const enum guest_status status = make_room(stream, (uint32_t)size);
    if (status == GUEST_NO_MEMORY)
        return NULL;
    if (status != GUEST_OK) {
        fail(stream, status);
        return NULL;
    }
    return guest_stream_packet(stream, opcode, (uint32_t)size);
}

/* ---- Blocks that packets name -------------------------------------------------------------------------- */

static bool grow_retired(struct guest_stream *stream)
{
    const struct guest_allocator *allocator = guest_device_allocator(stream->device);
    const uint32_t capacity = stream->retired_capacity != 0 ? stream->retired_capacity * 2 : 64;
    struct guest_block *retired = allocator->allocate(allocator->user, capacity * sizeof *retired);
    if (retired == NULL)
        return false;
    if (stream->retired_count != 0)
        memcpy(retired, stream->retired, stream->retired_count * sizeof *retired);
    allocator->release(allocator->user, stream->retired);
    stream->retired = retired;
    stream->retired_capacity = capacity;
    return true;
}

void guest_stream_retire(struct guest_stream *stream, struct guest_block *block)
{
    if (block->bytes == NULL)
        return;
    if (stream->retired_count == stream->retired_capacity && !grow_retired(stream)) {
        fail(stream, GUEST_NO_MEMORY);
        return;
    }
    stream->retired[stream->retired_count++] = *block;
    *block = (struct guest_block){0};
}
