/* SPDX-License-Identifier: MIT
 *
 * One submission, from submit() until its completion was announced.
 */
#ifndef AG_EXEC_SUBMIT_SUBMISSION_H
#define AG_EXEC_SUBMIT_SUBMISSION_H

#include <stdbool.h>
#include <stdint.h>

#include "exec/host/guest_memory.h"
#include "exec/host/report.h"
#include "exec/packet/execution.h"
#include "exec/transfer/write_back.h"

struct ag_exec;
struct ag_stream_frame;
struct agpu_submission;

struct ag_submission {
    struct ag_submission *next;
    struct ag_exec *exec;
    uint32_t number, context_id;
    uint8_t *stream; /* kept until it is executed; null for a fence without a stream */
    uint32_t stream_size;
    struct ag_guest_allocations allocations;

    bool started;  /* its packets are being executed, perhaps with pauses */
    bool recorded; /* all its packets have been */
    struct ag_execution execution;
    struct ag_stream_frame *frame; /* the packets being read: the stream's, or a command list's */
    uint32_t listed_packets;       /* executed from command lists so far */

    bool stopped;  /* a packet failed: write-backs are dropped */
    bool orphaned; /* dropped by a reset; freed by its last error scope */
    struct ag_submission_errors errors;
    uint32_t scopes; /* error scopes that have not answered */
    uint64_t serial; /* of the queue's timeline: its work is done when this is reached */
    struct ag_write_backs write_backs;
};

/* Copies what it is given. Null when the host's memory is exhausted. */
struct ag_submission *ag_submission_create(struct ag_exec *exec, const struct agpu_submission *submission);
void ag_submission_destroy(struct ag_submission *submission);

/* Starts what can start and completes what is done, in order. True while submissions are left. */
bool ag_submissions_advance(struct ag_exec *exec);
/* Drops every submission; nothing of it is announced. */
void ag_submissions_clear(struct ag_exec *exec);

#endif
