/* SPDX-License-Identifier: MIT
 *
 * What came of a part of the executor's work: of a draw, a dispatch or an object that they need.
 */
#ifndef AG_EXEC_HOST_OUTCOME_H
#define AG_EXEC_HOST_OUTCOME_H

#include "aerogpu/diag.h"

/* Whatever is not AG_DONE was reported, and who gets it returns it to the caller. */
enum ag_outcome {
    AG_DONE,         /* made, bound or recorded */
    AG_SKIPPED,      /* this draw, dispatch or object cannot be made; the stream goes on */
    AG_STOPPED,      /* the stream is malformed or guest memory unreadable: the stream stops */
    AG_OUT_OF_MEMORY /* a shortage, which may be over the next time: never cached */
};

/* What a packet's handler returns after a draw or dispatch. Only a stream that is stopped stops: a draw that
 * memory ran out for is left out as a skipped draw is. */
static inline enum agpu_status ag_outcome_status(enum ag_outcome outcome)
{
    return outcome == AG_STOPPED ? AGPU_REFUSED : AGPU_OK;
}

#endif
