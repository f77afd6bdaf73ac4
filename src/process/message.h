/* SPDX-License-Identifier: MIT
 *
 * What a GPU process and its owner say to each other: messages of one fixed size over a socket, some with
 * bytes in a ring of shared memory (process/channel.h). Each side takes the other for hostile: a message is
 * copied first and checked then, and so are its bytes.
 */
#ifndef AG_PROCESS_MESSAGE_H
#define AG_PROCESS_MESSAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "aerogpu/cache.h"
#include "aerogpu/diag.h"

#define AG_MESSAGE_MAGIC UINT32_C(0x50554741) /* "AGUP" */
#define AG_MESSAGE_VERSION 6
#define AG_MESSAGE_BYTES 128
/* The most bytes in the ring that belong to one message. */
#define AG_PIECE_BYTES (UINT32_C(1) << 20)
/* The most of a diagnostic's text, without a NUL. */
#define AG_TEXT_BYTES 1023

/* How much of what is left one message carries. */
static inline uint32_t ag_piece_of(uint64_t left)
{
    return left < AG_PIECE_BYTES ? (uint32_t)left : AG_PIECE_BYTES;
}
/* The most rows of one write, so that no message means much work. */
#define AG_WRITE_ROWS 4096
/* The largest picture has the width and height of the largest texture of WebGPU's adapters. */
#define AG_PICTURE_SIDE 16384u
/* The most contexts whose counters are told: those with the lowest numbers. */
#define AG_TOLD_CONTEXTS 4096u
/* Stands for a packet without a name. */
#define AG_NO_OPCODE UINT32_MAX

enum ag_message_kind {
    AG_MESSAGE_NONE,
    /* Of the owner. */
    AG_MESSAGE_START,       /* the first message, with file descriptors; bytes: process/start.h */
    AG_MESSAGE_SUBMIT,      /* the stream and the allocations follow in SUBMIT_DATA */
    AG_MESSAGE_SUBMIT_DATA, /* bytes of the submission that was begun */
    AG_MESSAGE_READ_DONE,   /* answers READ; bytes: what was read */
    AG_MESSAGE_WRITE_DONE,  /* answers WRITE with `is_waited_for` */
    AG_MESSAGE_CACHE_ENTRY, /* answers CACHE_LOAD; bytes: the entry, none where there is none */
    AG_MESSAGE_RESET, /* begins the epoch of the message; READ, WRITE and CACHE_LOAD before have no answer */
    AG_MESSAGE_PING,
    AG_MESSAGE_SAVE,      /* begins a snapshot, which comes back in SAVE_DATA up to a SAVED */
    AG_MESSAGE_SAVE_OVER, /* a snapshot is wanted no longer; after SAVED submissions are executed again */
    AG_MESSAGE_LOAD,      /* the snapshot follows in LOAD_DATA, and is answered by LOADED */
    AG_MESSAGE_LOAD_DATA,
    /* Of the GPU process. */
    AG_MESSAGE_READY,        /* the first message but DIAG; bytes: process/adapter.h */
    AG_MESSAGE_FAILED,       /* instead of READY, and the last message */
    AG_MESSAGE_DIAG,         /* bytes: the message's text */
    AG_MESSAGE_READ,         /* guest memory, answered by READ_DONE */
    AG_MESSAGE_WRITE,        /* guest memory; bytes: the rows, one behind the other */
    AG_MESSAGE_CACHE_LOAD,   /* an entry of the persistent cache, answered by CACHE_ENTRY */
    AG_MESSAGE_CACHE_STORE,  /* bytes: an entry, its header at least */
    AG_MESSAGE_PRESENT,      /* the pixels follow in PRESENT_DATA */
    AG_MESSAGE_PRESENT_DATA, /* bytes of the picture that was begun */
    AG_MESSAGE_COUNTERS,     /* bytes: struct agpu_counters */
    AG_MESSAGE_CONTEXTS,     /* bytes: struct agpu_context_counters of contexts that changed, see below */
    AG_MESSAGE_COMPLETED,
    AG_MESSAGE_LOST,      /* the WebGPU device is lost, and a reset needs another process */
    AG_MESSAGE_PONG,      /* answers PING */
    AG_MESSAGE_SAVE_DATA, /* bytes of the snapshot */
    AG_MESSAGE_SAVED,     /* the snapshot is whole, or there is none; nothing is executed until SAVE_OVER */
    AG_MESSAGE_LOADED,
    /* Of both. */
    AG_MESSAGE_ACK, /* nothing but its `acknowledged` */
    AG_MESSAGE_KINDS,
};

struct ag_submit_message {
    uint64_t fence;
    uint32_t number, context_id, flags;
    uint32_t has_stream, stream_size;
    uint32_t has_allocation_table, allocation_count;
    uint32_t is_looked_at; /* whether windows are (struct agpu_executor_events) */
};

struct ag_diag_message {
    struct agpu_place place;
    uint32_t code, severity, opcode;
    uint32_t of_gpu; /* the GPU itself reports, not the executor */
};

struct ag_read_message {
    uint64_t gpa;
    uint32_t size;
};

struct ag_read_done_message {
    uint32_t is_good;
};

/* `rows` rows of `row_bytes` each, `pitch` apart in guest memory. A failure is answered, or reported with the
 * place and the name of the packet, and is then the error of the submission. */
struct ag_write_message {
    uint64_t gpa, pitch;
    uint32_t row_bytes, rows;
    struct agpu_place place;
    uint32_t opcode;
    uint32_t is_waited_for;
};

struct ag_cache_message {
    uint8_t name[AGPU_CACHE_NAME_BYTES];
};

struct ag_present_message {
    uint32_t submission, scanout_id, flags, width, height, format;
    uint32_t swap_chain, sync_interval;
    uint32_t has_pixels;
};

struct ag_completed_message {
    uint32_t submission, error;
};

struct ag_failed_message {
    uint32_t status; /* enum agpu_status */
};

/* Of SAVE and its like, and of LOAD and LOADED. */
struct ag_snapshot_message {
    uint32_t save;   /* of the executor's saves, from 1; a process does not get a lower one than before */
    uint32_t status; /* of SAVED and LOADED: enum agpu_status */
    uint32_t is_looked_at; /* of LOAD: as of submissions, for those that the snapshot has */
};

/* Of CONTEXTS. The `size` of each structure is its place in the list of contexts, which has so many. */
struct ag_contexts_message {
    uint32_t count;
};

struct ag_message {
    uint32_t magic;
    uint16_t version, kind;
    uint32_t epoch;        /* of the sender: the resets so far */
    uint32_t size;         /* bytes in the sender's ring */
    uint64_t position;     /* of these bytes, counted from the start of the process */
    uint64_t acknowledged; /* the sender has done with the receiver's ring up to here */
    union {
        struct ag_submit_message submit;
        struct ag_diag_message diag;
        struct ag_read_message read;
        struct ag_read_done_message read_done;
        struct ag_write_message write;
        struct ag_cache_message cache;
        struct ag_present_message present;
        struct ag_completed_message completed;
        struct ag_failed_message failed;
        struct ag_snapshot_message snapshot;
        struct ag_contexts_message contexts;
        uint32_t ping; /* PING and PONG */
        uint8_t bytes[AG_MESSAGE_BYTES - 32];
    } as;
};

_Static_assert(sizeof(struct ag_message) == AG_MESSAGE_BYTES, "messages have one size");

/* A message of this kind, all else zero. */
struct ag_message ag_message_of(enum ag_message_kind kind, uint32_t epoch);

/* Whether a received message is well-formed by itself: its head, a kind that this side sends, and bounds of
 * what the kind says. */
bool ag_message_is_valid(const struct ag_message *message, bool of_gpu_process);

/* Between the name of a packet and its opcode, which a message holds. */
uint32_t ag_message_opcode(const char *packet_name);
const char *ag_message_packet_name(uint32_t opcode);

#endif
