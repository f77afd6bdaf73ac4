/* SPDX-License-Identifier: MIT
 *
 * Outcomes: what a step of a draw or dispatch, or the making of an object that they need, came to.
 */
#ifndef AG_EXEC_HOST_OUTCOME_H
#define AG_EXEC_HOST_OUTCOME_H

#include "aerogpu/diag.h"

/* Everything but AG_DONE and AG_PENDING was reported by the function that returns it, and callers return it
 * in turn. */
enum ag_outcome {
    AG_DONE,    /* the step was made, or there was nothing to do */
    AG_PENDING, /* nothing had an effect, and the packet is executed again (bind/pipeline_wait.h) */
    AG_SKIPPED, /* this draw, dispatch or object cannot be made; the stream goes on */
    AG_STOPPED, /* bytes that the call needs are not to be had; the report says whether the stream stops */
    AG_OUT_OF_MEMORY /* memory was exhausted, which may be over the next time and is never cached */
};

/* The status that a packet's handler returns after a draw or dispatch. Only AG_STOPPED may stop the stream: a
 * draw for which memory was exhausted is left out like a skipped draw. */
static inline enum agpu_status ag_outcome_status(enum ag_outcome outcome)
{
    return outcome == AG_STOPPED ? AGPU_REFUSED : AGPU_OK;
}

#endif
