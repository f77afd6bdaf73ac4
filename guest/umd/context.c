/* SPDX-License-Identifier: MIT
 *
 * Contexts: immediate ones write where the device reads, deferred ones into private memory.
 */
#include "guest/umd/context.h"

#include "guest/core/memory.h"
#include "guest/umd/map.h"

#define DEFERRED_BYTES (64u << 10)
#define MOST_DEFERRED_BYTES ((64u << 20) - 4096u)

const struct umd_stage_words umd_stage_words[UMD_STAGE_COUNT] = {
    [UMD_STAGE_PIXEL] = {AEROGPU_SHADER_STAGE_PIXEL,    0                             },
    [UMD_STAGE_VERTEX] = {AEROGPU_SHADER_STAGE_VERTEX,   0                             },
    [UMD_STAGE_GEOMETRY] = {AEROGPU_SHADER_STAGE_GEOMETRY, 0                             },
    [UMD_STAGE_HULL] = {AEROGPU_SHADER_STAGE_COMPUTE,  AEROGPU_SHADER_STAGE_EX_HULL  },
    [UMD_STAGE_DOMAIN] = {AEROGPU_SHADER_STAGE_COMPUTE,  AEROGPU_SHADER_STAGE_EX_DOMAIN},
    [UMD_STAGE_COMPUTE] = {AEROGPU_SHADER_STAGE_COMPUTE,  0                             },
};

/* ---- Life ---------------------------------------------------------------------------------------------- */

void umd_context_init(struct umd_context *context, struct umd_device *device, bool is_deferred)
{
    memset(context, 0, sizeof *context);
    context->device = device;
    context->is_deferred = is_deferred;
    guest_stream_init(&context->stream, device->guest,
                      is_deferred ? 0 : guest_device_new_context(device->guest), 0);
}

void umd_context_fini(struct umd_context *context)
{
    guest_stream_fini(&context->stream);
    umd_forget_deferred_maps(context);
    umd_release(context->device, context->maps);
    umd_release(context->device, context->packets);
    umd_release(context->device, context->ended.objects);
    umd_release(context->device, context->written.objects);
}

enum umd_status umd_create_deferred_context(struct umd_device *device, struct umd_context **context)
{
    *context = umd_allocate(device, sizeof **context);
    if (*context == NULL)
        return UMD_NO_MEMORY;
    umd_context_init(*context, device, true);
    return UMD_OK;
}

void umd_destroy_deferred_context(struct umd_context *context)
{
    if (context == NULL)
        return;
    struct umd_device *device = context->device;
    umd_context_fini(context);
    umd_release(device, context);
}

struct umd_device *umd_context_device(struct umd_context *context)
{
    return context->device;
}

bool umd_context_is_deferred(const struct umd_context *context)
{
    return context->is_deferred;
}

void umd_context_forget_state(struct umd_context *context)
{
    context->shaders_changed = false;
    memset(context->shaders, 0, sizeof context->shaders);
    memset(context->instance_counts, 0, sizeof context->instance_counts);
    memset(context->vertex_slots, 0, sizeof context->vertex_slots);
    context->predicate = NULL;
    context->predicate_value = false;
    context->pending_slots = 0;
    context->layout = NULL;
    context->index_buffer = NULL;
    context->index_bytes = context->index_offset = context->topology = 0;
}

/* ---- Packets ------------------------------------------------------------------------------------------- */

/* Room in a deferred context's memory; null: none. */
static uint8_t *grow_packets(struct umd_context *context, uint64_t size)
{
    if (context->out_of_memory)
        return NULL;
    const uint32_t used = context->packets != NULL ? (uint32_t)(context->stream.at - context->packets) : 0;
    if (size > MOST_DEFERRED_BYTES - used)
        return NULL;
    uint64_t capacity = context->packet_capacity != 0 ? context->packet_capacity : DEFERRED_BYTES;
    while (capacity - used < size)
        capacity *= 2;
    const struct guest_allocator *allocator = guest_device_allocator(context->device->guest);
    uint8_t *packets = allocator->allocate(allocator->user, (size_t)capacity);
    if (packets == NULL)
        return NULL;
    if (used != 0)
        memcpy(packets, context->packets, used);
    umd_release(context->device, context->packets);
    context->packets = packets;
    context->packet_capacity = (uint32_t)capacity;
    context->stream.at = packets + used + size;
    context->stream.end = packets + capacity;
    return packets + used;
}

static void *extend_deferred(struct umd_context *context, uint32_t size)
{
    uint8_t *packet = grow_packets(context, size);
    if (packet != NULL)
        return packet;
    /* The list is not finished; what comes goes nowhere. */
    context->out_of_memory = true;
    context->stream.at = context->stream.end = context->stream.sink;
    return context->stream.sink;
}

static void make_room(struct umd_context *context, uint64_t size)
{
    if (guest_stream_has_packets(&context->stream) &&
        (uint64_t)(context->stream.end - context->stream.at) < size)
        umd_context_submit(context);
    atomic_store_explicit(&context->device->immediate_has_packets, true, memory_order_relaxed);
}

void *umd_context_extend(struct umd_context *context, uint32_t size)
{
    if (context->is_deferred)
        return extend_deferred(context, size);
    make_room(context, size);
    return guest_stream_extend(&context->stream, size);
}

void *umd_long_packet(struct umd_context *context, uint32_t opcode, uint64_t size)
{
    if (size <= GUEST_PACKET_BYTES)
        return umd_packet(context, opcode, (uint32_t)size);
    if (!context->is_deferred) {
        make_room(context, size);
        return guest_stream_long_packet(&context->stream, opcode, size);
    }
    if ((uint64_t)(context->stream.end - context->stream.at) >= size)
        return umd_packet(context, opcode, (uint32_t)size);
    struct aerogpu_cmd_hdr *header = (struct aerogpu_cmd_hdr *)(void *)grow_packets(context, size);
    if (header != NULL)
        *header = (struct aerogpu_cmd_hdr){opcode, (uint32_t)size};
    return header;
}

/* ---- Submission ---------------------------------------------------------------------------------------- */

enum guest_status umd_context_close(struct umd_context *context)
{
    struct umd_device *device = context->device;
    if (device->before_submission != NULL)
        device->before_submission(device->user_of_before);
    const enum guest_status status = umd_submit_creations(device);
    umd_read_newer(context);
    guest_device_lock_user(device->guest);
    umd_write_endings(device, &context->stream);
    guest_device_unlock_user(device->guest);
    return status;
}

enum umd_status umd_context_hand_over(struct umd_context *context, enum guest_status closed, uint32_t flags)
{
    struct umd_device *device = context->device;
    const enum guest_status status =
        closed == GUEST_OK ? guest_stream_submit(&context->stream, flags, NULL) : closed;
    atomic_store_explicit(&device->immediate_has_packets, false, memory_order_release);
    umd_device_fails(device, status);
    return status == GUEST_OK ? UMD_OK : UMD_DEVICE_REMOVED;
}

enum umd_status umd_context_submit(struct umd_context *context)
{
    return umd_context_hand_over(context, umd_context_close(context), AEROGPU_SUBMIT_FLAG_NONE);
}

uint64_t umd_ticket_fence(const struct umd_context *context, uint64_t ticket)
{
    return ticket != 0 ? guest_stream_fence(&context->stream, ticket - 1) : 0;
}

bool umd_ticket_is_done(struct umd_context *context, uint64_t ticket)
{
    const uint64_t fence = umd_ticket_fence(context, ticket);
    return ticket == 0 || (fence != 0 && guest_device_completed_fence(context->device->guest) >= fence);
}

enum umd_status umd_wait_for_ticket(struct umd_context *context, uint64_t ticket, bool do_not_wait)
{
    if (umd_ticket_is_done(context, ticket))
        return UMD_OK;
    if (umd_ticket_fence(context, ticket) == 0 && umd_context_submit(context) != UMD_OK)
        return UMD_DEVICE_REMOVED;
    return umd_wait_for_fence(context->device, umd_ticket_fence(context, ticket),
                              do_not_wait ? 0 : UINT64_MAX);
}

enum umd_status umd_context_block(struct umd_context *context, uint64_t size, struct guest_block *block)
{
    enum guest_status status = guest_block_allocate(context->device->guest, size, block);
    if (status == GUEST_NO_MEMORY && umd_context_submit(context) == UMD_OK)
        status = guest_block_allocate(context->device->guest, size, block);
    if (status == GUEST_DEVICE_LOST)
        umd_device_fails(context->device, status);
    return umd_status_from(status);
}

enum umd_status umd_flush(struct umd_context *context, uint64_t *fence)
{
    const enum umd_status status = umd_context_submit(context);
    if (fence != NULL)
        *fence = guest_device_submitted_fence(context->device->guest);
    return status;
}

enum umd_status umd_wait_idle(struct umd_context *context)
{
    uint64_t fence;
    const enum umd_status status = umd_flush(context, &fence);
    return status == UMD_OK ? umd_wait_for_fence(context->device, fence, UINT64_MAX) : status;
}

/* ---- Predication --------------------------------------------------------------------------------------- */

static void set_predication(struct umd_context *context, aerogpu_handle_t predicate, bool value)
{
    struct aerogpu_cmd_ext_set_predication *packet =
        umd_packet(context, AEROGPU_CMD_EXT_SET_PREDICATION, sizeof *packet);
    packet->query_handle = predicate;
    packet->value = value;
}

void umd_suspend_predication(struct umd_context *context)
{
    if (context->predicate != NULL)
        set_predication(context, 0, false);
}

void umd_resume_predication(struct umd_context *context)
{
    if (context->predicate != NULL)
        set_predication(context, umd_handle(context->predicate), context->predicate_value);
}

void umd_set_predication(struct umd_context *context, struct umd_query *predicate, bool value)
{
    context->predicate = predicate;
    context->predicate_value = value;
    set_predication(context, umd_handle(predicate), value);
}

/* ---- Text ---------------------------------------------------------------------------------------------- */

void umd_set_marker(struct umd_context *context, const char *text, uint32_t length)
{
    const uint32_t most = GUEST_PACKET_BYTES - (uint32_t)sizeof(struct aerogpu_cmd_hdr);
    const uint32_t taken = length < most ? length : most;
    const uint32_t padded = (taken + 3) & ~UINT32_C(3);
    uint8_t *packet =
        umd_packet(context, AEROGPU_CMD_DEBUG_MARKER, (uint32_t)sizeof(struct aerogpu_cmd_hdr) + padded);
    uint8_t *bytes = packet + sizeof(struct aerogpu_cmd_hdr);
    memset(bytes, 0, padded);
    memcpy(bytes, text, taken);
}
