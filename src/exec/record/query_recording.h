/* SPDX-License-Identifier: MIT
 *
 * Queries in the stream of commands: Begin and End, numbers in buffers that count, and the read-back of sets.
 */
#ifndef AG_EXEC_RECORD_QUERY_RECORDING_H
#define AG_EXEC_RECORD_QUERY_RECORDING_H

#include <stdint.h>

#include "aerogpu/diag.h"
#include "exec/record/query.h"
#include "gpu/webgpu.h"

struct ag_recorder;

/* Drops what the queries of a dying device hold. */
void ag_queries_clear(struct ag_recorder *recorder);
/* A run of the query begins in that context. Reported when not AGPU_OK. */
enum agpu_status ag_query_begin(struct ag_recorder *recorder, struct ag_query *query, uint32_t context_id);
/* The query's run ends, or an End without Begin makes one: query->last. Null when memory is exhausted
 * (reported). */
struct ag_query_run *ag_query_end(struct ag_recorder *recorder, struct ag_query *query, uint32_t context_id);
void ag_query_fini(struct ag_recorder *recorder, struct ag_query *query);
/* The word at a multiple of 4 in a buffer with CopySrc tells, times `scale`, once what is recorded so far is
 * done. */
void ag_queries_add_from(struct ag_recorder *recorder, enum ag_query_counter counter, uint32_t scale,
                         WGPUBuffer buffer, uint64_t offset);
/* Records the copies of all open sets, submits what is recorded and asks for the bytes. New slots are in new
 * sets. */
void ag_query_sets_read(struct ag_recorder *recorder);

#endif
