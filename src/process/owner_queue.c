/* SPDX-License-Identifier: MIT
 *
 * What goes to the GPU process: at once where socket and ring have room, else in order, later.
 */
#include <stdlib.h>
#include <string.h>

#include "process/owner.h"

/* Bytes in up to two parts that lie apart. */
struct parts {
    const uint8_t *first, *second;
    size_t first_size, size; /* `size` of both */
};

static void copy_part(const struct parts *parts, size_t from, uint8_t *to, size_t size)
{
    const size_t left = from < parts->first_size ? parts->first_size - from : 0;
    const size_t of_first = left < size ? left : size;
    if (of_first != 0)
        memcpy(to, parts->first + from, of_first);
    if (size != of_first)
        memcpy(to + of_first, parts->second + (from + of_first - parts->first_size), size - of_first);
}

/* The bytes of a submission follow the message in pieces; those of an answer, of which there are no more than
 * a piece, belong to the message itself. */
static bool has_pieces(const struct ag_message *message)
{
    return message->kind == AG_MESSAGE_SUBMIT;
}

static enum ag_channel_result send_with(struct ag_owner *owner, struct ag_message *message,
                                        const struct parts *parts, size_t from, uint32_t size)
{
    uint8_t *const to = size != 0 ? ag_channel_reserve(&owner->channel, message, size) : NULL;
    if (size != 0 && to == NULL)
        return AG_CHANNEL_LATER;
    if (size != 0)
        copy_part(parts, from, to, size);
    return ag_channel_send(&owner->channel, message);
}

/* Sends as much as goes. *is_begun and *done say how far this came. True when all is sent. A process that is
 * gone takes everything: its end is noticed elsewhere. */
static bool send_all(struct ag_owner *owner, const struct ag_message *message, const struct parts *parts,
                     bool *is_begun, size_t *done)
{
    struct ag_message copy = *message;
    if (!*is_begun) {
        const uint32_t size = has_pieces(message) ? 0 : (uint32_t)parts->size;
        if (send_with(owner, &copy, parts, 0, size) == AG_CHANNEL_LATER)
            return false;
        *is_begun = true;
        *done = size;
    }
    while (*done < parts->size) {
        const size_t left = parts->size - *done;
        const uint32_t piece = ag_piece_of(left);
        copy = ag_message_of(AG_MESSAGE_SUBMIT_DATA, message->epoch);
        if (send_with(owner, &copy, parts, *done, piece) == AG_CHANNEL_LATER)
            return false;
        *done += piece;
    }
    return true;
}

/* Copies what was not sent. */
static bool wait_for_room(struct ag_owner *owner, const struct ag_message *message, const struct parts *parts,
                          bool is_begun, size_t done)
{
    const size_t size = parts->size - done;
    struct ag_waiting *const waiting = malloc(sizeof *waiting + size);
    if (waiting == NULL)
        return false;
    *waiting = (struct ag_waiting){.message = *message, .is_begun = is_begun, .size = size};
    copy_part(parts, done, waiting->bytes, size);
    *owner->waiting_end = waiting;
    owner->waiting_end = &waiting->next;
    owner->waiting_bytes += size;
    return true;
}

static bool send_parts(struct ag_owner *owner, const struct ag_message *message, const struct parts *parts)
{
    bool is_begun = false;
    size_t done = 0;
    if (ag_owner_has_process(owner) && owner->waiting == NULL &&
        send_all(owner, message, parts, &is_begun, &done))
        return true;
    return wait_for_room(owner, message, parts, is_begun, done);
}

bool ag_owner_is_looked_at(const struct ag_owner *owner)
{
    const struct agpu_executor_events *const events = &owner->events;
    return events->presented != NULL && (events->looks == NULL || events->looks(events->user));
}

bool ag_owner_send_submission(struct ag_owner *owner, const struct agpu_submission *submission)
{
    const size_t stream_size = submission->stream != NULL ? submission->stream_size : 0;
    const struct parts parts = {
        .first = submission->stream,
        .first_size = stream_size,
        .second = (const uint8_t *)submission->allocations,
        .size = stream_size + submission->allocation_count * sizeof *submission->allocations,
    };
    struct ag_message message = ag_message_of(AG_MESSAGE_SUBMIT, owner->epoch);
    message.as.submit = (struct ag_submit_message){
        .fence = submission->fence,
        .number = submission->number,
        .context_id = submission->context_id,
        .flags = submission->flags,
        .has_stream = submission->stream != NULL,
        .stream_size = submission->stream_size,
        .has_allocation_table = submission->has_allocation_table,
        .allocation_count = submission->allocation_count,
        .is_looked_at = ag_owner_is_looked_at(owner),
    };
    return send_parts(owner, &message, &parts);
}

bool ag_owner_send(struct ag_owner *owner, const struct ag_message *message, const uint8_t *bytes,
                   size_t size)
{
    const struct parts parts = {.first = bytes, .first_size = size, .size = size};
    return send_parts(owner, message, &parts);
}

/* What a process waits for before it asks again. */
static bool is_answer(uint16_t kind)
{
    return kind == AG_MESSAGE_READ_DONE || kind == AG_MESSAGE_WRITE_DONE || kind == AG_MESSAGE_CACHE_ENTRY;
}

void ag_owner_pump(struct ag_owner *owner)
{
    if (!ag_owner_has_process(owner))
        return;
    while (owner->waiting != NULL) {
        struct ag_waiting *const waiting = owner->waiting;
        const struct parts parts = {
            .first = waiting->bytes, .first_size = waiting->size, .size = waiting->size};
        if (!send_all(owner, &waiting->message, &parts, &waiting->is_begun, &waiting->done))
            return;
        owner->waiting = waiting->next;
        owner->waiting_bytes -= waiting->size;
        if (is_answer(waiting->message.kind))
            owner->is_answer_waiting = false;
        free(waiting);
    }
    owner->waiting_end = &owner->waiting;
}

void ag_owner_clear_waiting(struct ag_owner *owner)
{
    while (owner->waiting != NULL) {
        struct ag_waiting *const waiting = owner->waiting;
        owner->waiting = waiting->next;
        free(waiting);
    }
    owner->waiting_end = &owner->waiting;
    owner->waiting_bytes = 0;
    owner->is_answer_waiting = false;
}
