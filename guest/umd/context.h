/* SPDX-License-Identifier: MIT
 *
 * Contexts: where packets go, and the little of the state that the driver has to know.
 */
#ifndef GUEST_UMD_CONTEXT_H
#define GUEST_UMD_CONTEXT_H

#include "guest/umd/device.h"
#include "guest/umd/objects.h"
#include "guest/umd/resource.h"

/* Bits of `pending_slots` beside those of vertex buffers. */
#define UMD_PENDING_INDEX_BUFFER (UINT64_C(1) << UMD_VERTEX_BUFFER_SLOTS)

struct umd_vertex_slot {
    struct umd_resource *buffer;
    uint32_t stride, offset;
};

/* Memory that a deferred context mapped, and gives to the host with its packets. */
struct umd_deferred_map {
    struct umd_resource *resource;
    uint32_t subresource;
    uint8_t *bytes;
    uint8_t mapped; /* enum umd_map, 0: not mapped */
};

struct umd_context {
    /* The immediate context's stream. A deferred context uses its `at` and `end`, over memory of its own. */
    struct guest_stream stream;
    struct umd_device *device;
    bool is_deferred;

    bool shaders_changed;
    aerogpu_handle_t shaders[UMD_STAGE_COUNT];
    uint32_t instance_counts[UMD_STAGE_COUNT];
    struct umd_query *predicate;
    bool predicate_value;

    /* Which bytes of vertex and index buffers draws read. */
    uint64_t pending_slots;
    struct umd_vertex_slot vertex_slots[UMD_VERTEX_BUFFER_SLOTS];
    const struct umd_input_layout *layout;
    struct umd_resource *index_buffer;
    uint32_t index_bytes, index_offset;
    uint32_t topology;

    /* Immediate: subresources of staging resources that the host has newer than the guest. */
    struct umd_subresource *newer;

    /* Deferred. */
    uint8_t *packets;
    uint32_t packet_capacity;
    bool out_of_memory;
    struct umd_deferred_map *maps;
    uint32_t map_count, map_capacity;
    struct umd_noted ended, written; /* as the command list will have them */
};

void umd_context_init(struct umd_context *context, struct umd_device *device, bool is_deferred);
void umd_context_fini(struct umd_context *context);

/* Deferred: notes what happens to an object when the list is executed. */
void umd_note_in_list(struct umd_context *context, struct umd_noted *noted, void *object);

/* What Direct3D's default state is for the driver. */
void umd_context_forget_state(struct umd_context *context);

/* Room where the context's packets have none left. */
void *umd_context_extend(struct umd_context *context, uint32_t size);

/* A packet of at most GUEST_PACKET_BYTES with its header written; never null. */
static inline void *umd_packet(struct umd_context *context, uint32_t opcode, uint32_t size)
{
    uint8_t *packet = context->stream.at;
    if ((size_t)(context->stream.end - packet) < size)
        packet = (uint8_t *)umd_context_extend(context, size);
    else
        context->stream.at = packet + size;
    struct aerogpu_cmd_hdr *header = (struct aerogpu_cmd_hdr *)(void *)packet;
    header->opcode = opcode;
    header->size_bytes = size;
    return packet;
}

/* Of any size; null: there is no such room. */
void *umd_long_packet(struct umd_context *context, uint32_t opcode, uint64_t size);

#define UMD_HEADER(opcode, packet)                                                                           \
    {                                                                                                        \
        (opcode), sizeof *(packet)                                                                           \
    }

/* The immediate context: everything that is recorded goes to the device. The first part of that adds what
 * belongs at the end; more packets may follow before the second one. `flags` is enum aerogpu_submit_flags. */
enum umd_status umd_context_submit(struct umd_context *context);
enum guest_status umd_context_close(struct umd_context *context);
enum umd_status umd_context_hand_over(struct umd_context *context, enum guest_status closed, uint32_t flags);

/* The number for guest_stream_fence() of what is recorded now. */
static inline uint64_t umd_context_ticket(const struct umd_context *context)
{
    return context->stream.submissions + 1;
}

/* Of a ticket: 0 where it is not submitted yet. Ticket 0 is done. */
uint64_t umd_ticket_fence(const struct umd_context *context, uint64_t ticket);
bool umd_ticket_is_done(struct umd_context *context, uint64_t ticket);

/* Submits if need be, and waits. */
enum umd_status umd_wait_for_ticket(struct umd_context *context, uint64_t ticket, bool do_not_wait);

/* A block of the heap for the immediate context: submits what holds blocks back. */
enum umd_status umd_context_block(struct umd_context *context, uint64_t size, struct guest_block *block);

/* Packets that a predicate must not stop stand between these. */
void umd_suspend_predication(struct umd_context *context);
void umd_resume_predication(struct umd_context *context);

/* The words of a packet that say its stage. */
struct umd_stage_words {
    uint32_t stage, stage_ex;
};
extern const struct umd_stage_words umd_stage_words[UMD_STAGE_COUNT];

static inline uint32_t umd_bits(float value)
{
    union {
        float value;
        uint32_t bits;
    } both = {value};
    return both.bits;
}

#endif
