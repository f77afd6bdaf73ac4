/* SPDX-License-Identifier: MIT */
#include "exec/bind/pipeline_wait.h"

#include <inttypes.h>

#include "aerogpu/diag.h"
#include "exec/bind/binder.h"
#include "exec/host/host.h"
#include "exec/host/report.h"
#include "gpu/compilation.h"

static enum ag_outcome refuse_slow(struct ag_binder *binder, const char *what, struct ag_refusal *refusal)
{
    return ag_host_refuse(binder->host, refusal, AGPU_DIAG_EXEC_COMPILE,
                          "a %s is not compiled after %" PRIu64 " ms", what,
                          binder->pipeline_timeout_ns / 1000000);
}

enum ag_outcome ag_pipeline_wait(struct ag_binder *binder, struct ag_compilation *compilation,
                                 const char *what, struct ag_refusal *refusal)
{
    const uint64_t limit = binder->pipeline_timeout_ns;
    if (ag_compilation_state(compilation) == AG_COMPILATION_PENDING) {
        const uint64_t age = limit != UINT64_MAX ? ag_compilation_age_ns(compilation) : 0;
        if (age >= limit)
            return refuse_slow(binder, what, refusal);
        if (binder->may_pause) {
            binder->awaited_compilation = ag_compilation_serial(compilation);
            return AG_PENDING;
        }
        if (!ag_compilation_wait(compilation, limit - age))
            return refuse_slow(binder, what, refusal);
    }
    if (ag_compilation_state(compilation) == AG_COMPILATION_DONE)
        return AG_DONE;
    return ag_host_refuse(binder->host, refusal, AGPU_DIAG_GPU_VALIDATION, "a %s cannot be made: %s", what,
                          ag_compilation_message(compilation));
}
