/* SPDX-License-Identifier: MIT
 *
 * UPLOAD_RESOURCE packets that only change bytes in the host's memory: of constant buffers, which guests
 * upload many of for each draw, and of other buffers whose bytes the processor knows. They are executed
 * without what other packets may need.
 */
#ifndef AG_EXEC_PACKET_PLAIN_UPLOAD_H
#define AG_EXEC_PACKET_PLAIN_UPLOAD_H

#include <stdint.h>

struct ag_execution;
struct agpu_stream_reader;

/* Executes such packets from the reader's place on, at most so many, moves the reader behind them and counts
 * them. The first packet that is another one, is not right or needs more is left. *last is the place of the
 * last one that was executed; nothing else notes them. Returns how many were executed. */
uint32_t ag_plain_uploads(struct ag_execution *execution, struct agpu_stream_reader *reader, uint32_t most,
                          uint64_t *last);

#endif
