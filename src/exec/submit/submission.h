/* SPDX-License-Identifier: MIT
 *
 * Submissions, from submit() until their completion is announced to the embedder. Streams run in order; a
 * submission completes in order, too, when the GPU has done its work, WebGPU has answered its error scopes,
 * and its write-backs are stored. The executor owns the list.
 */
#ifndef AG_EXEC_SUBMIT_SUBMISSION_H
#define AG_EXEC_SUBMIT_SUBMISSION_H

#include <stdbool.h>
#include <stdint.h>

#include "aerogpu/stream.h"
#include "exec/host/guest_memory.h"
#include "exec/host/report.h"
#include "exec/packet/execution.h"
#include "exec/transfer/write_back.h"

struct ag_context;
struct ag_exec;
struct agpu_submission;

/* One level of packets: the stream, or a command list that a packet of the frame below executes. */
struct ag_stream_frame {
    struct ag_stream_frame *caller;
    uint32_t depth;
    struct agpu_stream_reader reader;
    struct ag_context *saved; /* the state to restore after the list; null: the state is cleared then */
};

struct ag_submission {
    struct ag_submission *next;
    struct ag_exec *exec;
    uint32_t number, context_id;
    uint8_t *stream; /* the bytes; null once they are executed, and for a fence without a stream */
    uint32_t stream_size;
    struct ag_guest_allocations allocations; /* empty once the stream is executed */
    struct ag_account *account;              /* of the context */
    uint64_t host_bytes; /* counted in the budget of host memory: stream and allocations */

    uint64_t submitted_ns; /* when submit() was called */

    /* Executing the stream. */
    uint64_t work_ns; /* of the embedder's thread */
    bool started;     /* the first packet was executed; the stream may have paused since */
    bool draining;    /* the stream waits until all write-backs so far are delivered */
    bool recorded;    /* the last packet was executed */
    struct ag_execution execution;
    struct ag_stream_frame *frame; /* the innermost level of packets: a command list, or the stream */
    struct ag_stream_frame root;   /* of the stream */
    uint32_t listed_packets;       /* how many packets of command lists were executed */
    bool stopped;                  /* a packet failed, so that pending write-backs are dropped */

    /* Completing. */
    struct ag_submission_errors errors;
    bool worked;     /* the stream has called WebGPU, inside error scopes */
    uint32_t scopes; /* how many error scopes WebGPU has not answered */
    bool orphaned;   /* a reset dropped the submission: its last error scope frees it, without the executor */
    uint64_t serial; /* the GPU's work is done when the queue has reached this signal */
    struct ag_write_backs write_backs;
    size_t delivered; /* how many of the write-backs are delivered */
};

/* Streams of so many bytes are short. */
#define AG_SHORT_STREAM_BYTES 1024

/* Whether the stream is short and has only set state so far, which takes no longer than to look at the clock
 * does on some machines. */
static inline bool ag_submission_is_light(const struct ag_submission *submission)
{
    return !submission->worked && submission->stream_size <= AG_SHORT_STREAM_BYTES;
}

/* What handlers of packets work with. */
struct ag_execution ag_exec_rooms(struct ag_exec *exec);

/* Makes a submission, with copies of stream and allocation table. Null, and AGPU_NO_MEMORY or AGPU_REFUSED
 * (reported), when memory is exhausted, or what the context may have of it. */
enum agpu_status ag_submission_create(struct ag_exec *exec, const struct agpu_submission *from,
                                      struct ag_submission **submission);
void ag_submission_destroy(struct ag_submission *submission);

/* Puts a submission at the end of the executor's list. */
void ag_submission_enqueue(struct ag_exec *exec, struct ag_submission *submission);

/* Whether a submission of another context is behind it. */
bool ag_submission_is_awaited(const struct ag_submission *submission);

/* Executes streams that can run and completes submissions that are done. True while submissions are in
 * flight. */
bool ag_submissions_advance(struct ag_exec *exec);

/* Drops every submission without announcing its completion. */
void ag_submissions_clear(struct ag_exec *exec);

#endif
