/* SPDX-License-Identifier: MIT
 *
 * Pipelines, with their modules and translations, are made while the executor goes on (gpu/compilation.h). A
 * draw or dispatch whose pipeline is not made yet has no effect and pauses its stream, and its packet is
 * executed again; so does the creation of a large shader. Where a packet has had an
 * effect already, the call waits instead. A pipeline that takes too long is refused; where other contexts
 * have waited for long, a call is skipped whose pipeline is not made yet.
 */
#ifndef AG_EXEC_BIND_PIPELINE_WAIT_H
#define AG_EXEC_BIND_PIPELINE_WAIT_H

#include <stdbool.h>
#include <stdint.h>

#include "exec/bind/binder.h"
#include "exec/host/outcome.h"

struct ag_compilation;
struct ag_refusal;

/* AG_DONE: the compilation is over; the pipeline is made and can be taken, or *refusal, which is empty
 * before, says why there will be none (not reported). AG_PENDING: the stream has to pause. AG_SKIPPED: the
 * compilation goes on, and this call does without (reported). `what` names the pipeline, for instance "render
 * pipeline". */
enum ag_outcome ag_pipeline_wait(struct ag_binder *binder, struct ag_compilation *compilation,
                                 const char *what, struct ag_refusal *refusal);

/* The same for the work of the gpu's worker on a shader of a stage, which is never refused for its time.
 * AG_SKIPPED: as above, but a creation waits for as long as it takes. */
enum ag_outcome ag_translation_wait(struct ag_binder *binder, struct ag_compilation *compilation,
                                    const char *stage);

/* Whether the library is to begin another pipeline: AG_SKIPPED (reported) where other contexts have waited
 * for long and the library is at work on many already. */
enum ag_outcome ag_pipeline_wait_admits(struct ag_binder *binder, const char *what);

/* The packet at hand uses a pipeline for the first time, whose modules drivers compile in about so many
 * milliseconds. lavapipe compiles them when the GPU's work is executed: the throttle counts that when the
 * packet is recorded, so that no piece of work has very much of it. */
void ag_pipeline_wait_taken(struct ag_binder *binder, uint64_t compile_ms);
void ag_pipeline_wait_count(struct ag_binder *binder);

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

/* The packet is recorded. */
static inline void ag_pipeline_wait_end_packet(struct ag_binder *binder)
{
    binder->may_pause = false;
    if (binder->taken_ms != 0)
        ag_pipeline_wait_count(binder);
}

#endif
