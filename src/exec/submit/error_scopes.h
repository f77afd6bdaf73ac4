/* SPDX-License-Identifier: MIT
 *
 * Error scopes: WebGPU reports errors of calls after the calls, and an error scope around calls says which
 * submission they belong to. stream.c and submission.c push and pop scopes.
 */
#ifndef AG_EXEC_SUBMIT_ERROR_SCOPES_H
#define AG_EXEC_SUBMIT_ERROR_SCOPES_H

struct ag_exec;
struct ag_submission;

/* Push opens a scope; pop closes it and assigns its errors to the submission. submission->scopes is the
 * number of closed scopes that WebGPU has not answered yet. */
void ag_error_scopes_push(struct ag_exec *exec);
void ag_error_scopes_pop(struct ag_exec *exec, struct ag_submission *submission);

#endif
