/* SPDX-License-Identifier: MIT
 *
 * Executing the stream of a submission, packet by packet, command lists included. A stream may pause until
 * the GPU has finished some work; ag_submissions_advance() continues it later, and no call blocks.
 * submission.c calls these functions.
 */
#ifndef AG_EXEC_SUBMIT_STREAM_EXECUTION_H
#define AG_EXEC_SUBMIT_STREAM_EXECUTION_H

#include <stdbool.h>

struct ag_exec;
struct ag_submission;

/* Executes packets until the stream ends, stops with an error, or has to wait
 * (submission->execution.wait). */
void ag_stream_execute(struct ag_exec *exec, struct ag_submission *submission);

/* Frees spent memory until the slice is over. */
void ag_stream_free_spent(struct ag_exec *exec);

/* Whether the wait of a paused stream is over. */
bool ag_stream_may_go_on(struct ag_exec *exec, const struct ag_submission *submission);

/* Ends the stream without executing further packets, when its submission is dropped. Contexts do not
 * change. */
void ag_stream_drop(struct ag_submission *submission);

#endif
