/* SPDX-License-Identifier: MIT
 *
 * What the executor of a GPU process says, on its way to the owner.
 */
#include <stdlib.h>
#include <string.h>

#include "process/gpu_process.h"

static void report(struct ag_gpu_process *process, const struct agpu_diag *diag, bool of_gpu)
{
    ag_remote_memory_flush(process);
    const size_t length = strlen(diag->message);
    const uint32_t size = length < AG_TEXT_BYTES ? (uint32_t)length : AG_TEXT_BYTES;
    struct ag_message message = ag_message_of(AG_MESSAGE_DIAG, process->epoch);
    uint8_t *const bytes = ag_gpu_process_reserve(process, &message, size);
    if (bytes == NULL)
        return;
    memcpy(bytes, diag->message, size);
    message.as.diag = (struct ag_diag_message){
        .place = diag->place,
        .code = diag->code,
        .severity = diag->severity,
        .opcode = ag_message_opcode(diag->packet_name),
        .of_gpu = of_gpu,
    };
    ag_gpu_process_send(process, &message);
}

static void on_diag(void *user, const struct agpu_diag *diag)
{
    report(user, diag, false);
}

static void on_gpu_diag(void *user, const struct agpu_diag *diag)
{
    report(user, diag, true);
}

struct agpu_diag_sink ag_remote_gpu_sink(struct ag_gpu_process *process)
{
    return (struct agpu_diag_sink){on_gpu_diag, process};
}

static void on_presented(void *user, const struct agpu_present *present)
{
    struct ag_gpu_process *const process = user;
    ag_remote_memory_flush(process);
    struct ag_message message = ag_message_of(AG_MESSAGE_PRESENT, process->epoch);
    message.as.present = (struct ag_present_message){
        .submission = present->submission,
        .scanout_id = present->scanout_id,
        .flags = present->flags,
        .width = present->width,
        .height = present->height,
        .format = present->format,
        .swap_chain = present->swap_chain,
        .sync_interval = present->sync_interval,
        .has_pixels = present->pixels != NULL,
    };
    ag_gpu_process_send(process, &message);
    const uint64_t size = present->pixels != NULL ? (uint64_t)present->width * present->height * 4 : 0;
    for (uint64_t done = 0; done < size && !process->ended;) {
        const uint32_t piece = ag_piece_of(size - done);
        message = ag_message_of(AG_MESSAGE_PRESENT_DATA, process->epoch);
        uint8_t *const bytes = ag_gpu_process_reserve(process, &message, piece);
        if (bytes == NULL)
            return;
        memcpy(bytes, present->pixels + done, piece);
        ag_gpu_process_send(process, &message);
        done += piece;
    }
}

static void add_context(void *user, const struct agpu_context_counters *counters)
{
    struct ag_gpu_process *const process = user;
    if (process->context_count < AG_TOLD_CONTEXTS)
        process->contexts[process->context_count++] = *counters;
}

/* Whether the owner knows other counters in the place. */
static bool has_changed(const struct ag_gpu_process *process, uint32_t i)
{
    return i >= process->told_context_count ||
           memcmp(&process->contexts[i], &process->told_contexts[i], sizeof *process->contexts) != 0;
}

/* Tells what has changed: a list of many contexts is not sent after each submission of one of them. */
static void tell_contexts(struct ag_gpu_process *process)
{
    if (process->executor->visit_contexts == NULL)
        return;
    if (process->contexts == NULL)
        process->contexts = malloc(AG_TOLD_CONTEXTS * sizeof *process->contexts);
    if (process->told_contexts == NULL)
        process->told_contexts = malloc(AG_TOLD_CONTEXTS * sizeof *process->told_contexts);
    if (process->ended || process->contexts == NULL || process->told_contexts == NULL)
        return;
    process->context_count = 0;
    process->executor->visit_contexts(process->executor, add_context, process);
    uint32_t changed = 0;
    for (uint32_t i = 0; i < process->context_count; i++)
        changed += has_changed(process, i);
    if (changed == 0 && process->context_count == process->told_context_count)
        return;
    struct ag_message message = ag_message_of(AG_MESSAGE_CONTEXTS, process->epoch);
    message.as.contexts.count = process->context_count;
    const uint32_t size = changed * (uint32_t)sizeof *process->contexts;
    uint8_t *bytes = size != 0 ? ag_gpu_process_reserve(process, &message, size) : NULL;
    if (size != 0 && bytes == NULL)
        return;
    for (uint32_t i = 0; i < process->context_count; i++) {
        if (!has_changed(process, i))
            continue;
        struct agpu_context_counters counters = process->contexts[i];
        counters.size = i;
        memcpy(bytes, &counters, sizeof counters);
        bytes += sizeof counters;
    }
    struct agpu_context_counters *const before = process->told_contexts;
    process->told_contexts = process->contexts;
    process->told_context_count = process->context_count;
    process->contexts = before;
    ag_gpu_process_send(process, &message);
}

static void tell_counters(struct ag_gpu_process *process)
{
    struct agpu_counters counters = {.size = sizeof counters};
    if (process->ended || process->executor->counters == NULL)
        return;
    process->executor->counters(process->executor, &counters);
    if (memcmp(&counters, &process->told, sizeof counters) == 0)
        return;
    struct ag_message message = ag_message_of(AG_MESSAGE_COUNTERS, process->epoch);
    uint8_t *const bytes = ag_gpu_process_reserve(process, &message, sizeof counters);
    if (bytes == NULL)
        return;
    memcpy(bytes, &counters, sizeof counters);
    process->told = counters;
    ag_gpu_process_send(process, &message);
}

void ag_remote_counters(struct ag_gpu_process *process)
{
    tell_counters(process);
    tell_contexts(process);
}

static void on_completed(void *user, uint32_t submission, uint32_t error)
{
    struct ag_gpu_process *const process = user;
    ag_remote_memory_flush(process);
    ag_remote_counters(process);
    struct ag_message message = ag_message_of(AG_MESSAGE_COMPLETED, process->epoch);
    message.as.completed = (struct ag_completed_message){submission, error};
    ag_gpu_process_send(process, &message);
}

/* The owner learns of a loss before the submissions fail that were in flight, and before the guest's reset:
 * opening another device may take files. */
static void on_device_lost(void *user)
{
    struct ag_gpu_process *const process = user;
    ag_remote_memory_flush(process);
    struct ag_message message = ag_message_of(AG_MESSAGE_LOST, process->epoch);
    ag_gpu_process_send(process, &message);
}

static bool looks(void *user)
{
    return ((const struct ag_gpu_process *)user)->is_looked_at;
}

struct agpu_executor_events ag_remote_events(struct ag_gpu_process *process)
{
    return (struct agpu_executor_events){
        .size = sizeof(struct agpu_executor_events),
        .presented = on_presented,
        .completed = on_completed,
        .diagnostics = {on_diag, process},
        .user = process,
        .device_lost = on_device_lost,
        .looks = looks,
    };
}
