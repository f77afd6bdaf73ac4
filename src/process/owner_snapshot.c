/* SPDX-License-Identifier: MIT
 *
 * Snapshots of an executor in a GPU process: the process saves and loads, and the bytes pass through here,
 * between two who do not trust them.
 */
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/clock.h"
#include "base/diag.h"
#include "base/table.h"
#include "process/owner.h"

/* How long a load waits for room, or for the answer, before it looks again. */
#define LOAD_WAIT_NS UINT64_C(1000000)

static const struct agpu_diag_sink *sink_of(const struct ag_owner *owner)
{
    return &owner->events.diagnostics;
}

static enum agpu_status refuse(const struct ag_owner *owner, const char *text)
{
    ag_report(sink_of(owner), AGPU_DIAG_SNAPSHOT_STATE, AGPU_ERROR, ag_place_none(), "%s", text);
    return AGPU_REFUSED;
}

static struct ag_message message_about(const struct ag_owner *owner, enum ag_message_kind kind)
{
    struct ag_message message = ag_message_of(kind, owner->epoch);
    message.as.snapshot.save = owner->save.number;
    return message;
}

/* ---- Saving -------------------------------------------------------------------------------------------- */

static void drop_held(struct ag_owner *owner)
{
    if (owner->save.has_held)
        ag_channel_consume(&owner->channel, &owner->save.held);
    owner->save.has_held = false;
}

/* No bytes are taken from here on, and the process goes on with the next poll. */
static void close_save(struct ag_owner *owner)
{
    struct ag_owner_save *const save = &owner->save;
    if (!save->is_under_way)
        return;
    drop_held(owner);
    ag_snapshot_walk_fini(&save->walk);
    save->is_under_way = false;
    save->is_over = owner->state != AG_OWNER_LOST; /* the SAVE may still wait for a process */
    owner->progress_ns = ag_clock_ns();            /* submissions have waited for the save */
}

void ag_owner_end_save(struct ag_owner *owner)
{
    if (!owner->save.is_over)
        return;
    const struct ag_message message = message_about(owner, AG_MESSAGE_SAVE_OVER);
    owner->save.is_over = false;
    if (owner->state != AG_OWNER_LOST && !ag_owner_send(owner, &message, NULL, 0))
        ag_owner_break_with(owner, "could not go on after a snapshot for want of memory");
}

void ag_owner_lose_snapshot(struct ag_owner *owner, bool is_reset)
{
    struct ag_owner_save *const save = &owner->save;
    drop_held(owner);
    if (owner->load != NULL)
        owner->load->is_dropped = true;
    if (is_reset) {
        close_save(owner);
        save->is_over = false; /* which a reset says, too */
    } else if (save->is_under_way && save->state == AGPU_SAVE_BUSY) {
        save->state = AGPU_SAVE_FAILED;
        refuse(owner, "the GPU process was lost while the device was saved");
    }
}

static enum agpu_status save_begin(struct agpu_executor *executor, const struct agpu_snapshot_writer *writer)
{
    struct ag_owner *const owner = ag_owner_of(executor);
    struct ag_owner_save *const save = &owner->save;
    if (owner->state == AG_OWNER_LOST)
        return refuse(owner, "the GPU device is lost");
    close_save(owner);
    ag_owner_end_save(owner);
    save->number++;
    const struct ag_message message = message_about(owner, AG_MESSAGE_SAVE);
    if (!ag_owner_send(owner, &message, NULL, 0))
        return ag_report_no_memory(sink_of(owner));
    ag_table_read(&save->writer, sizeof save->writer, AG_MEMBER_END(struct agpu_snapshot_writer, user),
                  writer);
    ag_snapshot_walk_init(&save->walk, owner->most_snapshot_bytes, NULL);
    save->is_under_way = true;
    save->state = AGPU_SAVE_BUSY;
    owner->progress_ns = ag_clock_ns();
    return AGPU_OK;
}

static enum agpu_save_state save_poll(struct agpu_executor *executor)
{
    struct ag_owner *const owner = ag_owner_of(executor);
    struct ag_owner_save *const save = &owner->save;
    if (!save->is_under_way) {
        refuse(owner, "no snapshot is being saved");
        return AGPU_SAVE_FAILED;
    }
    if (save->state == AGPU_SAVE_BUSY) {
        save->takes_bytes = true;
        ag_owner_advance(owner);
        save->takes_bytes = false;
    }
    if (!save->is_under_way) /* the guest has reset the device meanwhile */
        return AGPU_SAVE_FAILED;
    const enum agpu_save_state state = save->state;
    if (state != AGPU_SAVE_BUSY)
        close_save(owner);
    return state;
}

static void save_cancel(struct agpu_executor *executor)
{
    close_save(ag_owner_of(executor));
}

bool ag_owner_holds(struct ag_owner *owner, const struct ag_message *message)
{
    struct ag_owner_save *const save = &owner->save;
    if (message->kind != AG_MESSAGE_SAVE_DATA || save->takes_bytes || !save->is_under_way)
        return false;
    save->held = *message;
    save->has_held = true;
    return true;
}

/* Whether a message is about the save that is under way; those about earlier ones come too late. */
static bool is_about_save(const struct ag_owner *owner, const struct ag_message *message)
{
    return owner->save.is_under_way && owner->save.state == AGPU_SAVE_BUSY &&
           message->as.snapshot.save == owner->save.number;
}

static bool is_unknown_save(const struct ag_owner *owner, const struct ag_message *message)
{
    return message->as.snapshot.save == 0 || message->as.snapshot.save > owner->save.number;
}

static bool on_save_data(struct ag_owner *owner, const struct ag_message *message, const char **problem)
{
    struct ag_owner_save *const save = &owner->save;
    if (is_unknown_save(owner, message)) {
        *problem = "sent bytes of no snapshot";
        return false;
    }
    if (!is_about_save(owner, message))
        return true;
    uint8_t *const bytes = malloc(message->size);
    if (bytes == NULL) {
        *problem = "could not save the device for want of memory";
        return false;
    }
    memcpy(bytes, ag_channel_bytes(&owner->channel, message), message->size);
    const bool is_sound = ag_snapshot_walk_pass(&save->walk, bytes, message->size);
    if (!is_sound) {
        *problem = "saved what is no snapshot";
    } else if (save->writer.write == NULL || !save->writer.write(save->writer.user, bytes, message->size)) {
        ag_report(sink_of(owner), AGPU_DIAG_SNAPSHOT_UNWRITABLE, AGPU_ERROR, ag_place_none(),
                  "the snapshot cannot be written");
        save->state = AGPU_SAVE_FAILED;
    }
    free(bytes);
    return is_sound;
}

static bool on_saved(struct ag_owner *owner, const struct ag_message *message, const char **problem)
{
    struct ag_owner_save *const save = &owner->save;
    if (is_unknown_save(owner, message)) {
        *problem = "ended a save that was not begun";
        return false;
    }
    if (!is_about_save(owner, message))
        return true;
    if (message->as.snapshot.status == AGPU_OK && !save->walk.ended) {
        *problem = "saved a part of a snapshot";
        return false;
    }
    save->state = message->as.snapshot.status == AGPU_OK ? AGPU_SAVE_DONE : AGPU_SAVE_FAILED;
    return true;
}

/* ---- Loading ------------------------------------------------------------------------------------------- */

static bool on_loaded(struct ag_owner *owner, const struct ag_message *message, const char **problem)
{
    if (owner->load == NULL || owner->load->is_answered) {
        *problem = "loaded a snapshot that it was not given";
        return false;
    }
    owner->load->is_answered = true;
    owner->load->status = (enum agpu_status)message->as.snapshot.status;
    return true;
}

bool ag_owner_load_is_late(const struct ag_owner *owner)
{
    const struct ag_owner_load *const load = owner->load;
    const uint64_t limit = owner->submission_timeout_ns;
    return load != NULL && !load->is_answered && !load->is_dropped && limit != UINT64_MAX &&
           ag_clock_ns() - load->since_ns >= limit * AG_LOAD_TIMES;
}

/* Whether the process may still take something. */
static bool goes_on(const struct ag_owner *owner)
{
    return !owner->load->is_dropped && !owner->load->is_answered && !owner->reset_is_wanted;
}

/* Takes what the process says, and waits a little when there is nothing to do but that. */
static void converse(struct ag_owner *owner, bool waits)
{
    ag_owner_advance(owner);
    if (waits && goes_on(owner) && !owner->has_more)
        ag_channel_wait(&owner->channel, LOAD_WAIT_NS);
}

static enum agpu_status read_piece(const struct agpu_snapshot_reader *reader, struct ag_snapshot_walk *walk,
                                   uint8_t *bytes, uint32_t size)
{
    if (reader->read == NULL || !reader->read(reader->user, bytes, size))
        ag_archive_refuse(&walk->archive, AGPU_DIAG_SNAPSHOT_FORMAT, "the snapshot ends too early");
    else
        ag_snapshot_walk_pass(walk, bytes, size);
    return walk->archive.status;
}

/* Sends the snapshot, section by section. */
static enum agpu_status send_snapshot(struct ag_owner *owner, const struct agpu_snapshot_reader *reader,
                                      struct ag_snapshot_walk *walk, uint8_t *bytes)
{
    struct ag_message message = message_about(owner, AG_MESSAGE_LOAD);
    message.as.snapshot.is_looked_at = ag_owner_is_looked_at(owner);
    bool is_sent = ag_owner_send(owner, &message, NULL, 0);
    while (is_sent && goes_on(owner)) {
        const uint32_t size = ag_piece_of(ag_snapshot_walk_next(walk));
        if (size == 0)
            break;
        if (owner->waiting != NULL) {
            converse(owner, true);
            continue;
        }
        const enum agpu_status status = read_piece(reader, walk, bytes, size);
        if (status != AGPU_OK)
            return status;
        message = message_about(owner, AG_MESSAGE_LOAD_DATA);
        is_sent = ag_owner_send(owner, &message, bytes, size);
        owner->progress_ns = owner->load->since_ns = ag_clock_ns();
    }
    return is_sent ? AGPU_OK : ag_report_no_memory(sink_of(owner));
}

static enum agpu_status wait_for_answer(struct ag_owner *owner)
{
    while (goes_on(owner))
        converse(owner, true);
    return owner->load->is_answered && !owner->load->is_dropped
               ? owner->load->status
               : refuse(owner, "the GPU process was lost while a snapshot was loaded");
}

/* Submissions that wait in the snapshot are in flight now. */
static enum agpu_status take_submissions(struct ag_owner *owner, const struct ag_snapshot_walk *walk)
{
    for (size_t i = 0; i < walk->submissions.count; i++)
        if (!ag_vec_push(&owner->in_flight, (struct ag_in_flight){walk->submissions.data[i]}))
            return ag_report_no_memory(sink_of(owner));
    return AGPU_OK;
}

static enum agpu_status load_all(struct ag_owner *owner, const struct agpu_snapshot_reader *reader)
{
    struct ag_snapshot_walk walk;
    uint8_t *const bytes = malloc(AG_PIECE_BYTES);
    if (bytes == NULL)
        return ag_report_no_memory(sink_of(owner));
    ag_snapshot_walk_init(&walk, UINT64_MAX, sink_of(owner));
    enum agpu_status status = send_snapshot(owner, reader, &walk, bytes);
    if (status == AGPU_OK)
        status = wait_for_answer(owner);
    if (status == AGPU_OK && !walk.ended) {
        ag_owner_break_with(owner, "loaded a part of a snapshot");
        status = AGPU_REFUSED;
    }
    if (status == AGPU_OK)
        status = take_submissions(owner, &walk);
    ag_snapshot_walk_fini(&walk);
    free(bytes);
    return status;
}

static enum agpu_status load(struct agpu_executor *executor, const struct agpu_snapshot_reader *given)
{
    struct ag_owner *const owner = ag_owner_of(executor);
    struct agpu_snapshot_reader reader;
    struct ag_owner_load state = {.status = AGPU_REFUSED};
    if (owner->has_begun || owner->save.is_under_way || owner->is_advancing)
        return refuse(owner, "a snapshot is loaded into an executor that has executed nothing");
    if (agpu_process_executor_wait(executor, AGPU_NO_TIMEOUT) != AGPU_OK)
        return refuse(owner, "there is no GPU process that could load a snapshot");
    ag_table_read(&reader, sizeof reader, AG_MEMBER_END(struct agpu_snapshot_reader, user), given);
    owner->has_begun = true;
    owner->load = &state;
    owner->progress_ns = state.since_ns = ag_clock_ns();
    const enum agpu_status status = load_all(owner, &reader);
    owner->load = NULL;
    owner->progress_ns = ag_clock_ns();
    return status;
}

/* ---- Both ---------------------------------------------------------------------------------------------- */

bool ag_owner_handle_snapshot(struct ag_owner *owner, const struct ag_message *message, const char **problem)
{
    switch (message->kind) {
    case AG_MESSAGE_SAVE_DATA:
        return on_save_data(owner, message, problem);
    case AG_MESSAGE_SAVED:
        return on_saved(owner, message, problem);
    default:
        return on_loaded(owner, message, problem);
    }
}

void ag_owner_offer_snapshots(struct agpu_executor *table)
{
    table->save_begin = save_begin;
    table->save_poll = save_poll;
    table->save_cancel = save_cancel;
    table->load = load;
}
