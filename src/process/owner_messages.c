/* SPDX-License-Identifier: MIT
 *
 * What a GPU process says, checked: it may have been taken over by a guest. What it sends can change what
 * that guest sees, in pictures, guest memory, diagnostics and fences, and nothing else.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/diag.h"
#include "base/text.h"
#include "cache/cache.h"
#include "process/owner.h"

#define FIRST_PICTURE_BYTES (UINT32_C(4) << 20)

static bool is_in_flight(const struct ag_owner *owner, uint32_t number)
{
    return ag_owner_in_flight(owner) != 0 && number >= owner->in_flight.data[owner->oldest].number &&
           number <= ag_vec_last(&owner->in_flight).number;
}

/* ---- Guest memory ------------------------------------------------------------------------------------- */

/* A process waits for its answer before it asks again. One answer at most waits for room, so that hostile
 * questions do not fill our memory. */
static bool send_answer(struct ag_owner *owner, const struct ag_message *answer, const uint8_t *bytes,
                        size_t size, const char **problem)
{
    if (owner->reset_is_wanted) /* which is the answer */
        return true;
    if (owner->is_answer_waiting) {
        *problem = "asked again before it took the last answer";
        return false;
    }
    if (!ag_owner_send(owner, answer, bytes, size)) {
        *problem = "could not be answered for want of memory";
        return false;
    }
    owner->is_answer_waiting = owner->waiting != NULL;
    return true;
}

static bool on_read(struct ag_owner *owner, const struct ag_message *message, const char **problem)
{
    const struct ag_read_message *const read = &message->as.read;
    struct ag_message answer = ag_message_of(AG_MESSAGE_READ_DONE, owner->epoch);
    /* Not into the ring at once: whoever hears of the access (a recorder) would read bytes there that the
     * process can change meanwhile. */
    uint8_t *const bytes = malloc(read->size);
    const bool is_good = bytes != NULL && owner->memory.read != NULL &&
                         owner->memory.read(owner->memory.user, read->gpa, bytes, read->size);
    answer.as.read_done.is_good = is_good;
    const bool is_sent = send_answer(owner, &answer, bytes, is_good ? read->size : 0, problem);
    free(bytes);
    return is_sent;
}

static bool same_packet(const struct agpu_place *a, const struct agpu_place *b)
{
    return a->submission == b->submission && a->packet == b->packet;
}

static void report_failed_write(struct ag_owner *owner, const struct ag_write_message *write, uint64_t gpa)
{
    const struct agpu_diag_sink *const sink = &owner->events.diagnostics;
    owner->has_failed_write = true;
    owner->failed_place = write->place;
    if (owner->write_error == AEROGPU_ERROR_NONE)
        owner->write_error = agpu_diag_error_register(AGPU_DIAG_EXEC_GUEST_MEMORY);
    ag_report_packet(sink, AGPU_DIAG_EXEC_GUEST_MEMORY, write->place, ag_message_packet_name(write->opcode),
                     "guest memory at 0x%" PRIx64 " (%" PRIu32 " bytes) is not writable", gpa,
                     write->row_bytes);
}

/* Stores rows up to the first that fails. How many were stored. */
static uint32_t store_rows(struct ag_owner *owner, const struct ag_write_message *write, const uint8_t *bytes)
{
    uint32_t row = 0;
    while (row < write->rows && owner->memory.write != NULL &&
           owner->memory.write(owner->memory.user, write->gpa + row * write->pitch,
                               bytes + (size_t)row * write->row_bytes, write->row_bytes))
        row++;
    return row;
}

static bool on_write(struct ag_owner *owner, const struct ag_message *message, const char **problem)
{
    const struct ag_write_message *const write = &message->as.write;
    /* As in one process, the first row that fails is the last of its packet. */
    const bool is_dropped =
        !write->is_waited_for && owner->has_failed_write && same_packet(&owner->failed_place, &write->place);
    uint32_t stored = 0;
    if (!is_dropped) {
        uint8_t *const bytes = malloc(message->size);
        if (bytes == NULL) {
            *problem = "could not be served for want of memory";
            return false;
        }
        memcpy(bytes, ag_channel_bytes(&owner->channel, message), message->size);
        stored = store_rows(owner, write, bytes);
        free(bytes);
    }
    if (write->is_waited_for) {
        struct ag_message answer = ag_message_of(AG_MESSAGE_WRITE_DONE, owner->epoch);
        answer.as.read_done.is_good = stored == write->rows;
        return send_answer(owner, &answer, NULL, 0, problem);
    }
    owner->failed_writeback_bytes += (uint64_t)(write->rows - stored) * write->row_bytes;
    if (stored != write->rows && !is_dropped)
        report_failed_write(owner, write, write->gpa + stored * write->pitch);
    return true;
}

/* ---- The persistent cache ----------------------------------------------------------------------------- */

/* Is in front of the entries of processes, and of no others. A process that was taken over may store under
 * any name, but what it stores is no entry for runs in one process; nor does it get what they have stored. */
static const uint8_t mark[8] = {'A', 'G', 'P', 'U', 'P', 'R', 'C', '1'};

/* Entries of both kinds with one key do not replace each other. */
static void own_name(const struct ag_message *message, uint8_t name[AGPU_CACHE_NAME_BYTES])
{
    memcpy(name, message->as.cache.name, AGPU_CACHE_NAME_BYTES);
    for (size_t i = 0; i < AGPU_CACHE_NAME_BYTES; i++)
        name[i] ^= 0xa5;
}

/* An entry on its way to the process. */
struct outgoing_entry {
    uint8_t *bytes;
    size_t size;
};

static void take_entry(void *taker, const void *bytes, size_t size)
{
    struct outgoing_entry *const entry = taker;
    if (size <= sizeof mark || size - sizeof mark > AG_PIECE_BYTES || entry->bytes != NULL ||
        memcmp(bytes, mark, sizeof mark) != 0)
        return;
    entry->bytes = malloc(size - sizeof mark);
    entry->size = entry->bytes != NULL ? size - sizeof mark : 0;
    if (entry->bytes != NULL)
        memcpy(entry->bytes, (const uint8_t *)bytes + sizeof mark, entry->size);
}

static bool on_cache_load(struct ag_owner *owner, const struct ag_message *message, const char **problem)
{
    const struct ag_message answer = ag_message_of(AG_MESSAGE_CACHE_ENTRY, owner->epoch);
    uint8_t name[AGPU_CACHE_NAME_BYTES];
    struct outgoing_entry entry = {0};
    own_name(message, name);
    ag_cache_load_raw(owner->cache, name, take_entry, &entry);
    const bool is_sent = send_answer(owner, &answer, entry.bytes, entry.size, problem);
    free(entry.bytes);
    return is_sent;
}

static void on_cache_store(struct ag_owner *owner, const struct ag_message *message)
{
    uint8_t name[AGPU_CACHE_NAME_BYTES];
    uint8_t *const bytes = malloc(sizeof mark + message->size);
    if (bytes == NULL)
        return;
    memcpy(bytes, mark, sizeof mark);
    memcpy(bytes + sizeof mark, ag_channel_bytes(&owner->channel, message), message->size);
    own_name(message, name);
    ag_cache_store_raw(owner->cache, name, bytes, sizeof mark + message->size);
    free(bytes);
}

/* ---- Pictures ----------------------------------------------------------------------------------------- */

void ag_owner_drop_picture(struct ag_owner *owner)
{
    free(owner->picture.pixels);
    owner->picture = (struct ag_incoming_picture){0};
}

/* Memory for the bytes that came, not for those that were promised. */
static bool make_room(struct ag_incoming_picture *picture, size_t size)
{
    if (size <= picture->capacity)
        return true;
    size_t capacity = picture->capacity != 0 ? picture->capacity * 2 : FIRST_PICTURE_BYTES;
    if (capacity < size)
        capacity = size;
    if (capacity > picture->size)
        capacity = picture->size;
    uint8_t *const larger = realloc(picture->pixels, capacity);
    if (larger == NULL)
        return false;
    picture->pixels = larger;
    picture->capacity = capacity;
    return true;
}

void ag_owner_show(struct ag_owner *owner)
{
    const struct ag_incoming_picture picture = owner->picture;
    const struct agpu_present present = {
        .submission = picture.head.submission,
        .scanout_id = picture.head.scanout_id,
        .flags = picture.head.flags,
        .width = picture.head.width,
        .height = picture.head.height,
        .format = picture.head.format,
        .pixels = picture.pixels,
        .swap_chain = picture.head.swap_chain,
        .sync_interval = picture.head.sync_interval,
        .pitch_bytes = picture.head.width * 4,
    };
    if (picture.pixels != NULL && owner->events.prepare != NULL &&
        !owner->events.prepare(owner->events.user, &present))
        return;
    owner->picture = (struct ag_incoming_picture){0};
    if (picture.head.has_pixels && picture.pixels == NULL)
        ag_report_no_memory(&owner->events.diagnostics);
    else if (owner->events.presented != NULL)
        owner->events.presented(owner->events.user, &present);
    free(picture.pixels);
}

static bool on_present(struct ag_owner *owner, const struct ag_message *message, const char **problem)
{
    const struct ag_present_message *const head = &message->as.present;
    if (owner->picture.head.width != 0 || !is_in_flight(owner, head->submission)) {
        *problem = "showed a picture out of turn";
        return false;
    }
    if (!head->has_pixels && owner->events.looks == NULL) {
        *problem = "showed no picture";
        return false;
    }
    owner->picture =
        (struct ag_incoming_picture){.head = *head, .size = (size_t)head->width * head->height * 4};
    owner->picture.is_whole = !head->has_pixels;
    return true;
}

static bool on_present_data(struct ag_owner *owner, const struct ag_message *message, const char **problem)
{
    struct ag_incoming_picture *const picture = &owner->picture;
    if (picture->head.width == 0 || message->size > picture->size - picture->filled) {
        *problem = "sent pixels of no picture";
        return false;
    }
    const bool is_dropped = picture->filled != 0 && picture->pixels == NULL;
    if (!is_dropped && make_room(picture, picture->filled + message->size)) {
        memcpy(picture->pixels + picture->filled, ag_channel_bytes(&owner->channel, message), message->size);
    } else {
        free(picture->pixels);
        picture->pixels = NULL;
    }
    picture->filled += message->size;
    picture->is_whole = picture->filled == picture->size;
    return true;
}

/* ---- The rest ----------------------------------------------------------------------------------------- */

static void on_diag(struct ag_owner *owner, const struct ag_message *message)
{
    const struct ag_diag_message *const said = &message->as.diag;
    const struct agpu_diag_sink *const sink = said->of_gpu ? &owner->said_sink : &owner->events.diagnostics;
    char text[AG_TEXT_BYTES + 1];
    memcpy(text, ag_channel_bytes(&owner->channel, message), message->size);
    text[message->size] = '\0';
    ag_text_make_plain(text, message->size);
    const struct agpu_diag diag = {
        .code = (enum agpu_diag_code)said->code,
        .severity = (enum agpu_severity)said->severity,
        .place = said->place,
        .message = text,
        .packet_name = ag_message_packet_name(said->opcode),
    };
    if (sink->report != NULL)
        sink->report(sink->user, &diag);
}

static void on_counters(struct ag_owner *owner, const struct ag_message *message)
{
    memcpy(&owner->counters, ag_channel_bytes(&owner->channel, message), sizeof owner->counters);
    owner->counters.size = sizeof owner->counters;
}

static bool on_contexts(struct ag_owner *owner, const struct ag_message *message, const char **problem)
{
    const uint8_t *const bytes = ag_channel_bytes(&owner->channel, message);
    const uint32_t count = message->as.contexts.count;
    for (uint32_t i = owner->context_count; i < count; i++)
        owner->contexts[i] = (struct agpu_context_counters){.size = sizeof *owner->contexts};
    owner->context_count = count;
    for (uint32_t at = 0; at < message->size; at += (uint32_t)sizeof *owner->contexts) {
        struct agpu_context_counters counters;
        memcpy(&counters, bytes + at, sizeof counters);
        const uint32_t place = counters.size;
        if (place >= count) {
            *problem = "counted for a context that is not there";
            return false;
        }
        counters.size = sizeof counters;
        owner->contexts[place] = counters;
    }
    return true;
}

void ag_owner_tell_loss(struct ag_owner *owner)
{
    owner->device_is_lost = true;
    if (owner->events.device_lost != NULL)
        owner->events.device_lost(owner->events.user);
}

void ag_owner_complete(struct ag_owner *owner, uint32_t error)
{
    const uint32_t number = owner->in_flight.data[owner->oldest++].number;
    if (owner->oldest == owner->in_flight.count)
        owner->oldest = owner->in_flight.count = 0;
    owner->has_failed_write = false;
    owner->write_error = AEROGPU_ERROR_NONE;
    if (owner->events.completed != NULL)
        owner->events.completed(owner->events.user, number, error);
}

static bool on_completed(struct ag_owner *owner, const struct ag_message *message, const char **problem)
{
    const struct ag_completed_message *const completed = &message->as.completed;
    if (owner->picture.head.width != 0 || ag_owner_in_flight(owner) == 0 ||
        completed->submission != owner->in_flight.data[owner->oldest].number) {
        *problem = "completed a submission out of turn";
        return false;
    }
    uint32_t error = completed->error;
    if (error == AEROGPU_ERROR_NONE)
        error = owner->write_error;
    ag_owner_complete(owner, error <= AEROGPU_ERROR_BACKEND ? error : (uint32_t)AEROGPU_ERROR_INTERNAL);
    return true;
}

static bool on_ready(struct ag_owner *owner, const struct ag_message *message, const char **problem)
{
    if (owner->state != AG_OWNER_STARTING) {
        *problem = "was ready twice";
        return false;
    }
    ag_adapter_fini(&owner->adapter);
    if (!ag_adapter_unpack(&owner->adapter, ag_channel_bytes(&owner->channel, message), message->size)) {
        ag_adapter_fini(&owner->adapter);
        *problem = "described no adapter";
        return false;
    }
    owner->state = AG_OWNER_READY;
    return true;
}

static bool on_failed(struct ag_owner *owner, const struct ag_message *message, const char **problem)
{
    *problem = "could not open a GPU";
    if (owner->state == AG_OWNER_STARTING)
        owner->failure = (enum agpu_status)message->as.failed.status;
    return false;
}

/* Kinds that belong to a device before the guest's last reset are too late. */
static bool is_late(const struct ag_owner *owner, const struct ag_message *message)
{
    if (message->epoch == owner->epoch)
        return false;
    switch (message->kind) {
    case AG_MESSAGE_READ:
    case AG_MESSAGE_WRITE:
    case AG_MESSAGE_CACHE_LOAD:
    case AG_MESSAGE_PRESENT:
    case AG_MESSAGE_PRESENT_DATA:
    case AG_MESSAGE_COUNTERS:
    case AG_MESSAGE_CONTEXTS:
    case AG_MESSAGE_COMPLETED:
    case AG_MESSAGE_SAVE_DATA:
    case AG_MESSAGE_SAVED:
    case AG_MESSAGE_LOADED:
        return true;
    case AG_MESSAGE_DIAG:
        return !message->as.diag.of_gpu;
    default:
        return false;
    }
}

bool ag_owner_handle(struct ag_owner *owner, const struct ag_message *message, const char **problem)
{
    if (is_late(owner, message))
        return true;
    switch (message->kind) {
    case AG_MESSAGE_READY:
        return on_ready(owner, message, problem);
    case AG_MESSAGE_FAILED:
        return on_failed(owner, message, problem);
    case AG_MESSAGE_READ:
        return on_read(owner, message, problem);
    case AG_MESSAGE_WRITE:
        return on_write(owner, message, problem);
    case AG_MESSAGE_CACHE_LOAD:
        return on_cache_load(owner, message, problem);
    case AG_MESSAGE_CACHE_STORE:
        on_cache_store(owner, message);
        return true;
    case AG_MESSAGE_PRESENT:
        return on_present(owner, message, problem);
    case AG_MESSAGE_PRESENT_DATA:
        return on_present_data(owner, message, problem);
    case AG_MESSAGE_COMPLETED:
        return on_completed(owner, message, problem);
    case AG_MESSAGE_DIAG:
        on_diag(owner, message);
        return true;
    case AG_MESSAGE_COUNTERS:
        on_counters(owner, message);
        return true;
    case AG_MESSAGE_CONTEXTS:
        return on_contexts(owner, message, problem);
    case AG_MESSAGE_SAVE_DATA:
    case AG_MESSAGE_SAVED:
    case AG_MESSAGE_LOADED:
        return ag_owner_handle_snapshot(owner, message, problem);
    case AG_MESSAGE_LOST:
        if (!owner->device_is_lost)
            ag_owner_tell_loss(owner);
        return true;
    case AG_MESSAGE_PONG:
        owner->pongs = message->as.ping == owner->pings ? owner->pings : owner->pongs;
        return true;
    default:
        return true;
    }
}
