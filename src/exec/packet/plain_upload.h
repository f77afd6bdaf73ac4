/* SPDX-License-Identifier: MIT
 *
 * UPLOAD_RESOURCE packets that only change bytes in the host's memory: of constant buffers, which guests
 * upload many of for each draw, and of other buffers whose bytes the processor knows. They are executed
 * without what other packets may need.
 */
#ifndef AG_EXEC_PACKET_PLAIN_UPLOAD_H
#define AG_EXEC_PACKET_PLAIN_UPLOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/packet_read.h"
#include "aerogpu/abi/cmd.h"
#include "aerogpu/stream.h"
#include "base/bytes.h"
#include "exec/object/buffer.h"
#include "exec/object/handle.h"
#include "exec/packet/execution.h"
#include "exec/transfer/buffer_upload.h"

/* Executes the packet at the reader's place and moves the reader behind it; nothing notes or counts the
 * packet. False: it is another one, is not right or needs more, and was left. */
static inline bool ag_plain_upload(struct ag_execution *execution, struct agpu_stream_reader *reader)
{
    uint32_t opcode, size;
    const struct aerogpu_cmd_upload_resource *wire = (const void *)ag_packet_peek(reader, &opcode, &size);
    if (!wire || opcode != AEROGPU_CMD_UPLOAD_RESOURCE || size < sizeof *wire || size % 4 != 0 ||
        size > reader->header.size_bytes - reader->offset || wire->size_bytes == 0 ||
        wire->size_bytes > size - sizeof *wire)
        return false;
    struct ag_buffer *buffer = ag_handle_buffer(execution->objects, wire->resource_handle);
    if (!buffer || !ag_buffer_is_shadowed(buffer) ||
        !ag_range_fits(wire->offset_bytes, wire->size_bytes, buffer->size) ||
        ag_buffer_scatters(buffer, wire->offset_bytes, wire->size_bytes))
        return false;
    ag_buffer_write_shadow(execution->copier, buffer, wire->offset_bytes, wire + 1, wire->size_bytes);
    ag_packet_pass(reader, size);
    return true;
}

#endif
