/* SPDX-License-Identifier: MIT
 *
 * Queries among the recorded commands: Begin and End, counts that compute passes leave in buffers, and the
 * read-back of query sets. The packet handlers begin and end queries, the draws add counts.
 */
#ifndef AG_EXEC_RECORD_QUERY_RECORDING_H
#define AG_EXEC_RECORD_QUERY_RECORDING_H

#include <stdint.h>

#include "aerogpu/diag.h"
#include "exec/record/query.h"
#include "gpu/webgpu.h"

struct ag_recorder;

/* Begins a run of the query in a context. An active run of the query is dropped. Reported when not
 * AGPU_OK. */
enum agpu_status ag_query_begin(struct ag_recorder *recorder, struct ag_query *query, uint32_t context_id);

/* Ends the active run of the query, or makes a run when the query was not begun, and returns it:
 * query->last. Null when memory is exhausted (reported). */
struct ag_query_run *ag_query_end(struct ag_recorder *recorder, struct ag_query *query, uint32_t context_id);

/* The context ends: what it began counts no more. */
void ag_queries_end_context(struct ag_recorder *recorder, uint32_t context_id);

/* Ends the query's use of runs, before the query is destroyed. */
void ag_query_fini(struct ag_recorder *recorder, struct ag_query *query);

/* Adds a 32-bit count in a buffer, times `scale`, to every active run that wants the counter. The count is
 * copied after the commands recorded so far. The buffer has the usage CopySrc; `offset` is a multiple of
 * 4. */
void ag_queries_add_from(struct ag_recorder *recorder, enum ag_query_counter counter, uint32_t scale,
                         WGPUBuffer buffer, uint64_t offset);

/* Closes all open sets, records copies of the sets that are not read yet, submits everything recorded and
 * begins the read-back. */
void ag_query_sets_read(struct ag_recorder *recorder);

/* Drops the sets, unread, and the list of active runs, before the WebGPU device goes. */
void ag_queries_clear(struct ag_recorder *recorder);

#endif
