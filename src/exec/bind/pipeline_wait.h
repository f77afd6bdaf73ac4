/* SPDX-License-Identifier: MIT
 *
 * Pipelines are made while the executor goes on (gpu/compilation.h). A draw or dispatch whose pipeline is not
 * made yet has no effect and pauses its stream, and its packet is executed again. Where a packet has had an
 * effect already, the call waits instead. A pipeline that takes too long is refused.
 */
#ifndef AG_EXEC_BIND_PIPELINE_WAIT_H
#define AG_EXEC_BIND_PIPELINE_WAIT_H

#include <stdbool.h>

#include "exec/bind/binder.h"
#include "exec/host/outcome.h"

struct ag_compilation;
struct ag_refusal;

/* AG_DONE: the pipeline is made and can be taken. AG_PENDING: the stream has to pause. AG_SKIPPED: there will
 * be none, and *refusal says why (reported). `what` names the pipeline, for instance "render pipeline". */
enum ag_outcome ag_pipeline_wait(struct ag_binder *binder, struct ag_compilation *compilation,
                                 const char *what, struct ag_refusal *refusal);

/* A packet begins, which may pause until it has an effect. */
static inline void ag_pipeline_wait_begin_packet(struct ag_binder *binder)
{
    binder->may_pause = true;
    binder->awaited_compilation = 0;
}

/* The packet has an effect: executing it again would have the effect twice. */
static inline void ag_pipeline_wait_forbid(struct ag_binder *binder)
{
    binder->may_pause = false;
}

#endif
