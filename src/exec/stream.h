/* SPDX-License-Identifier: MIT
 *
 * Executing the stream of a job: packet after packet, through command lists. A stream may pause until the GPU
 * has done something; the job goes on with ag_jobs_advance(), and nobody blocks.
 */
#ifndef AG_EXEC_STREAM_H
#define AG_EXEC_STREAM_H

#include "aerogpu/stream.h"

struct ag_command_list;
struct ag_exec;
struct ag_job;
struct ag_readback;

/* Executes packets of the current job until it is recorded or waits. */
void ag_stream_execute(struct ag_exec *exec);

/* Whether what the job waits for has happened. */
bool ag_stream_may_go_on(struct ag_exec *exec, const struct ag_job *job);

/* Forgets where the job is, as when it is dropped. Contexts stay as they are. */
void ag_stream_drop(struct ag_job *job);

/* For handlers: what is recorded is submitted, and the packets after this one wait for it. `again`: this one
 * is executed once more, so it must not have had an effect. */
void ag_stream_wait_for_work(struct ag_exec *exec, bool again);
/* The same until the bytes of the readback, which has been begun, are there. It stays the caller's. */
void ag_stream_wait_for_bytes(struct ag_exec *exec, const struct ag_readback *readback, bool again);

/* For a handler: the packets of the list come next, from Direct3D's initial state. After them the context is
 * as it was before (`restore`), or cleared (D3D11 ExecuteCommandList). */
enum agpu_status ag_stream_call(struct ag_exec *exec, const struct ag_command_list *list, bool restore);

#endif
