/* SPDX-License-Identifier: MIT
 *
 * UPLOAD_RESOURCE packets that only change bytes in the host's memory: of constant buffers, which guests
 * upload many of for each draw, and of other buffers whose bytes the processor knows. They are executed
 * without what other packets may need.
 */
#ifndef AG_EXEC_PACKET_PLAIN_UPLOAD_H
#define AG_EXEC_PACKET_PLAIN_UPLOAD_H

#include <stdbool.h>

struct ag_execution;
struct agpu_stream_reader;

/* Executes the packet at the reader's place, moves the reader behind it and counts it. False, with nothing
 * done, when the packet is another one, is not right, or needs more. */
bool ag_plain_upload(struct ag_execution *execution, struct agpu_stream_reader *reader);

#endif
