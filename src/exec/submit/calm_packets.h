/* SPDX-License-Identifier: MIT
 *
 * Calm packets: uploads of constants, states and draws (ag_packet_plan.is_calm), of which frames are made.
 * They are executed in turn, in less time than one by one: what is counted for each is counted for all at
 * the end.
 */
#ifndef AG_EXEC_SUBMIT_CALM_PACKETS_H
#define AG_EXEC_SUBMIT_CALM_PACKETS_H

#include <stdbool.h>
#include <stdint.h>

#include "aerogpu/diag.h"

struct ag_exec;
struct ag_submission;
struct agpu_stream_reader;

struct ag_calm_run {
    uint32_t count;          /* packets that were executed */
    enum agpu_status status; /* of the last one */
    bool has_sequel;         /* the last one has: ag_packet_has_sequel() */
    uint32_t offset, index;  /* the reader's place before that one */
};

/* Executes up to `most` packets of a stream of its own, from the reader's place on, of which the first one is
 * executed for the first time. Stops in front of any other packet, and behind one that calls for a look. */
struct ag_calm_run ag_calm_packets_run(struct ag_exec *exec, struct ag_submission *submission,
                                       struct agpu_stream_reader *reader, uint32_t most);

#endif
