/* SPDX-License-Identifier: MIT
 *
 * Executing the stream of a submission: packet after packet, through command lists. A stream may pause until
 * the GPU has done something; the submission goes on with ag_submissions_advance(), and nobody blocks.
 */
#ifndef AG_EXEC_SUBMIT_STREAM_H
#define AG_EXEC_SUBMIT_STREAM_H

#include <stdbool.h>

struct ag_exec;
struct ag_submission;

/* Executes packets of the submission until all are recorded or the stream waits. */
void ag_stream_execute(struct ag_exec *exec, struct ag_submission *submission);

/* Whether what the submission waits for has happened. */
bool ag_stream_may_go_on(struct ag_exec *exec, const struct ag_submission *submission);

/* Forgets how far the stream is, as when its submission is dropped. Contexts stay as they are. */
void ag_stream_drop(struct ag_submission *submission);

#endif
