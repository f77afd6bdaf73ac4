/* SPDX-License-Identifier: MIT
 *
 * The owner's side: an executor whose work a GPU process does. Sections for owner_life.c, owner_queue.c,
 * owner_messages.c, owner_snapshot.c and executor.c.
 */
#ifndef AG_PROCESS_OWNER_H
#define AG_PROCESS_OWNER_H

#include "aerogpu/process_executor.h"
#include "base/diag_limiter.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "process/channel.h"
#include "process/child.h"
#include "process/error_relay.h"
#include "process/snapshot_walk.h"
#include "process/start.h"

enum ag_owner_state {
    AG_OWNER_ABSENT, /* no process yet, or none again: one is started when it may be */
    AG_OWNER_STARTING,
    AG_OWNER_READY,
    AG_OWNER_LOST, /* the guest's device is lost until it is reset */
};

/* A message that waits for room in socket and ring, with the bytes that follow it. */
struct ag_waiting {
    struct ag_waiting *next;
    struct ag_message message;
    bool is_begun; /* the message itself was sent; of the bytes `done` were */
    size_t size, done;
    uint8_t bytes[];
};

struct ag_in_flight {
    uint32_t number;
};

/* A picture that comes in pieces. */
struct ag_incoming_picture {
    struct ag_present_message head; /* width 0: there is none */
    uint8_t *pixels;                /* null: no memory; the picture is dropped */
    size_t size, filled, capacity;
    bool is_whole; /* it is being shown, before the next message is taken */
};

/* A snapshot that is saved. */
struct ag_owner_save {
    uint32_t number;   /* of the newest save: never again a lower one, since a SAVE may wait for a process */
    bool is_under_way; /* from the begin to the answer DONE or FAILED */
    bool is_over;      /* which the process has not been told */
    enum agpu_save_state state; /* the next answer */
    struct agpu_snapshot_writer writer;
    struct ag_snapshot_walk walk;

    /* Bytes reach the writer inside save_poll() only. Those that come before are held, and with them what
     * the process says later. */
    bool takes_bytes, has_held;
    struct ag_message held;
};

/* A piece of a snapshot may be much work, but not more than so many times what a submission may take without
 * progress. */
#define AG_LOAD_TIMES 6

/* A snapshot that is loaded: one call has all of it. */
struct ag_owner_load {
    bool is_answered, is_dropped; /* dropped: by a reset, or with the process */
    enum agpu_status status;      /* the answer */
    uint64_t since_ns;            /* when the process was given the last bytes */
};

struct ag_owner {
    struct agpu_executor table; /* first: the table is the object */
    struct agpu_executor_events events;
    struct agpu_guest_memory memory;
    struct agpu_diag_sink gpu_sink;
    struct agpu_diag_sink said_sink; /* the same, for what a process says of its GPU: at a limited rate */
    struct ag_diag_limiter said_limiter;
    struct ag_error_relay error_relay;
    struct agpu_cache *cache; /* or null */

    /* How processes are started: copies of the options. */
    struct ag_strbuf start;
    char *program;
    char **arguments, **environment; /* environment null: ours */
    int regions[AG_GUEST_REGIONS];   /* descriptors of our own */
    uint32_t region_count;
    uint64_t start_timeout_ns, hang_timeout_ns, submission_timeout_ns, slice_ns;
    uint64_t end_wait_ns; /* for how a process has ended, which is told */
    uint64_t most_snapshot_bytes;

    enum ag_owner_state state;
    enum agpu_status failure; /* why a process was lost before it was ready */
    struct ag_child child;    /* in ABSENT and LOST the last one, until it has ended */
    struct ag_channel channel;
    int notifier;        /* epoll, for the embedder's event loop */
    bool device_is_lost; /* the process lives, but can do nothing any more */
    uint64_t started_ns;
    struct ag_adapter adapter;

    uint32_t epoch;
    struct ag_waiting *waiting, **waiting_end;
    uint64_t waiting_bytes;
    AG_VEC(struct ag_in_flight) in_flight; /* from `oldest` on */
    size_t oldest;
    bool is_answer_waiting; /* an answer is among the waiting messages */
    struct ag_incoming_picture picture;
    struct agpu_counters counters;
    struct agpu_context_counters *contexts; /* as the process told last; AG_TOLD_CONTEXTS fit; owned */
    uint32_t context_count;
    uint64_t failed_writeback_bytes; /* which the process counts as written */

    /* The last write that failed, and the error of its submission. */
    struct agpu_place failed_place;
    bool has_failed_write;
    uint32_t write_error;

    struct ag_owner_save save;
    struct ag_owner_load *load; /* null: nothing is loaded */
    bool has_begun;             /* submissions or a snapshot went to the executor since its last reset */

    uint64_t heard_ns, progress_ns, ping_ns;
    uint32_t pings, pongs;

    bool is_advancing; /* a callback of the embedder may call back */
    bool reset_is_wanted, has_more;
};

static inline struct ag_owner *ag_owner_of(const struct agpu_executor *executor)
{
    return (struct ag_owner *)executor;
}

static inline bool ag_owner_has_process(const struct ag_owner *owner)
{
    return owner->state == AG_OWNER_STARTING || owner->state == AG_OWNER_READY;
}

/* Whether the answer of a load has come: what the process does next is for later polls. */
static inline bool ag_owner_has_loaded(const struct ag_owner *owner)
{
    return owner->load != NULL && owner->load->is_answered;
}

static inline size_t ag_owner_in_flight(const struct ag_owner *owner)
{
    return owner->in_flight.count - owner->oldest;
}

/* Whether a word of the process is due. */
static inline bool ag_owner_has_work(const struct ag_owner *owner)
{
    return ag_owner_in_flight(owner) != 0 || owner->load != NULL ||
           (owner->save.is_under_way && owner->save.state == AGPU_SAVE_BUSY);
}

/* ---- owner_life.c ------------------------------------------------------------------------------------- */

/* Takes over one end of a connection, `child` with its socket and memory, and waits for the process there. */
void ag_owner_connect(struct ag_owner *owner, const struct ag_child *child);
/* Starts a process when there is none, the last one has ended, and the last start was long enough ago. */
void ag_owner_start(struct ag_owner *owner);
/* The process is given up: everything in flight fails. `cause` is a sentence about the process. */
void ag_owner_lose(struct ag_owner *owner, enum agpu_diag_code code, const char *cause);
/* The same after the process has gone by itself. */
void ag_owner_notice_end(struct ag_owner *owner);
/* Kills the process without a word. */
void ag_owner_drop_process(struct ag_owner *owner);
/* Gives up a process that has been silent for too long. */
void ag_owner_check_time(struct ag_owner *owner, bool heard_something);

/* ---- executor.c --------------------------------------------------------------------------------------- */

/* Takes what the process says, for a slice at most, and sends what waits. */
void ag_owner_advance(struct ag_owner *owner);
/* Gives up a process that broke a rule: `problem` is what it did. */
void ag_owner_break_with(struct ag_owner *owner, const char *problem);

/* An executor that has no process yet: agpu_process_executor_create() without the start. The options are
 * valid. Null: out of memory. */
struct ag_owner *ag_owner_create(const struct agpu_process_executor_options *options,
                                 const struct agpu_diag_sink *sink);

/* ---- owner_queue.c ------------------------------------------------------------------------------------ */

/* Sends a submission, or as much of it as goes now; the rest is copied and waits. False: no memory. */
bool ag_owner_send_submission(struct ag_owner *owner, const struct agpu_submission *submission);
/* Sends a message with bytes, or lets it wait. False: no memory. */
bool ag_owner_send(struct ag_owner *owner, const struct ag_message *message, const uint8_t *bytes,
                   size_t size);
/* Whether windows of the guest are looked at (struct agpu_executor_events). */
bool ag_owner_is_looked_at(const struct ag_owner *owner);
/* Sends what waits, as far as it goes. */
void ag_owner_pump(struct ag_owner *owner);
void ag_owner_clear_waiting(struct ag_owner *owner);

/* ---- owner_messages.c --------------------------------------------------------------------------------- */

/* Goes on to show a picture that is whole. */
void ag_owner_show(struct ag_owner *owner);
/* Acts on a message of the process. False when a hostile process sent it: `problem` says what is wrong. */
bool ag_owner_handle(struct ag_owner *owner, const struct ag_message *message, const char **problem);
void ag_owner_complete(struct ag_owner *owner, uint32_t error);
/* The WebGPU device is lost: with the process, or in the process. */
void ag_owner_tell_loss(struct ag_owner *owner);
void ag_owner_drop_picture(struct ag_owner *owner);

/* ---- owner_snapshot.c --------------------------------------------------------------------------------- */

/* Enters the functions into the table. */
void ag_owner_offer_snapshots(struct agpu_executor *table);
/* Tells a process whose save is over that it goes on. */
void ag_owner_end_save(struct ag_owner *owner);
/* The process is gone, or reset: a save or load that is under way fails. A save says so unless the guest's
 * reset is the cause. */
void ag_owner_lose_snapshot(struct ag_owner *owner, bool is_reset);
/* Whether a message has to wait for save_poll(). Such a message is held. */
bool ag_owner_holds(struct ag_owner *owner, const struct ag_message *message);
/* Whether the process has had its time for the last bytes of a snapshot that it loads, whatever it says. */
bool ag_owner_load_is_late(const struct ag_owner *owner);
/* SAVE_DATA, SAVED and LOADED: as ag_owner_handle(). */
bool ag_owner_handle_snapshot(struct ag_owner *owner, const struct ag_message *message, const char **problem);

#endif
