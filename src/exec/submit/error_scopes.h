/* SPDX-License-Identifier: MIT
 *
 * Error scopes: what WebGPU says, later, about the calls of a submission.
 */
#ifndef AG_EXEC_SUBMIT_ERROR_SCOPES_H
#define AG_EXEC_SUBMIT_ERROR_SCOPES_H

struct ag_exec;
struct ag_submission;

/* Watches what WebGPU says about the calls until the pop; answers count in submission->scopes. */
void ag_error_scopes_push(struct ag_exec *exec);
void ag_error_scopes_pop(struct ag_exec *exec, struct ag_submission *submission);

#endif
