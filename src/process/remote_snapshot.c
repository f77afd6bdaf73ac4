/* SPDX-License-Identifier: MIT
 *
 * Snapshots in a GPU process: the executor saves and loads, the owner has the bytes.
 */
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "process/gpu_process.h"

/* ---- Saving -------------------------------------------------------------------------------------------- */

static void send_bytes(struct ag_gpu_process *process, const uint8_t *bytes, uint32_t size)
{
    ag_remote_memory_flush(process);
    struct ag_message message = ag_message_of(AG_MESSAGE_SAVE_DATA, process->epoch);
    uint8_t *const to = ag_gpu_process_reserve(process, &message, size);
    if (to == NULL)
        return;
    memcpy(to, bytes, size);
    message.as.snapshot.save = process->save.current;
    ag_gpu_process_send(process, &message);
}

static void send_gathered(struct ag_gpu_process *process)
{
    struct ag_remote_save *const save = &process->save;
    if (save->gathered != 0)
        send_bytes(process, save->bytes, save->gathered);
    save->gathered = 0;
}

/* A save that nobody wants any more is written nowhere, until it can be ended. */
static bool write_bytes(void *user, const void *bytes, size_t size)
{
    struct ag_gpu_process *const process = user;
    struct ag_remote_save *const save = &process->save;
    const uint8_t *const from = bytes;
    if (size > sizeof save->bytes - save->gathered)
        send_gathered(process);
    if (size <= sizeof save->bytes - save->gathered) {
        memcpy(save->bytes + save->gathered, from, size);
        save->gathered += (uint32_t)size;
        return !process->ended;
    }
    for (size_t done = 0; done < size;) {
        if (process->ended || save->wanted != save->current || ag_gpu_process_reset_is_due(process))
            return !process->ended;
        const uint32_t piece = ag_piece_of(size - done);
        send_bytes(process, from + done, piece);
        done += piece;
    }
    return !process->ended;
}

static void say_saved(struct ag_gpu_process *process, enum agpu_status status)
{
    send_gathered(process);
    ag_remote_memory_flush(process);
    ag_remote_counters(process);
    struct ag_message message = ag_message_of(AG_MESSAGE_SAVED, process->epoch);
    message.as.snapshot = (struct ag_snapshot_message){.save = process->save.current, .status = status};
    process->save.is_saved = true;
    ag_gpu_process_send(process, &message);
}

/* What was received before belongs to the snapshot. The executor begins none of these submissions. */
static void begin_save(struct ag_gpu_process *process)
{
    struct agpu_executor *const executor = process->executor;
    const struct agpu_snapshot_writer writer = {sizeof writer, write_bytes, process};
    process->save.current = process->save.wanted;
    process->save.is_saved = false;
    process->save.gathered = 0;
    const enum agpu_status status = executor->save_begin(executor, &writer);
    if (status == AGPU_OK)
        ag_gpu_process_submit_all(process);
    else
        say_saved(process, status);
}

static void continue_save(struct ag_gpu_process *process)
{
    const enum agpu_save_state state = process->executor->save_poll(process->executor);
    if (state != AGPU_SAVE_BUSY)
        say_saved(process, state == AGPU_SAVE_DONE ? AGPU_OK : AGPU_REFUSED);
}

static void end_save(struct ag_gpu_process *process)
{
    if (!process->save.is_saved)
        process->executor->save_cancel(process->executor);
    process->save.current = 0;
    process->save.is_saved = false;
}

static void step_save(struct ag_gpu_process *process)
{
    struct ag_remote_save *const save = &process->save;
    if (save->current != 0 && save->current != save->wanted)
        end_save(process);
    if (save->current == 0 && save->wanted != 0)
        begin_save(process);
    else if (save->current != 0 && !save->is_saved)
        continue_save(process);
}

/* ---- Loading ------------------------------------------------------------------------------------------- */

static void drop_bytes(struct ag_remote_load *load)
{
    free(load->bytes);
    load->bytes = NULL;
    load->at = load->count = load->capacity = 0;
}

/* Bytes come while nobody reads, too: when the executor has something to say and waits for room. */
static void add_bytes(struct ag_gpu_process *process, const struct ag_message *message)
{
    struct ag_remote_load *const load = &process->load;
    if (load->state == AG_LOAD_OVER)
        return;
    if (load->state == AG_LOAD_NONE || load->count - load->at > AG_WAITING_BYTES) {
        ag_gpu_process_end(process, "the owner sent bytes that belong to no snapshot");
        return;
    }
    if (load->at == load->count)
        load->at = load->count = 0;
    if (load->count + message->size > load->capacity)
        load->bytes = ag_vec_grow(load->bytes, &load->capacity, load->count + message->size, 1);
    if (load->count + message->size > load->capacity) {
        ag_gpu_process_end(process, "out of memory");
        return;
    }
    memcpy(load->bytes + load->count, ag_channel_bytes(&process->channel, message), message->size);
    load->count += message->size;
}

/* Waits for the owner, who sends a whole snapshot, resets the executor, or goes. */
static bool read_bytes(void *user, void *bytes, size_t size)
{
    struct ag_gpu_process *const process = user;
    struct ag_remote_load *const load = &process->load;
    for (size_t done = 0; done < size;) {
        const size_t left = load->count - load->at;
        const size_t part = size - done < left ? size - done : left;
        if (process->ended || ag_gpu_process_reset_is_due(process))
            return false;
        if (part == 0) {
            ag_gpu_process_wait(process);
            continue;
        }
        memcpy((uint8_t *)bytes + done, load->bytes + load->at, part);
        load->at += part;
        done += part;
    }
    return true;
}

static void load(struct ag_gpu_process *process)
{
    const struct agpu_snapshot_reader reader = {sizeof reader, read_bytes, process};
    process->load.state = AG_LOAD_RUNNING;
    const enum agpu_status status = process->executor->load(process->executor, &reader);
    process->load.state = AG_LOAD_OVER;
    drop_bytes(&process->load);
    ag_remote_counters(process);
    struct ag_message message = ag_message_of(AG_MESSAGE_LOADED, process->epoch);
    message.as.snapshot.status = status;
    ag_gpu_process_send(process, &message);
}

/* ---- Both ---------------------------------------------------------------------------------------------- */

static void want_save(struct ag_gpu_process *process, uint32_t number)
{
    struct ag_remote_save *const save = &process->save;
    if (save->wanted != 0 || number <= save->newest || process->partial != NULL) {
        ag_gpu_process_end(process, "the owner began a save out of turn");
        return;
    }
    save->newest = save->wanted = number;
}

static void want_load(struct ag_gpu_process *process, const struct ag_message *message)
{
    if (process->load.state != AG_LOAD_NONE) {
        ag_gpu_process_end(process, "the owner began a load out of turn");
        return;
    }
    process->load.state = AG_LOAD_DUE;
    process->is_looked_at = message->as.snapshot.is_looked_at != 0;
}

void ag_remote_snapshot_handle(struct ag_gpu_process *process, const struct ag_message *message)
{
    switch (message->kind) {
    case AG_MESSAGE_SAVE:
        want_save(process, message->as.snapshot.save);
        break;
    case AG_MESSAGE_SAVE_OVER:
        if (process->save.wanted == message->as.snapshot.save)
            process->save.wanted = 0;
        break;
    case AG_MESSAGE_LOAD:
        want_load(process, message);
        break;
    default:
        add_bytes(process, message);
    }
}

void ag_remote_snapshot_step(struct ag_gpu_process *process)
{
    if (!process->ended && process->load.state == AG_LOAD_DUE)
        load(process);
    if (!process->ended && !ag_gpu_process_reset_is_due(process))
        step_save(process);
}

void ag_remote_snapshot_reset(struct ag_gpu_process *process)
{
    struct ag_remote_save *const save = &process->save;
    if (save->current != 0)
        end_save(process);
    save->wanted = 0;
    drop_bytes(&process->load);
    process->load.state = AG_LOAD_NONE;
}
