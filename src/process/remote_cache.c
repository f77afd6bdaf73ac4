/* SPDX-License-Identifier: MIT
 *
 * The owner's persistent cache as a GPU process sees it: questions to the owner, which opens no file for the
 * process. Only translations are kept: code that a driver has compiled stays in the process that compiled it.
 */
#include <stdlib.h>
#include <string.h>

#include "cache/cache.h"
#include "process/gpu_process.h"

static void load(void *user, const uint8_t name[AGPU_CACHE_NAME_BYTES],
                 void (*take)(void *taker, const void *bytes, size_t size), void *taker)
{
    struct ag_gpu_process *const process = user;
    if (process->ended || ag_gpu_process_reset_is_due(process))
        return;
    struct ag_message message = ag_message_of(AG_MESSAGE_CACHE_LOAD, process->epoch);
    memcpy(message.as.cache.name, name, sizeof message.as.cache.name);
    ag_remote_memory_flush(process);
    process->waits_for_entry = true;
    ag_gpu_process_send(process, &message);
    while (!process->ended && process->waits_for_entry && !ag_gpu_process_reset_is_due(process))
        ag_gpu_process_wait(process);
    if (process->entry != NULL)
        take(taker, process->entry, process->entry_size);
    free(process->entry);
    process->entry = NULL;
    process->waits_for_entry = false;
}

void ag_remote_cache_answer(struct ag_gpu_process *process, const struct ag_message *message)
{
    if (!process->waits_for_entry || message->epoch != process->epoch)
        return;
    process->waits_for_entry = false;
    process->entry_size = message->size;
    process->entry = message->size != 0 ? malloc(message->size) : NULL;
    if (process->entry != NULL)
        memcpy(process->entry, ag_channel_bytes(&process->channel, message), message->size);
}

static void store(void *user, const uint8_t name[AGPU_CACHE_NAME_BYTES], const void *bytes, size_t size)
{
    struct ag_gpu_process *const process = user;
    struct ag_message message = ag_message_of(AG_MESSAGE_CACHE_STORE, process->epoch);
    if (size < AG_CACHE_HEADER_BYTES || size > AG_PIECE_BYTES)
        return;
    ag_remote_memory_flush(process);
    uint8_t *const to = ag_gpu_process_reserve(process, &message, (uint32_t)size);
    if (to == NULL)
        return;
    memcpy(to, bytes, size);
    memcpy(message.as.cache.name, name, sizeof message.as.cache.name);
    ag_gpu_process_send(process, &message);
}

struct agpu_cache_store ag_remote_cache(struct ag_gpu_process *process)
{
    return (struct agpu_cache_store){
        .size = sizeof(struct agpu_cache_store), .load = load, .store = store, .user = process};
}
