/* SPDX-License-Identifier: MIT */
#include "exec/bind/pipeline_wait.h"

#include <inttypes.h>

#include "aerogpu/diag.h"
#include "base/bytes.h"
#include "exec/bind/binder.h"
#include "exec/host/host.h"
#include "exec/host/report.h"
#include "exec/record/throttle.h"
#include "gpu/compilation.h"
#include "gpu/gpu.h"
#include "gpu/label.h"

/* A quarter of a second is a piece of work. */
#define COMMANDS_OF_COMPILED_MS 32

/* Pipelines that are begun though nobody waits for them. */
#define MOST_PENDING 8

static enum ag_outcome refuse_slow(const struct ag_binder *binder, const char *what,
                                   struct ag_refusal *refusal)
{
    ag_refusal_set(refusal, AGPU_DIAG_EXEC_COMPILE, "a %s is not compiled after %" PRIu64 " ms", what,
                   binder->pipeline_timeout_ns / 1000000);
    return AG_DONE;
}

/* The pipeline is for later draws, when it is made. */
static enum ag_outcome skip(struct ag_binder *binder, const char *what)
{
    return ag_host_skip_refused(binder->host, AGPU_DIAG_EXEC_COMPILE,
                                "a %s is not compiled yet, and other contexts have waited for pipelines of "
                                "this one for as long as they may",
                                what);
}

enum ag_outcome ag_pipeline_wait_admits(struct ag_binder *binder, const char *what)
{
    return binder->patience_ns > 0 || ag_compilations_pending(binder->host->gpu) < MOST_PENDING
               ? AG_DONE
               : skip(binder, what);
}

void ag_pipeline_wait_taken(struct ag_binder *binder, uint64_t compile_ms)
{
    binder->taken_ms += compile_ms;
}

void ag_pipeline_wait_count(struct ag_binder *binder)
{
    if (ag_gpu_driver(binder->host->gpu) == AGPU_DRIVER_LAVAPIPE)
        ag_throttle_add_commands(binder->recorder, binder->taken_ms * COMMANDS_OF_COMPILED_MS);
    binder->taken_ms = 0;
}

static enum ag_outcome pause_stream(struct ag_binder *binder, struct ag_compilation *compilation)
{
    ag_compilation_hurry(compilation);
    binder->awaited_compilation = ag_compilation_serial(compilation);
    binder->awaits_creation = binder->creates_shader;
    return AG_PENDING;
}

enum ag_outcome ag_translation_wait(struct ag_binder *binder, struct ag_compilation *compilation,
                                    const char *stage)
{
    const uint64_t patience_ns = binder->creates_shader ? UINT64_MAX : binder->patience_ns;
    struct ag_label label;
    if (ag_compilation_state(compilation) != AG_COMPILATION_PENDING)
        return AG_DONE;
    ag_label_format(&label, "%s shader", stage);
    if (patience_ns == 0)
        return skip(binder, label.text);
    if (binder->may_pause)
        return pause_stream(binder, compilation);
    return ag_compilation_wait(compilation, patience_ns) ? AG_DONE : skip(binder, label.text);
}

enum ag_outcome ag_pipeline_wait(struct ag_binder *binder, struct ag_compilation *compilation,
                                 const char *what, struct ag_refusal *refusal)
{
    const uint64_t limit = binder->pipeline_timeout_ns;
    if (ag_compilation_state(compilation) == AG_COMPILATION_PENDING) {
        const uint64_t age = limit != UINT64_MAX ? ag_compilation_age_ns(compilation) : 0;
        if (age >= limit)
            return refuse_slow(binder, what, refusal);
        if (binder->patience_ns == 0)
            return skip(binder, what);
        if (binder->may_pause)
            return pause_stream(binder, compilation);
        if (!ag_compilation_wait(compilation, ag_lesser(limit - age, binder->patience_ns)))
            return limit - age <= binder->patience_ns ? refuse_slow(binder, what, refusal)
                                                      : skip(binder, what);
    }
    if (ag_compilation_state(compilation) != AG_COMPILATION_DONE)
        ag_refusal_set(refusal, AGPU_DIAG_GPU_VALIDATION, "a %s cannot be made: %s", what,
                       ag_compilation_message(compilation));
    return AG_DONE;
}
