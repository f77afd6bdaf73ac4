/* SPDX-License-Identifier: MIT
 *
 * The side of a GPU process: messages of the owner to calls of an executor, and what the executor says to
 * messages. Sections for gpu_process.c, remote_memory.c, remote_events.c and remote_snapshot.c.
 */
#ifndef AG_PROCESS_GPU_PROCESS_H
#define AG_PROCESS_GPU_PROCESS_H

#include "aerogpu/executor.h"
#include "process/channel.h"
#include "process/descriptors.h"

/* The most bytes of submissions that wait for the executor: what a device lets out, and one more. */
#define AG_WAITING_BYTES (UINT64_C(256) << 20)

/* A submission that was received, whole or in part. Stream and allocations lie behind each other. */
struct ag_received {
    struct ag_received *next;
    struct ag_submit_message head;
    size_t size, filled; /* of the bytes */
    uint8_t bytes[];
};

/* Guest memory that is mapped here. */
struct ag_mapped_region {
    uint64_t gpa, size;
    uint8_t *bytes;
};

/* Rows on their way to guest memory, of which more may follow: the message and the place in the ring where
 * its next row goes; null: there are none. */
struct ag_row_batch {
    struct ag_message message;
    uint8_t *next;
    uint32_t room; /* bytes left at `next` */
};

/* Saves by their numbers; 0: none. */
struct ag_remote_save {
    uint32_t newest, wanted; /* numbers of the owner's saves: the last, and that which is not over */
    uint32_t current;        /* of the executor */
    bool is_saved;           /* the current save is: nothing is executed until it is over */
    uint32_t gathered;       /* bytes in `bytes`, which go when there are more of them */
    uint8_t bytes[1 << 16];
};

enum ag_load_state { AG_LOAD_NONE, AG_LOAD_DUE, AG_LOAD_RUNNING, AG_LOAD_OVER };

/* The bytes of a snapshot that were received and not read: a piece or two. */
struct ag_remote_load {
    enum ag_load_state state;
    uint8_t *bytes;
    size_t at, count, capacity;
};

struct ag_gpu_process {
    struct ag_channel channel;
    struct agpu_executor *executor; /* borrowed */
    bool ended;                     /* the owner is gone, or is none that can be trusted */
    const char *problem;            /* why, unless the owner just went */

    uint32_t epoch;      /* of what the executor works on */
    uint32_t next_epoch; /* of the last RESET; a reset is due while the two differ */
    struct ag_received *received, **received_end, *partial;
    uint64_t received_bytes;
    bool is_looked_at; /* whether windows are, by the newest submission */

    struct ag_mapped_region regions[AG_GUEST_REGIONS];
    uint32_t region_count;
    struct ag_row_batch batch;
    bool is_waiting, is_answered, answer_is_good; /* for READ_DONE or WRITE_DONE */
    uint8_t *answer_to;
    uint32_t answer_size;

    bool waits_for_entry; /* of the cache, for CACHE_ENTRY */
    uint8_t *entry;       /* null for none; owned */
    size_t entry_size;

    struct agpu_counters told; /* the counters that the owner knows */
    /* The same of contexts; the second list is for what they are now. AG_TOLD_CONTEXTS fit. */
    struct agpu_context_counters *told_contexts, *contexts;
    uint32_t told_context_count, context_count;

    struct ag_remote_save save;
    struct ag_remote_load load;
};

/* ---- gpu_process.c ------------------------------------------------------------------------------------ */

void ag_gpu_process_init(struct ag_gpu_process *process, int socket, uint8_t *shared);
/* Frees what was received; the executor goes before. */
void ag_gpu_process_fini(struct ag_gpu_process *process);
/* Works for the owner until it is gone. The executor is attached to ag_remote_events() and
 * ag_remote_memory(). */
void ag_gpu_process_run(struct ag_gpu_process *process);
/* Takes one message; false when there is none. Ends the process when the owner has gone. */
bool ag_gpu_process_receive(struct ag_gpu_process *process);
/* Sends a message, whose bytes are in the ring, and waits for as long as the socket is full. Nothing is sent
 * once the process has ended. */
void ag_gpu_process_send(struct ag_gpu_process *process, struct ag_message *message);
/* Room for the bytes of a message, for which it waits; null when the process has ended, or a reset is due,
 * after which nobody wants the message. */
uint8_t *ag_gpu_process_reserve(struct ag_gpu_process *process, struct ag_message *message, uint32_t size);
/* Waits for the owner's next message and takes it. */
void ag_gpu_process_wait(struct ag_gpu_process *process);

static inline bool ag_gpu_process_reset_is_due(const struct ag_gpu_process *process)
{
    return process->epoch != process->next_epoch;
}

/* Ends the process for what the owner did, or, null, because the owner is gone. */
void ag_gpu_process_end(struct ag_gpu_process *process, const char *problem);
/* Hands all submissions that were received to the executor. */
void ag_gpu_process_submit_all(struct ag_gpu_process *process);

/* ---- remote_memory.c ---------------------------------------------------------------------------------- */

/* Guest memory as the owner serves it, for the executor; `user` is the process. */
struct agpu_guest_memory ag_remote_memory(struct ag_gpu_process *process);
/* A write whose failure the owner reports, with this place, before the submission completes. */
void ag_remote_memory_post(void *user, uint64_t gpa, const void *from, size_t size,
                           const struct agpu_place *place, const char *packet_name);
/* Sends the rows that wait for more. */
void ag_remote_memory_flush(struct ag_gpu_process *process);

/* ---- remote_cache.c ----------------------------------------------------------------------------------- */

/* The owner's cache, for translations; `user` is the process. */
struct agpu_cache_store ag_remote_cache(struct ag_gpu_process *process);
void ag_remote_cache_answer(struct ag_gpu_process *process, const struct ag_message *message);

/* ---- remote_events.c ---------------------------------------------------------------------------------- */

struct agpu_executor_events ag_remote_events(struct ag_gpu_process *process);
/* Where the GPU's own diagnostics go. */
struct agpu_diag_sink ag_remote_gpu_sink(struct ag_gpu_process *process);
/* Tells the owner the counters, also those of contexts, when they have changed. */
void ag_remote_counters(struct ag_gpu_process *process);

/* ---- remote_snapshot.c -------------------------------------------------------------------------------- */

/* SAVE, SAVE_OVER, LOAD and LOAD_DATA. */
void ag_remote_snapshot_handle(struct ag_gpu_process *process, const struct ag_message *message);
/* Loads what is to be loaded, and begins, goes on with and ends saves. Not inside calls of the executor. */
void ag_remote_snapshot_step(struct ag_gpu_process *process);
/* The owner has reset the executor: no snapshot is wanted any more. */
void ag_remote_snapshot_reset(struct ag_gpu_process *process);

/* Whether the owner has asked for something that ag_remote_snapshot_step() has not begun. */
static inline bool ag_remote_snapshot_is_due(const struct ag_gpu_process *process)
{
    return process->load.state == AG_LOAD_DUE || process->save.wanted != process->save.current;
}

static inline bool ag_remote_snapshot_is_saving(const struct ag_gpu_process *process)
{
    return process->save.current != 0;
}

#endif
