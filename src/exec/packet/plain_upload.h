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

/* What packets that follow one another were. */
struct ag_plain_uploads {
    uint32_t count;
    uint32_t bytes;     /* of the packets */
    uint32_t last_size; /* of the last packet */
    uint64_t uploaded;  /* bytes */
};

/* Executes packets from `data` on, where the stream has `rest` bytes, `most` of them at most; nothing notes
 * or counts the packets. What comes behind them is no upload, is not right or needs more, and was left. */
struct ag_plain_uploads ag_plain_uploads_run(const struct ag_execution *execution, const uint8_t *data,
                                             uint32_t rest, uint32_t most);

#endif
